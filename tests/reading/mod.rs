//! What can be read: exact batches, pages, filters, who sees what, secrets, and what bad questions get.

mod agreement;
mod bad_input;
mod batches;
mod city;
mod extremes;
mod filters;
mod pages;
mod random_pages;
mod secrets;
mod subjects;
mod trouble;
mod visibility;
mod walks;

pub use city::City;
