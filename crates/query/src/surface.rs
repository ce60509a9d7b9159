//! The surface of a mesh or a height field with its tree, and the walks that the pairs need beyond those of the tree.

use crate::Closest;
use crate::mesh_tree::{
    Closure, MeshDistanceCache, MeshTree, PointPlace, any_intersection, locate, surface_distance,
};
use crate::prepared::touch_slack;
use crate::workspace::with_meshes;
use freiraum_geometry::math::unit;
use freiraum_geometry::mesh::Topology;
use freiraum_geometry::shape::{HeightField, Shape};
use freiraum_geometry::tolerance::ROUND_TOUCH_RELATIVE;
use freiraum_geometry::{AxisBox, Mesh, Pose, Vec3};
use std::sync::{Arc, OnceLock};

/// Triangles with their tree; a solid if they are closed, else a surface without inside.
#[derive(Clone, Debug)]
pub(crate) struct Surface {
    tree: Arc<MeshTree>,
    is_solid: bool,
    bounds: AxisBox,
    topology: OnceLock<Topology>,
    shells: OnceLock<Vec<Shell>>,
    outward: OnceLock<Vec<Vec3>>,
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
        let tree = Arc::new(MeshTree::build(mesh.clone()));
        let is_solid = tree.closure() != Closure::Open;
        Surface {
            tree,
            is_solid,
            bounds: mesh.axis_box(),
            topology: OnceLock::new(),
            shells: OnceLock::new(),
            outward: OnceLock::new(),
        }
    }

    /// A height field as the open mesh that it is.
    pub(crate) fn of_height_field(field: &HeightField) -> Surface {
        // Height fields come as they are, whatever the deviation.
        let mesh = Shape::HeightField(field.clone()).tessellate(1.0);
        let mesh = mesh.expect("heights and size were checked when they came in");
        Surface {
            tree: Arc::new(MeshTree::build(mesh)),
            is_solid: false,
            bounds: field.axis_box(),
            topology: OnceLock::new(),
            shells: OnceLock::new(),
            outward: OnceLock::new(),
        }
    }

    pub(crate) fn tree(&self) -> &Arc<MeshTree> {
        &self.tree
    }

    pub(crate) fn mesh(&self) -> &Arc<Mesh> {
        self.tree.mesh()
    }

    /// True if the triangles are closed, so that there is an inside.
    pub(crate) fn is_solid(&self) -> bool {
        self.is_solid
    }

    /// The box in the frame of the mesh.
    pub(crate) fn bounds(&self) -> &AxisBox {
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

    /// True if the surface is closed and the point, in the frame of the mesh, is inside and not on it; exact.
    pub(crate) fn contains(&self, point: Vec3) -> bool {
        with_meshes(|workspace| locate(&self.tree, point, workspace)) == PointPlace::Inside
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
        let (center, half) = (other.bounds.center(), 0.5 * other.bounds.size());
        let turn = self_from_other.rotation_matrix();
        let half = turn.x_axis.abs() * half.x + turn.y_axis.abs() * half.y + turn.z_axis.abs() * half.z;
        let center = self_from_other.transform_point(center);
        let placed = AxisBox { min: center - half, max: center + half };
        if gap_squared(&placed, &self.bounds) > 16.0 * slack * slack {
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
        if !other.is_solid {
            return None;
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
                shell.is_cavity = self.is_solid && volume < 0.0;
            }
            shells
        })
    }

    /// Visits the triangles whose boxes come within `limit` metres of the box `near`, nearer ones first by boxes. `visit`
    /// returns the limit from then on: the distance found so far, or a negative number to end the walk.
    pub(crate) fn visit_near<'t>(
        &'t self,
        near: &AxisBox,
        limit: f64,
        mut visit: impl FnMut(Leaf<'t>) -> f64,
    ) {
        let bound = |child: &AxisBox| gap_squared(child, near);
        // A limit beyond any coordinate may overflow when squared; infinity is right then.
        self.walk(0, &bound, &mut (limit * limit), &mut |leaf| {
            let limit = visit(leaf);
            if limit < 0.0 { -1.0 } else { limit * limit }
        });
    }

    /// The corner of the triangles that lies farthest in a direction, and how far: the largest product.
    pub(crate) fn farthest(&self, direction: Vec3) -> (Vec3, f64) {
        let mut best = (self.tree.triangles()[0][0], f64::NEG_INFINITY);
        let bound = |child: &AxisBox| {
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
        bound: &impl Fn(&AxisBox) -> f64,
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
    fn lane_box(&self, node: &crate::mesh_tree::Node, lane: usize) -> AxisBox {
        let grid = self.tree.grid();
        let corner = |lanes: &[[f32; crate::mesh_tree::WIDTH]; 3]| {
            let v = Vec3::new(lanes[0][lane].into(), lanes[1][lane].into(), lanes[2][lane].into());
            v / grid.scale + grid.center
        };
        AxisBox { min: corner(&node.min), max: corner(&node.max) }
    }
}

/// The squared distance of two boxes; 0 if they touch.
pub(crate) fn gap_squared(a: &AxisBox, b: &AxisBox) -> f64 {
    (a.min - b.max).max(b.min - a.max).max(Vec3::ZERO).length_squared()
}

/// True if the boxes of two bodies, in one frame and rounded outwards, are so far apart that the bodies cannot touch; a body without
/// end has none.
pub(crate) fn boxes_apart(a: Option<AxisBox>, b: Option<AxisBox>) -> bool {
    a.zip(b).is_some_and(|(a, b)| {
        let touch = ROUND_TOUCH_RELATIVE * (a.reach() + b.reach());
        gap_squared(&a, &b) > touch * touch
    })
}
