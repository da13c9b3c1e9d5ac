//! The catalogue of the reference (`catalogue/tables.txt`, `keys.txt`) against a live database, whose
//! facts `catalogue/query.sql` prints in the same words.

use std::collections::BTreeMap;

const TABLES: &str = include_str!("catalogue/tables.txt");
const KEYS: &str = include_str!("catalogue/keys.txt");

/// The facts of a file: its lines but for blank ones and remarks.
fn facts(text: &str) -> impl Iterator<Item = &str> {
    text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'))
}

/// What the catalogue and a live database do not have in common, a fact a line.
pub fn compare_catalogue(live: &[String]) -> Vec<String> {
    let mut surplus: BTreeMap<&str, i32> = BTreeMap::new();
    for fact in live {
        *surplus.entry(fact.trim()).or_default() += 1;
    }
    for fact in facts(TABLES).chain(facts(KEYS)) {
        *surplus.entry(fact).or_default() -= 1;
    }
    surplus
        .into_iter()
        .filter(|(_, count)| *count != 0)
        .map(|(fact, count)| format!("{}: {fact}", if count < 0 { "missing in the database" } else { "not in the catalogue" }))
        .collect()
}

/// A reference: `table.column` and the `table.column` it points at.
pub fn references() -> impl Iterator<Item = (String, String)> {
    facts(TABLES).filter_map(|fact| {
        let (left, right) = fact.split_once(" -> ").or_else(|| fact.split_once(" ~> "))?;
        let mut words = left.split(' ').skip(1);
        let (table, column) = (words.next()?, words.nth(1)?);
        Some((format!("{table}.{column}"), right.split(' ').next()?.to_owned()))
    })
}

/// Every column: its table, its name and whether it can be null.
pub fn tables() -> impl Iterator<Item = (String, String, bool)> {
    facts(TABLES).filter_map(|fact| {
        let mut words = fact.strip_prefix("column ")?.split(' ');
        let (table, column) = (words.next()?, words.nth(1)?);
        let definition = fact.split(" -> ").next()?.split(" ~> ").next()?;
        Some((table.to_owned(), column.to_owned(), !definition.ends_with("not null")))
    })
}

#[test]
fn differences_from_the_catalogue_are_named() {
    let mut live: Vec<String> = facts(TABLES).chain(facts(KEYS)).map(str::to_owned).collect();
    assert_eq!(compare_catalogue(&live), Vec::<String>::new());
    live[0] = "column env 1 id bigint not null".to_owned();
    assert_eq!(
        compare_catalogue(&live),
        ["not in the catalogue: column env 1 id bigint not null", "missing in the database: column env 1 id uuid not null"]
    );
}
