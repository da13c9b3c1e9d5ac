//! The life of a worker: boot, work, end.
//!
//! Always holds: whatever ends it, the tables under way are stopped and their unfinished files removed first,
//! but for EXIT, which is at once; PAUSED is reported only when the worker was told to STOP.

use std::sync::Arc;
use std::time::Duration;

use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::sync::Semaphore;
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep, timeout};

use super::api::{Api, ApiError, WorkerState};
use super::backoff::Backoff;
use super::board::Board;
use super::bootstrap::{Bootstrap, bootstrap};
use super::directory::Directory;
use super::error::WorkerError;
use super::handover::Handover;
use super::postgres::Postgres;
use super::production::Production;
use super::settings::Settings;
use super::shared::{Shared, Verdict};
use super::snapshot::{self, READERS, Source};
use super::table::Sink;
use super::target::{self, Target};
use super::topics::Topics;
use super::{check, directives, heartbeat, progress};

/// How long the readers have to let go.
const LET_GO: Duration = Duration::from_secs(10);
/// After two minutes the API takes a stop for done by itself.
const STOP_PATIENCE: Duration = Duration::from_mins(2);
/// Whoever sends a signal may have asked for a stop as well: one quick question.
const LAST_QUESTION: Duration = Duration::from_secs(3);

/// What a connector's type is to a worker.
enum Kind {
    Source,
    Target,
    Unknown,
}

/// Runs a worker until it is told to end.
///
/// # Errors
/// When the API refuses the worker, or cannot be reached while it boots or to report PAUSED.
pub async fn run(settings: Settings) -> Result<(), WorkerError> {
    let mut signals = Signals::new()?;
    let api = Api::new(&settings)?;
    let boot = tokio::select! {
        boot = bootstrap(&api) => boot?,
        () = signals.next() => return Ok(()),
    };
    let Some(boot) = boot else { return Ok(()) };
    let shared = Arc::new(Shared::new(api, boot.identity()));
    tracing::info!(worker.id = %shared.who.worker_id, connector.name = %boot.connector_name, connector.r#type = %boot.connector_type, "the worker boots");
    let board = Arc::new(Board::default());
    let mut parts = start(&settings, boot, &shared, &board);
    let ending = tokio::select! {
        verdict = verdict(&shared) => Ok(Some(verdict)),
        () = signals.next() => Ok(last_question(&shared).await),
        failed = failure(&mut parts) => Err(failed),
    };
    if matches!(ending, Ok(Some(Verdict::Exit))) {
        tracing::info!("told to exit");
        return Ok(());
    }
    shared.wanted.send_replace(Arc::from([]));
    board.stop();
    let gone = async {
        while !board.is_empty() {
            sleep(Duration::from_millis(20)).await;
        }
    };
    if timeout(LET_GO, gone).await.is_err() {
        tracing::warn!("the readers did not let go in time");
    }
    // No report may follow the one that says PAUSED.
    parts.shutdown().await;
    match ending? {
        Some(_) => report_paused(&shared).await,
        None => Ok(()),
    }
}

/// Starts what this worker is made of.
fn start(settings: &Settings, boot: Bootstrap, shared: &Arc<Shared>, board: &Arc<Board>) -> JoinSet<Result<(), WorkerError>> {
    let mut parts = JoinSet::new();
    let (common, interval) = (Arc::clone(shared), settings.heartbeat);
    parts.spawn(async move { heartbeat::beat(&common, interval).await });
    let common = Arc::clone(shared);
    parts.spawn(async move {
        directives::follow(&common).await;
        Ok(())
    });
    let kind = match boot.connector_type.as_str() {
        "POSTGRES_SOURCE" => Kind::Source,
        "POSTGRES_TARGET" => Kind::Target,
        _ => Kind::Unknown,
    };
    if matches!(kind, Kind::Unknown) {
        let reason = format!("this worker does not run {} yet", boot.connector_type);
        tracing::error!(%reason);
        shared.set_condition(WorkerState::ERROR, Some(reason));
        return parts;
    }
    let server = Arc::new(Postgres::new(boot.configuration, settings.secrets_dir.clone()));
    let (common, checked, tables) = (Arc::clone(shared), Arc::clone(&server), Arc::clone(board));
    parts.spawn(async move {
        check::keep(&common, &checked, &tables).await;
        Ok(())
    });
    let handover = settings.segments_dir.clone().map(|directory| Arc::new(Directory(directory)) as Arc<dyn Handover>);
    if matches!(kind, Kind::Source) {
        let production = Arc::new(Production::default());
        let (common, produced) = (Arc::clone(shared), Arc::clone(&production));
        parts.spawn(async move { produced.tell(&common).await });
        let topics = Topics::new(&boot.connector_name, &boot.datamodels);
        let sink = Sink { handover, topics, production, rows_per_second: settings.rows_per_second };
        let source = Arc::new(Source { server, board: Arc::clone(board), sink, readers: Arc::new(Semaphore::new(READERS)) });
        let common = Arc::clone(shared);
        parts.spawn(async move { snapshot::follow(common, source).await });
        let (common, tables) = (Arc::clone(shared), Arc::clone(board));
        parts.spawn(async move { progress::tell(&common, &tables).await });
    } else if let Some(handover) = handover {
        let target = Arc::new(Target::new(server, handover, settings.secrets_dir.clone()));
        let common = Arc::clone(shared);
        parts.spawn(async move { target::deliver(common, target).await });
    } else {
        shared.set_fault("", Some("nothing can be delivered: PUMPHOUSE_SEGMENTS_DIR is not set where the worker runs".to_owned()));
    }
    parts
}

/// The first part that ends by itself, which none should.
async fn failure(parts: &mut JoinSet<Result<(), WorkerError>>) -> WorkerError {
    match parts.join_next().await {
        Some(Ok(Err(error))) => error,
        Some(Err(error)) => WorkerError::Broken(error.to_string()),
        Some(Ok(Ok(()))) | None => WorkerError::Broken("it ended without a reason".to_owned()),
    }
}

async fn verdict(shared: &Shared) -> Verdict {
    let mut verdicts = shared.verdict.subscribe();
    loop {
        let present = *verdicts.borrow_and_update();
        if let Some(verdict) = present {
            return verdict;
        }
        // The sender lives as long as `shared`.
        _ = verdicts.changed().await;
    }
}

/// After a signal: whether the worker is also told to stop.
async fn last_question(shared: &Shared) -> Option<Verdict> {
    tracing::info!("ended by a signal");
    let present = shared.condition.borrow().clone();
    let question = shared.api.report_worker(&shared.who, present.state, present.reason);
    if let Ok(Ok(answer)) = timeout(LAST_QUESTION, question).await {
        shared.obey(&answer.directive);
    }
    *shared.verdict.borrow()
}

async fn report_paused(shared: &Shared) -> Result<(), WorkerError> {
    let deadline = Instant::now() + STOP_PATIENCE;
    let mut backoff = Backoff::new();
    loop {
        let reason = match shared.api.report_worker(&shared.who, WorkerState::PAUSED, None).await {
            Ok(answer) => {
                tracing::info!(accepted = answer.accepted, "told to stop: stopped");
                return Ok(());
            }
            Err(ApiError::Superseded(reason)) => {
                tracing::info!(%reason, "told to stop: stopped, and superseded meanwhile");
                return Ok(());
            }
            Err(ApiError::Refused { code, message }) => {
                return Err(WorkerError::Refused { what: "the report of the stop", code, message });
            }
            Err(ApiError::Transient(reason)) => reason,
        };
        let wait = backoff.next();
        if Instant::now() + wait > deadline {
            return Err(WorkerError::StopNotReported(reason));
        }
        sleep(wait).await;
    }
}

/// SIGTERM and SIGINT.
struct Signals {
    terminate: Signal,
    interrupt: Signal,
}

impl Signals {
    fn new() -> Result<Self, WorkerError> {
        let listen = |kind| signal(kind).map_err(WorkerError::Signals);
        Ok(Self { terminate: listen(SignalKind::terminate())?, interrupt: listen(SignalKind::interrupt())? })
    }

    async fn next(&mut self) {
        tokio::select! {
            _ = self.terminate.recv() => {}
            _ = self.interrupt.recv() => {}
        }
    }
}
