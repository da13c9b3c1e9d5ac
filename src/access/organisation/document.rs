//! The format of the document, and the checks that need no database.

use std::collections::HashSet;
use std::hash::Hash;

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::access::EnvRole;
use crate::access::{env_mutation, team_mutation};
use crate::core::violations::Violations;

/// The format version that is written and accepted.
pub(super) const FORMAT: &str = "pumphouse/organisation/1";

/// An organisation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Document {
    /// Which form this is.
    pub format: String,
    /// The people.
    pub users: Vec<UserDocument>,
    /// The envs with their members.
    pub envs: Vec<EnvDocument>,
    /// The teams with their members.
    pub teams: Vec<TeamDocument>,
}

/// A person, without the password.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct UserDocument {
    /// The id.
    pub id: Uuid,
    /// The email address; an existing user with this email is the same user, whatever the id.
    pub email: String,
    /// Whether they may act.
    pub is_active: bool,
    /// Whether they bypass the checks of envs and teams.
    pub is_superuser: bool,
    /// Whether the address is known to be theirs.
    pub is_verified: bool,
}

/// An env, without its broker's configuration.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct EnvDocument {
    /// The id.
    pub id: Uuid,
    /// The name.
    pub name: Option<String>,
    /// Who belongs to it.
    pub members: Vec<EnvMembership>,
}

/// A member of an env.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EnvMembership {
    /// The user's email.
    pub user: String,
    /// admin, member or reader.
    pub role: String,
}

/// A team.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct TeamDocument {
    /// The id.
    pub id: Uuid,
    /// The name, unique within the env.
    pub name: Option<String>,
    /// What it is for.
    pub description: Option<String>,
    /// The env it lives in.
    pub env_id: Option<Uuid>,
    /// Who belongs to it.
    pub members: Vec<TeamMembership>,
}

/// A member of a team.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TeamMembership {
    /// The user's email.
    pub user: String,
    /// Whether they administer the team.
    pub admin: bool,
}

impl Document {
    /// Returns the document with names and emails in stored form; adds all violations found.
    pub(super) fn checked(mut self, violations: &mut Violations) -> Self {
        if self.format != FORMAT {
            violations.add("format", format!("This is {:?}; this program reads {FORMAT:?}.", self.format));
        }
        let (mut ids, mut emails) = (Once::new("id"), Once::new("email"));
        for (at, user) in self.users.iter_mut().enumerate() {
            let path = format!("users.{at}");
            ids.see(violations, &path, user.id);
            user.email = violations.email(&format!("{path}.email"), &user.email);
            emails.see(violations, &path, user.email.clone());
        }
        let mut ids = Once::new("id");
        for (at, env) in self.envs.iter_mut().enumerate() {
            let path = format!("envs.{at}");
            ids.see(violations, &path, env.id);
            env.name = env.name.take().map(|name| violations.name(&format!("{path}.name"), &name, env_mutation::LONGEST_NAME));
            let mut members = Once::new("user");
            for (at, member) in env.members.iter_mut().enumerate() {
                let path = format!("{path}.members.{at}");
                member.user = violations.email(&format!("{path}.user"), &member.user);
                members.see(violations, &path, member.user.clone());
                if member.role.parse::<EnvRole>().is_err() {
                    violations.add(format!("{path}.role"), format!("A role is one of {}.", EnvRole::STORED.join(", ")));
                }
            }
        }
        self.check_teams(violations);
        self
    }

    fn check_teams(&mut self, violations: &mut Violations) {
        let (mut ids, mut names) = (Once::new("id"), Once::new("name"));
        for (at, team) in self.teams.iter_mut().enumerate() {
            let path = format!("teams.{at}");
            ids.see(violations, &path, team.id);
            team.name = team.name.take().map(|name| violations.name(&format!("{path}.name"), &name, team_mutation::LONGEST_NAME));
            team.description = team
                .description
                .take()
                .map(|text| violations.text(&format!("{path}.description"), &text, team_mutation::LONGEST_DESCRIPTION));
            if let (Some(env), Some(name)) = (team.env_id, &team.name) {
                names.see(violations, &path, (env, name.clone()));
            }
            let mut members = Once::new("user");
            for (at, member) in team.members.iter_mut().enumerate() {
                let path = format!("{path}.members.{at}");
                member.user = violations.email(&format!("{path}.user"), &member.user);
                members.see(violations, &path, member.user.clone());
            }
        }
    }
}

/// Detects duplicates in a list.
struct Once<T> {
    field: &'static str,
    seen: HashSet<T>,
}

impl<T: Eq + Hash> Once<T> {
    fn new(field: &'static str) -> Self {
        Self { field, seen: HashSet::new() }
    }

    fn see(&mut self, violations: &mut Violations, path: &str, value: T) {
        if !self.seen.insert(value) {
            violations.add(format!("{path}.{}", self.field), "This stands in the document twice.");
        }
    }
}
