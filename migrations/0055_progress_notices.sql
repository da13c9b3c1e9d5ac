-- That a table of a sync was told of for the first time, or starts again, is a change of it also where no row was read yet.
create function pumphouse.notify_of_sync_table_progress() returns trigger
language plpgsql as $$
declare
  rows text[];
begin
  if not exists (
    select
      from new_rows n
      join old_rows o on o.sync_table_id = n.sync_table_id
      where (n.reported, n.restarts) is distinct from (o.reported, o.restarts)
  ) then
    return null;
  end if;
  select array_agg(said order by r.id)
    into rows
    from new_rows n
    join old_rows o on o.sync_table_id = n.sync_table_id
    join public.sync_table r on r.id = n.sync_table_id,
         lateral (select pumphouse.connector_of_sync_run(r.sync_run_id) as id) c,
         unnest(pumphouse.notice_rows(r.id, pumphouse.owners_of_connector(c.id),
           ',"run":' || pumphouse.quoted(r.sync_run_id) || ',"c":' || pumphouse.quoted(c.id))) said
    where (n.reported, n.restarts) is distinct from (o.reported, o.restarts);
  perform pumphouse.send_notices('sync_table', 'U', rows);
  return null;
end
$$;
create trigger notify_update
  after update on pumphouse.sync_table_progress
  referencing old table as old_rows new table as new_rows
  for each statement
  execute function pumphouse.notify_of_sync_table_progress();
