//! The picture: meshes as glass, the collision volume solid within. The glass is a layered image itself.

use super::super::Failure;
use super::body::Body;
use super::scene::Scene;
use super::solve::Found;
use freiraum::deform::cpu::Renderer;
use freiraum::deform::{Axis, Fragment, Grid, LayerError, LayeredImage, snap};
use freiraum::geometry::{AxisBox, Vec3};
use rayon::prelude::*;
use std::path::Path;

/// Pixels of the picture.
const SIZE: [usize; 2] = [1200, 900];
/// Rays for a pixel, each way.
const FINER: usize = 2;
/// Rows of rays that are drawn at once: keeps the storage of all layers small.
const BAND: usize = 300;
/// Free space around, as a share of the size.
const MARGIN: f64 = 0.05;

pub(super) fn check_name(file: &Path) -> Result<(), Failure> {
    if file.extension().is_some_and(|e| e.eq_ignore_ascii_case("png")) {
        return Ok(());
    }
    Err(Failure::new("usage", format!("--png {}: expected a name that ends with .png", file.display())))
}

/// Draws it and writes the file.
pub(super) fn write(file: &Path, bodies: &[Body], found: &Found) -> Result<(), Failure> {
    let scene = Scene::of(bodies, found);
    let colors =
        draw(&scene).map_err(|error| Failure::new("picture", format!("{}: {error}", file.display())))?;
    let cannot = |error: &dyn std::fmt::Display| {
        let message = format!("cannot write {}: {error}", file.display());
        Failure {
            place: vec![("file", file.display().to_string().into())],
            ..Failure::new("output", message)
        }
    };
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, SIZE[0] as u32, SIZE[1] as u32);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    let written = encoder.write_header().and_then(|mut writer| writer.write_image_data(&colors));
    written.map_err(|error| cannot(&error))?;
    std::fs::write(file, bytes).map_err(|error| cannot(&error))
}

/// Where the eye is: rows of the picture run downwards, depth away from the eye.
struct Eye {
    right: Vec3,
    down: Vec3,
    away: Vec3,
    light: Vec3,
}

impl Eye {
    /// Seen from the front right above.
    fn isometric() -> Eye {
        let away = Vec3::new(-1.0, 1.0, -1.0) / 3f64.sqrt();
        let right = Vec3::new(1.0, 1.0, 0.0) / 2f64.sqrt();
        let down = away.cross(right);
        let light = -away - 0.7 * down - 0.6 * right;
        Eye { right, down, away, light: light / light.length() }
    }

    fn sees(&self, p: Vec3) -> Vec3 {
        Vec3::new(p.dot(self.right), p.dot(self.down), p.dot(self.away))
    }
}

/// Red, green, blue of all pixels, row by row.
fn draw(scene: &Scene) -> Result<Vec<u8>, LayerError> {
    let eye = Eye::isometric();
    let seen: Vec<Vec3> = scene.vertices.iter().map(|&p| eye.sees(p)).collect();
    let reach = AxisBox::of_points(&seen);
    let size = SIZE.map(|n| n * FINER);
    let frame = frame(&reach, size);
    let step = (frame.max.y - frame.min.y) / size[1] as f64;
    let mut renderer = Renderer::default();
    let mut snapped = Vec::new();
    let mut colors = Vec::with_capacity(3 * SIZE[0] * SIZE[1]);
    for first in (0..size[1]).step_by(BAND) {
        let rows = BAND.min(size[1] - first);
        let mut band = frame;
        band.min.y = frame.min.y + step * first as f64;
        band.max.y = band.min.y + step * rows as f64;
        let grid = Grid::region(&band, &reach, Axis::Z, [size[0] as u32, rows as u32])?;
        snap(&grid, &seen, &mut snapped)?;
        let mut image = LayeredImage::empty(grid);
        renderer.draw(&grid, &snapped, &scene.faces, true, &mut image)?;
        let rays: Vec<[f32; 3]> =
            (0..grid.pixels()).into_par_iter().map(|pixel| color(scene, &eye, image.layers(pixel))).collect();
        colors.extend(averages(&rays, size[0]));
    }
    Ok(colors)
}

/// The part of the plane that is shown: all of it, with a margin, in the proportions of the picture.
fn frame(reach: &AxisBox, size: [usize; 2]) -> AxisBox {
    let (centre, extent) = (reach.center(), reach.size());
    let step = (extent.x / size[0] as f64).max(extent.y / size[1] as f64) * (1.0 + 2.0 * MARGIN);
    let step = if step > 0.0 { step } else { 1.0 };
    let half = 0.5 * step * Vec3::new(size[0] as f64, size[1] as f64, 0.0);
    let depth = 0.5 * extent.z * Vec3::Z;
    AxisBox { min: centre - half - depth, max: centre + half + depth }
}

/// What a ray meets, from the eye on: glass lets some through, solids nothing.
fn color(scene: &Scene, eye: &Eye, layers: &[Fragment]) -> [f32; 3] {
    let mut color = [0.0; 3];
    let mut left = 1.0_f32;
    for layer in layers {
        let look = scene.look(layer.face());
        // The backs of solids are never seen.
        if look.is_solid && !layer.is_front() {
            continue;
        }
        let facing = -look.normal.dot(eye.away);
        let normal = if facing < 0.0 { -look.normal } else { look.normal };
        let bright = (0.45 + 0.55 * normal.dot(eye.light).max(0.0)) as f32;
        // Glass is denser where it is seen from the side.
        let rim = (1.0 - facing.abs().min(1.0)).powi(3) as f32;
        let alpha = if look.is_solid { 1.0 } else { 0.10 + 0.35 * rim };
        for k in 0..3 {
            color[k] += left * alpha * look.color[k] * bright;
        }
        left *= 1.0 - alpha;
        if look.is_solid {
            return color;
        }
    }
    // The paper.
    color.map(|c| c + left)
}

fn averages(rays: &[[f32; 3]], width: usize) -> Vec<u8> {
    let rows = rays.len() / width;
    let mut colors = Vec::with_capacity(3 * rays.len() / (FINER * FINER));
    for row in (0..rows).step_by(FINER) {
        for column in (0..width).step_by(FINER) {
            for k in 0..3 {
                let block = (0..FINER).flat_map(|i| (0..FINER).map(move |j| (row + i) * width + column + j));
                let sum: f32 = block.map(|ray| rays[ray][k]).sum();
                colors.push((sum / (FINER * FINER) as f32 * 255.0).round().clamp(0.0, 255.0) as u8);
            }
        }
    }
    colors
}
