//! Where a corner goes when the planes at it move.

use freiraum_geometry::{Mat3, Mesh, Vec3};

/// What the planes at each corner say about where it goes: least squares over them, each weighted by the angle that its faces take
/// there, so that it does not matter into how many triangles a plane is cut. M x = s for planes that move by 1.
pub(super) struct Planes {
    sums: Vec<(Mat3, Vec3)>,
}

impl Planes {
    /// Of a mesh whose corner `i` is the same as its corner `welded(i)`.
    pub(super) fn of(mesh: &Mesh, welded: impl Fn(u32) -> u32) -> Planes {
        let mut sums = vec![(Mat3::ZERO, Vec3::ZERO); mesh.vertices().len()];
        for face in mesh.faces() {
            let corners = face.map(|i| mesh.vertices()[i as usize]);
            let Some(n) = plane_normal(corners) else { continue };
            for k in 0..3 {
                let weight = angle(corners, k);
                let (m, s) = &mut sums[welded(face[k]) as usize];
                *m += outer(n) * weight;
                *s += weight * n;
            }
        }
        Planes { sums }
    }

    /// The corners, moved so that the faces at them move inwards by `depth`, or by less where they do not agree, but by none more.
    pub(super) fn moved(&self, mesh: &Mesh, depth: f64) -> Vec<Vec3> {
        self.moved_welded(mesh, depth, |i| i)
    }

    /// As [`Planes::moved`], for a mesh whose corner `i` is the same as its corner `welded(i)`. Of equal corners only that one is right.
    pub(super) fn moved_welded(&self, mesh: &Mesh, depth: f64, welded: impl Fn(u32) -> u32) -> Vec<Vec3> {
        let corners = mesh.vertices();
        let mut moves: Vec<Vec3> = self.sums.iter().map(|(m, s)| -depth * shortest_solution(m, *s)).collect();
        // No face may move inwards by more than the depth: shorten what does.
        let mut excess = vec![1.0f64; corners.len()];
        for face in mesh.faces() {
            let [p, q, r] = face.map(|i| corners[i as usize]);
            let Some(n) = (q - p).cross(r - p).try_normalize() else { continue };
            for i in face.map(|i| welded(i) as usize) {
                excess[i] = excess[i].max(-n.dot(moves[i]) / depth);
            }
        }
        for ((shift, excess), corner) in moves.iter_mut().zip(excess).zip(corners) {
            *shift = *corner + *shift / excess;
        }
        moves
    }
}

/// The matrix n nᵀ.
pub(super) fn outer(n: Vec3) -> Mat3 {
    Mat3::from_cols(n * n.x, n * n.y, n * n.z)
}

/// The angle of a triangle at a corner.
pub(super) fn angle(corners: [Vec3; 3], k: usize) -> f64 {
    let [p, q, r] = [k, (k + 1) % 3, (k + 2) % 3].map(|k| corners[k]);
    (q - p).angle_between(r - p)
}

/// Whether a triangle that is no sliver is turned over, or has no area any more.
pub(super) fn is_turned(before: [Vec3; 3], after: [Vec3; 3]) -> bool {
    let product = |[p, q, r]: [Vec3; 3]| (q - p).cross(r - p);
    product(after).dot(product(before)) <= 0.0 && plane_normal(before).is_some()
}

/// The unit normal of a triangle; `None` if it is so thin that rounding makes it.
pub(super) fn plane_normal([p, q, r]: [Vec3; 3]) -> Option<Vec3> {
    let product = (q - p).cross(r - p);
    let longest = (q - p).length_squared().max((r - q).length_squared()).max((p - r).length_squared());
    product.try_normalize().filter(|_| product.length() > SLIVER * longest)
}

/// Height of a triangle as a share of its longest side below which its plane is not looked at: the resolution of f32, which
/// most mesh files store.
const SLIVER: f64 = f32::EPSILON as f64;

/// The shortest x with M x = s for a symmetric positive matrix, leaving out directions in which the planes say nearly nothing: those
/// whose eigenvalue is below a thousandth of the largest.
pub(super) fn shortest_solution(m: &Mat3, s: Vec3) -> Vec3 {
    let (values, vectors) = eigen(m);
    let largest = values.max_element();
    let mut x = Vec3::ZERO;
    for k in 0..3 {
        if values[k] > WEAK * largest {
            let axis = vectors.col(k);
            x += axis * (axis.dot(s) / values[k]);
        }
    }
    x
}

/// Share of the largest eigenvalue below which a direction is left out: planes within two degrees of each other count as one.
const WEAK: f64 = 1.0 / 1024.0;

/// Eigenvalues and unit eigenvectors of a symmetric matrix, by Jacobi rotations.
fn eigen(m: &Mat3) -> (Vec3, Mat3) {
    let mut a = *m;
    let mut vectors = Mat3::IDENTITY;
    // Converges quadratically; six sweeps reach the last digit.
    for _ in 0..6 {
        for (i, j) in [(0, 1), (0, 2), (1, 2)] {
            let off = a.col(j)[i];
            if off == 0.0 {
                continue;
            }
            let angle = 0.5 * (2.0 * off).atan2(a.col(j)[j] - a.col(i)[i]);
            let (sin, cos) = angle.sin_cos();
            let mut turn = Mat3::IDENTITY;
            turn.col_mut(i)[i] = cos;
            turn.col_mut(j)[j] = cos;
            turn.col_mut(j)[i] = sin;
            turn.col_mut(i)[j] = -sin;
            a = turn.transpose() * a * turn;
            vectors *= turn;
        }
    }
    (Vec3::new(a.x_axis.x, a.y_axis.y, a.z_axis.z), vectors)
}
