// Start, pause and restart. The state changes at once, and back when the server refuses.
import { useCan } from '../app/rights';
import {
  PausePipelineDocument, RestartWorkerDocument, StartPipelineDocument, type ConnectorCardFragment, type PipelineCardFragment,
} from '../client/generated'; // prettier-ignore
import { useMutate, type Outcome } from '../client/hooks';
import { Ask } from '../ui/Ask';
import { plural } from '../ui/format';
import { Button } from '../ui/parts';
import { say } from '../ui/toasts';
import { lacks } from './lacks';

const runs = (connector: ConnectorCardFragment | null) =>
  connector?.worker && ['LIVE', 'BUILDING', 'ERROR'].includes(connector.worker.state);

export function PipelineActions({ pipeline }: { readonly pipeline: PipelineCardFragment }) {
  const [start, starting] = useMutate(StartPipelineDocument);
  const [pause, pausing] = useMutate(PausePipelineDocument);
  const [restart] = useMutate(RestartWorkerDocument);
  const { id, name, state, sourceConnector, targetConnector } = pipeline;
  const can = useCan();
  const input = { pipelineId: id };

  async function onStart() {
    const { errors } = await start({ input });
    say(errors?.words ?? `${name} is starting.`, errors ? 'bad' : 'good');
  }

  async function onPause() {
    const { data, errors } = await pause({ input });
    if (errors) return say(errors.words, 'bad');
    const left = data.pausePipeline.workersLeftRunning.length;
    say(
      left > 0
        ? `${name} is paused. ${plural(left, 'worker')} of it ${left === 1 ? 'goes' : 'go'} on for other pipelines.`
        : `${name} is pausing.`,
    );
  }

  /** All of its workers that run; the first refusal is told. */
  async function onRestart(): Promise<Outcome<unknown>> {
    const workers = [sourceConnector, targetConnector].flatMap((one) => (runs(one) && one?.worker ? [one.worker.id] : []));
    const outcomes = await Promise.all(workers.map((workerId) => restart({ input: { workerId } })));
    return outcomes.find(({ errors }) => errors) ?? { data: outcomes, errors: null };
  }

  const label = (verb: string) => `${verb} ${name}`;
  if (!can('change', pipeline)) return null;
  // It starts and stops the workers of both, so it needs the right on both.
  const ends = [
    [pipeline.sourceConnectorId, sourceConnector],
    [pipeline.targetConnectorId, targetConnector],
  ] as const;
  const foreign = ends.some(([end, connector]) => end && !(connector && can('change', connector)))
    ? 'One of its connectors belongs to a team that is not yours.'
    : undefined;
  const stopping = state === 'STOPPING' ? 'It is stopping.' : undefined;
  const stopped = state === 'PAUSED' || state === 'DRAFT';
  return (
    <div className="actions row">
      {/* One button, so that the focus stays when the state changes. */}
      <Button
        {...(stopped ? { kind: 'primary' } : {})}
        busy={starting || pausing || state === 'STOPPING'}
        refused={state === 'DRAFT' ? `It is a draft: it needs ${lacks(pipeline)}.` : foreign}
        aria-label={label(stopped ? 'Start' : 'Pause')}
        onClick={stopped ? onStart : onPause}
      >
        {stopped ? 'Start' : 'Pause'}
      </Button>
      {!stopped && (
        <Ask
          word="Restart"
          label={label('Restart')}
          kind="plain"
          refused={foreign ?? stopping}
          question={`Restart ${name}?`}
          yes="Restart"
          run={onRestart}
          done={`The workers of ${name} are restarting.`}
        >
          {[sourceConnector, targetConnector].flatMap((one) => (runs(one) ? [one?.name] : [])).join(' and ')} restart, and with them every
          pipeline that uses them.
        </Ask>
      )}
    </div>
  );
}
