//! The picture: meshes as glass, the collision volume solid within. It is a layered image itself, seen from where the eye is: each ray
//! has all its layers in order, so it says where it comes into an overlap.

use super::super::Failure;
use super::body::Body;
use super::scene::{COLLISION, Mark, Scene};
use super::solve::Found;
use freiraum::deform::cpu::Renderer;
use freiraum::deform::grid::DEPTH_STEPS;
use freiraum::deform::{Axis, Fragment, Grid, LayerError, LayeredImage, Triangle, snap};
use freiraum::geometry::{Aabb, Vec3};
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
/// Steps of depth between a surface and a volume or mark that begins there: where they coincide, the latter is seen.
const COINCIDENT: u32 = DEPTH_STEPS / 1000;
/// Half the width of lines, and of points, in rays.
const LINE: f64 = 5.0;
const POINT: f64 = 8.0;
const PAPER: [f32; 3] = [1.0; 3];
/// Behind everything.
const NOTHING: Fragment = Fragment(u64::MAX);

/// What would make it impossible to write the file, before any work is done.
pub(super) fn check_name(file: &Path) -> Result<(), Failure> {
    if !file.extension().is_some_and(|e| e.eq_ignore_ascii_case("png")) {
        return Err(Failure::new(
            "usage",
            format!("--png {}: expected a name that ends with .png", file.display()),
        ));
    }
    match file.parent() {
        Some(folder) if !folder.as_os_str().is_empty() && !folder.is_dir() => {
            Err(cannot(file, &format!("there is no folder {}", folder.display())))
        }
        _ if file.is_dir() => Err(cannot(file, &"it is a folder")),
        _ => Ok(()),
    }
}

fn cannot(file: &Path, why: &dyn std::fmt::Display) -> Failure {
    let message = format!("cannot write {}: {why}", file.display());
    Failure { place: vec![("file", file.display().to_string().into())], ..Failure::new("output", message) }
}

/// Draws it and writes the file.
pub(super) fn write(file: &Path, bodies: &[Body], found: &Found) -> Result<(), Failure> {
    let eye = Eye::isometric();
    let scene = Scene::of(bodies, found, |normal| eye.light(normal));
    let colors = draw(&scene, &eye)
        .map_err(|error| Failure::new("picture", format!("{}: {error}", file.display())))?;
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, SIZE[0] as u32, SIZE[1] as u32);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    let written = encoder.write_header().and_then(|mut writer| writer.write_image_data(&colors));
    written.map_err(|error| cannot(file, &error))?;
    freiraum::files::write(file, bytes).map_err(|error| cannot(file, &error))
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
fn draw(scene: &Scene, eye: &Eye) -> Result<Vec<u8>, LayerError> {
    let seen: Vec<Vec3> = scene.vertices.par_iter().map(|&p| eye.sees(p)).collect();
    let reach = Aabb::of_points(&seen);
    let size = SIZE.map(|n| n * FINER);
    let frame = frame(&reach, size);
    let step = (frame.max.y - frame.min.y) / size[1] as f64;
    let strips: Vec<[Vec3; 4]> = scene.marks.iter().map(|mark| strip(mark, eye, step)).collect();
    let mut renderer = Renderer::default();
    let mut snapped = Vec::new();
    let mut colors = Vec::with_capacity(3 * SIZE[0] * SIZE[1]);
    for first in (0..size[1]).step_by(BAND) {
        let rows = BAND.min(size[1] - first);
        let mut band = frame;
        band.min.y = frame.min.y + step * first as f64;
        band.max.y = band.min.y + step * rows as f64;
        let grid = Grid::region(&band, &frame, Axis::Z, [size[0] as u32, rows as u32])?;
        snap(&grid, &seen, &mut snapped)?;
        let mut image = LayeredImage::empty(grid);
        renderer.draw(&grid, &snapped, &scene.faces, true, &mut image)?;
        let marks = nearest(&strips, &grid)?;
        // Faces that touch are apart, or in each other, by what their vertices were moved: up to a sixteenth of a pixel that is no overlap.
        let least = (step / 16.0 / grid.step()) as u32;
        let rays =
            (0..grid.pixels()).into_par_iter().with_min_len(size[0]).map_init(Vec::new, |kept, ray| {
                let layers = image.layers(ray);
                let mark = marks.get(ray).copied().unwrap_or(NOTHING);
                let red = if layers.len() < 4 { None } else { scene.collision(layers, least, kept) };
                color(scene, layers, red.unwrap_or(NOTHING), mark)
            });
        colors.extend(averages(&rays.collect::<Vec<_>>(), size[0]));
    }
    Ok(colors)
}

/// The part of space that is shown: all of it, with a margin, in the proportions of the picture.
fn frame(reach: &Aabb, size: [usize; 2]) -> Aabb {
    let (centre, extent) = (reach.center(), reach.size());
    let step = (extent.x / size[0] as f64).max(extent.y / size[1] as f64) * (1.0 + 2.0 * MARGIN);
    let step = if step > 0.0 { step } else { 1.0 };
    let half = 0.5 * step * Vec3::new(size[0] as f64, size[1] as f64, 0.0);
    let depth = 0.5 * extent.z * Vec3::Z;
    Aabb { min: centre - half - depth, max: centre + half + depth }
}

/// The corners of a mark that faces the eye, one after the other around it; `step` is the distance of rays.
fn strip(mark: &Mark, eye: &Eye, step: f64) -> [Vec3; 4] {
    let [a, b] = mark.ends.map(|p| eye.sees(p));
    let way = Vec3::new(b.x - a.x, b.y - a.y, 0.0).normalize_or_zero();
    let (along, half) = if way == Vec3::ZERO { (Vec3::X, POINT * step) } else { (way, LINE * step) };
    let across = half * along.cross(Vec3::Z);
    let along = half * along;
    [a - along - across, b + along - across, b + along + across, a - along + across]
}

/// The mark that is nearest to the eye, for every ray, with its number; [`NOTHING`] where there is none. Empty without marks.
fn nearest(strips: &[[Vec3; 4]], grid: &Grid) -> Result<Vec<Fragment>, LayerError> {
    if strips.is_empty() {
        return Ok(Vec::new());
    }
    let mut nearest = vec![NOTHING; grid.pixels()];
    let mut corners = Vec::new();
    for (number, strip) in (0..).zip(strips) {
        snap(grid, strip, &mut corners)?;
        for half in [[0, 1, 2], [0, 2, 3]] {
            let Some(triangle) = Triangle::new(half.map(|k| corners[k]), grid) else { continue };
            triangle.for_each_sample(|column, row, key| {
                let place = &mut nearest[grid.index(column, row)];
                *place = Fragment::new(key, number).min(*place);
            });
        }
    }
    Ok(nearest)
}

/// What a ray meets, from the eye on: glass lets some through, the collision volume and marks nothing.
fn color(scene: &Scene, layers: &[Fragment], red: Fragment, mark: Fragment) -> [f32; 3] {
    let depth = red.depth().min(mark.depth());
    let mut color = [0.0; 3];
    let mut left = 1.0_f32;
    for layer in layers.iter().take_while(|layer| layer.depth() + COINCIDENT < depth) {
        let pane = &scene.panes[layer.face() as usize];
        let share = left * pane.alpha;
        color = std::array::from_fn(|k| color[k] + share * pane.glass[k]);
        left -= share;
    }
    let behind = if mark != NOTHING && mark.depth() <= red.depth().saturating_add(COINCIDENT) {
        scene.marks[mark.face() as usize].color
    } else if red != NOTHING {
        COLLISION.map(|c| c * scene.panes[red.face() as usize].bright)
    } else {
        PAPER
    };
    std::array::from_fn(|k| color[k] + left * behind[k])
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
            // Never negative: adding a half and cutting off is rounding.
            colors.extend(sums.map(|sum| (mean(sum) * 255.0 + 0.5) as u8));
        }
    }
    colors
}
