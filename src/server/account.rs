//! What every operation leaves behind: a count, its time, and when it is wanted a line in the log.
//!
//! Always holds: an operation's name becomes a label of a metric only when somebody with a token had it executed, and only
//! for the first hundred names, ten of each viewer; so nobody can fill the memory of who measures, nor take all names. Never
//! a variable, an argument or a token is told. Not here: failures of ours, which are logged where they are met (`core/error.rs`).

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use metrics::{SharedString, counter, histogram};
use uuid::Uuid;

use crate::core::error::Code;
use crate::core::live::EncodedResponse;
use crate::core::lock::lock;
use crate::core::metric;
use crate::core::request::RequestId;
use crate::server::answer::Answer;

/// The most operations that metrics tell apart.
const MOST: usize = 100;
/// The most of them that one viewer brings.
const MOST_OF_VIEWER: usize = 10;
/// The longest name that is told.
const LONGEST: usize = 100;
/// An operation without a name.
const UNNAMED: &str = "unnamed";
/// An operation whose name is not told.
const OTHER: &str = "other";

/// Keeps the account of one server.
#[derive(Clone, Default)]
pub(crate) struct Account(Arc<Shared>);

#[derive(Default)]
struct Shared {
    names: Mutex<Names>,
    /// Every operation has its line.
    logs: bool,
}

#[derive(Default)]
struct Names {
    labels: HashMap<String, Arc<str>>,
    /// How many of them each viewer has brought.
    brought: HashMap<Uuid, usize>,
}

/// An operation as it is told of.
#[derive(Clone)]
pub(crate) struct Told {
    pub(crate) id: RequestId,
    pub(crate) kind: &'static str,
    pub(crate) name: Option<String>,
    /// Whoever the token speaks for.
    pub(crate) viewer: Option<Uuid>,
}

/// What came of an operation.
#[derive(Clone, Copy)]
pub(crate) struct Outcome {
    code: Option<Code>,
    executed: bool,
}

impl From<&Answer> for Outcome {
    fn from(answer: &Answer) -> Self {
        Self { code: answer.code(), executed: !answer.is_request_error() }
    }
}

impl From<&EncodedResponse> for Outcome {
    fn from(said: &EncodedResponse) -> Self {
        Self { code: said.code, executed: said.refused.is_none() }
    }
}

impl Account {
    pub(crate) fn new(logs: bool) -> Self {
        Self(Arc::new(Shared { logs, ..Shared::default() }))
    }

    /// An operation has its answer; a subscription its first one.
    pub(crate) fn close(&self, told: &Told, Outcome { code, executed }: Outcome, took: Option<Duration>) {
        let outcome = code.map_or("ok", Code::as_str);
        let name = self.label(told, executed);
        counter!(metric::REQUESTS, "type" => told.kind, "operation" => name.clone(), "outcome" => outcome).increment(1);
        if let Some(took) = took {
            histogram!(metric::REQUEST_SECONDS, "type" => told.kind, "operation" => name).record(took.as_secs_f64());
        }
        if self.0.logs {
            let name = told.name.as_deref().map(shortened);
            let viewer = told.viewer.map(tracing::field::display);
            tracing::info!(
                request.id = told.id.0,
                operation.r#type = told.kind,
                operation.name = name,
                viewer.id = viewer,
                outcome,
                ms = took.map(|took| took.as_secs_f64() * 1_000.0),
                "an operation was answered"
            );
        }
    }

    fn label(&self, told: &Told, executed: bool) -> SharedString {
        let Some(name) = told.name.as_deref() else { return UNNAMED.into() };
        let mut names = lock(&self.0.names);
        if let Some(known) = names.labels.get(name) {
            return Arc::clone(known).into();
        }
        let room = names.labels.len() < MOST && name.len() <= LONGEST && executed;
        let Some(viewer) = told.viewer.filter(|_| room) else { return OTHER.into() };
        let brought = names.brought.entry(viewer).or_default();
        if *brought >= MOST_OF_VIEWER {
            return OTHER.into();
        }
        *brought += 1;
        let label: Arc<str> = name.into();
        names.labels.insert(name.to_owned(), Arc::clone(&label));
        label.into()
    }
}

fn shortened(name: &str) -> &str {
    name.get(..name.floor_char_boundary(LONGEST)).unwrap_or_default()
}
