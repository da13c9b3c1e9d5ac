//! Changing things: one mutation is one transaction.
//!
//! Always holds: what the mutation needs is proven by rights that were read in its transaction, under its locks, then
//! the licence is asked, then it is done; permission, lock, change and audit row commit together or not at
//! all. A deadlock or serialisation failure runs the whole mutation again, at most three times. Not here:
//! the rules of any entity; inserting and updating rows (`core/values.rs`).

use std::future::Future;
use std::time::{Duration, Instant};

use async_graphql::Context;
use sqlx::postgres::PgRow;
use sqlx::{PgConnection, Row as _};

use crate::core::db::{Db, rows_on};
use crate::core::entity::{Entity, columns};
use crate::core::error::{Error, Result};
use crate::core::id::Id;
use crate::core::proof::{Exclusive, Held, Proof, RightBasis};
use crate::core::read::{Read, context_data};
use crate::core::request::RequestId;
use crate::core::sql::Sql;
use crate::core::viewer::Viewer;
use crate::core::viewers::Viewers;
use crate::core::work::MutationTransaction;

/// Times a mutation is run again after a deadlock or serialisation failure.
const RETRIES: u32 = 3;

/// A mutation that took longer has probably waited for a lock of another transaction; its right is then checked once more
/// against what that one has committed.
const BRIEF: Duration = Duration::from_millis(100);

/// Whether writes need an active licence (domain.md section 5).
#[derive(Clone, Copy, Debug)]
pub struct LicenseEnforced(pub bool);

/// A change that clients can ask for: what it needs, and what it does.
pub trait Mutation: Clone + Send + Sync {
    /// The right that it needs.
    type Proof: Proof;
    /// What it answers.
    type Answer: Send;
    /// Whether an inactive licence stops it; those that give up rights or stop work are always allowed.
    const LICENSED: bool = true;
    /// Whether it can change anybody's rights; if so, the remembered viewers are forgotten after it.
    const TOUCHES_RIGHTS: bool = true;
    /// Whether its answer holds a secret: it is never kept, so an idempotency key is refused.
    const SECRET: bool = false;

    /// Whether it needs one with this input.
    fn is_licensed(&self) -> bool {
        Self::LICENSED
    }

    /// Proves the right and locks what it is a right on, in the order of domain.md section 0.
    fn authorize(&self, w: &mut Write) -> impl Future<Output = Result<Self::Proof>> + Send;

    /// Checks the input, changes, and writes the audit row.
    fn apply(self, w: &mut Write, proof: Self::Proof) -> impl Future<Output = Result<Self::Answer>> + Send;
}

/// The writing handle: a transaction and who is behind it.
pub struct Write {
    db: Db,
    work: MutationTransaction,
    viewer: Viewer,
    request: Option<String>,
    enforced: bool,
}

/// Runs a mutation for the viewer of this request.
///
/// # Errors
/// What the mutation answered; then nothing was changed.
pub async fn write<M: Mutation>(ctx: &Context<'_>, mutation: M) -> Result<M::Answer> {
    let mut read = Read::of(ctx)?;
    if M::SECRET && read.db().key().is_some() {
        return Err(Error::secret_answer());
    }
    let request = ctx.data_opt::<RequestId>().map(|id| id.0.clone());
    let LicenseEnforced(enforced) = *context_data(ctx)?;
    let viewers = context_data::<Viewers>(ctx)?;
    // Boxed: it is large, and what the answer selects is resolved on top of it.
    let (answer, present) = read.loaders().alone(Box::pin(transact(&read, viewers, request, enforced, mutation))).await?;
    // What the answer selects is read with the rights of now.
    // The token of a worker changes nobody's rights, and reports come all the time.
    if M::TOUCHES_RIGHTS && read.viewer().user_id().is_some() {
        viewers.forget();
        // Who has just ended their own session is shown it as they were.
        let _ended = read.renew(viewers).await;
    } else {
        read.go_on_as(present);
    }
    Ok(answer)
}

async fn transact<M: Mutation>(
    read: &Read,
    viewers: &Viewers,
    request: Option<String>,
    enforced: bool,
    mutation: M,
) -> Result<(M::Answer, Viewer)> {
    let _turn = read.db().turn(read.viewer().token().holder()).await;
    let mut tries = 0;
    loop {
        let began = Instant::now();
        let work = MutationTransaction::begin(read.db()).await?;
        let mut w = Write { db: read.db().clone(), work, viewer: read.viewer().clone(), request: request.clone(), enforced };
        let mut done = carry_out(&mut w, mutation.clone()).await;
        if let Ok((_, stake)) = &done
            && began.elapsed() >= BRIEF
        {
            done = w.still_stands(viewers, stake.clone()).await.and(done);
        }
        let present = w.viewer;
        match w.work.end(done.map(|(answer, _)| (answer, present))).await {
            Err(error) if error.is_retryable() && tries < RETRIES => tries += 1,
            done => return done,
        }
    }
}

/// Answers what its right hung on, too.
async fn carry_out<M: Mutation>(w: &mut Write, mutation: M) -> Result<(M::Answer, RightBasis)> {
    let proof = authorized(w, &mutation).await?;
    if mutation.is_licensed() {
        w.licensed().await?;
    }
    let stake = proof.stake();
    w.work.note(&w.viewer, &stake).await?;
    Ok((mutation.apply(w, proof).await?, stake))
}

/// Asks with the rights that the viewer was known to have, then reads those again: a right may have ended before, or while
/// a lock was waited for, and so may what the right hung on. With the locks held, asking once more settles it.
async fn authorized<M: Mutation>(w: &mut Write, mutation: &M) -> Result<M::Proof> {
    let began = Instant::now();
    let asked = mutation.authorize(w).await;
    let waited = asked.is_ok() && began.elapsed() >= BRIEF;
    if asked.as_ref().is_err_and(|error| !error.is_refusal()) {
        return asked;
    }
    let present = w.viewer.present_on(&mut w.work).await?;
    let before = std::mem::replace(&mut w.viewer, present);
    if w.viewer.rights() == before.rights() && !waited { asked } else { mutation.authorize(w).await }
}

impl Write {
    /// Who asks, as the database knows them in this transaction once the right is proven.
    #[must_use]
    pub fn viewer(&self) -> &Viewer {
        &self.viewer
    }

    pub(crate) fn request(&self) -> Option<&str> {
        self.request.as_deref()
    }

    /// The transaction's connection, for functions that jobs call too.
    pub(crate) fn connection(&mut self) -> &mut PgConnection {
        &mut self.work
    }

    /// Runs a statement in the transaction.
    ///
    /// # Errors
    /// When the database refuses it.
    pub async fn rows(&mut self, sql: Sql) -> Result<Vec<PgRow>> {
        self.db.note_statement();
        rows_on(&mut self.work, sql).await
    }

    /// Whether a statement of the form `select exists (...)` says yes.
    ///
    /// # Errors
    /// When the database refuses it.
    pub async fn holds(&mut self, sql: Sql) -> Result<bool> {
        self.rows(sql).await?.first().map_or(Ok(false), |row| Ok(row.try_get(0)?))
    }

    /// What a statement selects so that the commit does not wait for the disk, for what is sent again until it is answered.
    /// With an idempotency key it waits, as the answer is kept. A statement of its own would cost a sixth of a heartbeat.
    pub(crate) const fn without_waiting(&self) -> &'static str {
        match self.work {
            MutationTransaction::Own(_) => "set_config('synchronous_commit', 'off', true)",
            MutationTransaction::Shared(_) => "null",
        }
    }

    /// Has the commit wait for the disk after all: for what is said once, by a mutation that is else repeated.
    ///
    /// # Errors
    /// When the database refuses it.
    pub async fn insist(&mut self) -> Result<()> {
        self.rows(Sql::new("set local synchronous_commit to default")).await?;
        Ok(())
    }

    /// Waits until no other transaction works on this pair, such as a user and a team; comes before any row lock.
    ///
    /// # Errors
    /// `TIMEOUT` when the other one does not end.
    pub async fn lock_pair(&mut self, one: uuid::Uuid, other: uuid::Uuid) -> Result<()> {
        self.lock_text(&format!("{one} {other}")).await
    }

    /// Waits until no other transaction works on what has this name; comes before any row lock.
    ///
    /// # Errors
    /// `TIMEOUT` when the other one does not end.
    pub async fn lock_text(&mut self, name: &str) -> Result<()> {
        self.rows(Sql::new("select pg_advisory_xact_lock(hashtextextended(").value(name.to_owned()).text(", 0))")).await?;
        Ok(())
    }

    /// A row as this transaction has left it, for the answer of the mutation that changed it.
    ///
    /// # Errors
    /// `NOT_FOUND` when the transaction has left no such row.
    pub async fn reread<E: Entity>(&mut self, id: Id<E>) -> Result<E> {
        let sql = Sql::new("select ").text(&columns::<E>()).text(" from ").text(E::TABLE).with(" t where t.id = ", id);
        match self.rows(sql).await?.first() {
            Some(row) => Ok(E::from_row(row, 0)?),
            None => Err(Error::no_such(E::NAME)),
        }
    }

    /// Deletes a row that is held.
    ///
    /// # Errors
    /// When something that refers to it is in the way.
    pub async fn delete<E: Entity, R: Exclusive>(&mut self, held: &Held<E, R>) -> Result<()> {
        self.rows(Sql::new("delete from ").text(E::TABLE).with(" where id = ", held.key())).await?;
        Ok(())
    }

    /// Refuses when rights have ended since they were proven, for the mutation to be run again by those that are left.
    /// A worker has no rights that could.
    async fn still_stands(&self, viewers: &Viewers, stake: RightBasis) -> Result<()> {
        if self.viewer.user_id().is_none() {
            return Ok(());
        }
        viewers.recheck_rights(&self.viewer, stake).await
    }

    /// Refuses to go on without an active licence, where one is enforced; for mutations that only find out with the row at hand whether
    /// they give or take away. Default-deny: writes go on while the last verdict is active, unexpired and at most a week old.
    ///
    /// # Errors
    /// `LICENSE_INACTIVE`.
    pub(crate) async fn licensed(&mut self) -> Result<()> {
        if !self.enforced {
            return Ok(());
        }
        let sql = "select exists (select 1 from license_state where license_active and last_seen_at > now() - interval '7 days' and (license_expires_at is null or license_expires_at > now()))";
        if self.holds(Sql::new(sql)).await? {
            return Ok(());
        }
        Err(Error::license_inactive())
    }
}
