// What the audit trail is narrowed to: it stands in the address, so that a link shows the same.
import { useMemo } from 'react';
import { useQuery } from 'urql';
import { useSearchParams } from 'wouter';
import { scopeFilter, useScope } from '../app/scope';
import { UsersLikeDocument, type UserLogFilter, type UserType, type Verb } from '../client/generated';

const MINUTE = 60_000;

export const SINCE = {
  '15m': ['the last 15 minutes', 15 * MINUTE],
  '1h': ['the last hour', 60 * MINUTE],
  '1d': ['the last 24 hours', 1_440 * MINUTE],
  '7d': ['the last 7 days', 7 * 1_440 * MINUTE],
  '30d': ['the last 30 days', 30 * 1_440 * MINUTE],
} as const;

export const ACTORS = {
  people: ['people', ['REAL_USER']],
  programs: ['service accounts', ['SERVICE']],
  system: ['workers and the system', ['SYSTEM']],
  'not-system': ['no workers, no system', ['REAL_USER', 'SERVICE']],
} as const satisfies Record<string, readonly [string, readonly UserType[]]>;

export const THINGS = {
  pipelines: ['pipelines', ['Pipeline', 'PipelineSubscription', 'Datamodel']],
  connectors: ['connectors and workers', ['Connector', 'Worker']],
  syncs: ['syncs', ['SyncRun', 'SyncTable']],
  people: ['people and memberships', ['User', 'EnvMember', 'TeamMember', 'EnvRequest', 'TeamRequest']],
  programs: ['service accounts', ['ServiceAccount']],
  places: ['environments and teams', ['Env', 'Team']],
  schemas: ['schemas', ['SchemaVersion', 'SchemaSubject', 'Schema']],
} as const;

export type Key = 'action' | 'by' | 'actors' | 'of' | 'since';

export interface Narrowed {
  readonly get: (key: Key) => string;
  readonly set: (key: Key, value: string) => void;
  readonly any: boolean;
  readonly clear: () => void;
  readonly filter: UserLogFilter;
}

const KEYS: readonly Key[] = ['action', 'by', 'actors', 'of', 'since'];
const of = <Choices extends object>(choices: Choices, key: string) => (key in choices ? choices[key as keyof Choices] : undefined);

export function useNarrowed(): Narrowed {
  const scope = useScope();
  const [search, setSearch] = useSearchParams();
  const get = (key: Key) => search.get(key) ?? '';
  const [action, by, actors, things, since] = [get('action'), get('by').trim().toLowerCase(), of(ACTORS, get('actors')), of(THINGS, get('of')), of(SINCE, get('since'))];
  // A part of an address stands for all who have it, of those whom one sees.
  const [{ data }] = useQuery({ query: UsersLikeDocument, variables: { search: by }, pause: !by });
  // Counted from when it was chosen, or the page was loaded: else every answer would ask anew.
  const from = useMemo(() => since && new Date(Math.floor(Date.now() / MINUTE) * MINUTE - since[1]).toISOString(), [since]);
  const change = (changed: (after: URLSearchParams) => void) =>
    setSearch(
      (before) => {
        const after = new URLSearchParams(before);
        changed(after);
        return after;
      },
      { replace: true },
    );
  return {
    get,
    set: (key, value) => change((after) => (value ? after.set(key, value) : after.delete(key))),
    any: KEYS.some((key) => get(key)),
    clear: () => change((after) => KEYS.forEach((key) => after.delete(key))),
    filter: {
      ...scopeFilter(scope),
      ...(action ? { action: action as Verb } : {}),
      ...(by ? { userEmailIn: [by, ...(data?.users.nodes.map(({ email }) => email) ?? [])] } : {}),
      ...(actors ? { userTypeIn: [...actors[1]] } : {}),
      ...(things ? { entityTypeIn: [...things[1]] } : {}),
      ...(from ? { timestampFrom: from } : {}),
    },
  };
}
