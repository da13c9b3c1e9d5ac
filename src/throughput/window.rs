//! The stretch of time that a field tells about: its arguments, and the field that has them.
//!
//! Always holds: minutes, hours and days are those of UTC, whatever the time zone of the viewer, the server or the database; the
//! first and the last one may be parts. Not here: what happened in it (`series.rs`).

use async_graphql::registry::{MetaField, MetaInputValue, Registry};
use async_graphql::{Context, Enum, InputType, OutputType, ServerResult, Value};
use chrono::{DateTime, TimeDelta, Utc};
use futures_util::future::BoxFuture;

use crate::core::entity::{FieldDef, answer, argument, description};
use crate::core::error::{Error, Result};
use crate::core::scalars::Time;

/// The most points of an answer.
const MOST_POINTS: usize = 1_000;

/// How long a point of a series is.
#[derive(Enum, Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[graphql(name = "ThroughputBucket")]
pub enum Bucket {
    /// A minute. Known for as long as raw rows are kept.
    Minute,
    /// An hour. Known for as long as raw rows are kept.
    Hour,
    /// A day of UTC. Known for good; the parts of a day at the ends of the range for as long as raw rows are kept.
    Day,
}

impl Bucket {
    /// Its name in SQL.
    pub(crate) const fn unit(self) -> &'static str {
        match self {
            Self::Minute => "minute",
            Self::Hour => "hour",
            Self::Day => "day",
        }
    }

    const fn micros(self) -> i64 {
        match self {
            Self::Minute => 60_000_000,
            Self::Hour => 3_600_000_000,
            Self::Day => 24 * 3_600_000_000,
        }
    }

    const fn length(self) -> TimeDelta {
        TimeDelta::microseconds(self.micros())
    }
}

/// From when to when, in which steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Window {
    pub(crate) from: DateTime<Utc>,
    pub(crate) to: DateTime<Utc>,
    pub(crate) bucket: Bucket,
}

impl Window {
    /// The window that the arguments say.
    fn of(ctx: &Context<'_>) -> Result<Self> {
        let bucket = argument::<Option<Bucket>>(ctx, "bucket")?.unwrap_or(Bucket::Day);
        Self::new(argument(ctx, "from")?, argument(ctx, "to")?, bucket)
    }

    /// From when to when, in steps of this length.
    ///
    /// # Errors
    /// `VALIDATION` for a range without length, or with too many steps.
    pub(crate) fn new(from: Time, to: Time, bucket: Bucket) -> Result<Self> {
        let (from, to) = (whole_micros(from), whole_micros(to));
        if to <= from {
            return Err(Error::validation("The end of the range lies after its start.").field("to"));
        }
        let least = (to - from).num_seconds() / bucket.length().num_seconds();
        let window = Self { from, to, bucket };
        if usize::try_from(least).map_or(true, |least| least > MOST_POINTS) || window.starts().len() > MOST_POINTS {
            return Err(
                Error::validation(format!("A range has at most {MOST_POINTS} {}s; ask for parts of it.", bucket.unit())).field("to")
            );
        }
        Ok(window)
    }

    /// Where its points start: the first one at its start, the others at full minutes, hours or days.
    pub(crate) fn starts(&self) -> Vec<DateTime<Utc>> {
        let mut starts = vec![self.from];
        let mut next = floor(self.from, self.bucket) + self.bucket.length();
        while next < self.to {
            starts.push(next);
            next += self.bucket.length();
        }
        starts
    }

    /// The first midnight in it; its end when there is none.
    pub(crate) fn first_midnight(&self) -> DateTime<Utc> {
        midnight_after(self.from).min(self.to)
    }

    /// The last midnight at or before its end.
    pub(crate) fn last_midnight(&self) -> DateTime<Utc> {
        midnight_before(self.to)
    }
}

/// The midnight at or before this time.
pub(crate) fn midnight_before(time: DateTime<Utc>) -> DateTime<Utc> {
    floor(time, Bucket::Day)
}

/// The midnight at or after this time.
pub(crate) fn midnight_after(time: DateTime<Utc>) -> DateTime<Utc> {
    let day = floor(time, Bucket::Day);
    if day == time { day } else { day + Bucket::Day.length() }
}

/// The start of the bucket that the time lies in.
fn floor(time: DateTime<Utc>, bucket: Bucket) -> DateTime<Utc> {
    time - TimeDelta::microseconds(time.timestamp_micros().rem_euclid(bucket.micros()))
}

/// The time as the database knows it.
fn whole_micros(Time(time): Time) -> DateTime<Utc> {
    DateTime::from_timestamp_micros(time.timestamp_micros()).unwrap_or(time)
}

/// How many points a field with these arguments has, for judging beforehand what a document asks for; none when the field
/// will refuse them.
pub(crate) fn points_asked(argument: impl Fn(&str) -> Option<Value>) -> Option<usize> {
    let time = |name| <Time as InputType>::parse(argument(name)).ok();
    let bucket = match argument("bucket") {
        None | Some(Value::Null) => Bucket::Day,
        given => <Bucket as InputType>::parse(given).ok()?,
    };
    Window::new(time("from")?, time("to")?, bucket).ok().map(|window| window.starts().len())
}

/// A field that tells about a stretch of time.
pub struct OverTime<T: 'static, R: 'static> {
    name: &'static str,
    description: &'static str,
    get: Get<T, R>,
}

type Get<T, R> = for<'a> fn(&'a T, &'a Context<'a>, Window) -> BoxFuture<'a, Result<R>>;

/// The field `name`, with the arguments `from`, `to` and `bucket`.
pub const fn over_time<T, R>(name: &'static str, get: Get<T, R>, description: &'static str) -> OverTime<T, R> {
    OverTime { name, description, get }
}

impl<T: Send + Sync, R: OutputType + Send + Sync> FieldDef<T> for OverTime<T, R> {
    fn name(&self) -> &'static str {
        self.name
    }

    fn meta(&self, registry: &mut Registry) -> MetaField {
        let mut field = MetaField::new(self.name, R::create_type_info(registry));
        field.description = Some(description(self.description));
        let times = <Time as InputType>::create_type_info(registry);
        let buckets = <Bucket as InputType>::create_type_info(registry);
        let mut add = |name: &str, ty: &str, about: &str, preset: Option<&str>| {
            let mut argument = MetaInputValue::new(name, ty.to_owned());
            argument.description = Some(about.to_owned());
            argument.default_value = preset.map(str::to_owned);
            field.args.insert(name.to_owned(), argument);
        };
        add("from", &times, "The start of the range.", None);
        add("to", &times, "The end of the range, which does not belong to it.", None);
        add("bucket", &buckets, "How long a point is: minutes, hours and days of UTC. At most 1,000 points.", Some("DAY"));
        field
    }

    fn resolve<'a>(&'a self, object: &'a T, ctx: &'a Context<'a>) -> BoxFuture<'a, ServerResult<Value>> {
        Box::pin(async move {
            let told = match Window::of(ctx) {
                Ok(window) => (self.get)(object, ctx, window).await,
                Err(error) => Err(error),
            };
            match told {
                Ok(told) => told
                    .resolve(&ctx.with_selection_set(&ctx.item.node.selection_set), ctx.item)
                    .await
                    .map_err(|error| ctx.set_error_path(error)),
                Err(error) => answer(ctx, false, Err(error)),
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn window(from: &str, to: &str, bucket: Bucket) -> Window {
        let time = |text: &str| text.parse::<DateTime<Utc>>().expect("a time");
        Window { from: time(from), to: time(to), bucket }
    }

    #[test]
    fn points_start_at_the_start_and_at_full_hours_and_days_of_utc() {
        let day = window("2026-03-29T00:30:00+05:30", "2026-03-30T00:30:00+05:30", Bucket::Day);
        assert_eq!(
            day.starts().iter().map(DateTime::to_rfc3339).collect::<Vec<_>>(),
            ["2026-03-28T19:00:00+00:00", "2026-03-29T00:00:00+00:00"]
        );
        assert_eq!(window("2026-03-29T00:00:00Z", "2026-03-30T00:00:00Z", Bucket::Hour).starts().len(), 24);
        assert_eq!(window("2026-03-29T00:30:00Z", "2026-03-29T00:40:00Z", Bucket::Hour).starts().len(), 1);
        assert_eq!(window("2026-03-29T00:30:30Z", "2026-03-29T00:40:00Z", Bucket::Minute).starts().len(), 10);
    }

    #[test]
    fn midnights_stay_within_the_range() {
        let within = window("2026-03-29T10:00:00Z", "2026-03-29T12:00:00Z", Bucket::Day);
        assert_eq!((within.first_midnight(), within.last_midnight() < within.from), (within.to, true));
        let whole = window("2026-03-29T00:00:00Z", "2026-03-31T00:00:00Z", Bucket::Day);
        assert_eq!((whole.first_midnight(), whole.last_midnight()), (whole.from, whole.to));
    }

    #[test]
    fn times_before_1970_are_cut_downwards() {
        let early = window("1969-12-31T10:00:00Z", "1970-01-02T01:00:00Z", Bucket::Day);
        assert_eq!(early.starts().iter().map(DateTime::timestamp).collect::<Vec<_>>(), [-50_400, 0, 86_400]);
    }
}
