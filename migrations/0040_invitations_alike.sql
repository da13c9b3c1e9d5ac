-- An invitation to somebody whom its author does not see looks the same to them whether or not somebody has the address:
-- it is a row here in both cases, and is shown as that. Who has the address finds a request of the same id beside it, which
-- nobody else is shown; so it is kept here until it is decided, and not turned into a request as before.

create function pumphouse.deliver(i pumphouse.invitation) returns void
language plpgsql as $$
begin
  insert into public.env_request (id, role, env_id, from_user_id, to_user_id, status)
    select i.id, i.role, i.env_id, i.from_user_id, u.id, 'PENDING'
      from public."user" u
      where u.email = i.email
        and i.env_id is not null
        and not exists (select from public.service_account_user s where s.user_id = u.id)
    on conflict do nothing;
  insert into public.team_request (id, admin, team_id, from_user_id, to_user_id, status)
    select i.id, i.admin, i.team_id, i.from_user_id, u.id, 'PENDING'
      from public."user" u
      where u.email = i.email
        and i.team_id is not null
        and not exists (select from public.service_account_user s where s.user_id = u.id)
    on conflict do nothing;
end
$$;

-- To whoever has the address already. One that takes the place of an expired one ends that.
create function pumphouse.deliver_invitation() returns trigger
language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    update public.env_request set status = 'CANCELLED' where id = old.id and status = 'PENDING';
    update public.team_request set status = 'CANCELLED' where id = old.id and status = 'PENDING';
  end if;
  perform pumphouse.deliver(new);
  return null;
end
$$;
create trigger deliver_invitation
  after insert or update on pumphouse.invitation
  for each row
  execute function pumphouse.deliver_invitation();

-- To whoever has the address later.
create or replace function pumphouse.deliver_invitations() returns trigger
language plpgsql as $$
begin
  perform pumphouse.deliver(i)
    from pumphouse.invitation i
    where i.email = new.email
      and i.created_at > now() - interval '30 days';
  return null;
end
$$;
