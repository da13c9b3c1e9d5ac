//! The schema registry: what is registered, refused, compared, deleted, and by whom.

mod bad_input;
mod compatibility;
mod concurrency;
mod registration;
mod rights;

use serde_json::{Value, json};
use uuid::Uuid;

use crate::support::{Caller, Reply, Server, Stage, TestSettings, id};

const REGISTER: &str = "mutation($subject: String!, $type: SchemaType!, $schema: String!) {
    registerSchema(input: {subject: $subject, type: $type, schema: $schema}) { created schemaVersion { id version subject schema { id hash schema } } } }";

/// Asks to register an Avro schema with this text.
async fn try_text(caller: &Caller, subject: &str, text: &str) -> Reply {
    caller.ask_with(REGISTER, json!({"subject": subject, "type": "AVRO", "schema": text})).await
}

/// Asks to register an Avro schema.
async fn try_register(caller: &Caller, subject: &str, schema: &Value) -> Reply {
    try_text(caller, subject, &schema.to_string()).await
}

/// Registers an Avro schema; answers its number, and the id of its document.
async fn register(caller: &Caller, subject: &str, schema: &Value) -> (i64, Uuid) {
    let version = try_register(caller, subject, schema).await.data()["registerSchema"]["schemaVersion"].clone();
    (version["version"].as_i64().expect("a number"), id(&version["schema"]["id"]))
}

/// A record `R` with these fields.
#[expect(clippy::needless_pass_by_value, reason = "documents are written in place")]
fn record(fields: Value) -> Value {
    json!({"type": "record", "name": "R", "fields": fields})
}

/// A further replica on the stage's database, and the same caller at it.
async fn replica(stage: &Stage, caller: &Caller) -> (Server, Caller) {
    let server = Server::on(stage.server.database.again().await, &TestSettings::default()).await;
    let there = server.with_token(caller.token.as_deref().expect("a token"));
    (server, there)
}

/// How many rows `schema` and `schema_version` have.
async fn rows(stage: &Stage) -> (i64, i64) {
    let sql = "select (select count(*) from schema), (select count(*) from schema_version)";
    sqlx::query_as(sql).fetch_one(&stage.world.pool).await.expect("counts")
}
