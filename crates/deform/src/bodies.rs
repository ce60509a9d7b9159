//! Do they run into each other? Several bodies, each pair looked at only where their boxes overlap.
//!
//! Both bodies of a pair are drawn on one grid, the common part of their boxes; what both are inside of, along a ray, they share.
//! A body that overlaps itself is inside where it is at least once.

use crate::confirm::{corners, is_real};
use crate::grid::{Axis, Grid, LayerError, MAX_SIZE};
use crate::layers::{Layers, Surface, View};
use crate::occupancy::{Fault, FaultKind, Interval, NOISE, Occupancy};
use crate::volume::{Sums, Volume};
use freiraum_geometry::{Aabb, Vec3};

/// A face of one of two bodies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Side {
    /// 0 is the first body of the pair, 1 the second.
    pub body: usize,
    /// The face of that body.
    pub face: u32,
}

/// A part of a ray that lies in both bodies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shared {
    /// The ray.
    pub pixel: u32,
    /// Depth of its start, in steps.
    pub start: u32,
    /// Depth of its end.
    pub end: u32,
    /// Entered last, and left first. Of two at the same depth it is the first body's, and the other one's is in [`Pair::coincident`].
    pub sides: [Side; 2],
}

/// Where a surface is ill, as a ray has seen it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Place {
    /// What is wrong.
    pub kind: FaultKind,
    /// Where the ray has seen it, in metres.
    pub point: Vec3,
    /// At which face.
    pub face: u32,
}

/// What two bodies share.
#[derive(Clone, Debug, PartialEq)]
pub struct Pair {
    /// Which bodies, the smaller number first.
    pub bodies: [usize; 2],
    /// Where both were drawn. Coarser than asked for if single triangles are thousands of times as large as the region.
    pub grid: Grid,
    /// All that is shared, in order of pixels and depth; nothing if no ray is in it for longer than rounding may have made: [`mod@crate::confirm`].
    pub shared: Vec<Shared>,
    /// Faces that end shared parts together with one of their sides: they are as deep, up to noise.
    pub coincident: Vec<Side>,
    /// Its volume.
    pub volume: Volume,
    /// Where each body is open or inside out, one for each such ray; nothing is counted there.
    pub faults: [Vec<Place>; 2],
    /// Vertices of the first body inside the second, and of the second inside the first: their nearest ray says so. Exact for
    /// vertices that are farther than half a pixel's diagonal from the other surface.
    pub vertices: [Vec<u32>; 2],
    /// For each shared part, the integral of the outward normal over the first body's surface around it, less that over the second's, in
    /// square metres: moving the first body against it takes most away from what is shared.
    pub walls: Vec<Vec3>,
    lengths: Vec<u32>,
}

/// Which body cannot be looked at, and why.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("body {body}: {error}")]
pub struct BodyError {
    /// Which one; the first of a pair that has no grid.
    pub body: usize,
    /// Why.
    pub error: LayerError,
}

/// Looks at pairs of bodies, frame after frame; keeps all storage.
#[derive(Debug, Default)]
pub struct Bodies {
    layers: [Layers; 2],
    boxes: Vec<Aabb>,
    pairs: Vec<Pair>,
}

impl Bodies {
    /// All pairs of bodies whose boxes overlap, with what they share.
    ///
    /// **Guarantee.** Pairs that are not in the list are apart or touch. Of those that are, see [`Pair::volume`].
    pub fn pairs(&mut self, bodies: &[Surface], view: &View) -> Result<&[Pair], BodyError> {
        self.boxes.clear();
        for (body, surface) in bodies.iter().enumerate() {
            self.boxes.push(surface.bounds().map_err(|error| BodyError { body, error })?);
        }
        let mut used = 0;
        for a in 0..bodies.len() {
            for b in a + 1..bodies.len() {
                let region = common(&self.boxes[a], &self.boxes[b]);
                if !(region.size().min_element() > 0.0) {
                    continue;
                }
                let both = [a, b].map(|k| bodies[k]);
                let axis = view.axis.unwrap_or(Axis::longest(&region));
                let reach = self.boxes[a].union(&self.boxes[b]);
                let grid = pair_grid(both, &region, &reach, axis, view.size)
                    .map_err(|error| BodyError { body: a, error })?;
                self.measure(used, both, &grid, view.threaded)
                    .map_err(|(k, error)| BodyError { body: [a, b][k], error })?;
                self.pairs[used].bodies = [a, b];
                used += 1;
            }
        }
        Ok(&self.pairs[..used])
    }

    /// What two bodies share on a grid in whose reach both are.
    pub fn pair_on(&mut self, both: [Surface; 2], grid: &Grid, threaded: bool) -> Result<&Pair, LayerError> {
        self.measure(0, both, grid, threaded).map_err(|(_, error)| error)?;
        self.pairs[0].bodies = [0, 1];
        Ok(&self.pairs[0])
    }

    /// The same into a place; an error says which of the two it is of.
    fn measure(
        &mut self,
        place: usize,
        both: [Surface; 2],
        grid: &Grid,
        threaded: bool,
    ) -> Result<(), (usize, LayerError)> {
        if place == self.pairs.len() {
            self.pairs.push(Pair::empty(*grid));
        }
        for (k, body) in both.into_iter().enumerate() {
            self.layers[k].look(body, grid, 1, threaded).map_err(|error| (k, error))?;
        }
        self.pairs[place].measure(grid, both, &self.layers);
        Ok(())
    }
}

/// The common part of two boxes; its size is not positive if there is none.
#[must_use]
pub fn common(a: &Aabb, b: &Aabb) -> Aabb {
    Aabb { min: a.min.max(b.min), max: a.max.min(b.max) }
}

/// The grid of what two boxes share. Pixels have as many units as the triangles there allow: those beside it do not count. Where triangles are so
/// much larger than the region that nothing fits, there are fewer pixels than asked for, first in the direction that has most of them on all there is.
pub(crate) fn pair_grid(
    both: [Surface; 2],
    region: &Aabb,
    reach: &Aabb,
    axis: Axis,
    mut size: [u32; 2],
) -> Result<Grid, LayerError> {
    let [u, v, _] = axis.order();
    // One pixel around the region: there each body may end. It is no wider than the region.
    let around = Aabb { min: region.min - region.size(), max: region.max + region.size() };
    let largest = largest(both, &around, [u, v]);
    loop {
        let mut with_rim = *region;
        for (k, &n) in [u, v].into_iter().zip(&size) {
            let rim = if n > 2 { region.size()[k] / f64::from(n - 2) } else { 0.0 };
            with_rim.min[k] -= rim;
            with_rim.max[k] += rim;
        }
        match Grid::region_of(&with_rim, reach, largest, axis, size) {
            Err(LayerError::TooFarOut) if size != [1, 1] => {
                let across = |k: usize, n: u32| reach.size()[k] / region.size()[k] * f64::from(n);
                let is_first = size[1] == 1 || (size[0] > 1 && across(u, size[0]) >= across(v, size[1]));
                let k = usize::from(!is_first);
                size[k] = size[k].div_ceil(2);
            }
            grid => return grid,
        }
    }
}

/// The grid of what two boxes share with square pixels of this size, in metres, and at least one around it: pixels are not smaller where the
/// region is thin, so that they are not too small for what reaches far out of it.
pub(crate) fn pair_grid_of(
    both: [Surface; 2],
    region: &Aabb,
    reach: &Aabb,
    axis: Axis,
    pixel: f64,
) -> Result<Grid, LayerError> {
    let [u, v, _] = axis.order();
    let count = [u, v].map(|k| (region.size()[k] / pixel).ceil());
    if !(count[0].max(count[1]) <= f64::from(MAX_SIZE)) {
        return Err(LayerError::Size(count[0] as u32, count[1] as u32));
    }
    let size = count.map(|n| (n as u32 + 2).min(MAX_SIZE));
    let mut with_rim = *region;
    for (k, n) in [u, v].into_iter().zip(size) {
        let half = 0.5 * f64::from(n) * pixel;
        (with_rim.min[k], with_rim.max[k]) = (region.center()[k] - half, region.center()[k] + half);
    }
    Grid::region_of(&with_rim, reach, largest(both, &with_rim, [u, v]), axis, size)
}

/// Width and height of the largest triangles of two bodies that meet the shadow of a box, in metres.
fn largest(both: [Surface; 2], around: &Aabb, [u, v]: [usize; 2]) -> [f64; 2] {
    let mut largest = [0.0_f64; 2];
    for surface in both {
        for face in surface.faces {
            let [p, q, r] = face.map(|k| surface.vertices[k as usize]);
            let (min, max) = (p.min(q).min(r), p.max(q).max(r));
            let meets = |k: usize| min[k] <= around.max[k] && max[k] >= around.min[k];
            if meets(u) && meets(v) {
                largest = [largest[0].max(max[u] - min[u]), largest[1].max(max[v] - min[v])];
            }
        }
    }
    largest
}

impl Pair {
    fn empty(grid: Grid) -> Pair {
        Pair {
            bodies: [0; 2],
            grid,
            shared: Vec::new(),
            coincident: Vec::new(),
            volume: Volume::default(),
            faults: [Vec::new(), Vec::new()],
            vertices: [Vec::new(), Vec::new()],
            walls: Vec::new(),
            lengths: Vec::new(),
        }
    }

    /// Whether some ray lies in both for longer than rounding may have made it. "No" is no proof: see `docs/deformable.md` on what may be missed.
    #[must_use]
    pub fn collides(&self) -> bool {
        !self.shared.is_empty()
    }

    fn measure(&mut self, grid: &Grid, surfaces: [Surface; 2], layers: &[Layers; 2]) {
        self.grid = *grid;
        self.shared.clear();
        self.coincident.clear();
        self.walls.clear();
        self.lengths.clear();
        self.lengths.resize(grid.pixels(), 0);
        let [a, b] = [0, 1].map(|k| &layers[k].occupancy.intervals);
        let (mut i, mut j) = (0, 0);
        while i < a.len() && j < b.len() {
            let (x, y) = (&a[i], &b[j]);
            if x.pixel == y.pixel {
                let (start, end) = (x.start.max(y.start), x.end.min(y.end));
                if end > start + NOISE {
                    let side = |body: usize, fragment: u32| Side {
                        body,
                        face: layers[body].image.fragments[fragment as usize].face(),
                    };
                    let [first, also_first] =
                        ordered(x.start >= y.start, [side(0, x.first), side(1, y.first)]);
                    let [last, also_last] = ordered(x.end <= y.end, [side(0, x.last), side(1, y.last)]);
                    self.coincident.extend((x.start.abs_diff(y.start) <= NOISE).then_some(also_first));
                    self.coincident.extend((x.end.abs_diff(y.end) <= NOISE).then_some(also_last));
                    let shared = Shared { pixel: x.pixel, start, end, sides: [first, last] };
                    self.walls.push(walls(grid, &shared, [0, 1].map(|k| &layers[k].occupancy)));
                    self.shared.push(shared);
                    self.lengths[x.pixel as usize] += end - start;
                }
            }
            if (x.pixel, x.end) <= (y.pixel, y.end) { i += 1 } else { j += 1 }
        }
        let end = |side: Side| corners(&layers[side.body].snapped, surfaces[side.body].faces, side.face);
        if !self.shared.iter().any(|one| is_real(one.end - one.start, one.sides.map(end))) {
            self.shared.clear();
            self.coincident.clear();
            self.walls.clear();
            self.lengths.fill(0);
        }
        self.volume = Sums::of(grid, &self.lengths, self.shared.len()).volume(grid);
        for k in 0..2 {
            let (image, faults) = (&layers[k].image, &layers[k].occupancy.faults);
            let place =
                |one: &Fault| Place { kind: one.kind, point: one.point(image), face: one.face(image) };
            self.faults[k].clear();
            self.faults[k].extend(faults.iter().map(place));
            vertices_inside(grid, surfaces[k].vertices, &layers[1 - k].occupancy, &mut self.vertices[k]);
        }
    }
}

fn ordered(is_first: bool, [a, b]: [Side; 2]) -> [Side; 2] {
    if is_first { [a, b] } else { [b, a] }
}

/// See [`Pair::walls`]: columns have a bottom, a top, and walls where a neighbour is not in the body.
fn walls(grid: &Grid, shared: &Shared, bodies: [&Occupancy; 2]) -> Vec3 {
    let order = grid.axis.order();
    let mut sum = Vec3::ZERO;
    let of_first = |side: Side| if side.body == 0 { 1.0 } else { -1.0 };
    sum[order[2]] = grid.pixel_area() * (of_first(shared.sides[1]) - of_first(shared.sides[0]));
    let place = grid.place(shared.pixel as usize);
    for (k, across) in [(0, 1), (1, 0)] {
        for (is_up, sign) in [(true, 1.0), (false, -1.0)] {
            let mut neighbour = place;
            let is_last = if is_up { place[k] + 1 == grid.size[k] } else { place[k] == 0 };
            neighbour[k] = if is_up { place[k] + 1 } else { place[k].wrapping_sub(1) };
            let alone = bodies.map(|body| {
                let columns =
                    if is_last { &[] } else { body.of_pixel(grid.index(neighbour[0], neighbour[1])) };
                let both = |i: &Interval| i.end.min(shared.end).saturating_sub(i.start.max(shared.start));
                f64::from(shared.end - shared.start - columns.iter().map(both).sum::<u32>())
            });
            sum[order[k]] += sign * (alone[0] - alone[1]) * grid.step() * grid.pixel[across];
        }
    }
    sum
}

/// Numbers of the points whose nearest ray is, at their depth, in an interval; `out` is replaced.
pub fn vertices_inside(grid: &Grid, points: &[Vec3], occupancy: &Occupancy, out: &mut Vec<u32>) {
    out.clear();
    for (number, &p) in points.iter().enumerate() {
        let Some(pixel) = grid.pixel_of(p) else { continue };
        let depth = (p[grid.axis.index()] - grid.origin[2]) / grid.step();
        let holds = |i: &Interval| f64::from(i.start) <= depth && depth <= f64::from(i.end);
        if occupancy.of_pixel(pixel).iter().any(holds) {
            out.push(number as u32);
        }
    }
}
