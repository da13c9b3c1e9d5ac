// An address may name an env or a team that is gone, or not the viewer's to see: then an empty page says nothing of what there is.
import { useQuery } from 'urql';
import { Link, useLocation } from 'wouter';
import { PlacesDocument } from '../client/generated';
import { useScope } from './scope';

export function UnknownPlace() {
  const { envId, teamId } = useScope();
  const [location] = useLocation();
  const [{ data, stale }] = useQuery({ query: PlacesDocument });
  if (!data || stale || !(teamId ?? envId)) return null;
  const { envs, teams } = data;
  if (teamId ? teams.nodes.some(({ id }) => id === teamId) : envs.nodes.some(({ id }) => id === envId)) return null;
  return (
    <p className="notice waiting" role="status">
      This {teamId ? 'team' : 'environment'} does not exist any more, or is not yours to see. <Link href={location}>Show everything</Link>
    </p>
  );
}
