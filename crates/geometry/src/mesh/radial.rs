//! Edges of more than two faces: which of the faces bound the same material?

use super::Mesh;
use super::topology::EdgeUse;
use crate::math::predicates::{side_of_line, side_of_plane};
use crate::math::{Vec2, Vec3};
use std::cmp::Ordering;

/// Pairs the faces at an edge, given by its vertices (the smaller first), so that between the two of a pair there is
/// material and nothing else. Empty where there is no such pairing: round the edge, faces that run one way and the other have
/// to take turns. Two faces in one place that look at each other are walls of solids that touch, with nothing between.
///
/// **Guarantee.** The order of the faces round the edge is exact.
pub(super) fn pairs_round_material(mesh: &Mesh, ends: [u32; 2], uses: &[EdgeUse]) -> Vec<[u32; 2]> {
    let [p, q] = ends.map(|v| mesh.vertices()[v as usize]);
    let mut round: Vec<(EdgeUse, Vec3)> = uses.iter().map(|&u| (u, tip(mesh, ends, u))).collect();
    let first = round[0].1;
    // In the same direction, first the face that ends some material and then the one that begins some.
    round.sort_by(|(u, a), (v, b)| {
        compare_round([p, q], first, *a, *b).then(v.is_forward().cmp(&u.is_forward()))
    });
    // A face that runs from p to q has its material before it in this order, the others after it.
    let pair = |i: usize| [round[i].0, round[(i + 1) % round.len()].0];
    let takes_turns = (0..round.len()).all(|i| pair(i)[0].is_forward() != pair(i)[1].is_forward());
    let is_backed = |i: usize| {
        let [(u, a), (v, b)] = [round[i], round[(i + 1) % round.len()]];
        // Begins and ends in one direction without a turn between: material without thickness.
        !u.is_forward() && v.is_forward() && compare_round([p, q], first, a, b) == Ordering::Equal
    };
    if !takes_turns || (0..round.len()).any(is_backed) {
        return Vec::new();
    }
    (0..round.len())
        .map(pair)
        .filter(|[f, _]| !f.is_forward())
        .map(|faces| faces.map(EdgeUse::face))
        .collect()
}

/// The corner of a face that is not on the edge.
fn tip(mesh: &Mesh, ends: [u32; 2], edge_use: EdgeUse) -> Vec3 {
    let [a, b, c] = mesh.faces()[edge_use.face() as usize];
    let tip = [a, b, c].into_iter().find(|v| !ends.contains(v)).unwrap_or(a);
    mesh.vertices()[tip as usize]
}

/// The order of `a` and `b` round the axis from p to q (right-hand rule), counted from `first`. Equal for the same direction, and
/// for points on the axis.
fn compare_round([p, q]: [Vec3; 2], first: Vec3, a: Vec3, b: Vec3) -> Ordering {
    let sector = |x: Vec3| match side_of_plane(p, q, first, x) {
        Ordering::Greater => 1,
        Ordering::Less => 3,
        Ordering::Equal if is_opposite([p, q], first, x) => 2,
        Ordering::Equal => 0,
    };
    let (of_a, of_b) = (sector(a), sector(b));
    of_a.cmp(&of_b).then_with(|| match of_a {
        // Within half a turn, b comes after a if it lies on the side that a turns to.
        1 | 3 => side_of_plane(p, q, a, b).reverse(),
        _ => Ordering::Equal,
    })
}

/// True if two points in one plane with the line through p and q lie on different sides of it.
pub(super) fn is_opposite([p, q]: [Vec3; 2], a: Vec3, b: Vec3) -> bool {
    let projections: [fn(Vec3) -> Vec2; 3] =
        [|p| Vec2::new(p.x, p.y), |p| Vec2::new(p.y, p.z), |p| Vec2::new(p.z, p.x)];
    projections.into_iter().any(|flat| {
        let side = |x: Vec3| side_of_line(flat(p), flat(q), flat(x));
        side(a) != Ordering::Equal && side(a) == side(b).reverse()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::Topology;
    use freiraum_testkit::random::Random;

    /// Wedges round the z axis, each between two angles and of material inside, as separate closed tetrahedra.
    fn wedges(angles: &[f64]) -> Mesh {
        let mut vertices = vec![Vec3::ZERO, Vec3::Z];
        let mut faces = Vec::new();
        for pair in angles.chunks_exact(2) {
            let [a, b] = [vertices.len() as u32, vertices.len() as u32 + 1];
            vertices.extend(pair.iter().map(|t| Vec3::new(t.cos(), t.sin(), 0.5)));
            faces.extend([[0, a, 1], [0, 1, b], [0, b, a], [1, a, b]]);
        }
        Mesh::new(vertices, faces).unwrap()
    }

    /// The pairs at the z axis, sorted.
    fn pairs(mesh: &Mesh) -> Vec<[u32; 2]> {
        let topology = Topology::of(mesh);
        let edge = topology.edge_between(0, 1).unwrap() as usize;
        let mut pairs = pairs_round_material(mesh, [0, 1], topology.edge_uses(edge));
        pairs.iter_mut().for_each(|pair| pair.sort_unstable());
        pairs.sort_unstable();
        pairs
    }

    #[test]
    fn wedges_are_paired_with_themselves() {
        let mut random = Random::new(1);
        for _ in 0..500 {
            let count = 2 + random.below(4);
            let mut angles: Vec<f64> = (0..2 * count).map(|_| random.range(0.0, 6.25)).collect();
            angles.sort_by(f64::total_cmp);
            // Wedges of half a turn or more would be inside out.
            if angles.chunks_exact(2).any(|a| a[1] - a[0] > 3.0) {
                continue;
            }
            let mesh = wedges(&angles);
            let pairs = pairs(&mesh);
            let expected: Vec<[u32; 2]> = (0..count as u32).map(|k| [4 * k, 4 * k + 1]).collect();
            assert_eq!(pairs, expected, "{angles:?}");
        }
    }

    #[test]
    fn wedges_that_touch_are_paired_with_themselves() {
        use std::f64::consts::{FRAC_PI_2, PI};
        // Rotating the list of angles makes each of the faces the first.
        for angles in [[0.0, 1.0, 1.0, 2.0], [1.0, 2.0, 0.0, 1.0], [0.0, FRAC_PI_2, FRAC_PI_2, PI]] {
            let mesh = wedges(&angles);
            let pairs = pairs(&mesh);
            assert_eq!(pairs, [[0, 1], [4, 5]], "{angles:?}");
        }
    }

    #[test]
    fn no_pairs_where_faces_overlap_or_are_odd() {
        // A wedge twice, and a sheet with two sides.
        assert!(pairs(&wedges(&[0.0, 1.0, 0.0, 1.0])).is_empty());
        assert!(pairs(&wedges(&[0.0, 1.0, 2.0, 2.0])).is_empty());
        // Overlapping wedges.
        assert!(pairs(&wedges(&[0.0, 1.0, 0.5, 2.0])).is_empty());
        // A fin.
        let wedge = wedges(&[0.0, 1.0]);
        let faces = [wedge.faces(), &[[0, 1, 4]]].concat();
        assert!(pairs(&Mesh::new([wedge.vertices(), &[-Vec3::X]].concat(), faces).unwrap()).is_empty());
    }
}
