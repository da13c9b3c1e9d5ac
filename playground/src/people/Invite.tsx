// Invites a colleague by their exact email; the answer is the same whether or not somebody has it.
import { useState, type FormEvent } from 'react';
import type { Outcome } from '../client/hooks';
import { Dialog } from '../ui/Dialog';
import { Button, Field } from '../ui/parts';
import { say } from '../ui/toasts';
import type { Role } from './place';
import { ROLE } from './PlacePanel';

interface Props {
  readonly place: string;
  readonly roles: readonly Role[];
  readonly invite: (email: string, role: Role) => Promise<Outcome<unknown>>;
  readonly onClose: () => void;
}

export function Invite({ place, roles, invite, onClose }: Props) {
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<Role>('MEMBER');
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState<string | null>(null);

  async function onSubmit(event: FormEvent) {
    event.preventDefault();
    setBusy(true);
    const { errors } = await invite(email.trim(), role);
    setBusy(false);
    if (errors) return setFault(errors.words);
    say(`${email.trim()} is invited to ${place}. They find the invitation on their page “People”.`);
    onClose();
  }

  return (
    <Dialog title={`Invite somebody to ${place}`} onClose={onClose}>
      <form className="stack" onSubmit={onSubmit}>
        <Field label="Email" hint="The exact address that they sign in with, now or later.">
          {(tied) => (
            <input {...tied} type="email" required autoComplete="off" value={email} onChange={(event) => setEmail(event.target.value)} />
          )}
        </Field>
        <Field label="Role">
          {(tied) => (
            <select {...tied} value={role} onChange={(event) => setRole(event.target.value as Role)}>
              {roles.map((one) => (
                <option key={one} value={one}>
                  {ROLE[one]}
                </option>
              ))}
            </select>
          )}
        </Field>
        {fault && (
          <p className="notice" role="alert">
            {fault}
          </p>
        )}
        <div className="actions">
          <Button onClick={onClose}>Close</Button>
          <Button type="submit" kind="primary" busy={busy}>
            Invite
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
