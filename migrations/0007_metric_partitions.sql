-- Daily partitions of the raw metrics, made ahead of time: yesterday (for what is late) to a week from now.

-- Makes the missing partitions of UTC days today - days_back .. today + days_ahead and says how many it made. Safe to
-- call at any time and twice at once. A day whose rows already lie in the default partition is left there. Making the
-- table first and attaching it then blocks neither readers nor writers of the other days.
create function pumphouse.ensure_metric_partitions(days_back integer, days_ahead integer) returns integer
language plpgsql as $$
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
$$;

select pumphouse.ensure_metric_partitions(1, 7);
