//! From a convex surface of triangles to the hull: coplanar triangles become facets, facets keep their true corners.

use super::SolidHull;
use super::flat::{drop_axis, project};
use super::quick::{Edge, Face, NONE, Surface};
use crate::math::Vec3;
use crate::math::predicates::side_of_line;

/// The surface with extreme points only, as triangles of point numbers.
pub(super) fn triangles(points: &[Vec3], surface: &Surface) -> Vec<[u32; 3]> {
    let mut cleaning = Cleaning {
        points,
        faces: &surface.faces,
        done: surface.faces.iter().map(Face::is_removed).collect(),
        inner: surface.faces.iter().map(|_| [false; 3]).collect(),
        members: Vec::new(),
        outline: Vec::new(),
        corners: Vec::new(),
        triangles: Vec::new(),
    };
    cleaning.mark_inner_edges();
    for face in 0..surface.faces.len() {
        if !cleaning.done[face] {
            cleaning.take_facet(face);
        }
    }
    cleaning.triangles
}

struct Cleaning<'p> {
    points: &'p [Vec3],
    faces: &'p [Face],
    done: Vec<bool>,
    /// For each edge of each face: both sides lie in one plane.
    inner: Vec<[bool; 3]>,
    /// Faces of the present facet, its rim, and the corners of the rim.
    members: Vec<usize>,
    outline: Vec<u32>,
    corners: Vec<u32>,
    /// Corners as point numbers.
    triangles: Vec<[u32; 3]>,
}

impl Cleaning<'_> {
    fn mark_inner_edges(&mut self) {
        for (number, face) in self.faces.iter().enumerate() {
            if self.done[number] {
                continue;
            }
            for (k, twin) in face.twins.into_iter().enumerate() {
                let opposite = self.faces[twin.face()].corners[(twin.side() + 2) % 3];
                // Each edge is decided once, from the face with the lower number.
                if number < twin.face() && face.side(self.points, self.points[opposite as usize]).is_eq() {
                    self.inner[number][k] = true;
                    self.inner[twin.face()][twin.side()] = true;
                }
            }
        }
    }

    /// Adds the triangles of the whole facet that `face` belongs to.
    fn take_facet(&mut self, face: usize) {
        if self.inner[face] == [false; 3] {
            self.done[face] = true;
            self.triangles.push(self.faces[face].corners);
            return;
        }
        // Facets are connected: spread over the inner edges.
        self.members.clear();
        self.members.push(face);
        self.done[face] = true;
        let mut seen = 0;
        let mut start = None;
        while let Some(&member) = self.members.get(seen) {
            seen += 1;
            for k in 0..3 {
                let other = self.faces[member].twins[k].face();
                if !self.inner[member][k] {
                    start = Some(Edge::new(member, k));
                } else if !self.done[other] {
                    self.done[other] = true;
                    self.members.push(other);
                }
            }
        }
        if let Some(start) = start {
            self.walk_outline(start);
            self.keep_corners(face);
            self.triangulate();
        }
    }

    /// Collects the vertices on the rim of a facet, beginning with the edge `start` of the rim.
    fn walk_outline(&mut self, start: Edge) {
        self.outline.clear();
        let mut edge = start;
        loop {
            self.outline.push(self.faces[edge.face()].corners[edge.side()]);
            edge = Edge::new(edge.face(), (edge.side() + 1) % 3);
            while self.inner[edge.face()][edge.side()] {
                let twin = self.faces[edge.face()].twins[edge.side()];
                edge = Edge::new(twin.face(), (twin.side() + 1) % 3);
            }
            if edge == start {
                return;
            }
        }
    }

    /// Leaves out the vertices on straight edges. The neighbouring facets leave out the same ones.
    fn keep_corners(&mut self, face: usize) {
        let [a, b, c] = self.faces[face].corners.map(|i| self.points[i as usize]);
        let axis = drop_axis(a, b, c);
        let flat = |i: u32| project(self.points[i as usize], axis);
        let n = self.outline.len();
        let is_corner = |k: usize| {
            let [p, q, r] = [(k + n - 1) % n, k, (k + 1) % n].map(|k| flat(self.outline[k]));
            side_of_line(p, q, r).is_ne()
        };
        self.corners.clear();
        self.corners.extend((0..n).filter(|&k| is_corner(k)).map(|k| self.outline[k]));
    }

    /// Cuts off every other corner of the facet until a triangle is left: no corner gets many triangles.
    fn triangulate(&mut self) {
        let first = (0..self.corners.len()).min_by_key(|&k| self.corners[k]).unwrap_or(0);
        self.corners.rotate_left(first);
        while self.corners.len() > 3 {
            let n = self.corners.len();
            for k in (0..n - 1).step_by(2) {
                let [a, b, c] = [k, k + 1, (k + 2) % n].map(|k| self.corners[k]);
                self.triangles.push([a, b, c]);
            }
            let mut k = 0;
            self.corners.retain(|_| {
                k += 1;
                k % 2 == 1
            });
        }
        if let &[a, b, c] = &self.corners[..] {
            self.triangles.push([a, b, c]);
        }
    }
}

/// The hull of triangles whose corners are numbers below `points`.
pub(super) fn solid(points: usize, mut faces: Vec<[u32; 3]>) -> SolidHull {
    let mut number = vec![NONE; points];
    for &i in faces.as_flattened() {
        number[i as usize] = 0;
    }
    let mut vertices = Vec::new();
    for (i, n) in number.iter_mut().enumerate() {
        if *n == 0 {
            *n = vertices.len() as u32;
            vertices.push(i as u32);
        }
    }
    for i in faces.as_flattened_mut() {
        *i = number[*i as usize];
    }
    SolidHull { vertices, faces }
}
