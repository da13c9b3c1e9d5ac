//! What a worker has to deliver, told to that worker while it runs: its connector's subscriptions, each with where its rows come from
//! and where they go; and its connector's datamodels, which say to which topics a source's tables go.
//!
//! Always holds: only what is processed and complete is told; there is no secret in it, as transforms name theirs. The mark of an
//! instruction (`operations/directives.rs`) differs whenever this does. Not here: configurations (`bootstrap.rs`).

use serde::Serialize;
use serde_json::value::RawValue;
use sqlx::Row as _;
use sqlx::postgres::PgRow;
use uuid::Uuid;

use crate::core::db::{Db, rows_on};
use crate::core::error::{Error, Result};
use crate::core::sql::Sql;
use crate::core::viewer::Viewer;
use crate::pipelines::bootstrap::{BootstrapDatamodel, BootstrapRequest, datamodels};

/// What a worker has to deliver now.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Deliveries {
    datamodels: Vec<BootstrapDatamodel>,
    subscriptions: Vec<Delivery>,
}

/// One subscription, as its worker needs it.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Delivery {
    id: Uuid,
    name: String,
    target_table: String,
    transforms: Box<RawValue>,
    /// Where rejected rows go, when they go anywhere.
    error_table: Option<ErrorTable>,
    /// The topic of the datamodel, when it names one; else the source's worker names it after its connector and the table.
    source_topic: Option<String>,
    source_connector: Option<String>,
    /// The table of the source, as the datamodel's configuration says it.
    source_table: Option<String>,
}

/// An error table.
#[derive(Serialize)]
struct ErrorTable {
    name: String,
    /// Whether it is in the worker's own database, the only one that the worker reaches.
    own: bool,
}

/// What comes after `from worker w`: the subscriptions `s` that it delivers, with their datamodels `d` and sources `c`.
pub(crate) const DELIVERED: &str =
    "subscription s join datamodel d on d.id = s.datamodel_id left join connector c on c.id = d.source_connector_id
where s.target_connector_id = w.connector_id and s.enabled and d.enabled and s.target_table_name is not null";

const COLUMNS: &str = "select s.id, s.name, s.target_table_name, s.transform_config::text, d.source_topic, c.name, d.config ->> 'table',
case when s.error_table_enabled then s.error_table_name end, s.error_table_target_id is null or s.error_table_target_id = w.connector_id
from worker w, ";

/// Tells the worker behind this token, or the one that a service account asks about, what it has to deliver.
///
/// # Errors
/// As of the hand-out of its configuration.
pub async fn deliveries(db: &Db, viewer: &Viewer, asked: Option<BootstrapRequest>) -> Result<Deliveries> {
    let _turn = db.turn(viewer.token().holder()).await;
    let mut transaction = db.begin().await?;
    let viewer = viewer.present_on(&mut transaction).await?;
    let (_, worker) = BootstrapRequest::by(asked, &viewer)?.running(&mut transaction, &viewer).await?;
    let sql = Sql::new(COLUMNS).text(DELIVERED).with(" and w.id = ", worker.id).text(" order by s.created_at, s.id");
    let rows = rows_on(&mut transaction, sql).await?;
    let datamodels = datamodels(&mut transaction, worker.connector.uuid()).await?;
    transaction.commit().await?;
    Ok(Deliveries { datamodels, subscriptions: rows.iter().map(Delivery::of_row).collect::<Result<_>>()? })
}

impl Delivery {
    fn of_row(row: &PgRow) -> Result<Self> {
        let error_table: Option<String> = row.try_get(7)?;
        let own = row.try_get(8)?;
        Ok(Self {
            id: row.try_get(0)?,
            name: row.try_get(1)?,
            target_table: row.try_get(2)?,
            transforms: RawValue::from_string(row.try_get(3)?).map_err(Error::internal)?,
            source_topic: row.try_get(4)?,
            source_connector: row.try_get(5)?,
            source_table: row.try_get(6)?,
            error_table: error_table.map(|name| ErrorTable { name, own }),
        })
    }
}
