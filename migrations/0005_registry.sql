-- Schema registry: a document once per distinct content, a version once per subject and number. Both keys decide
-- who was first when twenty registrations arrive at once.

create table public.schema (
  id uuid primary key,
  type varchar(4) not null
    constraint schema_type_check check (type in ('json', 'avro')),
  hash varchar not null,
  schema text not null,
  created_at timestamptz default now(),
  updated_at timestamptz default now(),
  constraint schema_hash_key unique (hash)
);

create table public.schema_version (
  id uuid primary key,
  "timestamp" timestamptz not null,
  version integer not null,
  subject varchar not null,
  schema_id uuid not null references public.schema,
  created_at timestamptz default now(),
  updated_at timestamptz default now(),
  constraint schema_version_subject_version_key unique (subject, version)
);
create index schema_version_schema_id_idx on public.schema_version (schema_id, created_at, id);

select pumphouse.keep_times('public.schema');
select pumphouse.keep_times('public.schema_version');
