-- Backfills: subscription.backfill is the trigger that people pull; the request has an id, which the worker confirms. Made
-- and withdrawn by trigger, so that whoever writes the column is understood. One row for each subscription: the latest
-- request, kept after it was confirmed so that a repeated confirmation is known as one.

create table pumphouse.backfill_request (
  subscription_id uuid primary key references public.subscription on delete cascade,
  id uuid not null,
  requested_at timestamptz not null default clock_timestamp(),
  confirmed_at timestamptz,
  confirmed_by uuid
);
create index backfill_request_id_idx on pumphouse.backfill_request (id);
comment on column pumphouse.backfill_request.confirmed_by is 'the generation of the worker that confirmed it';
select pumphouse.bound_times('pumphouse.backfill_request');

create function pumphouse.keep_backfill() returns trigger
language plpgsql as $$
begin
  if new.backfill is true and (tg_op = 'INSERT' or old.backfill is not true) then
    insert into pumphouse.backfill_request as r (subscription_id, id)
      values (new.id, gen_random_uuid())
      on conflict (subscription_id) do update
        set id = excluded.id,
            requested_at = excluded.requested_at,
            confirmed_at = null,
            confirmed_by = null;
  elsif new.backfill is not true then
    delete from pumphouse.backfill_request r
      where r.subscription_id = new.id
        and r.confirmed_at is null;
  end if;
  return null;
end
$$;
create trigger keep_backfill_insert
  after insert on public.subscription
  for each row
  when (new.backfill)
  execute function pumphouse.keep_backfill();
create trigger keep_backfill_update
  after update on public.subscription
  for each row
  when (coalesce(old.backfill, false) <> coalesce(new.backfill, false))
  execute function pumphouse.keep_backfill();

-- Tells the workers of the target connectors, before and after, that what they have to reload may have changed: a notice of
-- the name `backfill`, which stands for no table of the graph.
create function pumphouse.tell_backfill() returns trigger
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
  perform pumphouse.send_notices('backfill', 'U', rows);
  return null;
end
$$;
create trigger tell_backfill_insert
  after insert on public.subscription
  for each row
  when (new.backfill)
  execute function pumphouse.tell_backfill();
create trigger tell_backfill_update
  after update on public.subscription
  for each row
  when (old.backfill or new.backfill)
  execute function pumphouse.tell_backfill();
create trigger tell_backfill_delete
  after delete on public.subscription
  for each row
  when (old.backfill)
  execute function pumphouse.tell_backfill();

-- What stands switched on already becomes a request.
insert into pumphouse.backfill_request (subscription_id, id)
  select s.id, gen_random_uuid()
    from public.subscription s
    where s.backfill;
