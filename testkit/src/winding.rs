//! What is inside of a surface, by solid angles, and where two surfaces cross, by exact predicates.

use crate::bumpy::Surface;
use crate::exact::whole;
use glam::DVec3;
use num_bigint::{BigInt, Sign};
use std::cmp::Ordering;
use std::f64::consts::TAU;

/// How often a surface winds round a point: the sum of the solid angles of its faces (van Oosterom and Strackee), as a share of the whole
/// sphere. A whole number for closed surfaces, and anything else shows that the surface is open as seen from there.
pub fn winding_number((vertices, faces): &Surface, p: DVec3) -> f64 {
    let angle = |face: &[u32; 3]| {
        let [a, b, c] = face.map(|i| vertices[i as usize] - p);
        let (la, lb, lc) = (a.length(), b.length(), c.length());
        let volume = a.dot(b.cross(c));
        let rest = la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb;
        if volume == 0.0 && rest == 0.0 { 0.0 } else { volume.atan2(rest) }
    };
    faces.iter().map(angle).sum::<f64>() / TAU
}

/// The point of a triangle next to another point.
pub fn nearest_on_triangle(p: DVec3, [a, b, c]: [DVec3; 3]) -> DVec3 {
    let normal = (b - a).cross(c - a);
    let square = normal.length_squared();
    if square > 0.0 {
        // Inside of all three edges: the foot of the perpendicular.
        let inside = |p0: DVec3, p1: DVec3| normal.dot((p1 - p0).cross(p - p0)) >= 0.0;
        if inside(a, b) && inside(b, c) && inside(c, a) {
            return p - normal * (normal.dot(p - a) / square);
        }
    }
    let on_edge = |p0: DVec3, p1: DVec3| {
        let along = p1 - p0;
        let length = along.length_squared();
        let share = if length > 0.0 { ((p - p0).dot(along) / length).clamp(0.0, 1.0) } else { 0.0 };
        p0 + share * along
    };
    let feet = [on_edge(a, b), on_edge(b, c), on_edge(c, a)];
    let mut best = feet[0];
    for foot in feet {
        if foot.distance_squared(p) < best.distance_squared(p) {
            best = foot;
        }
    }
    best
}

/// The point of a surface next to another point.
pub fn nearest_on_surface((vertices, faces): &Surface, p: DVec3) -> DVec3 {
    let mut best = DVec3::INFINITY;
    let mut least = f64::INFINITY;
    for face in faces {
        let corners @ [a, b, c] = face.map(|i| vertices[i as usize]);
        // No point of the face is nearer than its box, but for rounding.
        let outside = (a.min(b).min(c) - p).max(p - a.max(b).max(c)).max(DVec3::ZERO);
        if outside.length_squared() > least * (1.0 + 1e-9) {
            continue;
        }
        let near = nearest_on_triangle(p, corners);
        if !best.is_finite() || near.distance_squared(p) < least {
            (best, least) = (near, near.distance_squared(p));
        }
    }
    best
}

/// On which side of the plane through a, b and c the point d is, exactly: `Less` above it, seen from where a, b, c run counter-clockwise.
pub fn side_of_plane([a, b, c]: [DVec3; 3], d: DVec3) -> Ordering {
    let (u, v, w) = (a - d, b - d, c - d);
    let parts = [
        (u.x * v.y * w.z, u.x * v.z * w.y),
        (u.y * v.z * w.x, u.y * v.x * w.z),
        (u.z * v.x * w.y, u.z * v.y * w.x),
    ];
    let value: f64 = parts.iter().map(|(x, y)| x - y).sum();
    let size: f64 = parts.iter().map(|(x, y)| x.abs() + y.abs()).sum();
    // Twice what rounding of three differences, products and sums can make of it.
    if value.abs() > 32.0 * f64::EPSILON * size {
        return value.total_cmp(&0.0);
    }
    let numbers: Vec<f64> = [a, b, c, d].iter().flat_map(|p| p.to_array()).collect();
    let n = whole(&numbers);
    let minus = |i: usize| -> [BigInt; 3] { std::array::from_fn(|k| &n[3 * i + k] - &n[9 + k]) };
    let (u, v, w) = (minus(0), minus(1), minus(2));
    let value = &u[0] * (&v[1] * &w[2] - &v[2] * &w[1])
        + &u[1] * (&v[2] * &w[0] - &v[0] * &w[2])
        + &u[2] * (&v[0] * &w[1] - &v[1] * &w[0]);
    match value.sign() {
        Sign::Minus => Ordering::Less,
        Sign::NoSign => Ordering::Equal,
        Sign::Plus => Ordering::Greater,
    }
}

/// Where a segment passes through the inside of a triangle, ends on both sides: decided exactly, the place is rounded. Touching is no passing.
pub fn passes_through([p, q]: [DVec3; 2], triangle: [DVec3; 3]) -> Option<DVec3> {
    let [a, b, c] = triangle;
    let (above, below) = (side_of_plane(triangle, p), side_of_plane(triangle, q));
    if above.is_eq() || below.is_eq() || above == below {
        return None;
    }
    let sides = [[a, b], [b, c], [c, a]].map(|[r, s]| side_of_plane([r, s, p], q));
    if sides[0].is_eq() || sides[0] != sides[1] || sides[1] != sides[2] {
        return None;
    }
    let normal = (b - a).cross(c - a).normalize_or_zero();
    let (dp, dq) = (normal.dot(p - a).abs(), normal.dot(q - a).abs());
    Some(if dp + dq > 0.0 { p + (q - p) * (dp / (dp + dq)) } else { p })
}

/// How far two surfaces cross each other, in metres: the largest length by which an edge of one, wherever it passes through a face of the
/// other, goes on to both sides, and away from the border of that face so that no shift by less lets it pass
/// the border. What is moved by less than it still crosses. 0 if none passes through.
pub fn crossing_depth(a: &Surface, b: &Surface) -> f64 {
    let bounds = |(vertices, faces): &Surface| -> Vec<[DVec3; 2]> {
        let of_face = |face: &[u32; 3]| {
            let [p, q, r] = face.map(|i| vertices[i as usize]);
            [p.min(q).min(r), p.max(q).max(r)]
        };
        faces.iter().map(of_face).collect()
    };
    let (boxes_a, boxes_b) = (bounds(a), bounds(b));
    let whole_b = boxes_b
        .iter()
        .fold([DVec3::INFINITY, DVec3::NEG_INFINITY], |[low, high], [l, h]| [low.min(*l), high.max(*h)]);
    let meet = |[l, h]: &[DVec3; 2], [m, k]: &[DVec3; 2]| l.cmple(*k).all() && m.cmple(*h).all();
    let mut best = 0.0_f64;
    for (i, of_a) in boxes_a.iter().enumerate().filter(|(_, of_a)| meet(of_a, &whole_b)) {
        for (j, _) in boxes_b.iter().enumerate().filter(|(_, of_b)| meet(of_a, of_b)) {
            let face_a = a.1[i].map(|k| a.0[k as usize]);
            let face_b = b.1[j].map(|k| b.0[k as usize]);
            best = best.max(edges_through(face_a, face_b)).max(edges_through(face_b, face_a));
        }
    }
    best
}

/// The largest depth by which an edge of the first triangle passes through the second.
fn edges_through([p, q, r]: [DVec3; 3], face: [DVec3; 3]) -> f64 {
    let normal = (face[1] - face[0]).cross(face[2] - face[0]).normalize_or_zero();
    let mut best = 0.0_f64;
    for [from, to] in [[p, q], [q, r], [r, p]] {
        let Some(at) = passes_through([from, to], face) else { continue };
        let ends = normal.dot(from - face[0]).abs().min(normal.dot(to - face[0]).abs());
        // At a flat angle a small shift along the normal moves the place where the edge passes through by
        // much.
        let along = (to - from).normalize_or_zero();
        let moves = 1.0 + normal.cross(along).length() / normal.dot(along).abs();
        let border = [[0, 1], [1, 2], [2, 0]].map(|[i, k]| {
            let (side, off) = (face[k] - face[i], at - face[i]);
            side.cross(off).length() / side.length() / moves
        });
        best = best.max(border.into_iter().fold(ends, f64::min));
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::models::{cells, torus};

    #[test]
    fn winding_tells_inside_from_outside() {
        let (vertices, faces) = cells([1, 1, 1], DVec3::ONE, |_| true);
        let inside_out = (vertices.clone(), faces.iter().map(|[a, b, c]| [*a, *c, *b]).collect());
        let cube = (vertices, faces);
        for (p, expected) in
            [(DVec3::splat(0.5), 1.0), (DVec3::new(0.1, 0.9, 1e-9), 1.0), (DVec3::splat(1.5), 0.0)]
        {
            assert!((winding_number(&cube, p) - expected).abs() < 1e-6, "{p}");
            assert!((winding_number(&inside_out, p) + expected).abs() < 1e-6, "{p}");
        }
        let ring = torus(1.0, 0.25, 24, 12);
        assert!(winding_number(&ring, DVec3::ZERO).abs() < 1e-9);
        assert!((winding_number(&ring, DVec3::X) - 1.0).abs() < 1e-9);
    }

    #[test]
    fn sides_are_exact() {
        let plane = [DVec3::ZERO, DVec3::X, DVec3::Y];
        let near = f64::MIN_POSITIVE;
        assert_eq!(side_of_plane(plane, DVec3::new(0.3, 0.3, 0.0)), Ordering::Equal);
        assert_eq!(side_of_plane(plane, DVec3::new(0.3, 0.3, near)), Ordering::Less);
        assert_eq!(side_of_plane(plane, DVec3::new(0.3, 0.3, -near)), Ordering::Greater);
    }

    #[test]
    fn crossings_have_a_depth() {
        let cube = cells([1, 1, 1], DVec3::ONE, |_| true);
        let moved = |by: DVec3| -> Surface { (cube.0.iter().map(|p| *p + by).collect(), cube.1.clone()) };
        assert_eq!(crossing_depth(&cube, &moved(DVec3::new(1.0, 0.25, 0.125))), 0.0);
        assert_eq!(crossing_depth(&cube, &moved(DVec3::new(1.0 + 1e-15, 0.25, 0.125))), 0.0);
        let shallow = crossing_depth(&cube, &moved(DVec3::new(1.0 - 0.0625, 0.25, 0.125)));
        assert!(shallow > 0.01 && shallow <= 0.0625, "{shallow}");
        assert_eq!(crossing_depth(&cube, &moved(DVec3::splat(3.0))), 0.0);
    }

    /// Edges at all angles, flat ones too.
    #[test]
    fn what_crosses_still_crosses_when_moved_by_less() {
        let face = [DVec3::ZERO, DVec3::X, DVec3::Y];
        let mut random = crate::random::Random::new(11);
        let mut flat = 0;
        for _ in 0..2000 {
            let tilt = 10.0_f64.powi(-(random.below(7) as i32));
            let at = DVec3::new(random.range(0.0, 0.5), random.range(0.0, 0.5), 0.0);
            let along = random.direction() * DVec3::new(1.0, 1.0, tilt);
            let [from, to] = [at - random.range(0.1, 1.0) * along, at + random.range(0.1, 1.0) * along];
            let depth = edges_through([from, to, to], face);
            flat += usize::from(depth > 0.0 && tilt < 1e-3);
            for _ in 0..8 {
                let by = 0.999 * depth * random.direction();
                assert!(
                    depth == 0.0 || passes_through([from + by, to + by], face).is_some(),
                    "{depth} {tilt}"
                );
            }
        }
        assert!(flat > 100, "{flat}");
    }
}
