//! Faults of everything around the server, on real processes: PostgreSQL, replicas and clients that are killed, networks that
//! are cut, disks that are full. Nothing that was answered is lost, nothing is done twice, and subscribers end with what is
//! true.
//!
//! Always holds: what was answered is compared with what the database holds, by SQL; each test prints how long it took until
//! all was well again. PostgreSQL itself is hurt only where a test has one of its own. The long forms are run by `make
//! faults`. Held elsewhere: a database that is down at the start or shut (`program::serve`), its orderly restart and lost
//! listeners inside one process (`live::recovery`), its move to another host (`live::failover`), an epoch that has passed
//! (`live::replicas`), a fleet while leaders are killed (`program::storm`), a client that reads nothing (`transports::strangers`).

mod client;
mod cut;
mod disk;
mod following;
mod jobs;
mod killed;
mod namespace;
mod postgres;
mod replicas;
mod scene;
mod sockets;
mod wire;
mod writing;

use std::time::Duration;

/// Within this time all must be well again.
const CONVERGED: Duration = Duration::from_secs(10);
