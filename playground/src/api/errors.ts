// What goes wrong between page and server, in words for a person.
import type { ExecutionResult } from 'graphql';

export const NO_ANSWER = 'The server does not answer.';
export const SESSION_ENDED = 'Your session has ended, sign in again.';

export interface ApiError {
  readonly message: string;
  readonly path?: readonly (string | number)[] | undefined;
  readonly extensions?: { readonly code?: unknown; readonly requestId?: unknown } | undefined;
}

/** The server could not be reached, or what came back is no GraphQL answer. The message is for a person. */
export class Unreachable extends Error {
  override readonly name = 'Unreachable';
}

export function codeOf(error: ApiError): string {
  return typeof error.extensions?.code === 'string' ? error.extensions.code : '';
}

export function errorsOf(result: ExecutionResult): readonly ApiError[] {
  return (result.errors ?? []) as readonly ApiError[];
}

/** Why signing in failed. */
export function signInFailure(error: ApiError): string {
  switch (codeOf(error)) {
    case 'UNAUTHENTICATED':
      return 'Email or password is wrong.';
    case 'FORBIDDEN':
      return 'This account may not sign in here.';
    case 'RATE_LIMITED':
      return 'Too many attempts. Wait a minute and try again.';
    case 'TIMEOUT':
    case 'UNAVAILABLE':
      return 'The server is not ready. Try again in a moment.';
    case 'INTERNAL': {
      const id = error.extensions?.requestId;
      return typeof id === 'string' ? `The server made a mistake (request ${id}).` : 'The server made a mistake.';
    }
    default:
      // VALIDATION and the like: the server's message is written for a person.
      return error.message || 'Signing in failed.';
  }
}
