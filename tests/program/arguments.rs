//! What the program is asked for: what it prints where, and which words and files it refuses.

use std::fs::{File, Permissions, set_permissions, write};
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};

use tokio::process::Command;

use super::running::PUMPHOUSE;
use super::{Program, Scratch, ended};

#[tokio::test]
async fn the_table_is_printed_also_when_a_setting_is_wrong() {
    let output = ended(&["config", "--pool-size", "0"], &[("PUMPHOUSE_LISTEN", "0.0.0.0:80")]).await;
    assert_eq!(output.code, Some(2));
    let listen = output.out.lines().find(|line| line.starts_with("listen")).unwrap();
    assert_eq!(listen.split_whitespace().collect::<Vec<_>>(), ["listen", "0.0.0.0:80", "environment", "PUMPHOUSE_LISTEN"]);
    assert_eq!(
        output.err,
        "error: a setting is wrong\n  pool_size: \"0\" (flag --pool-size) will not do; it takes a whole number from 1 to 500\n"
    );
}

#[tokio::test]
async fn the_schema_and_the_completions_are_all_there_is_on_standard_output() {
    let schema = ended(&["schema"], &[]).await;
    assert!(schema.done().contains("type Query") && schema.out.ends_with("}\n") && schema.err.is_empty());
    for shell in ["bash", "zsh", "fish"] {
        assert!(ended(&["completions", shell], &[]).await.done().contains("database-url"), "{shell}");
    }
}

#[tokio::test]
async fn the_long_help_names_every_setting() {
    let help = ended(&["config", "--help"], &[]).await.out;
    for setting in pumphouse::config::SETTINGS {
        assert!(help.contains(&format!("{} <", setting.flag())) && help.contains(&setting.variable()), "{}", setting.name);
    }
}

#[tokio::test]
async fn an_unknown_word_is_refused_with_the_nearest_that_would_do() {
    for (arguments, nearest) in [
        (&["sevre"][..], "'serve'"),
        (&["dev", "--lisen", "127.0.0.1:0"], "'--listen'"),
        (&["serve", "--databse-url=postgres://h/d"], "'--database-url'"),
        (&["users", "craete"], "'create'"),
        (&["users", "create", "--emial", "ada@example.com"], "'--email'"),
        (&["completions", "bsh"], "'bash'"),
    ] {
        let output = ended(arguments, &[]).await;
        let message = output.refused(2);
        assert!(message.contains("tip: ") && message.contains(nearest), "{arguments:?}: {message}");
    }
    for incomplete in [&[][..], &["users"], &["users", "create"], &["migrate", "--wait", "soon"]] {
        let output = ended(incomplete, &[]).await;
        assert_eq!((output.code, output.out.as_str()), (Some(2), ""), "{output:?}");
        assert!(output.err.contains("Usage: ") || output.err.contains("--help"), "{output:?}");
    }
}

#[tokio::test]
async fn a_settings_file_that_cannot_be_read_is_named_and_is_all_that_is_wrong() {
    let scratch = Scratch::new("settings");
    write(scratch.0.join("words.toml"), "listen = \"127.0.0.1:0\"\nthese are words\n").unwrap();
    write(scratch.0.join("bytes.toml"), b"listen = \"\xff\"\n").unwrap();
    for (name, problem) in [
        ("absent.toml", "cannot be read: No such file or directory (os error 2)"),
        (".", "cannot be read: Is a directory (os error 21)"),
        ("words.toml", "line 2 is not TOML: "),
        ("bytes.toml", "cannot be read: stream did not contain valid UTF-8"),
    ] {
        let path = scratch.path(name);
        for (arguments, variables) in [(&["serve", "--config", &path][..], &[][..]), (&["migrate"], &[("PUMPHOUSE_CONFIG", path.as_str())])]
        {
            let output = ended(arguments, variables).await;
            let expected = format!("error: a setting is wrong\n  {path}: {problem}");
            assert!(output.refused(2).starts_with(&expected), "{expected}\n{output:?}");
            assert_eq!(output.err.lines().count(), 2, "what the file would have set is not missed too: {output:?}");
        }
    }
}

#[tokio::test]
async fn a_settings_file_of_somebody_else_is_refused() {
    let scratch = Scratch::new("closed");
    let path = scratch.path("closed.toml");
    write(&path, "").unwrap();
    set_permissions(&path, Permissions::from_mode(0o000)).unwrap();
    let arguments = ["serve", "--config", &path];
    let program = if std::fs::metadata("/proc/self").unwrap().uid() == 0 {
        // Root reads everything. As an open file, since the other user may not reach the path of the program.
        let mut command = Command::new("setpriv");
        command.args(["--reuid=65534", "--regid=65534", "--clear-groups", "/proc/self/fd/0"]).args(arguments);
        command.stdin(File::open(PUMPHOUSE).unwrap());
        Program::run(command, "")
    } else {
        Program::start(&arguments, &[], "")
    };
    let expected = format!("error: a setting is wrong\n  {path}: cannot be read: Permission denied (os error 13)\n");
    assert_eq!(program.end().await.refused(2), expected);
}
