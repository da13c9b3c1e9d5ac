//! How many tokens a document has, before it is parsed.
//!
//! Always holds: it takes one pass and no memory; a document that does not parse has some number of tokens too. Not here:
//! what they mean, which is the parser's.

use crate::server::nesting::after_string;

/// The tokens of a document, as the specification counts them: names, numbers, strings and punctuation.
pub(crate) fn count(document: &str) -> u64 {
    let mut rest = document.chars();
    let mut blocks_end = true;
    let mut tokens = 0;
    while let Some(first) = rest.next() {
        let after = rest.as_str();
        let (token, after) = match first {
            ' ' | '\t' | '\r' | '\n' | ',' => (0, after),
            '#' => (0, after.trim_start_matches(|letter| letter != '\n' && letter != '\r')),
            '"' => (1, after_string(after, &mut blocks_end)),
            '.' => (1, after.trim_start_matches('.')),
            first if is_word(first) => (1, after.trim_start_matches(|letter| is_word(letter) || matches!(letter, '.' | '+' | '-'))),
            _ => (1, after),
        };
        rest = after.chars();
        tokens += token;
    }
    tokens
}

/// What stands in names and numbers; what is no ASCII stands in strings and comments alone.
fn is_word(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || letter == '_' || !letter.is_ascii()
}

#[cfg(test)]
mod tests {
    use super::count;

    #[test]
    fn tokens_are_counted_as_the_specification_has_them() {
        for (document, tokens) in [
            ("", 0),
            ("  ,,# only { a comment }\n", 0),
            ("{ a }", 3),
            ("{a(b:1.5e-3,c:\"x y # } z\")...F@include(if:$v)}", 21),
            (r#"{ a(b: "a \" b \\") }"#, 8),
            ("{ a(b: \"\"\"block \" with \\\"\"\" quotes\nand lines\"\"\") }", 8),
            ("\"never ended", 1),
            ("\"ended by the line\n{ a }", 4),
            ("é { a }", 4),
            (&"{".repeat(5_000), 5_000),
        ] {
            assert_eq!(count(document), tokens, "{document}");
        }
    }
}
