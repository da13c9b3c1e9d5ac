//! The settings, as an operator meets them: which source wins, what is refused, what is hidden.

use std::ffi::OsString;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use pumphouse::config::{
    Config, Environment, Flags, Gathered, Introspection, Launcher, Mistakes, Purpose, SETTINGS, kept, reference_markdown, table,
};

/// A directory that goes away with the test.
struct Directory(PathBuf);

impl Directory {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("pumphouse-config-{}-{name}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }
    fn write(&self, name: &str, text: &str) -> &Self {
        fs::write(self.0.join(name), text).unwrap();
        self
    }
}

impl Drop for Directory {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

const NOWHERE: &str = "/nonexistent";
const KEY: &str = "MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=";

fn environment(pairs: &[(&str, &str)]) -> Environment {
    Environment::from_pairs(pairs.iter().map(|(name, value)| ((*name).to_owned(), OsString::from(value))))
}

fn flags(pairs: &[(&'static str, &str)]) -> Flags {
    Flags { file: None, values: pairs.iter().map(|(name, value)| (*name, (*value).to_owned())).collect() }
}

fn load(directory: &Path, variables: &[(&str, &str)], given: &[(&'static str, &str)], purpose: Purpose) -> Result<Config, Mistakes> {
    Gathered::new(&flags(given), &environment(variables), directory).config(purpose)
}

/// What is wrong with these variables, a line each.
fn wrong(variables: &[(&str, &str)], purpose: Purpose) -> Vec<String> {
    let mistakes = load(Path::new(NOWHERE), variables, &[], purpose).err().map(|mistakes| mistakes.0).unwrap_or_default();
    mistakes.iter().map(ToString::to_string).collect()
}

#[test]
fn every_default_keeps_its_own_rules() {
    for purpose in [Purpose::Dev, Purpose::Show] {
        let config = load(Path::new(NOWHERE), &[], &[], purpose).unwrap_or_else(|mistakes| panic!("{mistakes}"));
        assert_eq!(config.server.listen.to_string(), "127.0.0.1:8080");
        assert_eq!(config.storage.segments(), Path::new(".pumphouse/segments"));
        assert_eq!(config.server.request_body_limit, 2 << 20);
        assert_eq!(config.workers.stop_timeout, Duration::from_mins(2));
        assert_eq!(config.workers.launcher, if purpose == Purpose::Dev { Launcher::Process } else { Launcher::External });
    }
}

#[test]
fn a_flag_wins_over_a_variable_over_the_file_over_the_default() {
    let directory = Directory::new("precedence");
    directory.write("pumphouse.toml", "pool_size = 31\nlock_timeout = \"1s\"\nplayground = false\nsync_group_size = 3\n");
    let variables = [("PUMPHOUSE_POOL_SIZE", "32"), ("PUMPHOUSE_LOCK_TIMEOUT", "2s"), ("PUMPHOUSE_SYNC_GROUP_SIZE", "")];
    let gathered = Gathered::new(&flags(&[("pool_size", "33")]), &environment(&variables), &directory.0);
    let config = gathered.config(Purpose::Show).unwrap_or_else(|mistakes| panic!("{mistakes}"));
    assert_eq!(config.database.pool_size, 33);
    assert_eq!(config.database.lock_timeout, Duration::from_secs(2));
    assert!(!config.server.playground && config.server.introspection == Introspection::On);
    assert_eq!(config.syncs.sync_group_size, 3, "an empty variable is not set");

    let rows = gathered.present(Purpose::Show);
    let row = |name: &str| rows.iter().find(|row| row.name == name).map(|row| format!("{} from {}", row.shown, row.origin)).unwrap();
    assert_eq!(row("pool_size"), "33 from flag --pool-size");
    assert_eq!(row("lock_timeout"), "2s from environment PUMPHOUSE_LOCK_TIMEOUT");
    assert_eq!(row("playground"), "false from pumphouse.toml");
    assert_eq!(row("listen"), "127.0.0.1:8080 from default");
}

#[test]
fn all_mistakes_come_at_once_each_with_its_place_and_what_would_do() {
    let directory = Directory::new("mistakes");
    directory.write("pumphouse.toml", "pool_size = 0\nheartbeat_limit = 90\npol_size = 3\nlisten = [\"a\"]\n");
    let variables = [("PUMPHOUSE_LISTEN", "8080"), ("PUMPHOUSE_LOGLEVEL", "debug"), ("PUMPHOUSE_LAUNCHER", "docker")];
    let mistakes = load(&directory.0, &variables, &[("request_body_limit", "1 TB")], Purpose::Serve).err().unwrap();
    let lines: Vec<String> = mistakes.0.iter().map(ToString::to_string).collect();
    for expected in [
        "pool_size: \"0\" (pumphouse.toml) will not do; it takes a whole number from 1 to 500",
        "heartbeat_limit: \"90\" (pumphouse.toml) will not do; it takes a duration from 500ms to 1h",
        "pol_size: no such setting (pumphouse.toml); did you mean pool_size?",
        "listen: \"8080\" (environment PUMPHOUSE_LISTEN) will not do; it takes an IP address and a port, such as `127.0.0.1:8080`, `0.0.0.0:8080` or `[::]:8080`",
        "listen: a TOML array (pumphouse.toml) will not do; it takes an IP address and a port, such as `127.0.0.1:8080`, `0.0.0.0:8080` or `[::]:8080`",
        "PUMPHOUSE_LOGLEVEL: no such setting (environment PUMPHOUSE_LOGLEVEL); did you mean PUMPHOUSE_LOG_LEVEL?",
        "launcher: \"docker\" (environment PUMPHOUSE_LAUNCHER) will not do; it takes `external` or `process`",
        "request_body_limit: \"1 TB\" (flag --request-body-limit) will not do; it takes a size from 1 KiB to 64 MiB",
        "token_key: is not set; set the variable PUMPHOUSE_TOKEN_KEY (or --token-key, or `token_key` in the file) to 32 or more bytes in base64",
    ] {
        assert!(lines.iter().any(|line| line == expected), "{expected}\nis not in\n{lines:#?}");
    }
    assert_eq!(lines.len(), 11, "with database_url and encryption_keys: {lines:#?}");
}

#[test]
fn serve_needs_its_keys_and_its_database_and_the_others_less() {
    assert_eq!(wrong(&[], Purpose::Serve).len(), 3);
    assert_eq!(wrong(&[], Purpose::Database).len(), 1);
    assert_eq!(wrong(&[], Purpose::Dev), Vec::<String>::new());
    let keys = format!("k1:{KEY}");
    let all = [("PUMPHOUSE_DATABASE_URL", "postgres://u:p@h/d"), ("PUMPHOUSE_ENCRYPTION_KEYS", &keys), ("PUMPHOUSE_TOKEN_KEY", KEY)];
    let config = load(Path::new(NOWHERE), &all, &[], Purpose::Serve).unwrap_or_else(|mistakes| panic!("{mistakes}"));
    assert!(config.auth.keys().is_ok() && config.database.url().is_ok());
}

#[test]
fn bounds_hold_at_both_ends() {
    for (name, good, bad) in [
        ("PUMPHOUSE_POOL_SIZE", &["1", "500"][..], &["0", "501", "-1", "1.5", "many"][..]),
        ("PUMPHOUSE_STALL_AFTER", &["1s", "24h"], &["0s", "999ms", "25h", "60", "soon"]),
        ("PUMPHOUSE_REQUEST_BODY_LIMIT", &["1 KiB", "64 MiB", "1024"], &["1023", "65 MiB", "1 MB"]),
        ("PUMPHOUSE_METRICS_LISTEN", &["[::1]:9090", "0.0.0.0:0"], &["localhost:9090", ":9090", "127.0.0.1", "127.0.0.1:70000"]),
        ("PUMPHOUSE_PLAYGROUND", &["on", "off", "true", "false"], &["yes", "1"]),
        ("PUMPHOUSE_ADMIN_EMAIL", &["Root@Example.com"], &["root", "@example.com", "a@b@c", "a b@c"]),
        ("PUMPHOUSE_ADMIN_PASSWORD", &["12345678"], &["1234567"]),
        ("PUMPHOUSE_TOKEN_KEY", &[KEY], &["c2hvcnQ=", "not base64"]),
        ("PUMPHOUSE_LOG_LEVEL", &["debug", "off", "info,pumphouse::core=trace"], &["verbose", "info,pumphouse=loud"]),
        (
            "PUMPHOUSE_DATABASE_URL",
            &["postgresql://h/d", "postgres://h/d?sslmode=verify-full&options[search_path]=x"],
            &["mysql://h/d", "h", "postgres://h:port/d", "postgres://h/d?sslmod=verify-full"],
        ),
    ] {
        for text in good {
            assert_eq!(wrong(&[(name, text)], Purpose::Show), Vec::<String>::new(), "{name}={text}");
        }
        for text in bad {
            assert_eq!(wrong(&[(name, text)], Purpose::Show).len(), 1, "{name}={text}");
        }
    }
}

#[test]
fn settings_that_do_not_go_together_are_refused() {
    for (variables, expected) in [
        (
            [("PUMPHOUSE_HEARTBEAT_INTERVAL", "45s"), ("PUMPHOUSE_HEARTBEAT_LIMIT", "90s")],
            "less than half of heartbeat_limit, which is 1m30s",
        ),
        ([("PUMPHOUSE_LOCK_TIMEOUT", "16s"), ("PUMPHOUSE_STATEMENT_TIMEOUT", "15s")], "at most statement_timeout, which is 15s"),
        ([("PUMPHOUSE_STATEMENT_TIMEOUT", "31s"), ("PUMPHOUSE_REQUEST_TIMEOUT", "30s")], "at most request_timeout, which is 30s"),
        ([("PUMPHOUSE_LAUNCH_GRACE", "11m"), ("PUMPHOUSE_LAUNCH_TIMEOUT", "10m")], "at most launch_timeout, which is 10m"),
        ([("PUMPHOUSE_METRICS_LISTEN", "127.0.0.1:1"), ("PUMPHOUSE_LISTEN", "127.0.0.1:1")], "another address or port than listen"),
    ] {
        let lines = wrong(&variables, Purpose::Show);
        assert!(lines.len() == 1 && lines[0].ends_with(expected), "{lines:?}");
    }
}

#[test]
fn variables_of_workers_and_of_kubernetes_pass() {
    let others = [
        ("PUMPHOUSE_SECRET_SHOP", "hunter2"),
        ("PUMPHOUSE_SECRETS_DIR", "/run/secrets"),
        ("PUMPHOUSE_URL", "http://localhost:8080"),
        ("PUMPHOUSE_WORKER_TOKEN", "t"),
        ("PUMPHOUSE_HEARTBEAT_SECONDS", "1"),
        ("PUMPHOUSE_ROWS_PER_SECOND", "10"),
        ("PUMPHOUSE_PORT", "tcp://10.0.0.1:80"),
        ("PUMPHOUSE_PORT_80_TCP_ADDR", "10.0.0.1"),
        ("PUMPHOUSE_SERVICE_HOST", "10.0.0.1"),
        ("PATH", "/bin"),
    ];
    assert_eq!(wrong(&others, Purpose::Show), Vec::<String>::new());
}

#[test]
fn no_secret_is_shown_right_or_wrong() {
    let canary = "c4n4ry-of-the-mine";
    let directory = Directory::new("masking");
    directory.write("pumphouse.toml", &format!("# fine so far\ntoken_key = \"{canary}\" oops\n"));
    let url = format!("postgres://app:{canary}@db.example.org:5432/pump?password={canary}&sslmode=require");
    let keys = format!("k2:{KEY},k1:{KEY}");
    let good = [("PUMPHOUSE_DATABASE_URL", url.as_str()), ("PUMPHOUSE_ADMIN_PASSWORD", canary), ("PUMPHOUSE_ENCRYPTION_KEYS", &keys)];
    let bad_url = format!("postgres://app:{canary}@db/pump?sslpassword={canary}");
    let bad = [("PUMPHOUSE_DATABASE_URL", bad_url.as_str()), ("PUMPHOUSE_ENCRYPTION_KEYS", canary), ("PUMPHOUSE_TOKEN_KEY", canary)];
    for variables in [&good, &bad] {
        let gathered = Gathered::new(&Flags::default(), &environment(variables), &directory.0);
        let shown = table(&gathered.present(Purpose::Show)) + &gathered.config(Purpose::Show).err().unwrap().to_string();
        assert!(!shown.contains(canary) && !shown.contains(KEY), "{shown}");
        assert!(shown.contains("pumphouse.toml: line 2 is not TOML"), "{shown}");
    }
    let shown = table(&Gathered::new(&Flags::default(), &environment(&good), Path::new(NOWHERE)).present(Purpose::Show));
    assert!(shown.contains("postgres://app:***@db.example.org:5432/pump?"), "{shown}");
    assert!(shown.contains("k2:********,k1:********"), "{shown}");
}

#[test]
fn a_named_file_must_be_there() {
    let lines = wrong(&[("PUMPHOUSE_CONFIG", "no-such.toml")], Purpose::Show);
    assert_eq!(lines, ["no-such.toml: cannot be read: No such file or directory (os error 2)"]);
}

#[test]
fn dev_generates_its_secrets_once_for_its_owner_alone() {
    let directory = Directory::new("kept");
    let data = directory.0.join("data");
    let auth = load(Path::new(NOWHERE), &[], &[], Purpose::Dev).unwrap_or_else(|mistakes| panic!("{mistakes}")).auth;
    let (first, second) = (kept::keys(&auth, &data).unwrap(), kept::keys(&auth, &data).unwrap());
    assert_eq!(first.token.reveal(), second.token.reveal());
    let row = uuid::Uuid::nil();
    let sealed = first.encryption.seal(row, "{}").unwrap();
    assert_eq!(second.encryption.open(row, &sealed).unwrap().reveal(), "{}");
    let password = kept::admin_password(&auth, &data).unwrap();
    assert_eq!(fs::read_to_string(data.join(kept::ADMIN_PASSWORD)).unwrap().trim_end(), password.reveal());
    for name in [kept::ENCRYPTION_KEYS, kept::TOKEN_KEY, kept::ADMIN_PASSWORD] {
        assert_eq!(fs::metadata(data.join(name)).unwrap().permissions().mode() & 0o777, 0o600, "{name}");
    }
    fs::write(data.join(kept::TOKEN_KEY), "").unwrap();
    let message = kept::keys(&auth, &data).err().unwrap().to_string();
    assert!(message.ends_with("token-key: holds something else; it takes 32 or more bytes in base64"), "{message}");
}

#[test]
fn every_setting_is_documented() {
    let page = reference_markdown();
    for setting in SETTINGS {
        assert!(page.contains(&format!("| `{}` | `{}` |", setting.flag(), setting.variable())), "{}", setting.name);
        assert!(setting.summary().ends_with('.') && setting.summary().len() < 110, "{}: {}", setting.name, setting.summary());
    }
}

/// The words of our own that a text names.
fn variables(text: &str) -> std::collections::BTreeSet<String> {
    let is_ours = |word: &&str| word.starts_with("PUMPHOUSE_") && word.len() > "PUMPHOUSE_".len();
    text.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_').filter(is_ours).map(str::to_owned).collect()
}

#[test]
fn whatever_variable_a_help_or_the_readme_names_hinders_no_command() {
    let help = |words: &[&str]| {
        let told = std::process::Command::new(env!("CARGO_BIN_EXE_pumphouse")).args(words).arg("--help").output().unwrap();
        assert!(told.status.success(), "{words:?}");
        String::from_utf8(told.stdout).unwrap()
    };
    let mut told = include_str!("../../README.md").to_owned();
    // Each command is a line of its list, the name first; so are those below it.
    let below = |text: &str| -> Vec<String> {
        let list = text.split("Commands:\n").nth(1).unwrap_or_default().split("\n\n").next().unwrap_or_default();
        let names = list.lines().filter_map(|line| line.strip_prefix("  ")).filter(|line| !line.starts_with(' '));
        names.filter_map(|line| line.split_whitespace().next()).filter(|word| *word != "help").map(str::to_owned).collect()
    };
    let first = help(&[]);
    for command in below(&first) {
        let text = help(&[&command]);
        for verb in below(&text) {
            told += &help(&[&command, &verb]);
        }
        told += &text;
    }
    let named = variables(&(told + &first));
    for name in ["PUMPHOUSE_TOKEN", "PUMPHOUSE_WORKER_TOKEN", "PUMPHOUSE_ADMIN_PASSWORD", "PUMPHOUSE_DATABASE_URL", "PUMPHOUSE_CONFIG"] {
        assert!(named.contains(name), "{name}: {named:?}");
    }
    for name in named.iter().filter(|name| *name != "PUMPHOUSE_CONFIG") {
        let mistakes = wrong(&[(name, "x")], Purpose::Show);
        assert!(mistakes.iter().all(|mistake| !mistake.contains("no such setting")), "{name}: {mistakes:?}");
    }
}
