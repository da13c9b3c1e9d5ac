//! The rules that join two settings.
//!
//! Always holds: they are checked only once every setting is readable on its own, and each names the setting
//! that the operator is most likely to have changed. Not here: the bounds of one setting (`list.rs`).

use super::list::Config;
use super::reader::Reader;
use super::units::show_duration;

/// Notes every pair that does not go together.
pub(super) fn check(config: &Config, reader: &mut Reader<'_>) {
    let (server, database, workers) = (&config.server, &config.database, &config.workers);
    if workers.heartbeat_interval * 2 >= workers.heartbeat_limit {
        let limit = show_duration(workers.heartbeat_limit);
        reader.disagree("heartbeat_interval", format!("less than half of heartbeat_limit, which is {limit}"));
    }
    if workers.launch_grace > workers.launch_timeout {
        let timeout = show_duration(workers.launch_timeout);
        reader.disagree("launch_grace", format!("at most launch_timeout, which is {timeout}"));
    }
    if database.lock_timeout > database.statement_timeout {
        let timeout = show_duration(database.statement_timeout);
        reader.disagree("lock_timeout", format!("at most statement_timeout, which is {timeout}"));
    }
    if database.statement_timeout > server.request_timeout {
        let timeout = show_duration(server.request_timeout);
        reader.disagree("statement_timeout", format!("at most request_timeout, which is {timeout}"));
    }
    let oidc = &config.oidc;
    if oidc.oidc_issuer.is_some() && oidc.oidc_client_id.is_none() {
        reader.disagree("oidc_client_id", "the name that the provider at oidc_issuer knows this installation by".to_owned());
    }
    if oidc.oidc_issuer.is_some() && oidc.public_url.is_none() {
        reader.disagree("public_url", "the address to which the provider at oidc_issuer sends browsers back".to_owned());
    }
    // Port 0 is "any free one", twice is no clash.
    if server.metrics_listen.is_some_and(|address| address == server.listen && address.port() != 0) {
        reader.disagree("metrics_listen", "another address or port than listen".to_owned());
    }
}
