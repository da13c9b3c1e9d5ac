// One connector: its worker and what it went through, its syncs, its configuration, who uses it.
import { useQuery } from 'urql';
import { Link, useLocation } from 'wouter';
import { MayChange, useCan } from '../app/rights';
import { useScoped } from '../app/scope';
import { kindOf } from './kinds';
import { ConnectorPageDocument, DeleteConnectorDocument, WorkerStatesDocument, type ConnectorPageQuery } from '../client/generated';
import { useLive, useMutate } from '../client/hooks';
import { Delete } from '../ui/Ask';
import { Empty, Title } from '../ui/parts';
import { Shown } from '../ui/Shown';
import { State } from '../ui/State';
import { PIPELINE } from '../ui/words';
import { SyncPanel } from '../syncs/SyncPanel';
import { Configuration } from './Configuration';
import { WorkerPanel } from './WorkerPanel';
import './connectors.css';

export type ConnectorShown = NonNullable<ConnectorPageQuery['connector']>;

export default function ConnectorPage({ id }: { readonly id: string }) {
  const scoped = useScoped();
  const can = useCan();
  const [result] = useQuery({ query: ConnectorPageDocument, variables: { id } });
  useLive(WorkerStatesDocument, { filter: { connectorIds: [id] } });
  return (
    <Shown of={result}>
      {({ connector }) => {
        if (!connector) return null;
        const mayChange = can('change', connector);
        return (
          <MayChange value={mayChange}>
            <div className="stack">
              <Title text={connector.name ?? 'Unnamed connector'} above={<Link href={scoped('/connectors')}>Connectors</Link>}>
                {mayChange && <Actions id={id} name={connector.name ?? 'the connector'} />}
              </Title>
              <p className="quiet">
                {[`${kindOf(connector.connectorType)} ${connector.way.toLowerCase()}`, connector.env?.name, connector.team?.name]
                  .filter(Boolean)
                  .join(' · ')}
              </p>
              <WorkerPanel worker={connector.worker} name={connector.name ?? ''} />
              {connector.way === 'SOURCE' && <SyncPanel connectorId={id} name={connector.name ?? ''} worker={connector.worker?.state} />}
              <div className="columns">
                <Configuration connector={connector} />
                <Users connector={connector} />
              </div>
            </div>
          </MayChange>
        );
      }}
    </Shown>
  );
}

function Actions({ id, name }: { readonly id: string; readonly name: string }) {
  const scoped = useScoped();
  const [, go] = useLocation();
  const [remove] = useMutate(DeleteConnectorDocument);
  return (
    <div className="row">
      <Link href={scoped(`/connectors/${id}/edit`)} className="button">
        Edit
      </Link>
      <Delete
        name={name}
        also="End its worker and its sync first, whatever they do"
        run={(force) => remove({ input: { connectorId: id, force } })}
        onDone={() => go(scoped('/connectors'))}
      >
        Its worker and its syncs go with it. Datamodels and subscriptions stay, without it.
      </Delete>
    </div>
  );
}

function Users({ connector }: { readonly connector: ConnectorShown }) {
  const scoped = useScoped();
  const pipelines = [...connector.pipelinesAsSource.nodes, ...connector.pipelinesAsTarget.nodes];
  return (
    <section className="card" aria-label="Used by">
      <h2>Used by</h2>
      {pipelines.length === 0 ? (
        <Empty title="No pipeline uses it." />
      ) : (
        <ul className="plain">
          {pipelines.map(({ id, name, state }) => (
            <li key={id} className="head">
              <Link href={scoped(`/pipelines/${id}`)}>{name}</Link>
              <State look={PIPELINE[state]} bare />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
