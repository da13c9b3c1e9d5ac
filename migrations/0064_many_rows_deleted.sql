-- A connector with a long history of syncs takes tens of thousands of rows along when it is deleted, and a notice of each took longer
-- than a statement may. From 10,000 rows on a deletion is announced as a TRUNCATE is: subscribers read the present state again.
create or replace function pumphouse.tells(target regclass, owners text, variadic keys text[] default '{}')
returns void
language plpgsql as $announce$
declare
  name text := (select relname from pg_class where oid = target);
  said text := '''''';
  changed text;
begin
  for i in 1 .. cardinality(keys) - 1 by 2 loop
    said := said || format(' || %L || %s', ',"' || keys[i] || '":', keys[i + 1]);
  end loop;
  changed := format(
    $sql$
      select array_agg(said order by n.id)
        from (select r.id, r as image, %1$s as owners, %2$s as keys from new_rows r) n
        join (select r.id, r as image, %1$s as owners from old_rows r) o on o.id = n.id,
             unnest(pumphouse.notice_rows(n.id, pumphouse.either(o.owners, n.owners), n.keys)) said
        where n.image *<> o.image
    $sql$,
    owners, said);
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
            if (select count(*) from (select from new_rows limit 50) few) < 50 then
              %4$s into rows;
            else
              execute %4$L into rows;
            end if;
          when 'DELETE' then
            if (select count(*) from (select from old_rows limit 10000) many) = 10000 then
              perform pumphouse.say(format('{"t":"%%s","op":"T"}', tg_table_name));
              return null;
            end if;
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
    'notify_of_' || name, owners, said, changed);
end
$announce$;

select pumphouse.tells(
  'public.sync_table', 'pumphouse.owners_of_connector(pumphouse.connector_of_sync_run(r.sync_run_id))',
  'run', 'pumphouse.quoted(r.sync_run_id)',
  'c', 'pumphouse.quoted(pumphouse.connector_of_sync_run(r.sync_run_id))');
