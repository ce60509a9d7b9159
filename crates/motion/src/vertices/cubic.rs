//! Cubics whose zeros are not missed.

/// Parts of a cubic looked at, at most.
const ROUNDS: usize = 100;

/// A cubic in t by its Bernstein coefficients.
pub(super) struct Cubic {
    pub(super) coefficients: [f64; 4],
    /// How far off the coefficients may be by rounding, and what is made of them.
    pub(super) error: f64,
}

impl Cubic {
    /// The coefficients on [time, 1], by de Casteljau.
    fn after(&self, time: f64) -> [f64; 4] {
        let [mut a, mut b, mut c, d] = self.coefficients;
        let between = |p: f64, q: f64| p + time * (q - p);
        (a, b, c) = (between(a, b), between(b, c), between(c, d));
        (a, b) = (between(a, b), between(b, c));
        [between(a, b), b, c, d]
    }

    /// The sign at a time, 0 if it is not certain.
    pub(super) fn sign(&self, time: f64) -> f64 {
        let value = self.after(time)[0];
        if value.abs() > self.error { value.signum() } else { 0.0 }
    }

    /// A time up to which there is proven no zero, from `time` on; not above `time` if nothing can be proven.
    pub(super) fn off_until(&self, time: f64) -> f64 {
        let sign = self.sign(time);
        if sign == 0.0 {
            return time;
        }
        let mut time = time;
        // Share of the rest that is looked at: near a zero that is nearly twofold only a small part tells enough.
        let mut share = 1.0;
        for _ in 0..ROUNDS {
            let [a, b, c, d] = self.after(time);
            let between = |p: f64, q: f64| p + share * (q - p);
            let (ab, bc, cd) = (between(a, b), between(b, c), between(c, d));
            let (abc, bcd) = (between(ab, bc), between(bc, cd));
            let low = [a, ab, abc, between(abc, bcd)].map(|height| sign * height - self.error);
            if !(low[0] > 0.0) {
                return time;
            }
            // The curve lies in the hull of its coefficients, which begins to cross zero between two of them.
            let mut part: f64 = 1.0;
            for (i, above) in low.iter().enumerate().filter(|(_, low)| **low > 0.0) {
                for (j, below) in low.iter().enumerate().filter(|(_, low)| !(**low > 0.0)) {
                    let (i, j) = (i as f64 / 3.0, j as f64 / 3.0);
                    part = part.min(i + (j - i) * (above / (above - below)));
                }
            }
            if part == 1.0 && share == 1.0 {
                return 1.0;
            }
            // The sum is rounded to either side.
            let next = (time + part * share * (1.0 - time) * (1.0 - 16.0 * f64::EPSILON)).next_down();
            if !(next > time) {
                return time;
            }
            time = next;
            share = (share
                * if part == 1.0 {
                    4.0
                } else if part < 0.25 {
                    0.25
                } else {
                    1.0
                })
            .min(1.0);
        }
        time
    }
}
