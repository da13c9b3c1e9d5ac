//! Every setting, once: its name, meaning, default and bounds.
//!
//! Always holds: the name alone gives the flag (`--pool-size`), the variable (`PUMPHOUSE_POOL_SIZE`) and the
//! key in the file (`pool_size`); the first line of a meaning can stand alone. The typed structs, the help,
//! the table of `pumphouse config` and the reference page all come from this list.
//! Not here: rules that join two settings (`agree.rs`).

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use sqlx::postgres::PgConnectOptions;
use url::Url;

use super::reader::Reader;
use super::rule::{
    Address, Between, Classes, Email, Folder, Lasting, LogFilter, Networks, OneOf, Optional, Origins, Rule, Size, Switch, WebAddress, Words,
};
use super::secret_rule::{DatabaseUrl, EncryptionKeys, Given, Password, TokenKey};
use super::setting::{Preset, Purpose, Setting, is_secret};
use crate::core::network::{AddressClass, Network};
use crate::core::secret::{KeyRing, Secret};

/// How worker processes come into being.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Launcher {
    /// Somebody else starts them, such as Kubernetes.
    External,
    /// This server starts them as processes of this machine.
    Process,
}

/// The header in which proxies say for whom they speak.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProxyHeader {
    /// `X-Forwarded-For`.
    XForwardedFor,
    /// `Forwarded`, of RFC 7239.
    Forwarded,
}

/// Who may ask for the schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Introspection {
    /// Everybody.
    On,
    /// Those who bring a token.
    SignedIn,
    /// Nobody.
    Off,
}

/// The form of log lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LogFormat {
    /// For people.
    Text,
    /// One JSON object a line.
    Json,
}

macro_rules! settings {
    ($(
        $about:literal
        $section:ident: $Section:ident {
            $( $(#[doc = $meaning:literal])+ $name:ident: $type:ty = $preset:expr, $rule:expr; )+
        }
    )+) => {
        $(
            #[doc = $about]
            pub struct $Section {
                $( $(#[doc = $meaning])+ pub $name: $type, )+
            }
        )+

        /// The settings in force, by concern.
        pub struct Config {
            $( #[doc = $about] pub $section: $Section, )+
        }

        /// All of them.
        pub const SETTINGS: &[Setting] = &[$($( Setting {
            name: stringify!($name),
            section: stringify!($section),
            about: $about,
            meaning: concat!($($meaning, "\n"),+),
            preset: $preset,
            allowed: || $rule.allowed(),
            shown: |text| $rule.shown(text),
            secret: is_secret(&$rule),
        } ),+),+];

        impl Config {
            /// Reads every setting; `None` when the reader met a mistake.
            pub(super) fn read(reader: &mut Reader<'_>) -> Option<Self> {
                $($( let $name = reader.take(stringify!($name), &$rule); )+)+
                Some(Self { $( $section: $Section { $( $name: $name?, )+ }, )+ })
            }
        }
    };
}

use Preset::{Absent, Always, InDev, Needed};

settings! {
    "How the server is reached."
    server: Server {
        /// The address and port that the server listens on.
        listen: SocketAddr = Always("127.0.0.1:8080"), Address;
        /// How many threads answer requests.
        /// One alone wakes no others, and takes about a sixth less of a processor for a small request; it never uses more than one.
        threads: Option<usize> = Absent("as many as there are processors"), Optional(Between(1, 1_024));
        /// An address and port of its own for `/metrics`.
        /// Keeps the metrics off the public port; without it they are served there.
        metrics_listen: Option<SocketAddr> = Absent("`/metrics` is served on `listen`"), Optional(Address);
        /// Whether `/playground` is served.
        playground: bool = Always("on"), Switch;
        /// Who may ask for the schema: everybody, those who bring a token, or nobody.
        /// Unless everybody may, refusals suggest no names and list no values; with `off` `/schema.graphql` is not served.
        introspection: Introspection = Always("on"), OneOf(&[
            ("on", Introspection::On), ("signed-in", Introspection::SignedIn), ("off", Introspection::Off)]);
        /// How long a GraphQL request may take.
        /// Longer than `statement_timeout`, so that the database gives up first.
        request_timeout: Duration = Always("30s"), Lasting(seconds(1), minutes(10));
        /// The largest body of a request.
        /// A full report of throughput, 5,000 rows, takes more than 1 MiB.
        request_body_limit: usize = Always("2 MiB"), Size(1 << 10, 1 << 26);
        /// How often an open WebSocket is pinged.
        /// A client that has not answered by the next ping is cut off.
        socket_ping_interval: Duration = Always("15s"), Lasting(seconds(1), minutes(10));
        /// How long a new WebSocket may take to send `connection_init`.
        socket_init_timeout: Duration = Always("10s"), Lasting(seconds(1), minutes(2));
        /// The proxies in front of the server, which are believed when they say for whom they speak.
        /// Failed sign-ins are counted by address; without this everybody behind a proxy has the proxy's.
        trusted_proxies: Vec<Network> = Absent("the address of a request is its connection's"), Networks;
        /// The header in which trusted proxies say for whom they speak.
        /// It must be the one that the proxy writes itself: the other one comes from the client as it is.
        proxy_header: ProxyHeader = Always("x-forwarded-for"),
            OneOf(&[("x-forwarded-for", ProxyHeader::XForwardedFor), ("forwarded", ProxyHeader::Forwarded)]);
        /// How long the client of a WebSocket or stream of events may take nothing of what waits until it is cut off.
        socket_write_timeout: Duration = Always("5s"), Lasting(millis(100), minutes(10));
        /// Most operations of one WebSocket at a time.
        socket_operation_limit: usize = Always("256"), Between(1, 10_000);
        /// How much may wait to be sent on one WebSocket; a client that lets more pile up is cut off.
        /// Of one subscription, as a stream of events too, four times as much of events may wait; instead of more the present state is told.
        socket_buffer: usize = Always("1 MiB"), Size(1 << 16, 1 << 30);
        /// Origins whose pages may talk to the server beside its own.
        allowed_origins: Vec<String> = Absent("pages of the server's own origin alone"), Origins;
        /// Whether answers are compressed for clients that ask (br, gzip); a proxy in front may do it already.
        /// Never streams, nor what mutations answer, which may be a secret.
        compression: bool = Always("on"), Switch;
        /// Most connections at a time.
        connection_limit: usize = Always("20000"), Between(1, 1_000_000);
        /// Most connections of one address.
        /// Leave it out behind a proxy, which has one address for all.
        connections_per_address: Option<usize> = Absent("as many as `connection_limit`"), Optional(Between(1, 1_000_000));
        /// Most WebSockets and streams of events of one token.
        connections_per_token: Option<usize> = Absent("as many as `connection_limit`"), Optional(Between(1, 1_000_000));
        /// How long the head of a request may take to arrive, and a connection stay idle.
        header_timeout: Duration = Always("30s"), Lasting(millis(100), minutes(10));
        /// How long the body of a request may take to arrive, and a client take nothing of a response.
        body_timeout: Duration = Always("30s"), Lasting(millis(100), minutes(10));
        /// A file or folder of the documents that are run; no others are then.
        /// Documents are files `*.graphql` or stand in manifests `*.json`; clients send them whole or by their SHA-256.
        trusted_documents: Option<PathBuf> = Absent("every document is run"), Optional(Folder);
        /// How much of documents is kept for clients that send their SHA-256 alone; none with 0.
        /// That is what clients call automatic persisted queries.
        persisted_queries: usize = Always("8 MiB"), Size(0, 1 << 30);
        /// Most operations a second of one viewer.
        /// Each replica counts for itself; more are refused with `RATE_LIMITED`, over HTTP with status 429.
        rate_per_viewer: Option<u32> = Absent("not bounded"), Optional(Between(1, 1_000_000));
        /// Most operations a second of one address; an address of version 6 stands for its /64.
        /// Behind a proxy `trusted_proxies` is needed for it.
        rate_per_address: Option<u32> = Absent("not bounded"), Optional(Between(1, 1_000_000));
        /// How many seconds' worth of operations may come at once.
        rate_burst: u32 = Always("10"), Between(1, 3_600);
        /// The longest document.
        query_bytes: usize = Always("100 KiB"), Size(1 << 10, 1 << 20);
        /// Most tokens of a document: names, values and punctuation.
        query_tokens: u64 = Always("10000"), Between(100, 1_000_000);
        /// Most operations in one request over HTTP; with 1, a request is never a list.
        query_batch: u64 = Always("1"), Between(1, 100);
        /// The largest variables of an operation.
        query_variables: Option<usize> = Absent("as large as `request_body_limit`"), Optional(Size(1 << 10, 1 << 26));
        /// Most items of one list of the variables.
        query_list: u64 = Always("20000"), Between(1, 1_000_000);
        /// Most directives in one place.
        query_directives: u64 = Always("8"), Between(1, 100);
        /// Most uses of fragments, counting those inside others.
        query_fragments: u64 = Always("1000"), Between(0, 100_000);
        /// Most fields inside each other.
        /// Tools that ask for the whole schema need 15.
        query_depth: u64 = Always("20"), Between(1, 32);
        /// Most values that an answer could have.
        /// Every object and every plain value counts one, and all in a list as often as its page is long.
        query_cost: u64 = Always("500000"), Between(1, 100_000_000);
        /// Most fields of a document, counting every use of a fragment.
        query_fields: u64 = Always("5000"), Between(1, 100_000);
        /// Most fields of an operation itself, such as mutations in one request.
        query_root_fields: u64 = Always("100"), Between(1, 1_000);
        /// Most fields under another name.
        query_aliases: u64 = Always("250"), Between(0, 10_000);
    }

    "Where things are kept."
    storage: Storage {
        /// The directory of everything that `dev` keeps: its PostgreSQL, its keys, the first password.
        data_dir: PathBuf = Always(".pumphouse"), Folder;
        /// The directory in which launched workers hand segments over to each other.
        segments_dir: Option<PathBuf> = Absent("`segments` in `data_dir`"), Optional(Folder);
    }

    "How the server talks to PostgreSQL."
    database: Database {
        /// Where PostgreSQL is, as whom, and which database.
        /// `dev` brings its own PostgreSQL and takes no notice of it.
        database_url: Option<PgConnectOptions> =
            Needed(&[Purpose::Serve, Purpose::Database], "`dev` brings its own PostgreSQL"), Optional(DatabaseUrl);
        /// Most connections of requests at a time.
        /// A replica has six more: four for events and jobs, and one each for listening and for leading.
        pool_size: u32 = Always("10"), Between(1, 500);
        /// How long a request waits for a free connection.
        acquire_timeout: Duration = Always("5s"), Lasting(millis(100), minutes(1));
        /// How long a statement may run.
        statement_timeout: Duration = Always("15s"), Lasting(millis(100), minutes(10));
        /// How long a statement waits for a lock.
        lock_timeout: Duration = Always("5s"), Lasting(millis(100), minutes(10));
    }

    "Who may come in."
    auth: Auth {
        /// The email of the first superuser, made when the database has no user.
        admin_email: String = Always("admin@example.com"), Email;
        /// The first superuser's password.
        /// Only used while the database has no user.
        admin_password: Option<Secret<String>> = Absent("generated and shown once; `dev` keeps it in `data_dir`"), Optional(Password);
        /// The keys that seal configurations: the first one seals, all of them open.
        /// A new one, to be put before the others: `echo "k2:$(openssl rand -base64 32)"`.
        encryption_keys: Option<KeyRing> = Needed(&[Purpose::Serve], "`dev` generates one and keeps it in `data_dir`"), Optional(EncryptionKeys);
        /// The key that signs tokens; another key ends every session.
        /// A new one: `openssl rand -base64 32`.
        token_key: Option<Secret<Vec<u8>>> = Needed(&[Purpose::Serve], "`dev` generates one and keeps it in `data_dir`"), Optional(TokenKey);
        /// How long a login is good for.
        token_lifetime: Duration = Always("12h"), Lasting(minutes(1), days(365));
        /// How many sign-ins of one account may fail in a `login_window`; then it waits for the window's end.
        login_failures_per_account: i32 = Always("10"), Between(1, 1_000);
        /// How many sign-ins from one address may fail in a `login_window`; an address of version 6 stands for its /64.
        login_failures_per_address: i32 = Always("100"), Between(1, 1_000_000);
        /// How long failed sign-ins count, from the first one on.
        login_window: Duration = Always("15m"), Lasting(seconds(1), hours(24));
        /// How long a worker's token is good for.
        worker_token_lifetime: Duration = Always("30d"), Lasting(hours(1), days(365));
        /// Whether changes need an active licence, as `reportLicense` said last.
        /// Reading, signing in and out, and whatever stops work, takes rights away or stores nothing (a dry run, a test of a connection) go on
        /// without one.
        license_enforced: bool = Always("off"), Switch;
    }

    "Sign-in by OpenID Connect, beside passwords."
    oidc: OpenIdConnect {
        /// The provider of identities, by the address that it names itself with.
        /// Needs `oidc_client_id` and `public_url`; without it nobody signs in that way.
        oidc_issuer: Option<Url> = Absent("no sign-in by OpenID Connect"), Optional(WebAddress);
        /// The name that the provider knows this installation by.
        /// Its redirect URI there is `/auth/oidc/callback` below `public_url`.
        oidc_client_id: Option<String> = Absent("none"), Optional(Words);
        /// The secret that the provider has given with that name.
        oidc_client_secret: Option<Secret<String>> = Absent("a public client, by PKCE alone"), Optional(Given);
        /// Whether somebody who has no user here yet is given one.
        /// The provider must have checked their email address.
        oidc_create_users: bool = Always("on"), Switch;
        /// Where browsers reach this server.
        public_url: Option<Url> = Absent("needed for OpenID Connect alone"), Optional(WebAddress);
    }

    "How connections of connectors are tested."
    connectors: Connectors {
        /// Addresses that a test of a connection does not connect to, by class.
        /// A name counts as what it resolves to. `link-local` has the metadata services of clouds, `loopback` this machine.
        connection_test_forbids: Vec<AddressClass> = InDev("link-local", "loopback, link-local"), Classes;
        /// Most connections that are tested at a time; further ones are refused.
        connection_test_limit: usize = Always("32"), Between(1, 1_000);
    }

    "How workers are started, heard and given up."
    workers: Workers {
        /// Who starts workers: this server, as processes beside it, or somebody else.
        launcher: Launcher =
            InDev("process", "external"), OneOf(&[("external", Launcher::External), ("process", Launcher::Process)]);
        /// How often a worker is told to report.
        /// Less than half of `heartbeat_limit`, so that one lost report is no alarm.
        heartbeat_interval: Duration = Always("10s"), Lasting(millis(100), minutes(10));
        /// How long a worker may be silent before its health is `UNRESPONSIVE`.
        heartbeat_limit: Duration = Always("90s"), Lasting(millis(500), hours(1));
        /// How long after its launch a worker may take to its first report; then its health is `NOT_STARTED`.
        launch_grace: Duration = Always("90s"), Lasting(millis(500), hours(1));
        /// How long after its launch a worker without any report is given up, in state `ERROR`.
        launch_timeout: Duration = Always("10m"), Lasting(seconds(1), hours(24));
        /// How long a worker may take to stop before it is taken for stopped.
        stop_timeout: Duration = Always("120s"), Lasting(seconds(1), hours(24));
    }

    "How syncs are grouped and watched."
    syncs: Syncs {
        /// Tables with up to this many rows are read in groups; larger ones alone.
        small_table_rows: i64 = Always("100000"), Between(0, 1_000_000_000);
        /// Most tables of a group.
        sync_group_size: usize = Always("20"), Between(1, 1_000);
        /// How long a sync may make no progress before it is called stalled.
        stall_after: Duration = Always("60s"), Lasting(seconds(1), hours(24));
        /// How long a sync may be stalled before it is given up.
        abandon_after: Duration = Always("30m"), Lasting(seconds(1), days(30));
    }

    "How throughput is kept."
    throughput: Throughput {
        /// How long counts are kept as workers report them; their sums by day stay.
        /// Hours, and parts of a day, are shown for as long; whole days of UTC are kept.
        metric_retention: Duration = Always("30d"), Lasting(days(1), days(3650));
    }

    "What is logged, and how."
    telemetry: Telemetry {
        /// What is logged: a level for Pumphouse, or a filter by module.
        /// Other crates never log below `debug`, since they would print tokens.
        log_level: String = Always("info"), LogFilter;
        /// The form of log lines: for people, or one JSON object each.
        log_format: LogFormat = Always("text"), OneOf(&[("text", LogFormat::Text), ("json", LogFormat::Json)]);
        /// Whether every GraphQL operation has a line in the log: its id, name, viewer, outcome and time.
        log_requests: bool = Always("off"), Switch;
        /// The collector that traces are sent to, by OTLP over HTTP.
        /// Without a path it is `/v1/traces` there.
        otlp_endpoint: Option<Url> = Absent("no traces"), Optional(WebAddress);
        /// Headers for the collector, such as `authorization=Bearer x,tenant=y`.
        otlp_headers: Option<Secret<String>> = Absent("none"), Optional(Given);
        /// How many of a hundred operations are traced; those in a client's own trace are when the client says so.
        otlp_percent: u8 = Always("100"), Between(0, 100);
    }
}

const fn millis(count: u64) -> Duration {
    Duration::from_millis(count)
}
const fn seconds(count: u64) -> Duration {
    Duration::from_secs(count)
}
const fn minutes(count: u64) -> Duration {
    Duration::from_mins(count)
}
const fn hours(count: u64) -> Duration {
    Duration::from_hours(count)
}
const fn days(count: u64) -> Duration {
    Duration::from_hours(count * 24)
}
