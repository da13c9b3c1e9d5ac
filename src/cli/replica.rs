//! From the settings of the process to what a replica needs to know.
//!
//! Always holds: this is the only place that knows both; below it nobody sees a setting. Not here: `dev` and
//! `serve`, which differ in where the database and the keys come from.

use sqlx::postgres::PgConnectOptions;

use super::configuration;
use super::output::Failure;
use crate::access::oidc::OidcSettings;
use crate::access::token::TokenKey;
use crate::access::{SignInLimits, TokenLifetime};
use crate::config::{self, Config, Connectors, Keys, OpenIdConnect};
use crate::core::live::ListenRetry;
use crate::core::write::LicenseEnforced;
use crate::operations::{StallTimings, Steps};
use crate::pipelines::{ProbeSettings, WorkerTimings};
use crate::server::{Introspection, Limits, ProxyHeader, RateLimits, ServerSettings, TrustedDocuments};
use crate::service::ServiceSettings;
use crate::throughput::Upkeep;
use crate::worker;

/// What a replica on this database, with these keys, needs to know.
#[must_use]
pub fn settings(config: &Config, database: PgConnectOptions, keys: Keys) -> ServiceSettings {
    let workers = &config.workers;
    ServiceSettings {
        oidc: oidc(&config.oidc),
        db: config.database.pool(database),
        server: transports(config),
        token_key: TokenKey::new(&keys.token),
        token_lifetime: TokenLifetime(config.auth.token_lifetime),
        sign_in: SignInLimits {
            per_account: config.auth.login_failures_per_account,
            per_address: config.auth.login_failures_per_address,
            window: config.auth.login_window,
        },
        keys: keys.encryption,
        workers: WorkerTimings {
            heartbeat_limit: workers.heartbeat_limit,
            launch_grace: workers.launch_grace,
            launch_timeout: workers.launch_timeout,
            stop_timeout: workers.stop_timeout,
        },
        listen_retry: ListenRetry::default(),
        stalls: StallTimings { stall_after: config.syncs.stall_after, abandon_after: config.syncs.abandon_after },
        steps: Steps { small_rows: config.syncs.small_table_rows, largest: config.syncs.sync_group_size },
        throughput: Upkeep { retention: config.throughput.metric_retention },
        probes: probes(&config.connectors),
        license: LicenseEnforced(config.auth.license_enforced),
        launcher: None,
        adds_up_today: true,
        jobs: Vec::new(),
    }
}

/// What the transports need to know.
fn transports(config: &Config) -> ServerSettings {
    let server = &config.server;
    ServerSettings {
        listen: server.listen,
        metrics_listen: server.metrics_listen,
        playground: server.playground,
        introspection: match server.introspection {
            config::Introspection::On => Introspection::Everybody,
            config::Introspection::SignedIn => Introspection::SignedIn,
            config::Introspection::Off => Introspection::Nobody,
        },
        trusted_documents: None,
        document_memory: server.persisted_queries,
        rates: RateLimits { per_address: server.rate_per_address, per_viewer: server.rate_per_viewer, burst: server.rate_burst },
        log_requests: config.telemetry.log_requests,
        body_limit: server.request_body_limit,
        request_timeout: server.request_timeout,
        init_timeout: server.socket_init_timeout,
        ping_interval: server.socket_ping_interval,
        trusted_proxies: server.trusted_proxies.clone(),
        proxy_header: match server.proxy_header {
            config::ProxyHeader::XForwardedFor => ProxyHeader::XForwardedFor,
            config::ProxyHeader::Forwarded => ProxyHeader::Forwarded,
        },
        limits: limits(server),
        write_timeout: server.socket_write_timeout,
        operation_limit: server.socket_operation_limit,
        socket_buffer: server.socket_buffer,
        allowed_origins: server.allowed_origins.clone(),
        compression: server.compression,
        connection_limit: server.connection_limit,
        connections_per_address: server.connections_per_address,
        connections_per_token: server.connections_per_token,
        header_timeout: server.header_timeout,
        body_timeout: server.body_timeout,
    }
}

/// What a request may ask for.
fn limits(server: &config::Server) -> Limits {
    Limits {
        depth: server.query_depth,
        cost: server.query_cost,
        fields: server.query_fields,
        root_fields: server.query_root_fields,
        aliases: server.query_aliases,
        bytes: server.query_bytes as u64,
        tokens: server.query_tokens,
        directives: server.query_directives,
        fragments: server.query_fragments,
        batch: server.query_batch,
        variables: server.query_variables.unwrap_or(server.request_body_limit) as u64,
        list: server.query_list,
    }
}

/// The documents that are run, when no others are; those of the workers, and of this program as a client, always belong to them.
///
/// # Errors
/// When they cannot be read.
pub(super) fn trusted_documents(config: &Config) -> Result<Option<TrustedDocuments>, Failure> {
    let Some(path) = &config.server.trusted_documents else { return Ok(None) };
    let trusted = TrustedDocuments::read(path).map_err(|error| Failure::Usage(format!("trusted_documents: {error}")))?;
    Ok(Some(trusted.and(worker::DOCUMENTS).and(configuration::DOCUMENTS)))
}

/// What tests of connections are bounded by.
fn probes(config: &Connectors) -> ProbeSettings {
    ProbeSettings { forbidden: config.connection_test_forbids.clone(), limit: config.connection_test_limit, ..ProbeSettings::default() }
}

/// The provider of identities, when all that is needed is set; `config/agree.rs` has refused a part of it.
fn oidc(config: &OpenIdConnect) -> Option<OidcSettings> {
    Some(OidcSettings {
        issuer: config.oidc_issuer.clone()?,
        client_id: config.oidc_client_id.clone()?,
        client_secret: config.oidc_client_secret.clone(),
        public_url: config.public_url.clone()?,
        creates_users: config.oidc_create_users,
    })
}
