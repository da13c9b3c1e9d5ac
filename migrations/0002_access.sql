-- Access and organisation: who may act, and on what. Eight tables of the reference, with the keys that make a
-- second membership, a second pending request and a differently spelled email impossible.

create table public.env (
  id uuid primary key,
  name varchar(100),
  retention_configuration json not null,
  config_hash varchar(64),
  created_at timestamptz default now(),
  updated_at timestamptz default now()
);

create table public."user" (
  id uuid primary key,
  email varchar(320) not null
    constraint user_email_check check (email = lower(btrim(email))),
  hashed_password varchar(1024),
  is_active boolean not null,
  is_superuser boolean not null,
  is_verified boolean not null,
  version integer not null,
  active_env_id uuid references public.env on delete set null,
  created_at timestamptz default now(),
  updated_at timestamptz not null default now()
);
create unique index user_email_key on public."user" (email);
create index user_updated_at_idx on public."user" (updated_at);
create index user_version_idx on public."user" (version);
create index user_active_env_id_idx on public."user" (active_env_id);

create table public.env_member (
  id uuid primary key,
  "timestamp" timestamptz not null,
  role varchar(16) not null
    constraint env_member_role_check check (role in ('admin', 'member', 'reader')),
  user_id uuid not null references public."user" on delete cascade,
  env_id uuid not null references public.env on delete cascade,
  created_at timestamptz default now(),
  updated_at timestamptz default now(),
  constraint env_member_user_id_env_id_key unique (user_id, env_id)
);
create index env_member_env_id_idx on public.env_member (env_id, created_at, id);

create table public.env_request (
  id uuid primary key,
  role varchar(16) not null
    constraint env_request_role_check check (role in ('admin', 'member', 'reader')),
  env_id uuid not null references public.env on delete cascade,
  from_user_id uuid not null references public."user",
  to_user_id uuid not null references public."user",
  status varchar(32) not null
    constraint env_request_status_check check (status in ('PENDING', 'ACCEPTED', 'DECLINED', 'CANCELLED')),
  created_at timestamptz default now(),
  updated_at timestamptz default now()
);
create index env_request_env_id_idx on public.env_request (env_id);
create index env_request_from_user_id_idx on public.env_request (from_user_id);
create index env_request_to_user_id_idx on public.env_request (to_user_id);
create unique index env_request_pending_key on public.env_request (env_id, to_user_id)
  where status = 'PENDING';

create table public.service_account_user (
  id uuid primary key,
  name varchar(300) not null,
  user_id uuid not null references public."user" on delete cascade,
  created_at timestamptz default now(),
  updated_at timestamptz default now(),
  constraint service_account_user_user_id_key unique (user_id)
);

-- unique (id, env_id) is what the mirrored env_id of connectors and pipelines refers to.
create table public.team (
  id uuid primary key,
  name varchar(100),
  description text,
  env_id uuid references public.env on delete set null,
  created_at timestamptz default now(),
  updated_at timestamptz default now(),
  constraint team_env_id_name_key unique (env_id, name),
  constraint team_id_env_id_key unique (id, env_id)
);
create index team_env_id_idx on public.team (env_id, created_at, id);

create table public.team_member (
  id uuid primary key,
  "timestamp" timestamptz not null,
  admin boolean,
  user_id uuid not null references public."user" on delete cascade,
  team_id uuid not null references public.team on delete cascade,
  created_at timestamptz default now(),
  updated_at timestamptz default now(),
  constraint team_member_user_id_team_id_key unique (user_id, team_id)
);
create index team_member_team_id_idx on public.team_member (team_id, created_at, id);

create table public.team_request (
  id uuid primary key,
  admin boolean not null,
  team_id uuid not null references public.team,
  from_user_id uuid not null references public."user",
  to_user_id uuid not null references public."user",
  status varchar(32) not null
    constraint team_request_status_check check (status in ('PENDING', 'ACCEPTED', 'DECLINED', 'CANCELLED')),
  created_at timestamptz default now(),
  updated_at timestamptz default now()
);
create index team_request_from_user_id_idx on public.team_request (from_user_id);
create index team_request_team_id_idx on public.team_request (team_id);
create index team_request_to_user_id_idx on public.team_request (to_user_id);
create unique index team_request_pending_key on public.team_request (team_id, to_user_id)
  where status = 'PENDING';

-- user.version rises by one on every change, whatever the writer says: the control plane compares it.
create function pumphouse.bump_user_version() returns trigger
language plpgsql as $$
begin
  new.created_at := old.created_at;
  new.updated_at := old.updated_at;
  new.version := old.version;
  if new *<> old then
    new.version := old.version + 1;
  end if;
  return new;
end
$$;
create trigger bump_version
  before update on public."user"
  for each row
  execute function pumphouse.bump_user_version();

select pumphouse.keep_times('public.env');
select pumphouse.keep_times('public."user"');
select pumphouse.keep_times('public.env_member');
select pumphouse.keep_times('public.env_request');
select pumphouse.keep_times('public.service_account_user');
select pumphouse.keep_times('public.team');
select pumphouse.keep_times('public.team_member');
select pumphouse.keep_times('public.team_request');
