// The ready-made tabs, one for each subject area. The documents are files of their own, so that a test of the server can check each
// against the schema.
import { bearer, session } from '../../client/session';
import { ForExamplesDocument } from '../../client/generated';
import { send } from '../../client/http';
import access from './access.graphql?raw';
import live from './live.graphql?raw';
import operations from './operations.graphql?raw';
import pipelines from './pipelines.graphql?raw';
import schemas from './schemas.graphql?raw';
import startAndStop from './start-and-stop.graphql?raw';
import throughput from './throughput.graphql?raw';

export interface Example {
  readonly query: string;
  readonly variables: string | null;
}

const DAY = 86_400_000;

/** The examples with variables of what is there, so that each can be run as it stands. */
export async function readExamples(): Promise<readonly Example[]> {
  const now = Math.floor(Date.now() / DAY) * DAY + DAY;
  const days = { from: new Date(now - 7 * DAY).toISOString(), to: new Date(now).toISOString() };
  return [
    { query: access, variables: null },
    { query: pipelines, variables: null },
    { query: operations, variables: null },
    { query: schemas, variables: null },
    { query: throughput, variables: json(days) },
    { query: live, variables: null },
    { query: startAndStop, variables: json(await something()) },
  ];
}

const json = (value: unknown) => JSON.stringify(value, null, 2);

/** A source whose worker is live, where there is one. */
async function something() {
  const answer = await send(ForExamplesDocument, {}, bearer(session.get())).catch(() => null);
  const connectors = answer?.data?.connectors.nodes ?? [];
  const chosen = connectors.find(({ worker }) => worker?.state === 'LIVE') ?? connectors[0];
  const config = chosen?.datamodels.nodes[0]?.config as { readonly table?: unknown } | undefined;
  return {
    connectorId: chosen?.id ?? '',
    workerId: chosen?.worker?.id ?? '',
    table: typeof config?.table === 'string' ? config.table : '',
  };
}
