// Accounts of programs: what each may do, its tokens, and a new token, which is shown once.
import { useState } from 'react';
import { useQuery } from 'urql';
import { useCan } from '../app/rights';
import { DeleteServiceAccountDocument, RevokeTokenDocument, ServiceAccountsDocument, type ServiceAccountsQuery } from '../client/generated';
import { useMutate } from '../client/hooks';
import { Ask, Delete } from '../ui/Ask';
import { date } from '../ui/format';
import { Ago, Button, Empty } from '../ui/parts';
import { Shown } from '../ui/Shown';
import { IssueToken } from './IssueToken';
import { ServiceAccountForm } from './ServiceAccountForm';
import { ROLE } from './words';

type Account = ServiceAccountsQuery['serviceAccounts']['nodes'][number];

export function ServiceAccounts() {
  const can = useCan();
  const [making, setMaking] = useState(false);
  const [result] = useQuery({ query: ServiceAccountsDocument });
  return (
    <section className="card stack" aria-labelledby="accounts">
      <div className="head">
        <h2 id="accounts">Service accounts</h2>
        {can('grant') && <Button onClick={() => setMaking(true)}>New service account</Button>}
      </div>
      <Shown of={result}>
        {({ serviceAccounts: { nodes } }) =>
          nodes.length === 0 ? (
            <Empty title="You see none.">A service account is a program that may do exactly what it was granted.</Empty>
          ) : (
            nodes.map((account) => <Row key={account.id} account={account} />)
          )
        }
      </Shown>
      {making && <ServiceAccountForm before={null} onClose={() => setMaking(false)} />}
    </section>
  );
}

function grant({ role, admin, worker, env, team }: Account['grants'][number]): string {
  if (role) return `${ROLE[role]} of ${env?.name ?? 'an environment'}`;
  return `${admin ? 'admin' : 'member'} of ${team?.name ?? 'a team'}${worker ? ', acts for its workers' : ''}`;
}

function Row({ account }: { readonly account: Account }) {
  const { id, name, grants, tokens } = account;
  const [open, setOpen] = useState<'token' | 'grants' | null>(null);
  const [revoke] = useMutate(RevokeTokenDocument);
  const [remove] = useMutate(DeleteServiceAccountDocument);
  const living = tokens.filter(({ revokedAt, expiresAt }) => !revokedAt && Date.parse(expiresAt) > Date.now());
  return (
    <article className="account stack tight" aria-label={name}>
      <div className="head">
        <div>
          <h3>{name}</h3>
          <p className="quiet small">{grants.map(grant).join('; ') || 'may do nothing'}</p>
        </div>
        <div className="row">
          <Button onClick={() => setOpen('token')}>Issue a token</Button>
          <Button aria-label={`Change what ${name} may do`} onClick={() => setOpen('grants')}>
            Change
          </Button>
          <Delete name={name} run={() => remove({ input: { serviceAccountId: id } })}>
            Its tokens end at once, and whatever uses them is refused.
          </Delete>
        </div>
      </div>
      {living.length > 0 && (
        <ul className="plain">
          {living.map((one) => (
            <li key={one.id} className="head small">
              <span>
                Token {one.name}{' '}
                <span className="quiet">
                  issued <Ago at={one.createdAt} />, ends {date(one.expiresAt)}
                </span>
              </span>
              <Ask
                word="Revoke"
                label={`Revoke the token ${one.name ?? ''}`}
                kind="danger"
                question={`Revoke the token ${one.name ?? ''}?`}
                yes="Revoke"
                run={() => revoke({ input: { tokenId: one.id } })}
                done="The token is revoked."
              >
                Whatever uses it is refused at once.
              </Ask>
            </li>
          ))}
        </ul>
      )}
      {open === 'token' && <IssueToken id={id} name={name} onClose={() => setOpen(null)} />}
      {open === 'grants' && <ServiceAccountForm before={account} onClose={() => setOpen(null)} />}
    </article>
  );
}
