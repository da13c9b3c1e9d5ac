-- Pipelines: the configured flow itself. Five tables of the reference. Indexes on references end in
-- (created_at, id), the default order of a list below its parent, so a page is one short index scan.

create table public.connector (
  id uuid primary key,
  name varchar(100),
  connector_type varchar(50) not null,
  json_configuration json not null,
  way varchar(6) not null
    constraint connector_way_check check (way in ('SOURCE', 'TARGET')),
  team_id uuid references public.team,
  env_id uuid references public.env,
  created_at timestamptz default now(),
  updated_at timestamptz default now(),
  constraint connector_env_id_name_key unique (env_id, name)
);
create index connector_lower_name_idx on public.connector (lower(name));
create index connector_team_id_idx on public.connector (team_id, created_at, id);
create index connector_team_id_name_idx on public.connector (team_id, name, id);
create index connector_env_id_idx on public.connector (env_id, created_at, id);

create table public.datamodel (
  id uuid primary key,
  name varchar(100) not null,
  config json not null,
  source_connector_id uuid references public.connector on delete set null,
  source_topic varchar(255),
  target_topic varchar(255),
  consumer_id varchar(255),
  error_table_enabled boolean,
  error_table_name varchar(255),
  error_table_target_id uuid,
  enabled boolean,
  created_at timestamptz default now(),
  updated_at timestamptz default now()
);
comment on column public.datamodel.error_table_target_id is 'soft reference: connector.id';
create index datamodel_lower_name_idx on public.datamodel (lower(name));
create index datamodel_source_connector_id_idx on public.datamodel (source_connector_id, created_at, id);
create index datamodel_source_topic_idx on public.datamodel (source_topic);
create index datamodel_error_table_target_id_idx on public.datamodel (error_table_target_id);

create table public.pipeline (
  id uuid primary key,
  name varchar(100),
  json_configuration json not null,
  version integer not null,
  is_completed boolean,
  error_table_config json,
  team_id uuid not null references public.team,
  env_id uuid references public.env,
  source_connector_id uuid references public.connector,
  target_connector_id uuid references public.connector,
  datamodel_id uuid references public.datamodel,
  created_at timestamptz default now(),
  updated_at timestamptz default now(),
  constraint pipeline_env_id_name_key unique (env_id, name)
);
create index pipeline_lower_name_idx on public.pipeline (lower(name));
create index pipeline_team_id_idx on public.pipeline (team_id, created_at, id);
create index pipeline_team_id_name_idx on public.pipeline (team_id, name, id);
create index pipeline_env_id_idx on public.pipeline (env_id, created_at, id);
create index pipeline_source_connector_id_idx on public.pipeline (source_connector_id, created_at, id);
create index pipeline_target_connector_id_idx on public.pipeline (target_connector_id, created_at, id);
create index pipeline_datamodel_id_idx on public.pipeline (datamodel_id, created_at, id);

create table public.subscription (
  id uuid primary key,
  name varchar(255) not null,
  config json not null,
  transform_config json not null,
  pipeline_id uuid references public.pipeline on delete set null,
  datamodel_id uuid references public.datamodel on delete set null,
  target_connector_id uuid references public.connector on delete set null,
  error_table_enabled boolean not null,
  error_table_name varchar(255),
  error_table_target_id uuid,
  target_table_name varchar(255),
  consumer_id varchar(255),
  backfill boolean,
  enabled boolean,
  created_at timestamptz default now(),
  updated_at timestamptz default now(),
  constraint subscription_datamodel_id_target_connector_id_target_table_key
    unique (datamodel_id, target_connector_id, target_table_name)
);
comment on column public.subscription.error_table_target_id is 'soft reference: connector.id';
create index subscription_pipeline_id_idx on public.subscription (pipeline_id, created_at, id);
create index subscription_datamodel_id_idx on public.subscription (datamodel_id, created_at, id);
create index subscription_target_connector_id_idx on public.subscription (target_connector_id, created_at, id);
create index subscription_error_table_target_id_idx on public.subscription (error_table_target_id);

create table public.worker (
  id uuid primary key,
  state varchar(8) not null
    constraint worker_state_check check (state in ('BUILDING', 'LIVE', 'PAUSED', 'ERROR', 'STOPPING')),
  connector_id uuid not null references public.connector on delete cascade,
  last_heartbeat_at timestamptz,
  reason varchar,
  stop_requested_at timestamptz,
  launch_generation uuid not null,
  created_at timestamptz default now(),
  updated_at timestamptz default now(),
  constraint worker_connector_id_key unique (connector_id),
  constraint worker_stop_requested_at_check
    check ((state = 'STOPPING') = (stop_requested_at is not null))
);

select pumphouse.keep_times('public.connector');
select pumphouse.keep_times('public.datamodel');
select pumphouse.keep_times('public.pipeline');
select pumphouse.keep_times('public.subscription');
select pumphouse.keep_times('public.worker');
