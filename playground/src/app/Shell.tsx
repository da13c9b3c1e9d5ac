// What is around every page: where one can go, how the connection is, who is signed in.
import { Suspense, useEffect, useState, type ReactNode } from 'react';
import { Redirect, Route, Switch, useLocation } from 'wouter';
import { Board } from '../board/Board';
import { useOffline } from '../client/connection';
import { lapsed, type Session } from '../client/session';
import { useStore } from '../client/store';
import { Empty } from '../ui/parts';
import { NotThere } from '../ui/Shown';
import { Broken } from './Broken';
import { Header } from './Header';
import { Offline } from './Offline';
import { Loading, page as lazy, useAllPages } from './pages';
import { useTop } from './scroll';
import { SignInAgain } from './SignInAgain';
import { Sidebar } from './Sidebar';
import { UnknownPlace } from './UnknownPlace';

const PipelinePage = lazy(() => import('../pipelines/PipelinePage'));
const PipelineForm = lazy(() => import('../pipelines/PipelineFormPage'));
const SubscriptionForm = lazy(() => import('../pipelines/SubscriptionFormPage'));
const DatamodelsPage = lazy(() => import('../datamodels/DatamodelsPage'));
const DatamodelPage = lazy(() => import('../datamodels/DatamodelPage'));
const DatamodelForm = lazy(() => import('../datamodels/DatamodelFormPage'));
const RegisterPage = lazy(() => import('../schemas/RegisterPage'));
const ConnectorsPage = lazy(() => import('../connectors/ConnectorsPage'));
const ConnectorPage = lazy(() => import('../connectors/ConnectorPage'));
const ConnectorForm = lazy(() => import('../connectors/ConnectorFormPage'));
const SchemasPage = lazy(() => import('../schemas/SchemasPage'));
const SubjectPage = lazy(() => import('../schemas/SubjectPage'));
const PeoplePage = lazy(() => import('../people/PeoplePage'));
const AuditPage = lazy(() => import('../audit/AuditPage'));
const Explorer = lazy(() => import('../explorer/Explorer'), true);

const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** What an address leads to: to nothing where what should be an id is none, like one with the id of nothing. */
function found(ids: readonly string[], page: ReactNode) {
  return ids.every((id) => ID.test(id)) ? page : <NotThere />;
}

export function Shell({ who }: { readonly who: Session }) {
  const [location] = useLocation();
  const [menu, setMenu] = useState(false);
  useEffect(() => setMenu(false), [location]);
  useTop(location);
  useAllPages();
  const offline = useOffline();
  const over = useStore(lapsed);
  const [staying, setStaying] = useState(false);
  const wide = location === '/explorer';

  return (
    <div className="shell" onKeyDown={(event) => event.key === 'Escape' && setMenu(false)}>
      <a className="skip" href="#main">
        Skip to the content
      </a>
      <Header who={who} menu={menu} onMenu={() => setMenu(!menu)} onStay={() => setStaying(true)} />
      {(over || staying) && <SignInAgain who={who} onClose={() => setStaying(false)} />}
      <Sidebar open={menu} />
      <main id="main" className={wide ? 'main wide' : 'main'} tabIndex={-1} data-offline={offline !== null}>
        {!wide && <Offline since={offline} />}
        {!wide && <UnknownPlace />}
        <Broken key={location}>
          <Suspense fallback={<Loading />}>
            <Switch>
              <Route path="/" component={Board} />
              <Route path="/pipelines/new">
                <PipelineForm id={null} />
              </Route>
              <Route path="/pipelines/:id/edit">{({ id }) => found([id], <PipelineForm key={id} id={id} />)}</Route>
              <Route path="/pipelines/:id/subscriptions/new">{({ id }) => found([id], <SubscriptionForm pipelineId={id} id={null} />)}</Route>
              <Route path="/pipelines/:id/subscriptions/:one">
                {({ id, one }) => found([id, one], <SubscriptionForm key={one} pipelineId={id} id={one} />)}
              </Route>
              <Route path="/pipelines/:id">{({ id }) => found([id], <PipelinePage key={id} id={id} />)}</Route>
              <Route path="/connectors" component={ConnectorsPage} />
              <Route path="/connectors/new">
                <ConnectorForm id={null} />
              </Route>
              <Route path="/connectors/:id/edit">{({ id }) => found([id], <ConnectorForm key={id} id={id} />)}</Route>
              <Route path="/connectors/:id">{({ id }) => found([id], <ConnectorPage key={id} id={id} />)}</Route>
              <Route path="/datamodels" component={DatamodelsPage} />
              <Route path="/datamodels/new">
                <DatamodelForm id={null} />
              </Route>
              <Route path="/datamodels/:id/edit">{({ id }) => found([id], <DatamodelForm key={id} id={id} />)}</Route>
              <Route path="/datamodels/:id">{({ id }) => found([id], <DatamodelPage key={id} id={id} />)}</Route>
              <Route path="/register" component={RegisterPage} />
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
