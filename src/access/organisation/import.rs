//! Imports a document into the database.
//!
//! Always holds: all violations are reported together, and then nothing is changed. Objects that are in the document are
//! created or updated to match it; others stay unchanged. Locks are taken in the order of domain.md section 0.

use std::collections::{HashMap, HashSet};

use sha2::{Digest as _, Sha256};
use sqlx::{Postgres, Row as _};
use uuid::Uuid;

use super::document::{Document, EnvDocument, TeamDocument, UserDocument};
use super::plan::{Action, Plan, Step};
use crate::access::administration::operator;
use crate::access::service_account::MACHINE;
use crate::access::{Env, EnvMember, Team, TeamMember, User};
use crate::core::audit::{self, About};
use crate::core::canonical::hex;
use crate::core::db::{Db, Transaction, rows_on};
use crate::core::entity::Entity;
use crate::core::error::{Error, Result};
use crate::core::id::Id;
use crate::core::secret::KeyRing;
use crate::core::sql::Sql;
use crate::core::verb::Verb;
use crate::core::viewer::Owner;
use crate::core::violations::Violations;

/// The configuration of an env that nobody has configured yet.
const UNCONFIGURED: &str = "{}";

/// Why nothing was imported.
#[derive(Debug)]
pub enum Refused {
    /// The document breaks rules: pairs of a path into it and the rule.
    Broken(Vec<(String, String)>),
    /// Something failed.
    Failed(Error),
}

impl From<Error> for Refused {
    fn from(error: Error) -> Self {
        Self::Failed(error)
    }
}

/// Imports a document, or only reports what an import would do. The keys encrypt the configuration of new envs.
///
/// # Errors
/// Every rule that the document breaks; then nothing was changed.
pub async fn import(db: &Db, keys: Option<&KeyRing>, document: Document, dry_run: bool) -> Result<Plan, Refused> {
    let mut violations = Violations::default();
    let document = document.checked(&mut violations);
    refuse_if_any(std::mem::take(&mut violations))?;
    let transaction = db.begin().await?;
    let mut import = Import { transaction, keys, violations, plan: Plan::default(), people: HashMap::new(), envs: HashSet::new() };
    import.lock(&document).await?;
    for (at, user) in document.users.iter().enumerate() {
        import.user(at, user).await?;
    }
    import.envs_known(&document).await?;
    for (at, env) in document.envs.iter().enumerate() {
        import.env(at, env).await?;
    }
    for (at, team) in document.teams.iter().enumerate() {
        import.team(at, team).await?;
    }
    import.people_known(&document).await?;
    import.memberships(&document).await?;
    import.ensure_superuser_remains().await?;
    let Import { transaction, violations, plan, .. } = import;
    refuse_if_any(violations)?;
    if dry_run {
        transaction.rollback().await.map_err(Error::from)?;
    } else {
        transaction.commit().await.map_err(Error::from)?;
    }
    Ok(plan)
}

fn refuse_if_any(violations: Violations) -> Result<(), Refused> {
    let all = violations.into_list();
    if all.is_empty() { Ok(()) } else { Err(Refused::Broken(all)) }
}

/// An import in progress.
struct Import<'a> {
    transaction: Transaction,
    keys: Option<&'a KeyRing>,
    violations: Violations,
    plan: Plan,
    /// Users by email; `None` for users that were refused. Does not contain the users behind service accounts.
    people: HashMap<String, Option<Uuid>>,
    envs: HashSet<Uuid>,
}

impl Import<'_> {
    async fn rows(&mut self, sql: Sql) -> Result<Vec<sqlx::postgres::PgRow>> {
        rows_on(&mut self.transaction, sql).await
    }

    /// Locks the objects that the document names, and the superusers, of whom one has to remain.
    async fn lock(&mut self, document: &Document) -> Result<()> {
        let envs: Vec<Uuid> = document.envs.iter().map(|env| env.id).collect();
        let teams: Vec<Uuid> = document.teams.iter().map(|team| team.id).collect();
        let users: Vec<Uuid> = document.users.iter().map(|user| user.id).collect();
        let emails: Vec<String> = document.users.iter().map(|user| user.email.clone()).collect();
        self.rows(Sql::new("select id from env where id = any(").value(envs).text(") order by id for no key update")).await?;
        self.rows(Sql::new("select id from team where id = any(").value(teams).text(") order by id for no key update")).await?;
        let sql = Sql::new("select id from \"user\" where is_superuser and is_active or id = any(")
            .value(users)
            .with(") or email = any(", emails)
            .text(") order by id for no key update");
        self.rows(sql).await?;
        Ok(())
    }

    async fn user(&mut self, at: usize, user: &UserDocument) -> Result<()> {
        // The user with this id takes precedence over the one with this email.
        let sql = Sql::new(&format!("select u.id, u.email, u.is_active, u.is_superuser, u.is_verified, {MACHINE}"))
            .with(" from \"user\" u where u.id = ", user.id)
            .with(" or u.email = ", user.email.clone())
            .with(" order by u.id <> ", user.id);
        let found = self.rows(sql).await?;
        let Some(row) = found.first() else { return self.new_user(user).await };
        if found.len() > 1 {
            self.people.insert(user.email.clone(), None);
            self.violations.add(format!("users.{at}.email"), "Another user than the one with this id has this email.");
            return Ok(());
        }
        if row.try_get(5)? {
            self.people.insert(user.email.clone(), None);
            self.violations.add(format!("users.{at}"), "This user stands behind a service account and changes with it alone.");
            return Ok(());
        }
        let (id, email): (Id<User>, String) = (row.try_get(0)?, row.try_get(1)?);
        let (active, superuser, verified): (bool, bool, bool) = (row.try_get(2)?, row.try_get(3)?, row.try_get(4)?);
        let changed = differing(&[
            ("email", email != user.email),
            ("isActive", active != user.is_active),
            ("isSuperuser", superuser != user.is_superuser),
            ("isVerified", verified != user.is_verified),
        ]);
        if !changed.is_empty() {
            let sql = Sql::new("update \"user\" set email = ")
                .value(user.email.clone())
                .with(", is_active = ", user.is_active)
                .with(", is_superuser = ", user.is_superuser)
                .with(", is_verified = ", user.is_verified)
                .with(" where id = ", id);
            self.rows(sql).await?;
        }
        self.people.insert(user.email.clone(), Some(id.uuid()));
        let about = About::row(id).name(Some(&user.email)).target(id.uuid());
        self.changed("user", user.email.clone(), changed, about).await
    }

    async fn new_user(&mut self, user: &UserDocument) -> Result<()> {
        let sql = Sql::new("insert into \"user\" (id, email, is_active, is_superuser, is_verified, version) values (")
            .value(user.id)
            .with(", ", user.email.clone())
            .with(", ", user.is_active)
            .with(", ", user.is_superuser)
            .with(", ", user.is_verified)
            .text(", 1)");
        self.rows(sql).await?;
        self.people.insert(user.email.clone(), Some(user.id));
        let about = About::row(Id::<User>::from(user.id)).name(Some(&user.email)).target(user.id);
        self.created("user", user.email.clone(), Verb::Create, about).await
    }

    async fn envs_known(&mut self, document: &Document) -> Result<()> {
        let wanted: Vec<Uuid> = document.teams.iter().filter_map(|team| team.env_id).collect();
        let rows = self.rows(Sql::new("select id from env where id = any(").value(wanted).text(") order by id for key share")).await?;
        for row in rows {
            self.envs.insert(row.try_get(0)?);
        }
        Ok(())
    }

    async fn env(&mut self, at: usize, env: &EnvDocument) -> Result<()> {
        let found = self.rows(Sql::new("select name from env where id = ").value(env.id)).await?;
        self.envs.insert(env.id);
        let (id, owner) = (Id::<Env>::from(env.id), Owner::env(env.id));
        let about = About::row(id).name(env.name.as_deref()).owner(owner);
        let shown = shown(env.name.as_ref(), env.id);
        if let Some(row) = found.first() {
            let name: Option<String> = row.try_get(0)?;
            let changed = differing(&[("name", name != env.name)]);
            if !changed.is_empty() {
                self.rows(Sql::new("update env set name = ").value(env.name.clone()).with(" where id = ", env.id)).await?;
            }
            return self.changed("env", shown, changed, about).await;
        }
        let sealed = if let Some(keys) = self.keys {
            keys.seal(env.id, UNCONFIGURED)?
        } else {
            self.violations.add(
                format!("envs.{at}"),
                "A new env's configuration is sealed: set encryption_keys (PUMPHOUSE_ENCRYPTION_KEYS) as the server has them.",
            );
            // Never committed: it only lets objects that refer to it be checked too.
            UNCONFIGURED.to_owned()
        };
        let hash = hex(&Sha256::digest(UNCONFIGURED));
        let sql = Sql::new("insert into env (id, name, retention_configuration, config_hash) values (")
            .value(env.id)
            .with(", ", env.name.clone())
            .with(", ", sealed)
            .with("::json, ", hash)
            .text(")");
        self.rows(sql).await?;
        self.created("env", shown, Verb::Create, about).await
    }

    async fn team(&mut self, at: usize, team: &TeamDocument) -> Result<()> {
        if team.env_id.is_some_and(|env| !self.envs.contains(&env)) {
            self.violations.add(format!("teams.{at}.envId"), "There is no such env, neither here nor in the document.");
            return Ok(());
        }
        let sql = Sql::new("select 1 from team where id <> ")
            .value(team.id)
            .with(" and env_id = ", team.env_id)
            .with(" and name = ", team.name.clone());
        if !self.rows(sql).await?.is_empty() {
            self.violations.add(format!("teams.{at}.name"), "Another team of this env has this name already.");
            return Ok(());
        }
        let found = self.rows(Sql::new("select name, description, env_id from team where id = ").value(team.id)).await?;
        let about = About::row(Id::<Team>::from(team.id)).name(team.name.as_deref()).owner(owner(team));
        let shown = shown(team.name.as_ref(), team.id);
        let Some(row) = found.first() else {
            let sql = Sql::new("insert into team (id, name, description, env_id) values (")
                .value(team.id)
                .with(", ", team.name.clone())
                .with(", ", team.description.clone())
                .with(", ", team.env_id)
                .text(")");
            self.rows(sql).await?;
            return self.created("team", shown, Verb::Create, about).await;
        };
        let (name, description, env): (Option<String>, Option<String>, Option<Uuid>) = (row.try_get(0)?, row.try_get(1)?, row.try_get(2)?);
        if env != team.env_id {
            self.violations.add(format!("teams.{at}.envId"), "The team lives in another env; moveTeam takes it along with what it owns.");
            return Ok(());
        }
        let changed = differing(&[("name", name != team.name), ("description", description != team.description)]);
        if !changed.is_empty() {
            let sql = Sql::new("update team set name = ")
                .value(team.name.clone())
                .with(", description = ", team.description.clone())
                .with(" where id = ", team.id);
            self.rows(sql).await?;
        }
        self.changed("team", shown, changed, about).await
    }

    /// Members may exist in the database without being in the document.
    async fn people_known(&mut self, document: &Document) -> Result<()> {
        let of_envs = document.envs.iter().flat_map(|env| env.members.iter().map(|member| &member.user));
        let of_teams = document.teams.iter().flat_map(|team| team.members.iter().map(|member| &member.user));
        let emails: Vec<String> = of_envs.chain(of_teams).filter(|email| !self.people.contains_key(*email)).cloned().collect();
        let sql = Sql::new("select u.email, u.id from \"user\" u where u.email = any(")
            .value(emails)
            .text(&format!(") and not {MACHINE} order by u.id for key share"));
        for row in self.rows(sql).await? {
            self.people.insert(row.try_get(0)?, Some(row.try_get(1)?));
        }
        Ok(())
    }

    async fn memberships(&mut self, document: &Document) -> Result<()> {
        for (at, env) in document.envs.iter().enumerate() {
            for (place, member) in env.members.iter().enumerate() {
                let path = format!("envs.{at}.members.{place}.user");
                let Some(user) = self.person(path, &member.user) else { continue };
                let group = shown(env.name.as_ref(), env.id);
                let membership = Membership { user, group: env.id, owner: Owner::env(env.id), name: format!("{} in {group}", member.user) };
                self.member::<EnvMember, _>("env", "role", membership, member.role.clone()).await?;
            }
        }
        for (at, team) in document.teams.iter().enumerate() {
            for (place, member) in team.members.iter().enumerate() {
                let path = format!("teams.{at}.members.{place}.user");
                let Some(user) = self.person(path, &member.user) else { continue };
                let group = shown(team.name.as_ref(), team.id);
                let membership = Membership { user, group: team.id, owner: owner(team), name: format!("{} in {group}", member.user) };
                self.member::<TeamMember, _>("team", "admin", membership, member.admin).await?;
            }
        }
        Ok(())
    }

    fn person(&mut self, path: String, email: &str) -> Option<Uuid> {
        let person = self.people.get(email).copied();
        if person.is_none() {
            self.violations.add(path, "No person has this email, neither here nor in the document.");
        }
        person.flatten()
    }

    /// `group` is env or team, `right` the column with the member's right.
    async fn member<E, T>(&mut self, group: &'static str, right: &'static str, membership: Membership, value: T) -> Result<()>
    where
        E: Entity,
        T: for<'r> sqlx::Decode<'r, Postgres> + sqlx::Type<Postgres> + for<'q> sqlx::Encode<'q, Postgres> + PartialEq + Clone + Send,
    {
        let Membership { user, group: of, owner, name } = membership;
        let kind = if group == "env" { "env member" } else { "team member" };
        let sql = Sql::new(&format!("select id, {right} from {group}_member where user_id = "))
            .value(user)
            .with(&format!(" and {group}_id = "), of)
            .text(" for no key update");
        let found = self.rows(sql).await?;
        let Some(row) = found.first() else {
            let id = Id::<E>::random();
            let sql = Sql::new(&format!("insert into {group}_member (id, timestamp, user_id, {group}_id, {right}) select "))
                .value(id)
                .with(", now(), ", user)
                .with(", g.id, ", value)
                .with(&format!(" from {group} g where g.id = "), of)
                .text(" returning id");
            // A group that was refused gets no members, and nothing is logged about it.
            if self.rows(sql).await?.is_empty() {
                return Ok(());
            }
            return self.created(kind, name, Verb::Grant, About::row(id).owner(owner).target(user)).await;
        };
        let (id, before): (Id<E>, Option<T>) = (row.try_get(0)?, row.try_get(1)?);
        let changed = differing(&[(right, before.as_ref() != Some(&value))]);
        if !changed.is_empty() {
            self.rows(Sql::new(&format!("update {group}_member set {right} = ")).value(value).with(" where id = ", id)).await?;
        }
        self.changed(kind, name, changed, About::row(id).owner(owner).target(user)).await
    }

    async fn ensure_superuser_remains(&mut self) -> Result<()> {
        if self.rows(Sql::new("select 1 from \"user\" where is_active and is_superuser limit 1")).await?.is_empty() {
            self.violations.add("users", "No active superuser would be left.");
        }
        Ok(())
    }

    async fn created(&mut self, kind: &'static str, name: String, verb: Verb, about: About<'_>) -> Result<()> {
        audit::record(&mut self.transaction, &operator(), verb, about, None).await?;
        self.plan.0.push(Step { action: Action::Create, kind, name, fields: Vec::new() });
        Ok(())
    }

    async fn changed(&mut self, kind: &'static str, name: String, fields: Vec<&'static str>, about: About<'_>) -> Result<()> {
        let action = if fields.is_empty() { Action::Unchanged } else { Action::Update };
        if action == Action::Update {
            audit::record(&mut self.transaction, &operator(), Verb::Update, about.fields(&fields), None).await?;
        }
        self.plan.0.push(Step { action, kind, name, fields });
        Ok(())
    }
}

/// A user in an env or a team.
struct Membership {
    user: Uuid,
    group: Uuid,
    owner: Owner,
    name: String,
}

fn owner(team: &TeamDocument) -> Owner {
    Owner { team: Some(team.id), env: team.env_id }
}

fn differing(fields: &[(&'static str, bool)]) -> Vec<&'static str> {
    fields.iter().filter(|(_, differs)| *differs).map(|(name, _)| *name).collect()
}

fn shown(name: Option<&String>, id: Uuid) -> String {
    name.cloned().unwrap_or_else(|| id.to_string())
}
