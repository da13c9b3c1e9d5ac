-- A target's worker follows what it has to deliver while it runs. The notice `backfill`, which told it of reloads alone, is sent
-- whenever a subscription or its datamodel has changed, to the workers of the target connectors before and after.

drop trigger tell_backfill_insert on public.subscription;
drop trigger tell_backfill_update on public.subscription;
drop trigger tell_backfill_delete on public.subscription;

alter function pumphouse.tell_backfill() rename to tell_deliveries;

create or replace function pumphouse.tell_deliveries() returns trigger
language plpgsql as $$
declare
  rows text[];
begin
  select array_agg(said)
    into rows
    from (select distinct connector
            from unnest(array[
              case when tg_op <> 'INSERT' then old.target_connector_id end,
              case when tg_op <> 'DELETE' then new.target_connector_id end]) connector
            where connector is not null) told,
         unnest(pumphouse.notice_rows(
           coalesce(new.id, old.id), '{}', ',"c":"' || told.connector || '"')) said;
  perform pumphouse.send_notices('deliveries', 'U', rows);
  return null;
end
$$;
create trigger tell_deliveries_insert
  after insert on public.subscription
  for each row
  execute function pumphouse.tell_deliveries();
create trigger tell_deliveries_update
  after update on public.subscription
  for each row
  when (old.updated_at is distinct from new.updated_at)
  execute function pumphouse.tell_deliveries();
create trigger tell_deliveries_delete
  after delete on public.subscription
  for each row
  execute function pumphouse.tell_deliveries();

-- What a datamodel reads is said by itself, so its change concerns the workers of all that deliver it.
create function pumphouse.tell_deliveries_of_datamodel() returns trigger
language plpgsql as $$
declare
  rows text[];
begin
  select array_agg(said)
    into rows
    from (select distinct s.target_connector_id as connector
            from public.subscription s
            where s.datamodel_id = new.id
              and s.target_connector_id is not null) told,
         unnest(pumphouse.notice_rows(new.id, '{}', ',"c":"' || told.connector || '"')) said;
  perform pumphouse.send_notices('deliveries', 'U', rows);
  return null;
end
$$;
create trigger tell_deliveries
  after update on public.datamodel
  for each row
  when (old.updated_at is distinct from new.updated_at)
  execute function pumphouse.tell_deliveries_of_datamodel();
