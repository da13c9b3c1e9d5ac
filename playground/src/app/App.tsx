// The page: signed out, the way in; signed in, the shell with a client of that session's own.
import { useEffect, useState } from 'react';
import { Provider } from 'urql';
import { Router } from 'wouter';
import { connectAs, type Connected } from '../client/client';
import { session, type Session } from '../client/session';
import { useStore } from '../client/store';
import { Toasts } from '../ui/toasts';
import { Shell } from './Shell';
import { SignIn } from './SignIn';
import './app.css';

export function App() {
  const who = useStore(session);
  return (
    <Router base="/playground">
      {who ? <SignedIn key={who.token} who={who} /> : <SignIn />}
      <Toasts />
    </Router>
  );
}

function SignedIn({ who }: { readonly who: Session }) {
  const [connected, setConnected] = useState<Connected | null>(null);
  useEffect(() => {
    const made = connectAs(who);
    setConnected(made);
    return made.end;
  }, [who]);
  if (!connected) return null;
  return (
    <Provider value={connected.client}>
      <Shell who={who} />
    </Provider>
  );
}
