//! `pumphouse keys`: the keys of configurations from the shell.

use super::{Ended, KEY, Program, ended};
use crate::support::{Database, Stage};

const OTHER: &str = "OTg3NjU0MzIxMDk4NzY1NDMyMTA5ODc2NTQzMjEwOTg=";

async fn keys(database: &Database, verb: &str, keys: Option<&str>) -> Ended {
    let mut variables = vec![("PUMPHOUSE_DATABASE_URL", database.url.as_str())];
    variables.extend(keys.map(|keys| ("PUMPHOUSE_ENCRYPTION_KEYS", keys)));
    ended(&["keys", verb], &variables).await
}

/// A server's database, and the key that has sealed it, under the id `test`.
async fn sealed() -> (Stage, Database, String) {
    use base64::Engine as _;
    let stage = Stage::open().await;
    let database = stage.server.database.again().await;
    (stage, database, base64::engine::general_purpose::STANDARD.encode([7_u8; 32]))
}

#[tokio::test]
async fn k07_the_shell_shows_which_keys_seal_and_rotates_them() {
    let (_stage, database, test) = sealed().await;
    let both = format!("k2:{KEY},test:{test}");
    assert_eq!(keys(&database, "status", None).await.done(), "KEY\tSEALS\tHERE\ntest\t2\tno keys given\n");
    assert_eq!(keys(&database, "status", Some(&format!("k2:{KEY}"))).await.done(), "KEY\tSEALS\tHERE\ntest\t2\tmissing\n");
    let missing = keys(&database, "rotate", None).await;
    assert!(missing.refused(2).contains("encryption_keys"), "{missing:?}");

    let wrong = keys(&database, "rotate", Some(&format!("k2:{KEY},test:{OTHER}"))).await;
    assert_eq!((wrong.code, wrong.out.as_str()), (Some(1), "sealed 0 configurations with key k2\n"));
    assert!(wrong.err.contains("2 configurations do not open with these keys") && wrong.err.contains("sealed with key test"), "{wrong:?}");
    assert!(!wrong.err.contains(OTHER) && !wrong.err.contains(KEY), "{wrong:?}");

    assert_eq!(keys(&database, "rotate", Some(&both)).await.done(), "sealed 2 configurations with key k2\n");
    assert_eq!(keys(&database, "rotate", Some(&both)).await.done(), "sealed 0 configurations with key k2\n");
    assert_eq!(keys(&database, "status", Some(&both)).await.done(), "KEY\tSEALS\tHERE\nk2\t2\tseals and opens\n");
    let help = ended(&["keys", "--help"], &[]).await;
    assert!(help.done().contains("pumphouse keys rotate"), "{help:?}");
}

#[tokio::test]
async fn k07_another_key_under_the_same_id_is_told_and_seals_nothing() {
    let (_stage, database, test) = sealed().await;
    let wrong = format!("test:{OTHER}");
    assert_eq!(keys(&database, "status", Some(&wrong)).await.done(), "KEY\tSEALS\tHERE\ntest\t2\tdoes not open: another key\n");
    let rotated = keys(&database, "rotate", Some(&wrong)).await;
    assert!(rotated.refused(1).contains("encryption key test does not open what was sealed with a key of that id"), "{rotated:?}");
    let token_key = super::KEY;
    let serve = |keys: &str| {
        let variables =
            [("PUMPHOUSE_DATABASE_URL", database.url.as_str()), ("PUMPHOUSE_ENCRYPTION_KEYS", keys), ("PUMPHOUSE_TOKEN_KEY", token_key)];
        Program::start(&["serve", "--listen", "127.0.0.1:0"], &variables, "")
    };
    let refused = serve(&wrong).end().await;
    assert!(refused.refused(2).contains("check PUMPHOUSE_ENCRYPTION_KEYS"), "{refused:?}");
    assert!(!refused.err.contains(OTHER), "{refused:?}");

    // A key that only opens spoils nothing: what needs it says so. Nor does one row that was spoilt.
    let mut behind = serve(&format!("k2:{KEY},{wrong}"));
    behind.err.line("this encryption key does not open").await;
    behind.err.line("serving on").await;
    behind.signal("TERM");
    assert_eq!(behind.end().await.code, Some(0));
    sqlx::query("update connector set json_configuration = (select retention_configuration from env limit 1)")
        .execute(&database.pool)
        .await
        .unwrap();
    let mut spoilt = serve(&format!("test:{test}"));
    spoilt.err.line("some of what was sealed").await;
    spoilt.err.line("serving on").await;
    spoilt.signal("TERM");
    assert_eq!(spoilt.end().await.code, Some(0));
}
