//! The worker's settings, all from the environment; the token is never an argument.
//!
//! Always holds: every mistake is reported at once; the token has no `Debug`. This is the only place
//! of the worker that reads a variable. Not here: the connector's configuration (`bootstrap.rs`).

use std::path::PathBuf;
use std::time::Duration;

use url::Url;

use crate::core::secret::Secret;

use super::error::WorkerError;

const DEFAULT_URL: &str = "http://127.0.0.1:8080";
const DEFAULT_HEARTBEAT_SECONDS: u64 = 10;

/// What a worker must know before it can ask the API for the rest.
#[derive(Clone)]
pub struct Settings {
    /// `PUMPHOUSE_URL`: where the API is; `http://127.0.0.1:8080` by default.
    pub url: Url,
    /// `PUMPHOUSE_WORKER_TOKEN`: who this worker is.
    pub token: Secret<String>,
    /// `PUMPHOUSE_SEGMENTS_DIR`: where rows are handed over as CSV; without it a source counts them only, and a target has none.
    pub segments_dir: Option<PathBuf>,
    /// `PUMPHOUSE_SECRETS_DIR`: where `{"$secret": "file:NAME"}` is looked up.
    pub secrets_dir: Option<PathBuf>,
    /// `PUMPHOUSE_HEARTBEAT_SECONDS`: how often the worker reports; 10 by default, 1 to 60.
    pub heartbeat: Duration,
    /// `PUMPHOUSE_ROWS_PER_SECOND`: a brake for each table, for demonstrations.
    pub rows_per_second: Option<u64>,
}

impl Settings {
    /// Reads the settings from the environment.
    ///
    /// # Errors
    /// When a variable is missing or unusable; all of them are named.
    pub fn from_env() -> Result<Self, WorkerError> {
        Self::read(&variable)
    }

    fn read(lookup: &dyn Fn(&str) -> Option<String>) -> Result<Self, WorkerError> {
        let mut mistakes = Vec::new();
        let url = read_url(&lookup("PUMPHOUSE_URL").unwrap_or_else(|| DEFAULT_URL.to_owned()), &mut mistakes);
        let token = lookup("PUMPHOUSE_WORKER_TOKEN").map(|token| token.trim().to_owned()).unwrap_or_default();
        if token.is_empty() {
            mistakes.push("PUMPHOUSE_WORKER_TOKEN is not set".to_owned());
        } else if !token.bytes().all(|byte| byte.is_ascii_graphic()) {
            mistakes.push("PUMPHOUSE_WORKER_TOKEN is not a token".to_owned());
        }
        let mut whole = |name: &str, (least, most): (u64, u64)| {
            let text = lookup(name)?;
            let number = text.trim().parse().ok().filter(|number| (least..=most).contains(number));
            if number.is_none() {
                mistakes.push(format!("{name} is {text:?}, not a whole number from {least} to {most}"));
            }
            number
        };
        let heartbeat = whole("PUMPHOUSE_HEARTBEAT_SECONDS", (1, 60)).unwrap_or(DEFAULT_HEARTBEAT_SECONDS);
        let rows_per_second = whole("PUMPHOUSE_ROWS_PER_SECOND", (1, 1_000_000_000));
        match url {
            Some(url) if mistakes.is_empty() => Ok(Self {
                url,
                token: Secret::new(token),
                segments_dir: lookup("PUMPHOUSE_SEGMENTS_DIR").map(PathBuf::from),
                secrets_dir: lookup("PUMPHOUSE_SECRETS_DIR").map(PathBuf::from),
                heartbeat: Duration::from_secs(heartbeat),
                rows_per_second,
            }),
            _ => Err(WorkerError::Settings(mistakes)),
        }
    }
}

/// A variable of the environment; an empty one counts as not set.
pub(crate) fn variable(name: &str) -> Option<String> {
    #[expect(clippy::disallowed_methods, reason = "a worker is a program of its own, and this is where it reads its settings")]
    std::env::var(name).ok().filter(|value| !value.is_empty())
}

/// The base of all addresses, with a slash at its end so that paths are joined to it; none unless it is an http or https
/// address without a user.
pub(crate) fn base_url(text: &str) -> Option<Url> {
    let text = text.trim().trim_end_matches('/');
    // The address of the API is often at hand as the one for GraphQL.
    let url = Url::parse(&format!("{}/", text.strip_suffix("/graphql").unwrap_or(text))).ok();
    url.filter(|url| matches!(url.scheme(), "http" | "https") && url.has_host() && url.username().is_empty() && url.password().is_none())
}

fn read_url(text: &str, mistakes: &mut Vec<String>) -> Option<Url> {
    let usable = base_url(text);
    if usable.is_none() {
        mistakes.push("PUMPHOUSE_URL is not an http or https address without a user".to_owned());
    }
    usable
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(pairs: &[(&str, &str)]) -> Result<Settings, WorkerError> {
        Settings::read(&|name| pairs.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned()))
    }

    #[test]
    fn a_token_is_enough() {
        let settings = read(&[("PUMPHOUSE_WORKER_TOKEN", "t")]).unwrap();
        assert_eq!(settings.url.join("graphql").unwrap().as_str(), "http://127.0.0.1:8080/graphql");
        assert_eq!(settings.heartbeat, Duration::from_secs(10));
        assert_eq!((settings.rows_per_second, settings.segments_dir), (None, None));
    }

    #[test]
    fn a_path_in_the_address_is_kept() {
        let settings = read(&[("PUMPHOUSE_WORKER_TOKEN", "t"), ("PUMPHOUSE_URL", "https://example.org/pump")]).unwrap();
        assert_eq!(settings.url.join("graphql").unwrap().as_str(), "https://example.org/pump/graphql");
    }

    #[test]
    fn all_mistakes_come_at_once() {
        let Err(WorkerError::Settings(mistakes)) =
            read(&[("PUMPHOUSE_URL", "ftp://x"), ("PUMPHOUSE_HEARTBEAT_SECONDS", "0"), ("PUMPHOUSE_ROWS_PER_SECOND", "many")])
        else {
            panic!("these settings are not usable")
        };
        assert_eq!(mistakes.len(), 4, "{mistakes:?}");
    }
}
