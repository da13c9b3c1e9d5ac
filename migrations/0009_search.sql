-- Search by part of a name: `lower(name) like '%part%'` finds its rows by trigram instead of reading the table.
-- The reference's own index on lower(name) stays for equality and order.

create index env_name_search_idx on public.env
  using gin (lower(name) gin_trgm_ops);
create index team_name_search_idx on public.team
  using gin (lower(name) gin_trgm_ops);
create index user_email_search_idx on public."user"
  using gin (lower(email) gin_trgm_ops);
create index connector_name_search_idx on public.connector
  using gin (lower(name) gin_trgm_ops);
create index datamodel_name_search_idx on public.datamodel
  using gin (lower(name) gin_trgm_ops);
create index pipeline_name_search_idx on public.pipeline
  using gin (lower(name) gin_trgm_ops);
create index subscription_name_search_idx on public.subscription
  using gin (lower(name) gin_trgm_ops);
create index schema_version_subject_search_idx on public.schema_version
  using gin (lower(subject) gin_trgm_ops);
