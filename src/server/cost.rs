//! What a document asks for, measured before the library looks at it.
//!
//! Always holds: every fragment is walked once, however often and however deep it is spread, so measuring takes time
//! in proportion to the document's length; numbers never wrap; what is measured is never less than what is carried
//! out. Not here: what is too much (`limits.rs`), and whether the document fits the schema, which is the library's.

use std::collections::HashMap;

use async_graphql::parser::types::{ExecutableDocument, Field, OperationDefinition, OperationType, Selection, SelectionSet};
use async_graphql::registry::{MetaField, MetaTypeName, Registry};
use async_graphql::{Name, Value, Variables};

use crate::core::error::{Error, Result};
use crate::core::page::{DEFAULT_SIZE, LARGEST_SIZE};
use crate::throughput::points_asked;

/// Selections inside each other that are followed at all, fragments included; deeper ones are refused.
pub(crate) const NESTING: u64 = 32;

/// What a selection asks for.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Cost {
    /// Fields, fragments, arguments and directives, with every fragment written out.
    pub(crate) fields: u64,
    /// Fields under another name.
    pub(crate) aliases: u64,
    /// The most directives in one place.
    pub(crate) directives: u64,
    /// Fields inside each other.
    pub(crate) depth: u64,
    /// Selections inside each other.
    nesting: u64,
    /// Fields of the selection itself.
    pub(crate) own: u64,
    /// Values that the answer can have at most.
    pub(crate) values: u64,
    /// Of a connection's selection: values for each of its rows, by `nodes` and `edges`. The field of the connection multiplies
    /// them by its page's size.
    per_row: u64,
    /// Values of the schema's description.
    pub(crate) schema: u64,
    /// Times that the whole schema is asked for.
    pub(crate) schemas: u64,
    /// Times that the schema or a type of it is asked for.
    pub(crate) introspects: u64,
    /// Uses of fragments by name, with every fragment written out.
    pub(crate) spreads: u64,
}

impl Cost {
    fn and(self, other: Self) -> Self {
        Self {
            fields: self.fields.saturating_add(other.fields),
            aliases: self.aliases.saturating_add(other.aliases),
            directives: self.directives.max(other.directives),
            depth: self.depth.max(other.depth),
            nesting: self.nesting.max(other.nesting),
            own: self.own.saturating_add(other.own),
            values: self.values.saturating_add(other.values),
            per_row: self.per_row.saturating_add(other.per_row),
            schema: self.schema.saturating_add(other.schema),
            schemas: self.schemas.saturating_add(other.schemas),
            introspects: self.introspects.saturating_add(other.introspects),
            spreads: self.spreads.saturating_add(other.spreads),
        }
    }

    /// As one use of a fragment.
    fn spread(self) -> Self {
        Self { spreads: self.spreads.saturating_add(1), ..self }
    }

    /// As one selection with these many directives.
    fn selected(self, directives: usize) -> Self {
        let directives = directives as u64;
        Self {
            fields: self.fields.saturating_add(1).saturating_add(directives),
            directives: self.directives.max(directives),
            nesting: self.nesting.saturating_add(1),
            ..self
        }
    }
}

/// Measures selections of one document.
pub(crate) struct Meter<'a> {
    registry: &'a Registry,
    document: &'a ExecutableDocument,
    operation: &'a OperationDefinition,
    variables: &'a Variables,
    /// None while it is being measured.
    fragments: HashMap<&'a str, Option<Cost>>,
}

impl<'a> Meter<'a> {
    /// For a document of which this operation is to be carried out.
    pub(crate) fn new(
        registry: &'a Registry,
        document: &'a ExecutableDocument,
        operation: &'a OperationDefinition,
        variables: &'a Variables,
    ) -> Self {
        Self { registry, document, operation, variables, fragments: HashMap::new() }
    }

    /// What an operation asks for.
    ///
    /// # Errors
    /// When fragments spread each other in a circle, or it is too deep to be followed.
    pub(crate) fn operation(&mut self, operation: &'a OperationDefinition) -> Result<Cost> {
        let root = match operation.ty {
            OperationType::Query => &self.registry.query_type,
            OperationType::Mutation => self.registry.mutation_type.as_ref().unwrap_or(&self.registry.query_type),
            OperationType::Subscription => self.registry.subscription_type.as_ref().unwrap_or(&self.registry.query_type),
        };
        self.selections(&operation.selection_set.node, root, 1)
    }

    /// Fields, fragments, arguments and directives of everything in the document: what there is to validate.
    ///
    /// # Errors
    /// As [`Meter::operation`].
    pub(crate) fn everything(&mut self) -> Result<u64> {
        let document = self.document;
        let mut all = Cost::default();
        for (_, operation) in document.operations.iter() {
            all = all.and(self.operation(&operation.node)?);
            all.fields = all.fields.saturating_add(operation.node.variable_definitions.len() as u64);
        }
        for name in document.fragments.keys() {
            all = all.and(self.fragment(name, 1)?);
        }
        Ok(all.fields)
    }

    fn selections(&mut self, set: &'a SelectionSet, on: &'a str, level: u64) -> Result<Cost> {
        within(level)?;
        let mut sum = Cost::default();
        for selection in &set.items {
            let directives = selection.node.directives().len();
            let part = match &selection.node {
                Selection::Field(field) => self.field(&field.node, on, level)?,
                Selection::InlineFragment(inline) => {
                    let on = inline.node.type_condition.as_ref().map_or(on, |condition| condition.node.on.node.as_str());
                    self.selections(&inline.node.selection_set.node, on, level + 1)?
                }
                Selection::FragmentSpread(spread) => self.fragment(spread.node.fragment_name.node.as_str(), level + 1)?.spread(),
            };
            sum = sum.and(part.selected(directives));
        }
        Ok(sum)
    }

    fn fragment(&mut self, name: &'a str, level: u64) -> Result<Cost> {
        match self.fragments.get(name) {
            Some(Some(known)) => {
                within(level.saturating_add(known.nesting))?;
                return Ok(*known);
            }
            Some(None) => return Err(Error::invalid_document(format!("Fragment \"{name}\" spreads itself, directly or through others."))),
            None => {}
        }
        let document = self.document;
        // One that does not exist is the library's to refuse.
        let Some(fragment) = document.fragments.get(name) else { return Ok(Cost::default()) };
        self.fragments.insert(name, None);
        let on = fragment.node.type_condition.node.on.node.as_str();
        let cost = self.selections(&fragment.node.selection_set.node, on, level)?.selected(fragment.node.directives.len());
        self.fragments.insert(name, Some(cost));
        Ok(cost)
    }

    fn field(&mut self, field: &'a Field, on: &'a str, level: u64) -> Result<Cost> {
        let registry = self.registry;
        let name = field.name.node.as_str();
        let meta = registry.types.get(on).and_then(|ty| ty.field_by_name(name));
        let describes = on.starts_with("__") || name == "__schema" || name == "__type";
        // Types of the schema's description are all alike to us.
        let of = if describes { "__Type" } else { meta.map_or("", |field| MetaTypeName::concrete_typename(&field.ty)) };
        let leaf = field.selection_set.node.items.is_empty();
        let inner = if leaf { Cost::default() } else { self.selections(&field.selection_set.node, of, level + 1)? };
        let row = inner.values.saturating_add(1);
        let (mut values, mut per_row, mut schema) = (row, 0, inner.schema);
        if describes {
            values = 0;
            schema = inner.schema.saturating_add(1).saturating_mul(self.described(name));
        } else if is_connection(on) && matches!(name, "edges" | "nodes") {
            (values, per_row) = (1, row);
        } else if is_connection(of) {
            values = row.saturating_add(inner.per_row.saturating_mul(self.page(field)));
        } else if !leaf && meta.is_some_and(|field| field.ty.contains('[')) {
            values = row.saturating_mul(self.listed(field, meta));
        } else if meta.is_some_and(|field| field.args.contains_key("bucket")) {
            values = row.saturating_mul(self.pages_of_points(field));
        }
        Ok(Cost {
            fields: inner.fields.saturating_add(field.arguments.len() as u64),
            aliases: inner.aliases.saturating_add(u64::from(field.alias.is_some())),
            directives: inner.directives,
            depth: inner.depth.saturating_add(1),
            nesting: inner.nesting,
            own: 1,
            values,
            per_row,
            schema,
            schemas: inner.schemas.saturating_add(u64::from(name == "__schema")),
            introspects: inner.introspects.saturating_add(u64::from(matches!(name, "__schema" | "__type"))),
            spreads: inner.spreads,
        })
    }

    /// Rows of a connection with these arguments. What is no page size is refused by the field itself.
    fn page(&self, field: &Field) -> u64 {
        let size = |name| match self.argument(field, name)? {
            Value::Number(number) => number.as_i64().map(|size| size.clamp(0, LARGEST_SIZE.into())),
            _ => None,
        };
        let size = size("first").max(size("last")).unwrap_or(DEFAULT_SIZE.into());
        size.unsigned_abs()
    }

    /// Pages that the points of a series fill, whose list is counted as one.
    fn pages_of_points(&self, field: &Field) -> u64 {
        let points = points_asked(|name| self.argument(field, name)).unwrap_or_default() as u64;
        points.div_ceil(i64::from(DEFAULT_SIZE).unsigned_abs()).max(1)
    }

    /// Items of a list that is no connection: as many as ids were given or are asked for, or a page.
    fn listed(&self, field: &Field, meta: Option<&MetaField>) -> u64 {
        match self.argument(field, "ids") {
            Some(Value::List(ids)) => return ids.len() as u64,
            Some(_) => return 1,
            None => {}
        }
        let first = meta.and_then(|field| field.args.get("first")).map(|first| match self.argument(field, "first") {
            Some(Value::Number(given)) => given.as_u64(),
            _ => first.default_value.as_ref().and_then(|default| default.parse().ok()),
        });
        // What is no number is refused by the field itself.
        first.flatten().unwrap_or_else(|| i64::from(DEFAULT_SIZE).unsigned_abs())
    }

    fn argument(&self, field: &Field, name: &str) -> Option<Value> {
        field.get_argument(name)?.node.clone().into_const_with(|variable| self.variable(&variable).ok_or(())).ok()
    }

    fn variable(&self, name: &Name) -> Option<Value> {
        self.variables.get(name).cloned().or_else(|| {
            let mut definitions = self.operation.variable_definitions.iter();
            let definition = definitions.find(|definition| definition.node.name.node == *name)?;
            definition.node.default_value.as_ref().map(|value| value.node.clone())
        })
    }

    /// How many there are of a part of the schema's description, roughly.
    fn described(&self, name: &str) -> u64 {
        match name {
            "types" => self.registry.types.len() as u64,
            "fields" | "inputFields" | "enumValues" | "possibleTypes" => 20,
            "args" | "directives" | "locations" => 4,
            _ => 1,
        }
    }
}

fn within(level: u64) -> Result<()> {
    if level <= NESTING {
        return Ok(());
    }
    Err(Error::too_complex(
        "DOCUMENT_NESTING",
        format!("The document nests more than {NESTING} selections inside each other, fragments included."),
        level,
        NESTING,
    ))
}

fn is_connection(name: &str) -> bool {
    name.ends_with("Connection")
}
