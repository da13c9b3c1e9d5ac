// One pipeline: what it is doing and why, what flows, what each subscription delivers.
import { useQuery } from 'urql';
import { Link, useLocation } from 'wouter';
import { MayChange, useCan } from '../app/rights';
import { useScoped } from '../app/scope';
import { Flow } from '../board/Flow';
import { PipelineActions } from '../board/PipelineActions';
import { Why } from '../board/PipelineRow';
import {
  DeletePipelineDocument,
  PipelinePageDocument,
  PipelineStatesDocument,
  WorkerStatesDocument,
  type PipelinePageQuery,
} from '../client/generated';
import { useLive, useMutate } from '../client/hooks';
import { Delete } from '../ui/Ask';
import { plural } from '../ui/format';
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
              <div className="row">
                <PipelineActions pipeline={pipeline} />
                {can('change', pipeline) && <Change pipeline={pipeline} />}
              </div>
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
              <Subscriptions pipelineId={id} subscriptions={pipeline.pipelineSubscriptions.nodes} />
            </MayChange>
          </div>
        )
      }
    </Shown>
  );
}

function Change({ pipeline: { id, name, pipelineSubscriptions } }: { readonly pipeline: NonNullable<PipelinePageQuery['pipeline']> }) {
  const scoped = useScoped();
  const [, go] = useLocation();
  const [remove] = useMutate(DeletePipelineDocument);
  const number = pipelineSubscriptions.nodes.length;
  return (
    <div className="row">
      <Link href={scoped(`/pipelines/${id}/edit`)} className="button">
        Edit
      </Link>
      <Delete
        name={name ?? 'the pipeline'}
        {...(number > 0 ? { also: `Delete its ${plural(number, 'subscription')} with it; else they stay, disabled` } : {})}
        run={(withSubscriptions) => remove({ input: { pipelineId: id, withSubscriptions } })}
        onDone={() => go(scoped('/'))}
      >
        Its deliveries end. Connectors and datamodels stay, and workers that run go on: pause it first to stop those that nothing else
        needs.
      </Delete>
    </div>
  );
}
