-- Invitations to addresses that nobody has. They are answered like all others, a second one is refused like all others,
-- and they become requests when a user with the address is made; after 30 days they count no more.

create table pumphouse.invitation (
  id uuid primary key,
  email varchar(320) not null,
  env_id uuid references public.env on delete cascade,
  team_id uuid references public.team on delete cascade,
  role varchar(16)
    constraint invitation_role_check check (role in ('admin', 'member', 'reader')),
  admin boolean,
  from_user_id uuid not null references public."user" on delete cascade,
  created_at timestamptz not null default now(),
  constraint invitation_env_id_email_key unique (env_id, email),
  constraint invitation_team_id_email_key unique (team_id, email),
  constraint invitation_env_id_check check (
    (env_id is not null and role is not null and num_nonnulls(team_id, admin) = 0)
    or (team_id is not null and admin is not null and num_nonnulls(env_id, role) = 0))
);
create index invitation_email_idx on pumphouse.invitation (email);
create index invitation_from_user_id_idx on pumphouse.invitation (from_user_id);

create function pumphouse.deliver_invitations() returns trigger
language plpgsql as $$
begin
  if not exists (select from pumphouse.invitation where email = new.email) then
    return null;
  end if;
  insert into public.env_request (id, role, env_id, from_user_id, to_user_id, status)
    select i.id, i.role, i.env_id, i.from_user_id, new.id, 'PENDING'
      from pumphouse.invitation i
      where i.email = new.email
        and i.env_id is not null
        and i.created_at > now() - interval '30 days'
    on conflict do nothing;
  insert into public.team_request (id, admin, team_id, from_user_id, to_user_id, status)
    select i.id, i.admin, i.team_id, i.from_user_id, new.id, 'PENDING'
      from pumphouse.invitation i
      where i.email = new.email
        and i.team_id is not null
        and i.created_at > now() - interval '30 days'
    on conflict do nothing;
  delete from pumphouse.invitation
    where email = new.email;
  return null;
end
$$;
create trigger deliver_invitations
  after insert or update of email on public."user"
  for each row
  execute function pumphouse.deliver_invitations();
