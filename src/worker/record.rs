//! The fields of a CSV stream as `PostgreSQL`'s COPY writes and reads it.
//!
//! Always holds: a field without quotes and letters is null, one with quotes never is; what was written is read back the same,
//! whatever the cuts between chunks; memory holds one row. Not here: counting rows alone (`csv.rs`).

/// The fields of a row; none is null.
pub(super) type Record = Vec<Option<String>>;

/// Cuts chunks into rows.
#[derive(Debug, Default)]
pub(super) struct Records {
    fields: Record,
    field: Vec<u8>,
    state: State,
    was_quoted: bool,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum State {
    #[default]
    Plain,
    Quoted,
    /// After a quote inside quotes, which ends them unless it is doubled.
    Quote,
}

impl Records {
    /// Takes the next chunk and passes on each row that ends in it.
    pub(super) fn feed(&mut self, chunk: &[u8], mut row: impl FnMut(Record)) {
        for byte in chunk {
            match (self.state, byte) {
                (State::Plain, b'"') => {
                    self.state = State::Quoted;
                    self.was_quoted = true;
                }
                (State::Quoted, b'"') => self.state = State::Quote,
                (State::Quote, b'"') => {
                    self.field.push(b'"');
                    self.state = State::Quoted;
                }
                (State::Plain | State::Quote, b',') => self.end_field(),
                (State::Plain | State::Quote, b'\n') => {
                    self.end_field();
                    row(std::mem::take(&mut self.fields));
                }
                (_, byte) => self.field.push(*byte),
            }
        }
    }

    fn end_field(&mut self) {
        let bytes = std::mem::take(&mut self.field);
        let null = bytes.is_empty() && !self.was_quoted;
        // The connection speaks UTF-8.
        self.fields
            .push((!null).then(|| String::from_utf8(bytes).unwrap_or_else(|wrong| String::from_utf8_lossy(wrong.as_bytes()).into_owned())));
        (self.state, self.was_quoted) = (State::Plain, false);
    }
}

/// Writes a row.
pub(super) fn write<'f>(fields: impl IntoIterator<Item = Option<&'f str>>, into: &mut Vec<u8>) {
    for (place, field) in fields.into_iter().enumerate() {
        if place > 0 {
            into.push(b',');
        }
        if let Some(text) = field {
            into.push(b'"');
            into.extend_from_slice(text.replace('"', "\"\"").as_bytes());
            into.push(b'"');
        }
    }
    into.push(b'\n');
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn read(bytes: &[u8], cut: usize) -> Vec<Record> {
        let (mut records, mut rows) = (Records::default(), Vec::new());
        for chunk in bytes.chunks(cut.max(1)) {
            records.feed(chunk, |row| rows.push(row));
        }
        rows
    }

    #[test]
    fn null_is_not_empty() {
        let text = |text: &str| Some(text.to_owned());
        assert_eq!(read(b"1,,\"\",\"say \"\"hi\"\"\n\"\n\n", 3), [vec![text("1"), None, text(""), text("say \"hi\"\n")], vec![None]]);
    }

    proptest! {
        #[test]
        fn what_is_written_is_read(
            rows in prop::collection::vec(prop::collection::vec(prop::option::of("[a\",\n\r\\\\.é]{0,6}"), 1..4), 0..12),
            cut in 1_usize..20,
        ) {
            let mut bytes = Vec::new();
            for row in &rows {
                write(row.iter().map(Option::as_deref), &mut bytes);
            }
            prop_assert_eq!(read(&bytes, cut), rows);
        }
    }
}
