//! Tests that cannot run where they are: they say so, and fail where they are required to run.

use std::fmt::Display;
use std::io::Write;

/// Set where nothing may be skipped, as in CI.
const REQUIRED: &str = "FREIRAUM_REQUIRE_BROWSER";

/// Tells that tests are left out, past the capture of the test harness, which shows nothing of tests that pass.
///
/// **Panics** where nothing may be left out.
pub fn skipped(reason: impl Display) {
    let is_required = std::env::var_os(REQUIRED).is_some_and(|value| !value.is_empty());
    assert!(!is_required, "{reason}, and {REQUIRED} is set: nothing may be skipped");
    // Nobody is there to be told if this fails.
    let _ = writeln!(std::io::stderr(), "SKIPPED: {reason}");
}
