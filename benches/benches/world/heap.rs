//! What falls.

use freiraum_geometry::{Pose, Vec3};
use freiraum_testkit::random::Random;

/// Half the size of a box, and the radius of a ball, in metres.
pub(crate) const HALF: f64 = 0.25;

/// A box or a ball.
#[derive(Clone, Copy)]
pub(crate) struct Thing {
    pub(crate) is_ball: bool,
    pub(crate) pose: Pose,
}

/// A loose cube of things, every other one a ball, turned and shifted at random.
pub(crate) fn heap(count: usize) -> Vec<Thing> {
    let mut random = Random::new(count as u64);
    let width = (1..).find(|w| w * w * w >= count).unwrap_or(1);
    (0..count)
        .map(|k| {
            let (i, j, l) = (k % width, k / width % width, k / (width * width));
            let turn = random.rotation();
            let mut across = |i: usize| (i as f64 - 0.5 * width as f64) * 0.9 + random.range(-0.1, 0.1);
            let place = Vec3::new(across(i), across(j), 0.6 + 0.9 * l as f64);
            let pose = Pose::new(turn, place).expect("all numbers are finite");
            Thing { is_ball: k % 2 == 1, pose }
        })
        .collect()
}
