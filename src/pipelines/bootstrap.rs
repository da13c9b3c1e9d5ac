//! The hand-out of a decrypted configuration to the worker that runs it, and to nobody else.
//!
//! Always holds: only the present generation's own token gets it, every hand-out is audited, and the
//! revision that was handed out is remembered (domain.md section 2).

use serde::Serialize;
use serde_json::value::RawValue;
use sqlx::Row as _;
use uuid::Uuid;

use crate::core::audit::{self, About, Actor};
use crate::core::db::{Db, rows_on};
use crate::core::error::{Error, Result};
use crate::core::secret::KeyRing;
use crate::core::sql::Sql;
use crate::core::verb::Verb;
use crate::core::viewer::{Identity, Owner, Viewer};
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
struct BootstrapDatamodel {
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
where w.state <> 'PAUSED' and w.id = ";

/// Hands out the configuration to the worker behind this token.
///
/// # Errors
/// `FORBIDDEN` for any other caller, `CONFLICT` for a generation that is not the present one.
pub async fn bootstrap(db: &Db, keys: &KeyRing, viewer: &Viewer, request: Option<&str>) -> Result<Bootstrap> {
    let Identity::Worker { id, generation } = *viewer.identity() else {
        return Err(Error::forbidden("Only a worker's own token is handed its configuration."));
    };
    let mut transaction = db.begin().await?;
    let sql = Sql::new(CONNECTOR).with("", id).with(" and w.launch_generation = ", generation).text(" for no key update of w");
    let rows = rows_on(&mut transaction, sql).await?;
    let Some(row) = rows.first() else {
        return Err(Error::conflict("This generation is not the one that should run: end."));
    };
    let connector: Uuid = row.try_get(0)?;
    let name: Option<String> = row.try_get(1)?;
    let revision: i32 = row.try_get(4)?;
    let plain = keys.open(connector, row.try_get(5)?)?;
    let configuration = RawValue::from_string(plain.reveal().clone()).map_err(Error::internal)?;
    let datamodels = Sql::new("select id, name, source_topic, config::text from datamodel where source_connector_id = ")
        .with("", connector)
        .text(" order by name, id");
    let datamodels = rows_on(&mut transaction, datamodels).await?;
    let booted = Sql::new("update pumphouse.worker_launch set booted_revision = ").with("", revision).with(" where worker_id = ", id);
    rows_on(&mut transaction, booted).await?;
    let owner = Owner { team: row.try_get(6)?, env: row.try_get(7)? };
    let about = About::row::<Connector>(connector.into()).name(name.as_deref()).owner(owner);
    audit::record(&mut transaction, &Actor::System(format!("worker {id}")), Verb::Bootstrap, about, request).await?;
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
        datamodels: datamodels
            .iter()
            .map(|row| {
                let config = RawValue::from_string(row.try_get(3)?).map_err(Error::internal)?;
                Ok(BootstrapDatamodel { id: row.try_get(0)?, name: row.try_get(1)?, source_topic: row.try_get(2)?, config })
            })
            .collect::<Result<_>>()?,
    })
}
