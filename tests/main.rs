//! The one test binary: one link, shared set-up.

mod house;
