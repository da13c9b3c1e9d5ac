-- Notices about workers. A worker is written far more often than it changes, so this is static SQL with a cached plan:
-- a plain heartbeat finds nothing to say. A crossing of health is said as operation H, with the state it happened in.

-- The transition that this transaction made last for a worker, as a JSON list.
create function pumphouse.latest_transition(worker_id uuid) returns text
language plpgsql stable as $$
begin
  return '[' || coalesce(max(t.seq)::text, '') || ']'
    from pumphouse.worker_transition t
    where t.worker_id = $1
      and t.xid = pg_current_xact_id();
end
$$;

create function pumphouse.notify_worker() returns trigger
language plpgsql as $$
declare
  rows text[];
begin
  case tg_op
    when 'INSERT' then
      select array_agg(said order by n.id)
        into rows
        from new_rows n,
             unnest(pumphouse.notice_rows(
               n.id,
               pumphouse.owners_of_connector(n.connector_id),
               ',"c":"' || n.connector_id || '","s":' || pumphouse.latest_transition(n.id))) said;
    when 'UPDATE' then
      select array_agg(said order by n.id)
        into rows
        from new_rows n
        join old_rows o on o.id = n.id,
             unnest(pumphouse.notice_rows(
               n.id,
               pumphouse.owners_of_connector(n.connector_id),
               ',"c":"' || n.connector_id || '","s":'
                 || case
                      when (n.state, n.reason, n.launch_generation)
                        is distinct from (o.state, o.reason, o.launch_generation)
                      then pumphouse.latest_transition(n.id)
                      else '[]'
                    end)) said
        where (n.state, n.reason, n.launch_generation, n.stop_requested_at, n.connector_id)
          is distinct from (o.state, o.reason, o.launch_generation, o.stop_requested_at, o.connector_id);
    when 'DELETE' then
      select array_agg(said order by o.id)
        into rows
        from old_rows o,
             unnest(pumphouse.notice_rows(
               o.id,
               pumphouse.owners_of_connector(o.connector_id),
               ',"c":"' || o.connector_id || '","s":[]')) said;
  end case;
  perform pumphouse.send_notices('worker', left(tg_op, 1), rows);
  return null;
end
$$;

create trigger notify_insert
  after insert on public.worker
  referencing new table as new_rows
  for each statement
  execute function pumphouse.notify_worker();
create trigger notify_update
  after update on public.worker
  referencing old table as old_rows new table as new_rows
  for each statement
  execute function pumphouse.notify_worker();
create trigger notify_delete
  after delete on public.worker
  referencing old table as old_rows
  for each statement
  execute function pumphouse.notify_worker();

create function pumphouse.notify_health() returns trigger
language plpgsql as $$
declare
  rows text[];
begin
  -- A change of state says its health itself: `set local pumphouse.quiet_health = 'on'`.
  if current_setting('pumphouse.quiet_health', true) = 'on' then
    return null;
  end if;
  select array_agg(said order by w.id)
    into rows
    from new_rows n
    join old_rows o on o.worker_id = n.worker_id
    join public.worker w on w.id = n.worker_id,
         unnest(pumphouse.notice_rows(
           w.id,
           pumphouse.owners_of_connector(w.connector_id),
           ',"c":"' || w.connector_id || '","st":"' || w.state || '"')) said
    where n.announced_health <> o.announced_health;
  perform pumphouse.send_notices('worker', 'H', rows);
  return null;
end
$$;
create trigger notify_update
  after update on pumphouse.worker_launch
  referencing old table as old_rows new table as new_rows
  for each statement
  execute function pumphouse.notify_health();
