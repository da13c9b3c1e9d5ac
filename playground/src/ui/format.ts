// Numbers and lengths of time, as people read them.
const whole = new Intl.NumberFormat('en');
const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });

export const count = (value: number) => whole.format(value);
export const short = (value: number) => (value < 1_000_000 ? whole.format(value) : compact.format(value));
export const rate = (perSecond: number) => (perSecond >= 10 || perSecond === 0 ? short(Math.round(perSecond)) : perSecond.toFixed(1));
export const plural = (number: number, one: string, many = `${one}s`) => `${count(number)} ${number === 1 ? one : many}`;

export function duration(seconds: number): string {
  if (seconds < 1) return 'less than 1\u00a0s';
  if (seconds < 60) return `${Math.round(seconds)}\u00a0s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)}\u00a0min ${Math.round(seconds % 60)}\u00a0s`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3600)}\u00a0h ${Math.round((seconds % 3600) / 60)}\u00a0min`;
  return `${Math.round(seconds / 86_400)} days`;
}

export function ago(then: number, now: number): string {
  const seconds = Math.max(0, (now - then) / 1000);
  if (seconds < 5) return 'just now';
  if (seconds < 60) return `${Math.floor(seconds)} s ago`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ago`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3600)} h ago`;
  if (seconds < 172_800) return 'yesterday';
  return `${Math.floor(seconds / 86_400)} days ago`;
}

export const clock = (time: number | string) => new Date(time).toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' });
/** A day and a time, as it was here. */
export const moment = (time: number | string) =>
  new Date(time).toLocaleString('en-GB', { day: 'numeric', month: 'short', year: 'numeric', hour: '2-digit', minute: '2-digit' });
export const date = (time: number | string) =>
  new Date(time).toLocaleDateString('en-GB', { day: 'numeric', month: 'short', year: 'numeric' });
export const day = (time: number | string) => new Date(time).toLocaleDateString('en', { day: 'numeric', month: 'short', timeZone: 'UTC' });
/** To the second; of today the time alone. */
export function instant(time: number | string): string {
  const clock = new Date(time).toLocaleTimeString('en-GB');
  return date(time) === date(Date.now()) ? clock : `${date(time)}, ${clock}`;
}
