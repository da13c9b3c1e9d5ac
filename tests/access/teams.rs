//! Making, changing and deleting teams.

use serde_json::{Value, json};
use uuid::Uuid;

use super::organisation::{Organisation, bad_names, mutate};
use crate::support::{Caller, Reply, id};

const TEAM: &str = "team { id name description envId updatedAt }";

async fn create(caller: &Caller, env: Uuid, name: &str) -> Reply {
    mutate(caller, "createTeam", TEAM, json!({"envId": env, "name": name})).await
}

async fn update(caller: &Caller, input: Value) -> Reply {
    mutate(caller, "updateTeam", TEAM, input).await
}

async fn delete(caller: &Caller, team: Uuid) -> Reply {
    mutate(caller, "deleteTeam", "team { id name }", json!({"teamId": team})).await
}

/// The members of a team by email and whether they administer it.
async fn members(org: &Organisation, team: Uuid) -> Value {
    let sql = "select coalesce(jsonb_agg(jsonb_build_array(u.email, m.admin)), '[]') from team_member m join \"user\" u on u.id = m.user_id where m.team_id = $1";
    org.value(sql, team).await
}

#[tokio::test]
async fn members_and_admins_of_an_env_make_teams_and_become_their_admins() {
    let org = Organisation::open().await;
    let admin = org.member("admin@example.com", "admin", &[org.north]).await;
    let member = org.member("member@example.com", "member", &[org.north]).await;
    for (caller, name, expected) in [
        (&admin, "one", json!([["admin@example.com", true]])),
        (&member, "two", json!([["member@example.com", true]])),
        (&org.root, "three", json!([])),
    ] {
        let team = create(caller, org.north, name).await.data()["createTeam"]["team"].clone();
        assert_eq!((&team["name"], &team["envId"]), (&json!(name), &json!(org.north)));
        assert_eq!(members(&org, id(&team["id"])).await, expected);
    }
    assert_eq!(org.log().await[1], json!(["create", "Team", "two", true, true, ["name", "description", "envId"]]));
    let own = member.ask("{ teams { nodes { name } } viewer { teams { admin } } }").await.data();
    assert_eq!(own, json!({"teams": {"nodes": [{"name": "two"}]}, "viewer": {"teams": [{"admin": true}]}}));
    org.world.join_env(org.root.id, org.south, "reader").await;
    let team = create(&org.root, org.south, "four").await.data()["createTeam"]["team"]["id"].clone();
    assert_eq!(members(&org, id(&team)).await, json!([["root@example.com", true]]), "a superuser who belongs to the env");
}

#[tokio::test]
async fn what_one_may_not_do_to_a_team_is_refused_and_changes_nothing() {
    let org = Organisation::open().await;
    let team = org.world.team(org.north, "core").await;
    let reader = org.member("reader@example.com", "reader", &[org.north]).await;
    let member = org.member("member@example.com", "member", &[org.north]).await;
    let insider = org.team_member("insider@example.com", team, false).await;
    let stranger = org.member("stranger@example.com", "admin", &[org.south]).await;
    let before = org.everything().await;
    for caller in [&reader, &insider] {
        assert_eq!(create(caller, org.north, "new").await.code(), "FORBIDDEN");
        assert_eq!(update(caller, json!({"teamId": team, "name": "x"})).await.code(), "FORBIDDEN");
        assert_eq!(delete(caller, team).await.code(), "FORBIDDEN");
    }
    let hidden = create(&stranger, org.north, "new").await;
    let missing = create(&stranger, Uuid::new_v4(), "new").await;
    assert_eq!((hidden.code(), hidden.field(), hidden.message()), ("NOT_FOUND", Some("envId"), missing.message()));
    for caller in [&stranger, &member] {
        for reply in
            [update(caller, json!({"teamId": team, "name": "x"})).await, delete(caller, team).await, delete(caller, Uuid::new_v4()).await]
        {
            assert_eq!((reply.code(), reply.field(), reply.message()), ("NOT_FOUND", Some("teamId"), "No such team."));
        }
    }
    assert_eq!(create(&org.server.nobody(), org.north, "new").await.code(), "UNAUTHENTICATED");
    assert_eq!(org.everything().await, before);
}

#[tokio::test]
async fn m13_a_name_is_taken_within_its_env_alone_and_shows_nothing_of_who_has_it() {
    let org = Organisation::open().await;
    let taken = org.world.team(org.north, "core").await;
    let member = org.member("member@example.com", "member", &[org.north, org.south]).await;
    let refused = create(&member, org.north, "core").await;
    assert_eq!((refused.code(), refused.field()), ("CONFLICT", Some("name")));
    assert_eq!(refused.0["errors"][0]["extensions"]["details"], Value::Null);
    assert!(!refused.0.to_string().contains(&taken.to_string()));
    create(&member, org.south, "core").await.data();
    create(&member, org.north, "Core").await.data();
}

#[tokio::test]
async fn m11_a_team_is_not_renamed_into_a_taken_name() {
    let org = Organisation::open().await;
    let (one, two) = (org.world.team(org.north, "one").await, org.world.team(org.north, "two").await);
    let admin = org.team_member("admin@example.com", one, true).await;
    let refused = update(&admin, json!({"teamId": one, "name": " two "})).await;
    assert_eq!((refused.code(), refused.field()), ("CONFLICT", Some("name")));
    assert!(!refused.0.to_string().contains(&two.to_string()));
    assert_eq!(org.log().await.len(), 0);
}

#[tokio::test]
async fn m05_of_fifty_who_make_one_team_at_once_one_does_and_the_others_hear_which_name_is_taken() {
    let org = Organisation::open().await;
    let callers = (0..50).map(|_| create(&org.root, org.north, "core"));
    let (mut made, mut refused) = (0, 0);
    for reply in futures_util::future::join_all(callers).await {
        if reply.0.get("errors").is_none() {
            made += 1;
        } else {
            assert_eq!((reply.code(), reply.field()), ("CONFLICT", Some("name")));
            refused += 1;
        }
    }
    assert_eq!((made, refused), (1, 49));
}

#[tokio::test]
async fn m14_the_rule_for_names_of_teams_is_one_on_create_and_update() {
    let org = Organisation::open().await;
    let team = org.world.team(org.north, "core").await;
    for name in bad_names() {
        for refused in [create(&org.root, org.north, &name).await, update(&org.root, json!({"teamId": team, "name": name})).await] {
            assert_eq!((refused.code(), refused.field()), ("VALIDATION", Some("name")), "{name:?}");
        }
    }
    create(&org.root, org.north, " Caf\u{e9}").await.data();
    // The same letters in another spelling are the same name, both ways.
    for refused in
        [create(&org.root, org.north, "Cafe\u{301} ").await, update(&org.root, json!({"teamId": team, "name": "Cafe\u{301}"})).await]
    {
        assert_eq!((refused.code(), refused.field()), ("CONFLICT", Some("name")));
    }
    let both = update(&org.root, json!({"teamId": team, "name": "", "description": "a\u{7}"})).await;
    let fields: Vec<&Value> =
        both.0["errors"][0]["extensions"]["details"]["violations"].as_array().expect("all").iter().map(|fault| &fault["field"]).collect();
    assert_eq!(fields, ["name", "description"]);
}

#[tokio::test]
async fn a_team_is_changed_by_who_administers_it_and_only_where_it_differs() {
    let org = Organisation::open().await;
    let team = org.world.team(org.north, "core").await;
    let admin = org.team_member("admin@example.com", team, true).await;
    let above = org.member("above@example.com", "admin", &[org.north]).await;
    let first =
        update(&admin, json!({"teamId": team, "description": " The core.\nAll of it. "})).await.data()["updateTeam"]["team"].clone();
    assert_eq!((&first["name"], &first["description"]), (&json!("core"), &json!("The core.\nAll of it.")));
    let same =
        update(&above, json!({"teamId": team, "name": "core", "description": "The core.\nAll of it.", "updatedAt": first["updatedAt"]}))
            .await;
    assert_eq!(same.data()["updateTeam"]["team"], first);
    let renamed = update(&above, json!({"teamId": team, "name": "kernel", "description": null})).await.data()["updateTeam"]["team"].clone();
    assert_eq!((&renamed["name"], &renamed["description"]), (&json!("kernel"), &Value::Null));
    let late = update(&admin, json!({"teamId": team, "name": "late", "updatedAt": first["updatedAt"]})).await;
    assert_eq!((late.code(), late.field()), ("CONFLICT", Some("updatedAt")));
    assert_eq!(
        org.log().await,
        [
            json!(["update", "Team", "core", true, true, ["description"]]),
            json!(["update", "Team", "kernel", true, true, ["name", "description"]])
        ]
    );
}

#[tokio::test]
async fn m12_a_team_is_deleted_with_its_requests_once_it_owns_nothing_and_its_name_is_free() {
    let org = Organisation::open().await;
    let team = org.world.team(org.north, "core").await;
    let admin = org.team_member("admin@example.com", team, true).await;
    let (source, _) = org.world.source(team, "shop").await;
    let (target, _) = org.world.target(team, "dwh").await;
    let datamodel = org.world.datamodel(source, "orders").await;
    org.world.pipeline(team, "orders", source, target, datamodel).await;
    sqlx::query("insert into team_request (id, admin, team_id, from_user_id, to_user_id, status) values (gen_random_uuid(), false, $1, $2, $2, 'PENDING')")
        .bind(team)
        .bind(org.root.id)
        .execute(org.pool())
        .await
        .expect("a request");
    let before = org.everything().await;
    let refused = delete(&admin, team).await;
    assert_eq!((refused.code(), refused.field()), ("CONFLICT", Some("teamId")));
    let expected = json!({"connectors": {"count": 2, "names": ["dwh", "shop"]}, "pipelines": {"count": 1, "names": ["orders"]}});
    assert_eq!(refused.0["errors"][0]["extensions"]["details"], expected);
    assert_eq!(org.everything().await, before);

    sqlx::raw_sql("delete from pipeline; delete from datamodel; delete from worker; delete from connector")
        .execute(org.pool())
        .await
        .expect("nothing");
    assert_eq!(delete(&admin, team).await.data()["deleteTeam"]["team"]["name"], "core");
    assert_eq!(members(&org, team).await, json!([]));
    assert_eq!(org.value("select to_jsonb(count(*)) from team_request where team_id = $1", team).await, 0);
    assert_eq!(org.log().await, [json!(["delete", "Team", "core", true, true, []])]);
    create(&org.root, org.north, "core").await.data();
}

#[tokio::test]
async fn neither_team_nor_env_goes_while_a_connector_is_being_made_in_it() {
    let org = Organisation::open().await;
    for (verb, field, own) in [("deleteTeam", "teamId", true), ("deleteEnv", "envId", false)] {
        let team = org.world.team(org.north, verb).await;
        let mut writer = org.pool().begin().await.expect("a transaction");
        sqlx::query("insert into connector (id, name, connector_type, json_configuration, way, team_id) values (gen_random_uuid(), $1, 'X', '{}', 'SOURCE', $2)")
            .bind(verb)
            .bind(team)
            .execute(&mut *writer)
            .await
            .expect("a connector");
        let (root, gone) = (org.root.clone(), if own { team } else { org.north });
        let what = if own { "team { id }" } else { "env { id }" };
        let deleting = tokio::spawn(async move { mutate(&root, verb, what, json!({field: gone})).await });
        org.until_somebody_waits().await;
        writer.commit().await.expect("a commit");
        let refused = deleting.await.expect("it answers");
        assert_eq!((refused.code(), refused.field()), ("CONFLICT", Some(field)));
        assert!(refused.0["errors"][0]["extensions"]["details"]["connectors"]["names"].as_array().expect("names").contains(&json!(verb)));
    }
}

#[tokio::test]
async fn a_service_account_that_makes_a_team_holds_it_by_a_grant() {
    let org = Organisation::open().await;
    let robot = org.member("robot@example.com", "member", &[org.north]).await;
    sqlx::query("insert into service_account_user (id, name, user_id) values (gen_random_uuid(), 'robot', $1)")
        .bind(robot.id)
        .execute(org.pool())
        .await
        .expect("an account");
    let team = id(&create(&robot, org.north, "core").await.data()["createTeam"]["team"]["id"]);
    assert_eq!(members(&org, team).await, json!([["robot@example.com", true]]));
    assert_eq!(
        org.value("select to_jsonb(admin and not worker) from pumphouse.service_account_grant where team_id = $1", team).await,
        true
    );
}
