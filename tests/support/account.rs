//! Service accounts, made and changed as clients do it.

use serde_json::{Value, json};
use uuid::Uuid;

use super::{Caller, Reply, Stage, id};

const CREATE: &str = "mutation($name: String!, $grants: [ServiceAccountGrantInput!]!) {
    createServiceAccount(input: {name: $name, grants: $grants}) { serviceAccount { id userId name } } }";
const SET: &str = "mutation($id: ID!, $grants: [ServiceAccountGrantInput!]!) {
    setServiceAccountGrants(input: {serviceAccountId: $id, grants: $grants}) { serviceAccount { id
        grants { role admin worker envId teamId env { name } team { name } } } } }";
const ISSUE: &str = "mutation($id: ID!, $name: String, $lifetime: Int!) {
    issueServiceAccountToken(input: {serviceAccountId: $id, name: $name, lifetime: $lifetime}) { accessToken expiresAt
        serviceAccountToken { id name createdAt expiresAt revokedAt } } }";
const REVOKE: &str = "mutation($id: ID!) {
    revokeServiceAccountToken(input: {tokenId: $id}) { serviceAccountToken { id revokedAt } } }";
const DELETE: &str = "mutation($id: ID!) { deleteServiceAccount(input: {serviceAccountId: $id}) { serviceAccount { id name } } }";

impl Caller {
    /// Asks for a service account with these grants.
    pub async fn create_account(&self, grants: Value) -> Reply {
        self.ask_with(CREATE, json!({"name": "robot", "grants": grants})).await
    }

    /// Makes a service account; answers its id.
    pub async fn new_account(&self, grants: Value) -> Uuid {
        id(&self.create_account(grants).await.data()["createServiceAccount"]["serviceAccount"]["id"])
    }

    /// Asks for other grants.
    pub async fn set_grants(&self, account: Uuid, grants: Value) -> Reply {
        self.ask_with(SET, json!({"id": account, "grants": grants})).await
    }

    /// Asks for a token that lives this long.
    pub async fn issue_token(&self, account: Uuid, lifetime: i32) -> Reply {
        self.ask_with(ISSUE, json!({"id": account, "name": "deploy", "lifetime": lifetime})).await
    }

    /// Asks to end a token.
    pub async fn revoke_token(&self, token: Uuid) -> Reply {
        self.ask_with(REVOKE, json!({"id": token})).await
    }

    /// Asks for the end of an account.
    pub async fn delete_account(&self, account: Uuid) -> Reply {
        self.ask_with(DELETE, json!({"id": account})).await
    }
}

impl Stage {
    /// A token of an account, as its bearer, with the token's id.
    pub async fn bearer(&self, manager: &Caller, account: Uuid) -> (Caller, Uuid) {
        let issued = manager.issue_token(account, 3600).await.data()["issueServiceAccountToken"].clone();
        (self.server.with_token(issued["accessToken"].as_str().expect("a token")), id(&issued["serviceAccountToken"]["id"]))
    }

    /// What must be the same after a refusal: accounts, users, grants, memberships, tokens and the log.
    pub async fn written(&self) -> String {
        let tables = [
            "service_account_user",
            "\"user\"",
            "env_member",
            "team_member",
            "pumphouse.service_account_grant",
            "pumphouse.service_account_token",
            "pumphouse.revoked_token",
            "user_log",
        ];
        let all = tables.map(|table| format!("(select coalesce(jsonb_agg(to_jsonb(t) order by to_jsonb(t)), '[]') from {table} t)"));
        let sql = sqlx::AssertSqlSafe(format!("select jsonb_build_array({})::text", all.join(", ")));
        sqlx::query_scalar(sql).fetch_one(&self.world.pool).await.expect("the tables")
    }

    /// The memberships that the grants of an account say, and those that its user has.
    pub async fn memberships(&self, account: Uuid) -> (Vec<String>, Vec<String>) {
        let said = "select coalesce(array_agg(m order by m), '{}') from (
            select env_id || ' ' || role as m from pumphouse.service_account_grant where service_account_id = $1 and env_id is not null
            union all select team_id || ' ' || admin from pumphouse.service_account_grant where service_account_id = $1 and team_id is not null) g";
        let had = "select coalesce(array_agg(m order by m), '{}') from (
            select env_id || ' ' || role as m from env_member join service_account_user a using (user_id) where a.id = $1
            union all select team_id || ' ' || coalesce(admin, false) from team_member join service_account_user a using (user_id) where a.id = $1) m";
        let pool = &self.world.pool;
        let said = sqlx::query_scalar(said).bind(account).fetch_one(pool).await.expect("grants");
        let had = sqlx::query_scalar(had).bind(account).fetch_one(pool).await.expect("memberships");
        (said, had)
    }
}
