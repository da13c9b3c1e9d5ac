// The people of one env or team.
import { useState } from 'react';
import { CancelInvitationDocument, type InvitedFragment } from '../client/generated';
import { useMutate, type Outcome } from '../client/hooks';
import { plural } from '../ui/format';
import { Ask, Question } from '../ui/Ask';
import { Ago, Button, Empty, Scroll } from '../ui/parts';
import { say } from '../ui/toasts';
import { Invite } from './Invite';
import type { Asked, Member, Role, Shown } from './place';
import { MAY, ROLE, type Kind } from './words';

interface Props extends Shown {
  readonly kind: Kind;
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
          {kind} {name} {place.within && <span className="quiet small">in {place.within}</span>}
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
                <MemberRow key={member.id} kind={kind} member={member} roles={roles} acts={acts} place={name} administers={administers} />
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
              <AskedRow key={one.id} asked={one} cancel={administers && one.from !== one.to ? acts.cancel : null} />
            ))}
          </ul>
        </div>
      )}
      {inviting && <Invite kind={kind} place={name} roles={roles} invite={acts.invite} onClose={() => setInviting(false)} />}
    </section>
  );
}

interface MemberProps {
  readonly kind: Kind;
  readonly member: Member;
  readonly roles: readonly Role[];
  readonly acts: Props['acts'];
  readonly place: string;
  readonly administers: boolean;
}

function MemberRow({ kind, member: { role, since, user }, roles, acts, place, administers }: MemberProps) {
  // An admin gives up much: that is asked about.
  const [next, setNext] = useState<Role | null>(null);
  const email = user?.serviceAccount?.name ?? user?.email ?? 'somebody';
  // What a service account may do is changed by its grants.
  if (!user || !administers || user.serviceAccount) {
    return (
      <tr>
        <td>
          {email} {user?.serviceAccount && <span className="quiet small">service account</span>}
        </td>
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
            if (role === 'ADMIN') setNext(next);
            else void tell(acts.setRole(user.id, next), `${email} is ${ROLE[next]} of ${place} now.`);
          }}
        >
          {roles.map((one) => (
            <option key={one} value={one} title={MAY[kind][one]}>
              {ROLE[one]}
            </option>
          ))}
        </select>
        {next && (
          <Question
            question={`Make ${email} a ${ROLE[next]} of ${place}?`}
            yes={`Make ${email} a ${ROLE[next]}`}
            run={() => acts.setRole(user.id, next)}
            done={`${email} is ${ROLE[next]} of ${place} now.`}
            onClose={() => setNext(null)}
          >
            They administer it now, and will not any more. A {ROLE[next]}: {MAY[kind][next]}
          </Question>
        )}
      </td>
      <td className="quiet">
        <Ago at={since} />
      </td>
      <td className="number">
        <Ask
          word="Remove"
          label={`Remove ${email} from ${place}`}
          kind="danger"
          question={`Remove ${email} from ${place}?`}
          yes="Remove"
          run={() => acts.remove(user.id)}
          done={`${email} does not belong to ${place} any more.`}
        >
          They see nothing of it from then on; what they did stays.
        </Ask>
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

interface AskedProps {
  readonly asked: Asked;
  /** Takes back an invitation; a request to join is decided instead. */
  readonly cancel: Props['acts']['cancel'] | null;
}

function AskedRow({ asked: { id, role, from, to, createdAt }, cancel }: AskedProps) {
  return (
    <li className="head">
      <span>
        {to}{' '}
        <span className="quiet small">
          {from === to ? `asks to join as ${ROLE[role]}` : `is invited as ${ROLE[role]} by ${from}`}, <Ago at={createdAt} />
        </span>
      </span>
      {cancel && (
        <Button
          kind="plain"
          aria-label={`Take back the invitation of ${to}`}
          onClick={() => tell(cancel(id), `The invitation of ${to} is taken back.`)}
        >
          Take back
        </Button>
      )}
    </li>
  );
}
