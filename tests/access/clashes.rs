//! M05: a race that the database decides is an answer that names the field, whatever is made.
//!
//! Always holds: another writer has inserted the twin and not committed, so the mutation's own look finds nothing, it
//! waits at the key, and then loses.

use sqlx::AssertSqlSafe;

use crate::support::Stage;

/// A mutation, the twin that another writer inserts first, and the field that is named. `<env>`, `<team>`,
/// `<connector>` and `<root>` are those of the stage.
const CLASHES: &[(&str, &str, &str)] = &[(
    "startSync(input: {connectorId: \"<connector>\", tables: [{name: \"a\"}]}) { syncRun { id } }",
    "insert into sync_run (id, connector_id, status) values (gen_random_uuid(), '<connector>', 'SYNCING')",
    "connectorId",
)];

fn filled(text: &str, stage: &Stage) -> String {
    [("<env>", stage.env), ("<team>", stage.team), ("<connector>", stage.connector), ("<root>", stage.root.id)]
        .into_iter()
        .fold(text.to_owned(), |text, (name, id)| text.replace(name, &id.to_string()))
}

#[tokio::test]
async fn m05_a_lost_race_is_a_conflict_that_names_the_field() {
    let stage = Stage::open().await;
    for (mutation, twin, field) in CLASHES {
        let mut other = stage.world.pool.begin().await.expect("a transaction");
        sqlx::query(AssertSqlSafe(filled(twin, &stage))).execute(&mut *other).await.expect("the twin");
        let document = format!("mutation {{ {} }}", filled(mutation, &stage));
        let committing = async {
            let sql = "select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
            super::until("the mutation waits for its twin", || async {
                sqlx::query_scalar::<_, i64>(sql).fetch_one(&stage.world.pool).await.expect("a count") > 0
            })
            .await;
            other.commit().await.expect("the twin stays");
        };
        let (reply, ()) = tokio::join!(stage.root.ask(&document), committing);
        assert_eq!((reply.code(), reply.field()), ("CONFLICT", Some(*field)), "{mutation}: {reply:?}");
        assert!(!reply.0.to_string().contains("_key"), "{reply:?}");
    }
}
