//! A real server on a port of its own, and callers who speak GraphQL to it.

use std::str::FromStr as _;
use std::sync::Arc;
use std::time::Duration;

use base64::Engine as _;
use pumphouse::access::oidc::OidcSettings;
use pumphouse::access::token::TokenKey;
use pumphouse::access::{SignInLimits, TokenLifetime, create_user};
use pumphouse::core::db::DbSettings;
use pumphouse::core::leader::Job;
use pumphouse::core::live::ListenRetry;
use pumphouse::core::secret::{KeyRing, Secret};
use pumphouse::core::write::LicenseEnforced;
use pumphouse::operations::{StallTimings, Steps};
use pumphouse::pipelines::{ProbeSettings, WorkerTimings};
use pumphouse::server::ServerSettings;
use pumphouse::service::{Service, ServiceSettings};
use pumphouse::throughput::Upkeep;
use serde_json::{Value, json};
use sqlx::postgres::PgConnectOptions;
use uuid::Uuid;

use super::{Database, Socket, database};

/// The password of every user that a test makes through [`Server::user`].
pub const PASSWORD: &str = "correct horse battery staple";

/// What a test may set differently.
#[derive(Clone)]
pub struct TestSettings {
    pub workers: WorkerTimings,
    pub stalls: StallTimings,
    pub request_timeout: Duration,
    pub statement_timeout: Duration,
    pub jobs: Vec<Arc<dyn Job>>,
    pub probes: ProbeSettings,
    pub license_enforced: bool,
    pub oidc: Option<OidcSettings>,
    pub sign_in: SignInLimits,
    pub server: ServerSettings,
}

impl Default for TestSettings {
    fn default() -> Self {
        Self {
            workers: WorkerTimings::default(),
            stalls: StallTimings::default(),
            request_timeout: Duration::from_secs(20),
            statement_timeout: Duration::from_secs(15),
            jobs: Vec::new(),
            probes: ProbeSettings::default(),
            license_enforced: false,
            oidc: None,
            sign_in: SignInLimits::default(),
            server: ServerSettings::at(([127, 0, 0, 1], 0).into()),
        }
    }
}

/// A server with a database of its own.
pub struct Server {
    pub database: Database,
    pub service: Service,
    pub keys: KeyRing,
    pub token_key: TokenKey,
    http: reqwest::Client,
}

/// The settings of a replica for tests.
pub fn settings(url: &str, test: &TestSettings) -> ServiceSettings {
    let key = base64::engine::general_purpose::STANDARD.encode([7_u8; 32]);
    ServiceSettings {
        db: DbSettings {
            options: PgConnectOptions::from_str(url).expect("a URL"),
            pool_size: 10,
            acquire_timeout: Duration::from_secs(10),
            statement_timeout: test.statement_timeout,
            lock_timeout: Duration::from_secs(5),
        },
        server: ServerSettings { request_timeout: test.request_timeout, ..test.server.clone() },
        token_key: TokenKey::new(&Secret::new(vec![9_u8; 32])),
        token_lifetime: TokenLifetime(Duration::from_hours(1)),
        sign_in: test.sign_in,
        keys: KeyRing::parse(&format!("test:{key}")).expect("a key ring"),
        workers: test.workers,
        listen_retry: ListenRetry::default(),
        stalls: test.stalls,
        steps: Steps::default(),
        throughput: Upkeep { retention: Duration::from_hours(30 * 24) },
        probes: test.probes.clone(),
        license: LicenseEnforced(test.license_enforced),
        oidc: test.oidc.clone(),
        launcher: None,
        adds_up_today: false,
        jobs: test.jobs.clone(),
    }
}

impl Server {
    /// A server on a fresh database.
    pub async fn start() -> Self {
        Self::start_with(TestSettings::default()).await
    }

    /// A server on a fresh database with other settings.
    pub async fn start_with(test: TestSettings) -> Self {
        let database = database().await;
        Self::on(database, &test).await
    }

    /// A server on this database.
    pub async fn on(database: Database, test: &TestSettings) -> Self {
        let settings = settings(&database.url, test);
        Self::with(database, settings).await
    }

    /// A server on this database with these settings.
    pub async fn with(database: Database, settings: ServiceSettings) -> Self {
        let (keys, token_key) = (settings.keys.clone(), settings.token_key.clone());
        let service = Service::start(settings).await.expect("the server starts");
        Self { database, service, keys, token_key, http: reqwest::Client::new() }
    }

    /// Statements that requests have cost so far, but for those that ask who the viewer is.
    pub fn statements(&self) -> u64 {
        self.service.db().statements() - self.service.viewers().loads()
    }

    /// The URL of a path.
    pub fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.service.address())
    }

    /// A caller without a token.
    pub fn nobody(&self) -> Caller {
        Caller { http: self.http.clone(), url: self.url("/graphql"), token: None, id: Uuid::nil() }
    }

    /// A caller with this token.
    pub fn with_token(&self, token: &str) -> Caller {
        Caller { token: Some(token.to_owned()), ..self.nobody() }
    }

    /// A caller for one generation of a worker.
    pub fn worker(&self, id: Uuid, generation: Uuid) -> Caller {
        let token = self.token_key.for_worker(id, generation, chrono::Utc::now() + Duration::from_hours(1)).expect("a token");
        self.with_token(&token.text)
    }

    /// A signed-in superuser.
    pub async fn superuser(&self) -> Caller {
        self.user("root@example.com", true).await
    }

    /// A new user, signed in. The token is minted directly: hashing a password for each test would take seconds.
    pub async fn user(&self, email: &str, superuser: bool) -> Caller {
        let id = Uuid::new_v4();
        sqlx::query("insert into \"user\" (id, email, is_active, is_superuser, is_verified, version, updated_at) values ($1, $2, true, $3, true, 1, now())")
            .bind(id)
            .bind(email)
            .bind(superuser)
            .execute(&self.database.pool)
            .await
            .expect("a user");
        let token = self.token_key.for_user(id, 0, None, chrono::Utc::now() + Duration::from_hours(1)).expect("a token");
        Caller { id, ..self.with_token(&token.text) }
    }

    /// A new user with [`PASSWORD`], made as the command line makes one.
    pub async fn user_with_password(&self, email: &str, superuser: bool) -> Uuid {
        create_user(self.service.db(), email, &Secret::new(PASSWORD.to_owned()), superuser).await.expect("a user")
    }

    /// What `/metrics` says of this metric, summed over its labels.
    pub async fn metric(&self, name: &str) -> f64 {
        let text = self.http.get(self.url("/metrics")).send().await.expect("an answer").text().await.expect("text");
        text.lines()
            .filter(|line| line.strip_prefix(name).is_some_and(|rest| rest.starts_with([' ', '{'])))
            .filter_map(|line| line.rsplit(' ').next()?.parse::<f64>().ok())
            .sum()
    }
}

/// Somebody who speaks GraphQL.
#[derive(Clone)]
pub struct Caller {
    http: reqwest::Client,
    url: String,
    pub token: Option<String>,
    pub id: Uuid,
}

/// An answer.
#[derive(Debug)]
pub struct Reply(pub Value);

impl Caller {
    /// Asks, without variables.
    pub async fn ask(&self, query: &str) -> Reply {
        self.ask_with(query, json!({})).await
    }

    /// Asks, with variables.
    pub async fn ask_with(&self, query: &str, variables: Value) -> Reply {
        let mut request = self.http.post(&self.url).json(&json!({"query": query, "variables": variables}));
        if let Some(token) = &self.token {
            request = request.bearer_auth(token);
        }
        Reply(request.send().await.expect("an answer").json().await.expect("JSON"))
    }

    /// Asks, and takes the answer as it is.
    pub async fn bytes(&self, query: &str) -> Vec<u8> {
        let request = self.http.post(&self.url).json(&json!({"query": query})).bearer_auth(self.token.as_deref().unwrap_or_default());
        request.send().await.expect("an answer").bytes().await.expect("a body").to_vec()
    }

    /// A live operation over a socket of its own.
    pub async fn subscribe(&self, query: &str, variables: Value) -> Socket {
        let mut socket = Socket::connect(&self.url, self.token.as_deref()).await;
        socket.subscribe("1", query, variables).await;
        socket
    }
}

impl Reply {
    /// The data of an answer without errors.
    #[track_caller]
    pub fn data(self) -> Value {
        assert_eq!(self.0.get("errors"), None, "the answer has errors: {:#}", self.0);
        self.0["data"].clone()
    }

    /// The code of the first error.
    #[track_caller]
    pub fn code(&self) -> &str {
        self.0["errors"][0]["extensions"]["code"].as_str().unwrap_or_else(|| panic!("the answer has no error: {:#}", self.0))
    }

    /// The fields of all violations, in their order.
    pub fn violations(&self) -> Vec<&str> {
        let all = self.0["errors"][0]["extensions"]["details"]["violations"].as_array();
        all.into_iter().flatten().map(|one| one["field"].as_str().expect("a field")).collect()
    }

    /// The field that the first error names.
    pub fn field(&self) -> Option<&str> {
        self.0["errors"][0]["extensions"]["field"].as_str()
    }

    /// The sentence of the first error.
    #[track_caller]
    pub fn message(&self) -> &str {
        self.0["errors"][0]["message"].as_str().unwrap_or_else(|| panic!("the answer has no error: {:#}", self.0))
    }
}
