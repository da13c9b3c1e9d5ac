//! The command line.
//!
//! Always holds: standard output carries what was asked for and nothing else, so it can be piped; what went
//! wrong goes to standard error and says what to do next. Exit codes: 0 done, 1 failed, 2 asked wrongly or set up
//! wrongly, 3 what was to be checked differs. Each command is one line of `run` and one file.

mod config;
mod configuration;
mod dev;
mod files;
mod fleet;
mod keys;
mod launcher;
mod migrate;
mod organisation;
pub mod output;
pub mod password;
pub mod replica;
mod run;
mod schema;
mod serve;
mod users;
mod worker;
mod yaml_fault;

use std::process::ExitCode;

use clap::{CommandFactory as _, Parser, Subcommand};
use clap_complete::Shell;

use self::output::Failure;

/// Pumphouse: a self-hosted control API for data pipelines.
#[derive(Parser)]
#[command(name = "pumphouse", version, about, max_term_width = 110, subcommand_required = true, arg_required_else_help = true, after_help = EXAMPLES)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

const EXAMPLES: &str = "\
Examples:
  pumphouse dev                         everything on this machine, with a demo organisation
  pumphouse serve                       the API, from the database of PUMPHOUSE_DATABASE_URL
  pumphouse users create --email ada@example.com
  pumphouse organisation export > organisation.json
  pumphouse fleet --workers 20 --chaos  simulated workers, and whether the API tells what they did
  pumphouse export --env prod -f prod   an env's pipelines as YAML files
  pumphouse plan --env prod -f prod     what the files would change; `apply` does it
  pumphouse keys rotate                 seal every configuration with the newest key
  pumphouse migrate                     bring the database of PUMPHOUSE_DATABASE_URL up to date
  pumphouse config                      every setting, its value and where that was set
  pumphouse schema > schema.graphql     the SDL of the graph
  pumphouse completions bash > /etc/bash_completion.d/pumphouse

Settings: a flag wins over a PUMPHOUSE_* variable, that over the file (--config, PUMPHOUSE_CONFIG or
./pumphouse.toml), that over the default. --pool-size, PUMPHOUSE_POOL_SIZE and pool_size are one setting.";

#[derive(Subcommand)]
enum Command {
    Dev(dev::Arguments),
    Serve(serve::Arguments),
    Migrate(migrate::Arguments),
    /// Print the schema of the graph (SDL).
    Schema,
    Worker(worker::Arguments),
    Fleet(fleet::Arguments),
    Users(users::Arguments),
    Organisation(organisation::Arguments),
    Export(configuration::Export),
    Plan(configuration::Plan),
    Apply(configuration::Apply),
    Keys(keys::Arguments),
    Config(config::Arguments),
    /// Print the completions for a shell.
    Completions {
        /// The shell.
        shell: Shell,
    },
}

/// Runs the command of this process.
#[must_use]
pub fn run() -> ExitCode {
    let done = match Cli::parse().command {
        Command::Dev(arguments) => dev::run(&arguments),
        Command::Serve(arguments) => serve::run(&arguments),
        Command::Migrate(arguments) => migrate::run(&arguments),
        Command::Worker(arguments) => worker::run(&arguments),
        Command::Fleet(arguments) => fleet::run(&arguments),
        Command::Users(arguments) => users::run(&arguments),
        Command::Organisation(arguments) => organisation::run(&arguments),
        Command::Export(arguments) => configuration::export(&arguments),
        Command::Plan(arguments) => configuration::plan(&arguments),
        Command::Apply(arguments) => configuration::apply(&arguments),
        Command::Keys(arguments) => keys::run(&arguments),
        Command::Schema => schema::run(),
        Command::Config(arguments) => config::run(&arguments),
        Command::Completions { shell } => completions(shell),
    };
    output::exit(done)
}

fn completions(shell: Shell) -> Result<(), Failure> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "pumphouse", &mut script);
    output::print(&script)
}
