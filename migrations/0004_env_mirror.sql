-- connector.env_id and pipeline.env_id mirror team.env_id, against any writer and any race.
-- The trigger says what env_id is; the composite key proves it; the row lock on the team closes the race that the
-- key cannot see (a NULL env_id satisfies any foreign key).

alter table public.connector
  add constraint connector_team_id_env_id_fkey
  foreign key (team_id, env_id) references public.team (id, env_id)
  on update cascade;

alter table public.pipeline
  add constraint pipeline_team_id_env_id_fkey
  foreign key (team_id, env_id) references public.team (id, env_id)
  on update cascade;

-- FOR KEY SHARE waits for a team that is being moved and then reads where it went.
create function pumphouse.mirror_env() returns trigger
language plpgsql as $$
begin
  new.env_id := null;
  if new.team_id is not null then
    select team.env_id
      into new.env_id
      from public.team
      where team.id = new.team_id
      for key share;
  end if;
  return new;
end
$$;

create trigger mirror_env
  before insert or update of team_id, env_id on public.connector
  for each row
  execute function pumphouse.mirror_env();

create trigger mirror_env
  before insert or update of team_id, env_id on public.pipeline
  for each row
  execute function pumphouse.mirror_env();

-- The key's own cascade carries a move from one env to another or to none; a team that had no env has no key to
-- cascade from, so this carries the rest. A name taken in the new env raises connector_env_id_name_key or
-- pipeline_env_id_name_key and nothing moves.
create function pumphouse.carry_env() returns trigger
language plpgsql as $$
begin
  update public.connector
    set env_id = new.env_id
    where team_id = new.id
      and env_id is distinct from new.env_id;
  update public.pipeline
    set env_id = new.env_id
    where team_id = new.id
      and env_id is distinct from new.env_id;
  return null;
end
$$;

create trigger carry_env
  after update of env_id on public.team
  for each row
  when (old.env_id is distinct from new.env_id)
  execute function pumphouse.carry_env();
