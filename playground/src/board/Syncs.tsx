// The snapshots that run now, and how the last one ended.
import { useQuery } from 'urql';
import { Link } from 'wouter';
import { isWithin, scopeFilter, useScoped, type Scope } from '../app/scope';
import { RecentSyncsDocument, SyncProgressDocument, type RecentSyncsQuery } from '../client/generated';
import { useLive } from '../client/hooks';
import { Ago, Bar } from '../ui/parts';
import { State } from '../ui/State';
import { runLook } from '../ui/words';
import { progressWords } from '../syncs/words';

type Run = RecentSyncsQuery['syncRuns']['nodes'][number];

export function Syncs({ scope }: { readonly scope: Scope }) {
  useLive(SyncProgressDocument, { filter: scopeFilter(scope) });
  const [{ data }] = useQuery({ query: RecentSyncsDocument });
  const runs = data?.syncRuns.nodes.filter(({ connector }) => isWithin(scope, connector));
  if (!runs?.length) return null;
  // Of each connector the latest: what runs, and what did not come out well; if all did, the last one.
  const latest = runs.filter((run, index) => runs.findIndex(({ connectorId }) => connectorId === run.connectorId) === index);
  const notable = latest.filter(({ status, outcome }) => status === 'SYNCING' || (outcome !== null && outcome !== 'SUCCEEDED'));
  return (
    <section className="card stack tight" aria-label="Syncs">
      {(notable.length > 0 ? notable : latest.slice(0, 1)).map((run) => (
        <Line key={run.id} run={run} />
      ))}
    </section>
  );
}

function Line({ run }: { readonly run: Run }) {
  const scoped = useScoped();
  const look = runLook(run);
  const name = run.connector?.name ?? 'a connector that is gone';
  return (
    <div className="sync-line">
      <State look={look} bare />
      {run.connector ? <Link href={scoped(`/connectors/${run.connector.id}`)}>{name}</Link> : name}
      {run.status === 'SYNCING' ? (
        <Bar percent={run.progress.percent} mood={run.stalledSince ? 'bad' : 'idle'} label={`Sync of ${name}`} />
      ) : (
        <span className="quiet small">
          last sync, ended <Ago at={run.end?.endedAt ?? null} />
        </span>
      )}
      <span className="quiet small">{progressWords(run)}</span>
    </div>
  );
}
