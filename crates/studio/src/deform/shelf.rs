//! Meshes to deform: shapes by their names, and files that pages brought.

use super::frame_document::MeshFacts;
use crate::protocol::Refusal;
use freiraum_deform::examine::Body;
use freiraum_deform::shapes::{Ball, Cuboid, Cylinder, PlaneStack, Solid, SolidError, Spring, Torus};
use freiraum_geometry::{Aabb, Mesh, Vec3};
use freiraum_mesh_io::{ReadOptions, read_bytes};
use std::sync::{Arc, Mutex, PoisonError};

/// Shapes may have so many vertices.
const VERTICES: std::ops::RangeInclusive<u32> = 100..=400_000;

/// Most triangles of all meshes that are kept together; the oldest go first.
const MOST_TRIANGLES: usize = 8_000_000;

/// A mesh at rest.
pub(crate) struct Rest {
    /// Names the content, or the shape and its fineness.
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) body: Body,
}

/// The newest last.
#[derive(Default)]
pub(crate) struct Shelf(Mutex<Vec<Arc<Rest>>>);

impl Shelf {
    /// A mesh by its name: a shape such as `torus-10000`, or what [`Shelf::add`] told.
    pub(crate) fn get(&self, id: &str) -> Result<Arc<Rest>, Refusal> {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(at) = all.iter().position(|rest| rest.id == id) {
            let found = all.remove(at);
            all.push(found.clone());
            return Ok(found);
        }
        drop(all);
        Ok(self.keep(shape(id)?))
    }

    /// Reads a file.
    pub(crate) fn add(&self, name: &str, bytes: &[u8]) -> Result<MeshFacts, Refusal> {
        let mesh = read_bytes(bytes, name, &ReadOptions::default())
            .map_err(|error| Refusal::new("mesh", error.to_string()))?;
        let hash = blake3::hash(bytes).to_hex();
        let rest = Rest::of(format!("file-{}", &hash[..16]), name.to_owned(), mesh);
        Ok(self.keep(rest).described())
    }

    fn keep(&self, rest: Rest) -> Arc<Rest> {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(found) = all.iter().find(|one| one.id == rest.id) {
            return found.clone();
        }
        let rest = Arc::new(rest);
        all.push(rest.clone());
        let mut total: usize = all.iter().map(|one| one.body.faces.len()).sum();
        while total > MOST_TRIANGLES && all.len() > 1 {
            total -= all.remove(0).body.faces.len();
        }
        rest
    }
}

impl Rest {
    fn of(id: String, name: String, mesh: Mesh) -> Rest {
        Rest { id, name, body: Body::of(mesh) }
    }

    /// What a page is told.
    pub(crate) fn described(&self) -> MeshFacts {
        let body = &self.body;
        MeshFacts {
            mesh: self.id.clone(),
            name: self.name.clone(),
            vertices: body.vertices.len(),
            triangles: body.faces.len(),
            size: Aabb::of_points(&body.vertices).size().to_array(),
            open_edges: body.ill_edges.len(),
            closed: body.is_closed,
        }
    }

    /// The faces as they are sent: numbers of vertices.
    pub(crate) fn sent_faces(&self) -> Vec<u8> {
        self.body.faces.iter().flatten().flat_map(|v| v.to_le_bytes()).collect()
    }
}

/// A shape of the given name and fineness; all are some 2 m in size.
fn shape(id: &str) -> Result<Rest, Refusal> {
    let none = || Refusal::new("no_mesh", format!("there is no mesh {id:?} any more")).help("load it again");
    let (kind, vertices) = id.rsplit_once('-').ok_or_else(none)?;
    let n: u32 = vertices.parse().ok().filter(|n| VERTICES.contains(n)).ok_or_else(none)?;
    let (name, solid): (&str, Result<Solid, SolidError>) = match kind {
        "torus" => ("Torus", Torus::by_vertices(0.8, 0.22, n).solid()),
        "cylinder" => ("Cylinder", Cylinder::by_vertices(0.2, 2.4, n).solid()),
        "bar" => ("Bar", Cuboid::by_vertices(Vec3::new(3.0, 0.3, 0.2), n).solid()),
        "spring" => ("Spiral spring", Spring::by_vertices(0.55, 0.09, 0.26, 6.0, n).solid()),
        "stack" => ("Stack of planes", PlaneStack::by_vertices(8, n).solid()),
        "ball" => ("Ball", Ball::by_vertices(0.6, n).solid()),
        _ => return Err(none()),
    };
    let mesh =
        solid.map_err(|e| e.to_string()).and_then(|solid| solid.into_mesh().map_err(|e| e.to_string()));
    let mesh = mesh.map_err(|message| Refusal::new("mesh", message))?;
    Ok(Rest::of(id.to_owned(), name.to_owned(), mesh))
}
