// The WebSocket (graphql-transport-ws). Signed in, it stays open, so that the page can say how the connection is; signed out,
// it opens only for a subscription. A token belongs to a connection: with a new one of the same person a new socket goes on with
// their subscriptions; for another person there is a new client.
import { createClient, type Client } from 'graphql-ws';
import { ENDPOINT } from './http';
import { createStore } from './store';

export type LiveState = 'off' | 'connecting' | 'open' | 'lost' | 'refused';

/** The server closes with this when the token has expired or was revoked. */
const SESSION_ENDED = 4403;

export const liveState = createStore<LiveState>('off');

let current: Client | null = null;
let generation = 0;
let present: string | null = null;
/** Goes on with a new token, while the last one was refused. */
let goOn: (() => void) | null = null;

export function live(): Client {
  return current ?? connect(null, () => {});
}

/** Goes on with this token. */
export function renew(token: string): void {
  present = token;
  if (goOn) goOn();
  else current?.terminate();
  goOn = null;
}

export function connect(token: string | null, onSessionEnded: (token: string) => void): Client {
  const previous = current;
  present = token;
  goOn = null;
  /** What the socket was opened with, and whether that was refused. */
  let sent = token;
  let refused = false;
  const staysOpen = token !== null;
  const mine = ++generation;
  let lost = false;
  liveState.set(staysOpen ? 'connecting' : 'off');

  const client = createClient({
    // http becomes ws, https wss.
    url: new URL(ENDPOINT, location.href).href.replace(/^http/, 'ws'),
    connectionParams: () => {
      sent = present;
      refused = false;
      return sent === null ? {} : { authorization: `Bearer ${sent}` };
    },
    lazy: !staysOpen,
    lazyCloseTimeout: 2_000,
    keepAlive: 12_000,
    connectionAckWaitTimeout: 10_000,
    retryAttempts: Number.POSITIVE_INFINITY,
    retryWait: (retries) =>
      new Promise((resolve) => {
        if (refused && mine === generation) goOn = resolve;
        else setTimeout(resolve, Math.min(5_000, 250 * 2 ** retries) + Math.random() * 300);
      }),
    shouldRetry: () => true,
    onNonLazyError: () => {}, // shown by liveState
    on: {
      connecting: () => show(lost ? 'lost' : 'connecting'),
      connected: () => {
        lost = false;
        show('open');
      },
      closed: (event) => {
        const code = closeCode(event);
        if (code === SESSION_ENDED) {
          // One that was replaced meanwhile is no reason to wait.
          refused = sent === present;
          show('refused');
          if (mine === generation && sent !== null) onSessionEnded(sent);
        } else if (code === 1000) {
          show('off');
        } else {
          lost = true;
          show(code >= 4400 && code < 4500 && code !== 4499 ? 'refused' : 'lost');
        }
      },
    },
  });

  // A socket that was replaced has nothing more to say.
  function show(state: LiveState) {
    if (mine === generation) liveState.set(state);
  }

  current = client;
  // It may have failed already, which was told.
  Promise.resolve(previous?.dispose()).catch(() => {});
  return client;
}

/** Why a subscription ended, in words. */
export function closeReason(event: unknown): string {
  const code = closeCode(event);
  const said = typeof event === 'object' && event !== null && 'reason' in event ? String(event.reason) : '';
  switch (code) {
    case SESSION_ENDED:
      return 'Your session has ended, sign in again.';
    case 4401:
      return 'Sign in first: the server opens live connections only for those it knows.';
    case 0:
      return event instanceof Error ? event.message : 'The live connection failed.';
    default:
      return `The live connection was closed (${code}${said ? `, ${said}` : ''}).`;
  }
}

function closeCode(event: unknown): number {
  return typeof event === 'object' && event !== null && 'code' in event && typeof event.code === 'number' ? event.code : 0;
}
