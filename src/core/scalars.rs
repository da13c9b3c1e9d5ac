//! The graph's own scalars: `DateTime`, `Date`, `BigInt` and `JSON`.
//!
//! Always holds: times are UTC with microseconds; JSON is carried as the text it was stored as; times and days are read
//! from the database through these, as chrono's own reading panics on what PostgreSQL can hold and chrono cannot.

use std::borrow::Cow;
use std::fmt;
use std::ops::RangeInclusive;

use async_graphql::registry::Registry;
use async_graphql::{
    ContextSelectionSet, InputValueError, InputValueResult, OutputType, Positioned, Scalar, ScalarType, ServerResult, Value,
};
use chrono::{DateTime, Datelike as _, NaiveDate, SecondsFormat, Utc};
use serde_json::value::RawValue;
use sqlx::error::BoxDynError;
use sqlx::postgres::{PgHasArrayType, PgTypeInfo, PgValueRef};
use sqlx::{Decode, Postgres, Type};

/// A point in time as RFC 3339 in UTC with microseconds, such as `2026-11-29T08:15:30.123456Z`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Time(pub DateTime<Utc>);

#[Scalar(name = "DateTime")]
/// A point in time as RFC 3339 in UTC with microseconds, such as `2026-11-29T08:15:30.123456Z`. Any offset is accepted in input.
impl ScalarType for Time {
    fn parse(value: Value) -> InputValueResult<Self> {
        match &value {
            Value::String(text) => match DateTime::parse_from_rfc3339(text) {
                Ok(time) if DAYS.contains(&time.timestamp().div_euclid(86_400)) => Ok(Self(time.to_utc())),
                Ok(_) => Err(InputValueError::custom("a DateTime lies in the years 0 to 9999 of UTC")),
                Err(_) => Err(InputValueError::custom("a DateTime is written like 2026-11-29T08:15:30Z")),
            },
            _ => Err(InputValueError::expected_type(value)),
        }
    }

    fn to_value(&self) -> Value {
        Value::String(self.to_string())
    }
}

impl fmt::Display for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.to_rfc3339_opts(SecondsFormat::Micros, true))
    }
}

/// The days, counted from 1970, that RFC 3339 can write: of the years 0 to 9999. The tables hold no others (migration
/// 0027); read from elsewhere, an infinite time or one of another year is the nearest that can be written.
const DAYS: RangeInclusive<i64> = -719_528..=2_932_896;
/// Where PostgreSQL counts from, in days after 1970.
const EPOCH: i64 = 10_957;
const MICROS_OF_A_DAY: i64 = 86_400_000_000;

impl Type<Postgres> for Time {
    fn type_info() -> PgTypeInfo {
        <DateTime<Utc> as Type<Postgres>>::type_info()
    }
}

impl PgHasArrayType for Time {
    fn array_type_info() -> PgTypeInfo {
        <DateTime<Utc> as PgHasArrayType>::array_type_info()
    }
}

impl<'r> Decode<'r, Postgres> for Time {
    fn decode(value: PgValueRef<'r>) -> Result<Self, BoxDynError> {
        let micros = <i64 as Decode<Postgres>>::decode(value)?.saturating_add(EPOCH * MICROS_OF_A_DAY);
        let micros = micros.clamp(DAYS.start() * MICROS_OF_A_DAY, (DAYS.end() + 1) * MICROS_OF_A_DAY - 1);
        Ok(Self(DateTime::from_timestamp_micros(micros).ok_or("no time of the calendar")?))
    }
}

impl Type<Postgres> for Date {
    fn type_info() -> PgTypeInfo {
        <NaiveDate as Type<Postgres>>::type_info()
    }
}

impl<'r> Decode<'r, Postgres> for Date {
    fn decode(value: PgValueRef<'r>) -> Result<Self, BoxDynError> {
        let days = i64::from(<i32 as Decode<Postgres>>::decode(value)?) + EPOCH;
        let micros = days.clamp(*DAYS.start(), *DAYS.end()) * MICROS_OF_A_DAY;
        Ok(Self(DateTime::from_timestamp_micros(micros).ok_or("no day of the calendar")?.date_naive()))
    }
}

/// A calendar day in UTC, such as `2026-11-29`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Date(pub NaiveDate);

#[Scalar]
/// A calendar day in UTC, such as `2026-11-29`: four digits, two and two.
impl ScalarType for Date {
    fn parse(value: Value) -> InputValueResult<Self> {
        match &value {
            Value::String(text) => match text.parse::<NaiveDate>() {
                // chrono reads more than is written like this: years of two digits, signs, spaces.
                Ok(day) if (0..=9999).contains(&day.year()) && day.to_string() == *text => Ok(Self(day)),
                Ok(day) if !(0..=9999).contains(&day.year()) => Err(InputValueError::custom("a Date lies in the years 0 to 9999")),
                _ => Err(InputValueError::custom("a Date is written like 2026-11-29")),
            },
            _ => Err(InputValueError::expected_type(value)),
        }
    }

    fn to_value(&self) -> Value {
        Value::String(self.0.to_string())
    }
}

/// A 64-bit integer, written as a JSON number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct BigInt(pub i64);

#[Scalar]
/// A 64-bit integer, written as a JSON number.
impl ScalarType for BigInt {
    fn parse(value: Value) -> InputValueResult<Self> {
        match &value {
            Value::Number(number) => match number.as_i64() {
                Some(number) => Ok(Self(number)),
                None => Err(InputValueError::custom("a BigInt is a whole number of at most 64 bits")),
            },
            _ => Err(InputValueError::expected_type(value)),
        }
    }

    fn to_value(&self) -> Value {
        Value::Number(self.0.into())
    }
}

/// A JSON document, passed on as the text it is stored as.
#[derive(Clone, Debug)]
pub struct Json(pub Box<RawValue>);

impl OutputType for Json {
    fn type_name() -> Cow<'static, str> {
        <async_graphql::Json<serde_json::Value> as OutputType>::type_name()
    }

    fn create_type_info(registry: &mut Registry) -> String {
        let name = <async_graphql::Json<serde_json::Value> as OutputType>::create_type_info(registry);
        registry.set_description("JSON", "Any JSON value: object, list, text, number, boolean or null.");
        name
    }

    async fn resolve(
        &self,
        _ctx: &ContextSelectionSet<'_>,
        _field: &Positioned<async_graphql::parser::types::Field>,
    ) -> ServerResult<Value> {
        Ok(self.to_value())
    }
}

impl Json {
    /// The document as a value that is printed as the same text.
    #[must_use]
    pub fn to_value(&self) -> Value {
        async_graphql::to_value(&*self.0).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_and_days_outside_the_years_that_can_be_written_are_refused() {
        let time = |text: &str| <Time as ScalarType>::parse(Value::String(text.to_owned())).is_ok();
        assert!(time("0000-01-01T00:00:00Z") && time("9999-12-31T23:59:59.999999Z"));
        assert!(!time("0000-01-01T00:00:00+01:00") && !time("9999-12-31T23:59:59-01:00"));
        let day = |text: &str| <Date as ScalarType>::parse(Value::String(text.to_owned())).is_ok();
        assert!(day("0000-01-01") && day("9999-12-31"));
        assert!(!day("+10000-01-01") && !day("-0001-12-31"));
        for text in
            ["26-11-29", "2026-1-5", "+2026-11-29", "2026-11-29 ", " 2026-11-29", "2026 -11-29", "2026-11-029", "0-1-1", "2026-02-30"]
        {
            assert!(!day(text), "{text:?}");
        }
    }
}
