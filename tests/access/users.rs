//! Users made, changed and deleted (M05, M07, M08, M11, M12, M14).

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use uuid::Uuid;

use crate::support::{Caller, PASSWORD, PATIENCE, Reply, Server, Socket, Stage, TestSettings, World, id};

const CREATE: &str =
    "mutation($input: CreateUserInput!) { createUser(input: $input) { user { id email isActive isSuperuser isVerified version } } }";
const UPDATE: &str =
    "mutation($input: UpdateUserInput!) { updateUser(input: $input) { user { id email isActive isSuperuser isVerified version } } }";
const DELETE: &str = "mutation($input: DeleteUserInput!) { deleteUser(input: $input) { user { id email } } }";
const ACTIVE_ENV: &str = "mutation($input: SetActiveEnvInput!) { setActiveEnv(input: $input) { user { activeEnvId version } } }";
const FOLLOW: &str = "subscription { workerChanged { initial } }";
/// Within this time whatever hangs on a session must have ended.
const IN_TIME: Duration = Duration::from_secs(5);

async fn create(caller: &Caller, input: Value) -> Reply {
    caller.ask_with(CREATE, json!({"input": input})).await
}

async fn update(caller: &Caller, user: Uuid, mut change: Value) -> Reply {
    change["userId"] = json!(user);
    caller.ask_with(UPDATE, json!({"input": change})).await
}

async fn delete(caller: &Caller, user: Uuid) -> Reply {
    caller.ask_with(DELETE, json!({"input": {"userId": user}})).await
}

/// A user made through the graph; answers the id.
async fn made(root: &Caller, email: &str) -> Uuid {
    id(&create(root, json!({"email": email})).await.data()["createUser"]["user"]["id"])
}

async fn count(server: &Server, sql: &'static str) -> i64 {
    sqlx::query_scalar(sql).fetch_one(&server.database.pool).await.expect("a count")
}

async fn log(server: &Server) -> i64 {
    count(server, "select count(*) from user_log").await
}

#[tokio::test]
async fn a_superuser_makes_and_changes_users_and_each_change_is_audited_once() {
    let server = Server::start().await;
    let root = server.superuser().await;
    let input = json!({"email": " Ada@Example.com ", "password": PASSWORD, "isVerified": true});
    let ada = create(&root, input).await.data()["createUser"]["user"].clone();
    let expected =
        json!({"id": ada["id"], "email": "ada@example.com", "isActive": true, "isSuperuser": false, "isVerified": true, "version": 1});
    assert_eq!(ada, expected);
    assert_eq!(log(&server).await, 1);

    let changed =
        update(&root, id(&ada["id"]), json!({"email": "ada@example.org", "isSuperuser": true, "expectedVersion": 1})).await.data();
    assert_eq!(changed["updateUser"]["user"]["email"], "ada@example.org");
    assert_eq!(changed["updateUser"]["user"]["version"], 2);
    let same = update(&root, id(&ada["id"]), json!({"email": "ADA@example.org", "isSuperuser": true})).await.data();
    assert_eq!(same["updateUser"]["user"]["version"], 2, "what changes nothing is no change");
    assert_eq!(log(&server).await, 2);
    let fields: Vec<String> = sqlx::query_scalar("select unnest(changed_fields) from pumphouse.audit_detail d join user_log l on l.id = d.user_log_id where l.action = 'update' order by 1")
        .fetch_all(&server.database.pool)
        .await
        .expect("fields");
    assert_eq!(fields, ["email", "isSuperuser"]);

    let stale = update(&root, id(&ada["id"]), json!({"isVerified": false, "expectedVersion": 1})).await;
    assert_eq!((stale.code(), stale.field()), ("CONFLICT", Some("expectedVersion")));
    assert_eq!(stale.0["errors"][0]["extensions"]["details"], json!({"version": 2}));
    let gone = delete(&root, id(&ada["id"])).await.data();
    assert_eq!(gone["deleteUser"]["user"], json!({"id": ada["id"], "email": "ada@example.org"}));
    assert_eq!(delete(&root, id(&ada["id"])).await.code(), "NOT_FOUND");
    assert_eq!(update(&root, id(&ada["id"]), json!({"isVerified": false})).await.field(), Some("userId"));
}

#[tokio::test]
async fn only_superusers_make_change_and_delete_users() {
    let stage = Stage::open().await;
    let Stage { server, world, env, .. } = &stage;
    let (admin, member, stranger) = (
        server.user("admin@example.com", false).await,
        server.user("member@example.com", false).await,
        server.user("far@example.com", false).await,
    );
    world.join_env(admin.id, *env, "admin").await;
    world.join_env(member.id, *env, "member").await;
    let before = log(server).await;
    for caller in [&admin, &stranger] {
        assert_eq!(create(caller, json!({"email": "new@example.com", "password": PASSWORD})).await.code(), "FORBIDDEN");
    }
    assert_eq!(create(&server.nobody(), json!({"email": "new@example.com"})).await.code(), "UNAUTHENTICATED");
    for (caller, code) in [(&admin, "FORBIDDEN"), (&stranger, "NOT_FOUND")] {
        for change in [json!({"isActive": false}), json!({"isSuperuser": true}), json!({"email": "x@example.com"})] {
            let refused = update(caller, member.id, change).await;
            assert_eq!((refused.code(), refused.field()), (code, Some("userId")));
        }
        assert_eq!(delete(caller, member.id).await.code(), code);
    }
    let (unseen, unknown) = (update(&stranger, member.id, json!({})).await, update(&stranger, Uuid::new_v4(), json!({})).await);
    assert_eq!(unseen.message(), unknown.message());
    assert_eq!(update(&member, member.id, json!({"isSuperuser": true})).await.code(), "FORBIDDEN", "not oneself either");
    assert_eq!(log(server).await, before);
    assert_eq!(count(server, "select count(*) from \"user\"").await, 4);
}

#[tokio::test]
async fn m05_m11_a_taken_email_is_a_conflict_on_create_and_on_rename() {
    let server = Server::start().await;
    let root = server.superuser().await;
    let (ada, _bob) = (made(&root, "ada@example.com").await, made(&root, "bob@example.com").await);
    let taken = create(&root, json!({"email": "BOB@example.com "})).await;
    let renamed = update(&root, ada, json!({"email": "Bob@Example.com"})).await;
    for refused in [taken, renamed] {
        assert_eq!((refused.code(), refused.field()), ("CONFLICT", Some("email")));
        assert_eq!(refused.message(), "A user with this email exists already.");
    }
    let all: Vec<_> = (0..20).map(|_| create(&root, json!({"email": "race@example.com"}))).collect();
    let answers = futures_util::future::join_all(all).await;
    let made = answers.iter().filter(|answer| answer.0.get("errors").is_none()).count();
    assert_eq!(made, 1);
    assert!(answers.iter().all(|answer| answer.0.get("errors").is_none() || answer.code() == "CONFLICT"));
}

#[tokio::test]
async fn m12_the_email_of_a_deleted_user_is_free_again() {
    let server = Server::start().await;
    let root = server.superuser().await;
    let first = made(&root, "ada@example.com").await;
    delete(&root, first).await.data();
    assert_ne!(made(&root, "ada@example.com").await, first);
}

#[tokio::test]
async fn m14_create_and_update_have_one_rule_for_emails_and_tell_all_violations() {
    let server = Server::start().await;
    let root = server.superuser().await;
    let (caf, other) = (made(&root, "cafe\u{301}@example.com").await, made(&root, "other@example.com").await);
    let stored: String =
        sqlx::query_scalar("select email from \"user\" where id = $1").bind(caf).fetch_one(&server.database.pool).await.expect("it");
    assert_eq!(stored, "caf\u{e9}@example.com");
    let same = ["caf\u{e9}@example.com", "CAF\u{c9}@EXAMPLE.COM", "\u{a0}cafe\u{301}@example.com\n"];
    for email in same {
        assert_eq!(create(&root, json!({"email": email})).await.code(), "CONFLICT", "{email:?}");
        assert_eq!(update(&root, other, json!({"email": email})).await.code(), "CONFLICT", "{email:?}");
    }
    for email in ["", "ada", "a@b@c", "a b@c", "a\u{0}@b", "a\n@b", &format!("{}@b", "a".repeat(319))] {
        for refused in [create(&root, json!({"email": email})).await, update(&root, other, json!({"email": email})).await] {
            assert_eq!((refused.code(), refused.field()), ("VALIDATION", Some("email")), "{email:?}");
        }
    }
    let both = create(&root, json!({"email": "ada", "password": "short"})).await;
    let fields: Vec<&Value> =
        both.0["errors"][0]["extensions"]["details"]["violations"].as_array().expect("all").iter().map(|one| &one["field"]).collect();
    assert_eq!(fields, ["email", "password"]);
}

#[tokio::test]
async fn the_last_active_superuser_stays() {
    let server = Server::start().await;
    let root = server.superuser().await;
    let idle = made(&root, "idle@example.com").await;
    update(&root, idle, json!({"isSuperuser": true, "isActive": false})).await.data();
    for (change, field) in [(json!({"isActive": false}), "isActive"), (json!({"isSuperuser": false}), "isSuperuser")] {
        let refused = update(&root, root.id, change).await;
        assert_eq!((refused.code(), refused.field()), ("CONFLICT", Some(field)));
    }
    assert_eq!(delete(&root, root.id).await.code(), "CONFLICT");
    delete(&root, idle).await.data();

    // Each ends the other: one of the two comes first.
    let second = server.user("second@example.com", true).await;
    let (one, other) = tokio::join!(update(&root, second.id, json!({"isActive": false})), delete(&second, root.id));
    let done = [&one, &other].iter().filter(|answer| answer.0.get("errors").is_none()).count();
    assert_eq!(done, 1, "{one:?} {other:?}");
    assert_eq!(count(&server, "select count(*) from \"user\" where is_active and is_superuser").await, 1);
}

#[tokio::test]
async fn m07_deleting_a_user_keeps_what_it_did_and_takes_its_memberships_and_requests() {
    let stage = Stage::open().await;
    let Stage { server, world, root, env, team, .. } = &stage;
    let ada = server.user("ada@example.com", false).await;
    world.join_env(ada.id, *env, "admin").await;
    world.join_team(ada.id, *team, true).await;
    let run = id(&stage.try_sync(&ada, &[("orders", None)]).await.data()["startSync"]["syncRun"]["id"]);
    for sql in [
        "insert into env_request (id, role, env_id, from_user_id, to_user_id, status) values (gen_random_uuid(), 'member', $1, $2, $3, 'PENDING'), (gen_random_uuid(), 'member', $1, $3, $2, 'DECLINED')",
        "insert into team_request (id, admin, team_id, from_user_id, to_user_id, status) values (gen_random_uuid(), false, $1, $2, $3, 'PENDING')",
    ] {
        let group = if sql.contains("env_request") { env } else { team };
        sqlx::query(sql).bind(group).bind(ada.id).bind(root.id).execute(&world.pool).await.expect("a request");
    }
    let before = log(server).await;
    delete(root, ada.id).await.data();
    assert_eq!(log(server).await, before + 1);
    assert_eq!(
        count(server, "select count(*) from user_log where user_email = 'ada@example.com' and user_id is null and action = 'sync'").await,
        1
    );
    assert_eq!(
        count(server, "select count(*) from pumphouse.audit_detail where entity_type = 'User' and entity_name = 'ada@example.com'").await,
        1
    );
    let kept =
        root.ask_with("query($id: ID!) { syncRun(id: $id) { triggeredByEmail triggeredByUserId } }", json!({"id": run})).await.data();
    assert_eq!(kept["syncRun"], json!({"triggeredByEmail": "ada@example.com", "triggeredByUserId": null}));
    let left = "select (select count(*) from env_member) + (select count(*) from team_member) + (select count(*) from env_request) + (select count(*) from team_request)";
    assert_eq!(count(server, left).await, 0);
}

/// Whoever is about to be deleted keeps nothing by asking for something meanwhile.
#[tokio::test]
async fn m06_a_request_that_is_written_during_a_deletion_does_not_hinder_it() {
    let server = Server::start().await;
    let root = server.superuser().await;
    let (user, env) = (made(&root, "ada@example.com").await, World::of(&server).env("prod").await);
    let mut asking = server.database.pool.begin().await.expect("a transaction");
    let insert = "insert into env_request (id, status, env_id, role, from_user_id, to_user_id)
        values (gen_random_uuid(), 'PENDING', $1, 'member', $2, $2)";
    sqlx::query(insert).bind(env).bind(user).execute(&mut *asking).await.expect("a request");
    let waits = "select exists (select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock')";
    let meanwhile = async {
        while !sqlx::query_scalar::<_, bool>(waits).fetch_one(&server.database.pool).await.expect("sessions") {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        asking.commit().await.expect("commit");
    };
    let both = async { tokio::join!(delete(&root, user), meanwhile) };
    let (reply, ()) = tokio::time::timeout(PATIENCE, both).await.expect("the deletion waits");
    reply.data();
    assert_eq!(count(&server, "select count(*) from env_request").await, 0);
}

#[tokio::test]
async fn m08_a_new_user_with_an_old_email_is_another_user_and_both_lives_are_found() {
    let stage = Stage::open().await;
    let Stage { server, world, root, env, .. } = &stage;
    let first = server.user("ada@example.com", false).await;
    world.join_env(first.id, *env, "member").await;
    first.ask_with(ACTIVE_ENV, json!({"input": {"envId": env}})).await.data();
    let mut socket = first.subscribe(FOLLOW, json!({})).await;
    delete(root, first.id).await.data();
    let second = made(root, "ada@example.com").await;
    assert_ne!(second, first.id);
    assert_eq!(first.ask("{ viewer { user { id } } }").await.code(), "UNAUTHENTICATED");
    closes_in_time(&mut socket).await;

    world.join_env(second, *env, "member").await;
    let token = server.token_key.for_user(second, 0, None, chrono::Utc::now() + Duration::from_hours(1)).expect("a token");
    server.with_token(&token.text).ask_with(ACTIVE_ENV, json!({"input": {"envId": env}})).await.data();
    let query = "{ userLogs(filter: {userEmail: \"ada@example.com\"}) { nodes { action userId } } }";
    let lives = root.ask(query).await.data();
    assert_eq!(lives["userLogs"]["nodes"], json!([{"action": "UPDATE", "userId": second}, {"action": "UPDATE", "userId": null}]));
}

async fn closes_in_time(socket: &mut Socket) {
    let started = Instant::now();
    while socket.message().await.is_some() {}
    assert!(started.elapsed() < IN_TIME, "after {:?}", started.elapsed());
}

#[tokio::test]
async fn a04_deactivation_ends_tokens_and_sockets_on_every_replica_and_reactivation_brings_tokens_back() {
    let server = Server::start().await;
    let root = server.superuser().await;
    let other = Server::on(server.database.again().await, &TestSettings::default()).await;
    let ada = server.user("ada@example.com", false).await;
    let elsewhere = other.with_token(ada.token.as_deref().expect("a token"));
    let (mut here, mut there) = (ada.subscribe(FOLLOW, json!({})).await, elsewhere.subscribe(FOLLOW, json!({})).await);
    update(&root, ada.id, json!({"isActive": false})).await.data();
    tokio::join!(closes_in_time(&mut here), closes_in_time(&mut there));
    for caller in [&ada, &elsewhere] {
        assert_eq!(caller.ask("{ viewer { user { id } } }").await.code(), "UNAUTHENTICATED");
        assert_eq!(caller.ask_with(ACTIVE_ENV, json!({"input": {"envId": null}})).await.code(), "UNAUTHENTICATED");
    }
    update(&root, ada.id, json!({"isActive": true})).await.data();
    ada.ask("{ viewer { user { id } } }").await.data();
    elsewhere.subscribe(FOLLOW, json!({})).await;
}

#[tokio::test]
async fn the_user_behind_a_service_account_is_left_to_the_account_but_for_whether_it_is_active() {
    let stage = Stage::open().await;
    let robot = stage.service_account(stage.team, false).await;
    let user = id(&robot.ask("{ viewer { user { id } } }").await.data()["viewer"]["user"]["id"]);
    let inputs = [
        json!({"email": "x@example.com"}),
        json!({"isSuperuser": true}),
        json!({"isSuperuser": false, "isActive": false}),
        json!({"isVerified": true, "isActive": true}),
    ];
    for input in inputs {
        let refused = update(&stage.root, user, input).await;
        assert_eq!((refused.code(), refused.field()), ("CONFLICT", Some("userId")));
        assert!(refused.message().contains("deleteServiceAccount"), "{refused:?}");
    }
    assert_eq!(delete(&stage.root, user).await.code(), "CONFLICT");
    robot.ask("{ viewer { user { id } } }").await.data();
    update(&stage.root, user, json!({"isActive": false})).await.data();
    assert_eq!(robot.ask("{ viewer { user { id } } }").await.code(), "UNAUTHENTICATED");
    update(&stage.root, user, json!({"isActive": true})).await.data();
    robot.ask("{ viewer { user { id } } }").await.data();
}

#[tokio::test]
async fn everybody_selects_an_env_that_they_see() {
    let stage = Stage::open().await;
    let Stage { server, world, env, .. } = &stage;
    let far = world.env("far").await;
    let ada = server.user("ada@example.com", false).await;
    world.join_env(ada.id, *env, "reader").await;
    let set = |env: Value| ada.ask_with(ACTIVE_ENV, json!({"input": {"envId": env}}));
    assert_eq!(set(json!(env)).await.data()["setActiveEnv"]["user"], json!({"activeEnvId": env, "version": 2}));
    let before = log(server).await;
    let (unseen, unknown) = (set(json!(far)).await, set(json!(Uuid::new_v4())).await);
    for refused in [&unseen, &unknown] {
        assert_eq!((refused.code(), refused.field()), ("NOT_FOUND", Some("envId")));
    }
    assert_eq!(unseen.message(), unknown.message());
    assert_eq!(set(json!(env)).await.data()["setActiveEnv"]["user"]["version"], 2);
    assert_eq!(log(server).await, before);
    assert_eq!(set(Value::Null).await.data()["setActiveEnv"]["user"], json!({"activeEnvId": null, "version": 3}));
}

#[tokio::test]
async fn without_a_licence_users_are_deactivated_and_deleted_but_not_made() {
    let server = Server::start_with(TestSettings { license_enforced: true, ..TestSettings::default() }).await;
    let root = server.superuser().await;
    let (ada, bob) = (server.user("ada@example.com", false).await, server.user("bob@example.com", false).await);
    assert_eq!(create(&root, json!({"email": "new@example.com"})).await.code(), "LICENSE_INACTIVE");
    assert_eq!(update(&root, ada.id, json!({"isActive": false, "email": "x@example.com"})).await.code(), "LICENSE_INACTIVE");
    update(&root, ada.id, json!({"isActive": false})).await.data();
    assert_eq!(update(&root, ada.id, json!({"isActive": true})).await.code(), "LICENSE_INACTIVE");
    delete(&root, bob.id).await.data();
}
