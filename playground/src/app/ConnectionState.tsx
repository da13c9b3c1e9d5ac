// How the page is connected, always in sight and in words.
import { useConnection, type Connection } from '../client/connection';
import { clock } from '../ui/format';
import { State } from '../ui/State';
import type { Look } from '../ui/words';

function lookOf(connection: Connection): Look {
  switch (connection.kind) {
    case 'live':
      return { word: 'Connected', mood: 'good', shape: 'dot' };
    case 'connecting':
      return { word: 'Connecting…', mood: 'waiting', shape: 'turning' };
    case 'polling':
      return { word: 'Polling every 5 s, reconnecting…', mood: 'waiting', shape: 'half' };
    case 'offline':
      return { word: `Offline since ${clock(connection.since)}, trying again…`, mood: 'bad', shape: 'alert' };
    case 'lapsed':
      return { word: 'Session ended', mood: 'bad', shape: 'alert' };
    case 'refused':
      return { word: 'Live connection refused', mood: 'bad', shape: 'alert' };
    case 'off':
      return { word: 'Not connected', mood: 'idle', shape: 'dashed' };
  }
}

export function ConnectionState() {
  const look = lookOf(useConnection());
  return (
    <p className="connection" role="status" aria-label="Connection">
      <State look={look} />
    </p>
  );
}
