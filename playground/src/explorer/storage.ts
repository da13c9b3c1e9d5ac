// GraphiQL keeps tabs and history in localStorage, here for each person apart: whoever signs in next in this browser sees none of them. What looks like a secret is blanked on the way there; the editor keeps it
// until the page is left.
import { session } from '../client/session';

const mine = (key: string) => `${session.get()?.email ?? ''}/${key}`;
const SECRET = /("?\w*(?:password|secret|token)\w*"?\s*:\s*)"(?:[^"\\\n]|\\.)*"/gi;

export function withoutSecrets(value: string): string {
  try {
    const parsed: unknown = JSON.parse(value);
    // Tabs and history are JSON that holds documents and variables as text.
    if (typeof parsed === 'object' && parsed !== null && ('tabs' in parsed || 'queries' in parsed || 'favorites' in parsed)) {
      return JSON.stringify(parsed, (_key, inner: unknown) => (typeof inner === 'string' ? blank(inner) : inner));
    }
  } catch {
    // a document, not JSON
  }
  return blank(value);
}

function blank(text: string): string {
  return text.replace(SECRET, '$1""');
}

function keys(): string[] {
  return Object.keys(localStorage).filter((key) => key.startsWith(mine('graphiql:')));
}

export const storage = {
  getItem: (key: string) => localStorage.getItem(mine(key)),
  setItem: (key: string, value: string) => localStorage.setItem(mine(key), withoutSecrets(value)),
  removeItem: (key: string) => localStorage.removeItem(mine(key)),
  get length() {
    return keys().length;
  },
  clear() {
    for (const key of keys()) localStorage.removeItem(key);
  },
};
