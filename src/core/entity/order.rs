//! `orderBy` of a list: an input object and an enum per entity, read from its columns.

use std::borrow::Cow;

use async_graphql::indexmap::IndexMap;
use async_graphql::registry::{EnumBuilder, InputObjectBuilder, MetaEnumValue, MetaInputValue, MetaTypeId, Registry};
use async_graphql::{Enum, InputType, InputValueError, InputValueResult, Name, Value};

use crate::core::entity::{Column, Entity, description};

/// The direction of an order.
#[derive(Enum, Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[graphql(name = "OrderDirection")]
pub enum Direction {
    /// Smallest first; what is missing comes last.
    Asc,
    /// Largest first; what is missing comes first.
    Desc,
}

/// A column that lists of `E` can be ordered by.
pub struct OrderField<E: Entity>(pub(crate) &'static Column<E>);

/// One step of an order.
pub struct Order<E: Entity> {
    pub(crate) column: &'static Column<E>,
    pub(crate) direction: Direction,
}

impl<E: Entity> Clone for Order<E> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<E: Entity> Copy for Order<E> {}

fn enum_name<E: Entity>() -> String {
    format!("{}OrderField", E::NAME)
}

/// `createdAt` becomes `CREATED_AT`.
fn upper(name: &str) -> String {
    let mut upper = String::with_capacity(name.len() + 4);
    for letter in name.chars() {
        if letter.is_ascii_uppercase() {
            upper.push('_');
        }
        upper.push(letter.to_ascii_uppercase());
    }
    upper
}

impl<E: Entity> InputType for OrderField<E> {
    type RawValueType = Self;

    fn type_name() -> Cow<'static, str> {
        enum_name::<E>().into()
    }

    fn create_type_info(registry: &mut Registry) -> String {
        registry.create_input_type::<Self, _>(MetaTypeId::Enum, |_| {
            let mut values = IndexMap::new();
            for column in E::COLUMNS.iter().filter(|column| column.flags.order) {
                let mut value = MetaEnumValue::new(upper(column.name));
                value.description = Some(description(column.description));
                values.insert(upper(column.name), value);
            }
            EnumBuilder::new(enum_name::<E>(), values)
                .description(Some(format!("What lists of {} can be ordered by.", E::NAME)))
                .rust_typename(std::any::type_name::<Self>())
                .build()
        })
    }

    fn parse(value: Option<Value>) -> InputValueResult<Self> {
        let name = match &value {
            Some(Value::Enum(name)) => name.as_str(),
            Some(Value::String(name)) => name.as_str(),
            _ => return Err(InputValueError::expected_type(value.unwrap_or_default())),
        };
        E::COLUMNS
            .iter()
            .find(|column| column.flags.order && upper(column.name) == name)
            .map(Self)
            .ok_or_else(|| InputValueError::custom(format!("{} has no value {name}", enum_name::<E>())))
    }

    fn to_value(&self) -> Value {
        Value::Enum(Name::new(upper(self.0.name)))
    }

    fn as_raw_value(&self) -> Option<&Self> {
        Some(self)
    }
}

impl<E: Entity> InputType for Order<E> {
    type RawValueType = Self;

    fn type_name() -> Cow<'static, str> {
        format!("{}Order", E::NAME).into()
    }

    fn create_type_info(registry: &mut Registry) -> String {
        registry.create_input_type::<Self, _>(MetaTypeId::InputObject, |registry| {
            let mut field = MetaInputValue::new("field", OrderField::<E>::create_type_info(registry));
            field.description = Some("What to order by.".to_owned());
            let mut direction = MetaInputValue::new("direction", Direction::create_type_info(registry));
            direction.description = Some("Smallest or largest first.".to_owned());
            direction.default_value = Some("ASC".to_owned());
            InputObjectBuilder::new(
                Self::type_name(),
                IndexMap::from_iter([("field".to_owned(), field), ("direction".to_owned(), direction)]),
            )
            .description(Some(format!("One step of the order of a list of {}.", E::NAME)))
            .rust_typename(std::any::type_name::<Self>())
            .build()
        })
    }

    fn parse(value: Option<Value>) -> InputValueResult<Self> {
        let Some(Value::Object(mut map)) = value else { return Err(InputValueError::expected_type(value.unwrap_or_default())) };
        let column = OrderField::<E>::parse(map.swap_remove("field")).map_err(InputValueError::propagate)?.0;
        let direction = match map.swap_remove("direction") {
            None => Direction::Asc,
            given => Direction::parse(given).map_err(InputValueError::propagate)?,
        };
        Ok(Self { column, direction })
    }

    fn to_value(&self) -> Value {
        Value::Object(IndexMap::from_iter([
            (Name::new("field"), OrderField(self.column).to_value()),
            (Name::new("direction"), InputType::to_value(&self.direction)),
        ]))
    }

    fn as_raw_value(&self) -> Option<&Self> {
        Some(self)
    }
}
