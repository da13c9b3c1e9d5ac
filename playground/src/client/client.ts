// The client: urql with a normalised cache, HTTP for queries and mutations, the WebSocket for subscriptions. One for each session:
// what somebody was shown must not outlive their token.
import { Client, fetchExchange, mapExchange, subscriptionExchange } from '@urql/core';
import { createAnswers } from './answers';
import { cache } from './cache';
import { codeOf } from './errors';
import { follow } from './follow';
import { ask, ENDPOINT } from './http';
import { bearer, sessionEnded, type Session } from './session';
import { live } from './socket';

export interface Connected {
  readonly client: Client;
  /** Ends what keeps the client true. */
  readonly end: () => void;
}

export function connectAs(who: Session): Connected {
  const answers = createAnswers();
  /** What each query on screen was answered last. */
  const shown = new Map<number, unknown>();
  const client = new Client({
    url: ENDPOINT,
    fetch: ask,
    preferGetMethod: false,
    // Shows what is known at once, and asks whether it is still so.
    requestPolicy: 'cache-and-network',
    fetchOptions: () => ({ headers: bearer(who) }),
    exchanges: [
      mapExchange({
        onOperation({ kind, key }) {
          if (kind === 'teardown') shown.delete(key);
        },
        onResult(result) {
          const { operation, data, error } = result;
          // What a mutation changes beside its payload (invitations, tokens, the audit trail) is told by no event.
          if (operation.kind === 'mutation') answers.refetch(() => true);
          if (operation.kind !== 'query') return result;
          // A server that does not answer is no reason to show less; that it does not is said elsewhere.
          if (error?.networkError && !data) return { ...result, data: shown.get(operation.key) };
          shown.set(operation.key, data);
          return result;
        },
        onError(error) {
          if (error.graphQLErrors.some((one) => codeOf(one) === 'UNAUTHENTICATED')) sessionEnded();
        },
      }),
      cache(),
      answers.exchange,
      fetchExchange,
      subscriptionExchange({
        forwardSubscription: ({ query, variables }) => ({
          subscribe: (sink) => ({
            unsubscribe: live().subscribe(
              { query: query ?? '', variables: (variables ?? null) as Record<string, unknown> | null },
              // graphql-ws types results a little wider than urql does.
              { ...sink, next: (result) => sink.next(result as Parameters<typeof sink.next>[0]) },
            ),
          }),
        }),
      }),
    ],
  });
  return { client, end: follow(client, answers) };
}
