// How this page is connected, in one word: from the socket's state and whether HTTP is answered.
import { useEffect, useState } from 'react';
import { silentSince } from './http';
import { lapsed } from './session';
import { liveState } from './socket';
import { useStore } from './store';

export type Connection =
  | { readonly kind: 'connecting' | 'live' | 'polling' | 'refused' | 'lapsed' | 'off' }
  | { readonly kind: 'offline'; readonly since: number };

/** A socket that is lost for less than this is about to be back. */
const PATIENCE = 3_000;

export function useConnection(): Connection {
  const state = useStore(liveState);
  const silent = useStore(silentSince);
  const over = useStore(lapsed);
  const patient = usePatience(state === 'lost' || state === 'connecting');
  if (over) return { kind: 'lapsed' };
  if (state === 'open') return { kind: 'live' };
  if (state === 'off') return { kind: 'off' };
  if (silent !== null) return { kind: 'offline', since: silent };
  if (state === 'refused') return { kind: 'refused' };
  return { kind: patient ? 'connecting' : 'polling' };
}

/** Since when nothing on the page is new and nothing can be changed; null while the server answers. */
export function useOffline(): number | null {
  const open = useStore(liveState) === 'open';
  const silent = useStore(silentSince);
  return open ? null : silent;
}

/** True until something has lasted too long. */
function usePatience(lasts: boolean): boolean {
  const [patient, setPatient] = useState(true);
  useEffect(() => {
    setPatient(true);
    if (!lasts) return;
    const timer = setTimeout(() => setPatient(false), PATIENCE);
    return () => clearTimeout(timer);
  }, [lasts]);
  return patient;
}
