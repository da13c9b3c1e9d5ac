//! The catalogue, the lists of CHECKs, the notices and the graph's columns against a migrated database.

use std::collections::{BTreeMap, BTreeSet};

use async_graphql::parser::types::TypeKind;
use pumphouse::access::{EnvRole, RequestStatus};
use pumphouse::core::verb::Verb;
use pumphouse::operations::{StalledReason, SyncRunStatus, SyncTableStatus, UserType};
use pumphouse::pipelines::{Way, WorkerState};
use pumphouse::registry::SchemaType;
use sqlx::Row as _;

use super::catalogue::{compare_catalogue, tables};
use super::references::{camel, type_of};
use super::{none, types};
use crate::support::{Database, database};

const QUERY: &str = include_str!("catalogue/query.sql");

async fn facts(database: &Database) -> Vec<String> {
    sqlx::query_scalar(QUERY).fetch_all(&database.pool).await.expect("the catalogue")
}

#[tokio::test]
async fn the_migrated_database_is_the_catalogue() {
    none(&compare_catalogue(&facts(&database().await).await));
}

/// The CHECK of every enumerated column and the list of its Rust enum.
const ENUMS: &[(&str, &[&str])] = &[
    ("env_member_role_check", EnvRole::STORED),
    ("env_request_role_check", EnvRole::STORED),
    ("env_request_status_check", RequestStatus::STORED),
    ("team_request_status_check", RequestStatus::STORED),
    ("connector_way_check", Way::STORED),
    ("worker_state_check", WorkerState::STORED),
    ("schema_type_check", SchemaType::STORED),
    ("sync_run_status_check", SyncRunStatus::STORED),
    ("sync_run_stalled_reason_check", StalledReason::STORED),
    ("sync_table_status_check", SyncTableStatus::STORED),
    ("user_log_user_type_check", UserType::STORED),
    ("user_log_action_check", Verb::STORED),
];

#[tokio::test]
async fn every_check_list_is_the_list_of_its_enum() {
    let facts = facts(&database().await).await;
    let mut found: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for fact in &facts {
        // `check <table> <constraint>: <value> <value> ...`; a rule stands in parentheses.
        let Some((head, values)) = fact.strip_prefix("check ").and_then(|fact| fact.split_once(": ")) else { continue };
        if !values.starts_with('(') {
            found.insert(head.split(' ').nth(1).expect("a constraint"), values.split(' ').collect());
        }
    }
    let expected: BTreeMap<&str, BTreeSet<&str>> = ENUMS.iter().map(|(check, values)| (*check, values.iter().copied().collect())).collect();
    assert_eq!(found, expected);
}

/// Tables that announce nothing: what is written far too often, and what nobody follows (migration 0018).
const SILENT: &[&str] =
    &["consumption_metric", "consumption_metric_daily", "production_metric", "production_metric_daily", "user_log", "idempotency_record"];

#[tokio::test]
async fn every_table_announces_its_changes_but_the_known_silent_ones() {
    let database = database().await;
    let sql = "select c.relname::text, array_agg(t.tgname::text order by t.tgname) filter (where t.tgname like 'notify_%' and t.tgenabled = 'O') \
        from pg_class c left join pg_trigger t on t.tgrelid = c.oid and not t.tgisinternal \
        where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition and c.relname <> '_sqlx_migrations' \
        group by c.relname";
    let rows = sqlx::query(sql).fetch_all(&database.pool).await.expect("triggers");
    let known: std::collections::BTreeSet<String> = tables().map(|(table, ..)| table).collect();
    assert_eq!(rows.len(), known.len(), "tables of the database, and of tests/house/catalogue/tables.txt");
    let mut wrong = Vec::new();
    for row in rows {
        let (table, triggers): (String, Option<Vec<String>>) = (row.get(0), row.get(1));
        let silent = SILENT.contains(&table.as_str());
        let all = ["notify_delete", "notify_insert", "notify_truncate", "notify_update"];
        let expected = if silent { None } else { Some(all.map(str::to_owned).to_vec()) };
        if triggers != expected {
            wrong.push(format!("{table} has {triggers:?}"));
        }
    }
    none(&wrong);
}

/// Then `entityChanged` tells of them.
#[test]
fn every_entity_says_that_its_table_announces_its_changes_where_it_does() {
    let mut wrong = Vec::new();
    for entity in pumphouse::graph::ENTITIES {
        let table = entity.table().trim_matches('"');
        // What else is remembered is written by triggers and jobs, and followed as what it belongs to.
        let silent = SILENT.contains(&table) || table.starts_with("pumphouse.");
        if entity.is_announced() == silent {
            wrong.push(format!("{} says announced: {}", entity.name(), !silent));
        }
    }
    none(&wrong);
}

#[tokio::test]
async fn every_time_of_every_table_is_bound_to_what_the_api_can_write() {
    let database = database().await;
    let sql = "select format('%s.%s: call pumphouse.bound_times for the table, in a migration', a.attrelid::regclass, a.attname) from pg_attribute a \
        join pg_class c on c.oid = a.attrelid and c.relkind in ('r', 'p') and not c.relispartition and c.relname <> '_sqlx_migrations' \
        where c.relnamespace in ('public'::regnamespace, 'pumphouse'::regnamespace) and a.attnum > 0 and not a.attisdropped \
          and a.atttypid in ('timestamptz'::regtype, 'timestamp'::regtype, 'date'::regtype) \
          and not exists (select from pg_constraint k where k.conrelid = c.oid and k.conname = 'times_in_range' and a.attnum = any(k.conkey))";
    let unbound: Vec<String> = sqlx::query_scalar(sql).fetch_all(&database.pool).await.expect("columns");
    none(&unbound);
}

/// Columns that no query shows.
const NEVER_SHOWN: &[&str] = &["user.hashed_password", "idempotency_record.request_hash", "idempotency_record.response_body"];

#[test]
fn every_column_is_a_field_or_known_as_never_shown() {
    let types = types();
    let mut wrong = Vec::new();
    for (table, column, nullable) in tables() {
        let name = format!("{table}.{column}");
        let ty = type_of(&table);
        let Some(TypeKind::Object(object)) = types.get(&ty).map(|ty| &ty.kind) else {
            wrong.push(format!("{table} has no type {ty}"));
            continue;
        };
        let field = object.fields.iter().find(|field| field.node.name.node == camel(&column, false));
        match (field, NEVER_SHOWN.contains(&name.as_str())) {
            (None, false) => wrong.push(format!("{name} is no field of {ty}")),
            (Some(_), true) => wrong.push(format!("{name} must never be shown")),
            (Some(field), false) if nullable && !field.node.ty.node.nullable && field.node.ty.node.to_string() != "Boolean!" => {
                wrong.push(format!("{name} can be null and {ty}.{} cannot", field.node.name.node));
            }
            _ => {}
        }
    }
    none(&wrong);
}
