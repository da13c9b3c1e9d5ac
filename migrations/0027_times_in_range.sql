-- PostgreSQL's times reach from 4713 BC to 294276 AD and to infinity; RFC 3339, in which the API writes them, from year 1
-- to 9999. Who wrote 'infinity' by hand stopped whoever read it. So no table holds what cannot be written: one CHECK for
-- each table over all its times and days. A table made later calls pumphouse.bound_times itself.

create function pumphouse.bound_times(target regclass) returns void
language plpgsql as $$
declare
  rule text;
begin
  select string_agg(
      case a.atttypid
        when 'date'::regtype then format('%1$I >= ''0001-01-01'' and %1$I < ''10000-01-01''', a.attname)
        else format('%1$I >= ''0001-01-01 00:00+00'' and %1$I < ''10000-01-01 00:00+00''', a.attname)
      end,
      ' and ' order by a.attnum)
    into rule
    from pg_attribute a
    where a.attrelid = target
      and a.attnum > 0
      and not a.attisdropped
      and a.atttypid in ('timestamptz'::regtype, 'timestamp'::regtype, 'date'::regtype);
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
    select c.oid
      from pg_class c
      where c.relnamespace in ('public'::regnamespace, 'pumphouse'::regnamespace)
        and c.relkind in ('r', 'p')
        and not c.relispartition
        and c.relname <> '_sqlx_migrations'
      order by c.oid
  loop
    perform pumphouse.bound_times(target);
  end loop;
end
$$;
