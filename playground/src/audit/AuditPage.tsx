// The audit trail: who did what to what, the latest first, growing by itself.
import { useState } from 'react';
import { useQuery } from 'urql';
import { scopeFilter, useScope } from '../app/scope';
import { AuditDocument, type AuditQuery, type UserLogFilter, type Verb } from '../client/generated';
import { moment } from '../ui/format';
import { Ago, Button, Empty, Field, Scroll, Title } from '../ui/parts';
import { Shown } from '../ui/Shown';
import { spaced, VERB } from '../ui/words';

type Entry = AuditQuery['userLogs']['nodes'][number];
type Place = { readonly first: number; readonly after?: string } | { readonly last: number; readonly before: string };

const PAGE = 40;

export default function AuditPage() {
  const scope = useScope();
  const [action, setAction] = useState<Verb | ''>('');
  const [email, setEmail] = useState('');
  const [place, setPlace] = useState<Place>({ first: PAGE });
  const filter: UserLogFilter = {
    ...scopeFilter(scope),
    ...(action ? { action } : {}),
    ...(email ? { userEmail: email.trim().toLowerCase() } : {}),
  };
  const [result] = useQuery({ query: AuditDocument, variables: { filter, ...place } });
  return (
    <div className="stack">
      <Title text="Audit trail" />
      <div className="row">
        <Field label="What was done">
          {(tied) => (
            <select
              {...tied}
              value={action}
              onChange={(event) => {
                setAction(event.target.value as Verb | '');
                setPlace({ first: PAGE });
              }}
            >
              <option value="">anything</option>
              {Object.entries(VERB).map(([verb, word]) => (
                <option key={verb} value={verb}>
                  {word}
                </option>
              ))}
            </select>
          )}
        </Field>
        <Field label="By whom">
          {(tied) => (
            <input
              {...tied}
              type="email"
              placeholder="their whole address"
              value={email}
              onChange={(event) => {
                setEmail(event.target.value);
                setPlace({ first: PAGE });
              }}
            />
          )}
        </Field>
      </div>
      <Shown of={result}>
        {({ userLogs: { nodes, pageInfo } }) => (
          <section className="card stack" aria-label="Entries">
            {nodes.length === 0 ? (
              <Empty title="Nothing of that kind is written down.">
                Everybody sees their own doings; admins see those of their environments and teams.
              </Empty>
            ) : (
              <Entries entries={nodes} />
            )}
            <div className="row">
              {pageInfo.hasPreviousPage && pageInfo.startCursor && (
                <Button onClick={() => setPlace({ last: PAGE, before: pageInfo.startCursor ?? '' })}>Newer</Button>
              )}
              {pageInfo.hasNextPage && pageInfo.endCursor && (
                <Button onClick={() => setPlace({ first: PAGE, after: pageInfo.endCursor ?? '' })}>Older</Button>
              )}
            </div>
          </section>
        )}
      </Shown>
    </div>
  );
}

function Entries({ entries }: { readonly entries: readonly Entry[] }) {
  return (
    <Scroll label="Entries">
      <table>
        <thead>
          <tr>
            <th scope="col">When</th>
            <th scope="col">Who</th>
            <th scope="col">What</th>
            <th scope="col">Where</th>
          </tr>
        </thead>
        <tbody>
          {entries.map(
            ({ id, timestamp, userEmail, actorName, action, entityType, entityName, targetUser, changedFields, requestId, env, team }) => (
              <tr key={id} title={requestId ? `Request ${requestId}` : undefined}>
                <td className="quiet nowrap">
                  <Ago at={timestamp} />
                  <div className="small">{moment(timestamp)}</div>
                </td>
                <td>
                  <span title={actorName ?? undefined}>{userEmail ?? actorName?.replace(/^worker .*/, 'a worker') ?? 'the system'}</span>
                </td>
                <td>
                  {VERB[action]}{' '}
                  {entityName !== userEmail && (
                    <>
                      {entityType !== 'SyncRun' && `${spaced(entityType)} `}
                      <b>{entityName}</b>
                    </>
                  )}
                  {targetUser && targetUser.email !== userEmail && targetUser.email !== entityName && (
                    <>
                      {' '}
                      for <b>{targetUser.email}</b>
                    </>
                  )}
                  {changedFields.length > 0 && <div className="small quiet">{changedFields.join(', ')}</div>}
                </td>
                <td className="quiet">{[env?.name, team?.name].filter(Boolean).join(' / ')}</td>
              </tr>
            ),
          )}
        </tbody>
      </table>
    </Scroll>
  );
}
