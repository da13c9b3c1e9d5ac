// One pipeline: what it is doing, from where to where, and why it is not well.
import { Link } from 'wouter';
import { useScoped } from '../app/scope';
import type { PipelineCardFragment } from '../client/generated';
import { State } from '../ui/State';
import { degraded, DEGRADED, PIPELINE } from '../ui/words';
import { lacks } from './lacks';
import { Flow } from './Flow';
import { PipelineActions } from './PipelineActions';

export function PipelineRow({ pipeline }: { readonly pipeline: PipelineCardFragment }) {
  const { id, name, state, team, env } = pipeline;
  const scoped = useScoped();
  return (
    <li className="card pipeline" data-state={state}>
      <div className="pipeline-name">
        <h2>
          <Link href={scoped(`/pipelines/${id}`)}>{name ?? 'Unnamed pipeline'}</Link>
        </h2>
        <p className="quiet small">{[env?.name, team?.name].filter(Boolean).join(' / ')}</p>
      </div>
      <div className="pipeline-state">
        <State look={PIPELINE[state]} />
        {pipeline.health === 'DEGRADED' && state !== 'ERROR' && <State look={DEGRADED} bare />}
      </div>
      <Flow pipeline={pipeline} />
      <PipelineActions pipeline={pipeline} />
      <Why pipeline={pipeline} />
    </li>
  );
}

/** Why it is not well, in the words of its workers where they have some. */
export function Why({ pipeline }: { readonly pipeline: PipelineCardFragment }) {
  const { state, health, degradedParts, sourceConnector, targetConnector } = pipeline;
  if (state === 'DRAFT') return <p className="why quiet small">Not complete: it needs {lacks(pipeline)}.</p>;
  const reasons = [sourceConnector, targetConnector].flatMap((connector) => {
    const worker = connector?.worker;
    return connector && worker?.state === 'ERROR' && worker.reason ? [`${connector.name}: ${worker.reason}`] : [];
  });
  if (health === 'DEGRADED' && reasons.length === 0) reasons.push(degraded(degradedParts));
  const others = [sourceConnector, targetConnector].filter(
    (connector) => connector?.worker && ['LIVE', 'BUILDING'].includes(connector.worker.state),
  );
  if (state === 'PAUSED' && reasons.length === 0 && others.length > 0)
    return (
      <p className="why quiet small">
        {others.map((connector) => connector?.name).join(' and ')} still {others.length === 1 ? 'runs' : 'run'}.
      </p>
    );
  if (reasons.length === 0) return null;
  return (
    <p className="why" data-mood="bad">
      {reasons.join(' ')}
    </p>
  );
}
