//! What a broken key or reference of the database means to a client.
//!
//! Always holds: every unique key that a client's input can break is named here, with the input's field;
//! a test compares the list with the database. Not here: rules that are checked before writing.

use serde_json::json;
use sqlx::postgres::PgDatabaseError;

use crate::core::error::{Code, Error};
use crate::core::refusals::EMAIL_TAKEN;

/// The key that a transaction may ask to be held at its end only, and what is said where it is broken.
pub(crate) const TARGET_TABLE: &str = "subscription_datamodel_id_target_connector_id_target_table_key";
pub(crate) const TABLE_TAKEN: &str = "This datamodel is subscribed for this target table already.";

/// The keys, the field whose value is taken, and the sentence.
pub const KEYS: &[(&str, &str, &str)] = &[
    ("connector_env_id_name_key", "name", "A connector of this env has this name already."),
    ("pipeline_env_id_name_key", "name", "A pipeline of this env has this name already."),
    ("team_env_id_name_key", "name", "A team of this env has this name already."),
    ("user_email_key", "email", EMAIL_TAKEN),
    ("env_member_user_id_env_id_key", "userId", "This user is a member of this env already."),
    ("team_member_user_id_team_id_key", "userId", "This user is a member of this team already."),
    ("env_request_pending_key", "email", "A request or invitation for this user and env is pending already."),
    ("team_request_pending_key", "email", "A request or invitation for this user and team is pending already."),
    (TARGET_TABLE, "targetTableName", TABLE_TAKEN),
    ("service_account_memberships", "userId", "This user is a service account, whose memberships follow its grants; change those."),
    ("sync_run_syncing_key", "connectorId", "A sync of this connector is under way already."),
];

/// What a broken key or reference means; none for the other errors of the database.
pub(crate) fn broken(error: &PgDatabaseError) -> Option<Error> {
    // The rules that a trigger keeps are broken by name too.
    clash(error.constraint()?).or_else(|| match error.code() {
        "23503" | "23001" => reference(error.table()?, error.constraint()?, error.detail()?),
        _ => None,
    })
}

/// The field and the sentence for a broken key that a client can do something about.
fn clash(constraint: &str) -> Option<Error> {
    let (_, field, message) = KEYS.iter().find(|(name, ..)| *name == constraint)?;
    Some(Error::conflict(*message).field(*field))
}

/// A row of `table` refers to what is not there, or keeps from going away what it refers to. PostgreSQL names the same
/// table and constraint either way; the end of its detail names the missing row's table, or this one again, whatever
/// language it speaks.
fn reference(table: &str, constraint: &str, detail: &str) -> Option<Error> {
    let end = detail.rsplit(')').next()?;
    if end.split(|letter: char| !letter.is_alphanumeric() && letter != '_').any(|word| word == table) {
        let kind = table.replace('_', " ");
        return Some(
            Error::conflict(format!("It is still referred to by a {kind}, which is in the way.")).details(json!({"inTheWay": kind})),
        );
    }
    let columns = constraint.strip_prefix(table)?.strip_prefix('_')?.strip_suffix("_fkey")?;
    // The first of several columns is the reference; the others are mirrors.
    let column = columns.split_once("_id_").map_or_else(|| columns.to_owned(), |(column, _)| format!("{column}_id"));
    Some(Error::new(Code::NotFound, "What this field refers to does not exist.").field(camel(&column)))
}

/// `team_id` becomes `teamId`.
fn camel(name: &str) -> String {
    let mut words = name.split('_');
    let first = words.next().unwrap_or_default().to_owned();
    words.fold(first, |name, word| {
        let mut letters = word.chars();
        letters.next().map_or(name.clone(), |letter| name + &letter.to_uppercase().to_string() + letters.as_str())
    })
}
