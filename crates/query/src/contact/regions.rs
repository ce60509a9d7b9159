//! Contact of two meshes, region by region.
//!
//! All crossing pairs of faces are chained through the mesh topology into rings: two pairs belong together if they share a
//! face of one mesh and their faces of the other mesh are neighbours across an edge that meets the shared face. The vertices
//! inside the partner are then reached from the rings; rings that bound the same piece of surface are one region.
//!
//! The normal of a region is that of its vector area, which the rings determine: the integral of the normal over the
//! piece of a inside b. The depth is the way apart along that normal, measured over the region alone; it is no least
//! translation. Where a ring encloses no net area (a pipe through a plate), the region has no normal of its own and
//! takes that of the whole contact.
//!
//! **Cost.** Near-linear: crossing pairs times the logarithm of their number, one point-in-solid test per vertex of a
//! crossing face, and the vertices inside.

use crate::elementary::segment_triangle_intersect;
use crate::mesh_tree::all_intersections;
use crate::prepared::Surface;
use crate::workspace::with_meshes;
use freiraum_geometry::math::unit;
use freiraum_geometry::mesh::Topology;
use freiraum_geometry::{Pose, Vec3};

/// A connected region of contact.
///
/// **Frames.** The frame of a.
#[derive(Clone, Debug, PartialEq)]
pub struct Region {
    /// The centroid of the area that the rings enclose, or the middle of the crossing where there is no such area.
    pub point: Vec3,
    /// Unit normal of that area, from a towards b; `None` if the rings enclose none.
    pub normal: Option<Vec3>,
    /// Size of the vector area in square metres; 0 if the rings enclose none.
    pub area: f64,
    /// How far a and b reach into each other along the normal within this region, in metres; 0 without a normal.
    pub depth: f64,
    /// The crossing faces of a, ascending.
    pub faces_a: Vec<u32>,
    /// The crossing faces of b, ascending.
    pub faces_b: Vec<u32>,
}

impl Region {
    /// The force on a that a bed of springs on this region suggests: pressure `stiffness` (N/m³) times depth over the
    /// area, against the normal. In newtons; zero without a normal.
    pub fn spring_force(&self, stiffness: f64) -> Vec3 {
        -stiffness * self.depth * self.area * self.normal.unwrap_or(Vec3::ZERO)
    }
}

/// One mesh of the two: its vertices in the frame of a, its neighbours.
struct Side<'s> {
    surface: &'s Surface,
    topology: &'s Topology,
    vertices: Vec<Vec3>,
}

impl Side<'_> {
    fn triangle(&self, face: u32) -> [Vec3; 3] {
        self.surface.mesh().faces()[face as usize].map(|v| self.vertices[v as usize])
    }

    fn ends(&self, edge: u32) -> [Vec3; 2] {
        self.topology.edges()[edge as usize].map(|v| self.vertices[v as usize])
    }

    /// Neighbours of a face with the edge they share.
    fn neighbours(&self, face: u32) -> impl Iterator<Item = (u32, [Vec3; 2])> {
        let edges = self.topology.face_edges(face as usize).into_iter().flatten();
        edges.flat_map(move |edge| {
            let ends = self.ends(edge);
            let uses = self.topology.edge_uses(edge as usize);
            uses.iter().map(|u| u.face()).filter(move |&f| f != face).map(move |f| (f, ends))
        })
    }
}

/// The regions in which two surfaces cross or touch, in the order of their first pair of faces; none if they do not meet.
pub(crate) fn regions(a: &Surface, b: &Surface, a_from_b: &Pose) -> Vec<Region> {
    let mut pairs = Vec::new();
    with_meshes(|workspace| all_intersections(a.tree(), b.tree(), a_from_b, workspace, &mut pairs));
    if pairs.is_empty() {
        return Vec::new();
    }
    let side_a = Side { surface: a, topology: a.topology(), vertices: a.mesh().vertices().to_vec() };
    let placed = b.mesh().vertices().iter().map(|&p| a_from_b.transform_point(p)).collect();
    let side_b = Side { surface: b, topology: b.topology(), vertices: placed };
    let mut groups = Groups::new(pairs.len());
    chain(&pairs, &side_a, &side_b, &mut groups);
    let b_from_a = a_from_b.inverse();
    let inside_a = reach_inside(&pairs, 0, &side_a, &mut groups, |v| {
        b.contains(b_from_a.transform_point(a.mesh().vertices()[v as usize]))
    });
    let inside_b = reach_inside(&pairs, 1, &side_b, &mut groups, |v| a.contains(side_b.vertices[v as usize]));
    join_along_edges(&pairs, 0, &side_a, &side_b, &mut groups, |p| b.contains(b_from_a.transform_point(p)));
    join_along_edges(&pairs, 1, &side_b, &side_a, &mut groups, |p| a.contains(p));
    let (count, region_of) = groups.numbered();
    let mut members = vec![Members::default(); count];
    pairs.iter().zip(&region_of).for_each(|(pair, region)| members[*region].pairs.push(*pair));
    for (vertex, pair) in inside_a {
        members[region_of[pair as usize]].inside_a.push(side_a.vertices[vertex as usize]);
    }
    for (vertex, pair) in inside_b {
        members[region_of[pair as usize]].inside_b.push(side_b.vertices[vertex as usize]);
    }
    members.iter().map(|m| measure(m, &side_a, &side_b)).collect()
}

/// What belongs to one region.
#[derive(Clone, Default)]
struct Members {
    pairs: Vec<[u32; 2]>,
    /// Vertices of a inside b.
    inside_a: Vec<Vec3>,
    /// Vertices of b inside a.
    inside_b: Vec<Vec3>,
}

/// Joins pairs that continue each other's line of crossing.
fn chain(pairs: &[[u32; 2]], a: &Side, b: &Side, groups: &mut Groups) {
    let mut join = |i: usize, other: [u32; 2]| {
        // The list is sorted, so that partners are found by bisection.
        if let Ok(j) = pairs.binary_search(&other) {
            groups.join(i, j);
        }
    };
    for (i, &[fa, fb]) in pairs.iter().enumerate() {
        for (neighbour, edge) in b.neighbours(fb) {
            if segment_triangle_intersect(edge, a.triangle(fa)) {
                join(i, [fa, neighbour]);
            }
        }
        for (neighbour, edge) in a.neighbours(fa) {
            if segment_triangle_intersect(edge, b.triangle(fb)) {
                join(i, [neighbour, fb]);
            }
        }
    }
}

/// The vertices of one mesh inside the other, each with a pair of its region; joins the regions that one piece of surface
/// connects. `which`: 0 for a, 1 for b.
fn reach_inside(
    pairs: &[[u32; 2]],
    which: usize,
    side: &Side,
    groups: &mut Groups,
    is_inside: impl Fn(u32) -> bool,
) -> Vec<(u32, u32)> {
    // Crossing faces with one of their pairs; all others of the same face follow in the list.
    let mut crossing: Vec<(u32, u32)> = pairs.iter().zip(0..).map(|(p, i)| (p[which], i)).collect();
    crossing.sort_unstable();
    let pairs_of = |face: u32| {
        let first = crossing.partition_point(|(f, _)| *f < face);
        crossing[first..].iter().take_while(move |(f, _)| *f == face).map(|(_, i)| *i)
    };
    let faces = side.surface.mesh().faces();
    let mut is_seen = vec![false; faces.len().max(side.vertices.len())];
    let mut inside = Vec::new();
    let mut stack = Vec::new();
    for &(face, pair) in &crossing {
        for seed in faces[face as usize] {
            if is_seen[seed as usize] {
                continue;
            }
            is_seen[seed as usize] = true;
            if !is_inside(seed) {
                continue;
            }
            stack.push(seed);
            while let Some(vertex) = stack.pop() {
                inside.push((vertex, pair));
                for &near in side.topology.vertex_faces(vertex as usize) {
                    let mut meets = pairs_of(near).peekable();
                    if meets.peek().is_some() {
                        // The piece of surface round this vertex ends at these crossings.
                        meets.for_each(|other| groups.join(pair as usize, other as usize));
                        continue;
                    }
                    // A face that crosses nothing is inside with all its corners.
                    for corner in faces[near as usize] {
                        if !is_seen[corner as usize] {
                            is_seen[corner as usize] = true;
                            stack.push(corner);
                        }
                    }
                }
            }
        }
    }
    inside
}

/// Joins the crossings between which an edge of one mesh runs inside the other: long faces may cross a body right through
/// and have no corner inside.
fn join_along_edges(
    pairs: &[[u32; 2]],
    which: usize,
    side: &Side,
    other: &Side,
    groups: &mut Groups,
    is_inside: impl Fn(Vec3) -> bool,
) {
    let mut hits: Vec<(u32, f64, u32)> = Vec::new();
    for (pair, index) in pairs.iter().zip(0u32..) {
        let triangle = other.triangle(pair[1 - which]);
        let normal = normal_of(&triangle);
        for edge in side.topology.face_edges(pair[which] as usize).into_iter().flatten() {
            let ends = side.ends(edge);
            if segment_triangle_intersect(ends, triangle) {
                let [from, to] = ends.map(|p| (p - triangle[0]).dot(normal));
                let at = if from == to { 0.5 } else { (from / (from - to)).clamp(0.0, 1.0) };
                hits.push((edge, at, index));
            }
        }
    }
    hits.sort_by(|p, q| p.0.cmp(&q.0).then(p.1.total_cmp(&q.1)).then(p.2.cmp(&q.2)));
    for two in hits.windows(2) {
        let [(edge, from, first), (other_edge, to, second)] = [two[0], two[1]];
        let is_same = groups.root(first as usize) == groups.root(second as usize);
        if edge == other_edge && !is_same {
            let [p, q] = side.ends(edge);
            if is_inside(p + 0.5 * (from + to) * (q - p)) {
                groups.join(first as usize, second as usize);
            }
        }
    }
}

/// Point, normal, area and depth of one region.
fn measure(members: &Members, a: &Side, b: &Side) -> Region {
    let Members { pairs, inside_a, inside_b } = members;
    let mut segments: Vec<[Vec3; 2]> = Vec::with_capacity(pairs.len());
    let mut towards = Vec3::ZERO;
    for &[fa, fb] in pairs.iter() {
        let (ta, tb) = (a.triangle(fa), b.triangle(fb));
        let (na, nb) = (normal_of(&ta), normal_of(&tb));
        towards += na - nb;
        segments.extend(crossing_segment(&ta, &tb, na, nb));
    }
    // Faces that only touch in one plane have no line of crossing: the corners of one in the other stand for it.
    let middle = if segments.is_empty() {
        mean(pairs.iter().map(|&[fa, fb]| touching_point(&a.triangle(fa), &b.triangle(fb))))
    } else {
        mean(segments.iter().map(|[p, q]| 0.5 * *p + 0.5 * *q))
    };
    let slices =
        segments.iter().map(|[p, q]| (0.5 * (*p - middle).cross(*q - middle), (*p + *q + middle) / 3.0));
    let vector_area: Vec3 = slices.clone().map(|(area, _)| area).sum();
    let turned: f64 = slices.clone().map(|(area, _)| area.length()).sum();
    // What is left of areas that cancel is rounding.
    let is_area = vector_area.length() > turned * f64::EPSILON.sqrt();
    let normal = if is_area { unit(vector_area) } else { unit(towards).filter(|_| segments.is_empty()) };
    let (mut point, mut depth) = (middle, 0.0);
    if let Some(n) = normal {
        if is_area {
            let weight: f64 = slices.clone().map(|(area, _)| area.dot(n)).sum();
            point = middle + slices.map(|(area, at)| area.dot(n) * (at - middle)).sum::<Vec3>() / weight;
        }
        let ring = segments.iter().flatten();
        let highest = inside_a.iter().chain(ring.clone()).map(|p| p.dot(n)).fold(f64::NEG_INFINITY, f64::max);
        let lowest = inside_b.iter().chain(ring).map(|p| p.dot(n)).fold(f64::INFINITY, f64::min);
        depth = if highest > lowest { highest - lowest } else { 0.0 };
    }
    let mut faces = [0, 1].map(|which| pairs.iter().map(|p| p[which]).collect::<Vec<u32>>());
    for list in &mut faces {
        list.sort_unstable();
        list.dedup();
    }
    let [faces_a, faces_b] = faces;
    Region { point, normal, area: if is_area { vector_area.length() } else { 0.0 }, depth, faces_a, faces_b }
}

/// The line in which two triangles cross, so directed that the piece of the first inside the second lies to its left.
pub(crate) fn crossing_segment(a: &[Vec3; 3], b: &[Vec3; 3], na: Vec3, nb: Vec3) -> Option<[Vec3; 2]> {
    let direction = unit(na.cross(nb))?;
    let [low_a, high_a] = cut(a, b[0], nb, direction)?;
    let [low_b, high_b] = cut(b, a[0], na, direction)?;
    let along = |p: Vec3| p.dot(direction);
    let low = if along(low_a) >= along(low_b) { low_a } else { low_b };
    let high = if along(high_a) <= along(high_b) { high_a } else { high_b };
    (along(low) < along(high)).then_some([low, high])
}

/// Where a triangle meets a plane: the two ends, in the order of `direction`.
fn cut(triangle: &[Vec3; 3], on_plane: Vec3, normal: Vec3, direction: Vec3) -> Option<[Vec3; 2]> {
    let height = triangle.map(|p| (p - on_plane).dot(normal));
    let mut ends: Option<[Vec3; 2]> = None;
    let mut add = |p: Vec3| {
        let [low, high] = ends.unwrap_or([p, p]);
        let is_lower = p.dot(direction) < low.dot(direction);
        let is_higher = p.dot(direction) > high.dot(direction);
        ends = Some([if is_lower { p } else { low }, if is_higher { p } else { high }]);
    };
    for i in 0..3 {
        let j = (i + 1) % 3;
        if height[i] == 0.0 {
            add(triangle[i]);
        }
        if (height[i] < 0.0 && height[j] > 0.0) || (height[i] > 0.0 && height[j] < 0.0) {
            add(triangle[i] + height[i] / (height[i] - height[j]) * (triangle[j] - triangle[i]));
        }
    }
    ends
}

/// A point where two triangles meet that have no line of crossing.
fn touching_point(a: &[Vec3; 3], b: &[Vec3; 3]) -> Vec3 {
    let polygon = super::polygon::Polygon::of(*a);
    let normal = normal_of(b);
    let clipped = polygon.within(&super::polygon::Polygon::of(*b), normal);
    if clipped.is_empty() {
        let nearest = crate::elementary::triangle_triangle(*a, *b);
        return 0.5 * nearest.point_on_a + 0.5 * nearest.point_on_b;
    }
    clipped.mean()
}

/// The unit normal of a triangle; zero if it has no area.
fn normal_of([a, b, c]: &[Vec3; 3]) -> Vec3 {
    unit((*b - *a).cross(*c - *a)).unwrap_or(Vec3::ZERO)
}

fn mean(points: impl Iterator<Item = Vec3> + Clone) -> Vec3 {
    let Some(first) = points.clone().next() else { return Vec3::ZERO };
    let count = points.clone().count() as f64;
    first + points.map(|p| p - first).sum::<Vec3>() / count
}

/// Disjoint groups of numbered things.
struct Groups {
    parent: Vec<usize>,
}

impl Groups {
    fn new(count: usize) -> Groups {
        Groups { parent: (0..count).collect() }
    }

    fn root(&mut self, mut i: usize) -> usize {
        while self.parent[i] != i {
            // Halving the way keeps later ways short.
            self.parent[i] = self.parent[self.parent[i]];
            i = self.parent[i];
        }
        i
    }

    /// The smaller root stays, so that groups are numbered by their first member.
    fn join(&mut self, i: usize, j: usize) {
        let (i, j) = (self.root(i), self.root(j));
        self.parent[i.max(j)] = i.min(j);
    }

    /// The number of groups, and the group of each thing, in the order of their first members.
    fn numbered(&mut self) -> (usize, Vec<usize>) {
        let mut count = 0;
        let mut number = vec![0; self.parent.len()];
        for i in 0..self.parent.len() {
            let root = self.root(i);
            if root == i {
                number[i] = count;
                count += 1;
            } else {
                number[i] = number[root];
            }
        }
        (count, number)
    }
}
