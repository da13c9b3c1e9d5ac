// One member of an env or a team: their role, and out again. Both ask first.
import { useState } from 'react';
import { Ask } from '../ui/Ask';
import { Ago, Button } from '../ui/parts';
import type { Member, Role, Shown } from './place';
import { MAY, ROLE } from './roles';

interface Props {
  readonly member: Member;
  /** The name of the service account that it is. */
  readonly account: string | undefined;
  readonly kind: 'Environment' | 'Team';
  readonly place: string;
  readonly roles: readonly Role[];
  readonly acts: Shown['acts'];
  readonly administers: boolean;
  /** Whether nobody else administers it. */
  readonly last: boolean;
}

export function MemberRow({ member: { role, since, user }, account, kind, place, roles, acts, administers, last }: Props) {
  const [asked, setAsked] = useState<Role | 'REMOVE' | null>(null);
  const name = account ?? user?.email ?? 'somebody';
  const changes = user !== null && administers;
  const close = () => setAsked(null);
  return (
    <tr>
      <td>
        {name} {isProgram(account, user?.email) && <span className="quiet small">service account</span>}{' '}
        {user?.isActive === false && <span className="quiet small">deactivated</span>}
        {user && asked === 'REMOVE' && (
          <Ask
            title={`Remove ${name} from ${place}?`}
            verb="Remove"
            danger
            run={() => acts.remove(user.id)}
            done={`${name} does not belong to ${place} any more.`}
            onClose={close}
          >
            What they have made stays. Memberships elsewhere stay too. {last && <Nobody place={place} />}
          </Ask>
        )}
        {user && asked !== null && asked !== 'REMOVE' && (
          <Ask
            title={`Make ${name} ${ROLE[asked]} of ${place}?`}
            verb={`Make ${ROLE[asked]}`}
            run={() => acts.setRole(user.id, asked)}
            done={`${name} is ${ROLE[asked]} of ${place} now.`}
            onClose={close}
          >
            {ROLE[asked] === 'admin' ? 'An' : 'A'} {ROLE[asked]} {MAY[kind][asked]} {last && <Nobody place={place} />}
          </Ask>
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
      <td className="number">
        {changes && (
          <Button busy={acts.busy} aria-label={`Remove ${name} from ${place}`} onClick={() => setAsked('REMOVE')}>
            Remove
          </Button>
        )}
      </td>
    </tr>
  );
}

const Nobody = ({ place }: { readonly place: string }) => <b>Nobody administers {place} then.</b>;

/** The address of a service account that was made here is of no mailbox. */
const isProgram = (account: string | undefined, email = '') => account !== undefined || email.endsWith('@service.invalid');
