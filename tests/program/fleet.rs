//! `pumphouse fleet`: no difference where there is none, and every lie of the database told by name.

use sqlx::Executor as _;

use super::{Ended, Program, ended};
use crate::support::{PASSWORD, Server, until};

const EMAIL: &str = "ops@example.com";

async fn server() -> Server {
    let server = Server::start().await;
    server.user_with_password(EMAIL, true).await;
    server
}

/// A fleet that signs in to this server; the address before it is one where nobody is.
fn start(server: &Server, more: &[&str]) -> Program {
    let base = server.url("");
    let addresses = ["fleet", "--email", EMAIL, "--url", "http://127.0.0.1:1", "--url", &base];
    Program::start(&[&addresses, more].concat(), &[("PUMPHOUSE_ADMIN_PASSWORD", PASSWORD)], "")
}

/// How often something was done.
fn count(ended: &Ended, what: &str) -> u64 {
    let line = ended.out.lines().find_map(|line| line.strip_prefix(what)?.strip_prefix('\t'));
    line.and_then(|count| count.parse().ok()).unwrap_or_default()
}

async fn number(server: &Server, sql: &'static str) -> i64 {
    sqlx::query_scalar(sql).fetch_one(&server.database.pool).await.unwrap()
}

#[tokio::test]
async fn a_fleet_in_trouble_finds_no_difference() {
    let server = server().await;
    let fleet = start(&server, &["--workers", "20", "--chaos", "--duration", "3s", "--pace", "200ms", "--seed", "11"]).end().await;
    assert!(fleet.done().contains("no difference in the env fleet-"), "{fleet:?}");
    assert_eq!(count(&fleet, "workers"), 20, "{fleet:?}");
    for what in [
        "batches",
        "batches sent twice",
        "comparisons",
        "crashes",
        "late reports refused, as they have to be",
        "reports of states refused, as they have to be",
        "reports of states taken",
        "requests without an answer, sent again",
        "restarts",
        "syncs begun",
    ] {
        assert!(count(&fleet, what) > 0, "{what}: {fleet:?}");
    }
    let stored = number(&server, "select sum((events->>'total')::bigint)::bigint from production_metric").await;
    assert_eq!(u64::try_from(stored).unwrap(), count(&fleet, "change events in all"));
    assert_eq!(number(&server, "select count(*) from worker where state <> 'PAUSED'").await, 0);
}

#[tokio::test]
async fn a_wrong_count_behind_the_back_of_a_fleet_is_named() {
    let server = server().await;
    let fleet = start(&server, &["--workers", "6", "--duration", "8s", "--pace", "100ms", "--seed", "3"]);
    until("something was counted", async || number(&server, "select count(*) from production_metric").await > 0).await;
    let lie =
        "update production_metric set events = jsonb_build_object('total', (events->>'total')::bigint + 1, 'c', (events->>'c')::bigint + 1,
            'u', (events->>'u')::bigint, 'd', (events->>'d')::bigint, 'r', (events->>'r')::bigint)::json
        where id = (select id from production_metric limit 1)";
    assert_eq!(server.database.pool.execute(lie).await.unwrap().rows_affected(), 1);
    let fleet = fleet.end().await;
    assert_eq!(fleet.code, Some(3), "{fleet:?}");
    let named: Vec<&str> = fleet.out.lines().filter(|line| line.starts_with("source ") || line.starts_with("the env\t")).collect();
    assert_eq!(named.len(), 3, "{fleet:?}");
    let [creates, total, all] = named[..] else { panic!("{fleet:?}") };
    for (line, what) in [(creates, "production: creates"), (total, "production: total"), (all, "throughput: events")] {
        let cells: Vec<&str> = line.split('\t').collect();
        assert_eq!((cells[1], cells[3].parse::<i64>().unwrap()), (what, cells[2].parse::<i64>().unwrap() + 1));
    }
    assert!(fleet.err.contains("error: 3 differences between what was done and what the API says"), "{fleet:?}");
}

#[tokio::test]
async fn a_snapshot_and_a_state_behind_the_back_of_a_fleet_are_named() {
    let server = server().await;
    let fleet = start(&server, &["--workers", "2", "--duration", "7s", "--pace", "100ms", "--seed", "3"]);
    let pool = &server.database.pool;
    let live = "select count(*) from worker w join connector c on c.id = w.connector_id where w.state = 'LIVE' and c.way = 'TARGET'";
    until("a target lives", async || number(&server, live).await > 0).await;
    // One that the fleet mends by its next report, and that happened all the same.
    let lie = "update worker set state = 'BUILDING' where id = (select w.id from worker w join connector c on c.id = w.connector_id
        where c.way = 'TARGET')";
    assert_eq!(pool.execute(lie).await.unwrap().rows_affected(), 1);
    until("a snapshot is done", async || number(&server, "select count(*) from sync_run where status = 'DONE'").await > 0).await;
    let lie = "update sync_table set rows_ingested = rows_ingested + 1 where id = (select t.id from sync_table t
        join sync_run r on r.id = t.sync_run_id where r.status = 'DONE' limit 1)";
    assert_eq!(pool.execute(lie).await.unwrap().rows_affected(), 1);
    let fleet = fleet.end().await;
    assert_eq!(fleet.code, Some(3), "{fleet:?}");
    assert!(
        fleet.out.lines().any(|line| line.starts_with("source ") && line.contains("\tsync run ") && line.contains(": table ")),
        "{fleet:?}"
    );
    assert!(fleet.out.lines().any(|line| line.starts_with("target ") && line.contains("\tthe number of transitions\t")), "{fleet:?}");
}

#[tokio::test]
async fn a_fleet_that_was_asked_for_wrongly_does_nothing() {
    let output = ended(&["fleet", "--workers", "0", "--url", "ftp://here", "--duration", "0s"], &[]).await;
    let message = output.refused(2);
    for mistake in ["--url is an http", "--workers is from 1", "--duration is from", "set PUMPHOUSE_ADMIN_PASSWORD"] {
        assert!(message.contains(mistake), "{mistake}: {message}");
    }
    for wrong in [&["fleet", "--duration", "60"][..], &["fleet", "--workers", "many"], &["fleet", "--password", "hunter2"]] {
        assert_eq!(ended(wrong, &[]).await.code, Some(2), "{wrong:?}");
    }
    let server = server().await;
    let stranger = Program::start(
        &["fleet", "--email", "nobody@example.com", "--url", &server.url("")],
        &[("PUMPHOUSE_ADMIN_PASSWORD", "wrong one")],
        "",
    );
    let stranger = stranger.end().await;
    assert!(stranger.refused(1).contains("the API refused the sign-in"), "{stranger:?}");
}

#[tokio::test]
async fn a_fleet_that_nobody_answers_ends_when_it_is_told_to() {
    for (signal, silent) in [("INT", false), ("TERM", true)] {
        // One address refuses, the other takes the connection and says nothing.
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = if silent { format!("http://{}", listener.local_addr().unwrap()) } else { "http://127.0.0.1:1".to_owned() };
        let mut fleet = Program::start(&["fleet", "--email", EMAIL, "--url", &url], &[("PUMPHOUSE_ADMIN_PASSWORD", PASSWORD)], "");
        let pid = fleet.pid();
        until("it hears signals", async || hears(pid)).await;
        fleet.signal(signal);
        assert!(fleet.ends_within(std::time::Duration::from_secs(10)).await, "{signal}");
        assert_eq!(fleet.end().await.refused(1), "error: told to stop before anything could be compared\n");
    }
}

/// Whether a process catches SIGTERM, which is the fifteenth.
fn hears(pid: u32) -> bool {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:"));
    caught.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).is_some_and(|mask| mask & (1 << 14) != 0)
}
