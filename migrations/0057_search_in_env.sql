-- A search within an env finds the env's rows alone: by trigram alone it finds those of every env first. One index answers both
-- searches.
create extension if not exists btree_gin
  with schema public;
drop index public.connector_name_search_idx;
create index connector_name_search_idx on public.connector
  using gin (env_id, lower(name) gin_trgm_ops);
drop index public.pipeline_name_search_idx;
create index pipeline_name_search_idx on public.pipeline
  using gin (env_id, lower(name) gin_trgm_ops);
drop index public.team_name_search_idx;
create index team_name_search_idx on public.team
  using gin (env_id, lower(name) gin_trgm_ops);
