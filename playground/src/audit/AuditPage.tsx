// The audit trail: who did what to what, the latest first, growing by itself.
import { useState } from 'react';
import { useQuery } from 'urql';
import { AuditDocument } from '../client/generated';
import { instant } from '../ui/format';
import { Ago, Button, Empty, Scroll, Title } from '../ui/parts';
import { Shown } from '../ui/Shown';
import { Filters } from './Filters';
import { useNarrowed } from './narrowed';
import { Sentence, who, type Entry } from './Sentence';
import './audit.css';

type Place = { readonly first: number; readonly after?: string } | { readonly last: number; readonly before: string };

const PAGE = 40;
const FIRST: Place = { first: PAGE };

export default function AuditPage() {
  const narrowed = useNarrowed();
  const [place, setPlace] = useState<Place>(FIRST);
  const [result] = useQuery({ query: AuditDocument, variables: { filter: narrowed.filter, ...place } });
  return (
    <div className="stack">
      <Title text="Audit trail" />
      <Filters narrowed={narrowed} onChange={() => setPlace(FIRST)} />
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
            {(pageInfo.hasPreviousPage || pageInfo.hasNextPage) && (
              <div className="row">
                {pageInfo.hasPreviousPage && (
                  <Button onClick={() => setPlace({ last: PAGE, before: pageInfo.startCursor ?? '' })}>Newer</Button>
                )}
                {pageInfo.hasNextPage && (
                  <Button onClick={() => setPlace({ first: PAGE, after: pageInfo.endCursor ?? '' })}>Older</Button>
                )}
              </div>
            )}
          </section>
        )}
      </Shown>
    </div>
  );
}

function Entries({ entries }: { readonly entries: readonly Entry[] }) {
  return (
    <Scroll label="Table of entries">
      <table className="stacks">
        <thead>
          <tr>
            <th scope="col">When</th>
            <th scope="col">Who</th>
            <th scope="col">What</th>
            <th scope="col">Where</th>
          </tr>
        </thead>
        <tbody>
          {entries.map((entry) => (
            <tr key={entry.id} title={entry.requestId ? `Request ${entry.requestId}` : undefined}>
              <td className="nowrap">
                {instant(entry.timestamp)}{' '}
                <span className="quiet small">
                  <Ago at={entry.timestamp} />
                </span>
              </td>
              <td>{who(entry)}</td>
              <td>
                <Sentence entry={entry} />
              </td>
              <td className="quiet">{[entry.env?.name, entry.team?.name].filter(Boolean).join(' / ')}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}
