//! A spur gear with a bore: the built-in part.

use crate::geometry::{Mesh, MeshError, Vec2, Vec3};
use std::f64::consts::TAU;

/// Measures of a spur gear with straight-sided teeth, in metres.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SpurGear {
    /// Number of teeth, at least 4.
    pub teeth: u32,
    /// Radius at the foot of the teeth.
    pub root_radius: f64,
    /// Radius at the tip of the teeth.
    pub tip_radius: f64,
    /// Radius of the bore.
    pub bore_radius: f64,
    /// Width along the axis (z), centred on the origin.
    pub width: f64,
}

impl SpurGear {
    /// The gear of the demo: 24 teeth, 52 mm across the tips, 10 mm wide, 12 mm bore.
    pub const DEMO: SpurGear =
        SpurGear { teeth: 24, root_radius: 0.0215, tip_radius: 0.026, bore_radius: 0.006, width: 0.010 };

    /// Outline of the gear, counter-clockwise: four corners a tooth.
    fn outline(&self) -> Vec<Vec2> {
        // Shares of one pitch: tooth foot, tip, tip, foot; the rest is the gap to the next tooth.
        let corners = [
            (0.00, self.root_radius),
            (0.16, self.tip_radius),
            (0.34, self.tip_radius),
            (0.50, self.root_radius),
        ];
        (0..self.teeth)
            .flat_map(|tooth| {
                corners
                    .map(|(share, radius)| polar(radius, (f64::from(tooth) + share) / f64::from(self.teeth)))
            })
            .collect()
    }

    /// The bore, counter-clockwise, with as many corners as the outline and at the same angles.
    fn bore(&self) -> Vec<Vec2> {
        let scale = |p: Vec2| p * (self.bore_radius / p.length());
        self.outline().into_iter().map(scale).collect()
    }
}

/// The closed mesh of a spur gear; axis z, centred on the origin.
///
/// Fails only for measures that are not finite.
pub fn spur_gear(gear: &SpurGear) -> Result<Mesh, MeshError> {
    let (outer, inner) = (gear.outline(), gear.bore());
    let corners = outer.len() as u32;
    let ring = |points: &[Vec2], z: f64| points.iter().map(|p| p.extend(z)).collect::<Vec<Vec3>>();
    let half = 0.5 * gear.width;
    // Four rings of vertices: outer bottom, outer top, inner bottom, inner top.
    let vertices =
        [ring(&outer, -half), ring(&outer, half), ring(&inner, -half), ring(&inner, half)].concat();
    let [outer_bottom, outer_top, inner_bottom, inner_top] = [0, 1, 2, 3].map(|k| k * corners);
    let mut faces = Vec::with_capacity(8 * corners as usize);
    for i in 0..corners {
        let next = (i + 1) % corners;
        let mut strip = |a: u32, b: u32| {
            faces.push([a + i, a + next, b + next]);
            faces.push([a + i, b + next, b + i]);
        };
        strip(outer_bottom, outer_top);
        strip(inner_top, inner_bottom);
        strip(outer_top, inner_top);
        strip(inner_bottom, outer_bottom);
    }
    Mesh::new(vertices, faces)
}

fn polar(radius: f64, turns: f64) -> Vec2 {
    radius * Vec2::from_angle(TAU * turns)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shoelace(polygon: &[Vec2]) -> f64 {
        (0..polygon.len()).map(|i| 0.5 * polygon[i].perp_dot(polygon[(i + 1) % polygon.len()])).sum()
    }

    #[test]
    fn volume_is_area_times_width() {
        let gear = SpurGear::DEMO;
        let mesh = spur_gear(&gear).unwrap();
        let expected = (shoelace(&gear.outline()) - shoelace(&gear.bore())) * gear.width;
        let volume = mesh.mass_properties().unwrap().volume;
        assert!((volume / expected - 1.0).abs() < 1e-12, "{volume} {expected}");
    }
}
