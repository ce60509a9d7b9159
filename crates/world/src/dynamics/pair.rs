//! Pairs of shapes that are near each other, and what is kept of them from step to step.

use super::narrow::{Hint, MOST_POINTS, Touch};
use freiraum_geometry::Vec3;

/// A point of contact with what it needs from step to step.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Point {
    /// Half way between the surfaces, in the world, relative to the centre of body a.
    pub(crate) from_a: Vec3,
    /// The same relative to the centre of body b.
    pub(crate) from_b: Vec3,
    /// Signed distance of the surfaces.
    pub(crate) separation: f64,
    /// The points of both surfaces, fixed to their bodies: relative to the centre of mass in the frame of the body.
    pub(crate) local_a: Vec3,
    pub(crate) local_b: Vec3,
    pub(crate) feature: u32,
    /// Impulse along the normal in the last part of a step, in N s.
    pub(crate) impulse: f64,
}

/// Points of contact with one normal.
#[derive(Clone, Debug, Default)]
pub(crate) struct Manifold {
    /// Unit vector from a to b, in the world.
    pub(crate) normal: Vec3,
    /// The same fixed to body a or b, whose face it belongs to.
    pub(crate) local_normal: Vec3,
    pub(crate) normal_is_b: bool,
    pub(crate) count: u32,
    /// Friction on b in the last part of a step, in the world, in N s; across the normal.
    pub(crate) friction_impulse: Vec3,
    /// Torque impulses about the normal and (rolling) across it, on b.
    pub(crate) twist_impulse: f64,
    pub(crate) rolling_impulse: Vec3,
    /// How far the surfaces have slipped on each other since they stuck, in the world, across the normal.
    pub(crate) slip: Vec3,
    pub(crate) points: [Point; MOST_POINTS],
}

impl Pair {
    /// Springs instead of impulses.
    pub(crate) fn is_penalty(&self) -> bool {
        self.stiffness > 0.0
    }
}

impl Manifold {
    pub(crate) fn points(&self) -> &[Point] {
        &self.points[..self.count as usize]
    }

    /// Takes over newly found points; impulses of points that were there before stay.
    pub(crate) fn renew(&mut self, touch: &Touch, center_a: Vec3, center_b: Vec3, reach: f64) {
        // No more than what is used: most contacts are single points, and pairs do not fit into caches.
        let old_count = self.count as usize;
        let mut old = [([Vec3::ZERO; 2], 0, 0.0); MOST_POINTS];
        for (old, point) in old.iter_mut().zip(&self.points[..old_count]) {
            *old = ([point.from_a, point.from_b], point.feature, point.impulse);
        }
        self.normal = touch.normal;
        self.count = touch.count as u32;
        let mut used = [false; MOST_POINTS];
        let mut kept = [None; MOST_POINTS];
        for (slot, found) in touch.points[..touch.count].iter().enumerate() {
            if found.feature != 0 {
                kept[slot] = (0..old_count).find(|k| old[*k].1 == found.feature);
                kept[slot].into_iter().for_each(|k: usize| used[k] = true);
            }
        }
        // Where equal boxes lie on each other, rounding says which edge cuts which: the nearest old point will do as well.
        let nearby = (SAME_POINT * reach) * (SAME_POINT * reach);
        for (slot, found) in touch.points[..touch.count].iter().enumerate() {
            let [from_a, from_b] = [found.at - center_a, found.at - center_b];
            if kept[slot].is_none() {
                // A wheel that has rolled on touches another place of the ground, but below its middle as before.
                let near = |k: &usize| {
                    let [a, b] = old[*k].0;
                    a.distance_squared(from_a).min(b.distance_squared(from_b))
                };
                kept[slot] = (0..old_count)
                    .filter(|k| !used[*k] && near(k) <= nearby)
                    .min_by(|k, l| near(k).total_cmp(&near(l)));
                kept[slot].into_iter().for_each(|k| used[k] = true);
            }
            self.points[slot] = Point {
                from_a,
                from_b,
                separation: found.separation,
                feature: found.feature,
                impulse: kept[slot].map_or(0.0, |k| old[k].2),
                ..Point::default()
            };
        }
    }
}

/// Points whose features are not found again are the same as before if they moved by less than this share of half the thickness of the thinner body, seen from either one.
const SAME_POINT: f64 = 0.125;

/// Two shapes whose boxes are near each other.
#[derive(Clone, Debug)]
pub(crate) struct Pair {
    /// Colliders, the one of lower rank first.
    pub(crate) colliders: [u32; 2],
    pub(crate) bodies: [u32; 2],
    pub(crate) friction: f64,
    pub(crate) restitution: f64,
    /// Levers of the resistance against rolling and spinning, in metres.
    pub(crate) rolling: f64,
    pub(crate) spinning: f64,
    /// Springs: stiffness and damping per point; 0 for impulses.
    pub(crate) stiffness: f64,
    pub(crate) damping: f64,
    /// How deep its contacts may get before they are held, in metres.
    pub(crate) depth: f64,
    pub(crate) hint: Hint,
    /// Nothing need be done until the bodies together have travelled this far; see `Travel`.
    pub(crate) until: f64,
    /// Points of contact are kept until the bodies together have travelled this far.
    pub(crate) fresh_until: f64,
    /// Whether the pair pressed on each other in the last step.
    pub(crate) is_touching: bool,
    /// Impulse of impacts since the last time events were told.
    pub(crate) impact: f64,
    /// Where they last pressed on each other.
    pub(crate) pressed_at: Vec3,
    pub(crate) manifolds: Vec<Manifold>,
}
