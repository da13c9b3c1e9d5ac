//! `entityChanged`: what a client's cache needs to stay true, and nothing of others.

use std::collections::BTreeSet;
use std::time::Duration;

use pumphouse::service::Service;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::support::{Caller, Flow, Socket, Stage, TestSettings, settings};

const ENTITIES: &str = "subscription($t: [EntityType!], $f: EntityChangedFilter) { entityChanged(types: $t, filter: $f) {
    initial operation type id node { id ... on Connector { name } ... on User { email } ... on Worker { state } } } }";
const QUIET: Duration = Duration::from_millis(400);

async fn follow(caller: &Caller, types: Value, filter: Value) -> Socket {
    begun(caller.subscribe(ENTITIES, json!({"t": types, "f": filter})).await).await
}

/// The same at another replica.
async fn follow_at(service: &Service, caller: &Caller, types: Value) -> Socket {
    let mut socket = Socket::connect(&format!("http://{}/graphql", service.address()), caller.token.as_deref()).await;
    socket.subscribe("1", ENTITIES, json!({"t": types})).await;
    begun(socket).await
}

async fn begun(mut socket: Socket) -> Socket {
    let first = socket.event().await["entityChanged"].clone();
    assert_eq!(first, json!({"initial": true, "operation": null, "type": null, "id": null, "node": null}));
    socket
}

/// What is said next: the operation, type and id, and a name.
async fn said(socket: &mut Socket) -> Value {
    let event = socket.event().await["entityChanged"].clone();
    assert_eq!(event["initial"], false);
    let node = &event["node"];
    assert_eq!(node.is_null(), event["operation"] == "DELETED");
    let name = ["name", "email", "state"].iter().map(|field| &node[*field]).find(|value| !value.is_null()).unwrap_or(&Value::Null);
    json!([event["operation"], event["type"], event["id"], name])
}

/// As many of them, in no order.
async fn all_said(socket: &mut Socket, count: usize) -> BTreeSet<String> {
    let mut all = BTreeSet::new();
    for _ in 0..count {
        let said = said(socket).await;
        all.insert(format!(
            "{} {} {}",
            said[0].as_str().expect("one"),
            said[1].as_str().expect("a type"),
            said[2].as_str().expect("an id")
        ));
    }
    all
}

async fn sql(stage: &Stage, statement: &'static str, id: Uuid) {
    sqlx::query(statement).bind(id).execute(&stage.world.pool).await.expect("a statement");
}

#[tokio::test]
async fn rows_that_are_made_changed_and_deleted_are_told_at_every_replica_whoever_writes() {
    let stage = Stage::open().await;
    let member = stage.server.user("member@example.com", false).await;
    stage.world.join_team(member.id, stage.team, false).await;
    let replica = Service::start(settings(&stage.server.database.url, &TestSettings::default())).await.expect("a replica");
    let mut sockets =
        [follow(&member, json!(["CONNECTOR"]), Value::Null).await, follow_at(&replica, &stage.root, json!(["CONNECTOR"])).await];
    let (connector, _) = stage.world.source(stage.team, "second").await;
    for socket in &mut sockets {
        assert_eq!(said(socket).await, json!(["CREATED", "CONNECTOR", connector, "second"]));
    }
    member.change("updateConnector", json!({"connectorId": connector, "name": "renamed"}), "connector { id }").await.data();
    for socket in &mut sockets {
        assert_eq!(said(socket).await, json!(["UPDATED", "CONNECTOR", connector, "renamed"]));
    }
    sql(&stage, "delete from worker where connector_id = $1", connector).await;
    sql(&stage, "delete from connector where id = $1", connector).await;
    for socket in &mut sockets {
        assert_eq!(said(socket).await, json!(["DELETED", "CONNECTOR", connector, null]));
        assert!(socket.is_quiet_for(Duration::from_millis(100)).await);
    }
    replica.stop().await;
}

/// A05, A08: a row that was deleted is told to those who could see it, and only to them.
#[tokio::test]
async fn a08_a_deleted_row_is_told_to_those_who_could_see_it_and_its_id_to_nobody_else() {
    let stage = Stage::open().await;
    let (member, stranger) = (stage.server.user("member@example.com", false).await, stage.server.user("stranger@example.com", false).await);
    stage.world.join_team(member.id, stage.team, false).await;
    let other = stage.world.team(stage.env, "other").await;
    stage.world.join_team(stranger.id, other, false).await;
    let mut sees = follow(&member, json!(["CONNECTOR", "WORKER"]), json!({"ids": [stage.connector, stage.worker]})).await;
    let mut silent = [
        follow(&stranger, Value::Null, Value::Null).await,
        follow(&stranger, Value::Null, json!({"ids": [stage.connector, Uuid::new_v4()]})).await,
        follow(&stranger, Value::Null, json!({"teamId": stage.team})).await,
    ];
    stage.start().await;
    assert_eq!(said(&mut sees).await, json!(["UPDATED", "WORKER", stage.worker, "BUILDING"]));
    sql(&stage, "delete from connector where id = $1", stage.connector).await;
    let gone = [format!("DELETED CONNECTOR {}", stage.connector), format!("DELETED WORKER {}", stage.worker)];
    assert_eq!(all_said(&mut sees, 2).await, gone.into());
    for socket in &mut silent {
        assert!(socket.is_quiet_for(Duration::from_millis(200)).await);
    }
}

#[tokio::test]
async fn what_comes_into_sight_is_created_and_what_goes_out_of_it_deleted_with_all_that_hangs_on_it() {
    let flow = Flow::open().await;
    let stage = &flow.stage;
    let user = stage.server.user("user@example.com", false).await;
    let other = stage.world.team(stage.env, "other").await;
    stage.world.join_team(user.id, other, false).await;
    let types = json!(["CONNECTOR", "WORKER", "DATAMODEL", "PIPELINE", "PIPELINE_SUBSCRIPTION"]);
    let mut socket = follow(&user, types, Value::Null).await;
    stage.world.join_team(user.id, stage.team, false).await;
    let rows = [
        ("CONNECTOR", stage.connector),
        ("CONNECTOR", flow.target),
        ("WORKER", stage.worker),
        ("WORKER", flow.target_worker),
        ("DATAMODEL", flow.datamodel),
        ("PIPELINE", flow.pipeline),
        ("PIPELINE_SUBSCRIPTION", flow.subscription),
    ];
    let told = |operation: &str, rows: &[(&str, Uuid)]| rows.iter().map(|(kind, id)| format!("{operation} {kind} {id}")).collect();
    assert_eq!(all_said(&mut socket, rows.len()).await, told("CREATED", &rows));
    // The source goes to a team that the user is not in: with its worker and datamodel.
    let third = stage.world.team(stage.env, "third").await;
    sqlx::query("update connector set team_id = $2 where id = $1")
        .bind(stage.connector)
        .bind(third)
        .execute(&stage.world.pool)
        .await
        .expect("moved");
    let moved = [rows[0], rows[2], rows[4]];
    assert_eq!(all_said(&mut socket, moved.len()).await, told("DELETED", &moved));
    stage.start().await;
    assert!(socket.is_quiet_for(QUIET).await, "its events have ended");
    stage.world.change_rights("delete from team_member where user_id = $1", user.id).await;
    let left = [rows[1], rows[3], rows[5], rows[6]];
    assert_eq!(all_said(&mut socket, left.len()).await, told("DELETED", &left));
    assert!(socket.is_quiet_for(QUIET).await);
}

#[tokio::test]
async fn who_joins_a_team_is_seen_by_its_members_from_then_on_and_until_they_leave() {
    let stage = Stage::open().await;
    let (member, newcomer) = (stage.server.user("member@example.com", false).await, stage.server.user("newcomer@example.com", false).await);
    stage.world.join_team(member.id, stage.team, false).await;
    let mut socket = follow(&member, json!(["USER"]), Value::Null).await;
    stage.world.join_team(newcomer.id, stage.team, false).await;
    assert_eq!(said(&mut socket).await, json!(["CREATED", "USER", newcomer.id, "newcomer@example.com"]));
    stage.world.change_rights("delete from team_member where user_id = $1", newcomer.id).await;
    assert_eq!(said(&mut socket).await, json!(["DELETED", "USER", newcomer.id, null]));
}

/// N05: nobody hears of anything while nobody listens; then everybody is told exactly what has changed.
#[tokio::test]
async fn n05_after_a_lost_listener_it_is_told_what_was_missed_row_by_row() {
    let stage = Stage::open().await;
    let (doomed, _) = stage.world.source(stage.team, "doomed").await;
    let mut socket = follow(&stage.root, json!(["CONNECTOR"]), Value::Null).await;
    let mut all = stage.world.pool.begin().await.expect("a transaction");
    let silently = "set local session_replication_role = replica";
    sqlx::query(silently).execute(&mut *all).await.expect("no triggers, so no notices");
    for statement in ["delete from worker where connector_id = $1", "delete from connector where id = $1"] {
        sqlx::query(statement).bind(doomed).execute(&mut *all).await.expect("gone");
    }
    sqlx::query("update connector set name = 'renamed' where id = $1").bind(stage.connector).execute(&mut *all).await.expect("renamed");
    all.commit().await.expect("commit");
    sqlx::query("select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and query ilike 'listen%'")
        .execute(&stage.world.pool)
        .await
        .expect("the listener's end");
    assert_eq!(said(&mut socket).await, json!(["DELETED", "CONNECTOR", doomed, null]));
    assert_eq!(said(&mut socket).await, json!(["UPDATED", "CONNECTOR", stage.connector, "renamed"]));
    assert!(socket.is_quiet_for(QUIET).await);
}

/// A notice that arrives late is about a row that has changed since: what was not told is not taken for told.
#[tokio::test]
async fn n05_a_late_notice_of_a_change_that_was_told_takes_nothing_away_from_what_is_told_later() {
    let stage = Stage::open().await;
    let (doomed, _) = stage.world.source(stage.team, "doomed").await;
    let late: String = sqlx::query_scalar(
        r#"select format('{"t":"connector","op":"U","x":"%s","at":0,"r":[%s]}', pg_current_xact_id(),
            array_to_string(pumphouse.notice_rows($1, pumphouse.owners_of_connector($1), ''), ','))"#,
    )
    .bind(doomed)
    .fetch_one(&stage.world.pool)
    .await
    .expect("a notice");
    let mut socket = follow(&stage.root, json!(["CONNECTOR"]), Value::Null).await;
    let mut all = stage.world.pool.begin().await.expect("a transaction");
    let silently = "set local session_replication_role = replica";
    sqlx::query(silently).execute(&mut *all).await.expect("no triggers, so no notices");
    for statement in ["delete from worker where connector_id = $1", "delete from connector where id = $1"] {
        sqlx::query(statement).bind(doomed).execute(&mut *all).await.expect("gone, and nobody is told");
    }
    all.commit().await.expect("commit");
    sqlx::query("select pg_notify('pumphouse', $1)").bind(&late).execute(&stage.world.pool).await.expect("a notice");
    sql(&stage, "update connector set name = 'renamed' where id = $1", stage.connector).await;
    assert_eq!(said(&mut socket).await, json!(["UPDATED", "CONNECTOR", stage.connector, "renamed"]));
    sqlx::query("select pg_notify('pumphouse', 'notices may have been missed')").execute(&stage.world.pool).await.expect("a doubt");
    assert_eq!(said(&mut socket).await, json!(["DELETED", "CONNECTOR", doomed, null]));
    assert!(socket.is_quiet_for(QUIET).await);
}

#[tokio::test]
async fn every_type_that_announces_its_changes_can_be_followed_and_no_answer_holds_a_secret() {
    let flow = Flow::open().await;
    let document = "subscription { entityChanged { operation type id node { id ... on Connector { jsonConfiguration } } } }";
    let mut socket = flow.stage.root.subscribe(document, json!({})).await;
    socket.event().await;
    flow.stage
        .root
        .change("updateConnector", json!({"connectorId": flow.stage.connector, "name": "renamed"}), "connector { id }")
        .await
        .data();
    let event = socket.until(|event| event["entityChanged"]["type"] == "CONNECTOR").await;
    let text = event.to_string();
    assert!(text.contains("$secret") && !text.contains("hunter2"), "{text}");
}

/// What an execution has worked out for somebody and not sent to them when they leave it is worked out again where they come to.
#[tokio::test]
async fn a_superuser_who_is_demoted_is_told_of_all_that_goes_out_of_sight() {
    let stage = Stage::open().await;
    let ada = stage.server.user("ada@example.com", true).await;
    let mut socket = follow(&ada, json!(["CONNECTOR", "USER"]), json!({})).await;
    let demote = format!("mutation {{ updateUser(input: {{userId: \"{}\", isSuperuser: false}}) {{ user {{ id }} }} }}", ada.id);
    stage.root.ask(&demote).await.data();
    let mut gone = BTreeSet::from([stage.connector.to_string(), stage.root.id.to_string()]);
    while !gone.is_empty() {
        let event = socket.event().await["entityChanged"].clone();
        if event["operation"] == "DELETED" {
            gone.remove(event["id"].as_str().expect("an id"));
        }
    }
}

#[tokio::test]
async fn memberships_that_end_at_the_same_time_take_all_of_theirs_back() {
    let stage = Stage::open().await;
    let ada = stage.server.user("ada@example.com", false).await;
    for round in 0..6 {
        let mut teams = Vec::new();
        let mut gone = BTreeSet::new();
        for number in 0..4 {
            let team = stage.world.team(stage.env, &format!("team-{round}-{number}")).await;
            let (connector, _) = stage.world.source(team, &format!("source-{round}-{number}")).await;
            stage
                .root
                .ask(&format!(
                    "mutation {{ setTeamMember(input: {{teamId: \"{team}\", userId: \"{}\"}}) {{ teamMember {{ id }} }} }}",
                    ada.id
                ))
                .await
                .data();
            teams.push(team);
            gone.insert(connector.to_string());
        }
        let mut socket = follow(&ada, json!(["CONNECTOR"]), json!({})).await;
        let endings = teams.iter().map(|team| {
            let end =
                format!("mutation {{ removeTeamMember(input: {{teamId: \"{team}\", userId: \"{}\"}}) {{ teamMember {{ id }} }} }}", ada.id);
            let root = stage.root.clone();
            async move { root.ask(&end).await.data() }
        });
        futures_util::future::join_all(endings).await;
        while !gone.is_empty() {
            let event = socket.event().await["entityChanged"].clone();
            if event["operation"] == "DELETED" {
                gone.remove(event["id"].as_str().expect("an id"));
            }
        }
    }
}
