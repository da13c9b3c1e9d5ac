-- Who owns what, once per table, for the notices: domain.md section 1, "Owners of what has no team_id".
-- An owner is the JSON text `[team_id|null,env_id|null]`; no owner at all means the superuser's. A row that goes
-- away leaves its owners behind for the rest of its transaction, so that what its deletion takes along or sets null
-- can still be announced to those who could see it. PL/pgSQL where a table is read: it keeps its plans, a function in
-- plain SQL is planned anew for every statement that calls it.

create function pumphouse.quoted(value uuid) returns text
language sql immutable as $$
  select coalesce('"' || value || '"', 'null')
$$;

create function pumphouse.owner(team_id uuid, env_id uuid) returns text[]
language sql immutable as $$
  select case
    when team_id is null and env_id is null then '{}'::text[]
    else array['[' || pumphouse.quoted(team_id) || ',' || pumphouse.quoted(env_id) || ']']
  end
$$;

-- Kept as lines `<id>=<value>` in a setting that ends with the transaction (or its savepoint).
create function pumphouse.leave_behind(key text, value text) returns void
language plpgsql as $$
begin
  perform set_config(
    'pumphouse.left_behind',
    coalesce(current_setting('pumphouse.left_behind', true), '') || key || '=' || value || e'\n',
    true);
end
$$;

create function pumphouse.left_behind(key text) returns text
language sql stable as $$
  select nullif(split_part(split_part(current_setting('pumphouse.left_behind', true), key || '=', 2), e'\n', 1), '')
$$;

create function pumphouse.former_owners(id uuid) returns text[]
language sql stable as $$
  select coalesce(string_to_array(pumphouse.left_behind(id::text), ';'), '{}')
$$;

create function pumphouse.owners_of_team(id uuid) returns text[]
language plpgsql stable as $$
begin
  return coalesce(
    (select pumphouse.owner(t.id, t.env_id) from public.team t where t.id = $1),
    pumphouse.former_owners($1));
end
$$;

create function pumphouse.owners_of_connector(id uuid) returns text[]
language plpgsql stable as $$
begin
  return coalesce(
    (select pumphouse.owner(c.team_id, c.env_id) from public.connector c where c.id = $1),
    pumphouse.former_owners($1));
end
$$;

create function pumphouse.owners_of_pipeline(id uuid) returns text[]
language plpgsql stable as $$
begin
  return coalesce(
    (select pumphouse.owner(p.team_id, p.env_id) from public.pipeline p where p.id = $1),
    pumphouse.former_owners($1));
end
$$;

-- Its source connector's team, else the teams of the pipelines that name it.
create function pumphouse.owners_of_datamodel(id uuid, source_connector_id uuid) returns text[]
language plpgsql stable as $$
begin
  return coalesce(
    nullif(pumphouse.owners_of_connector($2), '{}'),
    (select array_agg(distinct pair)
       from public.pipeline p,
            unnest(pumphouse.owner(p.team_id, p.env_id)) pair
       where p.datamodel_id = $1),
    '{}');
end
$$;

create function pumphouse.owners_of_datamodel(id uuid) returns text[]
language plpgsql stable as $$
begin
  return coalesce(
    (select pumphouse.owners_of_datamodel(d.id, d.source_connector_id) from public.datamodel d where d.id = $1),
    pumphouse.former_owners($1));
end
$$;

-- Its pipeline's team, else its target connector's, else its datamodel's.
create function pumphouse.owners_of_subscription(pipeline_id uuid, target_connector_id uuid, datamodel_id uuid)
returns text[]
language plpgsql stable as $$
begin
  return coalesce(
    nullif(pumphouse.owners_of_pipeline($1), '{}'),
    nullif(pumphouse.owners_of_connector($2), '{}'),
    pumphouse.owners_of_datamodel($3));
end
$$;

create function pumphouse.connector_of_sync_run(id uuid) returns uuid
language plpgsql stable as $$
begin
  return coalesce(
    (select r.connector_id from public.sync_run r where r.id = $1),
    pumphouse.left_behind($1::text)::uuid);
end
$$;

-- The worker of a connector, also while both are being deleted.
create function pumphouse.worker_of_connector(id uuid) returns uuid
language plpgsql stable as $$
begin
  return coalesce(
    (select w.id from public.worker w where w.connector_id = $1),
    pumphouse.left_behind($1 || ':worker')::uuid);
end
$$;

-- The envs and teams of its grants.
create function pumphouse.owners_of_service_account(id uuid) returns text[]
language plpgsql stable as $$
begin
  return coalesce(
    (select array_agg(distinct pair)
       from pumphouse.service_account_grant g
       left join public.team t on t.id = g.team_id,
            unnest(pumphouse.owner(g.team_id, coalesce(g.env_id, t.env_id))) pair
       where g.service_account_id = $1),
    pumphouse.former_owners($1));
end
$$;

create function pumphouse.leave_owners() returns trigger
language plpgsql as $$
declare
  owners text[];
begin
  case tg_table_name
    when 'team' then
      owners := pumphouse.owner(old.id, old.env_id);
    when 'service_account_user' then
      owners := pumphouse.owners_of_service_account(old.id);
    when 'connector' then
      owners := pumphouse.owner(old.team_id, old.env_id);
      perform pumphouse.leave_behind(old.id || ':worker', w.id::text)
        from public.worker w
        where w.connector_id = old.id;
    when 'datamodel' then
      owners := pumphouse.owners_of_datamodel(old.id, old.source_connector_id);
    when 'pipeline' then
      owners := pumphouse.owner(old.team_id, old.env_id);
    when 'sync_run' then
      owners := array[old.connector_id::text];
  end case;
  perform pumphouse.leave_behind(old.id::text, array_to_string(owners, ';'));
  return old;
end
$$;

create trigger leave_owners
  before delete on public.team
  for each row
  execute function pumphouse.leave_owners();
create trigger leave_owners
  before delete on public.service_account_user
  for each row
  execute function pumphouse.leave_owners();
create trigger leave_owners
  before delete on public.connector
  for each row
  execute function pumphouse.leave_owners();
create trigger leave_owners
  before delete on public.datamodel
  for each row
  execute function pumphouse.leave_owners();
create trigger leave_owners
  before delete on public.pipeline
  for each row
  execute function pumphouse.leave_owners();
create trigger leave_owners
  before delete on public.sync_run
  for each row
  execute function pumphouse.leave_owners();
