// GraphiQL with our fetcher, our tabs and the page's theme.
import './workers';
import '@graphiql/react/style.css';
import '@graphiql/plugin-doc-explorer/style.css';
import '@graphiql/plugin-history/style.css';
import 'graphiql/graphiql.css';
import { pick, useGraphiQL, useGraphiQLActions } from '@graphiql/react';
import { GraphiQL } from 'graphiql';
import { useEffect, useRef, useState } from 'react';
import { useCan, useKnown, type Can } from '../app/rights';
import { theme } from '../app/theme';
import { fetcher } from './fetcher';
import { liveState } from '../client/socket';
import { session } from '../client/session';
import { useStore } from '../client/store';
import { say } from '../ui/toasts';
import { readExamples, type Example } from './examples';
import { RestoreExamples } from './RestoreExamples';
import { storage } from './storage';
import './explorer.css';

export default function Explorer() {
  const [examples, setExamples] = useState<readonly Example[] | null>(null);
  const can = useRef<Can>(() => false);
  can.current = useCan();
  const known = useKnown();
  useEffect(() => {
    document.title = 'Explorer · Pumphouse';
    if (known) void readExamples(can.current).then(setExamples);
  }, [known]);
  return (
    <div className="explorer">
      <h1 className="visually-hidden">Explorer</h1>
      {examples ? <Console examples={examples} /> : <p className="empty">Loading…</p>}
    </div>
  );
}

function Console({ examples }: { readonly examples: readonly Example[] }) {
  // On the first visit GraphiQL shows the first tab's query, but not its variables.
  const first = storage.getItem('graphiql:tabState') === null ? examples[0]?.variables : null;
  return (
    <GraphiQL
      fetcher={fetcher}
      defaultTabs={examples.map((example) => ({ ...example }))}
      {...(first ? { initialVariables: first } : {})}
      defaultEditorToolsVisibility="variables"
      storage={storage}
      shouldPersistHeaders={false}
      showPersistHeadersSettings={false}
      onCopyQuery={() => say('Copied, all that is in this tab.')}
    >
      <GraphiQL.Logo>
        <RestoreExamples examples={examples} />
      </GraphiQL.Logo>
      <EditorOptions />
      <FollowTheme />
      <FollowServer />
    </GraphiQL>
  );
}

/** Long lines wrap, so that nothing hides at the right, and the letters are a little smaller than GraphiQL's. */
function EditorOptions() {
  const { queryEditor, variableEditor, headerEditor, responseEditor } = useGraphiQL(
    pick('queryEditor', 'variableEditor', 'headerEditor', 'responseEditor'),
  );
  useEffect(() => {
    for (const editor of [queryEditor, variableEditor, headerEditor, responseEditor]) {
      editor?.updateOptions({ fontSize: 13, wordWrap: 'on', wrappingIndent: 'indent' });
    }
  }, [queryEditor, variableEditor, headerEditor, responseEditor]);
  return null;
}

/** As light or dark as the rest of the page. */
function FollowTheme() {
  const { setTheme } = useGraphiQLActions();
  const chosen = useStore(theme);
  useEffect(() => {
    const dark = matchMedia('(prefers-color-scheme: dark)');
    const follow = () => setTheme(chosen === 'system' ? (dark.matches ? 'dark' : 'light') : chosen);
    follow();
    dark.addEventListener('change', follow);
    return () => dark.removeEventListener('change', follow);
  }, [chosen, setTheme]);
  return null;
}

/** Reads the schema again when it is missing and there is new hope: someone signed in, or the server is back. */
function FollowServer() {
  const { introspect } = useGraphiQLActions();
  const missing = useGraphiQL((state) => state.schema === null && !state.isIntrospecting && state.fetchError !== null);
  const who = useStore(session);
  const open = useStore(liveState) === 'open';
  useEffect(() => {
    if (missing && (who || open)) void introspect();
    // `missing` alone must not repeat the request: it becomes true again when the request fails.
  }, [who, open, introspect]);
  return null;
}
