-- An invitation that takes the place of an expired one deletes the request that nobody decided: a cancelled one that stayed
-- would tell its author that somebody has the address.
create or replace function pumphouse.deliver_invitation() returns trigger
language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    delete from public.env_request where id = old.id and status = 'PENDING';
    delete from public.team_request where id = old.id and status = 'PENDING';
  end if;
  perform pumphouse.deliver(new);
  return null;
end
$$;

-- Kept answers remember the rights that they were read with, which those of before do not.
delete from public.idempotency_record;
