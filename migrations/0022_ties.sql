-- What ties the rows of pipelines to teams, for whoever asks what a team would leave behind or take along: every
-- reference of a pipeline, datamodel or subscription, with the team and env at its other end. A datamodel stands where
-- its source connector stands, else where the pipelines that name it stand.

create view pumphouse.tie as
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
