// The page: signed out, the way in; signed in, the shell with a client of that person's own.
import { Router } from 'wouter';
import { Connected } from '../client/Connected';
import { session } from '../client/session';
import { useStore } from '../client/store';
import { Toasts } from '../ui/toasts';
import { Shell } from './Shell';
import { SignIn } from './SignIn';
import './app.css';

export function App() {
  const who = useStore(session);
  return (
    <Router base="/playground">
      {who ? (
        <Connected key={who.email}>
          <Shell who={who} />
        </Connected>
      ) : (
        <SignIn />
      )}
      <Toasts />
    </Router>
  );
}
