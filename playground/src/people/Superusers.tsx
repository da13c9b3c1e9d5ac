// Who may do everything everywhere, and new accounts, which they alone make.
import { useState } from 'react';
import { useQuery } from 'urql';
import { CreateUserDocument, PlacesDocument, SuperusersDocument } from '../client/generated';
import { useMutate } from '../client/hooks';
import { Dialog } from '../ui/Dialog';
import { Form, useForm } from '../ui/Form';
import { TextField } from '../ui/inputs';
import { Button } from '../ui/parts';
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
  const [create] = useMutate(CreateUserDocument);
  const form = useForm({ email: '', password: '' });
  return (
    <Dialog title="New account" onClose={onClose}>
      <Form
        form={form}
        label="New account"
        submit="Make the account"
        onClose={onClose}
        onSubmit={async ({ email, password }) => {
          const { errors } = await create({ input: { email: email.trim(), password: password || null } });
          if (errors) return errors;
          say(`${email.trim()} has an account. Tell them the password, and invite them.`);
          onClose();
        }}
      >
        <TextField label="Email" type="email" autoComplete="off" {...form.field('email')} />
        <TextField
          label="Password"
          hint="At least 8 characters. Without one they sign in with your organisation’s provider only."
          type="password"
          autoComplete="new-password"
          {...form.field('password')}
        />
      </Form>
    </Dialog>
  );
}
