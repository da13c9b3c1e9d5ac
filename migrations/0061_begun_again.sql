-- A worker that boots again in its generation, as a pod that was restarted does, has lost what it was reading: its tables are
-- handed to it anew, as they are to another generation. Whoever fetches a configuration for it does not say that it boots.
create function pumphouse.begin_again() returns trigger
language plpgsql as $$
declare
  run uuid;
begin
  -- As reports do: the run before its tables.
  select r.id
    into run
    from public.sync_run r
    join public.worker w on w.connector_id = r.connector_id
    where w.id = new.worker_id
      and r.status = 'SYNCING'
    for no key update of r;
  update pumphouse.sync_table_progress p
    set generation = null
    from public.sync_table t
    where t.id = p.sync_table_id
      and t.sync_run_id = run
      and t.status = 'IN_PROGRESS'
      and p.reported;
  return null;
end
$$;
create trigger begin_again
  after update of booted_revision on pumphouse.worker_launch
  for each row
  when (old.booted_revision is not null and new.booted_revision is not null
    and old.generation is not distinct from new.generation
    and current_setting('pumphouse.boots_itself', true) = 'on')
  execute function pumphouse.begin_again();
