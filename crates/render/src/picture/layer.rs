//! Depth and colour of every sample, filled with triangles: rows are shared out to threads, so that the picture is the same on any
//! number of them.

use super::camera::Lens;
use super::figure::Figure;
use super::light::Light;
use freiraum_geometry::{Pose, Vec3};
use rayon::prelude::*;

/// Rows that one task fills.
pub(crate) const BAND: usize = 64;
/// Marks samples on which something is drawn.
pub(crate) const COVERED: u32 = 1 << 24;
/// Marks samples inside a body that was cut open.
pub(crate) const CUT: u32 = 1 << 25;
/// The highest six bits: how much of a sample is covered; all of it except beside lines.
pub(crate) const FULL: u32 = 63 << 26;

/// The colour of what two bodies both fill.
const OVERLAP: u32 = 0xf2_7b_82;

/// One thing to draw.
pub(crate) struct Placed<'f> {
    pub(crate) figure: &'f Figure,
    pub(crate) world_from_body: Pose,
    /// Its colour for 256 levels of light.
    pub(crate) ramp: [u32; 256],
    /// Its colour where it is cut open.
    pub(crate) cut: u32,
    pub(crate) line: u32,
}

/// An image with depths.
pub(crate) struct Layer {
    pub(crate) width: usize,
    pub(crate) depth: Vec<f32>,
    /// Red, green, blue in the low bytes, and marks.
    pub(crate) color: Vec<u32>,
    /// What is nearer was cut away.
    pub(crate) near: f32,
}

/// A thing seen through a lens.
pub(crate) struct Seen {
    /// Column, row, depth of every vertex; not a number behind the eye.
    pub(crate) vertices: Vec<[f64; 3]>,
    /// For every face whether it is seen from its front.
    pub(crate) is_front: Vec<bool>,
    triangles: Vec<Triangle>,
    /// Of all faces that are seen from their front, in samples.
    pub(crate) area: f64,
    /// First and last row.
    rows: [i32; 2],
}

/// A triangle on the picture.
struct Triangle {
    corners: [u32; 3],
    /// Light at the corners, 0 to 255.
    light: [f32; 3],
    rows: [i32; 2],
    /// True if it is the inner side of a closed surface, which only matters where bodies are cut open.
    is_inside: bool,
}

impl Layer {
    /// Draws things, all of them solid; what is nearer than `section` (a depth) is cut away.
    pub(crate) fn draw(
        things: &[Placed<'_>],
        lens: &Lens,
        size: [usize; 2],
        section: Option<f64>,
    ) -> (Layer, Vec<Seen>) {
        let [width, height] = size;
        let seen: Vec<Seen> =
            things.par_iter().map(|thing| look(thing, lens, size, section.is_some())).collect();
        let mut depth = vec![f32::INFINITY; width * height];
        let mut color = vec![0u32; width * height];
        let near = section.map_or(f32::NEG_INFINITY, |near| near as f32);
        let bands = depth.par_chunks_mut(BAND * width).zip(color.par_chunks_mut(BAND * width));
        bands.enumerate().for_each(|(band, (depth, color))| {
            let rows = [(band * BAND) as i32, (band * BAND + depth.len() / width) as i32];
            let mut canvas = Band { rows, width, depth, color, near };
            let mut winding = if section.is_some() { vec![0i8; canvas.color.len()] } else { Vec::new() };
            for (thing, seen) in things.iter().zip(&seen) {
                if seen.rows[1] < rows[0] || seen.rows[0] >= rows[1] {
                    continue;
                }
                let here = |triangle: &&Triangle| triangle.rows[1] >= rows[0] && triangle.rows[0] < rows[1];
                if section.is_some() && !thing.figure.is_open {
                    winding.fill(0);
                    seen.triangles
                        .iter()
                        .filter(here)
                        .for_each(|t| canvas.wind(t, &seen.vertices, &mut winding));
                    canvas.cap(&winding, thing.cut);
                }
                let shown = seen.triangles.iter().filter(here).filter(|triangle| !triangle.is_inside);
                shown.for_each(|triangle| canvas.fill(triangle, &seen.vertices, thing));
            }
        });
        (Layer { width, depth, color, near }, seen)
    }
}

/// Projects a thing and finds out what is to be filled.
fn look(thing: &Placed<'_>, lens: &Lens, size: [usize; 2], is_section: bool) -> Seen {
    let figure = thing.figure;
    let center =
        lens.camera_from_world * (thing.world_from_body.transform_point(figure.center) - lens.target);
    let turn = lens.camera_from_world * thing.world_from_body.rotation_matrix();
    let project = |v: &[f32; 3]| {
        let p = center + turn * Vec3::from_array(v.map(f64::from));
        lens.project(p).unwrap_or([f64::NAN; 3])
    };
    let vertices: Vec<[f64; 3]> = figure.vertices.iter().map(project).collect();
    let light = Light::of(&turn.transpose());
    let (mut is_front, mut triangles) = (Vec::with_capacity(figure.faces.len()), Vec::new());
    let (mut rows, mut seen_area) = ([i32::MAX, i32::MIN], 0.0);
    for (face, normals) in figure.faces.iter().zip(&figure.normals) {
        let [a, b, c] = face.map(|v| vertices[v as usize]);
        // Rows go down: a triangle seen from its front runs against the clock in a picture with y up.
        let area = (b[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (b[1] - a[1]);
        let front = area < 0.0;
        is_front.push(front);
        seen_area += f64::max(-0.5 * area, 0.0);
        if area == 0.0 || area.is_nan() || !(front || figure.is_open || is_section) {
            continue;
        }
        let low = |i: usize| a[i].min(b[i]).min(c[i]);
        let high = |i: usize| a[i].max(b[i]).max(c[i]);
        // Samples are in the middle of their squares; many triangles of fine meshes lie between them.
        let range = |i: usize| [(low(i) - 0.5).ceil(), (high(i) - 0.5).ceil() - 1.0];
        let ([x0, x1], [y0, y1]) = (range(0), range(1));
        if x0 > x1 || y0 > y1 || x1 < 0.0 || y1 < 0.0 || x0 >= size[0] as f64 || y0 >= size[1] as f64 {
            continue;
        }
        let is_inside = !front && !figure.is_open;
        let side = if front { 1.0 } else { -1.0 };
        let own = [y0.max(0.0) as i32, y1.min(size[1] as f64) as i32];
        rows = [rows[0].min(own[0]), rows[1].max(own[1])];
        let light = normals.map(|n| light.on(n.map(|x| side * x)));
        triangles.push(Triangle { corners: *face, light, rows: own, is_inside });
    }
    Seen { vertices, is_front, triangles, area: seen_area, rows }
}

/// Some rows of a layer.
struct Band<'b> {
    rows: [i32; 2],
    width: usize,
    depth: &'b mut [f32],
    color: &'b mut [u32],
    near: f32,
}

impl Band<'_> {
    fn fill(&mut self, triangle: &Triangle, vertices: &[[f64; 3]], thing: &Placed<'_>) {
        let near = self.near;
        let (all_depth, all_color) = (&mut *self.depth, &mut *self.color);
        triangle.visit(vertices, self.rows, self.width, |at, depth, light| {
            if depth < all_depth[at] && depth >= near {
                all_depth[at] = depth;
                all_color[at] = thing.ramp[light as usize & 255] | COVERED | FULL;
            }
        });
    }

    /// Counts how often a ray leaves a body behind the section, less how often it enters it.
    fn wind(&self, triangle: &Triangle, vertices: &[[f64; 3]], winding: &mut [i8]) {
        let turn = if triangle.is_inside { 1 } else { -1 };
        triangle.visit(vertices, self.rows, self.width, |at, depth, _| {
            if depth >= self.near {
                winding[at] = winding[at].saturating_add(turn);
            }
        });
    }

    /// Where rays begin inside a body it was cut: there is nothing nearer. Where two bodies were cut they overlap.
    fn cap(&mut self, winding: &[i8], cut: u32) {
        for (at, _) in winding.iter().enumerate().filter(|(_, turns)| **turns > 0) {
            let is_taken = self.color[at] & CUT != 0;
            self.color[at] = if is_taken { OVERLAP } else { cut } | COVERED | CUT | FULL;
            self.depth[at] = self.near;
        }
    }
}

impl Triangle {
    /// Visits the samples in it, row by row, with depth and light. Both triangles at an edge compute its columns from the same numbers in
    /// the same order, so that there is neither a gap nor a sample that is visited twice, however far out the corners are.
    #[inline]
    fn visit(
        &self,
        vertices: &[[f64; 3]],
        rows: [i32; 2],
        width: usize,
        mut visit: impl FnMut(usize, f32, f32),
    ) {
        let mut order = [0, 1, 2];
        let corner = self.corners.map(|v| vertices[v as usize]);
        let above = |i: usize, j: usize| (corner[i][1], corner[i][0]) <= (corner[j][1], corner[j][0]);
        for (i, j) in [(0, 1), (1, 2), (0, 1)] {
            if !above(order[i], order[j]) {
                order.swap(i, j);
            }
        }
        let [a, b, c] = order.map(|i| corner[i]);
        let light = order.map(|i| self.light[i]);
        let area = (b[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (b[1] - a[1]);
        // Slopes of a quantity with these values at the corners.
        let slopes = |va: f64, vb: f64, vc: f64| {
            let (u, v) = (vb - va, vc - va);
            [(u * (c[1] - a[1]) - v * (b[1] - a[1])) / area, (v * (b[0] - a[0]) - u * (c[0] - a[0])) / area]
        };
        let depth_slopes = slopes(a[2], b[2], c[2]);
        let light_slopes = slopes(light[0].into(), light[1].into(), light[2].into());
        // Slivers have slopes beyond all bounds, but their values stay between those of the corners.
        let bounds = |v: [f64; 3]| [v[0].min(v[1]).min(v[2]) as f32, v[0].max(v[1]).max(v[2]) as f32];
        let depth_bounds = bounds([a[2], b[2], c[2]]);
        let light_bounds = bounds(light.map(f64::from));
        let column = |from: &[f64; 3], to: &[f64; 3], y: f64| {
            from[0] + (y - from[1]) * ((to[0] - from[0]) / (to[1] - from[1]))
        };
        for row in self.rows[0].max(rows[0])..=self.rows[1].min(rows[1] - 1) {
            let y = f64::from(row) + 0.5;
            let long = column(&a, &c, y);
            let short = if y < b[1] { column(&a, &b, y) } else { column(&b, &c, y) };
            let (left, right) = if long < short { (long, short) } else { (short, long) };
            let first = (left - 0.5).ceil().max(0.0);
            let last = (right - 0.5).ceil().min(width as f64);
            if !(first < last) {
                continue;
            }
            let start = (row - rows[0]) as usize * width;
            let value = |v: f64, slopes: [f64; 2]| {
                (v + (first + 0.5 - a[0]) * slopes[0] + (y - a[1]) * slopes[1]) as f32
            };
            let mut depth = value(a[2], depth_slopes);
            let mut level = value(light[0].into(), light_slopes);
            let (depth_step, level_step) = (depth_slopes[0] as f32, light_slopes[0] as f32);
            for x in first as usize..last as usize {
                visit(
                    start + x,
                    depth.clamp(depth_bounds[0], depth_bounds[1]),
                    level.clamp(light_bounds[0], light_bounds[1]),
                );
                depth += depth_step;
                level += level_step;
            }
        }
    }
}
