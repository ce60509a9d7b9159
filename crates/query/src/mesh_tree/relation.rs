//! How two solids lie to each other: apart, touching, overlapping, or one inside the other.

use super::MeshTree;
use super::intersect::all_intersections;
use super::locate::{PointPlace, closest_point, locate};
use super::placement::Placement;
use super::shells::Closure;
use super::workspace::MeshWorkspace;
pub use crate::answer::Relation;
use freiraum_geometry::math::predicates::side_of_plane;
use freiraum_geometry::math::rounding;
use freiraum_geometry::{Pose, Vec3};

/// A relation, and what the bodies were taken for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MeshRelation {
    /// How they lie to each other.
    pub relation: Relation,
    /// True if mesh a bounds a solid; otherwise it is a surface, which has no inside.
    pub a_is_solid: bool,
    /// The same for mesh b.
    pub b_is_solid: bool,
}

/// How two meshes lie to each other; closed ones are solids, open ones are surfaces, and the answer says which.
///
/// Meshes may have several parts and cavities: a body in a cavity of another one is separate from it. Identical
/// solids in one place overlap ([`Relation::Same`] is told apart by [`intersect`](crate::intersect())). **Guarantee.** Separate or not is exact for the vertices of b rounded into the frame of a.
/// Touching and overlapping are told apart where bodies reach into each other by more than
/// `rounding::coordinate` of the largest coordinate involved, which touching bodies may overlap by.
/// **Cost.** That of all intersecting faces; where surfaces touch without crossing, some microseconds per vertex too.
pub fn relation(a: &MeshTree, b: &MeshTree, a_from_b: &Pose, workspace: &mut MeshWorkspace) -> MeshRelation {
    let solid = [a, b].map(|tree| tree.closure() != Closure::Open);
    let mut pairs = std::mem::take(&mut workspace.pairs);
    all_intersections(a, b, a_from_b, workspace, &mut pairs);
    let two = Two::new(a, b, a_from_b);
    let relation = if pairs.is_empty() {
        two.without_contact(workspace)
    } else if pairs.iter().any(|&pair| two.cross(pair)) {
        Relation::Overlapping
    } else {
        two.in_contact(&pairs, workspace)
    };
    workspace.pairs = pairs;
    MeshRelation { relation, a_is_solid: solid[0], b_is_solid: solid[1] }
}

struct Two<'q> {
    a: &'q MeshTree,
    b: &'q MeshTree,
    b_from_a: Pose,
    placement: Placement,
    /// What touching bodies may overlap by, in metres.
    tolerance: f64,
}

/// What points of one body have been found in the other one.
#[derive(Clone, Copy, Debug, Default)]
struct Found {
    inside: bool,
    outside: bool,
}

impl Two<'_> {
    fn new<'q>(a: &'q MeshTree, b: &'q MeshTree, a_from_b: &Pose) -> Two<'q> {
        let reach = |tree: &MeshTree| tree.grid.center.length() + 2.0 / tree.grid.scale;
        let reach = reach(a) + reach(b) + a_from_b.translation().length();
        let tolerance = 4.0 * rounding::coordinate(reach);
        Two { a, b, b_from_a: a_from_b.inverse(), placement: Placement::new(a, b, a_from_b), tolerance }
    }

    /// Without common points each part lies inside or outside as a whole.
    fn without_contact(&self, workspace: &mut MeshWorkspace) -> Relation {
        let (mut a_found, mut b_found) = (Found::default(), Found::default());
        for &v in &self.a.shells().samples {
            self.look(true, self.a.mesh.vertices()[v as usize], &mut a_found, workspace);
        }
        for &v in &self.b.shells().samples {
            self.look(false, self.b.mesh.vertices()[v as usize], &mut b_found, workspace);
        }
        match (a_found, b_found) {
            (Found { inside: false, .. }, Found { inside: false, .. }) => Relation::Separate,
            (Found { inside: true, outside: false }, Found { inside: false, .. }) => Relation::AInsideB,
            (Found { inside: false, .. }, Found { inside: true, outside: false }) => Relation::BInsideA,
            _ => Relation::Overlapping,
        }
    }

    /// Surfaces that meet without an edge of one going through a face of the other.
    fn in_contact(&self, pairs: &[[u32; 2]], workspace: &mut MeshWorkspace) -> Relation {
        let (mut a_found, mut b_found) = (Found::default(), Found::default());
        // Vertices and, of the faces in contact, also points between them.
        for &v in self.a.mesh.vertices() {
            self.look(true, v, &mut a_found, workspace);
        }
        for &v in self.b.mesh.vertices() {
            self.look(false, v, &mut b_found, workspace);
        }
        let mut shares_inside = false;
        for &[f, g] in pairs {
            for (is_a, tree, face, found) in
                [(true, self.a, f, &mut a_found), (false, self.b, g, &mut b_found)]
            {
                let [p, q, r] = tree.mesh.triangle(face as usize);
                let middle = (p + q + r) / 3.0;
                for point in [0.5 * (p + q), 0.5 * (q + r), 0.5 * (r + p), middle] {
                    self.look(is_a, point, found, workspace);
                }
                shares_inside = shares_inside || self.share_inside(is_a, [p, q, r], middle, workspace);
            }
        }
        if !(shares_inside || a_found.inside || b_found.inside) {
            return Relation::Touching;
        }
        match (a_found.outside, b_found.outside) {
            (false, true) => Relation::AInsideB,
            (true, false) => Relation::BInsideA,
            _ => Relation::Overlapping,
        }
    }

    /// Notes whether a point of one body, in its own frame, lies inside or outside the other by more than the tolerance.
    fn look(&self, is_of_a: bool, point: Vec3, found: &mut Found, workspace: &mut MeshWorkspace) {
        if found.inside && found.outside {
            return;
        }
        let (other, p) = self.seen_from_other(is_of_a, point);
        let place = locate(other, p, workspace);
        let known = match place {
            PointPlace::Inside => found.inside,
            PointPlace::Outside => found.outside,
            PointPlace::OnSurface => true,
        };
        if known || closest_point(other, p, workspace).is_none_or(|s| s.distance <= self.tolerance) {
            return;
        }
        match place {
            PointPlace::Inside => found.inside = true,
            _ => found.outside = true,
        }
    }

    fn seen_from_other(&self, is_of_a: bool, point: Vec3) -> (&MeshTree, Vec3) {
        if is_of_a {
            (self.b, self.b_from_a.transform_point(point))
        } else {
            (self.a, self.placement.point(point))
        }
    }

    /// True if a point close behind a face in contact is inside both bodies.
    fn share_inside(&self, is_of_a: bool, t: [Vec3; 3], middle: Vec3, workspace: &mut MeshWorkspace) -> bool {
        let own = if is_of_a { self.a } else { self.b };
        let normal = (t[1] - t[0]).cross(t[2] - t[0]);
        let longest = (t[1] - t[0]).length().max((t[2] - t[1]).length()).max((t[0] - t[2]).length());
        let Some(unit) = normal.try_normalize() else { return false };
        // A small part of the height of the triangle, so that the point seldom leaves thin bodies on their far side.
        let depth = (normal.length() / longest / 64.0).max(4.0 * self.tolerance);
        [-depth, depth].iter().any(|&step| {
            let point = middle + step * unit;
            let (other, p) = self.seen_from_other(is_of_a, point);
            locate(own, point, workspace) == PointPlace::Inside
                && locate(other, p, workspace) == PointPlace::Inside
                && closest_point(other, p, workspace).is_some_and(|s| s.distance > self.tolerance)
        })
    }

    /// True if an edge of one face goes through the other one, by more than the tolerance on both sides.
    fn cross(&self, [f, g]: [u32; 2]) -> bool {
        let t = self.a.mesh.triangle(f as usize);
        let u = self.placement.triangle(self.b.mesh.triangle(g as usize));
        let pierces = |s: [Vec3; 3], t: [Vec3; 3]| (0..3).any(|k| self.pierces(s[k], s[(k + 1) % 3], t));
        pierces(t, u) || pierces(u, t)
    }

    fn pierces(&self, p: Vec3, q: Vec3, t: [Vec3; 3]) -> bool {
        let Some(unit) = (t[1] - t[0]).cross(t[2] - t[0]).try_normalize() else { return false };
        let (high, low) = (unit.dot(p - t[0]), unit.dot(q - t[0]));
        if !(high.abs() > self.tolerance && low.abs() > self.tolerance && (high > 0.0) != (low > 0.0)) {
            return false;
        }
        let sides = [0, 1, 2].map(|k| side_of_plane(p, q, t[k], t[(k + 1) % 3]));
        sides[0].is_ne() && sides == [sides[0]; 3]
    }
}
