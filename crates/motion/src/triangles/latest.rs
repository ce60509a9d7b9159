//! By when two triangles that were found to meet have met for certain.
//!
//! What is apart by no more than rounding counts as met. At a contact head on that costs as much time as the rounding takes at that speed; where
//! the triangles only graze, the gap is a parabola in time, and the true contact may be later by the root of the rounding. Nothing but the gap
//! itself after the contact tells by how much.

/// A time after `from` by which a gap has fallen to zero for certain, or has passed its least value: `last` if neither is found before.
///
/// `gap`: a continuous function of time that is negative where the triangles are in each other, off by no more than `margin / 2`; `step`: the
/// time that is looked ahead at first. **Guarantee.** Between `from` and the result the true gap is zero somewhere, or it has a least value there
/// that rounding cannot tell from zero, or the result is `last`: a measured gap of at most `-margin` is none, and one that has
/// grown by `margin` has truly grown. **Cost.** Twice the time at each look: the result is at most twice as late as needed.
pub(crate) fn latest(gap: impl Fn(f64) -> f64, [from, last]: [f64; 2], step: f64, margin: f64) -> f64 {
    let mut least = gap(from);
    let mut step = step.max(4.0 * f64::EPSILON * last);
    loop {
        let time = from + step;
        // Also for what is not a number.
        if !(time < last) {
            return last.max(from);
        }
        let now = gap(time);
        if now <= -margin || now >= least + margin {
            return time;
        }
        least = least.min(now);
        step *= 2.0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roots_and_least_values_are_passed() {
        let tiny = f64::EPSILON;
        for (scale, root) in [(1.0, 0.3), (1e6, 0.7), (1e-6, 0.999)] {
            for from in [root - 1e-9, root - 1e-12, root] {
                let head_on = latest(|t| scale * (root - t), [from, 1.0], 1e-15, scale * tiny);
                assert!(head_on >= root && head_on <= root + 3e-9, "{head_on} {root}");
                let off = root - from;
                let grazing = latest(|t| scale * (root - t) * (root - t), [from, 1.0], 1e-15, scale * tiny);
                assert!(grazing >= root && grazing <= root + 2.0 * (off + 5e-8), "{grazing} {root}");
            }
        }
        assert_eq!(latest(|_| 0.0, [0.25, 0.75], 0.0, 1.0), 0.75);
        assert_eq!(latest(|t| 1.0 - t, [1.0, 1.0], 0.0, 1.0), 1.0);
    }
}
