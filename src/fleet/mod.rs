//! `pumphouse fleet`: simulated workers that drive the public API, and compare what it says with what they did.
//!
//! A client of the public API like `worker/`. Always holds: every worker does one thing after the other with a token of its
//! own and keeps the story of it (`life.rs`, `run.rs`, the sums of `batch.rs`), which no answer can change; memory and
//! sockets are bounded by the settings, not by how long it runs. What a crash of `PostgreSQL` itself may lose (heartbeats,
//! progress and batches of its last moments) is a difference for it. Not here: real rows, which only `worker/` reads.

mod actor;
mod batch;
mod check;
mod client;
mod days;
mod dice;
mod error;
mod graph;
mod ledger;
mod life;
mod run;
mod settings;
mod setup;
mod tables;

use std::time::Duration;

use futures_util::stream::FuturesUnordered;
use futures_util::{StreamExt as _, TryStreamExt as _, stream};
use tokio::time::{Instant, MissedTickBehavior, interval};
use tokio_util::sync::CancellationToken;

use self::actor::{Actor, Stage};
use self::check::{Window, check_env};
use self::client::Doors;
pub use self::dice::Dice;
pub use self::error::FleetError;
use self::ledger::Ledger;
pub use self::ledger::{Difference, Outcome};
pub use self::settings::{Settings, Wishes};

/// Names of counts that the line of progress shows, too.
const REPORTS: &str = "reports of states taken";
const BATCHES: &str = "batches";
const SYNCS: &str = "syncs begun";

/// How often progress is told.
const TELLING: Duration = Duration::from_millis(250);

/// What a fleet is at.
#[derive(Clone, Debug)]
pub struct Progress {
    /// Since when its workers live; none while what they need is being made.
    pub lived: Option<Duration>,
    /// What was done so far, in one line.
    pub line: String,
}

/// Makes a fleet, has it live, and compares. Cancelling the token ends its life early; the comparison is made all the same.
///
/// # Errors
/// When the API refuses what the fleet needs, or does not answer for a minute.
pub async fn run(settings: &Settings, early: CancellationToken, tell: &dyn Fn(Progress)) -> Result<Outcome, FleetError> {
    let ledger = Ledger::default();
    let name = settings.name.clone();
    tell(Progress { lived: None, line: format!("making {} workers in the env {name}", settings.workers) });
    Box::pin(drive(settings, early, tell, &ledger)).await?;
    Ok(Outcome { env: name, ..ledger.close() })
}

async fn drive(settings: &Settings, early: CancellationToken, tell: &dyn Fn(Progress), ledger: &Ledger) -> Result<(), FleetError> {
    let doors = Doors::open(settings, ledger, &settings.name).await?;
    let ground = setup::build(&doors, &settings.name, settings.workers).await?;
    let stage = Stage {
        doors: &doors,
        ledger,
        settings,
        epoch: ground.made_at.timestamp_millis(),
        began: Instant::now(),
        over: early.child_token(),
    };
    let mut actors: Vec<Actor<'_>> = stream::iter(ground.posts.iter().cloned().zip(0..))
        .map(|(post, which)| Box::pin(Actor::new(&stage, post, which)))
        .buffered(settings.connections)
        .try_collect()
        .await?;
    ledger.add("workers", u64::try_from(actors.len()).unwrap_or_default());
    live(&stage, &mut actors, tell).await?;
    tell(Progress { lived: Some(settings.duration), line: "comparing".to_owned() });
    let window = Window::around(ground.made_at, stage.began.elapsed().as_secs());
    stream::iter(&actors)
        .map(|actor| Ok(Box::pin(actor.check(&window))))
        .try_buffer_unordered(settings.connections)
        .try_collect::<()>()
        .await?;
    check_env(&doors, ledger, &ground, &window, &actors).await
}

/// Everybody lives at once, in one task: what bounds them is the number of requests under way.
async fn live(stage: &Stage<'_>, actors: &mut [Actor<'_>], tell: &dyn Fn(Progress)) -> Result<(), FleetError> {
    let mut lives: FuturesUnordered<_> = actors.iter_mut().map(|actor| Box::pin(actor.live())).collect();
    let mut clock = interval(TELLING);
    clock.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        tokio::select! {
            ended = lives.next() => match ended {
                Some(ended) => ended?,
                None => return Ok(()),
            },
            _ = clock.tick() => {
                let lived = stage.began.elapsed();
                if lived >= stage.settings.duration {
                    stage.over.cancel();
                }
                tell(Progress { lived: Some(lived.min(stage.settings.duration)), line: stage.ledger.line() });
            }
        }
    }
}
