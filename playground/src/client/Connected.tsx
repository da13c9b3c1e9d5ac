// Gives what is within it a client, and ends it with them. Its `key` is who is signed in.
import { useEffect, useState, type ReactNode } from 'react';
import { Provider } from 'urql';
import { connectClient } from './client';

export function Connected({ children }: { readonly children: ReactNode }) {
  const [connection, setConnection] = useState<ReturnType<typeof connectClient> | null>(null);
  useEffect(() => {
    const made = connectClient();
    setConnection(made);
    return made.end;
  }, []);
  return connection && <Provider value={connection.client}>{children}</Provider>;
}
