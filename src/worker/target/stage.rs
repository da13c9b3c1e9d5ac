//! The staging table of a subscription: the rows of the snapshot that is being taken, as text.
//!
//! Always holds: what a row says is kept to the last letter and is given its types only when it goes into the target's table, so
//! one that the table refuses can be told from the others. Not here: when (`load.rs`), where to (`exchange.rs`).

use sqlx::postgres::PgConnection;
use sqlx::{AssertSqlSafe, Executor as _};

use super::error::DeliveryError;
use super::wanted::Subscription;
use crate::worker::handover::Column;

/// A staging table.
pub(super) struct Stage {
    pub(super) name: String,
    form: Form,
}

/// What its rows are.
enum Form {
    /// The fields of the source, a column each: `c1`, `c2`, ...
    Plain(Vec<String>),
    /// What the transforms made: an object of texts; or the source's row, and the reason why they made nothing.
    Shaped,
}

impl Stage {
    /// The staging table for rows of these columns.
    pub(super) fn of(subscription: &Subscription, columns: &[Column], shaped: bool) -> Self {
        let name = format!("pumphouse_delivery.\"stage_{}\"", subscription.id.replace('-', ""));
        let names = || columns.iter().map(|column| column.name.clone()).collect();
        Self { name, form: if shaped { Form::Shaped } else { Form::Plain(names()) } }
    }

    /// Makes it, empty.
    pub(super) async fn make(&self, connection: &mut PgConnection) -> Result<(), DeliveryError> {
        self.drop(connection).await?;
        let columns = match &self.form {
            Form::Plain(names) => (1..=names.len()).map(|place| format!("c{place} text")).collect::<Vec<_>>().join(", "),
            Form::Shaped => "reason text, record jsonb".to_owned(),
        };
        let sql = format!("create table {} (n bigint generated always as identity primary key, {columns})", self.name);
        connection.execute(AssertSqlSafe(sql)).await?;
        Ok(())
    }

    /// Removes it.
    pub(super) async fn drop(&self, connection: &mut PgConnection) -> Result<(), DeliveryError> {
        connection.execute(AssertSqlSafe(format!("drop table if exists {}", self.name))).await?;
        Ok(())
    }

    /// The statement that takes rows in as CSV.
    pub(super) fn copy(&self) -> String {
        let columns = match &self.form {
            Form::Plain(names) => (1..=names.len()).map(|place| format!("c{place}")).collect::<Vec<_>>().join(", "),
            Form::Shaped => "reason, record".to_owned(),
        };
        format!("copy {} ({columns}) from stdin (format csv)", self.name)
    }

    /// The text of a field, as SQL; null for one that a row does not have.
    pub(super) fn text(&self, field: &str) -> String {
        match &self.form {
            Form::Plain(names) => match names.iter().position(|name| name == field) {
                Some(place) => format!("c{}", place + 1),
                None => "null::text".to_owned(),
            },
            Form::Shaped => format!("(record ->> {})", literal(field)),
        }
    }

    /// A whole row as an object of texts, as SQL.
    pub(super) fn record(&self) -> String {
        match &self.form {
            Form::Plain(names) => {
                let (keys, values): (Vec<String>, Vec<String>) =
                    names.iter().enumerate().map(|(place, name)| (literal(name), format!("c{}", place + 1))).unzip();
                format!("jsonb_object(array[{}], array[{}])", keys.join(", "), values.join(", "))
            }
            Form::Shaped => "record".to_owned(),
        }
    }

    /// Which rows are to be delivered, as SQL.
    pub(super) fn sound(&self) -> &'static str {
        match &self.form {
            Form::Plain(_) => "true",
            Form::Shaped => "reason is null",
        }
    }

    /// Whether transforms may have refused rows.
    pub(super) fn is_shaped(&self) -> bool {
        matches!(self.form, Form::Shaped)
    }
}

/// A text inside SQL.
pub(super) fn literal(text: &str) -> String {
    // The E form reads the same whatever the server's settings are.
    format!("E'{}'", text.replace('\\', "\\\\").replace('\'', "''"))
}
