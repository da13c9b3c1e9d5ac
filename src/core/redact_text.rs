//! Secrets inside texts: what of a URI, of settings in a row, of a header and of a document in a text may be shown.
//!
//! Always holds: what is no secret stays as it was written, and a text that was shown once is shown the same again; where it is not
//! clear where a secret ends, all that it may be is masked; time grows with the length only (domain.md section 2).

use serde_json::Value;

use crate::core::marks::Marks;
use crate::core::redact::{is_secret_text, redact};

/// What stands for a secret inside a longer text.
pub(crate) const MASK: &str = "***";
/// How many masks of a text are looked at; a URI has one or two.
const MOST_MASKS: usize = 20;
/// What ends a setting where no semicolons do.
const ENDS: &[char] = &['?', '&', '#', ';', ' ', '\t', '\n', '\r'];

/// Whether a secret part of a text is a mask: nobody's secret, but what is shown in the place of one.
pub(crate) fn is_masked(text: &str) -> bool {
    let shown = redact_text(text);
    // In the place of a secret it makes no difference what stands there.
    text.match_indices(MASK).take(MOST_MASKS).any(|(at, mask)| {
        let (before, after) = text.split_at(at);
        let other = format!("{before}secret{}", after.strip_prefix(mask).unwrap_or_default());
        redact_text(&other) == shown
    })
}

/// The text with its secrets masked: those of the URIs in it, of settings in a row (`Server=db;Pwd=x`, `--password=x`), of headers,
/// and of a JSON document that it is; the rest stays as it was written.
pub(crate) fn redact_text(text: &str) -> String {
    if text.contains("PRIVATE KEY-----") {
        return MASK.to_owned();
    }
    if let Some(shown) = redacted_json(text) {
        return shown;
    }
    masked_addresses(text).map_or_else(|| MASK.to_owned(), |text| masked_settings(&text))
}

/// A JSON document without its secrets; none when the text is no such document, or has no secrets.
fn redacted_json(text: &str) -> Option<String> {
    if !text.trim_start().starts_with(['{', '[']) {
        return None;
    }
    let value: Value = serde_json::from_str(text).ok()?;
    let shown = redact(&value, &Marks::none());
    (shown != value).then(|| shown.to_string())
}

/// The text with the passwords of its addresses masked; none when it is not clear where one ends.
fn masked_addresses(text: &str) -> Option<String> {
    let last = text.rfind('@');
    let mut end = 0;
    let words = text.split_inclusive(char::is_whitespace).map(|word| {
        end += word.len();
        masked_address(word, last.is_some_and(|at| at >= end))
    });
    words.collect()
}

/// One word of a text, which may be an address or hold several. Others may follow that have an `@`.
fn masked_address(word: &str, is_followed: bool) -> Option<String> {
    let last = word.rfind('@');
    let mut shown = String::with_capacity(word.len());
    let mut rest = word;
    while let Some((before, after)) = rest.split_once("//") {
        let end = after.find(|letter: char| "/?#;,".contains(letter) || letter.is_whitespace()).unwrap_or(after.len());
        let (authority, tail) = after.split_at(end);
        let scheme = before.to_ascii_lowercase();
        let is_web = scheme.ends_with("http:") || scheme.ends_with("https:");
        let has_more = last.is_some_and(|at| at >= word.len().saturating_sub(tail.len()));
        let authority = match (authority.rsplit_once('@'), ends_in_port(authority)) {
            // Oracle's `user/password@//host`.
            _ if before.ends_with('@') && !before.ends_with(":@") => return Some(masked_word(word)),
            (Some((user, host)), _) => match user.split_once(':') {
                Some((name, _)) => format!("{name}:{MASK}@{host}"),
                // On the web a token may stand alone.
                None if is_web => format!("{MASK}@{host}"),
                None => authority.to_owned(),
            },
            // A password with a letter that ends an authority: better no address than a part of it.
            (None, false) if has_more || is_followed => return None,
            (None, false) if before.is_empty() || before.ends_with(':') => {
                authority.rsplit_once(':').map_or_else(String::new, |(host, _)| format!("{host}:{MASK}"))
            }
            // A path of the web may have an `@`; elsewhere it is that of a user.
            (None, true) if has_more && !authority.is_empty() && !(is_web && tail.starts_with('/')) => return Some(masked_word(word)),
            (None, _) => authority.to_owned(),
        };
        shown.push_str(before);
        shown.push_str("//");
        shown.push_str(&authority);
        rest = tail;
    }
    if rest.len() == word.len()
        && let Some((user, host)) = word.rsplit_once('@')
        && let Some((name, _)) = user.split_once(':').filter(|(name, _)| !matches!(*name, "" | "mailto"))
    {
        return Some(format!("{name}:{MASK}@{host}"));
    }
    shown.push_str(rest);
    Some(shown)
}

/// Nothing of a word but the white space behind it.
fn masked_word(word: &str) -> String {
    format!("{MASK}{}", word.split_at(word.trim_end().len()).1)
}

/// Whether what stands behind an authority's last colon, if it has one, can be a port.
fn ends_in_port(authority: &str) -> bool {
    authority.ends_with(']') || authority.rsplit_once(':').is_none_or(|(_, port)| port.chars().all(|letter| letter.is_ascii_digit()))
}

/// The text with the values of its secret-looking settings masked. Between semicolons a value may hold anything else; where
/// it is in quotes or braces, whose rules differ, all that follows is masked.
fn masked_settings(text: &str) -> String {
    let mut masking = Masking { shown: String::with_capacity(text.len()), previous: Previous::Plain };
    let is_list = text.contains(';');
    for setting in text.split_inclusive(';') {
        let (setting, end) = cut(setting, &[';']);
        let ended = if is_list && secret_setting(setting).is_some() { masking.word(setting, ';') } else { masking.words(setting) };
        if ended {
            return masking.shown;
        }
        masking.shown.push_str(end);
    }
    masking.shown
}

/// The words of a text as they are shown, up to here.
struct Masking {
    shown: String,
    previous: Previous,
}

/// What the last word was.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Previous {
    Plain,
    /// A secret, which may go on behind a mark that else would end it.
    Secret,
    /// What says that the next one is a secret.
    Announcing,
}

impl Masking {
    /// Settings that white space and the marks of a query separate; answers whether all that follows is masked.
    fn words(&mut self, text: &str) -> bool {
        let mut before = ';';
        for word in text.split_inclusive(ENDS) {
            let (word, end) = cut(word, ENDS);
            if self.word(word, before) {
                return true;
            }
            self.shown.push_str(end);
            before = end.chars().next().unwrap_or(before);
        }
        false
    }

    /// One word, and what separates it from the last one.
    fn word(&mut self, word: &str, before: char) -> bool {
        let goes_on = self.previous == Previous::Secret && matches!(before, ';' | '#') && !word.contains('=');
        let announced = self.previous == Previous::Announcing && !is_scheme(word);
        if let Some((name, value)) = secret_setting(word) {
            self.shown.push_str(&format!("{name}={MASK}"));
            self.previous = Previous::Secret;
            return value.starts_with(['"', '\'', '{']);
        }
        if !word.is_empty() && (goes_on || announced) {
            self.shown.push_str(MASK);
            self.previous = Previous::Secret;
            return false;
        }
        self.shown.push_str(word);
        let stays = word.is_empty() || (self.previous == Previous::Announcing && is_scheme(word));
        if !stays {
            self.previous = if announces(word) { Previous::Announcing } else { Previous::Plain };
        }
        false
    }
}

/// Whether the next word is a secret: behind `Authorization:`, `x-api-key:` and `Bearer`.
fn announces(word: &str) -> bool {
    word.eq_ignore_ascii_case("bearer") || word.strip_suffix(':').is_some_and(is_secret_text)
}

/// What stands between the name of a header and its secret.
fn is_scheme(word: &str) -> bool {
    ["bearer", "basic", "token"].iter().any(|scheme| word.eq_ignore_ascii_case(scheme))
}

/// The name, as it is written, and the value of a setting that looks like a secret's.
fn secret_setting(setting: &str) -> Option<(&str, &str)> {
    let (name, value) = setting.split_once('=')?;
    let last = name.rsplit(['?', '&', '/', '#']).next().unwrap_or(name);
    (!value.is_empty() && is_secret_text(&decoded(last))).then_some((name, value))
}

/// A piece without the separator at its end, and that.
fn cut<'t>(piece: &'t str, separators: &[char]) -> (&'t str, &'t str) {
    piece.split_at(piece.strip_suffix(separators).map_or(piece.len(), str::len))
}

/// A name as whoever reads the URI will read it.
fn decoded(name: &str) -> String {
    url::form_urlencoded::parse(name.as_bytes()).map(|(name, _)| name.into_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn k04_only_the_secret_part_of_a_text_is_masked() {
        for (text, masked) in [
            (
                "postgres://reader:p%40ss@db.example.org:5432/shop?sslmode=require&apikey=abc",
                "postgres://reader:***@db.example.org:5432/shop?sslmode=require&apikey=***",
            ),
            ("mongodb://u:p@a:27017,b:27017/shop?authSource=x", "mongodb://u:***@a:27017,b:27017/shop?authSource=x"),
            ("jdbc:postgresql://u:p@Host/db?user=u&password=p", "jdbc:postgresql://u:***@Host/db?user=u&password=***"),
            ("jdbc:sqlserver://host:1433;user=u;password=p;x=1", "jdbc:sqlserver://host:1433;user=u;password=***;x=1"),
            ("https://host/x?api%5Fkey=k#frag", "https://host/x?api%5Fkey=***#***"),
            ("https://host/?q=\"&password=PW&z=\"", "https://host/?q=\"&password=***&z=\""),
            ("https://host/?x=1&password=a;PW", "https://host/?x=1&password=***;***"),
            ("mongodb://h/?authMechanismProperties=AWS_SESSION_TOKEN:PW", "mongodb://h/?authMechanismProperties=***"),
            ("http://a:b@one/,http://c:d@two/", "http://a:***@one/,http://c:***@two/"),
            ("postgres://u:p@ss@host/db", "postgres://u:***@host/db"),
            ("https://host:8443/@scope/x?y=1", "https://host:8443/@scope/x?y=1"),
            ("http://[::1]:80/", "http://[::1]:80/"),
            ("postgres://u:p/w@host/db", "***"),
            ("postgres://u:2024#PW@host/db", "***"),
            ("mongodb://u:12/PW@host/db and more", "*** and more"),
            ("postgres://u:my pw@host/db", "***"),
            ("https://ghp_token@host/x?sig=abc#access_token=t&x=1", "https://***@host/x?sig=***#access_token=***&x=1"),
            ("HTTPS://TOKEN@h/?X-Amz-Signature=PW", "HTTPS://***@h/?X-Amz-Signature=***"),
            ("postgres://reader@host/db", "postgres://reader@host/db"),
            ("//u:PW@host/", "//u:***@host/"),
            ("a//b:c is no address", "a//b:c is no address"),
            ("jdbc:oracle:thin:scott/PW@//h", "***"),
            ("jdbc:oracle:thin:@//h?user=u&password=PW", "jdbc:oracle:thin:@//h?user=u&password=***"),
            ("u:p@tcp(h:3306)/db", "u:***@tcp(h:3306)/db"),
            ("mailto:ops@example.org", "mailto:ops@example.org"),
            ("Driver=x;Server=db;Uid=u;Pwd=p;", "Driver=x;Server=db;Uid=u;Pwd=***;"),
            ("Server=db;Password=my PW pass;X=y z", "Server=db;Password=***;X=y z"),
            ("Server=db;Pwd={a;PW};X=1", "Server=db;Pwd=***"),
            ("Server=db;Pwd=\"a\"\";PW\";X=1", "Server=db;Pwd=***"),
            ("Password=\"x PW\" host=h", "Password=***"),
            ("could not connect: host=h password=PW dbname=d", "could not connect: host=h password=*** dbname=d"),
            ("--password=x --user=u", "--password=*** --user=u"),
            ("Authorization: Bearer abc, then", "Authorization: Bearer *** then"),
            ("refused: x-api-key: PW was wrong", "refused: x-api-key: *** was wrong"),
            ("{\"host\":\"h\",\"password\":\"x\"}", "{\"host\":\"h\",\"password\":{\"$secret\":\"stored\"}}"),
            ("-----BEGIN RSA PRIVATE KEY-----\nabc", "***"),
        ] {
            assert_eq!(redact_text(text), masked, "{text}");
            assert_eq!(redact_text(masked), masked, "{text}, shown again");
        }
    }

    #[test]
    fn a_masked_text_is_told_from_one_with_stars_elsewhere() {
        assert!(is_masked("https://u:***@host/") && is_masked("https://host/?token=***&x=***"));
        assert!(is_masked("https://***@host/"));
        for text in ["***", "https://host/***", "https://u:secret@host/***", "postgres://***@host/", "https://host/?x=***&y=***"] {
            assert!(!is_masked(text), "{text}");
        }
    }
}
