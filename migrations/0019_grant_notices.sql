-- A service account is made before its grants, and who may see it hangs on them: a change of its grants is announced
-- as an update of the account, to the owners that it has and to those of the grant that came or went.

create function pumphouse.notify_grant() returns trigger
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
           a.id, pumphouse.either(coalesce(g.owners, '{}'), pumphouse.owners_of_service_account(a.id)), '')) said;
  perform pumphouse.send_notices('service_account_user', 'U', rows);
  return null;
end
$$;

create trigger notify_insert
  after insert on pumphouse.service_account_grant
  referencing new table as new_rows
  for each statement
  execute function pumphouse.notify_grant();
create trigger notify_update
  after update on pumphouse.service_account_grant
  referencing new table as new_rows
  for each statement
  execute function pumphouse.notify_grant();
create trigger notify_delete
  after delete on pumphouse.service_account_grant
  referencing old table as old_rows
  for each statement
  execute function pumphouse.notify_grant();
