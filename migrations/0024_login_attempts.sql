-- Failed sign-ins, counted for each account and each address, here and not in a process: the count survives restarts
-- and is one for all replicas. A count ends with its window. Accounts that do not exist are counted alike, so that
-- being locked out says nothing. Rows are few: whoever adds one takes ended ones away.

create table pumphouse.login_attempt (
  kind text not null
    constraint login_attempt_kind_check check (kind in ('account', 'address')),
  name text not null,
  failures integer not null,
  ends_at timestamptz not null,
  constraint login_attempt_pkey primary key (kind, name)
);
create index login_attempt_ends_at_idx on pumphouse.login_attempt (ends_at);
