//! The one write path of memberships, and the rule that somebody must be left to administer.
//!
//! Always holds: whoever changes a membership holds the advisory lock of the pair (user, env or team), then the row of the
//! env or team; so there is one row for a pair, and nobody counts admins while another takes one away. The admins
//! that count are people: an account of a machine cannot be asked. Not here: who may call this.

use serde_json::{Value, json};
use sqlx::Row as _;
use sqlx::postgres::PgRow;

use crate::access::group::{Group, Role as _};
use crate::access::{Env, Team, User};
use crate::core::entity::{Entity as _, columns, from_visible};
use crate::core::error::{Error, Result};
use crate::core::id::Id;
use crate::core::sql::Sql;
use crate::core::write::Write;

/// SQL: the user `u` can sign in, and is no service account.
const PERSON: &str = "u.is_active and not exists (select 1 from service_account_user s where s.user_id = u.id)";
/// The most envs or teams that a refusal lists.
const MOST_LISTED: i32 = 20;

/// Waits until nobody else works on the membership of this user; comes before any row lock.
pub(crate) async fn lock<G: Group>(w: &mut Write, user: Id<User>, group: Id<G>) -> Result<()> {
    w.lock_pair(user.uuid(), group.uuid()).await
}

/// Keeps others from counting the admins of this env or team, and the row from going away. Answers it and what the
/// condition, SQL about `t`, says of it; none when there is no such row.
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

/// Keeps the user from going away; refuses one that the viewer does not see, and service accounts.
pub(crate) async fn hold_person(w: &mut Write, user: Id<User>) -> Result<()> {
    let mut sql = Sql::new("select 1");
    from_visible::<User>(&mut sql, w.viewer());
    if w.rows(sql.with(" and t.id = ", user).text(" for key share of t")).await?.is_empty() {
        return Err(Error::not_found(User::NAME).field("userId"));
    }
    refuse_machine(w, user, "userId").await
}

/// Refuses service accounts, whose memberships are derived from their grants.
pub(crate) async fn refuse_machine(w: &mut Write, user: Id<User>, field: &str) -> Result<()> {
    let sql = Sql::new("select exists (select 1 from service_account_user where user_id = ").with("", user).text(")");
    if w.holds(sql).await? {
        let message = "The memberships of a service account come from its grants; change them with setServiceAccountGrants.";
        return Err(Error::conflict(message).field(field));
    }
    Ok(())
}

/// The membership of this user.
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

/// Sets the role of this user, making them a member if they are none; answers the membership, and whether it changed.
pub(crate) async fn give<G: Group>(w: &mut Write, user: Id<User>, group: Id<G>, role: G::Role) -> Result<(G::Member, bool)> {
    let sql = match find(w, user, group).await? {
        Some(member) if G::role(&member) == role => return Ok((member, false)),
        Some(member) => {
            if G::role(&member).is_admin() {
                ensure_admin_beside(w, user, group).await?;
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
            .with("", Id::<G::Member>::random())
            .with(", now(), ", user)
            .with(", ", group)
            .with(", ", role)
            .text(")"),
    };
    let rows = w.rows(sql.text(" returning ").text(&columns::<G::Member>())).await?;
    let member = member::<G>(rows.first())?.ok_or_else(|| Error::not_found(G::Member::NAME).field("userId"))?;
    Ok((member, true))
}

/// The same for one who keeps the role they have when it is higher.
pub(crate) async fn raise<G: Group>(w: &mut Write, user: Id<User>, group: Id<G>, role: G::Role) -> Result<G::Member> {
    match find(w, user, group).await? {
        Some(member) if G::role(&member) >= role => Ok(member),
        _ => Ok(give(w, user, group, role).await?.0),
    }
}

/// Ends the membership of this user; answers it as it was, none when they are no member.
pub(crate) async fn take<G: Group>(w: &mut Write, user: Id<User>, group: Id<G>) -> Result<Option<G::Member>> {
    let Some(member) = find(w, user, group).await? else { return Ok(None) };
    if G::role(&member).is_admin() {
        ensure_admin_beside(w, user, group).await?;
    }
    w.rows(Sql::new("delete from ").text(G::Member::TABLE).with(" where id = ", member.key())).await?;
    Ok(Some(member))
}

/// Superusers aside, nobody takes the last admin away.
async fn ensure_admin_beside<G: Group>(w: &mut Write, user: Id<User>, group: Id<G>) -> Result<()> {
    if w.viewer().is_superuser() || orphans(w, user, Some(group)).await?.is_empty() { Ok(()) } else { Err(orphaned()) }
}

/// Refuses what would leave an env or a team without an active admin when this user went: their deletion or
/// deactivation by anybody but a superuser. Locks the envs, then the teams, that they administer, and so comes before the user is locked.
///
/// # Errors
/// `CONFLICT` on `userId`, with the envs and teams in `details`.
pub async fn ensure_not_last_admin(w: &mut Write, user: Id<User>) -> Result<()> {
    if w.viewer().is_superuser() {
        return Ok(());
    }
    let envs = orphans::<Env>(w, user, None).await?;
    let teams = orphans::<Team>(w, user, None).await?;
    if envs.is_empty() && teams.is_empty() {
        return Ok(());
    }
    Err(orphaned().details(json!({"envs": envs, "teams": teams})))
}

/// Refuses what would leave no active superuser when this user went or was one no more. Locks all of them, in the
/// order of their ids, and so comes before the user is locked.
///
/// # Errors
/// `CONFLICT` on `userId`.
pub async fn ensure_not_last_superuser(w: &mut Write, user: Id<User>) -> Result<()> {
    let rows = w.rows(Sql::new("select id from \"user\" where is_superuser and is_active order by id for no key update")).await?;
    let superusers = rows.iter().map(|row| row.try_get(0)).collect::<sqlx::Result<Vec<Id<User>>>>()?;
    if superusers == [user] {
        return Err(Error::conflict("This is the last active superuser; make another one first.").field("userId"));
    }
    Ok(())
}

/// Locks the envs or teams, one or all, that this user administers; answers those that have no other active admin.
async fn orphans<G: Group>(w: &mut Write, user: Id<User>, only: Option<Id<G>>) -> Result<Vec<Value>> {
    let (table, members, column, admin) = (G::TABLE, G::Member::TABLE, G::COLUMN, G::ADMIN);
    let administered = |sql: Sql| {
        let sql = sql
            .text(&format!(" from {table} g where exists (select 1 from {members} m join \"user\" u on u.id = m.user_id where m.{column} = g.id and {admin} and {PERSON}"))
            .with(" and m.user_id = ", user)
            .text(")");
        match only {
            Some(group) => sql.with(" and g.id = ", group),
            None => sql,
        }
    };
    w.rows(administered(Sql::new("select g.id")).text(" order by g.id for no key update of g")).await?;
    let sql = administered(Sql::new("select g.id, g.name"))
        .text(&format!(" and not exists (select 1 from {members} m join \"user\" u on u.id = m.user_id where m.{column} = g.id and {admin} and {PERSON}"))
        .with(" and m.user_id <> ", user)
        .with(") order by g.id limit ", MOST_LISTED);
    let rows = w.rows(sql).await?;
    rows.iter()
        .map(|row| Ok(json!({"id": row.try_get::<Id<G>, _>(0)?.to_string(), "name": row.try_get::<Option<String>, _>(1)?})))
        .collect()
}

fn orphaned() -> Error {
    Error::conflict("This would leave an env or a team without an active admin; make somebody else an admin there first.").field("userId")
}
