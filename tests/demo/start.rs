//! The first start, and those after it.

use pumphouse::demo::begin;
use serde_json::{Value, json};

use super::organisation;
use crate::support::Server;

const STATES: &str = "{
  connectors(orderBy: {field: NAME, direction: ASC}) { nodes { name worker { state } } }
  syncRuns(first: 1) { totalCount nodes { id status triggeredByEmail syncTables { nodes { tableName approximateRowCount groupId } } } }
}";

async fn states(server: &Server) -> Value {
    server.with_token(&token(server).await).ask(STATES).await.data()
}

async fn token(server: &Server) -> String {
    let there: Option<uuid::Uuid> =
        sqlx::query_scalar("select id from \"user\" where is_superuser").fetch_optional(&server.database.pool).await.unwrap();
    match there {
        None => server.superuser().await.token.unwrap(),
        Some(id) => server.token_key.for_user(id, 0, None, chrono::Utc::now() + std::time::Duration::from_hours(1)).unwrap().text,
    }
}

#[tokio::test]
async fn workers_build_and_the_snapshot_begins_once() {
    let server = organisation().await;
    let token = token(&server).await;
    begin(server.service.address(), &token).await.unwrap();

    let first = states(&server).await;
    let building: Vec<&str> = first["connectors"]["nodes"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|connector| connector["worker"]["state"] == "BUILDING")
        .map(|connector| connector["name"].as_str().unwrap())
        .collect();
    assert_eq!(building, ["billing-postgres", "legacy-postgres", "shop-postgres", "warehouse-postgres"]);
    let run = &first["syncRuns"]["nodes"][0];
    assert_eq!((&run["status"], &run["triggeredByEmail"]), (&json!("SYNCING"), &json!("root@example.com")));
    let tables = run["syncTables"]["nodes"].as_array().unwrap();
    let names: Vec<&str> = tables.iter().map(|table| table["tableName"].as_str().unwrap().trim_start_matches("public.")).collect();
    assert_eq!(names, ["countries", "stores", "products", "promotions", "payroll", "customers", "orders", "payments", "order_items"]);
    let (large, small) = tables.split_last().unwrap();
    assert!(small.iter().all(|table| table["groupId"] == small[0]["groupId"] && !table["groupId"].is_null()), "{tables:?}");
    assert_eq!(large["groupId"], Value::Null);

    begin(server.service.address(), &token).await.unwrap();
    assert_eq!(states(&server).await["syncRuns"]["totalCount"], first["syncRuns"]["totalCount"]);
}

#[tokio::test]
async fn what_was_stopped_since_stays_stopped() {
    let server = organisation().await;
    let token = token(&server).await;
    begin(server.service.address(), &token).await.unwrap();
    let pool = &server.database.pool;
    sqlx::query("update worker set state = 'PAUSED'").execute(pool).await.unwrap();
    begin(server.service.address(), &token).await.unwrap();
    let running: i64 = sqlx::query_scalar("select count(*) from worker where state <> 'PAUSED'").fetch_one(pool).await.unwrap();
    assert_eq!(running, 0);
}

#[tokio::test]
async fn without_a_shop_nothing_begins_and_a_bad_token_is_told() {
    let server = Server::start().await;
    let token = token(&server).await;
    begin(server.service.address(), &token).await.unwrap();
    let error = begin(server.service.address(), "nonsense").await.unwrap_err().to_string();
    assert!(error.starts_with("the API refused to start the demo: "), "{error}");
}
