//! `pumphouse users`: users from the shell.

use sqlx::Row as _;

use super::{Ended, Program, sign_in_as};
use crate::support::{Database, Server, TestSettings, database};

const PASSWORD: &str = "correct horse battery staple";

/// `users create` with this email, further arguments and input.
async fn create(database: &Database, email: &str, more: &[&str], input: &'static str) -> Ended {
    let arguments = [&["users", "create", "--email", email], more].concat();
    Program::start(&arguments, &[("PUMPHOUSE_DATABASE_URL", &database.url)], input).end().await
}

/// How many users and audit rows there are.
async fn counts(database: &Database) -> (i64, i64) {
    let sql = "select (select count(*) from \"user\"), (select count(*) from user_log)";
    let row = sqlx::query(sql).fetch_one(&database.pool).await.unwrap();
    (row.get(0), row.get(1))
}

#[tokio::test]
async fn a_user_made_from_the_shell_signs_in() {
    let database = database().await;
    let ada = create(&database, " Ada@Example.com ", &[], "correct horse battery staple\nanother line\n").await;
    assert!(ada.done().starts_with("created user ada@example.com (") && ada.out.lines().count() == 1, "{ada:?}");
    let ops = create(&database, "ops@example.com", &["--superuser", "--generate"], "").await;
    let generated = ops.done().lines().nth(1).and_then(|line| line.strip_prefix("password: ")).unwrap().to_owned();

    let server = Server::on(database, &TestSettings::default()).await;
    let base = server.url("");
    for (email, password, superuser) in [("ada@example.com", PASSWORD, false), ("ops@example.com", &generated, true)] {
        let caller = server.with_token(&sign_in_as(&base, email, password).await);
        let data = caller.ask("{ viewer { user { email isSuperuser } } }").await.data();
        assert_eq!(data["viewer"]["user"], serde_json::json!({"email": email, "isSuperuser": superuser}));
    }
}

#[tokio::test]
async fn a_user_who_cannot_be_is_refused_and_nothing_is_written() {
    let database = database().await;
    create(&database, "ada@example.com", &[], "correct horse battery staple\n").await.done();
    let before = counts(&database).await;
    let long = format!("{}@example.com", "a".repeat(320));
    for email in ["", "ada", "@", "ada@", "@example.com", "a@b@c", "a b@example.com", &long] {
        let output = create(&database, email, &[], "correct horse battery staple\n").await;
        assert_eq!(output.refused(2), "error: This is not an email address.\n", "{email:?}");
    }
    let taken = create(&database, "ADA@example.com", &[], "correct horse battery staple\n").await;
    assert_eq!(taken.refused(2), "error: A user with this email exists already.\n");
    let short = create(&database, "bob@example.com", &[], "1234567\n").await;
    assert_eq!(short.refused(2), "error: A password has 8 to 1000 characters.\n");
    for nothing in ["", "\n"] {
        let output = create(&database, "bob@example.com", &[], nothing).await;
        assert!(output.refused(2).starts_with("error: no password; give --generate, or the password as one line"), "{output:?}");
    }
    assert_eq!(counts(&database).await, before);
}

/// `users` with these words.
async fn users(database: &Database, words: &[&str], input: &'static str) -> Ended {
    Program::start(&[&["users"], words].concat(), &[("PUMPHOUSE_DATABASE_URL", &database.url)], input).end().await
}

#[tokio::test]
async fn users_are_listed_for_people_and_for_programs() {
    let database = database().await;
    create(&database, "ada@example.com", &["--superuser"], "correct horse battery staple\n").await.done();
    let sql = "insert into \"user\" (id, email, is_active, is_superuser, is_verified, version) values (gen_random_uuid(), 'bob@example.com', false, false, false, 1)";
    sqlx::query(sql).execute(&database.pool).await.unwrap();
    let list = users(&database, &["list"], "").await;
    let lines: Vec<Vec<&str>> = list.done().lines().map(|line| line.split('\t').collect()).collect();
    assert_eq!(lines[0], ["EMAIL", "STATE", "RIGHTS", "SIGNS IN", "ID"]);
    assert_eq!(lines[1][..4], ["ada@example.com", "active", "superuser", "with a password"]);
    assert_eq!(lines[2][..4], ["bob@example.com", "inactive", "member", "elsewhere"]);
    let json = users(&database, &["list", "--json"], "").await;
    let json: serde_json::Value = serde_json::from_str(json.done()).unwrap();
    assert_eq!(json[0]["email"], "ada@example.com");
    assert_eq!((&json[0]["isSuperuser"], &json[0]["hasPassword"]), (&true.into(), &true.into()));
    assert_eq!((&json[1]["isActive"], &json[1]["hasPassword"]), (&false.into(), &false.into()));
}

#[tokio::test]
async fn a_new_password_from_the_shell_ends_the_sessions_of_the_old_one() {
    let server = Server::start().await;
    server.user_with_password("ada@example.com", false).await;
    let base = server.url("");
    let old = server.with_token(&sign_in_as(&base, "ada@example.com", PASSWORD).await);
    let set = users(&server.database, &["set-password", "--email", "Ada@example.com"], "another horse battery\n").await;
    assert_eq!(set.done(), "set the password of ada@example.com; all sessions of the old one end\n");
    crate::support::until("the session has ended", async || old.ask("{ viewer { user { id } } }").await.0.get("errors").is_some()).await;
    sign_in_as(&base, "ada@example.com", "another horse battery").await;
    let generated = users(&server.database, &["set-password", "--email", "ada@example.com", "--generate"], "").await;
    let password = generated.done().lines().nth(1).and_then(|line| line.strip_prefix("password: ")).unwrap().to_owned();
    sign_in_as(&base, "ada@example.com", &password).await;
    let unknown = users(&server.database, &["set-password", "--email", "bob@example.com", "--generate"], "").await;
    assert_eq!(unknown.refused(2), "error: No such user.\n");
}

#[tokio::test]
async fn the_last_superuser_is_not_deactivated_from_the_shell_either() {
    let database = database().await;
    create(&database, "root@example.com", &["--superuser", "--generate"], "").await.done();
    create(&database, "ada@example.com", &["--generate"], "").await.done();
    let last = users(&database, &["deactivate", "--email", "root@example.com"], "").await;
    assert!(last.refused(2).starts_with("error: This is the last active superuser;"), "{last:?}");
    for said in ["deactivated ada@example.com\n", "ada@example.com was not active\n"] {
        assert_eq!(users(&database, &["deactivate", "--email", "ADA@example.com"], "").await.done(), said);
    }
    let active: i64 = sqlx::query_scalar("select count(*) from \"user\" where is_active").fetch_one(&database.pool).await.unwrap();
    assert_eq!(active, 1);
    assert_eq!(counts(&database).await.1, 3, "two made, one deactivated once");
}

#[tokio::test]
async fn a_generated_password_that_nobody_sees_is_told_of_with_the_way_to_another() {
    let database = database().await;
    for (words, done) in [("create", "created user ada@example.com ("), ("set-password", "set the password of ada@example.com;")] {
        let mut command = tokio::process::Command::new("sh");
        command.args(["-c", "exec \"$0\" users \"$1\" --email ada@example.com --generate >/dev/full", super::running::PUMPHOUSE, words]);
        command.env_clear().env("PUMPHOUSE_DATABASE_URL", &database.url).env("PATH", std::env::var_os("PATH").unwrap());
        let ended = Program::run(command, "").end().await;
        let told = ended.refused(1);
        assert!(told.starts_with(&format!("error: {done}")) && told.contains("but the password cannot be printed: "), "{told}");
        assert!(told.contains("`pumphouse users set-password --email ada@example.com` gives another"), "{told}");
    }
}
