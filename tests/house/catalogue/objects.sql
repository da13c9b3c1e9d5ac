-- What the migrations add up to, an object a row in the order of a reader: per schema its tables with what hangs on them, then functions.
with ours as (
  select n.oid, n.nspname::text as name
  from pg_namespace n
  where n.nspname in ('public', 'pumphouse')
),
relations as (
  select c.oid, ours.name || '.' || c.relname as name, c.relkind, c.relispartition
  from pg_class c
  join ours on ours.oid = c.relnamespace
  where c.relkind in ('r', 'p', 'v')
    and c.relname <> '_sqlx_migrations'
    and not c.relispartition
    and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e')
),
parts as (
  select r.name as place, 0 as rank, a.attnum::text as within,
         format('  %s %s%s%s', a.attname, format_type(a.atttypid, a.atttypmod),
                case when a.attnotnull then ' not null' else '' end,
                coalesce(case a.attgenerated when '' then ' default ' else ' generated always as ' end || pg_get_expr(d.adbin, d.adrelid), ''))
           as text,
         a.attnum as position
  from relations r
  join pg_attribute a on a.attrelid = r.oid and a.attnum > 0 and not a.attisdropped
  left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
  union all
  select r.name, 1, c.conname, format('  constraint %s %s', c.conname, pg_get_constraintdef(c.oid)), 0
  from relations r
  join pg_constraint c on c.conrelid = r.oid and c.contype in ('p', 'u', 'f', 'c', 'x') and c.conparentid = 0
  union all
  select r.name, 2, i.relname, pg_get_indexdef(i.oid) || ';', 0
  from relations r
  join pg_index x on x.indrelid = r.oid
  join pg_class i on i.oid = x.indexrelid
  where not exists (select from pg_constraint c where c.conindid = i.oid and c.contype in ('p', 'u', 'x'))
  union all
  select r.name, 3, t.tgname, pg_get_triggerdef(t.oid) || ';', 0
  from relations r
  join pg_trigger t on t.tgrelid = r.oid and not t.tgisinternal
  union all
  select r.name, 4, '', 'view: ' || pg_get_viewdef(r.oid), 0
  from relations r
  where r.relkind = 'v'
),
tables as (
  select r.name,
         format(E'create table %s (\n%s\n);%s', r.name,
                (select string_agg(p.text, E',\n' order by p.rank, p.position, p.within collate "C") from parts p where p.place = r.name and p.rank < 2),
                coalesce(E'\n' || (select string_agg(p.text, E'\n' order by p.rank, p.within collate "C")
                                  from parts p where p.place = r.name and p.rank >= 2), '')) as text
  from relations r
),
functions as (
  select ours.name || '.' || p.proname || '(' || pg_get_function_identity_arguments(p.oid) || ')' as name,
         rtrim(pg_get_functiondef(p.oid), E'\n') || ';' as text
  from pg_proc p
  join ours on ours.oid = p.pronamespace
  where p.prokind in ('f', 'p')
    and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')
)
select text from (
  select 1 as kind, name, text from tables
  union all
  select 2, name, text from functions
) objects
order by kind, name collate "C";
