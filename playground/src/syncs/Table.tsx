// One table of a sync: how far, how fast, and why it failed.
import { useMayChange } from '../app/rights';
import { SkipTableDocument, type SyncTableRowFragment } from '../client/generated';
import { useMutate } from '../client/hooks';
import { count, duration, rate } from '../ui/format';
import { Bar, Button } from '../ui/parts';
import { State } from '../ui/State';
import { say } from '../ui/toasts';
import { TABLE, type Mood } from '../ui/words';

const MOODS: Partial<Record<SyncTableRowFragment['status'], Mood>> = { COMPLETED: 'good', FAILED: 'bad', PARTIAL: 'waiting' };

function rows({ rowsIngested, approximateRowCount, status, progress }: SyncTableRowFragment): string {
  if (status === 'QUEUED') return approximateRowCount === null ? '' : `about ${count(approximateRowCount)} rows`;
  if (!progress.reported && status === 'IN_PROGRESS') return 'no report yet';
  const of = approximateRowCount !== null && status !== 'COMPLETED' ? ` of about ${count(approximateRowCount)}` : '';
  return `${count(rowsIngested)}${of} rows`;
}

function left({ approximateRowCount, rowsIngested, progress: { rowsPerSecond } }: SyncTableRowFragment): string | null {
  if (!rowsPerSecond || approximateRowCount === null || approximateRowCount <= rowsIngested) return null;
  return `about ${duration((approximateRowCount - rowsIngested) / rowsPerSecond)} left`;
}

export function Table({ table, running }: { readonly table: SyncTableRowFragment; readonly running: boolean }) {
  const { id, tableName, status, errorReason, progress, startedAt, finishedAt } = table;
  const mayChange = useMayChange();
  const [skip, busy] = useMutate(SkipTableDocument);
  const reading = status === 'IN_PROGRESS';

  async function onSkip() {
    const { errors } = await skip({ input: { syncTableId: id } });
    say(errors?.words ?? `${tableName} is skipped.`, errors ? 'bad' : 'good');
  }

  const facts = [
    rows(table),
    reading && progress.rowsPerSecond !== null && `${rate(progress.rowsPerSecond)} rows/s`,
    reading && left(table),
    progress.restarts > 0 && `restarted ${progress.restarts} times`,
    finishedAt && startedAt && `in ${duration((Date.parse(finishedAt) - Date.parse(startedAt)) / 1000)}`,
  ].filter(Boolean);
  return (
    <li className="table-row">
      <span className="table-name">{tableName}</span>
      <State look={TABLE[status]} bare />
      <Bar percent={status === 'COMPLETED' ? 100 : progress.percent} mood={MOODS[status] ?? 'idle'} label={tableName} />
      <span className="quiet small">{facts.join(' · ')}</span>
      {mayChange && running && status === 'QUEUED' && (
        <Button kind="plain" busy={busy} aria-label={`Skip ${tableName}`} onClick={onSkip}>
          Skip
        </Button>
      )}
      {errorReason && (
        <p className="table-error" data-mood="bad">
          {errorReason}
        </p>
      )}
    </li>
  );
}
