//! `EntityType`: the entities whose changes are announced, as an enum of the graph.
//!
//! Always holds: its values are read from the list of entities, so a new one is there by being in that list.

use std::borrow::Cow;

use async_graphql::indexmap::IndexMap;
use async_graphql::parser::types::Field;
use async_graphql::registry::{MetaEnumValue, MetaType, MetaTypeId, Registry};
use async_graphql::{ContextSelectionSet, InputType, InputValueError, InputValueResult, Name, OutputType, Positioned, ServerResult, Value};

use crate::core::entity::description;
use crate::core::live::SeenVersion;
use crate::graph::node::{ENTITIES, ErasedEntity, entity_at};

/// An entity whose changes are announced, by its place among all.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EntityType(u8);

impl EntityType {
    /// All of them.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..=u8::MAX)
            .map_while(|place| ENTITIES.get(usize::from(place)).map(|entity| (place, entity)))
            .filter_map(|(place, entity)| entity.is_announced().then_some(Self(place)))
    }

    /// The one in this place.
    pub(crate) fn at(place: u8) -> Option<Self> {
        ENTITIES.get(usize::from(place)).map(|_| Self(place))
    }

    pub(crate) fn of_name(name: &str) -> Option<Self> {
        Self::all().find(|kind| kind.entity().name() == name)
    }

    /// The one whose notices name this table.
    pub(crate) fn of_table(table: &str) -> Option<Self> {
        Self::all().find(|kind| kind.table() == table)
    }

    pub(crate) fn entity(self) -> &'static dyn ErasedEntity {
        entity_at(self.0)
    }

    /// Its table, as notices name it.
    pub(crate) fn table(self) -> &'static str {
        self.entity().table().trim_matches('"')
    }

    /// What to remember of a row of this version.
    pub(crate) fn mark(self, version: i64) -> SeenVersion {
        SeenVersion(self.0, version)
    }

    /// `PipelineSubscription` is `PIPELINE_SUBSCRIPTION`.
    fn value(self) -> String {
        let mut value = String::new();
        for letter in self.entity().name().chars() {
            if letter.is_uppercase() && !value.is_empty() {
                value.push('_');
            }
            value.extend(letter.to_uppercase());
        }
        value
    }

    fn register(_registry: &mut Registry) -> MetaType {
        let values = Self::all().map(|kind| {
            let mut value = MetaEnumValue::new(kind.value());
            value.description = Some(description(kind.entity().description()));
            (value.name.clone(), value)
        });
        MetaType::Enum {
            name: "EntityType".to_owned(),
            description: Some("The types of rows whose changes are announced.".to_owned()),
            enum_values: values.collect::<IndexMap<_, _>>(),
            visible: None,
            inaccessible: false,
            tags: Vec::new(),
            rust_typename: Some(std::any::type_name::<Self>()),
            directive_invocations: Vec::new(),
            requires_scopes: Vec::new(),
        }
    }
}

impl InputType for EntityType {
    type RawValueType = Self;

    fn type_name() -> Cow<'static, str> {
        "EntityType".into()
    }

    fn create_type_info(registry: &mut Registry) -> String {
        registry.create_input_type::<Self, _>(MetaTypeId::Enum, Self::register)
    }

    fn parse(value: Option<Value>) -> InputValueResult<Self> {
        let name = match &value {
            Some(Value::Enum(name)) => name.as_str(),
            Some(Value::String(name)) => name.as_str(),
            _ => return Err(InputValueError::expected_type(value.unwrap_or_default())),
        };
        Self::all()
            .find(|kind| kind.value() == name)
            .ok_or_else(|| InputValueError::custom(format!("`{name}` is no type of rows whose changes are announced")))
    }

    fn to_value(&self) -> Value {
        Value::Enum(Name::new(self.value()))
    }

    fn as_raw_value(&self) -> Option<&Self> {
        Some(self)
    }
}

impl OutputType for EntityType {
    fn type_name() -> Cow<'static, str> {
        "EntityType".into()
    }

    fn create_type_info(registry: &mut Registry) -> String {
        registry.create_output_type::<Self, _>(MetaTypeId::Enum, Self::register)
    }

    async fn resolve(&self, _ctx: &ContextSelectionSet<'_>, _field: &Positioned<Field>) -> ServerResult<Value> {
        Ok(self.to_value())
    }
}
