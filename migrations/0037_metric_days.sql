-- How far the days of metrics are summed up and how far back raw rows are kept, as rows of job_watermark:
--   rollup     the last day whose sums are in the daily tables; reading takes later days from the raw rows
--   retention  the last day whose raw rows are gone

-- What was summed before there was a rollup (the demo's month) has no raw rows.
insert into pumphouse.job_watermark (job, day, at)
  select job, d.day, clock_timestamp()
    from (select max(day) as day
            from (select day from public.production_metric_daily
                  union all
                  select day from public.consumption_metric_daily) days) d,
         unnest(array['rollup', 'retention']) job
    where d.day is not null
  on conflict (job) do nothing;

-- Drops the raw rows up to this day, which must have been summed up, and notes it; says how many partitions went.
create function pumphouse.drop_metric_days(last_day date) returns integer
language plpgsql as $$
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
$$;
