//! How large the property suites are.

/// `n` cases times `FREIRAUM_TEST_SCALE` (a number, 1 unless set), at least one.
pub fn cases(n: usize) -> usize {
    let scale = std::env::var("FREIRAUM_TEST_SCALE").ok().and_then(|s| s.parse::<f64>().ok()).unwrap_or(1.0);
    ((n as f64 * scale) as usize).max(1)
}
