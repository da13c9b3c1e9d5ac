// What the viewer may do, as far as it decides what is offered. The server decides what is done.
import { createContext, useContext } from 'react';
import { useQuery } from 'urql';
import { PlacesDocument } from '../client/generated';

interface Owner {
  readonly teamId: string | null | undefined;
  readonly envId: string | null | undefined;
}

export interface Rights {
  administersEnv(envId: string | null | undefined): boolean;
  administersTeam(owner: Owner): boolean;
  /** Whether they may change what the team owns. */
  changes(owner: Owner): boolean;
}

export function useRights(): Rights {
  // The menu has asked, and what it was told is kept true.
  const [{ data }] = useQuery({ query: PlacesDocument, requestPolicy: 'cache-first' });
  const viewer = data?.viewer;
  const administersEnv: Rights['administersEnv'] = (envId) =>
    viewer !== undefined && (viewer.user.isSuperuser || viewer.envs.some(({ env, role }) => role === 'ADMIN' && env?.id === envId));
  const belongs = (teamId: Owner['teamId'], asAdmin: boolean) =>
    viewer?.teams.some(({ team, admin }) => team?.id === teamId && (admin || !asAdmin)) ?? false;
  return {
    administersEnv,
    administersTeam: ({ teamId, envId }) => administersEnv(envId) || belongs(teamId, true),
    changes: ({ teamId, envId }) => administersEnv(envId) || belongs(teamId, false),
  };
}

/** On the page of one thing: whether the viewer may change it. Who may not is not offered to. */
export const MayChange = createContext(false);
export const useMayChange = () => useContext(MayChange);
