// One table of a sync: how far, how fast, and why it failed.
import { useMayChange } from '../app/rights';
import { SkipTableDocument, StartSyncDocument, type SyncTableRowFragment } from '../client/generated';
import { useMutate } from '../client/hooks';
import { count, duration, rate } from '../ui/format';
import { Bar, Button } from '../ui/parts';
import { State } from '../ui/State';
import { say } from '../ui/toasts';
import { tableLook, type Mood } from '../ui/words';

/** What a database says, and what helps. */
function advice(reason: string): string | null {
  return /^permission denied/i.test(reason) ? 'The user of the connector may not read it: grant that in the source, then retry.' : null;
}

/** As it is read by people: a word each for once and more. */
const times = (number: number) => (number === 1 ? 'once' : `${number} times`);

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

interface Props {
  readonly table: SyncTableRowFragment;
  readonly connectorId: string;
  /** Whether its sync runs, and why no other one can be started. */
  readonly running: boolean;
  readonly refused: string | false;
}

export function Table({ table, connectorId, running, refused }: Props) {
  const { id, tableName, status, errorReason, approximateRowCount, progress, startedAt, finishedAt } = table;
  const mayChange = useMayChange();
  const [skip, skipping] = useMutate(SkipTableDocument);
  const [start, starting] = useMutate(StartSyncDocument);
  const reading = status === 'IN_PROGRESS';
  const look = tableLook(table);
  const mood: Mood = status === 'COMPLETED' || status === 'FAILED' || status === 'PARTIAL' ? look.mood : 'idle';

  async function onSkip() {
    const { errors } = await skip({ input: { syncTableId: id } });
    say(errors?.words ?? `${tableName} is skipped.`, errors ? 'bad' : 'good');
  }

  async function onRetry() {
    const { errors } = await start({ input: { connectorId, tables: [{ name: tableName, approximateRowCount }] } });
    say(errors?.words ?? `${tableName} is read again.`, errors ? 'bad' : 'good');
  }

  const facts = [
    rows(table),
    reading && progress.rowsPerSecond !== null && `${rate(progress.rowsPerSecond)} rows/s`,
    reading && left(table),
    progress.restarts > 0 && `restarted ${times(progress.restarts)}`,
    finishedAt &&
      startedAt &&
      `${status === 'FAILED' ? 'failed after' : 'in'} ${duration((Date.parse(finishedAt) - Date.parse(startedAt)) / 1000)}`,
  ].filter(Boolean);
  return (
    <li className="table-row">
      <span className="table-name">{tableName}</span>
      <State look={look} bare />
      <Bar percent={status === 'COMPLETED' ? 100 : reading ? progress.percent : (progress.percent ?? 0)} mood={mood} label={tableName} />
      <span className="quiet small">{facts.join(' · ')}</span>
      {mayChange && running && status === 'QUEUED' && (
        <Button kind="plain" busy={skipping} aria-label={`Skip ${tableName}`} onClick={onSkip}>
          Skip
        </Button>
      )}
      {mayChange && !running && status === 'FAILED' && (
        <Button kind="plain" busy={starting} refused={refused} aria-label={`Retry ${tableName}`} onClick={onRetry}>
          Retry
        </Button>
      )}
      {errorReason && errorReason !== 'cancelled' && (
        <p className="table-error" data-mood={look.mood}>
          {errorReason} <span className="quiet">{advice(errorReason)}</span>
        </p>
      )}
    </li>
  );
}
