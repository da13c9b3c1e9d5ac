//! A table's name as the operator wrote it, as the identifiers that `PostgreSQL` is sent.
//!
//! Always holds: every part goes out quoted, with quotes doubled, so a name cannot be anything but a name;
//! it is taken verbatim (no folding to lower case), and a name that `PostgreSQL` would cut off is refused
//! rather than read as another table.

/// The longest identifier, in bytes, that a server built with defaults keeps whole.
const LONGEST: usize = 63;

/// Why a name is not one.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum NameError {
    #[error("{0:?} is not a table name: write table, schema.table or \"schema\".\"table\"")]
    Shape(String),
    #[error("{0:?} is not a table name: a part is longer than {LONGEST} bytes")]
    Long(String),
}

/// The quoted form of `schema.table`, `"a.b"."c"` or `table`.
pub(super) fn quoted(name: &str) -> Result<String, NameError> {
    let shape = || NameError::Shape(name.to_owned());
    if name.contains('\0') {
        return Err(shape());
    }
    let mut parts = Vec::new();
    let mut rest = name;
    loop {
        let (part, after) =
            if let Some(inner) = rest.strip_prefix('"') { take_quoted(inner) } else { Some(take_plain(rest)) }.ok_or_else(shape)?;
        if part.is_empty() {
            return Err(shape());
        }
        if part.len() > LONGEST {
            return Err(NameError::Long(name.to_owned()));
        }
        parts.push(format!("\"{}\"", part.replace('"', "\"\"")));
        if after.is_empty() {
            break;
        }
        rest = after.strip_prefix('.').ok_or_else(shape)?;
    }
    if parts.len() > 2 { Err(shape()) } else { Ok(parts.join(".")) }
}

/// A part up to the next dot.
fn take_plain(text: &str) -> (String, &str) {
    let end = text.find('.').unwrap_or(text.len());
    let (part, after) = text.split_at(end);
    (part.to_owned(), after)
}

/// A part up to its closing quote; `None` when it has none.
fn take_quoted(inner: &str) -> Option<(String, &str)> {
    let mut part = String::new();
    let mut rest = inner;
    loop {
        let (before, after) = rest.split_once('"')?;
        part.push_str(before);
        match after.strip_prefix('"') {
            Some(more) => {
                part.push('"');
                rest = more;
            }
            None => return Some((part, after)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn names_are_taken_verbatim() {
        for (name, expected) in [
            ("public.orders", r#""public"."orders""#),
            ("Orders", r#""Orders""#),
            (r#""a.b"."c""#, r#""a.b"."c""#),
            (r#"public."say ""hi""""#, r#""public"."say ""hi""""#),
            ("public.order lines", r#""public"."order lines""#),
            (r#"public.x" to program 'id'; --"#, r#""public"."x"" to program 'id'; --""#),
        ] {
            assert_eq!(quoted(name).as_deref(), Ok(expected));
        }
    }

    #[test]
    fn what_is_not_a_name_is_refused() {
        for name in ["", ".", "a.", ".a", "a.b.c", "\"a", "\"a\"b", "\"\"", "a\0b", &"x".repeat(64)] {
            assert!(quoted(name).is_err(), "{name:?}");
        }
    }

    proptest! {
        #[test]
        fn nothing_leaves_the_quotes(name in "[a.\";\\\\ '$é-]{0,20}") {
            if let Ok(sent) = quoted(&name) {
                // Read as a quoted name, what is sent is one or two parts and nothing else.
                prop_assert!(sent.starts_with('"'));
                prop_assert_eq!(quoted(&sent), Ok(sent));
            }
        }

        #[test]
        fn a_quoted_name_reads_as_itself(schema in "[a.\"; é]{1,9}", table in "[b.\"; é]{1,9}") {
            let name = format!("\"{}\".\"{}\"", schema.replace('"', "\"\""), table.replace('"', "\"\""));
            prop_assert_eq!(quoted(&name).unwrap(), name);
        }
    }
}
