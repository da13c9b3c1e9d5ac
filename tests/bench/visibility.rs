//! Pages of a viewer who sees 10,000 teams, one membership each.

use std::time::Instant;

use super::tell;
use crate::support::{Server, World};

const TEAMS: i32 = 10_000;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "a measurement: make bench"]
async fn pages_of_10000_visible_teams() {
    let server = Server::start().await;
    let world = World::of(&server);
    let ada = server.user("ada@example.com", false).await;
    let env = world.env("prod").await;
    for sql in [
        "insert into team (id, name, env_id) select gen_random_uuid(), 'team-' || n, $1 from generate_series(1, $2) n",
        "insert into connector (id, name, connector_type, json_configuration, way, team_id) select gen_random_uuid(), name, 'POSTGRES_SOURCE', '{}', 'SOURCE', id
            from team where env_id = $1 and $2 > 0",
        "insert into worker (id, state, connector_id, launch_generation) select gen_random_uuid(), 'PAUSED', id, gen_random_uuid() from connector where env_id = $1 and $2 > 0",
    ] {
        sqlx::query(sql).bind(env).bind(TEAMS).execute(&world.pool).await.expect("rows");
    }
    let join = "insert into team_member (id, timestamp, admin, user_id, team_id) select gen_random_uuid(), now(), true, $1, id from team";
    sqlx::query(join).bind(ada.id).execute(&world.pool).await.expect("members");
    sqlx::query("analyze").execute(&world.pool).await.expect("statistics");
    for (what, query) in [
        ("a page of teams", "{ teams(first: 50) { nodes { id name } pageInfo { hasNextPage endCursor } } }"),
        ("a page of teams by name", "{ teams(first: 50, orderBy: [{field: NAME}]) { nodes { id name env { name } } } }"),
        ("a page of teams and their number", "{ teams(first: 50) { totalCount nodes { id } } }"),
        ("a page of connectors with teams and workers", "{ connectors(first: 50) { nodes { id team { name } worker { state } } } }"),
        ("a page of workers and their number", "{ workers(first: 50) { totalCount nodes { id connector { name } } } }"),
    ] {
        for (known, forget) in [("known", false), ("anew", true)] {
            let mut times = Vec::new();
            for _ in 0..40 {
                if forget {
                    server.service.viewers().forget();
                }
                let started = Instant::now();
                ada.ask(query).await.data();
                times.push(started.elapsed());
            }
            tell(&format!("{what}, of {TEAMS} seen, viewer {known}"), times);
        }
    }
}
