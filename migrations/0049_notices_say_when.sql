-- Notices say when their statement began, in milliseconds since 1970: "at". So each replica can measure how late events are. By
-- statement and not by clock_timestamp(), so that equal notices of one statement still collapse to one.
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
