//! `pumphouse dev`: its starts, its ends, and what keeps it from starting.

use std::fs;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::path::Path;

use pumphouse::embedded::{Cluster, Options};
use serde_json::json;
use tokio::net::TcpListener;

use super::running::{nobody_works_in, working_in};
use super::{Ended, Program, Scratch, ask, ended, sign_in};
use crate::support::until;

/// `dev` without the demo on a free port, with further arguments.
pub fn start(data: &str, more: &[&str]) -> Program {
    Program::start(&[&["dev", "--no-demo", "--listen", "127.0.0.1:0", "--data-dir", data], more].concat(), &[], "")
}

/// Waits until it has started; answers where it serves and the password.
async fn started(program: &mut Program) -> (String, String) {
    let page = program.out.line("GraphQL").await;
    let base = page.split_whitespace().last().unwrap().trim_end_matches("/graphql").to_owned();
    let sign_in = program.out.line("Sign in").await;
    (base, sign_in.split_whitespace().last().unwrap().to_owned())
}

fn password(data: &str) -> String {
    fs::read_to_string(Path::new(data).join("admin-password")).unwrap().trim_end().to_owned()
}

/// Which cluster this is: one that is made anew is another.
fn cluster(data: &str) -> u64 {
    fs::metadata(Path::new(data).join("postgres/PG_VERSION")).unwrap().ino()
}

#[tokio::test]
async fn the_first_start_prints_three_lines_and_leaves_nothing_but_its_directory() {
    let (scratch, first) = Scratch::kept("first").await;
    let data = scratch.path("data");
    let lines: Vec<Vec<&str>> = first.done().lines().map(|line| line.split_whitespace().collect()).collect();
    let [page, graph, sign_in] = lines.as_slice() else { panic!("{first:?}") };
    assert!(page[0] == "Playground" && page[1].starts_with("http://127.0.0.1:") && page[1].ends_with("/playground"), "{first:?}");
    assert!(graph[0] == "GraphQL" && graph[1].ends_with("/graphql"), "{first:?}");
    assert_eq!(*sign_in, ["Sign", "in", "admin@example.com", &password(&data)]);
    for name in ["admin-password", "encryption-keys", "token-key", "lock", "postgres.log"] {
        assert_eq!(fs::metadata(Path::new(&data).join(name)).unwrap().permissions().mode() & 0o777, 0o600, "{name}");
    }
    assert_eq!(working_in(concat!(env!("CARGO_TARGET_TMPDIR"), "/dev")), Vec::<String>::new());
}

#[tokio::test]
async fn a_second_start_is_warm_and_a_third_beside_it_is_refused() {
    let (scratch, _) = Scratch::kept("second").await;
    let data = scratch.path("data");
    let (made, kept) = (cluster(&data), password(&data));
    let mut second = start(&data, &[]);
    let (base, shown) = started(&mut second).await;
    assert_eq!((cluster(&data), &shown), (made, &kept));

    let third = start(&data, &[]).end().await;
    let holder = format!("{data} is in use by process {}; stop that, or choose another data directory", second.pid());
    assert!(third.refused(1).contains(&holder), "{third:?}");

    let token = sign_in(&base, &shown).await;
    let query = "{ envs { totalCount } teams { totalCount } connectors { totalCount } users { totalCount } }";
    let (_, answer) = ask(&base, Some(&token), query).await;
    let counts = ["envs", "teams", "connectors", "users"].map(|root| answer["data"][root]["totalCount"].clone());
    assert_eq!(counts, [0, 0, 0, 1].map(|count| json!(count)), "{answer}");

    second.signal("TERM");
    assert_eq!(second.end().await.done().lines().count(), 3);
    assert_eq!(working_in(&data), Vec::<String>::new());
}

#[tokio::test]
async fn a_killed_dev_leaves_no_server_and_starts_again() {
    let (scratch, _) = Scratch::kept("killed").await;
    let data = scratch.path("data");
    let kept = password(&data);
    let mut program = start(&data, &[]);
    started(&mut program).await;
    program.signal("KILL");
    assert_eq!(program.end().await.code, None);
    nobody_works_in(&data).await;
    let mut again = start(&data, &[]);
    assert_eq!(started(&mut again).await.1, kept);
    again.signal("INT");
    again.end().await.done();
}

#[tokio::test]
async fn other_credentials_and_no_playground_print_only_what_works() {
    let (scratch, _) = Scratch::kept("others").await;
    let mut program = start(&scratch.path("data"), &["--playground", "off", "--admin-email", "other@example.com"]);
    program.out.line("Sign in").await;
    program.signal("INT");
    let ended = program.end().await;
    let lines: Vec<&str> = ended.done().lines().collect();
    let [graph, sign_in] = lines.as_slice() else { panic!("{ended:?}") };
    assert!(graph.starts_with("GraphQL"), "{ended:?}");
    assert!(sign_in.contains("as before; other@example.com") && sign_in.contains("admin-password"), "{ended:?}");
}

#[tokio::test]
async fn sealed_configurations_without_their_keys_are_refused_and_no_key_is_made() {
    let (scratch, _) = Scratch::kept("keyless").await;
    let data = scratch.path("data");
    let keys = Path::new(&data).join("encryption-keys");
    let cluster = Cluster::start(Options { data_dir: data.clone().into(), durable: true, tcp_port: None }).await.unwrap();
    let pool = sqlx::PgPool::connect(&cluster.url("pumphouse")).await.unwrap();
    let insert =
        r#"insert into env (id, name, retention_configuration) values (gen_random_uuid(), 'prod', '{"$sealed": 1, "key": "lost"}')"#;
    sqlx::query(insert).execute(&pool).await.unwrap();
    pool.close().await;
    cluster.stop().await.unwrap();
    fs::remove_file(&keys).unwrap();
    let output = start(&data, &[]).end().await;
    assert!(output.refused(2).contains("encryption-keys is gone, and the database holds configurations"), "{output:?}");
    assert!(!keys.exists());
}

#[tokio::test]
async fn dev_ends_with_its_database() {
    let (scratch, _) = Scratch::kept("bereft").await;
    let data = scratch.path("data");
    let mut program = start(&data, &[]);
    started(&mut program).await;
    let server = fs::read_to_string(Path::new(&data).join("postgres/postmaster.pid")).unwrap().lines().next().unwrap().to_owned();
    assert!(std::process::Command::new("sh").args(["-c", "kill -9 $0", &server]).status().unwrap().success());
    let Ended { code, err, .. } = program.end().await;
    assert_eq!(code, Some(1), "{err}");
    assert!(err.contains("error: postgres ended before it was told to; start again") && err.contains("postgres.log"), "{err}");
    nobody_works_in(&data).await;
    // What a killed server leaves of its socket goes with the next one, as it is told.
    let mut again = start(&data, &[]);
    started(&mut again).await;
    again.signal("INT");
    again.end().await.done();
}

#[tokio::test]
async fn a_taken_port_is_refused_with_the_flag_to_change_and_nothing_runs_on() {
    let (scratch, _) = Scratch::kept("port").await;
    let data = scratch.path("data");
    let holder = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let taken = holder.local_addr().unwrap().to_string();
    let output = ended(&["dev", "--no-demo", "--data-dir", &data, "--listen", &taken], &[]).await;
    let expected = format!("error: {taken} is taken by another program; stop it, or choose another address with --listen\n");
    assert_eq!(output.refused(2), expected);
    assert_eq!(working_in(&data), Vec::<String>::new());
}

#[tokio::test]
async fn a_data_directory_of_another_version_is_refused_and_left_as_it_is() {
    let scratch = Scratch::new("version");
    let data = scratch.path("data");
    fs::create_dir_all(Path::new(&data).join("postgres")).unwrap();
    fs::write(Path::new(&data).join("postgres/PG_VERSION"), "9\n").unwrap();
    let output = start(&data, &[]).end().await;
    assert!(output.refused(1).contains("data/postgres was made by PostgreSQL 9, and installed here is "), "{output:?}");
    let mut left: Vec<_> = fs::read_dir(&data).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    left.sort();
    assert_eq!(left, ["lock", "postgres"]);
    assert_eq!(fs::read_dir(Path::new(&data).join("postgres")).unwrap().count(), 1);
}

#[tokio::test]
async fn a_data_directory_that_cannot_be_made_is_named() {
    let scratch = Scratch::new("unusable");
    fs::write(scratch.0.join("file"), "").unwrap();
    let data = scratch.path("file/data");
    let output = start(&data, &[]).end().await;
    assert!(output.refused(1).contains(&format!("cannot use {data}: ")), "{output:?}");
}

#[tokio::test]
async fn a_start_that_is_interrupted_leaves_nothing_half_made() {
    let scratch = Scratch::new("interrupted");
    let data = scratch.path("data");
    let program = start(&data, &[]);
    // From here on the signals are heard.
    until("the cluster is being made", async || Path::new(&data).join("postgres.unfinished").exists()).await;
    program.signal("INT");
    assert_eq!(program.end().await.done(), "");
    nobody_works_in(&data).await;
    assert!(!Path::new(&data).join("postgres").exists() && !Path::new(&data).join("admin-password").exists());
}
