//! Schemas of the shop's topics in the registry: Avro records that grew a column or two.
//!
//! Always holds: a document has its keys in order and no white space, so its text is its canonical form; the
//! same document under several subjects is one row; columns that came later may be missing (BACKWARD).

use serde_json::{Value, json};

use super::layout::{Layout, fresh};
use super::organisation::hash_text;
use super::tables::{Mark, Table, table};
use crate::core::error::Result;
use crate::registry::{SchemaDocument, SchemaVersion};

/// Tables and how many columns their schema had in each version.
const VALUES: &[(&str, &[usize])] = &[("orders", &[7, 8, 9]), ("customers", &[10, 11]), ("order_items", &[5, 6]), ("products", &[10])];
/// Tables whose key is one number: they share one document.
const KEYS: &[&str] = &["orders", "customers", "products"];

/// Registers them.
pub(super) async fn write(layout: &mut Layout<'_>) -> Result<()> {
    for (name, versions) in VALUES {
        let Some(table) = table(name) else { continue };
        let first = versions.first().copied().unwrap_or_default();
        for (columns, version) in versions.iter().zip(1_i64..) {
            let document = register(layout, &record(table, first, *columns)).await?;
            add_version(layout, &format!("shop.public.{name}-value"), version, &document).await?;
        }
    }
    let key = json!({"fields": [{"name": "id", "type": "long"}], "name": "Key", "namespace": "shop.public", "type": "record"});
    let document = register(layout, &key).await?;
    for name in KEYS {
        add_version(layout, &format!("shop.public.{name}-key"), 1, &document).await?;
    }
    Ok(())
}

async fn register(layout: &mut Layout<'_>, schema: &Value) -> Result<String> {
    let text = schema.to_string();
    let row = json!({"type": "avro", "hash": hash_text(&format!("avro\0{text}")), "schema": text});
    Ok(layout.add::<SchemaDocument>(row).await?.to_string())
}

async fn add_version(layout: &mut Layout<'_>, subject: &str, version: i64, document: &str) -> Result<()> {
    let id = fresh::<SchemaVersion>();
    let row = json!({"id": id, "timestamp": layout.latest(), "version": version, "subject": subject, "schema_id": document});
    layout.add::<SchemaVersion>(row).await?;
    Ok(())
}

/// The record of a table's first columns; what the first version did not have is optional.
fn record(table: &Table, first: usize, columns: usize) -> Value {
    let fields = table.columns.iter().take(columns).zip(1_usize..).map(|((name, kind, mark), place)| {
        if place > first || *mark == Mark::Optional {
            json!({"default": null, "name": name, "type": ["null", avro(kind)]})
        } else {
            json!({"name": name, "type": avro(kind)})
        }
    });
    json!({"fields": fields.collect::<Vec<_>>(), "name": table.name, "namespace": "shop.public", "type": "record"})
}

/// The Avro type of a column.
fn avro(kind: &str) -> Value {
    match kind {
        "bigint" => json!("long"),
        "integer" => json!("int"),
        "boolean" => json!("boolean"),
        "numeric" => json!({"logicalType": "decimal", "precision": 12, "scale": 2, "type": "bytes"}),
        "date" => json!({"logicalType": "date", "type": "int"}),
        "timestamp with time zone" => json!({"logicalType": "timestamp-micros", "type": "long"}),
        _ => json!("string"),
    }
}
