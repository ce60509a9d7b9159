//! The convex hull of points of a difference of bodies, grown point by point, its faces in order of their distance.
//!
//! What is above a face is decided exactly, so the surface is always closed and convex, however thin or degenerate the
//! points are. Only distances are rounded.

use super::simplex::Corner;
use freiraum_geometry::Vec3;
use freiraum_geometry::math::predicates::side_of_plane;
use std::cmp::Ordering;
use std::collections::BinaryHeap;

/// A triangle of the surface, counter-clockwise seen from outside.
#[derive(Clone, Copy, Debug)]
pub(super) struct Face {
    pub(super) corners: [u32; 3],
    /// Across the edge from corner i to corner i + 1: four times the number of the face there, plus the number of the
    /// same edge in it.
    across: [u32; 3],
    /// Outward, not of unit length.
    pub(super) normal: Vec3,
    pub(super) normal_squared: f64,
    /// The distance of the plane from the origin times the length of the normal.
    pub(super) offset: f64,
    /// Values of the plane at corners of the polytope below this have no certain sign.
    noise: f64,
    is_alive: bool,
}

/// A face in the queue; the least comes first.
#[derive(Clone, Copy, Debug)]
struct Entry {
    key: f64,
    face: u32,
}

impl Ord for Entry {
    fn cmp(&self, other: &Entry) -> Ordering {
        other.key.total_cmp(&self.key).then(other.face.cmp(&self.face))
    }
}

impl PartialOrd for Entry {
    fn partial_cmp(&self, other: &Entry) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Entry {
    fn eq(&self, other: &Entry) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Entry {}

/// The hull and its memory, which is used again.
#[derive(Clone, Debug, Default)]
pub(super) struct Polytope {
    pub(super) corners: Vec<Corner>,
    faces: Vec<Face>,
    free: Vec<u32>,
    queue: BinaryHeap<Entry>,
    stack: Vec<u32>,
    horizon: Vec<u32>,
    /// A bound on the distance of two corners.
    size: f64,
}

impl Polytope {
    /// Starts from a tetrahedron; false if its corners lie exactly in one plane. `size` bounds the distance of any
    /// two points that will ever be added.
    pub(super) fn start(&mut self, corners: [Corner; 4], size: f64) -> bool {
        self.corners.clear();
        self.faces.clear();
        self.free.clear();
        self.queue.clear();
        self.size = size;
        self.corners.extend(corners);
        let [a, b, c, d] = corners.map(|corner| corner.at);
        let faces = match side_of_plane(a, b, c, d) {
            Ordering::Equal => return false,
            Ordering::Less => [[0, 1, 2], [0, 3, 1], [1, 3, 2], [2, 3, 0]],
            Ordering::Greater => [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]],
        };
        // Whose edge runs the other way: found by looking, there are only twelve.
        for corners in faces {
            let across = std::array::from_fn(|i| {
                let (from, to) = (corners[i], corners[(i + 1) % 3]);
                let find = |(k, other): (usize, &[u32; 3])| {
                    let edge = (0..3).find(|&e| other[e] == to && other[(e + 1) % 3] == from)?;
                    Some((4 * k + edge) as u32)
                };
                faces.iter().enumerate().find_map(find).unwrap_or(0)
            });
            self.add(corners, across, f64::INFINITY);
        }
        true
    }

    /// The face nearest to the origin that has not been asked for, with its signed squared distance.
    pub(super) fn next(&mut self) -> Option<(f64, u32)> {
        while let Some(entry) = self.queue.pop() {
            // A face number may have been given to another face since.
            let face = &self.faces[entry.face as usize];
            if face.is_alive && face.key() == entry.key {
                return Some((entry.key, entry.face));
            }
        }
        None
    }

    pub(super) fn face(&self, face: u32) -> &Face {
        &self.faces[face as usize]
    }

    /// The corners of a face.
    pub(super) fn corners_of(&self, face: u32) -> [Corner; 3] {
        self.faces[face as usize].corners.map(|i| self.corners[i as usize])
    }

    /// Adds a corner above `face`; faces whose squared distance exceeds `limit` are never asked for. False if the
    /// corner is not above the face.
    pub(super) fn grow(&mut self, corner: Corner, face: u32, limit: f64) -> bool {
        if self.side(face, corner.at) != Ordering::Greater {
            return false;
        }
        self.find_horizon(corner.at, face);
        let tip = self.corners.len() as u32;
        self.corners.push(corner);
        let count = self.horizon.len();
        // The new faces take the places of dead ones first; their numbers must be known for linking.
        let mut first = 0;
        let mut last = 0;
        for i in 0..count {
            let (beyond, edge) = ((self.horizon[i] / 4) as usize, (self.horizon[i] % 4) as usize);
            let other = self.faces[beyond].corners;
            let corners = [other[(edge + 1) % 3], other[edge], tip];
            // Edge 1 leads to the next new face, edge 2 to the one before.
            let number = self.add(corners, [self.horizon[i], 0, 4 * last + 1], limit);
            self.faces[beyond].across[edge] = 4 * number;
            if i == 0 {
                first = number;
            } else {
                self.faces[last as usize].across[1] = 4 * number + 2;
            }
            last = number;
        }
        self.faces[last as usize].across[1] = 4 * first + 2;
        self.faces[first as usize].across[2] = 4 * last + 1;
        true
    }

    /// Kills the faces that have the point on or above their plane, and lists the edges of those around them in order.
    ///
    /// Faces in one plane with the point go too: else a new face could have its corners in line.
    fn find_horizon(&mut self, point: Vec3, seen: u32) {
        self.horizon.clear();
        self.stack.clear();
        self.kill(seen);
        let across = self.faces[seen as usize].across;
        self.stack.extend([across[2], across[1], across[0]]);
        while let Some(at) = self.stack.pop() {
            let (face, edge) = (at / 4, (at % 4) as usize);
            if !self.faces[face as usize].is_alive {
                continue;
            }
            if self.side(face, point) == Ordering::Less {
                self.horizon.push(at);
            } else {
                self.kill(face);
                let across = self.faces[face as usize].across;
                self.stack.extend([across[(edge + 2) % 3], across[(edge + 1) % 3]]);
            }
        }
    }

    fn kill(&mut self, face: u32) {
        self.faces[face as usize].is_alive = false;
    }

    /// On which side of a face a point lies; exact.
    fn side(&self, face: u32, point: Vec3) -> Ordering {
        let face = &self.faces[face as usize];
        let [a, b, c] = face.corners.map(|i| self.corners[i as usize].at);
        let value = face.normal.dot(point - a);
        if value > face.noise {
            Ordering::Greater
        } else if value < -face.noise {
            Ordering::Less
        } else {
            side_of_plane(a, b, c, point)
        }
    }

    fn add(&mut self, corners: [u32; 3], across: [u32; 3], limit: f64) -> u32 {
        let [a, b, c] = corners.map(|i| self.corners[i as usize].at);
        let (e, f) = (b - a, c - a);
        let normal = e.cross(f);
        let spread = sum_of_magnitudes(e) * sum_of_magnitudes(f);
        let face = Face {
            corners,
            across,
            normal,
            normal_squared: normal.length_squared(),
            offset: normal.dot(a),
            // Twelve roundings on the way of each term at most; the size bounds the distance to the corner.
            noise: 16.0 * f64::EPSILON * spread * self.size,
            is_alive: true,
        };
        let number = self.faces.len() as u32;
        self.faces.push(face);
        let key = face.key();
        if key < limit && faces_origin(&face, [a, b, c], self.size) {
            self.queue.push(Entry { key, face: number });
        }
        number
    }
}

impl Face {
    /// The squared distance from the origin with the sign of the distance; NaN never, a face without area is at zero.
    fn key(&self) -> f64 {
        if self.normal_squared > 0.0 { self.offset * self.offset.abs() / self.normal_squared } else { 0.0 }
    }
}

/// True if the foot of the origin on the plane lies in the triangle, or nearly, or if the origin is outside. Others cannot
/// be nearest: the nearest point of a convex surface to a point inside is the foot on a face.
fn faces_origin(face: &Face, [a, b, c]: [Vec3; 3], size: f64) -> bool {
    let n = face.normal;
    let (e, f, g) = (b - a, c - b, a - c);
    let share = [a.cross(e).dot(n), b.cross(f).dot(n), c.cross(g).dot(n)];
    let least = share[0].min(share[1]).min(share[2]);
    let longest = sum_of_magnitudes(e).max(sum_of_magnitudes(f));
    // A billionth of the area, and the rounding of the products.
    let slack =
        face.normal_squared / (1 << 30) as f64 + 64.0 * f64::EPSILON * size * longest * sum_of_magnitudes(n);
    least >= -slack || face.offset <= 0.0
}

fn sum_of_magnitudes(v: Vec3) -> f64 {
    v.x.abs() + v.y.abs() + v.z.abs()
}
