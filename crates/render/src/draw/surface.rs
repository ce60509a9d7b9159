//! A mesh as a draughtsman sees it: flat faces instead of triangles, and the edges between them.

use freiraum_geometry::math::UnionFind;
use freiraum_geometry::mesh::Topology;
use freiraum_geometry::tolerance::DRAWING_RELATIVE;
use freiraum_geometry::{Mesh, Vec2, Vec3};

/// No face.
pub(crate) const NONE: u32 = u32::MAX;

/// The faces, their convex pieces and the edges of a mesh, in its own frame.
#[derive(Clone, Debug)]
pub(crate) struct Surface {
    pub(crate) points: Vec<Vec3>,
    pub(crate) faces: Vec<Face>,
    corners: Vec<u32>,
    pieces: Vec<(u32, u32)>,
    pub(crate) edges: Vec<Edge>,
    /// Closed and wound outward: only faces that look at the eye can be seen.
    pub(crate) is_solid: bool,
}

/// A flat part of the surface: normal·x = offset.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Face {
    pub(crate) normal: Vec3,
    pub(crate) offset: f64,
}

/// Where faces meet or end.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Edge {
    pub(crate) ends: [u32; 2],
    /// On both sides; [`NONE`] where the surface ends.
    pub(crate) faces: [u32; 2],
    /// Drawn even where both faces are seen: a fold, the end of the surface, or more than two faces.
    pub(crate) is_sharp: bool,
}

impl Surface {
    /// Of a mesh; folds of at least `fold_angle` radians are edges, less is smooth.
    ///
    /// Coplanar triangles become one face. **Degenerate input.** Triangles without area belong to the face next to them and are not drawn.
    pub(crate) fn of(mesh: &Mesh, fold_angle: f64) -> Surface {
        let topology = Topology::of(mesh);
        let bounds = mesh.aabb();
        let tolerance = DRAWING_RELATIVE * bounds.size().length();
        let (mut faces, face_of) = flat_faces(mesh, &topology, tolerance);
        let edges = edges(mesh, &topology, &faces, &face_of, fold_angle);
        let is_solid = (0..topology.edges().len())
            .all(|e| matches!(topology.edge_uses(e), [f, g] if f.is_forward() != g.is_forward()));
        let center = bounds.center();
        let volume: f64 =
            mesh.triangles().map(|[a, b, c]| (a - center).dot((b - center).cross(c - center))).sum();
        let mut merged = Merged::of(mesh, &topology, &faces, &face_of);
        if is_solid && volume < 0.0 {
            faces.iter_mut().for_each(|f| *f = Face { normal: -f.normal, offset: -f.offset });
        }
        let (mut corners, mut pieces) = (Vec::new(), Vec::new());
        merged.loops(&mut corners, &mut pieces);
        Surface { points: mesh.vertices().to_vec(), faces, corners, pieces, edges, is_solid }
    }

    /// Convex polygons that cover all faces: the number of the face, and the corners in order.
    pub(crate) fn pieces(&self) -> impl Iterator<Item = (u32, &[u32])> {
        let ends = self.pieces.iter().skip(1).map(|(_, start)| *start).chain([self.corners.len() as u32]);
        self.pieces
            .iter()
            .zip(ends)
            .map(|((face, start), end)| (*face, &self.corners[*start as usize..end as usize]))
    }
}

fn area_vector([a, b, c]: [Vec3; 3]) -> Vec3 {
    (b - a).cross(c - a)
}

/// Grows flat faces from the largest triangles; the faces, and for every triangle its face.
fn flat_faces(mesh: &Mesh, topology: &Topology, tolerance: f64) -> (Vec<Face>, Vec<u32>) {
    let areas: Vec<Vec3> = mesh.triangles().map(area_vector).collect();
    let mut seeds: Vec<u32> = (0..areas.len() as u32).collect();
    seeds.sort_by(|a, b| {
        let [a_size, b_size] = [a, b].map(|f| areas[*f as usize].length_squared());
        b_size.total_cmp(&a_size).then(a.cmp(b))
    });
    let mut face_of = vec![NONE; areas.len()];
    let (mut faces, mut open) = (Vec::new(), Vec::new());
    for seed in seeds {
        if face_of[seed as usize] != NONE {
            continue;
        }
        // The sorted areas are zero from here on.
        let Some(normal) = areas[seed as usize].try_normalize() else { break };
        let offset = normal.dot(mesh.triangle(seed as usize)[0]);
        let number = faces.len() as u32;
        faces.push(Face { normal, offset });
        face_of[seed as usize] = number;
        open.push(seed);
        while let Some(triangle) = open.pop() {
            for edge in topology.face_edges(triangle as usize).into_iter().flatten() {
                let [f, g] = topology.edge_uses(edge as usize) else { continue };
                let other = if f.face() == triangle { g.face() } else { f.face() } as usize;
                let is_flat = |p: &Vec3| (normal.dot(*p) - offset).abs() <= tolerance;
                if face_of[other] == NONE
                    && f.is_forward() != g.is_forward()
                    && areas[other].dot(normal) >= 0.0
                    && mesh.triangle(other).iter().all(is_flat)
                {
                    face_of[other] = number;
                    open.push(other as u32);
                }
            }
        }
    }
    (faces, face_of)
}

fn edges(mesh: &Mesh, topology: &Topology, faces: &[Face], face_of: &[u32], fold_angle: f64) -> Vec<Edge> {
    let mut edges = Vec::new();
    for (number, ends) in topology.edges().iter().enumerate() {
        let uses = topology.edge_uses(number);
        let sides: Vec<u32> = uses.iter().map(|one| face_of[one.face() as usize]).collect();
        let is_inner = sides.len() == 2 && sides[0] == sides[1];
        let has_length = mesh.vertices()[ends[0] as usize] != mesh.vertices()[ends[1] as usize];
        if is_inner || !has_length || sides.iter().all(|side| *side == NONE) {
            continue;
        }
        let is_sharp = match sides[..] {
            [f, g] if f != NONE && g != NONE => {
                let cosine = faces[f as usize].normal.dot(faces[g as usize].normal);
                // Faces of which one is wound the other way round have no fold to speak of.
                uses[0].is_forward() == uses[1].is_forward() || cosine <= fold_angle.cos()
            }
            _ => true,
        };
        let other = sides.get(1).copied().unwrap_or(NONE);
        edges.push(Edge { ends: *ends, faces: [sides[0], other], is_sharp });
    }
    edges
}

/// Triangles joined to convex polygons: corner 3 f + k of triangle f stands for the side from its corner k to the next.
struct Merged<'m> {
    mesh: &'m Mesh,
    face_of: &'m [u32],
    next: Vec<u32>,
    previous: Vec<u32>,
    /// Sides that are gone.
    is_joined: Vec<bool>,
    polygon: UnionFind,
}

impl<'m> Merged<'m> {
    fn of(mesh: &'m Mesh, topology: &Topology, faces: &[Face], face_of: &'m [u32]) -> Merged<'m> {
        let sides = 3 * mesh.faces().len() as u32;
        let ring = |step: u32| (0..sides).map(move |s| s - s % 3 + (s + step) % 3).collect();
        // (s + step) % 3 counts from the first corner of its triangle, since 3 divides that.
        let mut merged = Merged {
            mesh,
            face_of,
            next: ring(1),
            previous: ring(2),
            is_joined: vec![false; sides as usize],
            polygon: UnionFind::new(mesh.faces().len()),
        };
        let reach = mesh.aabb().reach();
        for number in 0..topology.edges().len() {
            let [f, g] = topology.edge_uses(number) else { continue };
            let face = face_of[f.face() as usize];
            if face == NONE || face != face_of[g.face() as usize] || f.is_forward() == g.is_forward() {
                continue;
            }
            let normal = faces[face as usize].normal;
            let right = normal.any_orthonormal_vector();
            merged.try_join(
                topology,
                number as u32,
                [f.face(), g.face()],
                [right, normal.cross(right)],
                reach,
            );
        }
        merged
    }

    fn origin(&self, side: u32) -> Vec3 {
        self.mesh.triangle(side as usize / 3)[side as usize % 3]
    }

    /// Takes an edge away if the polygon that this makes is convex.
    fn try_join(
        &mut self,
        topology: &Topology,
        edge: u32,
        triangles: [u32; 2],
        frame: [Vec3; 2],
        reach: f64,
    ) {
        let side_of = |triangle: u32| {
            let edges = topology.face_edges(triangle as usize)?;
            Some(3 * triangle + edges.iter().position(|e| *e == edge)? as u32)
        };
        let [Some(s), Some(twin)] = triangles.map(side_of) else { return };
        let [p, q] = triangles.map(|t| self.polygon.root(t));
        let is_convex = |from: u32, at: u32, to: u32| {
            let flat = |side: u32| self.origin(side);
            let [a, b, c] = [flat(from), flat(at), flat(to)];
            let plane = |v: Vec3| Vec2::new(v.dot(frame[0]), v.dot(frame[1]));
            let (u, v) = (plane(b - a), plane(c - b));
            // Straight on counts as convex, up to the rounding of coordinates; straight back does not.
            let noise = 16.0 * f64::EPSILON * reach * (u.length() + v.length());
            u.perp_dot(v) >= -noise && (u.perp_dot(v) > noise || u.dot(v) > 0.0)
        };
        let (before_s, after_s) = (self.previous[s as usize], self.next[s as usize]);
        let (before_twin, after_twin) = (self.previous[twin as usize], self.next[twin as usize]);
        let has_room = p != q && before_s != twin && after_s != twin;
        if has_room
            && is_convex(before_s, s, self.next[after_twin as usize])
            && is_convex(before_twin, twin, self.next[after_s as usize])
        {
            self.next[before_s as usize] = after_twin;
            self.previous[after_twin as usize] = before_s;
            self.next[before_twin as usize] = after_s;
            self.previous[after_s as usize] = before_twin;
            (self.is_joined[s as usize], self.is_joined[twin as usize]) = (true, true);
            self.polygon.join(p, q);
        }
    }

    /// The corners of the polygons, and for each the number of its face and where it starts.
    fn loops(&mut self, corners: &mut Vec<u32>, pieces: &mut Vec<(u32, u32)>) {
        for first in 0..self.next.len() as u32 {
            let triangle = first / 3;
            let face = self.face_of[triangle as usize];
            if self.is_joined[first as usize] || face == NONE {
                continue;
            }
            pieces.push((face, corners.len() as u32));
            let mut side = first;
            loop {
                corners.push(self.mesh.faces()[side as usize / 3][side as usize % 3]);
                self.is_joined[side as usize] = true;
                side = self.next[side as usize];
                if side == first {
                    break;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use freiraum_geometry::Shape;
    use freiraum_geometry::shape::{Cuboid, Cylinder};

    const FOLD: f64 = 0.35;

    fn area(surface: &Surface) -> f64 {
        let of_piece = |corners: &[u32]| {
            let p = |k: usize| surface.points[corners[k % corners.len()] as usize];
            (1..corners.len() - 1).map(|k| area_vector([p(0), p(k), p(k + 1)])).sum::<Vec3>().length() / 2.0
        };
        surface.pieces().map(|(_, corners)| of_piece(corners)).sum()
    }

    #[test]
    fn a_box_has_six_faces_of_one_piece_and_twelve_edges() {
        let mesh = Shape::Cuboid(Cuboid::new(Vec3::new(1.0, 2.0, 3.0)).unwrap()).tessellate(1.0).unwrap();
        let surface = Surface::of(&mesh, FOLD);
        let sizes: Vec<usize> = surface.pieces().map(|(_, corners)| corners.len()).collect();
        assert_eq!((surface.faces.len(), sizes), (6, vec![4; 6]));
        assert_eq!(surface.edges.iter().filter(|e| e.is_sharp).count(), 12);
        assert!(surface.is_solid && (area(&surface) - 22.0).abs() < 1e-12);
    }

    #[test]
    fn a_cylinder_is_smooth_but_for_its_rims() {
        let mesh = Shape::Cylinder(Cylinder::new(1.0, 2.0).unwrap()).tessellate(0.01).unwrap();
        let surface = Surface::of(&mesh, FOLD);
        let around = surface.faces.len() - 2;
        assert!(around > 20 && surface.edges.len() == 3 * around);
        assert_eq!(surface.edges.iter().filter(|e| e.is_sharp).count(), 2 * around);
        assert!((area(&surface) / mesh.area() - 1.0).abs() < 1e-12);
    }

    #[test]
    fn triangles_without_area_leave_no_trace() {
        // A square whose lower side carries a vertex in the middle, closed by a triangle on a line.
        let vertices = [(0.0, 0.0), (0.5, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0), (0.5, -1.0)];
        let vertices = vertices.map(|(x, y)| Vec3::new(x, y, 0.0)).to_vec();
        let faces = vec![[0, 2, 3], [0, 3, 4], [0, 1, 2], [0, 5, 1], [1, 5, 2], [3, 3, 4]];
        let surface = Surface::of(&Mesh::new(vertices, faces).unwrap(), FOLD);
        assert_eq!(surface.faces.len(), 1);
        assert!((area(&surface) - 1.5).abs() < 1e-15 && !surface.is_solid);
        assert_eq!(surface.edges.len(), 5);
        let flat = Mesh::new(vec![Vec3::ZERO, Vec3::X, 2.0 * Vec3::X], vec![[0, 1, 2]]).unwrap();
        assert_eq!(Surface::of(&flat, FOLD).pieces().count(), 0);
    }

    #[test]
    fn pieces_cover_a_face_with_holes() {
        let (points, faces) =
            freiraum_testkit::models::ring(&[(1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0)], 2.0, 0.5);
        let mesh = Mesh::new(points, faces).unwrap();
        let surface = Surface::of(&mesh, FOLD);
        assert!((area(&surface) / mesh.area() - 1.0).abs() < 1e-12);
        assert!(surface.pieces().count() < mesh.faces().len());
    }

    #[test]
    fn a_solid_wound_inward_is_turned_outward() {
        let mesh = Shape::Cuboid(Cuboid::new(Vec3::ONE).unwrap()).tessellate(1.0).unwrap();
        let faces = mesh.faces().iter().map(|[a, b, c]| [*a, *c, *b]).collect();
        let surface = Surface::of(&Mesh::new(mesh.vertices().to_vec(), faces).unwrap(), FOLD);
        assert!(surface.faces.iter().all(|f| f.offset > 0.4));
    }
}
