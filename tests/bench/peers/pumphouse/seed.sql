-- The generator's rows, which lie in schema `generated`, by the rules of this server: enumerations in its spelling, sealed
-- configurations, a stop time for whoever is stopping, no run that is still going, machines whose rights are grants. Ids, names
-- and numbers of rows stay. Triggers run, so what hangs on a row is made as for any other writer.
SET timezone = 'UTC';
SET synchronous_commit = off;

INSERT INTO env
  SELECT e.id, e.name, s.document::json, e.config_hash, e.created_at, e.updated_at FROM generated.env e JOIN generated.sealed s USING (id);
-- Nobody signs in by password but the one whom `load` gives one.
INSERT INTO "user"
  SELECT id, email, NULL, is_active, is_superuser, is_verified, version, active_env_id, created_at, updated_at FROM generated."user";
INSERT INTO team SELECT * FROM generated.team;

-- A machine has what it was granted: its memberships are its grants.
INSERT INTO service_account_user SELECT * FROM generated.service_account_user;
INSERT INTO pumphouse.service_account_grant (id, service_account_id, env_id, role)
  SELECT m.id, a.id, m.env_id, m.role FROM generated.env_member m JOIN generated.service_account_user a USING (user_id);
INSERT INTO pumphouse.service_account_grant (id, service_account_id, team_id, admin)
  SELECT m.id, a.id, m.team_id, m.admin FROM generated.team_member m JOIN generated.service_account_user a USING (user_id);
INSERT INTO env_member SELECT * FROM generated.env_member;
INSERT INTO team_member SELECT * FROM generated.team_member;
INSERT INTO env_request SELECT * FROM generated.env_request;
INSERT INTO team_request SELECT * FROM generated.team_request;

INSERT INTO connector
  SELECT c.id, c.name, replace(c.connector_type, 'DB2_IBMI', 'IBMI'), s.document::json, upper(c.way), c.team_id, c.env_id, c.created_at, c.updated_at
  FROM generated.connector c JOIN generated.sealed s USING (id);
INSERT INTO worker
  SELECT id, state, connector_id, last_heartbeat_at, reason, CASE WHEN state = 'STOPPING' THEN last_heartbeat_at END, launch_generation,
    created_at, updated_at
  FROM generated.worker;
-- They have been running for long, and their health was announced.
UPDATE pumphouse.worker_launch l SET asked_at = w.created_at, launched_at = w.created_at, first_report_at = w.created_at,
    announced_health = CASE WHEN w.state IN ('LIVE', 'STOPPING') THEN 'HEALTHY' ELSE 'INACTIVE' END
  FROM worker w WHERE w.id = l.worker_id;

INSERT INTO datamodel SELECT * FROM generated.datamodel;
INSERT INTO pipeline SELECT * FROM generated.pipeline;
-- A chain of transforms is a list.
INSERT INTO subscription
  SELECT id, name, config, transform_config -> 'steps', pipeline_id, datamodel_id, target_connector_id, error_table_enabled, error_table_name,
    error_table_target_id, target_table_name, consumer_id, backfill, enabled, created_at, updated_at
  FROM generated.subscription;

INSERT INTO schema SELECT * FROM generated.schema;
INSERT INTO schema_version SELECT * FROM generated.schema_version;

-- What is still going is ended as `cancelSync` would end it: a run that is going is driven by the leader.
INSERT INTO sync_run
  SELECT id, connector_id, replace(status, 'SYNCING', 'CANCELLED'), triggered_by_user_id, triggered_by_email, stalled_since, stalled_reason,
    created_at, updated_at
  FROM generated.sync_run;
INSERT INTO sync_table
  SELECT id, sync_run_id, table_name, position, CASE status WHEN 'IN_PROGRESS' THEN 'PARTIAL' WHEN 'QUEUED' THEN 'FAILED' ELSE status END,
    approximate_row_count, group_id, rows_ingested, CASE WHEN status <> 'QUEUED' THEN started_at END, coalesce(finished_at, updated_at),
    CASE WHEN status = 'QUEUED' THEN 'cancelled' END, created_at, updated_at
  FROM generated.sync_table;
SELECT count(*) AS ends FROM (
  SELECT pumphouse.end_sync_run(id, CASE status WHEN 'DONE' THEN 'FINISHED' ELSE 'CANCELLED' END, NULL, triggered_by_email) FROM sync_run OFFSET 0) e;

-- Raw rows lie in the partition of their day; the sums of all closed days are there.
SELECT pumphouse.ensure_metric_partitions(31, 7) AS partitions;
INSERT INTO production_metric SELECT * FROM generated.production_metric;
INSERT INTO consumption_metric SELECT * FROM generated.consumption_metric;
INSERT INTO production_metric_daily SELECT * FROM generated.production_metric_daily;
INSERT INTO consumption_metric_daily SELECT * FROM generated.consumption_metric_daily;
INSERT INTO pumphouse.job_watermark (job, day, at) VALUES ('rollup', current_date - 1, now())
  ON CONFLICT (job) DO UPDATE SET day = excluded.day;

-- The trail, each entry with what it was about, so that a change finds indexes as long as they become.
INSERT INTO user_log
  SELECT id, "timestamp", 'real_user', replace(action, 'pause', 'stop'), user_id, user_email, target_user_id, created_at, updated_at
  FROM generated.user_log;
INSERT INTO pumphouse.audit_detail (user_log_id, entity_type, entity_id, entity_name, env_id, team_id, changed_fields, "timestamp", user_type,
    action, user_id, user_email, target_user_id)
  SELECT l.id, 'Pipeline', p.id, p.name, p.env_id, p.team_id, '{name}', l."timestamp", l.user_type, l.action, l.user_id, l.user_email,
    l.target_user_id
  FROM (SELECT *, 1 + row_number() OVER (ORDER BY id) % 2000 AS place FROM user_log) l
  JOIN (SELECT *, row_number() OVER (ORDER BY id) AS place FROM pipeline) p USING (place);
INSERT INTO license_state SELECT * FROM generated.license_state;
INSERT INTO idempotency_record SELECT * FROM generated.idempotency_record;

DROP SCHEMA generated CASCADE;
VACUUM (FREEZE, ANALYZE);
