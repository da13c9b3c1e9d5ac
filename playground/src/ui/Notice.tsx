// What has to be read: why something was refused, and what is in its way.
import type { ReactNode } from 'react';
import type { Mood } from './words';

interface Props {
  readonly mood?: Exclude<Mood, 'idle'>;
  /** Nothing is said of nothing. */
  readonly children: ReactNode;
  /** What it consists of, one thing each. */
  readonly each?: readonly string[];
}

export function Notice({ mood = 'bad', children, each = [] }: Props) {
  if (!children) return null;
  return (
    <div className={mood === 'bad' ? 'notice' : `notice ${mood}`} role={mood === 'bad' ? 'alert' : 'status'}>
      {children}
      {each.length > 0 && (
        <ul>
          {each.map((one) => (
            <li key={one}>{one}</li>
          ))}
        </ul>
      )}
    </div>
  );
}
