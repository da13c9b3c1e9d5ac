//! Who is connected for longer than a request, and the end of their sessions.
//!
//! Always holds: one statement in every round asks about all of them, so 5,000 sockets cost what one
//! costs; a session ends within a round of its token's expiry or revocation, its user's deactivation,
//! deletion or new password, or its service account's deletion. The rule is that of
//! `Viewer::load`. How many sockets and streams one token has can be bounded. While the database is away sessions live on. Not here:
//! memberships, which `shared/member.rs` minds.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, Weak};
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use crate::core::db::Db;
use crate::core::error::Result;
use crate::core::lock::lock;
use crate::core::refusals::SESSION_ENDED;
use crate::core::viewer::{self, Verified};

/// Between two rounds.
const ROUND: Duration = Duration::from_secs(2);

/// The sessions of one server, by the id of their token.
#[derive(Clone)]
pub(crate) struct Sessions {
    known: Arc<Mutex<HashMap<Uuid, Weak<Session>>>>,
    /// The most sockets and streams of one token.
    seats: usize,
}

/// One token that somebody is connected with, by however many sockets.
struct Session {
    token: Verified,
    ended: CancellationToken,
    reason: OnceLock<&'static str>,
    seats: Arc<Semaphore>,
}

/// The place of one socket or stream in its session, until it is dropped.
pub(crate) struct Seat {
    session: Arc<Session>,
    _taken: OwnedSemaphorePermit,
}

impl Seat {
    /// Waits for the session's end and says why it ended.
    pub(crate) async fn ended(&self) -> &'static str {
        self.session.ended.cancelled().await;
        self.session.reason.get().copied().unwrap_or(SESSION_ENDED)
    }
}

impl Session {
    fn end(&self, reason: &'static str) {
        let _first = self.reason.set(reason);
        self.ended.cancel();
    }
}

impl Sessions {
    /// With so many sockets and streams of one token at most.
    pub(crate) fn new(seats: usize) -> Self {
        Self { known: Arc::default(), seats: seats.min(Semaphore::MAX_PERMITS) }
    }

    /// A place in the session of a token, which is watched for as long as somebody has one; none when all are taken.
    pub(crate) fn enter(&self, token: &Verified) -> Option<Arc<Seat>> {
        let session = self.session(token);
        let taken = Arc::clone(&session.seats).try_acquire_owned().ok()?;
        Some(Arc::new(Seat { session, _taken: taken }))
    }

    fn session(&self, token: &Verified) -> Arc<Session> {
        let mut sessions = self.lock();
        if let Some(session) = sessions.get(&token.token_id).and_then(Weak::upgrade) {
            return session;
        }
        let seats = Arc::new(Semaphore::new(self.seats));
        let session = Arc::new(Session { token: token.clone(), ended: CancellationToken::new(), reason: OnceLock::new(), seats });
        sessions.insert(token.token_id, Arc::downgrade(&session));
        session
    }

    /// Ends the sessions that are over, until `stop` is cancelled.
    pub(crate) async fn watch(self, db: Db, stop: CancellationToken) {
        while stop.run_until_cancelled(tokio::time::sleep(ROUND)).await.is_some() {
            if let Err(error) = self.end_those_over(&db).await {
                tracing::debug!(error = error.for_log(), "sessions could not be checked; they live on until they can be");
            }
        }
    }

    async fn end_those_over(&self, db: &Db) -> Result<()> {
        let sessions = self.living();
        if sessions.is_empty() {
            return Ok(());
        }
        let tokens: Vec<&Verified> = sessions.iter().map(|session| &session.token).collect();
        for (token, reason) in viewer::ended(db, &tokens).await? {
            let reason = match reason.as_str() {
                "expired" => "The token has expired; sign in again.",
                "revoked" => "The token was revoked; sign in again.",
                "password" => "The password was changed; sign in again.",
                _ => "The user is no longer active.",
            };
            if let Some(session) = sessions.iter().find(|session| session.token.token_id == token) {
                session.end(reason);
            }
        }
        Ok(())
    }

    fn living(&self) -> Vec<Arc<Session>> {
        let mut sessions = self.lock();
        sessions.retain(|_, session| session.strong_count() > 0);
        sessions.values().filter_map(Weak::upgrade).filter(|session| !session.ended.is_cancelled()).collect()
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<Uuid, Weak<Session>>> {
        lock(&self.known)
    }
}
