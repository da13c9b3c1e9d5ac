//! The shop arrives in the warehouse: two workers as processes, the real server between them.

use std::time::Duration;

use serde_json::json;
use sqlx::AssertSqlSafe;
use sqlx::postgres::PgPool;
use tokio::time::sleep;
use uuid::Uuid;

use pumphouse::demo::begin;

use super::{organisation, pool};
use crate::support::{Server, cluster};
use crate::worker::process::{Directory, Worker};

/// What is delivered: the rows of the shop, and those of the warehouse that must be the same.
const DELIVERED: [(&str, &str, &str, i64); 6] = [
    ("shop_stores", "table stores", "table shop_stores", 20),
    ("shop_products", "table products", "table shop_products", 500),
    ("shop_orders", "table orders", "table shop_orders", 60_000),
    ("shop_payments", "table payments", "table shop_payments", 60_000),
    ("shop_order_items", "table order_items", "table shop_order_items", 0),
    (
        "shop_customers",
        "select id, first_name, last_name, encode(sha256(convert_to(email, 'utf8')), 'hex'), encode(sha256(convert_to(phone, 'utf8')), 'hex'), city,
           country_code, marketing_consent, note, created_at, updated_at from customers",
        "table shop_customers",
        20_000,
    ),
];

/// Launches the worker of this connector.
async fn launch(server: &Server, connector: &str, directory: &Directory) -> Worker {
    let sql = "select w.id, w.launch_generation from worker w join connector c on c.id = w.connector_id where c.name = $1";
    let (worker, generation): (Uuid, Uuid) = sqlx::query_as(sql).bind(connector).fetch_one(&server.database.pool).await.unwrap();
    let token = server.worker(worker, generation).token.unwrap();
    Worker::launch_at((&server.url(""), &token), directory, &[])
}

/// How many rows there are, and a fingerprint of all of them.
async fn print(pool: &PgPool, rows: &str) -> (i64, String) {
    let sql = format!("select count(*), coalesce(md5(string_agg(t::text, ',' order by t::text collate \"C\")), '') from ({rows}) t");
    sqlx::query_as(AssertSqlSafe(sql)).fetch_one(pool).await.unwrap()
}

/// Waits until a question about the server's database is answered by this number.
async fn until(server: &Server, question: &str, wanted: i64, worker: &Worker) {
    let mut answer = None;
    for _ in 0..1200 {
        answer = sqlx::query_scalar::<_, Option<i64>>(AssertSqlSafe(question.to_owned())).fetch_one(&server.database.pool).await.unwrap();
        if answer == Some(wanted) {
            return;
        }
        sleep(Duration::from_millis(100)).await;
    }
    panic!("{question}: {answer:?}, not {wanted}; the log:\n{}", worker.log())
}

#[tokio::test(flavor = "multi_thread")]
async fn the_shop_arrives_in_the_warehouse_row_for_row() {
    let server = organisation().await;
    let root = server.superuser().await;
    begin(server.service.address(), root.token.as_deref().unwrap()).await.unwrap();
    let directory = Directory::new("shop");
    let (_source, target) = (launch(&server, "shop-postgres", &directory).await, launch(&server, "warehouse-postgres", &directory).await);
    let shop = pool(cluster().await.url("shop").parse().unwrap()).await;
    let warehouse = pool(cluster().await.url("warehouse").parse().unwrap()).await;
    for (subscription, source, delivered, rows) in DELIVERED {
        let (expected, fingerprint) = print(&shop, source).await;
        assert!(rows == 0 || rows == expected, "{subscription} has {expected} rows");
        let of = format!("from consumption_metric m join subscription s on s.id = m.subscription_id where s.name = '{subscription}'");
        until(&server, &format!("select sum(m.delivered_count)::bigint {of}"), expected, &target).await;
        assert_eq!(print(&warehouse, delivered).await, (expected, fingerprint), "{subscription}");
        until(&server, &format!("select sum(m.consumed_count)::bigint {of}"), expected, &target).await;
        until(&server, &format!("select sum(m.error_count)::bigint {of}"), 0, &target).await;
    }
    let produced = "select sum((m.events ->> 'r')::bigint)::bigint from production_metric m where m.topic = 'shop.public.orders'";
    until(&server, produced, 60_000, &target).await;
    let empty: i64 = sqlx::query_scalar("select count(*) from shop_customers_rejected").fetch_one(&warehouse).await.unwrap();
    assert_eq!(empty, 0);

    // A backfill that anybody may ask for makes good what somebody spoilt, and ends.
    sqlx::query("delete from shop_products where id % 2 = 0").execute(&warehouse).await.unwrap();
    let id: Uuid =
        sqlx::query_scalar("select id from subscription where name = 'shop_products'").fetch_one(&server.database.pool).await.unwrap();
    let input = json!({"pipelineSubscriptionId": id, "backfill": true});
    root.change("updatePipelineSubscription", input, "pipelineSubscription { backfill }").await.data();
    let standing = format!("select count(*) from subscription where id = '{id}' and backfill");
    until(&server, &standing, 0, &target).await;
    assert_eq!(print(&warehouse, "table shop_products").await, print(&shop, "table products").await);

    // What is enabled while the worker runs is delivered; what is paused is not.
    let id: Uuid =
        sqlx::query_scalar("select id from subscription where name = 'shop_countries'").fetch_one(&server.database.pool).await.unwrap();
    let input = json!({"pipelineSubscriptionId": id, "enabled": true});
    root.change("updatePipelineSubscription", input, "pipelineSubscription { id }").await.data();
    let delivered = format!("select sum(m.delivered_count)::bigint from consumption_metric m where m.subscription_id = '{id}'");
    until(&server, &delivered, 195, &target).await;
    assert_eq!(print(&warehouse, "table shop_countries").await, print(&shop, "table countries").await);
}
