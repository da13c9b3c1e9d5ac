-- Reports of what moved: which batches were applied, and the time that decides the day of a row.

-- A batch is applied once. xid tells who follows live which batches they have not seen; at is the created_at of the
-- batch's rows.
create table pumphouse.metric_batch (
  worker_id uuid not null references public.worker on delete cascade,
  kind varchar not null,
  batch_id varchar not null,
  at timestamptz not null,
  xid xid8 not null default pg_current_xact_id(),
  primary key (worker_id, kind, batch_id)
);
create index metric_batch_at_idx on pumphouse.metric_batch (at);
create index metric_batch_xid_idx on pumphouse.metric_batch (xid);
select pumphouse.bound_times('pumphouse.metric_batch');

-- The advisory lock of a UTC day. Whoever adds rows to the day holds it shared until the end of the transaction, whoever
-- sums the day up holds it alone, and so sees every row of it.
create function pumphouse.metric_day_key(day date) returns bigint
language sql immutable as $$
  select hashtextextended('pumphouse.metric_day.' || (day - date '1970-01-01'), 0)
$$;

-- The time at which rows of this transaction come in, with the lock of its day. Never in a day that was summed up,
-- also when the clock was set back: a closed day does not change.
create function pumphouse.ingestion_time() returns timestamptz
language plpgsql as $$
declare
  today date;
  summed date;
begin
  loop
    select w.day into summed from pumphouse.job_watermark w where w.job = 'rollup';
    today := greatest((clock_timestamp() at time zone 'UTC')::date, summed + 1);
    perform pg_advisory_xact_lock_shared(pumphouse.metric_day_key(today));
    -- While the lock was waited for, the day may have ended and been summed up.
    select w.day into summed from pumphouse.job_watermark w where w.job = 'rollup';
    if today = greatest((clock_timestamp() at time zone 'UTC')::date, summed + 1) then
      return greatest(clock_timestamp(), today::timestamp at time zone 'UTC');
    end if;
  end loop;
end
$$;
