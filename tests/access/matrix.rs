//! Who may do what: every query root, mutation and live field as each caller of the city (domain.md section 1).
//!
//! `matrix.txt` holds an operation a block and, below it, what each caller gets. To add one, write its line and run with
//! `UPDATE=1`; then read what was written. A refusal must change nothing, what changed something must be in the audit
//! log, and what is invisible must read and cost like what does not exist.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use async_graphql::parser::types::TypeKind;
use serde_json::{Value, json};
use uuid::Uuid;

use super::ledger::Ledger;
use crate::house::{none, path, types};
use crate::reading::City;
use crate::support::{Caller, Reply};

const FILE: &str = "tests/access/matrix.txt";
/// How long a live field may be silent until it is taken to have nothing to say.
const SILENCE: Duration = Duration::from_millis(500);
/// Mutations whose effect is no act of anybody, with the reason.
const UNAUDITED: &[(&str, &str)] = &[
    ("reportWorker", "what a worker says of itself is kept as its transitions"),
    ("reportSyncProgress", "progress is kept in the run"),
    ("reportProduction", "counts are what they are"),
    ("reportConsumption", "counts are what they are"),
    ("confirmBackfill", "what is refused shows no more than that the worker is alive"),
];
/// Mutations whose refusals are written down.
const REFUSALS_KEPT: &[&str] = &["login"];

/// A block of the file.
struct Block {
    /// Lines before it: remarks and blank ones.
    above: Vec<String>,
    /// `query`, `mutation` or `subscription`.
    kind: String,
    /// The root field with arguments and selection; `<Worker shop>` stands for an id of the city.
    field: String,
    /// SQL that makes the state it needs.
    given: Vec<String>,
    expected: Vec<String>,
}

impl Block {
    fn name(&self) -> &str {
        self.field.split(|letter: char| !letter.is_alphanumeric()).next().expect("a name")
    }

    fn document(&self, id: &dyn Fn(&str) -> Uuid) -> String {
        format!("{} {{ {} }}", self.kind, filled(&self.field, id))
    }
}

fn blocks(text: &str) -> Vec<Block> {
    let (mut blocks, mut above) = (Vec::<Block>::new(), Vec::new());
    for line in text.lines() {
        if line.is_empty() || line.starts_with('#') {
            above.push(line.to_owned());
        } else if let Some(indented) = line.strip_prefix("  ") {
            let block = blocks.last_mut().expect("an operation comes first");
            match indented.strip_prefix("given ") {
                Some(sql) => block.given.push(sql.to_owned()),
                None => block.expected.push(indented.to_owned()),
            }
        } else {
            let (kind, field) = line.split_once(' ').expect("a kind and a field");
            let (kind, field) = (kind.to_owned(), field.to_owned());
            blocks.push(Block { above: std::mem::take(&mut above), kind, field, given: Vec::new(), expected: Vec::new() });
        }
    }
    blocks
}

/// The text with every `<...>` replaced.
fn filled(text: &str, id: &dyn Fn(&str) -> Uuid) -> String {
    let mut parts = text.split('<');
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |filled, part| {
        let (name, rest) = part.split_once('>').expect("a `<` has its `>`");
        filled + &id(name).to_string() + rest
    })
}

/// The id of a row of the city, or a worker's generation.
fn known(city: &City, generation: Uuid, name: &str) -> Uuid {
    if let Some((entity, name)) = name.split_once(' ') {
        return city.id(entity, name);
    }
    assert_eq!(name, "generation");
    generation
}

#[test]
fn every_root_field_has_a_line_in_the_matrix() {
    let blocks = blocks(&std::fs::read_to_string(path(FILE)).expect("the matrix"));
    let known: BTreeSet<(&str, &str)> = blocks.iter().map(|block| (block.kind.as_str(), block.name())).collect();
    let mut missing = Vec::new();
    for (kind, root) in [("query", "Query"), ("mutation", "Mutation"), ("subscription", "Subscription")] {
        let TypeKind::Object(object) = &types()[root].kind else { panic!("{root} is an object") };
        for field in &object.fields {
            let name = field.node.name.node.as_str();
            if !known.contains(&(kind, name)) {
                missing.push(format!("{kind} {name} has no line in {FILE}"));
            }
        }
    }
    none(&missing);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_matrix_says_who_may_do_what() {
    let text = std::fs::read_to_string(path(FILE)).expect("the matrix");
    let mut matrix = Matrix::open().await;
    let mut is = String::new();
    let blocks = blocks(&text);
    for block in &blocks {
        let outcomes = match block.kind.as_str() {
            "mutation" => matrix.change(block).await,
            _ => matrix.read(block).await,
        };
        let failed = outcomes.iter().filter(|(_, outcome)| outcome == "INTERNAL");
        matrix.wrong.extend(failed.map(|(caller, _)| format!("{} {} of {caller} is INTERNAL", block.kind, block.field)));
        write(&mut is, block, &Matrix::lines(&outcomes));
    }
    none(&matrix.wrong);
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(path(FILE), &is).expect("written");
        return;
    }
    let changed: Vec<String> =
        is.lines().zip(text.lines()).filter(|(is, was)| is != was).map(|(is, was)| format!("- {was}\n+ {is}")).collect();
    assert!(is == text, "rights have changed (UPDATE=1 rewrites the matrix; read every line):\n{}", changed.join("\n"));
}

#[tokio::test]
async fn a_mutation_whose_answer_holds_a_token_refuses_a_key() {
    let city = City::build().await;
    let types = types();
    let fields = |name: &str| match &types[name].kind {
        TypeKind::Object(object) => object.fields.iter().map(|field| field.node.clone()).collect::<Vec<_>>(),
        _ => Vec::new(),
    };
    let secret = |mutation: &str| {
        let mutations = fields("Mutation");
        let payload = mutations.iter().find(|field| field.name.node == mutation).expect("a mutation").ty.node.to_string();
        fields(payload.trim_end_matches('!')).iter().any(|field| field.name.node == "accessToken")
    };
    let token = city.caller("root").token.clone().expect("a token");
    let mut wrong = Vec::new();
    for block in blocks(&std::fs::read_to_string(path(FILE)).expect("the matrix")) {
        if block.kind != "mutation" || !secret(block.name()) {
            continue;
        }
        let document = block.document(&|name| known(&city, Uuid::nil(), name));
        let request = json!({"query": document, "extensions": {"idempotencyKey": "k"}});
        let sent = reqwest::Client::new().post(city.server.url("/graphql")).bearer_auth(&token).json(&request);
        let reply = Reply(sent.send().await.expect("an answer").json().await.expect("JSON"));
        if (reply.0["errors"][0]["extensions"]["code"].as_str(), reply.field()) != (Some("VALIDATION"), Some("idempotencyKey")) {
            wrong.push(format!("{} takes a key: {}", block.name(), reply.0));
        }
    }
    none(&wrong);
}

fn write(file: &mut String, block: &Block, lines: &[String]) {
    for line in &block.above {
        file.push_str(&format!("{line}\n"));
    }
    file.push_str(&format!("{} {}\n", block.kind, block.field));
    for given in &block.given {
        file.push_str(&format!("  given {given}\n"));
    }
    for line in lines {
        file.push_str(&format!("  {line}\n"));
    }
}

struct Matrix {
    city: City,
    ledger: Ledger,
    generation: Uuid,
    wrong: Vec<String>,
}

type Outcomes = Vec<(&'static str, String)>;

impl Matrix {
    async fn open() -> Self {
        let city = City::build().await;
        city.server.user_with_password("ada@example.com", false).await;
        let generation = sqlx::query_scalar("select launch_generation from worker where id = $1").bind(city.id("Worker", "shop"));
        let generation = generation.fetch_one(&city.server.database.pool).await.expect("a generation");
        let ledger = Ledger::open(&city.server).await;
        Self { city, ledger, generation, wrong: Vec::new() }
    }

    /// Outcomes in the order of their first caller, with everybody who has them.
    fn lines(outcomes: &Outcomes) -> Vec<String> {
        let mut of: BTreeMap<usize, (&str, Vec<&str>)> = BTreeMap::new();
        for (place, (caller, outcome)) in outcomes.iter().enumerate() {
            match of.values_mut().find(|(other, _)| other == outcome) {
                Some((_, callers)) => callers.push(caller),
                None => drop(of.insert(place, (outcome, vec![caller]))),
            }
        }
        of.into_values().map(|(outcome, callers)| format!("{outcome:<28} {}", callers.join(", "))).collect()
    }

    /// A query or a live field, as everybody at once.
    async fn read(&mut self, block: &Block) -> Outcomes {
        let document = block.document(&|name| known(&self.city, self.generation, name));
        let city = &self.city;
        let asked = city.callers.iter().map(|(name, caller)| {
            let document = &document;
            async move {
                let reply =
                    if block.kind == "query" { Some(caller.ask(document).await) } else { first_event(city, caller, document).await };
                (*name, reply.map_or_else(|| "ok, silent".to_owned(), |reply| outcome(block, &reply)))
            }
        });
        let outcomes = futures_util::future::join_all(asked).await;
        let changed = self.ledger.changed().await;
        if !changed.is_empty() {
            self.wrong.push(format!("{} {} has changed {changed:?}", block.kind, block.name()));
        }
        outcomes
    }

    /// A mutation, as one after the other, each on the city as it was built.
    async fn change(&mut self, block: &Block) -> Outcomes {
        let mut outcomes = Vec::new();
        let document = block.document(&|name| known(&self.city, self.generation, name));
        let given: Vec<String> = block.given.iter().map(|sql| filled(sql, &|name| known(&self.city, self.generation, name))).collect();
        let callers: Vec<(&'static str, Caller)> = self.city.callers.clone();
        let mut ready = false;
        for (name, caller) in callers {
            if !ready {
                self.ledger.restore().await;
                self.ledger.prepare(&given).await;
                self.city.server.service.viewers().forget();
            }
            let before = self.city.server.statements();
            let reply = caller.ask(&document).await;
            let cost = self.city.server.statements() - before;
            let changed = self.ledger.changed().await;
            ready = changed.is_empty();
            let mut outcome = outcome(block, &reply);
            if outcome == "NOT_FOUND" {
                self.compare_with_nothing(block, name, &caller, &reply, cost).await;
            }
            if outcome.starts_with("ok") {
                outcome = self.judge(block, name, outcome, &changed).await;
            } else if !ready && !REFUSALS_KEPT.contains(&block.name()) {
                self.wrong.push(format!("{} refused to {name} has changed {changed:?}", block.name()));
            }
            outcomes.push((name, outcome));
        }
        self.ledger.restore().await;
        self.city.server.service.viewers().forget();
        outcomes
    }

    /// What was done, in the words of the audit.
    async fn judge(&mut self, block: &Block, caller: &str, outcome: String, changed: &[String]) -> String {
        let verbs = self.ledger.verbs().await;
        let excused = UNAUDITED.iter().any(|(name, _)| *name == block.name());
        if changed.is_empty() {
            return format!("{outcome}, nothing changed");
        }
        if verbs.is_empty() && !excused {
            self.wrong.push(format!("{} of {caller} has changed {changed:?} without a word in the audit log", block.name()));
        }
        if verbs.is_empty() { outcome } else { format!("{outcome}: {}", verbs.join(", ")) }
    }

    /// What this caller does not see gives the answer, at the cost, of what never was.
    async fn compare_with_nothing(&mut self, block: &Block, name: &str, caller: &Caller, reply: &Reply, cost: u64) {
        // The id that was refused is exchanged for one that never was; the others stay.
        let field = reply.field().and_then(|field| field.rsplit('.').next()).unwrap_or_default();
        let Some((before, after)) = block.field.split_once(&format!("{field}: \"<")) else { return };
        let (refused, after) = after.split_once('>').expect("a `<` has its `>`");
        // Its neighbour, as locks are taken in the order of ids.
        let never = Uuid::from_u128(known(&self.city, self.generation, refused).as_u128() ^ 1);
        let field = format!("{before}{field}: \"{never}{after}");
        let document = format!("{} {{ {} }}", block.kind, filled(&field, &|name| known(&self.city, self.generation, name)));
        let before = self.city.server.statements();
        let nothing = caller.ask(&document).await;
        let other = self.city.server.statements() - before;
        if said(&nothing) != said(reply) {
            self.wrong.push(format!("{} of {name}: {} is not {}", block.name(), said(reply), said(&nothing)));
        }
        if cost != other {
            self.wrong.push(format!("{} of {name}: what is invisible costs {cost} statements, what is not there {other}", block.name()));
        }
    }
}

/// An answer without what names the request.
fn said(reply: &Reply) -> Value {
    let mut said = reply.0.clone();
    for error in said["errors"].as_array_mut().into_iter().flatten() {
        error["extensions"].as_object_mut().map(|extensions| extensions.remove("requestId"));
    }
    said
}

fn outcome(block: &Block, reply: &Reply) -> String {
    if reply.0.get("errors").is_some() {
        let code = reply.code();
        assert!(!code.starts_with("GRAPHQL_"), "{}: {:#}", block.field, reply.0);
        return code.to_owned();
    }
    let answer = &reply.0["data"][block.name()];
    match (answer, &answer["totalCount"]) {
        (Value::Null, _) => "ok, null".to_owned(),
        (_, Value::Null) => "ok".to_owned(),
        (_, count) => format!("ok, {count} seen"),
    }
}

/// The first event of a live field; none when it has nothing to say.
async fn first_event(city: &City, caller: &Caller, document: &str) -> Option<Reply> {
    let mut request = reqwest::Client::new().post(city.server.url("/graphql")).header("accept", "text/event-stream");
    if let Some(token) = &caller.token {
        request = request.bearer_auth(token);
    }
    let mut response = request.json(&json!({"query": document})).send().await.expect("an answer");
    if response.headers()["content-type"] != "text/event-stream" {
        return Some(Reply(response.json().await.expect("JSON")));
    }
    let mut read = String::new();
    loop {
        let data = read.split("\n\n").find_map(|event| event.strip_prefix("event: next\ndata: "));
        if let Some(answer) = data.and_then(|data| serde_json::from_str(data).ok()) {
            return Some(Reply(answer));
        }
        let chunk = tokio::time::timeout(SILENCE, response.chunk()).await.ok()?.expect("the stream")?;
        read.push_str(std::str::from_utf8(&chunk).expect("text"));
    }
}
