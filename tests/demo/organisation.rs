//! What is laid out: whole, valid, and once.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use sqlx::AssertSqlSafe;
use sqlx::postgres::PgPool;

use super::{databases, lay_out, organisation, pool};
use crate::support::cluster;

/// Every table of the database with a fingerprint of its rows.
async fn fingerprints(pool: &PgPool) -> BTreeMap<String, String> {
    let tables: Vec<String> = sqlx::query_scalar(
        "select format('%I.%I', schemaname, tablename) from pg_tables where schemaname in ('public', 'pumphouse') and tablename <> 'leader'",
    )
    .fetch_all(pool)
    .await
    .unwrap();
    let mut prints = BTreeMap::new();
    for table in tables {
        let sql = format!("select coalesce(md5(string_agg(t::text, ',' order by t::text)), '') from {table} t");
        prints.insert(table, sqlx::query_scalar(AssertSqlSafe(sql)).fetch_one(pool).await.unwrap());
    }
    prints
}

async fn number(pool: &PgPool, sql: &str) -> i64 {
    sqlx::query_scalar(AssertSqlSafe(sql.to_owned())).fetch_one(pool).await.unwrap()
}

#[tokio::test]
async fn a_second_time_nothing_changes() {
    let server = organisation().await;
    let before = fingerprints(&server.database.pool).await;
    assert!(!lay_out(&server, databases().await).await);
    assert_eq!(before, fingerprints(&server.database.pool).await);
}

#[tokio::test]
async fn what_is_laid_out_keeps_the_rules() {
    let server = organisation().await;
    let pool = &server.database.pool;
    for (rule, broken) in [
        ("a connector has one worker", "select count(*) from connector c where 1 <> (select count(*) from worker where connector_id = c.id)"),
        ("a worker is PAUSED", "select count(*) from worker where state <> 'PAUSED'"),
        (
            "a pipeline is completed exactly when it can be",
            "select count(*) from pipeline p where is_completed <> (source_connector_id is not null and target_connector_id is not null and exists (
               select from subscription s where s.pipeline_id = p.id and num_nulls(datamodel_id, target_connector_id, target_table_name) = 0))",
        ),
        (
            "what a pipeline names belongs to its team",
            "select count(*) from pipeline p join connector c on c.id in (source_connector_id, target_connector_id) where c.team_id <> p.team_id",
        ),
        (
            "what a delivery names belongs to its pipeline",
            "select count(*) from subscription s join pipeline p on p.id = s.pipeline_id join datamodel d on d.id = s.datamodel_id
               where (s.target_connector_id, d.source_connector_id) is distinct from (p.target_connector_id, p.source_connector_id)",
        ),
        ("a delivery reads as itself", "select count(*) from subscription where consumer_id <> id::text"),
        (
            "an env and a team has an admin",
            "select (select count(*) from env e where not exists (select from env_member where env_id = e.id and role = 'admin'))
                  + (select count(*) from team t where not exists (select from team_member where team_id = t.id and admin))",
        ),
        (
            "memberships of a service account are its grants",
            "select count(*) from service_account_user a join team_member m on m.user_id = a.user_id
               where not exists (select from pumphouse.service_account_grant g where g.service_account_id = a.id and g.team_id = m.team_id)",
        ),
        (
            "an ended run has ended tables and an end",
            "select count(*) from sync_run r where status = 'SYNCING' or not exists (select from pumphouse.sync_run_end where sync_run_id = r.id)
               or exists (select from sync_table where sync_run_id = r.id and (status in ('QUEUED', 'IN_PROGRESS') or finished_at is null))",
        ),
        ("a day's events are its sum", "select count(*) from production_metric_daily where total_events <> creates + updates + deletes + reads"),
        ("a day is over", "select count(*) from production_metric_daily where day >= (now() at time zone 'UTC')::date"),
        (
            "versions have no gap",
            "select count(*) from (select subject from schema_version group by subject having max(version) <> count(*)) gaps",
        ),
        ("every connector's making is audited", "select count(*) from connector c where not exists (select from pumphouse.audit_detail where entity_id = c.id)"),
        ("nothing was made in the future", "select count(*) from connector where created_at > now() - interval '20 days'"),
    ] {
        assert_eq!(number(pool, broken).await, 0, "{rule}");
    }
    assert_eq!(number(pool, "select count(distinct hashed_password) from \"user\"").await, 1);
    assert_eq!(number(pool, "select count(*) from user_log where user_type <> 'system'").await, 0);
    assert_eq!(number(pool, "select count(*) from pipeline where not is_completed").await, 1);
    assert_eq!(number(pool, "select count(distinct schema_id) from schema_version where subject like '%-key'").await, 1);
}

#[tokio::test]
async fn configurations_are_sealed_and_read_redacted() {
    let server = organisation().await;
    let root = server.superuser().await;
    let query = "{ connectors(filter: {nameIn: [\"shop-postgres\", \"clickstream-kafka\"]}, orderBy: {field: NAME, direction: ASC}) { nodes { jsonConfiguration } } envs { nodes { retentionConfiguration } } }";
    let answer = root.ask(query).await.data();
    let [kafka, shop] = [0, 1].map(|place| &answer["connectors"]["nodes"][place]["jsonConfiguration"]);
    let access = &databases().await.shop;
    assert_eq!(shop["host"], json!(access.host));
    assert_eq!((&shop["user"], &shop["password"]), (&json!("shop_reader"), &json!({"$secret": "stored"})));
    assert_eq!(kafka["saslPassword"], json!({"$secret": "env:PUMPHOUSE_SECRET_CLICKS"}));
    assert_eq!(answer["envs"]["nodes"][0]["retentionConfiguration"]["saslPassword"], json!({"$secret": "stored"}));
    assert!(!answer.to_string().contains(access.password));
}

#[tokio::test]
async fn datamodels_and_estimates_are_those_of_the_shop() {
    let server = organisation().await;
    let shop = pool(cluster().await.url("shop").parse().unwrap()).await;
    let models: Vec<Value> = sqlx::query_scalar(
        "select d.config from datamodel d join connector c on c.id = d.source_connector_id where c.name in ('shop-postgres', 'billing-postgres')",
    )
    .fetch_all(&server.database.pool)
    .await
    .unwrap();
    assert_eq!(models.len(), 9);
    for model in models {
        let real: Value = sqlx::query_scalar(
            "select json_agg(json_build_object('name', a.attname, 'type', regexp_replace(format_type(a.atttypid, a.atttypmod), '\\(.*\\)', ''),
               'key', a.attnum = any(coalesce(i.indkey::int2[], '{}')), 'nullable', not a.attnotnull) order by a.attnum)
             from pg_attribute a left join pg_index i on i.indrelid = a.attrelid and i.indisprimary
             where a.attrelid = $1::regclass and a.attnum > 0",
        )
        .bind(model["table"].as_str().unwrap())
        .fetch_one(&shop)
        .await
        .unwrap();
        assert_eq!(model["fields"], real, "{}", model["table"]);
    }
    let estimates: Vec<(String, i64)> =
        sqlx::query_as("select table_name, approximate_row_count from sync_table").fetch_all(&server.database.pool).await.unwrap();
    for (table, estimate) in estimates {
        let real = number(&shop, &format!("select reltuples::bigint from pg_class where oid = '{table}'::regclass")).await;
        assert!((real - estimate).abs() <= real / 100, "{table}: {estimate} for {real}");
    }
}

#[tokio::test]
async fn lists_and_history_are_not_empty() {
    let server = organisation().await;
    let root = server.superuser().await;
    let query = "{
      pipelines(filter: {name: \"orders-to-warehouse\"}) { nodes { isCompleted pipelineSubscriptions { totalCount nodes { consumptionMetricsDaily { totalCount } } } } }
      datamodels(filter: {sourceTopicIn: [\"shop.public.orders\"]}) { nodes { productionMetricsDaily { totalCount } } }
      syncRuns(orderBy: {field: CREATED_AT, direction: ASC}) { nodes { status outcome triggeredByEmail progress { percent tablesDone tablesTotal } } }
      schemaSubjects { nodes { name versionCount } }
      userLogs { totalCount }
    }";
    let answer = root.ask(query).await.data();
    assert_eq!(answer["datamodels"]["nodes"][0]["productionMetricsDaily"]["totalCount"], 30);
    let orders = &answer["pipelines"]["nodes"][0];
    assert_eq!((&orders["isCompleted"], &orders["pipelineSubscriptions"]["totalCount"]), (&json!(true), &json!(3)));
    assert_eq!(orders["pipelineSubscriptions"]["nodes"][0]["consumptionMetricsDaily"]["totalCount"], 30);
    let runs = answer["syncRuns"]["nodes"].as_array().unwrap();
    assert_eq!((&runs[0]["status"], &runs[0]["outcome"]), (&json!("DONE"), &json!("SUCCEEDED")));
    assert_eq!((&runs[1]["status"], &runs[1]["triggeredByEmail"]), (&json!("CANCELLED"), &json!("commerce-member@example.com")));
    assert_eq!(answer["schemaSubjects"]["nodes"].as_array().unwrap().len(), 7);
    assert!(answer["userLogs"]["totalCount"].as_i64().unwrap() > 30);
}
