//! Accepting, declining and cancelling requests and invitations, shared by envs and teams.
//!
//! Always holds: an admin of the env or team decides a request to join; the target decides an invitation; superusers may
//! decide both. Each is decided once. Acceptance writes the membership in the same transaction. The author of an invitation
//! must still be an admin when it is accepted, so a revoked right is not passed on. Not here: the GraphQL mutations.

use sqlx::Row as _;

use crate::access::group::{Ask, Group};
use crate::access::{RequestStatus, User, membership, pending};
use crate::core::entity::{Entity as _, columns, from_visible};
use crate::core::error::{Error, Result};
use crate::core::id::Id;
use crate::core::proof::{Proof, RightBasis, may_invite};
use crate::core::scope;
use crate::core::sql::Sql;
use crate::core::viewer::Right;
use crate::core::write::{Mutation, Write};

/// Accepts the request: makes the target a member.
#[derive(Clone)]
pub(crate) struct Accept<G: Group>(pub Id<G::Request>);
/// Declines the request.
#[derive(Clone)]
pub(crate) struct Decline<G: Group>(pub Id<G::Request>);
/// Cancels the request.
#[derive(Clone)]
pub(crate) struct Cancel<G: Group>(pub Id<G::Request>);

/// The right to end a request.
pub(crate) struct MayEndRequest<G: Group> {
    ask: Ask<G>,
    group: G,
    stake: RightBasis,
}

impl<G: Group> Proof for MayEndRequest<G> {
    fn stake(&self) -> RightBasis {
        self.stake.clone()
    }
}

impl<G: Group> Mutation for Accept<G> {
    type Proof = MayEndRequest<G>;
    type Answer = (G::Request, G::Member);

    async fn authorize(&self, w: &mut Write) -> Result<MayEndRequest<G>> {
        let MayEndRequest::<G> { ask, group, stake } = may_decide(w, self.0).await?;
        let (author, invited) = (ask.from.uuid(), ask.is_invitation() && stake == RightBasis::CurrentUser);
        let by_author = || RightBasis::Invited { author, table: G::TABLE, group: group.key() };
        Ok(MayEndRequest { stake: if invited { by_author() } else { stake }, ask, group })
    }

    async fn apply(self, w: &mut Write, MayEndRequest { ask, group, .. }: MayEndRequest<G>) -> Result<Self::Answer> {
        let request = pending::close(w, &ask, &group, RequestStatus::Accepted).await?;
        ensure_active(w, ask.to).await?;
        membership::refuse_machine(w, ask.to, "requestId").await?;
        if ask.is_invitation() {
            ensure_author_administers(w, &ask).await?;
        }
        let member = membership::raise(w, ask.to, ask.group, ask.role).await?;
        Ok((request, member))
    }
}

impl<G: Group> Mutation for Decline<G> {
    type Proof = MayEndRequest<G>;
    type Answer = G::Request;
    const LICENSED: bool = false;

    async fn authorize(&self, w: &mut Write) -> Result<MayEndRequest<G>> {
        may_decide(w, self.0).await
    }

    async fn apply(self, w: &mut Write, MayEndRequest { ask, group, .. }: MayEndRequest<G>) -> Result<G::Request> {
        pending::close(w, &ask, &group, RequestStatus::Declined).await
    }
}

impl<G: Group> Mutation for Cancel<G> {
    type Proof = MayEndRequest<G>;
    type Answer = G::Request;
    const LICENSED: bool = false;

    async fn authorize(&self, w: &mut Write) -> Result<MayEndRequest<G>> {
        let (ask, group, administers) = lock_request(w, self.0).await?;
        if w.viewer().user_id() == Some(ask.from.uuid()) {
            return Ok(MayEndRequest { ask, group, stake: RightBasis::CurrentUser });
        }
        administrator(ask, group, administers)
    }

    async fn apply(self, w: &mut Write, MayEndRequest { ask, group, .. }: MayEndRequest<G>) -> Result<G::Request> {
        pending::close(w, &ask, &group, RequestStatus::Cancelled).await
    }
}

async fn may_decide<G: Group>(w: &mut Write, request: Id<G::Request>) -> Result<MayEndRequest<G>> {
    let (ask, group, administers) = lock_request(w, request).await?;
    let viewer = w.viewer();
    if !ask.is_invitation() || viewer.is_superuser() {
        return administrator(ask, group, administers);
    }
    if viewer.user_id() != Some(ask.to.uuid()) {
        return Err(Error::forbidden("Only who is invited decides an invitation.").field("requestId"));
    }
    Ok(MayEndRequest { ask, group, stake: RightBasis::CurrentUser })
}

fn administrator<G: Group>(ask: Ask<G>, group: G, administers: bool) -> Result<MayEndRequest<G>> {
    if !administers {
        return Err(Error::forbidden("You see this request, but only admins of what it is about may decide it.").field("requestId"));
    }
    let stake = RightBasis::on::<G>(group.key(), Right::Administer);
    Ok(MayEndRequest { ask, group, stake })
}

/// Returns the request if the viewer sees it, with its pair and its env or team locked, and whether the viewer administers
/// the latter.
async fn lock_request<G: Group>(w: &mut Write, request: Id<G::Request>) -> Result<(Ask<G>, G, bool)> {
    let none = || Error::no_such(G::Request::NAME).field("requestId");
    let mut sql = Sql::new("select ").text(&columns::<G::Request>());
    from_visible::<G::Request>(&mut sql, w.viewer());
    let rows = w.rows(sql.with(" and t.id = ", request)).await?;
    let row = rows.first().ok_or_else(none)?;
    let ask = G::ask(&G::Request::from_row(row, 0)?);
    membership::lock(w, ask.to, ask.group).await?;
    let mut administers = Sql::default();
    scope::predicate(&mut administers, w.viewer(), &G::SCOPE, Right::Administer, "t");
    let (group, administers) = membership::hold(w, ask.group, administers).await?.ok_or_else(none)?;
    Ok((ask, group, administers))
}

async fn ensure_active(w: &mut Write, user: Id<User>) -> Result<()> {
    let sql = Sql::new("select is_active from \"user\" where id = ").value(user).text(" for key share");
    match w.rows(sql).await?.first().map(|row| row.try_get(0)).transpose()? {
        Some(true) => Ok(()),
        Some(false) => Err(Error::conflict("Who would become a member was deactivated.").field("requestId")),
        None => Err(Error::no_such(User::NAME).field("requestId")),
    }
}

async fn ensure_author_administers<G: Group>(w: &mut Write, ask: &Ask<G>) -> Result<()> {
    if may_invite(w.connection(), ask.from.uuid(), G::TABLE, ask.group.uuid()).await? {
        return Ok(());
    }
    Err(Error::conflict("Whoever invited you may not invite any more; ask for a new invitation.").field("requestId"))
}
