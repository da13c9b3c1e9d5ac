/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { TypedDocumentNode as DocumentNode } from '@graphql-typed-document-node/core';
/** Which request or invitation to accept. */
export type AcceptEnvRequestInput = {
  /** The request. */
  requestId: string;
};

/** Which request or invitation to accept. */
export type AcceptTeamRequestInput = {
  /** The request. */
  requestId: string;
};

/** Which request or invitation to cancel. */
export type CancelEnvRequestInput = {
  /** The request. */
  requestId: string;
};

/** Which invitation to cancel. */
export type CancelInvitationInput = {
  /** The invitation; you administer its env or team. */
  invitationId: string;
};

/** Which run to end. */
export type CancelSyncInput = {
  /** The run. */
  syncRunId: string;
};

/** Which request or invitation to cancel. */
export type CancelTeamRequestInput = {
  /** The request. */
  requestId: string;
};

/** The present and the new password. */
export type ChangePasswordInput = {
  /** The present password. */
  currentPassword: string;
  /** The new password, 8 to 1,000 characters. */
  newPassword: string;
};

/** How far a test of a connection came. */
export type ConnectionTestStage =
  /** The name was looked up. */
  | 'ADDRESS'
  /** A connection to it was opened. */
  | 'CONNECT'
  /** It was encrypted. */
  | 'ENCRYPT'
  /** The service answered. */
  | 'READY'
  /** The user was signed in. */
  | 'SIGN_IN';

/** Narrows a list of Connector. All given conditions hold together. */
export type ConnectorFilter = {
  /** Only rows where this is equal: The id of its type in the catalogue, such as `POSTGRES_SOURCE` or `SNOWFLAKE_TARGET`. */
  connectorType?: string | null | undefined;
  /** Only rows where this is one of the given values, at most 500: The id of its type in the catalogue, such as `POSTGRES_SOURCE` or `SNOWFLAKE_TARGET`. */
  connectorTypeIn?: Array<string> | null | undefined;
  /** Only rows where this is before the given value: When it was created. */
  createdAtBefore?: string | null | undefined;
  /** Only rows where this is at or after the given value: When it was created. */
  createdAtFrom?: string | null | undefined;
  /** Only rows where this is equal: The env that its team lives in. */
  envId?: string | null | undefined;
  /** Only rows where this is one of the given values, at most 500: The env that its team lives in. */
  envIdIn?: Array<string> | null | undefined;
  /** Only rows with one of these ids; at most 500. */
  ids?: Array<string> | null | undefined;
  /** Only rows where this is equal: The name, unique within the env. */
  name?: string | null | undefined;
  /** Only rows where this is one of the given values, at most 500: The name, unique within the env. */
  nameIn?: Array<string> | null | undefined;
  /** Only rows whose name contains this text, whatever the case. */
  search?: string | null | undefined;
  /** Only rows where this is equal: The team that owns it. */
  teamId?: string | null | undefined;
  /** Only rows where this is one of the given values, at most 500: The team that owns it. */
  teamIdIn?: Array<string> | null | undefined;
  /** Only rows where this is before the given value: When it last changed. */
  updatedAtBefore?: string | null | undefined;
  /** Only rows where this is at or after the given value: When it last changed. */
  updatedAtFrom?: string | null | undefined;
  /** Only rows where this is equal: Whether it is read from or written to. */
  way?: Way | null | undefined;
  /** Only rows where this is one of the given values, at most 500: Whether it is read from or written to. */
  wayIn?: Array<Way> | null | undefined;
};

/** A new connector. */
export type CreateConnectorInput = {
  /**
   * Its configuration by the schema of its type, kept encrypted. A secret is a text, or where the worker finds it:
   * `{"$secret": "env:PUMPHOUSE_SECRET_NAME"}` or `{"$secret": "file:NAME"}`.
   */
  configuration: unknown;
  /**
   * The id of its type, one of `connectorTypes`, such as `POSTGRES_SOURCE`; it says whether it is a source or a target, and
   * stays.
   */
  connectorType: string;
  /** The name, 1 to 100 characters, unique within the env. */
  name: string;
  /** The team that will own it. */
  teamId: string;
};

/** A new datamodel. */
export type CreateDatamodelInput = {
  /** The structure of the data: an object. Empty when it is left out. */
  config?: unknown;
  /** The consumer group with which it reads, at most 255 characters. */
  consumerId?: string | null | undefined;
  /** Whether it is processed. */
  enabled?: boolean;
  /** Whether rejected rows go to an error table, which then has a name. */
  errorTableEnabled?: boolean;
  /** The name of the error table, at most 255 characters. */
  errorTableName?: string | null | undefined;
  /** The target connector that receives rejected rows, in the same env. */
  errorTableTargetId?: string | null | undefined;
  /** The name, 1 to 100 characters. */
  name: string;
  /** The source connector whose data it shapes; its team owns the datamodel. */
  sourceConnectorId: string;
  /** The topic that it reads from, at most 255 characters. `CONFLICT` when a datamodel that you do not see reads it. */
  sourceTopic?: string | null | undefined;
  /** The topic that it writes to, at most 255 characters. */
  targetTopic?: string | null | undefined;
};

/** A new pipeline. */
export type CreatePipelineInput = {
  /** The datamodel that it carries, in the same env. */
  datamodelId?: string | null | undefined;
  /** Where rejected rows go: an object. Whatever in it is a UUID names a target connector in the same env. */
  errorTableConfig?: unknown;
  /** The pipeline's own settings: an object, without secrets (`VALIDATION` names them). Empty when it is left out. */
  jsonConfiguration?: unknown;
  /** The name, 1 to 100 characters, unique within the env. */
  name: string;
  /** The connector that it reads from, in the same env; without one it is a draft. */
  sourceConnectorId?: string | null | undefined;
  /** The connector that it writes to, in the same env; without one it is a draft. */
  targetConnectorId?: string | null | undefined;
  /** The team that owns it. */
  teamId: string;
};

/** A new subscription. It refers to a pipeline, a target connector or a datamodel at least, and to things of one env. */
export type CreatePipelineSubscriptionInput = {
  /** Whether the worker of its target is asked to deliver everything again from the start. */
  backfill?: boolean;
  /** How rows are written into the target: an object, without secrets (`VALIDATION` names them). Empty when it is left out. */
  config?: unknown;
  /** The consumer group with which it reads, at most 255 characters; its own id when it is left out. */
  consumerId?: string | null | undefined;
  /** The datamodel that it delivers. Datamodel, target connector and target table together are taken by one subscription at most. */
  datamodelId?: string | null | undefined;
  /** Whether it is processed. One that is not is enabled when its pipeline is started. */
  enabled?: boolean;
  /** Whether rejected rows go to an error table, which then has a name. */
  errorTableEnabled?: boolean;
  /** The name of the error table, at most 255 characters. */
  errorTableName?: string | null | undefined;
  /** The target connector that receives rejected rows. */
  errorTableTargetId?: string | null | undefined;
  /** The name, 1 to 255 characters. */
  name: string;
  /** The pipeline that it belongs to. */
  pipelineId?: string | null | undefined;
  /** The connector that it delivers into. */
  targetConnectorId?: string | null | undefined;
  /** The table that it writes, as the target spells it, at most 255 characters. */
  targetTableName?: string | null | undefined;
  /**
   * The single-message transforms, a list in the order in which they run. A key is a reference to a secret, such as
   * `{"$secret": "env:NAME"}`, never the key itself. Empty when it is left out.
   */
  transformConfig?: unknown;
};

/** A service account to create. */
export type CreateServiceAccountInput = {
  /**
   * Its rights, 1 to 100 grants: each on an env or team that you administer, and all in one env unless you are a
   * superuser.
   */
  grants: Array<ServiceAccountGrantInput>;
  /** The name, of 1 to 300 characters; several accounts may have the same. */
  name: string;
};

/** A user to create. */
export type CreateUserInput = {
  /** The email address, which no other user has; stored trimmed and in lower case, 320 characters at most. */
  email: string;
  /** Whether it bypasses the checks of envs and teams. */
  isSuperuser?: boolean;
  /** Whether the address is verified. */
  isVerified?: boolean;
  /** The password, 8 to 1,000 characters. A user without one authenticates elsewhere and cannot sign in with a password. */
  password?: string | null | undefined;
};

/** Narrows a list of Datamodel. All given conditions hold together. */
export type DatamodelFilter = {
  /** Only rows where this is before the given value: When it was created. */
  createdAtBefore?: string | null | undefined;
  /** Only rows where this is at or after the given value: When it was created. */
  createdAtFrom?: string | null | undefined;
  /** Only rows where this is equal: Whether it is processed. */
  enabled?: boolean | null | undefined;
  /** Only rows where this is equal: Whether rejected rows go to an error table. */
  errorTableEnabled?: boolean | null | undefined;
  /** Only rows where this is equal: The connector that receives rejected rows; it may be gone. */
  errorTableTargetId?: string | null | undefined;
  /** Only rows where this is one of the given values, at most 500: The connector that receives rejected rows; it may be gone. */
  errorTableTargetIdIn?: Array<string> | null | undefined;
  /** Only rows with one of these ids; at most 500. */
  ids?: Array<string> | null | undefined;
  /** Only rows where this is equal: The name. */
  name?: string | null | undefined;
  /** Only rows where this is one of the given values, at most 500: The name. */
  nameIn?: Array<string> | null | undefined;
  /** Only rows whose name contains this text, whatever the case. */
  search?: string | null | undefined;
  /** Only rows where this is equal: The source connector. */
  sourceConnectorId?: string | null | undefined;
  /** Only rows where this is one of the given values, at most 500: The source connector. */
  sourceConnectorIdIn?: Array<string> | null | undefined;
  /** Only rows where this is equal: The topic it reads from. */
  sourceTopic?: string | null | undefined;
  /** Only rows where this is one of the given values, at most 500: The topic it reads from. */
  sourceTopicIn?: Array<string> | null | undefined;
  /** Only rows where this is equal: The topic it writes to. */
  targetTopic?: string | null | undefined;
  /** Only rows where this is one of the given values, at most 500: The topic it writes to. */
  targetTopicIn?: Array<string> | null | undefined;
  /** Only rows where this is before the given value: When it last changed. */
  updatedAtBefore?: string | null | undefined;
  /** Only rows where this is at or after the given value: When it last changed. */
  updatedAtFrom?: string | null | undefined;
};

/** Which request or invitation to decline. */
export type DeclineEnvRequestInput = {
  /** The request. */
  requestId: string;
};

/** Which request or invitation to decline. */
export type DeclineTeamRequestInput = {
  /** The request. */
  requestId: string;
};

/** Which connector to delete. */
export type DeleteConnectorInput = {
  /** The connector. */
  connectorId: string;
  /** Whether a worker that is not PAUSED and a sync that runs are ended with it instead of being in the way. */
  force?: boolean;
};

/** Which datamodel to delete. */
export type DeleteDatamodelInput = {
  /** The datamodel. */
  datamodelId: string;
  /** The `updatedAt` that was read with the datamodel; when it has changed since, `CONFLICT` and nothing is deleted. */
  updatedAt?: string | null | undefined;
};

/** Which pipeline to delete. */
export type DeletePipelineInput = {
  /**
   * The `version` that was read; when it has changed since, `CONFLICT` with the present one in `details.version`, and
   * nothing is deleted.
   */
  expectedVersion?: number | null | undefined;
  /** The pipeline. */
  pipelineId: string;
  /** Whether its subscriptions are deleted with it. Else they stay, disabled and without a pipeline. */
  withSubscriptions?: boolean;
};

/** Which subscription to delete. */
export type DeletePipelineSubscriptionInput = {
  /** The subscription. */
  pipelineSubscriptionId: string;
  /** The `updatedAt` that was read with the subscription; when it has changed since, `CONFLICT` and nothing is deleted. */
  updatedAt?: string | null | undefined;
};

/** Which service account to delete. */
export type DeleteServiceAccountInput = {
  /** The account; you administer every grant that it has. */
  serviceAccountId: string;
};

/** The types of rows whose changes are announced. */
export type EntityType =
  /** An integration point with one external system, read from or written to. Whether it is a source or a target follows from its type. Exactly one worker runs it. */
  | 'CONNECTOR'
  /** The shape of what a source produced, and the topic it is republished on. One datamodel feeds as many subscriptions as there are places where the data has to land. */
  | 'DATAMODEL'
  /** An environment: its teams and the broker they share. Members of one of its teams who are not members of the env itself see only its id and name. */
  | 'ENV'
  /** The membership of a user in an env, with the role that it gives there. */
  | 'ENV_MEMBER'
  /** A request to join an env, or an invitation to it. Seen by its author, its target, and the admins and readers of the env. An invitation of a user whom the author does not see is shown to its target only; see `Env.invitations`. */
  | 'ENV_REQUEST'
  /** The latest verdict on the licence of this installation. */
  | 'LICENSE_STATE'
  /** One configured flow from a source connector to a target connector. */
  | 'PIPELINE'
  /** One delivery: how a datamodel's rows are transformed and written into one target table. Its identity is the datamodel, the target connector and the target table together. */
  | 'PIPELINE_SUBSCRIPTION'
  /** A schema document, stored once per distinct content: the same document under twenty subjects is one document with twenty versions that point at it. */
  | 'SCHEMA_DOCUMENT'
  /** One version of one subject. The history of versions lets a consumer read messages that were written before the current schema. */
  | 'SCHEMA_VERSION'
  /** A machine identity with a name. It acts as its own user and may do exactly what the memberships of that user allow. */
  | 'SERVICE_ACCOUNT'
  /** A sync: the snapshot of one or more tables of a source connector, read one step after the other. */
  | 'SYNC_RUN'
  /** One table of a sync run: its place in the queue and how far it was read. */
  | 'SYNC_TABLE'
  /** The unit of ownership: every connector and pipeline belongs to exactly one team. */
  | 'TEAM'
  /** The membership of a user in a team. Members of a team see and change what the team owns. */
  | 'TEAM_MEMBER'
  /** A request to join a team, or an invitation to it. Seen by its author, its target, the admins of the team, and the admins and readers of the env. An invitation of a user whom the author does not see is shown to its target only; see `Team.invitations`. */
  | 'TEAM_REQUEST'
  /** A person or a machine that can act on this installation. A service account is backed by one. */
  | 'USER'
  /** The execution state of one connector: what is wanted of its process and what was observed of it. */
  | 'WORKER';

/** What a member of an env may do there. */
export type EnvRole =
  /** Everything in the env: its settings, members, requests and teams, and all that the teams own. */
  | 'ADMIN'
  /** See the env and its members, create teams in it, and work in the teams they belong to. */
  | 'MEMBER'
  /** See everything in the env and change nothing. */
  | 'READER';

/** The user to invite. */
export type InviteToEnvInput = {
  /** The exact email address, whatever the case. */
  email: string;
  /** The env. */
  envId: string;
  /** The role that acceptance gives. */
  role: EnvRole;
};

/** The user to invite. */
export type InviteToTeamInput = {
  /** Whether acceptance makes them an admin of the team. */
  admin?: boolean;
  /** The exact email address, whatever the case. */
  email: string;
  /** The team. */
  teamId: string;
};

/** A token to issue. */
export type IssueServiceAccountTokenInput = {
  /**
   * How long it lives, in seconds: 1 to 31,622,400, which is a year. A service account issues tokens that end no later than the one
   * that it uses.
   */
  lifetime: number;
  /** What the token is for, at most 100 characters. */
  name?: string | null | undefined;
  /** The account; you administer every grant that it has. */
  serviceAccountId: string;
};

/** Which pipeline to pause. */
export type PausePipelineInput = {
  /** The pipeline. */
  pipelineId: string;
};

/** Narrows a list of Pipeline. All given conditions hold together. */
export type PipelineFilter = {
  /** Only rows where this is before the given value: When it was created. */
  createdAtBefore?: string | null | undefined;
  /** Only rows where this is at or after the given value: When it was created. */
  createdAtFrom?: string | null | undefined;
  /** Only rows where this is equal: The datamodel it carries. */
  datamodelId?: string | null | undefined;
  /** Only rows where this is one of the given values, at most 500: The datamodel it carries. */
  datamodelIdIn?: Array<string> | null | undefined;
  /** Only rows where this is equal: The env that its team lives in. */
  envId?: string | null | undefined;
  /** Only rows where this is one of the given values, at most 500: The env that its team lives in. */
  envIdIn?: Array<string> | null | undefined;
  /** Only rows with one of these ids; at most 500. */
  ids?: Array<string> | null | undefined;
  /** Only rows where this is equal: Whether it has a source, a target and at least one subscription with a datamodel, a target connector and a target table. */
  isCompleted?: boolean | null | undefined;
  /** Only rows where this is equal: The name, unique within the env. */
  name?: string | null | undefined;
  /** Only rows where this is one of the given values, at most 500: The name, unique within the env. */
  nameIn?: Array<string> | null | undefined;
  /** Only rows whose name contains this text, whatever the case. */
  search?: string | null | undefined;
  /** Only rows where this is equal: The connector it reads from. */
  sourceConnectorId?: string | null | undefined;
  /** Only rows where this is one of the given values, at most 500: The connector it reads from. */
  sourceConnectorIdIn?: Array<string> | null | undefined;
  /** Only rows where this is equal: What it is doing, from what it consists of and from its two workers. */
  state?: PipelineState | null | undefined;
  /** Only rows where this is one of the given values, at most 500: What it is doing, from what it consists of and from its two workers. */
  stateIn?: Array<PipelineState> | null | undefined;
  /** Only rows where this is equal: The connector it writes to. */
  targetConnectorId?: string | null | undefined;
  /** Only rows where this is one of the given values, at most 500: The connector it writes to. */
  targetConnectorIdIn?: Array<string> | null | undefined;
  /** Only rows where this is equal: The team that owns it. */
  teamId?: string | null | undefined;
  /** Only rows where this is one of the given values, at most 500: The team that owns it. */
  teamIdIn?: Array<string> | null | undefined;
  /** Only rows where this is before the given value: When it last changed. */
  updatedAtBefore?: string | null | undefined;
  /** Only rows where this is at or after the given value: When it last changed. */
  updatedAtFrom?: string | null | undefined;
};

/** What the workers of a pipeline say of it together. */
export type PipelineHealth =
  /** Something is wrong with a part of it; `degradedParts` says which. */
  | 'DEGRADED'
  /** Both workers run and report. */
  | 'HEALTHY'
  /** Nothing runs and nothing should: it is a draft, none of its subscriptions is enabled, or both workers are PAUSED. */
  | 'INACTIVE'
  /** A worker was launched and has not reported yet, which is still in good time; nothing is wrong with the other. */
  | 'STARTING';

/** One of the two ends of a pipeline. */
export type PipelinePart =
  /** The source connector and its worker. */
  | 'SOURCE'
  /** The target connector and its worker. */
  | 'TARGET';

/** What is wrong with a part of a pipeline. */
export type PipelinePartFault =
  /** Its worker is in ERROR; `worker.reason` says why. */
  | 'FAILED'
  /** Its worker does not run while the other does. */
  | 'NOT_RUNNING'
  /** Its worker was launched and has not reported in good time. */
  | 'NOT_STARTED'
  /** Its connector has no worker. */
  | 'NO_WORKER'
  /** Its worker has stopped reporting. */
  | 'UNRESPONSIVE';

/** What a pipeline is doing, from what it consists of and from its two workers. The first that applies counts. */
export type PipelineState =
  /** A worker was asked to start and has not reported itself live yet. */
  | 'BUILDING'
  /** It is not completed: it lacks a source, a target, or a subscription with a datamodel, a target connector and a target table. */
  | 'DRAFT'
  /** A worker is in ERROR. */
  | 'ERROR'
  /** Both workers are live. */
  | 'LIVE'
  /** None of its subscriptions is enabled; or neither worker is in ERROR, STOPPING or BUILDING and at least one is PAUSED or missing. */
  | 'PAUSED'
  /** A worker is stopping. */
  | 'STOPPING';

/** Which pipelines to follow; all given conditions hold together. */
export type PipelineStateChangedFilter = {
  /** Only pipelines that read from or write to one of these connectors, at most 500. */
  connectorIds?: Array<string> | null | undefined;
  /** Only the pipelines of this env's teams. */
  envId?: string | null | undefined;
  /** Only these pipelines, at most 500. */
  pipelineIds?: Array<string> | null | undefined;
  /** Only this team's pipelines. */
  teamId?: string | null | undefined;
};

/** A schema for a subject. */
export type RegisterSchemaInput = {
  /** The schema itself, JSON of at most 512 KiB. */
  schema: string;
  /** The subject, 1 to 255 characters, by convention `<topic>-key` or `<topic>-value`. It is created by its first version. */
  subject: string;
  /** The language of the schema. */
  type: SchemaType;
};

/** The membership to end. */
export type RemoveEnvMemberInput = {
  /** The env. */
  envId: string;
  /** The member. */
  userId: string;
};

/** The membership to end. */
export type RemoveTeamMemberInput = {
  /** The team. */
  teamId: string;
  /** The member. */
  userId: string;
};

/** Where a request to join or an invitation stands. */
export type RequestStatus =
  /** It was accepted; the target is a member. */
  | 'ACCEPTED'
  /** It was withdrawn before a decision. */
  | 'CANCELLED'
  /** It was declined by the user who had to decide. */
  | 'DECLINED'
  /** Not decided yet. */
  | 'PENDING';

/** The env to join. */
export type RequestToJoinEnvInput = {
  /** The env. Its id is enough; you need not see the env. */
  envId: string;
  /** The requested role. */
  role: EnvRole;
};

/** What to join. */
export type RequestToJoinTeamInput = {
  /** Whether you ask to administer it. */
  admin?: boolean;
  /** The team. Its id is enough, as whoever told you has it; you need not see the team. */
  teamId: string;
};

/** Which worker to restart. */
export type RestartWorkerInput = {
  /** The worker. */
  workerId: string;
};

/** Which run to repeat. */
export type RetrySyncInput = {
  /** A run that has ended. */
  syncRunId: string;
};

/** Which token to revoke. */
export type RevokeServiceAccountTokenInput = {
  /** The token's id, as the account lists it. */
  tokenId: string;
};

/** The compatibility that a new version of a subject needs with its earlier ones. Supported for Avro only. */
export type SchemaCompatibility =
  /** The new schema can read data written with the latest one: upgrade consumers first. */
  | 'BACKWARD'
  /** The new schema can read data written with any version. */
  | 'BACKWARD_TRANSITIVE'
  /** The latest schema can read data written with the new one: upgrade producers first. */
  | 'FORWARD'
  /** Every version can read data written with the new schema. */
  | 'FORWARD_TRANSITIVE'
  /** Both `BACKWARD` and `FORWARD`. */
  | 'FULL'
  /** Both `BACKWARD_TRANSITIVE` and `FORWARD_TRANSITIVE`. */
  | 'FULL_TRANSITIVE'
  /** No restriction. */
  | 'NONE';

/** The language of a schema. */
export type SchemaType =
  /** Apache Avro. */
  | 'AVRO'
  /** JSON Schema. */
  | 'JSON';

/** A grant to a service account: a role in an env (`envId`, `role`), or membership of a team (`teamId`, `admin`, `worker`). */
export type ServiceAccountGrantInput = {
  /** Whether the account administers the team. */
  admin?: boolean;
  /** The env in which a role is given. Requires `role`, and excludes the other fields. */
  envId?: string | null | undefined;
  /** What the account may do in the env. */
  role?: EnvRole | null | undefined;
  /** The team that the account becomes a member of. */
  teamId?: string | null | undefined;
  /** Whether the account may act for the team's workers: receive their configurations and commands, and report for them. */
  worker?: boolean;
};

/** A user's role in an env. */
export type SetEnvMemberInput = {
  /** The env. */
  envId: string;
  /** The role from now on. */
  role: EnvRole;
  /**
   * The `updatedAt` of the membership that you read; `CONFLICT` when it has changed or ended since. Null overwrites
   * unconditionally.
   */
  updatedAt?: string | null | undefined;
  /** The user; one that you see, and no service account. */
  userId: string;
};

/** The new grants of a service account. */
export type SetServiceAccountGrantsInput = {
  /**
   * All its grants from now on, 1 to 100: each on an env or team that you administer, and all in one env unless you are a
   * superuser. Grants that are not listed are withdrawn.
   */
  grants: Array<ServiceAccountGrantInput>;
  /** The account; you administer every grant that it has now. */
  serviceAccountId: string;
};

/** A user's role in a team. */
export type SetTeamMemberInput = {
  /** Whether the user administers the team from now on. */
  admin?: boolean;
  /** The team. */
  teamId: string;
  /**
   * The `updatedAt` of the membership that you read; `CONFLICT` when it has changed or ended since. Null overwrites
   * unconditionally.
   */
  updatedAt?: string | null | undefined;
  /** The user; one that you see, and no service account. */
  userId: string;
};

/** Which table to leave out. */
export type SkipSyncTableInput = {
  /** The table's place in a run, which waits for its turn. */
  syncTableId: string;
};

/** Why a sync run made no progress. */
export type StalledReason =
  /** The worker reported, but no row came in. */
  | 'NO_PROGRESS'
  /** The worker of the connector was not live. */
  | 'WORKER_NOT_LIVE'
  /** The worker had stopped reporting. */
  | 'WORKER_UNRESPONSIVE';

/** Which pipeline to start. */
export type StartPipelineInput = {
  /** The pipeline. */
  pipelineId: string;
};

/** What to read. */
export type StartSyncInput = {
  /** The source connector. */
  connectorId: string;
  /** Its tables in the order to read them: 1 to 10,000, no name twice. */
  tables: Array<SyncTableInput>;
};

/** Which worker to start. */
export type StartWorkerInput = {
  /** The worker. */
  workerId: string;
};

/** Which worker to stop. */
export type StopWorkerInput = {
  /** The worker. */
  workerId: string;
};

/** Why a sync run ended. */
export type SyncEndCause =
  /** It had made no progress for too long. */
  | 'ABANDONED'
  /** Somebody cancelled it. */
  | 'CANCELLED'
  /** Its connector was deleted while it was under way. */
  | 'CONNECTOR_DELETED'
  /** Every table had come to its end, well or not. */
  | 'FINISHED';

/** How a run that has ended came out. */
export type SyncOutcome =
  /** No table was read, not even in part. */
  | 'FAILED'
  /** Some tables were read, completely or in part, and some were not. */
  | 'PARTIAL'
  /** Every table was read completely. */
  | 'SUCCEEDED';

/** Which syncs to follow; all given conditions hold together. */
export type SyncProgressedFilter = {
  /** Only runs of these connectors, at most 500. */
  connectorIds?: Array<string> | null | undefined;
  /** Only runs of this env's connectors. */
  envId?: string | null | undefined;
  /** Only these runs, at most 500, also when they have ended. */
  syncRunIds?: Array<string> | null | undefined;
  /** Only runs of this team's connectors. */
  teamId?: string | null | undefined;
};

/** Where a sync run stands. */
export type SyncRunStatus =
  /** It was ended before every table was read, by a user or because it stalled for too long. */
  | 'CANCELLED'
  /** Every table has come to its end, well or not. */
  | 'DONE'
  /** It is under way. */
  | 'SYNCING';

/** A table to be read. */
export type SyncTableInput = {
  /** How many rows the source estimates for it, 0 or more; null when unknown. */
  approximateRowCount?: number | null | undefined;
  /** Its full name at the source, such as `public.orders`; kept as it is given. */
  name: string;
};

/** Where one table of a sync run stands. */
export type SyncTableStatus =
  /** All of it was read. */
  | 'COMPLETED'
  /** It could not be read, or was never begun. */
  | 'FAILED'
  /** It is being read. */
  | 'IN_PROGRESS'
  /** It was being read when the run ended; some of its rows were read. */
  | 'PARTIAL'
  /** It waits for its turn. */
  | 'QUEUED';

/** What to test before it is saved. */
export type TestConnectorConfigurationInput = {
  /** Its configuration by the schema of its type, all secrets included. */
  configuration: unknown;
  /** The id of its type, one of `connectorTypes`. */
  connectorType: string;
  /** A team that the connector could be made for; those who may make one may test it. */
  teamId: string;
};

/** Which connector to test. */
export type TestConnectorInput = {
  /**
   * The whole configuration to test instead of the one that is stored, by the schema of its type. `{"$secret": "stored"}` stands
   * for the secret that is stored in the same place, unless something marked `x-destination` has changed.
   */
  configuration?: unknown;
  /** The connector. */
  connectorId: string;
};

/** How long a point of a series is. */
export type ThroughputBucket =
  /** A day of UTC. Known for good; the parts of a day at the ends of the range for as long as raw rows are kept. */
  | 'DAY'
  /** An hour. Known for as long as raw rows are kept. */
  | 'HOUR'
  /** A minute. Known for as long as raw rows are kept. */
  | 'MINUTE';

/** What to follow; all given conditions hold together. */
export type ThroughputReportedFilter = {
  /**
   * Only what was written to the source topics of these datamodels, at most 500, and of the subscriptions only those
   * that `pipelineSubscriptionIds` names.
   */
  datamodelIds?: Array<string> | null | undefined;
  /** Only what the teams of this env own. */
  envId?: string | null | undefined;
  /** Only what these pipelines carry, at most 500. */
  pipelineIds?: Array<string> | null | undefined;
  /** Only what these subscriptions delivered, at most 500, and of the datamodels only those that `datamodelIds` names. */
  pipelineSubscriptionIds?: Array<string> | null | undefined;
  /** Only what this team owns. */
  teamId?: string | null | undefined;
};

/** What to change in a connector. What is left out stays as it is; null is refused (`VALIDATION`). */
export type UpdateConnectorInput = {
  /**
   * The whole new configuration, by the schema of its type. `{"$secret": "stored"}` keeps the secret that is stored in the same
   * place; a text is a new value, whatever it looks like. When something marked `x-destination` changes, every kept secret
   * must be sent anew.
   */
  configuration?: unknown;
  /** The connector. */
  connectorId: string;
  /** The new name, 1 to 100 characters, unique within the env. */
  name?: string | null | undefined;
  /** The `updatedAt` that was read with the connector; when it has changed since, `CONFLICT` and nothing is written. Null does not ask. */
  updatedAt?: string | null | undefined;
};

/** What to change in a datamodel. What is left out stays as it is; null is refused (`VALIDATION`) but where it is said what it does. */
export type UpdateDatamodelInput = {
  /** The whole new structure of the data: an object; `{}` empties it. */
  config?: unknown;
  /** The consumer group with which it reads, at most 255 characters, or null for none. */
  consumerId?: string | null | undefined;
  /** The datamodel. */
  datamodelId: string;
  /** Whether it is processed. */
  enabled?: boolean | null | undefined;
  /** Whether rejected rows go to an error table, which then has a name. */
  errorTableEnabled?: boolean | null | undefined;
  /** The name of the error table, at most 255 characters, or null for none. */
  errorTableName?: string | null | undefined;
  /** The target connector that receives rejected rows, in the same env, or null for none. */
  errorTableTargetId?: string | null | undefined;
  /** The new name, 1 to 100 characters. */
  name?: string | null | undefined;
  /** Another source connector, in the same env. */
  sourceConnectorId?: string | null | undefined;
  /** The topic that it reads from, at most 255 characters, or null for none. `CONFLICT` when a datamodel that you do not see reads it. */
  sourceTopic?: string | null | undefined;
  /** The topic that it writes to, at most 255 characters, or null for none. */
  targetTopic?: string | null | undefined;
  /** The `updatedAt` that was read with the datamodel; when it has changed since, `CONFLICT` and nothing is written. Null does not ask. */
  updatedAt?: string | null | undefined;
};

/** What to change in a pipeline. What is left out stays as it is; null is refused (`VALIDATION`) but where it is said what it does. */
export type UpdatePipelineInput = {
  /** The datamodel that it carries, in the same env; null for none. */
  datamodelId?: string | null | undefined;
  /** Where rejected rows go: an object, or null to say so no more. Whatever in it is a UUID names a target connector in the same env. */
  errorTableConfig?: unknown;
  /**
   * The `version` that was read; when it has changed since, `CONFLICT` with the present one in `details.version`, and
   * nothing is written. Null does not ask.
   */
  expectedVersion?: number | null | undefined;
  /** The whole of the pipeline's own settings: an object, without secrets (`VALIDATION` names them); `{}` empties them. */
  jsonConfiguration?: unknown;
  /** The new name, 1 to 100 characters, unique within the env. */
  name?: string | null | undefined;
  /** The pipeline. */
  pipelineId: string;
  /** The connector that it reads from, in the same env; null makes it a draft. */
  sourceConnectorId?: string | null | undefined;
  /** The connector that it writes to, in the same env; null makes it a draft. */
  targetConnectorId?: string | null | undefined;
};

/** What to change in a subscription. What is left out stays as it is; null is refused (`VALIDATION`) but where it is said what it does. */
export type UpdatePipelineSubscriptionInput = {
  /**
   * Switching it on asks the worker of its target to deliver everything again from the start; the worker confirms, which
   * switches it off. Switching it off before that withdraws the request.
   */
  backfill?: boolean | null | undefined;
  /** How rows are written into the target: the whole object, without secrets (`VALIDATION` names them); `{}` empties it. */
  config?: unknown;
  /** The consumer group with which it reads, at most 255 characters; null makes it its own id. */
  consumerId?: string | null | undefined;
  /** The datamodel that it delivers, or null. */
  datamodelId?: string | null | undefined;
  /** Whether it is processed. */
  enabled?: boolean | null | undefined;
  /** Whether rejected rows go to an error table, which then has a name. */
  errorTableEnabled?: boolean | null | undefined;
  /** The name of the error table, at most 255 characters, or null. */
  errorTableName?: string | null | undefined;
  /** The target connector that receives rejected rows, or null. */
  errorTableTargetId?: string | null | undefined;
  /** The new name, 1 to 255 characters. */
  name?: string | null | undefined;
  /** Another pipeline, or null to take it out of its pipeline. */
  pipelineId?: string | null | undefined;
  /** The subscription. */
  pipelineSubscriptionId: string;
  /** The connector that it delivers into, or null. */
  targetConnectorId?: string | null | undefined;
  /** The table that it writes, as the target spells it, at most 255 characters, or null. */
  targetTableName?: string | null | undefined;
  /**
   * The single-message transforms: the whole list; `[]` empties it. A key is a reference to a secret, such as `{"$secret": "env:NAME"}`,
   * never the key itself.
   */
  transformConfig?: unknown;
  /** The `updatedAt` that was read with the subscription; when it has changed since, `CONFLICT` and nothing is written. Null does not ask. */
  updatedAt?: string | null | undefined;
};

/** Narrows a list of UserLog. All given conditions hold together. */
export type UserLogFilter = {
  /** Only rows where this is equal: What was done. */
  action?: Verb | null | undefined;
  /** Only rows where this is one of the given values, at most 500: What was done. */
  actionIn?: Array<Verb> | null | undefined;
  /** Only rows where this is equal: The name of the job, worker or command that acted; null when a user did. */
  actorName?: string | null | undefined;
  /** Only rows where this is one of the given values, at most 500: The name of the job, worker or command that acted; null when a user did. */
  actorNameIn?: Array<string> | null | undefined;
  /** Only rows where this is equal: The id of what it was about, which may be gone; null when that is not known. */
  entityId?: string | null | undefined;
  /** Only rows where this is one of the given values, at most 500: The id of what it was about, which may be gone; null when that is not known. */
  entityIdIn?: Array<string> | null | undefined;
  /** Only rows where this is equal: The type in the graph of what it was about, such as `Connector`. */
  entityType?: string | null | undefined;
  /** Only rows where this is one of the given values, at most 500: The type in the graph of what it was about, such as `Connector`. */
  entityTypeIn?: Array<string> | null | undefined;
  /** Only rows where this is equal: The env that it happened in, at that time; null when in none. */
  envId?: string | null | undefined;
  /** Only rows where this is one of the given values, at most 500: The env that it happened in, at that time; null when in none. */
  envIdIn?: Array<string> | null | undefined;
  /** Only rows with one of these ids; at most 500. */
  ids?: Array<string> | null | undefined;
  /** Only rows where this is equal: The id of the request, as its answer and the server's log have it; null when no request was behind it. */
  requestId?: string | null | undefined;
  /** Only rows where this is one of the given values, at most 500: The id of the request, as its answer and the server's log have it; null when no request was behind it. */
  requestIdIn?: Array<string> | null | undefined;
  /** Only rows where this is equal: Whom it was about, when that was another user who still exists. */
  targetUserId?: string | null | undefined;
  /** Only rows where this is one of the given values, at most 500: Whom it was about, when that was another user who still exists. */
  targetUserIdIn?: Array<string> | null | undefined;
  /** Only rows where this is equal: The team that owned what it was about, at that time; null when none did. */
  teamId?: string | null | undefined;
  /** Only rows where this is one of the given values, at most 500: The team that owned what it was about, at that time; null when none did. */
  teamIdIn?: Array<string> | null | undefined;
  /** Only rows where this is before the given value: When it was done. */
  timestampBefore?: string | null | undefined;
  /** Only rows where this is at or after the given value: When it was done. */
  timestampFrom?: string | null | undefined;
  /** Only rows where this is equal: The email, at that time, of who acted: the author of record. Whatever the case. */
  userEmail?: string | null | undefined;
  /** Only rows where this is one of the given values, at most 500: The email, at that time, of who acted: the author of record. Whatever the case. */
  userEmailIn?: Array<string> | null | undefined;
  /** Only rows where this is equal: Who acted, while that user exists; null does not mean the system, see `userType`. */
  userId?: string | null | undefined;
  /** Only rows where this is one of the given values, at most 500: Who acted, while that user exists; null does not mean the system, see `userType`. */
  userIdIn?: Array<string> | null | undefined;
  /** Only rows where this is equal: What kind of identity acted. */
  userType?: UserType | null | undefined;
  /** Only rows where this is one of the given values, at most 500: What kind of identity acted. */
  userTypeIn?: Array<UserType> | null | undefined;
};

/** What kind of identity acted. */
export type UserType =
  /** A person. */
  | 'REAL_USER'
  /** A service account. */
  | 'SERVICE'
  /** The system itself. */
  | 'SYSTEM';

/** What was done, as the audit log says it. */
export type Verb =
  /** A request or an invitation was accepted. */
  | 'ACCEPT'
  /** A configuration document was applied. */
  | 'APPLY'
  /** A worker was handed its configuration. */
  | 'BOOTSTRAP'
  /** A request, an invitation or a sync was cancelled. */
  | 'CANCEL'
  /** A password was changed. */
  | 'CHANGE_PASSWORD'
  /** A worker confirmed what it had been told to do. */
  | 'CONFIRM'
  /** Something was created. */
  | 'CREATE'
  /** A request or an invitation was declined. */
  | 'DECLINE'
  /** Something was deleted. */
  | 'DELETE'
  /** A configuration was exported. */
  | 'EXPORT'
  /** A membership or a right was given or changed. */
  | 'GRANT'
  /** Somebody was invited to an env or a team. */
  | 'INVITE'
  /** A token was issued. */
  | 'ISSUE'
  /** A user signed in. */
  | 'LOGIN'
  /** Signing in was refused. */
  | 'LOGIN_FAILED'
  /** A user signed out. */
  | 'LOGOUT'
  /** A team was moved to another env. */
  | 'MOVE'
  /** A schema was registered. */
  | 'REGISTER'
  /** A verdict on the licence was reported. */
  | 'REPORT'
  /** Somebody asked to join an env or a team. */
  | 'REQUEST'
  /** A worker was restarted. */
  | 'RESTART'
  /** A sync was run again for what it had not completed. */
  | 'RETRY'
  /** A membership, a right or a token was taken away. */
  | 'REVOKE'
  /** Encryption keys were rotated. */
  | 'ROTATE'
  /** A table of a sync was skipped. */
  | 'SKIP'
  /** A worker or a pipeline was started. */
  | 'START'
  /** A worker was stopped or a pipeline paused. */
  | 'STOP'
  /** A sync was started. */
  | 'SYNC'
  /** A connection was tested. */
  | 'TEST'
  /** Something was changed. */
  | 'UPDATE';

/** Whether a connector is read from or written to. */
export type Way =
  /** It is read from. */
  | 'SOURCE'
  /** It is written to. */
  | 'TARGET';

/** Which workers to follow; all given conditions hold together. */
export type WorkerChangedFilter = {
  /** Only the workers of these connectors, at most 500. */
  connectorIds?: Array<string> | null | undefined;
  /** Only the workers of this env's connectors. */
  envId?: string | null | undefined;
  /**
   * Only the workers of these pipelines' sources and targets, at most 500. When a pipeline gets another source or
   * target, the present state is sent again.
   */
  pipelineIds?: Array<string> | null | undefined;
  /** Only the workers of this team's connectors. */
  teamId?: string | null | undefined;
  /** Only these workers, at most 500. */
  workerIds?: Array<string> | null | undefined;
};

/** What the reports of a worker say of it, as far as they can. */
export type WorkerHealth =
  /** It reports. */
  | 'HEALTHY'
  /** Nothing runs. */
  | 'INACTIVE'
  /** It was launched and has not reported in good time. */
  | 'NOT_STARTED'
  /** It was launched and has not reported yet, which is still in good time. */
  | 'STARTING'
  /** It has stopped reporting. That does not say that it has stopped. */
  | 'UNRESPONSIVE';

/** What a worker is doing or is meant to do. */
export type WorkerState =
  /** A start was asked for; it has not reported itself live yet. */
  | 'BUILDING'
  /** It reported a failure, or could not be launched. */
  | 'ERROR'
  /** It reported that it runs. */
  | 'LIVE'
  /** Nothing runs and nothing should. */
  | 'PAUSED'
  /** A stop was asked for; it has not reported itself stopped yet. */
  | 'STOPPING';

export type AuditQueryVariables = Exact<{
  filter?: UserLogFilter | null | undefined;
  first?: number | null | undefined;
  after?: string | null | undefined;
  last?: number | null | undefined;
  before?: string | null | undefined;
}>;


export type AuditQuery = { userLogs: { nodes: Array<{ id: string, timestamp: string, userType: UserType, action: Verb, userEmail: string | null, actorName: string | null, entityType: string, entityId: string | null, entityName: string | null, changedFields: Array<string>, requestId: string | null, targetUser: { id: string, email: string } | null, env: { id: string, name: string | null } | null, team: { id: string, name: string | null } | null }>, pageInfo: { hasNextPage: boolean, hasPreviousPage: boolean, startCursor: string | null, endCursor: string | null } } };

export type UsersLikeQueryVariables = Exact<{
  search: string;
}>;


export type UsersLikeQuery = { users: { nodes: Array<{ id: string, email: string }> } };

export type PlacesQueryVariables = Exact<{ [key: string]: never; }>;


export type PlacesQuery = { envs: { nodes: Array<{ id: string, name: string | null }> }, teams: { nodes: Array<{ id: string, name: string | null, envId: string | null }> }, viewer: { user: { id: string, email: string, isSuperuser: boolean }, envs: Array<{ role: EnvRole, env: { id: string, name: string | null } | null }>, teams: Array<{ admin: boolean, team: { id: string, name: string | null, envId: string | null } | null }> } };

export type BoardQueryVariables = Exact<{
  filter?: PipelineFilter | null | undefined;
  counted?: PipelineFilter | null | undefined;
  after?: string | null | undefined;
}>;


export type BoardQuery = { pipelineStateCounts: Array<{ state: PipelineState, count: number }>, pipelines: { nodes: Array<{ id: string, name: string | null, state: PipelineState, health: PipelineHealth, teamId: string, envId: string | null, sourceConnectorId: string | null, targetConnectorId: string | null, degradedParts: Array<{ part: PipelinePart, fault: PipelinePartFault }>, team: { id: string, name: string | null } | null, env: { id: string, name: string | null } | null, sourceConnector: { id: string, name: string | null, connectorType: string, way: Way, teamId: string | null, envId: string | null, worker: { id: string, state: WorkerState, health: WorkerHealth, reason: string | null, lastHeartbeatAt: string | null, restartNeeded: boolean } | null } | null, datamodel: { id: string, name: string } | null, targetConnector: { id: string, name: string | null, connectorType: string, way: Way, teamId: string | null, envId: string | null, worker: { id: string, state: WorkerState, health: WorkerHealth, reason: string | null, lastHeartbeatAt: string | null, restartNeeded: boolean } | null } | null }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } };

export type FailingQueryVariables = Exact<{ [key: string]: never; }>;


export type FailingQuery = { workers: { nodes: Array<{ id: string, state: WorkerState, connector: { id: string, name: string | null, teamId: string | null, envId: string | null, pipelinesAsSource: { totalCount: number }, pipelinesAsTarget: { totalCount: number } } | null }> } };

export type PipelineCardFragment = { id: string, name: string | null, state: PipelineState, health: PipelineHealth, teamId: string, envId: string | null, sourceConnectorId: string | null, targetConnectorId: string | null, degradedParts: Array<{ part: PipelinePart, fault: PipelinePartFault }>, team: { id: string, name: string | null } | null, env: { id: string, name: string | null } | null, sourceConnector: { id: string, name: string | null, connectorType: string, way: Way, teamId: string | null, envId: string | null, worker: { id: string, state: WorkerState, health: WorkerHealth, reason: string | null, lastHeartbeatAt: string | null, restartNeeded: boolean } | null } | null, datamodel: { id: string, name: string } | null, targetConnector: { id: string, name: string | null, connectorType: string, way: Way, teamId: string | null, envId: string | null, worker: { id: string, state: WorkerState, health: WorkerHealth, reason: string | null, lastHeartbeatAt: string | null, restartNeeded: boolean } | null } | null };

export type ConnectorCardFragment = { id: string, name: string | null, connectorType: string, way: Way, teamId: string | null, envId: string | null, worker: { id: string, state: WorkerState, health: WorkerHealth, reason: string | null, lastHeartbeatAt: string | null, restartNeeded: boolean } | null };

export type RecentSyncsQueryVariables = Exact<{ [key: string]: never; }>;


export type RecentSyncsQuery = { syncRuns: { nodes: Array<{ id: string, connectorId: string, status: SyncRunStatus, outcome: SyncOutcome | null, stalledSince: string | null, stalledReason: StalledReason | null, triggeredByEmail: string | null, createdAt: string | null, end: { id: string, endedAt: string, tablesCompleted: number } | null, connector: { id: string, name: string | null, teamId: string | null, envId: string | null } | null, progress: { rows: number, approximateRows: number | null, percent: number | null, tablesDone: number, tablesFailed: number, tablesTotal: number, rowsPerSecond: number | null, etaSeconds: number | null } }> } };

export type StartPipelineMutationVariables = Exact<{
  input: StartPipelineInput;
}>;


export type StartPipelineMutation = { startPipeline: { pipeline: { id: string, name: string | null, state: PipelineState, health: PipelineHealth, teamId: string, envId: string | null, sourceConnectorId: string | null, targetConnectorId: string | null, degradedParts: Array<{ part: PipelinePart, fault: PipelinePartFault }>, team: { id: string, name: string | null } | null, env: { id: string, name: string | null } | null, sourceConnector: { id: string, name: string | null, connectorType: string, way: Way, teamId: string | null, envId: string | null, worker: { id: string, state: WorkerState, health: WorkerHealth, reason: string | null, lastHeartbeatAt: string | null, restartNeeded: boolean } | null } | null, datamodel: { id: string, name: string } | null, targetConnector: { id: string, name: string | null, connectorType: string, way: Way, teamId: string | null, envId: string | null, worker: { id: string, state: WorkerState, health: WorkerHealth, reason: string | null, lastHeartbeatAt: string | null, restartNeeded: boolean } | null } | null } } };

export type PausePipelineMutationVariables = Exact<{
  input: PausePipelineInput;
}>;


export type PausePipelineMutation = { pausePipeline: { pipeline: { id: string, name: string | null, state: PipelineState, health: PipelineHealth, teamId: string, envId: string | null, sourceConnectorId: string | null, targetConnectorId: string | null, degradedParts: Array<{ part: PipelinePart, fault: PipelinePartFault }>, team: { id: string, name: string | null } | null, env: { id: string, name: string | null } | null, sourceConnector: { id: string, name: string | null, connectorType: string, way: Way, teamId: string | null, envId: string | null, worker: { id: string, state: WorkerState, health: WorkerHealth, reason: string | null, lastHeartbeatAt: string | null, restartNeeded: boolean } | null } | null, datamodel: { id: string, name: string } | null, targetConnector: { id: string, name: string | null, connectorType: string, way: Way, teamId: string | null, envId: string | null, worker: { id: string, state: WorkerState, health: WorkerHealth, reason: string | null, lastHeartbeatAt: string | null, restartNeeded: boolean } | null } | null }, workersLeftRunning: Array<{ id: string, connector: { id: string, name: string | null } | null }> } };

export type RestartWorkerMutationVariables = Exact<{
  input: RestartWorkerInput;
}>;


export type RestartWorkerMutation = { restartWorker: { worker: { id: string, state: WorkerState, health: WorkerHealth, reason: string | null, lastHeartbeatAt: string | null, restartNeeded: boolean } } };

export type StartWorkerMutationVariables = Exact<{
  input: StartWorkerInput;
}>;


export type StartWorkerMutation = { startWorker: { worker: { id: string, state: WorkerState, health: WorkerHealth, reason: string | null, lastHeartbeatAt: string | null, restartNeeded: boolean } } };

export type StopWorkerMutationVariables = Exact<{
  input: StopWorkerInput;
}>;


export type StopWorkerMutation = { stopWorker: { worker: { id: string, state: WorkerState, health: WorkerHealth, reason: string | null, lastHeartbeatAt: string | null, restartNeeded: boolean } } };

export type FollowSubscriptionVariables = Exact<{ [key: string]: never; }>;


export type FollowSubscription = { entityChanged: { initial: boolean, type: EntityType | null, id: string | null } };

export type PipelineStatesSubscriptionVariables = Exact<{
  filter?: PipelineStateChangedFilter | null | undefined;
}>;


export type PipelineStatesSubscription = { pipelineStateChanged: { initial: boolean, removed: boolean, pipelineId: string, pipeline: { id: string, state: PipelineState, health: PipelineHealth, degradedParts: Array<{ part: PipelinePart, fault: PipelinePartFault }> } | null } };

export type WorkerStatesSubscriptionVariables = Exact<{
  filter?: WorkerChangedFilter | null | undefined;
}>;


export type WorkerStatesSubscription = { workerChanged: { initial: boolean, removed: boolean, workerId: string, worker: { id: string, state: WorkerState, health: WorkerHealth, reason: string | null, lastHeartbeatAt: string | null, restartNeeded: boolean } | null } };

export type WorkerCardFragment = { id: string, state: WorkerState, health: WorkerHealth, reason: string | null, lastHeartbeatAt: string | null, restartNeeded: boolean };

export type SyncProgressSubscriptionVariables = Exact<{
  filter?: SyncProgressedFilter | null | undefined;
}>;


export type SyncProgressSubscription = { syncProgressed: { initial: boolean, removed: boolean, syncRunId: string, syncRun: { id: string, connectorId: string, status: SyncRunStatus, outcome: SyncOutcome | null, stalledSince: string | null, stalledReason: StalledReason | null, triggeredByEmail: string | null, createdAt: string | null, progress: { rows: number, approximateRows: number | null, percent: number | null, tablesDone: number, tablesFailed: number, tablesTotal: number, rowsPerSecond: number | null, etaSeconds: number | null } } | null, syncTables: Array<{ id: string, tableName: string, position: number, status: SyncTableStatus, approximateRowCount: number | null, rowsIngested: number, startedAt: string | null, finishedAt: string | null, errorReason: string | null, progress: { percent: number | null, reported: boolean, restarts: number, rowsPerSecond: number | null, lastProgressAt: string | null } }> } };

export type SyncCardFragment = { id: string, connectorId: string, status: SyncRunStatus, outcome: SyncOutcome | null, stalledSince: string | null, stalledReason: StalledReason | null, triggeredByEmail: string | null, createdAt: string | null, progress: { rows: number, approximateRows: number | null, percent: number | null, tablesDone: number, tablesFailed: number, tablesTotal: number, rowsPerSecond: number | null, etaSeconds: number | null } };

export type SyncTableRowFragment = { id: string, tableName: string, position: number, status: SyncTableStatus, approximateRowCount: number | null, rowsIngested: number, startedAt: string | null, finishedAt: string | null, errorReason: string | null, progress: { percent: number | null, reported: boolean, restarts: number, rowsPerSecond: number | null, lastProgressAt: string | null } };

export type LoginMutationVariables = Exact<{
  email: string;
  password: string;
}>;


export type LoginMutation = { login: { accessToken: string, expiresAt: string, user: { id: string, email: string } } };

export type LogoutMutationVariables = Exact<{ [key: string]: never; }>;


export type LogoutMutation = { logout: { expiresAt: string } };

export type ProviderQueryVariables = Exact<{ [key: string]: never; }>;


export type ProviderQuery = { serverInfo: { oidcSignIn: string | null } };

export type ChangePasswordMutationVariables = Exact<{
  input: ChangePasswordInput;
}>;


export type ChangePasswordMutation = { changePassword: { accessToken: string, expiresAt: string } };

export type ConnectorsQueryVariables = Exact<{
  filter?: ConnectorFilter | null | undefined;
}>;


export type ConnectorsQuery = { connectors: { nodes: Array<{ id: string, name: string | null, connectorType: string, way: Way, teamId: string | null, envId: string | null, team: { id: string, name: string | null } | null, syncRuns: { nodes: Array<{ id: string, connectorId: string, status: SyncRunStatus, outcome: SyncOutcome | null, stalledSince: string | null, stalledReason: StalledReason | null, triggeredByEmail: string | null, createdAt: string | null, end: { id: string, endedAt: string } | null, progress: { rows: number, approximateRows: number | null, percent: number | null, tablesDone: number, tablesFailed: number, tablesTotal: number, rowsPerSecond: number | null, etaSeconds: number | null } }> }, worker: { id: string, state: WorkerState, health: WorkerHealth, reason: string | null, lastHeartbeatAt: string | null, restartNeeded: boolean } | null }> } };

export type ConnectorPageQueryVariables = Exact<{
  id: string;
}>;


export type ConnectorPageQuery = { connector: { jsonConfiguration: unknown, updatedAt: string | null, id: string, name: string | null, connectorType: string, way: Way, teamId: string | null, envId: string | null, team: { id: string, name: string | null } | null, env: { id: string, name: string | null } | null, worker: { id: string, stopRequestedAt: string | null, savedRevision: number, runningRevision: number | null, clockSkewSeconds: number | null, state: WorkerState, health: WorkerHealth, reason: string | null, lastHeartbeatAt: string | null, restartNeeded: boolean, transitions: { nodes: Array<{ id: string, fromState: WorkerState | null, toState: WorkerState, reason: string | null, at: string }> } } | null, datamodels: { nodes: Array<{ id: string, name: string, config: unknown }> }, pipelinesAsSource: { nodes: Array<{ id: string, name: string | null, state: PipelineState }> }, pipelinesAsTarget: { nodes: Array<{ id: string, name: string | null, state: PipelineState }> } } | null };

export type ConnectorTypeOfQueryVariables = Exact<{
  id: string;
}>;


export type ConnectorTypeOfQuery = { connectorType: { id: string, title: string, configurationSchema: unknown } | null };

export type ConnectorTypesQueryVariables = Exact<{ [key: string]: never; }>;


export type ConnectorTypesQuery = { connectorTypes: Array<{ id: string, title: string, description: string, way: Way, configurationSchema: unknown, uiHints: unknown }> };

export type ConnectorForEditQueryVariables = Exact<{
  id: string;
}>;


export type ConnectorForEditQuery = { connector: { id: string, name: string | null, connectorType: string, teamId: string | null, envId: string | null, jsonConfiguration: unknown, updatedAt: string | null } | null };

export type CreateConnectorMutationVariables = Exact<{
  input: CreateConnectorInput;
}>;


export type CreateConnectorMutation = { createConnector: { connector: { id: string, name: string | null } } };

export type UpdateConnectorMutationVariables = Exact<{
  input: UpdateConnectorInput;
}>;


export type UpdateConnectorMutation = { updateConnector: { connector: { id: string, name: string | null, jsonConfiguration: unknown, updatedAt: string | null } } };

export type TestConfigurationMutationVariables = Exact<{
  input: TestConnectorConfigurationInput;
}>;


export type TestConfigurationMutation = { testConnectorConfiguration: { succeeded: boolean, supported: boolean, message: string, stage: ConnectionTestStage | null, server: string | null, durationMs: number } };

export type TestConnectorMutationVariables = Exact<{
  input: TestConnectorInput;
}>;


export type TestConnectorMutation = { testConnector: { succeeded: boolean, supported: boolean, message: string, stage: ConnectionTestStage | null, server: string | null, durationMs: number } };

export type ConnectorChoicesQueryVariables = Exact<{
  filter?: ConnectorFilter | null | undefined;
  first: number;
}>;


export type ConnectorChoicesQuery = { connectors: { nodes: Array<{ id: string, name: string | null, connectorType: string, teamId: string | null, envId: string | null }>, pageInfo: { hasNextPage: boolean } } };

export type DeleteConnectorMutationVariables = Exact<{
  input: DeleteConnectorInput;
}>;


export type DeleteConnectorMutation = { deleteConnector: { connector: { id: string } } };

export type DatamodelsQueryVariables = Exact<{
  filter?: DatamodelFilter | null | undefined;
  after?: string | null | undefined;
}>;


export type DatamodelsQuery = { datamodels: { totalCount: number, nodes: Array<{ id: string, name: string, sourceTopic: string | null, targetTopic: string | null, enabled: boolean, sourceConnectorId: string | null, pipelines: { totalCount: number, nodes: Array<{ id: string, name: string | null, teamId: string, envId: string | null }> }, sourceConnector: { id: string, name: string | null, connectorType: string, teamId: string | null, envId: string | null, team: { id: string, name: string | null } | null, env: { id: string, name: string | null } | null } | null }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } };

export type DatamodelCardFragment = { id: string, name: string, sourceTopic: string | null, targetTopic: string | null, enabled: boolean, sourceConnectorId: string | null, sourceConnector: { id: string, name: string | null, connectorType: string, teamId: string | null, envId: string | null, team: { id: string, name: string | null } | null, env: { id: string, name: string | null } | null } | null };

export type DatamodelPageQueryVariables = Exact<{
  id: string;
}>;


export type DatamodelPageQuery = { datamodel: { config: unknown, consumerId: string | null, errorTableEnabled: boolean, errorTableName: string | null, errorTableTargetId: string | null, updatedAt: string | null, id: string, name: string, sourceTopic: string | null, targetTopic: string | null, enabled: boolean, sourceConnectorId: string | null, pipelines: { nodes: Array<{ id: string, name: string | null, state: PipelineState, teamId: string, envId: string | null }> }, pipelineSubscriptions: { nodes: Array<{ id: string, name: string, enabled: boolean, targetTableName: string | null, pipeline: { id: string, name: string | null } | null, targetConnector: { id: string, name: string | null } | null }> }, errorTableTarget: { id: string, name: string | null } | null, sourceConnector: { id: string, name: string | null, connectorType: string, teamId: string | null, envId: string | null, team: { id: string, name: string | null } | null, env: { id: string, name: string | null } | null } | null } | null };

export type DatamodelFormFragment = { config: unknown, consumerId: string | null, errorTableEnabled: boolean, errorTableName: string | null, errorTableTargetId: string | null, updatedAt: string | null, id: string, name: string, sourceTopic: string | null, targetTopic: string | null, enabled: boolean, sourceConnectorId: string | null, errorTableTarget: { id: string, name: string | null } | null, sourceConnector: { id: string, name: string | null, connectorType: string, teamId: string | null, envId: string | null, team: { id: string, name: string | null } | null, env: { id: string, name: string | null } | null } | null };

export type DatamodelForEditQueryVariables = Exact<{
  id: string;
}>;


export type DatamodelForEditQuery = { datamodel: { config: unknown, consumerId: string | null, errorTableEnabled: boolean, errorTableName: string | null, errorTableTargetId: string | null, updatedAt: string | null, id: string, name: string, sourceTopic: string | null, targetTopic: string | null, enabled: boolean, sourceConnectorId: string | null, pipelines: { nodes: Array<{ id: string, teamId: string, envId: string | null }> }, errorTableTarget: { id: string, name: string | null } | null, sourceConnector: { id: string, name: string | null, connectorType: string, teamId: string | null, envId: string | null, team: { id: string, name: string | null } | null, env: { id: string, name: string | null } | null } | null } | null };

export type DatamodelChoicesQueryVariables = Exact<{
  filter?: DatamodelFilter | null | undefined;
}>;


export type DatamodelChoicesQuery = { datamodels: { nodes: Array<{ id: string, name: string, sourceTopic: string | null, sourceConnector: { id: string, teamId: string | null, envId: string | null } | null }> } };

export type CreateDatamodelMutationVariables = Exact<{
  input: CreateDatamodelInput;
}>;


export type CreateDatamodelMutation = { createDatamodel: { datamodel: { config: unknown, consumerId: string | null, errorTableEnabled: boolean, errorTableName: string | null, errorTableTargetId: string | null, updatedAt: string | null, id: string, name: string, sourceTopic: string | null, targetTopic: string | null, enabled: boolean, sourceConnectorId: string | null, errorTableTarget: { id: string, name: string | null } | null, sourceConnector: { id: string, name: string | null, connectorType: string, teamId: string | null, envId: string | null, team: { id: string, name: string | null } | null, env: { id: string, name: string | null } | null } | null } } };

export type UpdateDatamodelMutationVariables = Exact<{
  input: UpdateDatamodelInput;
}>;


export type UpdateDatamodelMutation = { updateDatamodel: { datamodel: { config: unknown, consumerId: string | null, errorTableEnabled: boolean, errorTableName: string | null, errorTableTargetId: string | null, updatedAt: string | null, id: string, name: string, sourceTopic: string | null, targetTopic: string | null, enabled: boolean, sourceConnectorId: string | null, errorTableTarget: { id: string, name: string | null } | null, sourceConnector: { id: string, name: string | null, connectorType: string, teamId: string | null, envId: string | null, team: { id: string, name: string | null } | null, env: { id: string, name: string | null } | null } | null } } };

export type DeleteDatamodelMutationVariables = Exact<{
  input: DeleteDatamodelInput;
}>;


export type DeleteDatamodelMutation = { deleteDatamodel: { datamodel: { id: string } } };

export type ForExamplesQueryVariables = Exact<{ [key: string]: never; }>;


export type ForExamplesQuery = { connectors: { nodes: Array<{ id: string, teamId: string | null, envId: string | null, worker: { id: string, state: WorkerState } | null, datamodels: { nodes: Array<{ config: unknown }> } }> } };

export type EnvPeopleQueryVariables = Exact<{
  id: string;
}>;


export type EnvPeopleQuery = { env: { id: string, name: string | null, members: { nodes: Array<{ id: string, role: EnvRole, timestamp: string, user: { id: string, email: string, isActive: boolean, serviceAccount: { id: string, name: string } | null } | null }> }, requests: { nodes: Array<{ id: string, role: EnvRole, status: RequestStatus, createdAt: string | null, envId: string, envName: string | null, fromUserId: string, fromEmail: string | null, toUserId: string, env: { id: string, name: string | null } | null, toUser: { id: string, email: string } | null }> }, invitations: Array<{ id: string, email: string, role: EnvRole | null, admin: boolean | null, createdAt: string, expiresAt: string, fromUser: { id: string, email: string } | null }> } | null };

export type TeamPeopleQueryVariables = Exact<{
  id: string;
}>;


export type TeamPeopleQuery = { team: { id: string, name: string | null, description: string | null, env: { id: string, name: string | null } | null, members: { nodes: Array<{ id: string, admin: boolean, timestamp: string, user: { id: string, email: string, isActive: boolean, serviceAccount: { id: string, name: string } | null } | null }> }, requests: { nodes: Array<{ id: string, admin: boolean, status: RequestStatus, createdAt: string | null, teamId: string, teamName: string | null, fromUserId: string, fromEmail: string | null, toUserId: string, team: { id: string, name: string | null } | null, toUser: { id: string, email: string } | null }> }, invitations: Array<{ id: string, email: string, role: EnvRole | null, admin: boolean | null, createdAt: string, expiresAt: string, fromUser: { id: string, email: string } | null }> } | null };

export type PersonFragment = { id: string, email: string, isActive: boolean, serviceAccount: { id: string, name: string } | null };

export type InvitedFragment = { id: string, email: string, role: EnvRole | null, admin: boolean | null, createdAt: string, expiresAt: string, fromUser: { id: string, email: string } | null };

export type EnvAskFragment = { id: string, role: EnvRole, status: RequestStatus, createdAt: string | null, envId: string, envName: string | null, fromUserId: string, fromEmail: string | null, toUserId: string, env: { id: string, name: string | null } | null, toUser: { id: string, email: string } | null };

export type TeamAskFragment = { id: string, admin: boolean, status: RequestStatus, createdAt: string | null, teamId: string, teamName: string | null, fromUserId: string, fromEmail: string | null, toUserId: string, team: { id: string, name: string | null } | null, toUser: { id: string, email: string } | null };

export type ToDecideSubscriptionVariables = Exact<{ [key: string]: never; }>;


export type ToDecideSubscription = { requestReceived: { removed: boolean, requestId: string, envRequest: { id: string, role: EnvRole, status: RequestStatus, createdAt: string | null, envId: string, envName: string | null, fromUserId: string, fromEmail: string | null, toUserId: string, env: { id: string, name: string | null } | null, toUser: { id: string, email: string } | null } | null, teamRequest: { id: string, admin: boolean, status: RequestStatus, createdAt: string | null, teamId: string, teamName: string | null, fromUserId: string, fromEmail: string | null, toUserId: string, team: { id: string, name: string | null } | null, toUser: { id: string, email: string } | null } | null } };

export type InviteToEnvMutationVariables = Exact<{
  input: InviteToEnvInput;
}>;


export type InviteToEnvMutation = { inviteToEnv: { email: string } };

export type InviteToTeamMutationVariables = Exact<{
  input: InviteToTeamInput;
}>;


export type InviteToTeamMutation = { inviteToTeam: { email: string } };

export type CancelInvitationMutationVariables = Exact<{
  input: CancelInvitationInput;
}>;


export type CancelInvitationMutation = { cancelInvitation: { invitation: { id: string } } };

export type SetEnvMemberMutationVariables = Exact<{
  input: SetEnvMemberInput;
}>;


export type SetEnvMemberMutation = { setEnvMember: { envMember: { id: string, role: EnvRole } } };

export type RemoveEnvMemberMutationVariables = Exact<{
  input: RemoveEnvMemberInput;
}>;


export type RemoveEnvMemberMutation = { removeEnvMember: { envMember: { id: string } } };

export type SetTeamMemberMutationVariables = Exact<{
  input: SetTeamMemberInput;
}>;


export type SetTeamMemberMutation = { setTeamMember: { teamMember: { id: string, admin: boolean } } };

export type RemoveTeamMemberMutationVariables = Exact<{
  input: RemoveTeamMemberInput;
}>;


export type RemoveTeamMemberMutation = { removeTeamMember: { teamMember: { id: string } } };

export type AcceptEnvRequestMutationVariables = Exact<{
  input: AcceptEnvRequestInput;
}>;


export type AcceptEnvRequestMutation = { acceptEnvRequest: { envRequest: { id: string, status: RequestStatus } } };

export type DeclineEnvRequestMutationVariables = Exact<{
  input: DeclineEnvRequestInput;
}>;


export type DeclineEnvRequestMutation = { declineEnvRequest: { envRequest: { id: string, status: RequestStatus } } };

export type AcceptTeamRequestMutationVariables = Exact<{
  input: AcceptTeamRequestInput;
}>;


export type AcceptTeamRequestMutation = { acceptTeamRequest: { teamRequest: { id: string, status: RequestStatus } } };

export type DeclineTeamRequestMutationVariables = Exact<{
  input: DeclineTeamRequestInput;
}>;


export type DeclineTeamRequestMutation = { declineTeamRequest: { teamRequest: { id: string, status: RequestStatus } } };

export type ServiceAccountsQueryVariables = Exact<{ [key: string]: never; }>;


export type ServiceAccountsQuery = { serviceAccounts: { nodes: Array<{ id: string, name: string, createdAt: string | null, grants: Array<{ role: EnvRole | null, admin: boolean, worker: boolean, envId: string | null, teamId: string | null, env: { id: string, name: string | null } | null, team: { id: string, name: string | null } | null }>, tokens: Array<{ id: string, name: string | null, createdAt: string, expiresAt: string, revokedAt: string | null }> }> } };

export type CreateServiceAccountMutationVariables = Exact<{
  input: CreateServiceAccountInput;
}>;


export type CreateServiceAccountMutation = { createServiceAccount: { serviceAccount: { id: string, name: string } } };

export type IssueTokenMutationVariables = Exact<{
  input: IssueServiceAccountTokenInput;
}>;


export type IssueTokenMutation = { issueServiceAccountToken: { accessToken: string, expiresAt: string } };

export type RevokeTokenMutationVariables = Exact<{
  input: RevokeServiceAccountTokenInput;
}>;


export type RevokeTokenMutation = { revokeServiceAccountToken: { serviceAccountToken: { id: string, revokedAt: string | null } } };

export type CancelEnvRequestMutationVariables = Exact<{
  input: CancelEnvRequestInput;
}>;


export type CancelEnvRequestMutation = { cancelEnvRequest: { envRequest: { id: string, status: RequestStatus } } };

export type CancelTeamRequestMutationVariables = Exact<{
  input: CancelTeamRequestInput;
}>;


export type CancelTeamRequestMutation = { cancelTeamRequest: { teamRequest: { id: string, status: RequestStatus } } };

export type SetGrantsMutationVariables = Exact<{
  input: SetServiceAccountGrantsInput;
}>;


export type SetGrantsMutation = { setServiceAccountGrants: { serviceAccount: { id: string } } };

export type DeleteServiceAccountMutationVariables = Exact<{
  input: DeleteServiceAccountInput;
}>;


export type DeleteServiceAccountMutation = { deleteServiceAccount: { serviceAccount: { id: string } } };

export type JoinEnvMutationVariables = Exact<{
  input: RequestToJoinEnvInput;
}>;


export type JoinEnvMutation = { requestToJoinEnv: { envRequest: { id: string } } };

export type JoinTeamMutationVariables = Exact<{
  input: RequestToJoinTeamInput;
}>;


export type JoinTeamMutation = { requestToJoinTeam: { teamRequest: { id: string } } };

export type OwnRequestsQueryVariables = Exact<{ [key: string]: never; }>;


export type OwnRequestsQuery = { viewer: { user: { id: string, email: string, envRequestsSent: { nodes: Array<{ id: string, role: EnvRole, status: RequestStatus, createdAt: string | null, envId: string, envName: string | null, fromUserId: string, fromEmail: string | null, toUserId: string, env: { id: string, name: string | null } | null, toUser: { id: string, email: string } | null }> }, teamRequestsSent: { nodes: Array<{ id: string, admin: boolean, status: RequestStatus, createdAt: string | null, teamId: string, teamName: string | null, fromUserId: string, fromEmail: string | null, toUserId: string, team: { id: string, name: string | null } | null, toUser: { id: string, email: string } | null }> } } } };

export type SuperusersQueryVariables = Exact<{ [key: string]: never; }>;


export type SuperusersQuery = { users: { nodes: Array<{ id: string, email: string, isActive: boolean, serviceAccount: { id: string, name: string } | null }> } };

export type CreateUserMutationVariables = Exact<{
  input: CreateUserInput;
}>;


export type CreateUserMutation = { createUser: { user: { id: string, email: string, isActive: boolean, serviceAccount: { id: string, name: string } | null } } };

export type PipelinePageQueryVariables = Exact<{
  id: string;
  from: string;
  to: string;
}>;


export type PipelinePageQuery = { pipeline: { version: number, updatedAt: string | null, id: string, name: string | null, state: PipelineState, health: PipelineHealth, teamId: string, envId: string | null, sourceConnectorId: string | null, targetConnectorId: string | null, pipelineSubscriptions: { nodes: Array<{ id: string, name: string, enabled: boolean, backfill: boolean, targetTableName: string | null, errorTableName: string | null, updatedAt: string | null, consumerLag: number | null, datamodel: { id: string, name: string, sourceTopic: string | null } | null, consumption: { summary: { delivered: number, errors: number } } }> }, degradedParts: Array<{ part: PipelinePart, fault: PipelinePartFault }>, team: { id: string, name: string | null } | null, env: { id: string, name: string | null } | null, sourceConnector: { id: string, name: string | null, connectorType: string, way: Way, teamId: string | null, envId: string | null, worker: { id: string, state: WorkerState, health: WorkerHealth, reason: string | null, lastHeartbeatAt: string | null, restartNeeded: boolean } | null } | null, datamodel: { id: string, name: string } | null, targetConnector: { id: string, name: string | null, connectorType: string, way: Way, teamId: string | null, envId: string | null, worker: { id: string, state: WorkerState, health: WorkerHealth, reason: string | null, lastHeartbeatAt: string | null, restartNeeded: boolean } | null } | null } | null };

export type PipelineThroughputQueryVariables = Exact<{
  id: string;
  from: string;
  to: string;
  bucket: ThroughputBucket;
}>;


export type PipelineThroughputQuery = { pipeline: { id: string, throughput: { points: Array<{ start: string, total: number, delivered: number, errors: number }>, summary: { total: number, delivered: number, errors: number, messagesPerSecond: number } } } | null };

export type ThroughputOfSubscriptionVariables = Exact<{
  filter?: ThroughputReportedFilter | null | undefined;
}>;


export type ThroughputOfSubscription = { throughputReported: { initial: boolean, entityId: string } };

export type ChangeSubscriptionMutationVariables = Exact<{
  input: UpdatePipelineSubscriptionInput;
}>;


export type ChangeSubscriptionMutation = { updatePipelineSubscription: { pipelineSubscription: { id: string, enabled: boolean, backfill: boolean, updatedAt: string | null } } };

export type PipelineFormFragment = { id: string, name: string | null, version: number, teamId: string, envId: string | null, sourceConnectorId: string | null, targetConnectorId: string | null, datamodelId: string | null, jsonConfiguration: unknown, errorTableConfig: unknown, sourceConnector: { id: string, name: string | null } | null, targetConnector: { id: string, name: string | null } | null, datamodel: { id: string, name: string } | null };

export type PipelineForEditQueryVariables = Exact<{
  id: string;
}>;


export type PipelineForEditQuery = { pipeline: { id: string, name: string | null, version: number, teamId: string, envId: string | null, sourceConnectorId: string | null, targetConnectorId: string | null, datamodelId: string | null, jsonConfiguration: unknown, errorTableConfig: unknown, sourceConnector: { id: string, name: string | null } | null, targetConnector: { id: string, name: string | null } | null, datamodel: { id: string, name: string } | null } | null };

export type CreatePipelineMutationVariables = Exact<{
  input: CreatePipelineInput;
}>;


export type CreatePipelineMutation = { createPipeline: { pipeline: { id: string, name: string | null, version: number, teamId: string, envId: string | null, sourceConnectorId: string | null, targetConnectorId: string | null, datamodelId: string | null, jsonConfiguration: unknown, errorTableConfig: unknown, sourceConnector: { id: string, name: string | null } | null, targetConnector: { id: string, name: string | null } | null, datamodel: { id: string, name: string } | null } } };

export type UpdatePipelineMutationVariables = Exact<{
  input: UpdatePipelineInput;
}>;


export type UpdatePipelineMutation = { updatePipeline: { pipeline: { id: string, name: string | null, version: number, teamId: string, envId: string | null, sourceConnectorId: string | null, targetConnectorId: string | null, datamodelId: string | null, jsonConfiguration: unknown, errorTableConfig: unknown, sourceConnector: { id: string, name: string | null } | null, targetConnector: { id: string, name: string | null } | null, datamodel: { id: string, name: string } | null } } };

export type DeletePipelineMutationVariables = Exact<{
  input: DeletePipelineInput;
}>;


export type DeletePipelineMutation = { deletePipeline: { pipeline: { id: string } } };

export type PipelineOfSubscriptionQueryVariables = Exact<{
  id: string;
}>;


export type PipelineOfSubscriptionQuery = { pipeline: { id: string, name: string | null, teamId: string, envId: string | null, state: PipelineState, sourceConnectorId: string | null, targetConnectorId: string | null, targetConnector: { id: string, name: string | null } | null } | null };

export type SubscriptionFormFragment = { id: string, name: string, pipelineId: string | null, datamodelId: string | null, targetConnectorId: string | null, targetTableName: string | null, config: unknown, transformConfig: unknown, errorTableEnabled: boolean, errorTableName: string | null, errorTableTargetId: string | null, consumerId: string | null, enabled: boolean, updatedAt: string | null, datamodel: { id: string, name: string } | null, targetConnector: { id: string, name: string | null } | null, errorTableTarget: { id: string, name: string | null } | null };

export type SubscriptionForEditQueryVariables = Exact<{
  id: string;
}>;


export type SubscriptionForEditQuery = { pipelineSubscription: { id: string, name: string, pipelineId: string | null, datamodelId: string | null, targetConnectorId: string | null, targetTableName: string | null, config: unknown, transformConfig: unknown, errorTableEnabled: boolean, errorTableName: string | null, errorTableTargetId: string | null, consumerId: string | null, enabled: boolean, updatedAt: string | null, datamodel: { id: string, name: string } | null, targetConnector: { id: string, name: string | null } | null, errorTableTarget: { id: string, name: string | null } | null } | null };

export type CreateSubscriptionMutationVariables = Exact<{
  input: CreatePipelineSubscriptionInput;
}>;


export type CreateSubscriptionMutation = { createPipelineSubscription: { pipelineSubscription: { id: string, name: string, pipelineId: string | null, datamodelId: string | null, targetConnectorId: string | null, targetTableName: string | null, config: unknown, transformConfig: unknown, errorTableEnabled: boolean, errorTableName: string | null, errorTableTargetId: string | null, consumerId: string | null, enabled: boolean, updatedAt: string | null, datamodel: { id: string, name: string } | null, targetConnector: { id: string, name: string | null } | null, errorTableTarget: { id: string, name: string | null } | null } } };

export type UpdateSubscriptionMutationVariables = Exact<{
  input: UpdatePipelineSubscriptionInput;
}>;


export type UpdateSubscriptionMutation = { updatePipelineSubscription: { pipelineSubscription: { id: string, name: string, pipelineId: string | null, datamodelId: string | null, targetConnectorId: string | null, targetTableName: string | null, config: unknown, transformConfig: unknown, errorTableEnabled: boolean, errorTableName: string | null, errorTableTargetId: string | null, consumerId: string | null, enabled: boolean, updatedAt: string | null, datamodel: { id: string, name: string } | null, targetConnector: { id: string, name: string | null } | null, errorTableTarget: { id: string, name: string | null } | null } } };

export type DeleteSubscriptionMutationVariables = Exact<{
  input: DeletePipelineSubscriptionInput;
}>;


export type DeleteSubscriptionMutation = { deletePipelineSubscription: { pipelineSubscription: { id: string } } };

export type ReadersQueryVariables = Exact<{
  topic: string;
}>;


export type ReadersQuery = { sources: { nodes: Array<{ id: string, name: string, sourceConnector: { id: string, name: string | null } | null, pipelines: { nodes: Array<{ id: string, name: string | null }> } }> }, targets: { nodes: Array<{ id: string, name: string, sourceConnector: { id: string, name: string | null } | null, pipelines: { nodes: Array<{ id: string, name: string | null }> } }> } };

export type ReaderFragment = { id: string, name: string, sourceConnector: { id: string, name: string | null } | null, pipelines: { nodes: Array<{ id: string, name: string | null }> } };

export type SubjectsQueryVariables = Exact<{
  search?: string | null | undefined;
  after?: string | null | undefined;
}>;


export type SubjectsQuery = { schemaSubjects: { totalCount: number, nodes: Array<{ name: string, versionCount: number, compatibility: SchemaCompatibility, latestVersion: { id: string, version: number, timestamp: string } }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } };

export type SubjectQueryVariables = Exact<{
  name: string;
}>;


export type SubjectQuery = { schemaSubject: { name: string, versionCount: number, compatibility: SchemaCompatibility, versions: { nodes: Array<{ id: string, version: number, timestamp: string, schema: { id: string, type: SchemaType, schema: string } | null }> } } | null };

export type DiffQueryVariables = Exact<{
  subject: string;
  from: number;
  to: number;
}>;


export type DiffQuery = { schemaDiff: { identical: boolean, unified: string } | null };

export type LatestQueryVariables = Exact<{
  name: string;
}>;


export type LatestQuery = { schemaSubject: { name: string, compatibility: SchemaCompatibility, latestVersion: { id: string, version: number, schema: { id: string, type: SchemaType, schema: string } | null } } | null };

export type CheckSchemaQueryVariables = Exact<{
  subject: string;
  type: SchemaType;
  schema: string;
}>;


export type CheckSchemaQuery = { checkSchemaCompatibility: { compatible: boolean, compatibility: SchemaCompatibility, incompatibilities: Array<{ version: number, direction: SchemaCompatibility, path: string, message: string }> } | null };

export type RegisterSchemaMutationVariables = Exact<{
  input: RegisterSchemaInput;
}>;


export type RegisterSchemaMutation = { registerSchema: { created: boolean, schemaVersion: { id: string, version: number, subject: string } } };

export type SyncRunsQueryVariables = Exact<{
  connectorId: string;
  after?: string | null | undefined;
}>;


export type SyncRunsQuery = { connector: { id: string, syncRuns: { nodes: Array<{ id: string, connectorId: string, status: SyncRunStatus, outcome: SyncOutcome | null, stalledSince: string | null, stalledReason: StalledReason | null, triggeredByEmail: string | null, createdAt: string | null, end: { id: string, cause: SyncEndCause, reason: string | null, byEmail: string | null, endedAt: string, tablesCompleted: number } | null, progress: { rows: number, approximateRows: number | null, percent: number | null, tablesDone: number, tablesFailed: number, tablesTotal: number, rowsPerSecond: number | null, etaSeconds: number | null } }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } } | null };

export type SyncTablesQueryVariables = Exact<{
  id: string;
  after?: string | null | undefined;
}>;


export type SyncTablesQuery = { syncRun: { id: string, syncTables: { nodes: Array<{ id: string, tableName: string, position: number, status: SyncTableStatus, approximateRowCount: number | null, rowsIngested: number, startedAt: string | null, finishedAt: string | null, errorReason: string | null, progress: { percent: number | null, reported: boolean, restarts: number, rowsPerSecond: number | null, lastProgressAt: string | null } }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } } | null };

export type LastTablesQueryVariables = Exact<{
  connectorId: string;
}>;


export type LastTablesQuery = { connector: { id: string, connectorType: string, syncRuns: { nodes: Array<{ id: string, syncTables: { nodes: Array<{ id: string, tableName: string, approximateRowCount: number | null }> } }> }, datamodels: { nodes: Array<{ id: string, config: unknown }> } } | null };

export type StartSyncMutationVariables = Exact<{
  input: StartSyncInput;
}>;


export type StartSyncMutation = { startSync: { syncRun: { id: string, connectorId: string, status: SyncRunStatus, outcome: SyncOutcome | null, stalledSince: string | null, stalledReason: StalledReason | null, triggeredByEmail: string | null, createdAt: string | null, progress: { rows: number, approximateRows: number | null, percent: number | null, tablesDone: number, tablesFailed: number, tablesTotal: number, rowsPerSecond: number | null, etaSeconds: number | null } } } };

export type CancelSyncMutationVariables = Exact<{
  input: CancelSyncInput;
}>;


export type CancelSyncMutation = { cancelSync: { syncRun: { id: string, connectorId: string, status: SyncRunStatus, outcome: SyncOutcome | null, stalledSince: string | null, stalledReason: StalledReason | null, triggeredByEmail: string | null, createdAt: string | null, progress: { rows: number, approximateRows: number | null, percent: number | null, tablesDone: number, tablesFailed: number, tablesTotal: number, rowsPerSecond: number | null, etaSeconds: number | null } } } };

export type RetrySyncMutationVariables = Exact<{
  input: RetrySyncInput;
}>;


export type RetrySyncMutation = { retrySync: { syncRun: { id: string, connectorId: string, status: SyncRunStatus, outcome: SyncOutcome | null, stalledSince: string | null, stalledReason: StalledReason | null, triggeredByEmail: string | null, createdAt: string | null, progress: { rows: number, approximateRows: number | null, percent: number | null, tablesDone: number, tablesFailed: number, tablesTotal: number, rowsPerSecond: number | null, etaSeconds: number | null } } } };

export type SkipTableMutationVariables = Exact<{
  input: SkipSyncTableInput;
}>;


export type SkipTableMutation = { skipSyncTable: { syncTable: { id: string, tableName: string, position: number, status: SyncTableStatus, approximateRowCount: number | null, rowsIngested: number, startedAt: string | null, finishedAt: string | null, errorReason: string | null, progress: { percent: number | null, reported: boolean, restarts: number, rowsPerSecond: number | null, lastProgressAt: string | null } } } };

export const WorkerCardFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"WorkerCard"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Worker"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"state"}},{"kind":"Field","name":{"kind":"Name","value":"health"}},{"kind":"Field","name":{"kind":"Name","value":"reason"}},{"kind":"Field","name":{"kind":"Name","value":"lastHeartbeatAt"}},{"kind":"Field","name":{"kind":"Name","value":"restartNeeded"}}]}}]} as unknown as DocumentNode<WorkerCardFragment, unknown>;
export const ConnectorCardFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"ConnectorCard"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Connector"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"connectorType"}},{"kind":"Field","name":{"kind":"Name","value":"way"}},{"kind":"Field","name":{"kind":"Name","value":"teamId"}},{"kind":"Field","name":{"kind":"Name","value":"envId"}},{"kind":"Field","name":{"kind":"Name","value":"worker"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"WorkerCard"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"WorkerCard"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Worker"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"state"}},{"kind":"Field","name":{"kind":"Name","value":"health"}},{"kind":"Field","name":{"kind":"Name","value":"reason"}},{"kind":"Field","name":{"kind":"Name","value":"lastHeartbeatAt"}},{"kind":"Field","name":{"kind":"Name","value":"restartNeeded"}}]}}]} as unknown as DocumentNode<ConnectorCardFragment, unknown>;
export const PipelineCardFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"PipelineCard"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Pipeline"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"state"}},{"kind":"Field","name":{"kind":"Name","value":"health"}},{"kind":"Field","name":{"kind":"Name","value":"degradedParts"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"part"}},{"kind":"Field","name":{"kind":"Name","value":"fault"}}]}},{"kind":"Field","name":{"kind":"Name","value":"teamId"}},{"kind":"Field","name":{"kind":"Name","value":"envId"}},{"kind":"Field","name":{"kind":"Name","value":"sourceConnectorId"}},{"kind":"Field","name":{"kind":"Name","value":"targetConnectorId"}},{"kind":"Field","name":{"kind":"Name","value":"team"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"env"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"sourceConnector"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"ConnectorCard"}}]}},{"kind":"Field","name":{"kind":"Name","value":"datamodel"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"targetConnector"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"ConnectorCard"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"WorkerCard"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Worker"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"state"}},{"kind":"Field","name":{"kind":"Name","value":"health"}},{"kind":"Field","name":{"kind":"Name","value":"reason"}},{"kind":"Field","name":{"kind":"Name","value":"lastHeartbeatAt"}},{"kind":"Field","name":{"kind":"Name","value":"restartNeeded"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"ConnectorCard"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Connector"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"connectorType"}},{"kind":"Field","name":{"kind":"Name","value":"way"}},{"kind":"Field","name":{"kind":"Name","value":"teamId"}},{"kind":"Field","name":{"kind":"Name","value":"envId"}},{"kind":"Field","name":{"kind":"Name","value":"worker"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"WorkerCard"}}]}}]}}]} as unknown as DocumentNode<PipelineCardFragment, unknown>;
export const SyncCardFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"SyncCard"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"SyncRun"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"connectorId"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"outcome"}},{"kind":"Field","name":{"kind":"Name","value":"stalledSince"}},{"kind":"Field","name":{"kind":"Name","value":"stalledReason"}},{"kind":"Field","name":{"kind":"Name","value":"triggeredByEmail"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"progress"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"rows"}},{"kind":"Field","name":{"kind":"Name","value":"approximateRows"}},{"kind":"Field","name":{"kind":"Name","value":"percent"}},{"kind":"Field","name":{"kind":"Name","value":"tablesDone"}},{"kind":"Field","name":{"kind":"Name","value":"tablesFailed"}},{"kind":"Field","name":{"kind":"Name","value":"tablesTotal"}},{"kind":"Field","name":{"kind":"Name","value":"rowsPerSecond"}},{"kind":"Field","name":{"kind":"Name","value":"etaSeconds"}}]}}]}}]} as unknown as DocumentNode<SyncCardFragment, unknown>;
export const SyncTableRowFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"SyncTableRow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"SyncTable"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"tableName"}},{"kind":"Field","name":{"kind":"Name","value":"position"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"approximateRowCount"}},{"kind":"Field","name":{"kind":"Name","value":"rowsIngested"}},{"kind":"Field","name":{"kind":"Name","value":"startedAt"}},{"kind":"Field","name":{"kind":"Name","value":"finishedAt"}},{"kind":"Field","name":{"kind":"Name","value":"errorReason"}},{"kind":"Field","name":{"kind":"Name","value":"progress"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"percent"}},{"kind":"Field","name":{"kind":"Name","value":"reported"}},{"kind":"Field","name":{"kind":"Name","value":"restarts"}},{"kind":"Field","name":{"kind":"Name","value":"rowsPerSecond"}},{"kind":"Field","name":{"kind":"Name","value":"lastProgressAt"}}]}}]}}]} as unknown as DocumentNode<SyncTableRowFragment, unknown>;
export const DatamodelCardFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"DatamodelCard"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Datamodel"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"sourceTopic"}},{"kind":"Field","name":{"kind":"Name","value":"targetTopic"}},{"kind":"Field","name":{"kind":"Name","value":"enabled"}},{"kind":"Field","name":{"kind":"Name","value":"sourceConnectorId"}},{"kind":"Field","name":{"kind":"Name","value":"sourceConnector"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"connectorType"}},{"kind":"Field","name":{"kind":"Name","value":"teamId"}},{"kind":"Field","name":{"kind":"Name","value":"envId"}},{"kind":"Field","name":{"kind":"Name","value":"team"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"env"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}}]}}]} as unknown as DocumentNode<DatamodelCardFragment, unknown>;
export const DatamodelFormFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"DatamodelForm"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Datamodel"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"DatamodelCard"}},{"kind":"Field","name":{"kind":"Name","value":"config"}},{"kind":"Field","name":{"kind":"Name","value":"consumerId"}},{"kind":"Field","name":{"kind":"Name","value":"errorTableEnabled"}},{"kind":"Field","name":{"kind":"Name","value":"errorTableName"}},{"kind":"Field","name":{"kind":"Name","value":"errorTableTargetId"}},{"kind":"Field","name":{"kind":"Name","value":"errorTableTarget"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"updatedAt"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"DatamodelCard"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Datamodel"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"sourceTopic"}},{"kind":"Field","name":{"kind":"Name","value":"targetTopic"}},{"kind":"Field","name":{"kind":"Name","value":"enabled"}},{"kind":"Field","name":{"kind":"Name","value":"sourceConnectorId"}},{"kind":"Field","name":{"kind":"Name","value":"sourceConnector"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"connectorType"}},{"kind":"Field","name":{"kind":"Name","value":"teamId"}},{"kind":"Field","name":{"kind":"Name","value":"envId"}},{"kind":"Field","name":{"kind":"Name","value":"team"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"env"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}}]}}]} as unknown as DocumentNode<DatamodelFormFragment, unknown>;
export const PersonFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Person"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"User"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"email"}},{"kind":"Field","name":{"kind":"Name","value":"isActive"}},{"kind":"Field","name":{"kind":"Name","value":"serviceAccount"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}}]} as unknown as DocumentNode<PersonFragment, unknown>;
export const InvitedFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Invited"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Invitation"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"email"}},{"kind":"Field","name":{"kind":"Name","value":"role"}},{"kind":"Field","name":{"kind":"Name","value":"admin"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"expiresAt"}},{"kind":"Field","name":{"kind":"Name","value":"fromUser"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"email"}}]}}]}}]} as unknown as DocumentNode<InvitedFragment, unknown>;
export const EnvAskFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"EnvAsk"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"EnvRequest"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"role"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"envId"}},{"kind":"Field","name":{"kind":"Name","value":"env"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"envName"}},{"kind":"Field","name":{"kind":"Name","value":"fromUserId"}},{"kind":"Field","name":{"kind":"Name","value":"fromEmail"}},{"kind":"Field","name":{"kind":"Name","value":"toUserId"}},{"kind":"Field","name":{"kind":"Name","value":"toUser"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"email"}}]}}]}}]} as unknown as DocumentNode<EnvAskFragment, unknown>;
export const TeamAskFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"TeamAsk"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"TeamRequest"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"admin"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"teamId"}},{"kind":"Field","name":{"kind":"Name","value":"team"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"teamName"}},{"kind":"Field","name":{"kind":"Name","value":"fromUserId"}},{"kind":"Field","name":{"kind":"Name","value":"fromEmail"}},{"kind":"Field","name":{"kind":"Name","value":"toUserId"}},{"kind":"Field","name":{"kind":"Name","value":"toUser"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"email"}}]}}]}}]} as unknown as DocumentNode<TeamAskFragment, unknown>;
export const PipelineFormFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"PipelineForm"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Pipeline"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"version"}},{"kind":"Field","name":{"kind":"Name","value":"teamId"}},{"kind":"Field","name":{"kind":"Name","value":"envId"}},{"kind":"Field","name":{"kind":"Name","value":"sourceConnectorId"}},{"kind":"Field","name":{"kind":"Name","value":"targetConnectorId"}},{"kind":"Field","name":{"kind":"Name","value":"datamodelId"}},{"kind":"Field","name":{"kind":"Name","value":"sourceConnector"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"targetConnector"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"datamodel"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"jsonConfiguration"}},{"kind":"Field","name":{"kind":"Name","value":"errorTableConfig"}}]}}]} as unknown as DocumentNode<PipelineFormFragment, unknown>;
export const SubscriptionFormFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"SubscriptionForm"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"PipelineSubscription"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"pipelineId"}},{"kind":"Field","name":{"kind":"Name","value":"datamodelId"}},{"kind":"Field","name":{"kind":"Name","value":"targetConnectorId"}},{"kind":"Field","name":{"kind":"Name","value":"targetTableName"}},{"kind":"Field","name":{"kind":"Name","value":"config"}},{"kind":"Field","name":{"kind":"Name","value":"transformConfig"}},{"kind":"Field","name":{"kind":"Name","value":"errorTableEnabled"}},{"kind":"Field","name":{"kind":"Name","value":"errorTableName"}},{"kind":"Field","name":{"kind":"Name","value":"errorTableTargetId"}},{"kind":"Field","name":{"kind":"Name","value":"consumerId"}},{"kind":"Field","name":{"kind":"Name","value":"enabled"}},{"kind":"Field","name":{"kind":"Name","value":"updatedAt"}},{"kind":"Field","name":{"kind":"Name","value":"datamodel"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"targetConnector"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"errorTableTarget"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}}]} as unknown as DocumentNode<SubscriptionFormFragment, unknown>;
export const ReaderFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Reader"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Datamodel"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"sourceConnector"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"pipelines"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"20"}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}}]}}]} as unknown as DocumentNode<ReaderFragment, unknown>;
export const AuditDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"Audit"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"filter"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"UserLogFilter"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"first"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"last"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"before"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"userLogs"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"filter"},"value":{"kind":"Variable","name":{"kind":"Name","value":"filter"}}},{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"Variable","name":{"kind":"Name","value":"first"}}},{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}},{"kind":"Argument","name":{"kind":"Name","value":"last"},"value":{"kind":"Variable","name":{"kind":"Name","value":"last"}}},{"kind":"Argument","name":{"kind":"Name","value":"before"},"value":{"kind":"Variable","name":{"kind":"Name","value":"before"}}},{"kind":"Argument","name":{"kind":"Name","value":"orderBy"},"value":{"kind":"ListValue","values":[{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"field"},"value":{"kind":"EnumValue","value":"TIMESTAMP"}},{"kind":"ObjectField","name":{"kind":"Name","value":"direction"},"value":{"kind":"EnumValue","value":"DESC"}}]}]}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"timestamp"}},{"kind":"Field","name":{"kind":"Name","value":"userType"}},{"kind":"Field","name":{"kind":"Name","value":"action"}},{"kind":"Field","name":{"kind":"Name","value":"userEmail"}},{"kind":"Field","name":{"kind":"Name","value":"actorName"}},{"kind":"Field","name":{"kind":"Name","value":"entityType"}},{"kind":"Field","name":{"kind":"Name","value":"entityId"}},{"kind":"Field","name":{"kind":"Name","value":"entityName"}},{"kind":"Field","name":{"kind":"Name","value":"targetUser"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"email"}}]}},{"kind":"Field","name":{"kind":"Name","value":"changedFields"}},{"kind":"Field","name":{"kind":"Name","value":"requestId"}},{"kind":"Field","name":{"kind":"Name","value":"env"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"team"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"}},{"kind":"Field","name":{"kind":"Name","value":"hasPreviousPage"}},{"kind":"Field","name":{"kind":"Name","value":"startCursor"}},{"kind":"Field","name":{"kind":"Name","value":"endCursor"}}]}}]}}]}}]} as unknown as DocumentNode<AuditQuery, AuditQueryVariables>;
export const UsersLikeDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"UsersLike"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"search"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"users"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"100"}},{"kind":"Argument","name":{"kind":"Name","value":"filter"},"value":{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"search"},"value":{"kind":"Variable","name":{"kind":"Name","value":"search"}}}]}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"email"}}]}}]}}]}}]} as unknown as DocumentNode<UsersLikeQuery, UsersLikeQueryVariables>;
export const PlacesDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"Places"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"envs"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"200"}},{"kind":"Argument","name":{"kind":"Name","value":"orderBy"},"value":{"kind":"ListValue","values":[{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"field"},"value":{"kind":"EnumValue","value":"NAME"}}]}]}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"teams"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"200"}},{"kind":"Argument","name":{"kind":"Name","value":"orderBy"},"value":{"kind":"ListValue","values":[{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"field"},"value":{"kind":"EnumValue","value":"NAME"}}]}]}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"envId"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"viewer"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"user"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"email"}},{"kind":"Field","name":{"kind":"Name","value":"isSuperuser"}}]}},{"kind":"Field","name":{"kind":"Name","value":"envs"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"role"}},{"kind":"Field","name":{"kind":"Name","value":"env"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"teams"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"admin"}},{"kind":"Field","name":{"kind":"Name","value":"team"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"envId"}}]}}]}}]}}]}}]} as unknown as DocumentNode<PlacesQuery, PlacesQueryVariables>;
export const BoardDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"Board"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"filter"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"PipelineFilter"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"counted"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"PipelineFilter"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"pipelineStateCounts"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"filter"},"value":{"kind":"Variable","name":{"kind":"Name","value":"counted"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"state"}},{"kind":"Field","name":{"kind":"Name","value":"count"}}]}},{"kind":"Field","name":{"kind":"Name","value":"pipelines"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"100"}},{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}},{"kind":"Argument","name":{"kind":"Name","value":"orderBy"},"value":{"kind":"ListValue","values":[{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"field"},"value":{"kind":"EnumValue","value":"NAME"}}]}]}},{"kind":"Argument","name":{"kind":"Name","value":"filter"},"value":{"kind":"Variable","name":{"kind":"Name","value":"filter"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"PipelineCard"}}]}},{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"}},{"kind":"Field","name":{"kind":"Name","value":"endCursor"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"WorkerCard"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Worker"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"state"}},{"kind":"Field","name":{"kind":"Name","value":"health"}},{"kind":"Field","name":{"kind":"Name","value":"reason"}},{"kind":"Field","name":{"kind":"Name","value":"lastHeartbeatAt"}},{"kind":"Field","name":{"kind":"Name","value":"restartNeeded"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"ConnectorCard"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Connector"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"connectorType"}},{"kind":"Field","name":{"kind":"Name","value":"way"}},{"kind":"Field","name":{"kind":"Name","value":"teamId"}},{"kind":"Field","name":{"kind":"Name","value":"envId"}},{"kind":"Field","name":{"kind":"Name","value":"worker"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"WorkerCard"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"PipelineCard"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Pipeline"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"state"}},{"kind":"Field","name":{"kind":"Name","value":"health"}},{"kind":"Field","name":{"kind":"Name","value":"degradedParts"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"part"}},{"kind":"Field","name":{"kind":"Name","value":"fault"}}]}},{"kind":"Field","name":{"kind":"Name","value":"teamId"}},{"kind":"Field","name":{"kind":"Name","value":"envId"}},{"kind":"Field","name":{"kind":"Name","value":"sourceConnectorId"}},{"kind":"Field","name":{"kind":"Name","value":"targetConnectorId"}},{"kind":"Field","name":{"kind":"Name","value":"team"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"env"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"sourceConnector"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"ConnectorCard"}}]}},{"kind":"Field","name":{"kind":"Name","value":"datamodel"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"targetConnector"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"ConnectorCard"}}]}}]}}]} as unknown as DocumentNode<BoardQuery, BoardQueryVariables>;
export const FailingDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"Failing"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"workers"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"50"}},{"kind":"Argument","name":{"kind":"Name","value":"filter"},"value":{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"state"},"value":{"kind":"EnumValue","value":"ERROR"}}]}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"state"}},{"kind":"Field","name":{"kind":"Name","value":"connector"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"teamId"}},{"kind":"Field","name":{"kind":"Name","value":"envId"}},{"kind":"Field","name":{"kind":"Name","value":"pipelinesAsSource"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"1"}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"totalCount"}}]}},{"kind":"Field","name":{"kind":"Name","value":"pipelinesAsTarget"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"1"}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"totalCount"}}]}}]}}]}}]}}]}}]} as unknown as DocumentNode<FailingQuery, FailingQueryVariables>;
export const RecentSyncsDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"RecentSyncs"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"syncRuns"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"10"}},{"kind":"Argument","name":{"kind":"Name","value":"orderBy"},"value":{"kind":"ListValue","values":[{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"field"},"value":{"kind":"EnumValue","value":"CREATED_AT"}},{"kind":"ObjectField","name":{"kind":"Name","value":"direction"},"value":{"kind":"EnumValue","value":"DESC"}}]}]}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"SyncCard"}},{"kind":"Field","name":{"kind":"Name","value":"end"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"endedAt"}},{"kind":"Field","name":{"kind":"Name","value":"tablesCompleted"}}]}},{"kind":"Field","name":{"kind":"Name","value":"connector"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"teamId"}},{"kind":"Field","name":{"kind":"Name","value":"envId"}}]}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"SyncCard"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"SyncRun"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"connectorId"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"outcome"}},{"kind":"Field","name":{"kind":"Name","value":"stalledSince"}},{"kind":"Field","name":{"kind":"Name","value":"stalledReason"}},{"kind":"Field","name":{"kind":"Name","value":"triggeredByEmail"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"progress"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"rows"}},{"kind":"Field","name":{"kind":"Name","value":"approximateRows"}},{"kind":"Field","name":{"kind":"Name","value":"percent"}},{"kind":"Field","name":{"kind":"Name","value":"tablesDone"}},{"kind":"Field","name":{"kind":"Name","value":"tablesFailed"}},{"kind":"Field","name":{"kind":"Name","value":"tablesTotal"}},{"kind":"Field","name":{"kind":"Name","value":"rowsPerSecond"}},{"kind":"Field","name":{"kind":"Name","value":"etaSeconds"}}]}}]}}]} as unknown as DocumentNode<RecentSyncsQuery, RecentSyncsQueryVariables>;
export const StartPipelineDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"StartPipeline"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"StartPipelineInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"startPipeline"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"pipeline"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"PipelineCard"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"WorkerCard"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Worker"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"state"}},{"kind":"Field","name":{"kind":"Name","value":"health"}},{"kind":"Field","name":{"kind":"Name","value":"reason"}},{"kind":"Field","name":{"kind":"Name","value":"lastHeartbeatAt"}},{"kind":"Field","name":{"kind":"Name","value":"restartNeeded"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"ConnectorCard"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Connector"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"connectorType"}},{"kind":"Field","name":{"kind":"Name","value":"way"}},{"kind":"Field","name":{"kind":"Name","value":"teamId"}},{"kind":"Field","name":{"kind":"Name","value":"envId"}},{"kind":"Field","name":{"kind":"Name","value":"worker"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"WorkerCard"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"PipelineCard"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Pipeline"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"state"}},{"kind":"Field","name":{"kind":"Name","value":"health"}},{"kind":"Field","name":{"kind":"Name","value":"degradedParts"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"part"}},{"kind":"Field","name":{"kind":"Name","value":"fault"}}]}},{"kind":"Field","name":{"kind":"Name","value":"teamId"}},{"kind":"Field","name":{"kind":"Name","value":"envId"}},{"kind":"Field","name":{"kind":"Name","value":"sourceConnectorId"}},{"kind":"Field","name":{"kind":"Name","value":"targetConnectorId"}},{"kind":"Field","name":{"kind":"Name","value":"team"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"env"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"sourceConnector"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"ConnectorCard"}}]}},{"kind":"Field","name":{"kind":"Name","value":"datamodel"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"targetConnector"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"ConnectorCard"}}]}}]}}]} as unknown as DocumentNode<StartPipelineMutation, StartPipelineMutationVariables>;
export const PausePipelineDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"PausePipeline"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"PausePipelineInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"pausePipeline"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"pipeline"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"PipelineCard"}}]}},{"kind":"Field","name":{"kind":"Name","value":"workersLeftRunning"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"connector"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"WorkerCard"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Worker"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"state"}},{"kind":"Field","name":{"kind":"Name","value":"health"}},{"kind":"Field","name":{"kind":"Name","value":"reason"}},{"kind":"Field","name":{"kind":"Name","value":"lastHeartbeatAt"}},{"kind":"Field","name":{"kind":"Name","value":"restartNeeded"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"ConnectorCard"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Connector"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"connectorType"}},{"kind":"Field","name":{"kind":"Name","value":"way"}},{"kind":"Field","name":{"kind":"Name","value":"teamId"}},{"kind":"Field","name":{"kind":"Name","value":"envId"}},{"kind":"Field","name":{"kind":"Name","value":"worker"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"WorkerCard"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"PipelineCard"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Pipeline"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"state"}},{"kind":"Field","name":{"kind":"Name","value":"health"}},{"kind":"Field","name":{"kind":"Name","value":"degradedParts"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"part"}},{"kind":"Field","name":{"kind":"Name","value":"fault"}}]}},{"kind":"Field","name":{"kind":"Name","value":"teamId"}},{"kind":"Field","name":{"kind":"Name","value":"envId"}},{"kind":"Field","name":{"kind":"Name","value":"sourceConnectorId"}},{"kind":"Field","name":{"kind":"Name","value":"targetConnectorId"}},{"kind":"Field","name":{"kind":"Name","value":"team"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"env"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"sourceConnector"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"ConnectorCard"}}]}},{"kind":"Field","name":{"kind":"Name","value":"datamodel"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"targetConnector"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"ConnectorCard"}}]}}]}}]} as unknown as DocumentNode<PausePipelineMutation, PausePipelineMutationVariables>;
export const RestartWorkerDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"RestartWorker"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"RestartWorkerInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"restartWorker"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"worker"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"WorkerCard"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"WorkerCard"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Worker"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"state"}},{"kind":"Field","name":{"kind":"Name","value":"health"}},{"kind":"Field","name":{"kind":"Name","value":"reason"}},{"kind":"Field","name":{"kind":"Name","value":"lastHeartbeatAt"}},{"kind":"Field","name":{"kind":"Name","value":"restartNeeded"}}]}}]} as unknown as DocumentNode<RestartWorkerMutation, RestartWorkerMutationVariables>;
export const StartWorkerDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"StartWorker"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"StartWorkerInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"startWorker"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"worker"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"WorkerCard"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"WorkerCard"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Worker"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"state"}},{"kind":"Field","name":{"kind":"Name","value":"health"}},{"kind":"Field","name":{"kind":"Name","value":"reason"}},{"kind":"Field","name":{"kind":"Name","value":"lastHeartbeatAt"}},{"kind":"Field","name":{"kind":"Name","value":"restartNeeded"}}]}}]} as unknown as DocumentNode<StartWorkerMutation, StartWorkerMutationVariables>;
export const StopWorkerDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"StopWorker"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"StopWorkerInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"stopWorker"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"worker"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"WorkerCard"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"WorkerCard"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Worker"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"state"}},{"kind":"Field","name":{"kind":"Name","value":"health"}},{"kind":"Field","name":{"kind":"Name","value":"reason"}},{"kind":"Field","name":{"kind":"Name","value":"lastHeartbeatAt"}},{"kind":"Field","name":{"kind":"Name","value":"restartNeeded"}}]}}]} as unknown as DocumentNode<StopWorkerMutation, StopWorkerMutationVariables>;
export const FollowDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"subscription","name":{"kind":"Name","value":"Follow"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"entityChanged"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"types"},"value":{"kind":"ListValue","values":[{"kind":"EnumValue","value":"ENV"},{"kind":"EnumValue","value":"TEAM"},{"kind":"EnumValue","value":"USER"},{"kind":"EnumValue","value":"ENV_MEMBER"},{"kind":"EnumValue","value":"TEAM_MEMBER"},{"kind":"EnumValue","value":"ENV_REQUEST"},{"kind":"EnumValue","value":"TEAM_REQUEST"},{"kind":"EnumValue","value":"SERVICE_ACCOUNT"},{"kind":"EnumValue","value":"CONNECTOR"},{"kind":"EnumValue","value":"DATAMODEL"},{"kind":"EnumValue","value":"PIPELINE"},{"kind":"EnumValue","value":"PIPELINE_SUBSCRIPTION"},{"kind":"EnumValue","value":"WORKER"},{"kind":"EnumValue","value":"SCHEMA_VERSION"},{"kind":"EnumValue","value":"SYNC_RUN"}]}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"initial"}},{"kind":"Field","name":{"kind":"Name","value":"type"}},{"kind":"Field","name":{"kind":"Name","value":"id"}}]}}]}}]} as unknown as DocumentNode<FollowSubscription, FollowSubscriptionVariables>;
export const PipelineStatesDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"subscription","name":{"kind":"Name","value":"PipelineStates"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"filter"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"PipelineStateChangedFilter"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"pipelineStateChanged"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"filter"},"value":{"kind":"Variable","name":{"kind":"Name","value":"filter"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"initial"}},{"kind":"Field","name":{"kind":"Name","value":"removed"}},{"kind":"Field","name":{"kind":"Name","value":"pipelineId"}},{"kind":"Field","name":{"kind":"Name","value":"pipeline"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"state"}},{"kind":"Field","name":{"kind":"Name","value":"health"}},{"kind":"Field","name":{"kind":"Name","value":"degradedParts"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"part"}},{"kind":"Field","name":{"kind":"Name","value":"fault"}}]}}]}}]}}]}}]} as unknown as DocumentNode<PipelineStatesSubscription, PipelineStatesSubscriptionVariables>;
export const WorkerStatesDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"subscription","name":{"kind":"Name","value":"WorkerStates"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"filter"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"WorkerChangedFilter"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"workerChanged"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"filter"},"value":{"kind":"Variable","name":{"kind":"Name","value":"filter"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"initial"}},{"kind":"Field","name":{"kind":"Name","value":"removed"}},{"kind":"Field","name":{"kind":"Name","value":"workerId"}},{"kind":"Field","name":{"kind":"Name","value":"worker"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"WorkerCard"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"WorkerCard"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Worker"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"state"}},{"kind":"Field","name":{"kind":"Name","value":"health"}},{"kind":"Field","name":{"kind":"Name","value":"reason"}},{"kind":"Field","name":{"kind":"Name","value":"lastHeartbeatAt"}},{"kind":"Field","name":{"kind":"Name","value":"restartNeeded"}}]}}]} as unknown as DocumentNode<WorkerStatesSubscription, WorkerStatesSubscriptionVariables>;
export const SyncProgressDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"subscription","name":{"kind":"Name","value":"SyncProgress"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"filter"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"SyncProgressedFilter"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"syncProgressed"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"filter"},"value":{"kind":"Variable","name":{"kind":"Name","value":"filter"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"initial"}},{"kind":"Field","name":{"kind":"Name","value":"removed"}},{"kind":"Field","name":{"kind":"Name","value":"syncRunId"}},{"kind":"Field","name":{"kind":"Name","value":"syncRun"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"SyncCard"}}]}},{"kind":"Field","name":{"kind":"Name","value":"syncTables"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"SyncTableRow"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"SyncCard"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"SyncRun"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"connectorId"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"outcome"}},{"kind":"Field","name":{"kind":"Name","value":"stalledSince"}},{"kind":"Field","name":{"kind":"Name","value":"stalledReason"}},{"kind":"Field","name":{"kind":"Name","value":"triggeredByEmail"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"progress"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"rows"}},{"kind":"Field","name":{"kind":"Name","value":"approximateRows"}},{"kind":"Field","name":{"kind":"Name","value":"percent"}},{"kind":"Field","name":{"kind":"Name","value":"tablesDone"}},{"kind":"Field","name":{"kind":"Name","value":"tablesFailed"}},{"kind":"Field","name":{"kind":"Name","value":"tablesTotal"}},{"kind":"Field","name":{"kind":"Name","value":"rowsPerSecond"}},{"kind":"Field","name":{"kind":"Name","value":"etaSeconds"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"SyncTableRow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"SyncTable"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"tableName"}},{"kind":"Field","name":{"kind":"Name","value":"position"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"approximateRowCount"}},{"kind":"Field","name":{"kind":"Name","value":"rowsIngested"}},{"kind":"Field","name":{"kind":"Name","value":"startedAt"}},{"kind":"Field","name":{"kind":"Name","value":"finishedAt"}},{"kind":"Field","name":{"kind":"Name","value":"errorReason"}},{"kind":"Field","name":{"kind":"Name","value":"progress"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"percent"}},{"kind":"Field","name":{"kind":"Name","value":"reported"}},{"kind":"Field","name":{"kind":"Name","value":"restarts"}},{"kind":"Field","name":{"kind":"Name","value":"rowsPerSecond"}},{"kind":"Field","name":{"kind":"Name","value":"lastProgressAt"}}]}}]}}]} as unknown as DocumentNode<SyncProgressSubscription, SyncProgressSubscriptionVariables>;
export const LoginDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"Login"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"email"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"password"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"login"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"email"},"value":{"kind":"Variable","name":{"kind":"Name","value":"email"}}},{"kind":"ObjectField","name":{"kind":"Name","value":"password"},"value":{"kind":"Variable","name":{"kind":"Name","value":"password"}}}]}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"accessToken"}},{"kind":"Field","name":{"kind":"Name","value":"expiresAt"}},{"kind":"Field","name":{"kind":"Name","value":"user"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"email"}}]}}]}}]}}]} as unknown as DocumentNode<LoginMutation, LoginMutationVariables>;
export const LogoutDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"Logout"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"logout"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"expiresAt"}}]}}]}}]} as unknown as DocumentNode<LogoutMutation, LogoutMutationVariables>;
export const ProviderDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"Provider"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"serverInfo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"oidcSignIn"}}]}}]}}]} as unknown as DocumentNode<ProviderQuery, ProviderQueryVariables>;
export const ChangePasswordDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"ChangePassword"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ChangePasswordInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"changePassword"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"accessToken"}},{"kind":"Field","name":{"kind":"Name","value":"expiresAt"}}]}}]}}]} as unknown as DocumentNode<ChangePasswordMutation, ChangePasswordMutationVariables>;
export const ConnectorsDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"Connectors"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"filter"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"ConnectorFilter"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"connectors"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"200"}},{"kind":"Argument","name":{"kind":"Name","value":"filter"},"value":{"kind":"Variable","name":{"kind":"Name","value":"filter"}}},{"kind":"Argument","name":{"kind":"Name","value":"orderBy"},"value":{"kind":"ListValue","values":[{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"field"},"value":{"kind":"EnumValue","value":"NAME"}}]}]}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"ConnectorCard"}},{"kind":"Field","name":{"kind":"Name","value":"team"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"syncRuns"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"1"}},{"kind":"Argument","name":{"kind":"Name","value":"orderBy"},"value":{"kind":"ListValue","values":[{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"field"},"value":{"kind":"EnumValue","value":"CREATED_AT"}},{"kind":"ObjectField","name":{"kind":"Name","value":"direction"},"value":{"kind":"EnumValue","value":"DESC"}}]}]}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"SyncCard"}},{"kind":"Field","name":{"kind":"Name","value":"end"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"endedAt"}}]}}]}}]}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"WorkerCard"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Worker"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"state"}},{"kind":"Field","name":{"kind":"Name","value":"health"}},{"kind":"Field","name":{"kind":"Name","value":"reason"}},{"kind":"Field","name":{"kind":"Name","value":"lastHeartbeatAt"}},{"kind":"Field","name":{"kind":"Name","value":"restartNeeded"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"ConnectorCard"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Connector"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"connectorType"}},{"kind":"Field","name":{"kind":"Name","value":"way"}},{"kind":"Field","name":{"kind":"Name","value":"teamId"}},{"kind":"Field","name":{"kind":"Name","value":"envId"}},{"kind":"Field","name":{"kind":"Name","value":"worker"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"WorkerCard"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"SyncCard"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"SyncRun"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"connectorId"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"outcome"}},{"kind":"Field","name":{"kind":"Name","value":"stalledSince"}},{"kind":"Field","name":{"kind":"Name","value":"stalledReason"}},{"kind":"Field","name":{"kind":"Name","value":"triggeredByEmail"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"progress"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"rows"}},{"kind":"Field","name":{"kind":"Name","value":"approximateRows"}},{"kind":"Field","name":{"kind":"Name","value":"percent"}},{"kind":"Field","name":{"kind":"Name","value":"tablesDone"}},{"kind":"Field","name":{"kind":"Name","value":"tablesFailed"}},{"kind":"Field","name":{"kind":"Name","value":"tablesTotal"}},{"kind":"Field","name":{"kind":"Name","value":"rowsPerSecond"}},{"kind":"Field","name":{"kind":"Name","value":"etaSeconds"}}]}}]}}]} as unknown as DocumentNode<ConnectorsQuery, ConnectorsQueryVariables>;
export const ConnectorPageDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"ConnectorPage"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"connector"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"ConnectorCard"}},{"kind":"Field","name":{"kind":"Name","value":"jsonConfiguration"}},{"kind":"Field","name":{"kind":"Name","value":"updatedAt"}},{"kind":"Field","name":{"kind":"Name","value":"team"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"env"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"worker"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"WorkerCard"}},{"kind":"Field","name":{"kind":"Name","value":"stopRequestedAt"}},{"kind":"Field","name":{"kind":"Name","value":"savedRevision"}},{"kind":"Field","name":{"kind":"Name","value":"runningRevision"}},{"kind":"Field","name":{"kind":"Name","value":"clockSkewSeconds"}},{"kind":"Field","name":{"kind":"Name","value":"transitions"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"12"}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"fromState"}},{"kind":"Field","name":{"kind":"Name","value":"toState"}},{"kind":"Field","name":{"kind":"Name","value":"reason"}},{"kind":"Field","name":{"kind":"Name","value":"at"}}]}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"datamodels"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"200"}},{"kind":"Argument","name":{"kind":"Name","value":"orderBy"},"value":{"kind":"ListValue","values":[{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"field"},"value":{"kind":"EnumValue","value":"NAME"}}]}]}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"config"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"pipelinesAsSource"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"50"}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"state"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"pipelinesAsTarget"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"50"}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"state"}}]}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"WorkerCard"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Worker"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"state"}},{"kind":"Field","name":{"kind":"Name","value":"health"}},{"kind":"Field","name":{"kind":"Name","value":"reason"}},{"kind":"Field","name":{"kind":"Name","value":"lastHeartbeatAt"}},{"kind":"Field","name":{"kind":"Name","value":"restartNeeded"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"ConnectorCard"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Connector"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"connectorType"}},{"kind":"Field","name":{"kind":"Name","value":"way"}},{"kind":"Field","name":{"kind":"Name","value":"teamId"}},{"kind":"Field","name":{"kind":"Name","value":"envId"}},{"kind":"Field","name":{"kind":"Name","value":"worker"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"WorkerCard"}}]}}]}}]} as unknown as DocumentNode<ConnectorPageQuery, ConnectorPageQueryVariables>;
export const ConnectorTypeOfDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"ConnectorTypeOf"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"connectorType"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"title"}},{"kind":"Field","name":{"kind":"Name","value":"configurationSchema"}}]}}]}}]} as unknown as DocumentNode<ConnectorTypeOfQuery, ConnectorTypeOfQueryVariables>;
export const ConnectorTypesDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"ConnectorTypes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"connectorTypes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"title"}},{"kind":"Field","name":{"kind":"Name","value":"description"}},{"kind":"Field","name":{"kind":"Name","value":"way"}},{"kind":"Field","name":{"kind":"Name","value":"configurationSchema"}},{"kind":"Field","name":{"kind":"Name","value":"uiHints"}}]}}]}}]} as unknown as DocumentNode<ConnectorTypesQuery, ConnectorTypesQueryVariables>;
export const ConnectorForEditDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"ConnectorForEdit"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"connector"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"connectorType"}},{"kind":"Field","name":{"kind":"Name","value":"teamId"}},{"kind":"Field","name":{"kind":"Name","value":"envId"}},{"kind":"Field","name":{"kind":"Name","value":"jsonConfiguration"}},{"kind":"Field","name":{"kind":"Name","value":"updatedAt"}}]}}]}}]} as unknown as DocumentNode<ConnectorForEditQuery, ConnectorForEditQueryVariables>;
export const CreateConnectorDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"CreateConnector"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"CreateConnectorInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"createConnector"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"connector"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}}]}}]} as unknown as DocumentNode<CreateConnectorMutation, CreateConnectorMutationVariables>;
export const UpdateConnectorDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"UpdateConnector"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"UpdateConnectorInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"updateConnector"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"connector"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"jsonConfiguration"}},{"kind":"Field","name":{"kind":"Name","value":"updatedAt"}}]}}]}}]}}]} as unknown as DocumentNode<UpdateConnectorMutation, UpdateConnectorMutationVariables>;
export const TestConfigurationDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"TestConfiguration"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"TestConnectorConfigurationInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"testConnectorConfiguration"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"succeeded"}},{"kind":"Field","name":{"kind":"Name","value":"supported"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"stage"}},{"kind":"Field","name":{"kind":"Name","value":"server"}},{"kind":"Field","name":{"kind":"Name","value":"durationMs"}}]}}]}}]} as unknown as DocumentNode<TestConfigurationMutation, TestConfigurationMutationVariables>;
export const TestConnectorDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"TestConnector"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"TestConnectorInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"testConnector"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"succeeded"}},{"kind":"Field","name":{"kind":"Name","value":"supported"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"stage"}},{"kind":"Field","name":{"kind":"Name","value":"server"}},{"kind":"Field","name":{"kind":"Name","value":"durationMs"}}]}}]}}]} as unknown as DocumentNode<TestConnectorMutation, TestConnectorMutationVariables>;
export const ConnectorChoicesDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"ConnectorChoices"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"filter"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"ConnectorFilter"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"first"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"connectors"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"Variable","name":{"kind":"Name","value":"first"}}},{"kind":"Argument","name":{"kind":"Name","value":"filter"},"value":{"kind":"Variable","name":{"kind":"Name","value":"filter"}}},{"kind":"Argument","name":{"kind":"Name","value":"orderBy"},"value":{"kind":"ListValue","values":[{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"field"},"value":{"kind":"EnumValue","value":"NAME"}}]}]}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"connectorType"}},{"kind":"Field","name":{"kind":"Name","value":"teamId"}},{"kind":"Field","name":{"kind":"Name","value":"envId"}}]}},{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"}}]}}]}}]}}]} as unknown as DocumentNode<ConnectorChoicesQuery, ConnectorChoicesQueryVariables>;
export const DeleteConnectorDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"DeleteConnector"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"DeleteConnectorInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"deleteConnector"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"connector"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}}]}}]}}]}}]} as unknown as DocumentNode<DeleteConnectorMutation, DeleteConnectorMutationVariables>;
export const DatamodelsDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"Datamodels"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"filter"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"DatamodelFilter"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"datamodels"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"100"}},{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}},{"kind":"Argument","name":{"kind":"Name","value":"filter"},"value":{"kind":"Variable","name":{"kind":"Name","value":"filter"}}},{"kind":"Argument","name":{"kind":"Name","value":"orderBy"},"value":{"kind":"ListValue","values":[{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"field"},"value":{"kind":"EnumValue","value":"NAME"}}]}]}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"totalCount"}},{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"DatamodelCard"}},{"kind":"Field","name":{"kind":"Name","value":"pipelines"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"5"}},{"kind":"Argument","name":{"kind":"Name","value":"orderBy"},"value":{"kind":"ListValue","values":[{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"field"},"value":{"kind":"EnumValue","value":"NAME"}}]}]}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"totalCount"}},{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"teamId"}},{"kind":"Field","name":{"kind":"Name","value":"envId"}}]}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"}},{"kind":"Field","name":{"kind":"Name","value":"endCursor"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"DatamodelCard"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Datamodel"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"sourceTopic"}},{"kind":"Field","name":{"kind":"Name","value":"targetTopic"}},{"kind":"Field","name":{"kind":"Name","value":"enabled"}},{"kind":"Field","name":{"kind":"Name","value":"sourceConnectorId"}},{"kind":"Field","name":{"kind":"Name","value":"sourceConnector"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"connectorType"}},{"kind":"Field","name":{"kind":"Name","value":"teamId"}},{"kind":"Field","name":{"kind":"Name","value":"envId"}},{"kind":"Field","name":{"kind":"Name","value":"team"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"env"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}}]}}]} as unknown as DocumentNode<DatamodelsQuery, DatamodelsQueryVariables>;
export const DatamodelPageDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"DatamodelPage"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"datamodel"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"DatamodelForm"}},{"kind":"Field","name":{"kind":"Name","value":"pipelines"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"50"}},{"kind":"Argument","name":{"kind":"Name","value":"orderBy"},"value":{"kind":"ListValue","values":[{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"field"},"value":{"kind":"EnumValue","value":"NAME"}}]}]}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"state"}},{"kind":"Field","name":{"kind":"Name","value":"teamId"}},{"kind":"Field","name":{"kind":"Name","value":"envId"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"pipelineSubscriptions"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"100"}},{"kind":"Argument","name":{"kind":"Name","value":"orderBy"},"value":{"kind":"ListValue","values":[{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"field"},"value":{"kind":"EnumValue","value":"NAME"}}]}]}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"enabled"}},{"kind":"Field","name":{"kind":"Name","value":"targetTableName"}},{"kind":"Field","name":{"kind":"Name","value":"pipeline"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"targetConnector"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"DatamodelCard"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Datamodel"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"sourceTopic"}},{"kind":"Field","name":{"kind":"Name","value":"targetTopic"}},{"kind":"Field","name":{"kind":"Name","value":"enabled"}},{"kind":"Field","name":{"kind":"Name","value":"sourceConnectorId"}},{"kind":"Field","name":{"kind":"Name","value":"sourceConnector"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"connectorType"}},{"kind":"Field","name":{"kind":"Name","value":"teamId"}},{"kind":"Field","name":{"kind":"Name","value":"envId"}},{"kind":"Field","name":{"kind":"Name","value":"team"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"env"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"DatamodelForm"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Datamodel"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"DatamodelCard"}},{"kind":"Field","name":{"kind":"Name","value":"config"}},{"kind":"Field","name":{"kind":"Name","value":"consumerId"}},{"kind":"Field","name":{"kind":"Name","value":"errorTableEnabled"}},{"kind":"Field","name":{"kind":"Name","value":"errorTableName"}},{"kind":"Field","name":{"kind":"Name","value":"errorTableTargetId"}},{"kind":"Field","name":{"kind":"Name","value":"errorTableTarget"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"updatedAt"}}]}}]} as unknown as DocumentNode<DatamodelPageQuery, DatamodelPageQueryVariables>;
export const DatamodelForEditDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"DatamodelForEdit"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"datamodel"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"DatamodelForm"}},{"kind":"Field","name":{"kind":"Name","value":"pipelines"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"50"}},{"kind":"Argument","name":{"kind":"Name","value":"orderBy"},"value":{"kind":"ListValue","values":[{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"field"},"value":{"kind":"EnumValue","value":"NAME"}}]}]}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"teamId"}},{"kind":"Field","name":{"kind":"Name","value":"envId"}}]}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"DatamodelCard"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Datamodel"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"sourceTopic"}},{"kind":"Field","name":{"kind":"Name","value":"targetTopic"}},{"kind":"Field","name":{"kind":"Name","value":"enabled"}},{"kind":"Field","name":{"kind":"Name","value":"sourceConnectorId"}},{"kind":"Field","name":{"kind":"Name","value":"sourceConnector"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"connectorType"}},{"kind":"Field","name":{"kind":"Name","value":"teamId"}},{"kind":"Field","name":{"kind":"Name","value":"envId"}},{"kind":"Field","name":{"kind":"Name","value":"team"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"env"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"DatamodelForm"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Datamodel"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"DatamodelCard"}},{"kind":"Field","name":{"kind":"Name","value":"config"}},{"kind":"Field","name":{"kind":"Name","value":"consumerId"}},{"kind":"Field","name":{"kind":"Name","value":"errorTableEnabled"}},{"kind":"Field","name":{"kind":"Name","value":"errorTableName"}},{"kind":"Field","name":{"kind":"Name","value":"errorTableTargetId"}},{"kind":"Field","name":{"kind":"Name","value":"errorTableTarget"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"updatedAt"}}]}}]} as unknown as DocumentNode<DatamodelForEditQuery, DatamodelForEditQueryVariables>;
export const DatamodelChoicesDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"DatamodelChoices"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"filter"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"DatamodelFilter"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"datamodels"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"200"}},{"kind":"Argument","name":{"kind":"Name","value":"filter"},"value":{"kind":"Variable","name":{"kind":"Name","value":"filter"}}},{"kind":"Argument","name":{"kind":"Name","value":"orderBy"},"value":{"kind":"ListValue","values":[{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"field"},"value":{"kind":"EnumValue","value":"NAME"}}]}]}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"sourceTopic"}},{"kind":"Field","name":{"kind":"Name","value":"sourceConnector"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"teamId"}},{"kind":"Field","name":{"kind":"Name","value":"envId"}}]}}]}}]}}]}}]} as unknown as DocumentNode<DatamodelChoicesQuery, DatamodelChoicesQueryVariables>;
export const CreateDatamodelDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"CreateDatamodel"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"CreateDatamodelInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"createDatamodel"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"datamodel"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"DatamodelForm"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"DatamodelCard"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Datamodel"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"sourceTopic"}},{"kind":"Field","name":{"kind":"Name","value":"targetTopic"}},{"kind":"Field","name":{"kind":"Name","value":"enabled"}},{"kind":"Field","name":{"kind":"Name","value":"sourceConnectorId"}},{"kind":"Field","name":{"kind":"Name","value":"sourceConnector"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"connectorType"}},{"kind":"Field","name":{"kind":"Name","value":"teamId"}},{"kind":"Field","name":{"kind":"Name","value":"envId"}},{"kind":"Field","name":{"kind":"Name","value":"team"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"env"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"DatamodelForm"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Datamodel"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"DatamodelCard"}},{"kind":"Field","name":{"kind":"Name","value":"config"}},{"kind":"Field","name":{"kind":"Name","value":"consumerId"}},{"kind":"Field","name":{"kind":"Name","value":"errorTableEnabled"}},{"kind":"Field","name":{"kind":"Name","value":"errorTableName"}},{"kind":"Field","name":{"kind":"Name","value":"errorTableTargetId"}},{"kind":"Field","name":{"kind":"Name","value":"errorTableTarget"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"updatedAt"}}]}}]} as unknown as DocumentNode<CreateDatamodelMutation, CreateDatamodelMutationVariables>;
export const UpdateDatamodelDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"UpdateDatamodel"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"UpdateDatamodelInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"updateDatamodel"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"datamodel"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"DatamodelForm"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"DatamodelCard"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Datamodel"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"sourceTopic"}},{"kind":"Field","name":{"kind":"Name","value":"targetTopic"}},{"kind":"Field","name":{"kind":"Name","value":"enabled"}},{"kind":"Field","name":{"kind":"Name","value":"sourceConnectorId"}},{"kind":"Field","name":{"kind":"Name","value":"sourceConnector"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"connectorType"}},{"kind":"Field","name":{"kind":"Name","value":"teamId"}},{"kind":"Field","name":{"kind":"Name","value":"envId"}},{"kind":"Field","name":{"kind":"Name","value":"team"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"env"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"DatamodelForm"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Datamodel"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"DatamodelCard"}},{"kind":"Field","name":{"kind":"Name","value":"config"}},{"kind":"Field","name":{"kind":"Name","value":"consumerId"}},{"kind":"Field","name":{"kind":"Name","value":"errorTableEnabled"}},{"kind":"Field","name":{"kind":"Name","value":"errorTableName"}},{"kind":"Field","name":{"kind":"Name","value":"errorTableTargetId"}},{"kind":"Field","name":{"kind":"Name","value":"errorTableTarget"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"updatedAt"}}]}}]} as unknown as DocumentNode<UpdateDatamodelMutation, UpdateDatamodelMutationVariables>;
export const DeleteDatamodelDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"DeleteDatamodel"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"DeleteDatamodelInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"deleteDatamodel"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"datamodel"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}}]}}]}}]}}]} as unknown as DocumentNode<DeleteDatamodelMutation, DeleteDatamodelMutationVariables>;
export const ForExamplesDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"ForExamples"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"connectors"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"20"}},{"kind":"Argument","name":{"kind":"Name","value":"filter"},"value":{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"way"},"value":{"kind":"EnumValue","value":"SOURCE"}}]}},{"kind":"Argument","name":{"kind":"Name","value":"orderBy"},"value":{"kind":"ListValue","values":[{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"field"},"value":{"kind":"EnumValue","value":"NAME"}},{"kind":"ObjectField","name":{"kind":"Name","value":"direction"},"value":{"kind":"EnumValue","value":"DESC"}}]}]}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"teamId"}},{"kind":"Field","name":{"kind":"Name","value":"envId"}},{"kind":"Field","name":{"kind":"Name","value":"worker"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"state"}}]}},{"kind":"Field","name":{"kind":"Name","value":"datamodels"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"1"}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"config"}}]}}]}}]}}]}}]}}]} as unknown as DocumentNode<ForExamplesQuery, ForExamplesQueryVariables>;
export const EnvPeopleDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"EnvPeople"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"env"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"members"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"200"}},{"kind":"Argument","name":{"kind":"Name","value":"orderBy"},"value":{"kind":"ListValue","values":[{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"field"},"value":{"kind":"EnumValue","value":"ROLE"}}]}]}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"role"}},{"kind":"Field","name":{"kind":"Name","value":"timestamp"}},{"kind":"Field","name":{"kind":"Name","value":"user"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Person"}}]}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"requests"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"100"}},{"kind":"Argument","name":{"kind":"Name","value":"filter"},"value":{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"status"},"value":{"kind":"EnumValue","value":"PENDING"}}]}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"EnvAsk"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"invitations"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Invited"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Person"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"User"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"email"}},{"kind":"Field","name":{"kind":"Name","value":"isActive"}},{"kind":"Field","name":{"kind":"Name","value":"serviceAccount"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"EnvAsk"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"EnvRequest"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"role"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"envId"}},{"kind":"Field","name":{"kind":"Name","value":"env"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"envName"}},{"kind":"Field","name":{"kind":"Name","value":"fromUserId"}},{"kind":"Field","name":{"kind":"Name","value":"fromEmail"}},{"kind":"Field","name":{"kind":"Name","value":"toUserId"}},{"kind":"Field","name":{"kind":"Name","value":"toUser"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"email"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Invited"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Invitation"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"email"}},{"kind":"Field","name":{"kind":"Name","value":"role"}},{"kind":"Field","name":{"kind":"Name","value":"admin"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"expiresAt"}},{"kind":"Field","name":{"kind":"Name","value":"fromUser"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"email"}}]}}]}}]} as unknown as DocumentNode<EnvPeopleQuery, EnvPeopleQueryVariables>;
export const TeamPeopleDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"TeamPeople"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"team"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"description"}},{"kind":"Field","name":{"kind":"Name","value":"env"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"members"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"200"}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"admin"}},{"kind":"Field","name":{"kind":"Name","value":"timestamp"}},{"kind":"Field","name":{"kind":"Name","value":"user"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Person"}}]}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"requests"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"100"}},{"kind":"Argument","name":{"kind":"Name","value":"filter"},"value":{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"status"},"value":{"kind":"EnumValue","value":"PENDING"}}]}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"TeamAsk"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"invitations"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Invited"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Person"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"User"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"email"}},{"kind":"Field","name":{"kind":"Name","value":"isActive"}},{"kind":"Field","name":{"kind":"Name","value":"serviceAccount"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"TeamAsk"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"TeamRequest"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"admin"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"teamId"}},{"kind":"Field","name":{"kind":"Name","value":"team"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"teamName"}},{"kind":"Field","name":{"kind":"Name","value":"fromUserId"}},{"kind":"Field","name":{"kind":"Name","value":"fromEmail"}},{"kind":"Field","name":{"kind":"Name","value":"toUserId"}},{"kind":"Field","name":{"kind":"Name","value":"toUser"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"email"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Invited"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Invitation"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"email"}},{"kind":"Field","name":{"kind":"Name","value":"role"}},{"kind":"Field","name":{"kind":"Name","value":"admin"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"expiresAt"}},{"kind":"Field","name":{"kind":"Name","value":"fromUser"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"email"}}]}}]}}]} as unknown as DocumentNode<TeamPeopleQuery, TeamPeopleQueryVariables>;
export const ToDecideDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"subscription","name":{"kind":"Name","value":"ToDecide"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"requestReceived"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"removed"}},{"kind":"Field","name":{"kind":"Name","value":"requestId"}},{"kind":"Field","name":{"kind":"Name","value":"envRequest"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"EnvAsk"}}]}},{"kind":"Field","name":{"kind":"Name","value":"teamRequest"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"TeamAsk"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"EnvAsk"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"EnvRequest"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"role"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"envId"}},{"kind":"Field","name":{"kind":"Name","value":"env"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"envName"}},{"kind":"Field","name":{"kind":"Name","value":"fromUserId"}},{"kind":"Field","name":{"kind":"Name","value":"fromEmail"}},{"kind":"Field","name":{"kind":"Name","value":"toUserId"}},{"kind":"Field","name":{"kind":"Name","value":"toUser"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"email"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"TeamAsk"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"TeamRequest"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"admin"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"teamId"}},{"kind":"Field","name":{"kind":"Name","value":"team"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"teamName"}},{"kind":"Field","name":{"kind":"Name","value":"fromUserId"}},{"kind":"Field","name":{"kind":"Name","value":"fromEmail"}},{"kind":"Field","name":{"kind":"Name","value":"toUserId"}},{"kind":"Field","name":{"kind":"Name","value":"toUser"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"email"}}]}}]}}]} as unknown as DocumentNode<ToDecideSubscription, ToDecideSubscriptionVariables>;
export const InviteToEnvDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"InviteToEnv"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"InviteToEnvInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"inviteToEnv"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"email"}}]}}]}}]} as unknown as DocumentNode<InviteToEnvMutation, InviteToEnvMutationVariables>;
export const InviteToTeamDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"InviteToTeam"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"InviteToTeamInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"inviteToTeam"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"email"}}]}}]}}]} as unknown as DocumentNode<InviteToTeamMutation, InviteToTeamMutationVariables>;
export const CancelInvitationDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"CancelInvitation"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"CancelInvitationInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"cancelInvitation"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"invitation"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}}]}}]}}]}}]} as unknown as DocumentNode<CancelInvitationMutation, CancelInvitationMutationVariables>;
export const SetEnvMemberDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"SetEnvMember"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"SetEnvMemberInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"setEnvMember"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"envMember"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"role"}}]}}]}}]}}]} as unknown as DocumentNode<SetEnvMemberMutation, SetEnvMemberMutationVariables>;
export const RemoveEnvMemberDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"RemoveEnvMember"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"RemoveEnvMemberInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"removeEnvMember"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"envMember"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}}]}}]}}]}}]} as unknown as DocumentNode<RemoveEnvMemberMutation, RemoveEnvMemberMutationVariables>;
export const SetTeamMemberDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"SetTeamMember"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"SetTeamMemberInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"setTeamMember"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"teamMember"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"admin"}}]}}]}}]}}]} as unknown as DocumentNode<SetTeamMemberMutation, SetTeamMemberMutationVariables>;
export const RemoveTeamMemberDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"RemoveTeamMember"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"RemoveTeamMemberInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"removeTeamMember"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"teamMember"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}}]}}]}}]}}]} as unknown as DocumentNode<RemoveTeamMemberMutation, RemoveTeamMemberMutationVariables>;
export const AcceptEnvRequestDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"AcceptEnvRequest"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"AcceptEnvRequestInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"acceptEnvRequest"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"envRequest"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"status"}}]}}]}}]}}]} as unknown as DocumentNode<AcceptEnvRequestMutation, AcceptEnvRequestMutationVariables>;
export const DeclineEnvRequestDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"DeclineEnvRequest"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"DeclineEnvRequestInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"declineEnvRequest"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"envRequest"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"status"}}]}}]}}]}}]} as unknown as DocumentNode<DeclineEnvRequestMutation, DeclineEnvRequestMutationVariables>;
export const AcceptTeamRequestDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"AcceptTeamRequest"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"AcceptTeamRequestInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"acceptTeamRequest"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"teamRequest"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"status"}}]}}]}}]}}]} as unknown as DocumentNode<AcceptTeamRequestMutation, AcceptTeamRequestMutationVariables>;
export const DeclineTeamRequestDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"DeclineTeamRequest"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"DeclineTeamRequestInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"declineTeamRequest"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"teamRequest"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"status"}}]}}]}}]}}]} as unknown as DocumentNode<DeclineTeamRequestMutation, DeclineTeamRequestMutationVariables>;
export const ServiceAccountsDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"ServiceAccounts"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"serviceAccounts"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"100"}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"grants"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"role"}},{"kind":"Field","name":{"kind":"Name","value":"admin"}},{"kind":"Field","name":{"kind":"Name","value":"worker"}},{"kind":"Field","name":{"kind":"Name","value":"envId"}},{"kind":"Field","name":{"kind":"Name","value":"teamId"}},{"kind":"Field","name":{"kind":"Name","value":"env"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"team"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"tokens"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"expiresAt"}},{"kind":"Field","name":{"kind":"Name","value":"revokedAt"}}]}}]}}]}}]}}]} as unknown as DocumentNode<ServiceAccountsQuery, ServiceAccountsQueryVariables>;
export const CreateServiceAccountDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"CreateServiceAccount"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"CreateServiceAccountInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"createServiceAccount"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"serviceAccount"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}}]}}]} as unknown as DocumentNode<CreateServiceAccountMutation, CreateServiceAccountMutationVariables>;
export const IssueTokenDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"IssueToken"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"IssueServiceAccountTokenInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"issueServiceAccountToken"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"accessToken"}},{"kind":"Field","name":{"kind":"Name","value":"expiresAt"}}]}}]}}]} as unknown as DocumentNode<IssueTokenMutation, IssueTokenMutationVariables>;
export const RevokeTokenDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"RevokeToken"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"RevokeServiceAccountTokenInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"revokeServiceAccountToken"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"serviceAccountToken"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"revokedAt"}}]}}]}}]}}]} as unknown as DocumentNode<RevokeTokenMutation, RevokeTokenMutationVariables>;
export const CancelEnvRequestDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"CancelEnvRequest"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"CancelEnvRequestInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"cancelEnvRequest"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"envRequest"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"status"}}]}}]}}]}}]} as unknown as DocumentNode<CancelEnvRequestMutation, CancelEnvRequestMutationVariables>;
export const CancelTeamRequestDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"CancelTeamRequest"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"CancelTeamRequestInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"cancelTeamRequest"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"teamRequest"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"status"}}]}}]}}]}}]} as unknown as DocumentNode<CancelTeamRequestMutation, CancelTeamRequestMutationVariables>;
export const SetGrantsDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"SetGrants"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"SetServiceAccountGrantsInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"setServiceAccountGrants"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"serviceAccount"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}}]}}]}}]}}]} as unknown as DocumentNode<SetGrantsMutation, SetGrantsMutationVariables>;
export const DeleteServiceAccountDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"DeleteServiceAccount"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"DeleteServiceAccountInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"deleteServiceAccount"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"serviceAccount"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}}]}}]}}]}}]} as unknown as DocumentNode<DeleteServiceAccountMutation, DeleteServiceAccountMutationVariables>;
export const JoinEnvDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"JoinEnv"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"RequestToJoinEnvInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"requestToJoinEnv"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"envRequest"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}}]}}]}}]}}]} as unknown as DocumentNode<JoinEnvMutation, JoinEnvMutationVariables>;
export const JoinTeamDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"JoinTeam"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"RequestToJoinTeamInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"requestToJoinTeam"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"teamRequest"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}}]}}]}}]}}]} as unknown as DocumentNode<JoinTeamMutation, JoinTeamMutationVariables>;
export const OwnRequestsDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"OwnRequests"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"viewer"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"user"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"email"}},{"kind":"Field","name":{"kind":"Name","value":"envRequestsSent"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"50"}},{"kind":"Argument","name":{"kind":"Name","value":"filter"},"value":{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"status"},"value":{"kind":"EnumValue","value":"PENDING"}}]}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"EnvAsk"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"teamRequestsSent"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"50"}},{"kind":"Argument","name":{"kind":"Name","value":"filter"},"value":{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"status"},"value":{"kind":"EnumValue","value":"PENDING"}}]}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"TeamAsk"}}]}}]}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"EnvAsk"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"EnvRequest"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"role"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"envId"}},{"kind":"Field","name":{"kind":"Name","value":"env"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"envName"}},{"kind":"Field","name":{"kind":"Name","value":"fromUserId"}},{"kind":"Field","name":{"kind":"Name","value":"fromEmail"}},{"kind":"Field","name":{"kind":"Name","value":"toUserId"}},{"kind":"Field","name":{"kind":"Name","value":"toUser"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"email"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"TeamAsk"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"TeamRequest"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"admin"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"teamId"}},{"kind":"Field","name":{"kind":"Name","value":"team"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"teamName"}},{"kind":"Field","name":{"kind":"Name","value":"fromUserId"}},{"kind":"Field","name":{"kind":"Name","value":"fromEmail"}},{"kind":"Field","name":{"kind":"Name","value":"toUserId"}},{"kind":"Field","name":{"kind":"Name","value":"toUser"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"email"}}]}}]}}]} as unknown as DocumentNode<OwnRequestsQuery, OwnRequestsQueryVariables>;
export const SuperusersDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"Superusers"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"users"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"50"}},{"kind":"Argument","name":{"kind":"Name","value":"filter"},"value":{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"isSuperuser"},"value":{"kind":"BooleanValue","value":true}}]}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Person"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Person"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"User"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"email"}},{"kind":"Field","name":{"kind":"Name","value":"isActive"}},{"kind":"Field","name":{"kind":"Name","value":"serviceAccount"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}}]} as unknown as DocumentNode<SuperusersQuery, SuperusersQueryVariables>;
export const CreateUserDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"CreateUser"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"CreateUserInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"createUser"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"user"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Person"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Person"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"User"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"email"}},{"kind":"Field","name":{"kind":"Name","value":"isActive"}},{"kind":"Field","name":{"kind":"Name","value":"serviceAccount"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}}]} as unknown as DocumentNode<CreateUserMutation, CreateUserMutationVariables>;
export const PipelinePageDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"PipelinePage"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"from"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"DateTime"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"to"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"DateTime"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"pipeline"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"PipelineCard"}},{"kind":"Field","name":{"kind":"Name","value":"version"}},{"kind":"Field","name":{"kind":"Name","value":"updatedAt"}},{"kind":"Field","name":{"kind":"Name","value":"pipelineSubscriptions"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"200"}},{"kind":"Argument","name":{"kind":"Name","value":"orderBy"},"value":{"kind":"ListValue","values":[{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"field"},"value":{"kind":"EnumValue","value":"NAME"}}]}]}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"enabled"}},{"kind":"Field","name":{"kind":"Name","value":"backfill"}},{"kind":"Field","name":{"kind":"Name","value":"targetTableName"}},{"kind":"Field","name":{"kind":"Name","value":"errorTableName"}},{"kind":"Field","name":{"kind":"Name","value":"updatedAt"}},{"kind":"Field","name":{"kind":"Name","value":"datamodel"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"sourceTopic"}}]}},{"kind":"Field","name":{"kind":"Name","value":"consumerLag"}},{"kind":"Field","name":{"kind":"Name","value":"consumption"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"from"},"value":{"kind":"Variable","name":{"kind":"Name","value":"from"}}},{"kind":"Argument","name":{"kind":"Name","value":"to"},"value":{"kind":"Variable","name":{"kind":"Name","value":"to"}}},{"kind":"Argument","name":{"kind":"Name","value":"bucket"},"value":{"kind":"EnumValue","value":"DAY"}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"summary"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"delivered"}},{"kind":"Field","name":{"kind":"Name","value":"errors"}}]}}]}}]}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"WorkerCard"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Worker"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"state"}},{"kind":"Field","name":{"kind":"Name","value":"health"}},{"kind":"Field","name":{"kind":"Name","value":"reason"}},{"kind":"Field","name":{"kind":"Name","value":"lastHeartbeatAt"}},{"kind":"Field","name":{"kind":"Name","value":"restartNeeded"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"ConnectorCard"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Connector"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"connectorType"}},{"kind":"Field","name":{"kind":"Name","value":"way"}},{"kind":"Field","name":{"kind":"Name","value":"teamId"}},{"kind":"Field","name":{"kind":"Name","value":"envId"}},{"kind":"Field","name":{"kind":"Name","value":"worker"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"WorkerCard"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"PipelineCard"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Pipeline"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"state"}},{"kind":"Field","name":{"kind":"Name","value":"health"}},{"kind":"Field","name":{"kind":"Name","value":"degradedParts"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"part"}},{"kind":"Field","name":{"kind":"Name","value":"fault"}}]}},{"kind":"Field","name":{"kind":"Name","value":"teamId"}},{"kind":"Field","name":{"kind":"Name","value":"envId"}},{"kind":"Field","name":{"kind":"Name","value":"sourceConnectorId"}},{"kind":"Field","name":{"kind":"Name","value":"targetConnectorId"}},{"kind":"Field","name":{"kind":"Name","value":"team"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"env"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"sourceConnector"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"ConnectorCard"}}]}},{"kind":"Field","name":{"kind":"Name","value":"datamodel"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"targetConnector"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"ConnectorCard"}}]}}]}}]} as unknown as DocumentNode<PipelinePageQuery, PipelinePageQueryVariables>;
export const PipelineThroughputDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"PipelineThroughput"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"from"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"DateTime"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"to"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"DateTime"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"bucket"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ThroughputBucket"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"pipeline"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"throughput"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"from"},"value":{"kind":"Variable","name":{"kind":"Name","value":"from"}}},{"kind":"Argument","name":{"kind":"Name","value":"to"},"value":{"kind":"Variable","name":{"kind":"Name","value":"to"}}},{"kind":"Argument","name":{"kind":"Name","value":"bucket"},"value":{"kind":"Variable","name":{"kind":"Name","value":"bucket"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"points"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"start"}},{"kind":"Field","name":{"kind":"Name","value":"total"}},{"kind":"Field","name":{"kind":"Name","value":"delivered"}},{"kind":"Field","name":{"kind":"Name","value":"errors"}}]}},{"kind":"Field","name":{"kind":"Name","value":"summary"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"total"}},{"kind":"Field","name":{"kind":"Name","value":"delivered"}},{"kind":"Field","name":{"kind":"Name","value":"errors"}},{"kind":"Field","name":{"kind":"Name","value":"messagesPerSecond"}}]}}]}}]}}]}}]} as unknown as DocumentNode<PipelineThroughputQuery, PipelineThroughputQueryVariables>;
export const ThroughputOfDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"subscription","name":{"kind":"Name","value":"ThroughputOf"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"filter"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"ThroughputReportedFilter"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"throughputReported"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"filter"},"value":{"kind":"Variable","name":{"kind":"Name","value":"filter"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"initial"}},{"kind":"Field","name":{"kind":"Name","value":"entityId"}}]}}]}}]} as unknown as DocumentNode<ThroughputOfSubscription, ThroughputOfSubscriptionVariables>;
export const ChangeSubscriptionDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"ChangeSubscription"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"UpdatePipelineSubscriptionInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"updatePipelineSubscription"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"pipelineSubscription"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"enabled"}},{"kind":"Field","name":{"kind":"Name","value":"backfill"}},{"kind":"Field","name":{"kind":"Name","value":"updatedAt"}}]}}]}}]}}]} as unknown as DocumentNode<ChangeSubscriptionMutation, ChangeSubscriptionMutationVariables>;
export const PipelineForEditDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"PipelineForEdit"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"pipeline"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"PipelineForm"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"PipelineForm"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Pipeline"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"version"}},{"kind":"Field","name":{"kind":"Name","value":"teamId"}},{"kind":"Field","name":{"kind":"Name","value":"envId"}},{"kind":"Field","name":{"kind":"Name","value":"sourceConnectorId"}},{"kind":"Field","name":{"kind":"Name","value":"targetConnectorId"}},{"kind":"Field","name":{"kind":"Name","value":"datamodelId"}},{"kind":"Field","name":{"kind":"Name","value":"sourceConnector"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"targetConnector"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"datamodel"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"jsonConfiguration"}},{"kind":"Field","name":{"kind":"Name","value":"errorTableConfig"}}]}}]} as unknown as DocumentNode<PipelineForEditQuery, PipelineForEditQueryVariables>;
export const CreatePipelineDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"CreatePipeline"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"CreatePipelineInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"createPipeline"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"pipeline"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"PipelineForm"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"PipelineForm"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Pipeline"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"version"}},{"kind":"Field","name":{"kind":"Name","value":"teamId"}},{"kind":"Field","name":{"kind":"Name","value":"envId"}},{"kind":"Field","name":{"kind":"Name","value":"sourceConnectorId"}},{"kind":"Field","name":{"kind":"Name","value":"targetConnectorId"}},{"kind":"Field","name":{"kind":"Name","value":"datamodelId"}},{"kind":"Field","name":{"kind":"Name","value":"sourceConnector"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"targetConnector"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"datamodel"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"jsonConfiguration"}},{"kind":"Field","name":{"kind":"Name","value":"errorTableConfig"}}]}}]} as unknown as DocumentNode<CreatePipelineMutation, CreatePipelineMutationVariables>;
export const UpdatePipelineDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"UpdatePipeline"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"UpdatePipelineInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"updatePipeline"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"pipeline"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"PipelineForm"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"PipelineForm"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Pipeline"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"version"}},{"kind":"Field","name":{"kind":"Name","value":"teamId"}},{"kind":"Field","name":{"kind":"Name","value":"envId"}},{"kind":"Field","name":{"kind":"Name","value":"sourceConnectorId"}},{"kind":"Field","name":{"kind":"Name","value":"targetConnectorId"}},{"kind":"Field","name":{"kind":"Name","value":"datamodelId"}},{"kind":"Field","name":{"kind":"Name","value":"sourceConnector"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"targetConnector"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"datamodel"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"jsonConfiguration"}},{"kind":"Field","name":{"kind":"Name","value":"errorTableConfig"}}]}}]} as unknown as DocumentNode<UpdatePipelineMutation, UpdatePipelineMutationVariables>;
export const DeletePipelineDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"DeletePipeline"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"DeletePipelineInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"deletePipeline"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"pipeline"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}}]}}]}}]}}]} as unknown as DocumentNode<DeletePipelineMutation, DeletePipelineMutationVariables>;
export const PipelineOfSubscriptionDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"PipelineOfSubscription"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"pipeline"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"teamId"}},{"kind":"Field","name":{"kind":"Name","value":"envId"}},{"kind":"Field","name":{"kind":"Name","value":"state"}},{"kind":"Field","name":{"kind":"Name","value":"sourceConnectorId"}},{"kind":"Field","name":{"kind":"Name","value":"targetConnectorId"}},{"kind":"Field","name":{"kind":"Name","value":"targetConnector"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}}]}}]} as unknown as DocumentNode<PipelineOfSubscriptionQuery, PipelineOfSubscriptionQueryVariables>;
export const SubscriptionForEditDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"SubscriptionForEdit"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"pipelineSubscription"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"SubscriptionForm"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"SubscriptionForm"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"PipelineSubscription"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"pipelineId"}},{"kind":"Field","name":{"kind":"Name","value":"datamodelId"}},{"kind":"Field","name":{"kind":"Name","value":"targetConnectorId"}},{"kind":"Field","name":{"kind":"Name","value":"targetTableName"}},{"kind":"Field","name":{"kind":"Name","value":"config"}},{"kind":"Field","name":{"kind":"Name","value":"transformConfig"}},{"kind":"Field","name":{"kind":"Name","value":"errorTableEnabled"}},{"kind":"Field","name":{"kind":"Name","value":"errorTableName"}},{"kind":"Field","name":{"kind":"Name","value":"errorTableTargetId"}},{"kind":"Field","name":{"kind":"Name","value":"consumerId"}},{"kind":"Field","name":{"kind":"Name","value":"enabled"}},{"kind":"Field","name":{"kind":"Name","value":"updatedAt"}},{"kind":"Field","name":{"kind":"Name","value":"datamodel"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"targetConnector"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"errorTableTarget"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}}]} as unknown as DocumentNode<SubscriptionForEditQuery, SubscriptionForEditQueryVariables>;
export const CreateSubscriptionDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"CreateSubscription"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"CreatePipelineSubscriptionInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"createPipelineSubscription"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"pipelineSubscription"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"SubscriptionForm"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"SubscriptionForm"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"PipelineSubscription"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"pipelineId"}},{"kind":"Field","name":{"kind":"Name","value":"datamodelId"}},{"kind":"Field","name":{"kind":"Name","value":"targetConnectorId"}},{"kind":"Field","name":{"kind":"Name","value":"targetTableName"}},{"kind":"Field","name":{"kind":"Name","value":"config"}},{"kind":"Field","name":{"kind":"Name","value":"transformConfig"}},{"kind":"Field","name":{"kind":"Name","value":"errorTableEnabled"}},{"kind":"Field","name":{"kind":"Name","value":"errorTableName"}},{"kind":"Field","name":{"kind":"Name","value":"errorTableTargetId"}},{"kind":"Field","name":{"kind":"Name","value":"consumerId"}},{"kind":"Field","name":{"kind":"Name","value":"enabled"}},{"kind":"Field","name":{"kind":"Name","value":"updatedAt"}},{"kind":"Field","name":{"kind":"Name","value":"datamodel"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"targetConnector"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"errorTableTarget"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}}]} as unknown as DocumentNode<CreateSubscriptionMutation, CreateSubscriptionMutationVariables>;
export const UpdateSubscriptionDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"UpdateSubscription"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"UpdatePipelineSubscriptionInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"updatePipelineSubscription"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"pipelineSubscription"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"SubscriptionForm"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"SubscriptionForm"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"PipelineSubscription"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"pipelineId"}},{"kind":"Field","name":{"kind":"Name","value":"datamodelId"}},{"kind":"Field","name":{"kind":"Name","value":"targetConnectorId"}},{"kind":"Field","name":{"kind":"Name","value":"targetTableName"}},{"kind":"Field","name":{"kind":"Name","value":"config"}},{"kind":"Field","name":{"kind":"Name","value":"transformConfig"}},{"kind":"Field","name":{"kind":"Name","value":"errorTableEnabled"}},{"kind":"Field","name":{"kind":"Name","value":"errorTableName"}},{"kind":"Field","name":{"kind":"Name","value":"errorTableTargetId"}},{"kind":"Field","name":{"kind":"Name","value":"consumerId"}},{"kind":"Field","name":{"kind":"Name","value":"enabled"}},{"kind":"Field","name":{"kind":"Name","value":"updatedAt"}},{"kind":"Field","name":{"kind":"Name","value":"datamodel"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"targetConnector"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"errorTableTarget"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}}]} as unknown as DocumentNode<UpdateSubscriptionMutation, UpdateSubscriptionMutationVariables>;
export const DeleteSubscriptionDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"DeleteSubscription"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"DeletePipelineSubscriptionInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"deletePipelineSubscription"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"pipelineSubscription"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}}]}}]}}]}}]} as unknown as DocumentNode<DeleteSubscriptionMutation, DeleteSubscriptionMutationVariables>;
export const ReadersDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"Readers"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"topic"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","alias":{"kind":"Name","value":"sources"},"name":{"kind":"Name","value":"datamodels"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"20"}},{"kind":"Argument","name":{"kind":"Name","value":"filter"},"value":{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"sourceTopic"},"value":{"kind":"Variable","name":{"kind":"Name","value":"topic"}}}]}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Reader"}}]}}]}},{"kind":"Field","alias":{"kind":"Name","value":"targets"},"name":{"kind":"Name","value":"datamodels"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"20"}},{"kind":"Argument","name":{"kind":"Name","value":"filter"},"value":{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"targetTopic"},"value":{"kind":"Variable","name":{"kind":"Name","value":"topic"}}}]}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Reader"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Reader"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Datamodel"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"sourceConnector"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"pipelines"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"20"}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}}]}}]} as unknown as DocumentNode<ReadersQuery, ReadersQueryVariables>;
export const SubjectsDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"Subjects"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"search"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"schemaSubjects"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"search"},"value":{"kind":"Variable","name":{"kind":"Name","value":"search"}}},{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"50"}},{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"totalCount"}},{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"versionCount"}},{"kind":"Field","name":{"kind":"Name","value":"compatibility"}},{"kind":"Field","name":{"kind":"Name","value":"latestVersion"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"version"}},{"kind":"Field","name":{"kind":"Name","value":"timestamp"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"}},{"kind":"Field","name":{"kind":"Name","value":"endCursor"}}]}}]}}]}}]} as unknown as DocumentNode<SubjectsQuery, SubjectsQueryVariables>;
export const SubjectDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"Subject"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"name"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"schemaSubject"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"name"},"value":{"kind":"Variable","name":{"kind":"Name","value":"name"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"versionCount"}},{"kind":"Field","name":{"kind":"Name","value":"compatibility"}},{"kind":"Field","name":{"kind":"Name","value":"versions"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"100"}},{"kind":"Argument","name":{"kind":"Name","value":"orderBy"},"value":{"kind":"ListValue","values":[{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"field"},"value":{"kind":"EnumValue","value":"VERSION"}},{"kind":"ObjectField","name":{"kind":"Name","value":"direction"},"value":{"kind":"EnumValue","value":"DESC"}}]}]}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"version"}},{"kind":"Field","name":{"kind":"Name","value":"timestamp"}},{"kind":"Field","name":{"kind":"Name","value":"schema"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"type"}},{"kind":"Field","name":{"kind":"Name","value":"schema"}}]}}]}}]}}]}}]}}]} as unknown as DocumentNode<SubjectQuery, SubjectQueryVariables>;
export const DiffDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"Diff"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"subject"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"from"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"to"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"schemaDiff"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"subject"},"value":{"kind":"Variable","name":{"kind":"Name","value":"subject"}}},{"kind":"Argument","name":{"kind":"Name","value":"from"},"value":{"kind":"Variable","name":{"kind":"Name","value":"from"}}},{"kind":"Argument","name":{"kind":"Name","value":"to"},"value":{"kind":"Variable","name":{"kind":"Name","value":"to"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"identical"}},{"kind":"Field","name":{"kind":"Name","value":"unified"}}]}}]}}]} as unknown as DocumentNode<DiffQuery, DiffQueryVariables>;
export const LatestDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"Latest"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"name"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"schemaSubject"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"name"},"value":{"kind":"Variable","name":{"kind":"Name","value":"name"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"compatibility"}},{"kind":"Field","name":{"kind":"Name","value":"latestVersion"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"version"}},{"kind":"Field","name":{"kind":"Name","value":"schema"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"type"}},{"kind":"Field","name":{"kind":"Name","value":"schema"}}]}}]}}]}}]}}]} as unknown as DocumentNode<LatestQuery, LatestQueryVariables>;
export const CheckSchemaDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"CheckSchema"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"subject"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"type"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"SchemaType"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"schema"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"checkSchemaCompatibility"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"subject"},"value":{"kind":"Variable","name":{"kind":"Name","value":"subject"}}},{"kind":"Argument","name":{"kind":"Name","value":"type"},"value":{"kind":"Variable","name":{"kind":"Name","value":"type"}}},{"kind":"Argument","name":{"kind":"Name","value":"schema"},"value":{"kind":"Variable","name":{"kind":"Name","value":"schema"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"compatible"}},{"kind":"Field","name":{"kind":"Name","value":"compatibility"}},{"kind":"Field","name":{"kind":"Name","value":"incompatibilities"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"version"}},{"kind":"Field","name":{"kind":"Name","value":"direction"}},{"kind":"Field","name":{"kind":"Name","value":"path"}},{"kind":"Field","name":{"kind":"Name","value":"message"}}]}}]}}]}}]} as unknown as DocumentNode<CheckSchemaQuery, CheckSchemaQueryVariables>;
export const RegisterSchemaDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"RegisterSchema"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"RegisterSchemaInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"registerSchema"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"created"}},{"kind":"Field","name":{"kind":"Name","value":"schemaVersion"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"version"}},{"kind":"Field","name":{"kind":"Name","value":"subject"}}]}}]}}]}}]} as unknown as DocumentNode<RegisterSchemaMutation, RegisterSchemaMutationVariables>;
export const SyncRunsDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"SyncRuns"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"connectorId"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"connector"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"connectorId"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"syncRuns"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"8"}},{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}},{"kind":"Argument","name":{"kind":"Name","value":"orderBy"},"value":{"kind":"ListValue","values":[{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"field"},"value":{"kind":"EnumValue","value":"CREATED_AT"}},{"kind":"ObjectField","name":{"kind":"Name","value":"direction"},"value":{"kind":"EnumValue","value":"DESC"}}]}]}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"SyncCard"}},{"kind":"Field","name":{"kind":"Name","value":"end"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"cause"}},{"kind":"Field","name":{"kind":"Name","value":"reason"}},{"kind":"Field","name":{"kind":"Name","value":"byEmail"}},{"kind":"Field","name":{"kind":"Name","value":"endedAt"}},{"kind":"Field","name":{"kind":"Name","value":"tablesCompleted"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"}},{"kind":"Field","name":{"kind":"Name","value":"endCursor"}}]}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"SyncCard"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"SyncRun"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"connectorId"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"outcome"}},{"kind":"Field","name":{"kind":"Name","value":"stalledSince"}},{"kind":"Field","name":{"kind":"Name","value":"stalledReason"}},{"kind":"Field","name":{"kind":"Name","value":"triggeredByEmail"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"progress"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"rows"}},{"kind":"Field","name":{"kind":"Name","value":"approximateRows"}},{"kind":"Field","name":{"kind":"Name","value":"percent"}},{"kind":"Field","name":{"kind":"Name","value":"tablesDone"}},{"kind":"Field","name":{"kind":"Name","value":"tablesFailed"}},{"kind":"Field","name":{"kind":"Name","value":"tablesTotal"}},{"kind":"Field","name":{"kind":"Name","value":"rowsPerSecond"}},{"kind":"Field","name":{"kind":"Name","value":"etaSeconds"}}]}}]}}]} as unknown as DocumentNode<SyncRunsQuery, SyncRunsQueryVariables>;
export const SyncTablesDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"SyncTables"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"syncRun"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"syncTables"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"100"}},{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}},{"kind":"Argument","name":{"kind":"Name","value":"orderBy"},"value":{"kind":"ListValue","values":[{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"field"},"value":{"kind":"EnumValue","value":"POSITION"}}]}]}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"SyncTableRow"}}]}},{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"}},{"kind":"Field","name":{"kind":"Name","value":"endCursor"}}]}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"SyncTableRow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"SyncTable"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"tableName"}},{"kind":"Field","name":{"kind":"Name","value":"position"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"approximateRowCount"}},{"kind":"Field","name":{"kind":"Name","value":"rowsIngested"}},{"kind":"Field","name":{"kind":"Name","value":"startedAt"}},{"kind":"Field","name":{"kind":"Name","value":"finishedAt"}},{"kind":"Field","name":{"kind":"Name","value":"errorReason"}},{"kind":"Field","name":{"kind":"Name","value":"progress"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"percent"}},{"kind":"Field","name":{"kind":"Name","value":"reported"}},{"kind":"Field","name":{"kind":"Name","value":"restarts"}},{"kind":"Field","name":{"kind":"Name","value":"rowsPerSecond"}},{"kind":"Field","name":{"kind":"Name","value":"lastProgressAt"}}]}}]}}]} as unknown as DocumentNode<SyncTablesQuery, SyncTablesQueryVariables>;
export const LastTablesDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"LastTables"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"connectorId"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"connector"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"connectorId"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"connectorType"}},{"kind":"Field","name":{"kind":"Name","value":"syncRuns"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"5"}},{"kind":"Argument","name":{"kind":"Name","value":"orderBy"},"value":{"kind":"ListValue","values":[{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"field"},"value":{"kind":"EnumValue","value":"CREATED_AT"}},{"kind":"ObjectField","name":{"kind":"Name","value":"direction"},"value":{"kind":"EnumValue","value":"DESC"}}]}]}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"syncTables"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"200"}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"tableName"}},{"kind":"Field","name":{"kind":"Name","value":"approximateRowCount"}}]}}]}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"datamodels"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"200"}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"config"}}]}}]}}]}}]}}]} as unknown as DocumentNode<LastTablesQuery, LastTablesQueryVariables>;
export const StartSyncDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"StartSync"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"StartSyncInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"startSync"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"syncRun"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"SyncCard"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"SyncCard"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"SyncRun"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"connectorId"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"outcome"}},{"kind":"Field","name":{"kind":"Name","value":"stalledSince"}},{"kind":"Field","name":{"kind":"Name","value":"stalledReason"}},{"kind":"Field","name":{"kind":"Name","value":"triggeredByEmail"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"progress"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"rows"}},{"kind":"Field","name":{"kind":"Name","value":"approximateRows"}},{"kind":"Field","name":{"kind":"Name","value":"percent"}},{"kind":"Field","name":{"kind":"Name","value":"tablesDone"}},{"kind":"Field","name":{"kind":"Name","value":"tablesFailed"}},{"kind":"Field","name":{"kind":"Name","value":"tablesTotal"}},{"kind":"Field","name":{"kind":"Name","value":"rowsPerSecond"}},{"kind":"Field","name":{"kind":"Name","value":"etaSeconds"}}]}}]}}]} as unknown as DocumentNode<StartSyncMutation, StartSyncMutationVariables>;
export const CancelSyncDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"CancelSync"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"CancelSyncInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"cancelSync"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"syncRun"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"SyncCard"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"SyncCard"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"SyncRun"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"connectorId"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"outcome"}},{"kind":"Field","name":{"kind":"Name","value":"stalledSince"}},{"kind":"Field","name":{"kind":"Name","value":"stalledReason"}},{"kind":"Field","name":{"kind":"Name","value":"triggeredByEmail"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"progress"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"rows"}},{"kind":"Field","name":{"kind":"Name","value":"approximateRows"}},{"kind":"Field","name":{"kind":"Name","value":"percent"}},{"kind":"Field","name":{"kind":"Name","value":"tablesDone"}},{"kind":"Field","name":{"kind":"Name","value":"tablesFailed"}},{"kind":"Field","name":{"kind":"Name","value":"tablesTotal"}},{"kind":"Field","name":{"kind":"Name","value":"rowsPerSecond"}},{"kind":"Field","name":{"kind":"Name","value":"etaSeconds"}}]}}]}}]} as unknown as DocumentNode<CancelSyncMutation, CancelSyncMutationVariables>;
export const RetrySyncDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"RetrySync"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"RetrySyncInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"retrySync"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"syncRun"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"SyncCard"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"SyncCard"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"SyncRun"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"connectorId"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"outcome"}},{"kind":"Field","name":{"kind":"Name","value":"stalledSince"}},{"kind":"Field","name":{"kind":"Name","value":"stalledReason"}},{"kind":"Field","name":{"kind":"Name","value":"triggeredByEmail"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"progress"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"rows"}},{"kind":"Field","name":{"kind":"Name","value":"approximateRows"}},{"kind":"Field","name":{"kind":"Name","value":"percent"}},{"kind":"Field","name":{"kind":"Name","value":"tablesDone"}},{"kind":"Field","name":{"kind":"Name","value":"tablesFailed"}},{"kind":"Field","name":{"kind":"Name","value":"tablesTotal"}},{"kind":"Field","name":{"kind":"Name","value":"rowsPerSecond"}},{"kind":"Field","name":{"kind":"Name","value":"etaSeconds"}}]}}]}}]} as unknown as DocumentNode<RetrySyncMutation, RetrySyncMutationVariables>;
export const SkipTableDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"SkipTable"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"SkipSyncTableInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"skipSyncTable"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"syncTable"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"SyncTableRow"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"SyncTableRow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"SyncTable"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"tableName"}},{"kind":"Field","name":{"kind":"Name","value":"position"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"approximateRowCount"}},{"kind":"Field","name":{"kind":"Name","value":"rowsIngested"}},{"kind":"Field","name":{"kind":"Name","value":"startedAt"}},{"kind":"Field","name":{"kind":"Name","value":"finishedAt"}},{"kind":"Field","name":{"kind":"Name","value":"errorReason"}},{"kind":"Field","name":{"kind":"Name","value":"progress"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"percent"}},{"kind":"Field","name":{"kind":"Name","value":"reported"}},{"kind":"Field","name":{"kind":"Name","value":"restarts"}},{"kind":"Field","name":{"kind":"Name","value":"rowsPerSecond"}},{"kind":"Field","name":{"kind":"Name","value":"lastProgressAt"}}]}}]}}]} as unknown as DocumentNode<SkipTableMutation, SkipTableMutationVariables>;