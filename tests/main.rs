//! The one test binary: one link, shared set-up.

mod access;
mod embedded;
mod house;
mod live;
mod support;
mod transports;
