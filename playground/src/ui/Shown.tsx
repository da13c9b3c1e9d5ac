// What a query answers: its data, and until then that it is on its way, or why it does not come.
import type { ReactNode } from 'react';
import type { UseQueryState } from 'urql';
import { allWords } from '../client/errors';

interface Props<Data> {
  readonly of: UseQueryState<Data, object>;
  readonly children: (data: Data) => ReactNode;
}

export function Shown<Data>({ of: { data, error, fetching, stale }, children }: Props<Data>) {
  if (data) return <>{children(data)}</>;
  if (error && !fetching && !stale) return <p className="notice" role="alert">{allWords(error)}</p>;
  return (
    <div className="skeleton" role="status">
      <span className="visually-hidden">Loading…</span>
      <i />
      <i />
      <i />
    </div>
  );
}
