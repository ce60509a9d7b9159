//! The convex hull of points of a difference of bodies, grown point by point, its faces in order of their distance.
//!
//! What is above a face is decided up to rounding, which nearly always gives a closed convex surface; the growth tells if it
//! does not. On demand it is decided exactly: then the surface is closed and convex however thin or degenerate the points
//! are, and only distances are rounded.

use super::simplex::Corner;
use freiraum_geometry::Vec3;
use freiraum_geometry::math::power_of_two;
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
    queue: BinaryHeap<Entry>,
    stack: Vec<u32>,
    horizon: Vec<u32>,
    /// A bound on the distance of two corners.
    size: f64,
    is_exact: bool,
}

/// What became of a new corner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Growth {
    /// It is a corner of the hull now.
    Grown,
    /// It does not lie above the face, so nothing has changed.
    NotAbove,
    /// Rounding made the faces below it contradict each other; the hull is of no use any more. Never when exact.
    Broken,
}

impl Polytope {
    /// Starts from a tetrahedron; false if its corners lie exactly in one plane. `size` bounds the distance of any
    /// two points that will ever be added.
    pub(super) fn start(&mut self, corners: [Corner; 4], size: f64, is_exact: bool) -> bool {
        self.corners.clear();
        self.faces.clear();
        self.queue.clear();
        self.size = size;
        self.is_exact = is_exact;
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
            if self.faces[entry.face as usize].is_alive {
                return Some((entry.key, entry.face));
            }
        }
        None
    }

    /// A face, also one that is no longer part of the hull.
    pub(super) fn face(&self, face: u32) -> &Face {
        &self.faces[face as usize]
    }

    /// The corners of a face.
    pub(super) fn corners_of(&self, face: u32) -> [&Corner; 3] {
        self.faces[face as usize].corners.map(|i| &self.corners[i as usize])
    }

    /// Adds a corner above `face`; new faces whose signed squared distance is not below `limit` are never asked for.
    pub(super) fn grow(&mut self, corner: Corner, face: u32, limit: f64) -> Growth {
        if self.side(face, corner.at) != Ordering::Greater {
            return Growth::NotAbove;
        }
        self.find_horizon(corner.at, face);
        if !self.is_horizon_closed() {
            return Growth::Broken;
        }
        let tip = self.corners.len() as u32;
        self.corners.push(corner);
        let first = self.faces.len() as u32;
        let count = self.horizon.len() as u32;
        for i in 0..count {
            let at = self.horizon[i as usize];
            let (beyond, edge) = ((at / 4) as usize, (at % 4) as usize);
            let other = self.faces[beyond].corners;
            let corners = [other[(edge + 1) % 3], other[edge], tip];
            // Edge 1 leads to the next new face, edge 2 to the one before.
            let (next, before) = ((i + 1) % count, (i + count - 1) % count);
            let number = self.add(corners, [at, 4 * (first + next) + 2, 4 * (first + before) + 1], limit);
            self.faces[beyond].across[edge] = 4 * number;
        }
        Growth::Grown
    }

    /// True if the edges of the horizon form one ring: each new face begins where the one before ends.
    fn is_horizon_closed(&self) -> bool {
        let ends = |at: u32| {
            let (corners, edge) = (self.faces[(at / 4) as usize].corners, (at % 4) as usize);
            (corners[(edge + 1) % 3], corners[edge])
        };
        let Some(&last) = self.horizon.last() else { return false };
        let mut end = ends(last).1;
        let mut is_closed = self.horizon.len() >= 3;
        for &at in &self.horizon {
            let (from, to) = ends(at);
            is_closed &= from == end;
            end = to;
        }
        is_closed
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

    /// On which side of a face a point lies; what rounding cannot tell apart from the plane lies in it, unless exact.
    #[inline]
    fn side(&self, face: u32, point: Vec3) -> Ordering {
        let face = &self.faces[face as usize];
        let a = self.corners[face.corners[0] as usize].at;
        let value = face.normal.dot(point - a);
        if value > face.noise {
            Ordering::Greater
        } else if value < -face.noise {
            Ordering::Less
        } else if self.is_exact {
            let [a, b, c] = face.corners.map(|i| self.corners[i as usize].at);
            side_of_plane(a, b, c, point)
        } else {
            Ordering::Equal
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
        // The same as key < limit, without a quotient for those that are not.
        let is_near = face.offset * face.offset.abs() < limit * face.normal_squared;
        if (is_near || !(face.normal_squared > 0.0)) && faces_origin(&face, [a, b, c], self.size) {
            self.queue.push(Entry { key: face.key(), face: number });
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

/// By this share of the area of a face its foot may be outside of it: a billionth.
const SLIGHT: f64 = power_of_two(-30);

/// True if the foot of the origin on the plane lies in the triangle, or nearly, or if the origin is outside. Others cannot
/// be nearest: the nearest point of a convex surface to a point inside is the foot on a face.
fn faces_origin(face: &Face, [a, b, c]: [Vec3; 3], size: f64) -> bool {
    let n = face.normal;
    let (e, f) = (b - a, c - a);
    // Shares of the foot times the square of the normal, which is their sum.
    let (s, t) = (a.cross(e).dot(n), f.cross(a).dot(n));
    let least = s.min(t).min(face.normal_squared - s - t);
    // And the rounding of the products.
    let longest = sum_of_magnitudes(e).max(sum_of_magnitudes(f));
    let slack = SLIGHT * face.normal_squared + 64.0 * f64::EPSILON * size * longest * sum_of_magnitudes(n);
    least >= -slack || face.offset <= 0.0
}

fn sum_of_magnitudes(v: Vec3) -> f64 {
    v.x.abs() + v.y.abs() + v.z.abs()
}
