//! How many tokens a document has and how deep its brackets stand inside each other, told before it is parsed.
//!
//! Always holds: it takes one pass and no memory; brackets in strings and comments count for nothing, and what is no whole string
//! is none; a document that does not parse is measured too. Not here: what tokens mean, which is the parser's.

/// How much there is of a document.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Measure {
    /// Its tokens, as the specification counts them: names, numbers, strings and punctuation.
    pub(crate) tokens: u64,
    /// The most brackets of all kinds, `{`, `[` and `(`, that are open at once.
    pub(crate) nesting: u64,
}

/// Measures a document.
pub(crate) fn measure(document: &str) -> Measure {
    let mut rest = document.chars();
    // Where one block is never closed, no later one is: it is looked for once.
    let mut blocks_end = true;
    let (mut measure, mut depth) = (Measure::default(), 0_u64);
    while let Some(first) = rest.next() {
        let after = rest.as_str();
        let after = match first {
            ' ' | '\t' | '\r' | '\n' | ',' => continue,
            '#' => {
                rest = after.trim_start_matches(|letter| letter != '\n' && letter != '\r').chars();
                continue;
            }
            '"' => after_string(after, &mut blocks_end),
            '.' => after.trim_start_matches('.'),
            '{' | '[' | '(' => {
                depth += 1;
                measure.nesting = measure.nesting.max(depth);
                after
            }
            '}' | ']' | ')' => {
                depth = depth.saturating_sub(1);
                after
            }
            first if is_word(first) => after.trim_start_matches(|letter| is_word(letter) || matches!(letter, '.' | '+' | '-')),
            _ => after,
        };
        measure.tokens += 1;
        rest = after.chars();
    }
    measure
}

/// What stands in names and numbers; what is no ASCII stands in strings and comments alone.
fn is_word(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || letter == '_' || !letter.is_ascii()
}

/// What follows the string whose opening quote was passed.
pub(crate) fn after_string<'t>(text: &'t str, blocks_end: &mut bool) -> &'t str {
    if *blocks_end && let Some(block) = text.strip_prefix("\"\"") {
        match end_of_block(block) {
            Some(end) => return block.split_at(end).1,
            None => *blocks_end = false,
        }
    }
    let mut escaped = false;
    let end = text.char_indices().find(|&(_, letter)| {
        let ends = !escaped && matches!(letter, '"' | '\n' | '\r');
        escaped = !escaped && letter == '\\';
        ends
    });
    end.map_or("", |(at, _)| text.split_at(at + 1).1)
}

/// Where a block string is over: behind the first three quotes that are not escaped.
fn end_of_block(block: &str) -> Option<usize> {
    block.match_indices("\"\"\"").map(|(at, _)| at).find(|&at| !block.split_at(at).0.ends_with('\\')).map(|at| at + 3)
}

#[cfg(test)]
mod tests {
    use super::measure;

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
            assert_eq!(measure(document).tokens, tokens, "{document}");
        }
    }

    #[test]
    fn only_brackets_that_the_parser_sees_count() {
        for (document, depth) in [
            ("{ a(b: [{c: 1}]) { d } }", 4),
            ("{ a } { b }", 1),
            ("{ a(b: \"[[[\\\"[[[\") }", 2),
            ("{ a # [[[[\n { b } }", 2),
            ("{ a(b: \"\"\"[[\\\"\"\"[[\"\"\", c: [1]) }", 3),
            ("]]]] { a", 1),
            // What ends a string for the parser ends it here: a line's end, and the second of three quotes that are never closed.
            ("{ a(b: \"x\n[[[", 5),
            ("[\"\"\"x\"[[[", 4),
            ("\"", 0),
            ("\"\"\"", 0),
        ] {
            assert_eq!(measure(document).nesting, depth, "{document}");
        }
    }
}
