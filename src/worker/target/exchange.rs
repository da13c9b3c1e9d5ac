//! Exchanges the rows of the target's table for a whole snapshot, inside one transaction.
//!
//! Always holds: all sound rows are there or none; a row that the table refuses (a value of the wrong form, a broken constraint)
//! is rejected and keeps no other from being delivered. Refused rows are found by halving: a few among millions cost a few dozen
//! statements, and a table whose every row is refused costs two for each.

use sqlx::postgres::PgConnection;
use sqlx::{AssertSqlSafe, Executor as _};

use crate::worker::columns::identifier;
use crate::worker::postgres::Refusal;

use super::error::DeliveryError;
use super::reject::Rejects;
use super::stage::Stage;
use super::table::Ready;
use super::wanted::Subscription;

/// What became of the staged rows.
pub(super) struct Exchanged {
    pub(super) delivered: i64,
    pub(super) errors: i64,
}

/// Puts the staged rows in place of those of the table.
pub(super) async fn exchange(
    connection: &mut PgConnection,
    subscription: &Subscription,
    stage: &Stage,
    table: Option<&Ready>,
) -> Result<Exchanged, DeliveryError> {
    let topic = subscription.topic();
    let rejects = Rejects::begin(connection, subscription).await?;
    let mut errors = rejects.take_refused(connection, stage, &topic).await?;
    let Some(table) = table else { return Ok(Exchanged { delivered: 0, errors }) };
    connection.execute(AssertSqlSafe(format!("delete from {}", table.name))).await?;
    if table.columns.is_empty() {
        return Ok(Exchanged { delivered: 0, errors });
    }
    let last = AssertSqlSafe(format!("select coalesce(max(n), 0) from {}", stage.name));
    let last: i64 = sqlx::query_scalar(last).fetch_one(&mut *connection).await?;
    let insert = insert(stage, table);
    let (mut delivered, mut ranges) = (0, vec![(1, last)]);
    while let Some((from, to)) = ranges.pop().filter(|(from, to)| from <= to) {
        match attempt(connection, &insert, (from, to)).await? {
            Ok(rows) => delivered += rows,
            Err(reason) if from == to => {
                rejects.take(connection, stage, (from, &topic, &reason)).await?;
                errors += 1;
            }
            Err(_) => {
                let middle = from + (to - from) / 2;
                // The last one is next, so that rows go in in their order.
                ranges.extend([(middle + 1, to), (from, middle)]);
            }
        }
    }
    if errors > 0 {
        let kept = subscription.error_table.as_ref().map_or("nowhere: an error table would keep them", |table| table.name.as_str());
        tracing::warn!(subscription.name = %subscription.name, errors, %kept, "rows were rejected");
    }
    Ok(Exchanged { delivered, errors })
}

fn insert(stage: &Stage, table: &Ready) -> String {
    let (names, values): (Vec<String>, Vec<String>) =
        table.columns.iter().map(|(name, kind)| (identifier(name), format!("{}::{kind}", stage.text(name)))).unzip();
    format!(
        "insert into {} ({}) select {} from {} where n between $1 and $2 and {} order by n",
        table.name,
        names.join(", "),
        values.join(", "),
        stage.name,
        stage.sound()
    )
}

/// Inserts a range of rows: how many, or why one of them cannot be.
async fn attempt(connection: &mut PgConnection, insert: &str, range: (i64, i64)) -> Result<Result<i64, String>, DeliveryError> {
    connection.execute("savepoint attempt").await?;
    let inserted = sqlx::query(AssertSqlSafe(insert.to_owned())).bind(range.0).bind(range.1).execute(&mut *connection).await;
    match inserted {
        Ok(done) => {
            connection.execute("release savepoint attempt").await?;
            Ok(Ok(i64::try_from(done.rows_affected()).unwrap_or(i64::MAX)))
        }
        Err(error) if is_of_a_row(&error) => {
            connection.execute("rollback to savepoint attempt; release savepoint attempt").await?;
            Ok(Err(Refusal::of(&error).to_string()))
        }
        Err(error) => Err(error.into()),
    }
}

/// Whether an error is the fault of what a row says: its data, a constraint, a limit, or a trigger that refuses it.
fn is_of_a_row(error: &sqlx::Error) -> bool {
    let code = error.as_database_error().and_then(sqlx::error::DatabaseError::code);
    code.is_some_and(|code| ["22", "23", "44", "54", "P0001"].iter().any(|class| code.starts_with(class)))
}
