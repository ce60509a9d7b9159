//! How two solids lie to each other: apart, touching, overlapping, or one inside the other.

use super::MeshTree;
use super::intersect::all_intersections;
use super::locate::{PointPlace, closest_point, locate};
use super::placement::Placement;
use super::shells::Closure;
use super::workspace::MeshWorkspace;
pub use crate::answer::Relation;
use crate::elementary::point_triangle;
use freiraum_geometry::math::predicates::side_of_plane;
use freiraum_geometry::math::rounding;
use freiraum_geometry::mesh::SolidityFault;
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

/// How two meshes lie to each other; sound shells bound solids, and the answer says which mesh has no others.
///
/// Meshes may have several parts and cavities: a body in a cavity of another one is separate from it. [`Relation::Unknown`] if surfaces do not
/// meet and [`locate`] does not know of a part where it is. Identical
/// solids in one place overlap ([`Relation::Same`] is told apart by [`intersect`](crate::intersect())). **Guarantee.** Separate or not is exact for the vertices of b rounded into the frame of a.
/// Touching and overlapping are told apart where bodies reach into each other by more than
/// `rounding::coordinate` of the largest coordinate involved, which touching bodies may overlap by.
/// **Cost.** That of all intersecting faces; where surfaces touch without crossing, some microseconds per vertex too.
pub fn relation(a: &MeshTree, b: &MeshTree, a_from_b: &Pose, workspace: &mut MeshWorkspace) -> MeshRelation {
    let solid = [a, b].map(|tree| tree.closure() != Closure::Open);
    let relation = relation_of(a, b, a_from_b, [false; 2], workspace);
    MeshRelation { relation, a_is_solid: solid[0], b_is_solid: solid[1] }
}

/// The same for meshes one or both of which are taken for surfaces without an inside.
pub(crate) fn relation_of(
    a: &MeshTree,
    b: &MeshTree,
    a_from_b: &Pose,
    are_sheets: [bool; 2],
    workspace: &mut MeshWorkspace,
) -> Relation {
    let mut pairs = std::mem::take(&mut workspace.pairs);
    all_intersections(a, b, a_from_b, workspace, &mut pairs);
    let two = Two::new(a, b, a_from_b, are_sheets);
    let relation = if pairs.is_empty() {
        two.without_contact(workspace)
    } else if pairs.iter().any(|&pair| two.cross(pair, workspace)) {
        Relation::Overlapping
    } else {
        two.in_contact(&pairs, workspace)
    };
    workspace.pairs = pairs;
    relation
}

struct Two<'q> {
    a: &'q MeshTree,
    b: &'q MeshTree,
    b_from_a: Pose,
    placement: Placement,
    /// What touching bodies may overlap by, in metres.
    tolerance: f64,
    /// Whether a and b have no inside whatever their surfaces are.
    are_sheets: [bool; 2],
}

/// What points of one body have been found in the other one.
#[derive(Clone, Copy, Debug, Default)]
struct Found {
    inside: bool,
    outside: bool,
    /// Too near the surface to tell.
    near: bool,
    /// Where the surface of the other one does not tell.
    unknown: bool,
}

impl Found {
    fn and(self, other: Found) -> Found {
        Found {
            inside: self.inside || other.inside,
            outside: self.outside || other.outside,
            near: self.near || other.near,
            unknown: self.unknown || other.unknown,
        }
    }
}

impl Two<'_> {
    fn new<'q>(a: &'q MeshTree, b: &'q MeshTree, a_from_b: &Pose, are_sheets: [bool; 2]) -> Two<'q> {
        let reach = |tree: &MeshTree| tree.grid.center.length() + 2.0 / tree.grid.scale;
        let reach = reach(a) + reach(b) + a_from_b.translation().length();
        let tolerance = 4.0 * rounding::coordinate(reach);
        let placement = Placement::new(a, b, a_from_b);
        Two { a, b, b_from_a: a_from_b.inverse(), placement, tolerance, are_sheets }
    }

    /// Without common points each part lies inside or outside as a whole.
    fn without_contact(&self, workspace: &mut MeshWorkspace) -> Relation {
        let (mut a_found, mut b_found) = (Found::default(), Found::default());
        for &v in &self.a.shells().samples {
            a_found = a_found.and(self.look_alone(true, self.a.mesh.vertices()[v as usize], workspace));
        }
        for &v in &self.b.shells().samples {
            b_found = b_found.and(self.look_alone(false, self.b.mesh.vertices()[v as usize], workspace));
        }
        if a_found.near || b_found.near {
            // They would touch but for rounding: one may fill a place in the other.
            let relation = self.in_contact(&[], workspace);
            return match relation {
                Relation::Touching if a_found.unknown || b_found.unknown => Relation::Unknown,
                Relation::Touching => Relation::Separate,
                other => other,
            };
        }
        let is_all_in = |found: Found| found.inside && !found.outside && !found.unknown;
        match (a_found.inside, b_found.inside) {
            (false, false) if a_found.unknown || b_found.unknown => Relation::Unknown,
            (false, false) => Relation::Separate,
            (true, false) if is_all_in(a_found) => Relation::AInsideB,
            (false, true) if is_all_in(b_found) => Relation::BInsideA,
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
                let middle = middle_of([p, q, r]);
                for point in [0.5 * (p + q), 0.5 * (q + r), 0.5 * (r + p), middle] {
                    self.look(is_a, point, found, workspace);
                }
                shares_inside = shares_inside || self.share_inside(is_a, [p, q, r], middle, workspace);
            }
        }
        if !(shares_inside || a_found.inside || b_found.inside) {
            // A plug in a wall has all its corners on the surface, and faces right through that rounding keeps off it.
            self.a.mesh.triangles().for_each(|t| self.look(true, middle_of(t), &mut a_found, workspace));
            self.b.mesh.triangles().for_each(|t| self.look(false, middle_of(t), &mut b_found, workspace));
        }
        if !(shares_inside || a_found.inside || b_found.inside) {
            return Relation::Touching;
        }
        if a_found.outside != b_found.outside {
            // Before one is said to be inside the other: also what sticks out next to the corners of the other's faces.
            let is_of_a = b_found.outside;
            let found = if is_of_a { &mut a_found } else { &mut b_found };
            pairs.iter().for_each(|&pair| self.look_beside(is_of_a, pair, found, workspace));
        }
        match (a_found.outside, b_found.outside) {
            (false, true) => Relation::AInsideB,
            (true, false) => Relation::BInsideA,
            _ => Relation::Overlapping,
        }
    }

    /// Looks at points of one face, between its corners and those of the other that lie on it.
    fn look_beside(&self, is_of_a: bool, [f, g]: [u32; 2], found: &mut Found, workspace: &mut MeshWorkspace) {
        let (own, mut other) = if is_of_a {
            (self.a.mesh.triangle(f as usize), self.placement.triangle(self.b.mesh.triangle(g as usize)))
        } else {
            (self.b.mesh.triangle(g as usize), self.a.mesh.triangle(f as usize))
        };
        if !is_of_a {
            other = other.map(|p| self.b_from_a.transform_point(p));
        }
        for corner in other {
            let on = point_triangle(corner, own).point_on_b;
            own.iter().for_each(|&p| self.look(is_of_a, 0.5 * (p + on), found, workspace));
        }
    }

    /// Where one point lies, whatever others have told.
    fn look_alone(&self, is_of_a: bool, point: Vec3, workspace: &mut MeshWorkspace) -> Found {
        let mut found = Found::default();
        self.look(is_of_a, point, &mut found, workspace);
        found
    }

    /// Notes whether a point of one body, in its own frame, lies inside or outside the other by more than the tolerance.
    fn look(&self, is_of_a: bool, point: Vec3, found: &mut Found, workspace: &mut MeshWorkspace) {
        if found.inside && found.outside {
            return;
        }
        let (other, p) = self.seen_from_other(is_of_a, point);
        let place = self.place(!is_of_a, p, workspace);
        let known = match place {
            PointPlace::Inside => found.inside,
            PointPlace::Outside => found.outside,
            PointPlace::Unknown => found.unknown,
            PointPlace::OnSurface => true,
        };
        if known {
            return;
        }
        if closest_point(other, p, workspace).is_none_or(|s| s.distance <= self.tolerance) {
            found.near = true;
            return;
        }
        match place {
            PointPlace::Inside => found.inside = true,
            PointPlace::Unknown => found.unknown = true,
            _ => found.outside = true,
        }
    }

    /// Where a point lies in a or b, in the frame of that.
    fn place(&self, in_a: bool, point: Vec3, workspace: &mut MeshWorkspace) -> PointPlace {
        match self.are_sheets[usize::from(!in_a)] {
            true => PointPlace::Outside,
            false => locate(if in_a { self.a } else { self.b }, point, workspace),
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
        let normal = (t[1] - t[0]).cross(t[2] - t[0]);
        let longest = (t[1] - t[0]).length().max((t[2] - t[1]).length()).max((t[0] - t[2]).length());
        let Some(unit) = normal.try_normalize() else { return false };
        // A small part of the height of the triangle, so that the point seldom leaves thin bodies on their far side.
        let depth = (normal.length() / longest / 64.0).max(4.0 * self.tolerance);
        [-depth, depth].iter().any(|&step| {
            let point = middle + step * unit;
            let (other, p) = self.seen_from_other(is_of_a, point);
            self.place(is_of_a, point, workspace) == PointPlace::Inside
                && self.place(!is_of_a, p, workspace) == PointPlace::Inside
                && closest_point(other, p, workspace).is_some_and(|s| s.distance > self.tolerance)
        })
    }

    /// True if an edge of one face goes through the other one, by more than the tolerance on both sides.
    fn cross(&self, [f, g]: [u32; 2], workspace: &mut MeshWorkspace) -> bool {
        let t = self.a.mesh.triangle(f as usize);
        let u = self.placement.triangle(self.b.mesh.triangle(g as usize));
        let edges = [[0, 1], [1, 2], [2, 0]];
        edges.iter().any(|&[i, j]| {
            self.pierces(true, [t[i], t[j]], u, workspace) || self.pierces(false, [u[i], u[j]], t, workspace)
        })
    }

    /// True if an edge (of a, or of b in the frame of a) goes through a face of the other body.
    fn pierces(&self, is_of_a: bool, [p, q]: [Vec3; 2], t: [Vec3; 3], workspace: &mut MeshWorkspace) -> bool {
        let Some(unit) = (t[1] - t[0]).cross(t[2] - t[0]).try_normalize() else { return false };
        let (high, low) = (unit.dot(p - t[0]), unit.dot(q - t[0]));
        if !(high.abs() > self.tolerance && low.abs() > self.tolerance && (high > 0.0) != (low > 0.0)) {
            return false;
        }
        let sides = [0, 1, 2].map(|k| side_of_plane(p, q, t[k], t[(k + 1) % 3]));
        if sides.iter().any(|s| s.is_lt()) && sides.iter().any(|s| s.is_gt()) {
            return false;
        }
        let through = p.lerp(q, high / (high - low));
        // What the coordinates may be off by, along a face that the edge meets at a flat angle.
        let error = self.tolerance * (1.0 + p.distance(q) / (high - low).abs());
        let is_within = (0..3).all(|k| {
            let (start, edge) = (t[k], t[(k + 1) % 3] - t[k]);
            unit.dot(edge.cross(through - start)) > error * edge.length()
        });
        is_within || self.leads_inside(is_of_a, through, [p, q], workspace)
    }

    /// Next to the rim of a face the edge may pass the body by, or come from along its surface: true if it leads from outside to
    /// inside.
    #[cold]
    fn leads_inside(
        &self,
        is_of_a: bool,
        through: Vec3,
        ends: [Vec3; 2],
        workspace: &mut MeshWorkspace,
    ) -> bool {
        let other = if is_of_a { self.b } else { self.a };
        // Faces that cancel beside a sound surface say nothing about its inside.
        let pieces = other.solidity().pieces();
        let is_open = other.sound().is_none() || pieces.iter().any(|p| p.fault != SolidityFault::Doubled);
        if self.are_sheets[usize::from(is_of_a)] || is_open {
            return true;
        }
        let [mut from, mut to] = [Found::default(); 2];
        for (end, found) in ends.into_iter().zip([&mut from, &mut to]) {
            // The nearest point that is certain: what the edge meets farther away is another matter.
            let mut share = 2.0 * self.tolerance / end.distance(through);
            while share < 1.0 && !(found.inside || found.outside) {
                let r = through.lerp(end, share);
                let own = if is_of_a { r } else { self.b_from_a.transform_point(r) };
                self.look(is_of_a, own, found, workspace);
                share *= 2.0;
            }
        }
        (from.inside && to.outside) || (from.outside && to.inside)
    }
}

fn middle_of([p, q, r]: [Vec3; 3]) -> Vec3 {
    (p + q + r) / 3.0
}
