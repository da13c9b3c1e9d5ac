//! A program that runs: what it says as it says it, the signals it gets, its end, and who works in a directory.

use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use tokio::io::{AsyncBufReadExt as _, AsyncRead, AsyncWriteExt as _, BufReader};
use tokio::process::{Child, Command};
use tokio::sync::mpsc::{self, UnboundedReceiver};
use tokio::time::{Instant, timeout, timeout_at};

use crate::support::{PATIENCE, until};

/// The program under test.
pub const PUMPHOUSE: &str = env!("CARGO_BIN_EXE_pumphouse");

/// A running program; it is killed with its test.
pub struct Program {
    child: Child,
    pub out: Said,
    pub err: Said,
}

/// What a program says on one of its outputs.
pub struct Said {
    lines: UnboundedReceiver<String>,
    heard: String,
}

/// How a program ended.
#[derive(Debug)]
pub struct Ended {
    /// None when a signal ended it.
    pub code: Option<i32>,
    pub out: String,
    pub err: String,
}

/// Runs the program to its end, without input.
pub async fn ended(arguments: &[&str], variables: &[(&str, &str)]) -> Ended {
    Program::start(arguments, variables, "").end().await
}

impl Program {
    /// Starts it with these variables alone, and this input.
    pub fn start(arguments: &[&str], variables: &[(&str, &str)], input: &'static str) -> Self {
        let mut command = Command::new(PUMPHOUSE);
        command.args(arguments).env_clear().env("PATH", std::env::var_os("PATH").unwrap()).envs(variables.iter().copied());
        command.stdin(if input.is_empty() { Stdio::null() } else { Stdio::piped() });
        Self::run(command, input)
    }

    /// Runs a command that is the program in the end.
    pub fn run(mut command: Command, input: &'static str) -> Self {
        // No settings file lies there.
        command.current_dir(env!("CARGO_TARGET_TMPDIR")).stdout(Stdio::piped()).stderr(Stdio::piped()).kill_on_drop(true);
        let mut child = command.spawn().unwrap();
        if let Some(mut stdin) = child.stdin.take() {
            tokio::spawn(async move {
                // It may have ended without reading.
                let _ = stdin.write_all(input.as_bytes()).await;
            });
        }
        let (out, err) = (Said::by(child.stdout.take().unwrap()), Said::by(child.stderr.take().unwrap()));
        Self { child, out, err }
    }

    /// Its process number.
    pub fn pid(&self) -> u32 {
        self.child.id().expect("it runs")
    }

    /// Sends it a signal by name.
    pub fn signal(&self, name: &str) {
        assert!(std::process::Command::new("sh").args(["-c", "kill -s $0 $1", name, &self.pid().to_string()]).status().unwrap().success());
    }

    /// Whether it ends by itself within this time.
    pub async fn ends_within(&mut self, time: Duration) -> bool {
        timeout(time, self.child.wait()).await.is_ok()
    }

    /// Waits for its end.
    pub async fn end(mut self) -> Ended {
        // A fleet works for seconds, and for many more beside other tests.
        let status = timeout(3 * PATIENCE, self.child.wait()).await.expect("it ends").unwrap();
        Ended { code: status.code(), out: self.out.all().await, err: self.err.all().await }
    }
}

impl Said {
    fn by(output: impl AsyncRead + Unpin + Send + 'static) -> Self {
        let (tell, lines) = mpsc::unbounded_channel();
        tokio::spawn(async move {
            let mut output = BufReader::new(output).lines();
            while let Ok(Some(line)) = output.next_line().await {
                let _ = tell.send(line + "\n");
            }
        });
        Self { lines, heard: String::new() }
    }

    /// Waits for a line with these words.
    pub async fn line(&mut self, words: &str) -> String {
        let until = Instant::now() + PATIENCE;
        loop {
            match timeout_at(until, self.lines.recv()).await {
                Ok(Some(line)) => {
                    self.heard += &line;
                    if line.contains(words) {
                        return line;
                    }
                }
                _ => panic!("it never said {words:?}, but:\n{}", self.heard),
            }
        }
    }

    /// All it ever said, once it has ended.
    async fn all(mut self) -> String {
        while let Ok(Some(line)) = timeout(PATIENCE, self.lines.recv()).await {
            self.heard += &line;
        }
        self.heard
    }
}

impl Ended {
    /// Refused with this code and nothing on standard output; answers the message.
    #[track_caller]
    pub fn refused(&self, code: i32) -> &str {
        assert_eq!((self.code, self.out.as_str()), (Some(code), ""), "{self:?}");
        // What is logged before belongs to the start that came so far.
        let message = self.err.find("error: ").map(|at| &self.err[at..]);
        assert!(!self.err.contains("panic"), "{self:?}");
        message.unwrap_or_else(|| panic!("it says nothing: {self:?}"))
    }

    /// Did what it was told to and said no more than that.
    #[track_caller]
    pub fn done(&self) -> &str {
        assert_eq!(self.code, Some(0), "{self:?}");
        assert!(!self.err.contains("ERROR") && !self.err.contains("panic"), "{self:?}");
        &self.out
    }
}

/// The processes that work in this directory or were told of it.
pub fn working_in(directory: &str) -> Vec<String> {
    let processes = std::fs::read_dir("/proc").unwrap().flatten().map(|process| process.path());
    let works = |process: &Path| {
        let line = std::fs::read(process.join("cmdline")).unwrap_or_default();
        let line = String::from_utf8_lossy(&line).replace('\0', " ");
        let inside = std::fs::read_link(process.join("cwd")).is_ok_and(|cwd| cwd.starts_with(directory));
        (inside || line.contains(directory)).then(|| format!("{} {line}", process.display()))
    };
    processes.filter_map(|process| works(&process)).collect()
}

/// Waits until nobody does: processes whose owner was killed end by themselves, and tell nobody.
pub async fn nobody_works_in(directory: &str) {
    until("nobody works there", async || working_in(directory).is_empty()).await;
}
