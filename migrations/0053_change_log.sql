-- Where LISTEN cannot work, as behind a pooler that gives each transaction another connection, changes are looked for: while
-- somebody asks for it, every notice is written down too. Otherwise it costs one look at a row.

create table pumphouse.polling (
  one boolean primary key default true check (one),
  until timestamptz not null
);
insert into pumphouse.polling (until)
  values ('2000-01-01T00:00:00Z');
select pumphouse.bound_times('pumphouse.polling');

create unlogged table pumphouse.change_log (
  seq bigint generated always as identity primary key,
  xid xid8 not null default pg_current_xact_id(),
  at timestamptz not null default clock_timestamp(),
  payload text not null
);
create index change_log_xid_idx on pumphouse.change_log (xid);
select pumphouse.bound_times('pumphouse.change_log');

create function pumphouse.say(payload text) returns void
language plpgsql as $$
begin
  perform pg_notify('pumphouse', payload);
  if exists (select from pumphouse.polling p where p.until > clock_timestamp()) then
    insert into pumphouse.change_log (payload)
      values ($1);
  end if;
end
$$;

-- As in 0049, but for how it is said.
create or replace function pumphouse.send_notices(tbl text, op text, rows text[]) returns void
language plpgsql as $$
declare
  head text := format('{"t":"%s","op":"%s","x":"%s","at":%s,"r":[', tbl, op, pg_current_xact_id(),
    (extract(epoch from statement_timestamp()) * 1000)::bigint);
  body text := '';
  one_row text;
begin
  foreach one_row in array coalesce(rows, '{}') loop
    if body <> '' and octet_length(head) + octet_length(body) + octet_length(one_row) + 3 > 7900 then
      perform pumphouse.say(head || body || ']}');
      body := '';
    end if;
    body := body || case when body = '' then '' else ',' end || one_row;
  end loop;
  if body <> '' then
    perform pumphouse.say(head || body || ']}');
  end if;
end
$$;
