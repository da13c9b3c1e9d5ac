// All connectors of the scope: what each is, what its worker does, and what it is syncing.
import { useQuery } from 'urql';
import { Link } from 'wouter';
import { usePlacesFor } from '../app/rights';
import { scopeFilter, useScope, useScoped } from '../app/scope';
import { kindOf } from './kinds';
import { ConnectorsDocument, SyncProgressDocument, WorkerStatesDocument, type ConnectorsQuery, type Way } from '../client/generated';
import { useLive } from '../client/hooks';
import { Ago, Bar, Empty, Scroll, Title } from '../ui/parts';
import { Shown } from '../ui/Shown';
import { State } from '../ui/State';
import { runLook, WORKER_HEALTH, workerLook } from '../ui/words';

type Row = ConnectorsQuery['connectors']['nodes'][number];

const WAYS: readonly (readonly [Way, string])[] = [
  ['SOURCE', 'Sources'],
  ['TARGET', 'Targets'],
];

export default function ConnectorsPage() {
  const scoped = useScoped();
  const filter = scopeFilter(useScope());
  const { scoped: mine } = usePlacesFor('change');
  const [result] = useQuery({ query: ConnectorsDocument, variables: { filter } });
  useLive(WorkerStatesDocument, { filter });
  useLive(SyncProgressDocument, { filter });
  return (
    <div className="stack">
      <Title text="Connectors">
        {mine.length > 0 && (
          <Link href={scoped('/connectors/new')} className="button primary">
            New connector
          </Link>
        )}
      </Title>
      <Shown of={result}>
        {({ connectors: { nodes } }) =>
          nodes.length === 0 ? (
            <Empty title="You see no connectors here.">A connector reads from or writes to one system; pipelines join two of them.</Empty>
          ) : (
            WAYS.map(([way, title]) => <List key={way} way={way} title={title} rows={nodes.filter((row) => row.way === way)} />)
          )
        }
      </Shown>
    </div>
  );
}

function List({ way, title, rows }: { readonly way: Way; readonly title: string; readonly rows: readonly Row[] }) {
  const scoped = useScoped();
  if (rows.length === 0) return null;
  return (
    <section className="card" aria-label={title}>
      <h2>{title}</h2>
      <Scroll label={title}>
        <table>
          <thead>
            <tr>
              <th scope="col">Name</th>
              <th scope="col">Type</th>
              <th scope="col">Team</th>
              <th scope="col">Worker</th>
              <th scope="col">Heard from</th>
              {way === 'SOURCE' && <th scope="col">Last sync</th>}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ id, name, connectorType, team, worker, syncRuns }) => (
              <tr key={id}>
                <td>
                  <Link href={scoped(`/connectors/${id}`)}>{name}</Link>
                </td>
                <td className="quiet">{kindOf(connectorType)}</td>
                <td className="quiet">{team?.name}</td>
                <td>
                  {worker && <State look={workerLook(worker)} bare />}
                  {worker?.reason && <div className="small quiet">{worker.reason}</div>}
                </td>
                <td className="quiet" title={worker ? `It ${WORKER_HEALTH[worker.health]}.` : undefined}>
                  {/* A heartbeat alone is told by no event, so of the healthy only that is known. */}
                  {worker?.health === 'HEALTHY' ? 'regularly' : <Ago at={worker?.lastHeartbeatAt ?? null} />}
                </td>
                {way === 'SOURCE' && (
                  <td>
                    <LastSync run={syncRuns.nodes[0]} name={name ?? ''} />
                  </td>
                )}
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
    </section>
  );
}

function LastSync({ run, name }: { readonly run: Row['syncRuns']['nodes'][number] | undefined; readonly name: string }) {
  if (!run) return <span className="quiet">none</span>;
  if (run.status === 'SYNCING')
    return <Bar percent={run.progress.percent} mood={run.stalledSince ? 'bad' : 'idle'} label={`Sync of ${name}`} />;
  return (
    <>
      <State look={runLook(run)} bare />
      <div className="small quiet">
        <Ago at={run.end?.endedAt ?? null} />
      </div>
    </>
  );
}
