//! A shape together with what its queries need, made once.

use crate::convex::{
    ConvexBody, ConvexCache, ConvexDistance, ConvexGraph, NO_VERTEX, distance_convex, intersects_convex,
};
use crate::distance::round::settled;
use crate::mesh_tree::MeshTree;
use crate::ray::{Ray, RayHit, ray_cast, ray_mesh_solid};
pub(crate) use crate::surface::Surface;
use crate::surface::boxes_apart;
use freiraum_geometry::math::rounding;
use freiraum_geometry::mesh::solidity::near_groups;
use freiraum_geometry::mesh::{SolidityFault, Topology};
use freiraum_geometry::shape::{Compound, Convex, HalfSpace, Part, Shape};
use freiraum_geometry::tolerance::{ROUND_DEPTH_RELATIVE, ROUND_TOUCH_RELATIVE};
use freiraum_geometry::{Aabb, Pose, Vec3};
use std::sync::{Arc, OnceLock};

/// A shape that questions can be asked of: bounding trees and neighbour tables are built here, once.
///
/// **Cost.** O(n log n) for meshes and height fields, O(n) for convex bodies, constant for primitives. Copies share
/// their data; sharing one `Prepared` between many placements is the intended use.
#[derive(Clone, Debug)]
pub struct Prepared {
    shape: Shape,
    bounds: Option<Aabb>,
    extra: Extra,
}

/// What the shape itself does not hold.
#[derive(Clone, Debug)]
enum Extra {
    None,
    Graph(Arc<ConvexGraph>),
    Surface(Arc<Surface>),
    Parts(Arc<Parts>),
}

/// What a compound is made of.
#[derive(Debug)]
struct Parts {
    parts: Vec<PreparedPart>,
    /// See [`Prepared::shared_hulls`].
    hulls: OnceLock<Vec<Prepared>>,
}

impl Extra {
    fn of_parts(parts: impl Iterator<Item = PreparedPart>) -> Extra {
        Extra::Parts(Arc::new(Parts { parts: parts.collect(), hulls: OnceLock::new() }))
    }
}

/// A prepared shape in its place within a compound.
#[derive(Clone, Debug)]
pub(crate) struct PreparedPart {
    pub(crate) compound_from_part: Pose,
    pub(crate) part: Prepared,
    /// In the frame of the compound; `None` for parts without end.
    pub(crate) bounds: Option<Aabb>,
}

impl PreparedPart {
    /// True if the part cannot meet or hold a body with these bounds in the frame of the compound, nor be held by it.
    pub(crate) fn is_apart(&self, bounds: Option<Aabb>, body: &Prepared) -> bool {
        boxes_apart(bounds, self.bounds) && !self.part.fills_beyond_bounds() && !body.fills_beyond_bounds()
    }
}

/// Where a surface is open, or otherwise bounds no solid.
#[derive(Clone, Debug, PartialEq)]
pub struct OpenPlace {
    /// What is wrong there.
    pub fault: SolidityFault,
    /// The ends of some of the edges at which it is, in the frame of the shape.
    pub edges: Vec<[Vec3; 2]>,
    /// How many such edges there are.
    pub count: usize,
}

/// What was done to a surface for the question what is inside of it; the surface itself stays as it is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SolidityNote {
    /// Cracks of up to this many metres were closed.
    CracksClosed(f64),
    /// So many shells are inside out and were turned round.
    InsideOut(usize),
    /// So many faces are wound against their neighbours and were turned.
    FacesTurned(usize),
}

impl SolidityNote {
    /// The notes about a surface of which cracks of up to `closed_gap` metres were closed, and shells and faces turned.
    pub fn all(closed_gap: f64, turned_shells: usize, turned_faces: usize) -> Vec<SolidityNote> {
        let notes = [
            (closed_gap > 0.0).then_some(SolidityNote::CracksClosed(closed_gap)),
            (turned_shells > 0).then_some(SolidityNote::InsideOut(turned_shells)),
            (turned_faces > 0).then_some(SolidityNote::FacesTurned(turned_faces)),
        ];
        notes.into_iter().flatten().collect()
    }

    /// The name for machines, which does not change.
    pub fn code(&self) -> &'static str {
        match self {
            SolidityNote::CracksClosed(_) => "cracks_closed",
            SolidityNote::InsideOut(_) => "inside_out",
            SolidityNote::FacesTurned(_) => "faces_turned",
        }
    }
}

impl std::fmt::Display for SolidityNote {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        match self {
            SolidityNote::CracksClosed(gap) => {
                write!(f, "cracks of up to {gap:.1e} m were closed to tell what is inside")
            }
            SolidityNote::InsideOut(1) => f.write_str("a shell is inside out; it is taken as turned round"),
            SolidityNote::InsideOut(n) => {
                write!(f, "{n} shells are inside out; they are taken as turned round, solids and cavities")
            }
            SolidityNote::FacesTurned(1) => {
                f.write_str("a face is wound against its neighbours; it is taken as turned")
            }
            SolidityNote::FacesTurned(n) => {
                write!(f, "{n} faces are wound against their neighbours; they are taken as turned")
            }
        }
    }
}

/// How a shape is treated when it meets another one.
pub(crate) enum Class<'s> {
    Convex(Solid<'s>),
    HalfSpace(&'s HalfSpace),
    Surface(&'s Surface),
    Compound(&'s [PreparedPart]),
}

/// A convex shape with what asks it for its farthest points.
#[derive(Clone, Copy)]
pub(crate) struct Solid<'s> {
    pub(crate) shape: &'s Shape,
    pub(crate) body: &'s dyn ConvexBody,
    pub(crate) bounds: Aabb,
}

impl Solid<'_> {
    /// The farthest point of the whole body, radius included, in a unit direction.
    pub(crate) fn support(&self, direction: Vec3) -> Vec3 {
        self.body.farthest(direction, NO_VERTEX).point + self.body.radius() * direction
    }

    /// The largest absolute coordinate of the body in its own frame.
    pub(crate) fn reach(&self) -> f64 {
        self.bounds.reach()
    }

    /// A box that holds the body, in another frame.
    pub(crate) fn placed_box(&self, other_from_body: &Pose) -> Aabb {
        let body_from_other = other_from_body.inverse();
        let along = |direction: Vec3| {
            let farthest = self.support(body_from_other.rotate(direction));
            other_from_body.transform_point(farthest).dot(direction)
        };
        let max = Vec3::new(along(Vec3::X), along(Vec3::Y), along(Vec3::Z));
        let min = -Vec3::new(along(-Vec3::X), along(-Vec3::Y), along(-Vec3::Z));
        Aabb { min, max }.inflated(touch_slack(0.0, self.reach(), other_from_body))
    }
}

impl Prepared {
    /// Prepares a shape.
    pub fn new(shape: Shape) -> Prepared {
        let extra = match &shape {
            Shape::Convex(body) => Extra::Graph(Arc::new(ConvexGraph::new(body.clone()))),
            Shape::Mesh(mesh) => Extra::Surface(Arc::new(Surface::of_mesh(mesh))),
            Shape::HeightField(field) => Extra::Surface(Arc::new(Surface::of_height_field(field))),
            Shape::Compound(compound) => Extra::of_parts(compound.parts().iter().map(|p| PreparedPart {
                compound_from_part: p.compound_from_part,
                part: Prepared::new(p.shape.clone()),
                bounds: p.shape.aabb_placed(&p.compound_from_part),
            })),
            _ => Extra::None,
        };
        Prepared { bounds: shape.aabb(), shape, extra }
    }

    /// A compound of shapes that are prepared already, each with its pose in the frame of the compound. `None` without any.
    pub fn of_parts(parts: &[(Pose, Prepared)]) -> Option<Prepared> {
        let of_part = |(pose, part): &(Pose, Prepared)| PreparedPart {
            compound_from_part: *pose,
            part: part.clone(),
            bounds: part.shape.aabb_placed(pose),
        };
        let shapes = parts
            .iter()
            .map(|(pose, part)| Part { compound_from_part: *pose, shape: part.shape.clone() })
            .collect();
        let shape = Shape::Compound(Compound::new(shapes).ok()?);
        let extra = Extra::of_parts(parts.iter().map(of_part));
        Some(Prepared { bounds: shape.aabb(), shape, extra })
    }

    /// The shape itself.
    pub fn shape(&self) -> &Shape {
        &self.shape
    }

    /// The box of the shape in its own frame; `None` if it has no end.
    pub fn bounds(&self) -> Option<Aabb> {
        self.bounds
    }

    /// A box in frame a that holds the shape placed by `a_from_shape`; `None` if it has no end. Its size is that of a box around [`Prepared::bounds`] where the
    /// shape has many vertices, none of which is looked at.
    pub(crate) fn bounds_placed(&self, a_from_shape: &Pose) -> Option<Aabb> {
        if let Extra::None = self.extra {
            return self.shape.aabb_placed(a_from_shape);
        }
        let own = self.bounds?;
        Some(own.transformed(a_from_shape).inflated(2.0 * touch_slack(0.0, own.reach(), a_from_shape)))
    }

    /// The tree of a mesh or a height field; `None` for all other shapes.
    pub fn mesh_tree(&self) -> Option<&Arc<MeshTree>> {
        match &self.extra {
            Extra::Surface(surface) => Some(surface.tree()),
            _ => None,
        }
    }

    /// Edges and neighbours of a mesh or a height field, made when first asked for and then kept with all copies; `None` for all other shapes.
    pub fn topology(&self) -> Option<&Topology> {
        match &self.extra {
            Extra::Surface(surface) => Some(surface.topology()),
            _ => None,
        }
    }

    /// The parts of a compound with their poses in its frame; none for all other shapes.
    pub fn parts(&self) -> impl Iterator<Item = (&Pose, &Prepared)> {
        let parts: &[PreparedPart] = match &self.extra {
            Extra::Parts(all) => &all.parts,
            _ => &[],
        };
        parts.iter().map(|p| (&p.compound_from_part, &p.part))
    }

    /// The same shape with every mesh and height field in it declared a sheet: only its surface counts, nothing is inside of it, and no answer about it is
    /// [`Unknown`](crate::intersect::Relation::Unknown). Solids that are no meshes stay what they are.
    #[must_use]
    pub fn as_sheet(&self) -> Prepared {
        let extra = match &self.extra {
            Extra::Surface(surface) => Extra::Surface(Arc::new(surface.as_sheet())),
            Extra::Parts(all) => {
                let sheet = |p: &PreparedPart| PreparedPart { part: p.part.as_sheet(), ..p.clone() };
                Extra::of_parts(all.parts.iter().map(sheet))
            }
            other => other.clone(),
        };
        Prepared { shape: self.shape.clone(), bounds: self.bounds, extra }
    }

    /// True if [`Prepared::as_sheet`] made it, or a part of it.
    pub fn is_sheet(&self) -> bool {
        match &self.extra {
            Extra::Surface(surface) => surface.is_sheet(),
            Extra::Parts(all) => all.parts.iter().any(|p| p.part.is_sheet()),
            Extra::None | Extra::Graph(_) => false,
        }
    }

    /// The box of all that the shape fills, in its own frame; `None` if that has no end: as [`Prepared::bounds`], but that height fields, which are solid
    /// below, have none. Bodies outside of it are apart from the shape, and not inside of it.
    pub fn filled_bounds(&self) -> Option<Aabb> {
        self.bounds.filter(|_| !self.fills_beyond_bounds())
    }

    /// True if the shape fills places beside its [`Prepared::bounds`]: half spaces, which have none, and height fields, which are
    /// solid below.
    pub fn fills_beyond_bounds(&self) -> bool {
        match self.class() {
            Class::Surface(surface) => surface.height_field().is_some(),
            Class::Compound(parts) => parts.iter().any(|p| p.part.fills_beyond_bounds()),
            Class::HalfSpace(_) => true,
            Class::Convex(_) => false,
        }
    }

    /// The vertical sides of a height field, which is solid below, as an open surface: from its border down to a floor below a body that is in a box in the
    /// frame of the field. `None` if the sides do not matter to that body, because it does not reach out over the border or not below it; for all
    /// other shapes; and if it is declared a sheet. **Cost.** Made when first asked for, for each of a few depths; O(n log n) for a border of n points.
    pub fn sides_near(&self, body: &Aabb) -> Option<&Arc<MeshTree>> {
        match self.class() {
            Class::Surface(surface) => Some(surface.sides_near(body)?.tree()),
            _ => None,
        }
    }

    /// Whether [`Prepared::sides_near`] gives any; nothing is made for that.
    pub fn sides_matter(&self, body: &Aabb) -> bool {
        matches!(self.class(), Class::Surface(surface) if surface.sides_matter(body))
    }

    /// The meshes of the shape with their poses in its frame, as far as they are not declared sheets: what decides whether something is inside of it.
    pub fn solid_meshes(&self) -> Vec<(Pose, &Arc<MeshTree>)> {
        match (&self.shape, &self.extra) {
            (Shape::Mesh(_), Extra::Surface(surface)) if !surface.is_sheet() => {
                vec![(Pose::IDENTITY, surface.tree())]
            }
            (_, Extra::Parts(all)) => {
                let of_part = |p: &'_ PreparedPart| p.compound_from_part;
                let all =
                    all.parts.iter().flat_map(|p| p.part.solid_meshes().into_iter().map(move |m| (p, m)));
                all.map(|(p, (part_from_mesh, tree))| (of_part(p) * part_from_mesh, tree)).collect()
            }
            _ => Vec::new(),
        }
    }

    /// The hulls of pieces of surface of several meshes of a compound that bound no solid and lie near each other, in its frame: panels that stand around
    /// something may be the walls of one solid. None for all other shapes. **Cost.** O(n log n) the first time.
    pub(crate) fn shared_hulls(&self) -> &[Prepared] {
        let Extra::Parts(all) = &self.extra else { return &[] };
        all.hulls.get_or_init(|| {
            let mut pieces: Vec<(usize, Vec<Vec3>)> = Vec::new();
            for (number, (pose, tree)) in self.solid_meshes().iter().enumerate() {
                for piece in tree.solidity().pieces() {
                    let points = match &piece.hull {
                        Some(hull) => hull.vertices().to_vec(),
                        // A flat one: its box holds it.
                        None => piece.bounds.corners().to_vec(),
                    };
                    pieces.push((number, points.iter().map(|p| pose.transform_point(*p)).collect()));
                }
            }
            let boxes: Vec<Aabb> = pieces.iter().map(|(_, points)| Aabb::of_points(points)).collect();
            let (groups, count) = near_groups(&boxes);
            let mut hulls = Vec::new();
            for group in 0..count {
                let own =
                    || pieces.iter().zip(&groups).filter(|(_, g)| **g as usize == group).map(|(p, _)| p);
                // The pieces of one mesh have a hull of their own.
                let Some((first, _)) = own().next() else { continue };
                if own().any(|(number, _)| number != first) {
                    let points: Vec<Vec3> = own().flat_map(|(_, points)| points.iter().copied()).collect();
                    hulls.extend(Convex::from_points(&points).ok().map(|c| Prepared::new(Shape::Convex(c))));
                }
            }
            hulls
        })
    }

    /// What was done to the surfaces of meshes that are not declared sheets to tell what is inside: of each kind the sum, or the most.
    /// **Cost.** O(n log n) the first time.
    pub fn solidity_notes(&self) -> Vec<SolidityNote> {
        let (mut gap, mut shells, mut faces) = (0.0f64, 0, 0);
        for (_, tree) in self.solid_meshes() {
            gap = gap.max(tree.solidity().closed_gap());
            shells += tree.solidity().turned_shells();
            faces += tree.solidity().turned_faces();
        }
        SolidityNote::all(gap, shells, faces)
    }

    /// True if there are places of which it is unknown whether they are inside: a mesh in it that is not declared a sheet has a piece that bounds no
    /// solid and is not flat, or shells that cross so that winding numbers may cancel; or such pieces of several meshes lie near each other. **Cost.** O(n log n) the first time.
    pub fn is_doubtful(&self) -> bool {
        self.solid_meshes().iter().any(|(_, tree)| tree.has_unknown_places())
            || !self.shared_hulls().is_empty()
    }

    /// True if a mesh in it that is not declared a sheet [crosses itself](MeshTree::crosses_itself). **Cost.** O(n log n) the first time.
    pub fn crosses_itself(&self) -> bool {
        self.solid_meshes().iter().any(|(_, tree)| tree.crosses_itself())
    }

    /// True if a mesh in it that is not declared a sheet has faces that bound no solid ([`Solidity::is_sound`](freiraum_geometry::mesh::Solidity::is_sound)).
    /// **Cost.** O(n log n) the first time.
    pub fn bounds_no_solid(&self) -> bool {
        self.solid_meshes().iter().any(|(_, tree)| !tree.solidity().is_sound())
    }

    /// The pieces of surface that bound no solid and are not declared sheets, in the frame of the shape: bodies in their hulls may be
    /// inside. **Cost.** O(n log n) the first time.
    pub fn open_pieces(&self) -> Vec<OpenPlace> {
        let meshes = self.solid_meshes();
        let pieces =
            meshes.iter().flat_map(|(pose, tree)| tree.solidity().pieces().iter().map(move |p| (pose, p)));
        pieces
            .map(|(pose, piece)| OpenPlace {
                fault: piece.fault,
                edges: piece.places.iter().map(|ends| ends.map(|p| pose.transform_point(p))).collect(),
                count: piece.place_count,
            })
            .collect()
    }

    /// True if the shape, or a part of it, has a surface that is not all sound shells: an open mesh, or what is declared a sheet. A height
    /// field is solid below, and none.
    pub fn has_open_surface(&self) -> bool {
        match self.class() {
            Class::Surface(surface) => !surface.has_sides(),
            Class::Compound(parts) => parts.iter().any(|p| p.part.has_open_surface()),
            Class::Convex(_) | Class::HalfSpace(_) => false,
        }
    }

    /// True if the shape is a height field that is not declared a sheet, or has a part that is one.
    pub fn has_height_field(&self) -> bool {
        match self.class() {
            Class::Surface(surface) => surface.height_field().is_some(),
            Class::Compound(parts) => parts.iter().any(|p| p.part.has_height_field()),
            Class::Convex(_) | Class::HalfSpace(_) => false,
        }
    }

    /// The first point that a ray hits, as [`ray_cast`] says it, through the tree of a mesh; everything in the frame of
    /// the shape.
    pub fn ray_cast(&self, ray: &Ray) -> Option<RayHit> {
        match (&self.shape, &self.extra) {
            (Shape::Mesh(_), Extra::Surface(surface)) => ray_mesh_solid(surface.tree(), ray),
            (_, Extra::Parts(all)) => {
                let hits = all.parts.iter().filter_map(|p| {
                    let hit = p.part.ray_cast(&ray.seen_from_part(&p.compound_from_part.inverse()))?;
                    let normal = p.compound_from_part.rotate(hit.normal);
                    Some(RayHit { point: ray.at(hit.distance), normal, ..hit })
                });
                hits.reduce(|best, hit| if hit.distance < best.distance { hit } else { best })
            }
            (shape, _) => ray_cast(shape, ray),
        }
    }

    /// The graph of a convex polyhedron; `None` for all other shapes.
    pub fn graph(&self) -> Option<&Arc<ConvexGraph>> {
        match &self.extra {
            Extra::Graph(graph) => Some(graph),
            _ => None,
        }
    }

    pub(crate) fn class(&self) -> Class<'_> {
        match (&self.shape, &self.extra) {
            (Shape::HalfSpace(s), _) => Class::HalfSpace(s),
            (_, Extra::Surface(surface)) => Class::Surface(surface),
            (_, Extra::Parts(all)) => Class::Compound(&all.parts),
            (shape, Extra::Graph(graph)) => Class::Convex(self.solid(shape, &**graph)),
            (Shape::Sphere(s), Extra::None) => Class::Convex(self.solid(&self.shape, s)),
            (Shape::Cuboid(s), Extra::None) => Class::Convex(self.solid(&self.shape, s)),
            (Shape::Cylinder(s), Extra::None) => Class::Convex(self.solid(&self.shape, s)),
            (Shape::Capsule(s), Extra::None) => Class::Convex(self.solid(&self.shape, s)),
            (Shape::Cone(s), Extra::None) => Class::Convex(self.solid(&self.shape, s)),
            (Shape::Convex(_) | Shape::Mesh(_) | Shape::HeightField(_) | Shape::Compound(_), Extra::None) => {
                unreachable!("made with its extra data in new")
            }
        }
    }

    fn solid<'s>(&self, shape: &'s Shape, body: &'s dyn ConvexBody) -> Solid<'s> {
        Solid { shape, body, bounds: self.bounds.unwrap_or(Aabb::EMPTY) }
    }
}

/// How far apart two bodies may be found although they touch: the rounding of their coordinates, when b is placed in
/// the frame of a. `reach_a`, `reach_b`: the largest absolute coordinate of each body in its own frame.
pub(crate) fn touch_slack(reach_a: f64, reach_b: f64, a_from_b: &Pose) -> f64 {
    // Rotation makes a coordinate at most √3 times as large.
    rounding::coordinate(reach_a + 2.0 * reach_b + a_from_b.translation().abs().max_element())
}

/// How exactly the distance of two convex bodies is known, in metres.
#[derive(Clone, Copy)]
pub(crate) struct Exactness {
    /// Bodies no farther apart than this touch.
    pub(crate) gap: f64,
    /// Bodies that overlap by no more than this only touch.
    pub(crate) depth: f64,
}

impl Exactness {
    /// Of a pair in closed form, or by an algorithm that ends.
    pub(crate) fn rounding(slack: f64) -> Exactness {
        Exactness { gap: slack, depth: slack }
    }

    /// Of the general algorithm for these two bodies.
    pub(crate) fn of_pair(a: &dyn ConvexBody, b: &dyn ConvexBody, a_from_b: &Pose) -> Exactness {
        let reach = |body: &dyn ConvexBody| body.reach() + body.radius();
        let reach = reach(a) + reach(b) + a_from_b.translation().abs().max_element();
        if a.is_polyhedral() && b.is_polyhedral() {
            return Exactness::rounding(rounding::coordinate(reach));
        }
        Exactness { gap: ROUND_TOUCH_RELATIVE * reach, depth: ROUND_DEPTH_RELATIVE * reach }
    }
}

/// How far from the box of a convex body faces may lie that it touches.
pub(crate) fn touch_limit(a: &Solid, b: &Surface, a_from_b: &Pose) -> f64 {
    let reach = a.body.reach()
        + a.body.radius()
        + 2.0 * b.bounds().reach()
        + a_from_b.translation().abs().max_element();
    if a.body.is_polyhedral() { rounding::coordinate(reach) } else { ROUND_TOUCH_RELATIVE * reach }
}

/// True if two convex bodies touch or overlap. Round ones are asked for their distance, because they meet by iteration.
pub(crate) fn convex_meet(
    a: &dyn ConvexBody,
    b: &dyn ConvexBody,
    a_from_b: &Pose,
    cache: &mut ConvexCache,
) -> bool {
    if a.is_polyhedral() && b.is_polyhedral() {
        return intersects_convex(a, b, a_from_b, cache);
    }
    match distance_convex(a, b, a_from_b, cache) {
        ConvexDistance::Separated(closest) => {
            settled(a, b, a_from_b, closest).distance <= Exactness::of_pair(a, b, a_from_b).gap
        }
        ConvexDistance::Overlapping => true,
    }
}

/// The same to rounding, for round bodies too: those that a plane keeps apart by more than rounding do not meet, though iteration could not tell.
pub(crate) fn convex_meet_to_rounding(a: &dyn ConvexBody, b: &dyn ConvexBody, a_from_b: &Pose) -> bool {
    let cache = &mut ConvexCache::new();
    if a.is_polyhedral() && b.is_polyhedral() {
        return intersects_convex(a, b, a_from_b, cache);
    }
    match distance_convex(a, b, a_from_b, cache) {
        ConvexDistance::Separated(closest) => {
            let reach = a.reach() + a.radius() + b.reach() + b.radius();
            let slack = rounding::coordinate(reach + a_from_b.translation().abs().max_element());
            settled(a, b, a_from_b, closest).distance <= slack
        }
        ConvexDistance::Overlapping => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use freiraum_geometry::Mesh;
    use freiraum_geometry::shape::Cylinder;
    use freiraum_testkit::random::Random;

    /// Every vertex lies in the placed box, also far from the origin, and the box is no larger than one around the own box.
    #[test]
    fn placed_bounds_hold_the_shape() {
        let mut random = Random::new(19);
        for case in 0..400 {
            let far = [0.0, 1e3, 1e8][case % 3];
            let points: Vec<Vec3> = (0..20).map(|_| random.direction() + far * Vec3::ONE).collect();
            let faces: Vec<[u32; 3]> = (0..18).map(|k| [k, k + 1, k + 2]).collect();
            let mesh = Shape::Mesh(Arc::new(Mesh::new(points.clone(), faces).unwrap()));
            let pose = Pose::new(random.rotation(), far * random.direction()).unwrap();
            let shape = match case % 4 {
                0 => mesh,
                1 => Shape::Convex(Convex::from_points(&points).unwrap()),
                2 => Shape::Compound(
                    Compound::new(vec![Part { compound_from_part: Pose::IDENTITY, shape: mesh }]).unwrap(),
                ),
                _ => Shape::Cylinder(Cylinder::new(0.4, 2.0).unwrap()),
            };
            let (prepared, is_cylinder) = (Prepared::new(shape.clone()), case % 4 == 3);
            let placed = prepared.bounds_placed(&pose).unwrap();
            let tight = shape.aabb_placed(&pose).unwrap();
            assert!(placed.min.cmple(tight.min).all() && placed.max.cmpge(tight.max).all(), "{case}");
            assert!(
                is_cylinder || points.iter().all(|p| placed.contains(pose.transform_point(*p))),
                "{case}"
            );
            let most = prepared.bounds().unwrap().size().length() + 1e-12 * far;
            assert!(placed.size().max_element() <= most * (1.0 + 1e-12) + 1e-6, "{case}");
        }
    }
}
