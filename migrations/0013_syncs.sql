-- Book-keeping of snapshot runs beside the reference: what a table's progress hangs on, and how a run ended, readable
-- after the connector and its runs are gone (hence no foreign key).

create table pumphouse.sync_table_progress (
  sync_table_id uuid primary key references public.sync_table on delete cascade,
  generation uuid,
  restarts integer not null default 0,
  reported boolean not null default false,
  first_progress_at timestamptz,
  last_progress_at timestamptz,
  sample_rows bigint,
  sample_at timestamptz,
  prev_sample_rows bigint,
  prev_sample_at timestamptz
);

create function pumphouse.begin_progress() returns trigger
language plpgsql as $$
begin
  insert into pumphouse.sync_table_progress (sync_table_id)
    select id
      from new_rows;
  return null;
end
$$;
create trigger begin_progress
  after insert on public.sync_table
  referencing new table as new_rows
  for each statement
  execute function pumphouse.begin_progress();

create table pumphouse.sync_run_end (
  sync_run_id uuid primary key,
  connector_id uuid not null,
  connector_name text,
  team_id uuid,
  env_id uuid,
  cause varchar(20) not null
    constraint sync_run_end_cause_check
    check (cause in ('FINISHED', 'CANCELLED', 'ABANDONED', 'CONNECTOR_DELETED')),
  reason text,
  by_email varchar(320),
  ended_at timestamptz not null default now(),
  tables_total integer not null default 0,
  tables_completed integer not null default 0,
  rows_ingested bigint not null default 0
);
create index sync_run_end_connector_id_ended_at_idx on pumphouse.sync_run_end (connector_id, ended_at);
