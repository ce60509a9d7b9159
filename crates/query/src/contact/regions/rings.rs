//! Crossing faces chained into rings, and rings joined by the surface between them.

use super::groups::Seen;
use crate::elementary::segment_triangle_intersect;
use crate::mesh_tree::all_intersections;
use crate::prepared::Surface;
use crate::workspace::with_meshes;
use freiraum_geometry::math::{UnionFind, unit};
use freiraum_geometry::{Mat3, Pose, Vec3};

/// One mesh of the two, placed in the frame of a.
pub(super) struct Side<'s> {
    surface: &'s Surface,
    rotation: Mat3,
    translation: Vec3,
}

impl<'s> Side<'s> {
    pub(super) fn new(surface: &'s Surface, a_from_mesh: &Pose) -> Side<'s> {
        Side { surface, rotation: a_from_mesh.rotation_matrix(), translation: a_from_mesh.translation() }
    }

    /// True if the surface is closed.
    pub(super) fn is_solid(&self) -> bool {
        self.surface.is_solid()
    }

    /// A point of the mesh in the frame of a, rounded just as the search for crossing faces rounds it.
    fn placed(&self, p: Vec3) -> Vec3 {
        self.rotation * p + self.translation
    }

    pub(super) fn vertex(&self, v: u32) -> Vec3 {
        self.placed(self.surface.mesh().vertices()[v as usize])
    }

    pub(super) fn triangle(&self, face: u32) -> [Vec3; 3] {
        self.surface.mesh().triangle(face as usize).map(|p| self.placed(p))
    }

    /// The vertices of a face.
    pub(super) fn corners(&self, face: u32) -> [u32; 3] {
        self.surface.mesh().faces()[face as usize]
    }

    /// A direction out of the surface at a vertex: a unit vector, or zero.
    pub(super) fn outward(&self, vertex: u32) -> Vec3 {
        self.rotation * self.surface.outward()[vertex as usize]
    }

    /// The faces beyond the edge of a face from corner k to the next.
    pub(super) fn beyond(&self, face: u32, k: usize) -> impl Iterator<Item = u32> {
        let edge = self.surface.topology().face_edges(face as usize).map(|edges| edges[k]);
        let uses = edge.map_or(&[][..], |edge| self.surface.topology().edge_uses(edge as usize));
        uses.iter().map(|u| u.face()).filter(move |f| *f != face)
    }

    fn ends(&self, edge: u32) -> [Vec3; 2] {
        self.surface.topology().edges()[edge as usize].map(|v| self.vertex(v))
    }

    fn edges(&self, face: u32) -> impl Iterator<Item = u32> + use<> {
        self.surface.topology().face_edges(face as usize).into_iter().flatten()
    }

    /// Neighbours of a face with the edge they share.
    fn neighbours(&self, face: u32) -> impl Iterator<Item = (u32, [Vec3; 2])> {
        self.edges(face).flat_map(move |edge| {
            let ends = self.ends(edge);
            let uses = self.surface.topology().edge_uses(edge as usize);
            uses.iter().map(|u| u.face()).filter(move |&f| f != face).map(move |f| (f, ends))
        })
    }
}

/// The rings of two surfaces; memory is reused.
#[derive(Debug, Default)]
pub(crate) struct Rings {
    /// All pairs of faces that meet, ascending.
    pub(super) pairs: Vec<[u32; 2]>,
    /// The region of each pair.
    pub(super) region_of: Vec<u32>,
    /// For a and b: vertices inside the partner with their region, ascending by region.
    pub(super) vertices: [Vec<(u32, u32)>; 2],
    /// For a and b: faces wholly inside the partner, with their region, ascending.
    pub(super) faces: [Vec<(u32, u32)>; 2],
    /// For a and b: shells wholly inside the partner, clear of its surface: their numbers and a corner, in the frame of a.
    pub(super) held: [Vec<(u32, Vec3)>; 2],
    groups: UnionFind,
    seen: Seen,
    stack: Vec<u32>,
    crossing: Vec<(u32, u32)>,
    hits: Vec<(u32, f64, u32)>,
}

impl Rings {
    /// Finds the regions of two surfaces and returns how many there are; none if no faces meet.
    pub(super) fn find(&mut self, a: &Surface, b: &Surface, a_from_b: &Pose) -> u32 {
        with_meshes(|w| all_intersections(a.tree(), b.tree(), a_from_b, w, &mut self.pairs));
        self.groups.reset(self.pairs.len());
        let sides = [Side::new(a, &Pose::IDENTITY), Side::new(b, a_from_b)];
        let b_from_a = a_from_b.inverse();
        let partner_holds = |which: usize, p: Vec3| {
            if which == 0 { b.contains(b_from_a.transform_point(p)) } else { a.contains(p) }
        };
        self.chain(&sides);
        for (which, side) in sides.iter().enumerate() {
            let is_inside = |p: Vec3| partner_holds(which, p);
            self.reach_inside(which, side, is_inside);
            self.join_along_edges(which, side, &sides[1 - which], is_inside);
            self.find_held(which, side, is_inside);
        }
        let count = self.groups.label_all(&mut self.region_of);
        for which in [0, 1] {
            for (region, _) in &mut self.vertices[which] {
                *region = self.region_of[*region as usize];
            }
            for (region, _) in &mut self.faces[which] {
                *region = self.region_of[*region as usize];
            }
            self.vertices[which].sort_unstable();
            self.faces[which].sort_unstable();
            self.faces[which].dedup();
        }
        count
    }

    /// Joins pairs that continue each other's line of crossing: they share a face, and the others are neighbours across an
    /// edge that meets it.
    fn chain(&mut self, [a, b]: &[Side; 2]) {
        let pairs = &self.pairs;
        let mut join = |i: u32, other: [u32; 2]| {
            // The list is sorted, so that partners are found by bisection.
            if let Ok(j) = pairs.binary_search(&other) {
                self.groups.join(i, j as u32);
            }
        };
        for (&[fa, fb], i) in pairs.iter().zip(0..) {
            let (ta, tb) = (a.triangle(fa), b.triangle(fb));
            for (neighbour, edge) in b.neighbours(fb) {
                if segment_triangle_intersect(edge, ta) {
                    join(i, [fa, neighbour]);
                }
            }
            for (neighbour, edge) in a.neighbours(fa) {
                if segment_triangle_intersect(edge, tb) {
                    join(i, [neighbour, fb]);
                }
            }
        }
    }

    /// Finds vertices and faces of one mesh inside the other, each with a pair of its region for now; joins the regions that
    /// one piece of surface connects. `which`: 0 for a, 1 for b.
    fn reach_inside(&mut self, which: usize, side: &Side, is_inside: impl Fn(Vec3) -> bool) {
        // Crossing faces with their pairs.
        self.crossing.clear();
        self.crossing.extend(self.pairs.iter().zip(0..).map(|(p, i)| (p[which], i)));
        self.crossing.sort_unstable();
        let crossing = &self.crossing;
        let pairs_of = |face: u32| {
            let first = crossing.partition_point(|(f, _)| *f < face);
            crossing[first..].iter().take_while(move |(f, _)| *f == face).map(|(_, i)| *i)
        };
        let mesh = side.surface.mesh();
        let (vertices, faces) = (&mut self.vertices[which], &mut self.faces[which]);
        vertices.clear();
        faces.clear();
        self.seen.start(mesh.vertices().len());
        for &(face, pair) in crossing {
            for seed in mesh.faces()[face as usize] {
                if !self.seen.is_new(seed) || !is_inside(side.vertex(seed)) {
                    continue;
                }
                self.stack.push(seed);
                while let Some(vertex) = self.stack.pop() {
                    vertices.push((pair, vertex));
                    for &near in side.surface.topology().vertex_faces(vertex as usize) {
                        let mut meets = pairs_of(near).peekable();
                        if meets.peek().is_some() {
                            // The piece of surface round this vertex ends at these crossings.
                            meets.for_each(|other| {
                                self.groups.join(pair, other);
                            });
                            continue;
                        }
                        // A face that crosses nothing is inside with all its corners.
                        faces.push((pair, near));
                        for corner in mesh.faces()[near as usize] {
                            if self.seen.is_new(corner) {
                                self.stack.push(corner);
                            }
                        }
                    }
                }
            }
        }
    }

    /// Finds shells that meet nothing and lie inside. Walls of cavities are left out: their body is there already.
    fn find_held(&mut self, which: usize, side: &Side, is_inside: impl Fn(Vec3) -> bool) {
        let topology = side.surface.topology();
        self.held[which].clear();
        self.seen.start(topology.component_count());
        for pair in &self.pairs {
            if let Some(component) = topology.component(pair[which] as usize) {
                self.seen.is_new(component);
            }
        }
        for shell in side.surface.shells() {
            // Faces without a shell have no surface that could be in contact.
            let Some(component) = shell.component else { continue };
            let corner = side.placed(shell.corner);
            if !shell.is_cavity && self.seen.is_new(component) && is_inside(corner) {
                self.held[which].push((component, corner));
            }
        }
    }

    /// Joins the crossings between which an edge of one mesh runs inside the other: long faces may cross a body right
    /// through and have no corner inside.
    fn join_along_edges(
        &mut self,
        which: usize,
        side: &Side,
        other: &Side,
        is_inside: impl Fn(Vec3) -> bool,
    ) {
        self.hits.clear();
        for (pair, index) in self.pairs.iter().zip(0u32..) {
            let triangle = other.triangle(pair[1 - which]);
            let normal = normal_of(&triangle);
            for edge in side.edges(pair[which]) {
                let ends = side.ends(edge);
                if segment_triangle_intersect(ends, triangle) {
                    let [from, to] = ends.map(|p| (p - triangle[0]).dot(normal));
                    let at = if from == to { 0.5 } else { (from / (from - to)).clamp(0.0, 1.0) };
                    self.hits.push((edge, at, index));
                }
            }
        }
        self.hits.sort_unstable_by(|p, q| p.0.cmp(&q.0).then(p.1.total_cmp(&q.1)).then(p.2.cmp(&q.2)));
        for two in self.hits.windows(2) {
            let [(edge, from, first), (other_edge, to, second)] = [two[0], two[1]];
            if edge == other_edge && self.groups.root(first) != self.groups.root(second) {
                let [p, q] = side.ends(edge);
                if is_inside(p + 0.5 * (from + to) * (q - p)) {
                    self.groups.join(first, second);
                }
            }
        }
    }
}

/// The unit normal of a triangle; zero if it has no area.
pub(super) fn normal_of([a, b, c]: &[Vec3; 3]) -> Vec3 {
    unit((*b - *a).cross(*c - *a)).unwrap_or(Vec3::ZERO)
}
