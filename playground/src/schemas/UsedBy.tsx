// Which records a subject describes, and who reads them.
import { useQuery } from 'urql';
import { Link } from 'wouter';
import { useScoped } from '../app/scope';
import { ReadersDocument } from '../client/generated';

/** The subject of a topic is its name and what of a record it describes. */
function topicOf(subject: string): { readonly topic: string; readonly part: string } | null {
  const [, topic, part] = /^(.+)-(key|value)$/.exec(subject) ?? [];
  return topic && part ? { topic, part } : null;
}

export function UsedBy({ subject }: { readonly subject: string }) {
  const of = topicOf(subject);
  return of && <Readers {...of} />;
}

function Readers({ topic, part }: { readonly topic: string; readonly part: string }) {
  const scoped = useScoped();
  const [{ data }] = useQuery({ query: ReadersDocument, variables: { topic } });
  const models = data ? [...data.sources.nodes, ...data.targets.nodes] : [];
  const pipelines = new Map(models.flatMap(({ pipelines: { nodes } }) => nodes.map(({ id, name }) => [id, name] as const)));
  const sources = new Map(
    models.flatMap(({ sourceConnector }) => (sourceConnector ? [[sourceConnector.id, sourceConnector.name] as const] : [])),
  );
  return (
    <p className="quiet">
      Describes the {part}s of the records of the topic <code>{topic}</code>
      {part === 'key' && ', by which one record replaces another'}.{' '}
      {sources.size > 0 && (
        <>
          They come from <List of={sources} path={(id) => scoped(`/connectors/${id}`)} />.{' '}
        </>
      )}
      {pipelines.size > 0 && (
        <>
          Delivered by <List of={pipelines} path={(id) => scoped(`/pipelines/${id}`)} />.
        </>
      )}
      {data && models.length === 0 && 'No datamodel that you see reads them.'}
    </p>
  );
}

interface ListProps {
  readonly of: ReadonlyMap<string, string | null>;
  readonly path: (id: string) => string;
}

function List({ of, path }: ListProps) {
  return [...of].map(([id, name], index) => (
    <span key={id}>
      {index > 0 && ', '}
      <Link href={path(id)}>{name ?? 'one without a name'}</Link>
    </span>
  ));
}
