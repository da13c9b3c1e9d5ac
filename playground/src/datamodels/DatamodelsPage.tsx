// The datamodels: what sources produce, from which topic, and which pipelines carry it.
import { useState } from 'react';
import { useQuery } from 'urql';
import { Link, useSearchParams } from 'wouter';
import { usePlacesFor } from '../app/rights';
import { isWithin, useScope, useScoped } from '../app/scope';
import { kindOf } from '../connectors/kinds';
import { DatamodelsDocument, type DatamodelFilter } from '../client/generated';
import { plural } from '../ui/format';
import { Button, Empty, Scroll, Title } from '../ui/parts';
import { Search } from '../ui/Search';
import { Shown } from '../ui/Shown';
import { State } from '../ui/State';
import { SWITCH } from '../ui/words';

export default function DatamodelsPage() {
  const scoped = useScoped();
  const { scoped: mine } = usePlacesFor('change');
  const [params] = useSearchParams();
  const [pages, setPages] = useState<readonly (string | null)[]>([null]);
  const search = params.get('search') ?? '';
  return (
    <div className="stack">
      <Title text="Datamodels">
        <div className="row">
          <Search label="Search datamodels by name" onChange={() => setPages([null])} />
          {mine.length > 0 && (
            <Link href={scoped('/datamodels/new')} className="button primary">
              New datamodel
            </Link>
          )}
        </div>
      </Title>
      {pages.map((after, index) => (
        <Page
          key={after ?? ''}
          filter={search ? { search } : {}}
          after={after}
          onMore={index === pages.length - 1 ? (cursor) => setPages([...pages, cursor]) : null}
        />
      ))}
    </div>
  );
}

interface PageProps {
  readonly filter: DatamodelFilter;
  readonly after: string | null;
  readonly onMore: ((cursor: string) => void) | null;
}

function Page({ filter, after, onMore }: PageProps) {
  const scoped = useScoped();
  const scope = useScope();
  const [result] = useQuery({ query: DatamodelsDocument, variables: { filter, after } });
  return (
    <Shown of={result}>
      {({ datamodels: { nodes, pageInfo } }) => {
        // The API narrows them by source, not by place: who owns one is found through it.
        const shown = nodes.filter(({ sourceConnector, pipelines }) =>
          sourceConnector ? isWithin(scope, sourceConnector) : [null, ...pipelines.nodes].some((owner) => isWithin(scope, owner)),
        );
        return (
          <>
            {shown.length === 0 && after === null && !pageInfo.hasNextPage ? (
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
            {onMore && pageInfo.hasNextPage && pageInfo.endCursor && (
              <div>
                <Button onClick={() => onMore(pageInfo.endCursor ?? '')}>Show more</Button>
              </div>
            )}
          </>
        );
      }}
    </Shown>
  );
}
