//! A small seeded random generator (xoshiro256++), the same on every machine.

use glam::{DQuat, DVec3};

/// A seeded stream of numbers; two with the same seed give the same stream.
#[derive(Clone, Debug)]
pub struct Random([u64; 4]);

impl Random {
    /// A stream that depends on the seed alone.
    pub fn new(seed: u64) -> Random {
        // splitmix64 spreads even small seeds over the whole state.
        let mut z = seed;
        Random(std::array::from_fn(|_| {
            z = z.wrapping_add(0x9E37_79B9_7F4A_7C15);
            let x = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
            let x = (x ^ (x >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
            x ^ (x >> 31)
        }))
    }

    /// 64 random bits.
    pub fn bits(&mut self) -> u64 {
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
    pub fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 * 2f64.powi(-53)
    }

    /// Uniform in [lo, hi).
    pub fn range(&mut self, lo: f64, hi: f64) -> f64 {
        lo + (hi - lo) * self.unit()
    }

    /// A whole number in 0..n.
    pub fn below(&mut self, n: usize) -> usize {
        (self.bits() % n as u64) as usize
    }

    /// Standard normal.
    pub fn normal(&mut self) -> f64 {
        let u = 1.0 - self.unit();
        (-2.0 * u.ln()).sqrt() * (std::f64::consts::TAU * self.unit()).cos()
    }

    /// Uniform in the cube [-half, half)³.
    pub fn in_cube(&mut self, half: f64) -> DVec3 {
        DVec3::new(self.range(-half, half), self.range(-half, half), self.range(-half, half))
    }

    /// Uniform on the unit sphere.
    pub fn direction(&mut self) -> DVec3 {
        let z = self.range(-1.0, 1.0);
        let (s, c) = self.range(0.0, std::f64::consts::TAU).sin_cos();
        let r = (1.0 - z * z).max(0.0).sqrt();
        DVec3::new(r * c, r * s, z)
    }

    /// Uniform over all rotations.
    pub fn rotation(&mut self) -> DQuat {
        let (u, v, w) =
            (self.unit(), self.range(0.0, std::f64::consts::TAU), self.range(0.0, std::f64::consts::TAU));
        let (a, b) = ((1.0 - u).sqrt(), u.sqrt());
        DQuat::from_xyzw(a * v.sin(), a * v.cos(), b * w.sin(), b * w.cos()).normalize()
    }
}
