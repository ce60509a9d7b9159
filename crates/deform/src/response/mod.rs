//! What to do about it? For vertices in collision: how deep, the nearest way out, one direction for all of a region, and forces.
//!
//! A [`Contact`] is a vertex of one side that lies inside the other, with the nearest point of the other side's surface. Contacts of one
//! connected region of overlap are pushed one way, so that they do not work against each other: between two bodies, against the
//! gradient of the shared volume; where a body overlaps itself, along the sum of the ways out of its two sides.

mod cells;
mod force;
mod regions;
mod within;

pub use cells::{Cells, Nearest, closest_weights};
pub use force::penalty_forces;
pub use regions::{Part, Regions};
pub use within::Within;

use crate::bodies::Pair;
use crate::grid::Grid;
use crate::layers::Surface;
use freiraum_geometry::Vec3;

/// A vertex inside the other side.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Contact {
    /// The vertex's body: 0 or 1 of a pair, 0 if a body overlaps itself.
    pub body: usize,
    /// The vertex.
    pub vertex: u32,
    /// The face of the other side that is nearest.
    pub face: u32,
    /// Its nearest point.
    pub point: Vec3,
    /// What each corner of the face weighs in it.
    pub weights: [f64; 3],
    /// Unit normal of the face, out of the other side.
    pub normal: Vec3,
    /// Distance to the point in metres.
    pub depth: f64,
    /// Unit vector in which the vertex is to be pushed, the same for all of its side of the region.
    pub push: Vec3,
    /// The region of overlap.
    pub region: u32,
}

/// A connected region of overlap.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Region {
    /// In cubic metres.
    pub volume: f64,
    /// Its centre of mass.
    pub center: Vec3,
    /// Unit vector in which the first side is to be pushed and against which the second is; zero if no direction is better than others.
    pub push: Vec3,
    /// Largest depth of its contacts in metres.
    pub depth: f64,
    /// How many contacts it has.
    pub contacts: usize,
}

/// Response between two bodies. Keeps its storage.
#[derive(Debug, Default)]
pub struct Between {
    cells: [Cells; 2],
    labels: Regions,
    /// All contacts, those of the first body first.
    pub contacts: Vec<Contact>,
    /// All regions.
    pub regions: Vec<Region>,
}

impl Between {
    /// Replaces all by the contacts of a pair, whose surfaces are given in its order.
    ///
    /// **Guarantee.** The point of a contact is the nearest one of all of the other surface, and the vertex lies behind it; vertices
    /// are those of [`Pair::vertices`].
    pub fn find(&mut self, pair: &Pair, surfaces: [Surface; 2]) {
        self.labels.connect(&pair.grid, &pair.shared);
        let grid = &pair.grid;
        self.regions.clear();
        self.regions.resize(self.labels.count, Region::default());
        for ((shared, &walls), &label) in pair.shared.iter().zip(&pair.walls).zip(&self.labels.of) {
            let region = &mut self.regions[label as usize];
            add(region, grid, shared);
            region.push -= walls;
        }
        self.regions.iter_mut().for_each(finish);
        self.contacts.clear();
        for body in 0..2 {
            let other = surfaces[1 - body];
            if pair.vertices[body].is_empty() {
                continue;
            }
            self.cells[body].fill(other, 0..other.faces.len() as u32);
            for &vertex in &pair.vertices[body] {
                let point = surfaces[body].vertices[vertex as usize];
                let Some(near) = self.cells[body].nearest(other, point, |_| true) else { continue };
                let Some(region) = label_near(grid, &self.labels, &pair.shared, point) else { continue };
                if near.distance >= 0.0 {
                    continue;
                }
                let one_way = self.regions[region as usize].push * if body == 0 { 1.0 } else { -1.0 };
                let push = if one_way == Vec3::ZERO { way_out(point, &near) } else { one_way };
                self.contacts.push(contact(body, vertex, &near, push, region));
            }
        }
        for contact in &self.contacts {
            let region = &mut self.regions[contact.region as usize];
            region.contacts += 1;
            region.depth = region.depth.max(contact.depth);
        }
    }
}

fn contact(body: usize, vertex: u32, near: &Nearest, push: Vec3, region: u32) -> Contact {
    let Nearest { face, point, weights, normal, distance } = *near;
    Contact { body, vertex, face, point, weights, normal, depth: distance.abs(), push, region }
}

/// From a vertex to its nearest point, or along the normal where both are the same.
fn way_out(vertex: Vec3, near: &Nearest) -> Vec3 {
    (near.point - vertex).try_normalize().unwrap_or(near.normal)
}

/// Adds a part to a region: its steps to the volume, its moment to the centre.
fn add(region: &mut Region, grid: &Grid, part: &impl Part) {
    let [pixel, start, end] = part.part();
    let volume = f64::from(end - start) * grid.step() * grid.pixel_area();
    let middle = 0.5 * (grid.point(pixel as usize, start) + grid.point(pixel as usize, end));
    region.volume += volume;
    region.center += volume * middle;
}

fn finish(region: &mut Region) {
    region.center /= region.volume;
    region.push = region.push.normalize_or_zero();
}

/// The region of the part nearest in depth, on the rays around a point; `None` if all are farther than rays are apart.
fn label_near(grid: &Grid, labels: &Regions, parts: &[impl Part], point: Vec3) -> Option<u32> {
    let [column, row] = grid.place(grid.pixel_of(point)?);
    let depth = ((point[grid.axis.index()] - grid.origin[2]) / grid.step()).max(0.0) as u32;
    let mut best = (regions::slack(grid), None);
    for r in row.saturating_sub(1)..=(row + 1).min(grid.size[1] - 1) {
        for c in column.saturating_sub(1)..=(column + 1).min(grid.size[0] - 1) {
            for k in labels.at(grid.index(c, r)) {
                let [_, start, end] = parts[k].part();
                let gap = start.saturating_sub(depth).max(depth.saturating_sub(end));
                if gap < best.0 {
                    best = (gap, Some(labels.of[k]));
                }
            }
        }
    }
    best.1
}
