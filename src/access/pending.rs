//! The pending request or invitation of a user for an env or a team; there is at most one.
//!
//! Always holds: callers hold the advisory lock of the pair (`membership.rs`). A request leaves PENDING once. Audit rows do
//! not contain the name of the env or team, as the target may not see it. Not here: who may decide.

use crate::access::group::{Ask, Group};
use crate::access::{EnvRequest, RequestStatus, TeamRequest, User, invitation, membership};
use crate::core::audit::About;
use crate::core::entity::{Entity as _, columns};
use crate::core::error::{Error, Result};
use crate::core::id::Id;
use crate::core::sql::Sql;
use crate::core::verb::Verb;
use crate::core::write::Write;

/// The content of a new request.
pub(crate) struct New<G: Group> {
    pub group: Id<G>,
    pub role: G::Role,
    pub from: Id<User>,
    pub to: Id<User>,
}

/// Refuses users who already have this role or a higher one.
pub(crate) async fn refuse_member<G: Group>(w: &mut Write, user: Id<User>, group: Id<G>, role: G::Role, field: &str) -> Result<()> {
    match membership::find(w, user, group).await? {
        Some(member) if G::role(&member) >= role => {
            Err(Error::conflict("This user is a member already, with this role or a higher one.").field(field))
        }
        _ => Ok(()),
    }
}

/// Returns the pending request or invitation of this user.
pub(crate) async fn find<G: Group>(w: &mut Write, user: Id<User>, group: Id<G>) -> Result<Option<Ask<G>>> {
    let sql = Sql::new("select ")
        .text(&columns::<G::Request>())
        .text(" from ")
        .text(G::Request::TABLE)
        .with(" t where t.status = 'PENDING' and t.to_user_id = ", user)
        .text(&format!(" and t.{}", G::COLUMN))
        .with(" = ", group);
    let rows = w.rows(sql).await?;
    Ok(rows.first().map(|row| G::Request::from_row(row, 0)).transpose()?.map(|request| G::ask(&request)))
}

/// Writes a request.
pub(crate) async fn insert<G: Group>(w: &mut Write, new: New<G>) -> Result<Id<G::Request>> {
    let id = Id::random();
    let sql = Sql::new("insert into ")
        .text(G::Request::TABLE)
        .text(&format!(" (id, status, {}, {}, from_user_id, to_user_id)", G::COLUMN, G::ROLE))
        .with(" values (", id)
        .with(", 'PENDING', ", new.group)
        .with(", ", new.role)
        .with(", ", new.from)
        .with(", ", new.to)
        .text(")");
    w.rows(sql).await?;
    Ok(id)
}

/// Ends a pending request, and records it in the audit log.
///
/// # Errors
/// `CONFLICT` with the status when it is no longer pending.
pub(crate) async fn close<G: Group>(w: &mut Write, ask: &Ask<G>, group: &G, status: RequestStatus) -> Result<G::Request> {
    let sql = Sql::new("update ")
        .text(G::Request::TABLE)
        .with(" t set status = ", status)
        .with(" where t.status = 'PENDING' and t.id = ", ask.id)
        .text(" returning ")
        .text(&columns::<G::Request>());
    let Some(row) = w.rows(sql).await?.into_iter().next() else {
        let ended = G::ask(&w.reread(ask.id).await?).status.stored();
        return Err(Error::conflict(format!("It is {ended} already; a request is decided once."))
            .field("requestId")
            .details(serde_json::json!({"status": ended})));
    };
    let verb = match status {
        RequestStatus::Accepted => Verb::Accept,
        RequestStatus::Declined => Verb::Decline,
        RequestStatus::Cancelled | RequestStatus::Pending => Verb::Cancel,
    };
    if ask.is_invitation() {
        invitation::settle(w, ask).await?;
    }
    w.record(verb, About::row(ask.id).owner(group.owner()).fields(&["status"]).target(ask.to.uuid())).await?;
    Ok(G::Request::from_row(&row, 0)?)
}

/// Decides the pending request after the membership was set to `role` or ended. A request for at most that role is accepted,
/// anything else is cancelled; otherwise an older invitation could restore what was just removed.
pub(crate) async fn settle<G: Group>(w: &mut Write, user: Id<User>, group: &G, role: Option<G::Role>) -> Result<()> {
    let Some(ask) = find(w, user, group.id()).await? else { return Ok(()) };
    let granted = !ask.is_invitation() && role.is_some_and(|role| role >= ask.role);
    close(w, &ask, group, if granted { RequestStatus::Accepted } else { RequestStatus::Cancelled }).await?;
    Ok(())
}

/// Deletes all requests by and for a user who is about to be deleted. The database does not cascade to them.
pub(crate) async fn remove_of(w: &mut Write, user: Id<User>) -> Result<()> {
    // Writing a request locks its user. From here on none can be written.
    w.rows(Sql::new("select 1 from \"user\" where id = ").value(user).text(" for update")).await?;
    invitation::remove_of(w, user).await?;
    for table in [EnvRequest::TABLE, TeamRequest::TABLE] {
        let sql = Sql::new("delete from ").text(table).with(" where from_user_id = ", user).with(" or to_user_id = ", user);
        w.rows(sql).await?;
    }
    Ok(())
}
