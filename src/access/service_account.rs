//! Service accounts: machine identities with a name.
//!
//! Always holds: each is backed by its own user, and checks of rights read that user alone. An account is visible to users
//! who administer all of its grants. Not here: what grants mean (`grant.rs`), tokens (`account_token.rs`).

use crate::access::account_token::{self, ServiceAccountToken};
use crate::access::grant::{self, ServiceAccountGrant};
use crate::access::{Team, User};
use crate::core::entity::{Entity as _, computed, to_one};
use crate::core::id::Id;
use crate::core::rows::Rows;
use crate::core::scope::Scope;
use crate::entity;
use chrono::{DateTime, Utc};

/// SQL: whether the user `u` backs a service account.
pub(super) const MACHINE: &str = "exists (select 1 from service_account_user s where s.user_id = u.id)";

/// A grant is on a team or an env, and administered by the admins of that team or env.
const GRANT: Scope = Scope::FirstOf(&[
    ("team_id", Scope::Through { column: "team_id", table: Team::TABLE, scope: &Scope::Administered { team: "id", env: "env_id" } }),
    ("env_id", Scope::Administered { team: "team_id", env: "env_id" }),
]);

entity! {
    /// A machine identity with a name. It acts as its own user and may do exactly what the memberships of that user allow.
    ServiceAccount in "service_account_user";
    scope: Scope::AnyOf(&[
        Scope::Sees(&Scope::CurrentUser("user_id")),
        Scope::EveryChild { table: "pumphouse.service_account_grant", column: "service_account_id", scope: &GRANT },
    ]);
    order: "created_at" Asc;
    columns {
        /// The name.
        name: String [order, search, filter];
        /// The user that it acts as.
        user_id: Id<User> [filter];
        /// When it was created.
        created_at: Option<DateTime<Utc>> [order, range];
        /// When it last changed.
        updated_at: Option<DateTime<Utc>> [order, range];
    }
    fields {
        to_one::<ServiceAccount, User>("user", "id", "user_id", "The user that it acts as, whose memberships are its rights.");
        computed::<ServiceAccount, Rows<ServiceAccountGrant>>("grants", |row, ctx| Box::pin(grant::of_account(row, ctx)), "What it may do: its user has exactly these memberships.");
        computed::<ServiceAccount, Rows<ServiceAccountToken>>("tokens", |row, ctx| Box::pin(account_token::of_account(row, ctx)), "The tokens that were issued for it, never their text; the newest 200, newest first.");
    }
}
