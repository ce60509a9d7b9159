//! A surface made ready to be drawn: triangles with smooth normals, and the edges that people see.

use freiraum_geometry::mesh::Topology;
use freiraum_geometry::shape::{HalfSpace, Shape, TessellationError};
use freiraum_geometry::{Aabb, Mesh, Pose, Vec3};

/// Faces that meet at less than this angle in degrees belong to one smooth surface.
const SMOOTH_DEGREES: f64 = 32.0;
/// Edges at which faces meet at more than this angle in degrees are drawn.
const CREASE_DEGREES: f64 = 24.0;
/// Vertices with more faces than this, as in the middle of a fan, are not smoothed.
const MOST_SMOOTHED: usize = 48;
/// Round shapes are within this share of their size of their triangles.
const DEVIATION: f64 = 0.001;

/// A surface made ready to be drawn, in the frame of its body.
#[derive(Clone, Debug)]
pub struct Figure {
    /// The coordinates below are relative to it, in metres.
    pub(crate) center: Vec3,
    /// No vertex is farther from the centre, in metres.
    pub(crate) radius: f64,
    pub(crate) bounds: Aabb,
    pub(crate) vertices: Vec<[f32; 3]>,
    pub(crate) faces: Vec<[u32; 3]>,
    /// Unit normals at the corners of every face.
    pub(crate) normals: Vec<[[f32; 3]; 3]>,
    pub(crate) edges: Vec<SeenEdge>,
    /// True if the surface has a border: then its back can be seen.
    pub(crate) is_open: bool,
    /// True if it stands for something without end, which is not taken into account when a camera is fitted.
    pub(crate) is_endless: bool,
}

/// An edge that is drawn, or is drawn where it is an outline.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SeenEdge {
    pub(crate) ends: [u32; 2],
    /// The faces beside it; the same one twice at a border.
    pub(crate) faces: [u32; 2],
    /// True if it is drawn wherever it can be seen.
    pub(crate) is_crease: bool,
}

impl Figure {
    /// Of a shape; what has no end is cut off at about `reach` metres from `around`, a point in the frame of the shape.
    ///
    /// **Errors.** Round shapes of sizes beyond all reason.
    pub fn of_shape(shape: &Shape, around: Vec3, reach: f64) -> Result<Figure, TessellationError> {
        let is_endless = shape.aabb().is_none();
        let mut figure = match shape {
            Shape::Mesh(mesh) => Figure::of_mesh(mesh),
            shape => {
                let (mut vertices, mut faces) = (Vec::new(), Vec::new());
                collect(shape, &Pose::IDENTITY, around, reach, &mut vertices, &mut faces)?;
                // Only a compound without parts would have none.
                let mesh =
                    Mesh::new(vertices, faces).map_err(|_| TessellationError::BadDeviation(DEVIATION))?;
                Figure::of_mesh(&mesh)
            }
        };
        figure.is_endless = is_endless;
        Ok(figure)
    }

    /// Of a mesh. **Cost.** About as much as its [`Topology`].
    pub fn of_mesh(mesh: &Mesh) -> Figure {
        let bounds = mesh.aabb();
        let center = bounds.center();
        let topology = Topology::of(mesh);
        let mut is_open = false;
        let face_normals: Vec<Vec3> = mesh.triangles().map(|[a, b, c]| (b - a).cross(c - a)).collect();
        let units: Vec<Vec3> =
            face_normals.iter().map(|n| freiraum_geometry::math::unit(*n).unwrap_or(Vec3::ZERO)).collect();
        let crease = CREASE_DEGREES.to_radians().cos();
        let edge = |(e, ends): (usize, &[u32; 2])| {
            let uses = topology.edge_uses(e);
            let faces = [uses[0].face(), uses[uses.len() - 1].face()];
            let is_regular = uses.len() == 2 && uses[0].is_forward() != uses[1].is_forward();
            is_open |= uses.len() == 1;
            let fold = units[faces[0] as usize].dot(units[faces[1] as usize]);
            let is_crease = !is_regular || fold < crease;
            // What is flat within half a degree is never an outline worth drawing.
            (is_crease || fold < 0.99996).then_some(SeenEdge { ends: *ends, faces, is_crease })
        };
        let edges = topology.edges().iter().enumerate().filter_map(edge).collect();
        // A closed surface that is inside out is turned.
        let volume: f64 =
            mesh.triangles().map(|t| (t[0] - center).dot((t[1] - center).cross(t[2] - center))).sum();
        let turned = !is_open && volume < 0.0;
        let sign = if turned { -1.0 } else { 1.0 };
        let smooth = SMOOTH_DEGREES.to_radians().cos();
        let corner = |face: usize, vertex: u32| {
            let own = units[face];
            let star = topology.vertex_faces(vertex as usize);
            let mut sum = own;
            if star.len() <= MOST_SMOOTHED {
                let near = star.iter().filter(|f| units[**f as usize].dot(own) > smooth);
                sum = near.map(|f| face_normals[*f as usize]).sum();
            }
            let normal = freiraum_geometry::math::unit(sum).unwrap_or(own) * sign;
            normal.to_array().map(|x| x as f32)
        };
        let order = |[a, b, c]: [u32; 3]| if turned { [a, c, b] } else { [a, b, c] };
        let faces: Vec<[u32; 3]> = mesh.faces().iter().map(|face| order(*face)).collect();
        let normals =
            faces.iter().enumerate().map(|(face, corners)| corners.map(|v| corner(face, v))).collect();
        let radius = mesh.vertices().iter().map(|v| v.distance_squared(center)).fold(0.0, f64::max).sqrt();
        Figure {
            center,
            radius,
            bounds,
            vertices: mesh.vertices().iter().map(|v| (*v - center).to_array().map(|x| x as f32)).collect(),
            faces,
            normals,
            edges,
            is_open,
            is_endless: false,
        }
    }

    /// The vertices are relative to it, in the frame of the body, in metres.
    pub fn center(&self) -> Vec3 {
        self.center
    }

    /// All vertices, relative to the centre.
    pub fn vertices(&self) -> &[[f32; 3]] {
        &self.vertices
    }

    /// Corners of all triangles, numbers of vertices; counter-clockwise from outside.
    pub fn faces(&self) -> &[[u32; 3]] {
        &self.faces
    }

    /// Ends of the edges that are drawn wherever they can be seen: folds and borders.
    pub fn creases(&self) -> impl Iterator<Item = [u32; 2]> + '_ {
        self.edges.iter().filter(|edge| edge.is_crease).map(|edge| edge.ends)
    }

    /// Around it, in the frame of the body.
    pub fn bounds(&self) -> Aabb {
        self.bounds
    }
}

/// Appends the triangles of a shape, part by part: a plane in a compound would refuse all of it.
fn collect(
    shape: &Shape,
    body_from_shape: &Pose,
    around: Vec3,
    reach: f64,
    vertices: &mut Vec<Vec3>,
    faces: &mut Vec<[u32; 3]>,
) -> Result<(), TessellationError> {
    let mesh = match shape {
        Shape::Compound(compound) => {
            for part in compound.parts() {
                collect(
                    &part.shape,
                    &(*body_from_shape * part.compound_from_part),
                    around,
                    reach,
                    vertices,
                    faces,
                )?;
            }
            return Ok(());
        }
        Shape::HalfSpace(half_space) => {
            square(half_space, body_from_shape.inverse().transform_point(around), reach)
        }
        shape => {
            let size = shape.aabb().map_or(1.0, |bounds| bounds.size().length());
            shape.tessellate(DEVIATION * size)?
        }
    };
    let first = vertices.len() as u32;
    vertices.extend(mesh.vertices().iter().map(|v| body_from_shape.transform_point(*v)));
    faces.extend(mesh.faces().iter().map(|face| face.map(|v| first + v)));
    Ok(())
}

/// The visible piece of a plane.
fn square(half_space: &HalfSpace, around: Vec3, reach: f64) -> Mesh {
    let normal = half_space.normal();
    let foot = around - (normal.dot(around) - half_space.offset()) * normal;
    let (x, y) = normal.any_orthonormal_pair();
    let corner = |i: f64, j: f64| foot + reach * (i * x + j * y);
    let corners = vec![corner(-1.0, -1.0), corner(1.0, -1.0), corner(1.0, 1.0), corner(-1.0, 1.0)];
    // The pair is right-handed with the normal, so that the square faces along it.
    Mesh::new(corners, vec![[0, 1, 2], [0, 2, 3]]).expect("four finite corners")
}
