//! Who is connected for longer than a request, and the end of their sessions.
//!
//! Always holds: one statement in every round asks about all of them, so 5,000 sockets cost what one
//! costs; a session ends within a round of its token's expiry or revocation, its user's deactivation,
//! deletion or new password, or its service account's deletion. The rules are those of
//! `Viewer::load`. While the database is away sessions live on. Not here: memberships, which
//! `core/live/follow.rs` minds.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, Weak};
use std::time::Duration;

use sqlx::Row as _;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use crate::core::db::Db;
use crate::core::error::Result;
use crate::core::sql::Sql;
use crate::core::viewer::{Subject, Verified};

/// Between two rounds.
const ROUND: Duration = Duration::from_secs(2);

/// The sessions of one server, by the id of their token.
#[derive(Clone, Default)]
pub(crate) struct Sessions(Arc<Mutex<HashMap<Uuid, Weak<Session>>>>);

/// One token that somebody is connected with, by however many sockets.
pub(crate) struct Session {
    token: Verified,
    ended: CancellationToken,
    reason: OnceLock<&'static str>,
}

impl Session {
    /// Waits for the session's end and says why it ended.
    pub(crate) async fn ended(&self) -> &'static str {
        self.ended.cancelled().await;
        self.reason.get().copied().unwrap_or("The session has ended; sign in again.")
    }

    fn end(&self, reason: &'static str) {
        let _first = self.reason.set(reason);
        self.ended.cancel();
    }
}

impl Sessions {
    /// The session of a token; it is watched for as long as somebody holds it.
    pub(crate) fn enter(&self, token: &Verified) -> Arc<Session> {
        let mut sessions = self.lock();
        if let Some(session) = sessions.get(&token.token_id).and_then(Weak::upgrade) {
            return session;
        }
        let session = Arc::new(Session { token: token.clone(), ended: CancellationToken::new(), reason: OnceLock::new() });
        sessions.insert(token.token_id, Arc::downgrade(&session));
        session
    }

    /// Ends the sessions that are over, until `stop` is cancelled.
    pub(crate) async fn watch(self, db: Db, stop: CancellationToken) {
        while stop.run_until_cancelled(tokio::time::sleep(ROUND)).await.is_some() {
            if let Err(error) = self.end_those_over(&db).await {
                tracing::debug!(error = error.message(), "sessions could not be checked; they live on until they can be");
            }
        }
    }

    async fn end_those_over(&self, db: &Db) -> Result<()> {
        let sessions = self.living();
        if sessions.is_empty() {
            return Ok(());
        }
        for row in db.rows(over(&sessions)).await? {
            let (token, reason): (Uuid, &str) = (row.try_get(0)?, row.try_get(1)?);
            let reason = match reason {
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
        // No code panics while it holds the lock.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Which of these sessions are over, and why. Workers' tokens only expire.
fn over(sessions: &[Arc<Session>]) -> Sql {
    let tokens: Vec<&Verified> = sessions.iter().map(|session| &session.token).collect();
    let of_user = |subject: &Subject| match *subject {
        Subject::User { id, epoch, service_account } => Some((id, epoch, service_account)),
        Subject::Worker { .. } => None,
    };
    let users = || tokens.iter().map(|token| of_user(&token.subject));
    Sql::new("select s.token_id, s.reason from (select t.token_id, case when t.expires_at <= now() then 'expired'")
        .text(" when t.user_id is null then null")
        .text(" when exists (select 1 from pumphouse.revoked_token r where r.token_id = t.token_id) then 'revoked'")
        .text(" when u.id is null then 'user' when c.epoch is distinct from t.epoch then 'password'")
        .text(" when t.service_account is not null and a.id is null then 'user' end as reason")
        .with(" from unnest(", tokens.iter().map(|token| token.token_id).collect::<Vec<_>>())
        .with("::uuid[], ", users().map(|user| user.map(|(id, ..)| id)).collect::<Vec<_>>())
        .with("::uuid[], ", users().map(|user| user.map(|(_, epoch, _)| epoch)).collect::<Vec<_>>())
        .with("::integer[], ", users().map(|user| user.and_then(|(.., account)| account)).collect::<Vec<_>>())
        .with("::uuid[], ", tokens.iter().map(|token| token.expires_at).collect::<Vec<_>>())
        .text("::timestamptz[]) as t(token_id, user_id, epoch, service_account, expires_at)")
        .text(" left join \"user\" u on u.id = t.user_id and u.is_active")
        .text(" left join pumphouse.credential c on c.user_id = t.user_id")
        .text(" left join service_account_user a on a.id = t.service_account and a.user_id = t.user_id")
        .text(") s where s.reason is not null")
}
