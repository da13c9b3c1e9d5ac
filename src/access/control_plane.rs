//! The API of an external control plane: it manages the envs, and reads which users changed (domain.md section 1).
//!
//! Always holds: both are for superusers, and both are safe to repeat. A user change is returned only once no earlier one
//! can still appear, so a change that a running transaction may still commit is never skipped.

use std::collections::HashSet;

use async_graphql::{Context, ID, InputObject, Json, Object, SimpleObject};
use chrono::{DateTime, Utc};
use serde_json::Value;
use sqlx::Row as _;
use sqlx::postgres::PgRow;

use crate::access::env_mutation::{LONGEST_NAME, change, create};
use crate::access::{Env, User, broker};
use crate::core::cursor;
use crate::core::entity::{Direction, Entity as _, Order, columns};
use crate::core::error::{Error, Result};
use crate::core::id::Id;
use crate::core::page::{PageInfo, Travel};
use crate::core::proof::Superuser;
use crate::core::read::Read;
use crate::core::rows::Rows;
use crate::core::scalars::Time;
use crate::core::sealed::keys;
use crate::core::secret::{KeyRing, PlainJson};
use crate::core::sql::{Bind, Sql};
use crate::core::violations::Violations;
use crate::core::write::{Mutation, Write, write};

/// The maximum number of envs per call.
const MOST_ENVS: usize = 200;

/// The mutations of a control plane.
#[derive(Default)]
pub struct ControlPlaneMutation;

/// The queries of a control plane.
#[derive(Default)]
pub struct ControlPlaneQuery;

/// The desired state of an env.
#[derive(InputObject, Clone)]
pub struct UpsertEnvInput {
    /// Its id, which identifies it in later calls; a UUID chosen by the control plane.
    pub id: Id<Env>,
    /// The name, 1 to 100 characters; envs may have equal names.
    pub name: String,
    /// The whole configuration of its broker: an object, stored encrypted. `{"$secret": "stored"}` retains the secret stored
    /// in the same place, unless a host, port or address changes.
    #[graphql(secret)]
    pub retention_configuration: Json<Value>,
}

/// The desired state of several envs.
#[derive(InputObject, Clone)]
pub struct UpsertEnvsInput {
    /// The envs: 1 to 200, no id twice. Envs that are not listed stay as they are.
    #[graphql(secret)]
    pub envs: Vec<UpsertEnvInput>,
}

/// The envs as they are now.
#[derive(SimpleObject)]
pub struct UpsertEnvsPayload {
    /// The envs that were listed, in that order.
    pub envs: Rows<Env>,
}

/// The creation, change or deletion of a user.
#[derive(SimpleObject, Clone)]
pub struct UserChange {
    /// The user's id.
    pub id: ID,
    /// Whether the user was deleted.
    pub deleted: bool,
    /// When it happened.
    pub changed_at: Time,
    /// The user as they are now; null once deleted.
    pub user: Option<User>,
}

/// One change with the cursor that points at it.
#[derive(SimpleObject)]
pub struct UserChangeEdge {
    /// The cursor of this change; pass it as `after`.
    pub cursor: String,
    /// The change.
    pub node: UserChange,
}

/// One page of changed users, with the cursor to continue from. It can only be read forwards, so it is not a connection.
#[derive(SimpleObject)]
pub struct UserChangePage {
    /// The changes of the page, each with its cursor.
    pub edges: Rows<UserChangeEdge>,
    /// The changes of the page.
    pub nodes: Rows<UserChange>,
    /// The position of the page in the list. `endCursor` equals `after` while there is nothing new.
    pub page_info: PageInfo,
    /// Every change before this time is in the list: the start of the oldest transaction that is still running.
    pub up_to: Time,
}

#[Object]
impl ControlPlaneMutation {
    /// Creates the envs that do not exist yet and updates those that do. Superusers only. Safe to repeat: an env whose name
    /// and configuration are unchanged is not written.
    async fn upsert_envs(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "The envs as they shall be.")] input: UpsertEnvsInput,
    ) -> Result<UpsertEnvsPayload> {
        let envs = write(ctx, UpsertEnvs { input, keys: keys(ctx)?.clone() }).await?;
        Ok(UpsertEnvsPayload { envs: Rows(envs) })
    }
}

#[derive(Clone)]
struct UpsertEnvs {
    input: UpsertEnvsInput,
    keys: KeyRing,
}

impl Mutation for UpsertEnvs {
    type Proof = Superuser;
    type Answer = Vec<Env>;

    async fn authorize(&self, w: &mut Write) -> Result<Superuser> {
        w.superuser()
    }

    async fn apply(self, w: &mut Write, by: Superuser) -> Result<Vec<Env>> {
        let Self { input, keys } = self;
        let ids: Vec<Id<Env>> = input.envs.iter().map(|env| env.id).collect();
        if ids.is_empty() || ids.len() > MOST_ENVS {
            return Err(Error::validation(format!("A call has 1 to {MOST_ENVS} envs.")).field("envs"));
        }
        let mut order: Vec<usize> = (0..ids.len()).collect();
        order.sort_by_key(|index| ids.get(*index).map(|id| id.uuid()));
        w.rows(Sql::new("select 1 from env where id = any(").value(ids.clone()).text(") order by id for no key update")).await?;
        let wanted = checked(w, &keys, input.envs).await?;
        for (id, name, document) in order.into_iter().filter_map(|index| wanted.get(index)) {
            if !create(w, &by, &keys, *id, name, document).await? {
                let env = w.administer(*id, "envs").await?;
                change(w, &env, &keys, Some(name.clone()), Some(document)).await?;
            }
        }
        let mut envs = Vec::with_capacity(ids.len());
        for id in ids {
            envs.push(w.reread(id).await?);
        }
        Ok(envs)
    }
}

async fn checked(w: &mut Write, keys: &KeyRing, envs: Vec<UpsertEnvInput>) -> Result<Vec<(Id<Env>, String, PlainJson)>> {
    let mut violations = Violations::default();
    let mut seen = HashSet::new();
    let mut wanted = Vec::with_capacity(envs.len());
    for (index, env) in envs.into_iter().enumerate() {
        if !seen.insert(env.id) {
            violations.add(format!("envs.{index}.id"), "This env is listed twice.");
        }
        let name = violations.name(&format!("envs.{index}.name"), &env.name, LONGEST_NAME);
        let field = format!("envs.{index}.retentionConfiguration");
        let Json(sent) = env.retention_configuration;
        wanted.push((env.id, name, broker::whole(w, keys, env.id, sent, &field, &mut violations).await?));
    }
    violations.none()?;
    Ok(wanted)
}

#[Object]
impl ControlPlaneQuery {
    /// The users that were created, changed or deleted, oldest change first, each with its last change only. Superusers
    /// only. To follow the list, pass the last `endCursor` as `after`: no change is skipped, and a user appears again only
    /// after another change. Passing `upTo` as the next `since` does the same without cursors, once there is no next page.
    async fn users_changed_since(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "Only changes at this time or later.")] since: Option<Time>,
        #[graphql(desc = "Only changes after the one with this cursor.")] after: Option<String>,
        #[graphql(desc = "This many changes, at most 200; 50 when it is not given.")] first: Option<i32>,
    ) -> Result<UserChangePage> {
        let read = Read::of(ctx)?;
        if !read.viewer().is_superuser() {
            return Err(Error::only_superusers());
        }
        changes(&read, since, after, first).await
    }
}

/// Distinguishes cursors of this list from others.
const LIST: &str = "usersChangedSince";

async fn changes(read: &Read, since: Option<Time>, after: Option<String>, first: Option<i32>) -> Result<UserChangePage> {
    let travel = Travel::new((first, after.clone()), (None, None))?;
    let order: Vec<Order<User>> = ["updated_at", "id"]
        .iter()
        .filter_map(|name| User::COLUMNS.iter().find(|column| column.sql == *name))
        .map(|column| Order { column, direction: Direction::Asc })
        .collect();
    let position = travel.position(LIST, &order)?;
    // Runs as a separate statement before the query: a transaction that is no longer running here has committed when the
    // query starts.
    let up_to = up_to(read).await?;
    let mut sql =
        Sql::new("with change as (select t.updated_at, t.id, t.deleted from (select id, updated_at, false as deleted from \"user\" ")
            .with("union all select user_id, deleted_at, true from pumphouse.user_tombstone) t where t.updated_at < ", up_to.0);
    if let Some(Time(since)) = since {
        sql = sql.with(" and t.updated_at >= ", since);
    }
    if let Some(position) = &position {
        sql.push(" and ");
        cursor::lies(&mut sql, read.viewer(), &order, position, travel.onward());
    }
    let sql = sql.with(" order by t.updated_at, t.id limit ", travel.size + 1).text(") select c.id, c.updated_at, c.deleted, ");
    let sql = sql
        .text(&columns::<User>())
        .text(" from change c left join \"user\" t on t.id = c.id and not c.deleted order by c.updated_at, c.id");
    let rows = read.rows(sql).await?;
    let size = usize::try_from(travel.size).unwrap_or_default();
    let edges: Vec<UserChangeEdge> = rows.iter().take(size).map(change_edge).collect::<Result<_>>()?;
    let nodes = edges.iter().map(|edge| edge.node.clone()).collect();
    let start = edges.first().map(|edge| edge.cursor.clone());
    let end = edges.last().map(|edge| edge.cursor.clone()).or(after);
    let page_info = PageInfo::known(start, end, position.is_some(), rows.len() > size);
    Ok(UserChangePage { edges: Rows(edges), nodes: Rows(nodes), page_info, up_to })
}

fn change_edge(row: &PgRow) -> Result<UserChangeEdge> {
    let (id, changed_at, deleted): (Id<User>, DateTime<Utc>, bool) = (row.try_get(0)?, row.try_get(1)?, row.try_get(2)?);
    let user = if deleted { None } else { Some(User::from_row(row, 3)?) };
    let cursor = cursor::write(LIST, &[Bind::Time(changed_at), Bind::Uuid(id.uuid())]);
    Ok(UserChangeEdge { cursor, node: UserChange { id: ID(id.to_string()), changed_at: Time(changed_at), deleted, user } })
}

/// Returns the start of the oldest running transaction in this database, possibly our own. A change is timestamped after the
/// start of its transaction. Vacuum is excluded: it writes no user and may run for hours.
async fn up_to(read: &Read) -> Result<Time> {
    let sql = "select coalesce(min(xact_start), now()) from pg_stat_activity where datname = current_database() and backend_type <> 'autovacuum worker'";
    let rows = read.rows(Sql::new(sql)).await?;
    let row = rows.first().ok_or(sqlx::Error::RowNotFound)?;
    Ok(Time(row.try_get(0)?))
}
