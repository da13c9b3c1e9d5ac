//! The program `pumphouse`; all of it is in the library.

use std::process::ExitCode;

use mimalloc::MiMalloc;

#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

fn main() -> ExitCode {
    pumphouse::cli::run()
}
