//! How bodies are drawn: line widths, colours, light.

use freiraum_geometry::Vec3;
use freiraum_scene::Color;

/// What is drawn of the bodies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// Lit faces and the edges that can be seen.
    Shaded,
    /// The edges that can be seen.
    HiddenLine,
    /// The edges of faces that look at the eye, hidden by others or not.
    FrontFaces,
    /// All edges.
    Wireframe,
}

/// Width of outlines, in millimetres on paper.
pub(super) const OUTLINE: f64 = 0.5;
/// Width of edges within an outline.
pub(super) const CREASE: f64 = 0.25;
/// Width of thin lines: hidden edges, traces, axes.
pub(super) const THIN: f64 = 0.18;
/// Areas reach this far under their neighbours (hairline, both sides together), or white would shine through between them.
pub(super) const HAIRLINE: f64 = 0.25;
/// Hidden edges.
pub(super) const DASHED: &[f64] = &[1.6, 0.9];
/// Traces of parts that were moved apart.
pub(super) const TRACE: &[f64] = &[0.9, 0.9];
/// Axes.
pub(super) const CHAIN: &[f64] = &[4.0, 0.9, 0.5, 0.9];

/// Ink of edges.
pub(super) const INK: Color = Color([0x1c, 0x20, 0x26]);
/// Ink of hidden edges, traces and axes.
pub(super) const PALE_INK: Color = Color([0x6b, 0x72, 0x7c]);
/// Ink of motions.
pub(super) const SIGNAL: Color = Color([0xd1, 0x24, 0x1f]);
pub(super) const WHITE: Color = Color([255; 3]);

/// Colours of bodies that have none: told apart, and calm side by side.
const PALETTE: [Color; 8] = [
    Color([0x9f, 0xb4, 0xc9]),
    Color([0xd9, 0xb3, 0x7a]),
    Color([0x8f, 0xbb, 0x98]),
    Color([0xc9, 0x8f, 0x88]),
    Color([0xb3, 0xa4, 0xcc]),
    Color([0x84, 0xb9, 0xbd]),
    Color([0xcc, 0xc4, 0x82]),
    Color([0xb5, 0xb0, 0xa8]),
];

/// The colour of the body with this number, if it has none of its own.
pub(super) fn palette(number: usize) -> Color {
    PALETTE[number % PALETTE.len()]
}

/// Between two colours.
pub(super) fn mixed(Color(a): Color, Color(b): Color, share_of_b: f64) -> Color {
    Color(
        [0, 1, 2].map(|k| (f64::from(a[k]) + share_of_b * (f64::from(b[k]) - f64::from(a[k]))).round() as u8),
    )
}

/// Steps from dark to bright: neighbours of a smooth surface with the same step become one area.
const SHADES: f64 = 40.0;

/// A colour in the light from the upper left behind the eye; `normal` is a unit vector in the frame of the eye.
pub(super) fn lit(color: Color, normal: Vec3) -> Color {
    let light = Vec3::new(-0.42, 0.74, 0.52);
    // Half of the way round: no side is black, and upright faces differ from each other.
    let brightness = 0.5 + 0.5 * normal.dot(light);
    let step = (brightness.clamp(0.0, 1.0) * SHADES).round() / SHADES;
    if step > 0.75 {
        mixed(color, WHITE, 1.4 * (step - 0.75))
    } else {
        mixed(color, Color([0x20, 0x26, 0x30]), 0.8 * (0.75 - step))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn light_comes_from_above() {
        let grey = Color([150; 3]);
        let [top, front, below] = [Vec3::Y, Vec3::Z, -Vec3::Y].map(|n| lit(grey, n).0[0]);
        assert!(top > front && front > below && below > 40, "{top} {front} {below}");
        assert_eq!(mixed(WHITE, INK, 0.0), WHITE);
        assert_eq!(mixed(WHITE, INK, 1.0), INK);
    }
}
