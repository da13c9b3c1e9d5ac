//! An entity as an object of the graph, read from its description.
//!
//! Always holds: a column's value needs no future; an error in a nullable field nulls that field
//! alone. async-graphql's derives would write the same once per entity; here it is written once.

use async_graphql::indexmap::IndexMap;
use async_graphql::parser::types::{Field, Selection};
use async_graphql::registry::{MetaField, MetaTypeId, ObjectBuilder, Registry};
use async_graphql::resolver_utils::resolve_container;
use async_graphql::{Context, ContextSelectionSet, Name, Positioned, ServerResult, Value};
use futures_util::future::try_join_all;

use crate::core::entity::{Column, Entity, FieldDef};
use crate::core::loader::Loaders;

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

/// Resolves a row. There can be many in one answer, so each lets the request pause first.
///
/// # Errors
/// What a field answered that is not nullable.
pub async fn resolve_row<E: Entity>(row: &E, ctx: &ContextSelectionSet<'_>) -> ServerResult<Value> {
    if let Some(loaders) = ctx.data_opt::<Loaders>() {
        loaders.breathe().await;
    }
    let Some(Plain { mut values, waiting }) = plain(row, ctx) else { return resolve_container(ctx, row).await };
    if !waiting.is_empty() {
        for (place, value) in try_join_all(waiting.into_iter().map(|waiting| resolve_waiting(row, ctx, waiting))).await? {
            if let Some((_, slot)) = values.get_index_mut(place) {
                *slot = value;
            }
        }
    }
    Ok(Value::Object(values))
}

/// A field that needs a future, and its place in the answer.
type Waiting<'a, E> = (usize, &'a Positioned<Field>, &'static dyn FieldDef<E>);

/// An answer in which the columns stand already.
struct Plain<'a, E: 'static> {
    values: IndexMap<Name, Value>,
    waiting: Vec<Waiting<'a, E>>,
}

async fn resolve_waiting<'a, E: Entity>(
    row: &'a E,
    ctx: &'a ContextSelectionSet<'a>,
    (place, field, def): Waiting<'a, E>,
) -> ServerResult<(usize, Value)> {
    Ok((place, def.resolve(row, &ctx.with_field(field)).await?))
}

/// The columns of a selection of fields, each asked for once: most values of most answers, and the library would make a future
/// for each. None where there is more to a selection, such as fragments, which is left to the library; extensions of it, which
/// would have to hear of every field, the graph has none.
fn plain<'a, E: Entity>(row: &E, ctx: &ContextSelectionSet<'a>) -> Option<Plain<'a, E>> {
    let items = &ctx.item.node.items;
    let mut found = Plain { values: IndexMap::with_capacity(items.len()), waiting: Vec::new() };
    for item in items {
        let Selection::Field(field) = &item.node else { return None };
        if !field.node.directives.is_empty() {
            return None;
        }
        let name = field.node.name.node.as_str();
        let value = match E::COLUMNS.iter().find(|column| column.name == name) {
            Some(column) => (column.value)(row),
            None if name == "__typename" => Value::String(E::NAME.to_owned()),
            None => {
                let def = find_field(E::FIELDS, name).or_else(|| find_field(E::REVERSE, name))?;
                found.waiting.push((found.values.len(), field, def));
                Value::Null
            }
        };
        if found.values.insert(field.node.response_key().node.clone(), value).is_some() {
            return None;
        }
    }
    Some(found)
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
