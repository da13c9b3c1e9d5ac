//! The connectors of the demo, each with its worker, which is PAUSED until [`begin`] starts some of them.
//!
//! Always holds: configurations are sealed for their row; those of PostgreSQL are what the worker of this
//! program reads; the others look like what they will be and stay PAUSED.
//!
//! [`begin`]: super::begin

use std::collections::HashMap;

use serde_json::{Value, json};
use uuid::Uuid;

use super::databases::DatabaseAccess;
use super::layout::{Layout, fresh};
use super::organisation::Places;
use crate::core::entity::Entity as _;
use crate::core::error::{Error, Result};
use crate::core::viewer::Owner;
use crate::pipelines::{Connector, Way, Worker};

/// The connector that reads the shop for the commerce team.
pub(super) const SHOP: &str = "shop-postgres";
/// The connector that writes the warehouse.
pub(super) const WAREHOUSE: &str = "warehouse-postgres";
/// The connector that reads the shop for the finance team.
pub(super) const BILLING: &str = "billing-postgres";
/// The connector whose database does not answer.
pub(super) const LEGACY: &str = "legacy-postgres";
/// The target of the finance team.
pub(super) const SNOWFLAKE: &str = "finance-snowflake";
/// The source of the experiments.
pub(super) const CLICKS: &str = "clickstream-kafka";
/// The target of the experiments.
pub(super) const LAKE: &str = "lakehouse-iceberg";

/// A port of this machine on which nothing listens.
const SILENT_PORT: u16 = 1;

/// The databases that the real connectors use.
#[derive(Clone, Copy)]
pub(super) struct Databases<'a> {
    pub(super) shop: &'a DatabaseAccess,
    pub(super) warehouse: &'a DatabaseAccess,
}

/// A connector to be made.
struct New {
    name: &'static str,
    team: &'static str,
    kind: &'static str,
    way: Way,
    configuration: Value,
}

/// A connector that was written.
#[derive(Clone, Copy)]
pub(super) struct Written {
    pub(super) id: Uuid,
    pub(super) owner: Owner,
}

/// The connectors that were written, by name.
pub(super) struct Connectors(HashMap<&'static str, Written>);

impl Connectors {
    /// The connector of this name.
    pub(super) fn get(&self, name: &str) -> Result<Written> {
        self.0.get(name).copied().ok_or_else(|| Error::no_such(Connector::NAME))
    }
}

/// Writes the connectors and their workers.
pub(super) async fn write(layout: &mut Layout<'_>, places: &Places, databases: Databases<'_>) -> Result<Connectors> {
    enum Generation {}
    let mut written = HashMap::new();
    for New { name, team, kind, way, configuration } in real(databases).into_iter().chain(pretended()) {
        let (id, owner) = (fresh::<Connector>(), places.team(team)?);
        let sealed = layout.seal(id, &configuration)?;
        let row = json!({
            "id": id, "name": name, "connector_type": kind, "json_configuration": sealed, "way": way.stored(), "team_id": owner.team,
        });
        layout.add::<Connector>(row).await?;
        let worker = json!({"state": "PAUSED", "connector_id": id, "launch_generation": fresh::<Generation>()});
        layout.add::<Worker>(worker).await?;
        layout.record::<Connector>(id, name, owner).await?;
        written.insert(name, Written { id, owner });
    }
    Ok(Connectors(written))
}

/// What the worker of this program reads.
fn postgres(access: &DatabaseAccess) -> Value {
    let DatabaseAccess { host, port, database, user, password } = access;
    json!({"host": host, "port": port, "database": database, "user": user, "password": password, "sslMode": "disable"})
}

/// Those whose workers run.
fn real(Databases { shop, warehouse }: Databases<'_>) -> [New; 4] {
    let source = |name, team, configuration| New { name, team, kind: "POSTGRES_SOURCE", way: Way::Source, configuration };
    let legacy = json!({
        "host": "127.0.0.1", "port": SILENT_PORT, "database": "ledger", "user": "ledger_reader", "password": "long-forgotten",
        "sslMode": "disable",
    });
    [
        source(SHOP, "commerce", postgres(shop)),
        New { name: WAREHOUSE, team: "commerce", kind: "POSTGRES_TARGET", way: Way::Target, configuration: postgres(warehouse) },
        source(BILLING, "finance", postgres(&shop.for_billing())),
        source(LEGACY, "finance", legacy),
    ]
}

/// Those that stay PAUSED.
fn pretended() -> [New; 3] {
    let snowflake = json!({
        "account": "fellmoor-eu1", "database": "FINANCE", "schema": "RAW", "warehouse": "LOADING", "role": "LOADER",
        "user": "PUMPHOUSE", "password": "let-it-snow",
    });
    let kafka = json!({
        "bootstrapServers": "kafka.staging.example.com:9093", "topics": ["web.clicks"], "securityProtocol": "SASL_SSL",
        "saslMechanism": "SCRAM-SHA-512", "saslUsername": "experiments", "saslPassword": {"$secret": "env:PUMPHOUSE_SECRET_CLICKS"},
    });
    let iceberg = json!({
        "catalogUri": "https://pumphouse:melting-point@catalog.staging.example.com/v1", "warehouse": "s3://fellmoor-lakehouse/staging",
        "namespace": "web",
    });
    [
        New { name: SNOWFLAKE, team: "finance", kind: "SNOWFLAKE_TARGET", way: Way::Target, configuration: snowflake },
        New { name: CLICKS, team: "experiments", kind: "KAFKA_SOURCE", way: Way::Source, configuration: kafka },
        New { name: LAKE, team: "experiments", kind: "ICEBERG_TARGET", way: Way::Target, configuration: iceberg },
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::violations::Violations;
    use crate::pipelines::catalogue;

    #[test]
    fn the_connectors_are_such_as_anybody_could_make() {
        let access =
            DatabaseAccess { host: "/tmp/pumphouse".to_owned(), port: 5432, database: "shop", user: "shop_reader", password: "curious" };
        let databases = Databases { shop: &access, warehouse: &access };
        for New { name, kind, way, configuration, .. } in real(databases).into_iter().chain(pretended()) {
            let (kind, mut violations) = (catalogue::kind(kind).unwrap(), Violations::default());
            kind.check(&configuration, name, &mut violations).unwrap();
            assert_eq!((kind.way(), violations.into_list()), (way, Vec::new()), "{name}");
        }
    }
}
