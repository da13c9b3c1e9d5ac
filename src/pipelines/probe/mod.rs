//! Trying a connection with a configuration: whether the other side can be reached, and lets us in.
//!
//! Always holds: an end comes within the deadline whatever the other side does; what a name resolves to is judged, and that
//! is what is connected to; no other address is ever followed; what is read is bounded; no answer holds a secret of the
//! configuration; as many run at a time as the settings say, of one user only some of them, and nothing of the database is held meanwhile. Not here: who may.

mod address;
mod kafka;
mod postgres;
mod scram;
mod tls;
mod wire;

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use async_graphql::{Enum, SimpleObject};
use serde_json::Value;
use tokio::time::timeout;
use uuid::Uuid;
use zeroize::Zeroizing;

use crate::core::error::{Error, Result};
use crate::core::keyed_limit::{Full, KeyedLimit, Place};
use crate::core::network::AddressClass;
use crate::core::redact::Mark;
use crate::core::redact_text::MASK;

/// A secret of so many characters may stand in words by chance.
const LONGEST_BY_CHANCE: usize = 3;
/// The longest message, in characters: what the other side says is a sentence for a person, not a log.
const LONGEST_MESSAGE: usize = 500;

/// What tests of connections are bounded by.
#[derive(Clone, Debug)]
pub struct ProbeSettings {
    /// Addresses that are not connected to.
    pub forbidden: Vec<AddressClass>,
    /// Most tests at a time.
    pub limit: usize,
    /// Most of them for one user, so that nobody keeps all others waiting.
    pub limit_of_user: usize,
    /// How long a test may take.
    pub deadline: Duration,
}

impl Default for ProbeSettings {
    fn default() -> Self {
        Self { forbidden: Vec::new(), limit: 32, limit_of_user: 4, deadline: Duration::from_secs(12) }
    }
}

/// Whoever tries connections; one for a process.
#[derive(Clone)]
pub struct Prober {
    settings: Arc<ProbeSettings>,
    turns: Arc<KeyedLimit<Uuid>>,
}

/// How far a test of a connection came.
#[derive(Enum, Clone, Copy, Debug, PartialEq, Eq)]
#[graphql(name = "ConnectionTestStage")]
pub enum Stage {
    /// The name was looked up.
    Address,
    /// A connection to it was opened.
    Connect,
    /// It was encrypted.
    Encrypt,
    /// The user was signed in.
    SignIn,
    /// The service answered.
    Ready,
}

impl Stage {
    const ALL: [Self; 5] = [Self::Address, Self::Connect, Self::Encrypt, Self::SignIn, Self::Ready];
}

/// What a test of a connection came to.
#[derive(SimpleObject, Clone, Debug)]
#[graphql(name = "ConnectionTest")]
pub struct Report {
    /// Whether the service was reached and let the user in.
    pub succeeded: bool,
    /// Whether this server can test connections of this type, with this configuration. When not, nothing is known.
    pub supported: bool,
    /// What came of it, as a sentence; never a secret.
    pub message: String,
    /// The last step that was begun; null when none was.
    pub stage: Option<Stage>,
    /// What the service says that it is, such as `PostgreSQL 17.5`; null when it did not get to that.
    pub server: Option<String>,
    /// How long it took, in milliseconds.
    pub duration_ms: i32,
}

/// Leave to try one connection.
pub(crate) struct Turn {
    settings: Arc<ProbeSettings>,
    /// Shared with the look-up of a name, which no deadline can stop.
    permit: Arc<Place<Uuid>>,
    stage: AtomicUsize,
}

/// Why a test has ended.
#[derive(Debug)]
enum End {
    /// It failed, for this reason.
    Failed(String),
    /// It cannot be told from here, for this reason.
    Unknown(String),
}

type Tried<T> = std::result::Result<T, End>;

fn failed<T>(words: impl Into<String>) -> Tried<T> {
    Err(End::Failed(words.into()))
}

impl Prober {
    /// With these bounds.
    #[must_use]
    pub fn new(settings: ProbeSettings) -> Self {
        let turns = Arc::new(KeyedLimit::new(settings.limit, settings.limit_of_user));
        Self { settings: Arc::new(settings), turns }
    }

    /// Leave for this user to try a connection.
    ///
    /// # Errors
    /// `RATE_LIMITED` when as many as may be are under way, of this user or of all.
    pub(crate) fn turn(&self, user: Uuid) -> Result<Turn> {
        let ProbeSettings { limit, limit_of_user, .. } = *self.settings;
        let permit = self.turns.take(user).map_err(|full| match full {
            Full::All => Error::rate_limited(format!(
                "This server tests {limit} connections at a time, and as many are under way; try again in some seconds."
            )),
            Full::Holder => Error::rate_limited(format!(
                "You test {limit_of_user} connections already, which is as many as may be; wait for one to end."
            )),
        })?;
        Ok(Turn { settings: Arc::clone(&self.settings), permit: Arc::new(permit), stage: AtomicUsize::new(0) })
    }
}

impl Turn {
    /// Tries a connection of this type with this configuration.
    pub(crate) async fn test(self, kind: &str, configuration: &Value) -> Report {
        let started = Instant::now();
        let secrets = secrets(configuration);
        let supported = matches!(kind, "POSTGRES_SOURCE" | "POSTGRES_TARGET" | "KAFKA_SOURCE" | "KAFKA_TARGET");
        let trying = async {
            match kind {
                "POSTGRES_SOURCE" | "POSTGRES_TARGET" => postgres::test(&self, configuration).await,
                "KAFKA_SOURCE" | "KAFKA_TARGET" => kafka::test(&self, configuration).await,
                _ => Err(End::Unknown("Testing connections of this type is not supported here; start its worker to see.".to_owned())),
            }
        };
        let tried = timeout(self.settings.deadline, trying)
            .await
            .unwrap_or_else(|_elapsed| failed(format!("There was no answer within {} s.", self.settings.deadline.as_secs())));
        let stage = Stage::ALL.get(self.stage.load(Ordering::Relaxed)).copied().filter(|_| supported);
        let (succeeded, supported, message, server) = match tried {
            Ok(server) => (true, supported, "The service was reached and let the user in.".to_owned(), Some(server)),
            Err(End::Failed(words)) => (false, supported, words, None),
            Err(End::Unknown(words)) => (false, false, words, None),
        };
        let duration_ms = i32::try_from(started.elapsed().as_millis()).unwrap_or(i32::MAX);
        let server = server.map(|server| shown(server, &secrets));
        Report { succeeded, supported, message: shown(message, &secrets), stage, server, duration_ms }
    }

    /// Whether a connection was opened: then whoever is there has been found.
    fn reached(&self) -> bool {
        self.stage.load(Ordering::Relaxed) > 1
    }

    /// Notes that a step has begun.
    fn at(&self, stage: Stage) {
        self.stage.store(Stage::ALL.iter().position(|one| *one == stage).unwrap_or_default(), Ordering::Relaxed);
    }
}

/// The text of a secret; one that only the worker can look up ends the test.
fn secret(field: &str, value: Option<&Value>) -> Tried<Zeroizing<String>> {
    match value {
        None | Some(Value::Null) => failed(format!("The service asks for `{field}`, and the configuration has none.")),
        Some(Value::String(text)) => Ok(Zeroizing::new(text.clone())),
        Some(value) if Mark::of(value) == Some(Mark::Reference) => Err(End::Unknown(format!(
            "The service was reached, but `{field}` is a reference that is resolved where the worker runs, so nobody was signed in."
        ))),
        Some(_) => failed(format!("`{field}` is no text.")),
    }
}

/// Every text of a configuration that must not be shown: those of its secrets.
fn secrets(configuration: &Value) -> Vec<&str> {
    let texts = configuration.as_object().into_iter().flatten();
    let secrets = texts.filter(|(name, _)| crate::core::redact::is_secret_name(name));
    secrets.filter_map(|(_, value)| value.as_str()).filter(|text| !text.is_empty()).collect()
}

/// What the other side says, as it may be shown: without secrets, in one line of bounded length.
fn shown(words: String, secrets: &[&str]) -> String {
    let words = secrets.iter().fold(words, |words, secret| masked(&words, secret));
    words.chars().map(|letter| if letter.is_control() { ' ' } else { letter }).take(LONGEST_MESSAGE).collect()
}

/// Words without a secret. A short one is masked only where it stands alone: inside of other words it stands by chance, and the masks
/// there would tell it.
fn masked(words: &str, secret: &str) -> String {
    if secret.chars().count() > LONGEST_BY_CHANCE {
        return words.replace(secret, MASK);
    }
    let (mut masked, mut from) = (String::new(), 0);
    for (at, _) in words.match_indices(secret) {
        let (Some(between), Some(before), Some(after)) = (words.get(from..at), words.get(..at), words.get(at + secret.len()..)) else {
            continue;
        };
        let alone = !before.ends_with(char::is_alphanumeric) && !after.starts_with(char::is_alphanumeric);
        masked += between;
        masked += if alone { MASK } else { secret };
        from = at + secret.len();
    }
    masked + words.get(from..).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_the_other_side_says_is_shown_without_secrets_and_bounded() {
        let configuration = json!({"host": "db", "password": "hunter2", "saslPassword": "", "sslClientKey": {"$secret": "env:X"}});
        let secrets = secrets(&configuration);
        assert_eq!(secrets, ["hunter2"]);
        assert_eq!(shown("no hunter2\nfor you\u{1b}[2J".to_owned(), &secrets), "no *** for you [2J");
        assert_eq!(shown("x".repeat(9_999), &[]).len(), LONGEST_MESSAGE);
    }

    #[test]
    fn there_are_as_many_turns_as_the_settings_say() {
        let prober = Prober::new(ProbeSettings { limit: 1, ..ProbeSettings::default() });
        let turn = prober.turn(Uuid::nil()).unwrap();
        assert_eq!(prober.turn(Uuid::nil()).map(|_| ()).unwrap_err().code(), crate::core::error::Code::RateLimited);
        drop(turn);
        assert!(prober.turn(Uuid::nil()).is_ok());
    }
}
