// A new password of one's own. Every token from before ends with it; this page goes on with the one that comes back.
import { allWords, refusal } from '../client/errors';
import { changePassword, type Session } from '../client/session';
import { Dialog } from '../ui/Dialog';
import { Form, useForm } from '../ui/Form';
import { TextField } from '../ui/inputs';
import { say } from '../ui/toasts';

export function ChangePassword({ who: { email }, onClose }: { readonly who: Session; readonly onClose: () => void }) {
  const form = useForm({ currentPassword: '', newPassword: '', again: '' });
  return (
    <Dialog title="Change your password" onClose={onClose}>
      <Form
        form={form}
        label="Change your password"
        submit="Change it"
        onClose={onClose}
        onSubmit={async ({ again, ...input }) => {
          if (again !== input.newPassword) return refusal('again', 'It differs from the new password.');
          const each = await changePassword(input);
          if (each.length > 0) return { words: allWords({ graphQLErrors: each }), each };
          say('Your password is changed. Wherever else you were signed in, you are not any more.');
          onClose();
        }}
      >
        <p className="quiet small">{email}</p>
        <TextField label="Present password" type="password" autoComplete="current-password" autoFocus {...form.field('currentPassword')} />
        <TextField label="New password" hint="At least 8 characters." type="password" autoComplete="new-password" {...form.field('newPassword')} />
        <TextField label="New password again" type="password" autoComplete="new-password" {...form.field('again')} />
      </Form>
    </Dialog>
  );
}
