//! Pumphouse: a self-hosted control API for data pipelines.

pub mod access;
pub mod cli;
pub mod config;
pub mod core;
pub mod demo;
pub mod embedded;
pub mod fleet;
pub mod graph;
pub mod launcher;
pub mod operations;
pub mod pipelines;
pub mod registry;
pub mod server;
pub mod service;
pub mod telemetry;
pub mod throughput;
pub mod transform;
pub mod worker;
