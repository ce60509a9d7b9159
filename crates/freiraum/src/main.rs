//! The command line of Freiraum; the contract (names, exit codes, JSON keys) is public API.

mod cli;

use std::process::ExitCode;

fn main() -> ExitCode {
    cli::run(std::env::args_os())
}
