//! A small city for tests to live in: rows written as another writer of the database would.

use pumphouse::core::secret::KeyRing;
use pumphouse::core::viewers::Viewers;
use serde_json::{Value, json};
use sqlx::postgres::PgPool;
use uuid::Uuid;

/// Writes rows.
pub struct World {
    pub pool: PgPool,
    pub keys: KeyRing,
    viewers: Viewers,
}

impl World {
    /// Writes into the database of this server.
    pub fn of(server: &super::Server) -> Self {
        Self { pool: server.database.pool.clone(), keys: server.keys.clone(), viewers: server.service.viewers().clone() }
    }

    /// Changes rights by this statement, with the user as `$1`. The server knows at once, where it would hear of it in
    /// some milliseconds: how soon that is, `access/viewers.rs` tests.
    pub async fn change_rights(&self, sql: &'static str, user: Uuid) {
        sqlx::query(sql).bind(user).execute(&self.pool).await.expect("a change of rights");
        self.viewers.forget();
    }

    /// An env.
    pub async fn env(&self, name: &str) -> Uuid {
        let id = Uuid::new_v4();
        let sealed = self.keys.seal(id, "{\"brokers\": \"kafka:9092\"}").expect("seal");
        sqlx::query("insert into env (id, name, retention_configuration, config_hash) values ($1, $2, $3::json, repeat('0', 64))")
            .bind(id)
            .bind(name)
            .bind(sealed)
            .execute(&self.pool)
            .await
            .expect("an env");
        id
    }

    /// A team of an env.
    pub async fn team(&self, env: Uuid, name: &str) -> Uuid {
        let id = Uuid::new_v4();
        sqlx::query("insert into team (id, name, env_id) values ($1, $2, $3)")
            .bind(id)
            .bind(name)
            .bind(env)
            .execute(&self.pool)
            .await
            .expect("a team");
        id
    }

    /// Makes a user a member of an env.
    pub async fn join_env(&self, user: Uuid, env: Uuid, role: &str) {
        sqlx::query("insert into env_member (id, timestamp, role, user_id, env_id) values ($1, now(), $2, $3, $4)")
            .bind(Uuid::new_v4())
            .bind(role)
            .bind(user)
            .bind(env)
            .execute(&self.pool)
            .await
            .expect("a member");
        self.viewers.forget();
    }

    /// Makes a user a member of a team.
    pub async fn join_team(&self, user: Uuid, team: Uuid, admin: bool) {
        sqlx::query("insert into team_member (id, timestamp, admin, user_id, team_id) values ($1, now(), $2, $3, $4)")
            .bind(Uuid::new_v4())
            .bind(admin)
            .bind(user)
            .bind(team)
            .execute(&self.pool)
            .await
            .expect("a member");
        self.viewers.forget();
    }

    /// A PostgreSQL source of a team, with its worker.
    pub async fn source(&self, team: Uuid, name: &str) -> (Uuid, Uuid) {
        self.connector(team, name, "POSTGRES_SOURCE", "SOURCE", &json!({"host": "db.example.org", "password": "hunter2"})).await
    }

    /// A PostgreSQL target of a team, with its worker.
    pub async fn target(&self, team: Uuid, name: &str) -> (Uuid, Uuid) {
        self.connector(team, name, "POSTGRES_TARGET", "TARGET", &json!({"host": "dwh.example.org", "password": "hunter3"})).await
    }

    /// A connector and its worker, which is PAUSED.
    pub async fn connector(&self, team: Uuid, name: &str, kind: &str, way: &str, configuration: &Value) -> (Uuid, Uuid) {
        let (id, worker) = (Uuid::new_v4(), Uuid::new_v4());
        let sealed = self.keys.seal(id, &configuration.to_string()).expect("seal");
        sqlx::query(
            "insert into connector (id, name, connector_type, json_configuration, way, team_id) values ($1, $2, $3, $4::json, $5, $6)",
        )
        .bind(id)
        .bind(name)
        .bind(kind)
        .bind(sealed)
        .bind(way)
        .bind(team)
        .execute(&self.pool)
        .await
        .expect("a connector");
        sqlx::query("insert into worker (id, state, connector_id, launch_generation) values ($1, 'PAUSED', $2, $3)")
            .bind(worker)
            .bind(id)
            .bind(Uuid::new_v4())
            .execute(&self.pool)
            .await
            .expect("a worker");
        (id, worker)
    }

    /// A datamodel of a source.
    pub async fn datamodel(&self, source: Uuid, name: &str) -> Uuid {
        let id = Uuid::new_v4();
        sqlx::query(
            "insert into datamodel (id, name, config, source_connector_id, source_topic, enabled) values ($1, $2, '{}', $3, $4, true)",
        )
        .bind(id)
        .bind(name)
        .bind(source)
        .bind(format!("topic.{name}"))
        .execute(&self.pool)
        .await
        .expect("a datamodel");
        id
    }

    /// A pipeline of a team.
    pub async fn pipeline(&self, team: Uuid, name: &str, source: Uuid, target: Uuid, datamodel: Uuid) -> Uuid {
        let id = Uuid::new_v4();
        sqlx::query("insert into pipeline (id, name, json_configuration, version, is_completed, team_id, source_connector_id, target_connector_id, datamodel_id) values ($1, $2, '{}', 1, true, $3, $4, $5, $6)")
            .bind(id).bind(name).bind(team).bind(source).bind(target).bind(datamodel).execute(&self.pool).await.expect("a pipeline");
        id
    }

    /// The present generation of a worker.
    pub async fn generation(&self, worker: Uuid) -> Uuid {
        sqlx::query_scalar("select launch_generation from worker where id = $1").bind(worker).fetch_one(&self.pool).await.expect("a worker")
    }
}
