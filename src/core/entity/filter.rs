//! `filter` of a list: an input object per entity, read from its columns.
//!
//! Every given field narrows the list further. `ids` and `xIn` take at most 500 values; `search` matches
//! any part of the searched columns whatever the case.

use std::borrow::Cow;

use async_graphql::indexmap::IndexMap;
use async_graphql::registry::{InputObjectBuilder, MetaInputValue, MetaTypeId, Registry};
use async_graphql::{InputType, InputValueError, InputValueResult, Value};

use crate::core::email::folded;
use crate::core::entity::{Column, Entity, description, push_column};
use crate::core::refusals::NO_NUL;
use crate::core::sql::{Bind, Kind, Sql};
use crate::core::viewer::Viewer;
use crate::core::violations::normal;

/// The most values that a condition may list.
const MOST_VALUES: usize = 500;
/// The longest text to search for, in characters.
const LONGEST_SEARCH: usize = 200;

/// What a list is narrowed to.
pub struct Filter<E: Entity>(Vec<Condition<E>>);

enum Condition<E: Entity> {
    /// The column has one of these values.
    OneOf(&'static Column<E>, Vec<Bind>),
    /// The column is at or after this value.
    From(&'static Column<E>, Bind),
    /// The column is before this value.
    Before(&'static Column<E>, Bind),
    /// A searched column contains the text, whatever the case.
    Contains(String),
}

impl<E: Entity> Default for Filter<E> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<E: Entity> Filter<E> {
    /// Only rows that contain this text in a searched column.
    pub(crate) fn containing(text: &str) -> Result<Self, String> {
        containing(text).map(|condition| Self(vec![condition]))
    }

    /// Appends the conditions on alias `t`, each begun with `and`.
    pub(crate) fn write(&self, sql: &mut Sql, viewer: &Viewer) {
        for condition in &self.0 {
            sql.push(" and ");
            match condition {
                Condition::OneOf(column, values) => one_of(sql, viewer, column, values),
                Condition::From(column, value) => {
                    push_column(sql, viewer, column);
                    sql.push(" >= ");
                    value.push(sql);
                }
                Condition::Before(column, value) => {
                    push_column(sql, viewer, column);
                    sql.push(" < ");
                    value.push(sql);
                }
                // The empty text is part of every text, and does not narrow.
                Condition::Contains(text) if text.is_empty() => sql.push("true"),
                Condition::Contains(text) => {
                    let pattern = format!("%{}%", text.replace('\\', "\\\\").replace('%', "\\%").replace('_', "\\_"));
                    sql.push("(");
                    for (index, column) in E::COLUMNS.iter().filter(|column| column.flags.search).enumerate() {
                        sql.push(if index > 0 { " or " } else { "" });
                        // The database's idea of lower case on both sides.
                        sql.push("lower(");
                        push_column(sql, viewer, column);
                        sql.push(") like lower(");
                        sql.bind(pattern.clone());
                        sql.push(")");
                    }
                    sql.push(")");
                }
            }
        }
    }

    /// Whether rows are searched for a text.
    pub(crate) fn searches(&self) -> bool {
        self.0.iter().any(|condition| matches!(condition, Condition::Contains(text) if !text.is_empty()))
    }

    /// A text that is equal for equal filters, in whatever order they are written; cursors and loaders
    /// are bound to it.
    pub(crate) fn fingerprint(&self) -> String {
        let mut texts: Vec<String> = self
            .0
            .iter()
            .map(|condition| match condition {
                Condition::OneOf(column, values) => format!("={:?}{values:?}", column.sql),
                Condition::From(column, value) => format!(">{:?}{value:?}", column.sql),
                Condition::Before(column, value) => format!("<{:?}{value:?}", column.sql),
                Condition::Contains(search) => format!("~{search:?}"),
            })
            .collect();
        texts.sort_unstable();
        texts.concat()
    }
}

fn one_of<E: Entity>(sql: &mut Sql, viewer: &Viewer, column: &Column<E>, values: &[Bind]) {
    sql.push(if column.kind == Kind::Bool { "coalesce(" } else { "" });
    push_column(sql, viewer, column);
    sql.push(if column.kind == Kind::Bool { ", false) = " } else { " = " });
    match values {
        [value] => value.push(sql),
        _ if column.kind == Kind::Uuid => {
            sql.push("any(");
            sql.bind(values.iter().filter_map(|value| if let Bind::Uuid(id) = value { Some(*id) } else { None }).collect::<Vec<_>>());
            sql.push(")");
        }
        _ => {
            sql.push("any(");
            sql.bind(
                values.iter().filter_map(|value| if let Bind::Text(text) = value { Some(text.clone()) } else { None }).collect::<Vec<_>>(),
            );
            sql.push(")");
        }
    }
}

fn containing<E: Entity>(text: &str) -> Result<Condition<E>, String> {
    if text.chars().count() > LONGEST_SEARCH {
        return Err(format!("A search is for a text of at most {LONGEST_SEARCH} characters."));
    }
    if text.contains('\0') {
        return Err(NO_NUL.to_owned());
    }
    Ok(Condition::Contains(normal(text)))
}

/// Whether a set of values makes sense for the column.
fn takes_sets<E>(column: &Column<E>) -> bool {
    matches!(column.kind, Kind::Uuid | Kind::Text)
}

/// What rows can be filtered by.
fn filtered<E: Entity>() -> impl Iterator<Item = &'static Column<E>> {
    E::COLUMNS.iter().chain(E::CONDITIONS)
}

fn searched<E: Entity>() -> Vec<&'static str> {
    E::COLUMNS.iter().filter(|column| column.flags.search).map(|column| column.name).collect()
}

impl<E: Entity> InputType for Filter<E> {
    type RawValueType = Self;

    fn type_name() -> Cow<'static, str> {
        format!("{}Filter", E::NAME).into()
    }

    fn create_type_info(registry: &mut Registry) -> String {
        registry.create_input_type::<Self, _>(MetaTypeId::InputObject, |registry| {
            let mut fields = IndexMap::new();
            let mut add = |name: String, ty: String, about: String| {
                let mut value = MetaInputValue::new(name.clone(), ty);
                value.description = Some(about);
                fields.insert(name, value);
            };
            let id = <Option<async_graphql::ID> as InputType>::create_type_info(registry);
            add("ids".to_owned(), format!("[{id}!]"), format!("Only rows with one of these ids; at most {MOST_VALUES}."));
            if !searched::<E>().is_empty() {
                let text = <Option<String> as InputType>::create_type_info(registry);
                add(
                    "search".to_owned(),
                    text,
                    format!("Only rows whose {} contains this text, whatever the case.", searched::<E>().join(" or ")),
                );
            }
            for column in filtered::<E>() {
                let mut about = description(column.description);
                if column.flags.email {
                    about.push_str(" Whatever the case.");
                }
                if column.flags.filter {
                    let ty = (column.input)(registry);
                    if takes_sets(column) {
                        add(
                            format!("{}In", column.name),
                            format!("[{ty}!]"),
                            format!("Only rows where this is one of the given values, at most {MOST_VALUES}: {about}"),
                        );
                    }
                    add(column.name.to_owned(), ty, format!("Only rows where this is equal: {about}"));
                }
                if column.flags.range {
                    let ty = (column.input)(registry);
                    add(
                        format!("{}From", column.name),
                        ty.clone(),
                        format!("Only rows where this is at or after the given value: {about}"),
                    );
                    add(format!("{}Before", column.name), ty, format!("Only rows where this is before the given value: {about}"));
                }
            }
            InputObjectBuilder::new(Self::type_name(), fields)
                .description(Some(format!("Narrows a list of {}. All given conditions hold together.", E::NAME)))
                .rust_typename(std::any::type_name::<Self>())
                .build()
        })
    }

    fn parse(value: Option<Value>) -> InputValueResult<Self> {
        let map = match value {
            None | Some(Value::Null) => return Ok(Self::default()),
            Some(Value::Object(map)) => map,
            Some(other) => return Err(InputValueError::expected_type(other)),
        };
        let mut conditions = Vec::new();
        for (name, value) in map {
            // A variable that was left out, or set to null, does not narrow.
            if value == Value::Null {
                continue;
            }
            let condition = condition(&name, value)
                .map_err(|error| InputValueError::custom(error).with_extension("field", format!("filter.{name}")))?;
            conditions.push(condition);
        }
        Ok(Self(conditions))
    }

    fn to_value(&self) -> Value {
        Value::Null
    }

    fn as_raw_value(&self) -> Option<&Self> {
        Some(self)
    }
}

/// A value in the forms in which it may be stored: names are normalised, what names things elsewhere is as it was sent.
fn spelled(value: Bind) -> Vec<Bind> {
    let Bind::Text(text) = &value else { return vec![value] };
    let normal = normal(text);
    if normal == *text { vec![value] } else { vec![value, Bind::Text(normal)] }
}

fn condition<E: Entity>(name: &str, value: Value) -> Result<Condition<E>, String> {
    let of = |suffix: &str, flag: fn(&Column<E>) -> bool| {
        let name = name.strip_suffix(suffix)?;
        filtered::<E>().find(|column| column.name == name && flag(column))
    };
    let parse = |column: &Column<E>, value| match (column.parse)(value) {
        Ok(Bind::Text(text)) if text.contains('\0') => Err(NO_NUL.to_owned()),
        Ok(Bind::Text(text)) if column.flags.email => Ok(Bind::Text(folded(&text))),
        parsed => parsed,
    };
    if name == "search" && !searched::<E>().is_empty() {
        return match value {
            Value::String(text) => containing(&text),
            _ => Err("A search is for a text.".to_owned()),
        };
    }
    let set = if name == "ids" { E::COLUMNS.first() } else { of("In", |column| column.flags.filter && takes_sets(column)) };
    if let Some(column) = set {
        let values = match value {
            Value::List(values) => values,
            one => vec![one],
        };
        if values.len() > MOST_VALUES {
            return Err(format!("A condition lists at most {MOST_VALUES} values."));
        }
        let values = values.into_iter().map(|value| parse(column, value)).collect::<Result<Vec<_>, _>>()?;
        return Ok(Condition::OneOf(column, values.into_iter().flat_map(spelled).collect()));
    }
    if let Some(column) = of("", |column| column.flags.filter) {
        return Ok(Condition::OneOf(column, spelled(parse(column, value)?)));
    }
    if let Some(column) = of("From", |column| column.flags.range) {
        return Ok(Condition::From(column, parse(column, value)?));
    }
    if let Some(column) = of("Before", |column| column.flags.range) {
        return Ok(Condition::Before(column, parse(column, value)?));
    }
    Err(format!("{} has no field {name}", <Filter<E> as InputType>::type_name()))
}
