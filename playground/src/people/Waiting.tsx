// Who is invited to an env or a team, and who asks to join it. Its admins, and whoever wrote it, may take it back.
import { useQuery } from 'urql';
import {
  CancelEnvRequestDocument, CancelInvitationDocument, CancelTeamRequestDocument, PlacesDocument, type InvitedFragment,
} from '../client/generated'; // prettier-ignore
import { useMutate } from '../client/hooks';
import { Ago, Button } from '../ui/parts';
import type { Asked } from './place';
import { ROLE } from './roles';
import { tell } from './tell';

export function InvitedRow({ invitation, administers }: { readonly invitation: InvitedFragment; readonly administers: boolean }) {
  const { id, email, role, admin, createdAt, fromUser } = invitation;
  const [cancel, busy] = useMutate(CancelInvitationDocument);
  return (
    <li className="head">
      <span>
        {email}{' '}
        <span className="quiet small">
          is invited as {ROLE[role ?? (admin ? 'ADMIN' : 'MEMBER')]}
          {fromUser && ` by ${fromUser.email}`}, <Ago at={createdAt} />
        </span>
      </span>
      {administers && (
        <Button
          kind="plain"
          busy={busy}
          aria-label={`Take back the invitation of ${email}`}
          onClick={() => tell(cancel({ input: { invitationId: id } }), `The invitation of ${email} is taken back.`)}
        >
          Take back
        </Button>
      )}
    </li>
  );
}

/** A request to join is decided above, in what waits for one's decision. */
export function AskedRow({ asked, administers }: { readonly asked: Asked; readonly administers: boolean }) {
  const { id, kind, role, from, to, createdAt } = asked;
  const [{ data }] = useQuery({ query: PlacesDocument, requestPolicy: 'cache-first' });
  const [cancelEnv, cancellingEnv] = useMutate(CancelEnvRequestDocument);
  const [cancelTeam, cancellingTeam] = useMutate(CancelTeamRequestDocument);
  const own = data?.viewer.user.email === from;
  const joins = from === to;
  const input = { requestId: id };
  const words = joins ? `The request of ${to}` : `The invitation of ${to}`;
  return (
    <li className="head">
      <span>
        {to}{' '}
        <span className="quiet small">
          {joins ? `asks to join as ${ROLE[role]}` : `is invited as ${ROLE[role]} by ${from}`}, <Ago at={createdAt} />
        </span>
      </span>
      {(own || (administers && !joins)) && (
        <Button
          kind="plain"
          busy={cancellingEnv || cancellingTeam}
          aria-label={`Take back the ${joins ? 'request' : 'invitation'} of ${to}`}
          onClick={() => tell(kind === 'Environment' ? cancelEnv({ input }) : cancelTeam({ input }), `${words} is taken back.`)}
        >
          Take back
        </Button>
      )}
    </li>
  );
}
