//! A small seeded stream of random numbers (xoshiro256++), the same on every machine.

use freiraum_geometry::{Pose, Vec3};
use std::f64::consts::{PI, TAU};

/// A stream that depends on its seed alone.
#[derive(Clone, Debug)]
pub(crate) struct Random([u64; 4]);

impl Random {
    pub(crate) fn new(seed: u64) -> Random {
        // Splitmix64 spreads even small seeds over the whole state.
        let mut state = seed;
        Random(std::array::from_fn(|_| {
            state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
            let x = (state ^ (state >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
            let x = (x ^ (x >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
            x ^ (x >> 31)
        }))
    }

    fn bits(&mut self) -> u64 {
        let s = &mut self.0;
        let out = s[0].wrapping_add(s[3]).rotate_left(23).wrapping_add(s[0]);
        let t = s[1] << 17;
        s[2] ^= s[0];
        s[3] ^= s[1];
        s[1] ^= s[2];
        s[0] ^= s[3];
        s[2] ^= t;
        s[3] = s[3].rotate_left(45);
        out
    }

    /// Uniform in [0, 1).
    pub(crate) fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 * 2f64.powi(-53)
    }

    /// Uniform in [lo, hi).
    pub(crate) fn range(&mut self, lo: f64, hi: f64) -> f64 {
        lo + (hi - lo) * self.unit()
    }

    /// A whole number in 0..n, for n > 0.
    pub(crate) fn below(&mut self, n: usize) -> usize {
        (self.bits() % n as u64) as usize
    }

    /// A positive number up to `largest` whose magnitude is uniform: down to `largest / 2^octaves`.
    pub(crate) fn magnitude(&mut self, largest: f64, octaves: f64) -> f64 {
        largest * (-octaves * self.unit()).exp2()
    }

    /// Uniform on the unit sphere.
    pub(crate) fn direction(&mut self) -> Vec3 {
        let z = self.range(-1.0, 1.0);
        let (s, c) = self.range(0.0, TAU).sin_cos();
        let r = (1.0 - z * z).max(0.0).sqrt();
        Vec3::new(r * c, r * s, z)
    }

    /// Uniform over all rotations, about the origin.
    pub(crate) fn rotation(&mut self) -> Pose {
        // The angle of a uniform rotation has the density (1 - cos) / pi in [0, pi].
        let angle = loop {
            let angle = self.range(0.0, PI);
            if self.unit() * 2.0 < 1.0 - angle.cos() {
                break angle;
            }
        };
        Pose::from_axis_angle(self.direction(), angle).unwrap_or(Pose::IDENTITY)
    }
}
