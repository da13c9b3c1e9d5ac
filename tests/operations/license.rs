//! The licence: who reports it, and what is refused without one (domain.md section 5).

use serde_json::{Value, json};

use crate::support::{Caller, Stage, TestSettings};

const REPORT: &str = "mutation($active: Boolean!, $until: DateTime) {
    reportLicense(input: {active: $active, expiresAt: $until}) { license { licenseActive licenseExpiresAt lastSeenAt } } }";

async fn report(caller: &Caller, active: bool, until: Option<&str>) -> Value {
    caller.ask_with(REPORT, json!({"active": active, "until": until})).await.data()["reportLicense"]["license"].clone()
}

#[tokio::test]
async fn the_latest_verdict_is_the_only_row_and_only_superusers_report_it() {
    let stage = Stage::open().await;
    let user = stage.server.user("user@example.com", false).await;
    assert_eq!(user.ask_with(REPORT, json!({"active": true})).await.code(), "FORBIDDEN");
    assert_eq!(stage.root.ask("{ license { id } }").await.data()["license"], Value::Null);
    futures_util::future::join_all((0..10).map(|_| report(&stage.root, true, None))).await;
    let until = "2036-01-01T00:00:00.000000Z";
    let last = report(&stage.root, false, Some(until)).await;
    assert_eq!((&last["licenseActive"], &last["licenseExpiresAt"]), (&json!(false), &json!(until)));
    assert_eq!(user.ask("{ license { licenseActive lastSeenAt } }").await.data()["license"]["lastSeenAt"], last["lastSeenAt"]);
    let rows: i64 = sqlx::query_scalar("select count(*) from license_state").fetch_one(&stage.world.pool).await.expect("a count");
    assert_eq!(rows, 1);
    assert_eq!(stage.audited().await, vec!["report"; 11]);
}

/// Every way in which there is no licence, as SQL that brings it about.
const REASONS: &[(&str, &str)] = &[
    ("no row", "delete from license_state"),
    ("inactive", "insert into license_state (id, license_active, last_seen_at) values (gen_random_uuid(), false, now())"),
    ("expired", "update license_state set license_active = true, license_expires_at = now() - interval '1 second'"),
    ("stale", "update license_state set license_expires_at = null, last_seen_at = now() - interval '7 days 1 second'"),
];

/// What the worker, its team and the one with a token are called in the documents below.
fn filled(document: &str, stage: &Stage, account: &Value, token: &Value) -> String {
    let names = [
        ("WORKER", json!(stage.worker)),
        ("CONNECTOR", json!(stage.connector)),
        ("TEAM", json!(stage.team)),
        ("ACCOUNT", account.clone()),
        ("TOKEN", token.clone()),
    ];
    names.iter().fold(document.to_owned(), |text, (name, id)| text.replace(name, &id.to_string()))
}

const REFUSED: &[&str] = &[
    "startWorker(input: {workerId: WORKER}) { worker { id } }",
    "restartWorker(input: {workerId: WORKER}) { worker { id } }",
    "startSync(input: {connectorId: CONNECTOR, tables: [{name: \"a\"}]}) { syncRun { id } }",
    "createServiceAccount(input: {name: \"b\", grants: [{teamId: TEAM}]}) { serviceAccount { id } }",
    "setServiceAccountGrants(input: {serviceAccountId: ACCOUNT, grants: [{teamId: TEAM, admin: true}]}) { serviceAccount { id } }",
    "issueServiceAccountToken(input: {serviceAccountId: ACCOUNT, lifetime: 60}) { accessToken }",
    "issueWorkerToken(input: {workerId: WORKER, lifetime: 60}) { accessToken }",
];

#[tokio::test]
async fn without_a_licence_writes_are_refused_for_each_reason_and_reading_goes_on() {
    let stage = Stage::open_with(TestSettings { license_enforced: true, ..TestSettings::default() }).await;
    report(&stage.root, true, None).await;
    let account = json!(stage.root.new_account(json!([{"teamId": stage.team}])).await);
    let member = stage.server.user("member@example.com", false).await;
    for (reason, sql) in REASONS {
        sqlx::query(*sql).execute(&stage.world.pool).await.expect(reason);
        let before = stage.written().await;
        for document in REFUSED {
            let document = format!("mutation {{ {} }}", filled(document, &stage, &account, &Value::Null));
            assert_eq!(stage.root.ask(&document).await.code(), "LICENSE_INACTIVE", "{reason}: {document}");
            // Rights are asked first: who may not is told so, and learns nothing of the licence.
            assert_eq!(member.ask(&document).await.code(), "NOT_FOUND", "{reason}: {document}");
        }
        assert_eq!(stage.written().await, before, "{reason}");
        stage.root.ask("{ workers { totalCount } license { licenseActive } }").await.data();
    }
    report(&stage.root, true, Some("2036-01-01T00:00:00Z")).await;
    for document in REFUSED.iter().filter(|document| !document.starts_with("restart")) {
        stage.root.ask(&format!("mutation {{ {} }}", filled(document, &stage, &account, &Value::Null))).await.data();
    }
}

#[tokio::test]
async fn without_a_licence_rights_are_taken_away_work_is_stopped_and_workers_report() {
    let stage = Stage::open_with(TestSettings { license_enforced: true, ..TestSettings::default() }).await;
    stage.server.user_with_password("ada@example.com", true).await;
    report(&stage.root, true, None).await;
    let account = stage.root.new_account(json!([{"teamId": stage.team}])).await;
    let (_, token) = stage.bearer(&stage.root, account).await;
    let generation = stage.live().await;
    let run = stage.sync(&[("a", Some(1))]).await;
    stage.begun(run, 0).await;
    report(&stage.root, false, None).await;

    let table = stage.tables(run).await[0];
    stage.progress(generation, json!([{"syncTableId": table, "rowsIngested": 1}])).await.data();
    assert_eq!(stage.report(generation, "LIVE", None).await["accepted"], true);
    stage.cancel(&stage.root, run).await.data();
    stage.command(&stage.root, "stopWorker", stage.worker).await.data();
    assert_eq!(stage.report(generation, "PAUSED", None).await["accepted"], true);
    let login = "mutation { login(input: {email: \"ada@example.com\", password: \"correct horse battery staple\"}) { accessToken } }";
    let login = stage.server.nobody().ask(login).await.data();
    let ada = stage.server.with_token(login["login"]["accessToken"].as_str().expect("a token"));
    ada.ask("mutation { logout { expiresAt } }").await.data();
    stage.root.revoke_token(token).await.data();
    stage.root.delete_account(account).await.data();
}

#[tokio::test]
async fn without_a_licence_rights_shrink_but_never_grow_and_what_stores_nothing_goes_on() {
    let stage = Stage::open_with(TestSettings { license_enforced: true, ..TestSettings::default() }).await;
    let root = &stage.root;
    report(root, true, None).await;
    let chief = stage.server.user("chief@example.com", true).await;
    let member = stage.server.user("member@example.com", false).await;
    stage.world.join_env(member.id, stage.env, "admin").await;
    stage.world.join_team(member.id, stage.team, true).await;
    let account = root.new_account(json!([{"teamId": stage.team, "admin": true, "worker": true}])).await;
    report(root, false, None).await;

    let env = |role: &str| json!({"envId": stage.env, "userId": member.id, "role": role});
    let team = |admin: bool| json!({"teamId": stage.team, "userId": member.id, "admin": admin});
    let grants = |admin: bool, worker: bool| json!({"serviceAccountId": account, "grants": [{"teamId": stage.team, "admin": admin, "worker": worker}]});
    let document = json!({"format": "pumphouse/pipelines/1"});
    let apply = |dry_run: bool| json!({"envId": stage.env, "document": document, "dryRun": dry_run});
    let configuration = json!({"teamId": stage.team, "connectorType": "POSTGRES_SOURCE",
        "configuration": {"host": "127.0.0.1", "port": 1, "database": "d", "user": "u", "password": "p"}});
    let taken = [
        ("updateUser", json!({"userId": chief.id, "isSuperuser": false})),
        ("setEnvMember", env("MEMBER")),
        ("setTeamMember", team(false)),
        ("setServiceAccountGrants", grants(false, true)),
        ("applyPipelineConfiguration", apply(true)),
        ("testConnectorConfiguration", configuration),
    ];
    for (mutation, input) in taken {
        let reply = root.change(mutation, input, "__typename").await;
        assert!(reply.0.get("errors").is_none(), "{mutation}: {:#}", reply.0);
    }
    let before = stage.written().await;
    let gained = [
        ("updateUser", json!({"userId": chief.id, "isSuperuser": true})),
        ("updateUser", json!({"userId": chief.id, "isActive": true})),
        ("setEnvMember", env("ADMIN")),
        ("setEnvMember", env("MEMBER")),
        ("setTeamMember", team(true)),
        ("setServiceAccountGrants", grants(true, false)),
        ("applyPipelineConfiguration", apply(false)),
    ];
    for (mutation, input) in gained {
        let reply = root.change(mutation, input, "__typename").await;
        assert_eq!(reply.code(), "LICENSE_INACTIVE", "{mutation}: {:#}", reply.0);
    }
    assert_eq!(stage.written().await, before);
}
