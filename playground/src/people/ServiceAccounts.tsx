// Accounts of programs: what each may do, and its tokens.
import { useState } from 'react';
import { useQuery } from 'urql';
import { DeleteServiceAccountDocument, RevokeTokenDocument, ServiceAccountsDocument, type ServiceAccountsQuery } from '../client/generated';
import { useMutate } from '../client/hooks';
import { Ask } from '../ui/Ask';
import { date } from '../ui/format';
import { Ago, Button, Empty } from '../ui/parts';
import { Shown } from '../ui/Shown';
import { NewServiceAccount } from './NewServiceAccount';
import { NewToken } from './NewToken';
import { ROLE } from './roles';

type Account = ServiceAccountsQuery['serviceAccounts']['nodes'][number];

export function ServiceAccounts() {
  const [making, setMaking] = useState(false);
  const [result] = useQuery({ query: ServiceAccountsDocument });
  return (
    <section className="card stack" aria-labelledby="accounts">
      <div className="head">
        <h2 id="accounts">Service accounts</h2>
        <Button onClick={() => setMaking(true)}>New service account</Button>
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
      {making && <NewServiceAccount onClose={() => setMaking(false)} />}
    </section>
  );
}

function grant({ role, admin, worker, env, team }: Account['grants'][number]): string {
  if (role) return `${ROLE[role]} of ${env?.name ?? 'an environment'}`;
  return `${admin ? 'admin' : 'member'} of ${team?.name ?? 'a team'}${worker ? ', acts for its workers' : ''}`;
}

function Row({ account: { id, name, grants, tokens } }: { readonly account: Account }) {
  const [remove] = useMutate(DeleteServiceAccountDocument);
  const [issuing, setIssuing] = useState(false);
  const [deleting, setDeleting] = useState(false);
  const living = tokens.filter(({ revokedAt, expiresAt }) => !revokedAt && Date.parse(expiresAt) > Date.now());

  return (
    <article className="account stack tight" aria-label={name}>
      <div className="head">
        <div>
          <h3>{name}</h3>
          <p className="quiet small">{grants.map(grant).join('; ') || 'may do nothing'}</p>
        </div>
        <div className="row">
          <Button aria-label={`Issue a token for ${name}`} onClick={() => setIssuing(true)}>
            Issue a token
          </Button>
          <Button kind="danger" aria-label={`Delete ${name}`} onClick={() => setDeleting(true)}>
            Delete
          </Button>
        </div>
      </div>
      {living.length > 0 && (
        <ul className="plain">
          {living.map((one) => (
            <Token key={one.id} token={one} account={name} />
          ))}
        </ul>
      )}
      {issuing && <NewToken accountId={id} account={name} onClose={() => setIssuing(false)} />}
      {deleting && (
        <Ask
          title={`Delete ${name}?`}
          verb={`Delete ${name}`}
          danger
          run={() => remove({ input: { serviceAccountId: id } })}
          done={`${name} is deleted.`}
          onClose={() => setDeleting(false)}
        >
          Its memberships end and its tokens are refused at once, so every program that uses one of them stops working.
        </Ask>
      )}
    </article>
  );
}

function Token({ token: { id, name, createdAt, expiresAt }, account }: { readonly token: Account['tokens'][number]; readonly account: string }) {
  const [revoke, revoking] = useMutate(RevokeTokenDocument);
  const [asking, setAsking] = useState(false);
  return (
    <li className="head small">
      <span>
        Token {name && <b>{name}</b>}{' '}
        <span className="quiet">
          issued <Ago at={createdAt} />, ends {date(expiresAt)}
        </span>
      </span>
      <Button kind="plain" busy={revoking} aria-label={`Revoke the token ${name ?? ''} of ${account}`} onClick={() => setAsking(true)}>
        Revoke
      </Button>
      {asking && (
        <Ask
          title={`Revoke the token ${name ?? ''} of ${account}?`}
          verb="Revoke"
          danger
          run={() => revoke({ input: { tokenId: id } })}
          done="The token is revoked."
          onClose={() => setAsking(false)}
        >
          Whatever uses it is refused within seconds. When a token was used last is in the audit trail, as what {account} has done.
        </Ask>
      )}
    </li>
  );
}
