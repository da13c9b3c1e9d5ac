//! `q1` to `q3` from plain rows: edges to one are joined, those to many have a statement for each level, all of a request's
//! statements are sent at once, and the program writes the JSON.

use std::collections::HashMap;

use bench_load::Outcome;
use serde_json::Value;
use tokio_postgres::types::ToSql;
use tokio_postgres::{Client, Row, Statement};
use uuid::Uuid;

use super::json::Json;

const CONNECTOR: &str = "SELECT c.id, c.name, c.connector_type, c.way, w.state, w.last_heartbeat_at
  FROM connector c LEFT JOIN worker w ON w.connector_id = c.id WHERE c.id = $1";
const BOARD: &str =
    "SELECT p.id, p.name, p.version, p.is_completed, s.id, s.name, s.connector_type, sw.state, sw.reason, sw.last_heartbeat_at,
    t.id, t.name, t.connector_type, tw.state, tw.reason, tw.last_heartbeat_at, d.id, d.name, d.enabled
  FROM (SELECT * FROM pipeline WHERE env_id = $1 ORDER BY name, id LIMIT 100) p
  LEFT JOIN connector s ON s.id = p.source_connector_id LEFT JOIN worker sw ON sw.connector_id = s.id
  LEFT JOIN connector t ON t.id = p.target_connector_id LEFT JOIN worker tw ON tw.connector_id = t.id
  LEFT JOIN datamodel d ON d.id = p.datamodel_id ORDER BY p.name, p.id";
const BOARD_SUBSCRIPTIONS: &str = "SELECT p.id, s.name, s.target_table_name, s.enabled
  FROM (SELECT id FROM pipeline WHERE env_id = $1 ORDER BY name, id LIMIT 100) p,
  LATERAL (SELECT name, target_table_name, enabled FROM subscription WHERE pipeline_id = p.id ORDER BY name, id LIMIT 10) s";
const ENV: &str = "SELECT id, name FROM env WHERE id = $1";
const TEAMS: &str = "SELECT t.id, t.name, p.id, p.name FROM (SELECT id, name FROM team WHERE env_id = $1 ORDER BY name, id LIMIT 10) t
  LEFT JOIN LATERAL (SELECT id, name FROM pipeline WHERE team_id = t.id ORDER BY name, id LIMIT 10) p ON true
  ORDER BY t.name, t.id, p.name, p.id";
const TEAM_SUBSCRIPTIONS: &str = "SELECT p.id, s.id, s.name, c.id, c.name, w.state
  FROM (SELECT id FROM team WHERE env_id = $1 ORDER BY name, id LIMIT 10) t,
  LATERAL (SELECT id FROM pipeline WHERE team_id = t.id ORDER BY name, id LIMIT 10) p,
  LATERAL (SELECT id, name, target_connector_id FROM subscription WHERE pipeline_id = p.id ORDER BY name, id LIMIT 5) s
  LEFT JOIN connector c ON c.id = s.target_connector_id LEFT JOIN worker w ON w.connector_id = c.id";

/// The statements, prepared.
pub struct Statements {
    connector: Statement,
    board: [Statement; 2],
    env: [Statement; 3],
}

impl Statements {
    pub async fn prepare(client: &Client) -> Outcome<Self> {
        let of = |text| client.prepare(text);
        Ok(Self {
            connector: of(CONNECTOR).await?,
            board: [of(BOARD).await?, of(BOARD_SUBSCRIPTIONS).await?],
            env: [of(ENV).await?, of(TEAMS).await?, of(TEAM_SUBSCRIPTIONS).await?],
        })
    }
}

/// The answer, for those that are made here.
pub async fn answer(client: &Client, statements: &Statements, name: &str, variables: &Value) -> Outcome<Option<Vec<u8>>> {
    let id = |name: &str| variables[name].as_str().unwrap_or("").parse::<Uuid>();
    let mut out = Json(Vec::with_capacity(if name == "q1" { 512 } else { 131_072 }));
    match name {
        "q1" => connector(&mut out, &client.query_one(&statements.connector, &[&id("id")?]).await?),
        "q2" => {
            let (env, [board, subscriptions]) = (id("env")?, &statements.board);
            let of: [&(dyn ToSql + Sync); 1] = [&env];
            let (pipelines, subscriptions) = tokio::try_join!(client.query(board, &of), client.query(subscriptions, &of))?;
            self::board(&mut out, &pipelines, &subscriptions);
        }
        "q3" => {
            let (id, [env, teams, subscriptions]) = (id("env")?, &statements.env);
            let of: [&(dyn ToSql + Sync); 1] = [&id];
            let (env, teams, subscriptions) =
                tokio::try_join!(client.query_one(env, &of), client.query(teams, &of), client.query(subscriptions, &of))?;
            self::env(&mut out, &env, &teams, &subscriptions);
        }
        _ => return Ok(None),
    }
    Ok(Some(out.0))
}

/// The rows of each parent, whose id is their first column.
fn by_parent(rows: &[Row]) -> HashMap<Uuid, Vec<&Row>> {
    let mut of: HashMap<Uuid, Vec<&Row>> = HashMap::new();
    for row in rows {
        of.entry(row.get(0)).or_default().push(row);
    }
    of
}

fn connector(out: &mut Json, row: &Row) {
    out.raw("{\"data\":{\"connector\":{\"id\":").id(row.get(0)).raw(",\"name\":").text(row.get(1));
    out.raw(",\"connectorType\":").text(row.get(2)).raw(",\"way\":").text(row.get(3)).raw(",\"worker\":");
    match row.get::<_, Option<&str>>(4) {
        Some(state) => out.raw("{\"state\":").text(Some(state)).raw(",\"lastHeartbeatAt\":").time(row.get(5)).raw("}"),
        None => out.raw("null"),
    };
    out.raw("}}}");
}

fn board(out: &mut Json, pipelines: &[Row], subscriptions: &[Row]) {
    let of = by_parent(subscriptions);
    out.raw("{\"data\":{\"pipelines\":[");
    for row in pipelines {
        let id: Uuid = row.get(0);
        out.raw("{\"id\":").id(id).raw(",\"name\":").text(row.get(1)).raw(",\"version\":").number(row.get(2));
        out.raw(",\"isCompleted\":").flag(row.get(3));
        end(out.raw(",\"sourceConnector\":"), row, 4);
        end(out.raw(",\"targetConnector\":"), row, 10);
        match row.get::<_, Option<Uuid>>(16) {
            Some(id) => out
                .raw(",\"datamodel\":{\"id\":")
                .id(id)
                .raw(",\"name\":")
                .text(row.get(17))
                .raw(",\"enabled\":")
                .flag(row.get(18))
                .raw("}"),
            None => out.raw(",\"datamodel\":null"),
        };
        out.raw(",\"subscriptions\":[");
        for row in of.get(&id).into_iter().flatten() {
            out.raw("{\"name\":")
                .text(row.get(1))
                .raw(",\"targetTableName\":")
                .text(row.get(2))
                .raw(",\"enabled\":")
                .flag(row.get(3))
                .raw("},");
        }
        out.close("]},");
    }
    out.close("]}}");
}

/// One end of a pipeline, from this column on.
fn end(out: &mut Json, row: &Row, at: usize) {
    let Some(id) = row.get::<_, Option<Uuid>>(at) else {
        out.raw("null");
        return;
    };
    out.raw("{\"id\":").id(id).raw(",\"name\":").text(row.get(at + 1)).raw(",\"connectorType\":").text(row.get(at + 2)).raw(",\"worker\":");
    match row.get::<_, Option<&str>>(at + 3) {
        Some(state) => {
            out.raw("{\"state\":").text(Some(state)).raw(",\"reason\":").text(row.get(at + 4));
            out.raw(",\"lastHeartbeatAt\":").time(row.get(at + 5)).raw("}")
        }
        None => out.raw("null"),
    };
    out.raw("}");
}

fn env(out: &mut Json, env: &Row, teams: &[Row], subscriptions: &[Row]) {
    let of = by_parent(subscriptions);
    out.raw("{\"data\":{\"env\":{\"id\":").id(env.get(0)).raw(",\"name\":").text(env.get(1)).raw(",\"teams\":[");
    let mut last = None;
    for row in teams {
        let team: Uuid = row.get(0);
        if last != Some(team) {
            if last.is_some() {
                out.close("]},");
            }
            out.raw("{\"id\":").id(team).raw(",\"name\":").text(row.get(1)).raw(",\"pipelines\":[");
            last = Some(team);
        }
        let Some(pipeline) = row.get::<_, Option<Uuid>>(2) else { continue };
        out.raw("{\"id\":").id(pipeline).raw(",\"name\":").text(row.get(3)).raw(",\"subscriptions\":[");
        for row in of.get(&pipeline).into_iter().flatten() {
            subscription(out, row);
        }
        out.close("]},");
    }
    if last.is_some() {
        out.close("]}");
    }
    out.raw("]}}}");
}

fn subscription(out: &mut Json, row: &Row) {
    out.raw("{\"id\":").id(row.get(1)).raw(",\"name\":").text(row.get(2)).raw(",\"targetConnector\":");
    match row.get::<_, Option<Uuid>>(3) {
        Some(id) => {
            out.raw("{\"id\":").id(id).raw(",\"name\":").text(row.get(4)).raw(",\"worker\":");
            match row.get::<_, Option<&str>>(5) {
                Some(state) => out.raw("{\"state\":").text(Some(state)).raw("}"),
                None => out.raw("null"),
            };
            out.raw("}")
        }
        None => out.raw("null"),
    };
    out.raw("},");
}
