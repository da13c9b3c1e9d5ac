//! What the transports need to be told.

use std::net::SocketAddr;
use std::time::Duration;

use crate::core::network::Network;
use crate::server::{Limits, ProxyHeader, RateLimits, TrustedDocuments};

/// Who may ask for the schema's own description.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Introspection {
    /// Everybody.
    Everybody,
    /// Those who bring a token.
    SignedIn,
    /// Nobody.
    Nobody,
}

/// What the transports need to know.
#[derive(Clone, Debug)]
pub struct ServerSettings {
    /// Where to listen.
    pub listen: SocketAddr,
    /// Where probes and metrics are served instead, when they have an address of their own.
    pub metrics_listen: Option<SocketAddr>,
    /// Whether `/playground` is served.
    pub playground: bool,
    /// Who may ask for the schema's own description.
    pub introspection: Introspection,
    /// The documents that are run, when no others are.
    pub trusted_documents: Option<TrustedDocuments>,
    /// How many bytes of documents are kept for clients that send their hash alone; none are with 0.
    pub document_memory: usize,
    /// How often one may ask.
    pub rates: RateLimits,
    /// Whether every operation has a line in the log, not only those that fail by our fault.
    pub log_requests: bool,
    /// Whether answers are compressed for clients that ask; a proxy in front often does it already.
    pub compression: bool,
    /// Origins whose pages may talk to the server beside its own, such as `https://app.example.com`; `*` is every one.
    pub allowed_origins: Vec<String>,
    /// The most connections at a time.
    pub connection_limit: usize,
    /// The most connections of one address; leave it out behind a proxy, which has one address for all.
    pub connections_per_address: Option<usize>,
    /// The most sockets and streams of one token.
    pub connections_per_token: Option<usize>,
    /// The proxies that are believed when they say for whom they speak.
    pub trusted_proxies: Vec<Network>,
    /// The header in which they say it.
    pub proxy_header: ProxyHeader,
    /// How long the head of a request may take to arrive, and how long a connection may stay idle.
    pub header_timeout: Duration,
    /// How long the body of a request may take to arrive, and how long a client may take nothing of a response.
    pub body_timeout: Duration,
    /// The largest body of a request, and the largest message on a socket, in bytes.
    pub body_limit: usize,
    /// How long a request may take.
    pub request_timeout: Duration,
    /// How long the client of a socket or of a stream of events may take nothing of what waits for it until it is cut off.
    pub write_timeout: Duration,
    /// How long a socket may take to say `connection_init`.
    pub init_timeout: Duration,
    /// How often a socket is pinged, and a quiet stream of events told that it lives. A socket whose client is
    /// silent for two intervals is closed.
    pub ping_interval: Duration,
    /// The most operations of one socket at a time.
    pub operation_limit: usize,
    /// How much may wait to be sent on one socket, in bytes; and a quarter of what may wait for one subscription.
    pub socket_buffer: usize,
    /// What a request may ask for.
    pub limits: Limits,
}

impl ServerSettings {
    /// The settings of a server here, with defaults for all else.
    #[must_use]
    pub fn at(listen: SocketAddr) -> Self {
        Self {
            listen,
            metrics_listen: None,
            playground: true,
            introspection: Introspection::Everybody,
            trusted_documents: None,
            document_memory: 8 * 1024 * 1024,
            rates: RateLimits::default(),
            log_requests: false,
            compression: true,
            allowed_origins: Vec::new(),
            connection_limit: 20_000,
            connections_per_address: None,
            connections_per_token: None,
            trusted_proxies: Vec::new(),
            proxy_header: ProxyHeader::XForwardedFor,
            header_timeout: Duration::from_secs(30),
            body_timeout: Duration::from_secs(30),
            body_limit: 2 * 1024 * 1024,
            request_timeout: Duration::from_secs(30),
            write_timeout: Duration::from_secs(5),
            init_timeout: Duration::from_secs(10),
            ping_interval: Duration::from_secs(15),
            operation_limit: 256,
            socket_buffer: 1024 * 1024,
            limits: Limits::default(),
        }
    }
}
