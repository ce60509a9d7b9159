//! Light and colour.

use freiraum_geometry::{Mat3, Vec3};
use freiraum_scene::Color;

/// Two lamps that come with the camera, as seen from a body.
pub(crate) struct Light {
    key: [f32; 3],
    fill: [f32; 3],
}

impl Light {
    /// For a body that turns with `body_from_camera` (right, up, away).
    pub(crate) fn of(body_from_camera: &Mat3) -> Light {
        let lamp = |x: f64, y: f64, z: f64| {
            let direction = body_from_camera * Vec3::new(x, y, z);
            freiraum_geometry::math::unit(direction).unwrap_or(Vec3::Z).to_array().map(|x| x as f32)
        };
        // From the upper left, and weaker from the right.
        Light { key: lamp(-0.42, 0.80, -0.55), fill: lamp(0.75, 0.12, -0.62) }
    }

    /// How light a surface with this normal is, 0 to 255.
    #[inline]
    pub(crate) fn on(&self, normal: [f32; 3]) -> f32 {
        let dot = |a: [f32; 3]| a[0] * normal[0] + a[1] * normal[1] + a[2] * normal[2];
        // Light that wraps a little around the bodies is softer.
        let key = (0.22 + 0.78 * dot(self.key)).max(0.0);
        let fill = (0.2 + 0.8 * dot(self.fill)).max(0.0);
        (255.0 * (0.20 + 0.62 * key + 0.24 * fill)).min(255.0)
    }
}

/// Three channels in one number.
pub(crate) fn packed(color: [f64; 3]) -> u32 {
    let channel = |x: f64| (x.clamp(0.0, 1.0) * 255.0).round() as u32;
    channel(color[0]) << 16 | channel(color[1]) << 8 | channel(color[2])
}

/// The channels, 0 to 1.
pub(crate) fn channels(color: Color) -> [f64; 3] {
    color.0.map(|x| f64::from(x) / 255.0)
}

/// `share` of b in a.
pub(crate) fn mixed(a: [f64; 3], b: [f64; 3], share: f64) -> [f64; 3] {
    std::array::from_fn(|i| a[i] + share * (b[i] - a[i]))
}

/// A colour from its deepest shade to its lightest.
pub(crate) fn ramp(base: [f64; 3]) -> [u32; 256] {
    // Shades lean to blue as under an open sky; the lightest is a little white.
    let dark = mixed(base.map(|x| 0.36 * x), [0.10, 0.14, 0.24], 0.30);
    let light = mixed(base, [1.0; 3], 0.34);
    std::array::from_fn(|level| {
        let s = level as f64 / 255.0;
        packed(if s < 0.72 { mixed(dark, base, s / 0.72) } else { mixed(base, light, (s - 0.72) / 0.28) })
    })
}

/// Colours for bodies that have none: told apart by people who see colours differently, calm beside each other.
const PALETTE: [[u8; 3]; 8] = [
    [0, 114, 178],
    [230, 159, 0],
    [0, 158, 115],
    [204, 121, 167],
    [86, 180, 233],
    [213, 94, 0],
    [148, 132, 210],
    [196, 176, 60],
];
/// For fixed bodies.
const FIXED: [u8; 3] = [158, 168, 180];

/// The colour of a body: its own, or one chosen by its number.
pub fn color_of(body: &freiraum_scene::Body, number: usize) -> Color {
    let chosen = if body.is_fixed { FIXED } else { PALETTE[number % PALETTE.len()] };
    body.color.unwrap_or(Color(chosen))
}
