//! The command line of Freiraum; the contract (names, exit codes, JSON keys) is public API.

mod commands;

use std::process::ExitCode;

/// A layer of Mesa's drivers asks the display server which graphics processor it prefers, and prints errors by itself where there is none.
#[allow(unsafe_code)]
fn quiet_drivers() {
    if cfg!(target_os = "linux") && std::env::var_os("XDG_RUNTIME_DIR").is_none() {
        // SAFETY: no other thread has been started.
        unsafe { std::env::set_var("NODEVICE_SELECT", "1") };
    }
}

fn main() -> ExitCode {
    quiet_drivers();
    commands::run(std::env::args_os())
}
