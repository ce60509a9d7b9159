//! The farthest of a few points by looking at all of them, four at a time.

use freiraum_geometry::Vec3;

const LANES: usize = 4;

/// How many points there may be.
pub(super) const MOST: usize = 32;

/// A few points by coordinate, in groups of four; the last group is filled up with its last point.
#[derive(Clone, Debug)]
pub(super) struct Lanes {
    groups: Vec<[[f64; LANES]; 3]>,
    count: usize,
}

impl Lanes {
    /// `None` if there are no points or too many.
    pub(super) fn new(points: &[Vec3]) -> Option<Lanes> {
        let group = |chunk: &[Vec3]| {
            let at = |lane: usize| chunk[lane.min(chunk.len() - 1)];
            [0, 1, 2].map(|axis| std::array::from_fn(|lane| at(lane)[axis]))
        };
        let is_few = (1..=MOST).contains(&points.len());
        is_few.then(|| Lanes { groups: points.chunks(LANES).map(group).collect(), count: points.len() })
    }

    /// The number of the first point that lies farthest; some number if the direction is not finite.
    pub(super) fn farthest(&self, direction: Vec3) -> u32 {
        // First the largest share, then who has it: both loops go without branches that cannot be predicted.
        let mut shares = [[f64::NEG_INFINITY; LANES]; MOST / LANES];
        let mut largest = [f64::NEG_INFINITY; LANES];
        for ([x, y, z], shares) in self.groups.iter().zip(&mut shares) {
            for lane in 0..LANES {
                let share = x[lane] * direction.x + y[lane] * direction.y + z[lane] * direction.z;
                shares[lane] = share;
                largest[lane] = if share > largest[lane] { share } else { largest[lane] };
            }
        }
        let pair = [larger(largest[0], largest[2]), larger(largest[1], largest[3])];
        let most = larger(pair[0], pair[1]);
        let mut holders = 0u32;
        for (group, shares) in shares.iter().enumerate().take(self.groups.len()) {
            let [a, b, c, d] = shares.map(|share| u32::from(share == most));
            holders |= (a | (b << 1) | (c << 2) | (d << 3)) << (LANES * group);
        }
        holders.trailing_zeros().min(self.count as u32 - 1)
    }
}

fn larger(a: f64, b: f64) -> f64 {
    if a > b { a } else { b }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::convex::body::farthest_of;
    use freiraum_testkit::random::Random;

    #[test]
    fn agrees_with_one_after_the_other() {
        let mut random = Random::new(2);
        for count in 1..=MOST {
            let points: Vec<Vec3> = (0..count).map(|_| random.in_cube(1.0)).collect();
            let lanes = Lanes::new(&points).unwrap();
            for _ in 0..50 {
                let direction = random.direction();
                assert_eq!(lanes.farthest(direction), farthest_of(&points, direction).number);
            }
            assert!((lanes.farthest(Vec3::NAN) as usize) < count);
            assert!((lanes.farthest(Vec3::ZERO) as usize) < count);
        }
    }
}
