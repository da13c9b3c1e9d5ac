//! Follows the worker's instructions over a socket, for as long as the worker runs.
//!
//! Always holds: only the newest instruction counts, and after every reconnection the first one is the
//! truth; a socket that breaks is opened again for ever, with growing waits, and disturbs no snapshot.
//! Not here: the frames (`socket.rs`), reading the tables (`snapshot.rs`).

use std::convert::Infallible;

use tokio::time::sleep;

use super::api::{WorkerDirective, worker_directives};
use super::backoff::Backoff;
use super::shared::{Shared, Wanted};
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
        // A backfill is the target's business, which it does not do yet; it changes nothing else.
        other => return shared.obey(&other),
    };
    shared.wanted.send_if_modified(|present| {
        let changed = present[..] != wanted[..];
        *present = wanted.into();
        changed
    });
}
