//! Volume, centre and inertia of a solid of density one.

use crate::{Mat3, Pose, Vec3};

/// Mass properties of a solid with density 1 kg/m³, so that mass in kg equals volume in m³.
///
/// **Frames.** The frame of the shape; the inertia tensor is taken about the centroid, axes parallel to that frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MassProperties {
    /// Volume in cubic metres; negative for a mesh that is inside out.
    pub volume: f64,
    /// Centre of volume in metres.
    pub centroid: Vec3,
    /// Inertia tensor about the centroid in kg m² (density one), symmetric. Positive definite for a solid of positive
    /// volume, negative definite for one of negative volume.
    pub inertia: Mat3,
}

/// The frame in which an inertia tensor is diagonal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PrincipalAxes {
    /// Moments about the three axes in kg m² (density one), in ascending order.
    pub moments: Vec3,
    /// The unit axes as columns, right-handed: column i belongs to moment i. Where moments are equal, any
    /// orthogonal axes of their plane or space will do, and some are given.
    pub axes: Mat3,
}

impl MassProperties {
    /// The same solid placed by `a_from_b`, answered in frame a.
    #[must_use]
    pub fn placed(&self, a_from_b: &Pose) -> MassProperties {
        let r = a_from_b.rotation_matrix();
        MassProperties {
            volume: self.volume,
            centroid: a_from_b.transform_point(self.centroid),
            inertia: symmetric(r * self.inertia * r.transpose()),
        }
    }

    /// The solids together, all given in one frame; where they overlap the volume counts once for each.
    ///
    /// **Degenerate input.** If the volumes add up to zero there is no centre: centroid and inertia are zero. That is so
    /// for no parts, and for a solid together with itself inside out.
    #[must_use]
    pub fn combined(parts: &[MassProperties]) -> MassProperties {
        let volume: f64 = parts.iter().map(|p| p.volume).sum();
        let Some(first) = parts.first().filter(|_| volume != 0.0) else {
            return MassProperties { volume, centroid: Vec3::ZERO, inertia: Mat3::ZERO };
        };
        // Relative to one of the parts, so that parts far from the origin keep their digits.
        let shift: Vec3 = parts.iter().map(|p| p.volume * (p.centroid - first.centroid)).sum();
        let centroid = first.centroid + shift / volume;
        let inertia = parts
            .iter()
            .fold(Mat3::ZERO, |sum, p| sum + p.inertia + point_mass_inertia(p.volume, p.centroid - centroid));
        MassProperties { volume, centroid, inertia }
    }

    /// The principal moments and axes of the inertia tensor about the centroid.
    ///
    /// **Guarantee.** `axes * diagonal(moments) * axes^T` is the inertia tensor up to a few units of rounding of its
    /// largest entry, and the axes are orthonormal to rounding, also for equal and nearly equal moments.
    pub fn principal_axes(&self) -> PrincipalAxes {
        let (moments, axes) = diagonalise(self.inertia);
        let mut order = [0, 1, 2];
        order.sort_by(|&i, &j| moments[i].total_cmp(&moments[j]));
        let [x, y, _] = order.map(|i| axes.col(i));
        PrincipalAxes {
            moments: Vec3::from_array(order.map(|i| moments[i])),
            axes: Mat3::from_cols(x, y, x.cross(y)),
        }
    }
}

/// Inertia tensor about the origin of a point of the given mass at `offset` (the parallel-axis term).
pub fn point_mass_inertia(mass: f64, offset: Vec3) -> Mat3 {
    let outer = Mat3::from_cols(offset * offset.x, offset * offset.y, offset * offset.z);
    mass * (Mat3::from_diagonal(Vec3::splat(offset.length_squared())) - outer)
}

/// The mean of a matrix and its transpose: takes rounding out of what should be symmetric.
fn symmetric(m: Mat3) -> Mat3 {
    0.5 * (m + m.transpose())
}

/// Eigenvalues and orthonormal eigenvectors (columns) of a symmetric matrix, in no particular order.
///
/// Jacobi's method: turns about one axis after the other, each of which makes one pair of entries vanish. It converges
/// quadratically from anywhere, and unlike the roots of the characteristic polynomial it stays accurate when
/// eigenvalues come together.
fn diagonalise(matrix: Mat3) -> (Vec3, Mat3) {
    let scale = matrix.to_cols_array().iter().fold(0.0f64, |m, x| m.max(x.abs()));
    if !(scale > 0.0 && scale.is_finite()) {
        return (matrix.diagonal(), Mat3::IDENTITY);
    }
    let a = symmetric(matrix * (1.0 / scale));
    let mut diagonal = a.diagonal();
    // The entry in row p and column q is kept under the number of the third axis.
    let mut off = Vec3::new(a.z_axis.y, a.x_axis.z, a.y_axis.x);
    let mut axes = Mat3::IDENTITY;
    // Five or six sweeps bring entries of order one to zero; the rest is margin.
    for _ in 0..16 {
        if off == Vec3::ZERO {
            break;
        }
        for (p, q, third) in [(0, 1, 2), (1, 2, 0), (2, 0, 1)] {
            let entry = off[third];
            // An entry that neither moment feels is rounding; turning it away would only bring new rounding.
            if diagonal[p] + entry == diagonal[p] && diagonal[q] + entry == diagonal[q] {
                off[third] = 0.0;
                continue;
            }
            let theta = (diagonal[q] - diagonal[p]) / (2.0 * entry);
            let tan = theta.signum() / (theta.abs() + theta.hypot(1.0));
            let cos = 1.0 / tan.hypot(1.0);
            let sin = tan * cos;
            // Written as corrections to the old values, which keeps rounding out of what hardly changes.
            let turned = |x: f64, y: f64| {
                let tau = sin / (1.0 + cos);
                (x - sin * (y + tau * x), y + sin * (x - tau * y))
            };
            diagonal[p] -= tan * entry;
            diagonal[q] += tan * entry;
            off[third] = 0.0;
            (off[q], off[p]) = turned(off[q], off[p]);
            for row in 0..3 {
                (axes.col_mut(p)[row], axes.col_mut(q)[row]) = turned(axes.col(p)[row], axes.col(q)[row]);
            }
        }
    }
    (diagonal * scale, axes)
}

#[cfg(test)]
mod tests;
