// One member of an env or a team: their role, and out again. Both ask first.
import { useState } from 'react';
import { Question } from '../ui/Ask';
import { Ago, Button } from '../ui/parts';
import type { Member, Role, Shown } from './place';
import { MAY, ROLE, type Kind } from './words';

interface Props {
  readonly member: Member;
  readonly kind: Kind;
  readonly place: string;
  readonly roles: readonly Role[];
  readonly acts: Shown['acts'];
  readonly administers: boolean;
  /** Whether nobody else administers it. */
  readonly last: boolean;
}

export function MemberRow({ member: { role, since, user }, kind, place, roles, acts, administers, last }: Props) {
  const [asked, setAsked] = useState<Role | 'REMOVE' | null>(null);
  const name = user?.serviceAccount?.name ?? user?.email ?? 'somebody';
  // What a service account may do is changed by its grants.
  const changes = user !== null && administers && !user.serviceAccount;
  const close = () => setAsked(null);
  const nobody = last && <b>Nobody administers {place} then.</b>;
  return (
    <tr>
      <td>
        {name} {user?.serviceAccount && <span className="quiet small">service account</span>}{' '}
        {user?.isActive === false && <span className="quiet small">deactivated</span>}
        {user && asked === 'REMOVE' && (
          <Question
            question={`Remove ${name} from ${place}?`}
            yes="Remove"
            kind="danger"
            run={() => acts.remove(user.id)}
            done={`${name} does not belong to ${place} any more.`}
            onClose={close}
          >
            What they have made stays, and so do memberships elsewhere. {nobody}
          </Question>
        )}
        {user && asked !== null && asked !== 'REMOVE' && (
          <Question
            question={`Make ${name} ${ROLE[asked]} of ${place}?`}
            yes={`Make ${ROLE[asked]}`}
            run={() => acts.setRole(user.id, asked)}
            done={`${name} is ${ROLE[asked]} of ${place} now.`}
            onClose={close}
          >
            {MAY[kind][asked]} {nobody}
          </Question>
        )}
      </td>
      <td>
        {changes ? (
          <select
            className="role"
            aria-label={`Role of ${name} in ${place}`}
            value={role}
            disabled={acts.busy}
            onChange={(event) => setAsked(event.target.value as Role)}
          >
            {roles.map((one) => (
              <option key={one} value={one}>
                {ROLE[one]}
              </option>
            ))}
          </select>
        ) : (
          ROLE[role]
        )}
      </td>
      <td className="quiet">
        <Ago at={since} />
      </td>
      <td>
        {changes && (
          <Button busy={acts.busy} aria-label={`Remove ${name} from ${place}`} onClick={() => setAsked('REMOVE')}>
            Remove
          </Button>
        )}
      </td>
    </tr>
  );
}
