// What is around every page: where one can go, how the connection is, who is signed in.
import { Suspense, useEffect, useState } from 'react';
import { Redirect, Route, Switch, useLocation } from 'wouter';
import { Board } from '../board/Board';
import { useOffline } from '../client/connection';
import type { Session } from '../client/session';
import { Empty } from '../ui/parts';
import { Broken } from './Broken';
import { Header } from './Header';
import { Offline } from './Offline';
import { Loading, page as lazy, useAllPages } from './pages';
import { useTop } from './scroll';
import { Sidebar } from './Sidebar';
import { UnknownPlace } from './UnknownPlace';

const PipelinePage = lazy(() => import('../pipelines/PipelinePage'));
const ConnectorsPage = lazy(() => import('../connectors/ConnectorsPage'));
const ConnectorPage = lazy(() => import('../connectors/ConnectorPage'));
const ConnectorForm = lazy(() => import('../connectors/ConnectorFormPage'));
const SchemasPage = lazy(() => import('../schemas/SchemasPage'));
const SubjectPage = lazy(() => import('../schemas/SubjectPage'));
const PeoplePage = lazy(() => import('../people/PeoplePage'));
const AuditPage = lazy(() => import('../audit/AuditPage'));
const Explorer = lazy(() => import('../explorer/Explorer'), true);

export function Shell({ who }: { readonly who: Session }) {
  const [location] = useLocation();
  const [menu, setMenu] = useState(false);
  useEffect(() => setMenu(false), [location]);
  useTop(location);
  useAllPages();
  const offline = useOffline();
  const wide = location === '/explorer';

  return (
    <div className="shell">
      <a className="skip" href="#main">
        Skip to the content
      </a>
      <Header who={who} menu={menu} onMenu={() => setMenu(!menu)} />
      <Sidebar open={menu} />
      <main id="main" className={wide ? 'main wide' : 'main'} tabIndex={-1} data-offline={offline !== null}>
        {!wide && <Offline since={offline} />}
        {!wide && <UnknownPlace />}
        <Broken key={location}>
          <Suspense fallback={<Loading />}>
            <Switch>
              <Route path="/" component={Board} />
              <Route path="/pipelines/:id">{({ id }) => <PipelinePage key={id} id={id} />}</Route>
              <Route path="/connectors" component={ConnectorsPage} />
              <Route path="/connectors/new">
                <ConnectorForm id={null} />
              </Route>
              <Route path="/connectors/:id/edit">{({ id }) => <ConnectorForm key={id} id={id} />}</Route>
              <Route path="/connectors/:id">{({ id }) => <ConnectorPage key={id} id={id} />}</Route>
              <Route path="/schemas" component={SchemasPage} />
              <Route path="/schemas/:subject">{({ subject }) => <SubjectPage key={subject} subject={decodeURIComponent(subject)} />}</Route>
              <Route path="/people" component={PeoplePage} />
              <Route path="/audit" component={AuditPage} />
              <Route path="/explorer" component={Explorer} />
              <Route path="/pipelines">
                <Redirect to="/" />
              </Route>
              <Route>
                <Empty title="There is no such page.">The board and all else is on the left.</Empty>
              </Route>
            </Switch>
          </Suspense>
        </Broken>
      </main>
    </div>
  );
}
