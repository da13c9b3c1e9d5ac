// Brings the ready-made tabs back to the front, as they were. Tabs of the user's own stay.
import { useGraphiQL, useGraphiQLActions, type TabsState } from '@graphiql/react';
import { useState } from 'react';
import type { Example } from './examples';

type Tab = TabsState['tabs'][number];

const NAMED = /^\s*(?:query|mutation|subscription)\s+(\w+)/gm;

function names(document: string): string[] {
  return [...document.matchAll(NAMED)].flatMap(([, name]) => (name ? [name] : []));
}

/** A tab is one of ours, changed or not, when all its operations bear names of ours. */
function isExample(tab: Tab, examples: readonly Example[]): boolean {
  const ours = new Set(examples.flatMap(({ query }) => names(query)));
  const own = names(tab.query ?? '');
  return own.length > 0 ? own.every((name) => ours.has(name)) : !tab.query?.trim();
}

function exampleTabs(examples: readonly Example[]): Tab[] {
  return examples.map(({ query, variables }, index) => ({
    id: `example-${index}-${Date.now()}`,
    hash: [query, variables ?? '', ''].join('|'),
    title: names(query)[0] ?? 'Example',
    query,
    variables,
    headers: null,
    operationName: names(query)[0] ?? null,
    response: null,
  }));
}

export function RestoreExamples({ examples }: { readonly examples: readonly Example[] }) {
  const tabs = useGraphiQL((state) => state.tabs);
  const active = useGraphiQL((state) => state.activeTabIndex);
  const { changeTab, closeTab, moveTab } = useGraphiQLActions();
  const [said, setSaid] = useState('');

  function restore() {
    const shown = tabs[active];
    if (!shown) return;
    const kept = tabs.filter((tab) => tab !== shown && !isExample(tab, examples));
    const fresh = exampleTabs(examples);
    // GraphiQL has no action that sets all tabs; its three that move, choose and close one do it. The tab that is shown must stay
    // in the list until another one is.
    moveTab([...fresh, ...kept, shown]);
    changeTab(0);
    if (isExample(shown, examples)) closeTab(fresh.length + kept.length);
    setSaid('The examples are back.');
    setTimeout(() => setSaid(''), 4_000);
  }

  return (
    <>
      <button type="button" className="button" onClick={restore}>
        Restore examples
      </button>
      <span role="status" className="visually-hidden">
        {said}
      </span>
    </>
  );
}
