//! The nodes of a glTF file: which meshes are where, all joined into one.

use super::accessor::{Accessors, no_such};
use super::buffers::Buffers;
use super::document::{Document, Node, Primitive, Scene};
use super::entry_error;
use crate::error::{MeshFileErrorKind as Kind, Result};
use crate::points::too_many_vertices;
use crate::stl::Parts;
use freiraum_geometry::Vec3;
use freiraum_geometry::glam::{DAffine3, DMat3, DQuat};
use freiraum_geometry::tolerance::MAX_COORDINATE;

/// A file that repeats its meshes may become larger in memory than it is: up to this many bytes in any case,
const FREE_EXPANSION: usize = 64 << 20;
/// and beyond that up to this multiple of its size.
const EXPANSION: usize = 16;

/// Draw modes.
const TRIANGLES: u32 = 4;
const TRIANGLE_STRIP: u32 = 5;
const TRIANGLE_FAN: u32 = 6;

/// A node whose children are being visited.
struct Level {
    node: u32,
    world_from_node: DAffine3,
    children: std::vec::IntoIter<u32>,
}

/// Joins all nodes into one mesh.
pub(super) struct Joiner<'d, 'a> {
    document: &'d Document<'a>,
    accessors: Accessors<'d, 'a>,
    vertices: Vec<Vec3>,
    faces: Vec<[u32; 3]>,
    /// Bytes of vertices and faces, counting also the triangles of strips that have no area and are left out.
    spent: usize,
    /// Points and lines were there.
    has_other_modes: bool,
}

impl<'d, 'a> Joiner<'d, 'a> {
    pub(super) fn new(document: &'d Document<'a>, buffers: Buffers<'d>) -> Joiner<'d, 'a> {
        let accessors = Accessors { document, buffers };
        Joiner {
            document,
            accessors,
            vertices: Vec::new(),
            faces: Vec::new(),
            spent: 0,
            has_other_modes: false,
        }
    }

    pub(super) fn run(mut self) -> Result<Parts> {
        let document = self.document;
        if document.nodes.is_empty() {
            // A library of meshes without a scene.
            for mesh in 0..document.meshes.len() as u32 {
                self.add_mesh(mesh, &DAffine3::IDENTITY, "meshes")?;
            }
        } else {
            self.visit_nodes()?;
        }
        if self.faces.is_empty() && self.has_other_modes {
            let found = "the file holds only points and lines";
            return Err(entry_error(Kind::NoFaces, "meshes", found, "triangles"));
        }
        Ok((self.vertices, self.faces))
    }

    /// Goes through the trees below the roots. Every node has one parent, so each is visited once.
    fn visit_nodes(&mut self) -> Result<()> {
        let count = self.document.nodes.len();
        let mut is_visited = vec![false; count];
        // One level per generation; recursion would let a deep file overflow the stack.
        let mut levels: Vec<Level> = Vec::new();
        for (root, scene) in self.roots()? {
            match is_visited.get(root as usize) {
                None => return Err(no_such(&format!("scenes[{scene}].nodes"), "node", root, count)),
                // Several scenes may show the same node.
                Some(true) => continue,
                Some(false) => levels.push(self.visit(root, &DAffine3::IDENTITY, &mut is_visited)?),
            }
            while let Some(level) = levels.last_mut() {
                match level.children.next() {
                    None => drop(levels.pop()),
                    Some(child) if child as usize >= count => {
                        return Err(no_such(
                            &format!("nodes[{}].children", level.node),
                            "node",
                            child,
                            count,
                        ));
                    }
                    Some(child) => {
                        let world_from_parent = level.world_from_node;
                        levels.push(self.visit(child, &world_from_parent, &mut is_visited)?);
                    }
                }
            }
        }
        Ok(())
    }

    /// Adds the mesh of a node; its children are left to the caller.
    fn visit(&mut self, index: u32, world_from_parent: &DAffine3, is_visited: &mut [bool]) -> Result<Level> {
        let entry = format!("nodes[{index}]");
        if std::mem::replace(&mut is_visited[index as usize], true) {
            let found = "the node is its own ancestor or has two parents";
            return Err(entry_error(Kind::Syntax, &entry, found, "a tree of nodes"));
        }
        let node = self.node(index, &entry)?;
        if node.extensions.instancing.is_some() {
            let found = "the node uses the extension `EXT_mesh_gpu_instancing`, which is not read";
            return Err(
                entry_error(Kind::Unsupported, &entry, found, "").help("export it without instancing")
            );
        }
        let world_from_node = *world_from_parent * local(&node, &entry)?;
        if let Some(mesh) = node.mesh {
            self.add_mesh(mesh, &world_from_node, &entry)?;
        }
        Ok(Level { node: index, world_from_node, children: node.children.into_iter() })
    }

    /// The nodes of all scenes, each with its scene, or without scenes the nodes that are nobody's child.
    fn roots(&self) -> Result<Vec<(u32, u32)>> {
        let document = self.document;
        if !document.scenes.is_empty() {
            let of_scene =
                |(i, scene): (u32, &Scene)| scene.nodes.iter().map(move |&n| (n, i)).collect::<Vec<_>>();
            return Ok((0..).zip(&document.scenes).flat_map(of_scene).collect());
        }
        let mut is_child = vec![false; document.nodes.len()];
        for index in 0..document.nodes.len() as u32 {
            for child in self.node(index, &format!("nodes[{index}]"))?.children {
                if let Some(is_child) = is_child.get_mut(child as usize) {
                    *is_child = true;
                }
            }
        }
        Ok((0..).zip(is_child).filter(|&(_, is_child)| !is_child).map(|(n, _)| (n, 0)).collect())
    }

    fn node(&self, index: u32, entry: &str) -> Result<Node> {
        serde_json::from_str(self.document.nodes[index as usize].get()).map_err(|e| {
            let message = e.to_string();
            let message = message.rfind(" at line ").map_or(message.as_str(), |i| &message[..i]);
            entry_error(Kind::Syntax, entry, message, "a node of glTF 2.0")
        })
    }

    fn add_mesh(&mut self, index: u32, world_from_mesh: &DAffine3, parent: &str) -> Result<()> {
        let meshes = &self.document.meshes;
        let mesh = meshes.get(index as usize).ok_or_else(|| no_such(parent, "mesh", index, meshes.len()))?;
        // Primitives of one mesh often share their positions; these are added once.
        let mut known: Option<(u32, usize)> = None;
        for (i, primitive) in mesh.primitives.iter().enumerate() {
            let entry = format!("meshes[{index}].primitives[{i}]");
            if primitive.extensions.draco.is_some() {
                let found = "the mesh is compressed with Draco, which is not read";
                return Err(
                    entry_error(Kind::Unsupported, &entry, found, "").help("export it without compression")
                );
            }
            let Some(position) = primitive.attributes.position else {
                continue;
            };
            match primitive.mode.unwrap_or(TRIANGLES) {
                TRIANGLES | TRIANGLE_STRIP | TRIANGLE_FAN => {}
                0..TRIANGLES => {
                    self.has_other_modes = true;
                    continue;
                }
                mode => {
                    let found = format!("the draw mode {mode} does not exist");
                    return Err(entry_error(Kind::Syntax, &entry, found, "0 to 6"));
                }
            }
            let first = match known {
                Some((accessor, first)) if accessor == position => first,
                _ => self.add_positions(position, world_from_mesh, &entry)?,
            };
            known = Some((position, first));
            self.add_faces(primitive, first, world_from_mesh, &entry)?;
        }
        Ok(())
    }

    /// Bytes by which the mesh may still grow.
    fn room(&self) -> usize {
        let most = self.accessors.buffers.size.saturating_mul(EXPANSION).max(FREE_EXPANSION);
        most.saturating_sub(self.spent)
    }

    /// Appends transformed positions; returns the number of the first.
    fn add_positions(&mut self, accessor: u32, world_from_mesh: &DAffine3, entry: &str) -> Result<usize> {
        let room = self.room() / size_of::<Vec3>();
        let points = self.accessors.positions(accessor, room, entry)?;
        self.spent += size_of_val(&points[..]);
        let first = self.vertices.len();
        if first + points.len() >= u32::MAX as usize {
            return Err(too_many_vertices());
        }
        self.vertices.extend(points.iter().map(|&p| world_from_mesh.transform_point3(p)));
        let is_bad = |p: &Vec3| p.is_nan() || p.abs().max_element() > MAX_COORDINATE;
        if self.vertices[first..].iter().any(is_bad) {
            let found = "the transforms of the nodes take positions out of range";
            let expected = format!("coordinates of magnitude at most {MAX_COORDINATE:e}");
            return Err(entry_error(Kind::Coordinate, entry, found, expected));
        }
        Ok(first)
    }

    fn add_faces(
        &mut self,
        primitive: &Primitive,
        first: usize,
        world_from_mesh: &DAffine3,
        entry: &str,
    ) -> Result<()> {
        let count = self.vertices.len() - first;
        let mode = primitive.mode.unwrap_or(TRIANGLES);
        // A triangle of a list takes three indices, one of a strip or fan takes one.
        let room =
            (self.room() / size_of::<[u32; 3]>()).saturating_mul(if mode == TRIANGLES { 3 } else { 1 });
        let indices = match primitive.indices {
            Some(accessor) => {
                Some(self.accessors.indices(accessor, room, count, &format!("{entry}.indices"))?)
            }
            None => None,
        };
        let length = indices.as_ref().map_or(count, Vec::len);
        if mode == TRIANGLES && length % 3 != 0 {
            let found = format!("{length} corners");
            return Err(entry_error(Kind::Count, entry, found, "a multiple of 3, for triangles"));
        }
        let base = first as u32;
        let corner = |i: usize| base + indices.as_ref().map_or(i as u32, |list| list[i]);
        // A reflection turns the triangles inside out; their order of corners turns them back.
        let is_mirrored = world_from_mesh.matrix3.determinant() < 0.0;
        let step = if mode == TRIANGLES { 3 } else { 1 };
        self.spent += length / step * size_of::<[u32; 3]>();
        for i in (0..length.saturating_sub(2)).step_by(step) {
            let is_odd = i % 2 == 1;
            let [a, b, c] = match mode {
                TRIANGLE_STRIP if is_odd => [i + 1, i, i + 2],
                TRIANGLE_FAN => [0, i + 1, i + 2],
                _ => [i, i + 1, i + 2],
            }
            .map(corner);
            // Repeated vertices only connect the parts of a strip.
            if mode == TRIANGLE_STRIP && (a == b || b == c || c == a) {
                continue;
            }
            self.faces.push(if is_mirrored { [a, c, b] } else { [a, b, c] });
        }
        Ok(())
    }
}

/// The pose, scale or shear of a node in its parent.
fn local(node: &Node, entry: &str) -> Result<DAffine3> {
    let wrong = |found: &str, expected: &str| Err(entry_error(Kind::Syntax, entry, found, expected));
    let transform = if let Some(m) = node.matrix {
        if [m[3], m[7], m[11], m[15]] != [0.0, 0.0, 0.0, 1.0] {
            return wrong("the matrix does not end in the row 0 0 0 1", "an affine transform");
        }
        let column = |i: usize| Vec3::new(m[i], m[i + 1], m[i + 2]);
        DAffine3 { matrix3: DMat3::from_cols(column(0), column(4), column(8)), translation: column(12) }
    } else {
        let [x, y, z, w] = node.rotation.unwrap_or([0.0, 0.0, 0.0, 1.0]);
        // Written with f32, a rotation is a little off unit length.
        let length = (x * x + y * y + z * z + w * w).sqrt();
        if !(length > 0.0 && length.is_finite()) {
            return wrong("the rotation has no length", "a unit quaternion");
        }
        let rotation = DQuat::from_xyzw(x / length, y / length, z / length, w / length);
        let scale = Vec3::from_array(node.scale.unwrap_or([1.0; 3]));
        let translation = Vec3::from_array(node.translation.unwrap_or_default());
        DAffine3::from_scale_rotation_translation(scale, rotation, translation)
    };
    if transform.is_finite() { Ok(transform) } else { wrong("the transform is not finite", "finite numbers") }
}
