//! What moved: raw counts as workers report them, their sums by day, and both read as one (domain.md section 4).

mod batch;
mod consumption;
mod consumption_daily;
mod consumption_report;
mod counted;
mod history;
mod lag;
mod live;
mod production;
mod production_daily;
mod production_report;
mod rollup;
mod series;
mod shown;
mod today;
mod upkeep;
mod wanted;
mod window;

pub use consumption::ConsumptionMetric;
pub use consumption_daily::ConsumptionMetricDaily;
pub use consumption_report::ConsumptionReportMutation;
pub use history::ThroughputQuery;
pub(crate) use lag::of_subscription as lag_of_subscription;
pub use live::{ThroughputFeed, ThroughputSubscription};
pub use production::ProductionMetric;
pub use production_daily::ProductionMetricDaily;
pub use production_report::ProductionReportMutation;
pub(crate) use rollup::note_summed;
pub use shown::{Consumption, Production, Throughput};
pub(crate) use shown::{of_datamodel, of_env, of_pipeline, of_subscription, of_team};
pub use today::Today;
pub use upkeep::Upkeep;
pub use window::over_time;
pub(crate) use window::points_asked;
