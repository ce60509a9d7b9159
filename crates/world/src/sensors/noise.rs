//! Errors of measurements that follow from seeds alone.
//!
//! Every number comes from a stream of its own, named by the seed of the world, the number of the sensor, the number of its
//! measurement and the number of the value in it: the order of calls, threads and other sensors make no difference. Only
//! additions, multiplications, divisions and square roots are used, which round alike on every machine.

use freiraum_geometry::math::power_of_two;
use freiraum_scene::Noise;

/// Which measurement a random number belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Source {
    /// The seed of the world.
    pub seed: u64,
    /// The number of the sensor.
    pub sensor: u64,
    /// The number of its measurement.
    pub measurement: u64,
}

impl Source {
    /// The random numbers of one value of the measurement, a beam for example.
    pub fn stream(&self, value: u64) -> Stream {
        let words = [self.seed, self.sensor, self.measurement, value];
        Stream(
            words
                .into_iter()
                .fold(0, |state, word| mixed(state.wrapping_add(STEP) ^ mixed(word.wrapping_add(STEP)))),
        )
    }

    /// Adds noise to a distance: no return stays none, a lost one becomes none, and so does one that comes out beyond `range`;
    /// distances do not get below 0.
    ///
    /// The standard deviation is that of two independent errors, `constant` and `relative` times the distance.
    pub fn distance(&self, value: u64, noise: &Noise, range: f64, distance: f64) -> f64 {
        if !distance.is_finite() {
            return distance;
        }
        let mut stream = self.stream(value);
        if stream.unit() < noise.dropout {
            return f64::INFINITY;
        }
        let found = (distance + deviation(noise, distance) * stream.normal()).max(0.0);
        if found > range { f64::INFINITY } else { found }
    }

    /// [`Source::distance`] for all distances of a scan; the number of the value is its place in the slice.
    pub fn distances(&self, noise: &Noise, range: f64, distances: &mut [f64]) {
        if *noise != Noise::default() {
            for (i, distance) in distances.iter_mut().enumerate() {
                *distance = self.distance(i as u64, noise, range, *distance);
            }
        }
    }

    /// Adds noise to any other number, the way of a wheel or a turn; a lost one is `None`.
    pub fn number(&self, value: u64, noise: &Noise, number: f64) -> Option<f64> {
        let mut stream = self.stream(value);
        let is_lost = stream.unit() < noise.dropout;
        (!is_lost).then(|| number + deviation(noise, number) * stream.normal())
    }

    /// True if a yes or no (light barrier, bumper) is lost.
    pub fn is_lost(&self, value: u64, noise: &Noise) -> bool {
        self.stream(value).unit() < noise.dropout
    }
}

fn deviation(noise: &Noise, value: f64) -> f64 {
    let relative = noise.relative * value;
    (noise.constant * noise.constant + relative * relative).sqrt()
}

/// Random numbers, one after the other.
#[derive(Clone, Debug)]
pub struct Stream(u64);

/// The golden ratio in 64 bits: splitmix64 steps by it.
const STEP: u64 = 0x9E37_79B9_7F4A_7C15;

/// The finisher of splitmix64: every bit of the answer depends on every bit of the question.
fn mixed(word: u64) -> u64 {
    let word = (word ^ (word >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let word = (word ^ (word >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    word ^ (word >> 31)
}

/// What the last of the 53 bits of a number in [0, 1) counts.
const LAST_BIT: f64 = power_of_two(-53);

impl Stream {
    /// Uniform in [0, 1).
    pub fn unit(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(STEP);
        (mixed(self.0) >> 11) as f64 * LAST_BIT
    }

    /// Standard normal, by Marsaglia's polar method.
    pub fn normal(&mut self) -> f64 {
        loop {
            let (x, y) = (2.0 * self.unit() - 1.0, 2.0 * self.unit() - 1.0);
            let square = x * x + y * y;
            if square > 0.0 && square < 1.0 {
                return x * (-2.0 * logarithm(square) / square).sqrt();
            }
        }
    }
}

/// The natural logarithm of a positive normal number, from exactly rounded operations only: those of the platform differ.
fn logarithm(x: f64) -> f64 {
    let exponent = (x.to_bits() >> 52) as i32 - 1023;
    let fraction = f64::from_bits((x.to_bits() & ((1 << 52) - 1)) | (1023 << 52));
    // Between sqrt(1/2) and sqrt(2), where the series needs few terms.
    let (exponent, fraction) = if fraction > std::f64::consts::SQRT_2 {
        (exponent + 1, 0.5 * fraction)
    } else {
        (exponent, fraction)
    };
    // ln m = 2 artanh s; |s| < 0.172, so that s^23 / 23 is below the last place.
    let s = (fraction - 1.0) / (fraction + 1.0);
    let square = s * s;
    let series = (0..11).rev().fold(0.0, |sum, k| sum * square + 1.0 / f64::from(2 * k + 1));
    f64::from(exponent) * std::f64::consts::LN_2 + 2.0 * s * series
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOURCE: Source = Source { seed: 11, sensor: 3, measurement: 0 };

    #[test]
    fn logarithms_are_those_of_the_library() {
        for k in 1..4000 {
            for x in [f64::from(k) * 2.5e-4, 1.0 / f64::from(k * k), 2f64.powi(-k / 4)] {
                assert!((logarithm(x) - x.ln()).abs() <= 4.0 * f64::EPSILON * x.ln().abs().max(0.25), "{x}");
            }
        }
    }

    #[test]
    fn normal_numbers_have_the_moments_and_the_tails_of_the_bell_curve() {
        let count = 400_000;
        let numbers: Vec<f64> = (0..count).map(|i| SOURCE.stream(i).normal()).collect();
        let moment = |k: i32| numbers.iter().map(|x| x.powi(k)).sum::<f64>() / count as f64;
        // Within four standard errors: 1, sqrt 2, sqrt 15, sqrt 96 over sqrt n.
        let error = 4.0 / (count as f64).sqrt();
        assert!(moment(1).abs() < error);
        assert!((moment(2) - 1.0).abs() < error * 2f64.sqrt());
        assert!(moment(3).abs() < error * 15f64.sqrt());
        assert!((moment(4) - 3.0).abs() < error * 96f64.sqrt());
        let share = |limit: f64| numbers.iter().filter(|x| x.abs() > limit).count() as f64 / count as f64;
        for (limit, expected) in [(1.0, 0.317_311), (2.0, 0.045_500), (3.0, 0.002_700)] {
            assert!((share(limit) - expected).abs() < 4.0 * (expected / count as f64).sqrt(), "{limit}");
        }
        // One after the other in a stream, too, and not alike from one to the next.
        let mut stream = SOURCE.stream(0);
        let row: Vec<f64> = (0..count).map(|_| stream.normal()).collect();
        let product = row.windows(2).map(|w| w[0] * w[1]).sum::<f64>() / count as f64;
        assert!(product.abs() < error);
        let beside = numbers.windows(2).map(|w| w[0] * w[1]).sum::<f64>() / count as f64;
        assert!(beside.abs() < error);
    }

    #[test]
    fn distances_get_the_deviation_and_the_losses_that_were_asked_for() {
        let noise = Noise { constant: 0.03, relative: 0.004, dropout: 0.1 };
        let count = 100_000;
        let mut found = vec![10.0; count];
        SOURCE.distances(&noise, 100.0, &mut found);
        let kept: Vec<f64> = found.iter().copied().filter(|d| d.is_finite()).collect();
        let lost = 1.0 - kept.len() as f64 / count as f64;
        assert!((lost - 0.1).abs() < 4.0 * (0.09 / count as f64).sqrt(), "{lost}");
        let mean = kept.iter().sum::<f64>() / kept.len() as f64;
        let variance = kept.iter().map(|d| (d - mean).powi(2)).sum::<f64>() / kept.len() as f64;
        assert!((mean - 10.0).abs() < 4.0 * 0.05 / (kept.len() as f64).sqrt(), "{mean}");
        assert!((variance.sqrt() - 0.05).abs() < 4.0 * 0.05 / (2.0 * kept.len() as f64).sqrt());
        // No return stays none; 0 stays at or above 0; nothing comes back from beyond the range.
        assert_eq!(SOURCE.distance(1, &noise, 5.0, f64::INFINITY), f64::INFINITY);
        assert!((0..1000).all(|i| SOURCE.distance(i, &noise, 5.0, 0.0) >= 0.0));
        let near_end: Vec<f64> = (0..1000).map(|i| SOURCE.distance(i, &noise, 10.0, 10.0)).collect();
        assert!(near_end.iter().all(|d| *d <= 10.0 || *d == f64::INFINITY));
        let mut same = vec![1.0, f64::INFINITY];
        SOURCE.distances(&Noise::default(), 5.0, &mut same);
        assert_eq!(same, [1.0, f64::INFINITY]);
    }

    #[test]
    fn numbers_depend_on_their_names_only() {
        let noise = Noise { constant: 1.0, ..Noise::default() };
        let of = |s: Source, i| s.number(i, &noise, 0.0).unwrap();
        // Backwards gives the same as forwards.
        let forward: Vec<f64> = (0..100).map(|i| of(SOURCE, i)).collect();
        let backward: Vec<f64> = (0..100).rev().map(|i| of(SOURCE, i)).rev().collect();
        assert_eq!(forward, backward);
        for other in [
            Source { seed: 12, ..SOURCE },
            Source { sensor: 4, ..SOURCE },
            Source { measurement: 1, ..SOURCE },
            // Words that trade places.
            Source { seed: 3, sensor: 11, measurement: 0 },
        ] {
            assert!((0..100).all(|i| of(other, i) != of(SOURCE, i)));
        }
        // This very number on every machine; computed elsewhere.
        assert_eq!(SOURCE.stream(0).unit(), 2649118306374297f64 * 2f64.powi(-53));
        assert!(SOURCE.number(0, &Noise { dropout: 1.0, ..noise }, 0.0).is_none());
        assert!(SOURCE.is_lost(0, &Noise { dropout: 1.0, ..noise }) && !SOURCE.is_lost(0, &noise));
    }
}
