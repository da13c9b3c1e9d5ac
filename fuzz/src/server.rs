//! The real router over a database that is not there, and what must hold of whatever it answers.

use std::cell::OnceCell;
use std::time::{Duration, Instant};

use axum::Router;
use axum::body::{Body, to_bytes};
use pumphouse::access::token::TokenKey;
use pumphouse::access::{SignInLimits, TokenLifetime};
use pumphouse::core::db::{Db, DbSettings};
use pumphouse::core::error::Code;
use pumphouse::core::live::{Hub, ListenRetry};
use pumphouse::core::secret::{KeyRing, Secret};
use pumphouse::core::write::LicenseEnforced;
use pumphouse::operations::Steps;
use pumphouse::pipelines::{ProbeSettings, Prober, WorkerTimings};
use pumphouse::server::{App, Introspection, ServerSettings, fuzz};
use serde_json::{Value, json};
use sqlx::postgres::PgConnectOptions;
use tokio::runtime::{Builder, Runtime};
use tokio_util::sync::CancellationToken;
use tower::ServiceExt as _;

use crate::CANARY;

/// How long one input may take; it is some milliseconds without a sanitizer.
const LONGEST: Duration = Duration::from_secs(5);
/// The most errors of one answer.
const MOST_ERRORS: usize = 20;
/// 32 bytes in base64.
pub(crate) const KEYS: &str = "new:MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=,old:ZmVkY2JhOTg3NjU0MzIxMGZlZGNiYTk4NzY1NDMyMTA=";

/// Who is told the schema, and who is not.
struct Servers {
    runtime: Runtime,
    open: Router,
    discreet: Router,
}

thread_local! {
    static SERVERS: OnceCell<Servers> = const { OnceCell::new() };
}

/// What was answered.
pub(crate) struct Answered {
    pub(crate) status: u16,
    pub(crate) body: Value,
}

impl Answered {
    pub(crate) fn errors(&self) -> &[Value] {
        self.body["errors"].as_array().map_or(&[], Vec::as_slice)
    }

    /// The codes of the errors, in order, each with the guard that it names.
    pub(crate) fn codes(&self) -> Vec<(String, Option<String>)> {
        let text = |value: &Value| value.as_str().map(str::to_owned);
        let code = |error: &Value| (text(&error["extensions"]["code"]).unwrap(), text(&error["extensions"]["details"]["guard"]));
        self.errors().iter().map(code).collect()
    }

    /// It was carried out, with or without errors.
    pub(crate) fn is_executed(&self) -> bool {
        self.body.get("data").is_some()
    }
}

/// Runs work beside the server, within its runtime.
pub(crate) fn within<T>(work: impl AsyncFnOnce(Router) -> T) -> T {
    SERVERS.with(|servers| {
        let servers = servers.get_or_init(start);
        servers.runtime.block_on(work(servers.open.clone()))
    })
}

/// Asks a server over HTTP, by somebody without a token, and holds the answer against what holds of every answer.
pub(crate) fn ask(document: &str, variables: &Value, discloses: bool) -> Answered {
    let begun = Instant::now();
    let body = json!({"query": document, "variables": variables}).to_string();
    let request = axum::http::Request::post("/graphql")
        .header("content-type", "application/json")
        .header("accept", "application/graphql-response+json")
        .body(Body::from(body))
        .unwrap();
    let (status, bytes) = SERVERS.with(|servers| {
        let servers = servers.get_or_init(start);
        let router = if discloses { &servers.open } else { &servers.discreet }.clone();
        servers.runtime.block_on(async {
            let response = router.oneshot(request).await.unwrap();
            (response.status().as_u16(), to_bytes(response.into_body(), usize::MAX).await.unwrap())
        })
    });
    assert!(begun.elapsed() < LONGEST, "it took {:?}", begun.elapsed());
    let answered = Answered { status, body: serde_json::from_slice(&bytes).unwrap() };
    check(&answered, discloses);
    answered
}

fn check(answered: &Answered, discloses: bool) {
    let executed = answered.is_executed();
    assert!(matches!(answered.status, 200 | 400 | 401 | 403 | 413 | 429 | 503), "{}: {}", answered.status, answered.body);
    assert!(executed || !answered.errors().is_empty(), "neither data nor errors: {}", answered.body);
    assert!(answered.errors().len() <= MOST_ERRORS, "{} errors", answered.errors().len());
    for error in answered.errors() {
        let message = error["message"].as_str().unwrap();
        let code = Code::read(error["extensions"]["code"].as_str().unwrap()).unwrap();
        assert!(code != Code::Internal, "{error}");
        assert!(!message.is_empty() && !error.to_string().contains(CANARY), "{error}");
        assert!(discloses || !message.contains("Did you mean"), "{error}");
        if code == Code::TooComplex {
            let details = &error["extensions"]["details"];
            assert!(details["cost"].as_u64() > details["limit"].as_u64() && details["guard"].is_string(), "{error}");
        }
    }
}

fn start() -> Servers {
    let runtime = Builder::new_current_thread().enable_all().build().unwrap();
    let (open, discreet) = {
        let _entered = runtime.enter();
        (router(Introspection::Everybody), router(Introspection::SignedIn))
    };
    Servers { runtime, open, discreet }
}

fn router(introspection: Introspection) -> Router {
    // A socket that is not there refuses at once.
    let options = PgConnectOptions::new_without_pgpass().socket("/nowhere").username("nobody");
    let patience = Duration::from_secs(1);
    let db = Db::new(&DbSettings { options, pool_size: 2, acquire_timeout: patience, statement_timeout: patience, lock_timeout: patience });
    // Nothing changes where there is no database, so nothing is listened for.
    let ended = CancellationToken::new();
    ended.cancel();
    let settings = ServerSettings { introspection, ..ServerSettings::at(([127, 0, 0, 1], 0).into()) };
    fuzz::router(App {
        hub: Hub::start(db.clone(), Vec::new(), ListenRetry::default(), &ended),
        db,
        token_key: TokenKey::new(&Secret::new(b"a key of the fuzz targets".to_vec())),
        token_lifetime: TokenLifetime(Duration::from_secs(3_600)),
        sign_in: SignInLimits::default(),
        keys: KeyRing::parse(KEYS).unwrap(),
        oidc: None,
        workers: WorkerTimings::default(),
        steps: Steps::default(),
        prober: Prober::new(ProbeSettings::default()),
        license: LicenseEnforced(false),
        settings,
    })
}
