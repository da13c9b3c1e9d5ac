//! M05: a race that the database decides is an answer that names the field, whatever is made.
//!
//! Always holds: another writer has inserted the twin and not committed, so the mutation's own look finds nothing, it
//! waits at the key, and then loses.

use sqlx::AssertSqlSafe;
use uuid::Uuid;

use crate::support::{Stage, until_somebody_waits};

/// A mutation, the twin that another writer inserts first, and the field that is named. `<env>`, `<team>`, `<connector>`
/// and `<ada>`, who is a user and no member, are those of the stage.
const CLASHES: &[(&str, &str, &str)] = &[
    (
        "createConnector(input: {teamId: \"<team>\", name: \"dup\", connectorType: \"DATAGEN_SOURCE\", configuration: {template: \"users\"}}) { connector { id } }",
        "insert into connector (id, name, connector_type, json_configuration, way, team_id)
            values (gen_random_uuid(), 'dup', 'DATAGEN_SOURCE', '{}', 'SOURCE', '<team>')",
        "name",
    ),
    (
        "updateConnector(input: {connectorId: \"<connector>\", name: \"twin\"}) { connector { id } }",
        "insert into connector (id, name, connector_type, json_configuration, way, team_id)
            values (gen_random_uuid(), 'twin', 'DATAGEN_SOURCE', '{}', 'SOURCE', '<team>')",
        "name",
    ),
    (
        "createUser(input: {email: \"Eve@example.com\", password: \"as long as it has to be\"}) { user { id } }",
        "insert into \"user\" (id, email, is_active, is_superuser, is_verified, version) values (gen_random_uuid(), 'eve@example.com', true, false, true, 1)",
        "email",
    ),
    (
        "updateUser(input: {userId: \"<ada>\", email: \"eva@example.com\"}) { user { id } }",
        "insert into \"user\" (id, email, is_active, is_superuser, is_verified, version) values (gen_random_uuid(), 'eva@example.com', true, false, true, 1)",
        "email",
    ),
    (
        "startSync(input: {connectorId: \"<connector>\", tables: [{name: \"a\"}]}) { syncRun { id } }",
        "insert into sync_run (id, connector_id, status) values (gen_random_uuid(), '<connector>', 'SYNCING')",
        "connectorId",
    ),
    (
        "createTeam(input: {envId: \"<env>\", name: \"ops\"}) { team { id } }",
        "insert into team (id, name, env_id) values (gen_random_uuid(), 'ops', '<env>')",
        "name",
    ),
    (
        "updateTeam(input: {teamId: \"<team>\", name: \"sea\"}) { team { id } }",
        "insert into team (id, name, env_id) values (gen_random_uuid(), 'sea', '<env>')",
        "name",
    ),
    (
        "createPipeline(input: {teamId: \"<team>\", name: \"flow\"}) { pipeline { id } }",
        "insert into pipeline (id, name, json_configuration, version, team_id) values (gen_random_uuid(), 'flow', '{}', 1, '<team>')",
        "name",
    ),
    (
        "inviteToEnv(input: {envId: \"<env>\", email: \"ada@example.com\", role: MEMBER}) { email }",
        "insert into env_request (id, role, env_id, from_user_id, to_user_id, status)
            values (gen_random_uuid(), 'member', '<env>', '<ada>', '<ada>', 'PENDING')",
        "email",
    ),
    (
        "inviteToTeam(input: {teamId: \"<team>\", email: \"ada@example.com\"}) { email }",
        "insert into team_request (id, admin, team_id, from_user_id, to_user_id, status)
            values (gen_random_uuid(), false, '<team>', '<ada>', '<ada>', 'PENDING')",
        "email",
    ),
    (
        "setEnvMember(input: {envId: \"<env>\", userId: \"<ada>\", role: MEMBER}) { envMember { id } }",
        "insert into env_member (id, timestamp, role, user_id, env_id) values (gen_random_uuid(), now(), 'admin', '<ada>', '<env>')",
        "userId",
    ),
    (
        "setTeamMember(input: {teamId: \"<team>\", userId: \"<ada>\"}) { teamMember { id } }",
        "insert into team_member (id, timestamp, admin, user_id, team_id) values (gen_random_uuid(), now(), true, '<ada>', '<team>')",
        "userId",
    ),
];

fn filled(text: &str, stage: &Stage, ada: Uuid) -> String {
    [("<env>", stage.env), ("<team>", stage.team), ("<connector>", stage.connector), ("<ada>", ada)]
        .into_iter()
        .fold(text.to_owned(), |text, (name, id)| text.replace(name, &id.to_string()))
}

#[tokio::test]
async fn m05_a_lost_race_is_a_conflict_that_names_the_field() {
    let stage = Stage::open().await;
    let ada = stage.server.user("ada@example.com", false).await.id;
    for (mutation, twin, field) in CLASHES {
        let mut other = stage.world.pool.begin().await.expect("a transaction");
        sqlx::query(AssertSqlSafe(filled(twin, &stage, ada))).execute(&mut *other).await.expect("the twin");
        let document = format!("mutation {{ {} }}", filled(mutation, &stage, ada));
        let committing = async {
            until_somebody_waits(&stage.world.pool).await;
            other.commit().await.expect("the twin stays");
        };
        let (reply, ()) = tokio::join!(stage.root.ask(&document), committing);
        assert_eq!((reply.code(), reply.field()), ("CONFLICT", Some(*field)), "{mutation}: {reply:?}");
        assert!(!reply.0.to_string().contains("_key"), "{reply:?}");
    }
}
