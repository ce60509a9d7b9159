//! A mesh that was read, and what became of it.

use super::super::Failure;
use super::super::mesh_file::Input;
use freiraum::deform::deformation::{Deformation, Frame};
use freiraum::deform::examine;
use freiraum::geometry::{Vec3, tolerance};
use freiraum::mesh_io::{MeshFormat, Unit};
use std::path::Path;

/// A mesh, as it is now; all lengths are in the unit of the file.
pub(super) struct Body {
    /// As on the command line.
    pub(super) name: String,
    pub(super) format: MeshFormat,
    pub(super) mesh: examine::Body,
}

impl Body {
    pub(super) fn read(file: &Path, units: Option<Unit>) -> Result<Body, Failure> {
        let (mesh, format) = Input::of(file.to_owned(), units).read()?;
        let name = file.display().to_string();
        if mesh.faces().is_empty() {
            let message = format!("{name}: the mesh has no faces; expected a closed surface of triangles");
            return Err(Failure { place: vec![("file", name.into())], ..Failure::new("mesh", message) });
        }
        Ok(Body { name, format, mesh: examine::Body::of(mesh) })
    }

    /// Changes its form, one deformation after the other, all in the frame of the box that it has now.
    pub(super) fn deform(&mut self, steps: &[Deformation], axis: Option<usize>) -> Result<(), Failure> {
        if steps.is_empty() {
            return Ok(());
        }
        let Some(frame) = Frame::of(&self.mesh.vertices, axis) else {
            let message = format!(
                "{}: the mesh has no extent along the axis of the deformation; choose another one with --along",
                self.name
            );
            return Err(self.failure("mesh", message));
        };
        let mut next = vec![Vec3::ZERO; self.mesh.vertices.len()];
        for step in steps {
            step.apply(&frame, &self.mesh.vertices, &self.mesh.faces, &mut next);
            std::mem::swap(&mut self.mesh.vertices, &mut next);
        }
        let limit = tolerance::MAX_COORDINATE;
        let is_far = |p: &Vec3| p.to_array().iter().any(|x| !(x.abs() <= limit));
        match self.mesh.vertices.iter().position(is_far) {
            None => Ok(()),
            Some(vertex) => {
                let message = format!(
                    "{}: the deformation is too strong: it moves vertex {vertex} farther out than {limit:e}",
                    self.name
                );
                Err(self.failure("deformation", message))
            }
        }
    }

    /// Something about this file.
    pub(super) fn failure(&self, code: &'static str, message: impl ToString) -> Failure {
        Failure { place: vec![("file", self.name.clone().into())], ..Failure::new(code, message) }
    }
}
