// Who may do everything everywhere, and new accounts, which they alone make.
import { useState, type FormEvent } from 'react';
import { useQuery } from 'urql';
import { CreateUserDocument, PlacesDocument, SuperusersDocument } from '../client/generated';
import { useMutate } from '../client/hooks';
import { Dialog } from '../ui/Dialog';
import { Button, Field } from '../ui/parts';
import { say } from '../ui/toasts';

export function Superusers() {
  const [making, setMaking] = useState(false);
  const [{ data: places }] = useQuery({ query: PlacesDocument, requestPolicy: 'cache-first' });
  const [{ data }] = useQuery({ query: SuperusersDocument });
  const users = data?.users.nodes.filter(({ isActive }) => isActive) ?? [];
  if (!places?.viewer.user.isSuperuser || users.length === 0) return null;
  return (
    <section className="card head" aria-label="Superusers">
      <p>
        <b>Superusers</b> <span className="quiet small">may do everything everywhere:</span> {users.map(({ email }) => email).join(', ')}
      </p>
      <Button onClick={() => setMaking(true)}>New account</Button>
      {making && <NewAccount onClose={() => setMaking(false)} />}
    </section>
  );
}

function NewAccount({ onClose }: { readonly onClose: () => void }) {
  const [create, busy] = useMutate(CreateUserDocument);
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const [fault, setFault] = useState<string | null>(null);

  async function onSubmit(event: FormEvent) {
    event.preventDefault();
    const { errors } = await create({ input: { email: email.trim(), password: password || null } });
    if (errors) return setFault(errors.words);
    say(`${email.trim()} has an account. Tell them the password, and invite them.`);
    onClose();
  }

  return (
    <Dialog title="New account" onClose={onClose}>
      <form className="stack" onSubmit={onSubmit}>
        <Field label="Email">
          {(tied) => (
            <input {...tied} type="email" required autoComplete="off" value={email} onChange={(event) => setEmail(event.target.value)} />
          )}
        </Field>
        <Field label="Password" hint="At least 8 characters. Without one they sign in with your organisation’s provider only.">
          {(tied) => (
            <input
              {...tied}
              type="password"
              minLength={8}
              autoComplete="new-password"
              value={password}
              onChange={(event) => setPassword(event.target.value)}
            />
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
            Make the account
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
