//! What most pairs of faces of one mesh are decided by: on which side of each other's plane their corners lie, eight
//! pairs at a time.

use super::MeshTree;
use super::node::LEAF_SIZE;
use super::simd::Lanes;
use freiraum_geometry::Vec3;

/// The faces of a leaf, side by side, in tree coordinates. What is in lanes without a face is of no account.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub(super) struct LeafSketch {
    /// Corner by corner, axis by axis.
    corners: [[[f32; LEAF_SIZE]; 3]; 3],
    /// Unit normal and its product with the first corner; NaN of a face too narrow for a plane.
    plane: [[f32; LEAF_SIZE]; 4],
    /// Bits of a number for each corner, the same exactly where the coordinates are.
    names: [[f32; LEAF_SIZE]; 3],
}

/// Heights over a plane up to this may be rounding.
///
/// With units of a quarter of EPSILON, half the last digit of a number below 1: a component of the normal is off by one,
/// and the direction as a whole by one more, which makes 10 for points at most twice the root of three apart; the
/// coordinates of the point are off by one each, which makes 2; the three products round by one each, their sums by 2
/// each, the product with the first corner by 2, the difference of both by 4. Together 25 units, less than 7 EPSILON.
const ROUNDING: f32 = 8.0 * f32::EPSILON;

impl LeafSketch {
    /// The sketch of the faces of a leaf, `names` of the vertices of the mesh being known.
    pub(super) fn of(tree: &MeshTree, start: usize, count: usize, names: &[u32]) -> LeafSketch {
        let mut out = LeafSketch {
            corners: [[[0.0; LEAF_SIZE]; 3]; 3],
            plane: [[f32::NAN; LEAF_SIZE]; 4],
            names: [[0.0; LEAF_SIZE]; 3],
        };
        for lane in 0..count {
            let corners = tree.triangles[start + lane].map(|p| tree.grid.tree_from_mesh(p));
            let face = tree.mesh.faces()[tree.faces[start + lane] as usize];
            for (corner, p) in corners.iter().enumerate() {
                out.names[corner][lane] = f32::from_bits(names[face[corner] as usize]);
                for axis in 0..3 {
                    out.corners[corner][axis][lane] = p[axis] as f32;
                }
            }
            if let Some(n) = unit_normal(&corners) {
                let n = n.as_vec3();
                let level = n.as_dvec3().dot(corners[0]) as f32;
                for (row, x) in out.plane.iter_mut().zip([n.x, n.y, n.z, level]) {
                    row[lane] = x;
                }
            }
        }
        out
    }
}

/// The normal, off by no more than a quarter of an EPSILON of f32. `None` of a face narrower than half an EPSILON: the f64
/// corners are off by 2^-53, their differences by twice that, and so the cross product by less than 2^-49 times the longest side.
fn unit_normal([a, b, c]: &[Vec3; 3]) -> Option<Vec3> {
    let (u, v) = (*b - *a, *c - *a);
    let normal = u.cross(v);
    let (length, side) = (normal.length(), u.length_squared().max(v.length_squared()).sqrt() * 2.0);
    (length > 0.5 * f64::from(f32::EPSILON) * side).then(|| normal / length)
}

/// A bit for every pair of two faces of a leaf, `first` and the next one, with the four of another leaf that certainly have
/// no more in common than the corners they share: bit j for `first`, 4 + j for the next.
///
/// If all corners of one face that are not shared lie strictly on the same side of the plane of the other, then what it
/// has in common with that plane is what its shared corners span: nothing, a corner or an edge of both.
#[inline(always)]
pub(super) fn apart<L: Lanes>(a: &LeafSketch, first: usize, b: &LeafSketch) -> u32 {
    // Plain loops and no closures over lanes: those would not be compiled for the wider registers.
    let none = L::splat(0.0);
    let (mut shared_a, mut shared_b) = ([none; 3], [none; 3]);
    for (of_a, name) in shared_a.iter_mut().zip(&a.names) {
        let name = L::halves(name, first);
        for (of_b, other) in shared_b.iter_mut().zip(&b.names) {
            let equal = name.same_bits(L::twice(other));
            *of_a = of_a.or(equal);
            *of_b = of_b.or(equal);
        }
    }
    let (mut plane_a, mut plane_b) = ([none; 4], [none; 4]);
    for k in 0..4 {
        plane_a[k] = L::halves(&a.plane[k], first);
        plane_b[k] = L::twice(&b.plane[k]);
    }
    let (mut corners_a, mut corners_b) = ([[none; 3]; 3], [[none; 3]; 3]);
    for k in 0..3 {
        for axis in 0..3 {
            corners_a[k][axis] = L::halves(&a.corners[k][axis], first);
            corners_b[k][axis] = L::twice(&b.corners[k][axis]);
        }
    }
    let over_a = one_sided(&plane_a, &corners_b, &shared_b);
    let over_b = one_sided(&plane_b, &corners_a, &shared_a);
    over_a.or(over_b).or(beside(&corners_a, &corners_b)).sign_bits()
}

/// Where the faces are apart along an axis.
#[inline(always)]
fn beside<L: Lanes>(a: &[[L; 3]; 3], b: &[[L; 3]; 3]) -> L {
    let mut most = L::splat(f32::NEG_INFINITY);
    for axis in 0..3 {
        let (p, q) = ([a[0][axis], a[1][axis], a[2][axis]], [b[0][axis], b[1][axis], b[2][axis]]);
        let high = p[0].max(p[1]).max(p[2]).sub(q[0].min(q[1]).min(q[2]));
        let low = q[0].max(q[1]).max(q[2]).sub(p[0].min(p[1]).min(p[2]));
        most = most.max(L::splat(0.0).sub(high.min(low)));
    }
    // Rounding coordinates does not change their order, only makes them equal; so does the difference.
    L::splat(0.0).less(most)
}

/// Where not all corners are shared, and the others lie strictly on the same side of the plane.
#[inline(always)]
fn one_sided<L: Lanes>(plane: &[L; 4], corners: &[[L; 3]; 3], shared: &[L; 3]) -> L {
    let (above, below) = (L::splat(ROUNDING), L::splat(-ROUNDING));
    let every = L::splat(0.0).same_bits(L::splat(0.0));
    let (mut up, mut down) = (every, every);
    for k in 0..3 {
        let [x, y, z] = corners[k];
        let height = plane[0].mul(x).add(plane[1].mul(y)).add(plane[2].mul(z)).sub(plane[3]);
        up = up.and(above.less(height).or(shared[k]));
        down = down.and(height.less(below).or(shared[k]));
    }
    // Both only if all are shared.
    up.xor(down)
}

/// For every vertex the index of the first one with the same coordinates. `table` is memory to be reused.
pub(super) fn name_vertices(vertices: &[Vec3], table: &mut Vec<u32>, names: &mut Vec<u32>) {
    const FREE: u32 = u32::MAX;
    let size = (2 * vertices.len()).next_power_of_two();
    table.clear();
    table.resize(size, FREE);
    names.clear();
    names.extend(vertices.iter().zip(0u32..).map(|(p, index)| {
        // Minus zero equals zero. The factors are odd and have no pattern.
        let [x, y, z] = (*p + Vec3::ZERO).to_array().map(f64::to_bits);
        let mixed = x.wrapping_mul(0x9E37_79B9_7F4A_7C15)
            ^ y.wrapping_mul(0xC2B2_AE3D_27D4_EB4F).rotate_left(21)
            ^ z.wrapping_mul(0x1656_67B1_9E37_79F9).rotate_left(42);
        let mut slot =
            (mixed ^ (mixed >> 29)).wrapping_mul(0x9E37_79B9_7F4A_7C15) as usize >> 20 & (size - 1);
        loop {
            match table[slot] {
                FREE => {
                    table[slot] = index;
                    return index;
                }
                other if vertices[other as usize] == *p => return other,
                _ => slot = (slot + 1) & (size - 1),
            }
        }
    }));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::elementary::triangles_intersect;
    use crate::mesh_tree::simd::{Kernel, Plain, dispatch};
    use freiraum_geometry::Mesh;
    use freiraum_testkit::random::Random;

    struct Apart<'q>(&'q LeafSketch, usize, &'q LeafSketch);

    impl Kernel for Apart<'_> {
        type Output = u32;

        #[inline(always)]
        fn run<L: Lanes>(self) -> u32 {
            apart::<L>(self.0, self.1, self.2)
        }
    }

    #[test]
    fn vertices_have_the_same_name_exactly_where_they_coincide() {
        let mut random = Random::new(1);
        let (mut table, mut names) = (Vec::new(), Vec::new());
        for count in [0, 1, 2, 100, 1000] {
            let choices = [-0.0, 0.0, 1.0, 1e-300, -1e50];
            let vertices: Vec<Vec3> =
                (0..count).map(|_| Vec3::from([0; 3].map(|_: i32| choices[random.below(5)]))).collect();
            name_vertices(&vertices, &mut table, &mut names);
            for (index, p) in vertices.iter().enumerate() {
                assert_eq!(Some(names[index] as usize), vertices.iter().position(|q| q == p));
            }
            assert_eq!(names.len(), count);
        }
    }

    /// Two leaves of up to four faces: what is said to be apart has no point in common beside the shared corners.
    #[test]
    fn what_is_called_apart_is_apart_and_both_kernels_agree() {
        let mut random = Random::new(2);
        let mut seen = [[0; 2]; 3];
        for round in 0..4000 {
            // On a grid, so that corners coincide and faces are coplanar; or all a little off it.
            let off = [0.0, 1e-9, 1e-6, 0.1][round % 4];
            let size = 2 + random.below(5);
            let vertices: Vec<Vec3> = (0..12)
                .map(|_| {
                    let on_grid = Vec3::from([0; 3].map(|_: i32| random.below(size) as f64));
                    on_grid + off * random.in_cube(1.0)
                })
                .collect();
            let [n, m] = [1 + random.below(4), 1 + random.below(4)];
            let faces: Vec<[u32; 3]> =
                (0..n + m).map(|_| [0; 3].map(|_: i32| random.below(12) as u32)).collect();
            let mesh = Mesh::new(vertices, faces).unwrap();
            let mut tree = MeshTree::build(mesh.clone());
            // The order of the mesh, so that the leaves are those wanted here.
            tree.faces = (0..(n + m) as u32).collect();
            tree.triangles = mesh.triangles().collect();
            let (mut table, mut names) = (Vec::new(), Vec::new());
            name_vertices(mesh.vertices(), &mut table, &mut names);
            let a = LeafSketch::of(&tree, 0, n, &names);
            let b = LeafSketch::of(&tree, n, m, &names);
            for first in [0, 2] {
                let bits = dispatch(Apart(&a, first, &b));
                assert_eq!(bits, Apart(&a, first, &b).run::<Plain>());
                for (i, j) in [first, first + 1].into_iter().flat_map(|i| (0..m).map(move |j| (i, j))) {
                    if i >= n {
                        continue;
                    }
                    let (t, u) = (tree.triangles[i], tree.triangles[n + j]);
                    let is_apart = bits >> ((i - first) * LEAF_SIZE + j) & 1 == 1;
                    let shared: Vec<Vec3> = t.into_iter().filter(|p| u.contains(p)).collect();
                    let meet = triangles_intersect(t, u);
                    if shared.is_empty() {
                        assert!(!(is_apart && meet), "{t:?} {u:?}");
                    } else if is_apart {
                        // The faces drawn back from what they share have nothing in common.
                        let middle = shared.iter().sum::<Vec3>() / shared.len() as f64;
                        let others: Vec<Vec3> = t.into_iter().filter(|p| !u.contains(p)).collect();
                        let back = |p: Vec3| p + (others[0] - middle) / 1024.0;
                        if others.len() == 1 {
                            assert!(!triangles_intersect([back(t[0]), back(t[1]), back(t[2])], u));
                        } else if let &[p, q] = &others[..] {
                            let near = |r: Vec3| middle + (r - middle) / 1024.0;
                            assert!(!triangles_intersect([p, q, near(p)], u), "{t:?} {u:?}");
                            assert!(!triangles_intersect([q, near(q), near(p)], u), "{t:?} {u:?}");
                        }
                    }
                    if shared.len() < 3 {
                        seen[shared.len()][usize::from(is_apart)] += 1;
                    }
                }
            }
        }
        assert!(seen.as_flattened().iter().all(|n| *n > 300), "{seen:?}");
    }
}
