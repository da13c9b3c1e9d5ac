// The worker: how it is, what can be done with it, and the states that it went through.
import { useMayChange } from '../app/rights';
import { RestartWorkerDocument, StartWorkerDocument, StopWorkerDocument } from '../client/generated';
import { useMutate } from '../client/hooks';
import { Ago, Button, Empty } from '../ui/parts';
import { Notice } from '../ui/Notice';
import { State } from '../ui/State';
import { say } from '../ui/toasts';
import { WORKER, WORKER_HEALTH, workerLook } from '../ui/words';
import type { ConnectorShown } from './ConnectorPage';

type Worker = NonNullable<ConnectorShown['worker']>;

export function WorkerPanel({ worker, name }: { readonly worker: Worker | null; readonly name: string }) {
  if (!worker) return <Empty title="It has no worker." />;
  return (
    <section className="card stack" aria-labelledby="worker">
      <div className="head">
        <div className="row">
          <h2 id="worker">Worker</h2>
          <State look={workerLook(worker)} />
          <span className="quiet small">
            {/* A heartbeat alone is told by no event, so of the healthy the last one is not known. */}
            {worker.lastHeartbeatAt && worker.health !== 'HEALTHY' ? (
              <>
                It {WORKER_HEALTH[worker.health]}, last heard from <Ago at={worker.lastHeartbeatAt} />.
              </>
            ) : (
              `It ${WORKER_HEALTH[worker.health]}.`
            )}
          </span>
        </div>
        <Actions worker={worker} name={name} />
      </div>
      {worker.state === 'ERROR' ? <Notice>{worker.reason}</Notice> : worker.reason && <p className="quiet">{worker.reason}</p>}
      <Notice mood="waiting">
        {worker.state === 'ERROR' && changedSince(worker) && 'The configuration was changed since: start it to try again.'}
      </Notice>
      <Notice mood="waiting">{worker.restartNeeded && 'It runs an older configuration than the saved one: restart it.'}</Notice>
      <Timeline worker={worker} />
    </section>
  );
}

function Actions({ worker, name }: { readonly worker: Worker; readonly name: string }) {
  const mayChange = useMayChange();
  const [start, starting] = useMutate(StartWorkerDocument);
  const [stop, stopping] = useMutate(StopWorkerDocument);
  const [restart, restarting] = useMutate(RestartWorkerDocument);
  const variables = { input: { workerId: worker.id } };

  async function act(run: typeof start | typeof stop | typeof restart, done: string) {
    const { errors } = await run(variables);
    say(errors?.words ?? done, errors ? 'bad' : 'good');
  }

  if (!mayChange) return null;
  const stopped = worker.state === 'PAUSED' || worker.state === 'ERROR';
  return (
    <div className="row">
      {stopped && (
        <Button kind="primary" busy={starting} onClick={() => act(start, `${name} is starting.`)}>
          Start
        </Button>
      )}
      {worker.state !== 'PAUSED' && (
        <Button
          busy={stopping}
          refused={worker.state === 'STOPPING' && 'It is stopping.'}
          onClick={() => act(stop, `${name} is stopping.`)}
        >
          Stop
        </Button>
      )}
      {!stopped && (
        <Button kind="plain" busy={restarting} onClick={() => act(restart, `${name} is restarting.`)}>
          Restart
        </Button>
      )}
    </div>
  );
}

const changedSince = ({ savedRevision, runningRevision }: Worker) => runningRevision !== null && savedRevision !== runningRevision;

/** So many are in sight at once. */
const LATEST = 3;

/** The latest first, each with how it came to be. */
function Timeline({ worker }: { readonly worker: Worker }) {
  const { nodes } = worker.transitions;
  if (nodes.length === 0) return null;
  const list = (some: typeof nodes, label: string) => (
    <ol className="timeline" aria-label={label}>
      {some.map(({ id, toState, reason, at }) => (
        <li key={id}>
          <State look={toState === 'BUILDING' ? { ...WORKER.BUILDING, shape: 'ring' } : WORKER[toState]} bare />
          <span className="quiet small">
            <Ago at={at} />
          </span>
          <span className="small">{reason}</span>
        </li>
      ))}
    </ol>
  );
  return (
    <div className="stack tight">
      {list(nodes.slice(0, LATEST), 'What it went through, the latest first')}
      {nodes.length > LATEST && (
        <details className="small">
          <summary>Before that</summary>
          {list(nodes.slice(LATEST), 'What it went through before')}
        </details>
      )}
    </div>
  );
}
