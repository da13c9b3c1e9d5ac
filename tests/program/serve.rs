//! `pumphouse serve`: what keeps it from starting, and a database that goes away and comes back.

use reqwest::StatusCode;
use sqlx::{AssertSqlSafe, Executor as _};
use tokio::net::TcpListener;

use super::{Ended, KEY, Program, ask, ended, probe, sign_in};
use crate::support::{Database, cluster, database, until};

pub const PASSWORD: &str = "turned off and on again";

/// `serve` from this database on a free port, with further arguments.
pub fn start(url: &str, more: &[&str]) -> Program {
    start_with(url, more, &[])
}

/// The same with further variables.
pub fn start_with(url: &str, more: &[&str], variables: &[(&str, &str)]) -> Program {
    let keys = format!("k1:{KEY}");
    let own = [
        ("PUMPHOUSE_DATABASE_URL", url),
        ("PUMPHOUSE_ENCRYPTION_KEYS", &keys),
        ("PUMPHOUSE_TOKEN_KEY", KEY),
        ("PUMPHOUSE_ADMIN_PASSWORD", PASSWORD),
        ("PUMPHOUSE_LISTEN", "127.0.0.1:0"),
    ];
    Program::start(&[&["serve"], more].concat(), &[&own, variables].concat(), "")
}

/// Where it serves, once it does.
pub async fn started(program: &mut Program) -> String {
    program.err.line("serving on http://").await.split_whitespace().last().unwrap().to_owned()
}

async fn users(database: &Database) -> i64 {
    sqlx::query_scalar("select count(*) from \"user\"").fetch_one(&database.pool).await.unwrap()
}

#[tokio::test]
async fn serve_says_at_once_all_that_it_lacks() {
    let output = ended(&["serve"], &[]).await;
    let message = output.refused(2);
    assert!(message.starts_with("error: 3 settings are wrong\n"), "{message}");
    for (name, variable) in
        [("database_url", "PUMPHOUSE_DATABASE_URL"), ("encryption_keys", "PUMPHOUSE_ENCRYPTION_KEYS"), ("token_key", "PUMPHOUSE_TOKEN_KEY")]
    {
        assert!(message.contains(&format!("{name}: is not set; set the variable {variable}")), "{message}");
    }
}

/// At once, not after a wait: whoever supervises it knows when to try again, and a person sees what is wrong.
#[tokio::test]
async fn a_database_that_is_down_ends_every_command_with_what_to_check() {
    let url = "postgres://nobody:hunter2@127.0.0.1:1/none";
    let migrate = ended(&["migrate", "--database-url", url], &[]).await;
    let create = Program::start(&["users", "create", "--email", "ada@example.com", "--database-url", url], &[], "long enough\n");
    for output in [start(url, &[]).end().await, migrate, create.end().await] {
        let message = output.refused(1);
        assert!(message.starts_with("error: PostgreSQL cannot be reached: "), "{message}");
        assert!(message.ends_with("; check that it runs, and the setting database_url\n"), "{message}");
        assert!(!message.contains("hunter2"), "{message}");
    }
}

#[tokio::test]
async fn a_database_that_does_not_let_it_in_ends_it_with_what_to_check() {
    let url = asking_for_passwords().await;
    let told = |output: Ended| {
        let message = output.refused(1).to_owned();
        assert!(message.starts_with("error: PostgreSQL refuses the connection: "), "{message}");
        assert!(message.ends_with("; check user, password and database in the setting database_url\n"), "{message}");
        assert!(!message.contains("hunter2"), "{message}");
        message
    };
    let message = told(start(&format!("{url}&password=hunter2"), &[]).end().await);
    assert!(message.contains("password authentication failed for user \"locked_out\""), "{message}");
    let message = told(start(&cluster().await.url("no_such_database"), &[]).end().await);
    assert!(message.contains("database \"no_such_database\" does not exist"), "{message}");
}

/// The URL of a role that the cluster of the tests asks for a password, unlike all others.
async fn asking_for_passwords() -> String {
    const RULE: &str = "local all locked_out scram-sha-256\n";
    let database = database().await;
    let role = "do $$ begin create role locked_out login password 'the right one'; exception when duplicate_object then null; end $$";
    database.pool.execute(role).await.unwrap();
    let file = concat!(env!("CARGO_TARGET_TMPDIR"), "/cluster/postgres/pg_hba.conf");
    let rules = std::fs::read_to_string(file).unwrap();
    if !rules.starts_with(RULE) {
        std::fs::write(file, RULE.to_owned() + &rules).unwrap();
    }
    database.pool.execute("select pg_reload_conf()").await.unwrap();
    let url = cluster().await.url("postgres").replace("user=pumphouse", "user=locked_out");
    until("the rule is in force", || async { sqlx::PgPool::connect(&format!("{url}&password=wrong")).await.is_err() }).await;
    url
}

#[tokio::test]
async fn a_database_of_a_newer_pumphouse_is_left_alone() {
    let database = database().await;
    let newer =
        "insert into _sqlx_migrations (version, description, success, checksum, execution_time) values (9999, 'newer', true, '', 0)";
    database.pool.execute(newer).await.unwrap();
    let migrate = ended(&["migrate", "--database-url", &database.url], &[]).await;
    for output in [start(&database.url, &[]).end().await, migrate] {
        let message = output.refused(1);
        assert!(message.starts_with("error: the database has migration 9999, and this pumphouse knows them up to "), "{message}");
    }
    assert_eq!(users(&database).await, 0, "no first superuser was made");
}

#[tokio::test]
async fn a_taken_port_is_refused_before_anything_is_written() {
    let database = database().await;
    let holder = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let taken = holder.local_addr().unwrap().to_string();
    for flag in ["--listen", "--metrics-listen"] {
        let output = start(&database.url, &[flag, &taken]).end().await;
        let expected = format!("error: {taken} is taken by another program; stop it, or choose another address with {flag}\n");
        assert_eq!(output.refused(2), expected);
    }
    assert_eq!(users(&database).await, 0, "no first superuser was made");
}

#[tokio::test]
async fn a_database_that_goes_away_is_told_everywhere_and_comes_back() {
    let database = database().await;
    let admin = sqlx::PgPool::connect(&cluster().await.url("postgres")).await.unwrap();
    let name: String = sqlx::query_scalar("select current_database()::text").fetch_one(&database.pool).await.unwrap();
    let open = async |open: bool| {
        admin.execute(AssertSqlSafe(format!("alter database {name} allow_connections {open}"))).await.unwrap();
        let end = format!("select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = '{name}'");
        admin.execute(AssertSqlSafe(end)).await.unwrap();
    };
    let mut program = start(&database.url, &[]);
    let base = started(&mut program).await;
    until("it is ready", async || probe(&base, "readyz").await == StatusCode::OK).await;
    let token = sign_in(&base, PASSWORD).await;

    open(false).await;
    let (status, answer) = ask(&base, Some(&token), "{ teams { totalCount } }").await;
    assert_eq!((status, &answer["errors"][0]["extensions"]["code"]), (StatusCode::SERVICE_UNAVAILABLE, &"UNAVAILABLE".into()), "{answer}");
    assert_eq!(probe(&base, "readyz").await, StatusCode::SERVICE_UNAVAILABLE);
    assert_eq!(probe(&base, "livez").await, StatusCode::OK);

    open(true).await;
    until("it is ready again", async || probe(&base, "readyz").await == StatusCode::OK).await;
    until("it answers again", async || ask(&base, Some(&token), "{ teams { totalCount } }").await.1.get("errors").is_none()).await;

    open(false).await;
    program.signal("TERM");
    let Ended { code, err, .. } = program.end().await;
    assert_eq!(code, Some(0), "also without its database: {err}");
    assert!(!err.contains("panic") && !err.contains(PASSWORD), "{err}");
}
