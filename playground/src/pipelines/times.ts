// The stretches of time that the charts show. They move in steps, so that a question is asked anew only when they do.
import { useNow } from '../ui/now';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const iso = (time: number) => new Date(time).toISOString();

function upTo(end: number, length: number) {
  return { from: iso(end - length), to: iso(end) };
}

/** The last 60 minutes, with the one that has begun. */
export const useLastHour = () => upTo(Math.floor(useNow('minutes') / MINUTE) * MINUTE + MINUTE, HOUR);

/** Today, in UTC: what whole days are told of is there on the first day too. */
export const useToday = () => upTo(Math.floor(useNow('minutes') / DAY) * DAY + DAY, DAY);

/** The last 30 days of UTC, with the one that has begun. */
export const useLastMonth = () => upTo(Math.floor(useNow('minutes') / DAY) * DAY + DAY, 30 * DAY);
