//! `pumphouse keys`: the keys of configurations from the shell.

use super::{Ended, KEY, ended};
use crate::support::{Database, Stage};

const OTHER: &str = "OTg3NjU0MzIxMDk4NzY1NDMyMTA5ODc2NTQzMjEwOTg=";

async fn keys(database: &Database, verb: &str, keys: Option<&str>) -> Ended {
    let mut variables = vec![("PUMPHOUSE_DATABASE_URL", database.url.as_str())];
    variables.extend(keys.map(|keys| ("PUMPHOUSE_ENCRYPTION_KEYS", keys)));
    ended(&["keys", verb], &variables).await
}

#[tokio::test]
async fn k07_the_shell_shows_which_keys_seal_and_rotates_them() {
    use base64::Engine as _;
    let stage = Stage::open().await;
    let database = stage.server.database.again().await;
    let test = base64::engine::general_purpose::STANDARD.encode([7_u8; 32]);
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
