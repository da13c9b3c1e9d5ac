-- Everything about a worker that no process may keep in memory: which revision of the configuration it should run,
-- how its launch stands, and every state it went through, in order.

create table pumphouse.connector_revision (
  connector_id uuid primary key references public.connector on delete cascade,
  revision integer not null default 1,
  changed_at timestamptz not null default now()
);

create function pumphouse.begin_revision() returns trigger
language plpgsql as $$
begin
  insert into pumphouse.connector_revision (connector_id)
    values (new.id);
  return null;
end
$$;
create trigger begin_revision
  after insert on public.connector
  for each row
  execute function pumphouse.begin_revision();

-- A new ciphertext of the same configuration (key rotation) is no new revision: the rotation says so by
-- `set local pumphouse.keep_revision = 'on'`.
create function pumphouse.raise_revision() returns trigger
language plpgsql as $$
begin
  if current_setting('pumphouse.keep_revision', true) is distinct from 'on' then
    update pumphouse.connector_revision
      set revision = revision + 1,
          changed_at = clock_timestamp()
      where connector_id = new.id;
  end if;
  return null;
end
$$;
create trigger raise_revision
  after update of json_configuration on public.connector
  for each row
  when (old.json_configuration::text is distinct from new.json_configuration::text)
  execute function pumphouse.raise_revision();

create table pumphouse.worker_launch (
  worker_id uuid primary key references public.worker on delete cascade,
  generation uuid not null,
  asked_at timestamptz,
  launched_at timestamptz,
  launched_by text,
  first_report_at timestamptz,
  booted_revision integer,
  restart_wanted boolean not null default false,
  restart_wanted_by text,
  attempts integer not null default 0,
  announced_health varchar(12) not null default 'INACTIVE'
    constraint worker_launch_announced_health_check
    check (announced_health in ('INACTIVE', 'STARTING', 'NOT_STARTED', 'HEALTHY', 'UNRESPONSIVE'))
);

create function pumphouse.begin_launch() returns trigger
language plpgsql as $$
begin
  insert into pumphouse.worker_launch (worker_id, generation)
    values (new.id, new.launch_generation);
  return null;
end
$$;
create trigger begin_launch
  after insert on public.worker
  for each row
  execute function pumphouse.begin_launch();

create table pumphouse.worker_transition (
  seq bigint generated always as identity primary key,
  worker_id uuid not null references public.worker on delete cascade,
  connector_id uuid not null,
  from_state varchar(8),
  to_state varchar(8) not null,
  reason varchar,
  generation uuid not null,
  at timestamptz not null default clock_timestamp(),
  last_heartbeat_at timestamptz,
  stop_requested_at timestamptz,
  xid xid8 not null default pg_current_xact_id()
);
create index worker_transition_worker_id_seq_idx on pumphouse.worker_transition (worker_id, seq);
create index worker_transition_at_idx on pumphouse.worker_transition (at);

-- One row for each worker whose state, reason or generation a statement changed. Runs before the notices (triggers
-- run by name), which carry its seq.
create function pumphouse.append_transition() returns trigger
language plpgsql as $$
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
$$;
create trigger append_transition_insert
  after insert on public.worker
  referencing new table as new_rows
  for each statement
  execute function pumphouse.append_transition();
create trigger append_transition_update
  after update on public.worker
  referencing old table as old_rows new table as new_rows
  for each statement
  execute function pumphouse.append_transition();
