//! The translations in the plane that bring two convex pieces into contact.
//!
//! They are the slice of the Minkowski difference of the pieces with the plane: a convex polygon. Its edges are contacts of a vertex with a
//! face or of two edges, its corners contacts of a vertex with an edge (a vertex with a vertex where both are equally high). So
//! it is the hull of all translations that put a vertex of one piece on an edge of the other.

use super::piece::{NEARLY, Piece, Skin, is_exact_sum};
use super::polygon::{Border, Polygon};
use freiraum_geometry::{Vec2, Vec3};

/// Translations of a piece that are forbidden: the polygon and all that is nearer to it than `clearance`.
#[derive(Clone, Debug)]
pub(super) struct Obstacle {
    pub(super) polygon: Polygon,
    /// In metres.
    pub(super) clearance: f64,
}

/// The border of the translations by which two solids touch, as far as a face of each and what belongs to it make it, appended to `out`; rounding as in
/// [`outer`].
///
/// A contact can be on the border only if no direction at it leads from one solid into the other: a corner touches a face only if all
/// its edges leave on the outer side, and two edges only if a plane through both has one solid on each side.
pub(super) fn border(b: &Piece, a: &Piece, skins: [&Skin; 2], rounding: f64, out: &mut Vec<Obstacle>) {
    let mut add = |b: &Piece, a: &Piece| out.extend(outer(b, a, 0.0, rounding));
    let [skin_b, skin_a] = skins;
    let is_outside = |normal: Vec3, fan: &[Vec3]| fan.iter().all(|d| normal.dot(*d) >= -NEARLY);
    for (corner, fan) in &skin_a.corners {
        if is_outside(skin_b.normal, fan) {
            add(b, &a.part(&[*corner]));
        }
    }
    for (corner, fan) in &skin_b.corners {
        if is_outside(skin_a.normal, fan) {
            add(&b.part(&[*corner]), a);
        }
    }
    let ends = |piece: &Piece, edge: u32| piece.edges[edge as usize];
    let along = |piece: &Piece, [i, k]: [u32; 2]| {
        (piece.points[k as usize] - piece.points[i as usize]).try_normalize().unwrap_or(Vec3::ZERO)
    };
    for (edge_a, wings_a) in &skin_a.edges {
        let direction = along(a, ends(a, *edge_a));
        for (edge_b, wings_b) in &skin_b.edges {
            let across = direction.cross(along(b, ends(b, *edge_b)));
            let parts = |sign: f64| {
                wings_a.iter().all(|wing| sign * across.dot(*wing) >= -NEARLY)
                    && wings_b.iter().all(|wing| sign * across.dot(*wing) <= NEARLY)
            };
            if parts(1.0) || parts(-1.0) {
                add(&b.part(&ends(b, *edge_b)), &a.part(&ends(a, *edge_a)));
            }
        }
    }
}

/// All translations of `a` by which it comes closer to `b` than the clearance: none is missing if no coordinate is off by more than
/// `rounding`, which the caller has still to grow the polygon by. `None` if there are none.
pub(super) fn outer(b: &Piece, a: &Piece, clearance: f64, rounding: f64) -> Option<Obstacle> {
    let half = clearance + rounding;
    if !are_level(b, a, half) {
        return None;
    }
    let (points, _) = slab(b, a, [-half, half]);
    Some(Obstacle { polygon: Polygon::hull(points)?, clearance })
}

/// Only translations of `a` by which it comes closer to `b` than the clearance, whatever rounding did to the coordinates; perhaps not all. `None` if
/// there are none for certain.
pub(super) fn inner(b: &Piece, a: &Piece, clearance: f64, rounding: f64) -> Option<Polygon> {
    let slack = b.slack + a.slack;
    let exact = (slack == 0.0 && a.is_exact && b.is_exact)
        .then(|| slab(b, a, [0.0; 2]))
        .and_then(|(points, is_exact)| Polygon::hull(points).filter(|_| is_exact));
    let polygon = match exact {
        Some(polygon) => polygon,
        None => {
            // If all within the error of a point is in the difference as computed, the point is in the true one. That holds
            // where the slices a little above and below the plane both reach farther than the error.
            let error = 4.0 * (rounding + slack);
            let [above, below] = [error, -error].map(|height| Polygon::hull(slab(b, a, [height; 2]).0));
            above?.clipped(&below?)?.shrunk(error)?
        }
    };
    let radius = clearance - 4.0 * rounding;
    Some(if radius > 0.0 { polygon.grown(radius, FINE_STEP, Border::Within) } else { polygon })
}

/// By how much the border of an obstacle that was grown by a clearance turns at a corner, in radians: it lies within half a percent of the round one.
pub(super) const FINE_STEP: f64 = std::f64::consts::PI / 16.0;

/// Whether pieces come to heights `gap` apart from each other at all.
pub(super) fn are_level(b: &Piece, a: &Piece, gap: f64) -> bool {
    b.heights[0] - a.heights[1] <= gap && a.heights[0] - b.heights[1] <= gap
}

/// Points of the difference b - a between two heights whose hull, projected to the plane, is that of all; and whether none of them is rounded.
fn slab(b: &Piece, a: &Piece, [low, high]: [f64; 2]) -> (Vec<Vec2>, bool) {
    let mut found = Vec::new();
    // Of heights only signs matter, and those of differences are never rounded away.
    let flat = |p: Vec3| p.with_z(0.0);
    let mut is_exact = true;
    for &p in &a.points {
        for &q in &b.points {
            if (low..=high).contains(&(q.z - p.z)) {
                found.push((q - p).truncate());
                is_exact &= is_exact_sum(flat(q), -flat(p));
            }
        }
    }
    let levels = if low == high { &[low][..] } else { &[low, high] };
    for &level in levels {
        let mut cross = |points: &[Vec3], other: &Piece, sign: f64| {
            for &[i, k] in &other.edges {
                let (e, f) = (other.points[i as usize], other.points[k as usize]);
                for &p in points {
                    // Heights of the difference above the level: sign * (e - p) is its corner.
                    let (from, to) = (sign * (e.z - p.z) - level, sign * (f.z - p.z) - level);
                    if (from < 0.0) != (to < 0.0) && from != 0.0 && to != 0.0 {
                        let along = from / (from - to) * (f - e);
                        found.push(sign * (e - p + along).truncate());
                        is_exact &= along.truncate() == Vec2::ZERO && is_exact_sum(flat(e), -flat(p));
                    }
                }
            }
        };
        cross(&a.points, b, 1.0);
        cross(&b.points, a, -1.0);
    }
    (found, is_exact)
}
