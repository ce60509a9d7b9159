//! A relative pose in the form that volume tests want.

use freiraum_geometry::{Mat3, Pose, Vec3};

/// `a_from_b` with its matrix, made once per traversal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Placement {
    /// The rotation; its columns are the axes of b in frame a.
    pub rotation: Mat3,
    /// Where the origin of b lies in frame a, in metres.
    pub translation: Vec3,
}

impl Placement {
    /// The placement of a pose.
    pub fn new(a_from_b: &Pose) -> Placement {
        Placement { rotation: a_from_b.rotation_matrix(), translation: a_from_b.translation() }
    }

    /// Takes a point from b to a.
    pub fn transform_point(&self, point: Vec3) -> Vec3 {
        self.rotation * point + self.translation
    }

    /// Takes a direction from a to b.
    pub fn rotate_back(&self, direction: Vec3) -> Vec3 {
        self.rotation.transpose() * direction
    }
}
