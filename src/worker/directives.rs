//! Follows the worker's instructions over a socket, for as long as the worker runs.
//!
//! Always holds: only the newest instruction counts, and after every reconnection the first one is the
//! truth; a socket that breaks is opened again for ever, with growing waits, and disturbs no snapshot.
//! Not here: the frames (`socket.rs`), reading tables (`snapshot.rs`), delivering them (`target/`).

use std::convert::Infallible;

use tokio::sync::watch;
use tokio::time::sleep;

use super::api::{WorkerDirective, worker_directives};
use super::backoff::Backoff;
use super::shared::{Backfill, Shared, Wanted};
use super::socket::{Socket, SocketError};

/// Obeys until the worker ends.
pub(super) async fn follow(shared: &Shared) {
    let mut backoff = Backoff::new();
    loop {
        let error = match listen(shared, &mut backoff).await {
            Ok(never) => match never {},
            Err(error) => error,
        };
        let wait = backoff.next();
        tracing::warn!(reason = %error, wait = ?wait, "no instructions for the moment");
        sleep(wait).await;
    }
}

async fn listen(shared: &Shared, backoff: &mut Backoff) -> Result<Infallible, SocketError> {
    let mut socket = Socket::open(&shared.api, &shared.who).await?;
    loop {
        let instruction = socket.next().await?;
        backoff.reset();
        take(shared, instruction);
    }
}

fn take(shared: &Shared, instruction: worker_directives::WorkerDirectivesWorkerDirectives) {
    tracing::debug!(directive = ?instruction.directive, tables = instruction.tables.len(), "instructed");
    let wanted: Vec<Wanted> = match instruction.directive {
        WorkerDirective::RUN => Vec::new(),
        WorkerDirective::SNAPSHOT => {
            instruction.tables.into_iter().map(|table| Wanted { id: table.id, run_id: table.sync_run_id, name: table.table_name }).collect()
        }
        WorkerDirective::BACKFILL => Vec::new(),
        other => return shared.obey(&other),
    };
    shared.wanted.send_if_modified(|present| {
        let changed = present[..] != wanted[..];
        *present = wanted.into();
        changed
    });
    let backfill = instruction.backfill_id.zip(instruction.subscription).map(|(id, of)| Backfill { id, subscription: of.id });
    replace(&shared.backfill, backfill);
    replace(&shared.deliveries, instruction.deliveries);
}

/// Puts the newest in place and tells of it when it is another.
fn replace<T: PartialEq>(sender: &watch::Sender<T>, newest: T) {
    sender.send_if_modified(|present| {
        let changed = *present != newest;
        *present = newest;
        changed
    });
}
