//! Touching or not, for every pair.

use crate::Prepared;
use crate::convex::{ConvexCache, Points};
use crate::dispatch::{PairQuery, ask_checked};
use crate::distance::Distance;
use crate::distance::half_space::face_each_other;
use crate::prepared::{PreparedPart, Solid, Surface, convex_meet, touch_limit, touch_slack};
use crate::surface::Held;
use freiraum_geometry::Pose;
use freiraum_geometry::shape::{HalfSpace, Shape};

/// The question.
pub(crate) struct Intersects;

impl PairQuery for Intersects {
    type Answer = bool;

    /// Closed forms of the distance decide where there is one.
    fn special(&self, a: &Shape, b: &Shape, a_from_b: &Pose) -> Option<bool> {
        let closest = Distance.special(a, b, a_from_b)?;
        let reach = |shape: &Shape| shape.aabb().map_or(0.0, |b| b.reach());
        Some(closest.distance <= touch_slack(reach(a), reach(b), a_from_b))
    }

    fn convex_convex(&self, a: &Solid, b: &Solid, a_from_b: &Pose) -> bool {
        convex_meet(a.body, b.body, a_from_b, &mut ConvexCache::new())
    }

    fn convex_half_space(&self, a: &Solid, b: &HalfSpace, a_from_b: &Pose) -> bool {
        Distance.convex_half_space(a, b, a_from_b).distance
            <= touch_slack(a.reach(), b.offset().abs(), a_from_b)
    }

    fn half_spaces(&self, a: &HalfSpace, b: &HalfSpace, a_from_b: &Pose) -> bool {
        let gap = Distance.half_spaces(a, b, a_from_b).distance;
        !face_each_other(a, b, a_from_b) || gap <= touch_slack(a.offset().abs(), b.offset().abs(), a_from_b)
    }

    fn convex_surface(&self, a: &Solid, b: &Surface, a_from_b: &Pose) -> bool {
        let b_from_a = a_from_b.inverse();
        let (near, mut cache, mut found) = (a.placed_box(&b_from_a), ConvexCache::new(), false);
        let limit = touch_limit(a, b, a_from_b);
        b.visit_near(&near, limit, |leaf| {
            found = convex_meet(a.body, &Points(leaf.corners), a_from_b, &mut cache);
            if found { -1.0 } else { limit }
        });
        found || matches!(b.holds_convex(a, a_from_b), Held::Inside(_))
    }

    fn half_space_surface(&self, a: &HalfSpace, b: &Surface, a_from_b: &Pose) -> bool {
        let gap = Distance.half_space_surface(a, b, a_from_b).distance;
        gap <= touch_slack(a.offset().abs(), b.bounds().reach(), a_from_b)
    }

    fn surfaces(&self, a: &Surface, b: &Surface, a_from_b: &Pose) -> bool {
        a.touches(b, a_from_b)
            || Surface::sides_between(a, b, a_from_b).any(|(sides, is_b)| {
                if is_b { a.touches(sides, a_from_b) } else { sides.touches(b, a_from_b) }
            })
            || a.shell_in(b, &a_from_b.inverse()).is_some()
            || b.shell_in(a, a_from_b).is_some()
    }

    fn any_compound(&self, a: &Prepared, b: &[PreparedPart], a_from_b: &Pose) -> bool {
        let bounds = a.bounds_placed(&a_from_b.inverse());
        b.iter().any(|part| {
            let is_far = part.is_apart(bounds, a);
            !is_far && ask_checked(self, a, &part.part, &(*a_from_b * part.compound_from_part))
        })
    }

    fn swapped(&self, answer: bool, _a_from_b: &Pose) -> bool {
        answer
    }
}
