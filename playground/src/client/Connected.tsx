// Gives what is within it a client of this session's, and ends it with the session.
import { useEffect, useState, type ReactNode } from 'react';
import { Provider } from 'urql';
import { connectAs } from './client';
import type { Session } from './session';

export function Connected({ who, children }: { readonly who: Session; readonly children: ReactNode }) {
  const [connection, setConnection] = useState<ReturnType<typeof connectAs> | null>(null);
  useEffect(() => {
    const made = connectAs(who);
    setConnection(made);
    return made.end;
  }, [who]);
  return connection && <Provider value={connection.client}>{children}</Provider>;
}
