// The state of things in one sentence.
import { useQuery } from 'urql';
import { BoardDocument, type PipelineFilter } from '../client/generated';
import { count, plural } from '../ui/format';

export function Summary({ filter }: { readonly filter: PipelineFilter }) {
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
      {trouble.length > 0 ? <span data-mood="bad">, {trouble.join(' and ')}.</span> : ', nothing needs you.'}
    </p>
  );
}
