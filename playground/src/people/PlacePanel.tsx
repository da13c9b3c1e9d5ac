// The people of one env or team.
import { useState } from 'react';
import { CancelInvitationDocument, type InvitedFragment } from '../client/generated';
import { useMutate, type Outcome } from '../client/hooks';
import { plural } from '../ui/format';
import { Ago, Button, Empty, Scroll } from '../ui/parts';
import { say } from '../ui/toasts';
import { Invite } from './Invite';
import type { Asked, Member, Role, Shown } from './place';

export const ROLE: Record<Role, string> = { ADMIN: 'admin', MEMBER: 'member', READER: 'reader' };

interface Props extends Shown {
  readonly kind: 'Environment' | 'Team';
  /** Whoever does not is not offered what would be refused. */
  readonly administers: boolean;
}

export async function tell(outcome: Promise<Outcome<unknown>>, done: string): Promise<void> {
  const { errors } = await outcome;
  say(errors?.words ?? done, errors ? 'bad' : 'good');
}

export function PlacePanel({ kind, administers, place, failed, acts }: Props) {
  const [inviting, setInviting] = useState(false);
  if (!place) return failed ? null : <p className="empty">Loading…</p>;
  const { name, roles, members, requests, invitations } = place;
  return (
    <section className="card stack" aria-label={`${kind} ${name}`}>
      <div className="head">
        <h2>
          {kind} {name}
        </h2>
        {administers && (
          <Button kind="primary" onClick={() => setInviting(true)} aria-label={`Invite somebody to ${name}`}>
            Invite somebody
          </Button>
        )}
      </div>
      {members.length === 0 ? (
        <Empty title="You do not see its members." />
      ) : (
        <Scroll label={`Members of ${name}`}>
          <table>
            <thead>
              <tr>
                <th scope="col">{plural(members.length, 'member')}</th>
                <th scope="col">Role</th>
                <th scope="col">Since</th>
                <th scope="col">
                  <span className="visually-hidden">Actions</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {members.map((member) => (
                <MemberRow key={member.id} member={member} roles={roles} acts={acts} place={name} administers={administers} />
              ))}
            </tbody>
          </table>
        </Scroll>
      )}
      {(invitations.length > 0 || requests.length > 0) && (
        <div className="stack tight">
          <h3>Invited, or asking to join</h3>
          <ul className="plain">
            {invitations.map((one) => (
              <InvitedRow key={one.id} invitation={one} administers={administers} />
            ))}
            {requests.map((one) => (
              <AskedRow key={one.id} asked={one} />
            ))}
          </ul>
        </div>
      )}
      {inviting && <Invite place={name} roles={roles} invite={acts.invite} onClose={() => setInviting(false)} />}
    </section>
  );
}

interface MemberProps {
  readonly member: Member;
  readonly roles: readonly Role[];
  readonly acts: Props['acts'];
  readonly place: string;
  readonly administers: boolean;
}

function MemberRow({ member: { role, since, user }, roles, acts, place, administers }: MemberProps) {
  const email = user?.email ?? 'somebody';
  if (!user || !administers) {
    return (
      <tr>
        <td>{email}</td>
        <td>{ROLE[role]}</td>
        <td className="quiet">
          <Ago at={since} />
        </td>
        <td />
      </tr>
    );
  }
  return (
    <tr>
      <td>
        {email} {!user.isActive && <span className="quiet small">deactivated</span>}
      </td>
      <td>
        <select
          className="role"
          aria-label={`Role of ${email} in ${place}`}
          value={role}
          disabled={acts.busy}
          onChange={(event) => {
            const next = event.target.value as Role;
            void tell(acts.setRole(user.id, next), `${email} is ${ROLE[next]} of ${place} now.`);
          }}
        >
          {roles.map((one) => (
            <option key={one} value={one}>
              {ROLE[one]}
            </option>
          ))}
        </select>
      </td>
      <td className="quiet">
        <Ago at={since} />
      </td>
      <td className="number">
        <Button
          kind="plain"
          busy={acts.busy}
          aria-label={`Remove ${email} from ${place}`}
          onClick={() => {
            if (confirm(`Remove ${email} from ${place}?`))
              void tell(acts.remove(user.id), `${email} does not belong to ${place} any more.`);
          }}
        >
          Remove
        </Button>
      </td>
    </tr>
  );
}

interface InvitedProps {
  readonly invitation: InvitedFragment;
  readonly administers: boolean;
}

function InvitedRow({ invitation: { id, email, role, admin, createdAt, fromUser }, administers }: InvitedProps) {
  const [cancel, busy] = useMutate(CancelInvitationDocument);
  return (
    <li className="head">
      <span>
        {email}{' '}
        <span className="quiet small">
          invited as {ROLE[role ?? (admin ? 'ADMIN' : 'MEMBER')]}
          {fromUser && ` by ${fromUser.email}`},{' '}
        </span>
        <span className="quiet small">
          <Ago at={createdAt} />
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

function AskedRow({ asked: { role, from, to, createdAt } }: { readonly asked: Asked }) {
  return (
    <li className="head">
      <span>
        {to}{' '}
        <span className="quiet small">
          {from === to ? `asks to join as ${ROLE[role]}` : `is invited as ${ROLE[role]} by ${from}`}, <Ago at={createdAt} />
        </span>
      </span>
    </li>
  );
}
