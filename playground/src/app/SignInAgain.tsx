// Asks for the password again, over the page as it is: when the token is refused, and before that for whoever wants to stay.
import { lapsed, provider, signIn, signOut, type Session } from '../client/session';
import { refusal } from '../client/errors';
import { useStore } from '../client/store';
import { Dialog } from '../ui/Dialog';
import { Form, useForm } from '../ui/Form';
import { TextField } from '../ui/inputs';
import { say } from '../ui/toasts';

interface Props {
  readonly who: Session;
  /** For whoever asked for it before it was time. */
  readonly onClose: () => void;
}

export function SignInAgain({ who: { email }, onClose }: Props) {
  const over = useStore(lapsed);
  const elsewhere = useStore(provider);
  const form = useForm({ email, password: '' });
  return (
    <Dialog title={over ? 'Your session has ended' : 'Stay signed in'} onClose={over ? () => {} : onClose}>
      <Form
        form={form}
        label="Sign in again"
        submit="Sign in"
        onClose={over ? signOut : onClose}
        close={over ? 'Sign out' : 'Not now'}
        onSubmit={async ({ password }) => {
          const failed = await signIn(email, password);
          if (failed) return refusal(failed.refused ? 'password' : '', failed.text);
          say('You are signed in. Everything is as you left it.');
          onClose();
        }}
      >
        <p>{over ? 'Sign in again, and everything here is as you left it.' : 'Everything here stays as it is.'}</p>
        <TextField label="Email" type="email" autoComplete="username" readOnly {...form.field('email')} />
        <TextField label="Password" type="password" autoComplete="current-password" autoFocus {...form.field('password')} />
        {elsewhere && (
          <p className="small">
            <a href={`${elsewhere}?return_to=${encodeURIComponent(location.pathname)}`}>Sign in with your organisation</a> leaves this page,
            and what you have written in it.
          </p>
        )}
      </Form>
    </Dialog>
  );
}
