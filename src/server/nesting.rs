//! How deep the brackets of a document stand inside each other, told without parsing it.
//!
//! Always holds: time grows with the length only, and nothing is put on the stack; brackets in strings and comments count
//! for nothing, and what is no whole string is none.

/// The most brackets of all kinds, `{`, `[` and `(`, that are open at once.
pub(crate) fn nesting(document: &str) -> u64 {
    let (mut depth, mut most) = (0_u64, 0_u64);
    let mut rest = document;
    // Where one block is never closed, no later one is: it is looked for once.
    let mut blocks_end = true;
    while let Some(at) = rest.find(['{', '[', '(', '}', ']', ')', '"', '#']) {
        let (found, after) = rest.split_at(at).1.split_at(1);
        rest = match found {
            "\"" => after_string(after, &mut blocks_end),
            "#" => after.find(['\n', '\r']).map_or("", |end| after.split_at(end).1),
            "{" | "[" | "(" => {
                depth = depth.saturating_add(1);
                most = most.max(depth);
                after
            }
            _ => {
                depth = depth.saturating_sub(1);
                after
            }
        };
    }
    most
}

/// What follows the string whose opening quote was passed.
fn after_string<'t>(text: &'t str, blocks_end: &mut bool) -> &'t str {
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
    use super::nesting;

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
            assert_eq!(nesting(document), depth, "{document}");
        }
    }
}
