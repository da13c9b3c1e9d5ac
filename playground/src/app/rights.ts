// What the viewer may do, as far as it decides what is offered. The server decides what is done.
import { createContext, useContext } from 'react';
import { useQuery } from 'urql';
import { PlacesDocument, type PlacesQuery } from '../client/generated';
import { useScope } from './scope';

export interface Owner {
  readonly teamId: string | null | undefined;
  readonly envId?: string | null | undefined;
}

/**
 * `change` what a team owns; `administer` a team or, without one, an env; `grant` rights to programs, `span` several envs with
 * them; `register` schemas.
 */
export type Deed = 'change' | 'administer' | 'grant' | 'span' | 'register';
export type Can = (deed: Deed, owner?: Owner) => boolean;

function rightsOf(viewer: PlacesQuery['viewer'] | undefined): Can {
  if (!viewer) return () => false;
  const { user, envs, teams } = viewer;
  if (user.isSuperuser) return () => true;
  const admins = envs.filter(({ role }) => role === 'ADMIN');
  return (deed, { teamId, envId } = { teamId: null }) => {
    if (deed === 'span') return false;
    if (deed === 'grant') return admins.length > 0 || teams.some(({ admin }) => admin);
    if (deed === 'register') return admins.length > 0 || teams.length > 0;
    if (envId && admins.some(({ env }) => env?.id === envId)) return true;
    return Boolean(teamId) && teams.some(({ team, admin }) => team?.id === teamId && (admin || deed === 'change'));
  };
}

export function useCan(): Can {
  // The menu has asked, and what it was told is kept true.
  const [{ data }] = useQuery({ query: PlacesDocument, requestPolicy: 'cache-first' });
  return rightsOf(data?.viewer);
}

/** Whether it is known yet what one may. */
export function useKnown(): boolean {
  const [{ data }] = useQuery({ query: PlacesDocument, requestPolicy: 'cache-first' });
  return data !== undefined;
}

/** The envs and teams that one may do this to, those of the chosen scope alone where there is one. */
export function usePlacesFor(deed: 'change' | 'administer') {
  const { envId, teamId } = useScope();
  const [{ data }] = useQuery({ query: PlacesDocument, requestPolicy: 'cache-first' });
  const can = rightsOf(data?.viewer);
  const teams = (data?.teams.nodes ?? []).filter((team) => can(deed, { teamId: team.id, envId: team.envId }));
  const envs = (data?.envs.nodes ?? []).filter(({ id }) => can(deed, { teamId: null, envId: id }));
  const scoped = teams.filter((team) => (teamId ? team.id === teamId : !envId || team.envId === envId));
  return { teams, envs, scoped };
}

/** On the page of one thing: whether the viewer may change it. Who may not is not offered to. */
export const MayChange = createContext(false);
export const useMayChange = () => useContext(MayChange);
