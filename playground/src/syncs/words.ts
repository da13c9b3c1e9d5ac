// How far a sync is, in words.
import type { SyncCardFragment } from '../client/generated';
import { duration, plural, rate, short } from '../ui/format';
import { STALLED } from '../ui/words';

export function progressWords({ status, stalledSince, stalledReason, progress }: SyncCardFragment): string {
  const { rows, tablesDone, tablesTotal, percent, rowsPerSecond, etaSeconds } = progress;
  const tables = `${tablesDone} of ${plural(tablesTotal, 'table')}`;
  if (status !== 'SYNCING') return `${tables}, ${short(rows)} rows`;
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
