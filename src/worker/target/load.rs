//! Takes one segment, in one transaction.
//!
//! Always holds: the segment's rows, how far the subscription is, and what the API is to be told of it commit together. A snapshot
//! is staged from its first segment on; one that broke off is forgotten when the next one begins. Not here: which segment is
//! next (`delivery.rs`).

use sqlx::Connection as _;
use sqlx::postgres::PgConnection;
use tokio::io::AsyncReadExt as _;

use crate::worker::columns::CLOCK;
use crate::worker::handover::{Rows, Segment};
use crate::worker::record::Records;

use super::error::DeliveryError;
use super::exchange::{Exchanged, exchange};
use super::ledger::{self, Progress};
use super::shape::{Fields, Shaper};
use super::stage::Stage;
use super::wanted::Subscription;
use super::{Target, consumption, table};

const CHUNK: usize = 256 * 1024;

/// A segment to be taken.
pub(super) struct Next<'a> {
    pub(super) segment: &'a Segment,
    /// The position that it comes after.
    pub(super) after: i64,
    /// How many rows wait behind it.
    pub(super) lag: i64,
}

/// Takes a segment; answers whether it was the next one.
pub(super) async fn load(
    connection: &mut PgConnection,
    target: &Target,
    subscription: &Subscription,
    next: &Next<'_>,
) -> Result<bool, DeliveryError> {
    let Segment { position, about } = next.segment;
    let mut transaction = connection.begin().await?;
    let began: i64 = sqlx::query_scalar(CLOCK).fetch_one(&mut *transaction).await?;
    let mut progress = ledger::lock(&mut transaction, &subscription.id).await?;
    if progress.position != next.after {
        return Ok(false);
    }
    if about.columns.is_empty() {
        return Err(DeliveryError::Unfit(format!("table {} has no columns", about.table)));
    }
    let shaper = Shaper::of(subscription, &about.columns, target.secrets_dir.as_deref())?;
    let stage = Stage::of(subscription, &about.columns, shaper.is_some());
    let number = i32::try_from(about.number).unwrap_or(i32::MAX);
    let goes_on = progress.snapshot.as_ref() == Some(&about.snapshot) && progress.segment + 1 == number;
    if number == 1 {
        stage.make(&mut transaction).await?;
        (progress.snapshot, progress.fields.0) = (Some(about.snapshot.clone()), Fields::new());
        if shaper.is_none() {
            // Better said before the rows are taken than after.
            table::ready(&mut transaction, subscription, &table::plain(&about.columns), &mut progress).await?;
        }
    } else if !goes_on {
        tracing::warn!(subscription.name = %subscription.name, snapshot = %about.snapshot, "a part of a snapshot is passed over: its beginning is not there");
        stage.drop(&mut transaction).await?;
        (progress.position, progress.snapshot) = (*position, None);
        ledger::advance(&mut transaction, &subscription.id, &progress).await?;
        transaction.commit().await?;
        return Ok(true);
    }
    let rows = target.handover.open(&subscription.topic(), next.segment).await?;
    take(&mut transaction, &stage, rows, shaper.as_ref().map(|shaper| (shaper, &mut progress.fields.0))).await?;
    (progress.position, progress.segment) = (*position, number);
    let mut exchanged = Exchanged { delivered: 0, errors: 0 };
    if about.last {
        exchanged = finish(&mut transaction, subscription, next.segment, &stage, &mut progress).await?;
    }
    ledger::advance(&mut transaction, &subscription.id, &progress).await?;
    let consumed = i64::try_from(about.rows).unwrap_or(i64::MAX);
    consumption::note(&mut transaction, &subscription.id, (began, next.lag), (consumed, &exchanged)).await?;
    transaction.commit().await?;
    tracing::info!(subscription.name = %subscription.name, position, consumed, delivered = exchanged.delivered, errors = exchanged.errors, "segment taken");
    Ok(true)
}

/// Copies the rows of a segment into the staging table.
async fn take(
    connection: &mut PgConnection,
    stage: &Stage,
    mut rows: Rows,
    mut shaping: Option<(&Shaper, &mut Fields)>,
) -> Result<(), DeliveryError> {
    let mut copy = connection.copy_in_raw(&stage.copy()).await?;
    let (mut records, mut chunk, mut shaped) = (Records::default(), vec![0; CHUNK], Vec::new());
    loop {
        let read = rows.read(&mut chunk).await?;
        let Some(bytes) = chunk.get(..read).filter(|bytes| !bytes.is_empty()) else { break };
        let Some((shaper, fields)) = &mut shaping else {
            copy.send(bytes).await?;
            continue;
        };
        records.feed(bytes, |row| shaper.shape(&row, fields, &mut shaped));
        copy.send(shaped.as_slice()).await?;
        shaped.clear();
    }
    copy.finish().await?;
    Ok(())
}

/// The snapshot is whole: puts its rows in place.
async fn finish(
    connection: &mut PgConnection,
    subscription: &Subscription,
    segment: &Segment,
    stage: &Stage,
    progress: &mut Progress,
) -> Result<Exchanged, DeliveryError> {
    let columns = &segment.about.columns;
    let fields = if stage.is_shaped() { table::shaped(columns, &progress.fields.0) } else { table::plain(columns) };
    let table = table::ready(connection, subscription, &fields, progress).await?;
    let exchanged = exchange(connection, subscription, stage, table.as_ref()).await?;
    stage.drop(connection).await?;
    (progress.snapshot, progress.delivered_for) = (None, progress.begun_for.clone());
    Ok(exchanged)
}
