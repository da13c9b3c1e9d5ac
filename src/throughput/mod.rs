//! What moved: raw counts as workers report them, and their sums by day (domain.md section 4).

mod consumption;
mod consumption_daily;
mod production;
mod production_daily;

pub use consumption::ConsumptionMetric;
pub use consumption_daily::ConsumptionMetricDaily;
pub use production::ProductionMetric;
pub use production_daily::ProductionMetricDaily;
