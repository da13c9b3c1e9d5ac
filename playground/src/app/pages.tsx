// Pages are loaded when they are first gone to, and all of them while there is nothing else to do: a server that is gone later
// takes no page with it. One that could not be loaded because nobody answered comes once somebody does.
import { lazy, useEffect, useRef, type ComponentType } from 'react';
import { useOffline } from '../client/connection';
import { ask, silentSince } from '../client/http';

type Load<Props> = () => Promise<{ readonly default: ComponentType<Props> }>;

const waiting: (() => void)[] = [];

/** `large` ones are not loaded before they are asked for. */
export function page<Props>(load: Load<Props>, large = false) {
  if (!large) waiting.push(() => void load().catch(() => {}));
  return lazy(async () => {
    try {
      return await load();
    } catch (cause) {
      // Whether it was the server that is missing, or this file alone.
      await ask(location.href, { method: 'HEAD' }).catch(() => {});
      if (silentSince.get() === null) throw cause;
      await answered();
      return load();
    }
  });
}

function answered(): Promise<void> {
  return new Promise((resolve) => {
    const stop = silentSince.subscribe(() => {
      if (silentSince.get() !== null) return;
      stop();
      resolve();
    });
  });
}

export function useAllPages(): void {
  useEffect(() => {
    const timer = setTimeout(() => waiting.splice(0).forEach((load) => load()), 2_000);
    return () => clearTimeout(timer);
  }, []);
}

/** What is shown while a page is loaded. */
export function Loading() {
  const offline = useOffline();
  const was = useRef(false);
  useEffect(() => {
    // What belongs to a page beside its script, such as its styles, is asked for once only: begin anew.
    if (was.current && offline === null) location.reload();
    was.current = offline !== null;
  }, [offline]);
  return <p className="empty">{offline === null ? 'Loading…' : 'This page was not loaded yet. It opens when the server is back.'}</p>;
}
