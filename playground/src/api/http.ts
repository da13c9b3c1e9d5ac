// One GraphQL request over HTTP to the server that served the page.
import type { ExecutionResult } from 'graphql';
import { NO_ANSWER, Unreachable } from './errors';
import { createStore } from './store';

export interface Operation {
  readonly query: string;
  readonly operationName?: string | null | undefined;
  readonly variables?: unknown;
}

/** Whether the last request was answered at all. */
export const reachable = createStore(true);

const ENDPOINT = '/graphql';

export async function post(
  operation: Operation,
  headers: Readonly<Record<string, string>>,
  options: { signal?: AbortSignal; keepalive?: boolean } = {},
): Promise<ExecutionResult> {
  let response: Response;
  try {
    response = await fetch(ENDPOINT, {
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
    reachable.set(false);
    throw new Unreachable(NO_ANSWER, { cause });
  }
  // What stands between page and server (a proxy) answers with these when nothing is behind it.
  reachable.set(![502, 503, 504].includes(response.status));

  const body: unknown = await response.json().catch(() => null);
  if (typeof body !== 'object' || body === null || !('data' in body || 'errors' in body)) {
    throw new Unreachable(reachable.get() ? `The server answered with status ${response.status}, and not in GraphQL.` : NO_ANSWER);
  }
  return body as ExecutionResult;
}
