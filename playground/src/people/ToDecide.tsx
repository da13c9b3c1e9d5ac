// What waits for the viewer's decision: it comes and goes by itself, as `requestReceived` tells.
import { useState } from 'react';
import {
  AcceptEnvRequestDocument, AcceptTeamRequestDocument, DeclineEnvRequestDocument, DeclineTeamRequestDocument, ToDecideDocument, type ToDecideSubscription,
} from '../client/generated'; // prettier-ignore
import { useLive, useMutate } from '../client/hooks';
import { Ago, Button } from '../ui/parts';
import { ROLE } from './words';
import { tell } from './tell';

type Received = ToDecideSubscription['requestReceived'];

const pending = ({ removed, envRequest, teamRequest }: Received) => !removed && (envRequest ?? teamRequest)?.status === 'PENDING';

export function ToDecide() {
  const [waiting, setWaiting] = useState<ReadonlyMap<string, Received>>(new Map());
  useLive(ToDecideDocument, {}, ({ requestReceived }) =>
    setWaiting((before) => {
      const after = new Map(before);
      after.delete(requestReceived.requestId);
      if (pending(requestReceived)) after.set(requestReceived.requestId, requestReceived);
      return after;
    }),
  );
  if (waiting.size === 0) return null;
  return (
    <section className="card" aria-labelledby="to-decide">
      <h2 id="to-decide">Waiting for your decision</h2>
      <ul className="plain">
        {[...waiting.values()].map((one) => (
          <Row key={one.requestId} received={one} />
        ))}
      </ul>
    </section>
  );
}

/** Where to: whoever is invited does not see the place yet, but is told its name. */
function place({ envRequest, teamRequest }: Received): string {
  if (envRequest) return `environment ${envRequest.env?.name ?? envRequest.envName ?? 'without a name'}`;
  return `team ${teamRequest?.team?.name ?? teamRequest?.teamName ?? 'without a name'}`;
}

function Row({ received }: { readonly received: Received }) {
  const { requestId, envRequest, teamRequest } = received;
  const [acceptEnv, acceptingEnv] = useMutate(AcceptEnvRequestDocument);
  const [declineEnv, decliningEnv] = useMutate(DeclineEnvRequestDocument);
  const [acceptTeam, acceptingTeam] = useMutate(AcceptTeamRequestDocument);
  const [declineTeam, decliningTeam] = useMutate(DeclineTeamRequestDocument);
  const ask = envRequest ?? teamRequest;
  if (!ask) return null;
  const variables = { input: { requestId } };
  const where = place(received);
  const role = ROLE[envRequest ? envRequest.role : teamRequest?.admin ? 'ADMIN' : 'MEMBER'];
  const joins = ask.fromUserId === ask.toUserId;
  const from = ask.fromEmail ?? 'Somebody';
  const accepted = joins ? `${from} belongs to ${where} now.` : `You belong to ${where} now.`;
  const declined = joins ? `The request of ${from} is declined.` : `The invitation to ${where} is declined.`;
  const busy = acceptingEnv || decliningEnv || acceptingTeam || decliningTeam;
  return (
    <li className="head">
      <span>
        {joins ? `${from} asks to join ${where} as ${role}` : `${from} invites you to ${where} as ${role}`}{' '}
        <span className="quiet small">
          <Ago at={ask.createdAt} />
        </span>
      </span>
      <span className="row">
        <Button kind="primary" busy={busy} onClick={() => tell(envRequest ? acceptEnv(variables) : acceptTeam(variables), accepted)}>
          Accept
        </Button>
        <Button busy={busy} onClick={() => tell(envRequest ? declineEnv(variables) : declineTeam(variables), declined)}>
          Decline
        </Button>
      </span>
    </li>
  );
}
