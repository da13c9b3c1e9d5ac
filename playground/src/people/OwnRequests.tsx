// What the viewer has asked to join and nobody has decided yet.
import { useQuery } from 'urql';
import { CancelEnvRequestDocument, CancelTeamRequestDocument, OwnRequestsDocument } from '../client/generated';
import { useMutate } from '../client/hooks';
import { Ago, Button } from '../ui/parts';
import { ROLE } from './words';
import { tell } from './tell';

export function OwnRequests() {
  const [{ data }] = useQuery({ query: OwnRequestsDocument });
  const [cancelEnv, cancellingEnv] = useMutate(CancelEnvRequestDocument);
  const [cancelTeam, cancellingTeam] = useMutate(CancelTeamRequestDocument);
  const user = data?.viewer.user;
  const own = (one: { readonly fromUserId: string; readonly toUserId: string }) => one.fromUserId === one.toUserId;
  const envs = user?.envRequestsSent.nodes.filter(own) ?? [];
  const teams = user?.teamRequestsSent.nodes.filter(own) ?? [];
  if (envs.length + teams.length === 0) return null;
  const asked = [
    ...envs.map(({ id, role, env, createdAt }) => ({
      id,
      createdAt,
      role,
      where: env ? `environment ${env.name}` : 'an environment that you will see once you are in it',
      cancel: () => cancelEnv({ input: { requestId: id } }),
    })),
    ...teams.map(({ id, admin, team, createdAt }) => ({
      id,
      createdAt,
      role: admin ? ('ADMIN' as const) : ('MEMBER' as const),
      where: team ? `team ${team.name}` : 'a team that you will see once you are in it',
      cancel: () => cancelTeam({ input: { requestId: id } }),
    })),
  ];
  return (
    <section className="card" aria-labelledby="asked">
      <h2 id="asked">What you have asked for</h2>
      <ul className="plain">
        {asked.map(({ id, createdAt, role, where, cancel }) => (
          <li key={id} className="head">
            <span>
              To join {where} as {ROLE[role]}{' '}
              <span className="quiet small">
                <Ago at={createdAt} />; its admins decide
              </span>
            </span>
            <Button
              kind="plain"
              busy={cancellingEnv || cancellingTeam}
              aria-label={`Take back your request to join ${where}`}
              onClick={() => tell(cancel(), 'Your request is taken back.')}
            >
              Take back
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}
