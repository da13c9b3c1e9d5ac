-- Throughput: raw rows as workers push them, partitioned by the day they came in, and one rollup row per closed day.
-- created_at is the partition key, hence part of the key and never null; a row finds the default partition when its
-- day has none.

create table public.consumption_metric (
  id uuid not null,
  subscription_id uuid not null,
  topic varchar not null,
  from_ts bigint not null,
  to_ts bigint not null,
  consumed_count bigint not null,
  delivered_count bigint not null,
  error_count bigint not null,
  consumer_lag bigint,
  created_at timestamptz not null default now(),
  updated_at timestamptz default now(),
  primary key (id, created_at)
) partition by range (created_at);
comment on column public.consumption_metric.subscription_id is 'soft reference: subscription.id';
create index consumption_metric_subscription_id_created_at_idx
  on public.consumption_metric (subscription_id, created_at);
create table public.consumption_metric_default
  partition of public.consumption_metric default;

create table public.consumption_metric_daily (
  id uuid primary key,
  subscription_id uuid not null,
  topic varchar not null,
  day date not null,
  consumed_count bigint not null,
  delivered_count bigint not null,
  error_count bigint not null,
  span_ms bigint not null,
  min_from bigint not null,
  max_to bigint not null,
  row_count bigint not null,
  created_at timestamptz default now(),
  updated_at timestamptz default now()
);
comment on column public.consumption_metric_daily.subscription_id is 'soft reference: subscription.id';
create unique index consumption_metric_daily_subscription_id_day_key
  on public.consumption_metric_daily (subscription_id, day);
create index consumption_metric_daily_day_idx on public.consumption_metric_daily (day);

create table public.production_metric (
  id uuid not null,
  from_ts bigint not null,
  to_ts bigint not null,
  topic varchar not null,
  events json not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz default now(),
  primary key (id, created_at)
) partition by range (created_at);
comment on column public.production_metric.topic is 'soft reference: datamodel.source_topic';
create index production_metric_topic_created_at_idx
  on public.production_metric (topic, created_at);
create table public.production_metric_default
  partition of public.production_metric default;

create table public.production_metric_daily (
  id uuid primary key,
  topic varchar not null,
  day date not null,
  creates bigint not null,
  updates bigint not null,
  deletes bigint not null,
  reads bigint not null,
  total_events bigint not null,
  bytes bigint not null,
  span_ms bigint not null,
  min_from bigint not null,
  max_to bigint not null,
  row_count bigint not null,
  created_at timestamptz default now(),
  updated_at timestamptz default now()
);
comment on column public.production_metric_daily.topic is 'soft reference: datamodel.source_topic';
create unique index production_metric_daily_topic_day_key
  on public.production_metric_daily (topic, day);
create index production_metric_daily_day_idx on public.production_metric_daily (day);

select pumphouse.keep_times('public.consumption_metric');
select pumphouse.keep_times('public.consumption_metric_daily');
select pumphouse.keep_times('public.production_metric');
select pumphouse.keep_times('public.production_metric_daily');
