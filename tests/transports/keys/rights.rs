//! Whose key it is, and who is given a kept answer again.

use serde_json::json;

use super::{kept, restart, restarts, send};
use crate::support::{Stage, TestSettings};

#[tokio::test]
async fn a_key_is_its_viewers_own() {
    let stage = Stage::open().await;
    let ada = stage.server.user("ada@example.com", true).await;
    send(&stage, &stage.root, "k", &restart(&stage)).await.reply().data();
    send(&stage, &ada, "k", &restart(&stage)).await.reply().data();
    assert_eq!((restarts(&stage).await, kept(&stage).await), (2, 2));
    let stop = format!("mutation {{ stopWorker(input: {{workerId: \"{}\"}}) {{ worker {{ state }} }} }}", stage.worker);
    send(&stage, &ada, "k", &stop).await.reply().data();
}

#[tokio::test]
async fn another_token_of_the_same_user_has_the_same_keys() {
    let stage = Stage::open().await;
    let first = send(&stage, &stage.root, "k", &restart(&stage)).await;
    let expiry = chrono::Utc::now() + std::time::Duration::from_hours(1);
    let token = stage.server.token_key.for_user(stage.root.id, 0, None, expiry).expect("a token");
    assert_eq!(send(&stage, &stage.server.with_token(&token.text), "k", &restart(&stage)).await, first);
    assert_eq!(restarts(&stage).await, 1);
}

#[tokio::test]
async fn who_has_lost_the_right_is_not_given_the_answer_again() {
    let stage = Stage::open().await;
    let ada = stage.server.user("ada@example.com", false).await;
    stage.world.join_team(ada.id, stage.team, false).await;
    let first = send(&stage, &ada, "k", &restart(&stage)).await;
    first.reply().data();
    stage.world.change_rights("delete from team_member where user_id = $1", ada.id).await;
    let refused = send(&stage, &ada, "k", &restart(&stage)).await;
    assert_eq!((refused.reply().code(), refused.text.contains("BUILDING")), ("NOT_FOUND", false));
    // Also under another request: that the key was used is nothing to learn.
    let other = restart(&stage).replace("id state", "id");
    assert_eq!(send(&stage, &ada, "k", &other).await.reply().code(), "NOT_FOUND");
    stage.world.join_env(ada.id, stage.env, "reader").await;
    assert_eq!(send(&stage, &ada, "k", &restart(&stage)).await.reply().code(), "NOT_FOUND");
    stage.world.change_rights("update \"user\" set is_superuser = true where id = $1", ada.id).await;
    assert_eq!(send(&stage, &ada, "k", &restart(&stage)).await, first, "the same right by another way");

    stage.world.change_rights("update \"user\" set is_active = false where id = $1", ada.id).await;
    assert_eq!(send(&stage, &ada, "k", &restart(&stage)).await.reply().code(), "UNAUTHENTICATED");
    assert_eq!(restarts(&stage).await, 1);
}

#[tokio::test]
async fn what_was_changed_need_not_be_there_any_more() {
    let stage = Stage::open().await;
    let ada = stage.server.user("ada@example.com", false).await;
    stage.world.join_team(ada.id, stage.team, false).await;
    let first = send(&stage, &ada, "k", &restart(&stage)).await;
    stage.write("delete from connector where id = (select connector_id from worker where id = $1)").await;
    assert_eq!(send(&stage, &ada, "k", &restart(&stage)).await, first);
    assert_eq!(send(&stage, &ada, "l", &restart(&stage)).await.reply().code(), "NOT_FOUND");
}

#[tokio::test]
async fn i03_a_refusal_for_want_of_a_right_is_kept_like_any_other() {
    let stage = Stage::open_with(TestSettings { license_enforced: true, ..TestSettings::default() }).await;
    let ada = stage.server.user("ada@example.com", false).await;
    let unknown = restart(&stage).replace(&stage.worker.to_string(), &uuid::Uuid::new_v4().to_string());
    let reader = async || stage.world.join_env(ada.id, stage.env, "reader").await;
    let member = async || stage.world.join_team(ada.id, stage.team, false).await;
    let mut refused = Vec::new();
    for (key, code) in [("hidden", "NOT_FOUND"), ("forbidden", "FORBIDDEN"), ("unlicensed", "LICENSE_INACTIVE")] {
        match code {
            "FORBIDDEN" => reader().await,
            "LICENSE_INACTIVE" => member().await,
            _ => {}
        }
        let first = send(&stage, &ada, key, &restart(&stage)).await;
        assert_eq!(first.reply().code(), code);
        refused.push((key, first));
    }
    stage.write("insert into license_state (id, license_active, last_seen_at) values ($1, true, now())").await;
    for (key, first) in refused {
        for other in [&unknown, &restart(&stage).replace("id state", "id")] {
            let reused = send(&stage, &ada, key, other).await;
            assert_eq!((reused.status, reused.reply().code()), (422, "IDEMPOTENCY_KEY_REUSED"), "{key}");
        }
        assert_eq!(send(&stage, &ada, key, &restart(&stage)).await, first, "{key}: byte for byte, though it could be done by now");
    }
    assert_eq!((restarts(&stage).await, kept(&stage).await), (0, 3));
    assert_eq!(send(&stage, &ada, "fresh", &restart(&stage)).await.reply().data()["restartWorker"]["worker"]["id"], json!(stage.worker));
    assert_eq!((restarts(&stage).await, kept(&stage).await), (1, 4));
}

#[tokio::test]
async fn what_one_may_do_as_oneself_is_not_told_again_to_who_sees_less() {
    let stage = Stage::open().await;
    let ada = stage.server.user("ada@example.com", false).await;
    stage.world.join_team(ada.id, stage.team, false).await;
    let set = format!(
        "mutation {{ setActiveEnv(input: {{envId: \"{}\"}}) {{ user {{ teamMembers {{ nodes {{ team {{ name }} }} }} }} }} }}",
        stage.env
    );
    let first = send(&stage, &ada, "k", &set).await;
    first.reply().data();
    assert_eq!(send(&stage, &ada, "k", &set).await, first);
    stage.world.change_rights("delete from team_member where user_id = $1", ada.id).await;
    assert_eq!(send(&stage, &ada, "k", &set).await.reply().code(), "NOT_FOUND");
    // Ending the own session is an answer too, which nobody comes back for.
    let logout = "mutation { logout { expiresAt } }";
    send(&stage, &ada, "l", logout).await.reply().data();
    assert_eq!(send(&stage, &ada, "l", logout).await.reply().code(), "UNAUTHENTICATED");
}

#[tokio::test]
async fn who_has_lost_one_of_the_rights_that_an_answer_took_is_not_given_it_again() {
    let stage = Stage::open().await;
    let ada = stage.server.user("ada@example.com", false).await;
    let data = stage.world.team(stage.env, "data").await;
    stage.world.join_team(ada.id, stage.team, true).await;
    stage.world.join_team(ada.id, data, true).await;
    let grants = format!("[{{teamId: \"{}\"}}, {{teamId: \"{data}\"}}]", stage.team);
    let create = format!("mutation {{ createServiceAccount(input: {{name: \"ci\", grants: {grants}}}) {{ serviceAccount {{ id }} }} }}");
    let created = ada.ask(&create).await.data();
    let account = created["createServiceAccount"]["serviceAccount"]["id"].as_str().expect("an id").to_owned();
    let set = format!(
        "mutation {{ setServiceAccountGrants(input: {{serviceAccountId: \"{account}\", grants: {grants}}}) {{ serviceAccount {{ name }} }} }}"
    );
    let first = send(&stage, &ada, "k", &set).await;
    first.reply().data();
    assert_eq!(send(&stage, &ada, "k", &set).await, first);
    let demote = "update team_member set admin = false where user_id = $1 and team_id = (select id from team where name = 'data')";
    stage.world.change_rights(demote, ada.id).await;
    assert_eq!(send(&stage, &ada, "k", &set).await.reply().code(), "NOT_FOUND");
}

#[tokio::test]
async fn an_answer_that_shows_more_than_one_sees_now_is_not_given_again() {
    let stage = Stage::open().await;
    let ada = stage.server.user("ada@example.com", false).await;
    stage.world.join_env(ada.id, stage.env, "admin").await;
    stage.world.join_team(ada.id, stage.team, true).await;
    let rename = format!(
        "mutation {{ updateTeam(input: {{teamId: \"{}\", name: \"new\"}}) {{ team {{ env {{ teams {{ nodes {{ name }} }} }} }} }} }}",
        stage.team
    );
    let first = send(&stage, &ada, "k", &rename).await;
    first.reply().data();
    assert_eq!(send(&stage, &ada, "k", &rename).await, first);
    // The right that the change took is held still, but what was selected is not seen any more.
    stage.world.change_rights("update env_member set role = 'member' where user_id = $1", ada.id).await;
    assert_eq!(send(&stage, &ada, "k", &rename).await.reply().code(), "NOT_FOUND");
}

#[tokio::test]
async fn an_answer_about_what_has_moved_away_is_not_given_again() {
    let stage = Stage::open().await;
    let ada = stage.server.user("ada@example.com", false).await;
    stage.world.join_env(ada.id, stage.env, "admin").await;
    let first = send(&stage, &ada, "k", &restart(&stage)).await;
    first.reply().data();
    assert_eq!(send(&stage, &ada, "k", &restart(&stage)).await, first);
    stage.move_team_away().await;
    assert_eq!(send(&stage, &ada, "k", &restart(&stage)).await.reply().code(), "NOT_FOUND");
}
