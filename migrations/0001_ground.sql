-- The ground all later files stand on: the schema for what the product remembers beside the reference,
-- trigram search, and the one clock that keeps created_at and updated_at.

create schema pumphouse;

create extension if not exists pg_trgm
  with schema public;

-- created_at is set once; updated_at moves exactly when something else in the row moved. So "the row differs"
-- in a later trigger means "something happened", and an update that changes nothing leaves no trace.
-- `*<>` compares the stored image, since json has no equality. BEFORE triggers run by name: touch is the last.
create function pumphouse.touch() returns trigger
language plpgsql as $$
begin
  new.created_at := old.created_at;
  new.updated_at := old.updated_at;
  if new *<> old then
    new.updated_at := clock_timestamp();
  end if;
  return new;
end
$$;

-- Attaches the clock to a table.
create function pumphouse.keep_times(target regclass) returns void
language plpgsql as $$
begin
  execute format(
    'create trigger touch
       before update on %s
       for each row
       execute function pumphouse.touch()',
    target);
end
$$;
