-- What a token's validity hangs on: the password epoch, revoked tokens, the grants of service accounts; and the ids
-- of deleted users, so that the control plane learns of them.

create table pumphouse.credential (
  user_id uuid primary key references public."user" on delete cascade,
  epoch integer not null default 0,
  changed_at timestamptz not null default now()
);

create function pumphouse.begin_credential() returns trigger
language plpgsql as $$
begin
  insert into pumphouse.credential (user_id)
    values (new.id);
  return null;
end
$$;
create trigger begin_credential
  after insert on public."user"
  for each row
  execute function pumphouse.begin_credential();

create function pumphouse.raise_epoch() returns trigger
language plpgsql as $$
begin
  update pumphouse.credential
    set epoch = epoch + 1,
        changed_at = clock_timestamp()
    where user_id = new.id;
  return null;
end
$$;
create trigger raise_epoch
  after update of hashed_password on public."user"
  for each row
  when (old.hashed_password is distinct from new.hashed_password)
  execute function pumphouse.raise_epoch();

create table pumphouse.revoked_token (
  token_id uuid primary key,
  user_id uuid references public."user" on delete cascade,
  expires_at timestamptz not null,
  revoked_at timestamptz not null default now()
);
create index revoked_token_user_id_idx on pumphouse.revoked_token (user_id);
create index revoked_token_expires_at_idx on pumphouse.revoked_token (expires_at);

-- Two partial keys, not `nulls not distinct`: PostgreSQL 14 is supported.
create table pumphouse.service_account_grant (
  id uuid primary key,
  service_account_id uuid not null references public.service_account_user on delete cascade,
  env_id uuid references public.env on delete cascade,
  team_id uuid references public.team on delete cascade,
  role varchar(16)
    constraint service_account_grant_role_check check (role in ('admin', 'member', 'reader')),
  admin boolean not null default false,
  worker boolean not null default false,
  created_at timestamptz default now(),
  constraint service_account_grant_env_id_check check (num_nonnulls(env_id, team_id) = 1)
);
create unique index service_account_grant_env_key on pumphouse.service_account_grant (service_account_id, env_id)
  where env_id is not null;
create unique index service_account_grant_team_key on pumphouse.service_account_grant (service_account_id, team_id)
  where team_id is not null;
create index service_account_grant_service_account_id_idx on pumphouse.service_account_grant (service_account_id);
create index service_account_grant_env_id_idx on pumphouse.service_account_grant (env_id);
create index service_account_grant_team_id_idx on pumphouse.service_account_grant (team_id);

create table pumphouse.user_tombstone (
  user_id uuid primary key,
  email varchar(320) not null,
  deleted_at timestamptz not null default now()
);
create index user_tombstone_deleted_at_idx on pumphouse.user_tombstone (deleted_at, user_id);

create function pumphouse.bury_user() returns trigger
language plpgsql as $$
begin
  insert into pumphouse.user_tombstone (user_id, email, deleted_at)
    values (old.id, old.email, clock_timestamp())
    on conflict (user_id) do update
      set email = excluded.email,
          deleted_at = excluded.deleted_at;
  return null;
end
$$;
create trigger bury_user
  after delete on public."user"
  for each row
  execute function pumphouse.bury_user();
