// Light or dark: as the system says, until somebody chooses. The choice outlives the visit.
import { createStore } from '../client/store';

export type Theme = 'system' | 'light' | 'dark';

const KEY = 'pumphouse.theme';
export const theme = createStore<Theme>('system');

function stored(): Theme {
  try {
    const kept = localStorage.getItem(KEY);
    return kept === 'light' || kept === 'dark' ? kept : 'system';
  } catch {
    return 'system';
  }
}

export function applyTheme(next: Theme = stored()): void {
  theme.set(next);
  document.documentElement.dataset['theme'] = next;
  try {
    localStorage.setItem(KEY, next);
  } catch {
    // no storage: it lasts until the page is loaded again
  }
}
