//! Shapes as the page draws them: binary, named by their content.

use super::snapshot::Snapshot;
use crate::protocol::Refusal;
use crate::world::Drawn;
use axum::body::Bytes;
use flate2::{Compression, write::GzEncoder};
use freiraum_assets::ShapeCache;
use freiraum_geometry::{Aabb, Pose, Shape, Vec3};
use freiraum_render::picture::Figure;
use freiraum_scene::{Controller, Scene};
use std::collections::BTreeMap;
use std::io::Write;
use std::sync::{Arc, Mutex};

/// Where shapes without end are cut off, the same as long as a scene is open.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Surroundings {
    middle: Vec3,
    reach: f64,
}

/// How far a vehicle reaches, in metres: the largest, with some room.
const VEHICLE: f64 = 1.0;

impl Surroundings {
    /// Around all bodies at the start.
    pub(super) fn of(scene: &Scene, parts: &ShapeCache) -> Surroundings {
        let mut all = Aabb::EMPTY;
        for (number, body) in scene.bodies.iter().enumerate() {
            let bounds = parts.movable(number).ok().and_then(|movable| movable.prepared().bounds());
            let Some(bounds) = bounds else { continue };
            let ball = bounds.bounding_sphere();
            let (center, radius) = (body.pose.transform_point(ball.center), ball.radius);
            all = all.grown(center - Vec3::splat(radius)).grown(center + Vec3::splat(radius));
        }
        // Where vehicles start, and where they are sent to.
        for vehicle in &scene.world.vehicles {
            let goal = match vehicle.controller {
                Some(Controller::DriveTo(goal)) => Some(goal),
                _ => None,
            };
            for at in [Some(vehicle.pose.translation()), goal].into_iter().flatten() {
                all = all.grown(at - Vec3::splat(VEHICLE)).grown(at + Vec3::splat(VEHICLE));
            }
        }
        if all.is_empty() {
            return Surroundings { middle: Vec3::ZERO, reach: 1.0 };
        }
        Surroundings { middle: all.center(), reach: all.size().length() }
    }
}

/// The name of the mesh of a body: equal for equal content.
pub(super) fn mesh_name(
    parts: &ShapeCache,
    body: usize,
    surroundings: &Surroundings,
) -> Result<String, Refusal> {
    let error = |e: freiraum_assets::LoadError| Refusal::new("mesh", e.to_string());
    let mut hasher = blake3::Hasher::new();
    hasher.update(&parts.digest(body).map_err(error)?);
    if parts.movable(body).map_err(error)?.prepared().bounds().is_none() {
        for x in surroundings.middle.to_array().into_iter().chain([surroundings.reach]) {
            hasher.update(&x.to_bits().to_le_bytes());
        }
    }
    Ok(hasher.finalize().to_hex()[..32].to_owned())
}

/// How many triangles a body is shown with; `None` if it cannot be shown.
pub(super) fn count_triangles(
    scene: &Scene,
    parts: &ShapeCache,
    body: usize,
    surroundings: &Surroundings,
) -> Option<usize> {
    match parts.movable(body).ok()?.prepared().shape() {
        Shape::Mesh(mesh) => Some(mesh.faces().len()),
        _ => figure(scene, parts, body, surroundings).ok().map(|figure| figure.faces().len()),
    }
}

/// What is shown of a body.
fn figure(
    scene: &Scene,
    parts: &ShapeCache,
    body: usize,
    surroundings: &Surroundings,
) -> Result<Figure, Refusal> {
    let movable = parts.movable(body).map_err(|e| Refusal::new("mesh", e.to_string()))?;
    drawn(movable.prepared().shape(), &scene.bodies[body].pose, surroundings)
}

/// What is shown of a shape that is there.
fn drawn(shape: &Shape, world_from_body: &Pose, surroundings: &Surroundings) -> Result<Figure, Refusal> {
    let Surroundings { middle, reach } = *surroundings;
    Figure::of_shape(shape, world_from_body.inverse().transform_point(middle), reach)
        .map_err(|e| Refusal::new("mesh", e.to_string()))
}

/// A mesh ready to be sent; all who are sent it share it.
pub(crate) struct Encoded {
    pub(crate) plain: Bytes,
    pub(crate) zipped: Bytes,
}

/// Meshes that were asked for.
#[derive(Default)]
pub(crate) struct Meshes {
    known: Mutex<BTreeMap<String, Arc<Encoded>>>,
}

/// Meshes are kept ready up to so many bytes.
const MOST_BYTES: usize = 1 << 28;

impl Meshes {
    /// Another scene is open: what only the last one needed goes.
    pub(super) fn keep_only(&self, snapshot: &Snapshot) {
        let mut known = self.known.lock().expect("nothing panics while it is held");
        known.retain(|name, _| snapshot.meshes.contains_key(name));
    }

    /// The mesh with this name, if a body of the scene has it, or else of its world. **Cost.** Some 100 ns per triangle at first.
    pub(crate) fn get(
        &self,
        snapshot: &Snapshot,
        of_world: impl FnOnce() -> Option<Drawn>,
        name: &str,
    ) -> Result<Option<Arc<Encoded>>, Refusal> {
        if let Some(known) = self.known.lock().expect("nothing panics while it is held").get(name) {
            return Ok(Some(known.clone()));
        }
        let figure = match snapshot.meshes.get(name) {
            Some(&body) => figure(snapshot.scene(), &snapshot.parts, body, &snapshot.surroundings)?,
            None => match of_world() {
                Some(part) => drawn(part.shape.shape(), &part.pose, &part.surroundings)?,
                None => return Ok(None),
            },
        };
        let encoded = Arc::new(encode(&figure).map_err(|e| Refusal::new("internal", e.to_string()))?);
        let mut known = self.known.lock().expect("nothing panics while it is held");
        let size: usize = known.values().map(|encoded| encoded.plain.len() + encoded.zipped.len()).sum();
        if size > MOST_BYTES {
            known.clear();
        }
        known.insert(name.to_owned(), encoded.clone());
        Ok(Some(encoded))
    }
}

/// Little endian: "FRM1", counts of vertices, triangles and edges, centre, positions, corners, ends.
fn encode(figure: &Figure) -> std::io::Result<Encoded> {
    let creases: Vec<[u32; 2]> = figure.creases().collect();
    let (vertices, faces) = (figure.vertices(), figure.faces());
    let mut plain = Vec::with_capacity(40 + 12 * (vertices.len() + faces.len()) + 8 * creases.len());
    plain.extend(b"FRM1");
    for count in [vertices.len(), faces.len(), creases.len()] {
        plain.extend((count as u32).to_le_bytes());
    }
    plain.extend(figure.center().to_array().into_iter().flat_map(f64::to_le_bytes));
    plain.extend(vertices.iter().flatten().flat_map(|x| x.to_le_bytes()));
    plain.extend(faces.iter().flatten().flat_map(|i| i.to_le_bytes()));
    plain.extend(creases.iter().flatten().flat_map(|i| i.to_le_bytes()));
    let mut zip = GzEncoder::new(Vec::new(), Compression::fast());
    zip.write_all(&plain)?;
    let zipped = zip.finish()?;
    Ok(Encoded { plain: plain.into(), zipped: zipped.into() })
}
