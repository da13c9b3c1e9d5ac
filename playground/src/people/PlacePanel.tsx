// The people of one env or team.
import { useEffect, useRef, useState } from 'react';
import { plural } from '../ui/format';
import { Button, Empty, Scroll } from '../ui/parts';
import { Invite } from './Invite';
import { MemberRow } from './MemberRow';
import type { Shown } from './place';
import type { Kind } from './words';
import { AskedRow, InvitedRow } from './Waiting';

interface Props extends Shown {
  readonly kind: Kind;
  /** Whoever does not is not offered what would be refused. */
  readonly administers: boolean;
}

export function PlacePanel({ kind, administers, place, failed, acts }: Props) {
  const [inviting, setInviting] = useState(false);
  if (!place) return failed ? null : <p className="empty">Loading…</p>;
  const { name, within, roles, members } = place;
  const admins = members.filter(({ role, user }) => role === 'ADMIN' && user?.isActive);
  return (
    <section className="card stack" aria-label={`${kind} ${name}`}>
      <div className="head">
        <h2>
          {kind} {name} {within && <span className="quiet small">in {within}</span>}
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
          <table className="people stacks">
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
                <MemberRow
                  key={member.id}
                  member={member}
                  kind={kind}
                  place={name}
                  roles={roles}
                  acts={acts}
                  administers={administers}
                  last={admins.length === 1 && admins[0] === member}
                />
              ))}
            </tbody>
          </table>
        </Scroll>
      )}
      <Waiting place={place} cancel={acts.cancel} administers={administers} />
      {inviting && <Invite kind={kind} place={name} roles={roles} invite={acts.invite} onClose={() => setInviting(false)} />}
    </section>
  );
}

interface WaitingProps {
  readonly place: NonNullable<Shown['place']>;
  readonly cancel: Shown['acts']['cancel'];
  readonly administers: boolean;
}

function Waiting({ place: { invitations, requests }, cancel, administers }: WaitingProps) {
  const list = useRef<HTMLDivElement>(null);
  const number = invitations.length + requests.length;
  const before = useRef(number);
  // Whoever has just been invited comes into sight.
  useEffect(() => {
    if (number > before.current) list.current?.scrollIntoView({ block: 'nearest' });
    before.current = number;
  }, [number]);
  if (number === 0) return null;
  return (
    <div ref={list} className="stack tight waiting-list">
      <h3>Invited, or asking to join</h3>
      <ul className="plain">
        {invitations.map((one) => (
          <InvitedRow key={one.id} invitation={one} administers={administers} />
        ))}
        {requests.map((one) => (
          <AskedRow key={one.id} asked={one} cancel={cancel} administers={administers} />
        ))}
      </ul>
      {administers && invitations.length > 0 && (
        <p className="quiet small">
          No mail is sent: tell them. An invitation waits 30 days, on the page “People” of whoever signs in with that address. Who has no
          account yet gets one from a superuser, below or with <code>pumphouse users create</code>, or from your organisation’s sign-in.
        </p>
      )}
    </div>
  );
}
