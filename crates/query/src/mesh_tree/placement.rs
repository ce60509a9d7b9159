//! Two trees in one frame: where each lies in the coordinates of the other.

use super::MeshTree;
use super::oriented::OrientedBox;
use freiraum_geometry::glam::{Mat3A, Vec3A};
use freiraum_geometry::{Mat3, Pose, Vec3};

/// The pose of tree b in the frame of tree a, as the traversals need it.
pub(super) struct Placement {
    pub(super) rotation: Mat3,
    pub(super) translation: Vec3,
    pub(super) into_a: Similarity,
    pub(super) into_b: Similarity,
}

/// Takes boxes from the coordinates of one tree to those of the other, in single precision.
pub(super) struct Similarity {
    rotation: Mat3A,
    translation: Vec3A,
    scale: f32,
    /// Bound on the rounding error of a gap between a box taken here and a box that was here before, in tree units.
    pub(super) slack: f32,
}

impl Placement {
    pub(super) fn new(a: &MeshTree, b: &MeshTree, a_from_b: &Pose) -> Placement {
        let (rotation, translation) = (a_from_b.rotation_matrix(), a_from_b.translation());
        let (ga, gb) = (a.grid(), b.grid());
        let shift = rotation * gb.center + translation - ga.center;
        // What the f64 numbers above may be off by, in metres, counts as rounding too.
        let wide = 16.0 * f64::EPSILON * (gb.center.length() + translation.length() + ga.center.length());
        let turn = Mat3A::from_cols(
            rotation.x_axis.as_vec3a(),
            rotation.y_axis.as_vec3a(),
            rotation.z_axis.as_vec3a(),
        );
        let similarity = |rotation: Mat3A, shift: Vec3, scale: f64, unit: f64| {
            let far = shift.length() as f32;
            let scale = scale as f32;
            // Tree coordinates are at most the root of three long. With units of half an EPSILON: a transformed centre is
            // off by 12 scale + 2 far, the axes of its box by 6, the reach of both boxes along a direction by
            // 9 (1 + scale), the difference of the centres projected by 9 (far + 2 (1 + scale)); twice that is allowed.
            let slack = f32::EPSILON * (44.0 * scale + 28.0 + 11.0 * far) + (wide * unit) as f32;
            Similarity { rotation, translation: shift.as_vec3a(), scale, slack }
        };
        let into_a = similarity(turn, shift * ga.scale, ga.scale / gb.scale, ga.scale);
        let back = -(rotation.transpose() * shift);
        let into_b = similarity(turn.transpose(), back * gb.scale, gb.scale / ga.scale, gb.scale);
        Placement { rotation, translation, into_a, into_b }
    }

    /// A point of b in the frame of a, rounded: this is what all answers are exact for.
    #[inline]
    pub(super) fn point(&self, p: Vec3) -> Vec3 {
        self.rotation * p + self.translation
    }

    #[inline]
    pub(super) fn triangle(&self, t: [Vec3; 3]) -> [Vec3; 3] {
        t.map(|p| self.point(p))
    }
}

impl Similarity {
    #[inline]
    pub(super) fn apply(&self, b: &OrientedBox) -> OrientedBox {
        OrientedBox {
            center: self.point(b.center),
            axes: b.axes.map(|axis| self.rotation * axis),
            half: b.half * self.scale,
        }
    }

    #[inline]
    pub(super) fn point(&self, p: Vec3A) -> Vec3A {
        self.rotation * p * self.scale + self.translation
    }

    #[inline]
    pub(super) fn rotate(&self, v: Vec3A) -> Vec3A {
        self.rotation * v
    }

    /// Rows of the matrix and shift that take a point here.
    pub(super) fn rows(&self) -> ([Vec3A; 3], Vec3A) {
        let turn = self.rotation.transpose();
        ([turn.x_axis, turn.y_axis, turn.z_axis].map(|row| row * self.scale), self.translation)
    }

    /// Tree units here per tree unit there.
    pub(super) fn scale(&self) -> f32 {
        self.scale
    }
}
