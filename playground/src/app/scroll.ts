// A new page begins at its top, and the focus at its heading, so that it is announced; on the way back the browser finds the place
// again by itself.
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
    // The heading takes the focus where nothing else has it.
    if (before.current !== location && document.activeElement instanceof HTMLElement) document.activeElement.blur();
    before.current = location;
    back.current = false;
  }, [location]);
}
