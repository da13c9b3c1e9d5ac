// How far a sync is, in words.
import type { SyncCardFragment } from '../client/generated';
import { duration, plural, rate, short } from '../ui/format';
import { STALLED } from '../ui/words';

interface Ended {
  readonly end: { readonly tablesCompleted: number } | null;
}

export function progressWords({ status, stalledSince, stalledReason, progress, end }: SyncCardFragment & Ended): string {
  const { rows, tablesDone, tablesTotal, percent, rowsPerSecond, etaSeconds } = progress;
  if (status !== 'SYNCING')
    return `${end?.tablesCompleted ?? tablesDone} of ${plural(tablesTotal, 'table')} complete · ${short(rows)} rows`;
  const tables = `${tablesDone} of ${plural(tablesTotal, 'table')}`;
  return [
    percent !== null && `${percent} %`,
    tables,
    `${short(rows)} rows`,
    rowsPerSecond !== null && `${rate(rowsPerSecond)} rows/s`,
    etaSeconds !== null && `about ${duration(etaSeconds)} left`,
    stalledSince && `no progress: ${stalledReason ? STALLED[stalledReason] : 'the reason is not known'}`,
  ]
    .filter(Boolean)
    .join(' · ');
}
