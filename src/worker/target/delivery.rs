//! Follows one subscription: looks for segments every second, takes them in their order, confirms backfills.
//!
//! Always holds: whatever fails is tried again, with growing waits; what somebody has to mend is reported as the worker's ERROR
//! until it works. A connection is open only while there is something to do. Not here: a segment (`load.rs`).

use std::sync::Arc;
use std::time::Duration;

use sqlx::Connection as _;
use sqlx::postgres::PgConnection;
use tokio::time::{Instant, sleep, timeout};

use crate::worker::backoff::Backoff;
use crate::worker::handover::Segment;
use crate::worker::shared::Shared;

use super::error::DeliveryError;
use super::load::{Next, load};
use super::wanted::Subscription;
use super::{Target, consumption, ledger};

const PACE: Duration = Duration::from_secs(1);
const LAG_EVERY: Duration = Duration::from_mins(1);
const GOODBYE: Duration = Duration::from_secs(5);

/// One subscription, and what this process knows of it.
struct Delivery {
    shared: Arc<Shared>,
    target: Arc<Target>,
    subscription: Subscription,
    topic: String,
    /// The position after which segments are looked for, once the database has told it.
    position: Option<i64>,
    /// The backfill for which it has begun anew, and the one that was confirmed.
    begun_for: Option<String>,
    confirmed: Option<String>,
    /// Whether the database may hold something that the API does not know.
    untold: bool,
    lag_told: Instant,
}

/// Delivers a subscription until it is told not to.
pub(super) async fn follow(shared: Arc<Shared>, target: Arc<Target>, subscription: Subscription) {
    let mut backfill = shared.backfill.subscribe();
    let mut backoff = Backoff::new();
    let topic = subscription.topic();
    let mut delivery = Delivery {
        shared,
        target,
        subscription,
        topic,
        position: None,
        begun_for: None,
        confirmed: None,
        untold: true,
        lag_told: Instant::now(),
    };
    loop {
        backfill.mark_unchanged();
        let wait = match delivery.pass().await {
            Ok(()) => {
                backoff.reset();
                delivery.shared.set_fault(&delivery.subscription.id, None);
                PACE
            }
            Err(error) => {
                delivery.complain(&error);
                backoff.next().max(PACE)
            }
        };
        delivery.tell_lag().await;
        tokio::select! {
            () = sleep(wait) => {}
            _ = backfill.changed() => {}
        }
    }
}

impl Delivery {
    /// Does all that there is to do.
    async fn pass(&mut self) -> Result<(), DeliveryError> {
        let wish = self.wish();
        let waiting = self.waiting().await?;
        let begins = wish.is_some() && wish != self.begun_for;
        if self.position.is_none() || !waiting.is_empty() || begins || self.untold {
            let target = Arc::clone(&self.target);
            let Ok(_permit) = target.writers.acquire().await else { return Ok(()) };
            let mut connection = target.server.connect_to_write().await.map_err(DeliveryError::Away)?;
            let worked = self.work(&mut connection, wish).await;
            let _ = timeout(GOODBYE, connection.close()).await;
            worked?;
        }
        Ok(())
    }

    async fn work(&mut self, connection: &mut PgConnection, wish: Option<String>) -> Result<(), DeliveryError> {
        self.untold = true;
        let id = self.subscription.id.clone();
        ledger::open(connection, &self.subscription).await?;
        if let Some(backfill) = &wish
            && ledger::begin_for(connection, &id, backfill).await?
        {
            tracing::info!(subscription.name = %self.subscription.name, %backfill, "everything is delivered again from the start");
        }
        loop {
            let progress = ledger::lock(connection, &id).await?;
            (self.position, self.begun_for) = (Some(progress.position), progress.begun_for);
            let waiting = self.waiting().await?;
            let Some((segment, behind)) = waiting.split_first() else {
                consumption::tell(connection, &self.shared, &id).await?;
                if let Some(backfill) = wish.filter(|wish| progress.delivered_for.as_ref() == Some(wish)) {
                    self.confirm(backfill).await?;
                }
                break;
            };
            let next = Next { segment, after: progress.position, lag: rows(behind) };
            load(connection, &self.target, &self.subscription, &next).await?;
            // What was delivered is told while more waits; what cannot be told now is told later.
            if let Err(error) = consumption::tell(connection, &self.shared, &id).await {
                tracing::warn!(reason = %error, "what was delivered is told later");
            }
            self.lag_told = Instant::now();
        }
        self.untold = false;
        Ok(())
    }

    async fn confirm(&mut self, backfill: String) -> Result<(), DeliveryError> {
        let answer = self.shared.api.confirm_backfill(&self.shared.who, backfill.clone()).await?;
        self.shared.obey(&answer.directive);
        tracing::info!(subscription.name = %self.subscription.name, %backfill, accepted = answer.accepted, "backfill confirmed");
        self.confirmed = Some(backfill);
        Ok(())
    }

    /// Tells now and then how many rows wait, also while they cannot be delivered.
    async fn tell_lag(&mut self) {
        if self.position.is_none() || self.lag_told.elapsed() < LAG_EVERY {
            return;
        }
        self.lag_told = Instant::now();
        let told = match self.waiting().await {
            Ok(waiting) => consumption::tell_lag(&self.shared, &self.subscription.id, rows(&waiting)).await,
            Err(error) => Err(error),
        };
        if let Err(error) = told {
            tracing::warn!(reason = %error, "the lag could not be told");
        }
    }

    /// The backfill that is asked for and not confirmed.
    fn wish(&self) -> Option<String> {
        let asked = self.shared.backfill.borrow().clone().filter(|asked| asked.subscription == self.subscription.id)?;
        Some(asked.id).filter(|id| self.confirmed.as_ref() != Some(id))
    }

    /// The segments that were not taken yet.
    async fn waiting(&self) -> Result<Vec<Segment>, DeliveryError> {
        let mut segments = self.target.handover.after(&self.topic, self.position.unwrap_or(0)).await?;
        segments.retain(|segment| self.subscription.reads(&segment.about.table));
        Ok(segments)
    }

    fn complain(&self, error: &DeliveryError) {
        let words = format!("subscription {:?} cannot be delivered: {error}", self.subscription.name);
        if error.is_passing() {
            tracing::warn!("{words}; trying again");
        } else if self.shared.set_fault(&self.subscription.id, Some(words.clone())) {
            tracing::error!("{words}");
        }
    }
}

fn rows(segments: &[Segment]) -> i64 {
    segments.iter().fold(0, |sum, segment| sum.saturating_add(i64::try_from(segment.about.rows).unwrap_or(i64::MAX)))
}
