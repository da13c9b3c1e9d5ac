// Which env or team the pages are about: chosen on the left, kept in the address, so that a link shows the same.
import { useSearch } from 'wouter';

export interface Scope {
  readonly envId: string | null;
  readonly teamId: string | null;
}

export function useScope(): Scope {
  const search = new URLSearchParams(useSearch());
  return { envId: search.get('env'), teamId: search.get('team') };
}

/** An address within the playground that keeps the scope. */
export function useScoped(): (path: string, more?: Readonly<Record<string, string>>) => string {
  const { envId, teamId } = useScope();
  return (path, more) => path + scopeSearch({ envId, teamId }, more);
}

export function scopeSearch({ envId, teamId }: Scope, more: Readonly<Record<string, string>> = {}): string {
  const search = new URLSearchParams({ ...(envId ? { env: envId } : {}), ...(teamId ? { team: teamId } : {}), ...more }).toString();
  return search && `?${search}`;
}

/** As a filter of the API takes it; a team says more than its env. */
export function scopeFilter({ envId, teamId }: Scope): { envId?: string; teamId?: string } {
  if (teamId) return { teamId };
  return envId ? { envId } : {};
}

/** Whether what somebody owns is of the chosen env or team, for lists that the API does not narrow so. */
export function isWithin(
  { envId, teamId }: Scope,
  owner: { readonly teamId: string | null; readonly envId: string | null } | null,
): boolean {
  return teamId ? owner?.teamId === teamId : !envId || owner?.envId === envId;
}
