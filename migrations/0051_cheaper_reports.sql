-- What every report pays for, made cheaper still. PostgreSQL reads a check and the condition of a trigger anew for every
-- statement that they may concern, so it counts how long they are and how often they are asked.

-- As in 0027, with one comparison for all times of a row.
create or replace function pumphouse.bound_times(target regclass) returns void
language plpgsql as $$
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
$$;

do $$
declare
  target regclass;
begin
  for target in
    select k.conrelid
      from pg_constraint k
      where k.conname = 'times_in_range'
        and k.connamespace in ('public'::regnamespace, 'pumphouse'::regnamespace)
        and k.coninhcount = 0
  loop
    execute format('alter table %s drop constraint times_in_range', target);
    perform pumphouse.bound_times(target);
  end loop;
end
$$;

-- As in 0044, and not even asked about when a statement names none of these columns.
drop trigger append_transition_update on public.worker;
create trigger append_transition_update
  after update of state, reason, launch_generation on public.worker
  for each row
  when ((new.state, new.reason, new.launch_generation) is distinct from (old.state, old.reason, old.launch_generation))
  execute function pumphouse.append_transition_of_row();

drop trigger notify_update on public.worker;
create trigger notify_update
  after update of state, reason, launch_generation, stop_requested_at, connector_id on public.worker
  for each row
  when ((new.state, new.reason, new.launch_generation, new.stop_requested_at, new.connector_id)
    is distinct from (old.state, old.reason, old.launch_generation, old.stop_requested_at, old.connector_id))
  execute function pumphouse.notify_worker_of_row();

-- As in 0045, in one function.
create or replace function pumphouse.ingestion_time() returns timestamptz
language plpgsql as $$
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
$$;
drop function pumphouse.now_open();
