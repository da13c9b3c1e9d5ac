//! What the tests of envs, teams and the control plane share.

use serde_json::{Value, json};
use sqlx::postgres::PgPool;
use uuid::Uuid;

use crate::support::{Caller, Reply, Server, World, until_somebody_waits};

/// A server with two envs, and a superuser.
pub struct Organisation {
    pub server: Server,
    pub world: World,
    pub root: Caller,
    pub north: Uuid,
    pub south: Uuid,
}

impl Organisation {
    pub async fn open() -> Self {
        let server = Server::start().await;
        let (root, world) = (server.superuser().await, World::of(&server));
        let (north, south) = (world.env("north").await, world.env("south").await);
        Self { server, world, root, north, south }
    }

    pub fn pool(&self) -> &PgPool {
        &self.world.pool
    }

    /// A new user with this role in these envs.
    pub async fn member(&self, email: &str, role: &str, envs: &[Uuid]) -> Caller {
        let caller = self.server.user(email, false).await;
        for env in envs {
            self.world.join_env(caller.id, *env, role).await;
        }
        caller
    }

    /// A new user who belongs to a team only.
    pub async fn team_member(&self, email: &str, team: Uuid, admin: bool) -> Caller {
        let caller = self.server.user(email, false).await;
        self.world.join_team(caller.id, team, admin).await;
        caller
    }

    /// The one value of a statement about a row; NULL is null.
    pub async fn value(&self, sql: &'static str, id: Uuid) -> Value {
        sqlx::query_scalar::<_, Option<Value>>(sql).bind(id).fetch_one(self.pool()).await.expect("a value").unwrap_or_default()
    }

    /// Returns once a statement waits for a lock.
    pub async fn until_somebody_waits(&self) {
        until_somebody_waits(self.pool()).await;
    }

    /// Everything that a refusal must leave as it is.
    pub async fn everything(&self) -> Value {
        let sql = "select jsonb_build_array(
            (select jsonb_agg(e order by id) from env e), (select jsonb_agg(t order by id) from team t),
            (select jsonb_agg(c order by id) from connector c), (select jsonb_agg(p order by id) from pipeline p),
            (select jsonb_agg(m order by id) from team_member m), (select count(*) from user_log))";
        sqlx::query_scalar(sql).fetch_one(self.pool()).await.expect("everything")
    }

    /// The audit log, oldest first: verb, kind, name, whether it has the team and the env, changed fields.
    pub async fn log(&self) -> Vec<Value> {
        let sql = "select jsonb_build_array(l.action, d.entity_type, d.entity_name, d.team_id is not null, d.env_id is not null, d.changed_fields)
            from user_log l join pumphouse.audit_detail d on d.user_log_id = l.id order by l.timestamp";
        sqlx::query_scalar(sql).fetch_all(self.pool()).await.expect("the log")
    }
}

/// A mutation with this input, answering what is selected.
pub async fn mutate(caller: &Caller, verb: &str, selection: &str, input: Value) -> Reply {
    let (first, rest) = verb.split_at(1);
    let kind = first.to_uppercase() + rest;
    caller.ask_with(&format!("mutation($input: {kind}Input!) {{ {verb}(input: $input) {{ {selection} }} }}"), json!({"input": input})).await
}

/// The text of a name that breaks the rule for names, each.
pub fn bad_names() -> Vec<String> {
    vec![String::new(), "  \t ".to_owned(), "a\u{0}b".to_owned(), "a\nb".to_owned(), "x".repeat(101)]
}
