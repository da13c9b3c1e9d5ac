// GraphiQL with our fetcher, our tabs and the system's theme.
import './workers';
import '@graphiql/react/style.css';
import '@graphiql/plugin-doc-explorer/style.css';
import '@graphiql/plugin-history/style.css';
import 'graphiql/graphiql.css';
import { useGraphiQL, useGraphiQLActions } from '@graphiql/react';
import { GraphiQL } from 'graphiql';
import { useEffect } from 'react';
import { fetcher } from '../api/fetcher';
import { liveState } from '../api/live';
import { session } from '../api/session';
import { useStore } from '../api/store';
import { examples } from '../operations';
import { RestoreExamples } from './RestoreExamples';
import { storage } from './storage';
import './console.css';

const defaultTabs = examples.map((example) => ({ ...example }));

export default function Console() {
  return (
    <GraphiQL
      fetcher={fetcher}
      defaultTabs={defaultTabs}
      defaultEditorToolsVisibility="variables"
      storage={storage}
      forcedTheme="system"
      shouldPersistHeaders={false}
      showPersistHeadersSettings={false}
    >
      <GraphiQL.Logo>
        <RestoreExamples />
      </GraphiQL.Logo>
      <FollowTheme />
      <FollowServer />
    </GraphiQL>
  );
}

/** GraphiQL asks for the system's theme once; this asks again when it changes. */
function FollowTheme() {
  const { setTheme } = useGraphiQLActions();
  useEffect(() => {
    const dark = matchMedia('(prefers-color-scheme: dark)');
    const follow = () => setTheme(null);
    dark.addEventListener('change', follow);
    return () => dark.removeEventListener('change', follow);
  }, [setTheme]);
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
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [who, open, introspect]);
  return null;
}
