//! A job that does nothing but hand the test what jobs are given.

use std::sync::Mutex;
use std::time::Duration;

use futures_util::future::BoxFuture;
use pumphouse::core::error::Result;
use pumphouse::core::leader::{Job, LeaderContext};

/// Holds the handle of the present leader's jobs.
#[derive(Default)]
pub struct Spy {
    system: Mutex<Option<LeaderContext>>,
}

impl Spy {
    /// The handle, once the replica leads.
    pub async fn system(&self) -> LeaderContext {
        loop {
            if let Some(system) = self.system.lock().expect("the lock").clone() {
                return system;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }

    /// The handle of a leadership after this epoch.
    pub async fn system_after(&self, epoch: i64) -> LeaderContext {
        loop {
            let system = self.system().await;
            if system.epoch() > epoch {
                return system;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }

    /// Whether the replica has led.
    pub fn has_led(&self) -> bool {
        self.system.lock().expect("the lock").is_some()
    }

    /// Forgets the handle until the next run.
    pub fn forget(&self) {
        *self.system.lock().expect("the lock") = None;
    }
}

impl Job for Spy {
    fn name(&self) -> &'static str {
        "spy"
    }

    fn every(&self) -> Duration {
        Duration::from_millis(50)
    }

    fn run<'a>(&'a self, system: &'a LeaderContext) -> BoxFuture<'a, Result<()>> {
        Box::pin(async move {
            *self.system.lock().expect("the lock") = Some(system.clone());
            Ok(())
        })
    }
}
