//! JSON written straight into a buffer.

use std::io::Write as _;

use bench_load::Outcome;
use tokio_postgres::types::{FromSql, Type};
use uuid::Uuid;

/// A time without a zone, in microseconds since 2000.
pub struct Micros(i64);

impl<'a> FromSql<'a> for Micros {
    fn from_sql(_: &Type, raw: &'a [u8]) -> Outcome<Self> {
        Ok(Self(i64::from_be_bytes(raw.try_into()?)))
    }

    fn accepts(kind: &Type) -> bool {
        *kind == Type::TIMESTAMP
    }
}

/// The buffer.
pub struct Json(pub Vec<u8>);

impl Json {
    pub fn raw(&mut self, text: &str) -> &mut Self {
        self.0.extend_from_slice(text.as_bytes());
        self
    }

    pub fn text(&mut self, text: Option<&str>) -> &mut Self {
        match text {
            // Writing into memory does not fail.
            Some(text) => drop(serde_json::to_writer(&mut self.0, text)),
            None => self.0.extend_from_slice(b"null"),
        }
        self
    }

    pub fn id(&mut self, id: Uuid) -> &mut Self {
        let mut buffer = [0; 36];
        let text = id.hyphenated().encode_lower(&mut buffer);
        self.0.push(b'"');
        self.0.extend_from_slice(text.as_bytes());
        self.0.push(b'"');
        self
    }

    pub fn flag(&mut self, flag: Option<bool>) -> &mut Self {
        self.raw(match flag {
            Some(true) => "true",
            Some(false) => "false",
            None => "null",
        })
    }

    pub fn number(&mut self, number: i32) -> &mut Self {
        let _ = write!(self.0, "{number}");
        self
    }

    /// A time as RFC 3339 has it, by the civil calendar of days counted from March.
    pub fn time(&mut self, time: Option<Micros>) -> &mut Self {
        let Some(Micros(time)) = time else { return self.raw("null") };
        let (days, micros) = (time.div_euclid(86_400_000_000) + 10_957 + 719_468, time.rem_euclid(86_400_000_000));
        let (era, day_of_era) = (days.div_euclid(146_097), days.rem_euclid(146_097));
        let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
        let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
        let from_march = (5 * day_of_year + 2) / 153;
        let day = day_of_year - (153 * from_march + 2) / 5 + 1;
        let month = if from_march < 10 { from_march + 3 } else { from_march - 9 };
        let year = year_of_era + era * 400 + i64::from(month <= 2);
        let seconds = micros / 1_000_000;
        let (hour, minute, second, rest) = (seconds / 3600, seconds / 60 % 60, seconds % 60, micros % 1_000_000);
        let _ = write!(self.0, "\"{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{rest:06}\"");
        self
    }

    /// Drops a trailing comma and closes.
    pub fn close(&mut self, text: &str) -> &mut Self {
        if self.0.last() == Some(&b',') {
            self.0.pop();
        }
        self.raw(text)
    }
}
