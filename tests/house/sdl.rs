//! The served schema equals the committed `schema.graphql`; `UPDATE=1` rewrites the file.

use super::{path, sdl};

#[test]
fn the_schema_is_the_committed_one() {
    let file = path("schema.graphql");
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(&file, sdl()).unwrap();
    }
    let committed = std::fs::read_to_string(&file).unwrap_or_default();
    let served = sdl();
    let differs = served.lines().zip(committed.lines()).position(|(served, committed)| served != committed);
    assert!(
        served == committed,
        "schema.graphql differs from line {} on; run the tests with UPDATE=1 and look at the change",
        differs.unwrap_or_else(|| served.lines().count().min(committed.lines().count())) + 1
    );
}
