//! The surface of a mesh or a height field with its tree, and the walks that the pairs need beyond those of the tree.

use crate::Closest;
use crate::below::Below;
use crate::contact::polygon::Polygon;
use crate::convex::{ConvexCache, ConvexGraph, Points};
use crate::distance::shared::shared_point;
use crate::mesh_tree::{
    Closure, MeshDistanceCache, MeshTree, PointPlace, any_intersection, locate, surface_distance,
};
use crate::prepared::{Solid, convex_meet, convex_meet_to_rounding, touch_slack};
use crate::workspace::with_meshes;
use freiraum_geometry::math::predicates::{side_of_line, side_of_plane};
use freiraum_geometry::math::{Vec2, unit};
use freiraum_geometry::mesh::Topology;
use freiraum_geometry::shape::{Cuboid, HeightField, Shape};
use freiraum_geometry::tolerance::ROUND_TOUCH_RELATIVE;
use freiraum_geometry::{Aabb, Mesh, Pose, Vec3};
use std::sync::{Arc, OnceLock};

/// Triangles with their tree, and what they bound.
#[derive(Clone, Debug)]
pub(crate) struct Surface {
    tree: Arc<MeshTree>,
    inside: Inside,
    bounds: Aabb,
    topology: OnceLock<Topology>,
    shells: OnceLock<Vec<Shell>>,
    outward: OnceLock<Vec<Vec3>>,
    hulls: OnceLock<Vec<ConvexGraph>>,
}

/// What is inside of a surface.
#[derive(Clone, Debug)]
enum Inside {
    /// What the sound shells wind round; unknown in the hulls of the others.
    Shells,
    /// Nothing: it is declared a sheet.
    Nothing,
    /// All that is below it.
    Below(Arc<Below>),
}

/// What is known of a body that does not meet a surface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Held {
    /// A point of it, in its own frame, is inside.
    Inside(Vec3),
    /// All of it is outside.
    Outside,
    /// Neither is known.
    Unknown,
}

/// A piece of surface that hangs together through edges.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shell {
    /// One of its corners.
    pub(crate) corner: Vec3,
    /// Its number in the topology; none for a face that names a corner twice, which is alone.
    pub(crate) component: Option<u32>,
    /// True if it is closed and faces inwards: the wall of a cavity.
    pub(crate) is_cavity: bool,
}

/// One triangle on a walk.
#[derive(Clone, Copy)]
pub(crate) struct Leaf<'t> {
    pub(crate) corners: &'t [Vec3; 3],
    /// Its face in the mesh.
    pub(crate) face: u32,
}

impl Surface {
    pub(crate) fn of_mesh(mesh: &Arc<Mesh>) -> Surface {
        Surface::new(Arc::new(MeshTree::build(mesh.clone())), Inside::Shells, mesh.aabb())
    }

    fn new(tree: Arc<MeshTree>, inside: Inside, bounds: Aabb) -> Surface {
        let (topology, shells, hulls) = (OnceLock::new(), OnceLock::new(), OnceLock::new());
        Surface { tree, inside, bounds, topology, shells, outward: OnceLock::new(), hulls }
    }

    /// Triangles without an inside.
    pub(crate) fn of_sheet(mesh: Mesh) -> Surface {
        let bounds = mesh.aabb();
        Surface::new(Arc::new(MeshTree::build(mesh)), Inside::Nothing, bounds)
    }

    /// The same triangles as a surface without an inside.
    pub(crate) fn as_sheet(&self) -> Surface {
        Surface::new(self.tree.clone(), Inside::Nothing, self.bounds)
    }

    /// A height field: the open mesh that it is, solid below.
    pub(crate) fn of_height_field(field: &HeightField) -> Surface {
        // Height fields come as they are, whatever the deviation.
        let mesh = Shape::HeightField(field.clone()).tessellate(1.0);
        let mesh = mesh.expect("heights and size were checked when they came in");
        let below = Arc::new(Below::new(field));
        Surface::new(Arc::new(MeshTree::build(mesh)), Inside::Below(below), field.aabb())
    }

    pub(crate) fn tree(&self) -> &Arc<MeshTree> {
        &self.tree
    }

    pub(crate) fn mesh(&self) -> &Arc<Mesh> {
        self.tree.mesh()
    }

    /// True if all triangles belong to sound shells, so that there is an inside and the surface is all of its border.
    pub(crate) fn is_solid(&self) -> bool {
        matches!(self.inside, Inside::Shells) && self.tree.closure() != Closure::Open
    }

    /// True if normals point outwards: of solids, and of height fields, which are solid below.
    pub(crate) fn has_sides(&self) -> bool {
        matches!(self.inside, Inside::Below(_)) || self.is_solid()
    }

    /// True if it is declared a sheet.
    pub(crate) fn is_sheet(&self) -> bool {
        matches!(self.inside, Inside::Nothing)
    }

    /// True if the tree alone does not tell what is inside.
    pub(crate) fn is_sheet_to_tree(&self) -> bool {
        !matches!(self.inside, Inside::Shells)
    }

    /// The height field, if it is one and not declared a sheet.
    pub(crate) fn height_field(&self) -> Option<&HeightField> {
        match &self.inside {
            Inside::Below(below) => Some(below.field()),
            _ => None,
        }
    }

    /// The vertical sides below the border of a height field, down to a floor below a body that is in a box in the frame of the field; `None` if they
    /// do not matter to it, or there are none: see [`below`](crate::below).
    pub(crate) fn sides_near(&self, body: &Aabb) -> Option<&Surface> {
        match &self.inside {
            Inside::Below(below) => below.sides_near(body),
            _ => None,
        }
    }

    /// Whether [`Surface::sides_near`] gives any; nothing is made for that.
    pub(crate) fn sides_matter(&self, body: &Aabb) -> bool {
        matches!(&self.inside, Inside::Below(below) if below.sides_matter(body))
    }

    /// The sides of those that are height fields, if they matter to the surface of the other one; `true` for
    /// those of b.
    pub(crate) fn sides_between<'s>(
        a: &'s Surface,
        b: &'s Surface,
        a_from_b: &Pose,
    ) -> impl Iterator<Item = (&'s Surface, bool)> {
        let of_b = b.height_field().and_then(|_| b.sides_near(&a.bounds.transformed(&a_from_b.inverse())));
        let of_a = a.height_field().and_then(|_| a.sides_near(&b.bounds.transformed(a_from_b)));
        of_b.map(|sides| (sides, true)).into_iter().chain(of_a.map(|sides| (sides, false)))
    }

    /// The hulls of the pieces that bound no solid, in which it is unknown what is inside.
    pub(crate) fn hulls(&self) -> &[ConvexGraph] {
        let pieces = || self.tree.solidity().pieces().iter().filter_map(|piece| piece.hull.clone());
        self.hulls.get_or_init(|| match self.inside {
            Inside::Shells => pieces().map(ConvexGraph::new).collect(),
            _ => Vec::new(),
        })
    }

    /// Whether a convex body that does not meet this surface is inside.
    pub(crate) fn holds_convex(&self, a: &Solid, a_from_self: &Pose) -> Held {
        let self_from_a = a_from_self.inverse();
        if let Inside::Below(below) = &self.inside {
            return below_convex(below, a, &self_from_a);
        }
        if !self.is_sheet() {
            // It is all in one place: the first of its points that is known tells.
            let ends = [Vec3::X, Vec3::Y, Vec3::Z].into_iter().flat_map(|d| [d, -d]);
            let mut points = [a.body.center()].into_iter().chain(ends.map(|d| a.support(d)));
            let place = |p: Vec3| self.place(self_from_a.transform_point(p));
            let known = points.find_map(|p| Some((p, place(p))).filter(|(_, at)| *at != PointPlace::Unknown));
            match known {
                Some((p, PointPlace::Inside)) => return Held::Inside(p),
                Some(_) => {}
                None => return Held::Unknown,
            }
        }
        let may_hold = |hull: &ConvexGraph| convex_meet_to_rounding(a.body, hull, a_from_self);
        if self.hulls().iter().any(may_hold) { Held::Unknown } else { Held::Outside }
    }

    /// Whether shells of this surface, which does not meet the other one, are inside of that.
    pub(crate) fn held_by(&self, other: &Surface, other_from_self: &Pose) -> Held {
        if let Inside::Below(below) = &other.inside {
            return below_surface(below, self, other_from_self);
        }
        let mut is_unknown = false;
        if !other.is_sheet() {
            for corner in self.shells().iter().map(|s| s.corner) {
                match other.place(other_from_self.transform_point(corner)) {
                    PointPlace::Inside => return Held::Inside(corner),
                    PointPlace::Unknown => is_unknown = true,
                    PointPlace::Outside | PointPlace::OnSurface => {}
                }
            }
        }
        if is_unknown || other.may_hold(self, other_from_self) { Held::Unknown } else { Held::Outside }
    }

    /// True if faces of the other surface reach into the hull of a piece of this one that bounds no solid.
    pub(crate) fn may_hold(&self, other: &Surface, self_from_other: &Pose) -> bool {
        let other_from_self = self_from_other.inverse();
        self.hulls().iter().any(|hull| {
            let shape = Shape::Convex(hull.convex().clone());
            let Some(near) = shape.aabb_placed(&other_from_self) else { return false };
            let (mut cache, mut found) = (ConvexCache::new(), false);
            other.visit_near(&near, 0.0, |leaf| {
                found = found || convex_meet(hull, &Points(leaf.corners), self_from_other, &mut cache);
                if found { -1.0 } else { 0.0 }
            });
            found
        })
    }

    /// The box in the frame of the mesh.
    pub(crate) fn bounds(&self) -> &Aabb {
        &self.bounds
    }

    /// Edges and neighbours, made when first asked for.
    pub(crate) fn topology(&self) -> &Topology {
        self.topology.get_or_init(|| Topology::of(self.mesh()))
    }

    /// For every vertex a direction out of the surface: the mean of the normals of its faces as a unit vector, or zero; made when first
    /// asked for.
    pub(crate) fn outward(&self) -> &[Vec3] {
        self.outward.get_or_init(|| {
            let mut sums = vec![Vec3::ZERO; self.mesh().vertices().len()];
            for (corners, [p, q, r]) in self.mesh().faces().iter().zip(self.mesh().triangles()) {
                let normal = unit((q - p).cross(r - p)).unwrap_or(Vec3::ZERO);
                corners.iter().for_each(|&v| sums[v as usize] += normal);
            }
            sums.into_iter().map(|sum| unit(sum).unwrap_or(Vec3::ZERO)).collect()
        })
    }

    /// Where a point, in the frame of the mesh, is; exact.
    pub(crate) fn place(&self, point: Vec3) -> PointPlace {
        match &self.inside {
            Inside::Shells => with_meshes(|workspace| locate(&self.tree, point, workspace)),
            Inside::Nothing => PointPlace::Outside,
            Inside::Below(below) => place_below(below.field(), point),
        }
    }

    /// True if the point, in the frame of the mesh, is proven to be inside and not on the surface; exact.
    pub(crate) fn contains(&self, point: Vec3) -> bool {
        self.place(point) == PointPlace::Inside
    }

    /// True if faces of the two have a point in common, up to rounding.
    pub(crate) fn touches(&self, other: &Surface, self_from_other: &Pose) -> bool {
        with_meshes(|workspace| any_intersection(&self.tree, &other.tree, self_from_other, workspace))
            .is_some()
            || self.grazes(other, self_from_other).is_some()
    }

    /// Nearest points of surfaces no faces of which meet, if the rounding of the coordinates may be to blame for that.
    pub(crate) fn grazes(&self, other: &Surface, self_from_other: &Pose) -> Option<Closest> {
        let slack = touch_slack(self.bounds.reach(), other.bounds.reach(), self_from_other);
        if gap_squared(&other.bounds.transformed(self_from_other), &self.bounds) > 16.0 * slack * slack {
            return None;
        }
        let nearest = with_meshes(|workspace| {
            let cache = &mut MeshDistanceCache::default();
            surface_distance(&self.tree, &other.tree, self_from_other, workspace, cache).closest
        });
        (nearest.distance <= slack).then_some(nearest)
    }

    /// A corner of a shell of this surface that is inside the other one, in the frame of this one; right for surfaces
    /// that do not touch. `None` if there is no such shell.
    pub(crate) fn shell_in(&self, other: &Surface, other_from_self: &Pose) -> Option<Vec3> {
        if other.is_sheet() {
            return None;
        }
        if let Inside::Below(below) = &other.inside {
            return match below_surface(below, self, other_from_self) {
                Held::Inside(p) => Some(p),
                _ => None,
            };
        }
        let holds = |p: Vec3| other.contains(other_from_self.transform_point(p));
        self.shells().iter().map(|s| s.corner).find(|&p| holds(p))
    }

    /// The shells, found when first asked for.
    pub(crate) fn shells(&self) -> &[Shell] {
        self.shells.get_or_init(|| {
            let (topology, middle) = (self.topology(), self.bounds.center());
            let mut volumes = vec![0.0; topology.component_count()];
            let mut shells: Vec<Shell> = Vec::new();
            let mut is_seen = vec![false; topology.component_count()];
            for (face, corners) in self.mesh().triangles().enumerate() {
                let component = topology.component(face);
                let Some(number) = component else {
                    shells.push(Shell { corner: corners[0], component, is_cavity: false });
                    continue;
                };
                let [p, q, r] = corners.map(|p| p - middle);
                volumes[number as usize] += p.dot(q.cross(r));
                if !std::mem::replace(&mut is_seen[number as usize], true) {
                    shells.push(Shell { corner: corners[0], component, is_cavity: false });
                }
            }
            for shell in &mut shells {
                let volume = shell.component.map_or(0.0, |c| volumes[c as usize]);
                shell.is_cavity = self.is_solid() && volume < 0.0;
            }
            shells
        })
    }

    /// Visits the triangles whose boxes come within `limit` metres of the box `near`, nearer ones first by boxes. `visit`
    /// returns the limit from then on: the distance found so far, or a negative number to end the walk.
    pub(crate) fn visit_near<'t>(&'t self, near: &Aabb, limit: f64, mut visit: impl FnMut(Leaf<'t>) -> f64) {
        let bound = |child: &Aabb| gap_squared(child, near);
        // A limit beyond any coordinate may overflow when squared; infinity is right then.
        self.walk(0, &bound, &mut (limit * limit), &mut |leaf| {
            let limit = visit(leaf);
            if limit < 0.0 { -1.0 } else { limit * limit }
        });
    }

    /// The corner of the triangles that lies farthest in a direction, and how far: the largest product.
    pub(crate) fn farthest(&self, direction: Vec3) -> (Vec3, f64) {
        let mut best = (self.tree.triangles()[0][0], f64::NEG_INFINITY);
        let bound = |child: &Aabb| {
            let corner = Vec3::select(direction.cmplt(Vec3::ZERO), child.min, child.max);
            -corner.dot(direction)
        };
        let mut limit = f64::INFINITY;
        self.walk(0, &bound, &mut limit, &mut |leaf| {
            for &p in leaf.corners {
                let along = p.dot(direction);
                if along > best.1 {
                    best = (p, along);
                }
            }
            -best.1
        });
        best
    }

    /// Depth first, children in the order of their bounds, until no bound is below or at the limit that `visit` returned.
    fn walk<'t>(
        &'t self,
        node: u32,
        bound: &impl Fn(&Aabb) -> f64,
        limit: &mut f64,
        visit: &mut impl FnMut(Leaf<'t>) -> f64,
    ) {
        let node = &self.tree.nodes()[node as usize];
        let mut order = [(0.0, 0usize); crate::mesh_tree::WIDTH];
        let count = usize::from(node.len);
        for (lane, entry) in order[..count].iter_mut().enumerate() {
            *entry = (bound(&self.lane_box(node, lane)), lane);
        }
        let order = &mut order[..count];
        order.sort_unstable_by(|p, q| p.0.total_cmp(&q.0).then(p.1.cmp(&q.1)));
        for &(least, lane) in order.iter() {
            if least > *limit {
                return;
            }
            let (first, triangles) = (node.child[lane] as usize, usize::from(node.count[lane]));
            if triangles == 0 {
                self.walk(node.child[lane], bound, limit, visit);
            } else {
                for i in first..first + triangles {
                    *limit = visit(Leaf { corners: &self.tree.triangles()[i], face: self.tree.faces()[i] });
                    if least > *limit {
                        return;
                    }
                }
            }
        }
    }

    /// The box of a child in metres, in the frame of the mesh.
    fn lane_box(&self, node: &crate::mesh_tree::Node, lane: usize) -> Aabb {
        let grid = self.tree.grid();
        let corner = |lanes: &[[f32; crate::mesh_tree::WIDTH]; 3]| {
            let v = Vec3::new(lanes[0][lane].into(), lanes[1][lane].into(), lanes[2][lane].into());
            v / grid.scale + grid.center
        };
        Aabb { min: corner(&node.min), max: corner(&node.max) }
    }
}

/// Where a point is, seen from a height field: inside is below.
fn place_below(field: &HeightField, p: Vec3) -> PointPlace {
    let Some(corners) = cell_triangle(field, p) else { return PointPlace::Outside };
    match side_of_plane(corners[0], corners[1], corners[2], p) {
        std::cmp::Ordering::Less => PointPlace::Inside,
        std::cmp::Ordering::Equal => PointPlace::OnSurface,
        std::cmp::Ordering::Greater => PointPlace::Outside,
    }
}

/// The triangle above or below a point, wound to look up; `None` beside the field.
fn cell_triangle(field: &HeightField, p: Vec3) -> Option<[Vec3; 3]> {
    // Cells are found by division and then by comparison, because the corners are rounded.
    let cell = |at: f64, size: f64, count: usize, line: &dyn Fn(usize) -> f64| {
        let guess = ((at / size + 0.5) * (count - 1) as f64).clamp(0.0, (count - 2) as f64) as usize;
        let mut index = guess;
        while index > 0 && line(index) > at {
            index -= 1;
        }
        while index + 2 < count && line(index + 1) < at {
            index += 1;
        }
        (line(index) <= at && at <= line(index + 1)).then_some(index)
    };
    let [width, depth] = field.size();
    let column = cell(p.x, width, field.columns(), &|c| field.vertex(0, c).x)?;
    let row = cell(p.y, depth, field.rows(), &|r| field.vertex(r, 0).y)?;
    let (low, high) = (field.vertex(row, column), field.vertex(row + 1, column + 1));
    let flat = |v: Vec3| Vec2::new(v.x, v.y);
    Some(match side_of_line(flat(low), flat(high), flat(p)) {
        std::cmp::Ordering::Less => [low, field.vertex(row, column + 1), high],
        _ => [low, high, field.vertex(row + 1, column)],
    })
}

/// Whether a convex body that does not meet a height field reaches below it.
fn below_convex(below: &Below, a: &Solid, field_from_a: &Pose) -> Held {
    // What of the body is above or below the rectangle is all above or all below the field: one point of it tells.
    let own = a.placed_box(field_from_a);
    let bounds = below.bounds();
    let size =
        Vec3::new(bounds.size().x, bounds.size().y, 4.0 * (own.size().z + bounds.size().z).max(own.reach()));
    let Ok(column) = Cuboid::new(size) else { return Held::Unknown };
    let column_from_a = Pose::from_translation(Vec3::new(0.0, 0.0, -own.center().z)) * *field_from_a;
    let a_from_column = column_from_a.inverse();
    if !convex_meet(a.body, &column, &a_from_column, &mut ConvexCache::new()) {
        return Held::Outside;
    }
    let guess = a.body.center();
    let shared = shared_point(a.body, &column, &a_from_column, &[guess]);
    let mut p = field_from_a.transform_point(shared);
    // On the rim by no more than rounding.
    (p.x, p.y) = (p.x.clamp(bounds.min.x, bounds.max.x), p.y.clamp(bounds.min.y, bounds.max.y));
    match place_below(below.field(), p) {
        PointPlace::Inside => Held::Inside(shared),
        _ => Held::Outside,
    }
}

/// Whether a surface that does not meet a height field reaches below it; the point is in the frame of the surface.
fn below_surface(below: &Below, surface: &Surface, field_from_surface: &Pose) -> Held {
    let bounds = below.bounds();
    for triangle in surface.mesh().triangles() {
        let placed = triangle.map(|p| field_from_surface.transform_point(p));
        let clipped = [Vec3::X, Vec3::Y]
            .iter()
            .fold(Polygon::of(placed), |rest, &axis| rest.below(bounds.max, axis).below(bounds.min, -axis));
        // It does not meet the field, so what is left of it is all above or all below.
        let Some(first) = clipped.first() else { continue };
        let rim = |p: Vec3| {
            Vec3::new(p.x.clamp(bounds.min.x, bounds.max.x), p.y.clamp(bounds.min.y, bounds.max.y), p.z)
        };
        if place_below(below.field(), rim(*first)) == PointPlace::Inside {
            return Held::Inside(field_from_surface.inverse().transform_point(*first));
        }
    }
    Held::Outside
}

/// The squared distance of two boxes; 0 if they touch.
pub(crate) fn gap_squared(a: &Aabb, b: &Aabb) -> f64 {
    (a.min - b.max).max(b.min - a.max).max(Vec3::ZERO).length_squared()
}

/// True if the boxes of two bodies, in one frame and rounded outwards, are so far apart that the bodies cannot touch; a body without
/// end has none.
pub(crate) fn boxes_apart(a: Option<Aabb>, b: Option<Aabb>) -> bool {
    a.zip(b).is_some_and(|(a, b)| {
        let touch = ROUND_TOUCH_RELATIVE * (a.reach() + b.reach());
        gap_squared(&a, &b) > touch * touch
    })
}
