//! What a setting's text may be, and the value it becomes.
//!
//! Always holds: a refusal says what is taken instead and never repeats the text, which may be a secret;
//! what is shown of a text is asked of its rule. Not here: the rules of secrets (`secret_rule.rs`), and which setting
//! has which rule (`list.rs`).

use std::fmt::Display;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use tracing_subscriber::EnvFilter;
use url::Url;

use super::units;
use crate::core::email::email;
use crate::core::network::{AddressClass, Network};

/// How a setting's text is read.
pub(super) trait Rule {
    /// What the text becomes.
    type Value;

    /// Whether nobody may see the text.
    const SECRET: bool = false;

    /// Reads the text, or says what it should be: the end of "it takes ...".
    fn read(&self, text: &str) -> Result<Self::Value, String>;

    /// What is taken.
    fn allowed(&self) -> String;

    /// The value when no text is given and there is no default.
    fn absent(&self) -> Option<Self::Value> {
        None
    }

    /// The text as it may be shown.
    fn shown(&self, text: &str) -> String {
        text.to_owned()
    }
}

/// A setting that may be left out.
pub(super) struct Optional<R>(pub R);

impl<R: Rule> Rule for Optional<R> {
    type Value = Option<R::Value>;
    const SECRET: bool = R::SECRET;

    fn read(&self, text: &str) -> Result<Self::Value, String> {
        self.0.read(text).map(Some)
    }
    fn allowed(&self) -> String {
        self.0.allowed()
    }
    fn absent(&self) -> Option<Self::Value> {
        Some(None)
    }
    fn shown(&self, text: &str) -> String {
        self.0.shown(text)
    }
}

/// An address and a port.
pub(super) struct Address;

impl Rule for Address {
    type Value = SocketAddr;

    fn read(&self, text: &str) -> Result<SocketAddr, String> {
        text.trim().parse().map_err(|_| self.allowed())
    }
    fn allowed(&self) -> String {
        "an IP address and a port, such as `127.0.0.1:8080`, `0.0.0.0:8080` or `[::]:8080`".to_owned()
    }
}

/// A number within bounds, both included.
pub(super) struct Between<T>(pub T, pub T);

impl<T: FromStr + PartialOrd + Display> Rule for Between<T> {
    type Value = T;

    fn read(&self, text: &str) -> Result<T, String> {
        let number: Option<T> = text.trim().parse().ok();
        number.filter(|number| (&self.0..=&self.1).contains(&number)).ok_or_else(|| self.allowed())
    }
    fn allowed(&self) -> String {
        format!("a whole number from {} to {}", self.0, self.1)
    }
}

/// Networks or addresses, separated by commas.
pub(super) struct Networks;

impl Rule for Networks {
    type Value = Vec<Network>;

    fn read(&self, text: &str) -> Result<Vec<Network>, String> {
        text.split(',').map(|network| network.parse().map_err(|()| self.allowed())).collect()
    }
    fn allowed(&self) -> String {
        "addresses or networks separated by commas, such as `10.0.0.0/8, ::1`".to_owned()
    }
    fn absent(&self) -> Option<Vec<Network>> {
        Some(Vec::new())
    }
}

/// Classes of addresses, separated by commas, or none.
pub(super) struct Classes;

impl Rule for Classes {
    type Value = Vec<AddressClass>;

    fn read(&self, text: &str) -> Result<Vec<AddressClass>, String> {
        let known = |word: &str| AddressClass::ALL.into_iter().find(|class| class.as_str() == word.trim());
        match text.trim() {
            "none" => Ok(Vec::new()),
            words => words.split(',').map(|word| known(word).ok_or_else(|| self.allowed())).collect(),
        }
    }
    fn allowed(&self) -> String {
        "`loopback`, `link-local` and `private`, separated by commas, or `none`".to_owned()
    }
}

/// A duration within bounds, both included.
pub(super) struct Lasting(pub Duration, pub Duration);

impl Rule for Lasting {
    type Value = Duration;

    fn read(&self, text: &str) -> Result<Duration, String> {
        units::duration(text).filter(|duration| (self.0..=self.1).contains(duration)).ok_or_else(|| self.allowed())
    }
    fn allowed(&self) -> String {
        format!("a duration from {} to {}", units::show_duration(self.0), units::show_duration(self.1))
    }
}

/// A size within bounds, both included.
pub(super) struct Size(pub u64, pub u64);

impl Rule for Size {
    type Value = usize;

    fn read(&self, text: &str) -> Result<usize, String> {
        let size = units::bytes(text).filter(|size| (self.0..=self.1).contains(size));
        size.and_then(|size| usize::try_from(size).ok()).ok_or_else(|| self.allowed())
    }
    fn allowed(&self) -> String {
        format!("a size from {} to {}", units::show_bytes(self.0), units::show_bytes(self.1))
    }
}

/// One of a few words.
pub(super) struct OneOf<T: 'static>(pub &'static [(&'static str, T)]);

impl<T: Copy> Rule for OneOf<T> {
    type Value = T;

    fn read(&self, text: &str) -> Result<T, String> {
        self.0.iter().find(|(word, _)| *word == text.trim()).map(|(_, value)| *value).ok_or_else(|| self.allowed())
    }
    fn allowed(&self) -> String {
        let words: Vec<String> = self.0.iter().map(|(word, _)| format!("`{word}`")).collect();
        words.join(" or ")
    }
}

/// A switch; a TOML boolean does too.
pub(super) struct Switch;

impl Rule for Switch {
    type Value = bool;

    fn read(&self, text: &str) -> Result<bool, String> {
        match text.trim() {
            "on" | "true" => Ok(true),
            "off" | "false" => Ok(false),
            _ => Err(self.allowed()),
        }
    }
    fn allowed(&self) -> String {
        "`on` or `off`".to_owned()
    }
}

/// A directory.
pub(super) struct Folder;

impl Rule for Folder {
    type Value = PathBuf;

    fn read(&self, text: &str) -> Result<PathBuf, String> {
        if text.is_empty() { Err(self.allowed()) } else { Ok(PathBuf::from(text)) }
    }
    fn allowed(&self) -> String {
        "a path".to_owned()
    }
}

/// Origins of web pages, separated by commas.
pub(super) struct Origins;

impl Rule for Origins {
    type Value = Vec<String>;

    fn read(&self, text: &str) -> Result<Vec<String>, String> {
        let is_origin = |origin: &str| {
            let url = Url::parse(origin).ok().filter(|url| matches!(url.scheme(), "http" | "https") && url.has_host());
            origin == "*" || url.is_some_and(|url| url.origin().ascii_serialization().eq_ignore_ascii_case(origin.trim_end_matches('/')))
        };
        let origins = text.split(',').map(str::trim).filter(|origin| !origin.is_empty());
        origins.map(|origin| if is_origin(origin) { Ok(origin.to_owned()) } else { Err(self.allowed()) }).collect()
    }
    fn allowed(&self) -> String {
        "origins such as `https://app.example.com`, separated by commas, or `*` for every one".to_owned()
    }
    fn absent(&self) -> Option<Vec<String>> {
        Some(Vec::new())
    }
}

/// An email address, lower-cased and trimmed as users are stored.
pub(super) struct Email;

impl Rule for Email {
    type Value = String;

    fn read(&self, text: &str) -> Result<String, String> {
        email(text).ok_or_else(|| self.allowed())
    }
    fn allowed(&self) -> String {
        "an email address".to_owned()
    }
}

/// The address of a web server.
pub(super) struct WebAddress;

impl Rule for WebAddress {
    type Value = Url;

    fn read(&self, text: &str) -> Result<Url, String> {
        let url = Url::parse(text.trim()).ok().filter(|url| matches!(url.scheme(), "http" | "https") && url.has_host());
        url.filter(|url| url.password().is_none()).ok_or_else(|| self.allowed())
    }
    fn allowed(&self) -> String {
        "a URL such as `https://pumphouse.example.com`".to_owned()
    }
}

/// A word or more.
pub(super) struct Words;

impl Rule for Words {
    type Value = String;

    fn read(&self, text: &str) -> Result<String, String> {
        let words = text.trim();
        if words.is_empty() { Err(self.allowed()) } else { Ok(words.to_owned()) }
    }
    fn allowed(&self) -> String {
        "text that is not empty".to_owned()
    }
}

/// What is logged.
pub(super) struct LogFilter;

impl Rule for LogFilter {
    type Value = String;

    fn read(&self, text: &str) -> Result<String, String> {
        let filter = text.trim();
        let fine = !filter.is_empty() && EnvFilter::builder().parse(filter).is_ok();
        // A lone word that is no level would be taken for a target's name and silence everything else.
        let word = filter.contains(['=', ',', ':', '[']) || filter.parse::<tracing::level_filters::LevelFilter>().is_ok();
        if fine && word { Ok(filter.to_owned()) } else { Err(self.allowed()) }
    }
    fn allowed(&self) -> String {
        "`error`, `warn`, `info`, `debug`, `trace`, `off`, or a filter such as `info,pumphouse::server=debug`".to_owned()
    }
}
