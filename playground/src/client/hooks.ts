// What components need beside urql's own hooks.
import { useCallback, useEffect, useState } from 'react';
import { useClient, type AnyVariables, type TypedDocumentNode } from 'urql';
import { pipe, subscribe } from 'wonka';
import { useOffline } from './connection';
import { allWords, type ApiError } from './errors';

/** Follows a subscription for what it does to the cache. */
export function useLive<Data, Variables extends AnyVariables>(
  document: TypedDocumentNode<Data, Variables>,
  variables: Variables,
  onEvent?: (data: Data) => void,
): void {
  const client = useClient();
  const key = JSON.stringify(variables);
  useEffect(() => {
    const { unsubscribe } = pipe(
      client.subscription(document, variables),
      subscribe(({ data }) => {
        if (data) onEvent?.(data);
      }),
    );
    return unsubscribe;
    // Variables are compared by what they say; the listener is that of the first drawing.
  }, [client, document, key]);
}

export type Outcome<Data> = { readonly data: Data; readonly errors: null } | { readonly data: null; readonly errors: Failure };

export interface Failure {
  readonly words: string;
  readonly each: readonly ApiError[];
}

/** A mutation as a function that answers what came of it, and whether it cannot be asked for now: it is under way, or nobody answers. */
export function useMutate<Data, Variables extends AnyVariables>(
  document: TypedDocumentNode<Data, Variables>,
): [run: (variables: Variables) => Promise<Outcome<Data>>, busy: boolean] {
  const client = useClient();
  const [busy, setBusy] = useState(false);
  const offline = useOffline();
  const run = useCallback(
    async (variables: Variables): Promise<Outcome<Data>> => {
      setBusy(true);
      const { data, error } = await client.mutation(document, variables).toPromise();
      setBusy(false);
      if (data && !error) return { data, errors: null };
      return { data: null, errors: { words: error ? allWords(error) : 'The server sent no answer.', each: error?.graphQLErrors ?? [] } };
    },
    [client, document],
  );
  return [run, busy || offline !== null];
}
