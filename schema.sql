-- Generated from `migrations/` by `UPDATE=1 cargo test --test main -- house::database`: every table with its constraints, indexes and
-- triggers, and every function, as they are after the last migration. Nothing reads this file but people.

create table public.connector (
  id uuid not null,
  name character varying(100),
  connector_type character varying(50) not null,
  json_configuration json not null,
  way character varying(6) not null,
  team_id uuid,
  env_id uuid,
  created_at timestamp with time zone default now(),
  updated_at timestamp with time zone default now(),
  constraint connector_env_id_fkey FOREIGN KEY (env_id) REFERENCES env(id),
  constraint connector_env_id_name_key UNIQUE (env_id, name),
  constraint connector_pkey PRIMARY KEY (id),
  constraint connector_team_id_env_id_fkey FOREIGN KEY (team_id, env_id) REFERENCES team(id, env_id) ON UPDATE CASCADE,
  constraint connector_team_id_fkey FOREIGN KEY (team_id) REFERENCES team(id),
  constraint connector_way_check CHECK (((way)::text = ANY ((ARRAY['SOURCE'::character varying, 'TARGET'::character varying])::text[]))),
  constraint times_in_range CHECK (((LEAST(created_at, updated_at) >= '0001-01-01 00:00:00+00 BC'::timestamp with time zone) AND (GREATEST(created_at, updated_at) < '10000-01-01 00:00:00+00'::timestamp with time zone)))
);
CREATE INDEX connector_env_id_idx ON public.connector USING btree (env_id, created_at, id);
CREATE INDEX connector_lower_name_idx ON public.connector USING btree (lower((name)::text));
CREATE INDEX connector_name_search_idx ON public.connector USING gin (env_id, lower((name)::text) gin_trgm_ops);
CREATE INDEX connector_team_id_idx ON public.connector USING btree (team_id, created_at, id);
CREATE INDEX connector_team_id_name_idx ON public.connector USING btree (team_id, name, id);
CREATE TRIGGER begin_revision AFTER INSERT ON public.connector FOR EACH ROW EXECUTE FUNCTION begin_revision();
CREATE TRIGGER end_syncs BEFORE DELETE ON public.connector FOR EACH ROW EXECUTE FUNCTION end_syncs_of_connector();
CREATE TRIGGER leave_owners BEFORE DELETE ON public.connector FOR EACH ROW EXECUTE FUNCTION leave_owners();
CREATE TRIGGER lock_pipelines BEFORE DELETE ON public.connector FOR EACH ROW EXECUTE FUNCTION lock_pipelines();
CREATE TRIGGER mirror_env BEFORE INSERT OR UPDATE OF team_id, env_id ON public.connector FOR EACH ROW EXECUTE FUNCTION mirror_env();
CREATE TRIGGER move_sync_ends AFTER UPDATE ON public.connector FOR EACH ROW WHEN (((old.team_id IS DISTINCT FROM new.team_id) OR (old.env_id IS DISTINCT FROM new.env_id))) EXECUTE FUNCTION move_sync_ends();
CREATE TRIGGER notify_delete AFTER DELETE ON public.connector REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION notify_of_connector();
CREATE TRIGGER notify_insert AFTER INSERT ON public.connector REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION notify_of_connector();
CREATE TRIGGER notify_truncate AFTER TRUNCATE ON public.connector FOR EACH STATEMENT EXECUTE FUNCTION notify_truncated();
CREATE TRIGGER notify_update AFTER UPDATE ON public.connector REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION notify_of_connector();
CREATE TRIGGER raise_revision AFTER UPDATE OF json_configuration ON public.connector FOR EACH ROW WHEN (((old.json_configuration)::text IS DISTINCT FROM (new.json_configuration)::text)) EXECUTE FUNCTION raise_revision();
CREATE TRIGGER touch BEFORE UPDATE ON public.connector FOR EACH ROW EXECUTE FUNCTION touch();

create table public.consumption_metric (
  id uuid not null,
  subscription_id uuid not null,
  topic character varying not null,
  from_ts bigint not null,
  to_ts bigint not null,
  consumed_count bigint not null,
  delivered_count bigint not null,
  error_count bigint not null,
  consumer_lag bigint,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone default now(),
  constraint consumption_metric_pkey PRIMARY KEY (id, created_at),
  constraint times_in_range CHECK (((LEAST(created_at, updated_at) >= '0001-01-01 00:00:00+00 BC'::timestamp with time zone) AND (GREATEST(created_at, updated_at) < '10000-01-01 00:00:00+00'::timestamp with time zone)))
);
CREATE INDEX consumption_metric_created_at_idx ON ONLY public.consumption_metric USING btree (created_at);
CREATE INDEX consumption_metric_subscription_id_created_at_idx ON ONLY public.consumption_metric USING btree (subscription_id, created_at);
CREATE TRIGGER touch BEFORE UPDATE ON public.consumption_metric FOR EACH ROW EXECUTE FUNCTION touch();

create table public.consumption_metric_daily (
  id uuid not null,
  subscription_id uuid not null,
  topic character varying not null,
  day date not null,
  consumed_count bigint not null,
  delivered_count bigint not null,
  error_count bigint not null,
  span_ms bigint not null,
  min_from bigint not null,
  max_to bigint not null,
  row_count bigint not null,
  created_at timestamp with time zone default now(),
  updated_at timestamp with time zone default now(),
  constraint consumption_metric_daily_pkey PRIMARY KEY (id),
  constraint times_in_range CHECK (((LEAST(day) >= '0001-01-01 BC'::date) AND (GREATEST(day) < '10000-01-01'::date) AND (LEAST(created_at, updated_at) >= '0001-01-01 00:00:00+00 BC'::timestamp with time zone) AND (GREATEST(created_at, updated_at) < '10000-01-01 00:00:00+00'::timestamp with time zone)))
);
CREATE INDEX consumption_metric_daily_day_idx ON public.consumption_metric_daily USING btree (day);
CREATE UNIQUE INDEX consumption_metric_daily_subscription_id_day_key ON public.consumption_metric_daily USING btree (subscription_id, day);
CREATE TRIGGER touch BEFORE UPDATE ON public.consumption_metric_daily FOR EACH ROW EXECUTE FUNCTION touch();

create table public.datamodel (
  id uuid not null,
  name character varying(100) not null,
  config json not null,
  source_connector_id uuid,
  source_topic character varying(255),
  target_topic character varying(255),
  consumer_id character varying(255),
  error_table_enabled boolean,
  error_table_name character varying(255),
  error_table_target_id uuid,
  enabled boolean,
  created_at timestamp with time zone default now(),
  updated_at timestamp with time zone default now(),
  constraint datamodel_pkey PRIMARY KEY (id),
  constraint datamodel_source_connector_id_fkey FOREIGN KEY (source_connector_id) REFERENCES connector(id) ON DELETE SET NULL,
  constraint times_in_range CHECK (((LEAST(created_at, updated_at) >= '0001-01-01 00:00:00+00 BC'::timestamp with time zone) AND (GREATEST(created_at, updated_at) < '10000-01-01 00:00:00+00'::timestamp with time zone)))
);
CREATE INDEX datamodel_error_table_target_id_idx ON public.datamodel USING btree (error_table_target_id);
CREATE INDEX datamodel_lower_name_idx ON public.datamodel USING btree (lower((name)::text));
CREATE INDEX datamodel_name_search_idx ON public.datamodel USING gin (lower((name)::text) gin_trgm_ops);
CREATE INDEX datamodel_source_connector_id_idx ON public.datamodel USING btree (source_connector_id, created_at, id);
CREATE INDEX datamodel_source_topic_idx ON public.datamodel USING btree (source_topic);
CREATE TRIGGER leave_owners BEFORE DELETE ON public.datamodel FOR EACH ROW EXECUTE FUNCTION leave_owners();
CREATE TRIGGER lock_pipelines BEFORE DELETE ON public.datamodel FOR EACH ROW EXECUTE FUNCTION lock_pipelines();
CREATE TRIGGER notify_delete AFTER DELETE ON public.datamodel REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION notify_of_datamodel();
CREATE TRIGGER notify_insert AFTER INSERT ON public.datamodel REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION notify_of_datamodel();
CREATE TRIGGER notify_truncate AFTER TRUNCATE ON public.datamodel FOR EACH STATEMENT EXECUTE FUNCTION notify_truncated();
CREATE TRIGGER notify_update AFTER UPDATE ON public.datamodel REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION notify_of_datamodel();
CREATE TRIGGER renew_backfills AFTER UPDATE ON public.datamodel FOR EACH ROW WHEN (((old.source_topic)::text IS DISTINCT FROM (new.source_topic)::text)) EXECUTE FUNCTION renew_backfills();
CREATE TRIGGER tell_delivered AFTER UPDATE ON public.datamodel FOR EACH ROW WHEN ((old.source_connector_id IS DISTINCT FROM new.source_connector_id)) EXECUTE FUNCTION tell_delivered();
CREATE TRIGGER tell_deliveries AFTER UPDATE ON public.datamodel FOR EACH ROW WHEN ((old.updated_at IS DISTINCT FROM new.updated_at)) EXECUTE FUNCTION tell_deliveries_of_datamodel();
CREATE TRIGGER touch BEFORE UPDATE ON public.datamodel FOR EACH ROW EXECUTE FUNCTION touch();

create table public.env (
  id uuid not null,
  name character varying(100),
  retention_configuration json not null,
  config_hash character varying(64),
  created_at timestamp with time zone default now(),
  updated_at timestamp with time zone default now(),
  constraint env_pkey PRIMARY KEY (id),
  constraint times_in_range CHECK (((LEAST(created_at, updated_at) >= '0001-01-01 00:00:00+00 BC'::timestamp with time zone) AND (GREATEST(created_at, updated_at) < '10000-01-01 00:00:00+00'::timestamp with time zone)))
);
CREATE INDEX env_name_search_idx ON public.env USING gin (lower((name)::text) gin_trgm_ops);
CREATE TRIGGER notify_delete AFTER DELETE ON public.env REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION notify_of_env();
CREATE TRIGGER notify_insert AFTER INSERT ON public.env REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION notify_of_env();
CREATE TRIGGER notify_truncate AFTER TRUNCATE ON public.env FOR EACH STATEMENT EXECUTE FUNCTION notify_truncated();
CREATE TRIGGER notify_update AFTER UPDATE ON public.env REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION notify_of_env();
CREATE TRIGGER touch BEFORE UPDATE ON public.env FOR EACH ROW EXECUTE FUNCTION touch();

create table public.env_member (
  id uuid not null,
  timestamp timestamp with time zone not null,
  role character varying(16) not null,
  user_id uuid not null,
  env_id uuid not null,
  created_at timestamp with time zone default now(),
  updated_at timestamp with time zone default now(),
  constraint env_member_env_id_fkey FOREIGN KEY (env_id) REFERENCES env(id) ON DELETE CASCADE,
  constraint env_member_pkey PRIMARY KEY (id),
  constraint env_member_role_check CHECK (((role)::text = ANY ((ARRAY['admin'::character varying, 'member'::character varying, 'reader'::character varying])::text[]))),
  constraint env_member_user_id_env_id_key UNIQUE (user_id, env_id),
  constraint env_member_user_id_fkey FOREIGN KEY (user_id) REFERENCES "user"(id) ON DELETE CASCADE,
  constraint times_in_range CHECK (((LEAST("timestamp", created_at, updated_at) >= '0001-01-01 00:00:00+00 BC'::timestamp with time zone) AND (GREATEST("timestamp", created_at, updated_at) < '10000-01-01 00:00:00+00'::timestamp with time zone)))
);
CREATE INDEX env_member_env_id_idx ON public.env_member USING btree (env_id, created_at, id);
CREATE TRIGGER follow_grants AFTER INSERT OR DELETE OR UPDATE ON public.env_member FOR EACH ROW EXECUTE FUNCTION follow_grants();
CREATE TRIGGER notify_delete AFTER DELETE ON public.env_member REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION notify_of_env_member();
CREATE TRIGGER notify_insert AFTER INSERT ON public.env_member REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION notify_of_env_member();
CREATE TRIGGER notify_truncate AFTER TRUNCATE ON public.env_member FOR EACH STATEMENT EXECUTE FUNCTION notify_truncated();
CREATE TRIGGER notify_update AFTER UPDATE ON public.env_member REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION notify_of_env_member();
CREATE TRIGGER touch BEFORE UPDATE ON public.env_member FOR EACH ROW EXECUTE FUNCTION touch();

create table public.env_request (
  id uuid not null,
  role character varying(16) not null,
  env_id uuid not null,
  from_user_id uuid not null,
  to_user_id uuid not null,
  status character varying(32) not null,
  created_at timestamp with time zone default now(),
  updated_at timestamp with time zone default now(),
  constraint env_request_env_id_fkey FOREIGN KEY (env_id) REFERENCES env(id) ON DELETE CASCADE,
  constraint env_request_from_user_id_fkey FOREIGN KEY (from_user_id) REFERENCES "user"(id),
  constraint env_request_pkey PRIMARY KEY (id),
  constraint env_request_role_check CHECK (((role)::text = ANY ((ARRAY['admin'::character varying, 'member'::character varying, 'reader'::character varying])::text[]))),
  constraint env_request_status_check CHECK (((status)::text = ANY ((ARRAY['PENDING'::character varying, 'ACCEPTED'::character varying, 'DECLINED'::character varying, 'CANCELLED'::character varying])::text[]))),
  constraint env_request_to_user_id_fkey FOREIGN KEY (to_user_id) REFERENCES "user"(id),
  constraint times_in_range CHECK (((LEAST(created_at, updated_at) >= '0001-01-01 00:00:00+00 BC'::timestamp with time zone) AND (GREATEST(created_at, updated_at) < '10000-01-01 00:00:00+00'::timestamp with time zone)))
);
CREATE INDEX env_request_env_id_idx ON public.env_request USING btree (env_id);
CREATE INDEX env_request_from_user_id_idx ON public.env_request USING btree (from_user_id);
CREATE UNIQUE INDEX env_request_pending_key ON public.env_request USING btree (env_id, to_user_id) WHERE ((status)::text = 'PENDING'::text);
CREATE INDEX env_request_to_user_id_idx ON public.env_request USING btree (to_user_id);
CREATE TRIGGER notify_delete AFTER DELETE ON public.env_request REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION notify_of_env_request();
CREATE TRIGGER notify_insert AFTER INSERT ON public.env_request REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION notify_of_env_request();
CREATE TRIGGER notify_truncate AFTER TRUNCATE ON public.env_request FOR EACH STATEMENT EXECUTE FUNCTION notify_truncated();
CREATE TRIGGER notify_update AFTER UPDATE ON public.env_request REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION notify_of_env_request();
CREATE TRIGGER touch BEFORE UPDATE ON public.env_request FOR EACH ROW EXECUTE FUNCTION touch();

create table public.idempotency_record (
  id uuid not null,
  endpoint character varying(200) not null,
  key character varying(200) not null,
  request_hash character varying(64) not null,
  response_status integer not null,
  response_body json not null,
  expires_at timestamp with time zone not null,
  created_at timestamp with time zone default now(),
  updated_at timestamp with time zone default now(),
  constraint idempotency_record_endpoint_key_key UNIQUE (endpoint, key),
  constraint idempotency_record_pkey PRIMARY KEY (id),
  constraint times_in_range CHECK (((LEAST(expires_at, created_at, updated_at) >= '0001-01-01 00:00:00+00 BC'::timestamp with time zone) AND (GREATEST(expires_at, created_at, updated_at) < '10000-01-01 00:00:00+00'::timestamp with time zone)))
);
CREATE INDEX idempotency_record_expires_at_idx ON public.idempotency_record USING btree (expires_at);
CREATE TRIGGER touch BEFORE UPDATE ON public.idempotency_record FOR EACH ROW EXECUTE FUNCTION touch();

create table public.license_state (
  id uuid not null,
  license_active boolean not null,
  license_expires_at timestamp with time zone,
  last_seen_at timestamp with time zone not null,
  created_at timestamp with time zone default now(),
  updated_at timestamp with time zone default now(),
  constraint license_state_pkey PRIMARY KEY (id),
  constraint times_in_range CHECK (((LEAST(license_expires_at, last_seen_at, created_at, updated_at) >= '0001-01-01 00:00:00+00 BC'::timestamp with time zone) AND (GREATEST(license_expires_at, last_seen_at, created_at, updated_at) < '10000-01-01 00:00:00+00'::timestamp with time zone)))
);
CREATE UNIQUE INDEX license_state_only_row ON public.license_state USING btree ((true));
CREATE TRIGGER notify_delete AFTER DELETE ON public.license_state REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION notify_of_license_state();
CREATE TRIGGER notify_insert AFTER INSERT ON public.license_state REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION notify_of_license_state();
CREATE TRIGGER notify_truncate AFTER TRUNCATE ON public.license_state FOR EACH STATEMENT EXECUTE FUNCTION notify_truncated();
CREATE TRIGGER notify_update AFTER UPDATE ON public.license_state REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION notify_of_license_state();
CREATE TRIGGER touch BEFORE UPDATE ON public.license_state FOR EACH ROW EXECUTE FUNCTION touch();

create table public.pipeline (
  id uuid not null,
  name character varying(100),
  json_configuration json not null,
  version integer not null,
  is_completed boolean,
  error_table_config json,
  team_id uuid not null,
  env_id uuid,
  source_connector_id uuid,
  target_connector_id uuid,
  datamodel_id uuid,
  created_at timestamp with time zone default now(),
  updated_at timestamp with time zone default now(),
  constraint pipeline_datamodel_id_fkey FOREIGN KEY (datamodel_id) REFERENCES datamodel(id),
  constraint pipeline_env_id_fkey FOREIGN KEY (env_id) REFERENCES env(id),
  constraint pipeline_env_id_name_key UNIQUE (env_id, name),
  constraint pipeline_pkey PRIMARY KEY (id),
  constraint pipeline_source_connector_id_fkey FOREIGN KEY (source_connector_id) REFERENCES connector(id),
  constraint pipeline_target_connector_id_fkey FOREIGN KEY (target_connector_id) REFERENCES connector(id),
  constraint pipeline_team_id_env_id_fkey FOREIGN KEY (team_id, env_id) REFERENCES team(id, env_id) ON UPDATE CASCADE,
  constraint pipeline_team_id_fkey FOREIGN KEY (team_id) REFERENCES team(id),
  constraint times_in_range CHECK (((LEAST(created_at, updated_at) >= '0001-01-01 00:00:00+00 BC'::timestamp with time zone) AND (GREATEST(created_at, updated_at) < '10000-01-01 00:00:00+00'::timestamp with time zone)))
);
CREATE INDEX pipeline_datamodel_id_idx ON public.pipeline USING btree (datamodel_id, created_at, id);
CREATE INDEX pipeline_env_id_idx ON public.pipeline USING btree (env_id, created_at, id);
CREATE INDEX pipeline_error_table_ids_idx ON public.pipeline USING gin (ids_in(error_table_config)) WHERE (error_table_config IS NOT NULL);
CREATE INDEX pipeline_lower_name_idx ON public.pipeline USING btree (lower((name)::text));
CREATE INDEX pipeline_name_search_idx ON public.pipeline USING gin (env_id, lower((name)::text) gin_trgm_ops);
CREATE INDEX pipeline_source_connector_id_idx ON public.pipeline USING btree (source_connector_id, created_at, id);
CREATE INDEX pipeline_target_connector_id_idx ON public.pipeline USING btree (target_connector_id, created_at, id);
CREATE INDEX pipeline_team_id_idx ON public.pipeline USING btree (team_id, created_at, id);
CREATE INDEX pipeline_team_id_name_idx ON public.pipeline USING btree (team_id, name, id);
CREATE TRIGGER keep_completed BEFORE INSERT OR UPDATE ON public.pipeline FOR EACH ROW EXECUTE FUNCTION keep_completed();
CREATE TRIGGER leave_owners BEFORE DELETE ON public.pipeline FOR EACH ROW EXECUTE FUNCTION leave_owners();
CREATE TRIGGER mirror_env BEFORE INSERT OR UPDATE OF team_id, env_id ON public.pipeline FOR EACH ROW EXECUTE FUNCTION mirror_env();
CREATE TRIGGER notify_delete AFTER DELETE ON public.pipeline REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION notify_of_pipeline();
CREATE TRIGGER notify_insert AFTER INSERT ON public.pipeline REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION notify_of_pipeline();
CREATE TRIGGER notify_truncate AFTER TRUNCATE ON public.pipeline FOR EACH STATEMENT EXECUTE FUNCTION notify_truncated();
CREATE TRIGGER notify_update AFTER UPDATE ON public.pipeline REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION notify_of_pipeline();
CREATE TRIGGER tell_carried_delete AFTER DELETE ON public.pipeline FOR EACH ROW WHEN ((old.datamodel_id IS NOT NULL)) EXECUTE FUNCTION tell_carried();
CREATE TRIGGER tell_carried_insert AFTER INSERT ON public.pipeline FOR EACH ROW WHEN ((new.datamodel_id IS NOT NULL)) EXECUTE FUNCTION tell_carried();
CREATE TRIGGER tell_carried_update AFTER UPDATE ON public.pipeline FOR EACH ROW WHEN ((((old.datamodel_id IS DISTINCT FROM new.datamodel_id) OR (old.team_id IS DISTINCT FROM new.team_id)) OR (old.env_id IS DISTINCT FROM new.env_id))) EXECUTE FUNCTION tell_carried();
CREATE TRIGGER touch BEFORE UPDATE ON public.pipeline FOR EACH ROW EXECUTE FUNCTION touch();

create table public.production_metric (
  id uuid not null,
  from_ts bigint not null,
  to_ts bigint not null,
  topic character varying not null,
  events json not null,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone default now(),
  constraint production_metric_events_check CHECK (((json_typeof(events) = 'object'::text) AND is_count((events ->> 'r'::text)) AND is_count((events ->> 'c'::text)) AND is_count((events ->> 'u'::text)) AND is_count((events ->> 'd'::text)) AND is_count((events ->> 'total'::text)))) NOT VALID,
  constraint production_metric_pkey PRIMARY KEY (id, created_at),
  constraint times_in_range CHECK (((LEAST(created_at, updated_at) >= '0001-01-01 00:00:00+00 BC'::timestamp with time zone) AND (GREATEST(created_at, updated_at) < '10000-01-01 00:00:00+00'::timestamp with time zone)))
);
CREATE INDEX production_metric_created_at_idx ON ONLY public.production_metric USING btree (created_at);
CREATE INDEX production_metric_topic_created_at_idx ON ONLY public.production_metric USING btree (topic, created_at);
CREATE TRIGGER touch BEFORE UPDATE ON public.production_metric FOR EACH ROW EXECUTE FUNCTION touch();

create table public.production_metric_daily (
  id uuid not null,
  topic character varying not null,
  day date not null,
  creates bigint not null,
  updates bigint not null,
  deletes bigint not null,
  reads bigint not null,
  total_events bigint not null,
  bytes bigint not null,
  span_ms bigint not null,
  min_from bigint not null,
  max_to bigint not null,
  row_count bigint not null,
  created_at timestamp with time zone default now(),
  updated_at timestamp with time zone default now(),
  constraint production_metric_daily_pkey PRIMARY KEY (id),
  constraint times_in_range CHECK (((LEAST(day) >= '0001-01-01 BC'::date) AND (GREATEST(day) < '10000-01-01'::date) AND (LEAST(created_at, updated_at) >= '0001-01-01 00:00:00+00 BC'::timestamp with time zone) AND (GREATEST(created_at, updated_at) < '10000-01-01 00:00:00+00'::timestamp with time zone)))
);
CREATE INDEX production_metric_daily_day_idx ON public.production_metric_daily USING btree (day);
CREATE UNIQUE INDEX production_metric_daily_topic_day_key ON public.production_metric_daily USING btree (topic, day);
CREATE TRIGGER touch BEFORE UPDATE ON public.production_metric_daily FOR EACH ROW EXECUTE FUNCTION touch();

create table public.schema (
  id uuid not null,
  type character varying(4) not null,
  hash character varying not null,
  schema text not null,
  created_at timestamp with time zone default now(),
  updated_at timestamp with time zone default now(),
  constraint schema_hash_key UNIQUE (hash),
  constraint schema_pkey PRIMARY KEY (id),
  constraint schema_type_check CHECK (((type)::text = ANY ((ARRAY['json'::character varying, 'avro'::character varying])::text[]))),
  constraint times_in_range CHECK (((LEAST(created_at, updated_at) >= '0001-01-01 00:00:00+00 BC'::timestamp with time zone) AND (GREATEST(created_at, updated_at) < '10000-01-01 00:00:00+00'::timestamp with time zone)))
);
CREATE TRIGGER notify_delete AFTER DELETE ON public.schema REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION notify_of_schema();
CREATE TRIGGER notify_insert AFTER INSERT ON public.schema REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION notify_of_schema();
CREATE TRIGGER notify_truncate AFTER TRUNCATE ON public.schema FOR EACH STATEMENT EXECUTE FUNCTION notify_truncated();
CREATE TRIGGER notify_update AFTER UPDATE ON public.schema REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION notify_of_schema();
CREATE TRIGGER touch BEFORE UPDATE ON public.schema FOR EACH ROW EXECUTE FUNCTION touch();

create table public.schema_version (
  id uuid not null,
  timestamp timestamp with time zone not null,
  version integer not null,
  subject character varying not null,
  schema_id uuid not null,
  created_at timestamp with time zone default now(),
  updated_at timestamp with time zone default now(),
  constraint schema_version_pkey PRIMARY KEY (id),
  constraint schema_version_schema_id_fkey FOREIGN KEY (schema_id) REFERENCES schema(id),
  constraint schema_version_subject_version_key UNIQUE (subject, version),
  constraint times_in_range CHECK (((LEAST("timestamp", created_at, updated_at) >= '0001-01-01 00:00:00+00 BC'::timestamp with time zone) AND (GREATEST("timestamp", created_at, updated_at) < '10000-01-01 00:00:00+00'::timestamp with time zone)))
);
CREATE INDEX schema_version_schema_id_idx ON public.schema_version USING btree (schema_id, created_at, id);
CREATE INDEX schema_version_subject_search_idx ON public.schema_version USING gin (lower((subject)::text) gin_trgm_ops);
CREATE TRIGGER notify_delete AFTER DELETE ON public.schema_version REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION notify_of_schema_version();
CREATE TRIGGER notify_insert AFTER INSERT ON public.schema_version REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION notify_of_schema_version();
CREATE TRIGGER notify_truncate AFTER TRUNCATE ON public.schema_version FOR EACH STATEMENT EXECUTE FUNCTION notify_truncated();
CREATE TRIGGER notify_update AFTER UPDATE ON public.schema_version REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION notify_of_schema_version();
CREATE TRIGGER touch BEFORE UPDATE ON public.schema_version FOR EACH ROW EXECUTE FUNCTION touch();

create table public.service_account_user (
  id uuid not null,
  name character varying(300) not null,
  user_id uuid not null,
  created_at timestamp with time zone default now(),
  updated_at timestamp with time zone default now(),
  constraint service_account_user_pkey PRIMARY KEY (id),
  constraint service_account_user_user_id_fkey FOREIGN KEY (user_id) REFERENCES "user"(id) ON DELETE CASCADE,
  constraint service_account_user_user_id_key UNIQUE (user_id),
  constraint times_in_range CHECK (((LEAST(created_at, updated_at) >= '0001-01-01 00:00:00+00 BC'::timestamp with time zone) AND (GREATEST(created_at, updated_at) < '10000-01-01 00:00:00+00'::timestamp with time zone)))
);
CREATE TRIGGER leave_owners BEFORE DELETE ON public.service_account_user FOR EACH ROW EXECUTE FUNCTION leave_owners();
CREATE TRIGGER notify_delete AFTER DELETE ON public.service_account_user REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION notify_of_service_account_user();
CREATE TRIGGER notify_insert AFTER INSERT ON public.service_account_user REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION notify_of_service_account_user();
CREATE TRIGGER notify_truncate AFTER TRUNCATE ON public.service_account_user FOR EACH STATEMENT EXECUTE FUNCTION notify_truncated();
CREATE TRIGGER notify_update AFTER UPDATE ON public.service_account_user REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION notify_of_service_account_user();
CREATE TRIGGER touch BEFORE UPDATE ON public.service_account_user FOR EACH ROW EXECUTE FUNCTION touch();

create table public.subscription (
  id uuid not null,
  name character varying(255) not null,
  config json not null,
  transform_config json not null,
  pipeline_id uuid,
  datamodel_id uuid,
  target_connector_id uuid,
  error_table_enabled boolean not null,
  error_table_name character varying(255),
  error_table_target_id uuid,
  target_table_name character varying(255),
  consumer_id character varying(255),
  backfill boolean,
  enabled boolean,
  created_at timestamp with time zone default now(),
  updated_at timestamp with time zone default now(),
  constraint subscription_datamodel_id_fkey FOREIGN KEY (datamodel_id) REFERENCES datamodel(id) ON DELETE SET NULL,
  constraint subscription_datamodel_id_target_connector_id_target_table_key UNIQUE (datamodel_id, target_connector_id, target_table_name) DEFERRABLE,
  constraint subscription_pipeline_id_fkey FOREIGN KEY (pipeline_id) REFERENCES pipeline(id) ON DELETE SET NULL,
  constraint subscription_pkey PRIMARY KEY (id),
  constraint subscription_target_connector_id_fkey FOREIGN KEY (target_connector_id) REFERENCES connector(id) ON DELETE SET NULL,
  constraint times_in_range CHECK (((LEAST(created_at, updated_at) >= '0001-01-01 00:00:00+00 BC'::timestamp with time zone) AND (GREATEST(created_at, updated_at) < '10000-01-01 00:00:00+00'::timestamp with time zone)))
);
CREATE INDEX subscription_datamodel_id_idx ON public.subscription USING btree (datamodel_id, created_at, id);
CREATE INDEX subscription_error_table_target_id_idx ON public.subscription USING btree (error_table_target_id);
CREATE INDEX subscription_name_search_idx ON public.subscription USING gin (lower((name)::text) gin_trgm_ops);
CREATE INDEX subscription_pipeline_id_idx ON public.subscription USING btree (pipeline_id, created_at, id);
CREATE INDEX subscription_target_connector_id_idx ON public.subscription USING btree (target_connector_id, created_at, id);
CREATE TRIGGER keep_backfill_insert AFTER INSERT ON public.subscription FOR EACH ROW WHEN (new.backfill) EXECUTE FUNCTION keep_backfill();
CREATE TRIGGER keep_backfill_update AFTER UPDATE ON public.subscription FOR EACH ROW WHEN (((COALESCE(old.backfill, false) <> COALESCE(new.backfill, false)) OR (new.backfill AND (((old.target_table_name)::text IS DISTINCT FROM (new.target_table_name)::text) OR (old.datamodel_id IS DISTINCT FROM new.datamodel_id))))) EXECUTE FUNCTION keep_backfill();
CREATE TRIGGER keep_completed_delete AFTER DELETE ON public.subscription REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_completed_of();
CREATE TRIGGER keep_completed_insert AFTER INSERT ON public.subscription REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_completed_of();
CREATE TRIGGER keep_completed_update AFTER UPDATE ON public.subscription REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_completed_of();
CREATE TRIGGER notify_delete AFTER DELETE ON public.subscription REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION notify_of_subscription();
CREATE TRIGGER notify_insert AFTER INSERT ON public.subscription REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION notify_of_subscription();
CREATE TRIGGER notify_truncate AFTER TRUNCATE ON public.subscription FOR EACH STATEMENT EXECUTE FUNCTION notify_truncated();
CREATE TRIGGER notify_update AFTER UPDATE ON public.subscription REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION notify_of_subscription();
CREATE TRIGGER tell_deliveries_delete AFTER DELETE ON public.subscription FOR EACH ROW EXECUTE FUNCTION tell_deliveries();
CREATE TRIGGER tell_deliveries_insert AFTER INSERT ON public.subscription FOR EACH ROW EXECUTE FUNCTION tell_deliveries();
CREATE TRIGGER tell_deliveries_update AFTER UPDATE ON public.subscription FOR EACH ROW WHEN ((old.updated_at IS DISTINCT FROM new.updated_at)) EXECUTE FUNCTION tell_deliveries();
CREATE TRIGGER tell_former_pipeline AFTER UPDATE ON public.subscription FOR EACH ROW WHEN (((old.pipeline_id IS NOT NULL) AND (old.pipeline_id IS DISTINCT FROM new.pipeline_id))) EXECUTE FUNCTION tell_former_pipeline();
CREATE TRIGGER touch BEFORE UPDATE ON public.subscription FOR EACH ROW EXECUTE FUNCTION touch();

create table public.sync_run (
  id uuid not null,
  connector_id uuid not null,
  status character varying(9) not null,
  triggered_by_user_id uuid,
  triggered_by_email character varying(320),
  stalled_since timestamp with time zone,
  stalled_reason character varying(21),
  created_at timestamp with time zone default now(),
  updated_at timestamp with time zone default now(),
  constraint sync_run_connector_id_fkey FOREIGN KEY (connector_id) REFERENCES connector(id) ON DELETE CASCADE,
  constraint sync_run_pkey PRIMARY KEY (id),
  constraint sync_run_stalled_reason_check CHECK (((stalled_reason)::text = ANY ((ARRAY['WORKER_NOT_LIVE'::character varying, 'WORKER_UNRESPONSIVE'::character varying, 'NO_PROGRESS'::character varying])::text[]))),
  constraint sync_run_status_check CHECK (((status)::text = ANY ((ARRAY['SYNCING'::character varying, 'DONE'::character varying, 'CANCELLED'::character varying])::text[]))),
  constraint sync_run_triggered_by_user_id_fkey FOREIGN KEY (triggered_by_user_id) REFERENCES "user"(id) ON DELETE SET NULL,
  constraint times_in_range CHECK (((LEAST(stalled_since, created_at, updated_at) >= '0001-01-01 00:00:00+00 BC'::timestamp with time zone) AND (GREATEST(stalled_since, created_at, updated_at) < '10000-01-01 00:00:00+00'::timestamp with time zone)))
);
CREATE INDEX sync_run_connector_id_created_at_idx ON public.sync_run USING btree (connector_id, created_at, id);
CREATE INDEX sync_run_connector_id_idx ON public.sync_run USING btree (connector_id);
CREATE INDEX sync_run_created_at_idx ON public.sync_run USING btree (created_at, id);
CREATE UNIQUE INDEX sync_run_syncing_key ON public.sync_run USING btree ((
CASE
    WHEN ((status)::text = 'SYNCING'::text) THEN connector_id
    ELSE NULL::uuid
END));
CREATE INDEX sync_run_triggered_by_user_id_idx ON public.sync_run USING btree (triggered_by_user_id, created_at, id);
CREATE TRIGGER begin_tally AFTER INSERT ON public.sync_run REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION begin_tally();
CREATE TRIGGER leave_owners BEFORE DELETE ON public.sync_run FOR EACH ROW EXECUTE FUNCTION leave_owners();
CREATE TRIGGER notify_delete AFTER DELETE ON public.sync_run REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION notify_of_sync_run();
CREATE TRIGGER notify_insert AFTER INSERT ON public.sync_run REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION notify_of_sync_run();
CREATE TRIGGER notify_truncate AFTER TRUNCATE ON public.sync_run FOR EACH STATEMENT EXECUTE FUNCTION notify_truncated();
CREATE TRIGGER notify_update AFTER UPDATE ON public.sync_run REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION notify_of_sync_run();
CREATE TRIGGER touch BEFORE UPDATE ON public.sync_run FOR EACH ROW EXECUTE FUNCTION touch();

create table public.sync_table (
  id uuid not null,
  sync_run_id uuid not null,
  table_name character varying not null,
  position integer not null,
  status character varying(11) not null,
  approximate_row_count bigint,
  group_id uuid,
  rows_ingested bigint not null,
  started_at timestamp with time zone,
  finished_at timestamp with time zone,
  error_reason character varying,
  created_at timestamp with time zone default now(),
  updated_at timestamp with time zone default now(),
  constraint sync_table_pkey PRIMARY KEY (id),
  constraint sync_table_status_check CHECK (((status)::text = ANY ((ARRAY['QUEUED'::character varying, 'IN_PROGRESS'::character varying, 'COMPLETED'::character varying, 'PARTIAL'::character varying, 'FAILED'::character varying])::text[]))),
  constraint sync_table_sync_run_id_fkey FOREIGN KEY (sync_run_id) REFERENCES sync_run(id) ON DELETE CASCADE,
  constraint sync_table_sync_run_id_table_name_key UNIQUE (sync_run_id, table_name),
  constraint times_in_range CHECK (((LEAST(started_at, finished_at, created_at, updated_at) >= '0001-01-01 00:00:00+00 BC'::timestamp with time zone) AND (GREATEST(started_at, finished_at, created_at, updated_at) < '10000-01-01 00:00:00+00'::timestamp with time zone)))
);
CREATE INDEX sync_table_sync_run_id_group_id_idx ON public.sync_table USING btree (sync_run_id, group_id);
CREATE INDEX sync_table_sync_run_id_position_idx ON public.sync_table USING btree (sync_run_id, "position");
CREATE INDEX sync_table_unfinished_idx ON public.sync_table USING btree (sync_run_id, "position") WHERE ((status)::text = ANY ((ARRAY['QUEUED'::character varying, 'IN_PROGRESS'::character varying])::text[]));
CREATE TRIGGER begin_progress AFTER INSERT ON public.sync_table REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION begin_progress();
CREATE TRIGGER notify_delete AFTER DELETE ON public.sync_table REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION notify_of_sync_table();
CREATE TRIGGER notify_insert AFTER INSERT ON public.sync_table REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION notify_of_sync_table();
CREATE TRIGGER notify_truncate AFTER TRUNCATE ON public.sync_table FOR EACH STATEMENT EXECUTE FUNCTION notify_truncated();
CREATE TRIGGER notify_update AFTER UPDATE ON public.sync_table REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION notify_of_sync_table();
CREATE TRIGGER tally_delete AFTER DELETE ON public.sync_table REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION tally_sync_tables();
CREATE TRIGGER tally_insert AFTER INSERT ON public.sync_table REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION tally_sync_tables();
CREATE TRIGGER tally_update AFTER UPDATE ON public.sync_table REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION tally_sync_tables();
CREATE TRIGGER touch BEFORE UPDATE ON public.sync_table FOR EACH ROW EXECUTE FUNCTION touch();

create table public.team (
  id uuid not null,
  name character varying(100),
  description text,
  env_id uuid,
  created_at timestamp with time zone default now(),
  updated_at timestamp with time zone default now(),
  constraint team_env_id_fkey FOREIGN KEY (env_id) REFERENCES env(id) ON DELETE SET NULL,
  constraint team_env_id_name_key UNIQUE (env_id, name),
  constraint team_id_env_id_key UNIQUE (id, env_id),
  constraint team_pkey PRIMARY KEY (id),
  constraint times_in_range CHECK (((LEAST(created_at, updated_at) >= '0001-01-01 00:00:00+00 BC'::timestamp with time zone) AND (GREATEST(created_at, updated_at) < '10000-01-01 00:00:00+00'::timestamp with time zone)))
);
CREATE INDEX team_env_id_idx ON public.team USING btree (env_id, created_at, id);
CREATE INDEX team_name_search_idx ON public.team USING gin (env_id, lower((name)::text) gin_trgm_ops);
CREATE TRIGGER carry_env AFTER UPDATE OF env_id ON public.team FOR EACH ROW WHEN ((old.env_id IS DISTINCT FROM new.env_id)) EXECUTE FUNCTION carry_env();
CREATE TRIGGER leave_owners BEFORE DELETE ON public.team FOR EACH ROW EXECUTE FUNCTION leave_owners();
CREATE TRIGGER move_sync_ends AFTER UPDATE ON public.team FOR EACH ROW WHEN ((old.env_id IS DISTINCT FROM new.env_id)) EXECUTE FUNCTION move_sync_ends();
CREATE TRIGGER notify_delete AFTER DELETE ON public.team REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION notify_of_team();
CREATE TRIGGER notify_insert AFTER INSERT ON public.team REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION notify_of_team();
CREATE TRIGGER notify_truncate AFTER TRUNCATE ON public.team FOR EACH STATEMENT EXECUTE FUNCTION notify_truncated();
CREATE TRIGGER notify_update AFTER UPDATE ON public.team REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION notify_of_team();
CREATE TRIGGER touch BEFORE UPDATE ON public.team FOR EACH ROW EXECUTE FUNCTION touch();

create table public.team_member (
  id uuid not null,
  timestamp timestamp with time zone not null,
  admin boolean,
  user_id uuid not null,
  team_id uuid not null,
  created_at timestamp with time zone default now(),
  updated_at timestamp with time zone default now(),
  constraint team_member_pkey PRIMARY KEY (id),
  constraint team_member_team_id_fkey FOREIGN KEY (team_id) REFERENCES team(id) ON DELETE CASCADE,
  constraint team_member_user_id_fkey FOREIGN KEY (user_id) REFERENCES "user"(id) ON DELETE CASCADE,
  constraint team_member_user_id_team_id_key UNIQUE (user_id, team_id),
  constraint times_in_range CHECK (((LEAST("timestamp", created_at, updated_at) >= '0001-01-01 00:00:00+00 BC'::timestamp with time zone) AND (GREATEST("timestamp", created_at, updated_at) < '10000-01-01 00:00:00+00'::timestamp with time zone)))
);
CREATE INDEX team_member_team_id_idx ON public.team_member USING btree (team_id, created_at, id);
CREATE TRIGGER follow_grants AFTER INSERT OR DELETE OR UPDATE ON public.team_member FOR EACH ROW EXECUTE FUNCTION follow_grants();
CREATE TRIGGER notify_delete AFTER DELETE ON public.team_member REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION notify_of_team_member();
CREATE TRIGGER notify_insert AFTER INSERT ON public.team_member REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION notify_of_team_member();
CREATE TRIGGER notify_truncate AFTER TRUNCATE ON public.team_member FOR EACH STATEMENT EXECUTE FUNCTION notify_truncated();
CREATE TRIGGER notify_update AFTER UPDATE ON public.team_member REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION notify_of_team_member();
CREATE TRIGGER touch BEFORE UPDATE ON public.team_member FOR EACH ROW EXECUTE FUNCTION touch();

create table public.team_request (
  id uuid not null,
  admin boolean not null,
  team_id uuid not null,
  from_user_id uuid not null,
  to_user_id uuid not null,
  status character varying(32) not null,
  created_at timestamp with time zone default now(),
  updated_at timestamp with time zone default now(),
  constraint team_request_from_user_id_fkey FOREIGN KEY (from_user_id) REFERENCES "user"(id),
  constraint team_request_pkey PRIMARY KEY (id),
  constraint team_request_status_check CHECK (((status)::text = ANY ((ARRAY['PENDING'::character varying, 'ACCEPTED'::character varying, 'DECLINED'::character varying, 'CANCELLED'::character varying])::text[]))),
  constraint team_request_team_id_fkey FOREIGN KEY (team_id) REFERENCES team(id),
  constraint team_request_to_user_id_fkey FOREIGN KEY (to_user_id) REFERENCES "user"(id),
  constraint times_in_range CHECK (((LEAST(created_at, updated_at) >= '0001-01-01 00:00:00+00 BC'::timestamp with time zone) AND (GREATEST(created_at, updated_at) < '10000-01-01 00:00:00+00'::timestamp with time zone)))
);
CREATE INDEX team_request_from_user_id_idx ON public.team_request USING btree (from_user_id);
CREATE UNIQUE INDEX team_request_pending_key ON public.team_request USING btree (team_id, to_user_id) WHERE ((status)::text = 'PENDING'::text);
CREATE INDEX team_request_team_id_idx ON public.team_request USING btree (team_id);
CREATE INDEX team_request_to_user_id_idx ON public.team_request USING btree (to_user_id);
CREATE TRIGGER notify_delete AFTER DELETE ON public.team_request REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION notify_of_team_request();
CREATE TRIGGER notify_insert AFTER INSERT ON public.team_request REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION notify_of_team_request();
CREATE TRIGGER notify_truncate AFTER TRUNCATE ON public.team_request FOR EACH STATEMENT EXECUTE FUNCTION notify_truncated();
CREATE TRIGGER notify_update AFTER UPDATE ON public.team_request REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION notify_of_team_request();
CREATE TRIGGER touch BEFORE UPDATE ON public.team_request FOR EACH ROW EXECUTE FUNCTION touch();

create table public.user (
  id uuid not null,
  email character varying(320) not null,
  hashed_password character varying(1024),
  is_active boolean not null,
  is_superuser boolean not null,
  is_verified boolean not null,
  version integer not null,
  active_env_id uuid,
  created_at timestamp with time zone default now(),
  updated_at timestamp with time zone not null default now(),
  constraint times_in_range CHECK (((LEAST(created_at, updated_at) >= '0001-01-01 00:00:00+00 BC'::timestamp with time zone) AND (GREATEST(created_at, updated_at) < '10000-01-01 00:00:00+00'::timestamp with time zone))),
  constraint user_active_env_id_fkey FOREIGN KEY (active_env_id) REFERENCES env(id) ON DELETE SET NULL,
  constraint user_email_check CHECK (((email)::text = lower(btrim((email)::text)))),
  constraint user_pkey PRIMARY KEY (id)
);
CREATE INDEX user_active_env_id_idx ON public."user" USING btree (active_env_id);
CREATE UNIQUE INDEX user_email_key ON public."user" USING btree (email);
CREATE INDEX user_email_search_idx ON public."user" USING gin (lower((email)::text) gin_trgm_ops);
CREATE INDEX user_updated_at_idx ON public."user" USING btree (updated_at);
CREATE INDEX user_version_idx ON public."user" USING btree (version);
CREATE TRIGGER begin_credential AFTER INSERT ON public."user" FOR EACH ROW EXECUTE FUNCTION begin_credential();
CREATE TRIGGER bump_version BEFORE UPDATE ON public."user" FOR EACH ROW EXECUTE FUNCTION bump_user_version();
CREATE TRIGGER bury_user AFTER DELETE ON public."user" FOR EACH ROW EXECUTE FUNCTION bury_user();
CREATE TRIGGER deliver_invitations AFTER INSERT OR UPDATE OF email ON public."user" FOR EACH ROW EXECUTE FUNCTION deliver_invitations();
CREATE TRIGGER notify_delete AFTER DELETE ON public."user" REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION notify_of_user();
CREATE TRIGGER notify_insert AFTER INSERT ON public."user" REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION notify_of_user();
CREATE TRIGGER notify_truncate AFTER TRUNCATE ON public."user" FOR EACH STATEMENT EXECUTE FUNCTION notify_truncated();
CREATE TRIGGER notify_update AFTER UPDATE ON public."user" REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION notify_of_user();
CREATE TRIGGER raise_epoch AFTER UPDATE OF hashed_password ON public."user" FOR EACH ROW WHEN (((old.hashed_password)::text IS DISTINCT FROM (new.hashed_password)::text)) EXECUTE FUNCTION raise_epoch();
CREATE TRIGGER touch BEFORE UPDATE ON public."user" FOR EACH ROW EXECUTE FUNCTION touch();

create table public.user_log (
  id uuid not null,
  timestamp timestamp with time zone not null,
  user_type character varying(9) not null,
  action character varying(20) not null,
  user_id uuid,
  user_email character varying(320),
  target_user_id uuid,
  created_at timestamp with time zone default now(),
  updated_at timestamp with time zone default now(),
  constraint times_in_range CHECK (((LEAST("timestamp", created_at, updated_at) >= '0001-01-01 00:00:00+00 BC'::timestamp with time zone) AND (GREATEST("timestamp", created_at, updated_at) < '10000-01-01 00:00:00+00'::timestamp with time zone))),
  constraint user_log_action_check CHECK (((action)::text = ANY ((ARRAY['login'::character varying, 'login_failed'::character varying, 'logout'::character varying, 'create'::character varying, 'update'::character varying, 'delete'::character varying, 'start'::character varying, 'stop'::character varying, 'restart'::character varying, 'move'::character varying, 'grant'::character varying, 'revoke'::character varying, 'invite'::character varying, 'request'::character varying, 'accept'::character varying, 'decline'::character varying, 'cancel'::character varying, 'sync'::character varying, 'skip'::character varying, 'retry'::character varying, 'export'::character varying, 'apply'::character varying, 'bootstrap'::character varying, 'register'::character varying, 'change_password'::character varying, 'issue'::character varying, 'confirm'::character varying, 'rotate'::character varying, 'report'::character varying, 'test'::character varying])::text[]))),
  constraint user_log_pkey PRIMARY KEY (id),
  constraint user_log_target_user_id_fkey FOREIGN KEY (target_user_id) REFERENCES "user"(id) ON DELETE SET NULL,
  constraint user_log_user_id_fkey FOREIGN KEY (user_id) REFERENCES "user"(id) ON DELETE SET NULL,
  constraint user_log_user_type_check CHECK (((user_type)::text = ANY ((ARRAY['real_user'::character varying, 'service'::character varying, 'system'::character varying])::text[])))
);
CREATE INDEX user_log_target_user_id_idx ON public.user_log USING btree (target_user_id) WHERE (target_user_id IS NOT NULL);
CREATE INDEX user_log_user_id_idx ON public.user_log USING btree (user_id) WHERE (user_id IS NOT NULL);
CREATE TRIGGER append_only BEFORE UPDATE ON public.user_log FOR EACH ROW EXECUTE FUNCTION append_only('user_id', 'target_user_id');
CREATE TRIGGER append_only_rows BEFORE DELETE OR TRUNCATE ON public.user_log FOR EACH STATEMENT EXECUTE FUNCTION append_only();
CREATE TRIGGER touch BEFORE UPDATE ON public.user_log FOR EACH ROW EXECUTE FUNCTION touch();

create table public.worker (
  id uuid not null,
  state character varying(8) not null,
  connector_id uuid not null,
  last_heartbeat_at timestamp with time zone,
  reason character varying,
  stop_requested_at timestamp with time zone,
  launch_generation uuid not null,
  created_at timestamp with time zone default now(),
  updated_at timestamp with time zone default now(),
  constraint times_in_range CHECK (((LEAST(last_heartbeat_at, stop_requested_at, created_at, updated_at) >= '0001-01-01 00:00:00+00 BC'::timestamp with time zone) AND (GREATEST(last_heartbeat_at, stop_requested_at, created_at, updated_at) < '10000-01-01 00:00:00+00'::timestamp with time zone))),
  constraint worker_connector_id_fkey FOREIGN KEY (connector_id) REFERENCES connector(id) ON DELETE CASCADE,
  constraint worker_connector_id_key UNIQUE (connector_id),
  constraint worker_pkey PRIMARY KEY (id),
  constraint worker_state_check CHECK (((state)::text = ANY ((ARRAY['BUILDING'::character varying, 'LIVE'::character varying, 'PAUSED'::character varying, 'ERROR'::character varying, 'STOPPING'::character varying])::text[]))),
  constraint worker_stop_requested_at_check CHECK ((((state)::text = 'STOPPING'::text) = (stop_requested_at IS NOT NULL)))
);
CREATE TRIGGER append_transition_insert AFTER INSERT ON public.worker REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION append_transition();
CREATE TRIGGER append_transition_update AFTER UPDATE OF state, reason, launch_generation ON public.worker FOR EACH ROW WHEN (((((new.state)::text IS DISTINCT FROM (old.state)::text) OR ((new.reason)::text IS DISTINCT FROM (old.reason)::text)) OR (new.launch_generation IS DISTINCT FROM old.launch_generation))) EXECUTE FUNCTION append_transition_of_row();
CREATE TRIGGER begin_launch AFTER INSERT ON public.worker FOR EACH ROW EXECUTE FUNCTION begin_launch();
CREATE TRIGGER notify_delete AFTER DELETE ON public.worker REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION notify_worker();
CREATE TRIGGER notify_insert AFTER INSERT ON public.worker REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION notify_worker();
CREATE TRIGGER notify_truncate AFTER TRUNCATE ON public.worker FOR EACH STATEMENT EXECUTE FUNCTION notify_truncated();
CREATE TRIGGER notify_update AFTER UPDATE OF state, reason, launch_generation, stop_requested_at, connector_id ON public.worker FOR EACH ROW WHEN (((((((new.state)::text IS DISTINCT FROM (old.state)::text) OR ((new.reason)::text IS DISTINCT FROM (old.reason)::text)) OR (new.launch_generation IS DISTINCT FROM old.launch_generation)) OR (new.stop_requested_at IS DISTINCT FROM old.stop_requested_at)) OR (new.connector_id IS DISTINCT FROM old.connector_id))) EXECUTE FUNCTION notify_worker_of_row();
CREATE TRIGGER touch BEFORE UPDATE ON public.worker FOR EACH ROW EXECUTE FUNCTION touch();

create table pumphouse.audit_detail (
  user_log_id uuid not null,
  entity_type text not null,
  entity_id uuid,
  entity_name text,
  env_id uuid,
  team_id uuid,
  changed_fields text[] not null default '{}'::text[],
  request_id text,
  timestamp timestamp with time zone not null,
  user_type character varying(9) not null,
  action character varying(20) not null,
  user_id uuid,
  user_email character varying(320),
  target_user_id uuid,
  actor_name text,
  created_at timestamp with time zone default now(),
  updated_at timestamp with time zone default now(),
  constraint audit_detail_pkey PRIMARY KEY (user_log_id),
  constraint audit_detail_target_user_id_fkey FOREIGN KEY (target_user_id) REFERENCES "user"(id) ON DELETE SET NULL,
  constraint audit_detail_user_id_fkey FOREIGN KEY (user_id) REFERENCES "user"(id) ON DELETE SET NULL,
  constraint audit_detail_user_log_id_fkey FOREIGN KEY (user_log_id) REFERENCES user_log(id),
  constraint times_in_range CHECK (((LEAST("timestamp", created_at, updated_at) >= '0001-01-01 00:00:00+00 BC'::timestamp with time zone) AND (GREATEST("timestamp", created_at, updated_at) < '10000-01-01 00:00:00+00'::timestamp with time zone)))
);
CREATE INDEX audit_detail_action_idx ON pumphouse.audit_detail USING btree (action, "timestamp", user_log_id);
CREATE INDEX audit_detail_entity_id_idx ON pumphouse.audit_detail USING btree (entity_id, "timestamp", user_log_id);
CREATE INDEX audit_detail_entity_type_idx ON pumphouse.audit_detail USING btree (entity_type, "timestamp", user_log_id);
CREATE INDEX audit_detail_env_id_action_idx ON pumphouse.audit_detail USING btree (env_id, action, "timestamp", user_log_id);
CREATE INDEX audit_detail_env_id_entity_type_idx ON pumphouse.audit_detail USING btree (env_id, entity_type, "timestamp", user_log_id);
CREATE INDEX audit_detail_env_id_idx ON pumphouse.audit_detail USING btree (env_id, "timestamp", user_log_id);
CREATE INDEX audit_detail_env_id_user_email_idx ON pumphouse.audit_detail USING btree (env_id, user_email, "timestamp", user_log_id);
CREATE INDEX audit_detail_target_user_id_idx ON pumphouse.audit_detail USING btree (target_user_id, "timestamp", user_log_id) WHERE (target_user_id IS NOT NULL);
CREATE INDEX audit_detail_team_id_idx ON pumphouse.audit_detail USING btree (team_id, "timestamp", user_log_id);
CREATE INDEX audit_detail_timestamp_idx ON pumphouse.audit_detail USING btree ("timestamp", user_log_id);
CREATE INDEX audit_detail_user_email_idx ON pumphouse.audit_detail USING btree (user_email, "timestamp", user_log_id);
CREATE INDEX audit_detail_user_id_idx ON pumphouse.audit_detail USING btree (user_id, "timestamp", user_log_id);
CREATE TRIGGER append_only BEFORE UPDATE ON pumphouse.audit_detail FOR EACH ROW EXECUTE FUNCTION append_only('user_id', 'target_user_id');
CREATE TRIGGER append_only_rows BEFORE DELETE OR TRUNCATE ON pumphouse.audit_detail FOR EACH STATEMENT EXECUTE FUNCTION append_only();
CREATE TRIGGER touch BEFORE UPDATE ON pumphouse.audit_detail FOR EACH ROW EXECUTE FUNCTION touch();

create table pumphouse.audit_entry (
  id uuid,
  timestamp timestamp with time zone,
  user_type character varying(9),
  action character varying(20),
  user_id uuid,
  user_email character varying(320),
  target_user_id uuid,
  actor_name text,
  entity_type text,
  entity_id uuid,
  entity_name text,
  env_id uuid,
  team_id uuid,
  changed_fields text[],
  request_id text,
  created_at timestamp with time zone,
  updated_at timestamp with time zone
);
view:  SELECT audit_detail.user_log_id AS id,
    audit_detail."timestamp",
    audit_detail.user_type,
    audit_detail.action,
    audit_detail.user_id,
    audit_detail.user_email,
    audit_detail.target_user_id,
    audit_detail.actor_name,
    audit_detail.entity_type,
    audit_detail.entity_id,
    audit_detail.entity_name,
    audit_detail.env_id,
    audit_detail.team_id,
    audit_detail.changed_fields,
    audit_detail.request_id,
    audit_detail.created_at,
    audit_detail.updated_at
   FROM audit_detail;

create table pumphouse.backfill_request (
  subscription_id uuid not null,
  id uuid not null,
  requested_at timestamp with time zone not null default clock_timestamp(),
  confirmed_at timestamp with time zone,
  confirmed_by uuid,
  constraint backfill_request_pkey PRIMARY KEY (subscription_id),
  constraint backfill_request_subscription_id_fkey FOREIGN KEY (subscription_id) REFERENCES subscription(id) ON DELETE CASCADE,
  constraint times_in_range CHECK (((LEAST(requested_at, confirmed_at) >= '0001-01-01 00:00:00+00 BC'::timestamp with time zone) AND (GREATEST(requested_at, confirmed_at) < '10000-01-01 00:00:00+00'::timestamp with time zone)))
);
CREATE INDEX backfill_request_id_idx ON pumphouse.backfill_request USING btree (id);

create table pumphouse.change_log (
  seq bigint not null,
  xid xid8 not null default pg_current_xact_id(),
  at timestamp with time zone not null default clock_timestamp(),
  payload text not null,
  constraint change_log_pkey PRIMARY KEY (seq),
  constraint times_in_range CHECK (((LEAST(at) >= '0001-01-01 00:00:00+00 BC'::timestamp with time zone) AND (GREATEST(at) < '10000-01-01 00:00:00+00'::timestamp with time zone)))
);
CREATE INDEX change_log_xid_idx ON pumphouse.change_log USING btree (xid);

create table pumphouse.connector_revision (
  connector_id uuid not null,
  revision integer not null default 1,
  changed_at timestamp with time zone not null default now(),
  constraint connector_revision_connector_id_fkey FOREIGN KEY (connector_id) REFERENCES connector(id) ON DELETE CASCADE,
  constraint connector_revision_pkey PRIMARY KEY (connector_id),
  constraint times_in_range CHECK (((LEAST(changed_at) >= '0001-01-01 00:00:00+00 BC'::timestamp with time zone) AND (GREATEST(changed_at) < '10000-01-01 00:00:00+00'::timestamp with time zone)))
);

create table pumphouse.consumption_metric_today (
  subscription_id uuid not null,
  day date not null,
  consumed_count bigint not null,
  delivered_count bigint not null,
  error_count bigint not null,
  span_ms bigint not null,
  min_from bigint not null,
  max_to bigint not null,
  row_count bigint not null,
  constraint consumption_metric_today_pkey PRIMARY KEY (subscription_id, day),
  constraint times_in_range CHECK (((LEAST(day) >= '0001-01-01 BC'::date) AND (GREATEST(day) < '10000-01-01'::date)))
);

create table pumphouse.credential (
  user_id uuid not null,
  epoch integer not null default 0,
  changed_at timestamp with time zone not null default now(),
  constraint credential_pkey PRIMARY KEY (user_id),
  constraint credential_user_id_fkey FOREIGN KEY (user_id) REFERENCES "user"(id) ON DELETE CASCADE,
  constraint times_in_range CHECK (((LEAST(changed_at) >= '0001-01-01 00:00:00+00 BC'::timestamp with time zone) AND (GREATEST(changed_at) < '10000-01-01 00:00:00+00'::timestamp with time zone)))
);

create table pumphouse.idempotency_standing (
  record_id uuid not null,
  standing json not null,
  constraint idempotency_standing_pkey PRIMARY KEY (record_id),
  constraint idempotency_standing_record_id_fkey FOREIGN KEY (record_id) REFERENCES idempotency_record(id) ON DELETE CASCADE
);

create table pumphouse.invitation (
  id uuid not null,
  email character varying(320) not null,
  env_id uuid,
  team_id uuid,
  role character varying(16),
  admin boolean,
  from_user_id uuid not null,
  created_at timestamp with time zone not null default now(),
  constraint invitation_env_id_check CHECK ((((env_id IS NOT NULL) AND (role IS NOT NULL) AND (num_nonnulls(team_id, admin) = 0)) OR ((team_id IS NOT NULL) AND (admin IS NOT NULL) AND (num_nonnulls(env_id, role) = 0)))),
  constraint invitation_env_id_email_key UNIQUE (env_id, email),
  constraint invitation_env_id_fkey FOREIGN KEY (env_id) REFERENCES env(id) ON DELETE CASCADE,
  constraint invitation_from_user_id_fkey FOREIGN KEY (from_user_id) REFERENCES "user"(id) ON DELETE CASCADE,
  constraint invitation_pkey PRIMARY KEY (id),
  constraint invitation_role_check CHECK (((role)::text = ANY ((ARRAY['admin'::character varying, 'member'::character varying, 'reader'::character varying])::text[]))),
  constraint invitation_team_id_email_key UNIQUE (team_id, email),
  constraint invitation_team_id_fkey FOREIGN KEY (team_id) REFERENCES team(id) ON DELETE CASCADE,
  constraint times_in_range CHECK (((LEAST(created_at) >= '0001-01-01 00:00:00+00 BC'::timestamp with time zone) AND (GREATEST(created_at) < '10000-01-01 00:00:00+00'::timestamp with time zone)))
);
CREATE INDEX invitation_email_idx ON pumphouse.invitation USING btree (email);
CREATE INDEX invitation_from_user_id_idx ON pumphouse.invitation USING btree (from_user_id);
CREATE TRIGGER deliver_invitation AFTER INSERT OR UPDATE ON pumphouse.invitation FOR EACH ROW EXECUTE FUNCTION deliver_invitation();

create table pumphouse.job_watermark (
  job text not null,
  day date,
  at timestamp with time zone,
  constraint job_watermark_pkey PRIMARY KEY (job),
  constraint times_in_range CHECK (((LEAST(day) >= '0001-01-01 BC'::date) AND (GREATEST(day) < '10000-01-01'::date) AND (LEAST(at) >= '0001-01-01 00:00:00+00 BC'::timestamp with time zone) AND (GREATEST(at) < '10000-01-01 00:00:00+00'::timestamp with time zone)))
);

create table pumphouse.leader (
  only_row boolean not null default true,
  epoch bigint not null default 0,
  holder text,
  since timestamp with time zone,
  heard_at timestamp with time zone,
  hearing_since timestamp with time zone,
  constraint leader_only_row_check CHECK (only_row),
  constraint leader_pkey PRIMARY KEY (only_row),
  constraint times_in_range CHECK (((LEAST(since, heard_at, hearing_since) >= '0001-01-01 00:00:00+00 BC'::timestamp with time zone) AND (GREATEST(since, heard_at, hearing_since) < '10000-01-01 00:00:00+00'::timestamp with time zone)))
);

create table pumphouse.login_attempt (
  kind text not null,
  name text not null,
  failures integer not null,
  ends_at timestamp with time zone not null,
  constraint login_attempt_kind_check CHECK ((kind = ANY (ARRAY['account'::text, 'address'::text]))),
  constraint login_attempt_pkey PRIMARY KEY (kind, name),
  constraint times_in_range CHECK (((LEAST(ends_at) >= '0001-01-01 00:00:00+00 BC'::timestamp with time zone) AND (GREATEST(ends_at) < '10000-01-01 00:00:00+00'::timestamp with time zone)))
);
CREATE INDEX login_attempt_ends_at_idx ON pumphouse.login_attempt USING btree (ends_at);

create table pumphouse.metric_batch (
  worker_id uuid not null,
  kind character varying not null,
  batch_id character varying not null,
  at timestamp with time zone not null,
  xid xid8 not null default pg_current_xact_id(),
  constraint metric_batch_pkey PRIMARY KEY (worker_id, kind, batch_id),
  constraint times_in_range CHECK (((LEAST(at) >= '0001-01-01 00:00:00+00 BC'::timestamp with time zone) AND (GREATEST(at) < '10000-01-01 00:00:00+00'::timestamp with time zone)))
);
CREATE INDEX metric_batch_at_idx ON pumphouse.metric_batch USING btree (at);
CREATE INDEX metric_batch_xid_idx ON pumphouse.metric_batch USING btree (xid);

create table pumphouse.oidc_identity (
  issuer text not null,
  subject text not null,
  user_id uuid not null,
  created_at timestamp with time zone not null default now(),
  constraint oidc_identity_pkey PRIMARY KEY (issuer, subject),
  constraint oidc_identity_user_id_fkey FOREIGN KEY (user_id) REFERENCES "user"(id) ON DELETE CASCADE,
  constraint times_in_range CHECK (((LEAST(created_at) >= '0001-01-01 00:00:00+00 BC'::timestamp with time zone) AND (GREATEST(created_at) < '10000-01-01 00:00:00+00'::timestamp with time zone)))
);
CREATE INDEX oidc_identity_user_id_idx ON pumphouse.oidc_identity USING btree (user_id);

create table pumphouse.oidc_sign_in (
  state_hash bytea not null,
  nonce text not null,
  verifier text not null,
  return_to text not null,
  created_at timestamp with time zone not null default now(),
  constraint oidc_sign_in_pkey PRIMARY KEY (state_hash),
  constraint times_in_range CHECK (((LEAST(created_at) >= '0001-01-01 00:00:00+00 BC'::timestamp with time zone) AND (GREATEST(created_at) < '10000-01-01 00:00:00+00'::timestamp with time zone)))
);
CREATE INDEX oidc_sign_in_created_at_idx ON pumphouse.oidc_sign_in USING btree (created_at);

create table pumphouse.pipeline_state (
  pipeline_id uuid,
  source_connector_id uuid,
  target_connector_id uuid,
  active boolean,
  state character varying
);
view:  SELECT p.id AS pipeline_id,
    p.source_connector_id,
    p.target_connector_id,
    (p.is_completed AND enabled.found) AS active,
    state_of_pipeline(p.is_completed, enabled.found, source.state, target.state) AS state
   FROM (((pipeline p
     LEFT JOIN worker source ON ((source.connector_id = p.source_connector_id)))
     LEFT JOIN worker target ON ((target.connector_id = p.target_connector_id)))
     CROSS JOIN LATERAL ( SELECT (EXISTS ( SELECT 1
                   FROM subscription s
                  WHERE ((s.pipeline_id = p.id) AND s.enabled))) AS "exists") enabled(found));

create table pumphouse.polling (
  one boolean not null default true,
  until timestamp with time zone not null,
  constraint polling_one_check CHECK (one),
  constraint polling_pkey PRIMARY KEY (one),
  constraint times_in_range CHECK (((LEAST(until) >= '0001-01-01 00:00:00+00 BC'::timestamp with time zone) AND (GREATEST(until) < '10000-01-01 00:00:00+00'::timestamp with time zone)))
);

create table pumphouse.production_metric_today (
  topic character varying not null,
  day date not null,
  creates bigint not null,
  updates bigint not null,
  deletes bigint not null,
  reads bigint not null,
  total_events bigint not null,
  bytes bigint not null,
  span_ms bigint not null,
  min_from bigint not null,
  max_to bigint not null,
  row_count bigint not null,
  constraint production_metric_today_pkey PRIMARY KEY (topic, day),
  constraint times_in_range CHECK (((LEAST(day) >= '0001-01-01 BC'::date) AND (GREATEST(day) < '10000-01-01'::date)))
);

create table pumphouse.revoked_token (
  token_id uuid not null,
  user_id uuid,
  expires_at timestamp with time zone not null,
  revoked_at timestamp with time zone not null default now(),
  constraint revoked_token_pkey PRIMARY KEY (token_id),
  constraint revoked_token_user_id_fkey FOREIGN KEY (user_id) REFERENCES "user"(id) ON DELETE CASCADE,
  constraint times_in_range CHECK (((LEAST(expires_at, revoked_at) >= '0001-01-01 00:00:00+00 BC'::timestamp with time zone) AND (GREATEST(expires_at, revoked_at) < '10000-01-01 00:00:00+00'::timestamp with time zone)))
);
CREATE INDEX revoked_token_expires_at_idx ON pumphouse.revoked_token USING btree (expires_at);
CREATE INDEX revoked_token_user_id_idx ON pumphouse.revoked_token USING btree (user_id);
CREATE TRIGGER announce_revocation AFTER INSERT ON pumphouse.revoked_token FOR EACH ROW EXECUTE FUNCTION announce_revocation();

create table pumphouse.schema_subject (
  subject character varying not null,
  compatibility text not null default 'NONE'::text,
  last_deleted integer not null default 0,
  constraint schema_subject_compatibility_check CHECK ((compatibility = ANY (ARRAY['NONE'::text, 'BACKWARD'::text, 'BACKWARD_TRANSITIVE'::text, 'FORWARD'::text, 'FORWARD_TRANSITIVE'::text, 'FULL'::text, 'FULL_TRANSITIVE'::text]))),
  constraint schema_subject_last_deleted_check CHECK ((last_deleted >= 0)),
  constraint schema_subject_pkey PRIMARY KEY (subject)
);

create table pumphouse.service_account_grant (
  id uuid not null,
  service_account_id uuid not null,
  env_id uuid,
  team_id uuid,
  role character varying(16),
  admin boolean not null default false,
  worker boolean not null default false,
  created_at timestamp with time zone default now(),
  constraint service_account_grant_env_id_check CHECK ((num_nonnulls(env_id, team_id) = 1)),
  constraint service_account_grant_env_id_fkey FOREIGN KEY (env_id) REFERENCES env(id) ON DELETE CASCADE,
  constraint service_account_grant_pkey PRIMARY KEY (id),
  constraint service_account_grant_role_check CHECK (((role)::text = ANY ((ARRAY['admin'::character varying, 'member'::character varying, 'reader'::character varying])::text[]))),
  constraint service_account_grant_service_account_id_fkey FOREIGN KEY (service_account_id) REFERENCES service_account_user(id) ON DELETE CASCADE,
  constraint service_account_grant_team_id_fkey FOREIGN KEY (team_id) REFERENCES team(id) ON DELETE CASCADE,
  constraint times_in_range CHECK (((LEAST(created_at) >= '0001-01-01 00:00:00+00 BC'::timestamp with time zone) AND (GREATEST(created_at) < '10000-01-01 00:00:00+00'::timestamp with time zone)))
);
CREATE INDEX service_account_grant_env_id_idx ON pumphouse.service_account_grant USING btree (env_id);
CREATE UNIQUE INDEX service_account_grant_env_key ON pumphouse.service_account_grant USING btree (service_account_id, env_id) WHERE (env_id IS NOT NULL);
CREATE INDEX service_account_grant_service_account_id_idx ON pumphouse.service_account_grant USING btree (service_account_id);
CREATE INDEX service_account_grant_team_id_idx ON pumphouse.service_account_grant USING btree (team_id);
CREATE UNIQUE INDEX service_account_grant_team_key ON pumphouse.service_account_grant USING btree (service_account_id, team_id) WHERE (team_id IS NOT NULL);
CREATE TRIGGER notify_delete AFTER DELETE ON pumphouse.service_account_grant REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION notify_grant();
CREATE TRIGGER notify_insert AFTER INSERT ON pumphouse.service_account_grant REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION notify_grant();
CREATE TRIGGER notify_truncate AFTER TRUNCATE ON pumphouse.service_account_grant FOR EACH STATEMENT EXECUTE FUNCTION notify_truncated();
CREATE TRIGGER notify_update AFTER UPDATE ON pumphouse.service_account_grant REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION notify_grant();

create table pumphouse.service_account_token (
  token_id uuid not null,
  service_account_id uuid not null,
  name character varying(100),
  created_at timestamp with time zone not null default now(),
  expires_at timestamp with time zone not null,
  constraint service_account_token_pkey PRIMARY KEY (token_id),
  constraint service_account_token_service_account_id_fkey FOREIGN KEY (service_account_id) REFERENCES service_account_user(id) ON DELETE CASCADE,
  constraint times_in_range CHECK (((LEAST(created_at, expires_at) >= '0001-01-01 00:00:00+00 BC'::timestamp with time zone) AND (GREATEST(created_at, expires_at) < '10000-01-01 00:00:00+00'::timestamp with time zone)))
);
CREATE INDEX service_account_token_service_account_id_idx ON pumphouse.service_account_token USING btree (service_account_id, created_at, token_id);

create table pumphouse.sync_run_end (
  sync_run_id uuid not null,
  connector_id uuid not null,
  connector_name text,
  team_id uuid,
  env_id uuid,
  cause character varying(20) not null,
  reason text,
  by_email character varying(320),
  ended_at timestamp with time zone not null default now(),
  tables_total integer not null default 0,
  tables_completed integer not null default 0,
  rows_ingested bigint not null default 0,
  id uuid not null default gen_random_uuid(),
  triggered_by_email character varying(320),
  started_at timestamp with time zone,
  created_at timestamp with time zone not null default now(),
  constraint sync_run_end_cause_check CHECK (((cause)::text = ANY ((ARRAY['FINISHED'::character varying, 'CANCELLED'::character varying, 'ABANDONED'::character varying, 'CONNECTOR_DELETED'::character varying])::text[]))),
  constraint sync_run_end_pkey PRIMARY KEY (sync_run_id),
  constraint times_in_range CHECK (((LEAST(ended_at, started_at, created_at) >= '0001-01-01 00:00:00+00 BC'::timestamp with time zone) AND (GREATEST(ended_at, started_at, created_at) < '10000-01-01 00:00:00+00'::timestamp with time zone)))
);
CREATE INDEX sync_run_end_connector_id_ended_at_idx ON pumphouse.sync_run_end USING btree (connector_id, ended_at);
CREATE INDEX sync_run_end_ended_at_idx ON pumphouse.sync_run_end USING btree (ended_at, id);
CREATE INDEX sync_run_end_env_id_ended_at_idx ON pumphouse.sync_run_end USING btree (env_id, ended_at, id);
CREATE UNIQUE INDEX sync_run_end_id_key ON pumphouse.sync_run_end USING btree (id);
CREATE INDEX sync_run_end_team_id_ended_at_idx ON pumphouse.sync_run_end USING btree (team_id, ended_at, id);

create table pumphouse.sync_run_tally (
  sync_run_id uuid not null,
  tables integer not null default 0,
  reading integer not null default 0,
  ended integer not null default 0,
  completed integer not null default 0,
  touched integer not null default 0,
  estimated integer not null default 0,
  rows numeric not null default 0,
  estimate numeric not null default 0,
  read numeric not null default 0,
  remaining numeric not null default 0,
  last_progress_at timestamp with time zone,
  mark_rows numeric,
  mark_at timestamp with time zone,
  next_mark_rows numeric,
  next_mark_at timestamp with time zone,
  constraint sync_run_tally_pkey PRIMARY KEY (sync_run_id),
  constraint sync_run_tally_sync_run_id_fkey FOREIGN KEY (sync_run_id) REFERENCES sync_run(id) ON DELETE CASCADE,
  constraint times_in_range CHECK (((LEAST(last_progress_at, mark_at, next_mark_at) >= '0001-01-01 00:00:00+00 BC'::timestamp with time zone) AND (GREATEST(last_progress_at, mark_at, next_mark_at) < '10000-01-01 00:00:00+00'::timestamp with time zone)))
);

create table pumphouse.sync_table_progress (
  sync_table_id uuid not null,
  generation uuid,
  restarts integer not null default 0,
  reported boolean not null default false,
  first_progress_at timestamp with time zone,
  last_progress_at timestamp with time zone,
  sample_rows bigint,
  sample_at timestamp with time zone,
  prev_sample_rows bigint,
  prev_sample_at timestamp with time zone,
  constraint sync_table_progress_pkey PRIMARY KEY (sync_table_id),
  constraint sync_table_progress_sync_table_id_fkey FOREIGN KEY (sync_table_id) REFERENCES sync_table(id) ON DELETE CASCADE,
  constraint times_in_range CHECK (((LEAST(first_progress_at, last_progress_at, sample_at, prev_sample_at) >= '0001-01-01 00:00:00+00 BC'::timestamp with time zone) AND (GREATEST(first_progress_at, last_progress_at, sample_at, prev_sample_at) < '10000-01-01 00:00:00+00'::timestamp with time zone)))
);
CREATE TRIGGER notify_truncate AFTER TRUNCATE ON pumphouse.sync_table_progress FOR EACH STATEMENT EXECUTE FUNCTION notify_truncated();
CREATE TRIGGER notify_update AFTER UPDATE ON pumphouse.sync_table_progress REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION notify_of_sync_table_progress();

create table pumphouse.tie (
  type text,
  id uuid,
  name character varying,
  field text,
  team_id uuid,
  env_id uuid
);
view:  SELECT 'Pipeline'::text AS type,
    p.id,
    p.name,
    'teamId'::text AS field,
    p.team_id,
    p.env_id
   FROM pipeline p
UNION ALL
 SELECT 'Pipeline'::text AS type,
    p.id,
    p.name,
    'sourceConnectorId'::text AS field,
    c.team_id,
    c.env_id
   FROM (pipeline p
     JOIN connector c ON ((c.id = p.source_connector_id)))
UNION ALL
 SELECT 'Pipeline'::text AS type,
    p.id,
    p.name,
    'targetConnectorId'::text AS field,
    c.team_id,
    c.env_id
   FROM (pipeline p
     JOIN connector c ON ((c.id = p.target_connector_id)))
UNION ALL
 SELECT 'Pipeline'::text AS type,
    p.id,
    p.name,
    'errorTableConfig'::text AS field,
    c.team_id,
    c.env_id
   FROM pipeline p,
    (LATERAL unnest(ids_in(p.error_table_config)) named(id)
     JOIN connector c ON ((c.id = named.id)))
  WHERE (p.error_table_config IS NOT NULL)
UNION ALL
 SELECT 'Pipeline'::text AS type,
    p.id,
    p.name,
    'datamodelId'::text AS field,
    c.team_id,
    c.env_id
   FROM ((pipeline p
     JOIN datamodel d ON ((d.id = p.datamodel_id)))
     JOIN connector c ON ((c.id = d.source_connector_id)))
UNION ALL
 SELECT 'Datamodel'::text AS type,
    d.id,
    d.name,
    'sourceConnectorId'::text AS field,
    c.team_id,
    c.env_id
   FROM (datamodel d
     JOIN connector c ON ((c.id = d.source_connector_id)))
UNION ALL
 SELECT 'Datamodel'::text AS type,
    d.id,
    d.name,
    'errorTableTargetId'::text AS field,
    c.team_id,
    c.env_id
   FROM (datamodel d
     JOIN connector c ON ((c.id = d.error_table_target_id)))
UNION ALL
 SELECT 'Datamodel'::text AS type,
    d.id,
    d.name,
    'pipelines'::text AS field,
    p.team_id,
    p.env_id
   FROM (datamodel d
     JOIN pipeline p ON ((p.datamodel_id = d.id)))
  WHERE (d.source_connector_id IS NULL)
UNION ALL
 SELECT 'Datamodel'::text AS type,
    d.id,
    d.name,
    'pipelineSubscriptions'::text AS field,
    e.team_id,
    e.env_id
   FROM ((datamodel d
     JOIN subscription s ON ((s.datamodel_id = d.id)))
     CROSS JOIN LATERAL ( SELECT p.team_id,
            p.env_id
           FROM pipeline p
          WHERE (p.id = s.pipeline_id)
        UNION
         SELECT c.team_id,
            c.env_id
           FROM connector c
          WHERE (c.id = ANY (ARRAY[s.target_connector_id, s.error_table_target_id]))) e)
  WHERE ((d.source_connector_id IS NULL) AND (NOT (EXISTS ( SELECT 1
           FROM pipeline p
          WHERE (p.datamodel_id = d.id)))))
UNION ALL
 SELECT 'PipelineSubscription'::text AS type,
    s.id,
    s.name,
    'pipelineId'::text AS field,
    p.team_id,
    p.env_id
   FROM (subscription s
     JOIN pipeline p ON ((p.id = s.pipeline_id)))
UNION ALL
 SELECT 'PipelineSubscription'::text AS type,
    s.id,
    s.name,
    'targetConnectorId'::text AS field,
    c.team_id,
    c.env_id
   FROM (subscription s
     JOIN connector c ON ((c.id = s.target_connector_id)))
UNION ALL
 SELECT 'PipelineSubscription'::text AS type,
    s.id,
    s.name,
    'errorTableTargetId'::text AS field,
    c.team_id,
    c.env_id
   FROM (subscription s
     JOIN connector c ON ((c.id = s.error_table_target_id)))
UNION ALL
 SELECT 'PipelineSubscription'::text AS type,
    s.id,
    s.name,
    'datamodelId'::text AS field,
    c.team_id,
    c.env_id
   FROM ((subscription s
     JOIN datamodel d ON ((d.id = s.datamodel_id)))
     JOIN connector c ON ((c.id = d.source_connector_id)))
UNION ALL
 SELECT 'PipelineSubscription'::text AS type,
    s.id,
    s.name,
    'datamodelId'::text AS field,
    p.team_id,
    p.env_id
   FROM ((subscription s
     JOIN datamodel d ON (((d.id = s.datamodel_id) AND (d.source_connector_id IS NULL))))
     JOIN pipeline p ON ((p.datamodel_id = d.id)));

create table pumphouse.user_tombstone (
  user_id uuid not null,
  email character varying(320) not null,
  deleted_at timestamp with time zone not null default now(),
  constraint times_in_range CHECK (((LEAST(deleted_at) >= '0001-01-01 00:00:00+00 BC'::timestamp with time zone) AND (GREATEST(deleted_at) < '10000-01-01 00:00:00+00'::timestamp with time zone))),
  constraint user_tombstone_pkey PRIMARY KEY (user_id)
);
CREATE INDEX user_tombstone_deleted_at_idx ON pumphouse.user_tombstone USING btree (deleted_at, user_id);

create table pumphouse.worker_launch (
  worker_id uuid not null,
  generation uuid not null,
  asked_at timestamp with time zone,
  launched_at timestamp with time zone,
  launched_by text,
  first_report_at timestamp with time zone,
  booted_revision integer,
  restart_wanted boolean not null default false,
  restart_wanted_by text,
  attempts integer not null default 0,
  announced_health character varying(12) not null default 'INACTIVE'::character varying,
  clock_skew_ms bigint,
  constraint times_in_range CHECK (((LEAST(asked_at, launched_at, first_report_at) >= '0001-01-01 00:00:00+00 BC'::timestamp with time zone) AND (GREATEST(asked_at, launched_at, first_report_at) < '10000-01-01 00:00:00+00'::timestamp with time zone))),
  constraint worker_launch_announced_health_check CHECK (((announced_health)::text = ANY ((ARRAY['INACTIVE'::character varying, 'STARTING'::character varying, 'NOT_STARTED'::character varying, 'HEALTHY'::character varying, 'UNRESPONSIVE'::character varying])::text[]))),
  constraint worker_launch_pkey PRIMARY KEY (worker_id),
  constraint worker_launch_worker_id_fkey FOREIGN KEY (worker_id) REFERENCES worker(id) ON DELETE CASCADE
);
CREATE TRIGGER begin_again AFTER UPDATE OF booted_revision ON pumphouse.worker_launch FOR EACH ROW WHEN (((old.booted_revision IS NOT NULL) AND (new.booted_revision IS NOT NULL) AND (NOT (old.generation IS DISTINCT FROM new.generation)) AND (current_setting('pumphouse.boots_itself'::text, true) = 'on'::text))) EXECUTE FUNCTION begin_again();
CREATE TRIGGER notify_truncate AFTER TRUNCATE ON pumphouse.worker_launch FOR EACH STATEMENT EXECUTE FUNCTION notify_truncated();
CREATE TRIGGER notify_update AFTER UPDATE ON pumphouse.worker_launch REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION notify_health();

create table pumphouse.worker_transition (
  seq bigint not null,
  worker_id uuid not null,
  connector_id uuid not null,
  from_state character varying(8),
  to_state character varying(8) not null,
  reason character varying,
  generation uuid not null,
  at timestamp with time zone not null default clock_timestamp(),
  last_heartbeat_at timestamp with time zone,
  stop_requested_at timestamp with time zone,
  xid xid8 not null default pg_current_xact_id(),
  id uuid not null default gen_random_uuid(),
  constraint times_in_range CHECK (((LEAST(at, last_heartbeat_at, stop_requested_at) >= '0001-01-01 00:00:00+00 BC'::timestamp with time zone) AND (GREATEST(at, last_heartbeat_at, stop_requested_at) < '10000-01-01 00:00:00+00'::timestamp with time zone))),
  constraint worker_transition_pkey PRIMARY KEY (seq),
  constraint worker_transition_worker_id_fkey FOREIGN KEY (worker_id) REFERENCES worker(id) ON DELETE CASCADE
);
CREATE INDEX worker_transition_at_idx ON pumphouse.worker_transition USING btree (at);
CREATE UNIQUE INDEX worker_transition_id_key ON pumphouse.worker_transition USING btree (id);
CREATE INDEX worker_transition_worker_id_seq_idx ON pumphouse.worker_transition USING btree (worker_id, seq);

CREATE OR REPLACE FUNCTION pumphouse.announce(target regclass, owners text, VARIADIC keys text[] DEFAULT '{}'::text[])
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  name text := (select relname from pg_class where oid = target);
begin
  perform pumphouse.tells(target, owners, variadic keys);
  execute format(
    'create trigger notify_insert
       after insert on %s
       referencing new table as new_rows
       for each statement
       execute function pumphouse.%I()',
    target, 'notify_of_' || name);
  execute format(
    'create trigger notify_update
       after update on %s
       referencing old table as old_rows new table as new_rows
       for each statement
       execute function pumphouse.%I()',
    target, 'notify_of_' || name);
  execute format(
    'create trigger notify_delete
       after delete on %s
       referencing old table as old_rows
       for each statement
       execute function pumphouse.%I()',
    target, 'notify_of_' || name);
  perform pumphouse.announce_truncation(target);
end
$function$;

CREATE OR REPLACE FUNCTION pumphouse.announce_revocation()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if new.user_id is not null then
    perform pumphouse.send_notices('user', 'U', pumphouse.notice_rows(new.user_id, '{}', ''));
  end if;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION pumphouse.announce_truncation(target regclass)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  execute format(
    'create trigger notify_truncate
       after truncate on %s
       for each statement
       execute function pumphouse.notify_truncated()',
    target);
end
$function$;

CREATE OR REPLACE FUNCTION pumphouse.append_only()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  before_image jsonb;
  after_image jsonb;
  link text;
begin
  if tg_op <> 'UPDATE' then
    raise exception '%.% is append-only: % refused', tg_table_schema, tg_table_name, tg_op
      using errcode = 'restrict_violation';
  end if;
  before_image := to_jsonb(old);
  after_image := to_jsonb(new);
  foreach link in array coalesce(tg_argv, '{}') loop
    if after_image -> link = 'null' then
      before_image := before_image - link;
      after_image := after_image - link;
    end if;
  end loop;
  if before_image <> after_image then
    raise exception '%.% is append-only: UPDATE refused', tg_table_schema, tg_table_name
      using errcode = 'restrict_violation';
  end if;
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION pumphouse.append_transition()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'INSERT' then
    insert into pumphouse.worker_transition (
      worker_id, connector_id, from_state, to_state, reason, generation, last_heartbeat_at, stop_requested_at)
    select n.id, n.connector_id, null, n.state, n.reason, n.launch_generation, n.last_heartbeat_at,
           n.stop_requested_at
      from new_rows n
      order by n.id;
  else
    insert into pumphouse.worker_transition (
      worker_id, connector_id, from_state, to_state, reason, generation, last_heartbeat_at, stop_requested_at)
    select n.id, n.connector_id, o.state, n.state, n.reason, n.launch_generation, n.last_heartbeat_at,
           n.stop_requested_at
      from new_rows n
      join old_rows o on o.id = n.id
      where (n.state, n.reason, n.launch_generation) is distinct from (o.state, o.reason, o.launch_generation)
      order by n.id;
  end if;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION pumphouse.append_transition_of_row()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into pumphouse.worker_transition (
    worker_id, connector_id, from_state, to_state, reason, generation, last_heartbeat_at, stop_requested_at)
  values (
    new.id, new.connector_id, old.state, new.state, new.reason, new.launch_generation, new.last_heartbeat_at, new.stop_requested_at);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION pumphouse.begin_again()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  run uuid;
begin
  -- As reports do: the run before its tables.
  select r.id
    into run
    from public.sync_run r
    join public.worker w on w.connector_id = r.connector_id
    where w.id = new.worker_id
      and r.status = 'SYNCING'
    for no key update of r;
  update pumphouse.sync_table_progress p
    set generation = null
    from public.sync_table t
    where t.id = p.sync_table_id
      and t.sync_run_id = run
      and t.status = 'IN_PROGRESS'
      and p.reported;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION pumphouse.begin_credential()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into pumphouse.credential (user_id)
    values (new.id);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION pumphouse.begin_launch()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into pumphouse.worker_launch (worker_id, generation)
    values (new.id, new.launch_generation);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION pumphouse.begin_progress()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into pumphouse.sync_table_progress (sync_table_id)
    select id
      from new_rows;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION pumphouse.begin_revision()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into pumphouse.connector_revision (connector_id)
    values (new.id);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION pumphouse.begin_tally()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into pumphouse.sync_run_tally (sync_run_id)
    select id
      from new_rows
    on conflict do nothing;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION pumphouse.bound_times(target regclass)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  rule text;
begin
  select string_agg(
      format('least(%1$s) >= ''0001-01-01%2$s BC'' and greatest(%1$s) < ''10000-01-01%2$s''', k.names, k.midnight),
      ' and ' order by k.midnight)
    into rule
    from (
      select string_agg(format('%I', a.attname), ', ' order by a.attnum) as names,
             case a.atttypid when 'timestamptz'::regtype then ' 00:00+00' else '' end as midnight
        from pg_attribute a
        where a.attrelid = target
          and a.attnum > 0
          and not a.attisdropped
          and a.atttypid in ('timestamptz'::regtype, 'timestamp'::regtype, 'date'::regtype)
        group by a.atttypid
    ) k;
  if rule is not null then
    execute format('alter table %s add constraint times_in_range check (%s)', target, rule);
  end if;
end
$function$;

CREATE OR REPLACE FUNCTION pumphouse.bump_user_version()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  new.created_at := old.created_at;
  new.updated_at := old.updated_at;
  new.version := old.version;
  if new *<> old then
    new.version := old.version + 1;
  end if;
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION pumphouse.bury_user()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into pumphouse.user_tombstone (user_id, email, deleted_at)
    values (old.id, old.email, clock_timestamp())
    on conflict (user_id) do update
      set email = excluded.email,
          deleted_at = excluded.deleted_at;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION pumphouse.carry_env()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  update public.connector
    set env_id = new.env_id
    where team_id = new.id
      and env_id is distinct from new.env_id;
  update public.pipeline
    set env_id = new.env_id
    where team_id = new.id
      and env_id is distinct from new.env_id;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION pumphouse.connector_of_sync_run(id uuid)
 RETURNS uuid
 LANGUAGE plpgsql
 STABLE
AS $function$
begin
  return coalesce(
    (select r.connector_id from public.sync_run r where r.id = $1),
    pumphouse.left_behind($1::text)::uuid);
end
$function$;

CREATE OR REPLACE FUNCTION pumphouse.deliver(i invitation)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  insert into public.env_request (id, role, env_id, from_user_id, to_user_id, status)
    select i.id, i.role, i.env_id, i.from_user_id, u.id, 'PENDING'
      from public."user" u
      where u.email = i.email
        and i.env_id is not null
        and not exists (select from public.service_account_user s where s.user_id = u.id)
    on conflict do nothing;
  insert into public.team_request (id, admin, team_id, from_user_id, to_user_id, status)
    select i.id, i.admin, i.team_id, i.from_user_id, u.id, 'PENDING'
      from public."user" u
      where u.email = i.email
        and i.team_id is not null
        and not exists (select from public.service_account_user s where s.user_id = u.id)
    on conflict do nothing;
end
$function$;

CREATE OR REPLACE FUNCTION pumphouse.deliver_invitation()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'UPDATE' then
    delete from public.env_request where id = old.id and status = 'PENDING';
    delete from public.team_request where id = old.id and status = 'PENDING';
  end if;
  perform pumphouse.deliver(new);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION pumphouse.deliver_invitations()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform pumphouse.deliver(i)
    from pumphouse.invitation i
    where i.email = new.email
      and i.created_at > now() - interval '30 days';
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION pumphouse.drop_metric_days(last_day date)
 RETURNS integer
 LANGUAGE plpgsql
AS $function$
declare
  child regclass;
  dropped integer := 0;
  kept_from timestamptz := (last_day + 1)::timestamp at time zone 'UTC';
begin
  for child in
    select c.oid::regclass
      from pg_inherits i
      join pg_class c on c.oid = i.inhrelid
      where i.inhparent in ('public.consumption_metric'::regclass, 'public.production_metric'::regclass)
        and case when c.relname ~ '_p[0-9]{8}$' then to_date(right(c.relname, 8), 'YYYYMMDD') end <= last_day
      order by c.relname
  loop
    execute format('drop table %s', child);
    dropped := dropped + 1;
  end loop;
  delete from public.consumption_metric_default where created_at < kept_from;
  delete from public.production_metric_default where created_at < kept_from;
  insert into pumphouse.job_watermark (job, day, at)
    values ('retention', last_day, clock_timestamp())
    on conflict (job) do update set day = greatest(job_watermark.day, excluded.day), at = excluded.at;
  return dropped;
end
$function$;

CREATE OR REPLACE FUNCTION pumphouse.either(before_change text[], after_change text[])
 RETURNS text[]
 LANGUAGE plpgsql
 IMMUTABLE
AS $function$
begin
  if before_change = after_change then
    return before_change;
  end if;
  return array(select distinct unnest(before_change || after_change));
end
$function$;

CREATE OR REPLACE FUNCTION pumphouse.end_sync_run(run uuid, cause character varying, reason text, by_email character varying)
 RETURNS void
 LANGUAGE sql
AS $function$
  insert into pumphouse.sync_run_end (
    sync_run_id, connector_id, connector_name, team_id, env_id, triggered_by_email, started_at, tables_total,
    tables_completed, rows_ingested, ended_at, cause, reason, by_email)
  select r.id, c.id, c.name, c.team_id, c.env_id, r.triggered_by_email, r.created_at, t.tables,
         t.completed, least(t.rows, 9223372036854775807), clock_timestamp(), $2, $3, $4
    from public.sync_run r
    join public.connector c on c.id = r.connector_id
    join pumphouse.sync_run_tally t on t.sync_run_id = r.id
    where r.id = $1
  on conflict (sync_run_id) do nothing
$function$;

CREATE OR REPLACE FUNCTION pumphouse.end_syncs_of_connector()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform pumphouse.end_sync_run(
      r.id, 'CONNECTOR_DELETED', 'the connector was deleted', nullif(current_setting('pumphouse.acting', true), ''))
    from public.sync_run r
    where r.connector_id = old.id
      and r.status = 'SYNCING';
  return old;
end
$function$;

CREATE OR REPLACE FUNCTION pumphouse.ensure_metric_partitions(days_back integer, days_ahead integer)
 RETURNS integer
 LANGUAGE plpgsql
AS $function$
declare
  today date := (clock_timestamp() at time zone 'UTC')::date;
  made integer := 0;
  parent text;
  child text;
  one_day date;
  day_start timestamptz;
  day_end timestamptz;
  taken boolean;
begin
  perform pg_advisory_xact_lock(hashtext('pumphouse.ensure_metric_partitions'));
  foreach parent in array array['consumption_metric', 'production_metric'] loop
    for shift in -days_back .. days_ahead loop
      one_day := today + shift;
      day_start := one_day::timestamp at time zone 'UTC';
      day_end := (one_day + 1)::timestamp at time zone 'UTC';
      child := parent || '_p' || to_char(one_day, 'YYYYMMDD');
      continue when to_regclass(format('public.%I', child)) is not null;
      execute format(
        'select exists (select from public.%I where created_at >= $1 and created_at < $2)',
        parent || '_default')
        into taken
        using day_start, day_end;
      continue when taken;
      begin
        execute format(
          'create table public.%I (like public.%I including defaults including constraints)',
          child, parent);
        execute format(
          'alter table public.%I attach partition public.%I for values from (%L) to (%L)',
          parent, child, day_start, day_end);
        made := made + 1;
      exception
        when check_violation then
          -- A row of that day reached the default partition in between.
          null;
      end;
    end loop;
  end loop;
  return made;
end
$function$;

CREATE OR REPLACE FUNCTION pumphouse.follow_grants()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  member record := coalesce(new, old);
  given boolean;
begin
  if pg_trigger_depth() > 1
     or not exists (select from public.service_account_user a where a.user_id = member.user_id) then
    return null;
  end if;
  if tg_table_name = 'env_member' then
    given := exists (
      select from pumphouse.service_account_grant g
        join public.service_account_user a on a.id = g.service_account_id
        where a.user_id = member.user_id and g.env_id = member.env_id and (tg_op = 'DELETE' or g.role = member.role));
  else
    given := exists (
      select from pumphouse.service_account_grant g
        join public.service_account_user a on a.id = g.service_account_id
        where a.user_id = member.user_id and g.team_id = member.team_id
          and (tg_op = 'DELETE' or g.admin = coalesce(member.admin, false)));
  end if;
  if given = (tg_op = 'DELETE') then
    raise exception 'the memberships of a service account are those of its grants'
      using errcode = 'restrict_violation', constraint = 'service_account_memberships';
  end if;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION pumphouse.former_owners(id uuid)
 RETURNS text[]
 LANGUAGE sql
 STABLE
AS $function$
  select coalesce(string_to_array(pumphouse.left_behind(id::text), ';'), '{}')
$function$;

CREATE OR REPLACE FUNCTION pumphouse.ids_in(document json)
 RETURNS uuid[]
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$
begin
  return array(
    select distinct coalesce(found.id[1], found.id[2], found.id[3], found.id[4])::uuid
      from regexp_matches(
        document::text,
        replace(
          '(?<!\\)"(?:([0-9a-fA-F]{32})|(#)|\{(#)\}|urn:uuid:(#))"(?!\s*:)',
          '#',
          '[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}'),
        'g') found(id)
      order by 1);
end
$function$;

CREATE OR REPLACE FUNCTION pumphouse.ingestion_time()
 RETURNS timestamp with time zone
 LANGUAGE plpgsql
AS $function$
declare
  at timestamptz := clock_timestamp();
  locked date;
begin
  loop
    locked := (at at time zone 'UTC')::date;
    perform pg_advisory_xact_lock_shared(pumphouse.metric_day_key(locked));
    -- While the lock was waited for, the day may have ended and been summed up.
    select greatest(clock_timestamp(), max(case w.job when 'sealed' then w.at else (w.day + 1)::timestamp at time zone 'UTC' end))
      into at
      from pumphouse.job_watermark w
      where w.job in ('rollup', 'sealed');
    if locked = (at at time zone 'UTC')::date then
      return at;
    end if;
  end loop;
end
$function$;

CREATE OR REPLACE FUNCTION pumphouse.is_complete(pipeline_id uuid, source_connector_id uuid, target_connector_id uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE
AS $function$
begin
  return source_connector_id is not null
    and target_connector_id is not null
    and exists (
      select 1
        from public.subscription s
        where s.pipeline_id = $1
          and s.datamodel_id is not null
          and s.target_connector_id is not null
          and s.target_table_name is not null);
end
$function$;

CREATE OR REPLACE FUNCTION pumphouse.is_count(given text)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select case when given ~ '^[0-9]{1,19}$' then given::numeric <= 9223372036854775807 else given is null end
$function$;

CREATE OR REPLACE FUNCTION pumphouse.keep_backfill()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if new.backfill is true then
    insert into pumphouse.backfill_request as r (subscription_id, id)
      values (new.id, gen_random_uuid())
      on conflict (subscription_id) do update
        set id = excluded.id,
            requested_at = excluded.requested_at,
            confirmed_at = null,
            confirmed_by = null;
  else
    delete from pumphouse.backfill_request r
      where r.subscription_id = new.id
        and r.confirmed_at is null;
  end if;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION pumphouse.keep_completed()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  new.is_completed := pumphouse.is_complete(new.id, new.source_connector_id, new.target_connector_id);
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION pumphouse.keep_completed_of()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  pipelines uuid[];
begin
  case tg_op
    when 'INSERT' then
      select array_agg(distinct n.pipeline_id)
        into pipelines
        from new_rows n
        where n.pipeline_id is not null;
    when 'UPDATE' then
      if (select count(*) from (select from new_rows limit 50) few) < 50 then
        select array_agg(distinct touched.id)
            from new_rows n
            join old_rows o on o.id = n.id,
                 unnest(array[o.pipeline_id, n.pipeline_id]) touched(id)
            where touched.id is not null
              and (n.pipeline_id, n.datamodel_id, n.target_connector_id, n.target_table_name)
                is distinct from (o.pipeline_id, o.datamodel_id, o.target_connector_id, o.target_table_name)
          into pipelines;
      else
        execute $sql$
          select array_agg(distinct touched.id)
            from new_rows n
            join old_rows o on o.id = n.id,
                 unnest(array[o.pipeline_id, n.pipeline_id]) touched(id)
            where touched.id is not null
              and (n.pipeline_id, n.datamodel_id, n.target_connector_id, n.target_table_name)
                is distinct from (o.pipeline_id, o.datamodel_id, o.target_connector_id, o.target_table_name)
        $sql$ into pipelines;
      end if;
    when 'DELETE' then
      select array_agg(distinct o.pipeline_id)
        into pipelines
        from old_rows o
        where o.pipeline_id is not null;
  end case;
  if pipelines is not null then
    perform pumphouse.recomplete(pipelines);
  end if;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION pumphouse.keep_times(target regclass)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  execute format(
    'create trigger touch
       before update on %s
       for each row
       execute function pumphouse.touch()',
    target);
end
$function$;

CREATE OR REPLACE FUNCTION pumphouse.latest_transition(worker_id uuid)
 RETURNS text
 LANGUAGE plpgsql
 STABLE
AS $function$
begin
  return '[' || coalesce(max(t.seq)::text, '') || ']'
    from pumphouse.worker_transition t
    where t.worker_id = $1
      and t.xid = pg_current_xact_id();
end
$function$;

CREATE OR REPLACE FUNCTION pumphouse.leave_behind(key text, value text)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  perform set_config(
    'pumphouse.left_behind',
    coalesce(current_setting('pumphouse.left_behind', true), '') || key || '=' || value || e'\n',
    true);
end
$function$;

CREATE OR REPLACE FUNCTION pumphouse.leave_owners()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  owners text[];
begin
  case tg_table_name
    when 'team' then
      owners := pumphouse.owner(old.id, old.env_id);
    when 'service_account_user' then
      owners := pumphouse.owners_of_service_account(old.id);
    when 'connector' then
      owners := pumphouse.owner(old.team_id, old.env_id);
      perform pumphouse.leave_behind(old.id || ':worker', w.id::text)
        from public.worker w
        where w.connector_id = old.id;
    when 'datamodel' then
      owners := pumphouse.owners_of_datamodel(old.id, old.source_connector_id);
    when 'pipeline' then
      owners := pumphouse.owner(old.team_id, old.env_id);
    when 'sync_run' then
      owners := array[old.connector_id::text];
  end case;
  perform pumphouse.leave_behind(old.id::text, array_to_string(owners, ';'));
  return old;
end
$function$;

CREATE OR REPLACE FUNCTION pumphouse.left_behind(key text)
 RETURNS text
 LANGUAGE sql
 STABLE
AS $function$
  select nullif(split_part(split_part(current_setting('pumphouse.left_behind', true), key || '=', 2), e'\n', 1), '')
$function$;

CREATE OR REPLACE FUNCTION pumphouse.lock_pipelines()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform 1
    from public.pipeline p
    where p.id in (
      select s.pipeline_id
        from public.subscription s
        where (tg_table_name = 'datamodel' and s.datamodel_id = old.id)
           or (tg_table_name = 'connector' and s.target_connector_id = old.id))
    order by p.id
    for no key update;
  return old;
end
$function$;

CREATE OR REPLACE FUNCTION pumphouse.metric_day_key(day date)
 RETURNS bigint
 LANGUAGE sql
 IMMUTABLE
AS $function$
  select hashtextextended('pumphouse.metric_day.' || (day - date '1970-01-01')::text, 0)
$function$;

CREATE OR REPLACE FUNCTION pumphouse.mirror_env()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  new.env_id := null;
  if new.team_id is not null then
    select team.env_id
      into new.env_id
      from public.team
      where team.id = new.team_id
      for key share;
  end if;
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION pumphouse.move_sync_ends()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_table_name = 'connector' then
    update pumphouse.sync_run_end
      set team_id = new.team_id,
          env_id = new.env_id
      where connector_id = new.id;
  else
    update pumphouse.sync_run_end
      set env_id = new.env_id
      where team_id = new.id;
  end if;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION pumphouse.notice_rows(id uuid, owners text[], keys text)
 RETURNS text[]
 LANGUAGE plpgsql
 STABLE
AS $function$
declare
  said text[];
begin
  for start in 1 .. greatest(cardinality(owners), 1) by 60 loop
    said := said
      || ('{"id":"' || id || '","o":[' || array_to_string(owners[start : start + 59], ',') || ']' || keys || '}');
  end loop;
  return said;
end
$function$;

CREATE OR REPLACE FUNCTION pumphouse.notify_grant()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  changed pumphouse.service_account_grant[];
  rows text[];
begin
  if tg_op = 'DELETE' then
    select array_agg(o::pumphouse.service_account_grant)
      into changed
      from old_rows o;
  else
    select array_agg(n::pumphouse.service_account_grant)
      into changed
      from new_rows n;
  end if;
  select array_agg(said order by a.id)
    into rows
    from (
      select g.service_account_id as id, array_agg(distinct pair) filter (where pair is not null) as owners
        from unnest(changed) g
        left join unnest(pumphouse.owner(null, g.env_id) || pumphouse.owners_of_team(g.team_id)) pair on true
        group by g.service_account_id
    ) g
    join public.service_account_user a on a.id = g.id,
         unnest(pumphouse.notice_rows(
           a.id,
           pumphouse.either(coalesce(g.owners, '{}'), pumphouse.owners_of_service_account(a.id)),
           ',"u":' || pumphouse.quoted(a.user_id))) said;
  perform pumphouse.send_notices('service_account_user', 'U', rows);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION pumphouse.notify_health()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  rows text[];
begin
  -- A change of state says its health itself: `set local pumphouse.quiet_health = 'on'`.
  if current_setting('pumphouse.quiet_health', true) = 'on' then
    return null;
  end if;
  if (select count(*) from (select from new_rows limit 50) few) < 50 then
    select array_agg(said order by w.id)
      from new_rows n
      join old_rows o on o.worker_id = n.worker_id
      join public.worker w on w.id = n.worker_id,
           unnest(pumphouse.notice_rows(
             w.id,
             pumphouse.owners_of_connector(w.connector_id),
             ',"c":"' || w.connector_id || '","st":"' || w.state || '"')) said
      where n.announced_health <> o.announced_health
      into rows;
  else
    execute $sql$
    select array_agg(said order by w.id)
      from new_rows n
      join old_rows o on o.worker_id = n.worker_id
      join public.worker w on w.id = n.worker_id,
           unnest(pumphouse.notice_rows(
             w.id,
             pumphouse.owners_of_connector(w.connector_id),
             ',"c":"' || w.connector_id || '","st":"' || w.state || '"')) said
      where n.announced_health <> o.announced_health
    $sql$ into rows;
  end if;
  perform pumphouse.send_notices('worker', 'H', rows);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION pumphouse.notify_of_connector()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
      declare
        rows text[];
      begin
        case tg_op
          when 'INSERT' then
            select array_agg(said order by r.id)
              into rows
              from new_rows r,
                   unnest(pumphouse.notice_rows(r.id, pumphouse.owner(r.team_id, r.env_id), '' || ',"w":' || coalesce('["' || pumphouse.worker_of_connector(r.id) || '"]', '[]'))) said;
          when 'UPDATE' then
            if (select count(*) from (select from new_rows limit 50) few) < 50 then
              
      select array_agg(said order by n.id)
        from (select r.id, r as image, pumphouse.owner(r.team_id, r.env_id) as owners, '' || ',"w":' || coalesce('["' || pumphouse.worker_of_connector(r.id) || '"]', '[]') as keys from new_rows r) n
        join (select r.id, r as image, pumphouse.owner(r.team_id, r.env_id) as owners from old_rows r) o on o.id = n.id,
             unnest(pumphouse.notice_rows(n.id, pumphouse.either(o.owners, n.owners), n.keys)) said
        where n.image *<> o.image
     into rows;
            else
              execute '
      select array_agg(said order by n.id)
        from (select r.id, r as image, pumphouse.owner(r.team_id, r.env_id) as owners, '''' || '',"w":'' || coalesce(''["'' || pumphouse.worker_of_connector(r.id) || ''"]'', ''[]'') as keys from new_rows r) n
        join (select r.id, r as image, pumphouse.owner(r.team_id, r.env_id) as owners from old_rows r) o on o.id = n.id,
             unnest(pumphouse.notice_rows(n.id, pumphouse.either(o.owners, n.owners), n.keys)) said
        where n.image *<> o.image
    ' into rows;
            end if;
          when 'DELETE' then
            select array_agg(said order by r.id)
              into rows
              from old_rows r,
                   unnest(pumphouse.notice_rows(r.id, pumphouse.owner(r.team_id, r.env_id), '' || ',"w":' || coalesce('["' || pumphouse.worker_of_connector(r.id) || '"]', '[]'))) said;
        end case;
        perform pumphouse.send_notices(tg_table_name, left(tg_op, 1), rows);
        return null;
      end
      $function$;

CREATE OR REPLACE FUNCTION pumphouse.notify_of_datamodel()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
      declare
        rows text[];
      begin
        case tg_op
          when 'INSERT' then
            select array_agg(said order by r.id)
              into rows
              from new_rows r,
                   unnest(pumphouse.notice_rows(r.id, pumphouse.owners_of_datamodel(r.id, r.source_connector_id), '')) said;
          when 'UPDATE' then
            if (select count(*) from (select from new_rows limit 50) few) < 50 then
              
      select array_agg(said order by n.id)
        from (select r.id, r as image, pumphouse.owners_of_datamodel(r.id, r.source_connector_id) as owners, '' as keys from new_rows r) n
        join (select r.id, r as image, pumphouse.owners_of_datamodel(r.id, r.source_connector_id) as owners from old_rows r) o on o.id = n.id,
             unnest(pumphouse.notice_rows(n.id, pumphouse.either(o.owners, n.owners), n.keys)) said
        where n.image *<> o.image
     into rows;
            else
              execute '
      select array_agg(said order by n.id)
        from (select r.id, r as image, pumphouse.owners_of_datamodel(r.id, r.source_connector_id) as owners, '''' as keys from new_rows r) n
        join (select r.id, r as image, pumphouse.owners_of_datamodel(r.id, r.source_connector_id) as owners from old_rows r) o on o.id = n.id,
             unnest(pumphouse.notice_rows(n.id, pumphouse.either(o.owners, n.owners), n.keys)) said
        where n.image *<> o.image
    ' into rows;
            end if;
          when 'DELETE' then
            select array_agg(said order by r.id)
              into rows
              from old_rows r,
                   unnest(pumphouse.notice_rows(r.id, pumphouse.owners_of_datamodel(r.id, r.source_connector_id), '')) said;
        end case;
        perform pumphouse.send_notices(tg_table_name, left(tg_op, 1), rows);
        return null;
      end
      $function$;

CREATE OR REPLACE FUNCTION pumphouse.notify_of_env()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
      declare
        rows text[];
      begin
        case tg_op
          when 'INSERT' then
            select array_agg(said order by r.id)
              into rows
              from new_rows r,
                   unnest(pumphouse.notice_rows(r.id, pumphouse.owner(null, r.id), '')) said;
          when 'UPDATE' then
            if (select count(*) from (select from new_rows limit 50) few) < 50 then
              
      select array_agg(said order by n.id)
        from (select r.id, r as image, pumphouse.owner(null, r.id) as owners, '' as keys from new_rows r) n
        join (select r.id, r as image, pumphouse.owner(null, r.id) as owners from old_rows r) o on o.id = n.id,
             unnest(pumphouse.notice_rows(n.id, pumphouse.either(o.owners, n.owners), n.keys)) said
        where n.image *<> o.image
     into rows;
            else
              execute '
      select array_agg(said order by n.id)
        from (select r.id, r as image, pumphouse.owner(null, r.id) as owners, '''' as keys from new_rows r) n
        join (select r.id, r as image, pumphouse.owner(null, r.id) as owners from old_rows r) o on o.id = n.id,
             unnest(pumphouse.notice_rows(n.id, pumphouse.either(o.owners, n.owners), n.keys)) said
        where n.image *<> o.image
    ' into rows;
            end if;
          when 'DELETE' then
            select array_agg(said order by r.id)
              into rows
              from old_rows r,
                   unnest(pumphouse.notice_rows(r.id, pumphouse.owner(null, r.id), '')) said;
        end case;
        perform pumphouse.send_notices(tg_table_name, left(tg_op, 1), rows);
        return null;
      end
      $function$;

CREATE OR REPLACE FUNCTION pumphouse.notify_of_env_member()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
      declare
        rows text[];
      begin
        case tg_op
          when 'INSERT' then
            select array_agg(said order by r.id)
              into rows
              from new_rows r,
                   unnest(pumphouse.notice_rows(r.id, pumphouse.owner(null, r.env_id), '' || ',"u":' || pumphouse.quoted(r.user_id) || ',"env":' || pumphouse.quoted(r.env_id))) said;
          when 'UPDATE' then
            if (select count(*) from (select from new_rows limit 50) few) < 50 then
              
      select array_agg(said order by n.id)
        from (select r.id, r as image, pumphouse.owner(null, r.env_id) as owners, '' || ',"u":' || pumphouse.quoted(r.user_id) || ',"env":' || pumphouse.quoted(r.env_id) as keys from new_rows r) n
        join (select r.id, r as image, pumphouse.owner(null, r.env_id) as owners from old_rows r) o on o.id = n.id,
             unnest(pumphouse.notice_rows(n.id, pumphouse.either(o.owners, n.owners), n.keys)) said
        where n.image *<> o.image
     into rows;
            else
              execute '
      select array_agg(said order by n.id)
        from (select r.id, r as image, pumphouse.owner(null, r.env_id) as owners, '''' || '',"u":'' || pumphouse.quoted(r.user_id) || '',"env":'' || pumphouse.quoted(r.env_id) as keys from new_rows r) n
        join (select r.id, r as image, pumphouse.owner(null, r.env_id) as owners from old_rows r) o on o.id = n.id,
             unnest(pumphouse.notice_rows(n.id, pumphouse.either(o.owners, n.owners), n.keys)) said
        where n.image *<> o.image
    ' into rows;
            end if;
          when 'DELETE' then
            select array_agg(said order by r.id)
              into rows
              from old_rows r,
                   unnest(pumphouse.notice_rows(r.id, pumphouse.owner(null, r.env_id), '' || ',"u":' || pumphouse.quoted(r.user_id) || ',"env":' || pumphouse.quoted(r.env_id))) said;
        end case;
        perform pumphouse.send_notices(tg_table_name, left(tg_op, 1), rows);
        return null;
      end
      $function$;

CREATE OR REPLACE FUNCTION pumphouse.notify_of_env_request()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
      declare
        rows text[];
      begin
        case tg_op
          when 'INSERT' then
            select array_agg(said order by r.id)
              into rows
              from new_rows r,
                   unnest(pumphouse.notice_rows(r.id, pumphouse.owner(null, r.env_id), '')) said;
          when 'UPDATE' then
            if (select count(*) from (select from new_rows limit 50) few) < 50 then
              
      select array_agg(said order by n.id)
        from (select r.id, r as image, pumphouse.owner(null, r.env_id) as owners, '' as keys from new_rows r) n
        join (select r.id, r as image, pumphouse.owner(null, r.env_id) as owners from old_rows r) o on o.id = n.id,
             unnest(pumphouse.notice_rows(n.id, pumphouse.either(o.owners, n.owners), n.keys)) said
        where n.image *<> o.image
     into rows;
            else
              execute '
      select array_agg(said order by n.id)
        from (select r.id, r as image, pumphouse.owner(null, r.env_id) as owners, '''' as keys from new_rows r) n
        join (select r.id, r as image, pumphouse.owner(null, r.env_id) as owners from old_rows r) o on o.id = n.id,
             unnest(pumphouse.notice_rows(n.id, pumphouse.either(o.owners, n.owners), n.keys)) said
        where n.image *<> o.image
    ' into rows;
            end if;
          when 'DELETE' then
            select array_agg(said order by r.id)
              into rows
              from old_rows r,
                   unnest(pumphouse.notice_rows(r.id, pumphouse.owner(null, r.env_id), '')) said;
        end case;
        perform pumphouse.send_notices(tg_table_name, left(tg_op, 1), rows);
        return null;
      end
      $function$;

CREATE OR REPLACE FUNCTION pumphouse.notify_of_license_state()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
      declare
        rows text[];
      begin
        case tg_op
          when 'INSERT' then
            select array_agg(said order by r.id)
              into rows
              from new_rows r,
                   unnest(pumphouse.notice_rows(r.id, '{}'::text[], '')) said;
          when 'UPDATE' then
            if (select count(*) from (select from new_rows limit 50) few) < 50 then
              
      select array_agg(said order by n.id)
        from (select r.id, r as image, '{}'::text[] as owners, '' as keys from new_rows r) n
        join (select r.id, r as image, '{}'::text[] as owners from old_rows r) o on o.id = n.id,
             unnest(pumphouse.notice_rows(n.id, pumphouse.either(o.owners, n.owners), n.keys)) said
        where n.image *<> o.image
     into rows;
            else
              execute '
      select array_agg(said order by n.id)
        from (select r.id, r as image, ''{}''::text[] as owners, '''' as keys from new_rows r) n
        join (select r.id, r as image, ''{}''::text[] as owners from old_rows r) o on o.id = n.id,
             unnest(pumphouse.notice_rows(n.id, pumphouse.either(o.owners, n.owners), n.keys)) said
        where n.image *<> o.image
    ' into rows;
            end if;
          when 'DELETE' then
            select array_agg(said order by r.id)
              into rows
              from old_rows r,
                   unnest(pumphouse.notice_rows(r.id, '{}'::text[], '')) said;
        end case;
        perform pumphouse.send_notices(tg_table_name, left(tg_op, 1), rows);
        return null;
      end
      $function$;

CREATE OR REPLACE FUNCTION pumphouse.notify_of_pipeline()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
      declare
        rows text[];
      begin
        case tg_op
          when 'INSERT' then
            select array_agg(said order by r.id)
              into rows
              from new_rows r,
                   unnest(pumphouse.notice_rows(r.id, pumphouse.owner(r.team_id, r.env_id), '')) said;
          when 'UPDATE' then
            if (select count(*) from (select from new_rows limit 50) few) < 50 then
              
      select array_agg(said order by n.id)
        from (select r.id, r as image, pumphouse.owner(r.team_id, r.env_id) as owners, '' as keys from new_rows r) n
        join (select r.id, r as image, pumphouse.owner(r.team_id, r.env_id) as owners from old_rows r) o on o.id = n.id,
             unnest(pumphouse.notice_rows(n.id, pumphouse.either(o.owners, n.owners), n.keys)) said
        where n.image *<> o.image
     into rows;
            else
              execute '
      select array_agg(said order by n.id)
        from (select r.id, r as image, pumphouse.owner(r.team_id, r.env_id) as owners, '''' as keys from new_rows r) n
        join (select r.id, r as image, pumphouse.owner(r.team_id, r.env_id) as owners from old_rows r) o on o.id = n.id,
             unnest(pumphouse.notice_rows(n.id, pumphouse.either(o.owners, n.owners), n.keys)) said
        where n.image *<> o.image
    ' into rows;
            end if;
          when 'DELETE' then
            select array_agg(said order by r.id)
              into rows
              from old_rows r,
                   unnest(pumphouse.notice_rows(r.id, pumphouse.owner(r.team_id, r.env_id), '')) said;
        end case;
        perform pumphouse.send_notices(tg_table_name, left(tg_op, 1), rows);
        return null;
      end
      $function$;

CREATE OR REPLACE FUNCTION pumphouse.notify_of_schema()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
      declare
        rows text[];
      begin
        case tg_op
          when 'INSERT' then
            select array_agg(said order by r.id)
              into rows
              from new_rows r,
                   unnest(pumphouse.notice_rows(r.id, '{}'::text[], '')) said;
          when 'UPDATE' then
            if (select count(*) from (select from new_rows limit 50) few) < 50 then
              
      select array_agg(said order by n.id)
        from (select r.id, r as image, '{}'::text[] as owners, '' as keys from new_rows r) n
        join (select r.id, r as image, '{}'::text[] as owners from old_rows r) o on o.id = n.id,
             unnest(pumphouse.notice_rows(n.id, pumphouse.either(o.owners, n.owners), n.keys)) said
        where n.image *<> o.image
     into rows;
            else
              execute '
      select array_agg(said order by n.id)
        from (select r.id, r as image, ''{}''::text[] as owners, '''' as keys from new_rows r) n
        join (select r.id, r as image, ''{}''::text[] as owners from old_rows r) o on o.id = n.id,
             unnest(pumphouse.notice_rows(n.id, pumphouse.either(o.owners, n.owners), n.keys)) said
        where n.image *<> o.image
    ' into rows;
            end if;
          when 'DELETE' then
            select array_agg(said order by r.id)
              into rows
              from old_rows r,
                   unnest(pumphouse.notice_rows(r.id, '{}'::text[], '')) said;
        end case;
        perform pumphouse.send_notices(tg_table_name, left(tg_op, 1), rows);
        return null;
      end
      $function$;

CREATE OR REPLACE FUNCTION pumphouse.notify_of_schema_version()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
      declare
        rows text[];
      begin
        case tg_op
          when 'INSERT' then
            select array_agg(said order by r.id)
              into rows
              from new_rows r,
                   unnest(pumphouse.notice_rows(r.id, '{}'::text[], '')) said;
          when 'UPDATE' then
            if (select count(*) from (select from new_rows limit 50) few) < 50 then
              
      select array_agg(said order by n.id)
        from (select r.id, r as image, '{}'::text[] as owners, '' as keys from new_rows r) n
        join (select r.id, r as image, '{}'::text[] as owners from old_rows r) o on o.id = n.id,
             unnest(pumphouse.notice_rows(n.id, pumphouse.either(o.owners, n.owners), n.keys)) said
        where n.image *<> o.image
     into rows;
            else
              execute '
      select array_agg(said order by n.id)
        from (select r.id, r as image, ''{}''::text[] as owners, '''' as keys from new_rows r) n
        join (select r.id, r as image, ''{}''::text[] as owners from old_rows r) o on o.id = n.id,
             unnest(pumphouse.notice_rows(n.id, pumphouse.either(o.owners, n.owners), n.keys)) said
        where n.image *<> o.image
    ' into rows;
            end if;
          when 'DELETE' then
            select array_agg(said order by r.id)
              into rows
              from old_rows r,
                   unnest(pumphouse.notice_rows(r.id, '{}'::text[], '')) said;
        end case;
        perform pumphouse.send_notices(tg_table_name, left(tg_op, 1), rows);
        return null;
      end
      $function$;

CREATE OR REPLACE FUNCTION pumphouse.notify_of_service_account_user()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
      declare
        rows text[];
      begin
        case tg_op
          when 'INSERT' then
            select array_agg(said order by r.id)
              into rows
              from new_rows r,
                   unnest(pumphouse.notice_rows(r.id, pumphouse.owners_of_service_account(r.id), '' || ',"u":' || pumphouse.quoted(r.user_id))) said;
          when 'UPDATE' then
            if (select count(*) from (select from new_rows limit 50) few) < 50 then
              
      select array_agg(said order by n.id)
        from (select r.id, r as image, pumphouse.owners_of_service_account(r.id) as owners, '' || ',"u":' || pumphouse.quoted(r.user_id) as keys from new_rows r) n
        join (select r.id, r as image, pumphouse.owners_of_service_account(r.id) as owners from old_rows r) o on o.id = n.id,
             unnest(pumphouse.notice_rows(n.id, pumphouse.either(o.owners, n.owners), n.keys)) said
        where n.image *<> o.image
     into rows;
            else
              execute '
      select array_agg(said order by n.id)
        from (select r.id, r as image, pumphouse.owners_of_service_account(r.id) as owners, '''' || '',"u":'' || pumphouse.quoted(r.user_id) as keys from new_rows r) n
        join (select r.id, r as image, pumphouse.owners_of_service_account(r.id) as owners from old_rows r) o on o.id = n.id,
             unnest(pumphouse.notice_rows(n.id, pumphouse.either(o.owners, n.owners), n.keys)) said
        where n.image *<> o.image
    ' into rows;
            end if;
          when 'DELETE' then
            select array_agg(said order by r.id)
              into rows
              from old_rows r,
                   unnest(pumphouse.notice_rows(r.id, pumphouse.owners_of_service_account(r.id), '' || ',"u":' || pumphouse.quoted(r.user_id))) said;
        end case;
        perform pumphouse.send_notices(tg_table_name, left(tg_op, 1), rows);
        return null;
      end
      $function$;

CREATE OR REPLACE FUNCTION pumphouse.notify_of_subscription()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
      declare
        rows text[];
      begin
        case tg_op
          when 'INSERT' then
            select array_agg(said order by r.id)
              into rows
              from new_rows r,
                   unnest(pumphouse.notice_rows(r.id, pumphouse.owners_of_subscription(r.pipeline_id, r.target_connector_id, r.datamodel_id), '' || ',"p":' || pumphouse.quoted(r.pipeline_id))) said;
          when 'UPDATE' then
            if (select count(*) from (select from new_rows limit 50) few) < 50 then
              
      select array_agg(said order by n.id)
        from (select r.id, r as image, pumphouse.owners_of_subscription(r.pipeline_id, r.target_connector_id, r.datamodel_id) as owners, '' || ',"p":' || pumphouse.quoted(r.pipeline_id) as keys from new_rows r) n
        join (select r.id, r as image, pumphouse.owners_of_subscription(r.pipeline_id, r.target_connector_id, r.datamodel_id) as owners from old_rows r) o on o.id = n.id,
             unnest(pumphouse.notice_rows(n.id, pumphouse.either(o.owners, n.owners), n.keys)) said
        where n.image *<> o.image
     into rows;
            else
              execute '
      select array_agg(said order by n.id)
        from (select r.id, r as image, pumphouse.owners_of_subscription(r.pipeline_id, r.target_connector_id, r.datamodel_id) as owners, '''' || '',"p":'' || pumphouse.quoted(r.pipeline_id) as keys from new_rows r) n
        join (select r.id, r as image, pumphouse.owners_of_subscription(r.pipeline_id, r.target_connector_id, r.datamodel_id) as owners from old_rows r) o on o.id = n.id,
             unnest(pumphouse.notice_rows(n.id, pumphouse.either(o.owners, n.owners), n.keys)) said
        where n.image *<> o.image
    ' into rows;
            end if;
          when 'DELETE' then
            select array_agg(said order by r.id)
              into rows
              from old_rows r,
                   unnest(pumphouse.notice_rows(r.id, pumphouse.owners_of_subscription(r.pipeline_id, r.target_connector_id, r.datamodel_id), '' || ',"p":' || pumphouse.quoted(r.pipeline_id))) said;
        end case;
        perform pumphouse.send_notices(tg_table_name, left(tg_op, 1), rows);
        return null;
      end
      $function$;

CREATE OR REPLACE FUNCTION pumphouse.notify_of_sync_run()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
      declare
        rows text[];
      begin
        case tg_op
          when 'INSERT' then
            select array_agg(said order by r.id)
              into rows
              from new_rows r,
                   unnest(pumphouse.notice_rows(r.id, pumphouse.owners_of_connector(r.connector_id), '' || ',"c":' || pumphouse.quoted(r.connector_id))) said;
          when 'UPDATE' then
            if (select count(*) from (select from new_rows limit 50) few) < 50 then
              
      select array_agg(said order by n.id)
        from (select r.id, r as image, pumphouse.owners_of_connector(r.connector_id) as owners, '' || ',"c":' || pumphouse.quoted(r.connector_id) as keys from new_rows r) n
        join (select r.id, r as image, pumphouse.owners_of_connector(r.connector_id) as owners from old_rows r) o on o.id = n.id,
             unnest(pumphouse.notice_rows(n.id, pumphouse.either(o.owners, n.owners), n.keys)) said
        where n.image *<> o.image
     into rows;
            else
              execute '
      select array_agg(said order by n.id)
        from (select r.id, r as image, pumphouse.owners_of_connector(r.connector_id) as owners, '''' || '',"c":'' || pumphouse.quoted(r.connector_id) as keys from new_rows r) n
        join (select r.id, r as image, pumphouse.owners_of_connector(r.connector_id) as owners from old_rows r) o on o.id = n.id,
             unnest(pumphouse.notice_rows(n.id, pumphouse.either(o.owners, n.owners), n.keys)) said
        where n.image *<> o.image
    ' into rows;
            end if;
          when 'DELETE' then
            select array_agg(said order by r.id)
              into rows
              from old_rows r,
                   unnest(pumphouse.notice_rows(r.id, pumphouse.owners_of_connector(r.connector_id), '' || ',"c":' || pumphouse.quoted(r.connector_id))) said;
        end case;
        perform pumphouse.send_notices(tg_table_name, left(tg_op, 1), rows);
        return null;
      end
      $function$;

CREATE OR REPLACE FUNCTION pumphouse.notify_of_sync_table()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
      declare
        rows text[];
      begin
        case tg_op
          when 'INSERT' then
            select array_agg(said order by r.id)
              into rows
              from new_rows r,
                   unnest(pumphouse.notice_rows(r.id, pumphouse.owners_of_connector(pumphouse.connector_of_sync_run(r.sync_run_id)), '' || ',"run":' || pumphouse.quoted(r.sync_run_id) || ',"c":' || pumphouse.quoted(pumphouse.connector_of_sync_run(r.sync_run_id)))) said;
          when 'UPDATE' then
            if (select count(*) from (select from new_rows limit 50) few) < 50 then
              
      select array_agg(said order by n.id)
        from (select r.id, r as image, pumphouse.owners_of_connector(pumphouse.connector_of_sync_run(r.sync_run_id)) as owners, '' || ',"run":' || pumphouse.quoted(r.sync_run_id) || ',"c":' || pumphouse.quoted(pumphouse.connector_of_sync_run(r.sync_run_id)) as keys from new_rows r) n
        join (select r.id, r as image, pumphouse.owners_of_connector(pumphouse.connector_of_sync_run(r.sync_run_id)) as owners from old_rows r) o on o.id = n.id,
             unnest(pumphouse.notice_rows(n.id, pumphouse.either(o.owners, n.owners), n.keys)) said
        where n.image *<> o.image
     into rows;
            else
              execute '
      select array_agg(said order by n.id)
        from (select r.id, r as image, pumphouse.owners_of_connector(pumphouse.connector_of_sync_run(r.sync_run_id)) as owners, '''' || '',"run":'' || pumphouse.quoted(r.sync_run_id) || '',"c":'' || pumphouse.quoted(pumphouse.connector_of_sync_run(r.sync_run_id)) as keys from new_rows r) n
        join (select r.id, r as image, pumphouse.owners_of_connector(pumphouse.connector_of_sync_run(r.sync_run_id)) as owners from old_rows r) o on o.id = n.id,
             unnest(pumphouse.notice_rows(n.id, pumphouse.either(o.owners, n.owners), n.keys)) said
        where n.image *<> o.image
    ' into rows;
            end if;
          when 'DELETE' then
            if (select count(*) from (select from old_rows limit 10000) many) = 10000 then
              perform pumphouse.say(format('{"t":"%s","op":"T"}', tg_table_name));
              return null;
            end if;
            select array_agg(said order by r.id)
              into rows
              from old_rows r,
                   unnest(pumphouse.notice_rows(r.id, pumphouse.owners_of_connector(pumphouse.connector_of_sync_run(r.sync_run_id)), '' || ',"run":' || pumphouse.quoted(r.sync_run_id) || ',"c":' || pumphouse.quoted(pumphouse.connector_of_sync_run(r.sync_run_id)))) said;
        end case;
        perform pumphouse.send_notices(tg_table_name, left(tg_op, 1), rows);
        return null;
      end
      $function$;

CREATE OR REPLACE FUNCTION pumphouse.notify_of_sync_table_progress()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  rows text[];
begin
  if (select count(*) from (select from new_rows limit 50) few) < 50 then
    select array_agg(said order by r.id)
      from new_rows n
      join old_rows o on o.sync_table_id = n.sync_table_id
      join public.sync_table r on r.id = n.sync_table_id,
           lateral (select pumphouse.connector_of_sync_run(r.sync_run_id) as id) c,
           unnest(pumphouse.notice_rows(r.id, pumphouse.owners_of_connector(c.id),
             ',"run":' || pumphouse.quoted(r.sync_run_id) || ',"c":' || pumphouse.quoted(c.id))) said
      where (n.reported, n.restarts) is distinct from (o.reported, o.restarts)
      into rows;
  else
    execute $sql$
    select array_agg(said order by r.id)
      from new_rows n
      join old_rows o on o.sync_table_id = n.sync_table_id
      join public.sync_table r on r.id = n.sync_table_id,
           lateral (select pumphouse.connector_of_sync_run(r.sync_run_id) as id) c,
           unnest(pumphouse.notice_rows(r.id, pumphouse.owners_of_connector(c.id),
             ',"run":' || pumphouse.quoted(r.sync_run_id) || ',"c":' || pumphouse.quoted(c.id))) said
      where (n.reported, n.restarts) is distinct from (o.reported, o.restarts)
    $sql$ into rows;
  end if;
  perform pumphouse.send_notices('sync_table', 'U', rows);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION pumphouse.notify_of_team()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
      declare
        rows text[];
      begin
        case tg_op
          when 'INSERT' then
            select array_agg(said order by r.id)
              into rows
              from new_rows r,
                   unnest(pumphouse.notice_rows(r.id, pumphouse.owner(r.id, r.env_id), '')) said;
          when 'UPDATE' then
            if (select count(*) from (select from new_rows limit 50) few) < 50 then
              
      select array_agg(said order by n.id)
        from (select r.id, r as image, pumphouse.owner(r.id, r.env_id) as owners, '' as keys from new_rows r) n
        join (select r.id, r as image, pumphouse.owner(r.id, r.env_id) as owners from old_rows r) o on o.id = n.id,
             unnest(pumphouse.notice_rows(n.id, pumphouse.either(o.owners, n.owners), n.keys)) said
        where n.image *<> o.image
     into rows;
            else
              execute '
      select array_agg(said order by n.id)
        from (select r.id, r as image, pumphouse.owner(r.id, r.env_id) as owners, '''' as keys from new_rows r) n
        join (select r.id, r as image, pumphouse.owner(r.id, r.env_id) as owners from old_rows r) o on o.id = n.id,
             unnest(pumphouse.notice_rows(n.id, pumphouse.either(o.owners, n.owners), n.keys)) said
        where n.image *<> o.image
    ' into rows;
            end if;
          when 'DELETE' then
            select array_agg(said order by r.id)
              into rows
              from old_rows r,
                   unnest(pumphouse.notice_rows(r.id, pumphouse.owner(r.id, r.env_id), '')) said;
        end case;
        perform pumphouse.send_notices(tg_table_name, left(tg_op, 1), rows);
        return null;
      end
      $function$;

CREATE OR REPLACE FUNCTION pumphouse.notify_of_team_member()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
      declare
        rows text[];
      begin
        case tg_op
          when 'INSERT' then
            select array_agg(said order by r.id)
              into rows
              from new_rows r,
                   unnest(pumphouse.notice_rows(r.id, pumphouse.owners_of_team(r.team_id), '' || ',"u":' || pumphouse.quoted(r.user_id) || ',"team":' || pumphouse.quoted(r.team_id))) said;
          when 'UPDATE' then
            if (select count(*) from (select from new_rows limit 50) few) < 50 then
              
      select array_agg(said order by n.id)
        from (select r.id, r as image, pumphouse.owners_of_team(r.team_id) as owners, '' || ',"u":' || pumphouse.quoted(r.user_id) || ',"team":' || pumphouse.quoted(r.team_id) as keys from new_rows r) n
        join (select r.id, r as image, pumphouse.owners_of_team(r.team_id) as owners from old_rows r) o on o.id = n.id,
             unnest(pumphouse.notice_rows(n.id, pumphouse.either(o.owners, n.owners), n.keys)) said
        where n.image *<> o.image
     into rows;
            else
              execute '
      select array_agg(said order by n.id)
        from (select r.id, r as image, pumphouse.owners_of_team(r.team_id) as owners, '''' || '',"u":'' || pumphouse.quoted(r.user_id) || '',"team":'' || pumphouse.quoted(r.team_id) as keys from new_rows r) n
        join (select r.id, r as image, pumphouse.owners_of_team(r.team_id) as owners from old_rows r) o on o.id = n.id,
             unnest(pumphouse.notice_rows(n.id, pumphouse.either(o.owners, n.owners), n.keys)) said
        where n.image *<> o.image
    ' into rows;
            end if;
          when 'DELETE' then
            select array_agg(said order by r.id)
              into rows
              from old_rows r,
                   unnest(pumphouse.notice_rows(r.id, pumphouse.owners_of_team(r.team_id), '' || ',"u":' || pumphouse.quoted(r.user_id) || ',"team":' || pumphouse.quoted(r.team_id))) said;
        end case;
        perform pumphouse.send_notices(tg_table_name, left(tg_op, 1), rows);
        return null;
      end
      $function$;

CREATE OR REPLACE FUNCTION pumphouse.notify_of_team_request()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
      declare
        rows text[];
      begin
        case tg_op
          when 'INSERT' then
            select array_agg(said order by r.id)
              into rows
              from new_rows r,
                   unnest(pumphouse.notice_rows(r.id, pumphouse.owners_of_team(r.team_id), '')) said;
          when 'UPDATE' then
            if (select count(*) from (select from new_rows limit 50) few) < 50 then
              
      select array_agg(said order by n.id)
        from (select r.id, r as image, pumphouse.owners_of_team(r.team_id) as owners, '' as keys from new_rows r) n
        join (select r.id, r as image, pumphouse.owners_of_team(r.team_id) as owners from old_rows r) o on o.id = n.id,
             unnest(pumphouse.notice_rows(n.id, pumphouse.either(o.owners, n.owners), n.keys)) said
        where n.image *<> o.image
     into rows;
            else
              execute '
      select array_agg(said order by n.id)
        from (select r.id, r as image, pumphouse.owners_of_team(r.team_id) as owners, '''' as keys from new_rows r) n
        join (select r.id, r as image, pumphouse.owners_of_team(r.team_id) as owners from old_rows r) o on o.id = n.id,
             unnest(pumphouse.notice_rows(n.id, pumphouse.either(o.owners, n.owners), n.keys)) said
        where n.image *<> o.image
    ' into rows;
            end if;
          when 'DELETE' then
            select array_agg(said order by r.id)
              into rows
              from old_rows r,
                   unnest(pumphouse.notice_rows(r.id, pumphouse.owners_of_team(r.team_id), '')) said;
        end case;
        perform pumphouse.send_notices(tg_table_name, left(tg_op, 1), rows);
        return null;
      end
      $function$;

CREATE OR REPLACE FUNCTION pumphouse.notify_of_user()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
      declare
        rows text[];
      begin
        case tg_op
          when 'INSERT' then
            select array_agg(said order by r.id)
              into rows
              from new_rows r,
                   unnest(pumphouse.notice_rows(r.id, '{}'::text[], '')) said;
          when 'UPDATE' then
            if (select count(*) from (select from new_rows limit 50) few) < 50 then
              
      select array_agg(said order by n.id)
        from (select r.id, r as image, '{}'::text[] as owners, '' as keys from new_rows r) n
        join (select r.id, r as image, '{}'::text[] as owners from old_rows r) o on o.id = n.id,
             unnest(pumphouse.notice_rows(n.id, pumphouse.either(o.owners, n.owners), n.keys)) said
        where n.image *<> o.image
     into rows;
            else
              execute '
      select array_agg(said order by n.id)
        from (select r.id, r as image, ''{}''::text[] as owners, '''' as keys from new_rows r) n
        join (select r.id, r as image, ''{}''::text[] as owners from old_rows r) o on o.id = n.id,
             unnest(pumphouse.notice_rows(n.id, pumphouse.either(o.owners, n.owners), n.keys)) said
        where n.image *<> o.image
    ' into rows;
            end if;
          when 'DELETE' then
            select array_agg(said order by r.id)
              into rows
              from old_rows r,
                   unnest(pumphouse.notice_rows(r.id, '{}'::text[], '')) said;
        end case;
        perform pumphouse.send_notices(tg_table_name, left(tg_op, 1), rows);
        return null;
      end
      $function$;

CREATE OR REPLACE FUNCTION pumphouse.notify_truncated()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform pumphouse.say(format('{"t":"%s","op":"T"}', tg_table_name));
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION pumphouse.notify_worker()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  rows text[];
begin
  case tg_op
    when 'INSERT' then
      select array_agg(said order by n.id)
        into rows
        from new_rows n,
             unnest(pumphouse.notice_rows(
               n.id,
               pumphouse.owners_of_connector(n.connector_id),
               ',"c":"' || n.connector_id || '","s":' || pumphouse.latest_transition(n.id))) said;
    when 'UPDATE' then
      select array_agg(said order by n.id)
        into rows
        from new_rows n
        join old_rows o on o.id = n.id,
             unnest(pumphouse.notice_rows(
               n.id,
               pumphouse.owners_of_connector(n.connector_id),
               ',"c":"' || n.connector_id || '","s":'
                 || case
                      when (n.state, n.reason, n.launch_generation)
                        is distinct from (o.state, o.reason, o.launch_generation)
                      then pumphouse.latest_transition(n.id)
                      else '[]'
                    end)) said
        where (n.state, n.reason, n.launch_generation, n.stop_requested_at, n.connector_id)
          is distinct from (o.state, o.reason, o.launch_generation, o.stop_requested_at, o.connector_id);
    when 'DELETE' then
      select array_agg(said order by o.id)
        into rows
        from old_rows o,
             unnest(pumphouse.notice_rows(
               o.id,
               pumphouse.owners_of_connector(o.connector_id),
               ',"c":"' || o.connector_id || '","s":[]')) said;
  end case;
  perform pumphouse.send_notices('worker', left(tg_op, 1), rows);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION pumphouse.notify_worker_of_row()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform pumphouse.send_notices('worker', 'U', pumphouse.notice_rows(
    new.id,
    pumphouse.owners_of_connector(new.connector_id),
    ',"c":"' || new.connector_id || '","s":'
      || case
           when (new.state, new.reason, new.launch_generation) is distinct from (old.state, old.reason, old.launch_generation)
           then pumphouse.latest_transition(new.id)
           else '[]'
         end));
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION pumphouse.owner(team_id uuid, env_id uuid)
 RETURNS text[]
 LANGUAGE sql
 IMMUTABLE
AS $function$
  select case
    when team_id is null and env_id is null then '{}'::text[]
    else array['[' || pumphouse.quoted(team_id) || ',' || pumphouse.quoted(env_id) || ']']
  end
$function$;

CREATE OR REPLACE FUNCTION pumphouse.owners_of(tbl text, id uuid)
 RETURNS text[]
 LANGUAGE plpgsql
 STABLE
AS $function$
begin
  case tbl
    when 'env' then return pumphouse.owner(null, $2);
    when 'team' then return pumphouse.owners_of_team($2);
    when 'connector' then return pumphouse.owners_of_connector($2);
    when 'datamodel' then return pumphouse.owners_of_datamodel($2);
    when 'pipeline' then return pumphouse.owners_of_pipeline($2);
    when 'subscription' then
      return (select pumphouse.owners_of_subscription(s.pipeline_id, s.target_connector_id, s.datamodel_id)
                from public.subscription s where s.id = $2);
    when 'worker' then
      return (select pumphouse.owners_of_connector(w.connector_id) from public.worker w where w.id = $2);
    when 'sync_run' then return pumphouse.owners_of_connector(pumphouse.connector_of_sync_run($2));
    when 'sync_table' then
      return (select pumphouse.owners_of_connector(pumphouse.connector_of_sync_run(t.sync_run_id))
                from public.sync_table t where t.id = $2);
    when 'service_account_user' then return pumphouse.owners_of_service_account($2);
    when 'env_request' then
      return (select pumphouse.owner(null, r.env_id) from public.env_request r where r.id = $2);
    when 'team_request' then
      return (select pumphouse.owners_of_team(r.team_id) from public.team_request r where r.id = $2);
  end case;
end
$function$;

CREATE OR REPLACE FUNCTION pumphouse.owners_of_connector(id uuid)
 RETURNS text[]
 LANGUAGE plpgsql
 STABLE
AS $function$
begin
  return coalesce(
    (select pumphouse.owner(c.team_id, c.env_id) from public.connector c where c.id = $1),
    pumphouse.former_owners($1));
end
$function$;

CREATE OR REPLACE FUNCTION pumphouse.owners_of_datamodel(id uuid)
 RETURNS text[]
 LANGUAGE plpgsql
 STABLE
AS $function$
begin
  return coalesce(
    (select pumphouse.owners_of_datamodel(d.id, d.source_connector_id) from public.datamodel d where d.id = $1),
    pumphouse.former_owners($1));
end
$function$;

CREATE OR REPLACE FUNCTION pumphouse.owners_of_datamodel(id uuid, source_connector_id uuid)
 RETURNS text[]
 LANGUAGE plpgsql
 STABLE
AS $function$
begin
  return coalesce(
    nullif(pumphouse.owners_of_connector($2), '{}'),
    (select array_agg(distinct pair)
       from public.pipeline p,
            unnest(pumphouse.owner(p.team_id, p.env_id)) pair
       where p.datamodel_id = $1),
    '{}');
end
$function$;

CREATE OR REPLACE FUNCTION pumphouse.owners_of_pipeline(id uuid)
 RETURNS text[]
 LANGUAGE plpgsql
 STABLE
AS $function$
begin
  return coalesce(
    (select pumphouse.owner(p.team_id, p.env_id) from public.pipeline p where p.id = $1),
    pumphouse.former_owners($1));
end
$function$;

CREATE OR REPLACE FUNCTION pumphouse.owners_of_service_account(id uuid)
 RETURNS text[]
 LANGUAGE plpgsql
 STABLE
AS $function$
begin
  return coalesce(
    (select array_agg(distinct pair)
       from pumphouse.service_account_grant g
       left join public.team t on t.id = g.team_id,
            unnest(pumphouse.owner(g.team_id, coalesce(g.env_id, t.env_id))) pair
       where g.service_account_id = $1),
    pumphouse.former_owners($1));
end
$function$;

CREATE OR REPLACE FUNCTION pumphouse.owners_of_subscription(pipeline_id uuid, target_connector_id uuid, datamodel_id uuid)
 RETURNS text[]
 LANGUAGE plpgsql
 STABLE
AS $function$
begin
  return coalesce(
    nullif(pumphouse.owners_of_pipeline($1), '{}'),
    nullif(pumphouse.owners_of_connector($2), '{}'),
    pumphouse.owners_of_datamodel($3));
end
$function$;

CREATE OR REPLACE FUNCTION pumphouse.owners_of_team(id uuid)
 RETURNS text[]
 LANGUAGE plpgsql
 STABLE
AS $function$
begin
  return coalesce(
    (select pumphouse.owner(t.id, t.env_id) from public.team t where t.id = $1),
    pumphouse.former_owners($1));
end
$function$;

CREATE OR REPLACE FUNCTION pumphouse.quoted(value uuid)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
AS $function$
  select coalesce('"' || value::text || '"', 'null')
$function$;

CREATE OR REPLACE FUNCTION pumphouse.raise_epoch()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  update pumphouse.credential
    set epoch = epoch + 1,
        changed_at = clock_timestamp()
    where user_id = new.id;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION pumphouse.raise_revision()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if current_setting('pumphouse.keep_revision', true) is distinct from 'on' then
    update pumphouse.connector_revision
      set revision = revision + 1,
          changed_at = clock_timestamp()
      where connector_id = new.id;
  end if;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION pumphouse.recomplete(pipelines uuid[])
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  perform 1
    from public.pipeline p
    where p.id = any(pipelines)
    order by p.id
    for no key update;
  update public.pipeline p
    set is_completed = not coalesce(p.is_completed, false)
    where p.id = any(pipelines)
      and p.is_completed is distinct from pumphouse.is_complete(p.id, p.source_connector_id, p.target_connector_id);
end
$function$;

CREATE OR REPLACE FUNCTION pumphouse.renew_backfills()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  rows text[];
begin
  with renewed as (
    update pumphouse.backfill_request r
      set id = gen_random_uuid(),
          requested_at = clock_timestamp()
      from public.subscription s
      where s.datamodel_id = new.id
        and s.backfill
        and r.subscription_id = s.id
        and r.confirmed_at is null
      returning s.id, s.target_connector_id as connector
  )
  select array_agg(said)
    into rows
    from renewed,
         unnest(pumphouse.notice_rows(renewed.id, '{}', ',"c":"' || renewed.connector || '"')) said
    where renewed.connector is not null;
  perform pumphouse.send_notices('backfill', 'U', rows);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION pumphouse.say(payload text)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  perform pg_notify('pumphouse', payload);
  if exists (select from pumphouse.polling p where p.until > clock_timestamp()) then
    insert into pumphouse.change_log (payload)
      values ($1);
  end if;
end
$function$;

CREATE OR REPLACE FUNCTION pumphouse.send_notices(tbl text, op text, rows text[])
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  head text := format('{"t":"%s","op":"%s","x":"%s","at":%s,"r":[', tbl, op, pg_current_xact_id(),
    (extract(epoch from statement_timestamp()) * 1000)::bigint);
  body text := '';
  one_row text;
begin
  foreach one_row in array coalesce(rows, '{}') loop
    if body <> '' and octet_length(head) + octet_length(body) + octet_length(one_row) + 3 > 7900 then
      perform pumphouse.say(head || body || ']}');
      body := '';
    end if;
    body := body || case when body = '' then '' else ',' end || one_row;
  end loop;
  if body <> '' then
    perform pumphouse.say(head || body || ']}');
  end if;
end
$function$;

CREATE OR REPLACE FUNCTION pumphouse.state_of_pipeline(completed boolean, active boolean, source character varying, target character varying)
 RETURNS character varying
 LANGUAGE sql
 IMMUTABLE
AS $function$
  select case
    when completed is not true then 'DRAFT'
    when active is not true then 'PAUSED'
    when source = 'ERROR' or target = 'ERROR' then 'ERROR'
    when source = 'STOPPING' or target = 'STOPPING' then 'STOPPING'
    when source = 'BUILDING' or target = 'BUILDING' then 'BUILDING'
    when source = 'LIVE' and target = 'LIVE' then 'LIVE'
    else 'PAUSED'
  end
$function$;

CREATE OR REPLACE FUNCTION pumphouse.tally_sql(relation text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
AS $function$
  select format($sql$
    select s.sync_run_id,
           bool_or(s.moved) as moved,
           sum(s.sign) as tables,
           coalesce(sum(s.sign) filter (where s.status = 'IN_PROGRESS'), 0) as reading,
           coalesce(sum(s.sign) filter (where s.status not in ('QUEUED', 'IN_PROGRESS')), 0) as ended,
           coalesce(sum(s.sign) filter (where s.status = 'COMPLETED'), 0) as completed,
           coalesce(sum(s.sign) filter (where s.status in ('COMPLETED', 'PARTIAL')), 0) as touched,
           coalesce(sum(s.sign) filter (where s.approximate_row_count is not null), 0) as estimated,
           sum(s.sign * s.rows_ingested::numeric) as rows,
           sum(s.sign * greatest(s.approximate_row_count, 0)::numeric) as estimate,
           sum(s.sign * case
             when s.approximate_row_count is null then 0
             when s.status = 'COMPLETED' then greatest(s.approximate_row_count, 0)
             else greatest(least(s.rows_ingested, s.approximate_row_count), 0)
           end::numeric) as read,
           coalesce(sum(s.sign * greatest(s.approximate_row_count::numeric - greatest(s.rows_ingested, 0), 0))
             filter (where s.status in ('QUEUED', 'IN_PROGRESS')), 0) as remaining
      from (%s) s
      group by s.sync_run_id
  $sql$, relation)
$function$;

CREATE OR REPLACE FUNCTION pumphouse.tally_sync_tables()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'INSERT' then
    insert into pumphouse.sync_run_tally (sync_run_id)
      select distinct sync_run_id
        from new_rows
      on conflict do nothing;
  end if;
  execute format(
    'update pumphouse.sync_run_tally t
       set tables = t.tables + c.tables,
           reading = t.reading + c.reading,
           ended = t.ended + c.ended,
           completed = t.completed + c.completed,
           touched = t.touched + c.touched,
           estimated = t.estimated + c.estimated,
           rows = t.rows + c.rows,
           estimate = t.estimate + c.estimate,
           read = t.read + c.read,
           remaining = t.remaining + c.remaining,
           last_progress_at = case when c.moved then n.now else t.last_progress_at end,
           mark_rows = case n.mark when 0 then t.rows + c.rows when 1 then t.next_mark_rows else t.mark_rows end,
           mark_at = case n.mark when 0 then n.now when 1 then t.next_mark_at else t.mark_at end,
           next_mark_rows = case
             when n.mark = 0 then null
             when n.mark = 1 or t.next_mark_at is null then t.rows + c.rows
             else t.next_mark_rows
           end,
           next_mark_at = case
             when n.mark = 0 then null
             when n.mark = 1 or t.next_mark_at is null then n.now
             else t.next_mark_at
           end
       from (%s) c
       join pumphouse.sync_run_tally p on p.sync_run_id = c.sync_run_id,
            lateral (select clock_timestamp() as now,
                            case
                              when c.rows < 0 or (p.mark_at is null and c.reading > 0) then 0
                              when p.next_mark_at < clock_timestamp() - interval ''30 seconds'' then 1
                            end as mark) n
       where t.sync_run_id = c.sync_run_id',
    pumphouse.tally_sql(case tg_op
      when 'INSERT' then 'select 1 as sign, false as moved, n.* from new_rows n'
      when 'DELETE' then 'select -1 as sign, false as moved, o.* from old_rows o'
      else
        'select 1 as sign, n.status <> o.status or n.rows_ingested > o.rows_ingested as moved, n.*
           from new_rows n
           join old_rows o on o.id = n.id
         union all
         select -1, false, o.*
           from old_rows o'
    end));
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION pumphouse.tell_carried()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform pumphouse.tell_datamodels(
    array[case when tg_op <> 'INSERT' then old.datamodel_id end, case when tg_op <> 'DELETE' then new.datamodel_id end],
    case when tg_op = 'INSERT' then '{}' else pumphouse.owner(old.team_id, old.env_id) end);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION pumphouse.tell_datamodels(ids uuid[], owners text[])
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  rows text[];
begin
  select array_agg(said)
    into rows
    from public.datamodel d,
         unnest(pumphouse.notice_rows(d.id, pumphouse.either(owners, pumphouse.owners_of_datamodel(d.id)), '')) said
    where d.id = any(ids)
      and d.source_connector_id is null;
  perform pumphouse.send_notices('datamodel', 'U', rows);
  select array_agg(said)
    into rows
    from public.subscription s,
         unnest(pumphouse.notice_rows(s.id, pumphouse.either(owners, pumphouse.owners_of_datamodel(s.datamodel_id)), '')) said
    where s.datamodel_id = any(ids)
      and s.pipeline_id is null
      and s.target_connector_id is null;
  perform pumphouse.send_notices('subscription', 'U', rows);
end
$function$;

CREATE OR REPLACE FUNCTION pumphouse.tell_delivered()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform pumphouse.tell_datamodels(
    array[new.id], pumphouse.owners_of_datamodel(old.id, old.source_connector_id));
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION pumphouse.tell_deliveries()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  rows text[];
begin
  select array_agg(said)
    into rows
    from (select distinct connector
            from unnest(array[
              case when tg_op <> 'INSERT' then old.target_connector_id end,
              case when tg_op <> 'DELETE' then new.target_connector_id end]) connector
            where connector is not null) told,
         unnest(pumphouse.notice_rows(
           coalesce(new.id, old.id), '{}', ',"c":"' || told.connector || '"')) said;
  perform pumphouse.send_notices('deliveries', 'U', rows);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION pumphouse.tell_deliveries_of_datamodel()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  rows text[];
begin
  select array_agg(said)
    into rows
    from (select distinct s.target_connector_id as connector
            from public.subscription s
            where s.datamodel_id = new.id
              and s.target_connector_id is not null) told,
         unnest(pumphouse.notice_rows(new.id, '{}', ',"c":"' || told.connector || '"')) said;
  perform pumphouse.send_notices('deliveries', 'U', rows);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION pumphouse.tell_former_pipeline()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform pumphouse.send_notices(
    'pipeline', 'U', pumphouse.notice_rows(old.pipeline_id, pumphouse.owners_of_pipeline(old.pipeline_id), ''));
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION pumphouse.tells(target regclass, owners text, VARIADIC keys text[] DEFAULT '{}'::text[])
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  name text := (select relname from pg_class where oid = target);
  said text := '''''';
  changed text;
begin
  for i in 1 .. cardinality(keys) - 1 by 2 loop
    said := said || format(' || %L || %s', ',"' || keys[i] || '":', keys[i + 1]);
  end loop;
  changed := format(
    $sql$
      select array_agg(said order by n.id)
        from (select r.id, r as image, %1$s as owners, %2$s as keys from new_rows r) n
        join (select r.id, r as image, %1$s as owners from old_rows r) o on o.id = n.id,
             unnest(pumphouse.notice_rows(n.id, pumphouse.either(o.owners, n.owners), n.keys)) said
        where n.image *<> o.image
    $sql$,
    owners, said);
  execute format(
    $sql$
      create or replace function pumphouse.%1$I() returns trigger
      language plpgsql as $body$
      declare
        rows text[];
      begin
        case tg_op
          when 'INSERT' then
            select array_agg(said order by r.id)
              into rows
              from new_rows r,
                   unnest(pumphouse.notice_rows(r.id, %2$s, %3$s)) said;
          when 'UPDATE' then
            if (select count(*) from (select from new_rows limit 50) few) < 50 then
              %4$s into rows;
            else
              execute %4$L into rows;
            end if;
          when 'DELETE' then
            if (select count(*) from (select from old_rows limit 10000) many) = 10000 then
              perform pumphouse.say(format('{"t":"%%s","op":"T"}', tg_table_name));
              return null;
            end if;
            select array_agg(said order by r.id)
              into rows
              from old_rows r,
                   unnest(pumphouse.notice_rows(r.id, %2$s, %3$s)) said;
        end case;
        perform pumphouse.send_notices(tg_table_name, left(tg_op, 1), rows);
        return null;
      end
      $body$
    $sql$,
    'notify_of_' || name, owners, said, changed);
end
$function$;

CREATE OR REPLACE FUNCTION pumphouse.touch()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  new.created_at := old.created_at;
  new.updated_at := old.updated_at;
  if new *<> old and current_setting('pumphouse.keep_revision', true) is distinct from 'on' then
    new.updated_at := clock_timestamp();
  end if;
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION pumphouse.worker_health(state character varying, last_heartbeat_at timestamp with time zone, launched_at timestamp with time zone, hearing_since timestamp with time zone, heard_at timestamp with time zone, silence_limit interval, launch_grace interval)
 RETURNS character varying
 LANGUAGE sql
 STABLE
AS $function$
  select case
    when state in ('PAUSED', 'ERROR') then 'INACTIVE'
    when last_heartbeat_at is null then
      case
        when heard.until - greatest(launched_at, hearing_since) <= launch_grace then 'STARTING'
        else 'NOT_STARTED'
      end
    when heard.until - greatest(last_heartbeat_at, hearing_since) > silence_limit then 'UNRESPONSIVE'
    else 'HEALTHY'
  end
  from (
    select case
      when heard_at < statement_timestamp() - interval '10 seconds' then heard_at
      else statement_timestamp()
    end as until
  ) heard
$function$;

CREATE OR REPLACE FUNCTION pumphouse.worker_of_connector(id uuid)
 RETURNS uuid
 LANGUAGE plpgsql
 STABLE
AS $function$
begin
  return coalesce(
    (select w.id from public.worker w where w.connector_id = $1),
    pumphouse.left_behind($1 || ':worker')::uuid);
end
$function$;
