-- The id of a backfill stands for one piece of work. Another table, datamodel or topic is other work: the request gets a new id, so
-- that a worker that has done the old one cannot confirm the new one.
create or replace function pumphouse.keep_backfill() returns trigger
language plpgsql as $$
begin
  if new.backfill is true then
    insert into pumphouse.backfill_request as r (subscription_id, id)
      values (new.id, gen_random_uuid())
      on conflict (subscription_id) do update
        set id = excluded.id,
            requested_at = excluded.requested_at,
            confirmed_at = null,
            confirmed_by = null;
  else
    delete from pumphouse.backfill_request r
      where r.subscription_id = new.id
        and r.confirmed_at is null;
  end if;
  return null;
end
$$;
drop trigger keep_backfill_update on public.subscription;
create trigger keep_backfill_update
  after update on public.subscription
  for each row
  when (coalesce(old.backfill, false) <> coalesce(new.backfill, false)
        or (new.backfill and (old.target_table_name, old.datamodel_id) is distinct from (new.target_table_name, new.datamodel_id)))
  execute function pumphouse.keep_backfill();

create function pumphouse.renew_backfills() returns trigger
language plpgsql as $$
declare
  rows text[];
begin
  with renewed as (
    update pumphouse.backfill_request r
      set id = gen_random_uuid(),
          requested_at = clock_timestamp()
      from public.subscription s
      where s.datamodel_id = new.id
        and s.backfill
        and r.subscription_id = s.id
        and r.confirmed_at is null
      returning s.id, s.target_connector_id as connector
  )
  select array_agg(said)
    into rows
    from renewed,
         unnest(pumphouse.notice_rows(renewed.id, '{}', ',"c":"' || renewed.connector || '"')) said
    where renewed.connector is not null;
  perform pumphouse.send_notices('backfill', 'U', rows);
  return null;
end
$$;
create trigger renew_backfills
  after update on public.datamodel
  for each row
  when (old.source_topic is distinct from new.source_topic)
  execute function pumphouse.renew_backfills();
