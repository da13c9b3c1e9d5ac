//! Rights as values: what a mutation must hold before it may change anything.
//!
//! Always holds: a proof is made by asking in the mutation's own transaction, and a row that it is a right
//! on stays locked until the transaction ends. What the viewer does not see is `NOT_FOUND`, what they see
//! and may not do is `FORBIDDEN`, asked in that order (domain.md section 1).

use std::marker::PhantomData;
use std::ops::Deref;

use serde::{Deserialize, Serialize};
use sqlx::{PgConnection, Row as _};
use uuid::Uuid;

use crate::core::db::rows_on;
use crate::core::entity::{Entity, from_visible, select_list};
use crate::core::error::{Error, Result};
use crate::core::id::Id;
use crate::core::refusals::in_words;
use crate::core::scalars::Time;
use crate::core::scope;
use crate::core::sql::{Bind, Sql};
use crate::core::viewer::{Owner, Right, Rights, Viewer};
use crate::core::write::Write;

/// A right that was proven.
pub trait Proof: Send {
    /// What the right hangs on, for a later replay of the answer.
    fn stake(&self) -> RightBasis;
}

/// What a right hangs on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RightBasis {
    /// Being a superuser.
    Superuser,
    /// Being oneself, which a valid token shows.
    CurrentUser,
    /// Belonging to this env in a role that may write there.
    EnvMember(Uuid),
    /// Having been invited by somebody who may still invite.
    Invited {
        /// Who invited.
        author: Uuid,
        /// The table of envs or teams.
        table: &'static str,
        /// The env or team.
        group: Uuid,
    },
    /// Being able to change something anywhere: a member of any team, an admin of any env.
    AnyTeam,
    /// A right on the owners of this row.
    Row {
        /// Its table.
        table: &'static str,
        /// Its id.
        id: Uuid,
        /// The right.
        right: Right,
        /// Whether every one of the owners has to give it.
        every: bool,
    },
}

impl RightBasis {
    /// A right on the owners of this row.
    pub fn on<E: Entity>(id: Uuid, right: Right) -> Self {
        Self::Row { table: E::TABLE, id, right, every: E::SCOPE.asks_every_owner() }
    }
}

/// Who must still grant the right when a kept answer is given again: the owners of the row at the time, even if the row is gone by
/// now.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Standing {
    Superuser,
    CurrentUser,
    EnvMember(Uuid),
    AnyTeam,
    /// What gave it is gone.
    Nobody,
    Owners(Right, Vec<Owner>),
    EveryOwner(Right, Vec<Owner>),
}

/// What somebody has to hold still to be given an answer again: the right that it took, and all that they could do when
/// what it selects was read.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Replay {
    standing: Standing,
    rights: Rights,
    /// The row that the right was on, which may have other owners now.
    row: Option<(String, Uuid)>,
}

impl Replay {
    pub(crate) fn new(stake: &RightBasis, standing: Standing, rights: Rights) -> Self {
        let row = match stake {
            RightBasis::Row { table, id, .. } => Some(((*table).to_owned(), *id)),
            _ => None,
        };
        Self { standing, rights, row }
    }

    /// Whether the viewer may have the answer again.
    ///
    /// # Errors
    /// When the database cannot be asked.
    pub(crate) async fn is_open_to(&self, connection: &mut PgConnection, viewer: &Viewer) -> Result<bool> {
        if !self.standing.is_held_by(viewer) || !viewer.rights().cover(&self.rights) {
            return Ok(false);
        }
        let Some((table, id)) = &self.row else { return Ok(true) };
        let today = owners_of(connection, table, *id).await?;
        // A row that is gone has no owners; whose it was then counts.
        Ok(today.is_empty() || self.standing.of_owners(today).is_held_by(viewer))
    }
}

impl Standing {
    /// Reads the owners of a stake.
    ///
    /// # Errors
    /// When the database cannot be asked.
    pub(crate) async fn of(connection: &mut PgConnection, stake: RightBasis) -> Result<Self> {
        let (table, id, right, every) = match stake {
            RightBasis::Superuser => return Ok(Self::Superuser),
            RightBasis::CurrentUser => return Ok(Self::CurrentUser),
            RightBasis::EnvMember(env) => return Ok(Self::EnvMember(env)),
            RightBasis::Invited { author, table, group } => {
                return Ok(if may_invite(connection, author, table, group).await? { Self::CurrentUser } else { Self::Nobody });
            }
            RightBasis::AnyTeam => return Ok(Self::AnyTeam),
            RightBasis::Row { table, id, right, every } => (table, id, right, every),
        };
        let owners = owners_of(connection, table, id).await?;
        Ok(if every { Self::EveryOwner(right, owners) } else { Self::Owners(right, owners) })
    }

    /// The same right, given by these.
    fn of_owners(&self, owners: Vec<Owner>) -> Self {
        match self {
            Self::Owners(right, _) => Self::Owners(*right, owners),
            Self::EveryOwner(right, _) => Self::EveryOwner(*right, owners),
            other => other.clone(),
        }
    }

    /// Whether the viewer still stands where the right was proven.
    pub(crate) fn is_held_by(&self, viewer: &Viewer) -> bool {
        match self {
            Self::Superuser => viewer.is_superuser(),
            Self::CurrentUser => true,
            Self::Nobody => false,
            Self::EnvMember(env) => viewer.may_write_in(*env),
            Self::AnyTeam => viewer.may_change_something(),
            Self::Owners(right, owners) => viewer.holds(*right, owners),
            Self::EveryOwner(right, owners) => owners.iter().all(|owner| viewer.holds(*right, &[*owner])),
        }
    }
}

/// Whether a user is active and administers this env or team.
///
/// # Errors
/// When the database cannot be asked.
pub(crate) async fn may_invite(connection: &mut PgConnection, user: Uuid, table: &str, group: Uuid) -> Result<bool> {
    let Some(rights) = Rights::of_user(connection, user).await? else { return Ok(false) };
    Ok(rights.hold(Right::Administer, &owners_of(connection, table, group).await?))
}

/// Who owns the row of a table that a right can hang on; nobody when there is none.
///
/// # Errors
/// When the database cannot be asked.
pub(crate) async fn owners_of(connection: &mut PgConnection, table: &str, id: Uuid) -> Result<Vec<Owner>> {
    let sql = Sql::new("select unnest(pumphouse.owners_of(").value(table.to_owned()).with(", ", id).text("))");
    let rows = rows_on(connection, sql).await?;
    rows.iter().map(|row| serde_json::from_str(row.try_get(0)?).map_err(Error::internal)).collect()
}

/// The viewer is a superuser.
#[derive(Debug)]
pub struct Superuser(());

/// The viewer is a user, whose own things they may change.
#[derive(Debug)]
pub struct CurrentUser {
    /// Their id.
    pub id: Uuid,
}

/// A row that the viewer has a right on, locked until the transaction ends.
#[derive(Debug)]
pub struct Held<E, R> {
    row: E,
    right: PhantomData<R>,
}

/// May be changed, as members of its team do; nobody else changes it meanwhile.
#[derive(Debug)]
pub struct Changeable(());
/// May be administered; nobody else changes it meanwhile.
#[derive(Debug)]
pub struct Administered(());
/// Stays where it is: something below it is made or changed.
#[derive(Debug)]
pub struct Parent(());

/// Rights whose rows are locked against other writers.
pub trait Exclusive: Send {}
impl Exclusive for Changeable {}
impl Exclusive for Administered {}

impl Proof for Superuser {
    fn stake(&self) -> RightBasis {
        RightBasis::Superuser
    }
}

impl Proof for CurrentUser {
    fn stake(&self) -> RightBasis {
        RightBasis::CurrentUser
    }
}

impl<E: Entity> Proof for Held<E, Changeable> {
    fn stake(&self) -> RightBasis {
        RightBasis::on::<E>(self.key(), Right::Change)
    }
}

impl<E: Entity> Proof for Held<E, Administered> {
    fn stake(&self) -> RightBasis {
        RightBasis::on::<E>(self.key(), Right::Administer)
    }
}

impl<E: Entity> Proof for Held<E, Parent> {
    fn stake(&self) -> RightBasis {
        RightBasis::on::<E>(self.key(), Right::Change)
    }
}

impl<E, R> Deref for Held<E, R> {
    type Target = E;

    fn deref(&self) -> &E {
        &self.row
    }
}

impl<E, R> Held<E, R> {
    /// The row as it was when it was locked.
    pub fn into_row(self) -> E {
        self.row
    }
}

impl<E: Entity, R> Held<E, R> {
    /// Refuses when the row has changed since the caller read it.
    ///
    /// # Errors
    /// `CONFLICT` with the present time of change.
    pub fn unchanged_since(&self, updated_at: Option<Time>) -> Result<()> {
        unchanged_since(&self.row, updated_at)
    }

    /// Refuses when the row has another version than the caller read.
    ///
    /// # Errors
    /// `CONFLICT` with the present version.
    pub fn at_version(&self, expected: Option<i32>) -> Result<()> {
        at_version(&self.row, expected)
    }
}

/// The check of [`Held::at_version`] for a row that is locked by other means.
///
/// # Errors
/// `CONFLICT` with the present version.
pub(crate) fn at_version<E: Entity>(row: &E, expected: Option<i32>) -> Result<()> {
    expect(row, "version", expected.map(Bind::Int))
}

/// The check of [`Held::unchanged_since`] for a row that is locked by other means.
///
/// # Errors
/// `CONFLICT` with the present time of change.
pub(crate) fn unchanged_since<E: Entity>(row: &E, updated_at: Option<Time>) -> Result<()> {
    expect(row, "updatedAt", updated_at.map(|time| Bind::Time(time.0)))
}

fn expect<E: Entity>(row: &E, name: &'static str, expected: Option<Bind>) -> Result<()> {
    let Some(expected) = expected else { return Ok(()) };
    let Some(column) = E::COLUMNS.iter().find(|column| column.name == name) else {
        return Err(Error::invariant(format!("{} has no {name}", E::NAME)));
    };
    if (column.bind)(row) == expected {
        return Ok(());
    }
    let field = if name == "version" { "expectedVersion" } else { name };
    let present = (column.value)(row).into_json().unwrap_or_default();
    Err(Error::conflict("It was changed meanwhile; read it again and decide anew.")
        .field(field)
        .details(serde_json::json!({ name: present })))
}

impl Write {
    /// The viewer as a superuser.
    ///
    /// # Errors
    /// `FORBIDDEN` when they are not.
    pub fn superuser(&self) -> Result<Superuser> {
        if self.viewer().is_superuser() { Ok(Superuser(())) } else { Err(Error::only_superusers()) }
    }

    /// The viewer as a user.
    ///
    /// # Errors
    /// `FORBIDDEN` for a worker's token.
    pub fn oneself(&self) -> Result<CurrentUser> {
        let id = self.viewer().user_id().ok_or_else(Error::no_user)?;
        Ok(CurrentUser { id })
    }

    /// The row with this id if the viewer may change it.
    ///
    /// # Errors
    /// `NOT_FOUND` when they do not see it, `FORBIDDEN` when they see it and may not change it.
    pub async fn change<E: Entity>(&mut self, id: Id<E>, field: &str) -> Result<Held<E, Changeable>> {
        self.hold(id.uuid(), Right::Change, "no key update", field).await
    }

    /// The row with this id if the viewer administers it.
    ///
    /// # Errors
    /// `NOT_FOUND` when they do not see it, `FORBIDDEN` when they see it and do not administer it.
    pub async fn administer<E: Entity>(&mut self, id: Id<E>, field: &str) -> Result<Held<E, Administered>> {
        self.hold(id.uuid(), Right::Administer, "no key update", field).await
    }

    /// The row with this id if the viewer may change it, kept from going away: for what is made below it.
    ///
    /// # Errors
    /// As [`Write::change`].
    pub async fn parent<E: Entity>(&mut self, id: Id<E>, field: &str) -> Result<Held<E, Parent>> {
        self.hold(id.uuid(), Right::Change, "key share", field).await
    }

    /// Whether the viewer sees the row with this id; nothing is locked.
    ///
    /// # Errors
    /// When the database cannot be asked.
    pub(crate) async fn sees<E: Entity>(&mut self, id: Id<E>) -> Result<bool> {
        let mut sql = Sql::new("select 1");
        from_visible::<E>(&mut sql, self.viewer());
        Ok(!self.rows(sql.with(" and t.id = ", id)).await?.is_empty())
    }

    /// Refuses whoever does not administer the row with this id, before anything is waited for. It proves nothing, for nothing
    /// is locked.
    ///
    /// # Errors
    /// As [`Write::administer`].
    pub(crate) async fn refuse_strangers<E: Entity>(&mut self, id: Id<E>, field: &str) -> Result<()> {
        self.find::<E>(id.uuid(), Right::Administer, "", field).await.map(|_row| ())
    }

    async fn hold<E: Entity, R>(&mut self, id: Uuid, right: Right, lock: &str, field: &str) -> Result<Held<E, R>> {
        let row = self.find(id, right, &format!(" for {lock} of t"), field).await?;
        Ok(Held { row, right: PhantomData })
    }

    async fn find<E: Entity>(&mut self, id: Uuid, right: Right, lock: &str, field: &str) -> Result<E> {
        let viewer = self.viewer().clone();
        let mut sql = Sql::new("select ");
        scope::predicate(&mut sql, &viewer, &E::SCOPE, right, "t");
        sql.push(", ");
        select_list::<E>(&mut sql, &viewer);
        from_visible::<E>(&mut sql, &viewer);
        let rows = self.rows(sql.with(" and t.id = ", id).text(lock)).await?;
        let Some(row) = rows.first() else { return Err(Error::no_such(E::NAME).field(field)) };
        if row.try_get::<Option<bool>, _>(0)? != Some(true) {
            let who = match right {
                Right::See | Right::Change => "members of its team and admins of its env",
                Right::Administer => "its admins and those of its env",
            };
            let kind = in_words(E::NAME);
            return Err(Error::forbidden(format!("You see this {kind}, but only {who} may do this to it.")).field(field));
        }
        Ok(E::from_row(row, 1)?)
    }
}
