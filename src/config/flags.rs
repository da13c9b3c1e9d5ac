//! A flag for every setting, made from the list.
//!
//! Always holds: a flag's value is text until the rules read it, so a wrong flag is reported together with a
//! wrong variable. Not here: flags of single commands (`cli/`).

use std::collections::BTreeMap;
use std::path::PathBuf;

use clap::{Arg, ArgMatches, Args, Command, FromArgMatches, value_parser};

use super::list::SETTINGS;
use super::setting::Setting;

/// The group of the help under which the file is named.
const GENERAL: &str = "Settings";
/// Flags that the short help shows too.
const COMMON: &[&str] = &["listen", "data_dir", "database_url", "admin_email", "log_level"];
/// Sections of the commands that need the database alone.
const FEW: &[&str] = &["database", "telemetry"];

/// The settings given on the command line.
#[derive(Clone, Debug, Default)]
pub struct Flags {
    /// `--config`.
    pub file: Option<PathBuf>,
    /// By the setting's name.
    pub values: BTreeMap<&'static str, String>,
}

/// The flags of a command that needs the database alone.
#[derive(Clone, Debug, Default)]
pub struct DatabaseFlags(pub Flags);

fn augment(command: Command, wanted: impl Fn(&Setting) -> bool) -> Command {
    let file = Arg::new("config")
        .long("config")
        .value_name("FILE")
        .value_parser(value_parser!(PathBuf))
        .help_heading(GENERAL)
        .help("The TOML file with settings [variable: PUMPHOUSE_CONFIG] [default: pumphouse.toml, when it exists]");
    SETTINGS.iter().filter(|setting| wanted(setting)).fold(command.arg(file), |command, setting| command.arg(argument(setting)))
}

fn argument(setting: &'static Setting) -> Arg {
    let argument = Arg::new(setting.name)
        .long(setting.name.replace('_', "-"))
        .value_name("VALUE")
        .help_heading(setting.about.trim_end_matches('.'))
        .help(setting.summary().trim_end_matches('.').to_owned())
        .long_help(format!(
            "{}\n[takes {}]\n[variable: {}] [default: {}]",
            setting.text(),
            (setting.allowed)().replace('`', ""),
            setting.variable(),
            setting.default_in_words().replace('`', "")
        ));
    if COMMON.contains(&setting.name) { argument } else { argument.hide_short_help(true) }
}

fn values(matches: &ArgMatches) -> Flags {
    let value = |setting: &Setting| matches.try_get_one::<String>(setting.name).ok().flatten().cloned();
    Flags {
        file: matches.get_one("config").cloned(),
        values: SETTINGS.iter().filter_map(|setting| Some((setting.name, value(setting)?))).collect(),
    }
}

impl Args for Flags {
    fn augment_args(command: Command) -> Command {
        augment(command, |_| true)
    }
    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for Flags {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        Ok(values(matches))
    }
    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = values(matches);
        Ok(())
    }
}

impl Args for DatabaseFlags {
    fn augment_args(command: Command) -> Command {
        augment(command, |setting| FEW.contains(&setting.section))
    }
    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for DatabaseFlags {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        Ok(Self(values(matches)))
    }
    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        self.0 = values(matches);
        Ok(())
    }
}
