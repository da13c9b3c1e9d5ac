// Email and password. On a narrow screen the form waits behind a button.
import { useState, type FormEvent } from 'react';
import { notice, provider, signIn } from '../api/session';
import { useStore } from '../api/store';

export function SignInForm() {
  const [busy, setBusy] = useState(false);
  const [open, setOpen] = useState(false);
  const refused = useStore(notice)?.refused ?? false;
  const elsewhere = useStore(provider);

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (busy) return;
    const form = new FormData(event.currentTarget);
    setBusy(true);
    await signIn(String(form.get('email')).trim(), String(form.get('password')));
    setBusy(false);
  }

  return (
    <>
      <button type="button" className="open-form" aria-expanded={open} aria-controls="sign-in" onClick={() => setOpen(!open)}>
        {open ? 'Close' : 'Sign in'}
      </button>
      <form id="sign-in" className="sign-in" data-open={open} aria-label="Sign in" aria-describedby="sign-in-hint" onSubmit={submit}>
        <label>
          <span>Email</span>
          <input
            name="email"
            type="email"
            autoComplete="username"
            required
            aria-invalid={refused || undefined}
            aria-describedby={refused ? 'notice' : undefined}
          />
        </label>
        <label>
          <span>Password</span>
          <input
            name="password"
            type="password"
            autoComplete="current-password"
            required
            aria-invalid={refused || undefined}
            aria-describedby={refused ? 'notice' : undefined}
          />
        </label>
        <button type="submit" className="primary" aria-disabled={busy}>
          {busy ? 'Signing in…' : 'Sign in'}
        </button>
      </form>
      {elsewhere && (
        <a className="elsewhere" href={`${elsewhere}?return_to=/playground`}>
          Sign in with your organisation
        </a>
      )}
      <p id="sign-in-hint" className="hint">
        In development, the server prints the administrator’s email and password when it starts.
      </p>
    </>
  );
}
