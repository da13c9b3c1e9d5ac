//! From the settings to a launcher, and to what a failed start means.

use std::io;

use super::output::Failure;
use crate::config::{Config, Environment, Launcher};
use crate::launcher::ProcessSettings;
use crate::server::NotListening;

/// The launcher that the settings ask for; none when somebody else starts workers.
pub(super) fn of(config: &Config) -> Result<Option<ProcessSettings>, Failure> {
    match config.workers.launcher {
        Launcher::External => Ok(None),
        Launcher::Process => process(config).map(Some),
    }
}

fn process(config: &Config) -> Result<ProcessSettings, Failure> {
    let segments = config.storage.segments();
    let secrets = Environment::of_process().secrets();
    let own = [
        ("PUMPHOUSE_SEGMENTS_DIR".to_owned(), segments.display().to_string()),
        ("PUMPHOUSE_HEARTBEAT_SECONDS".to_owned(), config.workers.heartbeat_interval.as_secs().max(1).to_string()),
    ];
    Ok(ProcessSettings {
        program: std::env::current_exe().map_err(Failure::failed)?,
        log: Some(config.storage.data_dir.join("workers.log")),
        token_lifetime: config.auth.worker_token_lifetime,
        silence: Some(config.workers.heartbeat_limit),
        environment: own.into_iter().chain(secrets).collect(),
    })
}

/// Why the server does not listen, and what to do.
pub(super) fn not_listening(config: &Config, error: NotListening) -> Failure {
    let address = error.address;
    let flag = if address == config.server.listen { "--listen" } else { "--metrics-listen" };
    match error.cause.kind() {
        io::ErrorKind::AddrInUse => {
            Failure::Usage(format!("{address} is taken by another program; stop it, or choose another address with {flag}"))
        }
        io::ErrorKind::AddrNotAvailable => Failure::Usage(format!("{address} is no address of this machine; choose another with {flag}")),
        io::ErrorKind::PermissionDenied => {
            Failure::Usage(format!("{address} may not be used by this user; choose a port above 1023 with {flag}"))
        }
        _ => Failure::failed(error),
    }
}
