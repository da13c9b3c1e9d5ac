-- What of a pipeline follows from its rows, against any writer: is_completed, kept true by triggers, and the computed
-- state, written once for lists, filters and counts (domain.md section 2).

-- A subscription counts when it has a datamodel, a target connector and a target table.
create function pumphouse.is_complete(pipeline_id uuid, source_connector_id uuid, target_connector_id uuid) returns boolean
language plpgsql stable as $$
begin
  return source_connector_id is not null
    and target_connector_id is not null
    and exists (
      select 1
        from public.subscription s
        where s.pipeline_id = $1
          and s.datamodel_id is not null
          and s.target_connector_id is not null
          and s.target_table_name is not null);
end
$$;

-- Not stable: whoever waited for the row must see the subscriptions as they are then.
create function pumphouse.keep_completed() returns trigger
language plpgsql as $$
begin
  new.is_completed := pumphouse.is_complete(new.id, new.source_connector_id, new.target_connector_id);
  return new;
end
$$;
create trigger keep_completed
  before insert or update on public.pipeline
  for each row
  execute function pumphouse.keep_completed();

-- A subscription came, went or changed: its pipelines are locked in the order of ids before they are looked at, so that of
-- two who take away the last two subscriptions the second sees what the first did.
create function pumphouse.recomplete(pipelines uuid[]) returns void
language plpgsql as $$
begin
  perform 1
    from public.pipeline p
    where p.id = any(pipelines)
    order by p.id
    for no key update;
  update public.pipeline p
    set is_completed = not coalesce(p.is_completed, false)
    where p.id = any(pipelines)
      and p.is_completed is distinct from pumphouse.is_complete(p.id, p.source_connector_id, p.target_connector_id);
end
$$;

create function pumphouse.keep_completed_of() returns trigger
language plpgsql as $$
declare
  pipelines uuid[];
begin
  case tg_op
    when 'INSERT' then
      select array_agg(distinct n.pipeline_id)
        into pipelines
        from new_rows n
        where n.pipeline_id is not null;
    when 'UPDATE' then
      select array_agg(distinct touched.id)
        into pipelines
        from new_rows n
        join old_rows o on o.id = n.id,
             unnest(array[o.pipeline_id, n.pipeline_id]) touched(id)
        where touched.id is not null
          and (n.pipeline_id, n.datamodel_id, n.target_connector_id, n.target_table_name)
            is distinct from (o.pipeline_id, o.datamodel_id, o.target_connector_id, o.target_table_name);
    when 'DELETE' then
      select array_agg(distinct o.pipeline_id)
        into pipelines
        from old_rows o
        where o.pipeline_id is not null;
  end case;
  if pipelines is not null then
    perform pumphouse.recomplete(pipelines);
  end if;
  return null;
end
$$;
create trigger keep_completed_insert
  after insert on public.subscription
  referencing new table as new_rows
  for each statement
  execute function pumphouse.keep_completed_of();
create trigger keep_completed_update
  after update on public.subscription
  referencing old table as old_rows new table as new_rows
  for each statement
  execute function pumphouse.keep_completed_of();
create trigger keep_completed_delete
  after delete on public.subscription
  referencing old table as old_rows
  for each statement
  execute function pumphouse.keep_completed_of();

-- Deleting a datamodel or a connector sets subscriptions' references null, and those their pipelines' is_completed: the
-- pipelines are locked first, as pipelines come before subscriptions in the order of locks.
create function pumphouse.lock_pipelines() returns trigger
language plpgsql as $$
begin
  perform 1
    from public.pipeline p
    where p.id in (
      select s.pipeline_id
        from public.subscription s
        where (tg_table_name = 'datamodel' and s.datamodel_id = old.id)
           or (tg_table_name = 'connector' and s.target_connector_id = old.id))
    order by p.id
    for no key update;
  return old;
end
$$;
create trigger lock_pipelines
  before delete on public.datamodel
  for each row
  execute function pumphouse.lock_pipelines();
create trigger lock_pipelines
  before delete on public.connector
  for each row
  execute function pumphouse.lock_pipelines();

update public.pipeline p
  set is_completed = not coalesce(p.is_completed, false)
  where p.is_completed is distinct from pumphouse.is_complete(p.id, p.source_connector_id, p.target_connector_id);

-- The computed state. A connector without a worker counts like one that is PAUSED: nothing runs there. No FROM, so that it is
-- inlined where it is used.
create function pumphouse.state_of_pipeline(completed boolean, active boolean, source varchar, target varchar)
returns varchar
language sql immutable as $$
  select case
    when completed is not true then 'DRAFT'
    when active is not true then 'PAUSED'
    when source = 'ERROR' or target = 'ERROR' then 'ERROR'
    when source = 'STOPPING' or target = 'STOPPING' then 'STOPPING'
    when source = 'BUILDING' or target = 'BUILDING' then 'BUILDING'
    when source = 'LIVE' and target = 'LIVE' then 'LIVE'
    else 'PAUSED'
  end
$$;

-- `active`: it is completed and has a subscription that is enabled, so both its workers should run.
create view pumphouse.pipeline_state as
  select p.id as pipeline_id,
         p.source_connector_id,
         p.target_connector_id,
         p.is_completed and enabled.found as active,
         pumphouse.state_of_pipeline(p.is_completed, enabled.found, source.state, target.state) as state
    from public.pipeline p
    left join public.worker source on source.connector_id = p.source_connector_id
    left join public.worker target on target.connector_id = p.target_connector_id
    cross join lateral (
      select exists (select 1 from public.subscription s where s.pipeline_id = p.id and s.enabled)) enabled (found);
