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
