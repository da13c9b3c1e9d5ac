//! Live changes: from PostgreSQL's notices to the streams of subscribers.
//!
//! Always holds: one listening connection per process; changes are read from the database once per
//! process and batch, not once per subscriber, and answered once for all who ask for the same and may see the same;
//! whenever a notice may have been missed, every subscriber is given the present state again. Nothing here publishes:
//! the database does, by trigger.
//!
//! The words, from the notice to the subscriber:
//!
//! * A *notice* says which rows changed; a [`Feed`] reads from the database what that means and publishes *events* under a *topic*.
//! * An *execution* is one running subscription operation. It *follows* a topic: a [`Source`] gives the present state, and says
//!   which events matter after it and what they mean. Those who ask for the same and may see the same *share* it ([`Share`]).
//! * A *member* is one subscriber of an execution, with a queue of answers of their own ([`Member`]). Members may move: *before* is
//!   what one was told elsewhere ([`ResumeState`]).
//! * *Told* is which objects an execution has spoken of to its members, each with a *mark*, the version that was last told
//!   ([`SeenObjects`], [`SeenVersion`]); what is told and then gone is taken back by a *removal*.
//! * *Lasting* is an answer that must be delivered even if the member is sent back to the present state, as that cannot show it.
//! * *Again*, of an execution, and *anew*, of a member: the queue is emptied and the present state read once more, because something
//!   was missed, was too much, or may not be seen any more (elsewhere called a resync).

mod follow;
mod hub;
mod listener;
pub(crate) mod narrow;
mod notice;
mod poll;
mod queue;
mod share;
mod subscribers;

pub use follow::{EventUpdate, Present, Snapshot, Source, Tries, follow};
pub use hub::{EventPayload, Feed, Hub, LiveEvent, Topic};
pub use listener::{ListenRetry, Listening};
pub use notice::{Change, Operation};
pub use share::{EncodedResponse, Member, Next, ResumeState, SeenObjects, SeenVersion, Share};
pub use subscribers::Place;

/// The channel that the database's triggers send on.
pub(crate) const CHANNEL: &str = "pumphouse";
