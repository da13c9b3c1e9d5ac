// What each role may do, for whoever gives one or has one.
import type { Role } from './place';
import { MAY, ROLE } from './words';

const KINDS = ['Environment', 'Team'] as const;

export function Roles() {
  return (
    <details className="card">
      <summary>What a reader, a member and an admin may do</summary>
      <dl className="facts roles">
        {KINDS.flatMap((kind) =>
          (['READER', 'MEMBER', 'ADMIN'] as const satisfies readonly Role[])
            .filter((role) => MAY[kind][role])
            .map((role) => (
              <div key={kind + role}>
                <dt>
                  {ROLE[role]} of {kind === 'Team' ? 'a team' : 'an environment'}
                </dt>
                <dd>{MAY[kind][role]}</dd>
              </div>
            )),
        )}
        <div>
          <dt>superuser</dt>
          <dd>Sees and changes everything everywhere, and alone makes accounts and environments.</dd>
        </div>
      </dl>
    </details>
  );
}
