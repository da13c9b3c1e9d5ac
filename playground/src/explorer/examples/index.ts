// The ready-made tabs, one for each operation, by subject area: a tab bears the name of its operation, and keeps it. The documents
// are files of their own, so that a test of the server can check each against the schema.
import type { Can } from '../../app/rights';
import { bearer, session } from '../../client/session';
import { ForExamplesDocument } from '../../client/generated';
import { send } from '../../client/http';
import access from './access.graphql?raw';
import livePipelines from './live-pipelines.graphql?raw';
import liveRows from './live-rows.graphql?raw';
import liveSyncs from './live-syncs.graphql?raw';
import liveThroughput from './live-throughput.graphql?raw';
import liveWorkers from './live-workers.graphql?raw';
import operations from './operations.graphql?raw';
import pipelines from './pipelines.graphql?raw';
import schemas from './schemas.graphql?raw';
import startSync from './start-sync.graphql?raw';
import startWorker from './start-worker.graphql?raw';
import stopWorker from './stop-worker.graphql?raw';
import throughput from './throughput.graphql?raw';

export interface Example {
  readonly query: string;
  readonly variables: string | null;
}

const DAY = 86_400_000;

/**
 * The examples with variables of what is there, so that each can be run as it stands; one for which nothing is there, or that would
 * be refused, is left out.
 */
export async function readExamples(can: Can): Promise<readonly Example[]> {
  const now = Math.floor(Date.now() / DAY) * DAY + DAY;
  const days = { from: new Date(now - 7 * DAY).toISOString(), to: new Date(now).toISOString() };
  const { workerId, ...toSync } = await something(can);
  const read = [access, pipelines, operations, schemas].map((query) => ({ query, variables: null }));
  const live = [livePipelines, liveWorkers, liveSyncs, liveRows, liveThroughput].map((query) => ({ query, variables: null }));
  return [
    ...read,
    { query: throughput, variables: json(days) },
    ...live,
    ...(toSync.connectorId && toSync.table ? [{ query: startSync, variables: json(toSync) }] : []),
    ...(workerId ? [stopWorker, startWorker].map((query) => ({ query, variables: json({ workerId }) })) : []),
  ];
}

const json = (value: unknown) => JSON.stringify(value, null, 2);

/** A source that one may change, whose worker is live where there is one. */
async function something(can: Can) {
  const answer = await send(ForExamplesDocument, {}, bearer(session.get())).catch(() => null);
  const connectors = (answer?.data?.connectors.nodes ?? []).filter((connector) => can('change', connector));
  const chosen = connectors.find(({ worker }) => worker?.state === 'LIVE') ?? connectors[0];
  const config = chosen?.datamodels.nodes[0]?.config as { readonly table?: unknown } | undefined;
  return {
    connectorId: chosen?.id ?? '',
    workerId: chosen?.worker?.id ?? '',
    table: typeof config?.table === 'string' ? config.table : '',
  };
}
