//! The databases of the demo.

use std::time::{Duration, Instant};

use pumphouse::demo::{self, DatabaseAccess};
use sqlx::AssertSqlSafe;
use sqlx::postgres::{PgConnectOptions, PgPool};

use super::{databases, pool};
use crate::support::cluster;

const FILES: &str = "select relname::text, relfilenode::bigint from pg_class where relnamespace = 'public'::regnamespace order by 1";

async fn as_user(access: &DatabaseAccess, user: &str) -> PgPool {
    let options = PgConnectOptions::new_without_pgpass().socket(&access.host).port(access.port).database(access.database);
    pool(options.username(user).password(access.password)).await
}

async fn count(pool: &PgPool, table: &str) -> Result<i64, String> {
    let sql = AssertSqlSafe(format!("select count(*) from {table}"));
    sqlx::query_scalar(sql).fetch_one(pool).await.map_err(|error| error.as_database_error().unwrap().message().to_owned())
}

#[tokio::test]
async fn the_shop_is_made_once_and_quickly() {
    let databases = databases().await;
    println!("the shop took {:?}", databases.took);
    // 2 s on a quiet machine; the rest is for the other tests that run meanwhile.
    assert!(databases.took < Duration::from_secs(20), "{:?}", databases.took);

    let admin = pool(cluster().await.url("shop").parse().unwrap()).await;
    let before: Vec<(String, i64)> = sqlx::query_as(FILES).fetch_all(&admin).await.unwrap();
    let began = Instant::now();
    demo::shop(cluster().await).await.unwrap();
    demo::warehouse(cluster().await).await.unwrap();
    assert!(began.elapsed() < Duration::from_secs(3), "{:?}", began.elapsed());
    let after: Vec<(String, i64)> = sqlx::query_as(FILES).fetch_all(&admin).await.unwrap();
    assert_eq!(before, after);
    assert!(!before.is_empty());
}

#[tokio::test]
async fn the_reader_reads_all_but_the_payroll_and_the_biller_what_bills_are_made_of() {
    let shop = &databases().await.shop;
    assert_eq!((shop.database, shop.user), ("shop", "shop_reader"));
    let reader = as_user(shop, shop.user).await;
    assert_eq!(count(&reader, "orders").await, Ok(60_000));
    assert_eq!(count(&reader, "promotions").await, Ok(0));
    assert_eq!(count(&reader, "payroll").await, Err("permission denied for table payroll".to_owned()));
    let biller = as_user(shop, "billing_reader").await;
    assert_eq!(count(&biller, "payments").await, Ok(60_000));
    assert_eq!(count(&biller, "customers").await, Err("permission denied for table customers".to_owned()));
}

#[tokio::test]
async fn the_rows_hold_together_and_some_text_is_awkward() {
    let shop = &databases().await.shop;
    let reader = as_user(shop, shop.user).await;
    let wrong = "select count(*) from orders o where total <> (select sum(unit_price * quantity - discount) from order_items i where i.order_id = o.id)";
    assert_eq!(sqlx::query_scalar::<_, i64>(wrong).fetch_one(&reader).await.unwrap(), 0);
    let awkward = "select count(*) from orders where comment like E'%\\n%' and comment like '%,%' and comment like '%\"%'";
    assert!(sqlx::query_scalar::<_, i64>(awkward).fetch_one(&reader).await.unwrap() > 100);
}

#[tokio::test]
async fn the_writer_writes_into_the_warehouse() {
    let warehouse = &databases().await.warehouse;
    let writer = as_user(warehouse, warehouse.user).await;
    sqlx::raw_sql("create table public.landed (id bigint); create schema staging; create table staging.landed (id bigint)")
        .execute(&writer)
        .await
        .unwrap();
    assert_eq!(count(&writer, "staging.landed").await, Ok(0));
}
