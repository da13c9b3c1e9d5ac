// How far a sync is, in words.
import type { SyncCardFragment } from '../client/generated';
import { duration, plural, rate, short } from '../ui/format';
import { STALLED } from '../ui/words';

interface Ended {
  readonly end: { readonly tablesCompleted: number } | null;
}

export function progressWords({ status, stalledSince, stalledReason, progress, end }: SyncCardFragment & Ended): string {
  const { rows, tablesDone, tablesFailed, tablesTotal, percent, rowsPerSecond, etaSeconds } = progress;
  const running = status === 'SYNCING';
  const complete = running ? tablesDone - tablesFailed : (end?.tablesCompleted ?? tablesDone - tablesFailed);
  return [
    running && percent !== null && `${percent} %`,
    `${complete} of ${plural(tablesTotal, 'table')} complete`,
    tablesFailed > 0 && (status === 'CANCELLED' ? `${tablesFailed} not read` : `${tablesFailed} failed`),
    `${short(rows)} rows`,
    running && rowsPerSecond !== null && `${rate(rowsPerSecond)} rows/s`,
    running && etaSeconds !== null && `about ${duration(etaSeconds)} left`,
    running && stalledSince && `no progress: ${stalledReason ? STALLED[stalledReason] : 'the reason is not known'}`,
  ]
    .filter(Boolean)
    .join(' · ');
}
