-- The days that the rollup has not summed yet, in sums: so that reading the open day does not grow with its raw rows. The
-- leader adds to them again and again what came in since the last time; once a day is over the rollup sums it from its raw
-- rows, and what is here goes. As rows of job_watermark:
--   sealed     up to when all raw rows are committed: later ones come in later
--   today      up to when raw rows are in these sums
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
  primary key (subscription_id, day)
) with (fillfactor = 50);

create table pumphouse.production_metric_today (
  topic varchar not null,
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
  primary key (topic, day)
) with (fillfactor = 50);

select pumphouse.bound_times('pumphouse.consumption_metric_today');
select pumphouse.bound_times('pumphouse.production_metric_today');

-- What came in since an instant is found by its time alone.
create index consumption_metric_created_at_idx on public.consumption_metric (created_at);
create index production_metric_created_at_idx on public.production_metric (created_at);

-- The time of the clock, or the earliest at which rows may still come in.
create function pumphouse.now_open() returns timestamptz
language plpgsql as $$
begin
  return greatest(clock_timestamp(), max(case w.job when 'sealed' then w.at else (w.day + 1)::timestamp at time zone 'UTC' end))
    from pumphouse.job_watermark w
    where w.job in ('rollup', 'sealed');
end
$$;

-- As in 0036; and never before what was sealed, also when the clock was set back within a day. The time is taken once: the
-- day that it lies in is the day whose lock is held.
create or replace function pumphouse.ingestion_time() returns timestamptz
language plpgsql as $$
declare
  at timestamptz;
  locked date;
begin
  loop
    locked := (pumphouse.now_open() at time zone 'UTC')::date;
    perform pg_advisory_xact_lock_shared(pumphouse.metric_day_key(locked));
    -- While the lock was waited for, the day may have ended and been summed up.
    at := pumphouse.now_open();
    if locked = (at at time zone 'UTC')::date then
      return at;
    end if;
  end loop;
end
$$;
