//! `pumphouse organisation`: an organisation goes out and comes in.

use serde_json::{Value, json};
use uuid::Uuid;

use super::{Ended, KEY, Scratch, ended};
use crate::support::{Database, Server, TestSettings, World, database};

/// One organisation of each kind of thing, with what an export leaves out beside it.
async fn laid_out() -> Database {
    let server = Server::start().await;
    let root = server.superuser().await;
    let world = World::of(&server);
    let (ada, bob) = (server.user("ada@example.com", false).await, server.user_with_password("bob@example.com", false).await);
    let (prod, test) = (world.env("prod").await, world.env("test").await);
    let (core, data) = (world.team(prod, "core").await, world.team(test, "data").await);
    world.join_env(root.id, prod, "admin").await;
    world.join_env(ada.id, prod, "member").await;
    world.join_env(bob, test, "reader").await;
    world.join_team(ada.id, core, true).await;
    world.join_team(bob, core, false).await;
    world.join_team(bob, data, false).await;
    let robot = server.user("robot@example.com", false).await;
    world.join_team(robot.id, core, false).await;
    sqlx::query("insert into service_account_user (id, name, user_id) values ($1, 'robot', $2)")
        .bind(Uuid::new_v4())
        .bind(robot.id)
        .execute(&world.pool)
        .await
        .unwrap();
    sqlx::query("update \"user\" set is_active = false where email = 'bob@example.com'").execute(&world.pool).await.unwrap();
    sqlx::query("update team set description = 'keeps\nthe rest alive' where id = $1").bind(core).execute(&world.pool).await.unwrap();
    server.database.again().await
}

async fn export(database: &Database) -> String {
    let ended = ended(&["organisation", "export"], &[("PUMPHOUSE_DATABASE_URL", &database.url)]).await;
    ended.done().to_owned()
}

async fn import(database: &Database, file: &str, more: &[&str]) -> Ended {
    let keys = format!("k1:{KEY}");
    let variables = [("PUMPHOUSE_DATABASE_URL", database.url.as_str()), ("PUMPHOUSE_ENCRYPTION_KEYS", &keys)];
    ended(&[&["organisation", "import", file], more].concat(), &variables).await
}

/// Everything that an import could touch.
async fn state(database: &Database) -> String {
    let sql = "select concat((select json_agg(u order by id) from \"user\" u), (select json_agg(e order by id) from env e), (select json_agg(t order by id) from team t),
        (select json_agg(m order by id) from env_member m), (select json_agg(m order by id) from team_member m), (select count(*) from user_log))";
    sqlx::query_scalar(sql).fetch_one(&database.pool).await.unwrap()
}

#[tokio::test]
async fn what_was_exported_and_imported_is_exported_the_same() {
    let (one, other, scratch) = (laid_out().await, database().await, Scratch::new("round-trip"));
    let document = export(&one).await;
    for secret in ["hashed", "argon2", "kafka", "sealed", "robot"] {
        assert!(!document.contains(secret), "{secret}: {document}");
    }
    let file = scratch.path("organisation.json");
    std::fs::write(&file, &document).unwrap();

    let before = state(&other).await;
    let planned = import(&other, &file, &["--dry-run"]).await;
    assert!(planned.done().ends_with("13 to create, 0 to update, 0 unchanged; nothing was changed: this was a dry run\n"), "{planned:?}");
    assert!(planned.out.starts_with("ACTION\tWHAT\tNAME\tCHANGES\ncreate\tuser\tada@example.com\t\n"), "{planned:?}");
    assert!(planned.out.contains("create\tteam member\tbob@example.com in data\t\n"), "{planned:?}");
    assert_eq!(state(&other).await, before);

    assert!(import(&other, &file, &[]).await.done().ends_with("13 to create, 0 to update, 0 unchanged; done\n"));
    assert_eq!(export(&other).await, document);
    let after = state(&other).await;
    assert!(import(&other, &file, &[]).await.done().ends_with("0 to create, 0 to update, 13 unchanged; done\n"));
    assert_eq!(state(&other).await, after, "the same again changes nothing");
    assert!(import(&one, &file, &[]).await.done().ends_with("0 to create, 0 to update, 13 unchanged; done\n"));

    let audited: i64 = sqlx::query_scalar("select count(*) from user_log where user_type = 'system'").fetch_one(&other.pool).await.unwrap();
    assert_eq!(audited, 13);
    let mut settings = crate::support::settings(&other.url, &TestSettings::default());
    settings.keys = pumphouse::core::secret::KeyRing::parse(&format!("k1:{KEY}")).unwrap();
    let server = Server::with(other, settings).await;
    let root: Uuid = sqlx::query_scalar("select id from \"user\" where is_superuser").fetch_one(&server.database.pool).await.unwrap();
    let token = server.token_key.for_user(root, 0, None, chrono::Utc::now() + chrono::Duration::hours(1)).unwrap();
    let seen = server.with_token(&token.text).ask("{ envs { nodes { retentionConfiguration } } }").await.data();
    assert_eq!(seen["envs"]["nodes"], json!([{"retentionConfiguration": {}}, {"retentionConfiguration": {}}]));
}

#[tokio::test]
async fn an_import_changes_what_differs_and_leaves_what_it_does_not_name() {
    let (database, scratch) = (laid_out().await, Scratch::new("changes"));
    let mut document: Value = serde_json::from_str(&export(&database).await).unwrap();
    document["users"][1]["isActive"] = json!(true);
    document["envs"][0]["name"] = json!(" production ");
    document["envs"][0]["members"] = json!([{"user": "ADA@example.com", "role": "reader"}]);
    document["teams"].as_array_mut().unwrap().truncate(1);
    // Whoever has the email is meant, under whatever id.
    document["users"][0]["id"] = json!(Uuid::new_v4());
    let file = scratch.path("organisation.json");
    std::fs::write(&file, document.to_string()).unwrap();
    let done = import(&database, &file, &[]).await;
    assert!(done.done().ends_with("0 to create, 3 to update, 7 unchanged; done\n"), "{done:?}");
    for line in [
        "update\tuser\tbob@example.com\tisActive\n",
        "update\tenv\tproduction\tname\n",
        "update\tenv member\tada@example.com in production\trole\n",
    ] {
        assert!(done.out.contains(line), "{line} {done:?}");
    }
    let kept: (i64, i64) =
        sqlx::query_as("select (select count(*) from env_member), (select count(*) from team)").fetch_one(&database.pool).await.unwrap();
    assert_eq!(kept, (3, 2));
}

#[tokio::test]
async fn a_document_that_breaks_rules_is_refused_with_all_of_them_and_nothing_done() {
    let (database, scratch) = (laid_out().await, Scratch::new("broken"));
    let good: Value = serde_json::from_str(&export(&database).await).unwrap();
    let before = state(&database).await;
    let file = scratch.path("organisation.json");
    let refused = async |change: &dyn Fn(&mut Value)| {
        let mut document = good.clone();
        change(&mut document);
        std::fs::write(&file, document.to_string()).unwrap();
        import(&database, &file, &[]).await.refused(2).to_owned()
    };
    let message = refused(&|document| {
        document["users"][0]["email"] = json!("ada");
        document["users"][2]["id"] = document["users"][1]["id"].clone();
        document["envs"][0]["name"] = json!("");
        document["envs"][0]["members"][0]["role"] = json!("owner");
        document["teams"][1]["members"] = json!([{"user": "bob@example.com", "admin": true}, {"user": "Bob@example.com", "admin": false}]);
    })
    .await;
    for path in ["users.0.email: ", "users.2.id: ", "envs.0.name: ", "envs.0.members.0.role: ", "teams.1.members.1.user: "] {
        assert!(message.contains(&format!("\n  {path}")), "{path} {message}");
    }
    assert!(message.starts_with("error: the document breaks 5 rules; nothing was changed\n"), "{message}");
    let message = refused(&|document| {
        document["users"][2]["isSuperuser"] = json!(false);
        document["teams"][0]["envId"] = document["teams"][1]["envId"].clone();
        document["teams"][1]["envId"] = json!(Uuid::new_v4());
        document["envs"][0]["members"][0]["user"] = json!("nobody@example.com");
        document["envs"][1]["members"][0]["user"] = json!("robot@example.com");
    })
    .await;
    for path in [
        "users: No active superuser",
        "teams.0.envId: The team lives",
        "teams.1.envId: ",
        "envs.0.members.0.user: ",
        "envs.1.members.0.user: ",
    ] {
        assert!(message.contains(&format!("\n  {path}")), "{path} {message}");
    }
    let message = refused(&|document| document["users"][0]["password"] = json!("canary")).await;
    assert!(message.contains("unknown field `password`") && !message.contains("canary"), "{message}");
    assert_eq!(state(&database).await, before);
    let without = ended(&["organisation", "import", "/nowhere/at/all.json"], &[("PUMPHOUSE_DATABASE_URL", &database.url)]).await;
    assert!(without.refused(2).starts_with("error: /nowhere/at/all.json cannot be read: "), "{without:?}");
}

#[tokio::test]
async fn new_envs_without_a_key_are_refused_by_name_with_what_else_is_wrong() {
    let (one, other, scratch) = (laid_out().await, database().await, Scratch::new("no-keys"));
    let mut document: Value = serde_json::from_str(&export(&one).await).unwrap();
    let file = scratch.path("organisation.json");
    let before = state(&other).await;
    let mut refused = async |rules: usize| {
        std::fs::write(&file, document.to_string()).unwrap();
        for more in [&["--dry-run"][..], &[]] {
            let arguments = [&["organisation", "import", &file], more].concat();
            let ended = ended(&arguments, &[("PUMPHOUSE_DATABASE_URL", &other.url)]).await;
            let told = ended.refused(2);
            assert!(told.starts_with(&format!("error: the document breaks {rules} rules; nothing was changed\n")), "{told}");
            for env in ["envs.0", "envs.1"] {
                assert!(told.contains(&format!("\n  {env}: A new env's configuration is sealed: set encryption_keys")), "{told}");
            }
        }
        // A new team that is refused itself has no members that could be.
        document["teams"][0]["envId"] = json!(Uuid::new_v4());
    };
    refused(2).await;
    refused(3).await;
    assert_eq!(state(&other).await, before);
}
