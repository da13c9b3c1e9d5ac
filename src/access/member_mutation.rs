//! Setting and ending memberships, shared by envs and teams.
//!
//! Always holds: only admins set or end memberships, but a member may always leave. A pending request for the same pair is
//! decided in the same transaction. Not here: the GraphQL mutations (`env_member_mutation.rs`, `team_member_mutation.rs`).

use crate::access::group::Group;
use crate::access::{User, membership, pending};
use crate::core::audit::About;
use crate::core::entity::Entity as _;
use crate::core::error::{Error, Result};
use crate::core::id::Id;
use crate::core::proof::{Administered, Held, Proof, RightBasis, unchanged_since};
use crate::core::scalars::Time;
use crate::core::sql::Sql;
use crate::core::verb::Verb;
use crate::core::write::{Mutation, Write};

/// Makes a user a member, or changes a member's role.
#[derive(Clone)]
pub(crate) struct SetMember<G: Group> {
    pub group: Id<G>,
    pub user: Id<User>,
    pub role: G::Role,
    pub updated_at: Option<Time>,
}

/// Ends a membership.
#[derive(Clone)]
pub(crate) struct RemoveMember<G: Group> {
    pub group: Id<G>,
    pub user: Id<User>,
}

/// The right to end a membership: as an admin, or as the member concerned.
pub(crate) struct MayEndMembership<G> {
    group: G,
    stake: RightBasis,
}

impl<G: Group> Proof for MayEndMembership<G> {
    fn stake(&self) -> RightBasis {
        self.stake.clone()
    }
}

impl<G: Group> Mutation for SetMember<G> {
    type Proof = Held<G, Administered>;
    type Answer = G::Member;
    // Lowering a role needs no licence.
    const LICENSED: bool = false;

    async fn authorize(&self, w: &mut Write) -> Result<Self::Proof> {
        membership::administer(w, self.user, self.group).await
    }

    async fn apply(self, w: &mut Write, group: Self::Proof) -> Result<G::Member> {
        let present = membership::find(w, self.user, self.group).await?;
        if present.as_ref().is_none_or(|member| G::role(member) <= self.role) {
            w.licensed().await?;
        }
        membership::hold_person(w, self.user).await?;
        if self.updated_at.is_some() {
            match present {
                Some(member) => unchanged_since(&member, self.updated_at)?,
                None => return Err(Error::conflict("They are no member any more; read it again and decide anew.").field("updatedAt")),
            }
        }
        let (member, changed) = membership::give(w, self.user, self.group, self.role).await?;
        if changed {
            record(w, Verb::Grant, &member, self.user, &*group).await?;
            pending::settle(w, self.user, &*group, Some(self.role)).await?;
        }
        Ok(member)
    }
}

impl<G: Group> Mutation for RemoveMember<G> {
    type Proof = MayEndMembership<G>;
    type Answer = G::Member;
    const LICENSED: bool = false;

    async fn authorize(&self, w: &mut Write) -> Result<MayEndMembership<G>> {
        if w.viewer().user_id() != Some(self.user.uuid()) {
            let held = membership::administer(w, self.user, self.group).await?;
            return Ok(MayEndMembership { stake: held.stake(), group: held.into_row() });
        }
        membership::lock(w, self.user, self.group).await?;
        // A caller never waits for the lock of a row that they cannot see.
        let group = if w.sees(self.group).await? { membership::hold(w, self.group, Sql::new("true")).await? } else { None };
        let (group, _) = group.ok_or_else(|| Error::no_such(G::NAME).field(G::FIELD))?;
        Ok(MayEndMembership { group, stake: RightBasis::CurrentUser })
    }

    async fn apply(self, w: &mut Write, MayEndMembership { group, .. }: MayEndMembership<G>) -> Result<G::Member> {
        let none = || Error::no_such(G::Member::NAME).field("userId");
        if membership::find(w, self.user, self.group).await?.is_none() {
            return Err(none());
        }
        membership::refuse_machine(w, self.user, "userId").await?;
        let member = membership::take(w, self.user, self.group).await?.ok_or_else(none)?;
        record(w, Verb::Revoke, &member, self.user, &group).await?;
        pending::settle(w, self.user, &group, None).await?;
        Ok(member)
    }
}

async fn record<G: Group>(w: &mut Write, verb: Verb, member: &G::Member, user: Id<User>, group: &G) -> Result<()> {
    let id: Id<G::Member> = member.key().into();
    let fields: &[&str] = if verb == Verb::Grant { &[G::ROLE] } else { &[] };
    w.record(verb, About::row(id).name(group.name()).owner(group.owner()).fields(fields).target(user.uuid())).await
}
