// GraphiQL keeps tabs and history in localStorage. What looks like a secret is blanked on the way there; the editor keeps it
// until the page is left.
const PREFIX = 'graphiql:';
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
  return Object.keys(localStorage).filter((key) => key.startsWith(PREFIX));
}

export const storage = {
  getItem: (key: string) => localStorage.getItem(key),
  setItem: (key: string, value: string) => localStorage.setItem(key, withoutSecrets(value)),
  removeItem: (key: string) => localStorage.removeItem(key),
  get length() {
    return keys().length;
  },
  clear() {
    for (const key of keys()) localStorage.removeItem(key);
  },
};
