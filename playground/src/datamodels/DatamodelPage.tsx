// One datamodel: where it comes from, what it looks like, who carries and delivers it.
import { useQuery } from 'urql';
import { Link, useLocation } from 'wouter';
import { useCan } from '../app/rights';
import { useScoped } from '../app/scope';
import { DatamodelPageDocument, DeleteDatamodelDocument, type DatamodelPageQuery } from '../client/generated';
import { useMutate } from '../client/hooks';
import { Delete } from '../ui/Ask';
import { Ago, Empty, Facts, Scroll, Title } from '../ui/parts';
import { Shown } from '../ui/Shown';
import { State } from '../ui/State';
import { written } from '../ui/values';
import { PIPELINE, SWITCH } from '../ui/words';
import { mayChangeDatamodel } from './owners';

type Datamodel = NonNullable<DatamodelPageQuery['datamodel']>;

export default function DatamodelPage({ id }: { readonly id: string }) {
  const [result] = useQuery({ query: DatamodelPageDocument, variables: { id } });
  return <Shown of={result}>{({ datamodel }) => datamodel && <Page datamodel={datamodel} />}</Shown>;
}

function Page({ datamodel }: { readonly datamodel: Datamodel }) {
  const scoped = useScoped();
  const can = useCan();
  const { id, name, sourceConnector, config } = datamodel;
  return (
    <div className="stack">
      <Title text={name} above={<Link href={scoped('/datamodels')}>Datamodels</Link>}>
        {mayChangeDatamodel(can, datamodel) && <Actions id={id} name={name} />}
      </Title>
      <div className="row">
        <State look={SWITCH(datamodel.enabled)} />
        <span className="quiet">{[sourceConnector?.env?.name, sourceConnector?.team?.name].filter(Boolean).join(' · ')}</span>
      </div>
      <div className="columns">
        <section className="card" aria-label="Where it comes from">
          <h2>Where it comes from</h2>
          <Facts
            of={[
              ['Source', sourceConnector ? <Link href={scoped(`/connectors/${sourceConnector.id}`)}>{sourceConnector.name}</Link> : 'none'],
              ['Source topic', datamodel.sourceTopic ?? 'none'],
              ['Target topic', datamodel.targetTopic ?? 'none'],
              ['Consumer group', datamodel.consumerId ?? 'none'],
              ['Rejected rows', rejected(datamodel)],
              ['Last changed', <Ago key="changed" at={datamodel.updatedAt} />],
            ]}
          />
        </section>
        <section className="card" aria-label="Structure of the data">
          <h2>Structure of the data</h2>
          <Structure config={config} />
        </section>
      </div>
      <Users datamodel={datamodel} />
    </div>
  );
}

interface Column {
  readonly name: string;
  readonly type?: unknown;
  readonly nullable?: unknown;
  readonly key?: unknown;
}

const isColumn = (one: unknown): one is Column => typeof one === 'object' && one !== null && typeof (one as Column).name === 'string';

/** Its fields where it lists some, and all of it as it is. */
function Structure({ config }: { readonly config: unknown }) {
  const { fields } = (config ?? {}) as { readonly fields?: unknown };
  const columns = Array.isArray(fields) && fields.every(isColumn) ? fields : [];
  return (
    <>
      {columns.length > 0 && (
        <Scroll label="Fields">
          <table>
            <thead>
              <tr>
                <th scope="col">Field</th>
                <th scope="col">Type</th>
                <th scope="col">May be null</th>
              </tr>
            </thead>
            <tbody>
              {columns.map(({ name, type, nullable, key }) => (
                <tr key={name}>
                  <td>
                    {name} {key === true && <span className="quiet small">key</span>}
                  </td>
                  <td className="quiet">{typeof type === 'string' ? type : JSON.stringify(type)}</td>
                  <td className="quiet">{nullable === true ? 'yes' : nullable === false ? 'no' : ''}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </Scroll>
      )}
      <details className="small" open={columns.length === 0}>
        <summary>As JSON</summary>
        <Scroll label="Structure as JSON">
          <pre>{written(config)}</pre>
        </Scroll>
      </details>
    </>
  );
}

function rejected({ errorTableEnabled, errorTableName, errorTableTarget }: Datamodel): string {
  if (!errorTableEnabled) return 'are not kept';
  return [errorTableName, errorTableTarget?.name].filter(Boolean).join(' in ');
}

function Actions({ id, name }: { readonly id: string; readonly name: string }) {
  const scoped = useScoped();
  const [, go] = useLocation();
  const [remove] = useMutate(DeleteDatamodelDocument);
  return (
    <div className="row">
      <Link href={scoped(`/datamodels/${id}/edit`)} className="button">
        Edit
      </Link>
      <Delete name={name} run={() => remove({ input: { datamodelId: id } })} onDone={() => go(scoped('/datamodels'))}>
        Subscriptions that deliver it stay, but have nothing to deliver any more.
      </Delete>
    </div>
  );
}

function Users({ datamodel: { pipelines, pipelineSubscriptions } }: { readonly datamodel: Datamodel }) {
  const scoped = useScoped();
  return (
    <div className="columns">
      <section className="card" aria-label="Carried by">
        <h2>Carried by</h2>
        {pipelines.nodes.length === 0 && <Empty title="No pipeline carries it." />}
        <ul className="plain">
          {pipelines.nodes.map(({ id, name, state }) => (
            <li key={id} className="head">
              <Link href={scoped(`/pipelines/${id}`)}>{name}</Link>
              <State look={PIPELINE[state]} bare />
            </li>
          ))}
        </ul>
      </section>
      <section className="card" aria-label="Delivered by">
        <h2>Delivered by</h2>
        {pipelineSubscriptions.nodes.length === 0 && <Empty title="No subscription delivers it." />}
        <ul className="plain">
          {pipelineSubscriptions.nodes.map(({ id, name, enabled, targetTableName, targetConnector, pipeline }) => (
            <li key={id} className="head">
              <span>
                {pipeline ? <Link href={scoped(`/pipelines/${pipeline.id}`)}>{name}</Link> : name}{' '}
                <span className="quiet small">{[targetTableName, targetConnector?.name].filter(Boolean).join(' in ')}</span>
              </span>
              <State look={SWITCH(enabled)} bare />
            </li>
          ))}
        </ul>
      </section>
    </div>
  );
}
