// The client: urql with a normalised cache, HTTP for queries and mutations, the WebSocket for subscriptions. One for each person
// who signs in: what somebody was shown must not be shown to another. Every request carries the token of that moment.
import { Client, fetchExchange, makeOperation, mapExchange, subscriptionExchange, type CombinedError, type Operation, type OperationResult } from '@urql/core';
import { createAnswers } from './answers';
import { cache } from './cache';
import { codeOf } from './errors';
import { follow } from './follow';
import { ask, ENDPOINT } from './http';
import { bearer, session, sessionEnded } from './session';
import { live } from './socket';

export interface Connected {
  readonly client: Client;
  /** Ends what keeps the client true. */
  readonly end: () => void;
}

const isUnauthenticated = (error: CombinedError) => error.graphQLErrors.some((one) => codeOf(one) === 'UNAUTHENTICATED');

/** The token that an operation was sent with. */
const signed = (operation: Operation) => operation.context['signed'] as string | undefined;

function isPartOfNull({ data, error }: OperationResult): boolean {
  const roots = data as Readonly<Record<string, unknown>> | null | undefined;
  return error?.graphQLErrors.some(({ path }) => path !== undefined && path.length > 1 && roots?.[String(path[0])] === null) ?? false;
}

export function connectClient(): Connected {
  const answers = createAnswers();
  /** What each query on screen was answered last. */
  const shown = new Map<number, unknown>();
  const client = new Client({
    url: ENDPOINT,
    fetch: ask,
    preferGetMethod: false,
    // Shows what is known at once, and asks whether it is still so.
    requestPolicy: 'cache-and-network',
    exchanges: [
      mapExchange({
        onOperation(operation) {
          const { kind, key, context } = operation;
          answers.watch(operation);
          if (kind === 'teardown') {
            shown.delete(key);
            return operation;
          }
          const who = session.get();
          return makeOperation(kind, operation, { ...context, signed: who?.token, fetchOptions: { headers: bearer(who) } });
        },
        onResult(result) {
          const { operation, data, error } = result;
          // What a mutation changes beside its payload (invitations, tokens, the audit trail) is told by no event.
          if (operation.kind === 'mutation') answers.refetch(() => true);
          if (operation.kind !== 'query') return result;
          // A server that does not answer, or not until one has signed in again, is no reason to show less; that is said elsewhere.
          if (error && !data && (error.networkError || isUnauthenticated(error))) return { ...result, data: shown.get(operation.key) };
          shown.set(operation.key, data);
          return result;
        },
        onError(error, operation) {
          if (isUnauthenticated(error)) sessionEnded(signed(operation) ?? '');
        },
      }),
      cache(),
      // What is null because a part of it could not be read is still there; the cache would take it for gone.
      mapExchange({
        onResult: (result) => (isPartOfNull(result) ? { ...result, data: null } : result),
      }),
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
