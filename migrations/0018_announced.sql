-- Which tables announce their changes, to whom and with which keys. Metrics, user_log and idempotency_record stay
-- silent; worker has its own (0017). Owners empty: the listener knows who may see such a row.

select pumphouse.announce('public.env', 'pumphouse.owner(null, r.id)');
select pumphouse.announce('public."user"', '''{}''::text[]');
select pumphouse.announce(
  'public.env_member', 'pumphouse.owner(null, r.env_id)',
  'u', 'pumphouse.quoted(r.user_id)',
  'env', 'pumphouse.quoted(r.env_id)');
select pumphouse.announce('public.env_request', 'pumphouse.owner(null, r.env_id)');
select pumphouse.announce('public.service_account_user', 'pumphouse.owners_of_service_account(r.id)');
select pumphouse.announce('public.team', 'pumphouse.owner(r.id, r.env_id)');
select pumphouse.announce(
  'public.team_member', 'pumphouse.owners_of_team(r.team_id)',
  'u', 'pumphouse.quoted(r.user_id)',
  'team', 'pumphouse.quoted(r.team_id)');
select pumphouse.announce('public.team_request', 'pumphouse.owners_of_team(r.team_id)');

select pumphouse.announce(
  'public.connector', 'pumphouse.owner(r.team_id, r.env_id)',
  'w', 'coalesce(''["'' || pumphouse.worker_of_connector(r.id) || ''"]'', ''[]'')');
select pumphouse.announce('public.datamodel', 'pumphouse.owners_of_datamodel(r.id, r.source_connector_id)');
select pumphouse.announce('public.pipeline', 'pumphouse.owner(r.team_id, r.env_id)');
select pumphouse.announce(
  'public.subscription',
  'pumphouse.owners_of_subscription(r.pipeline_id, r.target_connector_id, r.datamodel_id)');

select pumphouse.announce('public.schema', '''{}''::text[]');
select pumphouse.announce('public.schema_version', '''{}''::text[]');

select pumphouse.announce('public.license_state', '''{}''::text[]');
select pumphouse.announce(
  'public.sync_run', 'pumphouse.owners_of_connector(r.connector_id)',
  'c', 'pumphouse.quoted(r.connector_id)');
select pumphouse.announce(
  'public.sync_table', 'pumphouse.owners_of_connector(pumphouse.connector_of_sync_run(r.sync_run_id))',
  'run', 'pumphouse.quoted(r.sync_run_id)',
  'c', 'pumphouse.quoted(pumphouse.connector_of_sync_run(r.sync_run_id))');
