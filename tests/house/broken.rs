//! What the database refuses, as clients are told of it: no raw text, no INTERNAL for what their input has done.

use std::collections::BTreeSet;

use pumphouse::core::constraint::KEYS;
use pumphouse::core::error::{Code, Error};
use pumphouse::core::sql::Sql;

use super::none;
use crate::support::{Server, World, database};

/// Unique keys that no input of a client can break, with the reason.
const SAFE: &[(&str, &str)] = &[
    ("team_id_env_id_key", "has the id in it"),
    ("invitation_env_id_email_key", "invitations by email are written by `on conflict`"),
    ("invitation_team_id_email_key", "as those to envs"),
    ("service_account_user_user_id_key", "the user is made in the same transaction"),
    ("worker_connector_id_key", "the connector is made in the same transaction"),
    ("schema_hash_key", "schemas are registered by `on conflict`"),
    ("schema_version_subject_version_key", "versions are counted under the lock of the subject"),
    ("sync_table_sync_run_id_table_name_key", "names are compared before, in a run of this transaction"),
    ("license_state_only_row", "reported by `on conflict`"),
    ("idempotency_record_endpoint_key_key", "written under the lock of the key"),
    ("service_account_grant_env_key", "grants are written under the lock of the account"),
    ("service_account_grant_team_key", "as those of envs"),
    ("worker_transition_id_key", "the id is made by the database"),
    ("sync_run_end_id_key", "as that of transitions"),
    ("production_metric_daily_topic_day_key", "written by the rollup"),
    ("consumption_metric_daily_subscription_id_day_key", "written by the rollup"),
];

#[tokio::test]
async fn every_unique_key_is_a_clients_with_a_field_or_argued_to_be_none() {
    let triggers = "select prosrc from pg_proc where pronamespace = 'pumphouse'::regnamespace and prosrc like '%constraint = %'";
    let triggers: Vec<String> = sqlx::query_scalar(triggers).fetch_all(&database().await.pool).await.expect("functions");
    let kept = |name: &str| triggers.iter().any(|body| body.contains(&format!("constraint = '{name}'")));
    let sql = "select i.relname::text from pg_index x join pg_class i on i.oid = x.indexrelid join pg_class t on t.oid = x.indrelid
        join pg_namespace n on n.oid = t.relnamespace
        where x.indisunique and not x.indisprimary and not t.relispartition and n.nspname in ('public', 'pumphouse')";
    let found: BTreeSet<String> = sqlx::query_scalar(sql).fetch_all(&database().await.pool).await.expect("keys").into_iter().collect();
    let mut wrong = Vec::new();
    for key in &found {
        let (named, safe) = (KEYS.iter().any(|(name, ..)| name == key), SAFE.iter().any(|(name, _)| name == key));
        match (named, safe) {
            (false, false) => wrong.push(format!("{key} is neither in core/constraint.rs nor argued to be safe here")),
            (true, true) => wrong.push(format!("{key} is in core/constraint.rs and argued to be safe")),
            _ => {}
        }
    }
    wrong.extend(
        KEYS.iter().filter(|(name, ..)| !found.contains(*name) && !kept(name)).map(|(name, ..)| format!("no key is called {name}")),
    );
    wrong.extend(SAFE.iter().filter(|(name, _)| !found.contains(*name)).map(|(name, _)| format!("no key is called {name}, argued here")));
    none(&wrong);
}

#[tokio::test]
async fn every_reference_is_named_after_its_table_and_columns() {
    let sql = "select format('%s %s %s', t.relname, c.conname,
            t.relname || '_' || (select string_agg(a.attname, '_' order by k.place) from unnest(c.conkey) with ordinality k(number, place)
                join pg_attribute a on a.attrelid = c.conrelid and a.attnum = k.number) || '_fkey')
        from pg_constraint c join pg_class t on t.oid = c.conrelid where c.contype = 'f' and c.conparentid = 0";
    let named: Vec<String> = sqlx::query_scalar(sql).fetch_all(&database().await.pool).await.expect("references");
    assert!(named.len() > 20);
    // The message of a broken one names the field after it.
    none(&named.into_iter().filter(|names| names.split(' ').nth(1) != names.split(' ').nth(2)).collect::<Vec<_>>());
}

async fn refusal(server: &Server, sql: &str) -> Error {
    server.service.db().rows(Sql::new(sql)).await.expect_err(sql)
}

#[tokio::test]
async fn what_cannot_be_stored_is_the_clients_to_mend() {
    let server = Server::start().await;
    let states = ["22001", "22003", "22007", "22008", "22021", "23514", "54000"].map(|state| (state, Code::Validation));
    let others = [
        ("40001", Code::Unavailable),
        ("40P01", Code::Unavailable),
        ("55P03", Code::Timeout),
        ("57014", Code::Timeout),
        ("57P01", Code::Unavailable),
        ("23505", Code::Conflict),
        ("XX000", Code::Internal),
        ("42P01", Code::Internal),
    ];
    for (state, code) in states.into_iter().chain(others) {
        let sql = format!("do $$ begin raise exception 'secret words' using errcode = '{state}', detail = 'and more'; end $$");
        let error = refusal(&server, &sql).await;
        assert_eq!(error.code(), code, "{state}");
        assert!(!error.message().contains("secret") && !error.message().contains("more"), "{error:?}");
    }
    for sql in [
        "insert into env (id, name, retention_configuration, config_hash) values (gen_random_uuid(), repeat('x', 100000), '{}', '')",
        "select 3000000000::bigint::integer",
        "select '2026-02-31'::timestamptz",
        "select '2026-01-01'::timestamptz + interval '999999 years'",
        "insert into sync_run (id, connector_id, status) values (gen_random_uuid(), gen_random_uuid(), 'NEVER')",
    ] {
        assert_eq!(refusal(&server, sql).await.code(), Code::Validation, "{sql}");
    }
    let mut sql = Sql::new("select ");
    sql.bind(std::time::Duration::MAX);
    assert_eq!(server.service.db().rows(sql).await.expect_err("no interval").code(), Code::Validation, "a value that cannot be sent");
}

#[tokio::test]
async fn a_broken_reference_names_what_is_missing_or_what_is_in_the_way() {
    let server = Server::start().await;
    let world = World::of(&server);
    let env = world.env("prod").await;
    let team = world.team(env, "core").await;
    let (connector, _) = world.source(team, "shop").await;
    let answer = |error: Error| {
        let error = async_graphql::Error::from(error);
        let extensions = serde_json::to_value(&error.extensions).expect("JSON");
        (extensions["code"].as_str().unwrap_or_default().to_owned(), extensions["field"].clone(), error.message)
    };
    for (sql, field) in [
        ("insert into team (id, name, env_id) values (gen_random_uuid(), 'x', gen_random_uuid())", "envId"),
        ("update worker set connector_id = gen_random_uuid()", "connectorId"),
        (
            "insert into pipeline (id, name, json_configuration, version, is_completed, team_id, source_connector_id) select gen_random_uuid(), 'x', '{}', 1, false, id, gen_random_uuid() from team",
            "sourceConnectorId",
        ),
        (
            "insert into env_request (id, role, env_id, from_user_id, to_user_id, status) select gen_random_uuid(), 'member', id, gen_random_uuid(), gen_random_uuid(), 'PENDING' from env",
            "fromUserId",
        ),
    ] {
        let (code, named, message) = answer(refusal(&server, sql).await);
        assert_eq!((code.as_str(), named), ("NOT_FOUND", field.into()), "{sql}: {message}");
    }
    let ada = server.user("ada@example.com", false).await;
    let request = "insert into env_request (id, role, env_id, from_user_id, to_user_id, status) values (gen_random_uuid(), 'member', $1, $2, $2, 'PENDING')";
    sqlx::query(request).bind(env).bind(ada.id).execute(&world.pool).await.expect("a request");
    for (sql, in_the_way) in [
        (format!("delete from \"user\" where id = '{}'", ada.id), "env request"),
        (format!("delete from team where id = '{team}'"), "connector"),
    ] {
        let (code, _, message) = answer(refusal(&server, &sql).await);
        assert_eq!(code, "CONFLICT", "{sql}: {message}");
        assert!(message.contains(in_the_way), "{message}");
        assert!(!message.contains(&connector.to_string()) && !message.contains("fkey"), "{message}");
    }
}
