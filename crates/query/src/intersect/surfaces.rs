//! How two meshes stand to each other.

use super::Relation;
use crate::mesh_tree::relation_of;
use crate::prepared::{Surface, touch_slack};
use crate::surface::Held;
use crate::workspace::with_meshes;
use freiraum_geometry::shape::Shape;
use freiraum_geometry::{Aabb, Pose, Vec3};

/// The relation of two surfaces, solids where they are closed, height fields below.
pub(crate) fn relate_surfaces(a: &Surface, b: &Surface, a_from_b: &Pose) -> Relation {
    let found = relate_triangles(a, b, a_from_b);
    Surface::sides_between(a, b, a_from_b).fold(found, |found, (sides, is_b)| {
        if is_b {
            beside(a, b, sides, a_from_b, found)
        } else {
            beside(b, a, sides, &a_from_b.inverse(), found.swapped()).swapped()
        }
    })
}

/// The relation of a surface to a height field over whose border it reaches out, given that to the surface of the field.
fn beside(a: &Surface, field: &Surface, sides: &Surface, a_from_field: &Pose, found: Relation) -> Relation {
    if matches!(found, Relation::Overlapping | Relation::Same) {
        return found;
    }
    let are_sheets = [a.is_sheet_to_tree(), true];
    let to_sides =
        with_meshes(|workspace| relation_of(a.tree(), sides.tree(), a_from_field, are_sheets, workspace));
    let is_met = match to_sides {
        Relation::Separate | Relation::Unknown => a.grazes(sides, a_from_field).is_some(),
        Relation::Touching => true,
        // Sides end far below it: they are in all that they are in.
        _ => return Relation::Overlapping,
    };
    // All that is within the sides is in the solid or above it; what is not, is outside.
    let (bounds, field_from_a) = (field.bounds(), a_from_field.inverse());
    let slack = 2.0 * touch_slack(bounds.reach(), a.bounds().reach(), &field_from_a);
    let (mut has_inside, mut has_outside) = (false, false);
    if found == Relation::AInsideB {
        for p in a.mesh().vertices() {
            let p = field_from_a.transform_point(*p);
            let out = (p - bounds.max).max(bounds.min - p).truncate().max_element();
            has_outside |= out > slack;
            has_inside |= out < -slack && field.contains(p);
        }
    }
    match found {
        Relation::AInsideB if has_inside && has_outside => Relation::Overlapping,
        Relation::AInsideB if has_outside => Relation::Touching,
        Relation::Separate | Relation::Unknown if is_met => Relation::Touching,
        _ => found,
    }
}

fn relate_triangles(a: &Surface, b: &Surface, a_from_b: &Pose) -> Relation {
    let sheets = [a, b].map(Surface::is_sheet_to_tree);
    let found = with_meshes(|workspace| relation_of(a.tree(), b.tree(), a_from_b, sheets, workspace));
    match found {
        Relation::Separate | Relation::Unknown if a.grazes(b, a_from_b).is_none() => {
            without_contact(a, b, a_from_b, found)
        }
        Relation::AInsideB | Relation::BInsideA => found,
        _ if is_same(a, b, a_from_b) => Relation::Same,
        Relation::Separate | Relation::Unknown => Relation::Touching,
        other => other,
    }
}

/// The relation of surfaces that do not meet, after the trees have told what the sound shells hold.
fn without_contact(a: &Surface, b: &Surface, a_from_b: &Pose, found: Relation) -> Relation {
    let b_from_a = a_from_b.inverse();
    let below = |field: &Surface, other: &Surface, field_from_other: &Pose| {
        field.height_field().is_some() && matches!(other.held_by(field, field_from_other), Held::Inside(_))
    };
    match (below(b, a, &b_from_a), below(a, b, a_from_b)) {
        (true, false) => Relation::AInsideB,
        (false, true) => Relation::BInsideA,
        (true, true) => Relation::Overlapping,
        (false, false) if found == Relation::Unknown => found,
        (false, false) if b.may_hold(a, &b_from_a) || a.may_hold(b, a_from_b) => Relation::Unknown,
        (false, false) => Relation::Separate,
    }
}

/// True if corners and middles of edges and faces of each surface lie on the other one.
fn is_same(a: &Surface, b: &Surface, a_from_b: &Pose) -> bool {
    let slack = touch_slack(a.bounds().reach(), b.bounds().reach(), a_from_b);
    // Few pairs get farther than their boxes.
    let Some(placed) = Shape::Mesh(b.mesh().clone()).aabb_placed(a_from_b) else { return false };
    let off = (placed.min - a.bounds().min).abs().max((placed.max - a.bounds().max).abs());
    off.max_element() <= 4.0 * slack
        && lies_on(a, b, &a_from_b.inverse(), slack)
        && lies_on(b, a, a_from_b, slack)
}

fn lies_on(mine: &Surface, other: &Surface, other_from_mine: &Pose, slack: f64) -> bool {
    mine.mesh().triangles().all(|[a, b, c]| {
        let middles = [0.5 * (a + b), 0.5 * (b + c), 0.5 * (c + a), (a + b + c) / 3.0];
        let mut points = [a, b, c].into_iter().chain(middles);
        points.all(|p| is_on(other, other_from_mine.transform_point(p), slack))
    })
}

/// True if a point is within `slack` of a surface.
fn is_on(surface: &Surface, p: Vec3, slack: f64) -> bool {
    let mut found = false;
    let slack = 2.0 * slack;
    surface.visit_near(&Aabb { min: p, max: p }, slack, |leaf| {
        found |= crate::elementary::point_triangle(p, *leaf.corners).distance() <= slack;
        if found { -1.0 } else { slack }
    });
    found
}
