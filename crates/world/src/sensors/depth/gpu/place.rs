//! Where the parts of models are in a view, as words for the processor.

use super::super::model::ModelPart;
use super::super::raster::may_show;
use super::super::{Drawn, View};
use super::geometry::Geometry;
use super::pack::Tile;
use freiraum_geometry::math::power_of_two;
use freiraum_geometry::{Pose, Shape};

/// Words of an `Instance` in `depth.wgsl`.
pub(super) const INSTANCE_WORDS: usize = 16;
/// Words of a `View` in `depth.wgsl`.
pub(super) const VIEW_WORDS: usize = 12;

/// A part in a view.
#[derive(Clone, Copy, Debug)]
pub(super) struct Placed {
    pub(super) mark: u32,
    /// Number of what is drawn, and of its part.
    pub(super) drawn: usize,
    pub(super) part: usize,
    pub(super) eye_from_part: Pose,
    /// Its first triangle on the processor.
    pub(super) triangles: u32,
}

/// Coordinates whose products f32 has room for.
const LARGEST: f64 = (1u64 << 40) as f64;
const SMALLEST: f64 = power_of_two(-30);

/// Kinds of an `Instance` in `depth.wgsl`.
const SURFACE: u32 = 0;
const SOLID: u32 = 1;
const HALF_SPACE: u32 = 2;

/// Adds what a view shows of some models; how many triangles that is, or `None` if f32 has no room for it: then nothing is added.
pub(super) fn place(
    view: &View,
    drawn: &[Drawn<'_>],
    geometry: &Geometry,
    words: &mut Vec<u32>,
    placed: &mut Vec<Placed>,
) -> Option<u32> {
    let start = (words.len(), placed.len());
    let count = place_all(view, drawn, geometry, words, placed);
    if count.is_none() {
        words.truncate(start.0);
        placed.truncate(start.1);
    }
    count
}

fn place_all(
    view: &View,
    drawn: &[Drawn<'_>],
    geometry: &Geometry,
    words: &mut Vec<u32>,
    placed: &mut Vec<Placed>,
) -> Option<u32> {
    let is_usual = view.pitch.iter().all(|p| *p > SMALLEST && *p < LARGEST)
        && view.first.iter().all(|f| f.abs() < LARGEST)
        && view.near >= 0.0;
    if !is_usual {
        return None;
    }
    let eye_from_world = view.world_from_eye.inverse();
    let mut before = 0u32;
    for (number, thing) in drawn.iter().enumerate() {
        let eye_from_thing = eye_from_world * thing.world_from_thing;
        let ranges = geometry.ranges(thing.model)?;
        for (part_number, part) in thing.model.parts.iter().enumerate() {
            let eye_from_part = eye_from_thing * part.thing_from_part;
            let range = ranges[part_number];
            let Some((rows, reach, kind)) = rows(view, part, &eye_from_part)? else { continue };
            words.extend(rows.map(|x| (x as f32).to_bits()));
            words.extend([(reach as f32).to_bits(), before, range.first, kind]);
            // The processor counts six corners for each.
            before = before.checked_add(range.count).filter(|n| *n <= u32::MAX / 6)?;
            placed.push(Placed {
                mark: thing.mark,
                drawn: number,
                part: part_number,
                eye_from_part,
                triangles: range.first,
            });
        }
    }
    Some(before)
}

/// The rows of `eye_from_part`, how far corners are from the eye, and the kind; `None` within for what is not in the view,
/// `None` for what f32 has no room for.
#[expect(clippy::option_option, reason = "not seen and not possible are two things")]
fn rows(view: &View, part: &ModelPart, eye_from_part: &Pose) -> Option<Option<([f64; 12], f64, u32)>> {
    if let Some(triangles) = &part.triangles {
        let at = eye_from_part.transform_point(triangles.center);
        if triangles.mesh.faces().is_empty() || !may_show(view, at, triangles.radius) {
            return Some(None);
        }
        let reach = (at.length() + triangles.radius) * (1.0 + f64::from(f32::EPSILON));
        if !(reach > SMALLEST && reach < LARGEST) {
            return None;
        }
        let turn = eye_from_part.rotation_matrix();
        let mut rows = [0.0; 12];
        for i in 0..3 {
            let row = turn.row(i);
            rows[4 * i..4 * i + 4].copy_from_slice(&[row.x, row.y, row.z, at[i]]);
        }
        let kind = if triangles.is_solid { SOLID } else { SURFACE };
        return Some(Some((rows, reach, kind)));
    }
    let Shape::HalfSpace(half_space) = &part.shape else { return Some(None) };
    let normal = eye_from_part.rotate(half_space.normal());
    let height = half_space.offset() + normal.dot(eye_from_part.translation());
    if height >= 0.0 {
        return Some(None); // the eye is in it
    }
    if !(-height > SMALLEST && -height < LARGEST) {
        return None;
    }
    let mut rows = [0.0; 12];
    rows[..4].copy_from_slice(&[normal.x, normal.y, normal.z, height]);
    Some(Some((rows, -height, HALF_SPACE)))
}

/// A piece of a view with its instances `from..to`.
pub(super) fn view_words(view: &View, tile: &Tile, instances: [u32; 2]) -> [u32; VIEW_WORDS] {
    let bits = |x: f64| (x as f32).min(f32::MAX).to_bits();
    [
        bits(view.y(tile.from[0])),
        bits(view.z(tile.from[1])),
        bits(view.pitch[0]),
        bits(view.pitch[1]),
        bits(view.near),
        bits(view.far),
        tile.size[0],
        tile.size[1],
        tile.corner[0],
        tile.corner[1],
        instances[0],
        instances[1],
    ]
}
