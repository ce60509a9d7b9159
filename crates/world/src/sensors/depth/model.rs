//! Triangles of shapes.

use crate::sensors::Thing;
use freiraum_geometry::shape::TessellationError;
use freiraum_geometry::{Mesh, Pose, Shape, Vec3};
use std::sync::Arc;

/// What a shape looks like: its parts as triangles, or as planes.
#[derive(Clone, Debug)]
pub struct Model {
    /// Shared by copies, so that a renderer knows what it has met before.
    pub(in crate::sensors) parts: Arc<[ModelPart]>,
}

#[derive(Clone, Debug)]
pub(in crate::sensors) struct ModelPart {
    pub(in crate::sensors) thing_from_part: Pose,
    pub(in crate::sensors) shape: Shape,
    /// `None` for half spaces, which have no end.
    pub(in crate::sensors) triangles: Option<Triangles>,
}

#[derive(Clone, Debug)]
pub(in crate::sensors) struct Triangles {
    pub(in crate::sensors) mesh: Mesh,
    /// Of a solid whose triangles are closed and outward for sure: those that look away are never seen.
    pub(in crate::sensors) is_solid: bool,
    /// A sphere around them, in the frame of the part.
    pub(in crate::sensors) center: Vec3,
    pub(in crate::sensors) radius: f64,
}

impl Model {
    /// Triangles within `deviation` metres of a shape; see [`Shape::tessellate`].
    pub fn of_shape(shape: &Shape, deviation: f64) -> Result<Model, TessellationError> {
        let mut parts = Vec::new();
        collect(&mut parts, Pose::IDENTITY, shape, deviation)?;
        Ok(Model { parts: parts.into() })
    }

    /// How many triangles there are.
    pub fn triangle_count(&self) -> usize {
        self.parts.iter().filter_map(|p| p.triangles.as_ref()).map(|t| t.mesh.faces().len()).sum()
    }
}

fn collect(
    out: &mut Vec<ModelPart>,
    pose: Pose,
    shape: &Shape,
    deviation: f64,
) -> Result<(), TessellationError> {
    if let Shape::Compound(compound) = shape {
        for part in compound.parts() {
            collect(out, pose * part.compound_from_part, &part.shape, deviation)?;
        }
        return Ok(());
    }
    let triangles = if matches!(shape, Shape::HalfSpace(_)) {
        None
    } else {
        let mesh = shape.tessellate(deviation)?;
        let center = mesh.aabb().center();
        let farthest = mesh.vertices().iter().map(|v| v.distance_squared(center)).fold(0.0, f64::max);
        let is_solid = !matches!(shape, Shape::Mesh(_) | Shape::HeightField(_));
        Some(Triangles { mesh, is_solid, center, radius: farthest.sqrt() })
    };
    out.push(ModelPart { thing_from_part: pose, shape: shape.clone(), triangles });
    Ok(())
}

/// The models of some things, in their order.
#[derive(Clone, Debug)]
pub struct Models {
    pub(in crate::sensors) models: Vec<Model>,
    deviation: f64,
}

impl Models {
    /// Triangles within `deviation` metres of each thing. They stay good while things move.
    ///
    /// **Errors.** A deviation that is not above 0, or so small that there would be too many triangles.
    pub fn of_things(things: &[Thing], deviation: f64) -> Result<Models, TessellationError> {
        let models: Result<Vec<Model>, _> =
            things.iter().map(|t| Model::of_shape(&t.shape, deviation)).collect();
        Ok(Models { models: models?, deviation })
    }

    /// The radius of the largest part, in metres; 0 if there are half spaces only.
    pub fn largest_radius(&self) -> f64 {
        let parts = self.models.iter().flat_map(|m| m.parts.iter());
        parts.filter_map(|p| p.triangles.as_ref()).map(|t| t.radius).fold(0.0, f64::max)
    }

    /// The models.
    pub fn models(&self) -> &[Model] {
        &self.models
    }

    /// How far triangles and true surfaces are apart at most, in metres; the triangles of solids lie inside of them.
    pub fn deviation(&self) -> f64 {
        self.deviation
    }
}
