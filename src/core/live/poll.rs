//! Looking for changes where LISTEN cannot work: behind a pooler that gives each transaction another connection.
//!
//! Always holds: what triggers announce is written down while somebody looks (migration 0053); what was committed before they
//! knew of that is made good by the present state; a change is found within one round. It is looked now and then whether
//! LISTEN works by now. Not here: when to begin (`listener.rs`).

use std::time::Duration;

use sqlx::Row as _;
use sqlx::postgres::PgListener;
use tokio::sync::mpsc;
use tokio::time::{Instant, timeout};

use crate::core::db::Db;
use crate::core::error::Result;
use crate::core::id::Id;
use crate::core::live::listener::{Closed, ListenerMessage, Listening};
use crate::core::live::{CHANNEL, Snapshot, notice};
use crate::core::sql::Sql;

/// Between two rounds.
const ROUND: Duration = Duration::from_millis(250);
/// The pause after a round that failed.
const PAUSE: Duration = Duration::from_secs(1);
/// How often it is said that somebody looks, well before that is forgotten.
const RENEWED: Duration = Duration::from_secs(10);
/// How long a notice to ourselves may take in that trial.
const TRIAL: Duration = Duration::from_secs(3);

const RENEW: &str = "update pumphouse.polling set until = clock_timestamp() + interval '30 seconds'";
const PRUNE: &str = "delete from pumphouse.change_log where at < clock_timestamp() - interval '1 minute'";

/// What was seen so far.
struct Seen {
    snapshot: String,
    /// Transactions from before it was known that somebody looks are those below this; none when they have all ended.
    unaware: Option<u64>,
}

/// Looks for changes until LISTEN works, which is tried now and then, or nobody wants them any more. What the last round has not told is
/// made good then: whoever listens begins with the present state.
pub(crate) async fn poll(db: &Db, heard: &mpsc::Sender<ListenerMessage>, listening: &Listening) {
    tokio::select! {
        () = rounds(db, heard, listening) => {}
        () = until_heard(db, listening.retry().0) => tracing::info!("LISTEN works again; changes are listened for"),
    }
}

async fn rounds(db: &Db, heard: &mpsc::Sender<ListenerMessage>, listening: &Listening) {
    let mut seen: Option<Seen> = None;
    let mut renew_at = Instant::now();
    while !heard.is_closed() {
        let renew = Instant::now() >= renew_at;
        let pause = match round(db, heard, &mut seen, renew).await {
            Ok(()) => {
                listening.set(true);
                if renew {
                    renew_at = Instant::now() + RENEWED;
                }
                ROUND
            }
            Err(error) => {
                tracing::debug!(error = error.for_log(), "changes could not be looked for; the present state will be read");
                listening.set(false);
                (seen, renew_at) = (None, Instant::now());
                PAUSE
            }
        };
        tokio::time::sleep(pause).await;
    }
}

/// Waits until LISTEN works.
async fn until_heard(db: &Db, between: Duration) {
    loop {
        tokio::time::sleep(between).await;
        if hears_itself(db).await {
            return;
        }
    }
}

/// Finds what was committed since the last round.
async fn round(db: &Db, heard: &mpsc::Sender<ListenerMessage>, seen: &mut Option<Seen>, renew: bool) -> Result<()> {
    if renew {
        db.rows(Sql::new(RENEW)).await?;
        db.rows(Sql::new(PRUNE)).await?;
    }
    let sql = Sql::new("select s.now::text, l.payload")
        .text(" from (select pg_current_snapshot() as now) s left join pumphouse.change_log l on ");
    let sql = match &*seen {
        None => sql.text("false"),
        Some(seen) => sql
            .with("l.xid >= pg_snapshot_xmin(", seen.snapshot.clone())
            .with("::text::pg_snapshot) and not pg_visible_in_snapshot(l.xid, ", seen.snapshot.clone())
            .text("::text::pg_snapshot)"),
    };
    let rows = db.rows(sql.text(" order by l.seq")).await?;
    let Some(first) = rows.first() else { return Ok(()) };
    let text: String = first.try_get(0)?;
    let now = Snapshot::parse(&text);
    let mut missed = seen.is_none();
    let mut unaware = seen.take().map_or(Some(now.end()), |seen| seen.unaware);
    if unaware.is_some_and(|unaware| now.before() >= unaware) {
        (missed, unaware) = (true, None);
    }
    for row in &rows {
        let Some(payload) = row.try_get::<Option<String>, _>(1)? else { continue };
        match notice::read(&payload) {
            Some(changes) => tell(heard, ListenerMessage::Changes(changes)).await,
            None => missed = true,
        }
    }
    if missed {
        tell(heard, ListenerMessage::MayHaveMissed).await;
    }
    *seen = Some(Seen { snapshot: text, unaware });
    Ok(())
}

async fn tell(heard: &mpsc::Sender<ListenerMessage>, what: ListenerMessage) {
    // When nobody hears it, the next round finds out.
    let _unheard = heard.send(what).await;
}

/// Whether a notice to ourselves comes back.
async fn hears_itself(db: &Db) -> bool {
    enum Trial {}
    let channel = format!("{CHANNEL}_trial_{}", Id::<Trial>::random().uuid().simple());
    let trial = async {
        let pool = db.listener_pool();
        let mut listener = PgListener::connect_with(&pool).await?;
        // Not before the notice has come: on a closed pool nothing is received.
        let _closed = Closed(pool);
        listener.listen(&channel).await?;
        let said = db.rows(Sql::new("select pg_notify(").value(channel.clone()).text(", '')")).await.is_ok();
        Ok::<bool, sqlx::Error>(said && listener.try_recv().await?.is_some())
    };
    matches!(timeout(TRIAL, trial).await, Ok(Ok(true)))
}
