//! Swept AABBs: boxes around a body on its way, and how far apart two bodies are at least, before any shape is looked at.
//!
//! **Method.** The motion is cut into [`STRETCHES`] stretches of equal time. The box of a stretch is the box of the body
//! in the middle of it, grown by a proven bound of the travel of its points ([`Motion::travel`]); a translation has the
//! box around both ends, which is tight.
//!
//! **Guarantee.** At every time of a stretch the body, and all within the margin of it, lies in the box of the stretch,
//! rounding included. **Cost.** A few poses per stretch, whatever the shape.

use freiraum_geometry::math::rounding;
use freiraum_geometry::path::Motion;
use freiraum_geometry::{Aabb, Pose};

/// Stretches that a motion is cut into.
pub const STRETCHES: usize = 16;

/// How much larger the boxes are made on every side, beyond rounding: what is no farther away counts as touching.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Margin {
    /// In metres.
    pub length: f64,
    /// As a share of the largest coordinate that the body gets to.
    pub share: f64,
}

/// The boxes of a body on its way, in the world: one per stretch of the time, a single one if it stays.
#[derive(Clone, Debug, PartialEq)]
pub struct SweptAabbs {
    boxes: Vec<Aabb>,
    whole: Aabb,
}

impl SweptAabbs {
    /// Of a body that stays; `bounds` is its box in its own frame, `None` if it has no end.
    pub fn still(bounds: Option<&Aabb>, pose: &Pose, margin: Margin) -> SweptAabbs {
        SweptAabbs::of(vec![placed(bounds, pose, margin)])
    }

    /// Of a body that moves in any way.
    pub fn moving(bounds: Option<&Aabb>, motion: &dyn Motion, margin: Margin) -> SweptAabbs {
        let ball = bounds.map(Aabb::bounding_sphere);
        let stretch = |k: usize| {
            let [from, to] = [k, k + 1].map(|k| k as f64 / STRETCHES as f64);
            let middle = 0.5 * (from + to);
            let travel = |from, to| {
                let bound = ball.as_ref().map_or(0.0, |ball| motion.travel(ball, from, to));
                if bound.is_nan() { f64::INFINITY } else { bound }
            };
            around(bounds, &motion.pose(middle), travel(from, middle).max(travel(middle, to)), margin)
        };
        SweptAabbs::of((0..STRETCHES).map(stretch).collect())
    }

    /// Of a body that moves straight on without turning: tighter than [`moving`](SweptAabbs::moving), and wrong for any
    /// other motion.
    pub fn straight(bounds: Option<&Aabb>, motion: &dyn Motion, margin: Margin) -> SweptAabbs {
        let at = |k: usize| placed(bounds, &motion.pose(k as f64 / STRETCHES as f64), margin);
        let mut from = at(0);
        let stretch = |k: usize| {
            let to = at(k);
            let both = from.union(&to);
            from = to;
            both
        };
        SweptAabbs::of((1..=STRETCHES).map(stretch).collect())
    }

    fn of(mut boxes: Vec<Aabb>) -> SweptAabbs {
        let whole = boxes.iter().fold(Aabb::EMPTY, |all, one| all.union(one));
        // Who does not move needs no more than one.
        if boxes.iter().all(|one| *one == whole) {
            boxes.truncate(1);
        }
        SweptAabbs { boxes, whole }
    }

    /// A lower bound of the distance of two bodies at any time, in metres.
    pub fn gap(&self, other: &SweptAabbs) -> f64 {
        self.together(other).map(|(_, [a, b])| a.gap(b)).fold(f64::INFINITY, f64::min)
    }

    /// A lower bound of the distance of the body from what stays in a box, in metres. No more for a box around it.
    pub fn gap_to(&self, there: &Aabb) -> f64 {
        self.boxes.iter().map(|own| own.gap(there)).fold(f64::INFINITY, f64::min)
    }

    /// The beginning of the first stretch in which two bodies may touch: they are apart before that time. `None` if they
    /// are always apart.
    pub fn apart_until(&self, other: &SweptAabbs) -> Option<f64> {
        self.together(other).find(|(_, [a, b])| a.intersects(b)).map(|(time, _)| time)
    }

    /// The box around the whole way.
    pub fn whole(&self) -> &Aabb {
        &self.whole
    }

    /// The boxes of both in the same stretches, with the times at which these begin.
    fn together<'w>(&'w self, other: &'w SweptAabbs) -> impl Iterator<Item = (f64, [&'w Aabb; 2])> {
        let count = self.boxes.len().max(other.boxes.len());
        let of = |way: &'w SweptAabbs, k: usize| &way.boxes[k.min(way.boxes.len() - 1)];
        (0..count).map(move |k| (k as f64 / count as f64, [of(self, k), of(other, k)]))
    }
}

/// The box in the world of a body that stays; `bounds` is its box in its own frame, `None` if it has no end.
pub fn placed(bounds: Option<&Aabb>, pose: &Pose, margin: Margin) -> Aabb {
    around(bounds, pose, 0.0, margin)
}

/// The box in the world of a body that may be `travel` off its pose.
fn around(bounds: Option<&Aabb>, pose: &Pose, travel: f64, margin: Margin) -> Aabb {
    let Some(bounds) = bounds else { return Aabb::EVERYTHING };
    let there = bounds.transformed(pose);
    // A body may be drawn far from its own origin and be put back near that of the world.
    let far = bounds.center().length() + pose.translation().abs().max_element();
    let most = far + 0.5 * there.size().max_element() + travel;
    let more = travel * (1.0 + 8.0 * f64::EPSILON)
        + rounding::coordinate(64.0 * most)
        + margin.length
        + margin.share * most;
    if !(more.is_finite() && there.min.is_finite() && there.max.is_finite()) {
        return Aabb::EVERYTHING;
    }
    Aabb { min: there.min - more, max: there.max + more }
}

#[cfg(test)]
mod tests {
    use super::*;
    use freiraum_geometry::Vec3;
    use freiraum_geometry::path::{Axis, UniformMotion};
    use freiraum_geometry::tolerance::RESTING_RELATIVE;
    use freiraum_testkit::random::Random;

    const NONE: Margin = Margin { length: 0.0, share: 0.0 };

    #[test]
    fn bodies_are_never_closer_than_their_boxes() {
        let mut random = Random::new(5);
        let (mut tight, mut late) = (0, 0);
        for _ in 0..300 {
            let bounds: [Aabb; 2] = std::array::from_fn(|_| {
                let (p, q) = (random.in_cube(1.0), random.in_cube(1.0));
                Aabb { min: p.min(q), max: p.max(q) }
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
            let mut moving = SweptAabbs::moving(Some(&bounds[0]), &motion, NONE);
            let staying = SweptAabbs::still(Some(&bounds[1]), &still, NONE);
            if is_straight {
                let straight = SweptAabbs::straight(Some(&bounds[0]), &motion, NONE);
                assert!(straight.gap(&staying) >= moving.gap(&staying));
                moving = straight;
            }
            let (gap, apart) = (moving.gap(&staying), moving.apart_until(&staying));
            assert_eq!(gap == 0.0, apart.is_some());
            tight += usize::from(gap > 0.0);
            late += usize::from(apart.is_some_and(|time| time > 0.0));
            for _ in 0..300 {
                let inside = |random: &mut Random, b: &Aabb| {
                    b.min + (b.max - b.min) * Vec3::new(random.unit(), random.unit(), random.unit())
                };
                let time = random.unit();
                let p = motion.pose(time).transform_point(inside(&mut random, &bounds[0]));
                let q = still.transform_point(inside(&mut random, &bounds[1]));
                assert!(p.distance(q) >= gap, "{p} {q} {gap}");
                let k = ((time * STRETCHES as f64) as usize).min(moving.boxes.len() - 1);
                assert!(moving.boxes[k].contains(p) && moving.whole().contains(p));
            }
        }
        assert!(tight > 50 && late > 20, "{tight} {late}");
    }

    #[test]
    fn what_touches_has_no_gap() {
        let mut random = Random::new(6);
        // Touching exactly, far from the own origin.
        for _ in 0..100 {
            let far = random.range(1e5, 1e6).round();
            let [low, high] = [far + random.unit(), far + 1.0 + random.unit()];
            let drawn = Aabb { min: Vec3::splat(low), max: Vec3::splat(high) };
            let beside = Aabb { min: Vec3::splat(-5.0), max: Vec3::new(low - far, 5.0, 5.0) };
            let put_back = Pose::from_translation(Vec3::splat(-far));
            let resting = |of: &Aabb| Margin { length: RESTING_RELATIVE * of.size().length(), share: 0.0 };
            for margin in [[NONE; 2], [&drawn, &beside].map(resting)] {
                let one = SweptAabbs::still(Some(&drawn), &put_back, margin[0]);
                let other = SweptAabbs::still(Some(&beside), &Pose::IDENTITY, margin[1]);
                assert_eq!(one.gap(&other), 0.0);
            }
        }
        let unit = SweptAabbs::still(Some(&Aabb { min: Vec3::X, max: Vec3::ONE }), &Pose::IDENTITY, NONE);
        let endless = SweptAabbs::still(None, &Pose::IDENTITY, NONE);
        assert_eq!((endless.gap(&unit), endless.apart_until(&unit)), (0.0, Some(0.0)));
    }

    #[test]
    fn margins_are_kept() {
        let unit = Aabb { min: Vec3::ZERO, max: Vec3::ONE };
        let at =
            |x: f64, margin| SweptAabbs::still(Some(&unit), &Pose::from_translation(x * Vec3::X), margin);
        let length = Margin { length: 0.1, share: 0.0 };
        let gap = at(0.0, length).gap(&at(2.0, length));
        assert!((gap - 0.8).abs() < 1e-9, "{gap}");
        let share = Margin { length: 0.0, share: 1e-3 };
        let gap = at(1000.0, share).gap(&at(1002.5, share));
        assert_eq!(gap, 0.0);
    }

    #[test]
    fn who_stays_has_one_box() {
        let unit = Aabb { min: Vec3::ZERO, max: Vec3::ONE };
        let still = UniformMotion::still(Pose::from_translation(Vec3::Y));
        let moving = SweptAabbs::moving(Some(&unit), &still, NONE);
        assert_eq!(moving, SweptAabbs::still(Some(&unit), &Pose::from_translation(Vec3::Y), NONE));
    }
}
