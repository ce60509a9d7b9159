//! The relation of every pair.

use super::Relation;
use super::contain::{Sticking, half_space_inside};
use super::quick::Intersects;
use crate::Prepared;
use crate::convex::{ConvexCache, Points};
use crate::dispatch::{PairQuery, ask_checked};
use crate::distance::half_space::face_each_other;
use crate::distance::{Distance, signed_convex};
use crate::prepared::{
    Class, Exactness, PreparedPart, Solid, Surface, convex_meet, touch_limit, touch_slack,
};
use crate::surface::Held;
use freiraum_geometry::shape::{HalfSpace, Shape};
use freiraum_geometry::{Aabb, Pose};

/// The question.
pub(crate) struct Relate {
    /// Round bodies that a plane keeps apart by more than rounding are separate, though their distance is below what iteration counts as touching.
    pub(crate) to_rounding: bool,
}

impl Relate {
    /// Whether bodies that count as touching, without being deep in each other, are apart all the same.
    fn is_apart_to_rounding(&self, distance: impl FnOnce() -> f64, slack: f64) -> bool {
        self.to_rounding && distance() > slack
    }
}

impl PairQuery for Relate {
    type Answer = Relation;

    fn special(&self, _a: &Shape, _b: &Shape, _a_from_b: &Pose) -> Option<Relation> {
        None
    }

    fn convex_convex(&self, a: &Solid, b: &Solid, a_from_b: &Pose) -> Relation {
        let slack = touch_slack(a.reach(), b.reach(), a_from_b);
        let special = Distance.special(a.shape, b.shape, a_from_b);
        let exactness = match special {
            Some(_) => Exactness::rounding(slack),
            None => Exactness::of_pair(a.body, b.body, a_from_b),
        };
        let intersects = match special {
            Some(closest) => closest.distance <= exactness.gap,
            None => Intersects.convex_convex(a, b, a_from_b),
        };
        if !intersects {
            return Relation::Separate;
        }
        // Containment first: it needs no depth.
        let a_in_b = is_in(a.shape, b.shape, &a_from_b.inverse(), slack);
        let b_in_a = is_in(b.shape, a.shape, a_from_b, slack);
        if a_in_b || b_in_a {
            return Relation::of_containment(a_in_b, b_in_a);
        }
        let closest = special.unwrap_or_else(|| signed_convex(a.body, b.body, a_from_b));
        if self.is_apart_to_rounding(|| closest.distance, slack) {
            Relation::Separate
        } else if closest.distance >= -exactness.depth {
            Relation::Touching
        } else {
            Relation::Overlapping
        }
    }

    fn convex_half_space(&self, a: &Solid, b: &HalfSpace, a_from_b: &Pose) -> Relation {
        let slack = touch_slack(a.reach(), b.offset().abs(), a_from_b);
        let lowest = Distance.convex_half_space(a, b, a_from_b).distance;
        let inside = is_in(a.shape, &Shape::HalfSpace(*b), &a_from_b.inverse(), slack);
        in_half_space(lowest, inside, slack)
    }

    fn half_spaces(&self, a: &HalfSpace, b: &HalfSpace, a_from_b: &Pose) -> Relation {
        let slack = touch_slack(a.offset().abs(), b.offset().abs(), a_from_b);
        if face_each_other(a, b, a_from_b) {
            return in_half_space(Distance.half_spaces(a, b, a_from_b).distance, false, slack);
        }
        let a_in_b = half_space_inside(a, b, &a_from_b.inverse(), slack);
        let b_in_a = half_space_inside(b, a, a_from_b, slack);
        Relation::of_containment(a_in_b, b_in_a)
    }

    fn convex_surface(&self, a: &Solid, b: &Surface, a_from_b: &Pose) -> Relation {
        let (slack, b_from_a) = (touch_slack(a.reach(), b.bounds().reach(), a_from_b), a_from_b.inverse());
        let near = a.placed_box(&b_from_a);
        let (mut touches, deep) = meet_triangles(a, b, a_from_b, &near);
        if touches && !deep && !a.body.is_polyhedral() {
            let distance = || Distance.convex_surface(a, b, a_from_b).distance;
            touches = !self.is_apart_to_rounding(distance, slack);
        }
        // What is in a side of a height field is partly in the solid.
        let beside = b.sides_near(&near).map(|sides| meet_triangles(a, sides, a_from_b, &near));
        let (touches_side, in_side) = beside.unwrap_or((false, false));
        // Where the surface stays out of the inside of a, that is all in or all out of b.
        let center_inside = || b.contains(b_from_a.transform_point(a.body.center()));
        let held = || b.holds_convex(a, a_from_b);
        match (touches, deep) {
            _ if in_side => Relation::Overlapping,
            (_, true) if is_surface_in(b, a.shape, a_from_b, slack) => Relation::BInsideA,
            (_, true) => Relation::Overlapping,
            (true, false) if center_inside() => {
                Relation::of_containment(true, is_surface_in(b, a.shape, a_from_b, slack))
            }
            (true, false) => Relation::Touching,
            (false, false) => match held() {
                // It reaches out over the border: from there it only touches the side.
                Held::Inside(_) if beside.is_some() && !center_inside() => Relation::Touching,
                Held::Inside(_) => Relation::AInsideB,
                Held::Outside if touches_side => Relation::Touching,
                Held::Outside => Relation::Separate,
                Held::Unknown => Relation::Unknown,
            },
        }
    }

    fn half_space_surface(&self, a: &HalfSpace, b: &Surface, a_from_b: &Pose) -> Relation {
        let slack = touch_slack(a.offset().abs(), b.bounds().reach(), a_from_b);
        let lowest = Distance.half_space_surface(a, b, a_from_b).distance;
        let inside = is_surface_in(b, &Shape::HalfSpace(*a), a_from_b, slack);
        in_half_space(lowest, inside, slack).swapped()
    }

    fn surfaces(&self, a: &Surface, b: &Surface, a_from_b: &Pose) -> Relation {
        crate::intersect::surfaces::relate_surfaces(a, b, a_from_b)
    }

    fn any_compound(&self, a: &Prepared, b: &[PreparedPart], a_from_b: &Pose) -> Relation {
        let bounds = a.bounds_placed(&a_from_b.inverse());
        let of_part = |part: &PreparedPart| {
            if part.is_apart(bounds, a) {
                return Relation::Separate;
            }
            ask_checked(self, a, &part.part, &(*a_from_b * part.compound_from_part))
        };
        let (mut a_in_b, mut b_in_a, mut touches, mut deep) = (false, true, false, false);
        let mut is_unknown = false;
        for part in b {
            let relation = of_part(part);
            a_in_b |= matches!(relation, Relation::AInsideB | Relation::Same);
            b_in_a &= matches!(relation, Relation::BInsideA | Relation::Same);
            is_unknown |= relation == Relation::Unknown;
            touches |= !matches!(relation, Relation::Separate | Relation::Unknown);
            deep |= !matches!(relation, Relation::Separate | Relation::Touching | Relation::Unknown);
        }
        if let (Class::Compound(parts), true, false) = (a.class(), deep, a_in_b) {
            // Each part of a may be in another part of b.
            a_in_b = parts.iter().all(|part| {
                let part_from_b = part.compound_from_part.inverse() * *a_from_b;
                let relation = self.any_compound(&part.part, b, &part_from_b);
                matches!(relation, Relation::AInsideB | Relation::Same)
            });
        }
        match (touches, deep) {
            (false, _) if is_unknown => Relation::Unknown,
            (false, _) => Relation::Separate,
            (true, false) => Relation::Touching,
            (true, true) => Relation::of_containment(a_in_b, b_in_a),
        }
    }

    fn swapped(&self, answer: Relation, _a_from_b: &Pose) -> Relation {
        answer.swapped()
    }
}

/// Whether a convex body meets triangles of a surface, and whether it is deeper in one than it touches. `near`: the box of the body in the frame of the surface.
fn meet_triangles(a: &Solid, b: &Surface, a_from_b: &Pose, near: &Aabb) -> (bool, bool) {
    let (mut touches, mut deep, mut cache) = (false, false, ConvexCache::new());
    let limit = touch_limit(a, b, a_from_b);
    b.visit_near(near, limit, |leaf| {
        let triangle = Points(leaf.corners);
        if convex_meet(a.body, &triangle, a_from_b, &mut cache) {
            touches = true;
            let exactness = Exactness::of_pair(a.body, &triangle, a_from_b);
            deep |= signed_convex(a.body, &triangle, a_from_b).distance < -exactness.depth;
        }
        if deep { -1.0 } else { limit }
    });
    (touches, deep)
}

/// A body whose lowest point is at `lowest` over the plane of half space b.
fn in_half_space(lowest: f64, is_inside: bool, slack: f64) -> Relation {
    if is_inside {
        Relation::AInsideB
    } else if lowest > slack {
        Relation::Separate
    } else if lowest >= -slack {
        Relation::Touching
    } else {
        Relation::Overlapping
    }
}

fn is_in(body: &Shape, container: &Shape, container_from_body: &Pose, slack: f64) -> bool {
    Sticking::out_of(container).is_some_and(|s| s.of_body(body, container_from_body) <= slack)
}

fn is_surface_in(surface: &Surface, container: &Shape, container_from_surface: &Pose, slack: f64) -> bool {
    Sticking::out_of(container)
        .is_some_and(|s| s.of_points(surface.mesh().triangles().flatten(), container_from_surface) <= slack)
}
