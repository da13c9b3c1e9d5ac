-- Who leads, and how far each job has come. A job's transaction re-checks the epoch, so a leader that was cut off
-- and does not know it yet changes nothing.

-- heard_at: when the API was last able to hear reports; silence counts from there.
create table pumphouse.leader (
  only_row boolean primary key default true
    constraint leader_only_row_check check (only_row),
  epoch bigint not null default 0,
  holder text,
  since timestamptz,
  heard_at timestamptz
);
insert into pumphouse.leader default values;

create table pumphouse.job_watermark (
  job text primary key,
  day date,
  at timestamptz
);
