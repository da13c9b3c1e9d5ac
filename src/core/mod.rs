//! What is the same for all entities, once.
//!
//! Always holds: nothing here knows an entity's type; imports go from the areas to here, never back. By name it knows the
//! tables that rights are enforced with, the keys of `constraint.rs`, and what notices carry.

pub mod audit;
pub mod canonical;
pub mod choice;
pub mod constraint;
pub(crate) mod cursor;
pub mod db;
pub mod email;
pub mod entity;
pub mod error;
pub mod faults;
pub mod id;
pub mod keep;
pub mod leader;
mod lease;
pub mod live;
pub mod loader;
pub mod marks;
pub mod metric;
pub mod migrate;
mod migrate_error;
pub mod network;
pub mod notice_queue;
pub mod page;
pub mod password;
pub(crate) mod places;
pub mod plain;
pub mod proof;
pub mod read;
pub mod redact;
pub(crate) mod redact_text;
pub mod request;
pub mod rows;
pub mod scalars;
pub mod scope;
pub(crate) mod sealed;
pub mod secret;
pub mod sql;
pub mod task;
pub(crate) mod turns;
pub mod values;
pub mod verb;
pub mod viewer;
pub mod viewers;
pub(crate) mod work;
pub mod write;
