-- What is remembered of a subject of the registry beside its versions. A subject exists while it has a version; this row
-- may be missing (no compatibility was ever asked for) and outlives the subject: the numbers of deleted versions are
-- never given again, so that a number that a client has kept can never come to mean another schema.
create table pumphouse.schema_subject (
  subject varchar primary key,
  compatibility text not null default 'NONE'
    constraint schema_subject_compatibility_check check (compatibility in
      ('NONE', 'BACKWARD', 'BACKWARD_TRANSITIVE', 'FORWARD', 'FORWARD_TRANSITIVE', 'FULL', 'FULL_TRANSITIVE')),
  last_deleted integer not null default 0
    constraint schema_subject_last_deleted_check check (last_deleted >= 0)
);
