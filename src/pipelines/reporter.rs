//! Who may act for a worker: its own token, or a service account with the grant.
//!
//! Always holds: a worker's token speaks for that one generation of that one worker; a service account needs a grant with
//! `worker: true` on the team that owns the connector (domain.md section 1).

use sqlx::postgres::PgRow;
use sqlx::{PgConnection, Row as _};

use crate::core::db::{Db, rows_on};
use crate::core::entity::from_visible;
use crate::core::error::{Error, Result};
use crate::core::id::Id;
use crate::core::proof::{Proof, RightBasis};
use crate::core::sql::Sql;
use crate::core::viewer::{Identity, Viewer};
use crate::core::write::Write;
use crate::pipelines::worker_runtime::{Generation, Locked, Refusal, lock, lock_reporting};
use crate::pipelines::{Worker, WorkerState};

/// The worker that is spoken for, and the generation of it that is said to speak.
pub(crate) type WorkerIdentity = (Id<Worker>, Id<Generation>);

/// The worker, locked, that the viewer may report for; none when it no longer exists.
pub struct Reporter(pub(crate) Option<Locked>);

impl Proof for Reporter {
    /// A worker's reports come with fresh words each time; whoever repeats one with a key is known by the token.
    fn stake(&self) -> RightBasis {
        RightBasis::CurrentUser
    }
}

impl Reporter {
    /// Asks whether the viewer may report, and locks the worker.
    ///
    /// # Errors
    /// `NOT_FOUND` when the viewer does not see it, `FORBIDDEN` when they see it and may not report.
    pub(crate) async fn of(w: &mut Write, who: WorkerIdentity) -> Result<Self> {
        may_report_in(w, who).await?;
        Self::locked(w.connection(), who.0).await
    }

    /// The same for what is sent again until it is answered, as almost every report is; `counts` are of a day, which stays open.
    ///
    /// # Errors
    /// As [`Reporter::of`].
    pub(crate) async fn repeated(w: &mut Write, who: WorkerIdentity, counts: bool) -> Result<Self> {
        may_report_in(w, who).await?;
        Ok(Self(lock_reporting(w, who.0, counts).await?))
    }

    /// The worker, locked, for whoever was asked already whether they may act for it.
    pub(crate) async fn locked(connection: &mut PgConnection, id: Id<Worker>) -> Result<Self> {
        Ok(Self(lock(connection, id).await?))
    }

    /// The worker, if this generation of it is the present one; else why nothing that it says counts.
    pub(crate) fn current(&self, generation: Id<Generation>) -> Result<&Locked, Refusal> {
        let worker = self.0.as_ref().ok_or(Refusal::Gone)?;
        if worker.generation == generation.uuid() { Ok(worker) } else { Err(Refusal::Superseded) }
    }

    /// The same, if anything of it should run.
    pub(crate) fn running(&self, generation: Id<Generation>) -> Result<&Locked, Refusal> {
        let worker = self.current(generation)?;
        if worker.state == WorkerState::Paused { Err(Refusal::Paused) } else { Ok(worker) }
    }
}

async fn may_report_in(w: &mut Write, who: WorkerIdentity) -> Result<()> {
    match question(w.viewer(), who)? {
        Some(question) => judge(w.rows(question).await?.first()),
        None => Ok(()),
    }
}

/// Whether the viewer may be handed what the worker is handed, inside a transaction.
///
/// # Errors
/// As [`Reporter::of`].
pub(crate) async fn may_act(connection: &mut PgConnection, viewer: &Viewer, who: WorkerIdentity) -> Result<()> {
    match question(viewer, who)? {
        Some(question) => judge(rows_on(connection, question).await?.first()),
        None => Ok(()),
    }
}

/// Whether the viewer may report for the worker, outside a mutation.
///
/// # Errors
/// As [`Reporter::of`].
pub(crate) async fn may_report(db: &Db, viewer: &Viewer, who: WorkerIdentity) -> Result<()> {
    match question(viewer, who)? {
        Some(question) => judge(db.rows(question).await?.first()),
        None => Ok(()),
    }
}

/// Whether the viewer is the worker itself, of this generation.
pub(crate) fn speaks_for_itself(viewer: &Viewer, (id, generation): WorkerIdentity) -> bool {
    matches!(viewer.identity(), Identity::Worker { id: own, generation: of } if *own == id.uuid() && *of == generation.uuid())
}

/// What to ask of the database; nothing for the worker itself.
fn question(viewer: &Viewer, (id, generation): WorkerIdentity) -> Result<Option<Sql>> {
    if speaks_for_itself(viewer, (id, generation)) {
        return Ok(None);
    }
    match viewer.identity() {
        Identity::Worker { id: own, .. } if *own == id.uuid() => {
            let message = "A worker's token speaks for the generation that it was made for, and for no other; this one has to end.";
            Err(Error::forbidden(message).field("launchGeneration"))
        }
        Identity::Worker { .. } => Err(not_found()),
        Identity::User { .. } => {
            let mut sql = Sql::new("select exists (select 1 from connector c where c.id = t.connector_id and c.team_id = any(");
            sql = sql.value(viewer.worker_teams().to_vec()).text("))");
            from_visible::<Worker>(&mut sql, viewer);
            Ok(Some(sql.with(" and t.id = ", id)))
        }
    }
}

fn judge(row: Option<&PgRow>) -> Result<()> {
    let row = row.ok_or_else(not_found)?;
    if row.try_get(0)? {
        return Ok(());
    }
    Err(Error::forbidden("Only the worker itself, or a service account whose grant says so, may act for it.").field("workerId"))
}

fn not_found() -> Error {
    Error::not_found("worker").field("workerId")
}
