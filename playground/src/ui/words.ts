// Every state in one word, and the mood that it is shown in.
import type {
  PipelineHealth, PipelinePart, PipelinePartFault, PipelineState, SchemaCompatibility, StalledReason, SyncOutcome, SyncRunStatus, SyncTableStatus, Verb, WorkerHealth, WorkerState,
} from '../client/generated'; // prettier-ignore

export type Mood = 'good' | 'waiting' | 'bad' | 'idle';
export type Shape = 'dot' | 'ring' | 'turning' | 'pause' | 'alert' | 'square' | 'dashed' | 'tick' | 'half';

export interface Look {
  readonly word: string;
  readonly mood: Mood;
  readonly shape: Shape;
}

const look = (word: string, mood: Mood, shape: Shape): Look => ({ word, mood, shape });

export const PIPELINE: Record<PipelineState, Look> = {
  LIVE: look('Live', 'good', 'dot'),
  BUILDING: look('Starting', 'waiting', 'turning'),
  STOPPING: look('Stopping', 'waiting', 'square'),
  ERROR: look('Error', 'bad', 'alert'),
  PAUSED: look('Paused', 'idle', 'pause'),
  DRAFT: look('Draft', 'idle', 'dashed'),
};

/** Whether something is processed. */
export const SWITCH = (enabled: boolean) => (enabled ? look('Enabled', 'good', 'dot') : look('Disabled', 'idle', 'pause'));

/** What needs a person comes first. */
export const PIPELINE_ORDER: readonly PipelineState[] = ['ERROR', 'STOPPING', 'BUILDING', 'LIVE', 'PAUSED', 'DRAFT'];

export const HEALTH: Record<PipelineHealth, string> = {
  INACTIVE: 'Nothing runs',
  STARTING: 'Starting up',
  HEALTHY: 'Healthy',
  DEGRADED: 'Degraded',
};

const PART: Record<PipelinePart, string> = { SOURCE: 'source', TARGET: 'target' };

const FAULT: Record<PipelinePartFault, string> = {
  FAILED: 'has failed',
  NOT_STARTED: 'was launched and has not reported',
  UNRESPONSIVE: 'has stopped reporting',
  NOT_RUNNING: 'does not run',
  NO_WORKER: 'has no worker',
};

export function degraded(parts: readonly { readonly part: PipelinePart; readonly fault: PipelinePartFault }[]): string {
  return parts.map(({ part, fault }) => `The ${PART[part]} ${FAULT[fault]}.`).join(' ');
}

export const DEGRADED: Look = look('Degraded', 'bad', 'half');

export const WORKER: Record<WorkerState, Look> = {
  LIVE: look('Live', 'good', 'dot'),
  BUILDING: look('Starting', 'waiting', 'turning'),
  STOPPING: look('Stopping', 'waiting', 'square'),
  ERROR: look('Error', 'bad', 'alert'),
  PAUSED: look('Paused', 'idle', 'pause'),
};

export const WORKER_HEALTH: Record<WorkerHealth, string> = {
  INACTIVE: 'does not run',
  STARTING: 'is starting up',
  NOT_STARTED: 'was launched and has not reported',
  HEALTHY: 'reports regularly',
  UNRESPONSIVE: 'has stopped reporting',
};

/** A running worker whose silence matters looks like it. */
export function workerLook(worker: { readonly state: WorkerState; readonly health: WorkerHealth }): Look {
  if (worker.health === 'UNRESPONSIVE') return look('Unresponsive', 'bad', 'half');
  if (worker.health === 'NOT_STARTED') return look('Not started', 'bad', 'half');
  return WORKER[worker.state];
}

const TABLE: Record<SyncTableStatus, Look> = {
  QUEUED: look('Queued', 'idle', 'dashed'),
  IN_PROGRESS: look('Reading', 'waiting', 'turning'),
  COMPLETED: look('Completed', 'good', 'tick'),
  PARTIAL: look('Partial', 'waiting', 'half'),
  FAILED: look('Failed', 'bad', 'alert'),
};

/** A table that somebody skipped, or that was never begun when its sync was cancelled, has not failed by itself. */
export function tableLook({ status, errorReason }: { readonly status: SyncTableStatus; readonly errorReason: string | null }): Look {
  if (status !== 'FAILED') return TABLE[status];
  if (errorReason?.startsWith('skipped by ')) return look('Skipped', 'idle', 'dashed');
  return errorReason === 'cancelled' ? look('Not read', 'idle', 'square') : TABLE.FAILED;
}

const RUN: Record<SyncRunStatus, Look> = {
  SYNCING: look('Syncing', 'waiting', 'turning'),
  DONE: look('Done', 'good', 'tick'),
  CANCELLED: look('Cancelled', 'idle', 'square'),
};

const OUTCOME: Record<SyncOutcome, Look> = {
  SUCCEEDED: look('Succeeded', 'good', 'tick'),
  PARTIAL: look('Partly failed', 'bad', 'half'),
  FAILED: look('Failed', 'bad', 'alert'),
};

export function runLook(run: {
  readonly status: SyncRunStatus;
  readonly outcome: SyncOutcome | null;
  readonly stalledSince: string | null;
}): Look {
  if (run.status === 'SYNCING' && run.stalledSince) return look('Stalled', 'bad', 'half');
  return run.outcome ? OUTCOME[run.outcome] : RUN[run.status];
}

export const STALLED: Record<StalledReason, string> = {
  WORKER_NOT_LIVE: 'its worker is not live',
  WORKER_UNRESPONSIVE: 'its worker has stopped reporting',
  NO_PROGRESS: 'its worker reports no progress',
};

export const COMPATIBILITY: Record<SchemaCompatibility, string> = {
  NONE: 'no compatibility',
  BACKWARD: 'backward compatibility',
  BACKWARD_TRANSITIVE: 'backward compatibility with every version',
  FORWARD: 'forward compatibility',
  FORWARD_TRANSITIVE: 'forward compatibility with every version',
  FULL: 'full compatibility',
  FULL_TRANSITIVE: 'full compatibility with every version',
};

export const VERB: Record<Verb, string> = {
  LOGIN: 'signed in', LOGIN_FAILED: 'failed to sign in', LOGOUT: 'signed out', CREATE: 'created', UPDATE: 'changed', DELETE: 'deleted',
  START: 'started', STOP: 'stopped', RESTART: 'restarted', MOVE: 'moved', GRANT: 'granted', REVOKE: 'revoked', INVITE: 'invited',
  REQUEST: 'asked to join', ACCEPT: 'accepted', DECLINE: 'declined', CANCEL: 'cancelled', SYNC: 'started a sync of', SKIP: 'skipped',
  RETRY: 'retried', EXPORT: 'exported', APPLY: 'applied', BOOTSTRAP: 'took the configuration of', REGISTER: 'registered',
  CHANGE_PASSWORD: 'changed the password of', ISSUE: 'issued a token for', CONFIRM: 'confirmed', ROTATE: 'rotated', REPORT: 'reported', TEST: 'tested',
}; // prettier-ignore

/** `PipelineSubscription` as people say it. */
export const spaced = (name: string) => name.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase();
