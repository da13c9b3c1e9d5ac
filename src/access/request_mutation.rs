//! Requesting to join, and inviting, shared by envs and teams.
//!
//! Always holds: at most one request is pending for a user and an env or a team, whoever wrote it; of a request and an
//! invitation that cross, the second is refused. The answer to an invitation does not depend on whether a user has the
//! address. Not here: deciding (`decision.rs`), the GraphQL mutations.

use serde_json::json;
use sqlx::Row as _;

use crate::access::group::Group;
use crate::access::invitation::WAITS;
use crate::access::pending::{self, New};
use crate::access::service_account::MACHINE;
use crate::access::{User, membership};
use crate::core::audit::About;
use crate::core::email::email;
use crate::core::entity::Entity as _;
use crate::core::error::{Error, Result};
use crate::core::id::Id;
use crate::core::proof::{Administered, CurrentUser, Held, Proof, RightBasis};
use crate::core::scope;
use crate::core::sql::Sql;
use crate::core::verb::Verb;
use crate::core::viewer::Right;
use crate::core::violations::Violations;
use crate::core::write::{Mutation, Write};

/// Requests to become a member.
#[derive(Clone)]
pub(crate) struct Join<G: Group> {
    pub group: Id<G>,
    pub role: G::Role,
}

/// Invites the user with this address.
#[derive(Clone)]
pub(crate) struct Invite<G: Group> {
    pub group: Id<G>,
    pub email: String,
    pub role: G::Role,
}

/// The current user, who may act for themselves, and the existing env or team.
pub(crate) struct Asking<G> {
    oneself: CurrentUser,
    group: G,
}

impl<G: Group> Proof for Asking<G> {
    fn stake(&self) -> RightBasis {
        self.oneself.stake()
    }
}

/// The right to invite, and the invited user, if any.
pub(crate) struct Inviting<G> {
    group: Held<G, Administered>,
    invitee: Option<Invitee>,
}

/// The user with the invited address.
#[derive(Clone, Copy)]
struct Invitee {
    id: Id<User>,
    seen: bool,
    machine: bool,
}

impl<G: Group> Proof for Inviting<G> {
    fn stake(&self) -> RightBasis {
        self.group.stake()
    }
}

impl<G: Group> Mutation for Join<G> {
    type Proof = Asking<G>;
    type Answer = G::Request;

    async fn authorize(&self, w: &mut Write) -> Result<Asking<G>> {
        let oneself = w.oneself()?;
        membership::lock(w, oneself.id.into(), self.group).await?;
        // Knowing the id is enough: users may request to join an env or a team that they cannot see.
        let group = membership::keep(w, self.group).await?.ok_or_else(|| Error::no_such(G::NAME).field(G::FIELD))?;
        Ok(Asking { oneself, group })
    }

    async fn apply(self, w: &mut Write, Asking { oneself, group }: Asking<G>) -> Result<G::Request> {
        let user: Id<User> = oneself.id.into();
        membership::refuse_machine(w, user, G::FIELD).await?;
        pending::refuse_member(w, user, self.group, self.role, G::FIELD).await?;
        if let Some(ask) = pending::find(w, user, self.group).await? {
            let message = if ask.is_invitation() {
                "You are invited already; accept the invitation, or decline it first."
            } else {
                "Your request is pending already; cancel it to ask for something else."
            };
            return Err(Error::conflict(message).field(G::FIELD).details(json!({"requestId": ask.id.to_string()})));
        }
        let id = pending::insert(w, New { group: self.group, role: self.role, from: user, to: user }).await?;
        w.record(Verb::Request, About::row(id).owner(group.owner()).fields(&[G::ROLE]).target(oneself.id)).await?;
        w.reread(id).await
    }
}

impl<G: Group> Mutation for Invite<G> {
    type Proof = Inviting<G>;
    /// The address as stored, and the env or team.
    type Answer = (String, G);

    async fn authorize(&self, w: &mut Write) -> Result<Inviting<G>> {
        // Otherwise the time spent waiting for a lock would reveal whether a user has the address.
        w.refuse_strangers(self.group, G::FIELD).await?;
        let invitee = match email(&self.email) {
            Some(email) => find_invitee(w, email).await?,
            None => None,
        };
        membership::lock(w, invitee.map_or_else(Id::random, |invitee| invitee.id), self.group).await?;
        Ok(Inviting { group: w.administer(self.group, G::FIELD).await?, invitee })
    }

    async fn apply(self, w: &mut Write, Inviting { group, invitee }: Inviting<G>) -> Result<(String, G)> {
        let mut violations = Violations::default();
        let email = violations.email("email", &self.email);
        let from: Id<User> = w.oneself()?.id.into();
        if invitee.is_some_and(|invitee| invitee.id == from) {
            violations.add("email", "This is your own address; ask to join, or set the membership.");
        }
        violations.none()?;
        if let Some(invitee) = invitee.filter(|invitee| invitee.seen) {
            membership::refuse_machine(w, invitee.id, "email").await?;
        }
        // An invisible user must cost the same as no user; the database's triggers deliver the stored invitation to them.
        let known = invitee.filter(|invitee| !invitee.machine);
        let to = known.map_or_else(Id::random, |invitee| invitee.id);
        pending::refuse_member(w, to, self.group, self.role, "email").await?;
        let pending = pending::find(w, to, self.group).await?;
        let id = match invitee.filter(|invitee| invitee.seen) {
            Some(_) if pending.is_some() => None,
            Some(_) => Some(pending::insert(w, New { group: self.group, role: self.role, from, to }).await?),
            // A pending invitation of theirs is stored as an invitation, or has expired.
            None if pending.is_some_and(|ask| !ask.is_invitation()) => None,
            None => remember(w, &self, &email, from).await?,
        };
        let Some(id) = id else {
            return Err(Error::conflict("An invitation or a request of this address is pending already.").field("email"));
        };
        // Named by the address, as in `invitations`, whether or not a user has it.
        let about = About::row(id).name(Some(&email)).owner(group.owner()).fields(&[G::ROLE]);
        let seen = invitee.filter(|invitee| invitee.seen);
        w.record(Verb::Invite, About { target: seen.map(|invitee| invitee.id.uuid()), ..about }).await?;
        Ok((email, group.into_row()))
    }
}

async fn find_invitee(w: &mut Write, email: String) -> Result<Option<Invitee>> {
    let mut sql = Sql::new("select u.id, ");
    scope::predicate(&mut sql, w.viewer(), &User::SCOPE, Right::See, "u");
    let sql = sql.text(&format!(", {MACHINE} from \"user\" u")).with(" where u.email = ", email);
    let rows = w.rows(sql).await?;
    rows.first().map(|row| Ok(Invitee { id: row.try_get(0)?, seen: row.try_get(1)?, machine: row.try_get(2)? })).transpose()
}

/// Stores an invitation for a future user with this address. Returns `None` when a valid one is stored already.
async fn remember<G: Group>(w: &mut Write, invite: &Invite<G>, email: &str, from: Id<User>) -> Result<Option<Id<G::Request>>> {
    let (column, role) = (G::COLUMN, G::ROLE);
    let sql = Sql::new(&format!("insert into pumphouse.invitation as i (id, email, from_user_id, {column}, {role}) values ("))
        .value(Id::<G::Request>::random())
        .with(", ", email)
        .with(", ", from)
        .with(", ", invite.group)
        .with(", ", invite.role)
        .text(&format!(
            ") on conflict ({column}, email) do update set id = excluded.id, from_user_id = excluded.from_user_id, {role} = excluded.{role}, \
            created_at = now() where i.created_at < now() - {WAITS} returning id"
        ));
    w.rows(sql).await?.first().map(|row| Ok(row.try_get(0)?)).transpose()
}
