// Who belongs to an env or team, who is invited, who asks to join; and the accounts of programs.
import { useQuery } from 'urql';
import { useCan } from '../app/rights';
import { useScope } from '../app/scope';
import { PlacesDocument } from '../client/generated';
import { Empty, Title } from '../ui/parts';
import { Shown } from '../ui/Shown';
import { PlacePanel } from './PlacePanel';
import { useEnvPlace, useTeamPlace } from './place';
import { ServiceAccounts } from './ServiceAccounts';
import { ToDecide } from './ToDecide';
import './people.css';

export default function PeoplePage() {
  const { envId, teamId } = useScope();
  const can = useCan();
  const [result] = useQuery({ query: PlacesDocument });
  return (
    <div className="stack">
      <Title text="People" />
      <ToDecide />
      <Shown of={result}>
        {({ envs, teams }) => {
          // Without a choice: all envs, or for whoever belongs to none of them, their teams.
          const shownEnvs = teamId ? [] : envs.nodes.filter(({ id }) => !envId || id === envId);
          const shownTeams = teams.nodes.filter(({ id, envId: env }) => (teamId ? id === teamId : !envId || env === envId));
          if (shownEnvs.length + shownTeams.length === 0) {
            return (
              <Empty title="You belong to no environment and no team yet.">
                Somebody who administers one can invite you by your email.
              </Empty>
            );
          }
          return (
            <>
              {shownEnvs.map(({ id }) => (
                <EnvPanel key={id} id={id} administers={can('administer', { teamId: null, envId: id })} />
              ))}
              {shownTeams.map(({ id, envId: env }) => (
                <TeamPanel key={id} id={id} administers={can('administer', { teamId: id, envId: env })} />
              ))}
            </>
          );
        }}
      </Shown>
      <ServiceAccounts />
    </div>
  );
}

interface PanelProps {
  readonly id: string;
  readonly administers: boolean;
}

const EnvPanel = ({ id, administers }: PanelProps) => <PlacePanel kind="Environment" administers={administers} {...useEnvPlace(id)} />;
const TeamPanel = ({ id, administers }: PanelProps) => <PlacePanel kind="Team" administers={administers} {...useTeamPlace(id)} />;
