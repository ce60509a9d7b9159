//! How large the property suites are.

/// `n` cases times `FREIRAUM_TEST_SCALE` (a number above 0, 1 unless set), at least one.
///
/// Panics if the variable holds anything else: a mistyped size must not pass for the default.
pub fn cases(n: usize) -> usize {
    let scale = match std::env::var("FREIRAUM_TEST_SCALE") {
        Err(_) => 1.0,
        Ok(text) => match text.parse::<f64>() {
            Ok(scale) if scale > 0.0 && scale.is_finite() => scale,
            _ => panic!("FREIRAUM_TEST_SCALE is `{text}`; expected a number above 0"),
        },
    };
    ((n as f64 * scale) as usize).max(1)
}
