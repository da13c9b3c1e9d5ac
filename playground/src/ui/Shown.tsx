// What a query answers: its data, and until then that it is on its way, or why it does not come.
import { useEffect, type ReactNode } from 'react';
import type { CombinedError, UseQueryState } from 'urql';
import { allWords, codeOf, NOT_THERE } from '../client/errors';
import { Notice } from './Notice';
import { Empty } from './parts';

interface Props<Data> {
  readonly of: UseQueryState<Data, object>;
  readonly children: (data: Data) => ReactNode;
}

export function Shown<Data>({ of: { data, error, fetching, stale }, children }: Props<Data>) {
  if (data) return <>{children(data)}</>;
  if (error?.networkError && !fetching && !stale) return <Empty title="This was not read before.">It comes by itself.</Empty>;
  if (error && !fetching && !stale) return <Failed error={error} />;
  return (
    <div className="skeleton" role="status">
      <span className="visually-hidden">Loading…</span>
      <i />
      <i />
      <i />
    </div>
  );
}

function Failed({ error }: { readonly error: CombinedError }) {
  return error.graphQLErrors.some((one) => codeOf(one) === 'NOT_FOUND') ? <NotThere /> : <Notice>{allWords(error)}</Notice>;
}

/** Where an address leads to nothing. */
export function NotThere() {
  useEffect(() => {
    document.title = 'Not found · Pumphouse';
  }, []);
  return <Empty title={NOT_THERE}>All that is yours is on the left.</Empty>;
}
