//! What a notice says: which rows of which table changed, in which transaction, and who owns them.

use std::time::Duration;

use chrono::Utc;
use metrics::histogram;
use serde::Deserialize;
use uuid::Uuid;

use crate::core::metric;
use crate::core::viewer::Owner;

/// What happened to a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub enum Operation {
    /// It was inserted.
    #[serde(rename = "I")]
    Inserted,
    /// It was updated.
    #[serde(rename = "U")]
    Updated,
    /// It was deleted.
    #[serde(rename = "D")]
    Deleted,
    /// Its health crossed a line without the row changing.
    #[serde(rename = "H")]
    Health,
}

/// One changed row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The table, by its name in SQL.
    pub table: String,
    /// What happened.
    pub operation: Operation,
    /// The transaction that did it.
    pub transaction: u64,
    /// When its statement began, by the database's clock, in milliseconds since 1970.
    pub at: Option<i64>,
    /// The row.
    pub id: Uuid,
    /// Who owns the row, or owned it before it was deleted.
    pub owners: Vec<Owner>,
    /// The connector that it belongs to.
    pub connector: Option<Uuid>,
    /// The sync run that it belongs to.
    pub run: Option<Uuid>,
    /// The pipeline that it belongs to.
    pub pipeline: Option<Uuid>,
    /// The user that it is about, of a membership.
    pub user: Option<Uuid>,
    /// The transitions that this change appended, of a worker.
    pub transitions: Vec<i64>,
    /// The state in which its health crossed a line, of a worker.
    pub state: Option<String>,
}

#[derive(Deserialize)]
struct Payload {
    t: String,
    op: Operation,
    x: String,
    /// Replicas of an older version do not say it.
    at: Option<i64>,
    r: Vec<Row>,
}

#[derive(Deserialize)]
struct Row {
    id: Uuid,
    #[serde(default)]
    o: Vec<(Option<Uuid>, Option<Uuid>)>,
    c: Option<Uuid>,
    run: Option<Uuid>,
    p: Option<Uuid>,
    u: Option<Uuid>,
    #[serde(default)]
    s: Vec<i64>,
    st: Option<String>,
}

/// Reads a notice; none when it is not one of ours.
pub(crate) fn read(payload: &str) -> Option<Vec<Change>> {
    let payload: Payload = serde_json::from_str(payload).ok()?;
    let transaction = payload.x.parse().ok()?;
    let change = |row: Row| Change {
        table: payload.t.clone(),
        operation: payload.op,
        transaction,
        at: payload.at,
        id: row.id,
        owners: row.o.into_iter().map(|(team, env)| Owner { team, env }).collect(),
        connector: row.c,
        run: row.run,
        pipeline: row.p,
        user: row.u,
        transitions: row.s,
        state: row.st,
    };
    Some(payload.r.into_iter().map(change).collect())
}

/// Measures how late the events of changes that were made then are now.
pub(crate) fn measure(made: &[i64]) {
    if made.is_empty() {
        return;
    }
    #[expect(clippy::disallowed_methods, reason = "it is told to whoever measures and decides nothing")]
    let now = Utc::now().timestamp_millis();
    for at in made {
        let late = u64::try_from(now.saturating_sub(*at)).unwrap_or_default();
        histogram!(metric::EVENT_LAG_SECONDS).record(Duration::from_millis(late).as_secs_f64());
    }
}
