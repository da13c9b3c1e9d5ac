-- Whether a number of events can be added up. What is left out is 0.
create function pumphouse.is_count(given text) returns boolean
language sql immutable parallel safe as $$
  select case when given ~ '^[0-9]{1,19}$' then given::numeric <= 9223372036854775807 else given is null end
$$;

-- A row with other events stopped the rollup of all topics, and what is read of its topic. Rows of before are left as they are.
alter table production_metric
  add constraint production_metric_events_check
  check (json_typeof(events) = 'object'
         and pumphouse.is_count(events ->> 'r')
         and pumphouse.is_count(events ->> 'c')
         and pumphouse.is_count(events ->> 'u')
         and pumphouse.is_count(events ->> 'd')
         and pumphouse.is_count(events ->> 'total'))
  not valid;
