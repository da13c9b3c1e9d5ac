//! Testing the connection of a connector, or of a configuration before it is saved.
//!
//! Always holds: the right is proven and the test is audited in a transaction of its own, which has ended before anything is
//! connected to; stored secrets never travel to a new destination. Not here: the test itself (`probe/`).

use async_graphql::{Context, InputObject, Json, Object, SimpleObject};
use serde_json::Value;

use crate::access::{Team, team_owner};
use crate::core::audit::About;
use crate::core::entity::Entity as _;
use crate::core::error::{Error, Result};
use crate::core::id::Id;
use crate::core::proof::{Held, Parent};
use crate::core::read::{Read, context_data};
use crate::core::sealed::keys;
use crate::core::secret::{KeyRing, PlainJson};
use crate::core::verb::Verb;
use crate::core::violations::Violations;
use crate::core::write::{Mutation, Write, write};
use crate::pipelines::Connector;
use crate::pipelines::connector_mutation::CONFIGURATION;
use crate::pipelines::connector_write;
use crate::pipelines::probe::{Prober, Report, Turn};

/// The mutations that test connections.
#[derive(Default)]
pub struct ConnectorTestMutation;

/// Which connector to test.
#[derive(InputObject, Clone)]
pub struct TestConnectorInput {
    /// The connector.
    pub connector_id: Id<Connector>,
    /// The whole configuration to test instead of the one that is stored, by the schema of its type. `{"$secret": "stored"}` stands
    /// for the secret that is stored in the same place, unless something marked `x-destination` has changed.
    #[graphql(secret)]
    pub configuration: Option<Json<Value>>,
}

/// What to test before it is saved.
#[derive(InputObject, Clone)]
pub struct TestConnectorConfigurationInput {
    /// A team that the connector could be made for; those who may make one may test it.
    pub team_id: Id<Team>,
    /// The id of its type, one of `connectorTypes`.
    pub connector_type: String,
    /// Its configuration by the schema of its type, all secrets included.
    #[graphql(secret)]
    pub configuration: Json<Value>,
}

/// What a test of a connector came to.
#[derive(SimpleObject)]
pub struct TestConnectorPayload {
    /// How it went.
    #[graphql(flatten)]
    pub report: Report,
}

/// What a test of a configuration came to.
#[derive(SimpleObject)]
pub struct TestConnectorConfigurationPayload {
    /// How it went.
    #[graphql(flatten)]
    pub report: Report,
}

#[Object]
impl ConnectorTestMutation {
    /// Tries the connection of a connector, from this server; nothing is saved. It ends within 15 seconds whatever the other side
    /// does. PostgreSQL and Kafka are tested, other types are `supported: false`, as is a secret that only the worker can look up. A
    /// failed test is an answer, not an error. `RATE_LIMITED` when too many tests are under way, or four of yours. It takes no idempotency key.
    async fn test_connector(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "Which connector to test.")] input: TestConnectorInput,
    ) -> Result<TestConnectorPayload> {
        let turn = turn(ctx)?;
        let test = write(ctx, TestSaved { input, keys: keys(ctx)?.clone() }).await?;
        Ok(TestConnectorPayload { report: turn.test(&test.kind, &test.configuration).await })
    }

    /// Tries the connection of a configuration that is not saved. As `testConnector` in all else.
    async fn test_connector_configuration(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "What to test.")] input: TestConnectorConfigurationInput,
    ) -> Result<TestConnectorConfigurationPayload> {
        let turn = turn(ctx)?;
        let test = write(ctx, input).await?;
        Ok(TestConnectorConfigurationPayload { report: turn.test(&test.kind, &test.configuration).await })
    }
}

/// Leave to test a connection, for a request that holds no transaction.
fn turn(ctx: &Context<'_>) -> Result<Turn> {
    let read = Read::of(ctx)?;
    if read.db().key().is_some() {
        return Err(Error::validation("A test of a connection is not kept, and safe to repeat; send it without an idempotency key.")
            .field("idempotencyKey"));
    }
    // Who is no user is refused below.
    context_data::<Prober>(ctx)?.turn(read.viewer().user_id().unwrap_or_default())
}

/// What is to be tested, secrets and all.
pub struct Test {
    kind: String,
    configuration: PlainJson,
}

#[derive(Clone)]
struct TestSaved {
    input: TestConnectorInput,
    keys: KeyRing,
}

impl Mutation for TestSaved {
    type Proof = Held<Connector, Parent>;
    type Answer = Test;
    const TOUCHES_RIGHTS: bool = false;
    // It stores nothing but that it was done.
    const LICENSED: bool = false;

    async fn authorize(&self, w: &mut Write) -> Result<Self::Proof> {
        w.parent(self.input.connector_id, "connectorId").await
    }

    async fn apply(self, w: &mut Write, connector: Self::Proof) -> Result<Test> {
        let stored = connector_write::stored(w, &self.keys, connector.id).await;
        let configuration = match self.input.configuration {
            None => stored?.ok_or_else(|| Error::no_such(Connector::NAME).field("connectorId"))?,
            Some(Json(sent)) => {
                let mut violations = Violations::default();
                let stored = connector_write::if_kept(&sent, stored)?;
                let Some(kind) = connector_write::kind_of(&connector.connector_type, CONFIGURATION, &mut violations) else {
                    return Err(violations.refusal());
                };
                let configuration = connector_write::validated(kind, sent, stored.as_deref(), CONFIGURATION, &mut violations)?;
                violations.none()?;
                configuration
            }
        };
        let about = About::row(connector.id).name(connector.name.as_deref()).owner(connector_write::owner(&connector));
        w.record(Verb::Test, about).await?;
        Ok(Test { kind: connector.into_row().connector_type, configuration })
    }
}

impl Mutation for TestConnectorConfigurationInput {
    type Proof = Held<Team, Parent>;
    type Answer = Test;
    const TOUCHES_RIGHTS: bool = false;
    const LICENSED: bool = false;

    async fn authorize(&self, w: &mut Write) -> Result<Self::Proof> {
        w.parent(self.team_id, "teamId").await
    }

    async fn apply(self, w: &mut Write, team: Self::Proof) -> Result<Test> {
        let mut violations = Violations::default();
        let Some(kind) = connector_write::kind_of(&self.connector_type, "connectorType", &mut violations) else {
            return Err(violations.refusal());
        };
        let Json(sent) = self.configuration;
        let configuration = connector_write::validated(kind, sent, None, CONFIGURATION, &mut violations)?;
        violations.none()?;
        let about = About { entity: Connector::NAME, ..About::row(team.id).name(Some(kind.id())).owner(team_owner(&team)) };
        w.record(Verb::Test, About { id: None, ..about }).await?;
        Ok(Test { kind: kind.id().to_owned(), configuration })
    }
}
