// Accounts of programs: what each may do, its tokens, and a new token, which is shown once.
import { useState } from 'react';
import { useQuery } from 'urql';
import { useCan } from '../app/rights';
import { IssueTokenDocument, RevokeTokenDocument, ServiceAccountsDocument, type ServiceAccountsQuery } from '../client/generated';
import { useMutate } from '../client/hooks';
import { Dialog } from '../ui/Dialog';
import { Ago, Button, Empty } from '../ui/parts';
import { Shown } from '../ui/Shown';
import { say } from '../ui/toasts';
import { NewServiceAccount } from './NewServiceAccount';
import { ROLE, tell } from './PlacePanel';

type Account = ServiceAccountsQuery['serviceAccounts']['nodes'][number];

const MONTH = 30 * 86_400;

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
      {making && <NewServiceAccount onClose={() => setMaking(false)} />}
    </section>
  );
}

function grant({ role, admin, worker, env, team }: Account['grants'][number]): string {
  if (role) return `${ROLE[role]} of ${env?.name ?? 'an environment'}`;
  return `${admin ? 'admin' : 'member'} of ${team?.name ?? 'a team'}${worker ? ', acts for its workers' : ''}`;
}

function Row({ account: { id, name, grants, tokens } }: { readonly account: Account }) {
  const [issue, issuing] = useMutate(IssueTokenDocument);
  const [revoke, revoking] = useMutate(RevokeTokenDocument);
  const [token, setToken] = useState<string | null>(null);
  const living = tokens.filter(({ revokedAt, expiresAt }) => !revokedAt && Date.parse(expiresAt) > Date.now());

  async function onIssue() {
    const { data, errors } = await issue({ input: { serviceAccountId: id, name: 'from the playground', lifetime: MONTH } });
    if (errors) say(errors.words, 'bad');
    else setToken(data.issueServiceAccountToken.accessToken);
  }

  return (
    <article className="account stack tight" aria-label={name}>
      <div className="head">
        <div>
          <h3>{name}</h3>
          <p className="quiet small">{grants.map(grant).join('; ') || 'may do nothing'}</p>
        </div>
        <Button busy={issuing} onClick={onIssue}>
          Issue a token
        </Button>
      </div>
      {living.length > 0 && (
        <ul className="plain">
          {living.map((one) => (
            <li key={one.id} className="head small">
              <span>
                Token {one.name}{' '}
                <span className="quiet">
                  issued <Ago at={one.createdAt} />, ends {new Date(one.expiresAt).toLocaleDateString()}
                </span>
              </span>
              <Button kind="plain" busy={revoking} onClick={() => tell(revoke({ input: { tokenId: one.id } }), 'The token is revoked.')}>
                Revoke
              </Button>
            </li>
          ))}
        </ul>
      )}
      {token && (
        <Dialog title={`A token for ${name}`} onClose={() => setToken(null)}>
          <p>It is shown this once. It lives for 30 days, or until it is revoked.</p>
          <textarea readOnly aria-label="Token" rows={6} value={token} onFocus={(event) => event.target.select()} />
          <div className="actions">
            <Button onClick={() => navigator.clipboard.writeText(token).then(() => say('Copied.'))}>Copy</Button>
            <Button kind="primary" onClick={() => setToken(null)}>
              Close
            </Button>
          </div>
        </Dialog>
      )}
    </article>
  );
}
