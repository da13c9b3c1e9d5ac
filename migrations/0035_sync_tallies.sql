-- What a run has come to, kept beside it as its tables move, so that showing, reporting and driving a run costs the same
-- whether it has two tables or ten thousand; and how runs ended, as rows of the graph that outlive connector and run.

-- What is still to be done in a run, in the order of its queue.
create index sync_table_unfinished_idx
  on public.sync_table (sync_run_id, position)
  where status in ('QUEUED', 'IN_PROGRESS');

-- mark: how far the run was 30 to 60 seconds ago, which rates are taken over; next_mark becomes it.
create table pumphouse.sync_run_tally (
  sync_run_id uuid primary key references public.sync_run on delete cascade,
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
  last_progress_at timestamptz,
  mark_rows numeric,
  mark_at timestamptz,
  next_mark_rows numeric,
  next_mark_at timestamptz
);
select pumphouse.bound_times('pumphouse.sync_run_tally');

create function pumphouse.begin_tally() returns trigger
language plpgsql as $$
begin
  insert into pumphouse.sync_run_tally (sync_run_id)
    select id
      from new_rows
    on conflict do nothing;
  return null;
end
$$;
create trigger begin_tally
  after insert on public.sync_run
  referencing new table as new_rows
  for each statement
  execute function pumphouse.begin_tally();

-- What the rows of a relation with the columns of sync_table, `sign` (1 or -1) and `moved` add up to, by run.
-- Numbers come from outside: their sum may be larger than any of them can be, an estimate of another writer below 0.
create function pumphouse.tally_sql(relation text) returns text
language sql immutable as $tally$
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
$tally$;

-- Progress is that rows rose or a status changed. Rows that go down begin anew, and so does the rate. One statement can make
-- a run and its tables, and then either trigger may come first.
create function pumphouse.tally_sync_tables() returns trigger
language plpgsql as $$
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
$$;
create trigger tally_insert
  after insert on public.sync_table
  referencing new table as new_rows
  for each statement
  execute function pumphouse.tally_sync_tables();
create trigger tally_update
  after update on public.sync_table
  referencing old table as old_rows new table as new_rows
  for each statement
  execute function pumphouse.tally_sync_tables();
create trigger tally_delete
  after delete on public.sync_table
  referencing old table as old_rows
  for each statement
  execute function pumphouse.tally_sync_tables();

do $$
begin
  insert into pumphouse.sync_run_tally (sync_run_id)
    select id
      from public.sync_run;
  execute format(
    'update pumphouse.sync_run_tally t
       set tables = c.tables, reading = c.reading, ended = c.ended, completed = c.completed, touched = c.touched,
           estimated = c.estimated, rows = c.rows, estimate = c.estimate, read = c.read, remaining = c.remaining,
           last_progress_at = (
             select max(p.last_progress_at)
               from public.sync_table s
               join pumphouse.sync_table_progress p on p.sync_table_id = s.id
               where s.sync_run_id = t.sync_run_id)
       from (%s) c
       where t.sync_run_id = c.sync_run_id',
    pumphouse.tally_sql('select 1 as sign, false as moved, t.* from public.sync_table t'));
end
$$;

-- The ends of runs. Who may see one is who may see the connector, or could when it went.
alter table pumphouse.sync_run_end
  add column id uuid not null default gen_random_uuid(),
  add column triggered_by_email varchar(320),
  add column started_at timestamptz,
  add column created_at timestamptz not null default now();
alter table pumphouse.sync_run_end
  drop constraint times_in_range;
select pumphouse.bound_times('pumphouse.sync_run_end');
create unique index sync_run_end_id_key on pumphouse.sync_run_end (id);
create index sync_run_end_team_id_ended_at_idx on pumphouse.sync_run_end (team_id, ended_at, id);
create index sync_run_end_env_id_ended_at_idx on pumphouse.sync_run_end (env_id, ended_at, id);
create index sync_run_end_ended_at_idx on pumphouse.sync_run_end (ended_at, id);
update pumphouse.sync_run_end e
  set triggered_by_email = r.triggered_by_email,
      started_at = r.created_at
  from public.sync_run r
  where r.id = e.sync_run_id;

create function pumphouse.end_sync_run(
  run uuid,
  cause varchar,
  reason text,
  by_email varchar
) returns void
language sql as $$
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
$$;

-- A run that goes with its connector has ended by that, whoever deletes. Who it is stands in the setting
-- `pumphouse.acting` of the transaction, where a user deletes.
create function pumphouse.end_syncs_of_connector() returns trigger
language plpgsql as $$
begin
  perform pumphouse.end_sync_run(
      r.id, 'CONNECTOR_DELETED', 'the connector was deleted', nullif(current_setting('pumphouse.acting', true), ''))
    from public.sync_run r
    where r.connector_id = old.id
      and r.status = 'SYNCING';
  return old;
end
$$;
create trigger end_syncs
  before delete on public.connector
  for each row
  execute function pumphouse.end_syncs_of_connector();

-- Ends follow what they belong to: the connector to another team, the team to another env.
create function pumphouse.move_sync_ends() returns trigger
language plpgsql as $$
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
$$;
create trigger move_sync_ends
  after update on public.connector
  for each row
  when ((old.team_id, old.env_id) is distinct from (new.team_id, new.env_id))
  execute function pumphouse.move_sync_ends();
create trigger move_sync_ends
  after update on public.team
  for each row
  when (old.env_id is distinct from new.env_id)
  execute function pumphouse.move_sync_ends();
