//! Spur gears with involute teeth.

use super::solid::{Surface, bored, polar};
use freiraum_geometry::Vec2;
use std::f64::consts::{PI, TAU};

/// Measures of a spur gear, in metres and radians.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct SpurGear {
    /// Number of teeth.
    pub(super) teeth: u32,
    /// Pitch diameter over the number of teeth; gears that mesh have the same.
    pub(super) module: f64,
    /// By how much teeth are thinner than gaps on the pitch circle.
    pub(super) backlash: f64,
    /// Radius of the bore.
    pub(super) bore: f64,
    /// Along the axis.
    pub(super) width: f64,
}

/// Slope of the teeth on the pitch circle.
const PRESSURE_ANGLE: f64 = PI / 9.0;

/// Points along a flank.
const FLANK: u32 = 5;

impl SpurGear {
    pub(super) fn pitch_radius(&self) -> f64 {
        0.5 * self.module * f64::from(self.teeth)
    }

    /// Half the angle that a tooth takes at a radius.
    fn half_angle(&self, radius: f64) -> f64 {
        let involute = |angle: f64| angle.tan() - angle;
        let pitch = self.pitch_radius();
        let at_pitch = PI / (2.0 * f64::from(self.teeth)) - 0.5 * self.backlash / pitch;
        let base = pitch * PRESSURE_ANGLE.cos();
        // Below the base circle the flank goes straight to the axis.
        let here = (base / radius.max(base)).acos();
        at_pitch + involute(PRESSURE_ANGLE) - involute(here)
    }

    /// Counter-clockwise, a tooth around angle 0.
    fn outline(&self) -> Vec<Vec2> {
        let pitch = self.pitch_radius();
        let (root, tip) = (pitch - 1.25 * self.module, pitch + self.module);
        let base = (pitch * PRESSURE_ANGLE.cos()).max(root);
        let mut flank = vec![root];
        flank.extend((0..FLANK).map(|k| base + (tip - base) * f64::from(k) / f64::from(FLANK - 1)));
        if base == root {
            flank.remove(0);
        }
        let mut outline = Vec::new();
        for tooth in 0..self.teeth {
            let middle = f64::from(tooth) / f64::from(self.teeth);
            let at = |radius: f64, side: f64| polar(radius, middle + side * self.half_angle(radius) / TAU);
            outline.extend(flank.iter().map(|radius| at(*radius, -1.0)));
            outline.extend(flank.iter().rev().map(|radius| at(*radius, 1.0)));
        }
        outline
    }
}

/// The surface of a gear: axis z, from z = 0 to its width, a tooth at x.
pub(super) fn spur_gear(gear: &SpurGear) -> Surface {
    let outline = gear.outline();
    // As many corners as the outline, the first where that begins.
    let first = outline[0].to_angle() / TAU;
    let corner = |k: usize| polar(gear.bore, first + k as f64 / outline.len() as f64);
    let bore: Vec<Vec2> = (0..outline.len()).map(corner).collect();
    bored(&outline, &bore, [0.0, gear.width])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn teeth_and_gaps_share_the_pitch_circle() {
        let gear = SpurGear { teeth: 18, module: 0.002, backlash: 0.0001, bore: 0.008, width: 0.014 };
        let tooth = 2.0 * gear.half_angle(gear.pitch_radius()) * gear.pitch_radius();
        let pitch = PI * gear.module;
        assert!((tooth - (0.5 * pitch - 0.0001)).abs() < 1e-15, "{tooth} {pitch}");
        let mesh = spur_gear(&gear).mesh().unwrap();
        assert!(freiraum_geometry::mesh::MeshReport::of(&mesh).is_watertight());
    }

    #[test]
    fn the_flat_sides_are_not_folded() {
        for (teeth, bore) in [(9, 3.0), (18, 8.0), (36, 8.0), (80, 60.0)] {
            let gear = SpurGear { teeth, module: 2.0, backlash: 0.3, bore, width: 14.0 };
            let mesh = spur_gear(&gear).mesh().unwrap();
            for [a, b, c] in mesh.triangles().filter(|[a, b, c]| a.z == b.z && b.z == c.z) {
                let area = (b - a).cross(c - a).z;
                assert!(if a.z > 0.0 { area > 0.0 } else { area < 0.0 }, "{teeth} teeth: {a} {b} {c}");
            }
        }
    }
}
