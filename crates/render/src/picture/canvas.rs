//! Layers put together, marks on top, and the finished picture.

use super::camera::Lens;
use super::layer::{COVERED, FULL, Layer};
use super::lines::blended;
use super::shadow::Shadow;
use freiraum_geometry::Vec2;
use rayon::prelude::*;

/// Samples per pixel in each direction.
pub(crate) const FINE: usize = 2;

/// What is behind everything, at the upper and at the lower border.
const BACKGROUND: [u32; 2] = [0xfc_fd_fe, 0xe9_ed_f1];
/// How much of moving bodies is seen through others, in 256ths.
const THROUGH: u32 = 105;
/// How much is seen of ghosts, and of ghosts behind others, in 256ths.
const GHOST: [u32; 2] = [84, 34];

/// Samples in colour.
pub(crate) struct Canvas {
    size: [usize; 2],
    samples: Vec<u32>,
}

impl Canvas {
    /// Behind everything the ground, then what stands around, what moves (seen through it), and ghosts.
    pub(crate) fn compose(
        size: [usize; 2],
        lens: &Lens,
        shadow: Option<&Shadow>,
        [around, movers, ghosts]: [&Layer; 3],
    ) -> Canvas {
        let [width, height] = size;
        let mut samples = vec![0; width * height];
        samples.par_chunks_mut(width).enumerate().for_each(|(y, row)| {
            let back = blended(BACKGROUND[0], BACKGROUND[1], (256 * y / height) as u32);
            for (x, sample) in row.iter_mut().enumerate() {
                let at = y * width + x;
                let (a, m, g) = (around.color[at], movers.color[at], ghosts.color[at]);
                let mut color = a;
                if a & FULL != FULL {
                    color = back;
                    let ground = shadow.and_then(|s| {
                        let point = lens.on_ground(x as f64 + 0.5, y as f64 + 0.5, s.ground)?;
                        Some(s.at(point))
                    });
                    if let Some(dark) = ground.filter(|dark| *dark > 0.0) {
                        color = blended(color, 0x3a_48_5c, (72.0 * dark) as u32);
                    }
                    color = blended(color, a, coverage(a));
                }
                if (m | g) & COVERED != 0 {
                    let depth_around = around.depth[at];
                    let hides = |depth: f32| depth_around < depth;
                    if m & COVERED != 0 {
                        color = if hides(depth(movers, x, y)) {
                            blended(color, m, THROUGH * coverage(m) / 256)
                        } else {
                            blended(color, m, coverage(m))
                        };
                    }
                    if g & COVERED != 0 {
                        let depth = depth(ghosts, x, y);
                        let is_hidden = hides(depth) || (m & COVERED != 0 && movers.depth[at] < depth);
                        color = blended(color, g, GHOST[usize::from(is_hidden)] * coverage(g) / 256);
                    }
                }
                *sample = color & 0xff_ffff;
            }
        });
        Canvas { size, samples }
    }

    /// A line with round ends, `width` samples wide; `strength` 0 to 1.
    pub(crate) fn stroke(&mut self, from: Vec2, to: Vec2, width: f64, color: u32, strength: f64) {
        let along = to - from;
        let square = along.length_squared();
        let distance = |p: Vec2| {
            let t = if square > 0.0 { ((p - from).dot(along) / square).clamp(0.0, 1.0) } else { 0.0 };
            (p - from - t * along).length() - 0.5 * width
        };
        let reach = Vec2::splat(0.5 * width + 1.0);
        self.cover(from.min(to) - reach, from.max(to) + reach, color, strength, distance);
    }

    /// A ring around a point.
    pub(crate) fn ring(&mut self, center: Vec2, radius: f64, width: f64, color: u32, strength: f64) {
        let reach = Vec2::splat(radius + width);
        let distance = |p: Vec2| ((p - center).length() - radius).abs() - 0.5 * width;
        self.cover(center - reach, center + reach, color, strength, distance);
    }

    /// A filled triangle, its corners in either order, grown by `grow` samples.
    pub(crate) fn triangle(&mut self, corners: [Vec2; 3], grow: f64, color: u32, strength: f64) {
        let [a, b, c] = corners;
        let sign = (b - a).perp_dot(c - a).signum();
        let distance = |p: Vec2| {
            let side =
                |from: Vec2, to: Vec2| -sign * (to - from).perp_dot(p - from) / (to - from).length().max(0.5);
            side(a, b).max(side(b, c)).max(side(c, a)) - grow
        };
        let reach = Vec2::splat(grow + 1.0);
        self.cover(a.min(b).min(c) - reach, a.max(b).max(c) + reach, color, strength, distance);
    }

    /// Blends a colour over samples by how far they are inside something.
    fn cover(&mut self, low: Vec2, high: Vec2, color: u32, strength: f64, distance: impl Fn(Vec2) -> f64) {
        let [width, height] = self.size;
        let clip = |x: f64, most: usize| x.clamp(0.0, most as f64) as usize;
        for y in clip(low.y.floor(), height)..clip(high.y.ceil(), height) {
            for x in clip(low.x.floor(), width)..clip(high.x.ceil(), width) {
                let inside = 0.5 - distance(Vec2::new(x as f64 + 0.5, y as f64 + 0.5));
                let share = (256.0 * strength * inside.clamp(0.0, 1.0)) as u32;
                if share > 0 {
                    let sample = &mut self.samples[y * width + x];
                    *sample = blended(*sample, color, share);
                }
            }
        }
    }

    /// Red, green, blue of every pixel: the mean of its samples.
    pub(crate) fn pixels(&self) -> Vec<u8> {
        let [width, height] = self.size.map(|n| n / FINE);
        let mut out = vec![0; 3 * width * height];
        out.par_chunks_mut(3 * width).enumerate().for_each(|(y, row)| {
            for (x, pixel) in row.chunks_exact_mut(3).enumerate() {
                let mut sum = [0; 3];
                for k in 0..FINE * FINE {
                    let sample = self.samples[(FINE * y + k / FINE) * self.size[0] + FINE * x + k % FINE];
                    for (channel, sum) in sum.iter_mut().enumerate() {
                        *sum += sample >> (16 - 8 * channel) & 255;
                    }
                }
                let half = (FINE * FINE / 2) as u32;
                let mean = |sum: u32| ((sum + half) / (FINE * FINE) as u32) as u8;
                pixel.copy_from_slice(&sum.map(mean));
            }
        });
        out
    }
}

/// How much of a sample is covered, in 256ths.
fn coverage(sample: u32) -> u32 {
    (sample >> 26) * 256 / 63
}

/// The depth of a sample; a line beside a body has that of the body.
fn depth(layer: &Layer, x: usize, y: usize) -> f32 {
    let at = y * layer.width + x;
    if layer.depth[at].is_finite() {
        return layer.depth[at];
    }
    let rows = layer.depth.len() / layer.width;
    let mut nearest = f32::INFINITY;
    for y in y.saturating_sub(2)..(y + 3).min(rows) {
        for x in x.saturating_sub(2)..(x + 3).min(layer.width) {
            nearest = nearest.min(layer.depth[y * layer.width + x]);
        }
    }
    nearest
}
