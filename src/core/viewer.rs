//! Who asks, and what their memberships let them see, change and administer (domain.md section 1).
//!
//! Always holds: the viewer of a request is made from a verified token only, by the one statement below; it holds
//! memberships, never decisions. `Viewer::of_team` and `Viewer::of_env` stand for nobody: they narrow what a live
//! field filters by. Not here: reading the token (`access/token.rs`).

use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::time::Duration;

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use sqlx::postgres::PgRow;
use sqlx::{PgConnection, Row as _};
use uuid::Uuid;

use crate::core::db::{Db, rows_on};
use crate::core::error::{Error, Result};
use crate::core::sql::Sql;

/// How much a viewer may do with a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Right {
    /// Read it.
    See,
    /// Change it, as a member of its team does.
    Change,
    /// Change its settings, members and requests, as an admin does.
    Administer,
}

/// Who asks.
#[derive(Clone, Debug)]
pub struct Viewer(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    identity: Identity,
    token: Verified,
    rights: Rights,
    /// Only in the viewer that a shared subscription runs as: notes that a resolver looked at who it is, so that the answer cannot
    /// be shared.
    watch: Option<Arc<Watch>>,
}

/// How far an answer hangs on who asked for it, beside what they may.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Personal {
    /// Not at all: whoever has the same rights gets the same answer.
    #[default]
    No,
    /// It is for this user alone.
    Yes,
    /// It hangs on what was said before to the one who asked.
    Alone,
}

/// Notes whether it mattered who the viewer is.
#[derive(Debug, Default)]
pub struct Watch(AtomicU8);

impl Watch {
    fn note(&self, personal: Personal) {
        let degree = match personal {
            Personal::No => 0,
            Personal::Yes => 1,
            Personal::Alone => 2,
        };
        self.0.fetch_max(degree, Ordering::Relaxed);
    }

    /// How far it mattered until now.
    #[must_use]
    pub fn noted(&self) -> Personal {
        match self.0.load(Ordering::Relaxed) {
            0 => Personal::No,
            1 => Personal::Yes,
            _ => Personal::Alone,
        }
    }
}

/// What they may do, as far as it hangs on who they are. Of two with equal rights each may exactly what the other may, but
/// for what is about themselves.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Rights {
    superuser: bool,
    member_envs: Vec<Uuid>,
    officer_envs: Vec<Uuid>,
    admin_envs: Vec<Uuid>,
    writer_envs: Vec<Uuid>,
    member_teams: Vec<Uuid>,
    admin_teams: Vec<Uuid>,
    /// Teams for whose workers a service account may act.
    worker_teams: Vec<Uuid>,
}

/// The kind of caller behind a token.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Identity {
    /// A person or a service account: a row of `user`.
    User {
        /// The user's id.
        id: Uuid,
        /// The email as it stands now.
        email: String,
        /// The service account that the token was issued for.
        service_account: Option<Uuid>,
    },
    /// One generation of one worker; it sees nothing of the graph and may only report about itself.
    Worker {
        /// The worker's id.
        id: Uuid,
        /// The generation that the token was minted for.
        generation: Uuid,
    },
}

/// What a token must say for a viewer to be made from it. Only `access/token.rs` makes one of a token; the one of the viewers that
/// stand for nobody has an id that no token has.
#[derive(Clone, Debug)]
pub struct Verified {
    pub(crate) token_id: Uuid,
    pub(crate) expires_at: DateTime<Utc>,
    pub(crate) subject: Subject,
}

impl Verified {
    /// The user or worker that it speaks for.
    pub(crate) const fn holder(&self) -> Uuid {
        match self.subject {
            Subject::User { id, .. } | Subject::Worker { id, .. } => id,
        }
    }

    /// The user that it speaks for; none for a worker's.
    #[must_use]
    pub fn user(&self) -> Option<Uuid> {
        match self.subject {
            Subject::User { id, .. } => Some(id),
            Subject::Worker { .. } => None,
        }
    }
}

/// Whom a verified token speaks for.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Subject {
    User { id: Uuid, epoch: i32, service_account: Option<Uuid> },
    Worker { id: Uuid, generation: Uuid },
}

const LOAD: &str = "
select u.email, u.is_superuser,
  array(select env_id from env_member where user_id = u.id) as member_envs,
  array(select env_id from env_member where user_id = u.id and role in ('admin', 'reader')) as officer_envs,
  array(select env_id from env_member where user_id = u.id and role = 'admin') as admin_envs,
  array(select env_id from env_member where user_id = u.id and role in ('admin', 'member')) as writer_envs,
  array(select team_id from team_member where user_id = u.id) as member_teams,
  array(select team_id from team_member where user_id = u.id and admin) as admin_teams,
  array(select team_id from pumphouse.service_account_grant where service_account_id = a.id and worker) as worker_teams
from ";

/// What a token `t (token_id, user_id, epoch, service_account, expires_at)` is judged by.
const JUDGED_BY: &str = "
left join \"user\" u on u.id = t.user_id and u.is_active
left join pumphouse.credential c on c.user_id = t.user_id
left join service_account_user a on a.id = t.service_account and a.user_id = t.user_id";

/// Why a token does not count any more; null while it does. The one rule, for requests and for whoever is connected.
/// A worker's token only expires: a superseded generation has to be told to exit.
const ENDED: &str = "case
  when t.expires_at <= now() then 'expired'
  when t.user_id is null then null
  when exists (select 1 from pumphouse.revoked_token r where r.token_id = t.token_id) then 'revoked'
  when u.id is null then 'user'
  when c.epoch is distinct from t.epoch then 'password'
  when t.service_account is not null and a.id is null then 'user'
end";

/// What to ask of the database for a token; no row means that it does not count any more.
fn question(token: &Verified) -> Sql {
    match token.subject {
        Subject::User { id, epoch, service_account } => Sql::new(LOAD)
            .with("(values (", token.token_id)
            .with(", ", id)
            .with(", ", epoch)
            .with(", ", service_account)
            .with("::uuid, ", token.expires_at)
            .text(")) t (token_id, user_id, epoch, service_account, expires_at)")
            .text(JUDGED_BY)
            .text(" where ")
            .text(ENDED)
            .text(" is null"),
        Subject::Worker { .. } => Sql::new("select extract(epoch from t.at - now())::float8 from (values (")
            .value(token.expires_at)
            .text(")) t (at) where now() < t.at"),
    }
}

/// The tokens that do not count any more, each with the reason: `expired`, `revoked`, `password` or `user`.
///
/// # Errors
/// When the database cannot be asked.
pub(crate) async fn ended(db: &Db, tokens: &[&Verified]) -> Result<Vec<(Uuid, String)>> {
    let of_user = |subject: &Subject| match *subject {
        Subject::User { id, epoch, service_account } => Some((id, epoch, service_account)),
        Subject::Worker { .. } => None,
    };
    let users = || tokens.iter().map(|token| of_user(&token.subject));
    let sql = Sql::new("select s.token_id, s.reason from (select t.token_id, ")
        .text(ENDED)
        .with(" as reason from unnest(", tokens.iter().map(|token| token.token_id).collect::<Vec<_>>())
        .with("::uuid[], ", users().map(|user| user.map(|(id, ..)| id)).collect::<Vec<_>>())
        .with("::uuid[], ", users().map(|user| user.map(|(_, epoch, _)| epoch)).collect::<Vec<_>>())
        .with("::integer[], ", users().map(|user| user.and_then(|(.., account)| account)).collect::<Vec<_>>())
        .with("::uuid[], ", tokens.iter().map(|token| token.expires_at).collect::<Vec<_>>())
        .text("::timestamptz[]) t (token_id, user_id, epoch, service_account, expires_at)")
        .text(JUDGED_BY)
        .text(") s where s.reason is not null");
    db.rows(sql).await?.iter().map(|row| Ok((row.try_get(0)?, row.try_get(1)?))).collect()
}

impl Rights {
    /// Whether these allow whatever those allowed.
    pub(crate) fn cover(&self, others: &Self) -> bool {
        let covers = |these: &[Uuid], those: &[Uuid]| {
            let these: HashSet<&Uuid> = these.iter().collect();
            those.iter().all(|id| these.contains(id))
        };
        if self.superuser {
            return true;
        }
        !others.superuser
            && covers(&self.member_envs, &others.member_envs)
            && covers(&self.officer_envs, &others.officer_envs)
            && covers(&self.admin_envs, &others.admin_envs)
            && covers(&self.writer_envs, &others.writer_envs)
            && covers(&self.member_teams, &others.member_teams)
            && covers(&self.admin_teams, &others.admin_teams)
            && covers(&self.worker_teams, &others.worker_teams)
    }

    /// What a user may do, going by this transaction; none when they are not active.
    ///
    /// # Errors
    /// When the database cannot be asked.
    pub(crate) async fn of_user(connection: &mut PgConnection, user: Uuid) -> Result<Option<Self>> {
        let sql = Sql::new(LOAD).text("\"user\" u left join service_account_user a on false where u.is_active and u.id = ").value(user);
        rows_on(connection, sql).await?.first().map(Self::read).transpose()
    }

    /// Whether these give the right on what one of these owns.
    pub(crate) fn hold(&self, right: Right, owners: &[Owner]) -> bool {
        self.superuser
            || owners.iter().any(|owner| {
                owner.team.is_some_and(|team| self.teams(right).contains(&team))
                    || owner.env.is_some_and(|env| self.envs(right).contains(&env))
            })
    }

    fn envs(&self, right: Right) -> &[Uuid] {
        match right {
            Right::See => &self.officer_envs,
            Right::Change | Right::Administer => &self.admin_envs,
        }
    }

    fn teams(&self, right: Right) -> &[Uuid] {
        match right {
            Right::See | Right::Change => &self.member_teams,
            Right::Administer => &self.admin_teams,
        }
    }

    /// Reads the columns of [`LOAD`].
    fn read(row: &PgRow) -> Result<Self> {
        // In one order, so that equal rights are equal.
        let sorted = |column: usize| {
            let mut ids: Vec<Uuid> = row.try_get(column)?;
            ids.sort_unstable();
            Ok::<_, Error>(ids)
        };
        Ok(Self {
            superuser: row.try_get(1)?,
            member_envs: sorted(2)?,
            officer_envs: sorted(3)?,
            admin_envs: sorted(4)?,
            writer_envs: sorted(5)?,
            member_teams: sorted(6)?,
            admin_teams: sorted(7)?,
            worker_teams: sorted(8)?,
        })
    }
}

impl Viewer {
    /// The viewer behind a verified token as the database knows them now; none when the user is gone
    /// or inactive, the token revoked, the password changed since, or the service account deleted.
    ///
    /// # Errors
    /// When the database cannot be asked.
    pub async fn load(db: &Db, token: &Verified) -> Result<Option<Self>> {
        Self::found(token, &db.rows(question(token)).await?)
    }

    /// The same for the token of a worker, and how long it still counts: nothing ends it but time.
    ///
    /// # Errors
    /// When the database cannot be asked.
    pub(crate) async fn load_lasting(db: &Db, token: &Verified) -> Result<Option<(Self, Duration)>> {
        let rows = db.rows(question(token)).await?;
        let Some(viewer) = Self::found(token, &rows)? else { return Ok(None) };
        let left: f64 = rows.first().ok_or(sqlx::Error::RowNotFound)?.try_get(0)?;
        Ok(Some((viewer, Duration::try_from_secs_f64(left).unwrap_or_default())))
    }

    /// The verified token that they came with.
    pub(crate) fn token(&self) -> &Verified {
        self.note(Personal::Yes);
        &self.0.token
    }

    /// The same viewer as the database knows them in this transaction, who must still be valid. Of a worker nothing can have
    /// changed since the request came: it has no rights that could end, and its token ends by time alone.
    ///
    /// # Errors
    /// `UNAUTHENTICATED` when the token has ended meanwhile.
    pub(crate) async fn present_on(&self, connection: &mut PgConnection) -> Result<Self> {
        if self.user_id().is_none() {
            return Ok(self.clone());
        }
        let viewer = Self::found(&self.0.token, &rows_on(connection, question(&self.0.token)).await?)?;
        viewer.ok_or_else(Error::token_refused)
    }

    fn found(token: &Verified, rows: &[PgRow]) -> Result<Option<Self>> {
        let Some(row) = rows.first() else { return Ok(None) };
        let (identity, rights) = match token.subject {
            Subject::User { id, service_account, .. } => {
                (Identity::User { id, email: row.try_get(0)?, service_account }, Rights::read(row)?)
            }
            Subject::Worker { id, generation } => (Identity::Worker { id, generation }, Rights::default()),
        };
        Ok(Some(Self(Arc::new(Inner { identity, token: token.clone(), rights, watch: None }))))
    }

    /// One with the same rights, who stands for all that have them until `watch` is told that it matters who it is.
    #[must_use]
    pub fn watched(&self, watch: &Arc<Watch>) -> Self {
        let Inner { identity, token, rights, .. } = &*self.0;
        let watch = Some(Arc::clone(watch));
        Self(Arc::new(Inner { identity: identity.clone(), token: token.clone(), rights: rights.clone(), watch }))
    }

    /// What is answered here hangs on what was said before.
    pub(crate) fn note_alone(&self) {
        self.note(Personal::Alone);
    }

    fn note(&self, personal: Personal) {
        if let Some(watch) = &self.0.watch {
            watch.note(personal);
        }
    }

    /// Nobody in particular, who is a member of this team alone: for what belongs to the team.
    pub(crate) fn of_team(team: Uuid) -> Self {
        Self::nobody(Rights { member_teams: vec![team], ..Rights::default() })
    }

    /// Nobody in particular, who is a reader of this env alone: for what belongs to the env.
    pub(crate) fn of_env(env: Uuid) -> Self {
        Self::nobody(Rights { member_envs: vec![env], officer_envs: vec![env], ..Rights::default() })
    }

    fn nobody(rights: Rights) -> Self {
        let (id, generation) = (Uuid::nil(), Uuid::nil());
        let token = Verified { token_id: id, expires_at: DateTime::UNIX_EPOCH, subject: Subject::Worker { id, generation } };
        Self(Arc::new(Inner { identity: Identity::Worker { id, generation }, token, rights, watch: None }))
    }

    /// What they may do.
    #[must_use]
    pub fn rights(&self) -> &Rights {
        &self.0.rights
    }

    /// Who it is.
    #[must_use]
    pub fn identity(&self) -> &Identity {
        self.note(Personal::Yes);
        &self.0.identity
    }

    /// The user's id; none for a worker.
    #[must_use]
    pub fn user_id(&self) -> Option<Uuid> {
        self.note(Personal::Yes);
        match &self.0.identity {
            Identity::User { id, .. } => Some(*id),
            Identity::Worker { .. } => None,
        }
    }

    /// Whether it is a user, and no worker.
    #[must_use]
    pub fn is_user(&self) -> bool {
        matches!(self.0.identity, Identity::User { .. })
    }

    /// The token's own id, by which it is revoked.
    #[must_use]
    pub fn token_id(&self) -> Uuid {
        self.note(Personal::Yes);
        self.0.token.token_id
    }

    /// When the token ends.
    #[must_use]
    pub fn expires_at(&self) -> DateTime<Utc> {
        self.note(Personal::Yes);
        self.0.token.expires_at
    }

    /// Bypasses the env and team checks.
    #[must_use]
    pub fn is_superuser(&self) -> bool {
        self.0.rights.superuser
    }

    pub(crate) fn is_member_anywhere(&self) -> bool {
        !self.0.rights.member_envs.is_empty() || !self.0.rights.member_teams.is_empty()
    }

    /// Whether there is anything that they may change: for what no team owns, such as schemas.
    pub(crate) fn may_change_something(&self) -> bool {
        self.is_superuser() || !self.teams(Right::Change).is_empty() || !self.envs(Right::Change).is_empty()
    }

    /// Envs they belong to in any role.
    pub(crate) fn member_envs(&self) -> &[Uuid] {
        &self.0.rights.member_envs
    }

    /// Envs in which the right reaches everything that the teams own.
    pub(crate) fn envs(&self, right: Right) -> &[Uuid] {
        self.0.rights.envs(right)
    }

    /// Teams in which they have the right by their own membership.
    pub(crate) fn teams(&self, right: Right) -> &[Uuid] {
        self.0.rights.teams(right)
    }

    /// The second reader of [`Scope`]: may they see what one of these (team, env) pairs owns?
    ///
    /// [`Scope`]: crate::core::scope::Scope
    #[must_use]
    pub fn sees(&self, owners: &[Owner]) -> bool {
        self.holds(Right::See, owners)
    }

    /// Have they the right on what one of these owns?
    #[must_use]
    pub fn holds(&self, right: Right, owners: &[Owner]) -> bool {
        self.0.rights.hold(right, owners)
    }

    /// Teams for whose workers they may act: a service account with such a grant.
    pub(crate) fn worker_teams(&self) -> &[Uuid] {
        &self.0.rights.worker_teams
    }

    /// May they make teams in this env: its members may, its readers not.
    #[must_use]
    pub fn may_write_in(&self, env: Uuid) -> bool {
        self.0.rights.superuser || self.0.rights.writer_envs.contains(&env)
    }
}

/// The team that owns a row, and the team's env; in JSON the pair `[team, env]`, as the database writes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "(Option<Uuid>, Option<Uuid>)", into = "(Option<Uuid>, Option<Uuid>)")]
pub struct Owner {
    /// The owning team.
    pub team: Option<Uuid>,
    /// The env that the team lives in.
    pub env: Option<Uuid>,
}

impl Owner {
    /// Nobody: what no team or env owns is the superuser's.
    pub const NONE: Self = Self { team: None, env: None };

    /// An env as such.
    #[must_use]
    pub const fn env(env: Uuid) -> Self {
        Self { team: None, env: Some(env) }
    }
}

impl From<(Option<Uuid>, Option<Uuid>)> for Owner {
    fn from((team, env): (Option<Uuid>, Option<Uuid>)) -> Self {
        Self { team, env }
    }
}

impl From<Owner> for (Option<Uuid>, Option<Uuid>) {
    fn from(owner: Owner) -> Self {
        (owner.team, owner.env)
    }
}
