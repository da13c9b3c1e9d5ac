//! Keyset cursors: where a row stands in one order of one list.
//!
//! Always holds: a cursor carries the values of the order's columns and a mark of the list it came
//! from; one from another list, filter or order is refused, never misread.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use sha2::{Digest as _, Sha256};

use crate::core::entity::{Direction, Entity, Order};
use crate::core::sql::{Bind, Sql};

/// The values of the order's columns at one row.
pub(crate) type Position = Vec<Bind>;

/// The longest cursor that is read, in bytes.
const LONGEST: usize = 8_192;

/// Six bytes that tell the list apart from others.
fn mark(list: &str) -> String {
    let digest = Sha256::digest(list.as_bytes());
    URL_SAFE_NO_PAD.encode(digest.get(..6).unwrap_or_default())
}

/// The cursor of a row with these values.
pub(crate) fn write(list: &str, values: &[Bind]) -> String {
    let mut parts = vec![serde_json::Value::String(mark(list))];
    parts.extend(values.iter().map(Bind::to_json));
    URL_SAFE_NO_PAD.encode(serde_json::Value::Array(parts).to_string())
}

/// Reads a cursor of this list; none when it is not one.
pub(crate) fn read<E: Entity>(text: &str, list: &str, order: &[Order<E>]) -> Option<Position> {
    if text.len() > LONGEST {
        return None;
    }
    let bytes = URL_SAFE_NO_PAD.decode(text).ok()?;
    let parts: Vec<serde_json::Value> = serde_json::from_slice(&bytes).ok()?;
    let (first, values) = parts.split_first()?;
    if first.as_str()? != mark(list) || values.len() != order.len() {
        return None;
    }
    let position: Position =
        order.iter().zip(values).map(|(step, value)| Bind::from_json(step.column.kind, value)).collect::<Option<_>>()?;
    // PostgreSQL's text knows no NUL.
    let sound = position.iter().all(|bind| !matches!(bind, Bind::Text(text) if text.contains('\0')));
    sound.then_some(position)
}

/// Writes "the row `t` comes after this position", or before it, in the order.
pub(crate) fn beyond<E: Entity>(sql: &mut Sql, order: &[Order<E>], position: &Position, before: bool) {
    let steps: Vec<_> =
        order.iter().zip(position).map(|(step, value)| (step.column, (step.direction == Direction::Desc) != before, value)).collect();
    let one_way = steps.iter().all(|(column, down, _)| !column.nullable && Some(*down) == steps.first().map(|first| first.1));
    if one_way {
        // A row comparison, which an index on these columns answers.
        let columns: Vec<String> = steps.iter().map(|(column, ..)| format!("t.{}", column.sql)).collect();
        sql.push(&format!("({}) {} (", columns.join(", "), if steps.first().is_some_and(|first| first.1) { '<' } else { '>' }));
        for (index, (.., value)) in steps.iter().enumerate() {
            sql.push(if index > 0 { ", " } else { "" });
            value.push(sql);
        }
        sql.push(")");
        return;
    }
    sql.push("(");
    for index in 0..steps.len() {
        sql.push(if index > 0 { " or (" } else { "(" });
        for (place, (column, down, value)) in steps.iter().enumerate().take(index + 1) {
            sql.push(if place > 0 { " and " } else { "" });
            if place < index {
                equal(sql, column.sql, value);
            } else {
                strictly_beyond(sql, column.sql, *down, column.nullable, value);
            }
        }
        sql.push(")");
    }
    sql.push(")");
}

fn equal(sql: &mut Sql, column: &str, value: &Bind) {
    if *value == Bind::Null {
        sql.push(&format!("t.{column} is null"));
    } else {
        sql.push(&format!("t.{column} = "));
        value.push(sql);
    }
}

/// Upwards nulls come last, downwards first.
fn strictly_beyond(sql: &mut Sql, column: &str, down: bool, nullable: bool, value: &Bind) {
    match (down, value) {
        (false, Bind::Null) => sql.push("false"),
        (true, Bind::Null) => sql.push(&format!("t.{column} is not null")),
        (true, _) => {
            sql.push(&format!("t.{column} < "));
            value.push(sql);
        }
        (false, _) => {
            sql.push(&format!("(t.{column} > "));
            value.push(sql);
            sql.push(&if nullable { format!(" or t.{column} is null)") } else { ")".to_owned() });
        }
    }
}
