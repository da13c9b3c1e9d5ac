//! Exports the organisation as of one instant.

use std::collections::HashMap;

use sqlx::postgres::PgRow;
use sqlx::{PgConnection, Row as _};
use uuid::Uuid;

use super::document::{Document, EnvDocument, EnvMembership, FORMAT, TeamDocument, TeamMembership, UserDocument};
use crate::access::service_account::MACHINE;
use crate::core::db::{Db, rows_on};
use crate::core::error::Result;
use crate::core::sql::Sql;

/// Exports the organisation, in a stable order.
///
/// # Errors
/// When a database query fails.
pub async fn export(db: &Db) -> Result<Document> {
    let mut snapshot = db.begin_reading().await?;
    let users = users(&mut snapshot).await?;
    let envs = envs(&mut snapshot).await?;
    let teams = teams(&mut snapshot).await?;
    Ok(Document { format: FORMAT.to_owned(), users, envs, teams })
}

/// Runs this statement on users `u` who are not service accounts, by email.
async fn people(snapshot: &mut PgConnection, sql: &str) -> Result<Vec<PgRow>> {
    rows_on(snapshot, Sql::new(&format!("{sql} where not {MACHINE} order by u.email"))).await
}

async fn users(snapshot: &mut PgConnection) -> Result<Vec<UserDocument>> {
    let sql = "select u.id, u.email, u.is_active, u.is_superuser, u.is_verified from \"user\" u";
    let user = |row: &PgRow| {
        Ok(UserDocument {
            id: row.try_get(0)?,
            email: row.try_get(1)?,
            is_active: row.try_get(2)?,
            is_superuser: row.try_get(3)?,
            is_verified: row.try_get(4)?,
        })
    };
    people(snapshot, sql).await?.iter().map(user).collect()
}

async fn envs(snapshot: &mut PgConnection) -> Result<Vec<EnvDocument>> {
    let sql = "select m.env_id, u.email, m.role from env_member m join \"user\" u on u.id = m.user_id";
    let mut members: HashMap<Uuid, Vec<EnvMembership>> = HashMap::new();
    for row in people(snapshot, sql).await? {
        members.entry(row.try_get(0)?).or_default().push(EnvMembership { user: row.try_get(1)?, role: row.try_get(2)? });
    }
    let rows = rows_on(snapshot, Sql::new("select id, name from env order by name, id")).await?;
    let env = |row: &PgRow| {
        let id = row.try_get(0)?;
        Ok(EnvDocument { id, name: row.try_get(1)?, members: members.remove(&id).unwrap_or_default() })
    };
    rows.iter().map(env).collect()
}

async fn teams(snapshot: &mut PgConnection) -> Result<Vec<TeamDocument>> {
    let sql = "select m.team_id, u.email, coalesce(m.admin, false) from team_member m join \"user\" u on u.id = m.user_id";
    let mut members: HashMap<Uuid, Vec<TeamMembership>> = HashMap::new();
    for row in people(snapshot, sql).await? {
        members.entry(row.try_get(0)?).or_default().push(TeamMembership { user: row.try_get(1)?, admin: row.try_get(2)? });
    }
    let sql =
        "select t.id, t.name, t.description, t.env_id from team t left join env e on e.id = t.env_id order by e.name, e.id, t.name, t.id";
    let rows = rows_on(snapshot, Sql::new(sql)).await?;
    let team = |row: &PgRow| {
        let id = row.try_get(0)?;
        Ok(TeamDocument {
            id,
            name: row.try_get(1)?,
            description: row.try_get(2)?,
            env_id: row.try_get(3)?,
            members: members.remove(&id).unwrap_or_default(),
        })
    };
    rows.iter().map(team).collect()
}
