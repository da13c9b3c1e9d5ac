//! What a simulated worker does when: its ordinary rounds, and with `--chaos` the trouble between them.
//!
//! Always holds: a trouble ends with a worker that runs, so that the next may be any other; silence is short, as after two
//! minutes of it the API would end a stop by itself.

use std::time::Duration;

use tokio::time::sleep;

use super::actor::{Actor, Done};
use super::error::{Derailed, FleetError};
use super::life::State;
use super::setup::Duty;

/// Kinds of trouble.
const TROUBLES: u32 = 9;
/// How often a run is looked at before it is cancelled at the end.
const LAST_ROUNDS: u32 = 10;
const LAST_PACE: Duration = Duration::from_millis(100);

impl Actor<'_> {
    /// Lives until everybody is to come to an end; what parts its story from the API's is noted.
    ///
    /// # Errors
    /// When the whole fleet has to end.
    pub(super) async fn live(&mut self) -> Result<(), FleetError> {
        match self.story().await {
            Ok(()) => Ok(()),
            Err(Derailed::Failed(error)) => Err(error),
            Err(Derailed::Lie(difference)) => {
                self.derailed = true;
                self.stage.ledger.differs(*difference);
                Ok(())
            }
        }
    }

    async fn story(&mut self) -> Done {
        self.start().await?;
        self.launch().await?;
        if self.may_sync() {
            self.begin_sync().await?;
        }
        if self.stage.settings.chaos {
            // However short its life, a fleet of some size meets every trouble once.
            Box::pin(self.trouble(self.which % TROUBLES)).await?;
        }
        while !self.stage.over.is_cancelled() {
            self.round().await?;
            self.rest(1).await;
        }
        self.settle().await
    }

    /// The process comes up.
    async fn launch(&mut self) -> Done {
        self.report(State::Building).await?;
        self.beat().await
    }

    /// A heartbeat, and work on what it was answered.
    async fn beat(&mut self) -> Done {
        let told = self.report(State::Live).await?;
        self.read_tables(told).await
    }

    async fn round(&mut self) -> Done {
        self.beat().await?;
        self.count().await?;
        if self.may_sync() && self.dice.once_in(6) {
            self.begin_sync().await?;
        }
        if self.stage.settings.chaos && self.dice.once_in(3) {
            let trouble = self.dice.below(TROUBLES);
            Box::pin(self.trouble(trouble)).await?;
        }
        Ok(())
    }

    fn may_sync(&self) -> bool {
        matches!(self.post.duty, Duty::Produce { .. }) && !self.is_syncing()
    }

    /// So many paces of silence, each half as long or half as long again.
    async fn rest(&mut self, paces: u32) {
        let share = f64::from(50 + self.dice.below(100)) / 100.0;
        tokio::select! {
            () = sleep(self.stage.settings.pace.saturating_mul(paces).mul_f64(share)) => {}
            () = self.stage.over.cancelled() => {}
        }
    }

    async fn trouble(&mut self, which: u32) -> Done {
        match which {
            0 => self.crash().await,
            1 => self.repeat().await,
            2 => self.come_late().await,
            3 => self.out_of_order().await,
            4 => self.stop_and_start().await,
            5 => self.start_anew(0).await,
            6 => self.start_anew(2).await,
            7 => self.fail().await,
            _ if self.is_syncing() => self.cancel_sync().await,
            _ if self.may_sync() => self.begin_sync().await,
            _ => self.repeat().await,
        }
    }

    /// The process dies and is brought up again as the same generation.
    async fn crash(&mut self) -> Done {
        self.stage.ledger.count("crashes");
        self.rest(2).await;
        self.identify(false).await?;
        self.launch().await
    }

    /// The generation before speaks up once more.
    async fn come_late(&mut self) -> Done {
        let state = if self.dice.once_in(2) { State::Error } else { State::Live };
        self.report_late(state).await?;
        self.tell_late().await?;
        self.count_late().await
    }

    async fn out_of_order(&mut self) -> Done {
        self.tell_out_of_order().await?;
        self.tell_of_the_past().await?;
        self.launch().await
    }

    /// Stopped, perhaps in the midst of a snapshot, it says that it lives, ends, says so once more, and is started again.
    async fn stop_and_start(&mut self) -> Done {
        self.stop().await?;
        self.report(State::Live).await?;
        self.count().await?;
        let last = if self.dice.once_in(3) { State::Error } else { State::Paused };
        self.report(last).await?;
        self.report(State::Live).await?;
        // What was counted before the end is true all the same.
        self.count().await?;
        if self.may_sync() && self.dice.once_in(2) {
            // This starts the worker; the start below finds it started.
            self.begin_sync().await?;
        }
        self.start().await?;
        self.come_late().await?;
        self.launch().await
    }

    /// Restarted, after so many paces of silence.
    async fn start_anew(&mut self, silence: u32) -> Done {
        self.restart().await?;
        self.rest(silence).await;
        self.report(State::Paused).await?;
        self.come_late().await?;
        self.launch().await
    }

    /// It fails; it comes back by itself, or is started again.
    async fn fail(&mut self) -> Done {
        self.stage.ledger.count("failures");
        self.report(State::Error).await?;
        if self.dice.once_in(2) {
            self.start().await?;
            self.come_late().await?;
        }
        self.launch().await
    }

    /// Ends what is under way, and then the worker.
    async fn settle(&mut self) -> Done {
        for _ in 0..LAST_ROUNDS {
            if !self.is_syncing() {
                break;
            }
            self.beat().await?;
            sleep(LAST_PACE).await;
        }
        self.cancel_sync().await?;
        self.repeat().await?;
        self.stop().await?;
        self.report(State::Paused).await?;
        self.come_late().await
    }
}
