//! The connector types as the graph shows them.

use async_graphql::{Context, Object};
use serde_json::Value;
use serde_json::value::RawValue;

use super::{Kind, kind, kinds, schema};
use crate::core::error::{Error, Result};
use crate::core::read::Read;
use crate::core::rows::Rows;
use crate::core::scalars::Json;
use crate::pipelines::Way;

/// The queries of connector types.
#[derive(Default)]
pub struct ConnectorTypeQuery;

#[Object]
impl ConnectorTypeQuery {
    /// The connector type with this id. `NOT_FOUND` when there is none.
    async fn connector_type(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "Its id, such as `POSTGRES_SOURCE`.")] id: String,
    ) -> Option<Result<ConnectorType>> {
        let found = || kind(&id).map(ConnectorType).ok_or_else(|| Error::not_found("connector type").field("id"));
        Some(Read::of(ctx).and_then(|_| found()))
    }

    /// The connector types that this server knows, sources first.
    async fn connector_types(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "Only those that are read from, or only those that are written to.")] way: Option<Way>,
    ) -> Result<Rows<ConnectorType>> {
        Read::of(ctx)?;
        Ok(Rows(kinds().iter().filter(|kind| way.is_none_or(|way| kind.way() == way)).map(ConnectorType).collect()))
    }
}

/// A connector type in the graph.
pub struct ConnectorType(&'static Kind);

/// A kind of system that a connector can be made for, and what it needs to know of it.
#[Object]
impl ConnectorType {
    /// Its id, such as `POSTGRES_SOURCE`.
    async fn id(&self) -> &'static str {
        self.0.id()
    }

    /// Its name, for people.
    async fn title(&self) -> &'static str {
        self.0.spec.title
    }

    /// What a connector of this type does.
    async fn description(&self) -> &'static str {
        self.0.spec.about
    }

    /// Whether connectors of this type are read from or written to.
    async fn way(&self) -> Way {
        self.0.way()
    }

    /// The JSON Schema (draft 2020-12) of the configuration. `writeOnly` marks secrets; `x-destination` marks what says where
    /// it leads: when that changes, every secret must be sent anew.
    async fn configuration_schema(&self) -> Result<Json> {
        json(self.0.schema())
    }

    /// How a form can show it: `order` of the fields, `groups` of them with a `title`, and for each of the `fields` a `widget`
    /// (`text`, `textarea`, `password`, `secretTextarea`, `number`, `switch`, `select`, `list`, `table`), a `placeholder`, and
    /// `visibleWhen`: the `field` that must be one of `is` for it to matter.
    async fn ui_hints(&self) -> Result<Json> {
        json(&schema::hints(&self.0.spec))
    }
}

fn json(value: &Value) -> Result<Json> {
    RawValue::from_string(value.to_string()).map(Json).map_err(Error::internal)
}
