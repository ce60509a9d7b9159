//! Boxes around a body on its way: how far apart two bodies are at least, before any shape is looked at.

use freiraum_geometry::math::rounding;
use freiraum_geometry::tolerance::RESTING_RELATIVE;
use freiraum_geometry::{AxisBox, Pose, Vec3};
use freiraum_motion::path::{Ball, Motion};

/// Stretches that a motion is cut into.
const STRETCHES: usize = 16;

/// The boxes of a body on its way: one per stretch of the time, a single one if it stays.
pub(crate) struct Way {
    boxes: Vec<AxisBox>,
    /// Around all of them.
    whole: AxisBox,
}

impl Way {
    /// Of a body whose own box is `bounds`, `None` if it has no end, and that stays at `pose`.
    #[cfg(test)]
    pub(crate) fn still(bounds: Option<&AxisBox>, pose: &Pose) -> Way {
        Way::of(vec![Way::box_at(bounds, pose)])
    }

    /// The box in the world of a body whose own box is `bounds`, `None` if it has no end, and that stays at `pose`.
    pub(crate) fn box_at(bounds: Option<&AxisBox>, pose: &Pose) -> AxisBox {
        placed(bounds, pose, 0.0)
    }

    fn of(boxes: Vec<AxisBox>) -> Way {
        let around =
            |all: AxisBox, one: &AxisBox| AxisBox { min: all.min.min(one.min), max: all.max.max(one.max) };
        let whole = boxes.iter().fold(AxisBox::EMPTY, around);
        Way { boxes, whole }
    }

    /// Of a body that moves.
    pub(crate) fn moving(bounds: Option<&AxisBox>, motion: &dyn Motion) -> Way {
        let ball = bounds
            .map(|bounds| Ball { center: bounds.center(), radius: 0.5 * (bounds.max - bounds.min).length() });
        let stretch = |k: usize| {
            let [from, to] = [k, k + 1].map(|k| k as f64 / STRETCHES as f64);
            let middle = 0.5 * (from + to);
            let travel = |from, to| ball.as_ref().map_or(0.0, |ball| motion.travel(ball, from, to));
            placed(bounds, &motion.pose(middle), travel(from, middle).max(travel(middle, to)))
        };
        Way::of((0..STRETCHES).map(stretch).collect())
    }

    /// Of a body that moves straight on without turning.
    pub(crate) fn straight(bounds: Option<&AxisBox>, motion: &dyn Motion) -> Way {
        let at = |k: usize| placed(bounds, &motion.pose(k as f64 / STRETCHES as f64), 0.0);
        let mut from = at(0);
        let stretch = |k: usize| {
            let to = at(k);
            let both = AxisBox { min: from.min.min(to.min), max: from.max.max(to.max) };
            from = to;
            both
        };
        Way::of((1..=STRETCHES).map(stretch).collect())
    }

    /// A lower bound of the distance of two bodies at any time, in metres.
    pub(crate) fn gap(&self, other: &Way) -> f64 {
        let count = self.boxes.len().max(other.boxes.len());
        let of = |way: &Way, k: usize| way.boxes[k.min(way.boxes.len() - 1)];
        (0..count).map(|k| gap(&of(self, k), &of(other, k))).fold(f64::INFINITY, f64::min)
    }

    /// A lower bound of the distance of the body from what stays in a box, in metres. No more for a box around it.
    pub(crate) fn gap_to(&self, there: &AxisBox) -> f64 {
        self.boxes.iter().map(|own| gap(own, there)).fold(f64::INFINITY, f64::min)
    }

    /// The box around the whole way.
    pub(crate) fn whole(&self) -> &AxisBox {
        &self.whole
    }
}

/// The box in the world of a body that may be `travel` off its pose.
fn placed(bounds: Option<&AxisBox>, pose: &Pose, travel: f64) -> AxisBox {
    let everywhere = AxisBox { min: Vec3::splat(f64::NEG_INFINITY), max: Vec3::splat(f64::INFINITY) };
    let Some(bounds) = bounds else { return everywhere };
    let matrix = pose.rotation_matrix();
    let half = 0.5 * (bounds.max - bounds.min);
    let reach = matrix.x_axis.abs() * half.x + matrix.y_axis.abs() * half.y + matrix.z_axis.abs() * half.z;
    let center = pose.transform_point(bounds.center());
    // A body may be drawn far from its own origin and be put back near that of the world.
    let far = bounds.center().length() + pose.translation().abs().max_element();
    let more = travel * (1.0 + 8.0 * f64::EPSILON)
        + rounding::coordinate(64.0 * (far + reach.max_element() + travel))
        // Gaps that count as contact are left to the pairs themselves.
        + RESTING_RELATIVE * bounds.size().length();
    if !(more.is_finite() && center.is_finite()) {
        return everywhere;
    }
    AxisBox { min: center - reach - more, max: center + reach + more }
}

/// A lower bound of the distance of two boxes. Rounds alike for all, so that a box around another one is never farther.
pub(super) fn gap(a: &AxisBox, b: &AxisBox) -> f64 {
    let apart = (a.min - b.max).max(b.min - a.max).max(Vec3::ZERO);
    apart.length() * (1.0 - 4.0 * f64::EPSILON)
}

#[cfg(test)]
mod tests {
    use super::*;
    use freiraum_motion::path::{Axis, UniformMotion};
    use freiraum_testkit::random::Random;

    #[test]
    fn bodies_are_never_closer_than_their_boxes() {
        let mut random = Random::new(5);
        let mut tight = 0;
        for _ in 0..300 {
            let bounds: [AxisBox; 2] = std::array::from_fn(|_| {
                let (p, q) = (random.in_cube(1.0), random.in_cube(1.0));
                AxisBox { min: p.min(q), max: p.max(q) }
            });
            let pose = |random: &mut Random| Pose::new(random.rotation(), random.in_cube(3.0)).unwrap();
            let axis = Axis::new(random.in_cube(1.0), random.direction()).unwrap();
            let is_straight = random.unit() < 0.5;
            let motion = if is_straight {
                UniformMotion::translation(pose(&mut random), random.in_cube(7.0))
            } else {
                UniformMotion::screw(pose(&mut random), axis, random.range(-7.0, 7.0), 1.0)
            };
            let still = pose(&mut random);
            let [moving, staying] =
                [Way::moving(Some(&bounds[0]), &motion), Way::still(Some(&bounds[1]), &still)];
            let mut gap = moving.gap(&staying);
            if is_straight {
                let straight = Way::straight(Some(&bounds[0]), &motion).gap(&staying);
                assert!(straight >= gap, "{straight} {gap}");
                gap = straight;
            }
            tight += usize::from(gap > 0.0);
            for _ in 0..300 {
                let inside = |random: &mut Random, b: &AxisBox| {
                    b.min + (b.max - b.min) * Vec3::new(random.unit(), random.unit(), random.unit())
                };
                let p = motion.pose(random.unit()).transform_point(inside(&mut random, &bounds[0]));
                let q = still.transform_point(inside(&mut random, &bounds[1]));
                assert!(p.distance(q) >= gap, "{p} {q} {gap}");
            }
        }
        assert!(tight > 50, "{tight}");
        // Touching exactly, far from the own origin.
        for _ in 0..100 {
            let far = random.range(1e5, 1e6).round();
            let [low, high] = [far + random.unit(), far + 1.0 + random.unit()];
            let drawn = AxisBox { min: Vec3::splat(low), max: Vec3::splat(high) };
            let beside = AxisBox { min: Vec3::splat(-5.0), max: Vec3::new(low - far, 5.0, 5.0) };
            let put_back = Pose::from_translation(Vec3::splat(-far));
            let (one, other) =
                (Way::still(Some(&drawn), &put_back), Way::still(Some(&beside), &Pose::IDENTITY));
            assert_eq!(one.gap(&other), 0.0);
        }
        let endless = Way::still(None, &Pose::IDENTITY);
        assert_eq!(
            endless.gap(&Way::still(Some(&AxisBox { min: Vec3::X, max: Vec3::ONE }), &Pose::IDENTITY)),
            0.0
        );
    }
}
