-- `syncRuns` is read newest first, and has a row for every sync that ever was: without this a page sorts all of them.
create index sync_run_created_at_idx on sync_run (created_at, id);
