// The state of things in one sentence.
import { Fragment } from 'react';
import { useQuery } from 'urql';
import { Link } from 'wouter';
import { isWithin, useScoped, type Scope } from '../app/scope';
import { BoardDocument, FailingDocument, type PipelineFilter } from '../client/generated';
import { count, plural } from '../ui/format';

interface Props {
  readonly filter: PipelineFilter;
  readonly scope: Scope;
}

export function Summary({ filter, scope }: Props) {
  const scoped = useScoped();
  const [{ data: found }] = useQuery({ query: FailingDocument });
  // What fails in a pipeline is told there.
  const alone = (found?.workers.nodes ?? []).flatMap(({ connector: one }) =>
    one && isWithin(scope, one) && one.pipelinesAsSource.totalCount + one.pipelinesAsTarget.totalCount === 0 ? [one] : [],
  );
  const [{ data }] = useQuery({ query: BoardDocument, variables: { filter, counted: filter, after: null } });
  if (!data) return null;
  const by = new Map(data.pipelineStateCounts.map((one) => [one.state, one.count]));
  const total = data.pipelineStateCounts.reduce((sum, one) => sum + one.count, 0);
  if (total === 0) return null;
  const degraded = data.pipelines.nodes.filter(({ health, state }) => health === 'DEGRADED' && state !== 'ERROR').length;
  const live = by.get('LIVE') ?? 0;
  const failed = by.get('ERROR') ?? 0;
  const trouble = [
    failed > 0 && `${plural(failed, 'has', 'have')} an error`,
    degraded > 0 && `${plural(degraded, 'is', 'are')} degraded`,
  ].filter(Boolean);
  return (
    <p className="summary">
      <strong>
        {live === total
          ? total === 1
            ? 'The pipeline is live'
            : `All ${count(total)} pipelines are live`
          : `${live} of ${plural(total, 'pipeline')} ${total === 1 || live === 1 ? 'is' : 'are'} live`}
      </strong>
      {trouble.length > 0 && <span data-mood="bad">, {trouble.join(' and ')}</span>}
      {trouble.length + alone.length === 0 ? ', nothing needs you.' : '.'}
      {alone.length > 0 && (
        <>
          {' '}
          <span data-mood="bad">
            {plural(alone.length, 'connector that no pipeline uses fails', 'connectors that no pipeline uses fail')}:
          </span>{' '}
          {alone.map(({ id, name }, index) => (
            <Fragment key={id}>
              {index > 0 && ', '}
              <Link href={scoped(`/connectors/${id}`)}>{name}</Link>
            </Fragment>
          ))}
          .
        </>
      )}
    </p>
  );
}
