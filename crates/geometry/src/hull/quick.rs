//! Quickhull: grow a tetrahedron by the farthest point outside a face until nothing is outside.
//!
//! A face is *visible* from a point if the point lies strictly above its plane; a coplanar face is not. With exact
//! signs this rule alone keeps the surface sound on degenerate input:
//!
//! - The visible faces of a point outside form one disk, because all triangles of a flat facet share one plane and so are
//!   all visible or all not. Its rim passes each vertex once.
//! - A rim edge borders a visible face, so the new point is never on its line: new triangles have area. One that is
//!   coplanar with the face behind the rim extends that facet.
//! - A point that was above a removed face and is still outside is above a new face: if it is above a face behind the
//!   rim too, then its visible faces cross the rim somewhere, and the new face there lies between the two.
//!
//! So each outside point needs to wait at only one face that it is above. The result is convex, but may have vertices
//! inside flat facets or straight edges; [`super::facets`] removes them.

use super::plane::{Plane, certain_side, exact_side};
use crate::math::{Aabb, Vec3};
use std::cmp::Ordering;
use std::collections::VecDeque;

/// No point, no face.
pub(super) const NONE: u32 = u32::MAX;

/// A closed convex surface of triangles.
pub(super) struct Surface {
    /// Removed faces stay in the array, waiting to be used again.
    pub(super) faces: Vec<Face>,
}

/// A triangle with its neighbours; edge k runs from corner k to corner k + 1.
#[derive(Clone, Copy, Debug)]
pub(super) struct Face {
    /// Point numbers, counter-clockwise from outside.
    pub(super) corners: [u32; 3],
    /// For each edge, the same edge seen from the neighbour.
    pub(super) twins: [Edge; 3],
    pub(super) plane: Plane,
    /// Head of the list of outside points that wait here: the highest of them.
    waiting: u32,
    /// Height of that point.
    highest: f64,
    /// Number of the last step that saw this face; [`REMOVED`] if it is no longer part of the surface.
    step: u32,
}

const REMOVED: u32 = u32::MAX;

impl Face {
    pub(super) fn is_removed(&self) -> bool {
        self.step == REMOVED
    }

    /// The side of this face's plane that `p` lies on, exactly.
    pub(super) fn side(&self, points: &[Vec3], p: Vec3) -> Ordering {
        let height = self.plane.height(p);
        certain_side(height, &self.plane).unwrap_or_else(|| exact_side(points, self.corners, p))
    }
}

/// A face and one of its edges, packed: four times the face plus 0, 1 or 2.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Edge(u32);

impl Edge {
    pub(super) fn new(face: usize, side: usize) -> Edge {
        Edge(4 * face as u32 + side as u32)
    }

    pub(super) fn face(self) -> usize {
        (self.0 >> 2) as usize
    }

    pub(super) fn side(self) -> usize {
        (self.0 & 3) as usize
    }
}

/// The hull of points around a tetrahedron of four of them (the fourth below the plane of the first three).
pub(super) fn surface(points: &[Vec3], bounds: &Aabb, tetrahedron: [u32; 4]) -> Surface {
    let mut growth = Growth {
        points,
        size: bounds.size(),
        faces: Vec::new(),
        free: Vec::new(),
        next_waiting: vec![NONE; points.len()],
        face_from: vec![NONE; points.len()],
        todo: VecDeque::new(),
        visible: Vec::new(),
        rim: Vec::new(),
        fresh: Vec::new(),
    };
    growth.start(tetrahedron);
    let mut step = 0;
    // One face for so many points: then few enough points wait at each for any order to be good.
    let coarse = points.len() / 16;
    while let Some(face) = growth.next_face(coarse) {
        if growth.faces[face as usize].waiting != NONE {
            step += 1;
            growth.add_highest_point_of(face, step);
        }
    }
    Surface { faces: growth.faces }
}

/// The growing surface and the arrays that every step uses again.
struct Growth<'p> {
    points: &'p [Vec3],
    size: Vec3,
    faces: Vec<Face>,
    free: Vec<u32>,
    /// For each waiting point the next one at the same face.
    next_waiting: Vec<u32>,
    /// For each vertex of the present rim the new face whose first edge starts there.
    face_from: Vec<u32>,
    /// Faces where points wait, or waited before the face was removed.
    todo: VecDeque<u32>,
    visible: Vec<u32>,
    rim: Vec<Edge>,
    fresh: Vec<u32>,
}

impl Growth<'_> {
    fn start(&mut self, [a, b, c, d]: [u32; 4]) {
        for corners in [[a, b, c], [b, a, d], [c, b, d], [a, c, d]] {
            let face = self.new_face(corners);
            self.fresh.push(face);
        }
        for (here, there) in [((0, 0), (1, 0)), ((0, 1), (2, 0)), ((0, 2), (3, 0))] {
            self.join(Edge::new(here.0, here.1), Edge::new(there.0, there.1));
        }
        for (here, there) in [((1, 1), (3, 2)), ((2, 1), (1, 2)), ((3, 1), (2, 2))] {
            self.join(Edge::new(here.0, here.1), Edge::new(there.0, there.1));
        }
        for point in 0..self.points.len() as u32 {
            self.let_wait(point);
        }
        self.remember_fresh();
    }

    /// Where to go on: everywhere in turn while the surface has less than `coarse` faces, then near the last step.
    ///
    /// Near the last step everything is in the cache. But if one end of a cylinder were finished first, each point
    /// of the other end would see a whole fan of triangles, and the cost would be quadratic.
    fn next_face(&mut self, coarse: usize) -> Option<u32> {
        if self.faces.len() < coarse { self.todo.pop_front() } else { self.todo.pop_back() }
    }

    /// Puts the fresh faces where points wait on the list of things to do. No points come to a face later.
    fn remember_fresh(&mut self) {
        let faces = &self.faces;
        self.todo.extend(self.fresh.drain(..).filter(|&face| faces[face as usize].waiting != NONE));
    }

    /// One step: the surface grows by the highest point that waits at `face`.
    fn add_highest_point_of(&mut self, face: u32, step: u32) {
        let apex = self.faces[face as usize].waiting;
        self.find_visible(face, apex, step);
        for k in 0..self.rim.len() {
            let outer = self.rim[k];
            let corners = &self.faces[outer.face()].corners;
            let (start, end) = (corners[(outer.side() + 1) % 3], corners[outer.side()]);
            let fresh = self.new_face([start, end, apex]);
            self.join(Edge::new(fresh as usize, 0), outer);
            self.face_from[start as usize] = fresh;
            self.fresh.push(fresh);
        }
        for k in 0..self.fresh.len() {
            let face = self.fresh[k] as usize;
            let next = self.face_from[self.faces[face].corners[1] as usize] as usize;
            self.join(Edge::new(face, 1), Edge::new(next, 2));
        }
        let p = self.points[apex as usize];
        for k in 0..self.visible.len() {
            let gone = self.visible[k];
            self.free.push(gone);
            let mut point = std::mem::replace(&mut self.faces[gone as usize].waiting, NONE);
            while point != NONE {
                let next = self.next_waiting[point as usize];
                // The apex and its equals are on the surface now.
                if self.points[point as usize] != p {
                    self.let_wait(point);
                }
                point = next;
            }
        }
        self.remember_fresh();
    }

    /// Collects the faces visible from the point `apex`, which is above `face`, and the edges of the rim around them as
    /// seen from outside the rim.
    fn find_visible(&mut self, face: u32, apex: u32, step: u32) {
        self.visible.clear();
        self.rim.clear();
        self.visible.push(face);
        self.faces[face as usize].step = REMOVED;
        let p = self.points[apex as usize];
        let mut seen = 0;
        while let Some(&face) = self.visible.get(seen) {
            seen += 1;
            for twin in self.faces[face as usize].twins {
                let other = &self.faces[twin.face()];
                if other.step == REMOVED {
                    continue;
                }
                if other.step != step && other.side(self.points, p).is_gt() {
                    self.faces[twin.face()].step = REMOVED;
                    self.visible.push(twin.face() as u32);
                } else {
                    self.faces[twin.face()].step = step;
                    self.rim.push(twin);
                }
            }
        }
    }

    fn new_face(&mut self, corners: [u32; 3]) -> u32 {
        let [a, b, c] = corners.map(|i| self.points[i as usize]);
        let face = Face {
            corners,
            twins: [Edge(NONE); 3],
            plane: Plane::new(a, b, c, self.size),
            waiting: NONE,
            highest: 0.0,
            step: 0,
        };
        match self.free.pop() {
            Some(old) => {
                self.faces[old as usize] = face;
                old
            }
            None => {
                self.faces.push(face);
                self.faces.len() as u32 - 1
            }
        }
    }

    fn join(&mut self, a: Edge, b: Edge) {
        self.faces[a.face()].twins[a.side()] = b;
        self.faces[b.face()].twins[b.side()] = a;
    }

    /// Puts a point into the list of a fresh face that it is above, or nowhere if there is none.
    ///
    /// Equal points take the same way through all steps, and the lower index goes first.
    fn let_wait(&mut self, point: u32) {
        let p = self.points[point as usize];
        for k in 0..self.fresh.len() {
            let number = self.fresh[k] as usize;
            let face = &mut self.faces[number];
            let height = face.plane.height(p);
            let side = certain_side(height, &face.plane);
            if side.unwrap_or_else(|| exact_side(self.points, face.corners, p)).is_le() {
                continue;
            }
            let head = face.waiting;
            if head == NONE || height > face.highest || (height == face.highest && point < head) {
                face.waiting = point;
                face.highest = height;
                self.next_waiting[point as usize] = head;
            } else {
                let second = std::mem::replace(&mut self.next_waiting[head as usize], point);
                self.next_waiting[point as usize] = second;
            }
            return;
        }
    }
}
