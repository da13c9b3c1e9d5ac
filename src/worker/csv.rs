//! Counts the rows of a CSV stream as `PostgreSQL`'s COPY writes it, whatever the cuts between chunks.
//!
//! Always holds: a line end inside quotes is not a row; a doubled quote inside quotes leaves the state as
//! it was, since it toggles it twice, so one bit is all there is to remember. Not here: the fields (`record.rs`).

/// What one chunk held.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Fed {
    /// Rows that ended in this chunk.
    pub(super) rows: u64,
    /// Where the last of them ended: the bytes before belong to whole rows.
    pub(super) last_row_end: Option<usize>,
}

/// Counts rows from chunk to chunk.
#[derive(Debug, Default)]
pub(super) struct RowCounter {
    quoted: bool,
}

impl RowCounter {
    /// Takes the next chunk.
    pub(super) fn feed(&mut self, chunk: &[u8]) -> Fed {
        let mut fed = Fed::default();
        for (at, byte) in chunk.iter().enumerate() {
            match byte {
                b'"' => self.quoted = !self.quoted,
                b'\n' if !self.quoted => {
                    fed.rows += 1;
                    fed.last_row_end = Some(at + 1);
                }
                _ => {}
            }
        }
        fed
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// A field as COPY writes it.
    fn field(text: &str) -> String {
        if text.contains(['"', ',', '\n', '\r']) || text == "\\." { format!("\"{}\"", text.replace('"', "\"\"")) } else { text.to_owned() }
    }

    #[test]
    fn line_ends_inside_quotes_are_not_rows() {
        let mut counter = RowCounter::default();
        assert_eq!(counter.feed(b"1,\"a\nb\"\n2,\"\"\"\n"), Fed { rows: 1, last_row_end: Some(8) });
        assert_eq!(counter.feed(b"\"\n\n3"), Fed { rows: 2, last_row_end: Some(3) });
        assert_eq!(RowCounter::default().feed(b""), Fed::default());
    }

    proptest! {
        #[test]
        fn any_rows_cut_anywhere_are_counted(
            rows in prop::collection::vec(prop::collection::vec("[a\",\n\r\\\\.é]{0,6}", 1..4), 0..12),
            cuts in prop::collection::vec(0_usize..200, 0..8),
        ) {
            let lines: Vec<String> =
                rows.iter().map(|row| row.iter().map(|text| field(text)).collect::<Vec<_>>().join(",") + "\n").collect();
            let bytes = lines.concat().into_bytes();
            let mut cuts: Vec<usize> = cuts.into_iter().map(|cut| cut.min(bytes.len())).chain([0, bytes.len()]).collect();
            cuts.sort_unstable();

            let (mut counter, mut counted, mut last_end) = (RowCounter::default(), 0, 0);
            for pair in cuts.windows(2) {
                let fed = counter.feed(&bytes[pair[0]..pair[1]]);
                counted += fed.rows;
                if let Some(end) = fed.last_row_end {
                    last_end = pair[0] + end;
                    // Every end is the end of a whole number of rows.
                    let whole: usize = lines.iter().take(usize::try_from(counted).unwrap()).map(String::len).sum();
                    prop_assert_eq!(last_end, whole);
                }
            }
            prop_assert_eq!(counted, u64::try_from(rows.len()).unwrap());
            prop_assert_eq!(last_end, bytes.len());
        }
    }
}
