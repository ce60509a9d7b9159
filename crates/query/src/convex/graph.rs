//! A convex polyhedron prepared for quick answers: who is whose neighbour, and where to start.

use super::body::{ConvexBody, NO_VERTEX, Vertex, farthest_of, farthest_three, nearest_by_distance};
use super::directions::DirectionTable;
use super::hierarchy::Hierarchy;
use super::lanes::Lanes;
use super::parting::Local;
use freiraum_geometry::Vec3;
use freiraum_geometry::math::{power_of_two, unit};
use freiraum_geometry::shape::Convex;

/// A vertex is blunt if no direction leads along all of its edges by at least this share of the size of the
/// body. Stopping at a vertex that is not blunt, because no neighbour lies farther by more than rounding, is
/// wrong by at most rounding over this share: less than a billionth of the size. Bodies of a million vertices
/// have none that is blunt, unless a facet is flat only up to rounding.
const BLUNT: f64 = power_of_two(-20);

/// Steps of a climb before the hierarchy is asked for a better place to go on from. Where vertices are spread
/// evenly over the directions, a climb from the table takes one or two steps; where many of them share a
/// square of the table (the rim of a fine prism), the hierarchy keeps the number of steps logarithmic.
const MOST_CLIMBED: usize = 12;

/// What a search has cost so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SearchCost {
    /// How many farthest vertices of one body were asked for.
    pub searches: u64,
    /// How many vertices were multiplied with a direction on the way.
    pub vertices: u64,
}

/// A neighbour with its place, so that a step reads memory in one row.
#[derive(Clone, Copy, Debug)]
pub(super) struct Link {
    pub(super) point: Vec3,
    pub(super) number: u32,
}

/// Lists of neighbours, one after the other.
#[derive(Clone, Debug, Default)]
pub(super) struct Links {
    first: Vec<u32>,
    links: Vec<Link>,
}

impl Links {
    /// One list per item.
    pub(super) fn new(lists: impl Iterator<Item = Vec<Link>>) -> Links {
        let mut all = Links { first: vec![0], links: Vec::new() };
        for list in lists {
            all.links.extend(list);
            all.first.push(all.links.len() as u32);
        }
        all
    }

    #[inline]
    pub(super) fn of(&self, vertex: u32) -> &[Link] {
        let i = vertex as usize;
        &self.links[self.first[i] as usize..self.first[i + 1] as usize]
    }

    /// The place of the link between two neighbours.
    fn index(&self, from: u32, to: u32) -> usize {
        let list = self.of(from);
        let place = list.iter().position(|link| link.number == to);
        self.first[from as usize] as usize + place.expect("the surface is closed: edges run both ways")
    }
}

/// A convex polyhedron with its vertex graph, made once and shared by all queries.
///
/// Vertices and faces have the numbers they have in [`Convex::surface`]. **Cost.** O(n log n) to make. The
/// farthest vertex in a direction is found in a few steps, from a near one or from nowhere: at most some
/// dozen before the hierarchy of Dobkin and Kirkpatrick takes over, whose levels are logarithmic in the
/// number of vertices. A step reads the neighbours of one vertex.
#[derive(Clone, Debug)]
pub struct ConvexGraph {
    body: Convex,
    links: Links,
    /// All vertices, if they are few: then looking at them is as quick as climbing.
    lanes: Option<Lanes>,
    /// Where to start climbing, if they are many.
    table: Option<DirectionTable>,
    /// Where to go on from after a long climb, if they are many.
    hierarchy: Option<Hierarchy>,
    /// For every link the face on the left of its way.
    left: Vec<u32>,
    /// Unit normals of the faces.
    normals: Vec<Vec3>,
    /// Vertices at which a climb can get stuck in rounding.
    blunt: Vec<bool>,
    center: Vec3,
    reach: f64,
}

impl ConvexGraph {
    /// The polyhedron itself.
    pub fn convex(&self) -> &Convex {
        &self.body
    }

    /// Prepares a polyhedron.
    pub fn new(body: Convex) -> ConvexGraph {
        let (vertices, faces) = (body.vertices(), body.surface().faces());
        let neighbours = neighbours(vertices.len(), faces);
        let center = vertices.iter().copied().sum::<Vec3>() / vertices.len() as f64;
        let reach = vertices.iter().fold(0.0, |reach: f64, p| reach.max(p.length()));
        let size = vertices.iter().fold(0.0, |size: f64, p| size.max((*p - center).length()));
        let normals = vertex_normals(vertices, faces);
        let blunt = (0..vertices.len())
            .map(|i| {
                let lead = |inward: Vec3| {
                    let steps =
                        neighbours[i].iter().map(|&k| (vertices[k as usize] - vertices[i]).dot(inward));
                    steps.fold(f64::INFINITY, f64::min)
                };
                let best = [unit(center - vertices[i]), unit(-normals[i])].into_iter().flatten().map(lead);
                best.fold(0.0, f64::max) < BLUNT * size
            })
            .collect();
        let lanes = Lanes::new(vertices);
        let hierarchy = if lanes.is_some() { None } else { Hierarchy::new(vertices, &neighbours) };
        let table = hierarchy.as_ref().map(|hierarchy| {
            DirectionTable::new(vertices.len(), |direction| hierarchy.farthest(direction, &mut 0))
        });
        let link = |&number: &u32| Link { point: vertices[number as usize], number };
        let links = Links::new(neighbours.iter().map(|list| list.iter().map(link).collect()));
        let mut left = vec![0; links.links.len()];
        for (k, &[a, b, c]) in (0..).zip(faces) {
            for (from, to) in [(a, b), (b, c), (c, a)] {
                left[links.index(from, to)] = k;
            }
        }
        let normal = |face: &[u32; 3]| {
            let [a, b, c] = face.map(|i| vertices[i as usize]);
            unit((b - a).cross(c - a)).unwrap_or(Vec3::ZERO)
        };
        let normals = faces.iter().map(normal).collect();
        ConvexGraph { links, lanes, table, hierarchy, left, normals, blunt, center, reach, body }
    }

    pub(super) fn at(&self, vertex: u32) -> Vec3 {
        self.body.vertices()[vertex as usize]
    }

    pub(super) fn links_of(&self, vertex: u32) -> &[Link] {
        self.links.of(vertex)
    }

    pub(super) fn face(&self, face: u32) -> [u32; 3] {
        self.body.surface().faces()[face as usize]
    }

    /// Outward, of unit length; zero for a face without area.
    pub(super) fn normal(&self, face: u32) -> Vec3 {
        self.normals[face as usize]
    }

    /// The faces on the left and on the right of an edge, given by its ends. Panics if they are not joined.
    pub fn faces_of(&self, [from, to]: [u32; 2]) -> [u32; 2] {
        [self.left[self.links.index(from, to)], self.left[self.links.index(to, from)]]
    }

    /// The face with these three corners, in any order.
    pub(super) fn face_with(&self, [i, j, k]: [u32; 3]) -> Option<u32> {
        self.neighbours(i).find(|&n| n == j)?;
        self.faces_of([i, j]).into_iter().find(|&f| self.face(f).contains(&k))
    }

    /// The polyhedron itself.
    pub fn body(&self) -> &Convex {
        &self.body
    }

    /// The numbers of the vertices joined to one by an edge, ascending; edges across flat facets count.
    ///
    /// Panics if there is no vertex of this number.
    pub fn neighbours(&self, vertex: u32) -> impl Iterator<Item = u32> {
        self.links.of(vertex).iter().map(|link| link.number)
    }

    /// From neighbour to neighbour, always to the one that lies farthest, until none lies farther. Adds to
    /// `visited` the vertices multiplied with the direction.
    #[inline]
    fn climb(&self, direction: Vec3, start: u32, visited: &mut u64) -> Vertex {
        let vertices = self.body.vertices();
        let mut best = Link { point: vertices[start as usize], number: start };
        let mut share = best.point.dot(direction);
        let mut steps = 0;
        *visited += 1;
        loop {
            let here = best.number;
            let links = self.links.of(here);
            *visited += links.len() as u64;
            for link in links {
                let other = link.point.dot(direction);
                if other > share {
                    share = other;
                    best = *link;
                }
            }
            if best.number == here {
                return Vertex { point: best.point, number: here };
            }
            steps += 1;
            // Not at the goal: perhaps there is a nearer place to go on from.
            let number = match (steps, &self.table, &self.hierarchy) {
                (1, Some(table), _) => table.near(direction),
                (1, None, _) => {
                    *visited += vertices.len() as u64;
                    return self.search(direction);
                }
                (MOST_CLIMBED, _, Some(hierarchy)) => hierarchy.farthest(direction, visited),
                _ => continue,
            };
            *visited += 1;
            let point = vertices[number as usize];
            let other = point.dot(direction);
            if other > share {
                share = other;
                best = Link { point, number };
            }
        }
    }

    /// A vertex than which no neighbour lies farther in the direction, by the rounded products. It is the
    /// farthest up to rounding but for blunt vertices; [`top`](super::top) proves it.
    pub(super) fn peak(&self, direction: Vec3, cost: &mut SearchCost) -> Vertex {
        cost.searches += 1;
        match &self.table {
            Some(table) => self.climb(direction, table.near(direction), &mut cost.vertices),
            None => {
                cost.vertices += self.body.vertices().len() as u64;
                self.search(direction)
            }
        }
    }

    /// The faces around a vertex, each once. Panics if there is no vertex of this number.
    pub fn faces_around(&self, vertex: u32) -> &[u32] {
        let i = vertex as usize;
        &self.left[self.links.first[i] as usize..self.links.first[i + 1] as usize]
    }

    /// Looks at all vertices.
    fn search(&self, direction: Vec3) -> Vertex {
        match &self.lanes {
            Some(lanes) => {
                let number = lanes.farthest(direction);
                Vertex { point: self.at(number), number }
            }
            None => farthest_of(self.body.vertices(), direction),
        }
    }
}

impl ConvexBody for ConvexGraph {
    fn farthest(&self, direction: Vec3, near: u32) -> Vertex {
        let start = match &self.table {
            _ if (near as usize) < self.blunt.len() => near,
            Some(table) => table.near(direction),
            None => return self.search(direction),
        };
        let found = self.climb(direction, start, &mut 0);
        if self.blunt[found.number as usize] { self.search(direction) } else { found }
    }

    fn vertex(&self, number: u32) -> Option<Vec3> {
        self.body.vertices().get(number as usize).copied()
    }

    fn center(&self) -> Vec3 {
        self.center
    }

    fn reach(&self) -> f64 {
        self.reach
    }

    fn is_polyhedral(&self) -> bool {
        true
    }

    fn local(&self, direction: Vec3) -> Local {
        let farthest = self.farthest(direction, NO_VERTEX);
        let around = self.links.of(farthest.number).iter().map(|link| link.point);
        Local::of_corners(farthest_three(std::iter::once(farthest.point).chain(around), direction))
    }

    fn nearest(&self, point: Vec3) -> Vec3 {
        nearest_by_distance(self, point)
    }
}

/// The neighbours of every vertex of a closed surface, ascending.
pub(super) fn neighbours(count: usize, faces: &[[u32; 3]]) -> Vec<Vec<u32>> {
    let mut lists = vec![Vec::new(); count];
    for &[a, b, c] in faces {
        // Every edge belongs to two faces, once in each direction.
        for (from, to) in [(a, b), (b, c), (c, a)] {
            lists[from as usize].push(to);
        }
    }
    lists.iter_mut().for_each(|list| list.sort_unstable());
    lists
}

/// Sums of the unit normals of the faces round each vertex.
fn vertex_normals(vertices: &[Vec3], faces: &[[u32; 3]]) -> Vec<Vec3> {
    let mut sums = vec![Vec3::ZERO; vertices.len()];
    for &face in faces {
        let [a, b, c] = face.map(|i| vertices[i as usize]);
        let normal = unit((b - a).cross(c - a)).unwrap_or(Vec3::ZERO);
        face.into_iter().for_each(|i| sums[i as usize] += normal);
    }
    sums
}
