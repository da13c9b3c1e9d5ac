//! Lists of objects that hold all that they answer, as charts want them: hundreds of points of a few numbers.
//!
//! Always holds: where their fields are asked for by name, they are written down as they are, without a future for each value; a
//! selection that has more to it goes the library's way, and the answer is the same (`tests/reading/agreement.rs`).

use std::borrow::Cow;

use async_graphql::indexmap::IndexMap;
use async_graphql::parser::types::Field;
use async_graphql::registry::Registry;
use async_graphql::{ContextSelectionSet, OutputType, Positioned, ServerResult, Value};

use crate::core::entity::selection::{TYPENAME, fields_of};
use crate::core::rows::Rows;

/// An object that holds all that it answers; made by [`flat_object!`](crate::flat_object).
pub trait FlatObject: OutputType {
    /// The value of a field; none when there is no such field.
    fn value(&self, field: &str) -> Option<Value>;
}

/// Describes an object whose fields are scalars with names of one word.
#[macro_export]
macro_rules! flat_object {
    ($(#[doc = $about:literal])+ $Name:ident { $( $(#[doc = $meaning:literal])+ $field:ident: $type:ty, )+ }) => {
        $(#[doc = $about])+
        #[derive(async_graphql::SimpleObject, Clone, Debug)]
        pub struct $Name {
            $( $(#[doc = $meaning])+ pub $field: $type, )+
        }

        impl $crate::core::flat::FlatObject for $Name {
            fn value(&self, field: &str) -> Option<async_graphql::Value> {
                match field {
                    $( stringify!($field) => Some(async_graphql::ScalarType::to_value(&self.$field)), )+
                    _ => None,
                }
            }
        }
    };
}

/// A list of plain objects.
#[derive(Clone, Debug)]
pub struct FlatList<T>(pub Vec<T>);

impl<T: FlatObject> FlatList<T> {
    /// The answer, when every field is known.
    fn written(&self, ctx: &ContextSelectionSet<'_>) -> Option<Value> {
        let name = T::type_name();
        let fields = fields_of(ctx, &name, &[])?;
        let written = |item: &T| {
            let mut object = IndexMap::with_capacity(fields.len());
            for field in &fields {
                let value = match field.node.name.node.as_str() {
                    TYPENAME => Value::from(&*name),
                    asked => item.value(asked)?,
                };
                object.insert(field.node.response_key().node.clone(), value);
            }
            Some(Value::Object(object))
        };
        self.0.iter().map(written).collect::<Option<Vec<_>>>().map(Value::List)
    }
}

impl<T: FlatObject> OutputType for FlatList<T> {
    fn type_name() -> Cow<'static, str> {
        Rows::<T>::type_name()
    }

    fn qualified_type_name() -> String {
        Rows::<T>::qualified_type_name()
    }

    fn create_type_info(registry: &mut Registry) -> String {
        Rows::<T>::create_type_info(registry)
    }

    async fn resolve(&self, ctx: &ContextSelectionSet<'_>, field: &Positioned<Field>) -> ServerResult<Value> {
        match self.written(ctx) {
            Some(list) => Ok(list),
            None => Rows(self.0.iter().collect::<Vec<&T>>()).resolve(ctx, field).await,
        }
    }
}
