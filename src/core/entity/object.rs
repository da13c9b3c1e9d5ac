//! An entity as an object of the graph, read from its description.
//!
//! Always holds: a column's value needs no future; an error in a nullable field nulls that field
//! alone. async-graphql's derives would write the same once per entity; here it is written once.

use async_graphql::indexmap::IndexMap;
use async_graphql::registry::{MetaField, MetaTypeId, ObjectBuilder, Registry};
use async_graphql::resolver_utils::resolve_container;
use async_graphql::{Context, ContextSelectionSet, ServerResult, Value};

use crate::core::entity::record::Row;
use crate::core::entity::selection::Plan;
use crate::core::entity::{Column, Entity, FieldDef};

/// The text of a doc comment as one paragraph.
#[must_use]
pub fn description(doc: &str) -> String {
    doc.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Registers the object type of `E` and returns its qualified name.
pub fn register<E: Entity>(registry: &mut Registry) -> String {
    registry.create_output_type::<E, _>(MetaTypeId::Object, |registry| {
        let mut fields = IndexMap::new();
        for column in E::COLUMNS {
            let mut field = MetaField::new(column.name, output(column, registry));
            field.description = Some(description(column.description));
            fields.insert(column.name.to_owned(), field);
        }
        add_fields(registry, E::FIELDS, &mut fields);
        add_fields(registry, E::REVERSE, &mut fields);
        registry.add_implements(E::NAME, "Node");
        ObjectBuilder::new(E::NAME, fields).description(Some(description(E::DESCRIPTION))).rust_typename(std::any::type_name::<E>()).build()
    })
}

fn output<E>(column: &Column<E>, registry: &mut Registry) -> String {
    let name = (column.output)(registry);
    if column.flags.outlined { name.trim_end_matches('!').to_owned() } else { name }
}

/// Adds fields to the object being registered.
pub fn add_fields<T>(registry: &mut Registry, defs: &[&dyn FieldDef<T>], fields: &mut IndexMap<String, MetaField>) {
    for def in defs {
        fields.insert(def.name().to_owned(), def.meta(registry));
    }
}

/// The field of this name.
#[must_use]
pub fn find_field<T>(defs: &'static [&'static dyn FieldDef<T>], name: &str) -> Option<&'static dyn FieldDef<T>> {
    defs.iter().find(|def| def.name() == name).copied()
}

/// Resolves one field of a row.
///
/// # Errors
/// What the field's statement answered, when the field is not nullable.
pub async fn resolve_field<E: Entity>(row: &E, ctx: &Context<'_>) -> ServerResult<Option<Value>> {
    let name = ctx.item.node.name.node.as_str();
    if let Some(column) = E::COLUMNS.iter().find(|column| column.name == name) {
        return Ok(Some((column.value)(row)));
    }
    match find_field(E::FIELDS, name).or_else(|| find_field(E::REVERSE, name)) {
        Some(field) => field.resolve(row, ctx).await.map(Some),
        None => Ok(None),
    }
}

/// Resolves a row.
///
/// # Errors
/// What a field answered that is not nullable.
pub async fn resolve_row<E: Entity>(row: &E, ctx: &ContextSelectionSet<'_>) -> ServerResult<Value> {
    let Some(place) = ctx.path_node else { return resolve_container(ctx, row).await };
    Plan::of(ctx).answer(ctx, &[Row::Made(row)], &[place]).await.pop().unwrap_or(Ok(Value::Null))
}

/// An object of the graph that is no row: its fields are data too, [`FieldDef`]s in a constant list.
#[macro_export]
macro_rules! object {
    ($name:ident, $about:literal, $fields:expr) => {
        impl async_graphql::OutputType for $name {
            fn type_name() -> std::borrow::Cow<'static, str> {
                stringify!($name).into()
            }
            fn create_type_info(registry: &mut async_graphql::registry::Registry) -> String {
                registry.create_output_type::<Self, _>(async_graphql::registry::MetaTypeId::Object, |registry| {
                    let mut fields = async_graphql::indexmap::IndexMap::new();
                    $crate::core::entity::add_fields(registry, $fields, &mut fields);
                    async_graphql::registry::ObjectBuilder::new(stringify!($name), fields)
                        .description(Some($about.to_owned()))
                        .rust_typename(std::any::type_name::<Self>())
                        .build()
                })
            }
            async fn resolve(
                &self,
                ctx: &async_graphql::ContextSelectionSet<'_>,
                _field: &async_graphql::Positioned<async_graphql::parser::types::Field>,
            ) -> async_graphql::ServerResult<async_graphql::Value> {
                async_graphql::resolver_utils::resolve_container(ctx, self).await
            }
        }

        impl async_graphql::ContainerType for $name {
            async fn resolve_field(&self, ctx: &async_graphql::Context<'_>) -> async_graphql::ServerResult<Option<async_graphql::Value>> {
                match $crate::core::entity::find_field($fields, ctx.item.node.name.node.as_str()) {
                    Some(field) => field.resolve(self, ctx).await.map(Some),
                    None => Ok(None),
                }
            }
        }

        impl async_graphql::ObjectType for $name {}
    };
}
