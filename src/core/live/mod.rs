//! Live changes: from PostgreSQL's notices to the streams of subscribers.
//!
//! Always holds: one listening connection per process; changes are read from the database once per
//! process and batch, not once per subscriber, and answered once for all who ask for the same and may see the same;
//! whenever a notice may have been missed, every subscriber is given the present state again. Nothing here publishes:
//! the database does, by trigger.

mod follow;
mod hub;
mod listener;
pub(crate) mod narrow;
mod notice;
mod poll;
mod queue;
mod share;
mod subscribers;

pub use follow::{Meaning, Present, Snapshot, Source, Tries, follow};
pub use hub::{Feed, Hub, Published, Saying, Topic};
pub use listener::Listening;
pub use notice::{Change, Operation};
pub use share::{Before, Mark, Member, Next, Said, Share, Told};
pub use subscribers::Place;

/// The channel that the database's triggers send on.
pub(crate) const CHANNEL: &str = "pumphouse";
