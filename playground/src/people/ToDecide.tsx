// What waits for the viewer's decision: it comes and goes by itself, as `requestReceived` tells.
import { useState } from 'react';
import {
  AcceptEnvRequestDocument, AcceptTeamRequestDocument, DeclineEnvRequestDocument, DeclineTeamRequestDocument, ToDecideDocument, type ToDecideSubscription,
} from '../client/generated'; // prettier-ignore
import { useLive, useMutate } from '../client/hooks';
import { Ago, Button } from '../ui/parts';
import { tell } from './PlacePanel';
import { ROLE } from './words';

type Received = ToDecideSubscription['requestReceived'];

const pending = ({ removed, envRequest, teamRequest }: Received) => !removed && (envRequest ?? teamRequest)?.status === 'PENDING';

export function ToDecide() {
  const [waiting, setWaiting] = useState<ReadonlyMap<string, Received>>(new Map());
  useLive(ToDecideDocument, {}, ({ requestReceived }) =>
    setWaiting((before) => {
      const after = new Map(before);
      after.delete(requestReceived.id);
      if (pending(requestReceived)) after.set(requestReceived.id, requestReceived);
      return after;
    }),
  );
  if (waiting.size === 0) return null;
  return (
    <section className="card" aria-labelledby="to-decide">
      <h2 id="to-decide">Waiting for your decision</h2>
      <ul className="plain">
        {[...waiting.values()].map((one) => (
          <Row key={one.id} received={one} />
        ))}
      </ul>
    </section>
  );
}

function Row({ received: { id, envRequest, teamRequest } }: { readonly received: Received }) {
  const [acceptEnv, acceptingEnv] = useMutate(AcceptEnvRequestDocument);
  const [declineEnv, decliningEnv] = useMutate(DeclineEnvRequestDocument);
  const [acceptTeam, acceptingTeam] = useMutate(AcceptTeamRequestDocument);
  const [declineTeam, decliningTeam] = useMutate(DeclineTeamRequestDocument);
  const ask = envRequest ?? teamRequest;
  if (!ask) return null;
  const variables = { input: { requestId: id } };
  // Whoever is invited does not see the place yet, nor who belongs to it.
  const [kind, name] = envRequest ? (['environment', envRequest.env?.name] as const) : (['team', teamRequest?.team?.name] as const);
  const place = name ? `${kind} ${name}` : `${kind === 'team' ? 'a' : 'an'} ${kind} that you will see once you accept`;
  const role = ROLE[envRequest ? envRequest.role : teamRequest?.admin ? 'ADMIN' : 'MEMBER'];
  const [from, to] = [ask.fromUser?.email, ask.toUser?.email];
  const busy = acceptingEnv || decliningEnv || acceptingTeam || decliningTeam;
  return (
    <li className="head">
      <span>
        {from === to
          ? `${from ?? 'Somebody'} asks to join ${place} as ${role}`
          : from
            ? `${from} invites you to ${place}, as ${role}`
            : `You are invited to ${place}, as ${role}`}{' '}
        <span className="quiet small">
          <Ago at={ask.createdAt} />
        </span>
      </span>
      <span className="row">
        <Button kind="primary" busy={busy} onClick={() => tell(envRequest ? acceptEnv(variables) : acceptTeam(variables), 'Accepted.')}>
          Accept
        </Button>
        <Button busy={busy} onClick={() => tell(envRequest ? declineEnv(variables) : declineTeam(variables), 'Declined.')}>
          Decline
        </Button>
      </span>
    </li>
  );
}
