//! Idempotency keys (domain.md section 5): one key, one effect, one answer, however the request comes.

mod requests;
mod rights;
mod troubles;

use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::raw::Raw;
use crate::support::{Caller, Reply, Stage};

/// The way that a request and its key take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    Header,
    Extension,
    Socket,
    Events,
}

const WAYS: [Way; 4] = [Way::Header, Way::Extension, Way::Socket, Way::Events];

/// An answer as it came.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Answer {
    status: u16,
    text: String,
}

impl Answer {
    fn reply(&self) -> Reply {
        Reply(serde_json::from_str(&self.text).expect("JSON"))
    }
}

/// A mutation that has an effect, which is written down, unless a restart is wished for already.
fn restart(stage: &Stage) -> String {
    format!("mutation {{ restartWorker(input: {{workerId: \"{}\"}}) {{ worker {{ id state launchGeneration }} }} }}", stage.worker)
}

/// Makes sure that the next one has an effect.
async fn pause(stage: &Stage) {
    stage.write("update worker set state = 'PAUSED', stop_requested_at = null where id = $1").await;
}

/// How often it had an effect.
async fn restarts(stage: &Stage) -> usize {
    stage.audited().await.iter().filter(|verb| *verb == "restart").count()
}

/// The records that are kept.
async fn kept(stage: &Stage) -> i64 {
    sqlx::query_scalar("select count(*) from idempotency_record").fetch_one(&stage.world.pool).await.expect("a count")
}

/// Sends a document with a key by header.
async fn send(stage: &Stage, caller: &Caller, key: &str, document: &str) -> Answer {
    by(Way::Header, stage, caller, key, json!({"query": document})).await
}

/// Sends a request with a key.
async fn by(way: Way, stage: &Stage, caller: &Caller, key: &str, mut request: Value) -> Answer {
    if way == Way::Socket {
        request["extensions"] = json!({"idempotencyKey": key});
        return over_socket(stage, caller, &request).await;
    }
    let mut sent = reqwest::Client::new().post(stage.server.url("/graphql"));
    if let Some(token) = &caller.token {
        sent = sent.bearer_auth(token);
    }
    let accept = if way == Way::Events { "text/event-stream" } else { "application/graphql-response+json" };
    sent = sent.header("accept", accept);
    if way == Way::Extension {
        request["extensions"] = json!({"idempotencyKey": key});
    } else {
        sent = sent.header("idempotency-key", key);
    }
    let answer = sent.json(&request).send().await.expect("an answer");
    let (status, text) = (answer.status().as_u16(), answer.text().await.expect("a body"));
    let event = text.lines().find_map(|line| line.strip_prefix("data: ")).map(str::to_owned);
    Answer { status, text: event.unwrap_or(text) }
}

async fn over_socket(stage: &Stage, caller: &Caller, request: &Value) -> Answer {
    #[derive(Deserialize)]
    struct Message<'a> {
        r#type: String,
        #[serde(borrow)]
        payload: &'a RawValue,
    }
    let mut socket = Raw::ready(&stage.server, caller.token.as_deref()).await;
    socket.say(json!({"id": "1", "type": "subscribe", "payload": request})).await;
    let frame = socket.next().await.expect("an answer").expect("a frame").into_text().expect("text");
    let message: Message<'_> = serde_json::from_str(&frame).expect("a message");
    let payload = message.payload.get().to_owned();
    let text = if message.r#type == "error" { format!("{{\"errors\":{payload}}}") } else { payload };
    Answer { status: 200, text }
}

/// Waits until a session of this database waits for a lock.
async fn until_somebody_waits(stage: &Stage) {
    crate::support::until_somebody_waits(&stage.world.pool).await;
}
