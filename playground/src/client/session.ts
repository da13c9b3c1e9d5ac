// Who is signed in. The token lives in sessionStorage: it ends with the last tab of the page. A tab that is opened beside one is told
// by it, so that a browser has one session; whoever signs out does so in all of them.
// Every way in and out passes here, so that HTTP and WebSocket always carry the same token.
import { errorsOf, NO_ANSWER, signInFailure, Unreachable, type ApiError } from './errors';
import { ChangePasswordDocument, type ChangePasswordInput, LoginDocument, LogoutDocument, ProviderDocument } from './generated';
import { send } from './http';
import { connect, renew } from './socket';
import { createStore } from './store';

export interface Session {
  readonly token: string;
  readonly expiresAt: string;
  readonly email: string;
}

export const session = createStore<Session | null>(null);

/** Whether the token is refused from now on; what is on screen stays, until a new one is there. */
export const lapsed = createStore(false);

export interface Notice {
  readonly text: string;
  /** Whether what was typed into the sign-in box was refused. */
  readonly refused: boolean;
}

/** What there is to say about signing in: why it failed, why the session ended. */
export const notice = createStore<Notice | null>(null);

const KEY = 'pumphouse.session';
const LONGEST_TIMEOUT = 2 ** 31 - 1;
let expiry: ReturnType<typeof setTimeout> | undefined;

/** What tabs of the same browser tell each other; nothing of another origin hears it. */
type Told = { readonly kind: 'asks' } | { readonly kind: 'is'; readonly session: Session } | { readonly kind: 'ended'; readonly token: string };
const tabs = new BroadcastChannel(KEY);
const tell = (told: Told) => tabs.postMessage(told);

tabs.onmessage = ({ data }: MessageEvent<Told>) => {
  const own = session.get();
  if (data.kind === 'asks' && own && !lapsed.get()) tell({ kind: 'is', session: own });
  if (data.kind === 'is' && isSession(data.session) && !isOver(data.session) && isNews(own, data.session)) {
    begin(data.session);
    notice.set(null);
  }
  if (data.kind === 'ended' && own?.token === data.token) change(null);
};

/** Where a sign-in with the organisation's provider of identities begins; null where there is none. */
export const provider = createStore<string | null>(null);

/** Takes up the session that the provider of identities has sent us back with, or that this tab had before it was loaded again. */
export function resume(): void {
  void findProvider();
  const handed = new URLSearchParams(location.hash.slice(1));
  if (handed.has('access_token') || handed.has('error')) {
    // The token must stay in no address, history or bookmark.
    history.replaceState(null, '', location.pathname + location.search);
    const [token, expiresAt, email] = ['access_token', 'expires_at', 'email'].map((key) => handed.get(key) ?? '');
    if (token) begin({ token, expiresAt: expiresAt ?? '', email: email ?? '' });
    else {
      change(null);
      notice.set({ text: handed.get('error_description') ?? 'The sign-in failed.', refused: false });
    }
    return;
  }
  let stored: unknown = null;
  try {
    stored = JSON.parse(sessionStorage.getItem(KEY) ?? 'null');
  } catch {
    // not ours, or no storage: start signed out
  }
  if (isSession(stored) && !isOver(stored)) return begin(stored);
  change(null);
  tell({ kind: 'asks' });
}

/** Answers why it failed, which `notice` says too. */
export async function signIn(email: string, password: string): Promise<Notice | null> {
  notice.set(null);
  const failed = (text: string, refused: boolean) => {
    notice.set({ text, refused });
    return notice.get();
  };
  try {
    const result = await send(LoginDocument, { email, password }, {}, { signal: AbortSignal.timeout(20_000) });
    const [error] = errorsOf(result);
    if (error) return failed(signInFailure(error), true);
    return adopt(result.data, email) ? null : failed('The server sent no token.', false);
  } catch (error) {
    return failed(error instanceof Unreachable ? error.message : NO_ANSWER, false);
  }
}

/**
 * Changes the password, and goes on with the token that comes for it. Not by the client of the page, which would read everything
 * again with the token that has just ended. Answers what was refused.
 */
export async function changePassword(input: ChangePasswordInput): Promise<readonly ApiError[]> {
  const own = session.get();
  try {
    const result = await send(ChangePasswordDocument, { input }, bearer(own), { signal: AbortSignal.timeout(20_000) });
    if (adopt({ login: result.data?.changePassword }, own?.email)) return [];
    const errors = errorsOf(result);
    return errors.length > 0 ? errors : [{ message: 'The server sent no token.' }];
  } catch (error) {
    return [{ message: error instanceof Unreachable ? error.message : NO_ANSWER }];
  }
}

export function signOut(): void {
  const ended = session.get();
  notice.set(null);
  change(null);
  // The server forgets the token; if it cannot be told, the token runs out by itself.
  if (!ended) return;
  tell({ kind: 'ended', token: ended.token });
  send(LogoutDocument, {}, bearer(ended), { keepalive: true }).catch(() => {});
}

/** The server no longer accepts this token. Of one that was replaced meanwhile that means nothing. */
export function sessionEnded(token: string): void {
  if (session.get()?.token !== token) return;
  keep(null);
  lapsed.set(true);
}

/** Signs in with the answer of a login mutation, whoever sent it. False if it is none. */
export function adopt(data: unknown, email = ''): boolean {
  const login = isRecord(data) ? data['login'] : null;
  if (!isRecord(login) || typeof login['accessToken'] !== 'string') return false;
  const user = login['user'];
  begin({
    token: login['accessToken'],
    expiresAt: typeof login['expiresAt'] === 'string' ? login['expiresAt'] : '',
    email: isRecord(user) && typeof user['email'] === 'string' ? user['email'] : email,
  });
  notice.set(null);
  const now = session.get();
  if (now) tell({ kind: 'is', session: now });
  return true;
}

export function bearer(who: Session | null): Record<string, string> {
  return who ? { authorization: `Bearer ${who.token}` } : {};
}

async function findProvider(): Promise<void> {
  try {
    const { data } = await send(ProviderDocument, {});
    provider.set(data?.serverInfo.oidcSignIn ?? null);
  } catch {
    // unreachable: the page says so already
  }
}

function begin(next: Session): void {
  change(next);
  const left = Date.parse(next.expiresAt) - Date.now();
  if (left <= LONGEST_TIMEOUT) expiry = setTimeout(() => sessionEnded(next.token), left);
}

/** A new token of the same person goes on with all that they see; another person begins anew. */
function change(next: Session | null): void {
  const goesOn = next !== null && session.get()?.email === next.email;
  clearTimeout(expiry);
  keep(next);
  session.set(next);
  lapsed.set(false);
  if (goesOn) renew(next.token);
  else connect(next?.token ?? null, sessionEnded);
}

/** For when the page is loaded again. */
function keep(what: Session | null): void {
  try {
    if (what) sessionStorage.setItem(KEY, JSON.stringify(what));
    else sessionStorage.removeItem(KEY);
  } catch {
    // storage is full or forbidden: the session lasts until the page is loaded again
  }
}

/** A session where there was none, or a longer one of the same person. */
function isNews(own: Session | null, told: Session): boolean {
  return !own || (own.email === told.email && Date.parse(own.expiresAt) < Date.parse(told.expiresAt));
}

function isOver(what: Session): boolean {
  return Date.parse(what.expiresAt) <= Date.now();
}

function isSession(what: unknown): what is Session {
  return isRecord(what) && ['token', 'expiresAt', 'email'].every((key) => typeof what[key] === 'string');
}

function isRecord(what: unknown): what is Record<string, unknown> {
  return typeof what === 'object' && what !== null;
}
