//! `pumphouse export`, `plan` and `apply`: an env's pipelines as YAML files.
//!
//! Always holds: these are clients of the API with somebody's token, so what they may do and what is logged of it is theirs; the
//! token is never an argument. Not here: the files (`files.rs`), what a document means (`pipelines/configuration`).

use std::fmt::Write as _;
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use serde::{Deserialize as _, de::DeserializeOwned};
use serde_json::{Value, json};
use similar::{ChangeTag, TextDiff};
use url::Url;

use super::files::{Gathered, gather, scatter, yaml};
use super::output::{Failure, colours, harmless, note, print};
use super::run::block_on;
use crate::config::TOKEN_VARIABLE;
use crate::pipelines::configuration::Document;
use crate::worker::api::with_causes;
use crate::worker::settings::base_url;

/// A whole env may be brought in.
const PATIENCE: Duration = Duration::from_mins(1);
const ENVS: &str = "query($name: String!) { named: envs(first: 20, filter: {name: $name}) { nodes { id } }
    visible: envs(first: 20) { totalCount nodes { name } } }";
const EXPORT: &str = "query($id: ID!) { envConfiguration(envId: $id) { document } }";
const APPLY: &str = "mutation($input: ApplyPipelineConfigurationInput!) { applyPipelineConfiguration(input: $input) {
    changes { action kind name within fields secretChanges before after } } }";

/// What these commands ask, for servers that run trusted documents alone.
pub(super) const DOCUMENTS: &[&str] = &[ENVS, EXPORT, APPLY];

/// Where the API is and whom it is asked about.
#[derive(Args)]
struct Asked {
    /// The address of the API.
    #[arg(long, default_value = "http://127.0.0.1:8080")]
    url: String,
    /// A file with the token; `PUMPHOUSE_TOKEN` without it.
    #[arg(long)]
    token_file: Option<PathBuf>,
    /// The env, by its name or id.
    #[arg(long)]
    env: String,
    /// The directory of the files.
    #[arg(short = 'f', long = "files", value_name = "DIR")]
    directory: PathBuf,
}

/// Write an env's connectors, datamodels and pipelines as YAML files.
#[derive(Args)]
#[command(
    after_help = "One file for each connector, datamodel and pipeline with its subscriptions; names and order are always the same, so \
the files can be kept under version control. They hold no secret: one that is stored reads `$secret: stored`, and a reference to \
one, such as `$secret: env:PUMPHOUSE_SECRET_SHOP`, is written as it is. Files that hold nothing of the env are named and stay. \
Whether a subscription is enabled is no configuration: `startPipeline` and `pausePipeline` decide that.

Variables:
  PUMPHOUSE_TOKEN   a token, of a service account for example

Examples:
  pumphouse export --env prod -f prod
  pumphouse export --url https://pumphouse.example.org --env prod -f prod && git diff prod"
)]
pub(super) struct Export {
    #[command(flatten)]
    asked: Asked,
}

/// Print what the files would change in an env.
#[derive(Args)]
#[command(
    after_help = "The server does all of it and takes it back, so whatever would stand against `apply` is told now. What somebody has \
changed by hand since is part of the difference; what is there and in no file is named, and stays.

With --check the exit code tells: 0 nothing would change, 3 something would. It is 3 and not the 2 of other tools because every \
command here ends with 2 when it was asked wrongly, and a script must not take a wrong option for a difference.

Variables:
  PUMPHOUSE_TOKEN   a token, of a service account for example

Examples:
  pumphouse plan --env prod -f prod
  pumphouse plan --env prod -f prod --check || echo 'prod is not as the files say'"
)]
pub(super) struct Plan {
    #[command(flatten)]
    asked: Asked,
    /// End with 3 when something would change.
    #[arg(long)]
    check: bool,
}

/// Make and change in an env what the files say.
#[derive(Args)]
#[command(
    after_help = "All happens in one transaction, or nothing when something stands against it; then every fault is told with its file. The \
same again changes nothing. The order and names of files do not matter. Nothing is deleted. `$secret: stored` keeps the secret \
that is stored, so a connector that is new to the env needs its secrets or references to them.

Variables:
  PUMPHOUSE_TOKEN   a token, of a service account for example

Examples:
  pumphouse plan --env prod -f prod && pumphouse apply --env prod -f prod
  pumphouse apply --env staging -f prod"
)]
pub(super) struct Apply {
    #[command(flatten)]
    asked: Asked,
}

/// Writes the files.
pub(super) fn export(arguments: &Export) -> Result<(), Failure> {
    let Export { asked } = arguments;
    block_on(async {
        let api = Api::of(asked)?;
        let env = api.env(&asked.env).await?;
        let answer: Value = api.ask(EXPORT, json!({"id": env})).await.map_err(|refusal| refusal.told(None))?;
        let document = answer.pointer("/envConfiguration/document").cloned().unwrap_or_default();
        let document = Document::deserialize(document).map_err(Failure::failed)?.ordered();
        let count = document.connectors.len().saturating_add(document.datamodels.len()).saturating_add(document.pipelines.len());
        let mut told = String::new();
        for file in scatter(&document, &asked.directory)? {
            let _ = writeln!(told, "{} holds nothing of this env and stays", file.display());
        }
        let _ = writeln!(told, "{count} files written to {}", asked.directory.display());
        print(told)?;
        for name in document.shared_names() {
            note(&format!("there are several called {name}; `plan` and `apply` refuse these files until each has a name of its own"));
        }
        Ok(())
    })
}

/// Says what the files would do.
pub(super) fn plan(arguments: &Plan) -> Result<(), Failure> {
    block_on(async {
        let changes = carry_out(&arguments.asked, true).await?;
        let (told, count) = told(&changes, colours(), true)?;
        print(told)?;
        let differs = arguments.check && count > 0;
        if differs { Err(Failure::Differs("the env is not as the files say".to_owned())) } else { Ok(()) }
    })
}

/// Does what the files say.
pub(super) fn apply(arguments: &Apply) -> Result<(), Failure> {
    block_on(async { print(told(&carry_out(&arguments.asked, false).await?, colours(), false)?.0) })
}

async fn carry_out(asked: &Asked, dry_run: bool) -> Result<Vec<Value>, Failure> {
    let gathered = gather(&asked.directory)?;
    let api = Api::of(asked)?;
    let env = api.env(&asked.env).await?;
    let input = json!({"envId": env, "document": gathered.document, "dryRun": dry_run});
    let answer: Value = api.ask(APPLY, json!({"input": input})).await.map_err(|refusal| refusal.told(Some(&gathered)))?;
    let changes = answer.pointer("/applyPipelineConfiguration/changes").and_then(Value::as_array);
    changes.cloned().ok_or_else(|| Failure::failed("the API answered no changes"))
}

/// The differences for a person, and how many there are.
fn told(changes: &[Value], colour: bool, dry_run: bool) -> Result<(String, usize), Failure> {
    let mut out = String::new();
    let (mut made, mut changed, mut same, mut kept) = (0_usize, 0_usize, 0_usize, 0_usize);
    for change in changes {
        let text = |name: &str| change.get(name).and_then(Value::as_str).unwrap_or_default();
        let within = change.get("within").and_then(Value::as_str).map_or_else(String::new, |within| format!(" of {within}"));
        let (sign, count, more) = match text("action") {
            "CREATE" => ('+', &mut made, String::new()),
            "UPDATE" => ('~', &mut changed, String::new()),
            "KEPT" => ('=', &mut kept, ", which is in no file and stays".to_owned()),
            _ => {
                same = same.saturating_add(1);
                continue;
            }
        };
        *count = count.saturating_add(1);
        let title = format!("{sign} {} {}{within}{more}", text("kind").to_lowercase(), text("name"));
        let _ = writeln!(out, "{}", painted(&harmless(&title), if colour { "1" } else { "" }));
        if sign != '=' {
            compare(&mut out, change, colour)?;
        }
    }
    let verb = if dry_run { "to create, to change" } else { "created, changed" };
    let (create, change) = verb.split_once(", ").unwrap_or_default();
    let _ = writeln!(out, "{made} {create}, {changed} {change}, {same} as the files say, {kept} in no file");
    Ok((out, made.saturating_add(changed)))
}

/// The lines that go and come.
fn compare(out: &mut String, change: &Value, colour: bool) -> Result<(), Failure> {
    let side = |name: &str| match change.get(name).filter(|value| !value.is_null()) {
        Some(value) => yaml(value),
        None => Ok(String::new()),
    };
    let (before, after) = (side("before")?, side("after")?);
    if change.get("secretChanges").and_then(Value::as_bool).unwrap_or_default() {
        let _ = writeln!(out, "    a secret changes, which is not shown");
    }
    let diff = TextDiff::from_lines(&before, &after);
    for (index, group) in diff.grouped_ops(2).iter().enumerate() {
        if index > 0 {
            let _ = writeln!(out, "    ...");
        }
        for line in group.iter().flat_map(|op| diff.iter_changes(op)) {
            let (sign, paint) = match line.tag() {
                ChangeTag::Delete => ('-', "31"),
                ChangeTag::Insert => ('+', "32"),
                ChangeTag::Equal => (' ', ""),
            };
            let text = harmless(&format!("  {sign} {}", line.value().trim_end_matches('\n')));
            let _ = writeln!(out, "{}", painted(&text, if colour { paint } else { "" }));
        }
    }
    Ok(())
}

fn painted(text: &str, paint: &str) -> String {
    if paint.is_empty() { text.to_owned() } else { format!("\u{1b}[{paint}m{text}\u{1b}[0m") }
}

/// The API, asked with a token.
struct Api {
    client: reqwest::Client,
    url: Url,
    token: crate::core::secret::Secret<String>,
}

/// Why the API did not do it.
enum Refusal {
    Failed(String),
    Refused { message: String, extensions: Value },
}

impl Refusal {
    /// With the places of a document as places of its files.
    fn told(self, gathered: Option<&Gathered>) -> Failure {
        let (message, extensions) = match self {
            Self::Failed(why) => return Failure::failed(why),
            Self::Refused { message, extensions } => (message, extensions),
        };
        let place = |path: &str| gathered.map_or_else(|| path.to_owned(), |gathered| gathered.place(path));
        let text = |value: &Value, name: &str| value.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
        let violations = extensions.pointer("/details/violations").and_then(Value::as_array).cloned().unwrap_or_default();
        let lines: String = violations.iter().map(|one| format!("\n  {}: {}", place(&text(one, "field")), text(one, "message"))).collect();
        let told = match (violations.len(), text(&extensions, "field")) {
            (0, field) if field.is_empty() => message,
            (0, field) => format!("{}: {message}", place(&field)),
            (count, _) => format!("the files break {count} rules; nothing was changed{lines}"),
        };
        match text(&extensions, "code").as_str() {
            "VALIDATION" | "CONFLICT" | "UNAUTHENTICATED" | "FORBIDDEN" | "NOT_FOUND" => Failure::Usage(harmless(&told)),
            _ => Failure::failed(harmless(&told)),
        }
    }
}

impl Api {
    fn of(asked: &Asked) -> Result<Self, Failure> {
        let token = if let Some(file) = &asked.token_file {
            std::fs::read_to_string(file).map_err(|error| Failure::Usage(format!("{}: {error}", file.display())))?
        } else {
            #[expect(clippy::disallowed_methods, reason = "these commands are clients and have none of the server's settings")]
            let token = std::env::var(TOKEN_VARIABLE);
            token.unwrap_or_default()
        };
        let token = token.trim().to_owned();
        if token.is_empty() || !token.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Err(Failure::Usage(
                "give a token in PUMPHOUSE_TOKEN or a file of --token-file; `login` and `issueServiceAccountToken` make them".to_owned(),
            ));
        }
        // What was given is not told: it may have a password in it.
        let wrong = || Failure::Usage("--url is an http or https address without a user".to_owned());
        let url = base_url(&asked.url).and_then(|base| base.join("graphql").ok()).ok_or_else(wrong)?;
        let client = reqwest::Client::builder()
            .timeout(PATIENCE)
            .redirect(reqwest::redirect::Policy::none())
            .user_agent(concat!("pumphouse/", env!("CARGO_PKG_VERSION")))
            .build()
            .map_err(Failure::failed)?;
        Ok(Self { client, url, token: crate::core::secret::Secret::new(token) })
    }

    async fn ask<T: DeserializeOwned>(&self, query: &str, variables: Value) -> Result<T, Refusal> {
        let request =
            self.client.post(self.url.clone()).bearer_auth(self.token.reveal()).json(&json!({"query": query, "variables": variables}));
        let failed =
            |error: reqwest::Error| Refusal::Failed(format!("{} cannot be asked: {}", self.url, with_causes(&error.without_url())));
        let answer = request.send().await.map_err(failed)?;
        let status = answer.status();
        let mut answer: Value =
            answer.json().await.map_err(|_| Refusal::Failed(format!("{} answered {status}, and no GraphQL", self.url)))?;
        if let Some(error) = answer.pointer("/errors/0") {
            let mut message = error.get("message").and_then(Value::as_str).unwrap_or_default().to_owned();
            if status == reqwest::StatusCode::PAYLOAD_TOO_LARGE {
                message.push_str(" Its setting request_body_limit says how many; several directories can be applied one after the other.");
            }
            return Err(Refusal::Refused { message, extensions: error.get("extensions").cloned().unwrap_or_default() });
        }
        let data = answer.get_mut("data").map(Value::take).unwrap_or_default();
        serde_json::from_value(data).map_err(|_| Refusal::Failed(format!("{} answered {status}, and not what was asked", self.url)))
    }

    /// The id of an env that is given by its name or id.
    async fn env(&self, asked: &str) -> Result<String, Failure> {
        let answer: Value = self.ask(ENVS, json!({"name": asked})).await.map_err(|refusal| refusal.told(None))?;
        let listed = |list: &str, field: &str| -> Vec<String> {
            let nodes = answer.pointer(&format!("/{list}/nodes")).and_then(Value::as_array).into_iter().flatten();
            nodes.filter_map(|env| Some(env.get(field)?.as_str()?.to_owned())).collect()
        };
        let ids = listed("named", "id");
        match ids.as_slice() {
            [id] => Ok(id.clone()),
            [] if asked.parse::<uuid::Uuid>().is_ok() => Ok(asked.to_owned()),
            [] => {
                let (mut names, total) = (listed("visible", "name"), answer.pointer("/visible/totalCount").and_then(Value::as_u64));
                let more = total.unwrap_or_default().saturating_sub(names.len() as u64);
                if more > 0 {
                    names.push(format!("and {more} more"));
                }
                Err(Failure::Usage(format!("there is no env {asked:?} that you see; you see {}", names.join(", "))))
            }
            _ => Err(Failure::Usage(format!("several envs are called {asked:?}; give the id: {}", ids.join(", ")))),
        }
    }
}
