// The datamodels: what sources produce, from which topic, and which pipelines carry it.
import { useQuery } from 'urql';
import { Link, useSearchParams } from 'wouter';
import { usePlacesFor } from '../app/rights';
import { isWithin, useScope, useScoped } from '../app/scope';
import { kindOf } from '../connectors/kinds';
import { DatamodelsDocument, type DatamodelFilter } from '../client/generated';
import { plural } from '../ui/format';
import { More, usePages, type PageOf } from '../ui/Pages';
import { Empty, Scroll, Title } from '../ui/parts';
import { Search } from '../ui/Search';
import { Shown } from '../ui/Shown';
import { State } from '../ui/State';
import { SWITCH } from '../ui/words';

export default function DatamodelsPage() {
  const scoped = useScoped();
  const { scoped: mine } = usePlacesFor('change');
  const [params] = useSearchParams();
  const { pages, restart } = usePages();
  const search = params.get('search') ?? '';
  return (
    <div className="stack">
      <Title text="Datamodels">
        <div className="row">
          <Search label="Search datamodels by name" onChange={restart} />
          {mine.length > 0 && (
            <Link href={scoped('/datamodels/new')} className="button primary">
              New datamodel
            </Link>
          )}
        </div>
      </Title>
      {pages.map((page) => (
        <Page key={page.after ?? ''} filter={search ? { search } : {}} page={page} />
      ))}
    </div>
  );
}

interface PageProps {
  readonly filter: DatamodelFilter;
  readonly page: PageOf;
}

function Page({ filter, page }: PageProps) {
  const scoped = useScoped();
  const scope = useScope();
  const [result] = useQuery({ query: DatamodelsDocument, variables: { filter, after: page.after } });
  return (
    <Shown of={result}>
      {({ datamodels: { nodes, pageInfo } }) => {
        // The API narrows them by source, not by place: who owns one is found through it.
        const shown = nodes.filter(({ sourceConnector, pipelines }) =>
          sourceConnector ? isWithin(scope, sourceConnector) : [null, ...pipelines.nodes].some((owner) => isWithin(scope, owner)),
        );
        return (
          <>
            {shown.length === 0 && page.after === null && !pageInfo.hasNextPage ? (
              <Empty title={filter.search ? 'No datamodel has that in its name.' : 'You see no datamodels here.'}>
                A datamodel says what one table or collection of a source looks like, and on which topic it comes.
              </Empty>
            ) : (
              <section className="card" aria-label="Datamodels">
                <Scroll label="Datamodels">
                  <table>
                    <thead>
                      <tr>
                        <th scope="col">Name</th>
                        <th scope="col">Source</th>
                        <th scope="col">Topic</th>
                        <th scope="col">Carried by</th>
                        <th scope="col">State</th>
                      </tr>
                    </thead>
                    <tbody>
                      {shown.map(({ id, name, sourceConnector, sourceTopic, pipelines, enabled }) => (
                        <tr key={id}>
                          <td>
                            <Link href={scoped(`/datamodels/${id}`)}>{name}</Link>
                          </td>
                          <td className="quiet">
                            {sourceConnector ? `${sourceConnector.name} (${kindOf(sourceConnector.connectorType)})` : 'none'}
                          </td>
                          <td className="quiet">{sourceTopic}</td>
                          <td className="quiet">
                            {pipelines.totalCount > 1 ? plural(pipelines.totalCount, 'pipeline') : (pipelines.nodes[0]?.name ?? 'none')}
                          </td>
                          <td>
                            <State look={SWITCH(enabled)} bare />
                          </td>
                        </tr>
                      ))}
                    </tbody>
                  </table>
                </Scroll>
              </section>
            )}
            <More page={page} info={pageInfo} />
          </>
        );
      }}
    </Shown>
  );
}
