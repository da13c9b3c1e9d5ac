//! Connectors: their types, making, changing, testing and deleting them, and the keys that seal their configurations.

mod bad_input;
mod catalogue;
mod crowd;
mod deletion;
mod fake;
mod keys;
mod probing;
mod writing;

pub use fake::Fake;
use pumphouse::core::secret::KeyRing;
use serde_json::{Value, json};
use sqlx::PgPool;
use uuid::Uuid;

use crate::access::mutate;
use crate::support::{Caller, Reply, Stage, id};

const CONNECTOR: &str = "connector { id name connectorType way updatedAt jsonConfiguration teamId envId worker { id state } }";

/// A configuration of a PostgreSQL server with a secret.
fn postgres(host: &str) -> Value {
    json!({"host": host, "port": 5432, "database": "shop", "user": "reader", "password": "hunter2", "sslMode": "disable"})
}

/// What a secret reads as.
fn stored() -> Value {
    json!({"$secret": "stored"})
}

async fn create(caller: &Caller, team: Uuid, name: &str, kind: &str, configuration: Value) -> Reply {
    let input = json!({"teamId": team, "name": name, "connectorType": kind, "configuration": configuration});
    mutate(caller, "createConnector", CONNECTOR, input).await
}

async fn update(caller: &Caller, input: Value) -> Reply {
    mutate(caller, "updateConnector", CONNECTOR, input).await
}

async fn delete(caller: &Caller, connector: Uuid, force: bool) -> Reply {
    mutate(caller, "deleteConnector", "connector { id name }", json!({"connectorId": connector, "force": force})).await
}

/// A connector that was made, as its maker sees it.
async fn made(stage: &Stage, name: &str, kind: &str, configuration: Value) -> (Uuid, Value) {
    let connector = create(&stage.root, stage.team, name, kind, configuration).await.data()["createConnector"]["connector"].clone();
    (id(&connector["id"]), connector)
}

/// The configuration as only a server with these keys can read it.
async fn plain(pool: &PgPool, keys: &KeyRing, connector: Uuid) -> Value {
    let sealed: String = sqlx::query_scalar("select json_configuration::text from connector where id = $1")
        .bind(connector)
        .fetch_one(pool)
        .await
        .expect("a configuration");
    serde_json::from_str(keys.open(connector, &sealed).expect("it opens for its connector").reveal()).expect("JSON")
}

/// The fields of all violations, sorted.
fn violations(reply: &Reply) -> Vec<String> {
    let all = reply.0["errors"][0]["extensions"]["details"]["violations"].as_array().cloned().unwrap_or_default();
    let mut fields: Vec<String> = all.iter().map(|one| one["field"].as_str().expect("a field").to_owned()).collect();
    fields.sort();
    fields
}

/// Everything that a refusal must leave as it is.
async fn everything(pool: &PgPool) -> Value {
    let sql =
        "select jsonb_build_array((select jsonb_agg(c order by id) from connector c), (select jsonb_agg(w order by id) from worker w),
        (select jsonb_agg(r order by connector_id) from pumphouse.connector_revision r), (select jsonb_agg(r order by id) from sync_run r),
        (select count(*) from user_log))";
    sqlx::query_scalar(sql).fetch_one(pool).await.expect("everything")
}

/// The audit log, oldest first: verb, kind, name, changed fields.
async fn log(pool: &PgPool) -> Vec<Value> {
    let sql = "select jsonb_build_array(l.action, d.entity_type, d.entity_name, d.changed_fields)
        from user_log l join pumphouse.audit_detail d on d.user_log_id = l.id order by l.timestamp";
    sqlx::query_scalar(sql).fetch_all(pool).await.expect("the log")
}
