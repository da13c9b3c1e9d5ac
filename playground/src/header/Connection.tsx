// How the connection is, in words; the colour of the dot only repeats them.
import { reachable } from '../api/http';
import { liveState, type LiveState } from '../api/live';
import { session } from '../api/session';
import { useStore } from '../api/store';

type Mood = 'good' | 'waiting' | 'bad' | 'neutral';

const LIVE: Record<LiveState, [Mood, string]> = {
  off: ['neutral', 'Not connected'],
  connecting: ['waiting', 'Connecting…'],
  open: ['good', 'Connected, live'],
  lost: ['bad', 'Connection lost, trying again…'],
  refused: ['bad', 'Live connection refused'],
};

export function Connection() {
  const answered = useStore(reachable);
  const live = useStore(liveState);
  const signedIn = useStore(session) !== null;

  let [mood, words] = LIVE[live];
  if (!answered && live !== 'open') [mood, words] = ['bad', 'The server does not answer'];
  else if (!signedIn && live === 'off') words = 'Not signed in';

  return (
    <p className="connection" role="status" data-mood={mood}>
      <span className="dot" aria-hidden="true" />
      {words}
    </p>
  );
}
