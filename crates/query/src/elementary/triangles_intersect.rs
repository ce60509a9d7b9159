//! Whether two triangles have a point in common, exactly.
//!
//! First the sides of the corners of each triangle on the plane of the other (nearly all pairs end there), then the
//! order of the two sections on the common line of the planes, by two more signs (Devillers and Guigue, Faster
//! triangle-triangle intersection tests, 2002). Coplanar and flat triangles take a path of their own.

use freiraum_geometry::Vec3;
use freiraum_geometry::math::Vec2;
use freiraum_geometry::math::predicates::{side_of_line, side_of_plane};
use std::cmp::Ordering;

/// True if the closed triangles have a point in common; touching counts.
///
/// **Guarantee.** Exact for the coordinates given, whatever their size. **Degenerate input.** Triangles without area
/// are the segment or point that their corners span. **Cost.** About 30 nanoseconds; exact arithmetic only where f64
/// cannot tell the sign.
pub fn triangles_intersect(a: [Vec3; 3], b: [Vec3; 3]) -> bool {
    let Some(b_sides) = sides(a, b) else { return false };
    let Some(a_sides) = sides(b, a) else { return false };
    sections_meet(a, b, a_sides, b_sides)
}

/// The sides of the corners of `b` on the plane of `a`: 1, 0 or -1. `None` if all lie strictly on one side.
#[inline]
pub(super) fn sides(a: [Vec3; 3], b: [Vec3; 3]) -> Option<[i8; 3]> {
    Heights::new(a, b).sides(a, b)
}

/// How high three points lie over the plane of a triangle.
pub(super) struct Heights {
    /// In lengths of the normal, which is the cross product of two edges.
    pub(super) height: [f64; 3],
    /// Bound on the error of the heights, and on how high corners of the triangle may seem to be themselves.
    pub(super) error: f64,
    pub(super) normal: Vec3,
}

impl Heights {
    #[inline]
    pub(super) fn new(a: [Vec3; 3], b: [Vec3; 3]) -> Heights {
        let (u, v) = (a[1] - a[0], a[2] - a[0]);
        let w = b.map(|p| p - a[0]);
        let normal = u.cross(v);
        let (u_size, v_size) = (u.abs().max_element(), v.abs().max_element());
        let reach = w[0].abs().max(w[1].abs()).max(w[2].abs()).max_element().max(u_size).max(v_size);
        // A height has six terms of at most this product, each with eight roundings of relative size EPSILON / 2,
        // which makes 24 EPSILON, and the normal is off by 8 EPSILON along the edges. The last part covers
        // products that underflow; what overflows makes the bound infinite.
        let error = 32.0 * f64::EPSILON * (u_size * v_size * reach) + f64::MIN_POSITIVE * (1.0 + reach);
        Heights { height: w.map(|w| normal.dot(w)), error, normal }
    }

    /// True if all points certainly lie strictly on one side.
    #[inline]
    pub(super) fn are_apart(&self) -> bool {
        let [h, k, l] = self.height;
        let error = self.error;
        (h > error && k > error && l > error) || (h < -error && k < -error && l < -error)
    }

    #[inline]
    pub(super) fn sides(&self, a: [Vec3; 3], b: [Vec3; 3]) -> Option<[i8; 3]> {
        if self.are_apart() {
            return None;
        }
        let side = |i: usize| match self.height[i] {
            h if h > self.error => 1,
            h if h < -self.error => -1,
            _ => exact_side(a, b[i]),
        };
        let sides = [side(0), side(1), side(2)];
        if sides == [1; 3] || sides == [-1; 3] { None } else { Some(sides) }
    }
}

#[cold]
#[inline(never)]
fn exact_side(a: [Vec3; 3], p: Vec3) -> i8 {
    // Neighbours in a mesh share corners: no need to compute that these are coplanar.
    if a.contains(&p) { 0 } else { side_of_plane(a[0], a[1], a[2], p) as i8 }
}

/// The second half of the test: both triangles reach the plane of the other.
pub(super) fn sections_meet(a: [Vec3; 3], b: [Vec3; 3], a_sides: [i8; 3], b_sides: [i8; 3]) -> bool {
    // A triangle without area has no plane, and gives the other one three zeros.
    if a_sides == [0; 3] || b_sides == [0; 3] {
        return flat_triangles_meet(a, b, a_sides, b_sides);
    }
    // Turned so that the first corner lies alone on its side, which is made the upper one by turning the other round.
    let (a_first, a_above) = lone_corner(a_sides);
    let (b_first, b_above) = lone_corner(b_sides);
    let [a0, a1, a2] = turned(a, a_first, b_above);
    let [b0, b1, b2] = turned(b, b_first, a_above);
    // Edges a0 a1 and b0 b1 bound the sections at opposite ends, so do a0 a2 and b0 b2.
    side_of_plane(a1, b0, a0, b1).is_le() && side_of_plane(a0, b0, a2, b2).is_le()
}

/// The corner that is alone on its side of the plane, and whether that is the upper side. Corners in the plane belong
/// to whichever side makes this possible. Not all sides are equal.
fn lone_corner(sides: [i8; 3]) -> (usize, bool) {
    let index = |side: i8| sides.iter().position(|&s| s == side).unwrap_or(0);
    let count = |side: i8| sides.iter().filter(|&&s| s == side).count();
    match (count(1), count(-1)) {
        (1, _) => (index(1), true),
        (_, 1) => (index(-1), false),
        // Two corners on one side, the third in the plane.
        (above, _) => (index(0), above == 0),
    }
}

/// The corners from `first` on, in their order or (unless `forward`) backwards.
fn turned(t: [Vec3; 3], first: usize, forward: bool) -> [Vec3; 3] {
    let (next, last) = ((first + 1) % 3, (first + 2) % 3);
    if forward { [t[first], t[next], t[last]] } else { [t[first], t[last], t[next]] }
}

/// Triangles in one plane, or without area.
#[cold]
#[inline(never)]
pub(super) fn flat_triangles_meet(a: [Vec3; 3], b: [Vec3; 3], a_sides: [i8; 3], b_sides: [i8; 3]) -> bool {
    if !boxes_meet(a, b) {
        return false;
    }
    // What has no area against a triangle whose plane it crosses.
    if a_sides != [0; 3] {
        return segments_pierce(a, b, a_sides);
    }
    if b_sides != [0; 3] {
        return segments_pierce(b, a, b_sides);
    }
    // In one plane, unless both have no area and their lines pass each other.
    if !AXES.iter().any(|&drop| has_area(a, drop) || has_area(b, drop)) {
        for i in 0..3 {
            for j in 0..3 {
                if side_of_plane(a[i], a[(i + 1) % 3], b[j], b[(j + 1) % 3]).is_ne() {
                    return false;
                }
            }
        }
    }
    // Seen along an axis that does not lie in the plane. If there is none all is on one line, where boxes suffice.
    let all = [a[0], a[1], a[2], b[0], b[1], b[2]];
    let has_extent = |&&drop: &&Axis| {
        has_area(a, drop)
            || has_area(b, drop)
            || (0..6).any(|i| (0..i).any(|j| (0..j).any(|k| has_area([all[i], all[j], all[k]], drop))))
    };
    match AXES.iter().find(has_extent) {
        Some(&drop) => flat_meet(a.map(drop), b.map(drop)),
        None => true,
    }
}

/// A projection along one of the axes.
type Axis = fn(Vec3) -> Vec2;
const AXES: [Axis; 3] = [|p| Vec2::new(p.x, p.y), |p| Vec2::new(p.y, p.z), |p| Vec2::new(p.z, p.x)];

fn has_area(t: [Vec3; 3], drop: Axis) -> bool {
    let [p, q, r] = t.map(drop);
    side_of_line(p, q, r).is_ne()
}

fn boxes_meet(a: [Vec3; 3], b: [Vec3; 3]) -> bool {
    let least = |t: [Vec3; 3]| t[0].min(t[1]).min(t[2]);
    let most = |t: [Vec3; 3]| t[0].max(t[1]).max(t[2]);
    least(a).cmple(most(b)).all() && least(b).cmple(most(a)).all()
}

/// True if one of the edges between the corners of `a`, with these sides of the plane of `b` (not all zero), meets `b`.
fn segments_pierce(a: [Vec3; 3], b: [Vec3; 3], sides: [i8; 3]) -> bool {
    [[0, 1], [1, 2], [2, 0]].iter().any(|&[i, j]| crosses([a[i], a[j]], b, [sides[i], sides[j]]))
}

/// True if a segment whose ends lie on these sides of the plane of `b`, but not both in it, meets `b`.
pub(super) fn crosses(a: [Vec3; 2], b: [Vec3; 3], sides: [i8; 2]) -> bool {
    let turn = |k: usize| side_of_plane(a[0], a[1], b[k], b[(k + 1) % 3]);
    sides[0] * sides[1] <= 0 && sides != [0; 2] && have_no_opposites([turn(0), turn(1), turn(2)])
}

fn have_no_opposites(signs: [Ordering; 3]) -> bool {
    !(signs.contains(&Ordering::Greater) && signs.contains(&Ordering::Less))
}

/// Triangles in a plane that also have meeting boxes: apart exactly if the line through an edge parts them. This holds
/// for segments and points too, where what parts pieces on one line is their boxes.
fn flat_meet(a: [Vec2; 3], b: [Vec2; 3]) -> bool {
    let parts = |t: [Vec2; 3], other: [Vec2; 3]| {
        (0..3).any(|i| {
            let (p, q) = (t[i], t[(i + 1) % 3]);
            let own = side_of_line(p, q, t[(i + 2) % 3]);
            let beyond = |side: Ordering| other.iter().all(|&r| side_of_line(p, q, r) == side);
            (own.is_le() && beyond(Ordering::Greater)) || (own.is_ge() && beyond(Ordering::Less))
        })
    };
    !parts(a, b) && !parts(b, a)
}
