// Invites a colleague by their exact email; the answer is the same whether or not somebody has it.
import type { Outcome } from '../client/hooks';
import { Dialog } from '../ui/Dialog';
import { Form, useForm } from '../ui/Form';
import { SelectField, TextField } from '../ui/inputs';
import { say } from '../ui/toasts';
import type { Role } from './place';
import { MAY, ROLE, type Kind } from './words';

interface Props {
  readonly kind: Kind;
  readonly place: string;
  readonly roles: readonly Role[];
  readonly invite: (email: string, role: Role) => Promise<Outcome<unknown>>;
  readonly onClose: () => void;
}

export function Invite({ kind, place, roles, invite, onClose }: Props) {
  const form = useForm<{ email: string; role: Role }>({ email: '', role: 'MEMBER' });
  return (
    <Dialog title={`Invite somebody to ${place}`} onClose={onClose}>
      <Form
        form={form}
        label="Invitation"
        submit="Invite"
        onClose={onClose}
        onSubmit={async ({ email, role }) => {
          const { errors } = await invite(email.trim(), role);
          if (errors) return errors;
          say(`${email.trim()} is invited to ${place}. No mail is sent: tell them to sign in here, where it waits on their page “People”.`);
          onClose();
        }}
      >
        <TextField
          label="Email"
          hint="The exact address that they sign in with, now or later."
          type="email"
          autoComplete="off"
          {...form.field('email')}
        />
        <SelectField
          label="Role"
          hint={MAY[kind][form.values.role]}
          options={roles.map((one) => [one, ROLE[one]])}
          {...form.field('role')}
        />
      </Form>
    </Dialog>
  );
}
