// One sync: how far it is or how it ended, what can be done with it, and its tables.
import { useState } from 'react';
import { useQuery } from 'urql';
import { useMayChange } from '../app/rights';
import {
  CancelSyncDocument,
  RetrySyncDocument,
  SyncTablesDocument,
  type SyncRunsQuery,
  type SyncTableRowFragment,
} from '../client/generated';
import { useMutate } from '../client/hooks';
import { Ago, Bar, Button } from '../ui/parts';
import { Notice } from '../ui/Notice';
import { Shown } from '../ui/Shown';
import { State } from '../ui/State';
import { say } from '../ui/toasts';
import { runLook } from '../ui/words';
import { Table } from './Table';
import { progressWords } from './words';

type RunShown = NonNullable<SyncRunsQuery['connector']>['syncRuns']['nodes'][number];

export function Run({ run, open: initially }: { readonly run: RunShown; readonly open: boolean }) {
  const [open, setOpen] = useState(initially);
  const running = run.status === 'SYNCING';
  return (
    <article className="run stack tight" aria-label={`Sync of ${run.createdAt ?? 'an unknown time'}`}>
      <div className="head">
        <div className="row">
          <State look={runLook(run)} />
          <span className="quiet small">
            started <Ago at={run.createdAt} /> by {run.triggeredByEmail ?? 'nobody in particular'}
            {run.end?.byEmail && run.end.cause === 'CANCELLED' && `, cancelled by ${run.end.byEmail}`}
          </span>
        </div>
        <Actions run={run} />
      </div>
      {running && <Bar percent={run.progress.percent} mood={run.stalledSince ? 'bad' : 'idle'} label="All of it" />}
      <p className="small quiet">{progressWords(run)}</p>
      {run.end?.cause === 'ABANDONED' && <Notice>{run.end.reason}</Notice>}
      <details open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>Tables</summary>
        {open && <Tables runId={run.id} running={running} />}
      </details>
    </article>
  );
}

function Actions({ run }: { readonly run: RunShown }) {
  const mayChange = useMayChange();
  const [cancel, cancelling] = useMutate(CancelSyncDocument);
  const [retry, retrying] = useMutate(RetrySyncDocument);
  const input = { syncRunId: run.id };

  async function onCancel() {
    const { errors } = await cancel({ input });
    say(errors?.words ?? 'The sync is cancelled.', errors ? 'bad' : 'good');
  }

  async function onRetry() {
    const { errors } = await retry({ input });
    say(errors?.words ?? 'A new sync reads what did not complete.', errors ? 'bad' : 'good');
  }

  if (!mayChange) return null;
  if (run.status === 'SYNCING') {
    return (
      <Button kind="danger" busy={cancelling} onClick={onCancel}>
        Cancel
      </Button>
    );
  }
  if (run.outcome === 'SUCCEEDED') return null;
  return (
    <Button busy={retrying} onClick={onRetry}>
      Retry what did not complete
    </Button>
  );
}

function Tables({ runId, running }: { readonly runId: string; readonly running: boolean }) {
  const [pages, setPages] = useState<readonly (string | null)[]>([null]);
  return (
    <ul className="tables">
      {pages.map((after, index) => (
        <TablesPage
          key={after ?? ''}
          runId={runId}
          running={running}
          after={after}
          onMore={index === pages.length - 1 ? (cursor) => setPages([...pages, cursor]) : null}
        />
      ))}
    </ul>
  );
}

interface PageProps {
  readonly runId: string;
  readonly running: boolean;
  readonly after: string | null;
  readonly onMore: ((cursor: string) => void) | null;
}

/** Failed tables first, where they are not to be overlooked; otherwise in the order of the queue. */
const byFailure = (one: SyncTableRowFragment, other: SyncTableRowFragment) =>
  Number(other.status === 'FAILED') - Number(one.status === 'FAILED');

function TablesPage({ runId, running, after, onMore }: PageProps) {
  const [result] = useQuery({ query: SyncTablesDocument, variables: { id: runId, after } });
  return (
    <Shown of={result}>
      {({ syncRun }) => (
        <>
          {[...(syncRun?.syncTables.nodes ?? [])].sort(byFailure).map((table) => (
            <Table key={table.id} table={table} running={running} />
          ))}
          {onMore && syncRun?.syncTables.pageInfo.hasNextPage && (
            <li>
              <Button onClick={() => onMore(syncRun.syncTables.pageInfo.endCursor ?? '')}>Show more tables</Button>
            </li>
          )}
        </>
      )}
    </Shown>
  );
}
