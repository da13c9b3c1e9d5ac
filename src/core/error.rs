//! The one error type.
//!
//! Always holds: what a client may read (`message`, `field`, `details`) and what went wrong inside
//! (`cause`) are separate, and only the first has a text form. A cause is logged once, when the error
//! becomes an answer. Not here: HTTP status codes, which belong to the transports.

use std::borrow::Cow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use async_graphql::{ErrorExtensionValues, ErrorExtensions as _};
use sqlx::postgres::PgDatabaseError;

use crate::core::constraint;
use crate::core::request;

/// What kind of refusal or failure an error is; clients branch on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Code {
    /// No valid token came with the request.
    Unauthenticated,
    /// The viewer sees the object but may not do this to it.
    Forbidden,
    /// The object does not exist, or does not exist for this viewer.
    NotFound,
    /// The input breaks a rule.
    Validation,
    /// The present state does not allow the change.
    Conflict,
    /// The idempotency key was used for another request.
    IdempotencyKeyReused,
    /// The licence of this installation is not active.
    LicenseInactive,
    /// Too many tries; wait.
    RateLimited,
    /// The document asks for more than one request may.
    TooComplex,
    /// The database took longer than a statement may.
    Timeout,
    /// The database cannot be reached; try again.
    Unavailable,
    /// A fault of ours.
    Internal,
    /// The request is none, or its document does not parse.
    ParseFailed,
    /// The document does not fit the schema, or its variables do not fit the document.
    ValidationFailed,
    /// No document is kept under this hash; send it whole.
    PersistedQueryNotFound,
}

impl Code {
    /// Whether the same may be answered in a while, when what it was asked of can answer again.
    pub(crate) const fn may_pass(self) -> bool {
        matches!(self, Self::Unavailable | Self::Timeout)
    }

    /// Every code that there is.
    pub const ALL: [Self; 15] = [
        Self::Unauthenticated,
        Self::Forbidden,
        Self::NotFound,
        Self::Validation,
        Self::Conflict,
        Self::IdempotencyKeyReused,
        Self::LicenseInactive,
        Self::RateLimited,
        Self::TooComplex,
        Self::Timeout,
        Self::Unavailable,
        Self::Internal,
        Self::ParseFailed,
        Self::ValidationFailed,
        Self::PersistedQueryNotFound,
    ];

    /// The code of this spelling.
    #[must_use]
    pub fn read(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|code| code.as_str() == text)
    }

    /// The spelling in `extensions.code`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Unauthenticated => "UNAUTHENTICATED",
            Self::Forbidden => "FORBIDDEN",
            Self::NotFound => "NOT_FOUND",
            Self::Validation => "VALIDATION",
            Self::Conflict => "CONFLICT",
            Self::IdempotencyKeyReused => "IDEMPOTENCY_KEY_REUSED",
            Self::LicenseInactive => "LICENSE_INACTIVE",
            Self::RateLimited => "RATE_LIMITED",
            Self::TooComplex => "TOO_COMPLEX",
            Self::Timeout => "TIMEOUT",
            Self::Unavailable => "UNAVAILABLE",
            Self::Internal => "INTERNAL",
            Self::ParseFailed => "GRAPHQL_PARSE_FAILED",
            Self::ValidationFailed => "GRAPHQL_VALIDATION_FAILED",
            Self::PersistedQueryNotFound => "PERSISTED_QUERY_NOT_FOUND",
        }
    }
}

/// A refusal or failure on its way to a client.
#[derive(Clone, Debug)]
pub struct Error {
    code: Code,
    message: Cow<'static, str>,
    field: Option<String>,
    details: Option<serde_json::Value>,
    cause: Option<Arc<Cause>>,
}

/// What went wrong inside. The clones of an error share it: one that failed a whole batch is logged once.
#[derive(Debug)]
struct Cause {
    error: Box<dyn std::error::Error + Send + Sync>,
    logged: AtomicBool,
}

/// Rights have ended.
#[derive(Debug, thiserror::Error)]
#[error("rights have ended while a mutation was at work")]
struct Overtaken;

const UNFIT: &str = "A value is longer, larger or of another form than can be stored.";
const NO_ROOM: &str = "The database has no room left for this; its operator must make some. Try again later.";
const READ_ONLY: &str = "The database takes no changes at the moment; try again.";
const UNREACHABLE: &str = "The database cannot be reached at the moment; try again.";

/// What every fallible function of the graph returns.
pub type Result<T, E = Error> = std::result::Result<T, E>;

impl Error {
    pub(crate) fn new(code: Code, message: impl Into<Cow<'static, str>>) -> Self {
        Self { code, message: message.into(), field: None, details: None, cause: None }
    }

    /// No valid token came with the request.
    #[must_use]
    pub fn unauthenticated(message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(Code::Unauthenticated, message)
    }

    /// The viewer sees the object but may not do this to it.
    #[must_use]
    pub fn forbidden(message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(Code::Forbidden, message)
    }

    /// The object does not exist for this viewer: one wording for "not there" and "not yours".
    #[must_use]
    pub fn not_found(entity: &'static str) -> Self {
        Self::new(Code::NotFound, format!("No such {entity}."))
    }

    /// The input breaks a rule; name the field with [`Error::field`].
    #[must_use]
    pub fn validation(message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(Code::Validation, message)
    }

    /// The present state does not allow the change.
    #[must_use]
    pub fn conflict(message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(Code::Conflict, message)
    }

    /// The idempotency key was used for another request.
    #[must_use]
    pub fn key_reused() -> Self {
        let message = "This idempotency key was used for another request already; use a fresh key for each request.";
        Self::new(Code::IdempotencyKeyReused, message)
    }

    /// An answer that must not be kept.
    #[must_use]
    pub fn secret_answer() -> Self {
        Self::validation("The answer of this mutation holds a secret and is never kept; send it without an idempotency key.")
            .field("idempotencyKey")
    }

    /// The licence of this installation is not active.
    #[must_use]
    pub fn license_inactive() -> Self {
        let message = "The licence of this installation is not active, so nothing can be changed; reading goes on. Ask its operator.";
        Self::new(Code::LicenseInactive, message)
    }

    /// Too many tries; wait as long as the message says.
    #[must_use]
    pub fn rate_limited(message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(Code::RateLimited, message)
    }

    /// The request asks for `cost`, where `guard` lets `limit` through.
    #[must_use]
    pub(crate) fn too_complex(guard: &'static str, message: impl Into<Cow<'static, str>>, cost: u64, limit: u64) -> Self {
        Self::new(Code::TooComplex, message).details(serde_json::json!({"guard": guard, "cost": cost, "limit": limit}))
    }

    /// No document is kept under the hash that was sent. The words are those that clients of Apollo's protocol know.
    #[must_use]
    pub(crate) fn document_unknown() -> Self {
        Self::new(Code::PersistedQueryNotFound, "PersistedQueryNotFound")
    }

    /// The request is none, or its document does not parse.
    #[must_use]
    pub(crate) fn unreadable(message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(Code::ParseFailed, message)
    }

    /// What should be JSON is none; the parser says why and where, and repeats nothing of it.
    #[must_use]
    pub(crate) fn no_json(what: &str, why: &serde_json::Error) -> Self {
        Self::unreadable(format!("{what} cannot be read as JSON: {why}."))
    }

    /// The document does not fit the schema, or its variables do not fit the document.
    #[must_use]
    pub(crate) fn invalid_document(message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(Code::ValidationFailed, message)
    }

    /// It cannot be answered at the moment; try again.
    #[must_use]
    pub fn unavailable(message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(Code::Unavailable, message)
    }

    /// No connection to the database could be had.
    pub(crate) fn unreachable(cause: sqlx::Error) -> Self {
        Self::new(Code::Unavailable, UNREACHABLE).because(cause)
    }

    /// Rights that a mutation went by have ended while it was at work.
    #[must_use]
    pub(crate) fn overtaken() -> Self {
        Self::new(Code::Unavailable, "Your rights have changed while this was at work; try again.").because(Overtaken)
    }

    /// It took longer than it may.
    #[must_use]
    pub fn timeout(message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(Code::Timeout, message)
    }

    /// A fault of ours; the cause goes to the log, never to a client.
    #[must_use]
    pub fn internal(cause: impl std::error::Error + Send + Sync + 'static) -> Self {
        Self::new(Code::Internal, "Something went wrong on the server.").because(cause)
    }

    /// A sealed configuration that the keys of this server do not open.
    #[must_use]
    pub fn unreadable_secret(cause: impl std::error::Error + Send + Sync + 'static) -> Self {
        Self::new(Code::Internal, "The stored configuration cannot be read with the encryption keys of this server; its operator must add the key it was sealed with.")
            .because(cause)
    }

    /// Names the part of the input that is at fault, as a path like `tables.3.name`.
    #[must_use]
    pub fn field(mut self, path: impl Into<String>) -> Self {
        self.field = Some(path.into());
        self
    }

    /// Adds facts a program can use, such as the present version in a conflict.
    #[must_use]
    pub fn details(mut self, details: serde_json::Value) -> Self {
        self.details = Some(details);
        self
    }

    pub(crate) fn because(mut self, cause: impl std::error::Error + Send + Sync + 'static) -> Self {
        self.cause = Some(Arc::new(Cause { error: Box::new(cause), logged: AtomicBool::new(false) }));
        self
    }

    /// The facts that a program can use.
    #[must_use]
    pub const fn facts(&self) -> Option<&serde_json::Value> {
        self.details.as_ref()
    }

    /// After how many seconds it may be asked again, when that is said.
    pub(crate) fn retry_after(&self) -> Option<u64> {
        self.facts()?.get("retryAfterSeconds")?.as_u64()
    }

    /// The part of the input that is at fault.
    pub(crate) fn place(&self) -> Option<&str> {
        self.field.as_deref()
    }

    /// The kind of error.
    #[must_use]
    pub const fn code(&self) -> Code {
        self.code
    }

    /// The sentence for a person.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.message
    }

    /// Whether the same may be answered in a while.
    pub(crate) const fn may_pass(&self) -> bool {
        self.code.may_pass()
    }

    /// A rule refused; nothing is broken.
    pub(crate) fn is_refusal(&self) -> bool {
        self.cause.is_none()
    }

    /// The database broke a serialisation or met a deadlock, or rights have ended: running the transaction again helps.
    pub(crate) fn is_retryable(&self) -> bool {
        let Some(cause) = &self.cause else { return false };
        if cause.error.is::<Overtaken>() {
            return true;
        }
        let cause = cause.error.downcast_ref::<sqlx::Error>();
        cause
            .and_then(sqlx::Error::as_database_error)
            .and_then(sqlx::error::DatabaseError::code)
            .is_some_and(|code| code == "40001" || code == "40P01")
    }

    /// Returns what the log of a background task says: the cause, where there is one, since no client sees it.
    pub(crate) fn for_log(&self) -> String {
        self.cause.as_ref().map_or_else(|| self.message().to_owned(), |cause| chain(cause.error.as_ref()))
    }

    /// Logs the cause; done once, where the error becomes an answer.
    pub(crate) fn log(&self) {
        let Some(cause) = self.cause.as_ref().filter(|cause| !cause.logged.swap(true, Ordering::Relaxed)) else { return };
        let (error, request) = (chain(cause.error.as_ref()), request::current());
        let id = request.as_ref().map(|id| id.0.as_str());
        match self.code {
            Code::Internal => tracing::error!(error, request.id = id, "a request failed"),
            // What clients ask for that cannot be is no trouble of ours.
            Code::Conflict | Code::Validation => {
                tracing::debug!(error, request.id = id, code = self.code.as_str(), "a request was refused");
            }
            _ => tracing::warn!(error, request.id = id, code = self.code.as_str(), "a request was cut short"),
        }
    }
}

/// What the library says of an input, without the names of the types that it puts around it.
pub(crate) fn sentence(message: &str) -> &str {
    let message =
        message.strip_prefix("Failed to parse \"").and_then(|rest| rest.split_once("\": ")).map_or(message, |(_, sentence)| sentence);
    message.split_once(" (occurred while parsing \"").map_or(message, |(sentence, _)| sentence)
}

fn chain(cause: &dyn std::error::Error) -> String {
    let mut text = cause.to_string();
    let mut next = cause.source();
    while let Some(source) = next {
        text.push_str(": ");
        text.push_str(&source.to_string());
        next = source.source();
    }
    text
}

impl From<sqlx::Error> for Error {
    fn from(error: sqlx::Error) -> Self {
        let database = error.as_database_error().and_then(|error| error.try_downcast_ref::<PgDatabaseError>());
        if let Some(broken) = database.and_then(constraint::broken) {
            return broken.because(error);
        }
        let (code, message) = match &error {
            // A value that our types let through and the database's do not.
            sqlx::Error::Encode(_) => (Code::Validation, UNFIT),
            sqlx::Error::Io(_) | sqlx::Error::Tls(_) | sqlx::Error::PoolTimedOut | sqlx::Error::PoolClosed | sqlx::Error::WorkerCrashed => {
                (Code::Unavailable, UNREACHABLE)
            }
            sqlx::Error::Database(database) => match database.code().as_deref() {
                Some("57014" | "55P03") => (Code::Timeout, "The database took too long to answer; narrow the request or try again."),
                Some("22021") => (Code::Validation, "Text may not contain the character NUL."),
                // Too long, out of range, no such time, against a rule, larger than a page takes.
                Some("22001" | "22003" | "22007" | "22008" | "23514" | "54000") => (Code::Validation, UNFIT),
                Some("23505") => (Code::Conflict, "Something with these values exists already."),
                Some("23503") => (Code::Conflict, "Something this refers to, or that refers to this, is in the way."),
                Some("40001" | "40P01") => (Code::Unavailable, "Others are changing the same things at this moment; try again."),
                Some("25P03" | "53300") => (Code::Unavailable, UNREACHABLE),
                // A standby that is not the primary yet, or no longer; or an operator has stopped all writing.
                Some("25006") => (Code::Unavailable, READ_ONLY),
                Some(state) if state.starts_with("08") || state.starts_with("57P") => (Code::Unavailable, UNREACHABLE),
                // It has no room: on its disk, in its memory.
                Some(state) if state.starts_with("53") => (Code::Unavailable, NO_ROOM),
                _ => (Code::Internal, "Something went wrong on the server."),
            },
            _ => (Code::Internal, "Something went wrong on the server."),
        };
        Self::new(code, message).because(error)
    }
}

impl From<Error> for async_graphql::Error {
    fn from(error: Error) -> Self {
        error.log();
        #[expect(clippy::disallowed_methods, reason = "the one place where our error becomes the library's")]
        let answer = Self::new(error.message.clone().into_owned());
        answer.extend_with(|_, extensions: &mut ErrorExtensionValues| {
            extensions.set("code", error.code.as_str());
            if let Some(field) = &error.field {
                extensions.set("field", field.as_str());
            }
            if let Some(details) = &error.details {
                extensions.set("details", async_graphql::Value::from_json(details.clone()).unwrap_or_default());
            }
        })
    }
}
