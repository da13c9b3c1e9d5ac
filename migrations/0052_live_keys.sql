-- What live fields need to hear beside the changes of rows: which pipeline a subscription belongs to, the pipeline that one
-- has left, and rows that come into sight or go out of it although only the row that they have their owners from changed.

drop trigger notify_insert on public.subscription;
drop trigger notify_update on public.subscription;
drop trigger notify_delete on public.subscription;
select pumphouse.announce(
  'public.subscription',
  'pumphouse.owners_of_subscription(r.pipeline_id, r.target_connector_id, r.datamodel_id)',
  'p', 'pumphouse.quoted(r.pipeline_id)');

-- A subscription that goes to another pipeline changes both; its own notice names the one that it has.
create function pumphouse.tell_former_pipeline() returns trigger
language plpgsql as $$
begin
  perform pumphouse.send_notices(
    'pipeline', 'U', pumphouse.notice_rows(old.pipeline_id, pumphouse.owners_of_pipeline(old.pipeline_id), ''));
  return null;
end
$$;
create trigger tell_former_pipeline
  after update on public.subscription
  for each row
  when (old.pipeline_id is not null and old.pipeline_id is distinct from new.pipeline_id)
  execute function pumphouse.tell_former_pipeline();

-- A datamodel without a source is owned by the teams of the pipelines that name it, and a subscription without pipeline and
-- target by whoever owns its datamodel. A row that is said here has not changed; who may see it may have.
create function pumphouse.tell_datamodels(ids uuid[], owners text[]) returns void
language plpgsql as $$
declare
  rows text[];
begin
  select array_agg(said)
    into rows
    from public.datamodel d,
         unnest(pumphouse.notice_rows(d.id, pumphouse.either(owners, pumphouse.owners_of_datamodel(d.id)), '')) said
    where d.id = any(ids)
      and d.source_connector_id is null;
  perform pumphouse.send_notices('datamodel', 'U', rows);
  select array_agg(said)
    into rows
    from public.subscription s,
         unnest(pumphouse.notice_rows(s.id, pumphouse.either(owners, pumphouse.owners_of_datamodel(s.datamodel_id)), '')) said
    where s.datamodel_id = any(ids)
      and s.pipeline_id is null
      and s.target_connector_id is null;
  perform pumphouse.send_notices('subscription', 'U', rows);
end
$$;

create function pumphouse.tell_carried() returns trigger
language plpgsql as $$
begin
  perform pumphouse.tell_datamodels(
    array[case when tg_op <> 'INSERT' then old.datamodel_id end, case when tg_op <> 'DELETE' then new.datamodel_id end],
    case when tg_op = 'INSERT' then '{}' else pumphouse.owner(old.team_id, old.env_id) end);
  return null;
end
$$;
create trigger tell_carried_insert
  after insert on public.pipeline
  for each row
  when (new.datamodel_id is not null)
  execute function pumphouse.tell_carried();
create trigger tell_carried_update
  after update on public.pipeline
  for each row
  when ((old.datamodel_id, old.team_id, old.env_id) is distinct from (new.datamodel_id, new.team_id, new.env_id))
  execute function pumphouse.tell_carried();
create trigger tell_carried_delete
  after delete on public.pipeline
  for each row
  when (old.datamodel_id is not null)
  execute function pumphouse.tell_carried();

create function pumphouse.tell_delivered() returns trigger
language plpgsql as $$
begin
  perform pumphouse.tell_datamodels(
    array[new.id], pumphouse.owners_of_datamodel(old.id, old.source_connector_id));
  return null;
end
$$;
create trigger tell_delivered
  after update on public.datamodel
  for each row
  when (old.source_connector_id is distinct from new.source_connector_id)
  execute function pumphouse.tell_delivered();
