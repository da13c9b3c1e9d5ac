// What GraphiQL calls to run an operation: HTTP for queries and mutations, the WebSocket for subscriptions.
// The token is looked up at every call, so that signing in or out needs no new fetcher.
import type { Fetcher, FetcherParams, Observable } from '@graphiql/toolkit';
import { getOperationAST, OperationTypeNode, parse, type DocumentNode, type ExecutionResult } from 'graphql';
import { codeOf, errorsOf, Unreachable } from '../client/errors';
import { post } from '../client/http';
import { closeReason, live } from '../client/socket';
import { adopt, bearer, session, sessionEnded } from '../client/session';

export const fetcher: Fetcher = (params, options) => {
  const document = options?.documentAST ?? tryParse(params.query);
  const operation = document && getOperationAST(document, params.operationName);
  return operation?.operation === OperationTypeNode.SUBSCRIPTION ? overSocket(params) : overHttp(params, options?.headers ?? {});
};

async function overHttp(params: FetcherParams, own: Readonly<Record<string, string>>): Promise<ExecutionResult> {
  const who = session.get();
  // A header typed by hand goes before the session's.
  const headers = Object.fromEntries(Object.entries(own).map(([name, value]) => [name.toLowerCase(), value]));
  const speaksForSession = who !== null && !('authorization' in headers);

  let result: ExecutionResult;
  try {
    result = await post(params, { ...bearer(who), ...headers });
  } catch (error) {
    if (error instanceof Unreachable) return { errors: [{ message: error.message }] } as unknown as ExecutionResult;
    throw error;
  }
  if (adopt(result.data)) return result;
  const ended = errorsOf(result).some((error) => codeOf(error) === 'UNAUTHENTICATED' && !isAboutPassword(error.path?.[0]));
  if (ended && speaksForSession) sessionEnded(who.token);
  return result;
}

interface Observer {
  next(event: ExecutionResult): void;
  error(error: unknown): void;
  complete(): void;
}

/** So many events are shown. */
const KEPT = 50;

/**
 * What is shown of a subscription: GraphiQL has room for one answer, so it is given the list of what has come, the newest first,
 * and that it listens before anything has.
 */
function heard(events: readonly object[], number: number): ExecutionResult {
  const told = number === 0 ? 'No event yet; it listens.' : `${number} so far, the newest first${number > KEPT ? `; ${KEPT} are kept` : ''}.`;
  return { events: told, ...(number > 0 ? { received: events } : {}) } as unknown as ExecutionResult;
}

/** An observable rather than an iterator: it can be stopped while it waits for the next event. */
function overSocket(params: FetcherParams): Observable<ExecutionResult> {
  return {
    subscribe(observer: Observer) {
      let number = 0;
      let events: readonly object[] = [];
      observer.next(heard(events, number));
      const unsubscribe = live().subscribe(
        {
          query: params.query,
          operationName: params.operationName ?? null,
          variables: (params.variables ?? null) as Record<string, unknown> | null,
        },
        {
          next: (event) => {
            number += 1;
            events = [{ at: new Date().toLocaleTimeString('en-GB'), ...event }, ...events].slice(0, KEPT);
            observer.next(heard(events, number));
          },
          // Either the errors the server sent for this operation, or the end of the socket.
          error: (error) => observer.error(Array.isArray(error) ? error : [{ message: closeReason(error) }]),
          complete: () => observer.complete(),
        },
      );
      return { unsubscribe };
    },
  } as Observable<ExecutionResult>;
}

/** A wrong password is no sign that the session is over. */
function isAboutPassword(field: unknown): boolean {
  return field === 'login' || field === 'changePassword';
}

function tryParse(text: string): DocumentNode | null {
  try {
    return parse(text);
  } catch {
    return null; // the server says what is wrong with it
  }
}
