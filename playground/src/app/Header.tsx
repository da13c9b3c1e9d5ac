// The bar on top: the menu on small screens, the connection, the theme, who is signed in and the way out.
import { useState } from 'react';
import { signOut, type Session } from '../client/session';
import { useStore } from '../client/store';
import { clock } from '../ui/format';
import { useNow } from '../ui/now';
import { ChangePassword } from './ChangePassword';
import { ConnectionState } from './ConnectionState';
import { applyTheme, theme, type Theme } from './theme';

interface Props {
  readonly who: Session;
  readonly menu: boolean;
  readonly onMenu: () => void;
  /** Wants to sign in again before the session ends. */
  readonly onStay: () => void;
}

const THEMES: readonly (readonly [Theme, string])[] = [
  ['system', 'Colours: auto'],
  ['light', 'Colours: light'],
  ['dark', 'Colours: dark'],
];

export function Header({ who, menu, onMenu, onStay }: Props) {
  const chosen = useStore(theme);
  const [changing, setChanging] = useState(false);
  return (
    <header className="top">
      <button type="button" className="button menu" aria-expanded={menu} aria-controls="menu" onClick={onMenu}>
        {menu ? 'Close' : 'Menu'}
      </button>
      <ConnectionState />
      <label className="theme">
        <span className="visually-hidden">Colours</span>
        <select value={chosen} onChange={(event) => applyTheme(event.target.value as Theme)}>
          {THEMES.map(([value, word]) => (
            <option key={value} value={value}>
              {word}
            </option>
          ))}
        </select>
      </label>
      <p className="who">
        <span className="visually-hidden">Signed in as </span>
        <strong>{who.email}</strong>
      </p>
      <button type="button" className="button plain password" onClick={() => setChanging(true)}>
        Password
      </button>
      {changing && <ChangePassword who={who} onClose={() => setChanging(false)} />}
      <Ending at={who.expiresAt} onStay={onStay} />
      <button type="button" className="button" onClick={signOut}>
        Sign out
      </button>
    </header>
  );
}

/** Says so in good time when the session is about to end. */
function Ending({ at, onStay }: { readonly at: string; readonly onStay: () => void }) {
  const left = Date.parse(at) - useNow('minutes');
  if (!(left < 10 * 60_000)) return null;
  return (
    <button type="button" className="button" data-mood="waiting" onClick={onStay}>
      Session ends at {clock(at)}, stay signed in
    </button>
  );
}
