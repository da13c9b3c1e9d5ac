// A list that is read page by page, each below the last, from a button at its end.
import { useState, type ReactNode } from 'react';
import { Button } from './parts';

/** Where a page begins, and how the next one is asked for; only the last of them has one. */
export interface PageOf {
  readonly after: string | null;
  readonly onMore: ((cursor: string) => void) | null;
}

/** The pages that are shown, and the way back to the first. */
export function usePages() {
  const [starts, setStarts] = useState<readonly (string | null)[]>([null]);
  const pages: readonly PageOf[] = starts.map((after, index) => ({
    after,
    onMore: index === starts.length - 1 ? (cursor) => setStarts([...starts, cursor]) : null,
  }));
  return { pages, restart: () => setStarts([null]) };
}

interface Props {
  readonly page: PageOf;
  readonly info: { readonly hasNextPage: boolean; readonly endCursor: string | null };
  readonly word?: string;
}

export function More({ page: { onMore }, info: { hasNextPage, endCursor }, word = 'Show more' }: Props): ReactNode {
  return (
    onMore &&
    hasNextPage &&
    endCursor && (
      <div>
        <Button onClick={() => onMore(endCursor)}>{word}</Button>
      </div>
    )
  );
}
