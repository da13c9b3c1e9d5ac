//! A child process, from its start to its end.
//!
//! Always holds: the kernel's death signal means the *thread* that started a child, so each child has
//! one of its own, which waits for its end and reaps it. A process that is dropped is asked to end,
//! and given a moment for it. Not here: which programs are run and as whom (`runner`).

use std::io;
use std::process::{Command, ExitStatus};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use tokio::sync::watch;
use tokio::time::timeout;

use super::error::EmbeddedError;

/// What PostgreSQL is sent to end, and how long it has: fast shutdown, immediate shutdown, the axe.
pub(super) const STAGES: [(Signal, Duration); 3] =
    [(Signal::INT, Duration::from_secs(30)), (Signal::QUIT, Duration::from_secs(10)), (Signal::KILL, Duration::from_secs(5))];

/// How long a drop waits for the end of the process.
const DROP_PATIENCE: Duration = Duration::from_secs(5);

/// How often a drop looks whether the process has ended.
const DROP_LOOK: Duration = Duration::from_millis(10);

/// A child of this process.
#[derive(Debug)]
pub(super) struct Process {
    pid: Pid,
    ended: watch::Receiver<Option<ExitStatus>>,
}

impl Process {
    /// Starts `command` from a thread that stays until the child has ended.
    pub(super) fn spawn(mut command: Command) -> io::Result<Self> {
        let (tell_pid, pid) = mpsc::sync_channel(1);
        let (tell_end, ended) = watch::channel(None);
        thread::Builder::new().name("embedded-postgres".into()).spawn(move || {
            let mut child = match command.spawn() {
                Ok(child) => child,
                Err(cause) => {
                    let _ = tell_pid.send(Err(cause));
                    return;
                }
            };
            let _ = tell_pid.send(Ok(Pid::from_child(&child)));
            let _ = tell_end.send(child.wait().ok());
        })?;
        let pid = pid.recv().map_err(io::Error::other)??;
        Ok(Self { pid, ended })
    }

    /// Its number.
    pub(super) fn pid(&self) -> u32 {
        self.pid.as_raw_nonzero().get().unsigned_abs()
    }

    /// Waits for its end; tells whether it ended well.
    pub(super) async fn end(&mut self) -> bool {
        let status = self.ended.wait_for(Option::is_some).await;
        status.is_ok_and(|status| status.is_some_and(|status| status.success()))
    }

    /// Waits for its end beside whoever holds it.
    pub(super) fn watch(&self) -> impl Future<Output = ()> + use<> {
        let mut ended = self.ended.clone();
        async move {
            // Without its thread nobody will ever know more.
            let _ = ended.wait_for(Option::is_some).await;
        }
    }

    /// Makes it end, first gently.
    pub(super) async fn stop(mut self) -> Result<(), EmbeddedError> {
        for (signal, patience) in STAGES {
            self.send(signal);
            if timeout(patience, self.end()).await.is_ok() {
                return Ok(());
            }
        }
        Err(EmbeddedError::WillNotStop { pid: self.pid() })
    }

    /// Still there: neither ended nor lost with its thread.
    pub(super) fn lives(&self) -> bool {
        self.ended.borrow().is_none() && self.ended.has_changed().is_ok()
    }

    /// A process that has just ended needs no signal, so failing is fine.
    fn send(&self, signal: Signal) {
        if self.lives() {
            let _ = kill_process(self.pid, signal);
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.send(Signal::INT);
        let until = Instant::now() + DROP_PATIENCE;
        while self.lives() && Instant::now() < until {
            thread::sleep(DROP_LOOK);
        }
    }
}
