-- What every change pays for its notice, made cheaper: nothing of it is planned anew for each statement any more.

-- As in 0015, in a form that PostgreSQL writes into the statement instead of calling it: a UUID beside a text is turned into text by
-- rules that may change, a cast by none.
create or replace function pumphouse.quoted(value uuid) returns text
language sql immutable as $$
  select coalesce('"' || value::text || '"', 'null')
$$;

-- As in 0016; what holds a query is never written into a statement, and PL/pgSQL keeps its plan.
create or replace function pumphouse.either(before_change text[], after_change text[]) returns text[]
language plpgsql immutable as $$
begin
  if before_change = after_change then
    return before_change;
  end if;
  return array(select distinct unnest(before_change || after_change));
end
$$;

-- As in 0016, but a table has a function of its own, so that its statements are known beforehand. The arguments: the owners of a row
-- `r`, as SQL; then pairs of a key and the SQL of its JSON value. An update tells the owners before and after, so whoever
-- loses sight of a row hears of it.
create or replace function pumphouse.announce(target regclass, owners text, variadic keys text[] default '{}')
returns void
language plpgsql as $announce$
declare
  name text := (select relname from pg_class where oid = target);
  said text := '''''';
begin
  for i in 1 .. cardinality(keys) - 1 by 2 loop
    said := said || format(' || %L || %s', ',"' || keys[i] || '":', keys[i + 1]);
  end loop;
  execute format(
    $sql$
      create or replace function pumphouse.%1$I() returns trigger
      language plpgsql as $body$
      declare
        rows text[];
      begin
        case tg_op
          when 'INSERT' then
            select array_agg(said order by r.id)
              into rows
              from new_rows r,
                   unnest(pumphouse.notice_rows(r.id, %2$s, %3$s)) said;
          when 'UPDATE' then
            select array_agg(said order by n.id)
              into rows
              from (select r.id, r as image, %2$s as owners, %3$s as keys from new_rows r) n
              join (select r.id, r as image, %2$s as owners from old_rows r) o on o.id = n.id,
                   unnest(pumphouse.notice_rows(n.id, pumphouse.either(o.owners, n.owners), n.keys)) said
              where n.image *<> o.image;
          when 'DELETE' then
            select array_agg(said order by r.id)
              into rows
              from old_rows r,
                   unnest(pumphouse.notice_rows(r.id, %2$s, %3$s)) said;
        end case;
        perform pumphouse.send_notices(tg_table_name, left(tg_op, 1), rows);
        return null;
      end
      $body$
    $sql$,
    'notify_of_' || name, owners, said);
  execute format(
    'create trigger notify_insert
       after insert on %s
       referencing new table as new_rows
       for each statement
       execute function pumphouse.%I()',
    target, 'notify_of_' || name);
  execute format(
    'create trigger notify_update
       after update on %s
       referencing old table as old_rows new table as new_rows
       for each statement
       execute function pumphouse.%I()',
    target, 'notify_of_' || name);
  execute format(
    'create trigger notify_delete
       after delete on %s
       referencing old table as old_rows
       for each statement
       execute function pumphouse.%I()',
    target, 'notify_of_' || name);
end
$announce$;

-- The tables that were announced are announced anew, with what they were given then.
do $$
declare
  announced record;
begin
  for announced in
    select t.tgrelid::regclass as target, (string_to_array(encode(t.tgargs, 'escape'), '\000'))[:t.tgnargs] as given
      from pg_trigger t
      where t.tgname = 'notify_insert'
        and t.tgfoid = 'pumphouse.notify_change()'::regprocedure
      order by t.tgrelid
  loop
    execute format('drop trigger notify_insert on %s', announced.target);
    execute format('drop trigger notify_update on %s', announced.target);
    execute format('drop trigger notify_delete on %s', announced.target);
    perform pumphouse.announce(announced.target, announced.given[1], variadic announced.given[2:]);
  end loop;
end
$$;
drop function pumphouse.notify_change();
