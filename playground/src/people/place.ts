// An env and a team have members, invitations and requests alike; here they become one shape, so that the page is written once.
import { useQuery } from 'urql';
import {
  CancelEnvRequestDocument, CancelTeamRequestDocument, EnvPeopleDocument, InviteToEnvDocument, InviteToTeamDocument, RemoveEnvMemberDocument, RemoveTeamMemberDocument, SetEnvMemberDocument,
  SetTeamMemberDocument, TeamPeopleDocument, type EnvRole, type InvitedFragment, type PersonFragment,
} from '../client/generated'; // prettier-ignore
import { useMutate, type Outcome } from '../client/hooks';

/** A team knows admins and members, an env readers beside them. */
export type Role = EnvRole;

export interface Member {
  readonly id: string;
  readonly role: Role;
  readonly since: string;
  readonly user: PersonFragment | null;
}

export interface Asked {
  readonly id: string;
  readonly role: Role;
  readonly createdAt: string | null;
  readonly from: string;
  readonly to: string;
}

export interface Place {
  readonly name: string;
  /** The env of a team. */
  readonly within: string | null;
  readonly roles: readonly Role[];
  readonly members: readonly Member[];
  readonly requests: readonly Asked[];
  readonly invitations: readonly InvitedFragment[];
}

interface Acts {
  readonly busy: boolean;
  invite(email: string, role: Role): Promise<Outcome<unknown>>;
  setRole(userId: string, role: Role): Promise<Outcome<unknown>>;
  remove(userId: string): Promise<Outcome<unknown>>;
  /** Takes back an invitation. */
  cancel(requestId: string): Promise<Outcome<unknown>>;
}

const teamRole = (admin: boolean): Role => (admin ? 'ADMIN' : 'MEMBER');

export interface Shown {
  /** Null while it is on its way. */
  readonly place: Place | null;
  readonly failed: boolean;
  readonly acts: Acts;
}

export function useEnvPlace(envId: string): Shown {
  const [{ data, error }] = useQuery({ query: EnvPeopleDocument, variables: { id: envId } });
  const [invite, inviting] = useMutate(InviteToEnvDocument);
  const [set, setting] = useMutate(SetEnvMemberDocument);
  const [remove, removing] = useMutate(RemoveEnvMemberDocument);
  const [cancel] = useMutate(CancelEnvRequestDocument);
  const env = data?.env;
  return {
    failed: Boolean(error) || (data !== undefined && !env),
    place: env
      ? {
          name: env.name ?? 'Unnamed environment',
          within: null,
          roles: ['READER', 'MEMBER', 'ADMIN'],
          members: env.members.nodes.map(({ id, role, timestamp, user }) => ({ id, role, since: timestamp, user })),
          requests: env.requests.nodes.map((one) => ({ ...asked(one), role: one.role })),
          invitations: env.invitations,
        }
      : null,
    acts: {
      busy: inviting || setting || removing,
      invite: (email, role) => invite({ input: { envId, email, role } }),
      setRole: (userId, role) => set({ input: { envId, userId, role } }),
      remove: (userId) => remove({ input: { envId, userId } }),
      cancel: (requestId) => cancel({ input: { requestId } }),
    },
  };
}

export function useTeamPlace(teamId: string): Shown {
  const [{ data, error }] = useQuery({ query: TeamPeopleDocument, variables: { id: teamId } });
  const [invite, inviting] = useMutate(InviteToTeamDocument);
  const [set, setting] = useMutate(SetTeamMemberDocument);
  const [remove, removing] = useMutate(RemoveTeamMemberDocument);
  const [cancel] = useMutate(CancelTeamRequestDocument);
  const team = data?.team;
  return {
    failed: Boolean(error) || (data !== undefined && !team),
    place: team
      ? {
          name: team.name ?? 'Unnamed team',
          within: team.env?.name ?? null,
          roles: ['MEMBER', 'ADMIN'],
          members: team.members.nodes.map(({ id, admin, timestamp, user }) => ({ id, role: teamRole(admin), since: timestamp, user })),
          requests: team.requests.nodes.map((one) => ({ ...asked(one), role: teamRole(one.admin) })),
          invitations: team.invitations,
        }
      : null,
    acts: {
      busy: inviting || setting || removing,
      invite: (email, role) => invite({ input: { teamId, email, admin: role === 'ADMIN' } }),
      setRole: (userId, role) => set({ input: { teamId, userId, admin: role === 'ADMIN' } }),
      remove: (userId) => remove({ input: { teamId, userId } }),
      cancel: (requestId) => cancel({ input: { requestId } }),
    },
  };
}

interface Ask {
  readonly id: string;
  readonly createdAt: string | null;
  readonly fromUser: { readonly email: string } | null;
  readonly toUser: { readonly email: string } | null;
}

const asked = ({ id, createdAt, fromUser, toUser }: Ask) => ({
  id,
  createdAt,
  from: fromUser?.email ?? 'somebody',
  to: toUser?.email ?? 'somebody',
});
