//! Metrics in the text form of Prometheus.
//!
//! Always holds: what is a state and no event is read when somebody looks, so it is never older than the look;
//! a state that no worker is in any more is not told. Without a database the rest is still told, within a
//! second. Not here: counting events, which happens where they happen.

use std::sync::Mutex;
use std::time::Duration;

use metrics::gauge;
use sqlx::Row as _;

use crate::core::db::Db;
use crate::core::error::Result;
use crate::core::lock::lock;
use crate::core::metric::{self, real};
use crate::core::sql::Sql;
use crate::pipelines::{PRESENT, WorkerTimings, push_health};
use crate::server::engine::Engine;

/// How long the database may take to say its part.
const DATABASE: Duration = Duration::from_millis(800);

/// What the database is asked for a look.
struct FromDatabase {
    queue: f64,
    workers: Vec<([String; 2], i64)>,
}

/// Everything that is measured, as it is now.
pub(crate) async fn render(engine: &Engine) -> String {
    static LOOK: Mutex<()> = Mutex::new(());
    let Some(recorder) = metric::recorder() else { return String::new() };
    let app = &engine.app;
    let asked = tokio::time::timeout(DATABASE, ask(&app.db, &app.workers)).await;
    // Several servers of one process share the recorder; each look shows one of them.
    let _look = lock(&LOOK);
    let (open, idle) = app.db.pool_state();
    gauge!(metric::POOL_CONNECTIONS, "state" => "idle").set(real(idle));
    gauge!(metric::POOL_CONNECTIONS, "state" => "used").set(real((open as usize).saturating_sub(idle)));
    let (sockets, subscriptions) = engine.counts.now();
    gauge!(metric::SOCKETS).set(real(sockets));
    gauge!(metric::SUBSCRIPTIONS).set(real(subscriptions));
    gauge!(metric::EXECUTIONS).set(real(engine.groups.count()));
    app.hub.measure();
    let mut workers = String::new();
    match asked {
        Ok(Ok(found)) => {
            gauge!(metric::NOTIFY_QUEUE).set(found.queue);
            workers = metric::lines(metric::WORKERS, ["state", "health"], &found.workers);
        }
        Ok(Err(error)) => tracing::debug!(error = error.for_log(), "the database told nothing for the metrics"),
        Err(_elapsed) => tracing::debug!("the database told nothing for the metrics in time"),
    }
    recorder.run_upkeep();
    recorder.render() + &workers
}

async fn ask(db: &Db, timings: &WorkerTimings) -> Result<FromDatabase> {
    let (queue, workers) = tokio::try_join!(db.rows(Sql::new("select pg_notification_queue_usage()")), db.rows(workers(timings)))?;
    let queue = queue.first().map_or(Ok(0.0), |row| row.try_get(0))?;
    let workers = workers.iter().map(|row| Ok(([row.try_get(0)?, row.try_get(1)?], row.try_get(2)?))).collect::<Result<_>>()?;
    Ok(FromDatabase { queue, workers })
}

/// How many workers are in which state and health.
fn workers(timings: &WorkerTimings) -> Sql {
    let mut sql = Sql::new("select t.state, ");
    push_health(&mut sql, timings, PRESENT);
    sql.text(", count(*) from worker t join pumphouse.worker_launch l on l.worker_id = t.id")
        .text(" cross join pumphouse.leader h group by 1, 2 order by 1, 2")
}
