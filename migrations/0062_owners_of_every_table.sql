-- A table that a right can hang on and that has no branch here is a fault of ours: `case` raises one, where null would have meant
-- that the row has no owners, and would have refused its mutations only when they took long.
create or replace function pumphouse.owners_of(tbl text, id uuid) returns text[]
language plpgsql stable as $$
begin
  case tbl
    when 'env' then return pumphouse.owner(null, $2);
    when 'team' then return pumphouse.owners_of_team($2);
    when 'connector' then return pumphouse.owners_of_connector($2);
    when 'datamodel' then return pumphouse.owners_of_datamodel($2);
    when 'pipeline' then return pumphouse.owners_of_pipeline($2);
    when 'subscription' then
      return (select pumphouse.owners_of_subscription(s.pipeline_id, s.target_connector_id, s.datamodel_id)
                from public.subscription s where s.id = $2);
    when 'worker' then
      return (select pumphouse.owners_of_connector(w.connector_id) from public.worker w where w.id = $2);
    when 'sync_run' then return pumphouse.owners_of_connector(pumphouse.connector_of_sync_run($2));
    when 'sync_table' then
      return (select pumphouse.owners_of_connector(pumphouse.connector_of_sync_run(t.sync_run_id))
                from public.sync_table t where t.id = $2);
    when 'service_account_user' then return pumphouse.owners_of_service_account($2);
    when 'env_request' then
      return (select pumphouse.owner(null, r.env_id) from public.env_request r where r.id = $2);
    when 'team_request' then
      return (select pumphouse.owners_of_team(r.team_id) from public.team_request r where r.id = $2);
  end case;
end
$$;
