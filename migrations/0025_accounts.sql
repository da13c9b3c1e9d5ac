-- Service accounts: the tokens issued for them; that a change of a grant ends what it allowed; and that the memberships
-- of an account's user are those of its grants, whoever writes.

create table pumphouse.service_account_token (
  token_id uuid primary key,
  service_account_id uuid not null references public.service_account_user on delete cascade,
  name varchar(100),
  created_at timestamptz not null default now(),
  expires_at timestamptz not null
);
create index service_account_token_service_account_id_idx
  on pumphouse.service_account_token (service_account_id, created_at, token_id);

-- A change of a grant may change no membership (`worker` alone), so it says whose rights it is about: key `u`.
create or replace function pumphouse.notify_grant() returns trigger
language plpgsql as $$
declare
  changed pumphouse.service_account_grant[];
  rows text[];
begin
  if tg_op = 'DELETE' then
    select array_agg(o::pumphouse.service_account_grant)
      into changed
      from old_rows o;
  else
    select array_agg(n::pumphouse.service_account_grant)
      into changed
      from new_rows n;
  end if;
  select array_agg(said order by a.id)
    into rows
    from (
      select g.service_account_id as id, array_agg(distinct pair) filter (where pair is not null) as owners
        from unnest(changed) g
        left join unnest(pumphouse.owner(null, g.env_id) || pumphouse.owners_of_team(g.team_id)) pair on true
        group by g.service_account_id
    ) g
    join public.service_account_user a on a.id = g.id,
         unnest(pumphouse.notice_rows(
           a.id,
           pumphouse.either(coalesce(g.owners, '{}'), pumphouse.owners_of_service_account(a.id)),
           ',"u":' || pumphouse.quoted(a.user_id))) said;
  perform pumphouse.send_notices('service_account_user', 'U', rows);
  return null;
end
$$;

drop trigger notify_insert on public.service_account_user;
drop trigger notify_update on public.service_account_user;
drop trigger notify_delete on public.service_account_user;
select pumphouse.announce(
  'public.service_account_user', 'pumphouse.owners_of_service_account(r.id)',
  'u', 'pumphouse.quoted(r.user_id)');

-- Were an account's user let into an env or a team by another way, whoever may issue tokens for the account would get
-- what they do not administer. What a deletion takes along (a team, a user) takes the grant along too.
create function pumphouse.follow_grants() returns trigger
language plpgsql as $$
declare
  member record := coalesce(new, old);
  given boolean;
begin
  if pg_trigger_depth() > 1
     or not exists (select from public.service_account_user a where a.user_id = member.user_id) then
    return null;
  end if;
  if tg_table_name = 'env_member' then
    given := exists (
      select from pumphouse.service_account_grant g
        join public.service_account_user a on a.id = g.service_account_id
        where a.user_id = member.user_id and g.env_id = member.env_id and (tg_op = 'DELETE' or g.role = member.role));
  else
    given := exists (
      select from pumphouse.service_account_grant g
        join public.service_account_user a on a.id = g.service_account_id
        where a.user_id = member.user_id and g.team_id = member.team_id
          and (tg_op = 'DELETE' or g.admin = coalesce(member.admin, false)));
  end if;
  if given = (tg_op = 'DELETE') then
    raise exception 'the memberships of a service account are those of its grants'
      using errcode = 'restrict_violation', constraint = 'service_account_memberships';
  end if;
  return null;
end
$$;
create trigger follow_grants
  after insert or update or delete on public.env_member
  for each row
  execute function pumphouse.follow_grants();
create trigger follow_grants
  after insert or update or delete on public.team_member
  for each row
  execute function pumphouse.follow_grants();

-- The audit trail is read by time within one env, team, author, verb or thing. One index answers each of these only
-- where all of it stands in one table, so the detail of an entry repeats the entry; both are append-only.
alter table pumphouse.audit_detail
  add column "timestamp" timestamptz,
  add column user_type varchar(9),
  add column action varchar(20),
  add column user_id uuid references public."user" on delete set null,
  add column user_email varchar(320),
  add column target_user_id uuid references public."user" on delete set null,
  add column actor_name text,
  add column created_at timestamptz default now(),
  add column updated_at timestamptz default now();

alter table pumphouse.audit_detail disable trigger append_only;
update pumphouse.audit_detail d
  set "timestamp" = l."timestamp",
      user_type = l.user_type,
      action = l.action,
      user_id = l.user_id,
      user_email = l.user_email,
      target_user_id = l.target_user_id,
      created_at = l.created_at,
      updated_at = l.updated_at
  from public.user_log l
  where l.id = d.user_log_id;
drop trigger append_only on pumphouse.audit_detail;
create trigger append_only
  before update on pumphouse.audit_detail
  for each row
  execute function pumphouse.append_only('user_id', 'target_user_id');
select pumphouse.keep_times('pumphouse.audit_detail');

alter table pumphouse.audit_detail
  alter column "timestamp" set not null,
  alter column user_type set not null,
  alter column action set not null;

drop index pumphouse.audit_detail_env_id_idx;
drop index pumphouse.audit_detail_team_id_idx;
drop index pumphouse.audit_detail_entity_id_idx;
create index audit_detail_timestamp_idx on pumphouse.audit_detail ("timestamp", user_log_id);
create index audit_detail_env_id_idx on pumphouse.audit_detail (env_id, "timestamp", user_log_id);
-- An env may have half of all entries, and few or none of a verb, an author or a thing that is frequent elsewhere.
create index audit_detail_env_id_action_idx on pumphouse.audit_detail (env_id, action, "timestamp", user_log_id);
create index audit_detail_env_id_user_email_idx on pumphouse.audit_detail (env_id, user_email, "timestamp", user_log_id);
create index audit_detail_env_id_entity_type_idx on pumphouse.audit_detail (env_id, entity_type, "timestamp", user_log_id);
create index audit_detail_env_id_entity_id_idx on pumphouse.audit_detail (env_id, entity_id, "timestamp", user_log_id);
create index audit_detail_team_id_idx on pumphouse.audit_detail (team_id, "timestamp", user_log_id);
create index audit_detail_user_id_idx on pumphouse.audit_detail (user_id, "timestamp", user_log_id);
create index audit_detail_target_user_id_idx on pumphouse.audit_detail (target_user_id, "timestamp", user_log_id);
create index audit_detail_user_email_idx on pumphouse.audit_detail (user_email, "timestamp", user_log_id);
create index audit_detail_action_idx on pumphouse.audit_detail (action, "timestamp", user_log_id);
create index audit_detail_entity_type_idx on pumphouse.audit_detail (entity_type, "timestamp", user_log_id);
create index audit_detail_entity_id_idx on pumphouse.audit_detail (entity_id, "timestamp", user_log_id);

-- A list is the newest rows of one owner, author, verb or thing. A value that is frequent on average the planner looks for
-- along the time, which reads the whole trail where this one is not. Told that there are many values, it reads along the
-- value's own index, which costs a page of rows whatever the value; of several, along that of whom or what is said closest.
alter table pumphouse.audit_detail
  alter column env_id set (n_distinct = 1000),
  alter column team_id set (n_distinct = 1000),
  alter column user_id set (n_distinct = 1000),
  alter column action set (n_distinct = 200),
  alter column entity_type set (n_distinct = 200),
  alter column user_email set (n_distinct = 2000),
  alter column target_user_id set (n_distinct = 2000),
  alter column entity_id set (n_distinct = 2000);

-- The trail as it is read.
create view pumphouse.audit_entry as
  select user_log_id as id, "timestamp", user_type, action, user_id, user_email, target_user_id, actor_name,
         entity_type, entity_id, entity_name, env_id, team_id, changed_fields, request_id, created_at, updated_at
    from pumphouse.audit_detail;
