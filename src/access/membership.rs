//! The only code that writes memberships, and the rule that at least one admin must remain.
//!
//! Always holds: a writer holds the advisory lock of the pair (user, env or team), then the row lock of the env or team. So
//! there is one row per pair, and admins cannot be counted while another transaction removes one. Only people count as
//! admins, not service accounts. Not here: authorization of the caller.

use sqlx::Row as _;
use sqlx::postgres::PgRow;

use crate::access::User;
use crate::access::group::{Group, Role as _};
use crate::access::service_account::MACHINE;
use crate::core::entity::{Entity as _, columns, from_visible};
use crate::core::error::{Error, Result};
use crate::core::id::Id;
use crate::core::proof::{Administered, Held};
use crate::core::sql::Sql;
use crate::core::write::Write;

/// Waits until no other transaction changes the membership of this user. Must come before any row lock.
pub(crate) async fn lock<G: Group>(w: &mut Write, user: Id<User>, group: Id<G>) -> Result<()> {
    w.lock_pair(user.uuid(), group.uuid()).await
}

/// Returns the env or team if the viewer administers it, locked together with this user's membership.
///
/// # Errors
/// `NOT_FOUND` when the viewer does not see it, `FORBIDDEN` when they see it but do not administer it.
pub(crate) async fn administer<G: Group>(w: &mut Write, user: Id<User>, group: Id<G>) -> Result<Held<G, Administered>> {
    w.refuse_strangers(group, G::FIELD).await?;
    lock(w, user, group).await?;
    w.administer(group, G::FIELD).await
}

/// Locks the row of this env or team, so that it cannot be deleted and no other transaction counts its admins. Returns it
/// with the result of `condition`, SQL about `t`, or `None` when there is no such row.
pub(crate) async fn hold<G: Group>(w: &mut Write, group: Id<G>, condition: Sql) -> Result<Option<(G, bool)>> {
    let sql = condition
        .before("select coalesce((")
        .text("), false), ")
        .text(&columns::<G>())
        .text(" from ")
        .text(G::TABLE)
        .with(" t where t.id = ", group)
        .text(" for no key update of t");
    let rows = w.rows(sql).await?;
    rows.first().map(|row| Ok((G::from_row(row, 1)?, row.try_get(0)?))).transpose()
}

/// Locks the env or team against deletion, but not against changes: for a user who requests to join without a right on it.
pub(crate) async fn keep<G: Group>(w: &mut Write, group: Id<G>) -> Result<Option<G>> {
    let sql = Sql::new("select ").text(&columns::<G>()).text(" from ").text(G::TABLE).with(" t where t.id = ", group);
    let rows = w.rows(sql.text(" for key share of t")).await?;
    Ok(rows.first().map(|row| G::from_row(row, 0)).transpose()?)
}

/// Locks the user against deletion. Refuses users that the viewer does not see, and service accounts.
pub(crate) async fn hold_person(w: &mut Write, user: Id<User>) -> Result<()> {
    let mut sql = Sql::new("select 1");
    from_visible::<User>(&mut sql, w.viewer());
    if w.rows(sql.with(" and t.id = ", user).text(" for key share of t")).await?.is_empty() {
        return Err(Error::no_such(User::NAME).field("userId"));
    }
    refuse_machine(w, user, "userId").await
}

/// Refuses service accounts, whose memberships are derived from their grants.
pub(crate) async fn refuse_machine(w: &mut Write, user: Id<User>, field: &str) -> Result<()> {
    let sql = Sql::new(&format!("select {MACHINE} from \"user\" u")).with(" where u.id = ", user);
    if w.holds(sql).await? {
        let message = "The memberships of a service account come from its grants; change them with setServiceAccountGrants.";
        return Err(Error::conflict(message).field(field));
    }
    Ok(())
}

/// Returns the membership of this user.
pub(crate) async fn find<G: Group>(w: &mut Write, user: Id<User>, group: Id<G>) -> Result<Option<G::Member>> {
    let sql = Sql::new("select ")
        .text(&columns::<G::Member>())
        .text(" from ")
        .text(G::Member::TABLE)
        .with(" t where t.user_id = ", user)
        .text(&format!(" and t.{}", G::COLUMN))
        .with(" = ", group);
    member::<G>(w.rows(sql).await?.first())
}

fn member<G: Group>(row: Option<&PgRow>) -> Result<Option<G::Member>> {
    Ok(row.map(|row| G::Member::from_row(row, 0)).transpose()?)
}

/// Sets the role of this user, creating the membership if there is none. Returns the membership and whether it changed.
pub(crate) async fn give<G: Group>(w: &mut Write, user: Id<User>, group: Id<G>, role: G::Role) -> Result<(G::Member, bool)> {
    let sql = match find(w, user, group).await? {
        Some(member) if G::role(&member) == role => return Ok((member, false)),
        Some(member) => {
            if G::role(&member).is_admin() {
                ensure_other_admin(w, user, group).await?;
            }
            Sql::new("update ")
                .text(G::Member::TABLE)
                .text(&format!(" t set {}", G::ROLE))
                .with(" = ", role)
                .with(" where t.id = ", member.key())
        }
        None => Sql::new("insert into ")
            .text(G::Member::TABLE)
            .text(&format!(" as t (id, timestamp, user_id, {}, {}) values (", G::COLUMN, G::ROLE))
            .value(Id::<G::Member>::random())
            .with(", now(), ", user)
            .with(", ", group)
            .with(", ", role)
            .text(")"),
    };
    let rows = w.rows(sql.text(" returning ").text(&columns::<G::Member>())).await?;
    let member = member::<G>(rows.first())?.ok_or_else(|| Error::no_such(G::Member::NAME).field("userId"))?;
    Ok((member, true))
}

/// Like the above, but keeps the present role when it is higher.
pub(crate) async fn raise<G: Group>(w: &mut Write, user: Id<User>, group: Id<G>, role: G::Role) -> Result<G::Member> {
    match find(w, user, group).await? {
        Some(member) if G::role(&member) >= role => Ok(member),
        _ => Ok(give(w, user, group, role).await?.0),
    }
}

/// Ends the membership of this user. Returns it as it was, or `None` when the user is not a member.
pub(crate) async fn take<G: Group>(w: &mut Write, user: Id<User>, group: Id<G>) -> Result<Option<G::Member>> {
    let Some(member) = find(w, user, group).await? else { return Ok(None) };
    if G::role(&member).is_admin() {
        ensure_other_admin(w, user, group).await?;
    }
    w.rows(Sql::new("delete from ").text(G::Member::TABLE).with(" where id = ", member.key())).await?;
    Ok(Some(member))
}

/// Refuses to remove the last admin, unless the viewer is a superuser.
async fn ensure_other_admin<G: Group>(w: &mut Write, user: Id<User>, group: Id<G>) -> Result<()> {
    if w.viewer().is_superuser() || has_other_admin(w, user, group).await? { Ok(()) } else { Err(orphaned()) }
}

/// Locks the env or team. Returns whether it has an active admin other than this user, or this user is a person who is not
/// an admin anyway.
async fn has_other_admin<G: Group>(w: &mut Write, user: Id<User>, group: Id<G>) -> Result<bool> {
    let (table, members, column, admin) = (G::TABLE, G::Member::TABLE, G::COLUMN, G::ADMIN);
    w.rows(Sql::new(&format!("select 1 from {table} where id = ")).value(group).text(" for no key update")).await?;
    let admins = format!("select 1 from {members} m join \"user\" u on u.id = m.user_id where m.{column} = ");
    let sql = Sql::new("select not exists (")
        .with(&admins, group)
        .with(&format!(" and {admin} and u.is_active and not {MACHINE} and m.user_id = "), user)
        .with(&format!(") or exists ({admins}"), group)
        .with(&format!(" and {admin} and u.is_active and not {MACHINE} and m.user_id <> "), user)
        .text(")");
    w.holds(sql).await
}

fn orphaned() -> Error {
    Error::conflict("This would leave an env or a team without an active admin; make somebody else an admin there first.").field("userId")
}
