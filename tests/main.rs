//! The one test binary: one link, shared set-up.

// Tests may be blunt, also outside of `#[test]`, where .clippy.toml does not reach.
#![allow(
    clippy::disallowed_methods,
    clippy::assigning_clones,
    clippy::case_sensitive_file_extension_comparisons,
    clippy::expect_used,
    clippy::float_cmp,
    clippy::indexing_slicing,
    clippy::naive_bytecount,
    clippy::panic,
    clippy::print_stdout,
    clippy::unwrap_used,
    missing_docs,
    reason = "a test that cannot go on should end"
)]

mod access;
mod bench;
mod config;
mod connectors;
mod demo;
mod embedded;
mod faults;
mod house;
mod live;
mod operations;
mod pipelines;
mod program;
mod reading;
mod registry;
mod support;
mod throughput;
mod transports;
mod worker;
