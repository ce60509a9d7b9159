//! Area, surface centroid and mass properties of a mesh, by integrals over its triangles.
//!
//! All integrals are taken relative to a point inside the mesh's own box and summed in pairs, so that a part far
//! from the origin keeps its digits and the rounding error grows with the logarithm of the number of faces.

use super::Mesh;
use crate::MassProperties;
use crate::math::{Aabb, Mat3, Vec3, rounding};
use std::ops::Add;

/// Faces summed one after the other before sums are added in pairs.
const BLOCK: usize = 64;

impl Mesh {
    /// The sum of the areas of all faces in square metres; a face listed twice counts twice.
    ///
    /// **Cost.** O(faces).
    pub fn area(&self) -> f64 {
        self.surface().area()
    }

    /// The centre of the surface: face centres weighted with their areas.
    ///
    /// For the centre of a solid see [`Mesh::mass_properties`]. **Degenerate input.** Without any area the mean of all
    /// vertices. **Cost.** O(faces).
    pub fn surface_centroid(&self) -> Vec3 {
        let surface = self.surface();
        let reference = surface.bounds().center();
        let Weighted { weight, moment } = sum_faces(surface.faces, &|face| {
            let weight = surface.doubled_area_vector(face).length();
            Weighted { weight, moment: weight * surface.corner_sum(face, reference) }
        });
        if weight > 0.0 {
            return reference + moment / (3.0 * weight);
        }
        let vertices = self.vertices();
        reference + vertices.iter().map(|&p| p - reference).sum::<Vec3>() / vertices.len() as f64
    }

    /// Volume, centroid and inertia of the solid that the mesh bounds, at density one.
    ///
    /// **Guarantee.** The mesh is taken as it is. Closed and consistently wound (`MeshReport::is_watertight`) it bounds
    /// a solid and this is the solid's; regions wound round twice count twice. Inside out, `volume` and `inertia`
    /// are negative and the centroid is still right. A mesh with holes is closed by a cone from each hole to the centre of
    /// its box: a rough figure, no more. **Degenerate input.** `None` when the volume is not more than the coordinates can
    /// resolve (the area times their rounding): flat meshes, a face and its reverse, solids that cancel each other.
    /// **Cost.** O(faces), two passes.
    pub fn mass_properties(&self) -> Option<MassProperties> {
        let surface = self.surface();
        let bounds = surface.bounds();
        let reference = bounds.center();
        let Weighted { weight, moment } = surface.volume_and_moment(reference);
        let volume = surface.resolved(weight / 6.0, &bounds)?;
        // The centroid of a tetrahedron is the mean of its four corners, one of them the reference point.
        let centroid = reference + moment / (4.0 * weight);

        // The second moments are taken about the centroid itself: a parallel-axis shift would lose digits where
        // the bulk of the solid is far from the centre of its box. The rounding of `centroid` enters only squared.
        let moments = sum_faces(surface.faces, &|face| {
            let [a, b, c] = surface.corners(face).map(|p| p - centroid);
            let weight = a.dot(surface.doubled_area_vector(face));
            let s = a + b + c;
            SecondMoments {
                squares: weight * (a * a + b * b + c * c + s * s),
                products: weight * (turn(a) + turn(b) + turn(c) + turn(s)),
            }
        });
        let (q, p) = (moments.squares / 120.0, moments.products / 120.0);
        let inertia = Mat3::from_cols(
            Vec3::new(q.y + q.z, -p.x, -p.z),
            Vec3::new(-p.x, q.z + q.x, -p.y),
            Vec3::new(-p.z, -p.y, q.x + q.y),
        );
        Some(MassProperties { volume, centroid, inertia })
    }

    fn surface(&self) -> Surface<'_> {
        Surface { vertices: self.vertices(), faces: self.faces() }
    }
}

/// At least one face of a mesh, and the vertices its indices refer to.
pub(super) struct Surface<'m> {
    pub(super) vertices: &'m [Vec3],
    pub(super) faces: &'m [[u32; 3]],
}

impl Surface<'_> {
    /// The signed volume of the solid bounded by these faces, which are closed; `None` if it is not more than the
    /// coordinates can resolve.
    pub(super) fn volume(&self) -> Option<f64> {
        let bounds = self.bounds();
        self.resolved(self.volume_and_moment(bounds.center()).weight / 6.0, &bounds)
    }

    pub(super) fn area(&self) -> f64 {
        sum_faces(self.faces, &|face| 0.5 * self.doubled_area_vector(face).length())
    }

    /// Six times the volume, and 24 times the first moment, of the tetrahedra from `reference` to the faces.
    fn volume_and_moment(&self, reference: Vec3) -> Weighted {
        sum_faces(self.faces, &|face| {
            let [a, ..] = self.corners(face);
            let weight = (a - reference).dot(self.doubled_area_vector(face));
            Weighted { weight, moment: weight * self.corner_sum(face, reference) }
        })
    }

    fn resolved(&self, volume: f64, bounds: &Aabb) -> Option<f64> {
        Some(volume).filter(|v| v.abs() > rounding::coordinate(bounds.reach()) * self.area())
    }

    fn corners(&self, face: [u32; 3]) -> [Vec3; 3] {
        face.map(|i| self.vertices[i as usize])
    }

    /// The normal of a face, as long as twice its area.
    fn doubled_area_vector(&self, face: [u32; 3]) -> Vec3 {
        let [a, b, c] = self.corners(face);
        (b - a).cross(c - a)
    }

    fn corner_sum(&self, face: [u32; 3], reference: Vec3) -> Vec3 {
        let [a, b, c] = self.corners(face);
        (a - reference) + (b - reference) + (c - reference)
    }

    /// The box of the faces; it leaves out vertices that no face uses.
    pub(super) fn bounds(&self) -> Aabb {
        let corners = self.faces.iter().flat_map(|&face| self.corners(face));
        corners.fold(Aabb::EMPTY, |bounds, p| bounds.grown(p))
    }
}

/// The products xy, yz, zx.
fn turn(p: Vec3) -> Vec3 {
    Vec3::new(p.x * p.y, p.y * p.z, p.z * p.x)
}

#[derive(Clone, Copy)]
struct Weighted {
    weight: f64,
    moment: Vec3,
}

impl Add for Weighted {
    type Output = Weighted;
    fn add(self, other: Weighted) -> Weighted {
        Weighted { weight: self.weight + other.weight, moment: self.moment + other.moment }
    }
}

#[derive(Clone, Copy)]
struct SecondMoments {
    squares: Vec3,
    products: Vec3,
}

impl Add for SecondMoments {
    type Output = SecondMoments;
    fn add(self, other: SecondMoments) -> SecondMoments {
        SecondMoments { squares: self.squares + other.squares, products: self.products + other.products }
    }
}

/// Pairwise sum of `term` over at least one face.
fn sum_faces<T: Add<Output = T> + Copy>(faces: &[[u32; 3]], term: &impl Fn([u32; 3]) -> T) -> T {
    if faces.len() > BLOCK {
        let (left, right) = faces.split_at(faces.len() / 2);
        return sum_faces(left, term) + sum_faces(right, term);
    }
    faces[1..].iter().fold(term(faces[0]), |sum, &face| sum + term(face))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Pose, Quat};
    use freiraum_testkit::random::Random;

    fn tetrahedron(corners: [Vec3; 4]) -> Mesh {
        Mesh::new(corners.to_vec(), vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]]).unwrap()
    }

    /// A box with corners `low` and `high`, each face cut along one diagonal.
    fn cuboid(low: Vec3, high: Vec3) -> Mesh {
        let vertices = (0..8)
            .map(|i| Vec3::select(glam::BVec3::new(i & 1 != 0, i & 2 != 0, i & 4 != 0), high, low))
            .collect();
        let quads = [[0u32, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
        let faces = quads.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect();
        Mesh::new(vertices, faces).unwrap()
    }

    fn pose(rotation: Quat, translation: Vec3) -> Pose {
        Pose::new(rotation, translation).unwrap()
    }

    fn close(got: Mat3, expected: Mat3, slack: f64) -> bool {
        (got - expected).to_cols_array().iter().all(|x| x.abs() <= slack)
    }

    /// Volume, centroid and inertia of a box in closed form, against the mesh placed by `pose`.
    fn check_box(size: Vec3, pose: Pose, slack: f64) {
        let volume = size.element_product();
        let s = size * size;
        let closed_form = MassProperties {
            volume,
            centroid: 0.5 * size,
            inertia: Mat3::from_diagonal(Vec3::new(s.y + s.z, s.z + s.x, s.x + s.y) * (volume / 12.0)),
        }
        .placed(&pose);
        let mesh = cuboid(Vec3::ZERO, size).placed(&pose).unwrap();
        let got = mesh.mass_properties().expect("a box is solid");
        let reach = size.max_element();
        assert!((got.volume - volume).abs() <= slack * volume, "{got:?} {closed_form:?}");
        assert!((got.centroid - closed_form.centroid).length() <= slack * reach, "{got:?} {closed_form:?}");
        let inertia = volume * reach * reach;
        assert!(close(got.inertia, closed_form.inertia, slack * inertia), "{got:?} {closed_form:?}");
        let area = 2.0 * (size.x * size.y + size.y * size.z + size.z * size.x);
        assert!((mesh.area() - area).abs() <= slack * area);
        assert!((mesh.surface_centroid() - closed_form.centroid).length() <= slack * reach);
    }

    #[test]
    fn boxes_have_their_closed_form() {
        let mut random = Random::new(11);
        for size in [Vec3::ONE, Vec3::new(1.0, 2.0, 3.0), Vec3::new(1e-6, 2e-6, 1e-6), Vec3::splat(1e6)] {
            check_box(size, Pose::IDENTITY, 1e-14);
            for _ in 0..20 {
                let shift = random.in_cube(2.0) * size.max_element();
                check_box(size, pose(random.rotation(), shift), 1e-14);
            }
        }
    }

    #[test]
    fn far_from_the_origin_only_the_coordinates_lose_digits() {
        // Corners at 1e6 are rounded to 1.2e-10 m by the placing itself; integrals about the origin would
        // have an error of about (1e6)^5 * 1e-16 = 1e14.
        let mut random = Random::new(12);
        for _ in 0..20 {
            let pose = pose(random.rotation(), 1e6 * random.direction());
            check_box(Vec3::new(1.0, 2.0, 3.0), pose, 2e-9);
        }
        // With coordinates that are exact out there, nothing is lost at all.
        check_box(Vec3::new(1.0, 2.0, 4.0), Pose::from_translation(Vec3::splat(2f64.powi(20))), 1e-14);
    }

    #[test]
    fn tetrahedra_of_whole_numbers_match_exact_integers() {
        let mut random = Random::new(13);
        for _ in 0..500 {
            let p: [[i128; 3]; 4] =
                std::array::from_fn(|_| std::array::from_fn(|_| random.below(41) as i128 - 20));
            let e = |i: usize, k: usize| p[i][k] - p[0][k];
            let det = e(1, 0) * (e(2, 1) * e(3, 2) - e(2, 2) * e(3, 1))
                + e(1, 1) * (e(2, 2) * e(3, 0) - e(2, 0) * e(3, 2))
                + e(1, 2) * (e(2, 0) * e(3, 1) - e(2, 1) * e(3, 0));
            let got =
                tetrahedron(p.map(|q| Vec3::new(q[0] as f64, q[1] as f64, q[2] as f64))).mass_properties();
            let Some(got) = got else {
                assert_eq!(det, 0);
                continue;
            };
            assert!((got.volume - det as f64 / 6.0).abs() <= 1e-12 * det.abs() as f64);
            let sum: [i128; 3] = std::array::from_fn(|k| (0..4).map(|i| p[i][k]).sum());
            let centroid = Vec3::from_array(sum.map(|s| s as f64 / 4.0));
            assert!((got.centroid - centroid).length() <= 1e-11);
            // The second moment about the centroid is V/20 times the sum of v v^T over the corners relative to it; four
            // times such a corner is whole.
            let second = |j: usize, k: usize| -> f64 {
                let whole: i128 = (0..4).map(|i| (4 * p[i][j] - sum[j]) * (4 * p[i][k] - sum[k])).sum();
                (det * whole) as f64 / (6.0 * 20.0 * 16.0)
            };
            let trace = second(0, 0) + second(1, 1) + second(2, 2);
            let expected = Mat3::from_cols(
                Vec3::new(trace - second(0, 0), -second(0, 1), -second(0, 2)),
                Vec3::new(-second(1, 0), trace - second(1, 1), -second(1, 2)),
                Vec3::new(-second(2, 0), -second(2, 1), trace - second(2, 2)),
            );
            assert!(close(got.inertia, expected, 1e-11 * trace.abs()), "{:?} {expected:?}", got.inertia);
        }
    }

    #[test]
    fn inside_out_is_negative_with_the_same_centre() {
        let mesh = cuboid(Vec3::ZERO, Vec3::new(1.0, 2.0, 3.0));
        let faces = mesh.faces().iter().map(|&[a, b, c]| [a, c, b]).collect();
        let turned = Mesh::new(mesh.vertices().to_vec(), faces).unwrap();
        let (outward, inward) = (mesh.mass_properties().unwrap(), turned.mass_properties().unwrap());
        assert_eq!(inward.volume, -outward.volume);
        assert_eq!(inward.centroid, outward.centroid);
        assert_eq!(inward.inertia, -outward.inertia);
    }

    #[test]
    fn what_has_no_volume_has_no_mass() {
        let sheet = Mesh::new(vec![Vec3::ZERO, Vec3::X, Vec3::Y], vec![[0, 1, 2], [0, 2, 1]]).unwrap();
        assert_eq!(sheet.mass_properties(), None);
        assert_eq!(sheet.area(), 1.0);
        let mut random = Random::new(14);
        for _ in 0..50 {
            let pose = pose(random.rotation(), random.in_cube(1e3));
            let flat = cuboid(Vec3::ZERO, Vec3::new(1.0, 2.0, 0.0)).placed(&pose).unwrap();
            assert_eq!(flat.mass_properties(), None);
        }
        let point = Mesh::new(vec![Vec3::X, Vec3::splat(3.0)], vec![[0, 0, 0]]).unwrap();
        assert_eq!(point.mass_properties(), None);
        assert_eq!((point.area(), point.surface_centroid()), (0.0, Vec3::new(2.0, 1.5, 1.5)));
    }

    #[test]
    fn many_faces_do_not_add_up_their_rounding() {
        // A strip of a million equal triangles; a running sum would be off by about 1e-11.
        let mesh =
            Mesh::new(vec![Vec3::ZERO, Vec3::X * 0.1, Vec3::Y * 0.2], vec![[0, 1, 2]; 1_000_000]).unwrap();
        let expected = 1e6 * (0.5 * (0.1 * 0.2));
        assert!((mesh.area() - expected).abs() <= 1e-13 * expected);
    }

    #[test]
    fn vertices_without_faces_do_not_count() {
        let mesh = cuboid(Vec3::ZERO, Vec3::ONE);
        let mut vertices = mesh.vertices().to_vec();
        vertices.push(Vec3::splat(1e9));
        let with_stray = Mesh::new(vertices, mesh.faces().to_vec()).unwrap();
        assert_eq!(with_stray.mass_properties(), mesh.mass_properties());
        assert_eq!(with_stray.surface_centroid(), mesh.surface_centroid());
    }
}
