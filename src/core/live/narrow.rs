//! What the filters of live fields have in common: ids in bounded lists, and the team or env that owns.

use uuid::Uuid;

use crate::core::error::{Error, Result};
use crate::core::id::Id;
use crate::core::sql::Sql;
use crate::core::viewer::Owner;

/// The most ids of a kind that a filter lists.
const MOST_IDS: usize = 500;

/// Refuses lists that are too long; each is given by its length, where there is one.
pub(crate) fn check_lists(lengths: &[Option<usize>]) -> Result<()> {
    if lengths.iter().flatten().any(|length| *length > MOST_IDS) {
        return Err(Error::validation(format!("A filter lists at most {MOST_IDS} ids of a kind.")).field("filter"));
    }
    Ok(())
}

/// Narrows a statement to the rows whose `column` holds one of these ids, where there are any given.
pub(crate) fn one_of(sql: &mut Sql, column: &str, ids: Option<Vec<Uuid>>) {
    if let Some(ids) = ids {
        sql.push(&format!(" and {column} = any("));
        sql.bind(ids);
        sql.push(")");
    }
}

/// The bare ids of a list.
pub(crate) fn uuids<E>(ids: Option<&[Id<E>]>) -> Option<Vec<Uuid>> {
    ids.map(|ids| ids.iter().map(|id| id.uuid()).collect())
}

/// Whether the team and the env asked for, where they are, are among the owners.
pub(crate) fn owned_by<T, E>(owners: &[Owner], team: Option<Id<T>>, env: Option<Id<E>>) -> bool {
    team.is_none_or(|team| owners.iter().any(|owner| owner.team == Some(team.uuid())))
        && env.is_none_or(|env| owners.iter().any(|owner| owner.env == Some(env.uuid())))
}
