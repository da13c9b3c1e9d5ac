//! Cursors: read as those of a list, whatever they are.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use pumphouse::access::{Team, User};
use pumphouse::core::sql::Bind;
use pumphouse::operations::{SyncTable, UserLog};
use pumphouse::pipelines::{Pipeline, Worker};
use pumphouse::server::fuzz::{can_be_bound, cursor_of, read_cursor};
use pumphouse::throughput::ProductionMetricDaily;
use serde_json::Value;

type Read = fn(&str, usize) -> Option<Vec<Bind>>;

/// Lists with columns of all kinds.
const LISTS: &[Read] = &[
    read_cursor::<Pipeline>,
    read_cursor::<Worker>,
    read_cursor::<SyncTable>,
    read_cursor::<UserLog>,
    read_cursor::<ProductionMetricDaily>,
    read_cursor::<Team>,
    read_cursor::<User>,
];

/// The first two bytes choose a list and the column of its order; a third that is even says that the rest is the cursor as it
/// came, and else what stands in it, behind the mark of the list. What is read is written and read again as the same, can be bound,
/// and is of no other list.
pub fn hold(data: &[u8]) {
    let [list, column, form, rest @ ..] = data else { return };
    let Some(read) = LISTS.get(usize::from(*list) % LISTS.len()) else { return };
    let column = usize::from(*column);
    let Ok(rest) = std::str::from_utf8(rest) else { return };
    let cursor = if form.is_multiple_of(2) { rest.to_owned() } else { marked(rest) };
    let Some(values) = read(&cursor, column) else { return };
    let written = cursor_of(&values);
    assert_eq!(read(&written, column).as_ref(), Some(&values), "{written} is read as something else");
    assert_eq!(cursor_of(&values), written);
    assert!(can_be_bound(&values), "{values:?} cannot be bound");
    for value in &values {
        assert!(is_storable(value), "{value:?} is beyond PostgreSQL");
    }
    assert!(read(&foreign(&written), column).is_none(), "a cursor of another list is read");
    assert!(read(&cursor_of(&values[..values.len() - 1]), column).is_none(), "a cursor with too few values is read");
}

/// What PostgreSQL can hold: any other value would fail in the statement, as a fault of ours.
fn is_storable(value: &Bind) -> bool {
    let years = |year: i32| (-4712..=262_143).contains(&year);
    match value {
        Bind::Text(text) => !text.contains('\0'),
        Bind::Time(time) => years(time.format("%Y").to_string().parse().unwrap_or(i32::MAX)),
        Bind::Date(day) => years(day.format("%Y").to_string().parse().unwrap_or(i32::MAX)),
        _ => true,
    }
}

fn marked(values: &str) -> String {
    let mark = String::from_utf8(URL_SAFE_NO_PAD.decode(cursor_of(&[])).unwrap()).unwrap();
    URL_SAFE_NO_PAD.encode(mark.replace(']', &format!(",{values}]")))
}

/// The same values with the mark of another list.
fn foreign(cursor: &str) -> String {
    let mut parts: Vec<Value> = serde_json::from_slice(&URL_SAFE_NO_PAD.decode(cursor).unwrap()).unwrap();
    parts[0] = "AAAAAAAA".into();
    URL_SAFE_NO_PAD.encode(Value::Array(parts).to_string())
}
