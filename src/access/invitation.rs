//! Invitations to addresses that belong to no user, or to a user that the author does not see. Admins of the env or team
//! cannot tell these two cases apart.
//!
//! Always holds: an invitation does not reveal whether its address belongs to a user, until that user decides. That user
//! sees a request with the same id, which the others do not see (`request.rs`); the database creates it (migration 0040).
//! Not here: inviting (`request_mutation.rs`), deciding (`decision.rs`).

use std::collections::HashMap;

use async_graphql::{ComplexObject, Context, ID, InputObject, Object, SimpleObject};
use sqlx::Row as _;
use sqlx::postgres::PgRow;
use uuid::Uuid;

use crate::access::group::{Ask, Group};
use crate::access::{Env, EnvRequest, EnvRole, Team, TeamRequest, User};
use crate::core::audit::About;
use crate::core::entity::{Entity as _, by_id};
use crate::core::error::{Error, Result};
use crate::core::id::Id;
use crate::core::proof::{Administered, Held, Proof, RightBasis};
use crate::core::read::Read;
use crate::core::rows::Rows;
use crate::core::scalars::Time;
use crate::core::scope;
use crate::core::sql::Sql;
use crate::core::verb::Verb;
use crate::core::viewer::Right;
use crate::core::write::{Mutation, Write, write};

/// How long an invitation stays valid for an address without a user. The database's triggers use the same interval.
pub(crate) const WAITS: &str = "interval '30 days'";

/// The columns of [`Invitation::read`].
fn columns() -> String {
    format!("t.id, t.email, t.role, t.admin, t.from_user_id, t.created_at, t.created_at + {WAITS}")
}

/// The mutation of invitations.
#[derive(Default)]
pub struct InvitationMutation;

/// An invitation to an address, whether or not a user has it. The user with the address, and nobody else, sees it as a
/// request. It disappears from this list once that user has decided.
#[derive(SimpleObject, Clone)]
#[graphql(complex)]
pub struct Invitation {
    /// The address, trimmed and in lower case.
    email: String,
    /// The role in the env that acceptance gives; null for a team.
    role: Option<EnvRole>,
    /// Whether acceptance makes an admin of the team; null for an env.
    admin: Option<bool>,
    /// When it was written.
    created_at: Time,
    /// When the invitation expires, 30 days after it was written. Until then a new user with the address is invited.
    expires_at: Time,
    #[graphql(skip)]
    id: Id<Invitation>,
    #[graphql(skip)]
    from_user_id: Id<User>,
}

#[ComplexObject]
impl Invitation {
    /// The id, by which it is cancelled.
    async fn id(&self) -> ID {
        self.id.uuid().into()
    }

    /// The id of its author.
    async fn from_user_id(&self) -> ID {
        self.from_user_id.uuid().into()
    }

    /// Its author; null for viewers who do not see that user.
    #[expect(clippy::wrong_self_convention, reason = "the name of the field")]
    async fn from_user(&self, ctx: &Context<'_>) -> Result<Option<User>> {
        by_id::<User>(ctx, self.from_user_id.uuid()).await
    }
}

impl Invitation {
    fn read(row: &PgRow, first: usize) -> Result<Self> {
        Ok(Self {
            id: row.try_get(first)?,
            email: row.try_get(first + 1)?,
            role: row.try_get(first + 2)?,
            admin: row.try_get(first + 3)?,
            from_user_id: row.try_get(first + 4)?,
            created_at: row.try_get(first + 5)?,
            expires_at: row.try_get(first + 6)?,
        })
    }
}

/// Returns the newest 200 invitations to an env or a team, for viewers who see its requests.
///
/// # Errors
/// When a database query fails.
pub(crate) async fn of_group<G: Group>(group: &G, ctx: &Context<'_>) -> Result<Rows<Invitation>> {
    let read = Read::of(ctx)?;
    let found: Option<Vec<Invitation>> = read
        .batch(G::FIELD, group.key(), move |read, ids: Vec<Uuid>| async move {
            let mut sql = Sql::new("select g.id, ")
                .text(&columns())
                .with(" from unnest(", ids)
                .text(&format!(") g(id) cross join lateral (select * from pumphouse.invitation t where t.{} = g.id and ", G::COLUMN));
            scope::predicate(&mut sql, read.viewer(), &G::OFFICERS, Right::See, "t");
            sql.push(" order by t.created_at desc, t.id desc limit 200) t order by t.created_at desc, t.id desc");
            let mut found: HashMap<Uuid, Vec<Invitation>> = HashMap::new();
            for row in read.db().rows(sql).await? {
                found.entry(row.try_get(0)?).or_default().push(Invitation::read(&row, 1)?);
            }
            Ok(found)
        })
        .await?;
    Ok(Rows(found.unwrap_or_default()))
}

/// Which invitation to cancel.
#[derive(InputObject, Clone)]
pub struct CancelInvitationInput {
    /// The invitation; you administer its env or team.
    pub invitation_id: Id<Invitation>,
}

/// The cancelled invitation.
#[derive(SimpleObject)]
pub struct CancelInvitationPayload {
    /// The invitation as it was.
    pub invitation: Invitation,
}

#[Object]
impl InvitationMutation {
    /// Cancels an invitation to an address, as an admin of its env or team. `NOT_FOUND` also once the user with the address
    /// has decided it.
    async fn cancel_invitation(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "Which invitation to cancel.")] input: CancelInvitationInput,
    ) -> Result<CancelInvitationPayload> {
        Ok(CancelInvitationPayload { invitation: write(ctx, input).await? })
    }
}

/// The right to cancel an invitation: its env or team, administered and locked.
pub enum Cancelling {
    /// Of an env.
    Env(Held<Env, Administered>),
    /// Of a team.
    Team(Held<Team, Administered>),
}

impl Proof for Cancelling {
    fn stake(&self) -> RightBasis {
        match self {
            Self::Env(env) => env.stake(),
            Self::Team(team) => team.stake(),
        }
    }
}

impl Mutation for CancelInvitationInput {
    type Proof = Cancelling;
    type Answer = Invitation;
    const LICENSED: bool = false;

    async fn authorize(&self, w: &mut Write) -> Result<Cancelling> {
        let viewer = w.viewer().clone();
        let mut sql = Sql::new("select t.env_id, t.team_id from pumphouse.invitation t where t.id = ")
            .value(self.invitation_id)
            .text(" and case when t.env_id is null then ");
        scope::predicate(&mut sql, &viewer, &Team::OFFICERS, Right::See, "t");
        sql.push(" else ");
        scope::predicate(&mut sql, &viewer, &Env::OFFICERS, Right::See, "t");
        let rows = w.rows(sql.text(" end")).await?;
        let row = rows.first().ok_or_else(no_such_invitation)?;
        match row.try_get::<Option<Id<Env>>, _>(0)? {
            Some(env) => Ok(Cancelling::Env(w.administer(env, "invitationId").await?)),
            None => Ok(Cancelling::Team(w.administer(row.try_get(1)?, "invitationId").await?)),
        }
    }

    async fn apply(self, w: &mut Write, right: Cancelling) -> Result<Invitation> {
        match right {
            Cancelling::Env(env) => cancel(w, &*env, self.invitation_id).await,
            Cancelling::Team(team) => cancel(w, &*team, self.invitation_id).await,
        }
    }
}

async fn cancel<G: Group>(w: &mut Write, group: &G, id: Id<Invitation>) -> Result<Invitation> {
    let sql = Sql::new("delete from pumphouse.invitation t where t.id = ").value(id).text(" returning ").text(&columns());
    let rows = w.rows(sql).await?;
    let invitation = Invitation::read(rows.first().ok_or_else(no_such_invitation)?, 0)?;
    // A remaining request would reveal that a user has the address.
    let sql = Sql::new("delete from ").text(G::Request::TABLE).with(" where status = 'PENDING' and id = ", id);
    w.rows(sql).await?;
    let request: Id<G::Request> = id.uuid().into();
    w.record(Verb::Cancel, About::row(request).owner(group.owner()).fields(&["status"])).await?;
    Ok(invitation)
}

/// Deletes the invitation that a decided request came from, whatever its address, and others of its target to this env or team.
pub(crate) async fn settle<G: Group>(w: &mut Write, ask: &Ask<G>) -> Result<()> {
    let sql = Sql::new("delete from pumphouse.invitation i where (i.id = ")
        .value(ask.id)
        .with(" or i.email = (select u.email from \"user\" u where u.id = ", ask.to)
        .with(&format!(")) and i.{} = ", G::COLUMN), ask.group);
    w.rows(sql).await?;
    Ok(())
}

/// Deletes the invitations that were delivered to a user who is about to be deleted: the next owner of the address is somebody else.
pub(crate) async fn remove_of(w: &mut Write, user: Id<User>) -> Result<()> {
    for table in [EnvRequest::TABLE, TeamRequest::TABLE] {
        let sql = Sql::new("delete from pumphouse.invitation i using ").text(table).with(" r where r.id = i.id and r.to_user_id = ", user);
        w.rows(sql).await?;
    }
    Ok(())
}

fn no_such_invitation() -> Error {
    Error::not_found("invitation").field("invitationId")
}
