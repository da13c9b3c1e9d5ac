-- What the writing side needs to know of rights: the owners of any row, for answers that are kept and given again;
-- and that a revoked token is heard of at once, like everything else that changes what somebody may do.

-- The owners of a row of any table that a right can hang on, as the notices write them.
create function pumphouse.owners_of(tbl text, id uuid) returns text[]
language plpgsql stable as $$
begin
  return case tbl
    when 'env' then pumphouse.owner(null, $2)
    when 'team' then pumphouse.owners_of_team($2)
    when 'connector' then pumphouse.owners_of_connector($2)
    when 'datamodel' then pumphouse.owners_of_datamodel($2)
    when 'pipeline' then pumphouse.owners_of_pipeline($2)
    when 'subscription' then
      (select pumphouse.owners_of_subscription(s.pipeline_id, s.target_connector_id, s.datamodel_id)
         from public.subscription s where s.id = $2)
    when 'worker' then
      (select pumphouse.owners_of_connector(w.connector_id) from public.worker w where w.id = $2)
    when 'sync_run' then pumphouse.owners_of_connector(pumphouse.connector_of_sync_run($2))
    when 'sync_table' then
      (select pumphouse.owners_of_connector(pumphouse.connector_of_sync_run(t.sync_run_id))
         from public.sync_table t where t.id = $2)
    when 'service_account_user' then pumphouse.owners_of_service_account($2)
    when 'env_request' then
      (select pumphouse.owner(null, r.env_id) from public.env_request r where r.id = $2)
    when 'team_request' then
      (select pumphouse.owners_of_team(r.team_id) from public.team_request r where r.id = $2)
  end;
end
$$;

-- Who may be given a kept answer again: what the right to the mutation hung on when it was proven.
create table pumphouse.idempotency_standing (
  record_id uuid primary key references public.idempotency_record on delete cascade,
  standing json not null
);

create function pumphouse.announce_revocation() returns trigger
language plpgsql as $$
begin
  if new.user_id is not null then
    perform pumphouse.send_notices('user', 'U', pumphouse.notice_rows(new.user_id, '{}', ''));
  end if;
  return null;
end
$$;
create trigger announce_revocation
  after insert on pumphouse.revoked_token
  for each row
  execute function pumphouse.announce_revocation();
