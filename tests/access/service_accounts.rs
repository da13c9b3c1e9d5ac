//! Service accounts: what is derived from their grants, and how long their tokens live.

use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use serde_json::{Value, json};
use uuid::Uuid;

use crate::support::{Stage, id};

const WHOAMI: &str = "{ viewer { user { email } serviceAccount { name grants { worker team { name } } } teams { admin team { name } } } }";
const TOKENS: &str = "query($id: ID!) { serviceAccount(id: $id) { name tokens { id name expiresAt revokedAt } grants { role } } }";

#[tokio::test]
async fn an_account_is_made_acts_by_its_tokens_and_is_deleted() {
    let stage = Stage::open().await;
    let admin = stage.server.user("admin@example.com", false).await;
    stage.world.join_team(admin.id, stage.team, true).await;
    let made = admin.create_account(json!([{"teamId": stage.team, "worker": true}])).await.data();
    let account = id(&made["createServiceAccount"]["serviceAccount"]["id"]);
    assert_eq!(stage.memberships(account).await.1, [format!("{} false", stage.team)]);

    let (first, one) = stage.bearer(&admin, account).await;
    let (second, other) = stage.bearer(&admin, account).await;
    let backing: Uuid = sqlx::query_scalar("select user_id from service_account_user where id = $1")
        .bind(account)
        .fetch_one(&stage.world.pool)
        .await
        .expect("its user");
    let me = json!({"user": {"email": format!("{backing}@service.invalid")},
        "serviceAccount": {"name": "robot", "grants": [{"worker": true, "team": {"name": "core"}}]},
        "teams": [{"admin": false, "team": {"name": "core"}}]});
    assert_eq!(first.ask(WHOAMI).await.data()["viewer"], me);
    assert_eq!(admin.ask("{ viewer { serviceAccount { id } } }").await.data()["viewer"]["serviceAccount"], Value::Null);
    let listed = admin.ask_with(TOKENS, json!({"id": account})).await.data();
    assert_eq!(listed["serviceAccount"]["tokens"].as_array().map(Vec::len), Some(2));
    assert!(!listed.to_string().contains("eyJ"), "{listed}");

    // One ends alone; ended again, nothing more is written.
    admin.revoke_token(one).await.data();
    let log = stage.audited().await;
    let again = admin.revoke_token(one).await.data();
    assert_ne!(again["revokeServiceAccountToken"]["serviceAccountToken"]["revokedAt"], Value::Null);
    assert_eq!(stage.audited().await, log);
    assert_eq!(first.ask(WHOAMI).await.code(), "UNAUTHENTICATED");
    second.ask(WHOAMI).await.data();
    stage.command(&second, "startWorker", stage.worker).await.data();

    admin.delete_account(account).await.data();
    assert_eq!(second.ask(WHOAMI).await.code(), "UNAUTHENTICATED");
    assert_eq!(admin.revoke_token(other).await.code(), "NOT_FOUND");
    assert_eq!(stage.audited().await, ["create", "issue", "issue", "revoke", "start", "delete"]);
    let kept: (String, Option<Uuid>) = sqlx::query_as("select user_email, user_id from user_log where action = 'start'")
        .fetch_one(&stage.world.pool)
        .await
        .expect("the entry");
    assert_eq!(kept, (format!("{backing}@service.invalid"), None));
}

#[tokio::test]
async fn grants_replace_each_other_and_the_same_again_writes_nothing() {
    let stage = Stage::open().await;
    let other = stage.world.team(stage.env, "other").await;
    let admin = stage.server.user("admin@example.com", false).await;
    stage.world.join_env(admin.id, stage.env, "admin").await;
    let account = admin.new_account(json!([{"envId": stage.env, "role": "MEMBER"}, {"teamId": stage.team, "worker": true}])).await;
    let changed =
        admin.set_grants(account, json!([{"teamId": other, "worker": true}, {"envId": stage.env, "role": "READER"}])).await.data();
    let grants = &changed["setServiceAccountGrants"]["serviceAccount"]["grants"];
    assert_eq!(
        grants[0],
        json!({"role": "READER", "admin": false, "worker": false, "envId": stage.env, "teamId": null, "env": {"name": "prod"}, "team": null})
    );
    assert_eq!(
        grants[1],
        json!({"role": null, "admin": false, "worker": true, "envId": null, "teamId": other, "env": null, "team": {"name": "other"}})
    );
    let (said, had) = stage.memberships(account).await;
    assert_eq!(said, had);
    assert_eq!(had.len(), 2);
    let before = stage.written().await;
    admin.set_grants(account, json!([{"envId": stage.env, "role": "READER"}, {"teamId": other, "worker": true}])).await.data();
    assert_eq!(stage.written().await, before);
    assert_eq!(stage.audited().await, ["create", "grant"]);
}

#[tokio::test]
async fn all_that_is_wrong_with_an_input_is_said_at_once() {
    let stage = Stage::open().await;
    let (env, team) = (stage.env, stage.team);
    let before = stage.written().await;
    let wrong = json!([{"envId": env}, {"teamId": team, "role": "ADMIN"}, {"teamId": team}, {"teamId": team}, {"envId": env, "role": "ADMIN", "worker": true}, {}]);
    let reply = stage.root.create_account(wrong).await;
    assert_eq!(reply.code(), "VALIDATION");
    let fields: Vec<&str> = reply.0["errors"][0]["extensions"]["details"]["violations"]
        .as_array()
        .expect("violations")
        .iter()
        .map(|violation| violation["field"].as_str().expect("a field"))
        .collect();
    assert_eq!(fields, ["grants.0", "grants.1", "grants.3.teamId", "grants.4", "grants.5"]);
    assert_eq!(stage.root.create_account(json!([])).await.field(), Some("grants"));
    let nameless =
        "mutation($g: [ServiceAccountGrantInput!]!) { createServiceAccount(input: {name: \" \", grants: $g}) { serviceAccount { id } } }";
    assert_eq!(stage.root.ask_with(nameless, json!({"g": [{"teamId": team}]})).await.field(), Some("name"));
    let both = stage.root.ask_with(nameless, json!({"g": [{"teamId": team}, {"teamId": team}]})).await;
    assert_eq!((both.code(), both.violations()), ("VALIDATION", vec!["grants.1.teamId", "name"]));
    for _ in 0..4 {
        let missing = json!({"g": [{"teamId": uuid::Uuid::new_v4()}, {"teamId": team}, {"teamId": uuid::Uuid::new_v4()}]});
        let missing = stage.root.ask_with(nameless, missing).await;
        assert_eq!((missing.code(), missing.violations()), ("NOT_FOUND", vec!["grants.0.teamId", "grants.2.teamId", "name"]));
    }
    assert_eq!(stage.written().await, before);
    let account = stage.root.new_account(json!([{"teamId": team}])).await;
    for lifetime in [-1, 0, 31_622_401] {
        assert_eq!(stage.root.issue_token(account, lifetime).await.field(), Some("lifetime"));
    }
}

/// Else a token that leaks could live on in others that it has issued.
#[tokio::test]
async fn a_service_account_issues_no_token_that_outlives_its_own() {
    let stage = Stage::open().await;
    let account = stage.root.new_account(json!([{"teamId": stage.team, "admin": true}])).await;
    let (bearer, _) = stage.bearer(&stage.root, account).await;
    let child = bearer.new_account(json!([{"teamId": stage.team}])).await;
    assert_eq!(bearer.issue_token(child, 31_622_400).await.field(), Some("lifetime"));
    bearer.issue_token(child, 60).await.data();
}

#[tokio::test]
async fn a_service_account_goes_with_its_last_grant() {
    let stage = Stage::open().await;
    let (env, team) = (stage.world.env("other").await, stage.world.team(stage.env, "short-lived").await);
    let only = stage.root.new_account(json!([{"teamId": team}])).await;
    let both = stage.root.new_account(json!([{"teamId": team}, {"envId": env, "role": "READER"}])).await;
    let (bearer, _) = stage.bearer(&stage.root, only).await;
    let delete = async |kind: &str, id: Uuid| {
        let mutation =
            format!("mutation {{ delete{kind}(input: {{{}Id: \"{id}\"}}) {{ clientMutationId: __typename }} }}", kind.to_lowercase());
        stage.root.ask(&mutation).await.data();
    };
    let left = async || {
        let sql = "select s.id from service_account_user s join \"user\" u on u.id = s.user_id order by s.id";
        sqlx::query_scalar::<_, Uuid>(sql).fetch_all(&stage.world.pool).await.expect("accounts")
    };
    delete("Team", team).await;
    assert_eq!(left().await, [both]);
    assert_eq!(bearer.ask(WHOAMI).await.code(), "UNAUTHENTICATED");
    let logged = "select count(*) from user_log l join pumphouse.audit_detail d on d.user_log_id = l.id where l.action = 'delete' and d.entity_id = $1 and d.team_id = $2";
    let logged: i64 = sqlx::query_scalar(logged).bind(only).bind(team).fetch_one(&stage.world.pool).await.expect("the log");
    assert_eq!(logged, 1);
    delete("Env", env).await;
    assert_eq!(left().await, Vec::<Uuid>::new());
}

/// A token is never kept, so the mutation takes no idempotency key.
#[tokio::test]
async fn a_token_is_not_issued_under_an_idempotency_key() {
    let stage = Stage::open().await;
    let account = stage.root.new_account(json!([{"teamId": stage.team}])).await;
    let query =
        format!("mutation {{ issueServiceAccountToken(input: {{serviceAccountId: \"{account}\", lifetime: 60}}) {{ accessToken }} }}");
    let request = reqwest::Client::new().post(stage.server.url("/graphql")).bearer_auth(stage.root.token.as_deref().expect("a token"));
    let answer: Value =
        request.header("Idempotency-Key", "k").json(&json!({"query": query})).send().await.expect("an answer").json().await.expect("JSON");
    assert_eq!(answer["errors"][0]["extensions"]["code"], "VALIDATION");
}

#[tokio::test]
async fn a04_the_tokens_of_an_account_are_dead_while_its_user_is_inactive() {
    let stage = Stage::open().await;
    let account = stage.root.new_account(json!([{"teamId": stage.team}])).await;
    let (bearer, _) = stage.bearer(&stage.root, account).await;
    let user: Uuid = sqlx::query_scalar("select user_id from service_account_user").fetch_one(&stage.world.pool).await.expect("its user");
    let activate = async |active: bool| {
        let change = format!("mutation {{ updateUser(input: {{userId: \"{user}\", isActive: {active}}}) {{ user {{ isActive }} }} }}");
        assert_eq!(stage.root.ask(&change).await.data()["updateUser"]["user"]["isActive"], active);
    };
    let status = async || {
        let request = reqwest::Client::new().post(stage.server.url("/graphql")).bearer_auth(bearer.token.as_deref().expect("a token"));
        request.json(&json!({"query": WHOAMI})).send().await.expect("an answer").status().as_u16()
    };
    let mut socket = bearer.subscribe("subscription { workerChanged { worker { id } } }", json!({})).await;
    socket.event().await;
    assert_eq!(status().await, 200);
    activate(false).await;
    while socket.message().await.is_some() {}
    assert_eq!(status().await, 401);
    assert_eq!(bearer.ask(WHOAMI).await.code(), "UNAUTHENTICATED");
    assert_eq!(stage.command(&bearer, "startWorker", stage.worker).await.code(), "UNAUTHENTICATED");
    activate(true).await;
    assert_eq!(status().await, 200);
    stage.command(&bearer, "startWorker", stage.worker).await.data();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn fifty_changes_of_grants_at_once_leave_the_memberships_in_step() {
    let stage = Stage::open().await;
    let other = stage.world.team(stage.env, "other").await;
    let account = stage.root.new_account(json!([{"teamId": stage.team}])).await;
    let sets = [
        json!([{"teamId": stage.team, "admin": true}]),
        json!([{"teamId": other}, {"envId": stage.env, "role": "MEMBER"}]),
        json!([{"envId": stage.env, "role": "ADMIN"}]),
        json!([{"teamId": stage.team}, {"teamId": other, "admin": true, "worker": true}]),
    ];
    let changes = (0..50).map(|number| stage.root.set_grants(account, sets[number % sets.len()].clone()));
    for reply in futures_util::future::join_all(changes).await {
        reply.data();
    }
    let (said, had) = stage.memberships(account).await;
    assert_eq!(said, had);
    assert!(!had.is_empty());
}

/// What may be granted: an env's role, or a team with its two marks.
fn grants() -> impl Strategy<Value = Vec<(Option<&'static str>, [Option<(bool, bool)>; 3])>> {
    let role = prop::option::of(prop::sample::select(vec!["ADMIN", "MEMBER", "READER"]));
    let team = || prop::option::of((any::<bool>(), any::<bool>()));
    prop::collection::vec((role, [team(), team(), team()]), 1..6)
}

#[test]
fn the_memberships_are_those_of_the_grants_whatever_is_granted_in_turn() {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().expect("a runtime");
    let (stage, teams) = runtime.block_on(async {
        let stage = Stage::open().await;
        let teams = [stage.team, stage.world.team(stage.env, "b").await, stage.world.team(stage.env, "c").await];
        (stage, teams)
    });
    let config = Config { cases: 24, failure_persistence: None, ..Config::default() };
    let live = |steps: Vec<(Option<&'static str>, [Option<(bool, bool)>; 3])>| {
        runtime.block_on(async {
            let account = stage.root.new_account(json!([{"teamId": teams[0]}])).await;
            for (role, marks) in steps {
                let mut wanted: Vec<String> = role.map(|role| format!("{} {}", stage.env, role.to_lowercase())).into_iter().collect();
                let mut inputs: Vec<Value> = role.map(|role| json!({"envId": stage.env, "role": role})).into_iter().collect();
                for (team, mark) in teams.iter().zip(marks) {
                    let Some((admin, worker)) = mark else { continue };
                    wanted.push(format!("{team} {admin}"));
                    inputs.push(json!({"teamId": team, "admin": admin, "worker": worker}));
                }
                if inputs.is_empty() {
                    continue;
                }
                stage.root.set_grants(account, json!(inputs)).await.data();
                wanted.sort();
                let (said, mut had) = stage.memberships(account).await;
                prop_assert_eq!(&said, &had);
                had.sort();
                prop_assert_eq!(had, wanted);
            }
            Ok(())
        })
    };
    TestRunner::new(config).run(&grants(), live).expect("in step");
    runtime.block_on(stage.server.service.stop());
}
