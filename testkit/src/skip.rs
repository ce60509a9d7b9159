//! Tests that cannot run where they are: they say so, and fail where they are required to run.

use std::fmt::Display;
use std::io::Write;
use std::process::{Command, Stdio};

/// What a test needs besides this repository.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Need {
    /// An adapter for graphics; one in software will do.
    Gpu,
    /// The third-party models of [`crate::data`].
    Data,
    /// `python3`.
    Python,
}

impl Need {
    /// All of them.
    pub const ALL: [Need; 3] = [Need::Gpu, Need::Data, Need::Python];

    /// The variable of the environment that requires it, as CI does. The studio in a browser, which `cargo xtask` tests, has
    /// `FREIRAUM_REQUIRE_BROWSER`.
    pub fn variable(self) -> &'static str {
        match self {
            Need::Gpu => "FREIRAUM_REQUIRE_GPU",
            Need::Data => "FREIRAUM_REQUIRE_DATA",
            Need::Python => "FREIRAUM_REQUIRE_PYTHON",
        }
    }
}

/// Tells that a test is left out, past the capture of the test harness, which shows nothing of tests that pass.
///
/// **Panics** where what it needs is required.
pub fn skipped(need: Need, reason: impl Display) {
    let line = line(need, &reason, std::env::var_os(need.variable()).is_some_and(|value| !value.is_empty()));
    // Nobody is there to be told if this fails.
    let _ = writeln!(std::io::stderr(), "{line}");
}

/// What is told of a test that is left out.
fn line(need: Need, reason: &dyn Display, is_required: bool) -> String {
    assert!(!is_required, "{reason}, and {} is set: nothing may be skipped", need.variable());
    format!("SKIPPED: {reason}")
}

/// Whether there is `python3`; if not, says that a test is left out, or panics where it is required.
pub fn has_python() -> bool {
    let found =
        Command::new("python3").arg("--version").stdout(Stdio::null()).status().is_ok_and(|s| s.success());
    if !found {
        skipped(Need::Python, "there is no python3");
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_required_is_not_skipped() {
        for need in Need::ALL {
            assert_eq!(line(need, &"none here", false), "SKIPPED: none here");
            let told = std::panic::catch_unwind(|| line(need, &"none here", true)).unwrap_err();
            let told = told.downcast_ref::<String>().expect("a formatted message");
            assert_eq!(*told, format!("none here, and {} is set: nothing may be skipped", need.variable()));
        }
    }
}
