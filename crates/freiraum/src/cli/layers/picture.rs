//! The picture: meshes as glass, the collision volume solid within. The glass is a layered image itself.

use super::super::Failure;
use super::body::Body;
use super::scene::Scene;
use super::solve::Found;
use freiraum::deform::cpu::Renderer;
use freiraum::deform::grid::DEPTH_STEPS;
use freiraum::deform::{Axis, Fragment, Grid, LayerError, LayeredImage, Snapped, Triangle, snap};
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
/// Steps of depth between a surface and a volume that ends there: where they coincide, the volume is seen.
const COINCIDENT: u32 = DEPTH_STEPS / 1000;
const PAPER: [f32; 3] = [1.0; 3];
/// Behind everything.
const NOTHING: Fragment = Fragment(u64::MAX);

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

    /// How bright a face is on the side that is seen, and how much it faces the eye, from 0 to 1.
    fn light(&self, normal: Vec3) -> (f32, f32) {
        let facing = -normal.dot(self.away);
        let normal = if facing < 0.0 { -normal } else { normal };
        ((0.45 + 0.55 * normal.dot(self.light).max(0.0)) as f32, facing.abs().min(1.0) as f32)
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
        renderer.draw(&grid, &snapped, scene.glass(), true, &mut image)?;
        let nearest = nearest(scene, &grid, &snapped);
        let ray = |pixel: usize| color(scene, &eye, image.layers(pixel), nearest[pixel]);
        let rays: Vec<[f32; 3]> = (0..grid.pixels()).into_par_iter().map(ray).collect();
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

/// The solid that is nearest to the eye, for every ray; [`NOTHING`] where there is none. Hidden ones are many: they are not kept.
fn nearest(scene: &Scene, grid: &Grid, snapped: &[Snapped]) -> Vec<Fragment> {
    let mut nearest = vec![NOTHING; grid.pixels()];
    for (face, corners) in scene.solids() {
        let Some(triangle) = Triangle::new(corners.map(|v| snapped[v as usize]), grid) else { continue };
        if triangle.front {
            triangle.for_each_sample(|column, row, key| {
                let place = &mut nearest[grid.index(column, row)];
                *place = Fragment::new(key, face).min(*place);
            });
        }
    }
    nearest
}

/// What a ray meets, from the eye on: glass lets some through, solids nothing.
fn color(scene: &Scene, eye: &Eye, layers: &[Fragment], solid: Fragment) -> [f32; 3] {
    let mut color = [0.0; 3];
    let mut left = 1.0_f32;
    let mut paint = |left: f32, alpha: f32, paint: [f32; 3], bright: f32| {
        for k in 0..3 {
            color[k] += left * alpha * paint[k] * bright;
        }
    };
    for layer in layers.iter().take_while(|layer| layer.depth() + COINCIDENT < solid.depth()) {
        let look = scene.look(layer.face());
        let (bright, facing) = eye.light(look.normal);
        // Denser where it is seen from the side.
        let alpha = 0.10 + 0.35 * (1.0 - facing).powi(3);
        paint(left, alpha, look.color, bright);
        left *= 1.0 - alpha;
    }
    if solid == NOTHING {
        paint(left, 1.0, PAPER, 1.0);
    } else {
        let look = scene.look(solid.face());
        paint(left, 1.0, look.color, eye.light(look.normal).0);
    }
    color
}

fn averages(rays: &[[f32; 3]], width: usize) -> Vec<u8> {
    let rows = rays.len() / width;
    let mut colors = Vec::with_capacity(3 * rays.len() / (FINER * FINER));
    for row in (0..rows).step_by(FINER) {
        for column in (0..width).step_by(FINER) {
            let mut sums = [0.0; 3];
            for i in 0..FINER {
                for ray in &rays[(row + i) * width + column..][..FINER] {
                    sums = std::array::from_fn(|k| sums[k] + ray[k]);
                }
            }
            let mean = |sum: f32| sum / (FINER * FINER) as f32;
            colors.extend(sums.map(|sum| (mean(sum) * 255.0).round().clamp(0.0, 255.0) as u8));
        }
    }
    colors
}
