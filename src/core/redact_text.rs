//! Secrets inside texts: what of a URI, of settings in a row, of a header and of a document in a text may be shown.
//!
//! Always holds: what is no secret stays as it was written, and a text that was shown once is shown the same again; where it is not
//! clear where a secret ends, all that it may be is masked; time grows with the length only (domain.md section 2).

use serde_json::Value;

use crate::core::marks::Marks;
use crate::core::redact::{holds_secrets, redact};

/// What stands for a secret inside a longer text.
pub(crate) const MASK: &str = "***";
/// How many masks of a text are looked at; a URI has one or two.
const MOST_MASKS: usize = 20;
/// How often a text is gone through until it is masked whole.
const MOST_PASSES: usize = 8;
/// What can stand between a name and its sign.
const QUOTES: &[char] = &['"', '\'', '\\', '`'];
/// What ends a name, towards its beginning.
const AROUND: &[char] = &['?', '&', '#', ';', ',', '/', '=', ':', '(', ')', '[', ']', '{', '}', '<', '>', '|', '"', '\'', '\\', '`'];
/// What begins a value whose end only the rules of a product tell.
const OPENING: &[char] = &['"', '\'', '\\', '`', '{', '[', '(', '<', '|', '>', '$'];
/// What is a secret in the query of a URL alone.
const QUERY_WORDS: &[&str] = &["key", "code"];

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
    if text.contains("-----BEGIN") && text.contains("PRIVATE KEY") {
        return MASK.to_owned();
    }
    if let Some(shown) = redacted_json(text) {
        return shown;
    }
    let shown = masked(text);
    // What kept it from being a document may be masked.
    let shown = redacted_json(&shown).unwrap_or(shown);
    let read = if shown.contains('%') { read_by_others(&shown) } else { return shown };
    // What is written in another way, such as an address in the query of one.
    if masked(&read) == read { shown } else { MASK.to_owned() }
}

/// The text once nothing more in it is masked: what was masked can be what hid something else.
fn masked(text: &str) -> String {
    let mut shown = text.to_owned();
    for _ in 0..MOST_PASSES {
        let once = masked_addresses(&shown).map_or_else(|| MASK.to_owned(), |text| masked_settings(&text));
        if once == shown {
            return shown;
        }
        shown = once;
    }
    MASK.to_owned()
}

/// A JSON document without its secrets; none when the text is no such document.
fn redacted_json(text: &str) -> Option<String> {
    if !text.trim_start().starts_with(['{', '[']) {
        return None;
    }
    let value: Value = serde_json::from_str(text).ok()?;
    let shown = redact(&value, &Marks::none());
    Some(if shown == value { text.to_owned() } else { shown.to_string() })
}

/// The text with the passwords of its addresses masked; none when it is not clear where one ends.
fn masked_addresses(text: &str) -> Option<String> {
    let last = text.rfind('@');
    let mut end = 0;
    let words = text.split_inclusive(char::is_whitespace).map(|word| {
        end += word.len();
        // What is said of the next word must not be masked away.
        let behind = text.get(end..).unwrap_or_default();
        let is_kept = |shown: &String| shown == word || !announces(word, behind) || announces(shown, behind);
        masked_address(word, last.is_some_and(|at| at >= end)).filter(is_kept)
    });
    words.collect()
}

/// Whether a text ends in what says that a secret follows, with what stands behind it.
fn announces(text: &str, behind: &str) -> bool {
    const SIGNS: [char; 3] = ['=', ':', '>'];
    let text = text.trim_end();
    let name = text.trim_end_matches(SIGNS);
    let signs = text.get(name.len()..).filter(|signs| !signs.is_empty()).unwrap_or(behind.trim_start());
    let sign = signs.get(..1).filter(|_| signs.starts_with(SIGNS)).unwrap_or(" ");
    Setting::announced(name, sign).is_some()
}

/// One word of a text, which may be an address or hold several. Others may follow that have an `@`.
fn masked_address(word: &str, is_followed: bool) -> Option<String> {
    let last = word.rfind('@');
    let mut shown = String::with_capacity(word.len());
    let mut rest = word;
    while let Some((before, after)) = rest.split_once("//") {
        let end = after.find(|letter: char| "/?#;,".contains(letter) || letter.is_whitespace()).unwrap_or(after.len());
        let (authority, tail) = after.split_at(end);
        // An address may stand right behind the authority of another.
        let lead = word.len().checked_sub(after.len() + 2).and_then(|at| word.get(..at)).unwrap_or_default();
        let is_web = ends_in(lead, "http:") || ends_in(lead, "https:");
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
        && let Some(mark) = user.find([':', '/'])
        && let Some((name, secret)) = user.split_at_checked(mark).filter(|(name, _)| !matches!(*name, "" | "mailto"))
    {
        // `user:password@host`, and Oracle's `user/password@host`.
        let mark = secret.get(..1).unwrap_or_default();
        return Some(format!("{name}{mark}{MASK}@{host}"));
    }
    shown.push_str(rest);
    Some(shown)
}

/// Whether a text ends like this, whatever the case.
fn ends_in(text: &str, end: &str) -> bool {
    text.len().checked_sub(end.len()).and_then(|at| text.get(at..)).is_some_and(|last| last.eq_ignore_ascii_case(end))
}

/// Nothing of a word but the white space behind it.
fn masked_word(word: &str) -> String {
    format!("{MASK}{}", word.split_at(word.trim_end().len()).1)
}

/// Whether what stands behind an authority's last colon, if it has one, can be a port.
fn ends_in_port(authority: &str) -> bool {
    authority.ends_with(']') || authority.rsplit_once(':').is_none_or(|(_, port)| port.chars().all(|letter| letter.is_ascii_digit()))
}

/// The text with the values of its secret-looking settings masked: `name=value`, `name: value`, `--name value`, `<name>value`. Where a
/// value is in quotes or braces, whose rules differ, all that follows is masked; elsewhere to where another setting begins.
fn masked_settings(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    let (mut at, is_list) = (0, text.contains(';'));
    for (sign, mark) in text.match_indices(|letter: char| matches!(letter, '=' | ':' | '>') || letter.is_whitespace()) {
        let Some(before) = text.get(at..sign) else { continue };
        let Some(setting) = Setting::announced(before, mark) else { continue };
        let behind = text.get(sign + mark.len()..).unwrap_or_default();
        if mark == ":" && behind.starts_with("//") {
            // A scheme.
            continue;
        }
        let behind = if mark == "=" { behind.strip_prefix('>').unwrap_or(behind) } else { behind };
        let value = behind.trim_start();
        let begin = text.len() - value.len();
        let length = setting.length(behind, is_list);
        if length > 0 {
            shown.push_str(text.get(at..begin).unwrap_or_default());
            shown.push_str(MASK);
            at = begin + length;
        }
    }
    shown.push_str(text.get(at..).unwrap_or_default());
    shown
}

/// How the value of a secret is written, which says where it ends.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Setting {
    /// `?name=value` of a URL.
    Query,
    /// `name=value`.
    Plain,
    /// `name: value`, to the end of the line and of the lines below that are indented.
    Line,
    /// `<name>value<`.
    Element,
    /// `Bearer value`.
    Word,
}

impl Setting {
    /// What kind of setting this sign begins, when what stands before it says that its value is a secret.
    fn announced(before: &str, sign: &str) -> Option<Self> {
        let is_assigned = matches!(sign, "=" | ":");
        let before =
            if is_assigned { before.trim_end_matches(|letter: char| QUOTES.contains(&letter) || letter.is_whitespace()) } else { before };
        let name = before.rsplit(|letter: char| AROUND.contains(&letter) || letter.is_whitespace()).next()?;
        let lead = before.strip_suffix(name)?.chars().next_back();
        let is_query = sign == "=" && matches!(lead, Some('?' | '&'));
        let kind = match sign {
            "=" if is_query => Self::Query,
            "=" => Self::Plain,
            ":" => Self::Line,
            ">" if lead == Some('<') => Self::Element,
            ">" => return None,
            _ if name.starts_with('-') => Self::Line,
            _ if name.eq_ignore_ascii_case("bearer") => return Some(Self::Word),
            _ => return None,
        };
        let name = decoded(name);
        (holds_secrets(&name) || is_query && QUERY_WORDS.iter().any(|word| name.eq_ignore_ascii_case(word))).then_some(kind)
    }

    /// How long the value is in what stands behind the sign, from where its white space ends.
    fn length(self, behind: &str, is_list: bool) -> usize {
        let value = behind.trim_start();
        let is_below = behind.trim_start_matches([' ', '\t', '\r']).starts_with('\n');
        let is_block = self == Self::Line && is_below && is_indented(behind);
        if is_below && !is_block {
            return 0;
        }
        if is_block || (self != Self::Word && value.starts_with(OPENING)) {
            return value.len();
        }
        let end = match self {
            Self::Word => value.find(char::is_whitespace),
            Self::Element => value.find('<'),
            Self::Query => value.find(|letter: char| letter == '&' || letter.is_whitespace()),
            Self::Line => value.match_indices('\n').map(|(at, _)| at).find(|at| ends_line(value, *at)),
            Self::Plain if is_list => value.match_indices(';').map(|(at, _)| at).find(|at| ends_item(value, *at)),
            Self::Plain => value.match_indices(char::is_whitespace).map(|(at, _)| at).find(|at| ends_word(value, *at)),
        };
        // Where what is masked says that another secret follows, that is masked as well.
        end.and_then(|end| value.split_at_checked(end))
            .filter(|(held, behind)| !announces(held, behind))
            .map_or(value.len(), |(held, _)| held.len())
    }
}

/// Whether the next line of a text that begins with the end of one is indented, or an item of a list.
fn is_indented(text: &str) -> bool {
    let next = text.split('\n').skip(1).find(|line| !line.trim().is_empty());
    next.is_some_and(|line| line.starts_with([' ', '\t', '-']))
}

/// Whether the line feed in this place of a value ends it: the line is not continued, and the next one not indented.
fn ends_line(value: &str, at: usize) -> bool {
    let Some((line, below)) = value.split_at_checked(at) else { return true };
    let below = below.strip_prefix('\n').unwrap_or_default();
    !line.trim_end_matches('\r').ends_with('\\') && !below.starts_with([' ', '\t', '\r', '\n'])
}

/// Whether the semicolon in this place of a value ends it: another setting follows, or nothing.
fn ends_item(value: &str, at: usize) -> bool {
    let behind = value.get(at + 1..).unwrap_or_default();
    behind.split_once(';').map_or_else(|| behind.contains('=') || behind.trim().is_empty(), |(next, _)| next.contains('='))
}

/// Whether the white space in this place of a value ends it: it ends the line, or another setting follows, or nothing.
fn ends_word(value: &str, at: usize) -> bool {
    let Some((held, behind)) = value.split_at_checked(at) else { return true };
    if behind.starts_with('\n') {
        return ends_line(value, at);
    }
    // Of several in a row the first tells.
    let mut words = behind.split_whitespace();
    !held.ends_with(char::is_whitespace) && words.next().is_none_or(|next| next.contains('=') && !next.starts_with('='))
}

/// A name as whoever reads the URI will read it.
fn decoded(name: &str) -> String {
    url::form_urlencoded::parse(name.as_bytes()).map(|(name, _)| name.into_owned()).collect()
}

/// A text with what is percent-encoded in it written out.
fn read_by_others(text: &str) -> String {
    let pairs = url::form_urlencoded::parse(text.as_bytes());
    pairs.map(|(name, value)| if value.is_empty() { name.into_owned() } else { format!("{name}={value}") }).collect::<Vec<_>>().join("&")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[track_caller]
    fn assert_masked(cases: &[(&str, &str)]) {
        for (text, masked) in cases {
            assert_eq!(redact_text(text), *masked, "{text}");
            assert_eq!(redact_text(masked), *masked, "{text}, shown again");
        }
    }

    #[test]
    fn a_text_that_is_a_document_once_it_is_masked_is_shown_as_one() {
        assert_masked(&[("{\"a<password>1\u{1d}2<b\":\"x\"}", "{\"a<password>***<b\":{\"$secret\":\"stored\"}}")]);
    }

    #[test]
    fn k04_only_the_secret_part_of_an_address_is_masked() {
        assert_masked(&[
            (
                "postgres://reader:p%40ss@db.example.org:5432/shop?sslmode=require&apikey=abc",
                "postgres://reader:***@db.example.org:5432/shop?sslmode=require&apikey=***",
            ),
            ("mongodb://u:p@a:27017,b:27017/shop?authSource=x", "mongodb://u:***@a:27017,b:27017/shop?authSource=x"),
            ("jdbc:postgresql://u:p@Host/db?user=u&password=p", "jdbc:postgresql://u:***@Host/db?user=u&password=***"),
            ("jdbc:sqlserver://host:1433;user=u;password=p;x=1", "jdbc:sqlserver://host:1433;user=u;password=***;x=1"),
            ("https://host/x?api%5Fkey=k#frag", "https://host/x?api%5Fkey=***"),
            ("https://host/?q=\"&password=PW&z=\"", "https://host/?q=\"&password=***&z=\""),
            ("https://host/?x=1&password=a;PW", "https://host/?x=1&password=***"),
            ("mongodb://h/?authMechanismProperties=AWS_SESSION_TOKEN:PW", "mongodb://h/?authMechanismProperties=***"),
            ("http://a:b@one/,http://c:d@two/", "http://a:***@one/,http://c:***@two/"),
            ("postgres://u:p@ss@host/db", "postgres://u:***@host/db"),
            ("https://host:8443/@scope/x?y=1", "https://host:8443/@scope/x?y=1"),
            ("http://[::1]:80/", "http://[::1]:80/"),
            ("postgres://u:p/w@host/db", "***"),
            ("postgres://u:2024#PW@host/db", "***"),
            ("mongodb://u:12/PW@host/db and more", "*** and more"),
            ("postgres://u:my pw@host/db", "***"),
            ("https://ghp_token@host/x?sig=abc#access_token=t&x=1", "https://***@host/x?sig=***&x=1"),
            ("HTTPS://TOKEN@h/?X-Amz-Signature=PW", "HTTPS://***@h/?X-Amz-Signature=***"),
            ("postgres://reader@host/db", "postgres://reader@host/db"),
            ("//u:PW@host/", "//u:***@host/"),
            ("a//b:c is no address", "a//b:c is no address"),
            ("jdbc:oracle:thin:scott/PW@//h", "***"),
            ("jdbc:oracle:thin:@//h?user=u&password=PW", "jdbc:oracle:thin:@//h?user=u&password=***"),
            ("u:p@tcp(h:3306)/db", "u:***@tcp(h:3306)/db"),
            ("mailto:ops@example.org", "mailto:ops@example.org"),
        ]);
    }

    #[test]
    fn k04_only_the_values_of_secrets_are_masked_in_settings_headers_and_documents() {
        assert_masked(&[
            ("Driver=x;Server=db;Uid=u;Pwd=p;", "Driver=x;Server=db;Uid=u;Pwd=***;"),
            ("Server=db;Password=my PW pass;X=y z", "Server=db;Password=***;X=y z"),
            ("Server=db;Pwd={a;PW};X=1", "Server=db;Pwd=***"),
            ("Server=db;Pwd=\"a\"\";PW\";X=1", "Server=db;Pwd=***"),
            ("Password=\"x PW\" host=h", "Password=***"),
            ("could not connect: host=h password=PW dbname=d", "could not connect: host=h password=*** dbname=d"),
            ("--password=x --user=u", "--password=*** --user=u"),
            ("Authorization: Bearer abc, then", "Authorization: ***"),
            ("refused: x-api-key: PW was wrong", "refused: x-api-key: ***"),
            ("{\"host\":\"h\",\"password\":\"x\"}", "{\"host\":\"h\",\"password\":{\"$secret\":\"stored\"}}"),
            ("-----BEGIN RSA PRIVATE KEY-----\nabc", "***"),
            ("-----BEGIN PGP PRIVATE KEY BLOCK-----\nabc", "***"),
            ("user: u\npassword: PW PW\nhost: h", "user: u\npassword: ***\nhost: h"),
            ("password:\n  - PW\n", "password:\n  ***"),
            ("token:\nhost: h", "token:\nhost: h"),
            ("password: |\n  PW", "password: ***"),
            ("db:\n  password: PW\n   PW\nhost: h", "db:\n  password: ***\nhost: h"),
            ("password:PW", "password:***"),
            ("password => PW", "password => ***"),
            ("password = PW host = h", "password = ***"),
            ("password=//PW", "password=***"),
            ("token://host/x", "token://host/x"),
            ("x {\"password\": \"PW\", \"host\": \"h\"}", "x {\"password\": ***"),
            ("\"{\\\"password\\\":\\\"PW\\\"}\"", "\"{\\\"password\\\":***"),
            ("{'password':'PW'}", "{'password':***"),
            ("psql --password PW", "psql --password ***"),
            ("<password>PW</password><host>h</host>", "<password>***</password><host>h</host>"),
            ("password=PW a&PW?PW", "password=***"),
            ("password=(PW PW) x", "password=***"),
            ("jdbc:mysql://(host=h,password=PW)/db", "jdbc:mysql://(host=h,password=***"),
            ("Extended Properties=\"Password=PW\"", "Extended Properties=\"Password=***"),
            ("authorization=Basic PW", "authorization=***"),
            ("Cookie: a=b; sid=PW", "Cookie: ***"),
            ("Authorization: Digest username=\"u\", response=\"PW\"", "Authorization: ***"),
            ("scott/PW@host:1521/x", "scott/***@host:1521/x"),
            ("https://h/?code=PW&key=PW&x=1", "https://h/?code=***&key=***&x=1"),
            ("https://h/?to=https%3A%2F%2Fu%3APW%40h2%2F", "***"),
            ("https://h/?q=%7B%22password%22%3A%22PW%22%7D", "***"),
            ("https://h/a%20b?x=100%25", "https://h/a%20b?x=100%25"),
            ("password authentication failed for user \"u\"", "password authentication failed for user \"u\""),
        ]);
    }

    #[test]
    fn what_is_masked_hides_neither_an_address_nor_what_is_said_of_the_next_word() {
        assert_masked(&[
            ("https://proxy:https://u:PW@host/", "https://proxy:https://u:***@host/"),
            ("https://h=\"https://TOKEN@host/\"", "https://h=\"https://***@host/\""),
            ("jdbc:oracle:thin:scott/PW@<password>//h", "jdbc:***@<password>***"),
            ("postgres://u:2024#PW@host/db,password: PW and more", "***"),
            ("https://h/?token=PW,password: PW x=1", "https://h/?token=***"),
            ("https://h/?api%5Fkey=PW/secret => PW host=h", "https://h/?api%5Fkey=***"),
            ("Bearer token: PW x", "Bearer ***"),
            ("password= --password PW x", "password= ***"),
            // A secret that is called what it is announces nothing.
            ("password=secret host=h", "password=*** host=h"),
            ("u:password@host/db user=x", "u:***@host/db user=x"),
        ]);
    }

    const PIECES: &[&str] = &[
        "a", "7", "=", ":", "//", "@", " ", "\n", "\n  ", "https:", "password", "token ", "***", "%3D", "{", "\"", ";", "&", "?", ",", ">",
        "<", "--token", "u:p@h/", "Bearer", "=>", "jdbc:",
    ];
    const FORMS: &[(&str, &str)] = &[
        ("password=", ""),
        ("token: ", "\n"),
        (" --password ", " "),
        ("Authorization: Bearer ", "\n"),
        ("postgres://u:", "@host/db"),
        ("https://", "@host/"),
        ("https://h/?key=", "&x=1"),
        ("<secret>", "</secret>"),
        (";Pwd=", ";X=1"),
        (" scott/", "@host:1521/x "),
    ];

    proptest! {
        #[test]
        fn a_secret_is_masked_whatever_stands_around_it(
            before in prop::collection::vec(prop::sample::select(PIECES), 0..8),
            form in prop::sample::select(FORMS),
            behind in prop::collection::vec(prop::sample::select(PIECES), 0..5),
        ) {
            let text = [&before.concat(), form.0, "zQ9canary", form.1, &behind.concat()].concat();
            let shown = redact_text(&text);
            prop_assert!(!shown.contains("zQ9canary"), "{text:?} is shown as {shown:?}");
            prop_assert_eq!(redact_text(&shown), shown);
        }
    }

    #[test]
    fn the_time_grows_with_the_length_only() {
        let begun = std::time::Instant::now();
        let pieces =
            ["token=a ", "token: a\n ", "token:\n\n", "token=;;", "a:=\"\"", " \t", "a;b;", "//a:b@c ", "--token ", "=>", "%3D", "\n"];
        for piece in pieces {
            for before in ["", "token: a", "token=a"] {
                let text = format!("{before}{} b", piece.repeat(20_000 / piece.len()));
                assert!(!redact_text(&text).is_empty(), "{before}{piece}");
            }
        }
        assert!(begun.elapsed() < std::time::Duration::from_secs(20));
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
