//! The program itself, as an operator runs it: what it prints where, how it refuses, how it ends, what it leaves.
//!
//! Always holds: whatever a test starts ends with it. Not here: the rules behind a refusal, each tested where it lives.

mod arguments;
mod configuration;
mod dev;
mod fleet;
mod keys;
mod looking;
mod organisation;
pub mod replica;
pub mod running;
mod secrecy;
pub mod serve;
mod storm;
mod users;
mod watching;

use std::path::PathBuf;
use std::process::Command;

use base64::Engine as _;
use pumphouse::access::token::TokenKey;
use pumphouse::core::secret::Secret;
use reqwest::StatusCode;
use serde_json::{Value, json};
use tokio::sync::OnceCell;

use running::{Ended, Program, ended};

/// Thirty-two bytes in base64.
pub const KEY: &str = "MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=";

/// The key of the tokens of servers that are started with [`KEY`].
pub fn token_key() -> TokenKey {
    TokenKey::new(&Secret::new(base64::engine::general_purpose::STANDARD.decode(KEY).expect("a key")))
}

/// A directory that goes with its test.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("pumphouse-program-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    /// A path in it, as an argument.
    fn path(&self, name: &str) -> String {
        self.0.join(name).to_str().unwrap().to_owned()
    }

    /// A directory that `dev` has kept, and how the first start in it went.
    async fn kept(name: &str) -> (Self, &'static Ended) {
        let (kept, first) = KEPT.get_or_init(keep).await;
        let scratch = Self::new(name);
        // With its owners: as root, the server's files belong to somebody else.
        assert!(Command::new("cp").arg("-a").args([kept, &scratch.0.join("data")]).status().unwrap().success());
        (scratch, first)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // What is left in a directory for temporary files harms nobody.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Making a cluster takes longer than all else, so it is done once and copied.
static KEPT: OnceCell<(PathBuf, Ended)> = OnceCell::const_new();

async fn keep() -> (PathBuf, Ended) {
    let data = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("dev");
    let _ = std::fs::remove_dir_all(&data);
    let mut first = dev::start(data.to_str().unwrap(), &[]);
    first.out.line("Sign in").await;
    first.signal("INT");
    (data, first.end().await)
}

/// Asks a server that runs elsewhere.
async fn ask(base: &str, token: Option<&str>, query: &str) -> (StatusCode, Value) {
    let mut request = reqwest::Client::new().post(format!("{base}/graphql")).header("accept", "application/graphql-response+json");
    if let Some(token) = token {
        request = request.bearer_auth(token);
    }
    let answer = request.json(&json!({"query": query})).send().await.unwrap();
    (answer.status(), answer.json().await.unwrap())
}

/// Signs in as the first superuser; answers the token.
async fn sign_in(base: &str, password: &str) -> String {
    sign_in_as(base, "admin@example.com", password).await
}

async fn sign_in_as(base: &str, email: &str, password: &str) -> String {
    let mutation = format!("mutation {{ login(input: {{email: \"{email}\", password: \"{password}\"}}) {{ accessToken }} }}");
    let (_, answer) = ask(base, None, &mutation).await;
    answer["data"]["login"]["accessToken"].as_str().unwrap_or_else(|| panic!("{answer}")).to_owned()
}

/// What a probe answers.
pub async fn probe(base: &str, name: &str) -> StatusCode {
    reqwest::get(format!("{base}/{name}")).await.unwrap().status()
}
