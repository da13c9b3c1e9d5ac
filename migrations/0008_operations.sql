-- Operations: replay protection, the licence verdict, snapshot runs and the audit log. Five tables of the reference.

create table public.idempotency_record (
  id uuid primary key,
  endpoint varchar(200) not null,
  key varchar(200) not null,
  request_hash varchar(64) not null,
  response_status integer not null,
  response_body json not null,
  expires_at timestamptz not null,
  created_at timestamptz default now(),
  updated_at timestamptz default now(),
  constraint idempotency_record_endpoint_key_key unique (endpoint, key)
);
create index idempotency_record_expires_at_idx on public.idempotency_record (expires_at);

create table public.license_state (
  id uuid primary key,
  license_active boolean not null,
  license_expires_at timestamptz,
  last_seen_at timestamptz not null,
  created_at timestamptz default now(),
  updated_at timestamptz default now()
);
create unique index license_state_only_row on public.license_state ((true));

create table public.sync_run (
  id uuid primary key,
  connector_id uuid not null references public.connector on delete cascade,
  status varchar(9) not null
    constraint sync_run_status_check check (status in ('SYNCING', 'DONE', 'CANCELLED')),
  triggered_by_user_id uuid references public."user" on delete set null,
  triggered_by_email varchar(320),
  stalled_since timestamptz,
  stalled_reason varchar(21)
    constraint sync_run_stalled_reason_check
    check (stalled_reason in ('WORKER_NOT_LIVE', 'WORKER_UNRESPONSIVE', 'NO_PROGRESS')),
  created_at timestamptz default now(),
  updated_at timestamptz default now()
);
create unique index sync_run_syncing_key
  on public.sync_run ((case when status = 'SYNCING' then connector_id end));
create index sync_run_connector_id_idx on public.sync_run (connector_id);
create index sync_run_connector_id_created_at_idx on public.sync_run (connector_id, created_at, id);
create index sync_run_triggered_by_user_id_idx on public.sync_run (triggered_by_user_id, created_at, id);

create table public.sync_table (
  id uuid primary key,
  sync_run_id uuid not null references public.sync_run on delete cascade,
  table_name varchar not null,
  position integer not null,
  status varchar(11) not null
    constraint sync_table_status_check
    check (status in ('QUEUED', 'IN_PROGRESS', 'COMPLETED', 'PARTIAL', 'FAILED')),
  approximate_row_count bigint,
  group_id uuid,
  rows_ingested bigint not null,
  started_at timestamptz,
  finished_at timestamptz,
  error_reason varchar,
  created_at timestamptz default now(),
  updated_at timestamptz default now(),
  constraint sync_table_sync_run_id_table_name_key unique (sync_run_id, table_name)
);
create index sync_table_sync_run_id_group_id_idx on public.sync_table (sync_run_id, group_id);
create index sync_table_sync_run_id_position_idx on public.sync_table (sync_run_id, position);

create table public.user_log (
  id uuid primary key,
  "timestamp" timestamptz not null,
  user_type varchar(9) not null
    constraint user_log_user_type_check check (user_type in ('real_user', 'service', 'system')),
  action varchar(20) not null
    constraint user_log_action_check
    check (action in (
      'login', 'login_failed', 'logout', 'create', 'update', 'delete', 'start', 'stop', 'restart', 'move', 'grant',
      'revoke', 'invite', 'request', 'accept', 'decline', 'cancel', 'sync', 'skip', 'retry', 'export', 'apply',
      'bootstrap', 'register', 'change_password', 'issue', 'confirm', 'rotate', 'report')),
  user_id uuid references public."user" on delete set null,
  user_email varchar(320),
  target_user_id uuid references public."user" on delete set null,
  created_at timestamptz default now(),
  updated_at timestamptz default now()
);
create index user_log_user_id_idx on public.user_log (user_id, "timestamp", id);
create index user_log_target_user_id_idx on public.user_log (target_user_id, "timestamp", id);
create index user_log_timestamp_idx on public.user_log ("timestamp", id);

select pumphouse.keep_times('public.idempotency_record');
select pumphouse.keep_times('public.license_state');
select pumphouse.keep_times('public.sync_run');
select pumphouse.keep_times('public.sync_table');
select pumphouse.keep_times('public.user_log');
