//! What a `PostgreSQL` target's worker does: it delivers its connector's subscriptions, all at once and each in its order.
//!
//! A subscription's table is, row for row, the newest whole snapshot of its source's table, as its transforms make it. Segments
//! are taken one by one, each in one transaction, into a staging table of the target's database; with the last one of a
//! snapshot, the same transaction exchanges the rows of the target's table for them. So whoever reads the table sees one whole
//! snapshot or the next, with keys or without, and rows that vanished from the source vanish there.
//!
//! Always holds: how far a subscription is stands in the target's database and changes in the transaction that delivers, so
//! a worker that is killed at any instruction, or an answer that is lost, neither loses nor doubles a row. The database's own
//! tables are touched in one way only: rows are exchanged in tables that hold nothing but what their subscription delivered.
//!
//! In order: [`wanted`] says what to deliver, [`delivery`] follows one subscription, [`ledger`] knows how far it is, [`load`]
//! takes a segment, [`stage`] keeps it, [`shape`] transforms it, [`table`] makes the table or sees that it fits, [`exchange`]
//! puts the rows there, [`consumption`] tells the API.

mod consumption;
mod delivery;
mod error;
mod exchange;
mod ledger;
mod load;
mod reject;
mod shape;
mod stage;
mod table;
mod wanted;

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::Semaphore;
use tokio::task::{AbortHandle, JoinError, JoinSet};
use tokio::time::sleep;

use crate::worker::api::ApiError;
use crate::worker::backoff::Backoff;
use crate::worker::error::WorkerError;
use crate::worker::handover::Handover;
use crate::worker::postgres::Postgres;
use crate::worker::shared::Shared;

use wanted::Subscription;

/// Without a failure nothing is asked again before something has changed.
const FOR_EVER: Duration = Duration::MAX;
/// Subscriptions that write at the same time.
const WRITERS: usize = 4;

/// What delivering needs.
pub(super) struct Target {
    pub(super) server: Arc<Postgres>,
    pub(super) handover: Arc<dyn Handover>,
    secrets_dir: Option<PathBuf>,
    writers: Semaphore,
}

impl Target {
    pub(super) fn new(server: Arc<Postgres>, handover: Arc<dyn Handover>, secrets_dir: Option<PathBuf>) -> Self {
        Self { server, handover, secrets_dir, writers: Semaphore::new(WRITERS) }
    }
}

/// The subscriptions under way.
#[derive(Default)]
struct UnderWay {
    subscriptions: HashMap<String, (Subscription, AbortHandle)>,
    tasks: JoinSet<()>,
}

/// Delivers what there is to deliver, until the worker ends.
pub(super) async fn deliver(shared: Arc<Shared>, target: Arc<Target>) -> Result<(), WorkerError> {
    let mut mark = shared.deliveries.subscribe();
    let mut under_way = UnderWay::default();
    let mut backoff = Backoff::new();
    loop {
        mark.mark_unchanged();
        let mut wait = FOR_EVER;
        match wanted::ask(&shared).await {
            Ok(wanted) => {
                backoff.reset();
                under_way.follow(&shared, &target, wanted);
            }
            Err(error) => {
                if matches!(error, ApiError::Transient(_)) {
                    wait = backoff.next();
                }
                shared.judge("the question what to deliver", error)?;
            }
        }
        tokio::select! {
            () = sleep(wait) => {}
            _ = mark.changed() => {}
            Err(error) = under_way.broken() => return Err(WorkerError::Broken(error.to_string())),
        }
    }
}

impl UnderWay {
    /// Ends what is no longer to be delivered, or otherwise, and begins what is not under way.
    fn follow(&mut self, shared: &Arc<Shared>, target: &Arc<Target>, wanted: Vec<Subscription>) {
        self.subscriptions.retain(|id, (subscription, task)| {
            let stays = wanted.contains(subscription);
            if !stays {
                // What it had begun is rolled back with its connection.
                task.abort();
                shared.set_fault(id, None);
            }
            stays
        });
        for subscription in wanted {
            if self.subscriptions.contains_key(&subscription.id) {
                continue;
            }
            let Subscription { id, name, target_table, .. } = &subscription;
            tracing::info!(subscription.id = %id, subscription.name = %name, table = %target_table, "delivering");
            let task = self.tasks.spawn(delivery::follow(Arc::clone(shared), Arc::clone(target), subscription.clone()));
            self.subscriptions.insert(subscription.id.clone(), (subscription, task));
        }
    }

    /// Waits for one that broke off, which none should.
    async fn broken(&mut self) -> Result<(), JoinError> {
        loop {
            match self.tasks.join_next().await {
                Some(Err(error)) if error.is_panic() => return Err(error),
                Some(_) => {}
                None => std::future::pending().await,
            }
        }
    }
}
