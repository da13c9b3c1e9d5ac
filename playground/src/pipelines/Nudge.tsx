// Counts are written too often to be told one by one: what shows them is read again when a worker has reported.
import { useEffect, useRef } from 'react';
import { ThroughputOfDocument } from '../client/generated';
import { useLive } from '../client/hooks';

const PAUSE = 2_000;

/** Every two seconds at most. */
export function Nudge({ id, again }: { readonly id: string; readonly again: () => void }) {
  const latest = useRef(again);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  latest.current = again;
  useEffect(() => () => clearTimeout(timer.current), []);
  useLive(ThroughputOfDocument, { filter: { pipelineIds: [id] } }, ({ throughputReported: { initial } }) => {
    if (initial) return;
    timer.current ??= setTimeout(() => {
      timer.current = undefined;
      latest.current();
    }, PAUSE);
  });
  return null;
}
