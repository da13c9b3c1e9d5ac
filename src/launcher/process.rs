//! The launcher that starts `pumphouse worker` on this machine.
//!
//! Always holds: it compares what should run with what it runs, and makes the difference good; so a
//! process that died, here or with the replica that started it, is launched again under a new
//! generation, and its late words count no more. A process is tethered: it ends when we do. Not here:
//! what a worker does.

use std::collections::{HashMap, HashSet};
use std::fs::OpenOptions;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::{ExitStatus, Stdio};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock};
use std::time::Duration;

use futures_util::future::BoxFuture;
use sqlx::Row as _;
use tokio::process::Command;
use uuid::Uuid;

use crate::access::token::TokenKey;
use crate::core::db::rows_on;
use crate::core::error::Result;
use crate::core::id::Id;
use crate::core::leader::{Job, LeaderContext, REPORTS_COULD_ARRIVE};
use crate::core::lock::lock;
use crate::core::scalars::Time;
use crate::core::sql::Sql;
use crate::pipelines::worker_runtime as runtime;
use crate::pipelines::{Worker, WorkerState};

/// Tries in a row before a worker is left in ERROR.
const MOST_TRIES: i32 = 10;
/// A process that lived so long did not fail to start.
const LIVED: Duration = Duration::from_mins(1);

/// How worker processes are started.
#[derive(Clone, Debug)]
pub struct ProcessSettings {
    /// The program, which is `pumphouse` itself.
    pub program: PathBuf,
    /// Where the processes' logs go; nowhere when absent.
    pub log: Option<PathBuf>,
    /// Lifetime of a worker's token.
    pub token_lifetime: Duration,
    /// Silence after which a process that another replica has started counts as gone: we cannot see it. None when
    /// no other replica can be, so that whatever we did not start is gone.
    pub silence: Option<Duration>,
    /// The environment that every process gets, and nothing else of ours.
    pub environment: Vec<(String, String)>,
}

/// The job that starts worker processes.
pub struct ProcessLauncher {
    settings: ProcessSettings,
    token_key: TokenKey,
    address: Arc<OnceLock<SocketAddr>>,
    children: Arc<Mutex<Children>>,
}

#[derive(Default)]
struct Children {
    /// Generations whose process runs.
    running: HashSet<Uuid>,
    /// How generations ended whose process does not.
    ended: HashMap<Uuid, String>,
}

/// A worker that this launcher has started, or was to.
struct Launched {
    id: Id<Worker>,
    generation: Uuid,
    state: WorkerState,
    tries: i32,
    lived: bool,
    due: bool,
}

impl ProcessLauncher {
    /// Starts processes that report to the address, once that is known.
    #[must_use]
    pub fn new(settings: ProcessSettings, token_key: TokenKey, address: Arc<OnceLock<SocketAddr>>) -> Self {
        Self { settings, token_key, address, children: Arc::default() }
    }

    fn children(&self) -> MutexGuard<'_, Children> {
        lock(&self.children)
    }

    /// Finds generations that should run and whose process has ended: our own children by their exit, those of a launcher before
    /// us by their silence.
    async fn mind_the_lost(&self, system: &LeaderContext) -> Result<()> {
        let sql = Sql::new(
            "select w.id, w.launch_generation, w.state, l.attempts, coalesce(w.last_heartbeat_at, l.launched_at) - l.launched_at > ",
        )
        .value(LIVED)
        .text(", l.launched_at < clock_timestamp() - least(60, power(2, least(l.attempts, 6))) * interval '1 second'")
        .with(
            &format!(", {REPORTS_COULD_ARRIVE} and greatest(coalesce(w.last_heartbeat_at, l.launched_at), h.hearing_since) < clock_timestamp() - "),
            self.settings.silence.unwrap_or_default(),
        )
        .text(" from worker w join pumphouse.worker_launch l on l.worker_id = w.id cross join pumphouse.leader h")
        .text(" where l.launched_by = 'process' and l.generation = w.launch_generation and w.state <> 'PAUSED' order by w.id");
        let mut current = HashSet::new();
        for row in system.db().rows(sql).await? {
            let launched = Launched {
                id: row.try_get(0)?,
                generation: row.try_get(1)?,
                state: row.try_get(2)?,
                tries: row.try_get(3)?,
                lived: row.try_get(4)?,
                due: row.try_get(5)?,
            };
            current.insert(launched.generation);
            let silent: bool = row.try_get(6)?;
            let lost = {
                let children = self.children();
                let known_end = children.ended.contains_key(&launched.generation);
                !children.running.contains(&launched.generation) && (known_end || silent || self.settings.silence.is_none())
            };
            if lost {
                self.make_good(system, &launched).await?;
            }
        }
        // How the others ended is of no more use: they were told to stop, or have a new generation.
        self.children().ended.retain(|generation, _| current.contains(generation));
        Ok(())
    }

    /// What becomes of a generation whose process is gone: paused when it was to stop, launched again, or `ERROR` after too many tries.
    async fn make_good(&self, system: &LeaderContext, lost: &Launched) -> Result<()> {
        let stopping = lost.state == WorkerState::Stopping;
        let tries = if lost.lived { 1 } else { lost.tries };
        if !stopping && !lost.due && !lost.lived {
            return Ok(());
        }
        let mut transaction = system.begin().await?;
        let Some(worker) = runtime::lock(&mut transaction, lost.id).await? else { return Ok(()) };
        if worker.generation != lost.generation || worker.state != lost.state {
            return Ok(());
        }
        let ending = self
            .children()
            .ended
            .get(&lost.generation)
            .cloned()
            .unwrap_or_else(|| "with the replica that had started it, or in silence".to_owned());
        if stopping {
            // A process that is gone has stopped, whether it said so or not.
            runtime::pause(&mut transaction, &worker, None, false).await?;
        } else if tries >= MOST_TRIES {
            let reason = format!("the worker's process ended {tries} times in a row, last {ending}");
            runtime::rotate(&mut transaction, &worker, WorkerState::Error, &reason).await?;
        } else {
            tracing::warn!(worker.id = %lost.id, "the process of a worker ended {ending}; it is launched again");
            runtime::launch(&mut transaction, lost.id).await?;
            let sql = Sql::new("update pumphouse.worker_launch set attempts = ").value(tries).with(" where worker_id = ", lost.id);
            rows_on(&mut transaction, sql).await?;
        }
        transaction.commit().await?;
        Ok(())
    }

    /// Starts what waits to be launched.
    async fn launch_the_waiting(&self, system: &LeaderContext, address: SocketAddr) -> Result<()> {
        let mut transaction = system.begin().await?;
        let sql = Sql::new("update pumphouse.worker_launch l set launched_at = clock_timestamp(), launched_by = 'process', attempts = attempts + 1")
            .text(" from worker w where w.id = l.worker_id and w.state = 'BUILDING' and w.launch_generation = l.generation and l.launched_at is null")
            .with(" returning w.id, l.generation, clock_timestamp() + ", self.settings.token_lifetime);
        let rows = rows_on(&mut transaction, sql).await?;
        transaction.commit().await?;
        for row in rows {
            let generation: Uuid = row.try_get(1)?;
            let Time(expires_at) = row.try_get(2)?;
            let token = self.token_key.for_worker(row.try_get(0)?, generation, expires_at)?;
            if let Err(error) = self.spawn(generation, &token.text, address) {
                self.children().ended.insert(generation, format!("before it began: {error}"));
            }
        }
        Ok(())
    }

    fn spawn(&self, generation: Uuid, token: &str, address: SocketAddr) -> std::io::Result<()> {
        let log = || match &self.settings.log {
            Some(path) => OpenOptions::new().create(true).append(true).open(path).map(Stdio::from),
            None => Ok(Stdio::null()),
        };
        let mut child = Command::new(&self.settings.program)
            .args(["worker", "--tethered"])
            .env_clear()
            .envs(self.settings.environment.iter().map(|(name, value)| (name, value)))
            .env("PUMPHOUSE_URL", format!("http://{address}"))
            .env("PUMPHOUSE_WORKER_TOKEN", token)
            .stdin(Stdio::piped())
            .stdout(log()?)
            .stderr(log()?)
            .kill_on_drop(true)
            .spawn()?;
        let children = Arc::clone(&self.children);
        // Holding the pipe is what keeps the process: it ends when the pipe does.
        let tether = child.stdin.take();
        // Before the watcher is: a process may end at once.
        self.children().running.insert(generation);
        crate::core::task::spawn("launcher.process", async move {
            let ended = child.wait().await;
            drop(tether);
            let mut children = lock(&children);
            children.running.remove(&generation);
            children.ended.insert(generation, ending(ended));
        });
        Ok(())
    }
}

fn ending(ended: std::io::Result<ExitStatus>) -> String {
    match ended {
        Ok(status) => format!("with {status}"),
        Err(error) => format!("unseen: {error}"),
    }
}

impl Job for ProcessLauncher {
    fn name(&self) -> &'static str {
        "launcher"
    }

    fn every(&self) -> Duration {
        Duration::from_millis(500)
    }

    fn nudged_by(&self) -> &'static [&'static str] {
        &["worker"]
    }

    fn run<'a>(&'a self, system: &'a LeaderContext) -> BoxFuture<'a, Result<()>> {
        Box::pin(async move {
            let Some(address) = self.address.get().copied() else { return Ok(()) };
            self.mind_the_lost(system).await?;
            self.launch_the_waiting(system, address).await
        })
    }
}
