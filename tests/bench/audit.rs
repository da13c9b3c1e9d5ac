//! A page of the audit log among a million entries, for who sees all of it, much of it and little of it.

use std::time::Instant;

use serde_json::{Value, json};
use sqlx::AssertSqlSafe;
use uuid::Uuid;

use super::tell;
use crate::support::{Server, World};

const PAGE: &str = "query($filter: UserLogFilter, $after: String) { userLogs(first: 50, filter: $filter, after: $after) {
    nodes { id timestamp action userEmail entityType entityName changedFields env { name } team { name } } pageInfo { endCursor hasNextPage hasPreviousPage } } }";

/// A million entries: 1,000 authors, two busy envs and one that has been quiet since the first tenth, 200 teams of which the last has
/// 100 entries, all of them old.
const ENTRIES: &str = "
with entry as (
  select gen_random_uuid() as id, now() - (1000000 - n) * interval '10 seconds' as at, n,
         (array['create', 'update', 'update', 'update', 'start', 'stop', 'sync', 'grant'])[1 + n % 8] as action,
         'user-' || n % 1000 || '@example.com' as email,
         case when n < 100000 and n % 10 = 0 then $1[3] else $1[1 + n % 2] end as env,
         case when n < 100000 and n % 1000 = 1 then $2[200] else $2[1 + n % 199] end as team
    from generate_series(1, 1000000) n
), log as (
  insert into user_log (id, timestamp, user_type, action, user_email)
    select id, at, 'real_user', action, email from entry
)
insert into pumphouse.audit_detail (user_log_id, timestamp, user_type, action, user_email, entity_type, entity_id, entity_name, env_id, team_id, changed_fields)
  select id, at, 'real_user', action, email, case when n % 3 = 0 then 'Connector' else 'Pipeline' end, md5((n % 5000)::text)::uuid, 'thing', env, team, '{name}' from entry";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "a measurement: make bench"]
async fn a_page_of_a_million_entries() {
    let server = Server::start().await;
    let root = server.superuser().await;
    let world = World::of(&server);
    let (mut envs, mut teams) = (Vec::new(), Vec::new());
    for name in ["busy", "busy-too", "quiet"] {
        envs.push(world.env(name).await);
    }
    for number in 0..200 {
        teams.push(world.team(envs[number % 3], &format!("team-{number}")).await);
    }
    sqlx::query(AssertSqlSafe(ENTRIES)).bind(&envs).bind(&teams).execute(&world.pool).await.expect("entries");
    sqlx::query("vacuum analyze").execute(&world.pool).await.expect("statistics");
    let busy = server.user("busy@example.com", false).await;
    world.join_env(busy.id, envs[0], "admin").await;
    let quiet = server.user("quiet@example.com", false).await;
    world.join_env(quiet.id, envs[2], "admin").await;
    let small = server.user("small@example.com", false).await;
    world.join_team(small.id, teams[199], true).await;
    let many = server.user("many@example.com", false).await;
    for team in &teams[100..160] {
        world.join_team(many.id, *team, true).await;
    }

    let middle = (chrono::Utc::now() - chrono::Duration::seconds(5_000_000)).to_rfc3339();
    let filters: Vec<(&str, Value)> = vec![
        ("all", json!({})),
        ("an author", json!({"userEmail": "user-7@example.com"})),
        ("a verb", json!({"action": "GRANT"})),
        ("a verb that nobody used", json!({"action": "MOVE"})),
        ("a time", json!({"timestampFrom": "2020-01-01T00:00:00Z", "timestampBefore": middle})),
        ("a thing", json!({"entityId": Uuid::parse_str("c4ca4238a0b923820dcc509a6f75849b").expect("an id")})),
        ("a type", json!({"entityType": "Connector"})),
        ("a team", json!({"teamId": teams[120]})),
        ("an env", json!({"envId": envs[0]})),
        ("an author and a verb", json!({"userEmail": "user-8@example.com", "action": "CREATE"})),
        ("nobody's target", json!({"targetUserId": small.id})),
    ];
    for (who, caller) in [
        ("a superuser", &root),
        ("a busy env's admin", &busy),
        ("a quiet env's admin", &quiet),
        ("a small team's admin", &small),
        ("60 teams' admin", &many),
    ] {
        for (what, filter) in &filters {
            let mut times = Vec::new();
            let mut after = Value::Null;
            for _ in 0..12 {
                let started = Instant::now();
                let page = caller.ask_with(PAGE, json!({"filter": filter, "after": after})).await.data()["userLogs"].clone();
                times.push(started.elapsed());
                after = page["pageInfo"]["endCursor"].clone();
            }
            tell(&format!("{who}, {what}"), times);
        }
    }
}
