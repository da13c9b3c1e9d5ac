-- Who leads, and how far each job has come. A job's transaction re-checks the epoch, so a leader that was cut off
-- and does not know it yet changes nothing.

-- heard_at: when a leader last said that reports can be heard. hearing_since: since when that holds without a break;
-- nobody's silence counts from before it.
create table pumphouse.leader (
  only_row boolean primary key default true
    constraint leader_only_row_check check (only_row),
  epoch bigint not null default 0,
  holder text,
  since timestamptz,
  heard_at timestamptz,
  hearing_since timestamptz
);
insert into pumphouse.leader default values;

create table pumphouse.job_watermark (
  job text primary key,
  day date,
  at timestamptz
);
