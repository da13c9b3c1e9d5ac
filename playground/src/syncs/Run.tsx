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
import { Ask } from '../ui/Ask';
import { moment } from '../ui/format';
import { usePages, type PageOf } from '../ui/Pages';
import { Ago, Bar, Button } from '../ui/parts';
import { Notice } from '../ui/Notice';
import { Shown } from '../ui/Shown';
import { State } from '../ui/State';
import { say } from '../ui/toasts';
import { runLook } from '../ui/words';
import { Table } from './Table';
import { progressWords } from './words';

type RunShown = NonNullable<SyncRunsQuery['connector']>['syncRuns']['nodes'][number];

interface Props {
  readonly run: RunShown;
  readonly open: boolean;
  /** Why no other sync can be started now. */
  readonly refused: string | false;
}

export function Run({ run, open: initially, refused }: Props) {
  const [open, setOpen] = useState(initially);
  const running = run.status === 'SYNCING';
  return (
    <article className="run stack tight" aria-label={`Sync of ${run.createdAt ? moment(run.createdAt) : 'an unknown time'}`}>
      <div className="head">
        <div className="row">
          <State look={runLook(run)} />
          <span className="quiet small">
            started <Ago at={run.createdAt} /> by {run.triggeredByEmail ?? 'nobody in particular'}
            {run.end?.byEmail && run.end.cause === 'CANCELLED' && `, cancelled by ${run.end.byEmail}`}
          </span>
        </div>
        <Actions run={run} refused={refused} />
      </div>
      {running && <Bar percent={run.progress.percent} mood={run.stalledSince ? 'bad' : 'idle'} label="All of it" />}
      <p className="small quiet">{progressWords(run)}</p>
      {run.end?.cause === 'ABANDONED' && <Notice>{run.end.reason}</Notice>}
      <details open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>Tables</summary>
        {open && <Tables runId={run.id} connectorId={run.connectorId} running={running} refused={refused} />}
      </details>
    </article>
  );
}

function Actions({ run, refused }: Omit<Props, 'open'>) {
  const mayChange = useMayChange();
  const [cancel] = useMutate(CancelSyncDocument);
  const [retry, retrying] = useMutate(RetrySyncDocument);
  const input = { syncRunId: run.id };

  async function onRetry() {
    const { errors } = await retry({ input });
    say(errors?.words ?? 'A new sync reads what did not complete.', errors ? 'bad' : 'good');
  }

  if (!mayChange) return null;
  if (run.status === 'SYNCING') {
    return (
      <Ask
        word="Cancel"
        kind="danger"
        question="Cancel the sync?"
        yes="Cancel the sync"
        no="Let it go on"
        run={() => cancel({ input })}
        done="The sync is cancelled."
      >
        What is being read stays in part, what waits is not read.
      </Ask>
    );
  }
  if (run.outcome === 'SUCCEEDED') return null;
  return (
    <Button busy={retrying} refused={refused} onClick={onRetry}>
      Retry what did not complete
    </Button>
  );
}

type TablesProps = Pick<Props, 'refused'> & { readonly runId: string; readonly connectorId: string; readonly running: boolean };

function Tables(props: TablesProps) {
  const { pages } = usePages();
  return (
    <ul className="tables">
      {pages.map((page) => (
        <TablesPage key={page.after ?? ''} {...props} {...page} />
      ))}
    </ul>
  );
}

type PageProps = TablesProps & PageOf;

/** Failed tables first, where they are not to be overlooked; otherwise in the order of the queue. */
const byFailure = (one: SyncTableRowFragment, other: SyncTableRowFragment) =>
  Number(other.status === 'FAILED') - Number(one.status === 'FAILED');

function TablesPage({ runId, connectorId, running, refused, after, onMore }: PageProps) {
  const [result] = useQuery({ query: SyncTablesDocument, variables: { id: runId, after } });
  return (
    <Shown of={result}>
      {({ syncRun }) => (
        <>
          {[...(syncRun?.syncTables.nodes ?? [])].sort(byFailure).map((table) => (
            <Table key={table.id} table={table} connectorId={connectorId} running={running} refused={refused} />
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
