-- The live catalogue of the reference's tables, one fact a line, in the words of tables.txt and keys.txt.
-- Schema public alone; partitions, sqlx's own table and the range of times (a test of its own) are left out. Soft references are read from column comments.
with tbl as (
  select c.oid, c.relname as name
    from pg_class c
    where c.relnamespace = 'public'::regnamespace
      and c.relkind in ('r', 'p')
      and not c.relispartition
      and c.relname <> '_sqlx_migrations'
),
con as (
  select t.name as tbl,
         k.*,
         (select array_agg(a.attname::text order by u.ord)
            from unnest(k.conkey) with ordinality u(num, ord)
            join pg_attribute a on a.attrelid = k.conrelid and a.attnum = u.num) as cols,
         r.relname as far,
         (select array_agg(a.attname::text order by u.ord)
            from unnest(k.confkey) with ordinality u(num, ord)
            join pg_attribute a on a.attrelid = k.confrelid and a.attnum = u.num) as far_cols,
         case k.confdeltype when 'c' then ' on delete cascade' when 'n' then ' on delete set null'
           when 'd' then ' on delete set default' when 'r' then ' on delete restrict' else '' end
         || case k.confupdtype when 'c' then ' on update cascade' when 'n' then ' on update set null'
           when 'd' then ' on update set default' when 'r' then ' on update restrict' else '' end as actions
    from tbl t
    join pg_constraint k on k.conrelid = t.oid
    left join pg_class r on r.oid = k.confrelid
),
columns as (
  select format('column %s %s %s %s %s',
           t.name,
           row_number() over (partition by t.oid order by a.attnum),
           a.attname,
           format_type(a.atttypid, a.atttypmod),
           case when a.attnotnull then 'not null' else 'null' end)
         || coalesce(' -> ' || f.far || '.' || f.far_cols[1] || f.actions, '')
         || coalesce(' ~> ' || substring(col_description(t.oid, a.attnum) from '^soft reference: (.*)$'), '') as line
    from tbl t
    join pg_attribute a on a.attrelid = t.oid and a.attnum > 0 and not a.attisdropped
    left join con f on f.conrelid = t.oid and f.contype = 'f' and f.conkey = array[a.attnum]
),
keys as (
  select format('primary key %s (%s)', tbl, array_to_string(cols, ', ')) as line
    from con
    where contype = 'p'
  union all
  select format('foreign key %s (%s) -> %s (%s)%s',
           tbl, array_to_string(cols, ', '), far, array_to_string(far_cols, ', '), actions)
    from con
    where contype = 'f'
      and cardinality(cols) > 1
),
checks as (
  select case
           when pg_get_constraintdef(oid) ~ 'ANY \(\(?ARRAY\['
           then format('check %s %s: %s', tbl, conname,
             (select string_agg(m[1], ' ' order by ord)
                from regexp_matches(pg_get_constraintdef(oid), '''([^'']*)''', 'g') with ordinality r(m, ord)))
           else format('check %s %s: %s', tbl, conname,
             regexp_replace(pg_get_expr(conbin, conrelid), '\((\w+)\)::text|::text', '\1', 'g'))
         end as line
    from con
    where contype = 'c'
      and conname <> 'times_in_range'
),
shapes as (
  select t.name as tbl,
         x.indisunique,
         regexp_match(
           regexp_replace(pg_get_indexdef(x.indexrelid), '\s+', ' ', 'g'),
           'USING (\w+) (.*)$') as def
    from tbl t
    join pg_index x on x.indrelid = t.oid
    where not x.indisprimary
),
indexes as (
  select case when indisunique then 'unique ' else 'index ' end
         || tbl
         || case when def[1] = 'btree' then ' ' else ' ' || def[1] || ' ' end
         || regexp_replace(
              replace(replace(replace(
                regexp_replace(def[2], '\((\w+)\)::text|::text', '\1', 'g'),
                ' ELSE NULL::uuid', ''), '( CASE', '(CASE'), '"', ''),
              'WHEN \(([^()]*)\) THEN', 'WHEN \1 THEN') as line
    from shapes
)
select line from columns
union all
select line from keys
union all
select line from checks
union all
select line from indexes
order by line;
