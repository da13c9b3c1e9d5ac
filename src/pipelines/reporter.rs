//! Who may report for a worker: its own token, or a service account with the grant.
//!
//! Always holds: a worker's token speaks for that one worker; a service account needs a grant with
//! `worker: true` on the team, or the env, that owns the connector (domain.md section 1).

use sqlx::Row as _;

use crate::core::entity::from_visible;
use crate::core::error::{Error, Result};
use crate::core::id::Id;
use crate::core::sql::Sql;
use crate::core::viewer::Identity;
use crate::core::write::Write;
use crate::pipelines::Worker;
use crate::pipelines::worker_runtime::{Locked, lock};

/// The worker, locked, when the viewer may report for it; none when it no longer exists.
///
/// # Errors
/// `NOT_FOUND` when the viewer does not see it, `FORBIDDEN` when they see it and may not report.
pub(crate) async fn reporter(w: &mut Write, id: Id<Worker>) -> Result<Option<Locked>> {
    match w.viewer().identity().clone() {
        Identity::Worker { id: own, .. } => {
            if own != id.uuid() {
                return Err(Error::not_found("worker").field("workerId"));
            }
        }
        Identity::User { service_account, .. } => {
            let viewer = w.viewer().clone();
            let mut sql = Sql::new("select exists (select 1 from pumphouse.service_account_grant g join connector c on c.id = t.connector_id where g.worker and g.service_account_id = ")
                .with("", service_account)
                .text(" and (g.team_id = c.team_id or g.env_id = c.env_id))");
            from_visible::<Worker>(&mut sql, &viewer);
            let rows = w.rows(sql.with(" and t.id = ", id)).await?;
            let Some(row) = rows.first() else { return Err(Error::not_found("worker").field("workerId")) };
            if !row.try_get::<bool, _>(0)? {
                return Err(Error::forbidden("Only the worker itself, or a service account whose grant says so, may report for it.")
                    .field("workerId"));
            }
        }
    }
    lock(w.connection(), id).await
}
