// The time, for what is shown relative to it. One timer for each pace, whoever watches.
import { useSyncExternalStore } from 'react';

function ticker(pace: number) {
  let now = Date.now();
  let timer: ReturnType<typeof setInterval> | undefined;
  const listeners = new Set<() => void>();
  return {
    get: () => now,
    subscribe(listener: () => void) {
      listeners.add(listener);
      timer ??= setInterval(() => {
        now = Date.now();
        for (const one of listeners) one();
      }, pace);
      return () => {
        listeners.delete(listener);
        if (listeners.size > 0) return;
        clearInterval(timer);
        timer = undefined;
      };
    },
  };
}

const seconds = ticker(1_000);
const minutes = ticker(15_000);

export function useNow(pace: 'seconds' | 'minutes' = 'seconds'): number {
  const { subscribe, get } = pace === 'seconds' ? seconds : minutes;
  const seen = useSyncExternalStore(subscribe, get);
  // A timer that nobody watched stood still.
  return Date.now() - seen > 30_000 ? Date.now() : seen;
}
