-- The rows that were there already keep to the new list of verbs too: read under a lock that stops no writer.
alter table public.user_log
  validate constraint user_log_action_check;
