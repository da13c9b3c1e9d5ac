//! `pumphouse schema`: the SDL, as `schema.graphql` in the repository has it.

use super::output::{Failure, print};
use crate::graph;

/// Prints the SDL with one line end.
pub(super) fn run() -> Result<(), Failure> {
    print(format!("{}\n", graph::sdl(&graph::schema()).trim_end()))
}
