//! One execution for many viewers: who shares one, and that nobody is told what they may not see.

use std::time::Duration;

use serde_json::{Value, json};
use uuid::Uuid;

use crate::support::{Caller, Socket, Stage};

const WORKERS: &str = "subscription { workerChanged { initial removed worker { reason connector { name } } } }";
/// What it selects hangs on who asks.
const COLLEAGUES: &str =
    "subscription { workerChanged { initial worker { reason connector { team { members { nodes { user { email } } } } } } } }";

async fn member(stage: &Stage, email: &str) -> Caller {
    let caller = stage.server.user(email, false).await;
    stage.world.join_team(caller.id, stage.team, false).await;
    caller
}

async fn executions(stage: &Stage) -> f64 {
    stage.server.metric("pumphouse_subscription_executions").await
}

/// The next event's reason; each is told the present state once before.
async fn reason(socket: &mut Socket) -> Value {
    let event = socket.event().await["workerChanged"].clone();
    assert_eq!(event["initial"], false);
    event["worker"]["reason"].clone()
}

#[tokio::test]
async fn p07_equal_screens_share_one_execution_and_each_gets_every_message_once() {
    let stage = Stage::open().await;
    let mut sockets = Vec::new();
    for number in 0..20 {
        let caller = member(&stage, &format!("member-{number}@example.com")).await;
        let mut socket = caller.subscribe(WORKERS, json!({})).await;
        assert_eq!(socket.event().await["workerChanged"]["initial"], true);
        sockets.push(socket);
    }
    assert!((executions(&stage).await - 1.0).abs() < 0.5, "{}", executions(&stage).await);
    let before = stage.server.service.db().statements();
    for number in 0..5 {
        stage.give_reason(&number.to_string()).await;
        for socket in &mut sockets {
            assert_eq!(reason(socket).await, json!(number.to_string()));
        }
    }
    // The connector of the one worker is read once an event, not once a viewer.
    let cost = stage.server.service.db().statements() - before;
    assert!(cost <= 10, "{cost} statements for 5 events and 20 viewers");
    for socket in &mut sockets {
        assert!(socket.is_quiet_for(Duration::from_millis(20)).await);
    }
    drop(sockets);
    let gone = async {
        while executions(&stage).await > 0.5 {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(5), gone).await.expect("an execution ends with its last member");
}

#[tokio::test]
async fn three_viewers_of_different_rights_on_one_row_get_one_message_each_and_only_their_own() {
    let stage = Stage::open().await;
    let (one, reader, stranger) = (
        member(&stage, "member@example.com").await,
        stage.server.user("reader@example.com", false).await,
        stage.server.user("stranger@example.com", false).await,
    );
    stage.world.join_env(reader.id, stage.env, "reader").await;
    let document = "subscription { workerChanged { initial worker { reason launchGeneration } } }";
    let mut sockets = Vec::new();
    for caller in [&stage.root, &one, &reader] {
        let mut socket = caller.subscribe(document, json!({})).await;
        socket.event().await;
        sockets.push(socket);
    }
    let mut silent = stranger.subscribe(document, json!({})).await;
    stage.give_reason("x").await;
    for (place, socket) in sockets.iter_mut().enumerate() {
        let event = socket.event().await["workerChanged"]["worker"].clone();
        // A reader may not change the worker, and is not shown its generation.
        assert_eq!((event["reason"].clone(), event["launchGeneration"].is_string()), (json!("x"), place < 2));
        assert!(socket.is_quiet_for(Duration::from_millis(100)).await);
    }
    assert!(silent.is_quiet_for(Duration::from_millis(100)).await);
}

#[tokio::test]
async fn what_hangs_on_who_asks_is_executed_for_each_and_sent_to_nobody_else() {
    let stage = Stage::open().await;
    let (one, two) = (member(&stage, "one@example.com").await, member(&stage, "two@example.com").await);
    let (mut of_one, mut again, mut of_two) = (
        one.subscribe(COLLEAGUES, json!({})).await,
        one.subscribe(COLLEAGUES, json!({})).await,
        two.subscribe(COLLEAGUES, json!({})).await,
    );
    for socket in [&mut of_one, &mut again, &mut of_two] {
        assert_eq!(socket.event().await["workerChanged"]["initial"], true);
    }
    // One for each user, which all of that user's screens share.
    assert!((executions(&stage).await - 2.0).abs() < 0.5, "{}", executions(&stage).await);
    stage.give_reason("x").await;
    for socket in [&mut of_one, &mut again, &mut of_two] {
        assert_eq!(reason(socket).await, json!("x"));
        assert!(socket.is_quiet_for(Duration::from_millis(100)).await);
    }
}

#[tokio::test]
async fn one_whose_rights_change_goes_to_those_with_the_new_ones_and_the_others_notice_nothing() {
    let stage = Stage::open().await;
    let (stays, leaves) = (member(&stage, "stays@example.com").await, member(&stage, "leaves@example.com").await);
    let other = stage.world.team(stage.env, "other").await;
    let (_, of_other) = stage.world.source(other, "theirs").await;
    let (mut staying, mut leaving) = (stays.subscribe(WORKERS, json!({})).await, leaves.subscribe(WORKERS, json!({})).await);
    for socket in [&mut staying, &mut leaving] {
        socket.event().await;
    }
    stage.world.join_team(leaves.id, other, false).await;
    for _ in 0..2 {
        assert_eq!(leaving.event().await["workerChanged"]["initial"], true);
    }
    stage.world.change_rights("delete from team_member where user_id = $1", leaves.id).await;
    for _ in 0..2 {
        assert_eq!(leaving.event().await["workerChanged"]["removed"], true);
    }
    stage.give_reason("x").await;
    sqlx::query("update worker set reason = 'theirs' where id = $1").bind(of_other).execute(&stage.world.pool).await.expect("a change");
    assert_eq!(reason(&mut staying).await, json!("x"));
    assert!(staying.is_quiet_for(Duration::from_millis(200)).await && leaving.is_quiet_for(Duration::from_millis(200)).await);
}

/// Whoever joins an execution in the middle of changes misses none and gets none twice.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_who_comes_while_others_are_told_sees_no_gap_and_no_overlap() {
    let stage = Stage::open().await;
    let caller = member(&stage, "member@example.com").await;
    // Whoever hears this has heard of their own membership before, for which they would be asked anew in the middle.
    let mut first = caller.subscribe(WORKERS, json!({})).await;
    first.event().await;
    stage.write("update worker set reason = '0' where id = $1").await;
    first.until(|event| event["workerChanged"]["worker"]["reason"] == "0").await;
    drop(first);
    let writer = async {
        for _ in 0..200 {
            stage.write("update worker set reason = (reason::int + 1)::text where id = $1").await;
        }
    };
    let readers = (0..20).map(|index| {
        let (stage, caller) = (&stage, if index % 2 == 0 { &caller } else { &stage.root });
        async move {
            // The writer's pace decides when each comes.
            let reached = format!("select reason::int >= {} from worker where id = $1", index * 5);
            let look = async || {
                let query = sqlx::query_scalar::<_, bool>(sqlx::AssertSqlSafe(reached.clone()));
                query.bind(stage.worker).fetch_one(&stage.world.pool).await.expect("a number")
            };
            while !look().await {}
            let mut socket = caller.subscribe(WORKERS, json!({})).await;
            let number =
                |event: &Value| event["workerChanged"]["worker"]["reason"].as_str().expect("a number").parse::<i64>().expect("a number");
            let mut last = number(&socket.event().await);
            while last < 200 {
                let event = socket.event().await;
                assert_eq!((event["workerChanged"]["initial"].clone(), number(&event)), (json!(false), last + 1));
                last += 1;
            }
        }
    });
    tokio::join!(writer, futures_util::future::join_all(readers));
}

#[tokio::test]
async fn a_refusal_is_told_to_each_under_the_id_of_their_own_request() {
    let stage = Stage::open().await;
    let ids: Vec<Uuid> = (0..501).map(|_| Uuid::new_v4()).collect();
    let document = "subscription($f: WorkerChangedFilter) { workerChanged(filter: $f) { initial } }";
    let mut requests = std::collections::BTreeSet::new();
    for _ in 0..2 {
        let mut socket = stage.root.subscribe(document, json!({"f": {"workerIds": ids}})).await;
        let message = socket.message().await.expect("a refusal").to_string();
        assert!(message.contains("VALIDATION"), "{message}");
        let id = message.split("requestId\":\"").nth(1).and_then(|rest| rest.split('"').next()).expect("an id").to_owned();
        requests.insert(id);
    }
    assert_eq!(requests.len(), 2);
    assert!(executions(&stage).await < 0.5);
}
