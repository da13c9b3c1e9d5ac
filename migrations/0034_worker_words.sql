-- What is told of workers beside their state: how far their clock is off, the list of their transitions in the graph, and
-- a health that never counts time in which nobody could have heard a report.

alter table pumphouse.worker_launch
  add column clock_skew_ms bigint;

-- An id as every object of the graph has one; the number is what orders them.
alter table pumphouse.worker_transition
  add column id uuid not null default gen_random_uuid();
create unique index worker_transition_id_key on pumphouse.worker_transition (id);

-- Silence counts while somebody leads and so hears: from hearing_since, and up to heard_at when the last leader is gone. A
-- leader says every 2 s that it hears, and has gone after 10 (core/leader.rs); until then the present counts.
drop function pumphouse.worker_health(varchar, timestamptz, timestamptz, timestamptz, interval, interval);
create function pumphouse.worker_health(
  state varchar,
  last_heartbeat_at timestamptz,
  launched_at timestamptz,
  hearing_since timestamptz,
  heard_at timestamptz,
  silence_limit interval,
  launch_grace interval
) returns varchar
language sql stable as $$
  select case
    when state in ('PAUSED', 'ERROR') then 'INACTIVE'
    when last_heartbeat_at is null then
      case
        when heard.until - greatest(launched_at, hearing_since) <= launch_grace then 'STARTING'
        else 'NOT_STARTED'
      end
    when heard.until - greatest(last_heartbeat_at, hearing_since) > silence_limit then 'UNRESPONSIVE'
    else 'HEALTHY'
  end
  from (
    select case
      when heard_at < statement_timestamp() - interval '10 seconds' then heard_at
      else statement_timestamp()
    end as until
  ) heard
$$;
