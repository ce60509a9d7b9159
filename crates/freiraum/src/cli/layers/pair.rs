//! What two meshes share: the parts of every ray that are inside of both.

use super::Arguments;
use super::body::Body;
use super::scene::Column;
use super::solve::{Pair, grids};
use freiraum::deform::{Interval, LayerError, Layers, Sums, Volume};
use freiraum::geometry::{AxisBox, Vec3};

pub(super) fn pair(
    names: [usize; 2],
    bodies: &[Body],
    arguments: &Arguments,
    [first, second]: [&mut Layers; 2],
    columns: &mut Vec<Column>,
) -> Result<Pair, LayerError> {
    let [a, b] = names.map(|k| bodies[k].surface());
    let (box_a, box_b) = (a.bounds()?, b.bounds()?);
    let region = AxisBox { min: box_a.min.max(box_b.min), max: box_a.max.min(box_b.max) };
    let mut answer = Pair { bodies: names, volume: Volume::default(), collides: false, grids: Vec::new() };
    if region.is_empty() {
        return Ok(answer);
    }
    answer.grids = grids(&region, &box_a.union(&box_b), arguments)?;
    answer.volume.error = f64::INFINITY;
    for grid in &answer.grids {
        first.look(a, grid, 1, true)?;
        second.look(b, grid, 1, true)?;
        let mut lengths = vec![0; grid.pixels()];
        let mut count = 0;
        common(&first.occupancy.intervals, &second.occupancy.intervals, |one, other| {
            let (start, end) = (one.start.max(other.start), one.end.min(other.end));
            lengths[one.pixel as usize] += end - start;
            count += 1;
            if arguments.png.is_some() {
                let normal = |of_first: bool, at_end: bool| -> Vec3 {
                    let (interval, layers, surface) = if of_first { (one, &first, a) } else { (other, &second, b) };
                    let fragment = if at_end { interval.last } else { interval.first };
                    surface.normal(layers.image.fragments[fragment as usize].face())
                };
                let normals = [normal(one.start >= other.start, false), normal(one.end <= other.end, true)];
                columns.push(Column::between(&Interval { start, end, ..*one }, &first.image, normals));
            }
        });
        answer.collides |= count > 0;
        let volume = Sums::of(grid, &lengths, count).volume(grid);
        if volume.error < answer.volume.error {
            answer.volume = volume;
        }
    }
    Ok(answer)
}

/// Calls with every two intervals that share some of a ray.
fn common(a: &[Interval], b: &[Interval], mut found: impl FnMut(&Interval, &Interval)) {
    let mut from = 0;
    for one in a {
        while b.get(from).is_some_and(|other| (other.pixel, other.end) <= (one.pixel, one.start)) {
            from += 1;
        }
        let on_ray = b[from..].iter().take_while(|other| (other.pixel, other.start) < (one.pixel, one.end));
        on_ray.for_each(|other| found(one, other));
    }
}
