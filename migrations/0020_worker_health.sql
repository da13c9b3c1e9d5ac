-- What silence means (domain.md section 2), written once for every reader: queries, live events and the watchdog.

create function pumphouse.worker_health(
  state varchar,
  last_heartbeat_at timestamptz,
  launched_at timestamptz,
  hearing_since timestamptz,
  silence_limit interval,
  launch_grace interval
) returns varchar
language sql stable as $$
  select case
    when state in ('PAUSED', 'ERROR') then 'INACTIVE'
    when last_heartbeat_at is null then
      case
        when statement_timestamp() - greatest(launched_at, hearing_since) <= launch_grace then 'STARTING'
        else 'NOT_STARTED'
      end
    when statement_timestamp() - greatest(last_heartbeat_at, hearing_since) > silence_limit then 'UNRESPONSIVE'
    else 'HEALTHY'
  end
$$;
