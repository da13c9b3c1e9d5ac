// The roles, in a word and in a sentence each.
import type { Role } from './place';

export const ROLE: Record<Role, string> = { ADMIN: 'admin', MEMBER: 'member', READER: 'reader' };

export const MAY: Record<'Environment' | 'Team', Partial<Record<Role, string>>> = {
  Environment: {
    READER: 'sees everything in the environment and changes nothing.',
    MEMBER: 'sees the environment and its members, and may make teams in it; of what teams own, only that of their own teams.',
    ADMIN: 'may do everything in the environment: its settings, its members, its teams and all that these own.',
  },
  Team: {
    MEMBER: 'sees and changes everything that the team owns, starts and stops it, and runs syncs.',
    ADMIN: 'may do that too, and decides about the team’s settings and members.',
  },
};

export function Roles() {
  return (
    <details className="card">
      <summary>What a reader, a member and an admin may do</summary>
      <dl className="facts roles">
        {(['Environment', 'Team'] as const).flatMap((kind) =>
          Object.entries(MAY[kind]).map(([role, words]) => (
            <div key={kind + role} className="fact">
              <dt>
                {ROLE[role as Role]} of {kind === 'Team' ? 'a team' : 'an environment'}
              </dt>
              <dd>{words}</dd>
            </div>
          )),
        )}
        <div className="fact">
          <dt>superuser</dt>
          <dd>may do everything everywhere, and alone makes accounts and environments.</dd>
        </div>
      </dl>
    </details>
  );
}
