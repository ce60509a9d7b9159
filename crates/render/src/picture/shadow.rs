//! A soft shadow on the ground.

use super::layer::Placed;
use freiraum_geometry::{Vec2, Vec3};
use rayon::prelude::*;

/// Cells of the shadow in each direction.
const CELLS: usize = 288;
/// Where shadows fall, per metre of height: a high sun.
const SLANT: Vec2 = Vec2::new(0.22, 0.14);

/// How dark the ground is.
pub(crate) struct Shadow {
    pub(crate) ground: f64,
    origin: Vec2,
    /// Cells per metre.
    scale: f64,
    /// 0 to 1, row by row.
    cells: Vec<f32>,
}

impl Shadow {
    /// That of some things on a plane at a height; `None` for no things.
    pub(crate) fn of(things: &[&[Placed<'_>]], ground: f64) -> Option<Shadow> {
        let things: Vec<&Placed<'_>> =
            things.iter().copied().flatten().filter(|t| !t.figure.is_endless).collect();
        let fall = |p: Vec3| Vec2::new(p.x, p.y) + (p.z - ground) * SLANT;
        let (mut low, mut high) = (Vec2::INFINITY, Vec2::NEG_INFINITY);
        for thing in &things {
            for corner in thing.figure.bounds.corners() {
                let p = fall(thing.world_from_body.transform_point(corner));
                (low, high) = (low.min(p), high.max(p));
            }
        }
        let size = (high - low).max_element();
        if !(size > 0.0 && size.is_finite()) {
            return None;
        }
        let origin = 0.5 * (low + high) - Vec2::splat(0.62 * size);
        let scale = CELLS as f64 / (1.24 * size);
        let mark = |mut cells: Vec<bool>, thing: &&Placed<'_>| {
            let figure = thing.figure;
            let place = |v: &[f32; 3]| {
                let p = figure.center + Vec3::from_array(v.map(f64::from));
                (fall(thing.world_from_body.transform_point(p)) - origin) * scale
            };
            let points: Vec<Vec2> = figure.vertices.iter().map(place).collect();
            for face in &figure.faces {
                fill(&mut cells, face.map(|v| points[v as usize]));
            }
            cells
        };
        let none = || vec![false; CELLS * CELLS];
        let join = |mut a: Vec<bool>, b: Vec<bool>| {
            a.iter_mut().zip(b).for_each(|(a, b)| *a |= b);
            a
        };
        let marked = things.par_iter().fold(none, mark).reduce(none, join);
        let mut cells: Vec<f32> = marked.into_iter().map(|m| f32::from(u8::from(m))).collect();
        for _ in 0..3 {
            blur(&mut cells, 1, CELLS);
            blur(&mut cells, CELLS, 1);
        }
        Some(Shadow { ground, origin, scale, cells })
    }

    /// How dark it is at a point of the ground, 0 to 1.
    pub(crate) fn at(&self, point: Vec3) -> f32 {
        let p = (Vec2::new(point.x, point.y) - self.origin) * self.scale - Vec2::splat(0.5);
        let last = (CELLS - 2) as f64;
        if !(p.x >= 0.0 && p.y >= 0.0 && p.x <= last && p.y <= last) {
            return 0.0;
        }
        let (x, y) = (p.x as usize, p.y as usize);
        let (u, v) = ((p.x - x as f64) as f32, (p.y - y as f64) as f32);
        let cell = |x: usize, y: usize| self.cells[y * CELLS + x];
        let row = |y: usize| cell(x, y) + u * (cell(x + 1, y) - cell(x, y));
        row(y) + v * (row(y + 1) - row(y))
    }
}

/// Marks the cells whose middle is in the triangle, and those of its corners.
fn fill(cells: &mut [bool], triangle: [Vec2; 3]) {
    for p in triangle {
        cells[p.y as usize * CELLS + p.x as usize] = true;
    }
    let [a, b, c] = triangle;
    let (low, high) = (a.min(b).min(c), a.max(b).max(c));
    let sides = [(a, b), (b, c), (c, a)];
    for y in (low.y - 0.5).ceil() as usize..(high.y - 0.5).ceil() as usize {
        for x in (low.x - 0.5).ceil() as usize..(high.x - 0.5).ceil() as usize {
            let p = Vec2::new(x as f64 + 0.5, y as f64 + 0.5);
            let signs = sides.map(|(from, to)| (to - from).perp_dot(p - from));
            if signs.iter().all(|s| *s >= 0.0) || signs.iter().all(|s| *s <= 0.0) {
                cells[y * CELLS + x] = true;
            }
        }
    }
}

/// The mean of some neighbours; `step` from one to the next, `stride` from line to line.
fn blur(cells: &mut [f32], step: usize, stride: usize) {
    const REACH: usize = 4;
    let mut line = [0.0; CELLS];
    for start in 0..CELLS {
        for (i, value) in line.iter_mut().enumerate() {
            *value = cells[start * stride + i * step];
        }
        let mut sum: f32 = line[..REACH].iter().sum();
        for i in 0..CELLS {
            sum += line.get(i + REACH).copied().unwrap_or(0.0);
            sum -= if i > REACH { line[i - REACH - 1] } else { 0.0 };
            cells[start * stride + i * step] = sum / (2 * REACH + 1) as f32;
        }
    }
}
