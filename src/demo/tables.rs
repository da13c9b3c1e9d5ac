//! The tables of the shop as its datamodels, schemas and syncs know them.
//!
//! Always holds: names, types and keys are those of `shop.sql`, and the counts are near what `analyze` finds
//! there (a test compares). The order is that of a sync: small ones first, then the large one.

use Mark::{Key, Optional, Required};
use serde_json::{Value, json};

/// A table of the shop.
pub(super) struct Table {
    /// Its name without the schema.
    pub(super) name: &'static str,
    /// About how many rows it has.
    pub(super) rows: i64,
    /// Its columns: name, type, and whether they may be null.
    pub(super) columns: &'static [(&'static str, &'static str, Mark)],
}

/// What a column is to its table.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Mark {
    /// A part of the primary key.
    Key,
    /// Never null.
    Required,
    /// May be null.
    Optional,
}

impl Table {
    /// Its full name, as a sync names it.
    pub(super) fn full_name(&self) -> String {
        format!("public.{}", self.name)
    }

    /// The configuration of its datamodel.
    pub(super) fn config(&self) -> Value {
        let fields = self
            .columns
            .iter()
            .map(|(name, kind, mark)| json!({"name": name, "type": kind, "key": *mark == Key, "nullable": *mark == Optional}));
        json!({"table": self.full_name(), "fields": fields.collect::<Vec<_>>()})
    }
}

/// The table of this name, where there is one.
pub(super) fn table(name: &str) -> Option<&'static Table> {
    TABLES.iter().find(|table| table.name == name)
}

/// All tables, in the order of a sync.
pub(super) const TABLES: &[Table] = &[
    Table {
        name: "countries",
        rows: 195,
        columns: &[("code", "character", Key), ("name", "character varying", Required), ("vat_percent", "numeric", Required)],
    },
    Table {
        name: "stores",
        rows: 20,
        columns: &[
            ("id", "integer", Key),
            ("name", "character varying", Required),
            ("city", "character varying", Required),
            ("country_code", "character", Required),
            ("email", "character varying", Required),
            ("opened_on", "date", Required),
        ],
    },
    Table {
        name: "products",
        rows: 500,
        columns: &[
            ("id", "bigint", Key),
            ("sku", "character varying", Required),
            ("name", "character varying", Required),
            ("category", "character varying", Required),
            ("description", "text", Optional),
            ("price", "numeric", Required),
            ("weight_grams", "integer", Required),
            ("active", "boolean", Required),
            ("created_at", "timestamp with time zone", Required),
            ("updated_at", "timestamp with time zone", Optional),
        ],
    },
    Table {
        name: "promotions",
        rows: 0,
        columns: &[
            ("id", "bigint", Key),
            ("code", "character varying", Required),
            ("description", "text", Optional),
            ("percent_off", "numeric", Required),
            ("starts_at", "timestamp with time zone", Required),
            ("ends_at", "timestamp with time zone", Optional),
        ],
    },
    Table {
        name: "payroll",
        rows: 240,
        columns: &[
            ("id", "bigint", Key),
            ("employee", "character varying", Required),
            ("store_id", "integer", Required),
            ("monthly_salary", "numeric", Required),
            ("paid_on", "date", Required),
        ],
    },
    Table {
        name: "customers",
        rows: 20_000,
        columns: &[
            ("id", "bigint", Key),
            ("first_name", "character varying", Required),
            ("last_name", "character varying", Required),
            ("email", "character varying", Required),
            ("phone", "character varying", Optional),
            ("city", "character varying", Optional),
            ("country_code", "character", Required),
            ("marketing_consent", "boolean", Required),
            ("note", "text", Optional),
            ("created_at", "timestamp with time zone", Required),
            ("updated_at", "timestamp with time zone", Optional),
        ],
    },
    Table {
        name: "orders",
        rows: 60_000,
        columns: &[
            ("id", "bigint", Key),
            ("customer_id", "bigint", Required),
            ("store_id", "integer", Optional),
            ("status", "character varying", Required),
            ("currency", "character", Required),
            ("total", "numeric", Required),
            ("comment", "text", Optional),
            ("ordered_at", "timestamp with time zone", Required),
            ("updated_at", "timestamp with time zone", Optional),
        ],
    },
    Table {
        name: "payments",
        rows: 60_000,
        columns: &[
            ("id", "bigint", Key),
            ("order_id", "bigint", Required),
            ("method", "character varying", Required),
            ("status", "character varying", Required),
            ("amount", "numeric", Required),
            ("currency", "character", Required),
            ("reference", "character varying", Required),
            ("paid_at", "timestamp with time zone", Optional),
        ],
    },
    Table {
        name: "order_items",
        rows: 300_000,
        columns: &[
            ("order_id", "bigint", Key),
            ("line_no", "integer", Key),
            ("product_id", "bigint", Required),
            ("quantity", "integer", Required),
            ("unit_price", "numeric", Required),
            ("discount", "numeric", Required),
        ],
    },
];
