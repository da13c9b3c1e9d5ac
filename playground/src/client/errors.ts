// What goes wrong between page and server, in words for a person. The codes are those of `extensions.code`.
import type { ExecutionResult } from 'graphql';

export const NO_ANSWER = 'The server does not answer.';
export const NOT_THERE = 'This does not exist any more, or is not yours to see.';
export const SESSION_ENDED = 'Your session has ended, sign in again.';

export interface ApiError {
  readonly message: string;
  readonly path?: readonly (string | number)[] | undefined;
  readonly extensions?: Readonly<Record<string, unknown>> | undefined;
}

/** The server could not be reached, or what came back is no GraphQL answer. The message is for a person. */
export class Unreachable extends Error {
  override readonly name = 'Unreachable';
}

/** What each code means to a person. Where it is null, the server's message says it best. */
const WORDS: Readonly<Record<string, string | null>> = {
  UNAUTHENTICATED: SESSION_ENDED,
  FORBIDDEN: 'You may read this, but not change it.',
  NOT_FOUND: NOT_THERE,
  VALIDATION: null,
  CONFLICT: null,
  TOO_COMPLEX: 'That asks for too much at once.',
  IDEMPOTENCY_KEY_REUSED: 'Something else was sent with the same key before.',
  LICENSE_INACTIVE: 'The licence is not active, so nothing can be changed.',
  RATE_LIMITED: null,
  TIMEOUT: 'That took too long and was given up. Try again.',
  UNAVAILABLE: 'The server is not ready. Try again in a moment.',
  INTERNAL: 'The server made a mistake.',
};

export function codeOf(error: ApiError): string {
  const code = error.extensions?.['code'];
  return typeof code === 'string' ? code : '';
}

export function errorsOf(result: ExecutionResult): readonly ApiError[] {
  return (result.errors ?? []) as readonly ApiError[];
}

interface Violation {
  readonly field?: unknown;
  readonly message?: unknown;
}

/** What is wrong with an input, by the field that it is about, such as `configuration/host`. */
export function faultsOf(errors: readonly ApiError[]): ReadonlyMap<string, string> {
  return new Map(
    errors.flatMap(({ message, extensions }) => {
      const details = extensions?.['details'] as { readonly violations?: readonly Violation[] } | undefined;
      const violations: readonly Violation[] = details?.violations ?? [{ field: extensions?.['field'], message }];
      return violations.flatMap((one) => (typeof one.field === 'string' ? [[one.field, String(one.message)] as const] : []));
    }),
  );
}

/** A refusal of the page's own, as the server would have said it of this field. */
export const refusal = (field: string, message: string) => ({
  words: message,
  each: [{ message, extensions: { code: 'VALIDATION', field } }],
});

/** What is in the way of something, as `details` of a conflict tell it, one thing each. */
export function obstacles({ extensions }: ApiError): readonly string[] {
  const details = (extensions?.['details'] ?? {}) as Readonly<Record<string, unknown>>;
  const { workerState, syncRunId, incompatibilities } = details;
  return [
    ...(['pipelines', 'connectors'] as const).flatMap((kind) => named(kind.slice(0, -1), details[kind] as Listed | undefined)),
    ...(typeof workerState === 'string' ? ['Its worker has to be stopped first.'] : []),
    ...(syncRunId ? ['Its sync has to end or be cancelled first.'] : []),
    ...((incompatibilities ?? []) as readonly Incompatibility[]).map(incompatibility),
  ];
}

interface Listed {
  readonly count: number;
  readonly names?: readonly (string | null)[];
  readonly nodes?: readonly { readonly name: string | null }[];
  readonly others?: boolean;
}

/** The first names of those that are in the way, how many more, and whether there are some that one does not see. */
function named(kind: string, listed: Listed | undefined): readonly string[] {
  if (!listed) return [];
  const names = listed.names ?? listed.nodes?.map(({ name }) => name) ?? [];
  const more = listed.count - names.length;
  return [
    ...names.map((name) => `The ${kind} ${name ?? 'without a name'}`),
    ...(more > 0 ? [`${more} more`] : []),
    ...(listed.others || listed.count === 0 ? [`A ${kind} that you do not see`] : []),
  ];
}

export interface Incompatibility {
  readonly version: number;
  readonly path: string;
  readonly message: string;
}

/** One reason why a schema does not follow. */
export const incompatibility = ({ version, path, message }: Incompatibility) => `Version ${version}${path && `, ${path}`}: ${message}`;

/** One error in a sentence or two. */
export function words(error: ApiError): string {
  const said = WORDS[codeOf(error)] ?? error.message;
  const id = error.extensions?.['requestId'];
  return codeOf(error) === 'INTERNAL' && typeof id === 'string' ? `${said} It is in the log as request ${id}.` : said;
}

/** All that went wrong with an operation, as urql tells it. */
export function allWords(error: { readonly graphQLErrors: readonly ApiError[] }): string {
  const sentences = error.graphQLErrors.map(words);
  return sentences.length > 0 ? [...new Set(sentences)].join(' ') : NO_ANSWER;
}

/** Why signing in failed: some codes mean something else there. */
export function signInFailure(error: ApiError): string {
  switch (codeOf(error)) {
    case 'UNAUTHENTICATED':
      return 'Email or password is wrong.';
    case 'FORBIDDEN':
      return 'This account may not sign in here.';
    default:
      return words(error);
  }
}
