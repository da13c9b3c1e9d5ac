// The normalised cache: every object once, by its id. What live events carry is taken up by itself; here stands what that
// alone does not do: which types have no id, what leaves, and what a click shows before the server has answered.
import { cacheExchange, type Cache, type OptimisticMutationResolver, type Resolver, type UpdateResolver } from '@urql/exchange-graphcache';

const part = () => null;
/** Types without an id are parts of the object that has them. */
const PARTS = [
  'Consumption', 'ConsumptionPoint', 'ConsumptionSummary', 'DegradedPart', 'PipelineStateCount', 'Production', 'ProductionPoint',
  'ProductionSummary', 'RequestReceived', 'SchemaCompatibilityCheck', 'SchemaDiff', 'SchemaIncompatibility', 'ServerInfo', 'ServiceAccountGrant', 'SyncRunProgress', 'SyncTableProgress', 'TableSync', 'Throughput',
  'ThroughputPoint', 'ThroughputReported', 'ThroughputSummary', 'Viewer', 'ViewerEnv', 'ViewerTeam',
] as const; // prettier-ignore

interface Removal {
  readonly removed: boolean;
  readonly [id: string]: unknown;
}

/** What an event takes back leaves the cache, and so every list that showed it. */
function takesBack(field: string, typename: string, idField: string): UpdateResolver {
  return (result, _variables, cache: Cache) => {
    const event = result[field] as Removal | undefined;
    if (event?.removed) cache.invalidate({ __typename: typename, id: String(event[idField]) });
  };
}

/** What was deleted here leaves at once; the event that tells it comes a moment later. */
function leaves(field: string, row: string, typename: string): UpdateResolver {
  return (result, _variables, cache: Cache) => {
    const payload = result[field] as Readonly<Record<string, { readonly id: string } | null>> | null;
    const id = payload?.[row]?.id;
    if (id) cache.invalidate({ __typename: typename, id });
  };
}

interface Input {
  readonly input: Readonly<Record<string, string>>;
}

/** What the object named by the input will most likely be a moment later. The server's answer replaces it. */
function soon(
  payload: string,
  field: string,
  typename: string,
  idField: string,
  becomes: Readonly<Record<string, string>>,
): OptimisticMutationResolver {
  return (variables) => {
    const { input } = variables as unknown as Input;
    return {
      __typename: payload,
      [field]: { __typename: typename, id: input[idField], ...becomes },
    } as unknown as ReturnType<OptimisticMutationResolver>;
  };
}

/** A page about an object shows at once what another page has read of it; what the server says of it, null too, goes before. */
function known(field: string, typename: string): Resolver {
  const resolver = (_parent: unknown, { id }: { readonly id: string }, cache: Cache) => {
    const said = cache.resolve('Query', field, { id });
    const entity = { __typename: typename, id };
    return said === undefined && cache.resolve(entity, 'id') ? entity : said;
  };
  // The types leave no room for undefined, which is how a resolver says that it has to be asked for.
  return resolver as unknown as Resolver;
}

export const cache = () =>
  cacheExchange({
    keys: {
      ...Object.fromEntries(PARTS.map((name) => [name, part])),
      SchemaSubject: (subject) => String(subject['name']),
    },
    resolvers: {
      Query: {
        pipeline: known('pipeline', 'Pipeline'),
        connector: known('connector', 'Connector'),
        datamodel: known('datamodel', 'Datamodel'),
      },
    },
    updates: {
      Mutation: {
        deletePipeline: leaves('deletePipeline', 'pipeline', 'Pipeline'),
        deleteConnector: leaves('deleteConnector', 'connector', 'Connector'),
        deleteDatamodel: leaves('deleteDatamodel', 'datamodel', 'Datamodel'),
        deletePipelineSubscription: leaves('deletePipelineSubscription', 'pipelineSubscription', 'PipelineSubscription'),
      },
      Subscription: {
        pipelineStateChanged: takesBack('pipelineStateChanged', 'Pipeline', 'pipelineId'),
        workerChanged: takesBack('workerChanged', 'Worker', 'workerId'),
        syncProgressed: takesBack('syncProgressed', 'SyncRun', 'syncRunId'),
      },
    },
    optimistic: {
      startPipeline: soon('StartPipelinePayload', 'pipeline', 'Pipeline', 'pipelineId', { state: 'BUILDING' }),
      pausePipeline: soon('PausePipelinePayload', 'pipeline', 'Pipeline', 'pipelineId', { state: 'STOPPING' }),
      startWorker: soon('StartWorkerPayload', 'worker', 'Worker', 'workerId', { state: 'BUILDING', health: 'STARTING' }),
      stopWorker: soon('StopWorkerPayload', 'worker', 'Worker', 'workerId', { state: 'STOPPING' }),
    },
  });
