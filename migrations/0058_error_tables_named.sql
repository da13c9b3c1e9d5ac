-- The configuration of a pipeline's error table names its connector somewhere in a document. An id in there is a reference like those
-- that have a column: whoever asks what a pipeline refers to asks this.

-- Every text of a document that is an id, in the spellings that a UUID has; the names of members are none. It looks at the document as it
-- is written, so that no document, whatever is in it, can make it fail.
create function pumphouse.ids_in(document json) returns uuid[]
language plpgsql immutable strict parallel safe as $$
begin
  return array(
    select distinct coalesce(found.id[1], found.id[2], found.id[3], found.id[4])::uuid
      from regexp_matches(
        document::text,
        replace(
          '(?<!\\)"(?:([0-9a-fA-F]{32})|(#)|\{(#)\}|urn:uuid:(#))"(?!\s*:)',
          '#',
          '[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}'),
        'g') found(id)
      order by 1);
end
$$;

create index pipeline_error_table_ids_idx on public.pipeline
  using gin (pumphouse.ids_in(error_table_config))
  where error_table_config is not null;

-- As in 0022, with what error tables name, and with a datamodel that nobody owns: it stands where the subscriptions that name it have their
-- ends, so that it is not named from two envs once one of them is gone elsewhere.
create or replace view pumphouse.tie as
  select 'Pipeline' as type, p.id, p.name, 'teamId' as field, p.team_id, p.env_id
    from public.pipeline p
  union all
  select 'Pipeline', p.id, p.name, 'sourceConnectorId', c.team_id, c.env_id
    from public.pipeline p
    join public.connector c on c.id = p.source_connector_id
  union all
  select 'Pipeline', p.id, p.name, 'targetConnectorId', c.team_id, c.env_id
    from public.pipeline p
    join public.connector c on c.id = p.target_connector_id
  union all
  select 'Pipeline', p.id, p.name, 'errorTableConfig', c.team_id, c.env_id
    from public.pipeline p,
         unnest(pumphouse.ids_in(p.error_table_config)) named(id)
    join public.connector c on c.id = named.id
    where p.error_table_config is not null
  union all
  select 'Pipeline', p.id, p.name, 'datamodelId', c.team_id, c.env_id
    from public.pipeline p
    join public.datamodel d on d.id = p.datamodel_id
    join public.connector c on c.id = d.source_connector_id
  union all
  select 'Datamodel', d.id, d.name, 'sourceConnectorId', c.team_id, c.env_id
    from public.datamodel d
    join public.connector c on c.id = d.source_connector_id
  union all
  select 'Datamodel', d.id, d.name, 'errorTableTargetId', c.team_id, c.env_id
    from public.datamodel d
    join public.connector c on c.id = d.error_table_target_id
  union all
  select 'Datamodel', d.id, d.name, 'pipelines', p.team_id, p.env_id
    from public.datamodel d
    join public.pipeline p on p.datamodel_id = d.id
    where d.source_connector_id is null
  union all
  select 'Datamodel', d.id, d.name, 'pipelineSubscriptions', e.team_id, e.env_id
    from public.datamodel d
    join public.subscription s on s.datamodel_id = d.id
    cross join lateral (
      select p.team_id, p.env_id
        from public.pipeline p
        where p.id = s.pipeline_id
      union
      select c.team_id, c.env_id
        from public.connector c
        where c.id in (s.target_connector_id, s.error_table_target_id)) e
    where d.source_connector_id is null
      and not exists (select 1 from public.pipeline p where p.datamodel_id = d.id)
  union all
  select 'PipelineSubscription', s.id, s.name, 'pipelineId', p.team_id, p.env_id
    from public.subscription s
    join public.pipeline p on p.id = s.pipeline_id
  union all
  select 'PipelineSubscription', s.id, s.name, 'targetConnectorId', c.team_id, c.env_id
    from public.subscription s
    join public.connector c on c.id = s.target_connector_id
  union all
  select 'PipelineSubscription', s.id, s.name, 'errorTableTargetId', c.team_id, c.env_id
    from public.subscription s
    join public.connector c on c.id = s.error_table_target_id
  union all
  select 'PipelineSubscription', s.id, s.name, 'datamodelId', c.team_id, c.env_id
    from public.subscription s
    join public.datamodel d on d.id = s.datamodel_id
    join public.connector c on c.id = d.source_connector_id
  union all
  select 'PipelineSubscription', s.id, s.name, 'datamodelId', p.team_id, p.env_id
    from public.subscription s
    join public.datamodel d on d.id = s.datamodel_id and d.source_connector_id is null
    join public.pipeline p on p.datamodel_id = d.id;
