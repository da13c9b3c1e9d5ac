//! Moving teams: all of it moves or nothing, and the mirrored `env_id` is always true.

use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use serde_json::{Value, json};
use uuid::Uuid;

use super::organisation::{Organisation, mutate};
use crate::support::{Caller, Reply};

/// Rows whose env is not that of their team.
const UNTRUE: &str = "select count(*) from (select team_id, env_id from connector union all select team_id, env_id from pipeline) r
    join team t on t.id = r.team_id where r.env_id is distinct from t.env_id";

async fn shift(caller: &Caller, team: Uuid, env: Uuid) -> Reply {
    mutate(caller, "moveTeam", "team { id envId }", json!({"teamId": team, "envId": env})).await
}

/// A team with a source, a target, a datamodel and a pipeline, all named after it.
async fn furnished(org: &Organisation, env: Uuid, name: &str) -> Furnished {
    let team = org.world.team(env, name).await;
    let (source, _) = org.world.source(team, &format!("{name} source")).await;
    let (target, _) = org.world.target(team, &format!("{name} target")).await;
    let datamodel = org.world.datamodel(source, &format!("{name} model")).await;
    let pipeline = org.world.pipeline(team, &format!("{name} pipeline"), source, target, datamodel).await;
    Furnished { team, source, target, datamodel, pipeline }
}

struct Furnished {
    team: Uuid,
    source: Uuid,
    target: Uuid,
    datamodel: Uuid,
    pipeline: Uuid,
}

async fn env_of(org: &Organisation, table: &'static str, id: Uuid) -> Value {
    let sql = match table {
        "connector" => "select to_jsonb(env_id) from connector where id = $1",
        "pipeline" => "select to_jsonb(env_id) from pipeline where id = $1",
        _ => "select to_jsonb(env_id) from team where id = $1",
    };
    org.value(sql, id).await
}

async fn untrue(org: &Organisation) -> i64 {
    sqlx::query_scalar(UNTRUE).fetch_one(org.pool()).await.expect("a count")
}

fn details(reply: &Reply) -> &Value {
    &reply.0["errors"][0]["extensions"]["details"]
}

#[tokio::test]
async fn a_team_moves_with_all_that_it_owns_and_its_members() {
    let org = Organisation::open().await;
    let core = furnished(&org, org.north, "core").await;
    let member = org.team_member("member@example.com", core.team, false).await;
    let mover = org.member("mover@example.com", "admin", &[org.north, org.south]).await;
    let moved = shift(&mover, core.team, org.south).await.data();
    assert_eq!(moved["moveTeam"]["team"]["envId"], json!(org.south));
    for (table, id) in [("connector", core.source), ("connector", core.target), ("pipeline", core.pipeline)] {
        assert_eq!(env_of(&org, table, id).await, json!(org.south));
    }
    let seen = member.ask("{ connectors { totalCount } pipelines { totalCount } envs { nodes { name } } }").await.data();
    assert_eq!(seen, json!({"connectors": {"totalCount": 2}, "pipelines": {"totalCount": 1}, "envs": {"nodes": [{"name": "south"}]}}));
    shift(&mover, core.team, org.south).await.data();
    assert_eq!(org.log().await, [json!(["move", "Team", "core", true, true, ["envId"]])], "the second time nothing happened");
}

#[tokio::test]
async fn only_who_administers_both_envs_moves_a_team() {
    let org = Organisation::open().await;
    let core = furnished(&org, org.north, "core").await;
    let here = org.member("here@example.com", "admin", &[org.north]).await;
    let there = org.member("there@example.com", "admin", &[org.south]).await;
    let inside = org.team_member("inside@example.com", core.team, true).await;
    org.world.join_env(inside.id, org.south, "admin").await;
    let half = org.member("half@example.com", "admin", &[org.north]).await;
    org.world.join_env(half.id, org.south, "member").await;
    let before = org.everything().await;
    for (caller, code, field) in
        [(&here, "NOT_FOUND", "envId"), (&there, "NOT_FOUND", "teamId"), (&inside, "FORBIDDEN", "teamId"), (&half, "FORBIDDEN", "envId")]
    {
        let refused = shift(caller, core.team, org.south).await;
        assert_eq!((refused.code(), refused.field()), (code, Some(field)));
    }
    let (hidden, missing) = (shift(&there, core.team, org.south).await, shift(&there, Uuid::new_v4(), org.south).await);
    assert_eq!(hidden.message(), missing.message());
    assert_eq!(org.everything().await, before);
}

#[tokio::test]
async fn m13_every_name_that_is_taken_in_the_new_env_is_listed_and_nothing_moves() {
    let org = Organisation::open().await;
    let core = furnished(&org, org.north, "core").await;
    let other = furnished(&org, org.south, "core").await;
    let before = org.everything().await;
    let refused = shift(&org.root, core.team, org.south).await;
    assert_eq!((refused.code(), refused.field()), ("CONFLICT", Some("envId")));
    let entry = |kind: &str, id: Uuid, name: &str| json!({"type": kind, "id": id, "name": name});
    let names = [
        entry("Team", core.team, "core"),
        entry("Connector", core.source, "core source"),
        entry("Connector", core.target, "core target"),
        entry("Pipeline", core.pipeline, "core pipeline"),
    ];
    assert_eq!(*details(&refused), json!({"namesTaken": names, "references": []}));
    assert!(!refused.0.to_string().contains(&other.source.to_string()));
    assert_eq!(org.everything().await, before);
}

#[tokio::test]
async fn every_reference_that_would_leave_its_env_is_listed_and_nothing_moves() {
    let org = Organisation::open().await;
    let (core, data) = (furnished(&org, org.north, "core").await, furnished(&org, org.north, "data").await);
    let run = |sql: &'static str, one: Uuid, other: Uuid| sqlx::query(sql).bind(one).bind(other).execute(org.pool());
    run("update pipeline set target_connector_id = $2 where id = $1", core.pipeline, data.target).await.expect("a target");
    run("update datamodel set error_table_target_id = $2 where id = $1", data.datamodel, core.target).await.expect("an error table");
    let delivery = Uuid::new_v4();
    run(
        "insert into subscription (id, name, config, transform_config, pipeline_id, error_table_enabled, error_table_target_id)
         values ($1, 'delivery', '{}', '[]', (select id from pipeline where name = 'core pipeline'), true, $2)",
        delivery,
        data.target,
    )
    .await
    .expect("a subscription");
    let before = org.everything().await;
    let mover = org.member("mover@example.com", "admin", &[org.north, org.south]).await;
    let refused = shift(&mover, core.team, org.south).await;
    assert_eq!((refused.code(), refused.field()), ("CONFLICT", Some("envId")));
    let references = json!([
        {"type": "Datamodel", "id": data.datamodel, "name": "data model", "moves": ["errorTableTargetId"], "stays": ["sourceConnectorId"]},
        {"type": "Pipeline", "id": core.pipeline, "name": "core pipeline", "moves": ["datamodelId", "sourceConnectorId", "teamId"], "stays": ["targetConnectorId"]},
        {"type": "PipelineSubscription", "id": delivery, "name": "delivery", "moves": ["pipelineId"], "stays": ["errorTableTargetId"]},
    ]);
    assert_eq!(*details(&refused), json!({"namesTaken": [], "references": references}));
    assert_eq!(org.everything().await, before);
}

#[tokio::test]
async fn a_team_without_an_env_is_moved_by_a_superuser_alone() {
    let org = Organisation::open().await;
    let core = furnished(&org, org.north, "core").await;
    sqlx::query("update team set env_id = null where id = $1").bind(core.team).execute(org.pool()).await.expect("no env");
    let inside = org.team_member("inside@example.com", core.team, true).await;
    org.world.join_env(inside.id, org.south, "admin").await;
    assert_eq!(shift(&inside, core.team, org.south).await.code(), "FORBIDDEN");
    shift(&org.root, core.team, org.south).await.data();
    assert_eq!(env_of(&org, "connector", core.source).await, json!(org.south));
}

#[tokio::test]
async fn moves_at_once_and_connectors_made_meanwhile_end_with_a_true_mirror() {
    let org = Organisation::open().await;
    let core = furnished(&org, org.north, "core").await;
    for round in 0..5 {
        let connectors = (0..4).map(|index| {
            let pool = org.pool();
            let team = core.team;
            async move {
                let sql = "insert into connector (id, name, connector_type, json_configuration, way, team_id) values ($1, $2, 'X', '{}', 'SOURCE', $3)";
                sqlx::query(sql).bind(Uuid::new_v4()).bind(format!("{round} {index}")).bind(team).execute(pool).await.expect("a connector");
            }
        });
        let moves = [org.south, org.north, org.south, org.north].map(|env| shift(&org.root, core.team, env));
        let (_, replies) = tokio::join!(futures_util::future::join_all(connectors), futures_util::future::join_all(moves));
        for reply in replies {
            reply.data();
        }
        assert_eq!(untrue(&org).await, 0);
    }
}

#[tokio::test]
async fn what_the_error_table_of_a_pipeline_names_moves_with_it_or_nothing_does() {
    let org = Organisation::open().await;
    let (core, data) = (furnished(&org, org.north, "core").await, furnished(&org, org.north, "data").await);
    let config = json!({"deep": [{"into": data.target.to_string().to_uppercase()}]});
    let set = async |config: Value| {
        let input = json!({"pipelineId": core.pipeline, "errorTableConfig": config});
        mutate(&org.root, "updatePipeline", "pipeline { id }", input).await.data();
    };
    set(config).await;
    let before = org.everything().await;
    for (team, moves, stays) in [(core.team, "teamId", "errorTableConfig"), (data.team, "errorTableConfig", "teamId")] {
        let refused = shift(&org.root, team, org.south).await;
        assert_eq!((refused.code(), refused.field()), ("CONFLICT", Some("envId")));
        let reference = &details(&refused)["references"][0];
        assert_eq!((&reference["id"], &reference["type"]), (&json!(core.pipeline), &json!("Pipeline")));
        assert!(reference["moves"].as_array().is_some_and(|fields| fields.contains(&json!(moves))), "{reference}");
        assert_eq!(reference["stays"].as_array().map(|fields| fields.contains(&json!(stays))), Some(true), "{reference}");
    }
    assert_eq!(org.everything().await, before);
    // What looks like an id and is no value of the document names nothing.
    set(json!({data.target.to_string(): "a key", "text": format!("see {}", data.target), "own": core.target})).await;
    shift(&org.root, core.team, org.south).await.data();
}

#[tokio::test]
async fn a_datamodel_that_nobody_owns_holds_the_teams_whose_subscriptions_name_it_together() {
    let org = Organisation::open().await;
    let (core, data) = (furnished(&org, org.north, "core").await, furnished(&org, org.north, "data").await);
    let orphan = org.world.datamodel(core.source, "orphan").await;
    sqlx::query("update datamodel set source_connector_id = null where id = $1").bind(orphan).execute(org.pool()).await.expect("an orphan");
    let subscribe = async |pipeline: Option<Uuid>, target: Option<Uuid>, name: &str| {
        let input = json!({"name": name, "pipelineId": pipeline, "targetConnectorId": target, "datamodelId": orphan});
        mutate(&org.root, "createPipelineSubscription", "pipelineSubscription { id }", input).await
    };
    subscribe(Some(core.pipeline), None, "by pipeline").await.data();
    subscribe(None, Some(data.target), "by target").await.data();
    let before = org.everything().await;
    for team in [core.team, data.team] {
        let refused = shift(&org.root, team, org.south).await;
        assert_eq!((refused.code(), refused.field()), ("CONFLICT", Some("envId")));
        let held = json!([{"type": "Datamodel", "id": orphan, "name": "orphan", "moves": ["pipelineSubscriptions"], "stays": ["pipelineSubscriptions"]}]);
        assert_eq!(details(&refused)["references"], held);
    }
    assert_eq!(org.everything().await, before);
    // Nor is it named from another env anew.
    let far = furnished(&org, org.south, "far").await;
    let refused = subscribe(None, Some(far.target), "from afar").await;
    assert_eq!((refused.code(), refused.field()), ("NOT_FOUND", Some("datamodelId")));
    let sourced =
        mutate(&org.root, "updateDatamodel", "datamodel { id }", json!({"datamodelId": orphan, "sourceConnectorId": far.source})).await;
    assert_eq!((sourced.code(), sourced.field()), ("NOT_FOUND", Some("sourceConnectorId")));
    sqlx::query("delete from subscription where name = 'by target'").execute(org.pool()).await.expect("one less");
    shift(&org.root, core.team, org.south).await.data();
}

#[tokio::test]
async fn a_datamodel_that_nobody_names_is_named_from_one_env_by_however_many_at_once() {
    let org = Organisation::open().await;
    let (near, far) = (furnished(&org, org.north, "near").await, furnished(&org, org.south, "far").await);
    for round in 0..8 {
        let orphan = org.world.datamodel(near.source, &format!("orphan {round}")).await;
        sqlx::query("update datamodel set source_connector_id = null where id = $1")
            .bind(orphan)
            .execute(org.pool())
            .await
            .expect("an orphan");
        let subscribe = async |target: Uuid| {
            let input = json!({"name": "s", "targetConnectorId": target, "datamodelId": orphan});
            mutate(&org.root, "createPipelineSubscription", "pipelineSubscription { id }", input).await
        };
        let (one, other) = tokio::join!(subscribe(near.target), subscribe(far.target));
        let refused: Vec<_> = [&one, &other].into_iter().filter(|reply| reply.0.get("errors").is_some()).collect();
        assert_eq!(refused.len(), 1, "{round}");
        assert_eq!((refused[0].code(), refused[0].field()), ("NOT_FOUND", Some("datamodelId")));
    }
}

#[tokio::test]
async fn a_reference_that_is_being_made_is_waited_for_and_seen() {
    let org = Organisation::open().await;
    let (core, data) = (furnished(&org, org.north, "core").await, furnished(&org, org.north, "data").await);
    let mut writer = org.pool().begin().await.expect("a transaction");
    sqlx::query("update pipeline set source_connector_id = $2 where id = $1")
        .bind(data.pipeline)
        .bind(core.source)
        .execute(&mut *writer)
        .await
        .expect("an update");
    let root = org.root.clone();
    let (team, env) = (core.team, org.south);
    let moving = tokio::spawn(async move { shift(&root, team, env).await });
    org.until_somebody_waits().await;
    writer.commit().await.expect("a commit");
    let refused = moving.await.expect("it answers");
    assert_eq!(refused.code(), "CONFLICT");
    assert_eq!(details(&refused)["references"][0]["id"], json!(data.pipeline));
    assert_eq!(env_of(&org, "team", core.team).await, json!(org.north));
}

/// What may happen to teams and what they own.
#[derive(Clone, Copy, Debug)]
enum Step {
    /// A team moves to an env.
    Move(usize, usize),
    /// A connector with one of few names is made in a team.
    Make(usize, usize),
    /// A connector changes hands.
    Give(usize, usize),
    /// An env goes and another takes its place.
    Replace(usize),
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        5 => (0..3_usize, 0..3_usize).prop_map(|(team, env)| Step::Move(team, env)),
        3 => (0..3_usize, 0..4_usize).prop_map(|(team, name)| Step::Make(team, name)),
        2 => (0..3_usize, 0..4_usize).prop_map(|(team, name)| Step::Give(team, name)),
        1 => (0..3_usize).prop_map(Step::Replace),
    ]
}

#[tokio::test(flavor = "multi_thread")]
async fn whatever_moves_in_whatever_order_the_mirror_is_true() {
    let org = Organisation::open().await;
    let runtime = tokio::runtime::Handle::current();
    tokio::task::block_in_place(|| {
        let mut runner = TestRunner::new(Config { cases: 12, max_shrink_iters: 30, failure_persistence: None, ..Config::default() });
        let outcome = runner.run(&prop::collection::vec(step(), 1..16), |steps| {
            runtime.block_on(live(&org, &steps));
            Ok(())
        });
        outcome.unwrap_or_else(|failure| panic!("{failure}"));
    });
}

/// One history: after every step the mirror is true, and a move is done or refused as the names say.
async fn live(org: &Organisation, steps: &[Step]) {
    let mut envs = Vec::new();
    let mut teams = Vec::new();
    for index in 0..3 {
        envs.push(org.world.env(&format!("env {index}")).await);
        teams.push(org.world.team(envs[index], &format!("team {index}")).await);
    }
    for step in steps {
        match *step {
            Step::Move(team, env) => {
                let clash = "select exists (select from connector m join connector o using (name) where m.team_id = $1 and o.id <> m.id and (o.team_id = $1 or o.env_id = $2))";
                let clash: bool =
                    sqlx::query_scalar(clash).bind(teams[team]).bind(envs[env]).fetch_one(org.pool()).await.expect("an answer");
                let there = env_of(org, "team", teams[team]).await == json!(envs[env]);
                let reply = shift(&org.root, teams[team], envs[env]).await;
                assert_eq!(reply.0.get("errors").is_some(), clash && !there, "{step:?}: {:#}", reply.0);
                let names = &reply.0["errors"][0]["extensions"]["details"]["namesTaken"];
                assert_eq!(names.as_array().is_some_and(|names| !names.is_empty()), clash && !there, "{step:?}: {:#}", reply.0);
            }
            Step::Make(team, name) => {
                let sql = "insert into connector (id, name, connector_type, json_configuration, way, team_id) values (gen_random_uuid(), $1, 'X', '{}', 'SOURCE', $2) on conflict do nothing";
                sqlx::query(sql).bind(format!("connector {name}")).bind(teams[team]).execute(org.pool()).await.expect("an insert");
            }
            Step::Give(team, name) => {
                let sql = "update connector c set team_id = $2 where name = $1 and team_id = any($3)
                    and not exists (select from connector o join team t on t.id = $2 where o.env_id = t.env_id and o.name = c.name)";
                // Two of one name in two envs cannot both come; that refusal is the database's own.
                sqlx::query(sql).bind(format!("connector {name}")).bind(teams[team]).bind(&teams).execute(org.pool()).await.ok();
            }
            Step::Replace(env) => {
                let reply = mutate(&org.root, "deleteEnv", "env { id }", json!({"envId": envs[env]})).await;
                if reply.0.get("errors").is_none() {
                    envs[env] = org.world.env(&format!("env {env}")).await;
                }
            }
        }
        assert_eq!(untrue(org).await, 0, "after {step:?}");
    }
}
