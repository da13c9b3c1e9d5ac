-- Rows before and after a change are joined by statements whose plan a session keeps from the first change that it makes, mostly of
-- one row. A nested loop, right for that, took minutes for the tables of a large sync. From 50 rows on such a statement is planned
-- for what it finds, which costs more than a small change and nothing beside a large one.

-- Whoever empties a table by TRUNCATE tells of no row; that something changed is told all the same, in a word that no replica knows,
-- so that it reads the present state.
create function pumphouse.notify_truncated() returns trigger
language plpgsql as $$
begin
  perform pumphouse.say(format('{"t":"%s","op":"T"}', tg_table_name));
  return null;
end
$$;

create function pumphouse.announce_truncation(target regclass) returns void
language plpgsql as $$
begin
  execute format(
    'create trigger notify_truncate
       after truncate on %s
       for each statement
       execute function pumphouse.notify_truncated()',
    target);
end
$$;

-- What a table tells of its changes; as in 0054, but for large ones.
create function pumphouse.tells(target regclass, owners text, variadic keys text[] default '{}')
returns void
language plpgsql as $announce$
declare
  name text := (select relname from pg_class where oid = target);
  said text := '''''';
  changed text;
begin
  for i in 1 .. cardinality(keys) - 1 by 2 loop
    said := said || format(' || %L || %s', ',"' || keys[i] || '":', keys[i + 1]);
  end loop;
  changed := format(
    $sql$
      select array_agg(said order by n.id)
        from (select r.id, r as image, %1$s as owners, %2$s as keys from new_rows r) n
        join (select r.id, r as image, %1$s as owners from old_rows r) o on o.id = n.id,
             unnest(pumphouse.notice_rows(n.id, pumphouse.either(o.owners, n.owners), n.keys)) said
        where n.image *<> o.image
    $sql$,
    owners, said);
  execute format(
    $sql$
      create or replace function pumphouse.%1$I() returns trigger
      language plpgsql as $body$
      declare
        rows text[];
      begin
        case tg_op
          when 'INSERT' then
            select array_agg(said order by r.id)
              into rows
              from new_rows r,
                   unnest(pumphouse.notice_rows(r.id, %2$s, %3$s)) said;
          when 'UPDATE' then
            if (select count(*) from (select from new_rows limit 50) few) < 50 then
              %4$s into rows;
            else
              execute %4$L into rows;
            end if;
          when 'DELETE' then
            select array_agg(said order by r.id)
              into rows
              from old_rows r,
                   unnest(pumphouse.notice_rows(r.id, %2$s, %3$s)) said;
        end case;
        perform pumphouse.send_notices(tg_table_name, left(tg_op, 1), rows);
        return null;
      end
      $body$
    $sql$,
    'notify_of_' || name, owners, said, changed);
end
$announce$;

-- As in 0054, with TRUNCATE.
create or replace function pumphouse.announce(target regclass, owners text, variadic keys text[] default '{}')
returns void
language plpgsql as $announce$
declare
  name text := (select relname from pg_class where oid = target);
begin
  perform pumphouse.tells(target, owners, variadic keys);
  execute format(
    'create trigger notify_insert
       after insert on %s
       referencing new table as new_rows
       for each statement
       execute function pumphouse.%I()',
    target, 'notify_of_' || name);
  execute format(
    'create trigger notify_update
       after update on %s
       referencing old table as old_rows new table as new_rows
       for each statement
       execute function pumphouse.%I()',
    target, 'notify_of_' || name);
  execute format(
    'create trigger notify_delete
       after delete on %s
       referencing old table as old_rows
       for each statement
       execute function pumphouse.%I()',
    target, 'notify_of_' || name);
  perform pumphouse.announce_truncation(target);
end
$announce$;

-- What was announced by 0018, 0025 and 0052 tells the same as before.
select pumphouse.tells('public.env', 'pumphouse.owner(null, r.id)');
select pumphouse.tells('public."user"', '''{}''::text[]');
select pumphouse.tells(
  'public.env_member', 'pumphouse.owner(null, r.env_id)',
  'u', 'pumphouse.quoted(r.user_id)',
  'env', 'pumphouse.quoted(r.env_id)');
select pumphouse.tells('public.env_request', 'pumphouse.owner(null, r.env_id)');
select pumphouse.tells('public.team', 'pumphouse.owner(r.id, r.env_id)');
select pumphouse.tells(
  'public.team_member', 'pumphouse.owners_of_team(r.team_id)',
  'u', 'pumphouse.quoted(r.user_id)',
  'team', 'pumphouse.quoted(r.team_id)');
select pumphouse.tells('public.team_request', 'pumphouse.owners_of_team(r.team_id)');
select pumphouse.tells(
  'public.connector', 'pumphouse.owner(r.team_id, r.env_id)',
  'w', 'coalesce(''["'' || pumphouse.worker_of_connector(r.id) || ''"]'', ''[]'')');
select pumphouse.tells('public.datamodel', 'pumphouse.owners_of_datamodel(r.id, r.source_connector_id)');
select pumphouse.tells('public.pipeline', 'pumphouse.owner(r.team_id, r.env_id)');
select pumphouse.tells('public.schema', '''{}''::text[]');
select pumphouse.tells('public.schema_version', '''{}''::text[]');
select pumphouse.tells('public.license_state', '''{}''::text[]');
select pumphouse.tells(
  'public.sync_run', 'pumphouse.owners_of_connector(r.connector_id)',
  'c', 'pumphouse.quoted(r.connector_id)');
select pumphouse.tells(
  'public.sync_table', 'pumphouse.owners_of_connector(pumphouse.connector_of_sync_run(r.sync_run_id))',
  'run', 'pumphouse.quoted(r.sync_run_id)',
  'c', 'pumphouse.quoted(pumphouse.connector_of_sync_run(r.sync_run_id))');
select pumphouse.tells(
  'public.subscription',
  'pumphouse.owners_of_subscription(r.pipeline_id, r.target_connector_id, r.datamodel_id)',
  'p', 'pumphouse.quoted(r.pipeline_id)');
select pumphouse.tells(
  'public.service_account_user', 'pumphouse.owners_of_service_account(r.id)',
  'u', 'pumphouse.quoted(r.user_id)');

-- As in 0017, 0055 and 0032, for large changes too.
create or replace function pumphouse.notify_health() returns trigger
language plpgsql as $$
declare
  rows text[];
begin
  -- A change of state says its health itself: `set local pumphouse.quiet_health = 'on'`.
  if current_setting('pumphouse.quiet_health', true) = 'on' then
    return null;
  end if;
  if (select count(*) from (select from new_rows limit 50) few) < 50 then
    select array_agg(said order by w.id)
      from new_rows n
      join old_rows o on o.worker_id = n.worker_id
      join public.worker w on w.id = n.worker_id,
           unnest(pumphouse.notice_rows(
             w.id,
             pumphouse.owners_of_connector(w.connector_id),
             ',"c":"' || w.connector_id || '","st":"' || w.state || '"')) said
      where n.announced_health <> o.announced_health
      into rows;
  else
    execute $sql$
    select array_agg(said order by w.id)
      from new_rows n
      join old_rows o on o.worker_id = n.worker_id
      join public.worker w on w.id = n.worker_id,
           unnest(pumphouse.notice_rows(
             w.id,
             pumphouse.owners_of_connector(w.connector_id),
             ',"c":"' || w.connector_id || '","st":"' || w.state || '"')) said
      where n.announced_health <> o.announced_health
    $sql$ into rows;
  end if;
  perform pumphouse.send_notices('worker', 'H', rows);
  return null;
end
$$;

create or replace function pumphouse.notify_of_sync_table_progress() returns trigger
language plpgsql as $$
declare
  rows text[];
begin
  if (select count(*) from (select from new_rows limit 50) few) < 50 then
    select array_agg(said order by r.id)
      from new_rows n
      join old_rows o on o.sync_table_id = n.sync_table_id
      join public.sync_table r on r.id = n.sync_table_id,
           lateral (select pumphouse.connector_of_sync_run(r.sync_run_id) as id) c,
           unnest(pumphouse.notice_rows(r.id, pumphouse.owners_of_connector(c.id),
             ',"run":' || pumphouse.quoted(r.sync_run_id) || ',"c":' || pumphouse.quoted(c.id))) said
      where (n.reported, n.restarts) is distinct from (o.reported, o.restarts)
      into rows;
  else
    execute $sql$
    select array_agg(said order by r.id)
      from new_rows n
      join old_rows o on o.sync_table_id = n.sync_table_id
      join public.sync_table r on r.id = n.sync_table_id,
           lateral (select pumphouse.connector_of_sync_run(r.sync_run_id) as id) c,
           unnest(pumphouse.notice_rows(r.id, pumphouse.owners_of_connector(c.id),
             ',"run":' || pumphouse.quoted(r.sync_run_id) || ',"c":' || pumphouse.quoted(c.id))) said
      where (n.reported, n.restarts) is distinct from (o.reported, o.restarts)
    $sql$ into rows;
  end if;
  perform pumphouse.send_notices('sync_table', 'U', rows);
  return null;
end
$$;

create or replace function pumphouse.keep_completed_of() returns trigger
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
      if (select count(*) from (select from new_rows limit 50) few) < 50 then
        select array_agg(distinct touched.id)
            from new_rows n
            join old_rows o on o.id = n.id,
                 unnest(array[o.pipeline_id, n.pipeline_id]) touched(id)
            where touched.id is not null
              and (n.pipeline_id, n.datamodel_id, n.target_connector_id, n.target_table_name)
                is distinct from (o.pipeline_id, o.datamodel_id, o.target_connector_id, o.target_table_name)
          into pipelines;
      else
        execute $sql$
          select array_agg(distinct touched.id)
            from new_rows n
            join old_rows o on o.id = n.id,
                 unnest(array[o.pipeline_id, n.pipeline_id]) touched(id)
            where touched.id is not null
              and (n.pipeline_id, n.datamodel_id, n.target_connector_id, n.target_table_name)
                is distinct from (o.pipeline_id, o.datamodel_id, o.target_connector_id, o.target_table_name)
        $sql$ into pipelines;
      end if;
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

do $$
declare
  announced record;
begin
  for announced in
    select distinct t.tgrelid::regclass as target
      from pg_trigger t
      where t.tgname like 'notify\_%'
        and not t.tgisinternal
  loop
    perform pumphouse.announce_truncation(announced.target);
  end loop;
end
$$;
