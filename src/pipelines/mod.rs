//! What runs: connectors, datamodels, pipelines, subscriptions and workers (domain.md section 2).

mod bootstrap;
mod connector;
mod datamodel;
mod health;
mod pipeline;
mod reporter;
mod subscription;
mod watchdog;
mod worker;
mod worker_live;
mod worker_mutation;
pub mod worker_runtime;
mod worker_states;
mod worker_token;
mod worker_transition;

pub use bootstrap::{Bootstrap, BootstrapRequest, bootstrap};
pub use connector::{Connector, Way, has_sealed};
pub use datamodel::Datamodel;
pub(crate) use health::{PRESENT, push_health};
pub use health::{WorkerHealth, WorkerTimings};
pub use pipeline::Pipeline;
pub(crate) use reporter::{Reporter, may_report};
pub use subscription::PipelineSubscription;
pub use watchdog::Watchdog;
pub use worker::{Worker, WorkerState};
pub use worker_live::{WorkerFeed, WorkerSubscription};
pub use worker_mutation::WorkerMutation;
pub(crate) use worker_mutation::{connector_of, connector_on};
pub use worker_token::WorkerTokenMutation;
pub use worker_transition::{TransitionRetention, WorkerTransition};
