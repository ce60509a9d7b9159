//! Seeded random numbers, the same on every machine and for every number of threads.
//!
//! Two generators: [`SplitMix64`] (Steele, Lea and Flood, *Fast splittable pseudorandom number generators*, 2014) for
//! short streams, and [`Random`], xoshiro256++ (Blackman and Vigna, *Scrambled linear pseudorandom number generators*,
//! 2021), seeded by the former, for searches that draw millions of numbers.

use super::{Pose, Vec3, power_of_two};
use std::f64::consts::{PI, TAU};

/// SplitMix64: one word of state, any seed is good.
#[derive(Clone, Debug)]
pub struct SplitMix64(u64);

impl SplitMix64 {
    /// The stream of a seed.
    pub fn new(seed: u64) -> SplitMix64 {
        SplitMix64(seed)
    }

    /// 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let x = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let x = (x ^ (x >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        x ^ (x >> 31)
    }

    /// Uniform in [0, 1).
    pub fn unit(&mut self) -> f64 {
        unit(self.bits())
    }

    /// Uniform in [lo, hi).
    pub fn range(&mut self, lo: f64, hi: f64) -> f64 {
        lo + (hi - lo) * self.unit()
    }
}

/// Xoshiro256++: a stream that depends on its seed alone.
#[derive(Clone, Debug)]
pub struct Random([u64; 4]);

impl Random {
    /// The stream of a seed.
    pub fn new(seed: u64) -> Random {
        // SplitMix64 spreads even small seeds over the whole state.
        let mut words = SplitMix64::new(seed);
        Random(std::array::from_fn(|_| words.bits()))
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
        unit(self.bits())
    }

    /// Uniform in [lo, hi).
    pub fn range(&mut self, lo: f64, hi: f64) -> f64 {
        lo + (hi - lo) * self.unit()
    }

    /// An integer in 0..n, for n > 0.
    pub fn below(&mut self, n: usize) -> usize {
        (self.bits() % n as u64) as usize
    }

    /// A positive number up to `largest` whose logarithm is uniform: down to `largest / 2^octaves`.
    pub fn magnitude(&mut self, largest: f64, octaves: f64) -> f64 {
        largest * (-octaves * self.unit()).exp2()
    }

    /// Uniform on the unit sphere.
    pub fn direction(&mut self) -> Vec3 {
        let z = self.range(-1.0, 1.0);
        let (s, c) = self.range(0.0, TAU).sin_cos();
        let r = (1.0 - z * z).max(0.0).sqrt();
        Vec3::new(r * c, r * s, z)
    }

    /// Uniform over all rotations about the origin.
    pub fn rotation(&mut self) -> Pose {
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

/// What the last of the 53 bits of a number in [0, 1) counts.
const LAST_BIT: f64 = power_of_two(-53);

/// The upper 53 bits as a number in [0, 1).
fn unit(bits: u64) -> f64 {
    (bits >> 11) as f64 * LAST_BIT
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first numbers of the authors' own C programs.
    #[test]
    fn splitmix_has_its_published_numbers() {
        let mut stream = SplitMix64::new(1_234_567);
        let published = [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423];
        assert_eq!([stream.bits(), stream.bits(), stream.bits()], published);
    }

    /// From the state 1, 2, 3, 4, as the reference implementation has it.
    #[test]
    fn xoshiro_has_its_published_numbers() {
        let mut stream = Random([1, 2, 3, 4]);
        let published = [41_943_041, 58_720_359, 3_588_806_011_781_223, 3_591_011_842_654_386];
        assert_eq!([stream.bits(), stream.bits(), stream.bits(), stream.bits()], published);
    }

    #[test]
    fn numbers_stay_in_their_ranges() {
        let mut random = Random::new(0);
        for _ in 0..10_000 {
            assert!((0.0..1.0).contains(&random.unit()));
            assert!((-2.0..3.0).contains(&random.range(-2.0, 3.0)));
            assert!(random.below(3) < 3);
            let size = random.magnitude(8.0, 3.0);
            assert!(size > 1.0 && size <= 8.0);
            assert!((random.direction().length() - 1.0).abs() < 4.0 * f64::EPSILON);
        }
    }
}
