//! Edges and outlines of bodies as thin lines, where they can be seen.

use super::camera::Lens;
use super::layer::{BAND, COVERED, CUT, FULL, Layer, Placed, Seen};
use rayon::prelude::*;

/// A line on the picture: column, row, depth of its ends.
struct Line {
    ends: [[f64; 3]; 2],
    color: u32,
    /// 0 to 1.
    strength: f64,
}

/// The share of a body that its edges may cover before they fade.
const MOST_INK: f64 = 0.30;
/// Lines that are fainter than this are left out.
const LEAST_INK: f64 = 0.08;

/// Draws the edges of all things of a layer, `width` samples wide.
pub(crate) fn draw(layer: &mut Layer, things: &[Placed<'_>], seen: &[Seen], lens: &Lens, width: f64) {
    let lines: Vec<Line> =
        things.par_iter().zip(seen).flat_map_iter(|(thing, seen)| lines(thing, seen, width)).collect();
    let Layer { width: columns, depth, color, near } = layer;
    let (columns, depth, near) = (*columns, &*depth, *near);
    // A line lies on its faces, which are filled with a depth that is off by up to a sample sideways.
    let slack = (1.5 / lens.scale) as f32;
    color.par_chunks_mut(BAND * columns).enumerate().for_each(|(band, color)| {
        let rows = [band * BAND, band * BAND + color.len() / columns];
        let mut pen = Pen { rows, columns, depth, color, slack, near, reach: 0.5 * width };
        lines.iter().for_each(|line| pen.draw(line));
    });
}

/// The edges of a thing that are worth drawing. Where they are so close together that ink would fill everything they fade.
fn lines(thing: &Placed<'_>, seen: &Seen, width: f64) -> Vec<Line> {
    let mut lines = Vec::new();
    let mut lengths = [0.0; 2];
    for edge in &thing.figure.edges {
        let [a, b] = edge.faces.map(|face| seen.is_front[face as usize]);
        let is_outline = a != b;
        if !(is_outline || (edge.is_crease && (a || b || thing.figure.is_open))) {
            continue;
        }
        let ends = edge.ends.map(|v| seen.vertices[v as usize]);
        let length = (ends[1][0] - ends[0][0]).hypot(ends[1][1] - ends[0][1]);
        if ends.iter().flatten().all(|x| x.is_finite()) && length > 0.0 {
            lengths[usize::from(is_outline)] += length;
            lines.push((is_outline, Line { ends, color: thing.line, strength: 1.0 }));
        }
    }
    // Half of the edges of a closed body are hidden by itself, at least.
    let fade = |length: f64| (MOST_INK * seen.area / (0.5 * length * width)).min(1.0);
    let fades = [fade(lengths[0] + lengths[1]), fade(lengths[1])];
    let faded =
        lines.into_iter().map(|(is_outline, line)| Line { strength: fades[usize::from(is_outline)], ..line });
    faded.filter(|line| line.strength > LEAST_INK).collect()
}

/// Draws lines on some rows.
struct Pen<'p> {
    rows: [usize; 2],
    columns: usize,
    /// Of the whole picture.
    depth: &'p [f32],
    /// Of these rows.
    color: &'p mut [u32],
    slack: f32,
    near: f32,
    /// Half the width of a line, in samples.
    reach: f64,
}

impl Pen<'_> {
    fn draw(&mut self, line: &Line) {
        let [p, q] = line.ends;
        let margin = self.reach + 1.0;
        // Most lines are in other rows.
        if p[1].max(q[1]) < self.rows[0] as f64 - margin || p[1].min(q[1]) > self.rows[1] as f64 + margin {
            return;
        }
        let window = [
            [-margin, self.columns as f64 + margin],
            [self.rows[0] as f64 - margin, self.rows[1] as f64 + margin],
        ];
        // The part of the line in the window.
        let (mut from, mut to) = (0.0f64, 1.0f64);
        for axis in 0..2 {
            let (start, along) = (p[axis], q[axis] - p[axis]);
            let [low, high] = window[axis];
            if along == 0.0 {
                if start < low || start > high {
                    return;
                }
                continue;
            }
            let (s, t) = ((low - start) / along, (high - start) / along);
            from = from.max(s.min(t));
            to = to.min(s.max(t));
        }
        if !(from < to) {
            return;
        }
        let along = [q[0] - p[0], q[1] - p[1], q[2] - p[2]];
        let length = along[0].hypot(along[1]);
        // One step per sample in the direction in which the line is longer.
        let major = usize::from(along[1].abs() > along[0].abs());
        let minor = 1 - major;
        let steepness = length / along[major].abs();
        let at = |t: f64, axis: usize| p[axis] + t * along[axis];
        let (mut first, mut last) = (at(from, major), at(to, major));
        if first > last {
            (first, last) = (last, first);
        }
        let mut step = first.floor() as i64;
        while (step as f64) <= last {
            let middle = step as f64 + 0.5;
            let t = ((middle - p[major]) / along[major]).clamp(0.0, 1.0);
            let beyond = (middle - at(t, major)).abs();
            let center = at(t, minor);
            if beyond < 1.0 && self.is_visible(major, step, center, at(t, 2)) {
                let spread = (self.reach + 1.0) * steepness;
                for side in (center - spread).floor() as i64..=(center + spread).ceil() as i64 {
                    let distance = (side as f64 + 0.5 - center).abs() / steepness;
                    let strength = line.strength * (self.reach + 0.5 - distance.max(beyond)).clamp(0.0, 1.0);
                    let (x, y) = if major == 0 { (step, side) } else { (side, step) };
                    self.paint(x, y, strength, line.color);
                }
            }
            step += 1;
        }
    }

    /// Whether nothing hides it: the farthest surface around the place counts, since lines run where surfaces end.
    fn is_visible(&self, major: usize, step: i64, center: f64, depth: f64) -> bool {
        let side = center.floor() as i64;
        let (x, y) = if major == 0 { (step, side) } else { (side, step) };
        if (depth as f32) < self.near {
            return false;
        }
        let limit = depth as f32 - self.slack;
        let height = (self.depth.len() / self.columns) as i64;
        let columns = self.columns as i64;
        (-1..=1).any(|dy| {
            (-1..=1).any(|dx| {
                let (x, y) = ((x + dx).clamp(0, columns - 1), (y + dy).clamp(0, height - 1));
                self.depth[(y * columns + x) as usize] >= limit
            })
        })
    }

    fn paint(&mut self, x: i64, y: i64, strength: f64, color: u32) {
        let inside = x >= 0 && y >= self.rows[0] as i64 && x < self.columns as i64 && y < self.rows[1] as i64;
        if !inside || strength == 0.0 {
            return;
        }
        let sample = &mut self.color[(y as usize - self.rows[0]) * self.columns + x as usize];
        if *sample & FULL == FULL {
            *sample = (*sample & !0xff_ffff) | blended(*sample, color, (256.0 * strength) as u32);
        } else {
            let share = ((63.0 * strength) as u32) << 26;
            *sample = color | COVERED | share.max(*sample & FULL);
        }
    }
}

/// Hatches what was cut, and draws its outline.
pub(crate) fn draw_cut(layer: &mut Layer) {
    const INK: u32 = 0x20_28_34;
    const STEP: usize = 18;
    let columns = layer.width;
    let rows = layer.color.len() / columns;
    // What it was, below the ink.
    let before = layer.color.clone();
    let is_cut = |at: usize| before[at] & CUT != 0;
    layer.color.par_chunks_mut(columns).enumerate().for_each(|(y, row)| {
        for (x, sample) in row.iter_mut().enumerate() {
            let at = y * columns + x;
            let mut neighbours = [at; 4];
            if x + 1 < columns && y + 1 < rows && x > 0 && y > 0 {
                neighbours = [at + 1, at - 1, at + columns, at - columns];
            }
            let is_border = neighbours
                .into_iter()
                .any(|n| (is_cut(at) || is_cut(n)) && (before[n] ^ before[at]) & (0xff_ffff | CUT) != 0);
            if is_border {
                *sample = INK | COVERED | FULL | (*sample & CUT);
            } else if is_cut(at) && (x + y) % STEP < 2 {
                *sample = (*sample & !0xff_ffff) | blended(*sample, INK, 70);
            }
        }
    });
}

/// `share`/256 of the colour b in a.
pub(crate) fn blended(a: u32, b: u32, share: u32) -> u32 {
    let (low, high) = (0x00_ff_00_ff_u32, 0x00_00_ff_00_u32);
    let keep = 256 - share;
    let even = (((a & low) * keep + (b & low) * share) >> 8) & low;
    let odd = (((a & high) >> 8) * keep + ((b & high) >> 8) * share) & high;
    even | odd
}
