//! What runs: connectors, datamodels, pipelines, subscriptions and workers (domain.md section 2).

mod connector;
mod datamodel;
mod pipeline;
mod subscription;
mod worker;

pub use connector::{Connector, Way};
pub use datamodel::Datamodel;
pub use pipeline::Pipeline;
pub use subscription::PipelineSubscription;
pub use worker::{Worker, WorkerState};
