-- Each mutation writes an audit row, and with it every index that the row is in. These were in nobody's plan: the log is read from
-- `audit_detail`, where a thing lies in one env; and what `user_log` is searched for, and both for a target, is that a user goes.
drop index public.user_log_timestamp_idx;
drop index public.user_log_user_id_idx;
create index user_log_user_id_idx on public.user_log (user_id)
  where user_id is not null;
drop index public.user_log_target_user_id_idx;
create index user_log_target_user_id_idx on public.user_log (target_user_id)
  where target_user_id is not null;
drop index pumphouse.audit_detail_env_id_entity_id_idx;
drop index pumphouse.audit_detail_target_user_id_idx;
create index audit_detail_target_user_id_idx on pumphouse.audit_detail (target_user_id, "timestamp", user_log_id)
  where target_user_id is not null;
