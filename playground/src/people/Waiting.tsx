// Who is invited to an env or a team, and who asks to join it. Its admins, and whoever wrote it, may take it back.
import { useState } from 'react';
import { useQuery } from 'urql';
import { CancelInvitationDocument, PlacesDocument, type InvitedFragment } from '../client/generated';
import { useMutate } from '../client/hooks';
import { Ago, Button } from '../ui/parts';
import type { Asked, Shown } from './place';
import { tell } from './tell';
import { ROLE } from './words';

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

interface AskedProps {
  readonly asked: Asked;
  readonly cancel: Shown['acts']['cancel'];
  readonly administers: boolean;
}

/** A request to join is decided above, in what waits for one's decision. */
export function AskedRow({ asked: { id, role, from, to, createdAt }, cancel, administers }: AskedProps) {
  const [{ data }] = useQuery({ query: PlacesDocument, requestPolicy: 'cache-first' });
  const [busy, setBusy] = useState(false);
  const joins = from === to;
  const what = joins ? 'request' : 'invitation';

  async function onTakeBack() {
    setBusy(true);
    await tell(cancel(id), `The ${what} of ${to} is taken back.`);
    setBusy(false);
  }

  return (
    <li className="head">
      <span>
        {to}{' '}
        <span className="quiet small">
          {joins ? `asks to join as ${ROLE[role]}` : `is invited as ${ROLE[role]} by ${from}`}, <Ago at={createdAt} />
        </span>
      </span>
      {(data?.viewer.user.email === from || (administers && !joins)) && (
        <Button kind="plain" busy={busy} aria-label={`Take back the ${what} of ${to}`} onClick={onTakeBack}>
          Take back
        </Button>
      )}
    </li>
  );
}
