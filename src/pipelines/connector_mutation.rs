//! Making and changing connectors.
//!
//! Not here: what is written (`connector_write.rs`), deleting one (`operations/connector_end.rs`), testing one
//! (`connector_test.rs`).

use async_graphql::{Context, InputObject, Json, MaybeUndefined, Object, SimpleObject};
use serde_json::Value;

use crate::access::Team;
use crate::core::error::Result;
use crate::core::id::Id;
use crate::core::proof::{Changeable, Held, Parent};
use crate::core::scalars::Time;
use crate::core::sealed::keys;
use crate::core::secret::KeyRing;
use crate::core::violations::Violations;
use crate::core::write::{Mutation, Write, write};
use crate::pipelines::Connector;
use crate::pipelines::connector_write::{self, LONGEST_NAME, NewConnector};

/// The field of the input that holds a configuration.
pub(crate) const CONFIGURATION: &str = "configuration";

/// The mutations that make and change connectors.
#[derive(Default)]
pub struct ConnectorMutation;

/// A new connector.
#[derive(InputObject, Clone)]
pub struct CreateConnectorInput {
    /// The team that will own it.
    pub team_id: Id<Team>,
    /// The name, 1 to 100 characters, unique within the env.
    pub name: String,
    /// The id of its type, one of `connectorTypes`, such as `POSTGRES_SOURCE`; it says whether it is a source or a target, and
    /// stays.
    pub connector_type: String,
    /// Its configuration by the schema of its type, kept encrypted. A secret is a text, or where the worker finds it:
    /// `{"$secret": "env:PUMPHOUSE_SECRET_NAME"}` or `{"$secret": "file:NAME"}`.
    #[graphql(secret)]
    pub configuration: Json<Value>,
}

/// The new connector.
#[derive(SimpleObject)]
pub struct CreateConnectorPayload {
    /// The connector that was made.
    pub connector: Connector,
}

/// What to change in a connector. What is left out stays as it is; null is refused (`VALIDATION`).
#[derive(InputObject, Clone)]
pub struct UpdateConnectorInput {
    /// The connector.
    pub connector_id: Id<Connector>,
    /// The new name, 1 to 100 characters, unique within the env.
    pub name: MaybeUndefined<String>,
    /// The whole new configuration, by the schema of its type. `{"$secret": "stored"}` keeps the secret that is stored in the same
    /// place; a text is a new value, whatever it looks like. When something marked `x-destination` changes, every kept secret
    /// must be sent anew.
    #[graphql(secret)]
    pub configuration: MaybeUndefined<Json<Value>>,
    /// The `updatedAt` that was read with the connector; when it has changed since, `CONFLICT` and nothing is written. Null does not ask.
    pub updated_at: Option<Time>,
}

/// The changed connector.
#[derive(SimpleObject)]
pub struct UpdateConnectorPayload {
    /// The connector as it is now.
    pub connector: Connector,
}

#[Object]
impl ConnectorMutation {
    /// Makes a connector and its worker, which is PAUSED. For members of the team and admins of its env. What is wrong with the
    /// configuration is told all at once: `details.violations` has a `field` such as `configuration/port` and a `message` each.
    async fn create_connector(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "The new connector.")] input: CreateConnectorInput,
    ) -> Result<CreateConnectorPayload> {
        let connector = write(ctx, CreateConnector { input, keys: keys(ctx)?.clone() }).await?;
        Ok(CreateConnectorPayload { connector })
    }

    /// Changes the name of a connector, or its configuration, or both. A worker that runs goes on with the configuration it was
    /// started with; its `restartNeeded` is true until a new generation has taken the new one.
    async fn update_connector(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "What to change.")] input: UpdateConnectorInput,
    ) -> Result<UpdateConnectorPayload> {
        let connector = write(ctx, UpdateConnector { input, keys: keys(ctx)?.clone() }).await?;
        Ok(UpdateConnectorPayload { connector })
    }
}

#[derive(Clone)]
struct CreateConnector {
    input: CreateConnectorInput,
    keys: KeyRing,
}

impl Mutation for CreateConnector {
    type Proof = Held<Team, Parent>;
    type Answer = Connector;
    const TOUCHES_RIGHTS: bool = false;

    async fn authorize(&self, w: &mut Write) -> Result<Self::Proof> {
        w.parent(self.input.team_id, "teamId").await
    }

    async fn apply(self, w: &mut Write, team: Self::Proof) -> Result<Connector> {
        let Self { input, keys } = self;
        let mut violations = Violations::default();
        let name = violations.name("name", &input.name, LONGEST_NAME);
        let Json(sent) = input.configuration;
        let Some(kind) = connector_write::kind_of(&input.connector_type, "connectorType", &mut violations) else {
            return Err(violations.refusal());
        };
        let document = connector_write::validated(kind, sent, None, CONFIGURATION, &mut violations)?;
        violations.none()?;
        let connector = connector_write::insert(w, &keys, &team, &NewConnector { name, kind, document }).await?;
        w.reread(connector).await
    }
}

#[derive(Clone)]
struct UpdateConnector {
    input: UpdateConnectorInput,
    keys: KeyRing,
}

impl Mutation for UpdateConnector {
    type Proof = Held<Connector, Changeable>;
    type Answer = Connector;
    const TOUCHES_RIGHTS: bool = false;

    async fn authorize(&self, w: &mut Write) -> Result<Self::Proof> {
        w.change(self.input.connector_id, "connectorId").await
    }

    async fn apply(self, w: &mut Write, connector: Self::Proof) -> Result<Connector> {
        let Self { input, keys } = self;
        connector.unchanged_since(input.updated_at)?;
        let mut violations = Violations::default();
        let name = violations.kept("name", input.name).map(|name| violations.name("name", &name, LONGEST_NAME));
        let new = match violations.kept("configuration", input.configuration) {
            Some(Json(sent)) => connector_write::changed(w, &keys, &connector, sent, CONFIGURATION, &mut violations).await?,
            None => None,
        };
        violations.none()?;
        connector_write::change(w, &keys, &connector, name, new.as_ref().map(|new| &*new.document)).await?;
        w.reread(connector.id).await
    }
}
