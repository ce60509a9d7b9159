//! How large the property suites are, and all processors for them.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

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

/// What `judge` answers for the cases 0 to `count`, in this order; all processors share them. A panic of one
/// case is a panic of all.
pub fn on_all_processors<T: Send>(count: usize, judge: impl Fn(u64) -> T + Sync) -> Vec<T> {
    let workers = std::thread::available_parallelism().map_or(1, usize::from).min(count);
    let (next, answers) = (AtomicUsize::new(0), Mutex::new(Vec::with_capacity(count)));
    std::thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                loop {
                    let case = next.fetch_add(1, Ordering::Relaxed);
                    if case >= count {
                        break;
                    }
                    let answer = judge(case as u64);
                    answers.lock().expect("no case panicked").push((case, answer));
                }
            });
        }
    });
    let mut answers = answers.into_inner().expect("no case panicked");
    answers.sort_unstable_by_key(|(case, _)| *case);
    answers.into_iter().map(|(_, answer)| answer).collect()
}
