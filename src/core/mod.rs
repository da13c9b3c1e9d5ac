//! What is the same for all entities, once.
//!
//! Always holds: nothing here knows an entity's type; imports go from the areas to here, never back. By name it knows the
//! tables that rights are enforced with, the keys of `constraint.rs`, and what notices carry.

// What values are.
pub mod canonical;
pub mod choice;
pub mod email;
pub mod id;
pub mod scalars;

// Entities, and reading them.
pub(crate) mod cursor;
pub mod entity;
pub mod flat;
pub mod loader;
pub mod page;
pub mod read;
pub mod rows;

// Who may.
pub mod proof;
pub mod scope;
pub mod viewer;
pub mod viewers;

// Writing.
pub mod audit;
pub mod constraint;
pub mod values;
pub mod verb;
pub mod violations;
pub(crate) mod work;
pub mod write;

// Secrets.
pub mod keep;
pub mod marks;
pub mod password;
pub mod redact;
pub(crate) mod redact_text;
pub(crate) mod sealed;
pub mod secret;

// The database.
pub mod db;
mod lease;
pub mod migrate;
mod migrate_error;
pub mod sql;
pub(crate) mod write_limiter;

// Live changes, and what runs for as long as the process does.
pub(crate) mod keyed_limit;
pub mod leader;
pub mod live;
pub mod lock;
pub mod metric;
pub mod network;
pub mod notice_queue;
pub mod request;
pub mod task;

// What is answered when something is wrong.
pub mod error;
pub mod refusals;
