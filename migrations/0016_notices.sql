-- One way to tell the listeners that rows changed, for every table, on the channel `pumphouse`:
--   {"t":"<table>","op":"I|U|D|H","x":"<transaction id>","r":[{"id":"…","o":[[team|null,env|null],…],<keys>},…]}
-- A statement makes as few notices as fit; none is longer than 7,900 bytes (PostgreSQL refuses 8,000). An update that
-- changed nothing that counts is silent. Triggers are per statement, so a thousand rows cost one call.

-- Sends the rows of one statement, packed.
create function pumphouse.send_notices(tbl text, op text, rows text[]) returns void
language plpgsql as $$
declare
  head text := format('{"t":"%s","op":"%s","x":"%s","r":[', tbl, op, pg_current_xact_id());
  body text := '';
  one_row text;
begin
  foreach one_row in array coalesce(rows, '{}') loop
    if body <> '' and octet_length(head) + octet_length(body) + octet_length(one_row) + 3 > 7900 then
      perform pg_notify('pumphouse', head || body || ']}');
      body := '';
    end if;
    body := body || case when body = '' then '' else ',' end || one_row;
  end loop;
  if body <> '' then
    perform pg_notify('pumphouse', head || body || ']}');
  end if;
end
$$;

-- One row of a notice. A row with more than 60 owners is said several times, with a part of them each, so that no
-- number of owners can pass the limit.
create function pumphouse.notice_rows(id uuid, owners text[], keys text) returns text[]
language plpgsql stable as $$
declare
  said text[];
begin
  for start in 1 .. greatest(cardinality(owners), 1) by 60 loop
    said := said
      || ('{"id":"' || id || '","o":[' || array_to_string(owners[start : start + 59], ',') || ']' || keys || '}');
  end loop;
  return said;
end
$$;

create function pumphouse.either(before_change text[], after_change text[]) returns text[]
language sql immutable as $$
  select case
    when $1 = $2 then $1
    else array(select distinct unnest($1 || $2))
  end
$$;

-- The trigger of all tables but worker. Arguments: the owners of a row `r`, as SQL; then pairs of a key and the SQL
-- of its JSON value. An update tells the owners before and after, so whoever loses sight of a row hears of it.
create function pumphouse.notify_change() returns trigger
language plpgsql as $$
declare
  owners text := tg_argv[0];
  keys text := '''''';
  rows text[];
begin
  for i in 1 .. tg_nargs - 2 by 2 loop
    keys := keys || format(' || %L || %s', ',"' || tg_argv[i] || '":', tg_argv[i + 1]);
  end loop;
  if tg_op = 'UPDATE' then
    if not exists (select from new_rows n join old_rows o on o.id = n.id where n *<> o) then
      return null;
    end if;
    execute format(
      'select array_agg(said order by n.id)
         from (select r.id, r as image, %1$s as owners, %2$s as keys from new_rows r) n
         join (select r.id, r as image, %1$s as owners from old_rows r) o on o.id = n.id,
              unnest(pumphouse.notice_rows(n.id, pumphouse.either(o.owners, n.owners), n.keys)) said
         where n.image *<> o.image',
      owners, keys)
      into rows;
  else
    execute format(
      'select array_agg(said order by r.id)
         from %3$s r,
              unnest(pumphouse.notice_rows(r.id, %1$s, %2$s)) said',
      owners, keys, case tg_op when 'INSERT' then 'new_rows' else 'old_rows' end)
      into rows;
  end if;
  perform pumphouse.send_notices(tg_table_name, left(tg_op, 1), rows);
  return null;
end
$$;

-- Attaches the three triggers to a table; the arguments are those of notify_change.
create function pumphouse.announce(target regclass, owners text, variadic keys text[] default '{}') returns void
language plpgsql as $$
declare
  arguments text := quote_literal(owners);
  one_key text;
begin
  foreach one_key in array keys loop
    arguments := arguments || ', ' || quote_literal(one_key);
  end loop;
  execute format(
    'create trigger notify_insert
       after insert on %s
       referencing new table as new_rows
       for each statement
       execute function pumphouse.notify_change(%s)',
    target, arguments);
  execute format(
    'create trigger notify_update
       after update on %s
       referencing old table as old_rows new table as new_rows
       for each statement
       execute function pumphouse.notify_change(%s)',
    target, arguments);
  execute format(
    'create trigger notify_delete
       after delete on %s
       referencing old table as old_rows
       for each statement
       execute function pumphouse.notify_change(%s)',
    target, arguments);
end
$$;
