//! Lists of objects whose errors say where they happened.
//!
//! The library's own lists put their place of the list into the path of every error that passes through them, so that
//! `connectors.nodes.0.datamodels` would be told as `connectors.nodes.0`; these leave it as it is.

use std::borrow::Cow;

use async_graphql::parser::types::Field;
use async_graphql::registry::Registry;
use async_graphql::{ContextSelectionSet, OutputType, Positioned, ServerResult, Value};
use futures_util::future::try_join_all;

/// A list of objects.
pub struct Rows<T>(pub Vec<T>);

impl<T: OutputType> OutputType for Rows<T> {
    fn type_name() -> Cow<'static, str> {
        format!("[{}]", T::qualified_type_name()).into()
    }

    fn qualified_type_name() -> String {
        format!("[{}]!", T::qualified_type_name())
    }

    fn create_type_info(registry: &mut Registry) -> String {
        T::create_type_info(registry);
        Self::qualified_type_name()
    }

    async fn resolve(&self, ctx: &ContextSelectionSet<'_>, field: &Positioned<Field>) -> ServerResult<Value> {
        let items = self.0.iter().enumerate().map(|(index, item)| {
            let ctx = ctx.with_index(index);
            async move { item.resolve(&ctx, field).await }
        });
        try_join_all(items).await.map(Value::List)
    }
}
