-- The audit trail outlives everyone in it: nothing is edited, nothing is removed. Only the deletion of a user may
-- null the link to that user. audit_detail says beside each entry what it was about, never a value.

create table pumphouse.audit_detail (
  user_log_id uuid primary key references public.user_log,
  entity_type text not null,
  entity_id uuid,
  entity_name text,
  env_id uuid,
  team_id uuid,
  changed_fields text[] not null default '{}',
  request_id text
);
create index audit_detail_env_id_idx on pumphouse.audit_detail (env_id);
create index audit_detail_team_id_idx on pumphouse.audit_detail (team_id);
create index audit_detail_entity_id_idx on pumphouse.audit_detail (entity_id);

-- The arguments name the columns that may become null; nothing else may change.
create function pumphouse.append_only() returns trigger
language plpgsql as $$
declare
  before_image jsonb;
  after_image jsonb;
  link text;
begin
  if tg_op <> 'UPDATE' then
    raise exception '%.% is append-only: % refused', tg_table_schema, tg_table_name, tg_op
      using errcode = 'restrict_violation';
  end if;
  before_image := to_jsonb(old);
  after_image := to_jsonb(new);
  foreach link in array coalesce(tg_argv, '{}') loop
    if after_image -> link = 'null' then
      before_image := before_image - link;
      after_image := after_image - link;
    end if;
  end loop;
  if before_image <> after_image then
    raise exception '%.% is append-only: UPDATE refused', tg_table_schema, tg_table_name
      using errcode = 'restrict_violation';
  end if;
  return new;
end
$$;

create trigger append_only
  before update on public.user_log
  for each row
  execute function pumphouse.append_only('user_id', 'target_user_id');
create trigger append_only_rows
  before delete or truncate on public.user_log
  for each statement
  execute function pumphouse.append_only();

create trigger append_only
  before update on pumphouse.audit_detail
  for each row
  execute function pumphouse.append_only();
create trigger append_only_rows
  before delete or truncate on pumphouse.audit_detail
  for each statement
  execute function pumphouse.append_only();
