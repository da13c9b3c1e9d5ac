//! What an email address is, and how it is stored.
//!
//! Always holds: whoever stores one gets it from here, so that the settings, the command line and the sign-in mean the
//! same user. Not here: whether somebody reads mail there.

use crate::core::violations::normal;

/// The most characters of an address: 64 before the `@` and 255 after it (RFC 5321, section 4.5.3.1).
pub const LENGTH: usize = 320;

/// The address as it is stored, trimmed, normalised (NFC) and in lower case; none when the text is no address.
#[must_use]
pub fn email(text: &str) -> Option<String> {
    let email = folded(text);
    let (name, host) = email.split_once('@')?;
    let whole = !name.is_empty() && !host.is_empty() && !host.contains('@');
    let plain = !email.contains(|letter: char| letter.is_whitespace() || letter.is_control());
    (whole && plain && email.chars().count() <= LENGTH).then_some(email)
}

/// A text in the form in which addresses are stored, whether it is one or not: what is compared with them.
#[must_use]
pub fn folded(text: &str) -> String {
    normal(text).to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_has_a_name_and_a_host_and_nothing_else() {
        assert_eq!(email(" Ada@Example.com ").as_deref(), Some("ada@example.com"));
        for text in ["", "ada", "@", "ada@", "@example.com", "a@b@c", "a b@c", "a\u{0}@b", "a\n@b"] {
            assert_eq!(email(text), None, "{text:?}");
        }
        assert!(email(&format!("{}@b", "ä".repeat(318))).is_some());
        assert!(email(&format!("{}@b", "a".repeat(319))).is_none());
    }
}
