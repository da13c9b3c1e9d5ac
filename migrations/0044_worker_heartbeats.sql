-- Heartbeats are the most frequent change of all, and change nothing that anybody follows. The triggers of 0012 and 0017 looked
-- for that in the rows of the statement, which cost more than the heartbeat itself; these are not called for one. A statement
-- that changes many workers makes a notice for each.

create function pumphouse.append_transition_of_row() returns trigger
language plpgsql as $$
begin
  insert into pumphouse.worker_transition (
    worker_id, connector_id, from_state, to_state, reason, generation, last_heartbeat_at, stop_requested_at)
  values (
    new.id, new.connector_id, old.state, new.state, new.reason, new.launch_generation, new.last_heartbeat_at, new.stop_requested_at);
  return null;
end
$$;

drop trigger append_transition_update on public.worker;
create trigger append_transition_update
  after update on public.worker
  for each row
  when ((new.state, new.reason, new.launch_generation) is distinct from (old.state, old.reason, old.launch_generation))
  execute function pumphouse.append_transition_of_row();

create function pumphouse.notify_worker_of_row() returns trigger
language plpgsql as $$
begin
  perform pumphouse.send_notices('worker', 'U', pumphouse.notice_rows(
    new.id,
    pumphouse.owners_of_connector(new.connector_id),
    ',"c":"' || new.connector_id || '","s":'
      || case
           when (new.state, new.reason, new.launch_generation) is distinct from (old.state, old.reason, old.launch_generation)
           then pumphouse.latest_transition(new.id)
           else '[]'
         end));
  return null;
end
$$;

-- After the transition was appended: triggers run by name.
drop trigger notify_update on public.worker;
create trigger notify_update
  after update on public.worker
  for each row
  when ((new.state, new.reason, new.launch_generation, new.stop_requested_at, new.connector_id)
    is distinct from (old.state, old.reason, old.launch_generation, old.stop_requested_at, old.connector_id))
  execute function pumphouse.notify_worker_of_row();
