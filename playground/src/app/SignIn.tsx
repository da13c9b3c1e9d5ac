// The way in: email and password, or the organisation's provider of identities. After it the page is the one that was asked for.
import { useEffect, useRef, useState, type FormEvent } from 'react';
import { notice, provider, signIn } from '../client/session';
import { useStore } from '../client/store';
import icon from '../icon.svg';
import { Notice } from '../ui/Notice';
import { Button, Field } from '../ui/parts';

export function SignIn() {
  const [busy, setBusy] = useState(false);
  const said = useStore(notice);
  const elsewhere = useStore(provider);
  const email = useRef<HTMLInputElement>(null);
  useEffect(() => {
    document.title = 'Sign in · Pumphouse';
    email.current?.focus();
  }, []);

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (busy) return;
    const form = new FormData(event.currentTarget);
    setBusy(true);
    await signIn(String(form.get('email')).trim(), String(form.get('password')));
    setBusy(false);
  }

  return (
    <main className="sign-in">
      <form className="card stack" aria-labelledby="sign-in" onSubmit={submit}>
        <div className="brand">
          <img src={icon} alt="" width="36" height="36" />
          <h1 id="sign-in">Sign in to Pumphouse</h1>
        </div>
        <p className="quiet">See what your pipelines are doing, live, and start, pause and sync them.</p>
        <Notice>{said?.text}</Notice>
        <Field label="Email">
          {(tied) => (
            <input {...tied} ref={email} name="email" type="email" autoComplete="username" required aria-invalid={said?.refused} />
          )}
        </Field>
        <Field label="Password">
          {(tied) => (
            <input {...tied} name="password" type="password" autoComplete="current-password" required aria-invalid={said?.refused} />
          )}
        </Field>
        <Button type="submit" kind="primary" busy={busy}>
          {busy ? 'Signing in…' : 'Sign in'}
        </Button>
        {elsewhere && (
          <a className="button" href={`${elsewhere}?return_to=${encodeURIComponent(location.pathname)}`}>
            Sign in with your organisation
          </a>
        )}
        <p className="quiet small">In development, the server prints the administrator’s email and password when it starts.</p>
      </form>
    </main>
  );
}
