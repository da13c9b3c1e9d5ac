//! Pumphouse: a self-hosted control API for data pipelines.

pub mod access;
pub mod core;
pub mod graph;
pub mod pipelines;
pub mod worker;
