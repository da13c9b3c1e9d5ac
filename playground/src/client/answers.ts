// Remembers which queries are on screen and what their answers hold, so that those, and only those, are read again when
// something they hold has changed. What is asked is seen before the cache, which does not hand everything on; what is answered
// behind it, where the names of types still are.
import { makeOperation, type Exchange, type Operation } from '@urql/core';
import { pipe, tap } from 'wonka';

/** Names of types and ids of objects in an answer. */
export type Held = ReadonlySet<string>;

export interface Answers {
  /** Every operation, before the cache. */
  watch(operation: Operation): void;
  /** Behind the cache. */
  readonly exchange: Exchange;
  /** Reads the queries on screen again whose answers hold what is asked about. */
  refetch(concerns: (held: Held) => boolean): void;
}

interface Active {
  readonly operation: Operation;
  held: Held;
}

export function createAnswers(): Answers {
  const active = new Map<number, Active>();
  let again: (operation: Operation) => void = () => {};

  const exchange: Exchange =
    ({ client, forward }) =>
    (operations) => {
      again = (operation) => {
        const afresh = makeOperation('query', operation, { ...operation.context, requestPolicy: 'network-only' });
        // The client lets nothing through while it waits for an answer, also one that will not come, or was given before the
        // change; the second call says that this one counts.
        client.reexecuteOperation(afresh);
        client.reexecuteOperation(afresh);
      };
      return pipe(
        forward(operations),
        tap(({ operation, data }) => {
          const one = active.get(operation.key);
          if (one && data) one.held = collect(data);
        }),
      );
    };

  return {
    exchange,
    watch(operation) {
      if (operation.kind === 'teardown') active.delete(operation.key);
      else if (operation.kind === 'query' && !active.has(operation.key)) active.set(operation.key, { operation, held: new Set() });
    },
    refetch(concerns) {
      for (const { operation, held } of [...active.values()]) if (concerns(held)) again(operation);
    },
  };
}

function collect(value: unknown, held = new Set<string>()): Set<string> {
  if (Array.isArray(value)) for (const item of value) collect(item, held);
  else if (typeof value === 'object' && value !== null) {
    for (const [key, inner] of Object.entries(value)) {
      if ((key === '__typename' || key === 'id') && typeof inner === 'string') held.add(inner);
      else collect(inner, held);
    }
  }
  return held;
}
