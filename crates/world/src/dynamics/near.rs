//! Questions about single shapes of an engine, for those who move bodies by their own rules: what is near, where would it touch, can it move there?

use super::body::BodyId;
use super::collider::{ColliderId, Material};
use super::engine::Engine;
use super::narrow::{
    Clearance, Form, Hint, Outcome, Placed, Side, Surfaces, Touch, clearance, convex_surface, evaluate,
};
use freiraum_geometry::path::{Motion, Straight};
use freiraum_geometry::tolerance::SIMULATED_TOUCH_RELATIVE;
use freiraum_geometry::{Aabb, Mat3, Pose, Vec3};
use freiraum_motion::{Limits, MotionWorkspace, Verdict, time_of_contact};
use freiraum_query::Closest;

/// A point where a shape touches another one or nearly does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Nearby {
    /// The body of the other shape.
    pub body: BodyId,
    /// The other shape.
    pub collider: ColliderId,
    /// Half way between the surfaces, in the world.
    pub point: Vec3,
    /// Unit vector out of the other shape.
    pub normal: Vec3,
    /// Signed distance, negative in overlap.
    pub separation: f64,
    /// How many points the contact has to which this one belongs.
    pub of: usize,
}

impl Engine {
    /// The box of a shape at a place; `None` for half spaces.
    #[must_use]
    pub fn bounds_at(&self, collider: ColliderId, world_from_shape: &Pose) -> Option<Aabb> {
        let collider = &self.colliders[collider.0 as usize];
        collider.local_box.map(|_| collider.bounds(&placed(world_from_shape)))
    }

    /// All shapes that meet anything and have boxes, with some room, that overlap a box, and those without end; in their order.
    pub fn within(&self, bounds: &Aabb, found: &mut Vec<ColliderId>) {
        found.clear();
        for (at, collider) in (0..).zip(&self.colliders) {
            if collider.is_removed || collider.filter.groups == 0 || collider.filter.meets == 0 {
                continue;
            }
            if self.is_near(ColliderId(at), bounds) {
                found.push(ColliderId(at));
            }
        }
    }

    /// Whether the box of a shape, with some room, overlaps a box, or it has no end.
    #[must_use]
    pub fn is_near(&self, collider: ColliderId, bounds: &Aabb) -> bool {
        let collider = &self.colliders[collider.0 as usize];
        let body = collider.body as usize;
        // Boxes hold as long as the body has not travelled too far, or was put elsewhere.
        collider.local_box.is_none()
            || if collider.fat_until >= self.travel[body] {
                collider.fat.intersects(bounds)
            } else {
                collider.bounds(&collider.placed(&self.motions[body])).intersects(bounds)
            }
    }

    /// What a shape is made of.
    #[must_use]
    pub fn material(&self, collider: ColliderId) -> &Material {
        &self.colliders[collider.0 as usize].material
    }

    /// Whether two bodies are never tested against each other.
    #[must_use]
    pub fn is_ignored(&self, a: BodyId, b: BodyId) -> bool {
        self.broad.ignored.binary_search(&[a.0.min(b.0), a.0.max(b.0)]).is_ok()
    }

    /// Where a convex shape would touch another one, or come nearer than the margin, if it were at `world_from_shape`: points are added to `found`.
    pub fn touches(
        &self,
        collider: ColliderId,
        world_from_shape: &Pose,
        other: ColliderId,
        margin: f64,
        found: &mut Vec<Nearby>,
    ) {
        let [own, against] = [collider, other].map(|c| &self.colliders[c.0 as usize]);
        let own_placed = placed(world_from_shape);
        let other_placed = against.placed(&self.motions[against.body as usize]);
        let a = Side { form: &own.form, shape: &own.shape, placed: &own_placed };
        let b = Side { form: &against.form, shape: &against.shape, placed: &other_placed };
        let is_first = own.form.rank() <= against.form.rank();
        let mut add = |touch: &Touch, sign: f64| {
            found.extend(touch.points[..touch.count].iter().map(|p| Nearby {
                body: BodyId(against.body),
                collider: other,
                point: p.at,
                normal: sign * touch.normal,
                separation: p.separation,
                of: touch.count,
            }));
        };
        if matches!(against.form, Form::Surface { .. }) {
            let core = self.bodies[own.body as usize].core;
            match convex_surface(&a, &b, margin, core) {
                Surfaces::Touching(touches) => touches.iter().for_each(|touch| add(touch, -1.0)),
                Surfaces::Apart(_) => {}
                Surfaces::Failed(error) => self.failed([collider.0, other.0], &error),
            }
            return;
        }
        let (first, second, sign) = if is_first { (&a, &b, -1.0) } else { (&b, &a, 1.0) };
        match evaluate(first, second, margin, &mut Hint::default()) {
            Outcome::Touching(touch) => add(&touch, sign),
            Outcome::Apart(_) => {}
            Outcome::Failed(error) => self.failed([collider.0, other.0], &error),
        }
    }

    /// How much of a straight way a shape can go without touching another one, which may move with its velocities for `time` meanwhile: 1 if it is free, proven,
    /// else a share that is. The other stays where it is if the time is 0. Shapes that touch or overlap at the start may slide along each other and get apart, but
    /// no deeper.
    #[must_use]
    pub fn free_share(
        &self,
        collider: ColliderId,
        way: [Pose; 2],
        other: ColliderId,
        time: f64,
        memory: &mut MotionWorkspace,
    ) -> f64 {
        let [own, against] = [collider, other].map(|c| &self.colliders[c.0 as usize]);
        let start = against.placed(&self.motions[against.body as usize]).pose();
        let end = if time == 0.0 { start } else { self.ahead(other, time) };
        let apart = |world_from_own: &Pose, world_from_other: &Pose| {
            let own_from_other = world_from_own.inverse() * *world_from_other;
            freiraum_query::distance(&own.shape, &against.shape, &own_from_other)
                .inspect_err(|error| self.failed([collider.0, other.0], error))
                .map_or(f64::NEG_INFINITY, |c| c.distance)
        };
        let gap = apart(&way[0], &start);
        let [reach, other_reach] = [own, against].map(|c| c.shape.bounds().map_or(0.0, |b| farthest(&b)));
        if gap > length(&way, reach) + length(&[start, end], other_reach) {
            return 1.0;
        }
        if matches!(against.form, Form::HalfSpace { .. }) && time == 0.0 {
            // The height of a point bends by no more than the square of the turn times its distance from the axis.
            let angle = turn(&way);
            if gap.min(apart(&way[1], &end)) > 0.125 * angle * angle * reach {
                return 1.0;
            }
        }
        let core = self.bodies[own.body as usize].core.min(self.bodies[against.body as usize].core);
        let tolerance = SIMULATED_TOUCH_RELATIVE * core;
        if gap <= tolerance {
            let thin =
                [own, against].map(|c| c.local_box.map_or(f64::INFINITY, |(_, half)| half.min_element()));
            let far = length(&way, reach) + length(&[start, end], other_reach);
            // In stretches that cannot leap over the thinner one; what is left after some of them is for the next step.
            let count = (far / thin[0].min(thin[1])).ceil().max(1.0);
            let (own_way, other_way) = (Straight::new(way[0], way[1]), Straight::new(start, end));
            let rounding = ROUNDING * (way[0].translation().length() + start.translation().length() + reach);
            let mut last = gap;
            for k in 1..=STRETCHES {
                let share = (k as f64 / count).min(1.0);
                let now = apart(&own_way.pose(share), &other_way.pose(share));
                if now < last.min(tolerance) - rounding {
                    return (k - 1) as f64 / count;
                }
                if share >= 1.0 {
                    return 1.0;
                }
                last = now;
            }
            return STRETCHES as f64 / count;
        }
        let limits = Limits { tolerance: 0.25 * tolerance, budget: BUDGET };
        let (own_way, other_way) = (Straight::new(way[0], way[1]), Straight::new(start, end));
        let (own_shape, other_shape) = (own.followed.whole(own), against.followed.whole(against));
        match time_of_contact(own_shape, &own_way, other_shape, &other_way, &limits, memory) {
            // Bodies in a simulation meet with their surfaces.
            Ok(Verdict::Free | Verdict::InsideUnknown { .. }) => 1.0,
            Ok(Verdict::Contact(first)) => (first.time - first.time_error).max(0.0),
            Ok(Verdict::Undecided { open }) => open[0],
            Ok(Verdict::OverlapAtStart) => 0.0,
            Err(error) => {
                self.failed([collider.0, other.0], &error);
                0.0
            }
        }
    }

    /// Whether a shape that is deeper than this in another one gets still deeper on a straight way: 0 if so, else 1. What it pushes gets out of its way in a step.
    #[must_use]
    pub fn free_depth(&self, collider: ColliderId, way: [Pose; 2], other: ColliderId, depth: f64) -> f64 {
        let [start, end] = way.map(|at| self.gap(collider, &at, other));
        if start < -depth && end < start - DEEPER * depth { 0.0 } else { 1.0 }
    }

    /// Signed distance of a shape at a place from another one, negative in overlap.
    #[must_use]
    pub fn gap(&self, collider: ColliderId, world_from_shape: &Pose, other: ColliderId) -> f64 {
        self.closest(collider, world_from_shape, other).map_or(f64::NEG_INFINITY, |c| c.distance)
    }

    /// How far a shape at a place is from another one: no more than it is, negative or 0 in overlap, and as exact as it can be where it is less than `reach`.
    ///
    /// **Cost.** Much less than [`gap`](Self::gap) over height fields if the reach is no more than the size of the shape.
    #[must_use]
    pub fn clearance(
        &self,
        collider: ColliderId,
        world_from_shape: &Pose,
        other: ColliderId,
        reach: f64,
    ) -> Clearance {
        let [own, against] = [collider, other].map(|c| &self.colliders[c.0 as usize]);
        if matches!(against.form, Form::Surface { .. }) {
            let own_placed = placed(world_from_shape);
            let other_placed = against.placed(&self.motions[against.body as usize]);
            let a = Side { form: &own.form, shape: &own.shape, placed: &own_placed };
            let b = Side { form: &against.form, shape: &against.shape, placed: &other_placed };
            if let Some(found) = clearance(&a, &b, reach) {
                return found;
            }
        }
        let exact = self.closest(collider, world_from_shape, other);
        let unknown = Clearance { gap: f64::NEG_INFINITY, out: Vec3::ZERO };
        exact.map_or(unknown, |c| Clearance { gap: c.distance, out: -c.normal })
    }

    /// The nearest points of a shape at a place and of another one, in the world; the normal points to the other.
    #[must_use]
    pub fn closest(
        &self,
        collider: ColliderId,
        world_from_shape: &Pose,
        other: ColliderId,
    ) -> Option<Closest> {
        let [own, against] = [collider, other].map(|c| &self.colliders[c.0 as usize]);
        let place = against.placed(&self.motions[against.body as usize]).pose();
        let found =
            freiraum_query::distance(&own.shape, &against.shape, &(world_from_shape.inverse() * place));
        let found = found.inspect_err(|error| self.failed([collider.0, other.0], error));
        Some(found.ok()?.placed(world_from_shape))
    }

    /// Whether a shape meets anything at all.
    #[must_use]
    pub fn meets_anything(&self, collider: ColliderId) -> bool {
        let filter = &self.colliders[collider.0 as usize].filter;
        filter.groups != 0 && filter.meets != 0
    }

    /// Where a shape will be if its body goes on with its velocities.
    fn ahead(&self, collider: ColliderId, time: f64) -> Pose {
        let collider = &self.colliders[collider.0 as usize];
        let mut motion = self.motions[collider.body as usize];
        motion.center += time * motion.linear;
        motion.rotation = super::rotation::quaternion(time * motion.angular) * motion.rotation;
        collider.placed(&motion).pose()
    }
}

/// Distance of the farthest point of a box from the origin.
pub(crate) fn farthest(bounds: &Aabb) -> f64 {
    bounds.min.abs().max(bounds.max.abs()).length()
}

/// How far a point at most this far from the origin of a body can get on a straight way.
pub(crate) fn length(way: &[Pose; 2], reach: f64) -> f64 {
    way[0].translation().distance(way[1].translation()) + turn(way) * reach
}

/// By which angle a body turns on a straight way.
fn turn(way: &[Pose; 2]) -> f64 {
    let turn = way[1].rotation() * way[0].rotation().conjugate();
    2.0 * turn.xyz().length().atan2(turn.w.abs())
}

/// Share of an allowed depth that counts as getting deeper.
const DEEPER: f64 = 1.0 / 64.0;

fn placed(pose: &Pose) -> Placed {
    let rotation = pose.rotation();
    Placed { axes: Mat3::from_quat(rotation), position: pose.translation(), rotation }
}

/// Distances of two shapes are off by no more than this share of their size and place.
const ROUNDING: f64 = 64.0 * f64::EPSILON;

/// So many stretches of a way along something that is touched are looked at.
const STRETCHES: usize = 32;

/// Steps of the search for one pair.
const BUDGET: u64 = 10_000;
