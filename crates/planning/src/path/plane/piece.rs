//! Bodies as convex pieces in the frame of the plane.
//!
//! Boxes, convex bodies and closed convex parts of meshes are solid pieces. Other meshes are pieces of their surface, triangles and
//! quadrilaterals: while a body moves without touching a surface it does not get to its other side, so the surface is enough.
//! Round bodies are replaced by polyhedra around them, or within them where the absence of a way is to be proven.

use super::polygon::Border;
use freiraum_geometry::hull::{Hull, convex_hull};
use freiraum_geometry::math::predicates::{side_of_line, side_of_plane};
use freiraum_geometry::math::rounding;
use freiraum_geometry::mesh::{MeshReport, Topology};
use freiraum_geometry::shape::{HalfSpace, Shape};
use freiraum_geometry::{Mesh, Pose, Quat, Vec2, Vec3};
use std::cmp::Ordering::{Equal, Greater, Less};

/// A convex polyhedron or polygon; coordinates are two in the plane and the height above it.
pub(super) struct Piece {
    pub(super) points: Vec<Vec3>,
    pub(super) edges: Vec<[u32; 2]>,
    /// The least and the largest height.
    pub(super) heights: [f64; 2],
    /// The body may be missing that far below the surface of the piece, in metres; rounding of coordinates not counted.
    pub(super) slack: f64,
    /// The coordinates are exactly those of the body in its place.
    pub(super) is_exact: bool,
    /// What surrounds a face of a proper solid.
    pub(super) skin: Option<Skin>,
}

/// A face of a proper solid with its surroundings; all directions are unit vectors in the frame of the plane. Each corner and edge of the solid
/// belongs to one face only.
pub(super) struct Skin {
    /// Outwards.
    pub(super) normal: Vec3,
    /// Own corners, and the directions of all edges at them.
    pub(super) corners: Vec<(u32, Vec<Vec3>)>,
    /// Own edges, and directions from their first ends into the faces on both sides.
    pub(super) edges: Vec<(u32, [Vec3; 2])>,
}

impl Piece {
    /// A corner of it, or an edge between two.
    pub(super) fn part(&self, corners: &[u32]) -> Piece {
        let points: Vec<Vec3> = corners.iter().map(|&i| self.points[i as usize]).collect();
        let (first, last) = (points[0].z, points[points.len() - 1].z);
        let edges = if points.len() == 2 { vec![[0, 1]] } else { Vec::new() };
        Piece { points, edges, heights: [first.min(last), first.max(last)], skin: None, ..*self }
    }
}

/// The directions of a plane.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    /// Two unit vectors in the plane and the normal.
    pub(super) axes: [Vec3; 3],
}

impl Frame {
    pub(super) fn coordinates(&self, p: Vec3) -> Vec3 {
        Vec3::from_array(self.axes.map(|axis| axis.dot(p)))
    }

    /// Whether coordinates are those of the world, in another order or with other signs.
    fn is_exact(&self) -> bool {
        self.axes.iter().all(|axis| axis.abs().max_element() == 1.0 && axis.abs().element_sum() == 1.0)
    }
}

/// Where a body is, and whether rounding has changed that.
#[derive(Clone, Copy)]
pub(super) struct Place {
    pub(super) pose: Pose,
    is_exact: bool,
}

impl Place {
    pub(super) fn new(pose: Pose) -> Place {
        Place { pose, is_exact: pose.rotation() == Quat::IDENTITY }
    }

    /// The place of something in the frame of the body.
    pub(super) fn then(&self, body_from_part: &Pose) -> Place {
        let is_exact = self.is_exact
            && body_from_part.rotation() == Quat::IDENTITY
            && is_exact_sum(self.pose.translation(), body_from_part.translation());
        Place { pose: self.pose * *body_from_part, is_exact }
    }
}

/// Whether no coordinate of the sum is rounded.
pub(super) fn is_exact_sum(a: Vec3, b: Vec3) -> bool {
    (0..3).all(|k| {
        rounding::add_up(a[k], b[k]) == a[k] + b[k] && rounding::add_up(-a[k], -b[k]) == -a[k] - b[k]
    })
}

/// Makes pieces of shapes.
pub(super) struct Cutter {
    pub(super) frame: Frame,
    /// Whether round bodies are replaced by something larger or something smaller.
    pub(super) border: Border,
    /// By how much of their size.
    pub(super) fineness: f64,
    pub(super) pieces: Vec<Piece>,
    /// Half spaces and their places.
    pub(super) half_spaces: Vec<(HalfSpace, Pose)>,
    /// Whether there was something round.
    pub(super) is_round: bool,
}

impl Cutter {
    pub(super) fn new(frame: Frame, border: Border, fineness: f64) -> Cutter {
        Cutter { frame, border, fineness, pieces: Vec::new(), half_spaces: Vec::new(), is_round: false }
    }

    /// Adds the pieces of a shape; says what is wrong if that cannot be done.
    pub(super) fn add(&mut self, shape: &Shape, place: &Place) -> Result<(), String> {
        match shape {
            Shape::Compound(compound) => {
                for part in compound.parts() {
                    self.add(&part.shape, &place.then(&part.compound_from_part))?;
                }
                Ok(())
            }
            Shape::HalfSpace(half_space) => {
                self.half_spaces.push((*half_space, place.pose));
                Ok(())
            }
            Shape::Cuboid(_) | Shape::Convex(_) => {
                // Plane faces come as they are, whatever the deviation.
                let surface = shape.tessellate(1.0).map_err(|e| e.to_string())?;
                self.solid(surface.vertices(), place, 0.0, true)
            }
            Shape::Mesh(mesh) => self.mesh(mesh, place),
            Shape::HeightField(_) => {
                let surface = shape.tessellate(1.0).map_err(|e| e.to_string())?;
                let faces: Vec<usize> = (0..surface.faces().len()).collect();
                self.surface(&surface, &Topology::of(&surface), &faces, place);
                Ok(())
            }
            Shape::Sphere(_) | Shape::Capsule(_) | Shape::Cylinder(_) | Shape::Cone(_) => {
                self.round(shape, place)
            }
        }
    }

    fn round(&mut self, shape: &Shape, place: &Place) -> Result<(), String> {
        self.is_round = true;
        let bounds = shape.aabb().expect("round bodies have an end");
        let deviation = self.fineness * (bounds.max - bounds.min).min_element();
        let surface = shape.tessellate(deviation).map_err(|e| e.to_string())?;
        // The surface deviates by as much at most; so the body is in the surface with a cube around each of its points.
        let mut points = surface.vertices().to_vec();
        if self.border == Border::Around {
            let sign = |i: usize, bit: usize| if i >> bit & 1 == 0 { -deviation } else { deviation };
            let cube = |p: Vec3| (0..8).map(move |i| p + Vec3::new(sign(i, 0), sign(i, 1), sign(i, 2)));
            points = points.into_iter().flat_map(cube).collect();
        }
        self.solid(&points, place, rounding::coordinate(bounds.reach()), false)
    }

    /// The hull of points as one piece.
    fn solid(&mut self, points: &[Vec3], place: &Place, slack: f64, is_exact: bool) -> Result<(), String> {
        let hull = convex_hull(points).map_err(|e| e.to_string())?;
        let (corners, edges): (Vec<u32>, Vec<[u32; 2]>) = match hull {
            Hull::Point(point) => (vec![point], Vec::new()),
            Hull::Segment(ends) => (ends.to_vec(), vec![[0, 1]]),
            Hull::Flat(flat) => {
                let count = flat.outline.len() as u32;
                (flat.outline, (0..count).map(|i| [i, (i + 1) % count]).collect())
            }
            Hull::Solid(solid) => {
                let mesh = solid.mesh(points);
                let topology = Topology::of(&mesh);
                // Diagonals of faces are no edges.
                let is_edge = |edge: &usize| {
                    let uses = topology.edge_uses(*edge);
                    let [a, b, c] = mesh.triangle(uses[0].face() as usize);
                    let other = mesh.triangle(uses[1].face() as usize);
                    other.iter().any(|&p| side_of_plane(a, b, c, p) != Equal)
                };
                let edges = (0..topology.edges().len()).filter(is_edge).map(|edge| topology.edges()[edge]);
                (solid.vertices.clone(), edges.collect())
            }
        };
        let points: Vec<Vec3> = corners.iter().map(|&i| points[i as usize]).collect();
        self.push(&points, edges, place, slack, is_exact);
        Ok(())
    }

    fn push(&mut self, points: &[Vec3], edges: Vec<[u32; 2]>, place: &Place, slack: f64, is_exact: bool) {
        let in_place = |&p: &Vec3| self.frame.coordinates(place.pose.transform_point(p));
        let is_exact = is_exact
            && place.is_exact
            && self.frame.is_exact()
            && points.iter().all(|&p| is_exact_sum(p, place.pose.translation()));
        let points: Vec<Vec3> = points.iter().map(in_place).collect();
        let heights = points.iter().map(|p| p.z);
        let low = heights.clone().fold(f64::INFINITY, f64::min);
        let high = heights.fold(f64::NEG_INFINITY, f64::max);
        self.pieces.push(Piece { points, edges, heights: [low, high], slack, is_exact, skin: None });
    }

    fn mesh(&mut self, mesh: &Mesh, place: &Place) -> Result<(), String> {
        let topology = Topology::of(mesh);
        let mut parts: Vec<Vec<usize>> = vec![Vec::new(); topology.component_count()];
        for face in 0..mesh.faces().len() {
            if let Some(part) = topology.component(face) {
                parts[part as usize].push(face);
            }
        }
        let solids: Vec<Option<Solid>> =
            parts.iter().map(|faces| Solid::of(mesh, &topology, faces)).collect();
        // A part in another one may be a hole in it.
        let boxes: Vec<[Vec3; 2]> = parts.iter().map(|faces| bounds(mesh, faces)).collect();
        let holds = |a: &[Vec3; 2], b: &[Vec3; 2]| a[0].cmple(b[0]).all() && a[1].cmpge(b[1]).all();
        let is_nested = boxes.len() > 1
            && boxes.len() <= MOST_PARTS
            && boxes
                .iter()
                .enumerate()
                .any(|(i, a)| boxes.iter().enumerate().any(|(k, b)| i != k && holds(a, b)));
        let may_be_solid = !is_nested && boxes.len() <= MOST_PARTS;
        for (faces, solid) in parts.iter().zip(solids) {
            match solid {
                Some(solid) if may_be_solid => {
                    self.solid(&solid.points, place, solid.slack, solid.slack == 0.0)?
                }
                _ => self.surface(mesh, &topology, faces, place),
            }
        }
        // Faces that name a corner twice belong to no part, but bodies may touch them.
        let lost: Vec<usize> = (0..mesh.faces().len()).filter(|&f| topology.component(f).is_none()).collect();
        self.surface(mesh, &topology, &lost, place);
        Ok(())
    }

    /// Faces one by one, or two by two where they make a convex quadrilateral.
    fn surface(&mut self, mesh: &Mesh, topology: &Topology, faces: &[usize], place: &Place) {
        let mut is_done = vec![false; mesh.faces().len()];
        let turned = |&p: &Vec3| self.frame.coordinates(place.pose.rotate(p));
        let mut tailor = (!faces.is_empty() && MeshReport::of(mesh).is_sound())
            .then(|| Tailor::new(mesh, topology, mesh.vertices().iter().map(turned).collect()));
        for &face in faces {
            if std::mem::replace(&mut is_done[face], true) {
                continue;
            }
            let corners = mesh.faces()[face];
            let partner = topology.face_edges(face).and_then(|edges| {
                edges.iter().enumerate().find_map(|(k, &edge)| {
                    let uses = topology.edge_uses(edge as usize);
                    let [a, b, c] = [k, (k + 1) % 3, (k + 2) % 3].map(|k| corners[k]);
                    let other = uses.iter().map(|u| u.face() as usize).find(|&f| f != face && !is_done[f])?;
                    let d = *mesh.faces()[other].iter().find(|&&v| v != a && v != b)?;
                    let quad = [a, d, b, c];
                    is_convex_quad(quad.map(|i| mesh.vertices()[i as usize])).then_some((other, quad))
                })
            });
            let outline = match partner {
                Some((other, quad)) => {
                    is_done[other] = true;
                    quad.to_vec()
                }
                None => corners.to_vec(),
            };
            let points: Vec<Vec3> = outline.iter().map(|&i| mesh.vertices()[i as usize]).collect();
            let count = outline.len() as u32;
            self.push(&points, (0..count).map(|i| [i, (i + 1) % count]).collect(), place, 0.0, true);
            let skin = tailor.as_mut().and_then(|tailor| tailor.skin(&outline));
            self.pieces.last_mut().expect("one was pushed").skin = skin;
        }
    }
}

/// Makes the skins of the faces of a mesh.
struct Tailor<'m> {
    mesh: &'m Mesh,
    topology: &'m Topology,
    /// The vertices, turned into the frame of the plane.
    vertices: Vec<Vec3>,
    is_taken: Vec<bool>,
    is_edge_taken: Vec<bool>,
}

impl<'m> Tailor<'m> {
    fn new(mesh: &'m Mesh, topology: &'m Topology, vertices: Vec<Vec3>) -> Tailor<'m> {
        let (is_taken, is_edge_taken) = (vec![false; vertices.len()], vec![false; topology.edges().len()]);
        Tailor { mesh, topology, vertices, is_taken, is_edge_taken }
    }

    /// Whether faces lie exactly in one plane and look to the same side: what they have in common is then no corner or edge of the solid.
    fn is_flat(&self, mut faces: impl Iterator<Item = usize>) -> bool {
        let Some(first) = faces.next() else { return true };
        let [a, b, c] = self.mesh.triangle(first);
        let normal = (b - a).cross(c - a);
        faces.all(|face| {
            let [p, q, r] = self.mesh.triangle(face);
            let is_in_plane = [p, q, r].iter().all(|&p| side_of_plane(a, b, c, p) == Equal);
            is_in_plane && normal.dot((q - p).cross(r - p)) > 0.0
        })
    }

    /// `None` if the face is too thin to have a normal; `outline` is counter-clockwise.
    fn skin(&mut self, outline: &[u32]) -> Option<Skin> {
        let at = |i: u32| self.vertices[i as usize];
        let direction = |from: u32, to: u32| (at(to) - at(from)).try_normalize().unwrap_or(Vec3::ZERO);
        let (along, across) = (at(outline[1]) - at(outline[0]), at(outline[2]) - at(outline[0]));
        let product = along.cross(across);
        let is_thin = !(product.length() > NEARLY * along.length().max(across.length()).powi(2));
        let normal = product.try_normalize().filter(|_| !is_thin)?;
        let mut skin = Skin { normal, corners: Vec::new(), edges: Vec::new() };
        for (k, &i) in (0u32..).zip(outline) {
            if !std::mem::replace(&mut self.is_taken[i as usize], true)
                && !self.is_flat(self.topology.vertex_faces(i as usize).iter().map(|&face| face as usize))
            {
                let faces = self.topology.vertex_faces(i as usize).iter();
                let beside =
                    faces.flat_map(|&face| self.mesh.faces()[face as usize]).filter(|&other| other != i);
                skin.corners.push((k, beside.map(|other| direction(i, other)).collect()));
            }
            let next = outline[(k as usize + 1) % outline.len()];
            let edge = self.topology.edge_between(i, next)? as usize;
            if !std::mem::replace(&mut self.is_edge_taken[edge], true) {
                let uses = self.topology.edge_uses(edge);
                if self.is_flat(uses.iter().map(|one| one.face() as usize)) {
                    continue;
                }
                let wing = |number: usize| {
                    let face = self.mesh.faces()[uses.get(number)?.face() as usize];
                    Some(direction(i, face.into_iter().find(|&v| v != i && v != next)?))
                };
                skin.edges.push((k, [wing(0)?, wing(1)?]));
            }
        }
        Some(skin)
    }
}

/// The sine of an angle that counts as none where it is decided which contacts can be left out: the resolution of f32. Rounding turns directions by much less.
pub(super) const NEARLY: f64 = f32::EPSILON as f64;

/// With more parts it is not looked at which part of a mesh is in which.
const MOST_PARTS: usize = 1000;

/// The most faces of a part of a mesh that are compared with all faces of its hull.
const MOST_FACES: usize = 2000;

fn bounds(mesh: &Mesh, faces: &[usize]) -> [Vec3; 2] {
    let corners = faces.iter().flat_map(|&face| mesh.triangle(face));
    corners.fold([Vec3::INFINITY, Vec3::NEG_INFINITY], |[min, max], p| [min.min(p), max.max(p)])
}

/// A closed part of a mesh that is convex.
struct Solid {
    points: Vec<Vec3>,
    /// How far faces may lie below the hull, in metres.
    slack: f64,
}

impl Solid {
    /// `None` if it is not convex, or not closed, or inside out.
    fn of(mesh: &Mesh, topology: &Topology, faces: &[usize]) -> Option<Solid> {
        let is_closed = |face: &usize| {
            topology.face_edges(*face).is_some_and(|edges| {
                edges.iter().all(|&edge| {
                    let uses = topology.edge_uses(edge as usize);
                    uses.len() == 2 && uses[0].is_forward() != uses[1].is_forward()
                })
            })
        };
        if !(4..=MOST_FACES).contains(&faces.len()) || !faces.iter().all(is_closed) {
            return None;
        }
        let points: Vec<Vec3> = faces.iter().flat_map(|&face| mesh.triangle(face)).collect();
        let Ok(Hull::Solid(hull)) = convex_hull(&points) else { return None };
        let hull = hull.mesh(&points);
        let reach = points.iter().fold(0.0f64, |reach, p| reach.max(p.abs().max_element()));
        let slack = rounding::coordinate(reach);
        let planes: Vec<([Vec3; 3], Vec3)> = hull
            .triangles()
            .map(|[a, b, c]| ([a, b, c], (b - a).cross(c - a).try_normalize().unwrap_or(Vec3::ZERO)))
            .collect();
        let mut is_exact = true;
        for &face in faces {
            let corners = mesh.triangle(face);
            let is_on = |([a, b, c], _): &&([Vec3; 3], Vec3)| {
                corners.iter().all(|&p| side_of_plane(*a, *b, *c, p) == Equal)
            };
            let is_near = |(triangle, normal): &([Vec3; 3], Vec3)| {
                *normal != Vec3::ZERO && corners.iter().all(|p| normal.dot(*p - triangle[0]).abs() <= slack)
            };
            if !planes.iter().any(|plane| is_near(plane) && is_on(&plane)) {
                is_exact = false;
                if !planes.iter().any(is_near) {
                    return None;
                }
            }
        }
        // A surface that covers its hull once, seen from outside, holds its volume.
        let from = points[0];
        let six_volumes = |[a, b, c]: [Vec3; 3]| (a - from).dot((b - from).cross(c - from));
        let own: f64 = faces.iter().map(|&face| six_volumes(mesh.triangle(face))).sum();
        let whole: f64 = hull.triangles().map(six_volumes).sum();
        (own > 0.5 * whole && own < 1.5 * whole)
            .then_some(Solid { points, slack: if is_exact { 0.0 } else { slack } })
    }
}

/// Whether four corners lie in one plane and make a convex quadrilateral in this order.
fn is_convex_quad([a, b, c, d]: [Vec3; 4]) -> bool {
    if side_of_plane(a, b, c, d) != Equal {
        return false;
    }
    let normal = (c - a).cross(d - b).abs();
    let flat = |p: Vec3| match normal.max_position() {
        0 => Vec2::new(p.y, p.z),
        1 => Vec2::new(p.z, p.x),
        _ => Vec2::new(p.x, p.y),
    };
    let [a, b, c, d] = [a, b, c, d].map(flat);
    let sides = [side_of_line(a, b, c), side_of_line(b, c, d), side_of_line(c, d, a), side_of_line(d, a, b)];
    sides == [Greater; 4] || sides == [Less; 4]
}
