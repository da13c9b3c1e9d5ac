//! What teams own that prevents deleting them or their env.
//!
//! Always holds: the caller keeps the env or team locked, so nothing is added to it meanwhile.

use serde_json::{Value, json};
use sqlx::Row as _;
use uuid::Uuid;

use crate::core::error::{Error, Result};
use crate::core::sql::Sql;
use crate::core::write::Write;

/// How many names a refusal lists.
const NAMES: i64 = 20;

/// Refuses when connectors or pipelines have this id in this column, `team_id` or `env_id`. The callers see all of them.
pub(crate) async fn refuse_while_owning(w: &mut Write, column: &'static str, id: Uuid, field: &str) -> Result<()> {
    let connectors = owned(w, "connector", column, id).await?;
    let pipelines = owned(w, "pipeline", column, id).await?;
    if connectors.0 + pipelines.0 == 0 {
        return Ok(());
    }
    let message = format!("It still owns {} connectors and {} pipelines; delete them first.", connectors.0, pipelines.0);
    let listed = |(count, names): (i64, Vec<Option<String>>)| json!({"count": count, "names": names});
    let details: Value = json!({"connectors": listed(connectors), "pipelines": listed(pipelines)});
    Err(Error::conflict(message).field(field).details(details))
}

async fn owned(w: &mut Write, table: &str, column: &str, id: Uuid) -> Result<(i64, Vec<Option<String>>)> {
    let sql = Sql::new("select count(*) over (), t.name from ").text(table).text(" t where t.").text(column);
    let sql = sql.with(" = ", id).with(" order by t.name, t.id limit ", NAMES);
    let rows = w.rows(sql).await?;
    let count = rows.first().map_or(Ok(0), |row| row.try_get(0))?;
    Ok((count, rows.iter().map(|row| row.try_get(1)).collect::<Result<_, _>>()?))
}
