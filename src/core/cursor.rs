//! Keyset cursors: where a row stands in one order of one list.
//!
//! Always holds: a cursor carries the values of the order's columns and a mark of the list it came
//! from; one from another list, filter or order is refused, never misread.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use sha2::{Digest as _, Sha256};

use crate::core::entity::{Column, Direction, Entity, Order, push_column};
use crate::core::sql::{Bind, Sql};
use crate::core::viewer::Viewer;

/// The values of the order's columns at one row.
pub(crate) type Position = Vec<Bind>;

/// The longest cursor that is read, in bytes.
const LONGEST: usize = 65_536;

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
    let sound = position.iter().zip(order).all(|(bind, step)| match bind {
        Bind::Null => can_be_null(step.column),
        Bind::Text(text) => !text.contains('\0'),
        _ => true,
    });
    sound.then_some(position)
}

/// Whether the column can be null in a row, or for a viewer who sees the row in outline.
fn can_be_null<E: Entity>(column: &Column<E>) -> bool {
    column.nullable || column.flags.outlined
}

/// Which side of a position a row lies on.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Side {
    /// It comes later in the order.
    After,
    /// It comes earlier in the order.
    Before,
    /// It comes earlier, or stands right at the position.
    UpTo,
    /// It comes later, or stands right at the position.
    From,
}

/// Writes "the row `t` lies on this side of the position in the order".
pub(crate) fn lies<E: Entity>(sql: &mut Sql, viewer: &Viewer, order: &[Order<E>], position: &Position, side: Side) {
    let before = matches!(side, Side::Before | Side::UpTo);
    let inclusive = matches!(side, Side::UpTo | Side::From);
    let steps: Vec<Step<'_, E>> = order
        .iter()
        .zip(position)
        .map(|(step, value)| Step { viewer, column: step.column, down: (step.direction == Direction::Desc) != before, value })
        .collect();
    let down = steps.first().is_some_and(|step| step.down);
    if steps.iter().all(|step| !can_be_null(step.column) && step.down == down) {
        // A row comparison, which an index on these columns answers.
        let columns: Vec<String> = steps.iter().map(|step| format!("t.{}", step.column.sql)).collect();
        sql.push(&format!("({}) {}{} (", columns.join(", "), if down { '<' } else { '>' }, if inclusive { "=" } else { "" }));
        for (index, step) in steps.iter().enumerate() {
            sql.push(if index > 0 { ", " } else { "" });
            step.value.push(sql);
        }
        sql.push(")");
        return;
    }
    let last = if inclusive { steps.len() } else { steps.len().saturating_sub(1) };
    sql.push("(");
    for index in 0..=last {
        sql.push(if index > 0 { " or (" } else { "(" });
        for (place, step) in steps.iter().enumerate().take(index + 1) {
            sql.push(if place > 0 { " and " } else { "" });
            if place < index { step.equal(sql) } else { step.strictly_beyond(sql) }
        }
        sql.push(")");
    }
    sql.push(")");
}

/// One step of an order at a position.
struct Step<'a, E: Entity> {
    viewer: &'a Viewer,
    column: &'static Column<E>,
    down: bool,
    value: &'a Bind,
}

impl<E: Entity> Step<'_, E> {
    fn compare(&self, sql: &mut Sql, operator: &str) {
        push_column(sql, self.viewer, self.column);
        sql.push(operator);
    }

    fn equal(&self, sql: &mut Sql) {
        if *self.value == Bind::Null {
            self.compare(sql, " is null");
        } else {
            self.compare(sql, " = ");
            self.value.push(sql);
        }
    }

    /// Upwards nulls come last, downwards first.
    fn strictly_beyond(&self, sql: &mut Sql) {
        match (self.down, self.value) {
            (false, Bind::Null) => sql.push("false"),
            (true, Bind::Null) => self.compare(sql, " is not null"),
            (true, value) => {
                self.compare(sql, " < ");
                value.push(sql);
            }
            (false, value) => {
                sql.push("(");
                self.compare(sql, " > ");
                value.push(sql);
                if can_be_null(self.column) {
                    sql.push(" or ");
                    self.compare(sql, " is null");
                }
                sql.push(")");
            }
        }
    }
}
