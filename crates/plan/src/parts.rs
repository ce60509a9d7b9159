//! The shapes of the bodies of a scene, each read and prepared once.

use freiraum_formats::mesh::{self, MeshFileError, ReadOptions};
use freiraum_geometry::{Shape, Unit};
use freiraum_motion::Movable;
use freiraum_scene::{Geometry, Problem, Scene};
use rayon::prelude::*;
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

/// The shapes of the bodies of a scene: read and prepared when they are first asked for; bodies of the same file share theirs.
#[derive(Clone)]
pub struct Parts {
    /// For every body the number of its shape.
    shape_of: Vec<usize>,
    shapes: Arc<[Source]>,
}

/// Where a shape comes from, and the shape once it is there.
struct Source {
    geometry: Geometry,
    movable: OnceLock<Result<Movable, PartError>>,
}

/// Why there is no such shape.
#[derive(Clone, Debug, thiserror::Error)]
#[error("{0}")]
pub struct PartError(Arc<MeshFileError>);

impl Parts {
    /// Of all bodies of the scene; nothing is read yet.
    pub fn of(scene: &Scene) -> Parts {
        let mut files: Vec<(PathBuf, Unit, usize)> = Vec::new();
        let mut shapes = Vec::new();
        let mut shape_of = Vec::with_capacity(scene.bodies.len());
        for body in &scene.bodies {
            if let Geometry::File { path, units, .. } = &body.geometry {
                if let Some((.., number)) = files.iter().find(|(p, u, _)| p == path && u == units) {
                    shape_of.push(*number);
                    continue;
                }
                files.push((path.clone(), *units, shapes.len()));
            }
            shape_of.push(shapes.len());
            shapes.push(Source { geometry: body.geometry.clone(), movable: OnceLock::new() });
        }
        Parts { shape_of, shapes: shapes.into() }
    }

    /// The number of the shape of a body: bodies with the same one look the same.
    pub fn shape_of(&self, body: usize) -> usize {
        self.shape_of[body]
    }

    /// The shape of a body, ready for questions about its motion.
    pub fn movable(&self, body: usize) -> Result<&Movable, PartError> {
        let source = &self.shapes[self.shape_of[body]];
        let found = source.movable.get_or_init(|| match &source.geometry {
            Geometry::Shape(shape) => Ok(Movable::new(shape.clone())),
            Geometry::File { path, units, .. } => {
                let options = ReadOptions { units: *units, ..ReadOptions::default() };
                let mesh = mesh::read(path, &options).map_err(|e| PartError(Arc::new(e)))?;
                Ok(Movable::new(Shape::Mesh(Arc::new(mesh))))
            }
        });
        found.as_ref().map_err(Clone::clone)
    }

    /// Reads all shapes, in parallel; the files that could not be read.
    pub fn load(&self, scene: &Scene) -> Result<(), Vec<Problem>> {
        let load = |body: usize| {
            let error = self.movable(body).err()?;
            Some(Problem::new(scene.bodies[body].place, error.to_string()))
        };
        let problems: Vec<Problem> = (0..scene.bodies.len()).into_par_iter().filter_map(load).collect();
        if problems.is_empty() { Ok(()) } else { Err(problems) }
    }
}
