// What an entry says, as a person would: who did what to whom, with links to what is still there.
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { scopeSearch, useScoped } from '../app/scope';
import type { AuditQuery } from '../client/generated';
import { spaced, VERB } from '../ui/words';

export type Entry = AuditQuery['userLogs']['nodes'][number];

const TYPES: Readonly<Record<string, string>> = {
  Env: 'environment', Worker: 'the worker of', SyncRun: 'the sync of', SyncTable: 'table', PipelineSubscription: 'subscription', User: 'account',
  SchemaSubject: 'schema', SchemaVersion: 'a version of', LicenseState: 'the licence',
}; // prettier-ignore

/** Fields by what people call them; what says nothing beside the verb is left out. */
const FIELDS: Readonly<Record<string, string | null>> = {
  jsonConfiguration: 'configuration', pipelineSubscriptions: 'subscriptions', transformConfig: 'transforms', teamId: 'team', envId: 'environment',
  activeEnvId: 'active environment', isActive: 'whether it is active', isSuperuser: 'whether it is a superuser', isVerified: 'whether the address is known',
  version: null, state: null, status: null,
}; // prettier-ignore

/** Who acted. A worker is known by its connector. */
export function who({ userEmail, actorName, entityType, entityName }: Entry): string {
  if (userEmail) return userEmail;
  if (!actorName?.startsWith('worker ')) return actorName ? `the ${actorName}` : 'the system';
  return entityName && ['Connector', 'Worker', 'SyncRun'].includes(entityType) ? `the worker of ${entityName}` : 'a worker';
}

export function Sentence({ entry }: { readonly entry: Entry }) {
  const { action, entityType, changedFields } = entry;
  const fields = changedFields.flatMap((field) => (FIELDS[field] === null ? [] : [FIELDS[field] ?? spaced(field)]));
  return (
    <>
      {entityType.endsWith('Request') ? <Asking entry={entry} /> : entityType.endsWith('Member') ? <Belonging entry={entry} /> : <Deed entry={entry} />}
      {action === 'UPDATE' && !entityType.endsWith('Member') && fields.length > 0 && <div className="small quiet">{fields.join(', ')}</div>}
    </>
  );
}

function Deed({ entry }: { readonly entry: Entry }) {
  const { action, userEmail, entityType, entityName, changedFields } = entry;
  if (action === 'BOOTSTRAP') return <>took its configuration</>;
  if (action === 'LOGIN' || action === 'LOGOUT' || action === 'LOGIN_FAILED') return <>{VERB[action]}</>;
  if (entityType === 'User' && entityName === userEmail) return <>{action === 'UPDATE' ? 'changed their account' : VERB[action].replace(' of', '')}</>;
  const token = changedFields.includes('tokens');
  if (token && action === 'REVOKE') return <>revoked a token of <Thing entry={entry} /></>; // prettier-ignore
  if (action === 'SYNC') return <>started a sync of <Thing entry={entry} /></>; // prettier-ignore
  if (action === 'GRANT') return <>changed what <Thing entry={entry} /> may do</>; // prettier-ignore
  const type = TYPES[entityType] ?? spaced(entityType);
  return <>{VERB[action]} {type} <Thing entry={entry} /></>; // prettier-ignore
}

/** A membership that was given, changed or taken. */
function Belonging({ entry }: { readonly entry: Entry }) {
  const { action, targetUser, userEmail } = entry;
  const whom = targetUser?.email === userEmail ? 'themselves' : <b>{targetUser?.email ?? 'somebody who is gone'}</b>;
  if (action === 'REVOKE' || action === 'DELETE') return <>removed {whom} from <Place entry={entry} /></>; // prettier-ignore
  if (action === 'UPDATE') return <>changed the role of {whom} in <Place entry={entry} /></>; // prettier-ignore
  return <>gave {whom} a role in <Place entry={entry} /></>; // prettier-ignore
}

/** An invitation or a request to join: whoever decides about their own is the one who was invited. */
function Asking({ entry }: { readonly entry: Entry }) {
  const { action, targetUser, userEmail, entityName } = entry;
  const own = targetUser !== null && targetUser.email === userEmail;
  // An invitation bears the name of its address, whether or not somebody has it.
  const email = targetUser?.email ?? entityName;
  const whom = email ? <b>{email}</b> : 'somebody';
  switch (action) {
    case 'INVITE':
      return <>invited {whom} to <Place entry={entry} /></>; // prettier-ignore
    case 'REQUEST':
      return <>asked to join <Place entry={entry} /></>; // prettier-ignore
    case 'CANCEL':
      return own ? <>took back their request to join <Place entry={entry} /></> : <>took back what was pending for {whom} in <Place entry={entry} /></>; // prettier-ignore
    default:
      return own ? <>{VERB[action]} the invitation to <Place entry={entry} /></> : <>{VERB[action]} the request of {whom} to join <Place entry={entry} /></>; // prettier-ignore
  }
}

function Place({ entry: { entityType, env, team } }: { readonly entry: Entry }) {
  const isTeam = entityType.startsWith('Team');
  const place = isTeam ? team : env;
  if (!place) return <>{isTeam ? 'a team' : 'an environment'} that is gone</>; // prettier-ignore
  const to = scopeSearch(isTeam ? { envId: env?.id ?? null, teamId: place.id } : { envId: place.id, teamId: null });
  return <>{isTeam ? 'team' : 'environment'} <Link href={`/people${to}`}>{place.name ?? 'without a name'}</Link></>; // prettier-ignore
}

/** Where what an entry is about is shown. */
function pathOf({ action, entityType, entityId, entityName }: Entry): string | null {
  if (action === 'DELETE') return null;
  if (entityName && ['SchemaSubject', 'SchemaVersion'].includes(entityType)) return `/schemas/${encodeURIComponent(entityName)}`;
  if (!entityId) return null;
  if (entityType === 'Connector') return `/connectors/${entityId}`;
  if (entityType === 'Pipeline') return `/pipelines/${entityId}`;
  return null;
}

function Thing({ entry }: { readonly entry: Entry }): ReactNode {
  const scoped = useScoped();
  const path = pathOf(entry);
  return path ? <Link href={scoped(path)}>{entry.entityName ?? 'without a name'}</Link> : <b>{entry.entityName}</b>;
}
