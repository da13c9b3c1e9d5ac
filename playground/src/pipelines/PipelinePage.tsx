// One pipeline: what it is doing and why, what flows, what each subscription delivers.
import { useQuery } from 'urql';
import { Link } from 'wouter';
import { MayChange, useCan } from '../app/rights';
import { useScoped } from '../app/scope';
import { Flow } from '../board/Flow';
import { PipelineActions } from '../board/PipelineActions';
import { Why } from '../board/PipelineRow';
import { PipelinePageDocument, PipelineStatesDocument, WorkerStatesDocument } from '../client/generated';
import { useLive } from '../client/hooks';
import { Title } from '../ui/parts';
import { Shown } from '../ui/Shown';
import { State } from '../ui/State';
import { HEALTH, PIPELINE } from '../ui/words';
import { Nudge } from './Nudge';
import { Subscriptions } from './Subscriptions';
import { Throughput } from './Throughput';
import { useToday } from './times';
import '../board/board.css';

export default function PipelinePage({ id }: { readonly id: string }) {
  const scoped = useScoped();
  const can = useCan();
  const [result, again] = useQuery({ query: PipelinePageDocument, variables: { id, ...useToday() } });
  useLive(PipelineStatesDocument, { filter: { pipelineIds: [id] } });
  useLive(WorkerStatesDocument, { filter: { pipelineIds: [id] } });
  return (
    <Shown of={result}>
      {({ pipeline }) =>
        pipeline && (
          <div className="stack">
            <Title text={pipeline.name ?? 'Unnamed pipeline'} above={<Link href={scoped('/')}>Pipelines</Link>}>
              <PipelineActions pipeline={pipeline} />
            </Title>
            <div className="row">
              <State look={PIPELINE[pipeline.state]} />
              <span className="quiet">
                {[HEALTH[pipeline.health], pipeline.env?.name, pipeline.team?.name, `version ${pipeline.version}`]
                  .filter(Boolean)
                  .join(' · ')}
              </span>
            </div>
            <Why pipeline={pipeline} />
            <section className="card" aria-label="What flows where">
              <Flow pipeline={pipeline} />
            </section>
            <Nudge id={id} again={() => again({ requestPolicy: 'network-only' })} />
            <Throughput id={id} />
            <MayChange value={can('change', pipeline)}>
              <Subscriptions subscriptions={pipeline.pipelineSubscriptions.nodes} />
            </MayChange>
          </div>
        )
      }
    </Shown>
  );
}
