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
    /// Inertia tensor about the centroid in kg m² (density one), symmetric.
    pub inertia: Mat3,
}

impl MassProperties {
    /// The same solid placed by `a_from_b`, answered in frame a.
    #[must_use]
    pub fn placed(&self, a_from_b: &Pose) -> MassProperties {
        let r = Mat3::from_quat(a_from_b.rotation());
        MassProperties {
            volume: self.volume,
            centroid: a_from_b.transform_point(self.centroid),
            inertia: r * self.inertia * r.transpose(),
        }
    }

    /// The union of solids that do not overlap, all given in one frame. Zero volume and centre for no parts.
    #[must_use]
    pub fn combined(parts: &[MassProperties]) -> MassProperties {
        let volume: f64 = parts.iter().map(|p| p.volume).sum();
        if volume == 0.0 {
            return MassProperties { volume, centroid: Vec3::ZERO, inertia: Mat3::ZERO };
        }
        let centroid = parts.iter().map(|p| p.volume * p.centroid).sum::<Vec3>() / volume;
        let inertia = parts
            .iter()
            .fold(Mat3::ZERO, |sum, p| sum + p.inertia + point_mass_inertia(p.volume, p.centroid - centroid));
        MassProperties { volume, centroid, inertia }
    }
}

/// Inertia tensor about the origin of a point of the given mass at `offset` (the parallel-axis term).
pub fn point_mass_inertia(mass: f64, offset: Vec3) -> Mat3 {
    let outer = Mat3::from_cols(offset * offset.x, offset * offset.y, offset * offset.z);
    mass * (Mat3::from_diagonal(Vec3::splat(offset.length_squared())) - outer)
}
