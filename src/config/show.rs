//! The settings for people: the table of `pumphouse config`, and the reference page.
//!
//! Always holds: no secret is in either; the reference page is made of the list alone, so it is the same on
//! every machine. Not here: printing.

use super::list::SETTINGS;
use super::mistake::Origin;
use super::setting::{Preset, Purpose};
use super::source::Written;

/// A setting's present value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Present {
    /// The setting.
    pub name: &'static str,
    /// Its value as it may be shown; the words of the default in brackets when there is none.
    pub shown: String,
    /// Where it was set.
    pub origin: Origin,
}

/// The present value of every setting, also of those that are wrong.
pub(super) fn present(written: &Written, purpose: Purpose) -> Vec<Present> {
    let one = |setting: &super::setting::Setting| match (written.values.get(setting.name), setting.preset) {
        (Some((text, origin)), _) => Present { name: setting.name, shown: (setting.shown)(text), origin: origin.clone() },
        (None, Preset::Absent(words) | Preset::Needed(_, words)) => {
            Present { name: setting.name, shown: format!("({words})"), origin: Origin::Default }
        }
        (None, Preset::Always(_) | Preset::InDev(..)) => {
            Present { name: setting.name, shown: setting.default(purpose).unwrap_or_default().to_owned(), origin: Origin::Default }
        }
    };
    SETTINGS.iter().map(one).collect()
}

/// The table of `pumphouse config`: name, value, origin.
#[must_use]
pub fn table(rows: &[Present]) -> String {
    let width = |text: fn(&Present) -> &str| rows.iter().map(|row| text(row).chars().count()).max().unwrap_or(0);
    let (names, values) = (width(|row| row.name), width(|row| &row.shown).min(60));
    let heading = format!("{:names$}  {:values$}  ORIGIN\n", "SETTING", "VALUE");
    rows.iter().fold(heading, |text, row| text + &format!("{:names$}  {:values$}  {}\n", row.name, row.shown, row.origin))
}

/// The same as Markdown.
#[must_use]
pub fn table_markdown(rows: &[Present]) -> String {
    let line = |row: &Present| format!("| `{}` | {} | {} |\n", row.name, cell(&row.shown), cell(&row.origin.to_string()));
    rows.iter().fold("| setting | value | origin |\n| --- | --- | --- |\n".to_owned(), |text, row| text + &line(row))
}

/// The reference of all settings, as Markdown.
#[must_use]
pub fn reference_markdown() -> String {
    let mut page = String::new();
    let mut section = "";
    for setting in SETTINGS {
        if setting.section != section {
            section = setting.section;
            page.push_str(&format!(
                "\n**{}**\n\n| setting | variable | default | takes | meaning |\n| --- | --- | --- | --- | --- |\n",
                setting.about.trim_end_matches('.')
            ));
        }
        page.push_str(&format!(
            "| `{}` | `{}` | {} | {} | {} |\n",
            setting.flag(),
            setting.variable(),
            cell(&setting.default_in_words()),
            cell(&(setting.allowed)()),
            cell(&setting.text())
        ));
    }
    page.trim_start().to_owned()
}

fn cell(text: &str) -> String {
    text.replace('|', "\\|").replace('\n', " ")
}
