//! The response of a body to itself.
//!
//! The faces in and around a region of overlap fall into patches, connected on the surface; each patch lies inside of what
//! the others belong to. A vertex is pushed out of the nearest other patch of its region. Where there is but one patch, as
//! in the crease of a fold, faces that look the other way stand for another one.

use super::{Cells, Contact, Region, Regions, add, contact, label_near, way_out};
use crate::layers::{Layers, Surface};
use freiraum_geometry::Vec3;
use freiraum_geometry::math::UnionFind;

const NONE: u32 = u32::MAX;

/// Response of a body to itself. Keeps its storage.
#[derive(Debug, Default)]
pub struct Within {
    cells: Cells,
    labels: Regions,
    /// The region of each vertex and face in question.
    vertex_region: Vec<u32>,
    face_region: Vec<u32>,
    /// Patches, as sets of vertices.
    sets: UnionFind,
    normals: Vec<Vec3>,
    /// The first patch of each region, and whether there are more.
    patches: Vec<(u32, bool)>,
    /// All contacts, in order of vertices.
    pub contacts: Vec<Contact>,
    /// All regions; the first side is the patch of the first contact.
    pub regions: Vec<Region>,
}

impl Within {
    /// Replaces all by the contacts of a surface with itself, which `layers` has looked at last with level 2.
    ///
    /// **Guarantee.** The point of a contact is the nearest one of all faces of other patches of its region, and the vertex lies behind it, at 60° to
    /// its normal at most.
    pub fn find(&mut self, surface: Surface, layers: &Layers) {
        let (grid, occupancy) = (&layers.image.grid, &layers.occupancy);
        self.labels.connect(grid, &occupancy.intervals);
        self.regions.clear();
        self.regions.resize(self.labels.count, Region::default());
        for (interval, &label) in occupancy.intervals.iter().zip(&self.labels.of) {
            add(&mut self.regions[label as usize], grid, interval);
        }
        self.contacts.clear();
        if self.labels.count == 0 {
            return;
        }
        self.regions.iter_mut().for_each(|r| r.center /= r.volume);
        self.involve(surface, layers);
        self.connect(surface);
        self.measure(surface, layers);
        self.agree(surface);
    }

    /// Vertices in question, of faces hit by a ray in an interval, or as near to one as rays are apart; and all of their faces.
    fn involve(&mut self, surface: Surface, layers: &Layers) {
        let (grid, occupancy) = (&layers.image.grid, &layers.occupancy);
        self.vertex_region.clear();
        let label = |&v: &Vec3| label_near(grid, &self.labels, &occupancy.intervals, v).unwrap_or(NONE);
        self.vertex_region.extend(surface.vertices.iter().map(label));
        for (interval, &label) in occupancy.intervals.iter().zip(&self.labels.of) {
            for f in &layers.image.fragments[interval.first as usize..=interval.last as usize] {
                for v in surface.faces[f.face() as usize] {
                    self.vertex_region[v as usize] = label;
                }
            }
        }
        self.face_region.clear();
        self.face_region.extend(surface.faces.iter().map(|f| {
            let mut regions = f.iter().map(|&v| self.vertex_region[v as usize]);
            regions.find(|&r| r != NONE).unwrap_or(NONE)
        }));
    }

    /// Patches of faces in question, and normals of vertices.
    fn connect(&mut self, surface: Surface) {
        self.sets.reset(surface.vertices.len());
        self.normals.clear();
        self.normals.resize(surface.vertices.len(), Vec3::ZERO);
        self.patches.clear();
        self.patches.resize(self.labels.count, (NONE, false));
        for (face, &region) in surface.faces.iter().zip(&self.face_region) {
            if region == NONE {
                continue;
            }
            let [a, b, c] = face.map(|v| surface.vertices[v as usize]);
            let normal = (b - a).cross(c - a);
            face.iter().for_each(|&v| self.normals[v as usize] += normal);
            for k in 1..3 {
                self.sets.join(face[0], face[k]);
            }
        }
        for (face, &region) in surface.faces.iter().zip(&self.face_region) {
            if region != NONE {
                let patch = self.sets.root(face[0]);
                let seen = &mut self.patches[region as usize];
                *seen = if seen.0 == NONE { (patch, false) } else { (seen.0, seen.1 || seen.0 != patch) };
            }
        }
    }

    /// The nearest way out of every vertex in an interval.
    fn measure(&mut self, surface: Surface, layers: &Layers) {
        let grid = &layers.image.grid;
        let regions = &self.face_region;
        self.cells.fill(surface, (0..surface.faces.len() as u32).filter(|&f| regions[f as usize] != NONE));
        for vertex in 0..surface.vertices.len() as u32 {
            let region = self.vertex_region[vertex as usize];
            if region == NONE {
                continue;
            }
            let point = surface.vertices[vertex as usize];
            // Corners of large faces may be far from the overlap.
            if label_near(grid, &self.labels, &layers.occupancy.intervals, point).is_none() {
                continue;
            }
            let own = self.sets.root(vertex);
            let is_cut = self.patches[region as usize].1;
            let (sets, normals) = (&self.sets, &self.normals);
            let accept = |face: u32| {
                let corners = surface.faces[face as usize];
                if regions[face as usize] != region {
                    return false;
                }
                if is_cut {
                    return sets.root_of(corners[0]) != own;
                }
                !corners.contains(&vertex) && surface.normal(face).dot(normals[vertex as usize]) < 0.0
            };
            let Some(near) = self.cells.nearest(surface, point, accept) else { continue };
            // A way out that slants to the face ends on the rim of the patch: it leads past it, not through it.
            let height = (near.point - point).dot(near.normal);
            if near.distance < 0.0 && 2.0 * height >= -near.distance {
                self.contacts.push(contact(0, vertex, &near, way_out(point, &near), region));
            }
        }
    }

    /// One direction for each patch of a region, against that of all others there.
    fn agree(&mut self, surface: Surface) {
        let way = |c: &Contact| c.point - surface.vertices[c.vertex as usize];
        for contact in &self.contacts {
            let region = &mut self.regions[contact.region as usize];
            let first = self.patches[contact.region as usize].0;
            let is_first = self.sets.root_of(contact.vertex) == first;
            region.push += if is_first { way(contact) } else { -way(contact) };
            region.contacts += 1;
            region.depth = region.depth.max(contact.depth);
        }
        for (region, patch) in self.regions.iter_mut().zip(&self.patches) {
            region.push = if patch.1 { region.push.normalize_or_zero() } else { Vec3::ZERO };
        }
        for contact in &mut self.contacts {
            let push = self.regions[contact.region as usize].push;
            if push != Vec3::ZERO {
                let first = self.patches[contact.region as usize].0;
                contact.push = if self.sets.root_of(contact.vertex) == first { push } else { -push };
            }
        }
    }
}
