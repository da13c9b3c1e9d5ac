// The syncs of a source: the one that runs with all its tables, those before, and a way to start another.
import { useState } from 'react';
import { useQuery } from 'urql';
import { useMayChange } from '../app/rights';
import { SyncProgressDocument, SyncRunsDocument, type WorkerState } from '../client/generated';
import { useLive } from '../client/hooks';
import { Notice } from '../ui/Notice';
import { More, usePages, type PageOf } from '../ui/Pages';
import { Button, Empty } from '../ui/parts';
import { Shown } from '../ui/Shown';
import { Run } from './Run';
import { StartSync } from './StartSync';
import './syncs.css';

interface Props {
  readonly connectorId: string;
  readonly name: string;
  readonly worker: WorkerState | undefined;
}

export function SyncPanel({ connectorId, name, worker }: Props) {
  const mayChange = useMayChange();
  const [starting, setStarting] = useState(false);
  const { pages } = usePages();
  // The same question as the first page's, so it is asked once.
  const [{ data }] = useQuery({ query: SyncRunsDocument, variables: { connectorId, after: null } });
  const running = data?.connector?.syncRuns.nodes.some(({ status }) => status === 'SYNCING') ?? false;
  const refused = running ? 'A sync of it is under way already.' : worker === 'STOPPING' && 'Its worker is stopping.';
  useLive(SyncProgressDocument, { filter: { connectorIds: [connectorId] } });
  return (
    <section className="card stack" aria-labelledby="syncs">
      <div className="head">
        <h2 id="syncs">Syncs</h2>
        {mayChange && (
          <Button kind="primary" refused={refused} onClick={() => setStarting(true)}>
            Start a sync
          </Button>
        )}
      </div>
      <Notice mood="waiting">{running && (worker === 'PAUSED' || worker === 'ERROR') && 'The sync waits: its worker does not run.'}</Notice>
      {pages.map((page) => (
        <Page key={page.after ?? ''} connectorId={connectorId} refused={refused} page={page} />
      ))}
      {starting && <StartSync connectorId={connectorId} name={name} onClose={() => setStarting(false)} />}
    </section>
  );
}

interface PageProps {
  readonly connectorId: string;
  readonly refused: string | false;
  readonly page: PageOf;
}

function Page({ connectorId, refused, page }: PageProps) {
  const [result] = useQuery({ query: SyncRunsDocument, variables: { connectorId, after: page.after } });
  return (
    <Shown of={result}>
      {({ connector }) => {
        const { nodes, pageInfo } = connector?.syncRuns ?? { nodes: [], pageInfo: { hasNextPage: false, endCursor: null } };
        if (nodes.length === 0)
          return <Empty title="Nothing was synced yet.">A sync reads whole tables once, and then they are kept up to date.</Empty>;
        return (
          <>
            {nodes.map((run, index) => (
              <Run key={run.id} run={run} open={page.after === null && index === 0} refused={refused} />
            ))}
            <More page={page} info={pageInfo} word="Show older syncs" />
          </>
        );
      }}
    </Shown>
  );
}
