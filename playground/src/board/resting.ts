// An order that rests while somebody points at the list or has the focus in it: what one is about to click does not move away.
import { useRef, useState, type FocusEvent } from 'react';

interface Row {
  readonly id: string;
}

export function useRestingOrder() {
  const [pointed, setPointed] = useState(false);
  const [focused, setFocused] = useState(false);
  const last = useRef<readonly string[]>([]);
  const rests = pointed || focused;
  return {
    /** For the list: they tell when hands are on it. */
    hands: {
      onPointerEnter: () => setPointed(true),
      onPointerLeave: () => setPointed(false),
      onFocus: () => setFocused(true),
      onBlur: (event: FocusEvent<HTMLElement>) => setFocused(event.currentTarget.contains(event.relatedTarget)),
    },
    /** The rows as they should stand now; what has come meanwhile stands behind the others. */
    of<One extends Row>(rows: readonly One[]): readonly One[] {
      const at = (row: One) => (last.current.includes(row.id) ? last.current.indexOf(row.id) : last.current.length);
      const ordered = rests ? [...rows].sort((one, other) => at(one) - at(other)) : rows;
      last.current = ordered.map(({ id }) => id);
      return ordered;
    },
  };
}
