// How the server is reached over HTTP, and whether it answers.
import { stringifyDocument, type TypedDocumentNode } from '@urql/core';
import type { ExecutionResult } from 'graphql';
import { NO_ANSWER, Unreachable } from './errors';
import { createStore } from './store';

/** Of the server that served the page; an address elsewhere needs its `allowed_origins`. */
export const ENDPOINT = '/graphql';

/** Since when the server has not answered; null while it does. */
export const silentSince = createStore<number | null>(null);

/** `fetch` that remembers whether anybody answered. */
export const ask: typeof fetch = async (input, init) => {
  try {
    const response = await fetch(input, init);
    // What stands between page and server (a proxy) answers with these when nothing is behind it.
    note(![502, 503, 504].includes(response.status));
    return response;
  } catch (cause) {
    // Whoever gave up waiting has learnt nothing about the server.
    if (!init?.signal?.aborted) note(false);
    throw cause;
  }
};

function note(answered: boolean) {
  if (answered) silentSince.set(null);
  else if (silentSince.get() === null) silentSince.set(Date.now());
}

export interface Operation {
  readonly query: string;
  readonly operationName?: string | null | undefined;
  readonly variables?: unknown;
}

type Options = { signal?: AbortSignal; keepalive?: boolean };

/** One operation, outside of the cache: for signing in and out, and for the explorer. */
export async function post(
  operation: Operation,
  headers: Readonly<Record<string, string>>,
  options: Options = {},
): Promise<ExecutionResult> {
  let response: Response;
  try {
    response = await ask(ENDPOINT, {
      method: 'POST',
      headers: {
        accept: 'application/graphql-response+json, application/json;q=0.9',
        'content-type': 'application/json',
        ...headers,
      },
      body: JSON.stringify(operation),
      credentials: 'same-origin',
      ...options,
    });
  } catch (cause) {
    throw new Unreachable(NO_ANSWER, { cause });
  }
  const body: unknown = await response.json().catch(() => null);
  if (typeof body !== 'object' || body === null || !('data' in body || 'errors' in body)) {
    throw new Unreachable(silentSince.get() ? NO_ANSWER : `The server answered with status ${response.status}, and not in GraphQL.`);
  }
  return body as ExecutionResult;
}

export function send<Data, Variables>(
  document: TypedDocumentNode<Data, Variables>,
  variables: Variables,
  headers: Readonly<Record<string, string>> = {},
  options: Options = {},
): Promise<ExecutionResult<Data>> {
  return post({ query: stringifyDocument(document), variables }, headers, options) as Promise<ExecutionResult<Data>>;
}
