//! A client that asks until it is answered, at one replica after the other.
//!
//! Always holds: only what says "try again" (`UNAVAILABLE`, `TIMEOUT`) or is no answer at all is tried again; every other
//! error ends the test, for no fault around the server may become one of ours.

use std::time::Duration;

use serde_json::{Value, json};
use tokio::time::{Instant, sleep};

use crate::support::PATIENCE;

/// How long a try may take: longer than the server's own deadlines.
const TRY: Duration = Duration::from_secs(5);
/// Between two tries.
const PAUSE: Duration = Duration::from_millis(20);

/// Somebody with a token, and the replicas they know.
#[derive(Clone)]
pub struct Client {
    http: reqwest::Client,
    bases: Vec<String>,
    pub token: String,
}

/// Why a try came to nothing.
#[derive(Debug, PartialEq, Eq)]
pub enum Trouble {
    /// The answer is that it is to be tried again, with this code.
    Code(String),
    /// There was no answer.
    Silence,
}

impl Client {
    pub fn new(bases: Vec<String>, token: String) -> Self {
        Self { http: reqwest::Client::builder().timeout(TRY).build().expect("a client"), bases, token }
    }

    /// The same who knows one replica only.
    pub fn at(&self, base: &str) -> Self {
        Self { bases: vec![base.to_owned()], ..self.clone() }
    }

    /// Asks the first replica, once; answers the data.
    pub async fn attempt(&self, key: Option<&str>, query: &str, variables: &Value) -> Result<Value, Trouble> {
        self.send(&self.bases[0], key, query, variables).await
    }

    /// Asks until it is answered; answers the data.
    pub async fn insist(&self, key: Option<&str>, query: &str, variables: Value) -> Value {
        let end = Instant::now() + PATIENCE * 2;
        for base in self.bases.iter().cycle() {
            match self.send(base, key, query, &variables).await {
                Ok(data) => return data,
                Err(trouble) => assert!(Instant::now() < end, "never answered: {trouble:?}"),
            }
            sleep(PAUSE).await;
        }
        unreachable!("there are replicas");
    }

    async fn send(&self, base: &str, key: Option<&str>, query: &str, variables: &Value) -> Result<Value, Trouble> {
        let mut request = self.http.post(format!("{base}/graphql")).bearer_auth(&self.token);
        if let Some(key) = key {
            request = request.header("idempotency-key", key);
        }
        let answer = request.json(&json!({"query": query, "variables": variables})).send().await.map_err(|_| Trouble::Silence)?;
        let mut answer: Value = answer.json().await.map_err(|_| Trouble::Silence)?;
        match answer["errors"][0]["extensions"]["code"].as_str() {
            None => Ok(answer["data"].take()),
            Some(code @ ("UNAVAILABLE" | "TIMEOUT")) => Err(Trouble::Code(code.to_owned())),
            Some(_) => panic!("{query}: {answer:#}"),
        }
    }
}
