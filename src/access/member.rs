//! Memberships; the entities follow.
use crate::choice;

choice! {
    /// What a member of an env may do there.
    EnvRole {
        /// Everything in the env.
        Admin = "admin",
        /// See the env and its members, and create teams in it.
        Member = "member",
        /// See everything in the env and change nothing.
        Reader = "reader",
    }
}
