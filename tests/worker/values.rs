//! What arrives is what was read, to the last letter.

use serde_json::json;

use super::line::{Line, subscription};

/// A column of every kind that is easily spoilt on the way, and rows of what spoils them.
const ORDERS: &str = "
    create type mood as enum ('fine', 'so, so'); create domain short as varchar(9) check (value <> 'no');
    create table public.orders (
      \"Id\" bigint generated always as identity primary key, \"say \"\"hi\"\"\" text, v varchar(20), c char(5), n numeric, m numeric(20,4), d double precision,
      r real, b boolean, y bytea, j json, k jsonb, ts timestamp, tz timestamptz, da date, ti time(3), tt timetz, iv interval, u uuid, ip inet,
      a int[], at text[], bi bit(5), vb bit varying, mo mood, sh short, ra int4range, x xml, q \"char\", o oid, nm name, mn money, pt point,
      twice bigint generated always as (\"Id\" * 2) stored);
    alter table public.orders drop column ti;
    insert into public.orders (\"say \"\"hi\"\"\", v, c, n, m, d, r, b, y, j, k, ts, tz, da, tt, iv, u, ip, a, at, bi, vb, mo, sh, ra, x, q, o, nm, mn, pt) values
      ('', '', '', 0, 0, '0', '0', false, '', '{}', '{}', '-infinity', 'infinity', '4713-01-01 BC', '00:00+14', '0', gen_random_uuid(), '::1', '{}', '{}',
       '00000', '', 'fine', '', 'empty', '', '', 0, '', '0', '(0,0)'),
      (E'a\\nb\\r\\n\"c\",\\\\.\\t''', E'\\\\.', 'ab   ', 123456789012345678901234567890.12345678901234567890, -1234567890123456.7891, 'NaN', '-Infinity', true,
       decode('00ff22275c0a0d', 'hex'), '{\"b\" : 1,  \"a\": [1.10, 12345678901234567890.123456789]}', '{\"a\": 1.10, \"b\": \"\\u00e9\"}',
       '2026-02-28 23:59:59.999999', '1883-11-18 12:03:57+00', '5874897-12-31', '23:59:59.999999-15:59', '-1 year 2 mons -3 days +04:05:06.789',
       gen_random_uuid(), '10.0.0.0/8', '{{1,NULL},{3,4}}', E'{NULL,\"\",\"a,b\",\"\\\\\"\",\"NULL\"}', '10101', '1', 'so, so', 'änderung',
       '(,5)', '<a>&amp;</a>', E'\\\\', 4294967295, 'name', '-12.34', '(1e308,-0)'),
      (E'\\u00e9\\u4e2d\\U0001F600', 'NULL', 'x', 1e-30, null, '0.1', '1.17549435e-38', null, '', 'null', '\"\"', null, null, null, null, null, null, null, '{NULL}', null,
       null, '', null, null, null, null, null, null, null, null, null);
    insert into public.orders default values";

#[tokio::test(flavor = "multi_thread")]
async fn every_value_arrives_as_it_was() {
    let mut line = Line::new("values", ORDERS).await;
    line.snapshot().await;
    line.delivered().await;
    line.assert_same().await;
    let kinds = |table: &str| {
        format!(
            "select attname, format_type(atttypid, atttypmod), attnotnull, attnum = any(coalesce(conkey, '{{}}')) from pg_attribute
             left join pg_constraint on conrelid = attrelid and contype = 'p' where attrelid = '{table}'::regclass and attnum > 0 and not attisdropped"
        )
    };
    let expected: Vec<String> = Line::rows(&line.source, &kinds("public.orders"))
        .await
        .into_iter()
        .map(|line| line.replace(",mood,", ",text,").replace(",short,", ",\"character varying(9)\","))
        .collect();
    assert_eq!(Line::rows(&line.target, &kinds("delivered")).await, expected);
    assert_eq!(line.target_api.consumption(), [4, 4, 0]);
    assert_eq!(line.target_api.lag(), Some(0));
}

/// What no transform touches goes through them as it was; what is made has a type of its own.
#[tokio::test(flavor = "multi_thread")]
async fn what_transforms_leave_alone_arrives_as_it_was() {
    let mut line = Line::idle("untouched", ORDERS, "select 1").await;
    line.target_api.deliver(&json!([subscription(&json!({"transforms": [{"type": "key_filter", "exclude": ["nothing"]}]}))]));
    line.snapshot().await;
    line.delivered().await;
    line.assert_same().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn transforms_decide_what_arrives() {
    let orders = "create table public.orders (id int primary key, email varchar(20), total numeric(8,2), doc jsonb);
        insert into public.orders select g, 'a' || g || '@example.org', g + 0.50, case when g % 2 = 0 then '{\"tags\": [1, 2]}' end::jsonb
          from generate_series(1, 100) g";
    let mut line = Line::idle("transforms", orders, "select 1").await;
    let transforms = json!([
        {"type": "filter", "where": {"field": "id", "op": "le", "value": 40}},
        {"type": "hash", "fields": ["email"]},
        {"type": "flattener", "separator": "_"},
    ]);
    line.target_api.deliver(&json!([subscription(&json!({"transforms": transforms}))]));
    line.snapshot().await;
    line.delivered().await;
    assert_eq!(line.target_api.consumption(), [100, 40, 0]);
    let of_source = "select id, encode(sha256(convert_to(email, 'utf8')), 'hex'), total from public.orders where id <= 40";
    assert_eq!(
        Line::rows(&line.target, "select id, email, total from delivered").await,
        Line::rows(&line.source, of_source).await,
        "{}",
        line.target_worker.log()
    );
    let kinds = "select attname, format_type(atttypid, atttypmod) from pg_attribute where attrelid = 'delivered'::regclass and attnum > 0 and attnum < 4";
    assert_eq!(Line::rows(&line.target, kinds).await, ["(email,text)", "(id,integer)", "(total,\"numeric(8,2)\")"]);
}
