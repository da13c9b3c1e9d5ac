//! The program itself: what it prints where, and how it ends.

use std::process::{Command, Output, Stdio};

fn pumphouse(arguments: &[&str], variables: &[(&str, &str)]) -> Output {
    let directory = std::env::temp_dir();
    Command::new(env!("CARGO_BIN_EXE_pumphouse"))
        .args(arguments)
        .env_clear()
        .envs(variables.iter().copied())
        .current_dir(directory)
        .stdin(Stdio::null())
        .output()
        .unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

#[test]
fn the_table_is_printed_also_when_a_setting_is_wrong() {
    let output = pumphouse(&["config", "--pool-size", "0"], &[("PUMPHOUSE_LISTEN", "0.0.0.0:80")]);
    assert_eq!(output.status.code(), Some(2));
    let table = text(&output.stdout);
    let listen = table.lines().find(|line| line.starts_with("listen")).unwrap();
    assert_eq!(listen.split_whitespace().collect::<Vec<_>>(), ["listen", "0.0.0.0:80", "environment", "PUMPHOUSE_LISTEN"]);
    assert_eq!(
        text(&output.stderr),
        "error: a setting is wrong\n  pool_size: \"0\" (flag --pool-size) will not do; it takes a whole number from 1 to 500\n"
    );
}

#[test]
fn the_schema_and_the_completions_are_all_there_is_on_standard_output() {
    let schema = pumphouse(&["schema"], &[]);
    assert!(schema.status.success() && schema.stderr.is_empty());
    assert!(text(&schema.stdout).contains("type Query") && text(&schema.stdout).ends_with("}\n"));
    for shell in ["bash", "zsh", "fish"] {
        let script = pumphouse(&["completions", shell], &[]);
        assert!(script.status.success() && text(&script.stdout).contains("database-url"), "{shell}");
    }
}

#[test]
fn migrate_says_what_it_lacks() {
    let output = pumphouse(&["migrate"], &[]);
    assert_eq!(output.status.code(), Some(2));
    let message = text(&output.stderr);
    assert!(message.contains("database_url: is not set; set the variable PUMPHOUSE_DATABASE_URL"), "{message}");
    let output = pumphouse(&["migrate", "--database-url", "postgres://nobody:hunter2@127.0.0.1:1/none", "--wait", "2"], &[]);
    assert_eq!(output.status.code(), Some(1));
    let message = text(&output.stderr);
    assert!(message.starts_with("error: PostgreSQL cannot be reached: ") && !message.contains("hunter2"), "{message}");
}

#[test]
fn the_long_help_names_every_setting() {
    let help = text(&pumphouse(&["config", "--help"], &[]).stdout);
    for setting in pumphouse::config::SETTINGS {
        assert!(help.contains(&format!("{} <", setting.flag())) && help.contains(&setting.variable()), "{}", setting.name);
    }
}
