//! Live changes, as clients see them.

mod workers;
