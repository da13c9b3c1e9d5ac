-- A configuration that is sealed anew with another key is the same configuration: no new revision (0012), and no change
-- of the row either. Whoever holds an updatedAt may go on while keys are rotated.

create or replace function pumphouse.touch() returns trigger
language plpgsql as $$
begin
  new.created_at := old.created_at;
  new.updated_at := old.updated_at;
  if new *<> old and current_setting('pumphouse.keep_revision', true) is distinct from 'on' then
    new.updated_at := clock_timestamp();
  end if;
  return new;
end
$$;

-- The audit log learns to say that a connection was tested. The list is checked for new rows from here on, and for those
-- that are there by the next migration, which locks nobody out.
alter table public.user_log
  drop constraint user_log_action_check,
  add constraint user_log_action_check
    check (action in (
      'login', 'login_failed', 'logout', 'create', 'update', 'delete', 'start', 'stop', 'restart', 'move', 'grant',
      'revoke', 'invite', 'request', 'accept', 'decline', 'cancel', 'sync', 'skip', 'retry', 'export', 'apply',
      'bootstrap', 'register', 'change_password', 'issue', 'confirm', 'rotate', 'report', 'test')) not valid;
