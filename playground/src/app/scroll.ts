// A new page begins at its top; on the way back the browser finds the place again by itself.
import { useEffect, useLayoutEffect, useRef } from 'react';

export function useTop(location: string): void {
  const back = useRef(false);
  const before = useRef(location);
  useEffect(() => {
    const note = () => (back.current = true);
    // Before the listener that draws the page.
    addEventListener('popstate', note, { capture: true });
    return () => removeEventListener('popstate', note, { capture: true });
  }, []);
  useLayoutEffect(() => {
    if (before.current !== location && !back.current) scrollTo(0, 0);
    before.current = location;
    back.current = false;
  }, [location]);
}
