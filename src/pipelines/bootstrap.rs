//! The hand-out of a decrypted configuration to the worker that runs it, and to nobody else.
//!
//! Always holds: it goes to the present generation, by the worker's own token or by a service account whose grant says
//! `worker: true`; every hand-out is audited, and the revision that was handed out is remembered (domain.md section 2).

use serde::{Deserialize, Serialize};
use serde_json::json;
use serde_json::value::RawValue;
use sqlx::postgres::PgRow;
use sqlx::{PgConnection, Row as _};
use uuid::Uuid;

use crate::core::audit::{self, About, Actor};
use crate::core::db::{Db, rows_on};
use crate::core::error::{Error, Result};
use crate::core::secret::KeyRing;
use crate::core::sql::Sql;
use crate::core::verb::Verb;
use crate::core::viewer::{Identity, Owner, Viewer};
use crate::pipelines::reporter::{Reporter, may_act};
use crate::pipelines::worker_runtime::Locked;
use crate::pipelines::{Connector, Way};

/// What a worker needs to begin.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Bootstrap {
    worker_id: Uuid,
    launch_generation: Uuid,
    connector_id: Uuid,
    connector_name: Option<String>,
    connector_type: String,
    way: &'static str,
    revision: i32,
    configuration: Box<RawValue>,
    datamodels: Vec<BootstrapDatamodel>,
}

/// A datamodel of the worker's connector.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct BootstrapDatamodel {
    id: Uuid,
    name: String,
    source_topic: Option<String>,
    config: Box<RawValue>,
}

const CONNECTOR: &str = "
select c.id, c.name, c.connector_type, c.way, r.revision, c.json_configuration::text, c.team_id, c.env_id
from worker w
join connector c on c.id = w.connector_id
join pumphouse.connector_revision r on r.connector_id = c.id
where w.id = ";

/// The generation of a worker that asks; a worker's own token says it.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct BootstrapRequest {
    worker_id: Uuid,
    launch_generation: Uuid,
}

impl BootstrapRequest {
    /// What the viewer asks for: for themselves, if they are a worker and say nothing else.
    pub(crate) fn by(asked: Option<Self>, viewer: &Viewer) -> Result<Self> {
        match (asked, viewer.identity()) {
            (Some(asked), _) => Ok(asked),
            (None, Identity::Worker { id, generation }) => Ok(Self { worker_id: *id, launch_generation: *generation }),
            (None, Identity::User { service_account: Some(_), .. }) => {
                Err(Error::validation("Say for which worker: send `{\"workerId\": ..., \"launchGeneration\": ...}`."))
            }
            (None, Identity::User { .. }) => {
                Err(Error::forbidden("Only the worker itself, or a service account whose grant says so, is handed its configuration."))
            }
        }
    }

    /// The viewer as they are now, who may act for the worker, and the worker, locked: this generation of it is the one that runs.
    pub(crate) async fn running(self, connection: &mut PgConnection, viewer: &Viewer) -> Result<(Viewer, Locked)> {
        let speaker = (self.worker_id.into(), self.launch_generation.into());
        may_act(connection, viewer, speaker).await?;
        let worker = Reporter::locked(connection, self.worker_id.into()).await?;
        // The lock may have been waited for, and the right have ended meanwhile.
        let viewer = viewer.present_on(connection).await?;
        may_act(connection, &viewer, speaker).await?;
        match worker.running(self.launch_generation.into()) {
            Ok(worker) => Ok((viewer, worker.clone())),
            Err(refusal) => Err(Error::conflict("This generation is not the one that should run: end.")
                .details(json!({"refusal": refusal.as_str(), "directive": "EXIT"}))),
        }
    }
}

/// Hands out the configuration of the worker behind this token, or of the one that a service account asks about.
///
/// # Errors
/// `NOT_FOUND` for a worker that the caller does not see, `FORBIDDEN` for one that they may not act for, `CONFLICT` for a
/// generation that is not the present one.
pub async fn bootstrap(
    db: &Db,
    keys: &KeyRing,
    viewer: &Viewer,
    asked: Option<BootstrapRequest>,
    request: Option<&str>,
) -> Result<Bootstrap> {
    let _turn = db.turn(viewer.token().holder()).await;
    let mut transaction = db.begin().await?;
    let viewer = viewer.present_on(&mut transaction).await?;
    let asked = BootstrapRequest::by(asked, &viewer)?;
    let (viewer, _) = asked.running(&mut transaction, &viewer).await?;
    let BootstrapRequest { worker_id: id, launch_generation: generation } = asked;
    let rows = rows_on(&mut transaction, Sql::new(CONNECTOR).value(id)).await?;
    let row = rows.first().ok_or(sqlx::Error::RowNotFound)?;
    let connector: Uuid = row.try_get(0)?;
    let name: Option<String> = row.try_get(1)?;
    let revision: i32 = row.try_get(4)?;
    let plain = keys.open(connector, row.try_get(5)?)?;
    let configuration = RawValue::from_string(plain.reveal().clone()).map_err(Error::internal)?;
    let datamodels = datamodels(&mut transaction, connector).await?;
    if matches!(viewer.identity(), Identity::Worker { .. }) {
        rows_on(&mut transaction, Sql::new("select set_config('pumphouse.boots_itself', 'on', true)")).await?;
    }
    let booted = Sql::new("update pumphouse.worker_launch set booted_revision = ").value(revision).with(" where worker_id = ", id);
    rows_on(&mut transaction, booted).await?;
    let owner = Owner { team: row.try_get(6)?, env: row.try_get(7)? };
    let about = About::row::<Connector>(connector.into()).name(name.as_deref()).owner(owner);
    audit::record(&mut transaction, &Actor::of(&viewer), Verb::Bootstrap, about, request).await?;
    transaction.commit().await?;
    Ok(Bootstrap {
        worker_id: id,
        launch_generation: generation,
        connector_id: connector,
        connector_type: row.try_get(2)?,
        way: row.try_get::<Way, _>(3)?.stored(),
        connector_name: name,
        revision,
        configuration,
        datamodels,
    })
}

/// The datamodels of a connector.
pub(crate) async fn datamodels(connection: &mut PgConnection, connector: Uuid) -> Result<Vec<BootstrapDatamodel>> {
    let sql = Sql::new("select id, name, source_topic, config::text from datamodel where source_connector_id = ")
        .value(connector)
        .text(" order by name, id");
    let read = |row: &PgRow| {
        let config = RawValue::from_string(row.try_get(3)?).map_err(Error::internal)?;
        Ok(BootstrapDatamodel { id: row.try_get(0)?, name: row.try_get(1)?, source_topic: row.try_get(2)?, config })
    };
    rows_on(connection, sql).await?.iter().map(read).collect()
}
