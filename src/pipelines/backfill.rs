//! Backfills: what a worker is asked to deliver again, and its confirmation.
//!
//! Always holds: a request is made and withdrawn where `backfill` is switched (migration 0033) and stands until the present
//! generation of the target's worker confirms that very request; a confirmation of another request, or of another
//! generation, changes nothing; one that is repeated is taken as the first was. Not here: how the worker is told
//! (`operations/directives.rs`).

use async_graphql::{Context, InputObject, Object, SimpleObject};
use sqlx::Row as _;
use uuid::Uuid;

use crate::core::audit::About;
use crate::core::error::Result;
use crate::core::id::Id;
use crate::core::proof::{Proof, RightBasis};
use crate::core::sql::Sql;
use crate::core::verb::Verb;
use crate::core::write::{Mutation, Write, write};
use crate::pipelines::reference::owner_of;
use crate::pipelines::reporter::Reporter;
use crate::pipelines::worker_runtime::{self as runtime, Directive, Generation, Refusal, directive};
use crate::pipelines::{PipelineSubscription, Worker};

/// The mutation by which workers confirm backfills.
#[derive(Default)]
pub struct BackfillMutation;

/// One request to deliver a subscription again from the start.
#[derive(Clone, Copy, Debug)]
pub enum Backfill {}

/// Which backfill is done.
#[derive(InputObject, Clone)]
pub struct ConfirmBackfillInput {
    /// The worker.
    pub worker_id: Id<Worker>,
    /// The generation that confirms; one that was superseded is told to exit.
    pub launch_generation: Id<Generation>,
    /// The `backfillId` of the instruction that was obeyed.
    pub backfill_id: Id<Backfill>,
}

/// What came of a confirmation.
#[derive(SimpleObject)]
pub struct ConfirmBackfillPayload {
    /// Whether it was taken. Not when the request was withdrawn or made anew meanwhile, or goes to another worker by now.
    pub accepted: bool,
    /// Why it was not taken; null when it was.
    pub refusal: Option<Refusal>,
    /// What the worker has to do now.
    pub directive: Directive,
    /// The subscription as it is now, `backfill` switched off; null when the confirmation was not taken.
    pub pipeline_subscription: Option<PipelineSubscription>,
}

#[Object]
impl BackfillMutation {
    /// Takes a worker's word that it has obeyed a BACKFILL instruction: the subscription's `backfill` is switched off. May be
    /// repeated. Only the worker itself, or a service account whose grant says `worker: true`, may send it.
    async fn confirm_backfill(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "Which backfill is done.")] input: ConfirmBackfillInput,
    ) -> Result<ConfirmBackfillPayload> {
        write(ctx, input).await
    }
}

/// The worker that reports, and the request that it means, both locked.
pub struct Confirming {
    reporter: Reporter,
    /// The subscription, and whether its request stands.
    request: Option<(Id<PipelineSubscription>, bool)>,
}

impl Proof for Confirming {
    fn stake(&self) -> RightBasis {
        self.reporter.stake()
    }
}

impl Mutation for ConfirmBackfillInput {
    type Proof = Confirming;
    type Answer = ConfirmBackfillPayload;
    const TOUCHES_RIGHTS: bool = false;
    const LICENSED: bool = false;

    async fn authorize(&self, w: &mut Write) -> Result<Confirming> {
        // The subscription comes before the worker in the order of locks; it is one of the worker's own or none.
        let lock = Sql::new("select s.id from subscription s join worker w on w.connector_id = s.target_connector_id where w.id = ")
            .value(self.worker_id)
            .with(" and s.id = (select b.subscription_id from pumphouse.backfill_request b where b.id = ", self.backfill_id)
            .text(") for no key update of s");
        w.rows(lock).await?;
        let reporter = Reporter::of(w, (self.worker_id, self.launch_generation)).await?;
        // Asked when both are locked, as others may have been waited for.
        let sql = Sql::new(
            "select s.id, b.confirmed_at is null from pumphouse.backfill_request b join subscription s on s.id = b.subscription_id",
        )
        .with(" join worker w on w.connector_id = s.target_connector_id where w.id = ", self.worker_id)
        .with(" and b.id = ", self.backfill_id);
        let request = w.rows(sql).await?.first().map(|row| Ok::<_, sqlx::Error>((row.try_get(0)?, row.try_get(1)?))).transpose()?;
        Ok(Confirming { reporter, request })
    }

    async fn apply(self, w: &mut Write, Confirming { reporter, request }: Confirming) -> Result<ConfirmBackfillPayload> {
        let refused =
            |refusal, directive| ConfirmBackfillPayload { accepted: false, refusal: Some(refusal), directive, pipeline_subscription: None };
        let worker = match reporter.running(self.launch_generation) {
            Ok(worker) => worker,
            Err(refusal) => return Ok(refused(refusal, refusal.directive())),
        };
        runtime::heartbeat(w.connection(), worker, None).await?;
        let directive = directive(worker.state);
        let Some((subscription, stands)) = request else { return Ok(refused(Refusal::Withdrawn, directive)) };
        if stands {
            confirm(w, self.backfill_id, subscription, self.launch_generation.uuid()).await?;
        }
        let subscription = w.reread(subscription).await?;
        Ok(ConfirmBackfillPayload { accepted: true, refusal: None, directive, pipeline_subscription: Some(subscription) })
    }
}

async fn confirm(w: &mut Write, id: Id<Backfill>, subscription: Id<PipelineSubscription>, generation: Uuid) -> Result<()> {
    let sql = Sql::new("update pumphouse.backfill_request set confirmed_at = clock_timestamp(), confirmed_by = ").value(generation);
    w.rows(sql.with(" where id = ", id)).await?;
    w.rows(Sql::new("update subscription set backfill = false where id = ").value(subscription)).await?;
    let owner = owner_of(w, subscription).await?;
    let name = w.reread(subscription).await?.name;
    w.record(Verb::Confirm, About::row(subscription).name(Some(&name)).owner(owner).fields(&["backfill"])).await
}
