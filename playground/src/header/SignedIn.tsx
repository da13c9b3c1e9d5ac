// Who is signed in, until when, and the way out.
import { signOut, type Session } from '../api/session';

export function SignedIn({ who }: { who: Session }) {
  return (
    <div className="account">
      <p className="who">
        <span className="visually-hidden">Signed in as </span>
        <strong title={who.email}>{who.email}</strong> <Until iso={who.expiresAt} />
      </p>
      <button type="button" onClick={signOut}>
        Sign out
      </button>
    </div>
  );
}

function Until({ iso }: { iso: string }) {
  const end = new Date(iso);
  if (Number.isNaN(end.getTime())) return null;
  const today = end.toDateString() === new Date().toDateString();
  const words = today
    ? end.toLocaleTimeString(undefined, { timeStyle: 'short' })
    : end.toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' });
  return (
    <time dateTime={iso} title={end.toString()}>
      until {words}
    </time>
  );
}
