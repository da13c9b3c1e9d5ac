//! `issueWorkerToken`: the token of a worker that nobody launches, for who runs it by hand.
//!
//! Always holds: it speaks for one generation and is dead with it (domain.md section 1). Not here: the tokens that the
//! launcher mints for the processes it starts.

use async_graphql::{Context, ID, InputObject, Object, SimpleObject};
use sqlx::Row as _;

use crate::access::lifetime;
use crate::access::token::TokenKey;
use crate::core::audit::About;
use crate::core::error::{Error, Result};
use crate::core::id::Id;
use crate::core::proof::{Administered, Held};
use crate::core::scalars::Time;
use crate::core::sql::Sql;
use crate::core::verb::Verb;
use crate::core::violations::Violations;
use crate::core::write::{Mutation, Write, write};
use crate::pipelines::worker_runtime::Generation;
use crate::pipelines::{Worker, WorkerState, connector_of};

/// The mutation of the tokens of workers.
#[derive(Default)]
pub struct WorkerTokenMutation;

/// A token to issue.
#[derive(InputObject, Clone)]
pub struct IssueWorkerTokenInput {
    /// The worker; you administer the team of its connector.
    pub worker_id: Id<Worker>,
    /// How long the token lives, in seconds: 1 to 31,622,400, which is a year. It ends earlier when the worker is started anew.
    pub lifetime: i32,
}

/// The new token.
#[derive(SimpleObject)]
pub struct IssueWorkerTokenPayload {
    /// The token to send as `Authorization: Bearer ...`; it is shown this once.
    pub access_token: String,
    /// When it ends.
    pub expires_at: Time,
    /// The generation that it speaks for, which the worker names in its reports.
    pub launch_generation: ID,
    /// The worker.
    pub worker: Worker,
}

#[Object]
impl WorkerTokenMutation {
    /// Issues a token for the present generation of a worker, which takes it to be handed its configuration and to report. On
    /// one that is PAUSED, `CONFLICT`: start it first. The token's text is in this answer and nowhere else.
    async fn issue_worker_token(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "The token to issue.")] input: IssueWorkerTokenInput,
    ) -> Result<IssueWorkerTokenPayload> {
        write(ctx, IssueWorkerToken { input, key: TokenKey::of(ctx)? }).await
    }
}

/// A token to issue and what signs it.
#[derive(Clone)]
struct IssueWorkerToken {
    input: IssueWorkerTokenInput,
    key: TokenKey,
}

impl Mutation for IssueWorkerToken {
    type Proof = Held<Worker, Administered>;
    type Answer = IssueWorkerTokenPayload;
    const TOUCHES_RIGHTS: bool = false;
    const SECRET: bool = true;

    async fn authorize(&self, w: &mut Write) -> Result<Self::Proof> {
        w.administer(self.input.worker_id, "workerId").await
    }

    async fn apply(self, w: &mut Write, worker: Self::Proof) -> Result<IssueWorkerTokenPayload> {
        let mut violations = Violations::default();
        let lifetime = lifetime(&mut violations, self.input.lifetime);
        violations.none()?;
        let sql = Sql::new("select launch_generation, state, date_trunc('second', now()) + ")
            .value(lifetime)
            .with(" from worker where id = ", worker.id);
        let rows = w.rows(sql).await?;
        let row = rows.first().ok_or(sqlx::Error::RowNotFound)?;
        let generation: Id<Generation> = row.try_get(0)?;
        if row.try_get::<WorkerState, _>(1)? == WorkerState::Paused {
            return Err(Error::conflict("A worker that is PAUSED has no generation that should run; start it first.").field("workerId"));
        }
        let token = self.key.for_worker(worker.id.uuid(), generation.uuid(), row.try_get(2)?)?;
        let (name, owner) = connector_of(w, worker.connector_id).await?;
        w.record(Verb::Issue, About::row(worker.id).name(name.as_deref()).owner(owner).fields(&["tokens"])).await?;
        Ok(IssueWorkerTokenPayload {
            access_token: token.text,
            expires_at: Time(token.expires_at),
            launch_generation: ID(generation.to_string()),
            worker: worker.into_row(),
        })
    }
}
