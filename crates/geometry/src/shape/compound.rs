//! Several shapes as one.

use super::tessellation::Fineness;
use super::{Shape, ShapeError, TessellationError};
use crate::math::rounding;
use crate::tolerance::MAX_COORDINATE;
use crate::{Aabb, MassProperties, Mesh, Pose, Vec3};
use std::sync::Arc;

/// How deep compounds may be nested: deeper than any machine is built, and shallow enough for plain recursion.
pub const MAX_DEPTH: usize = 32;

/// How many parts a compound may have in all, nested ones counted every time they occur. Keeps a few lines of
/// compounds of compounds from growing into something that no memory holds.
pub const MAX_PARTS: usize = 1_000_000;

/// A shape in its place within a [`Compound`].
#[derive(Clone, Debug, PartialEq)]
pub struct Part {
    /// Where the part is.
    pub compound_from_part: Pose,
    /// What it is.
    pub shape: Shape,
}

impl Part {
    /// The largest coordinate magnitude that comes up when the part is placed; `None` for parts without end.
    fn reach(&self) -> Option<f64> {
        let own = self.shape.aabb()?.reach();
        // A rotation makes a coordinate at most √3 times as large.
        Some(2.0 * own + self.compound_from_part.translation().abs().max_element())
    }

    /// What is left of a deviation when the part has been placed.
    fn fineness(&self, fineness: &Fineness) -> Result<Fineness, TessellationError> {
        fineness.without_rounding(self.reach().ok_or(TessellationError::Unbounded)?)
    }
}

/// The union of shapes, each in its own place. Copies share their data.
///
/// Parts may touch and overlap, and may be compounds again, up to [`MAX_DEPTH`] levels.
#[derive(Clone, Debug, PartialEq)]
pub struct Compound {
    parts: Arc<[Part]>,
    depth: usize,
    part_count: usize,
    aabb: Option<Aabb>,
}

impl Compound {
    /// The union of at least one part.
    pub fn new(parts: Vec<Part>) -> Result<Compound, ShapeError> {
        if parts.is_empty() {
            return Err(ShapeError::NoParts);
        }
        let nested = |part: &Part| match &part.shape {
            Shape::Compound(inner) => (inner.depth, inner.part_count),
            _ => (0, 1),
        };
        let depth = 1 + parts.iter().map(|p| nested(p).0).max().unwrap_or(0);
        if depth > MAX_DEPTH {
            return Err(ShapeError::TooDeep { depth, limit: MAX_DEPTH });
        }
        let part_count = parts.iter().map(|p| nested(p).1).sum();
        if part_count > MAX_PARTS {
            return Err(ShapeError::TooManyParts { parts: part_count, limit: MAX_PARTS });
        }
        for (index, part) in parts.iter().enumerate() {
            let translation = part.compound_from_part.translation().abs().max_element();
            let reach = part.reach().unwrap_or(translation);
            if !(0.0..=MAX_COORDINATE).contains(&reach) {
                return Err(ShapeError::TooFar { part: index, reach });
            }
        }
        let boxes = parts.iter().map(|p| p.shape.aabb_placed(&p.compound_from_part));
        let aabb = boxes.reduce(|a, b| Some(a?.union(&b?))).flatten();
        Ok(Compound { parts: parts.into(), depth, part_count, aabb })
    }

    /// The parts, at least one.
    pub fn parts(&self) -> &[Part] {
        &self.parts
    }

    /// A box in the frame of the compound that holds all parts, larger than the smallest one by rounding only. `None`
    /// if a part has no end.
    pub fn aabb(&self) -> Option<Aabb> {
        self.aabb
    }

    /// See [`Shape::aabb_placed`].
    pub(super) fn aabb_placed(&self, a_from_compound: &Pose) -> Option<Aabb> {
        let mut placed = Aabb::EMPTY;
        let mut reach = 0.0f64;
        for part in self.parts.iter() {
            let a_from_part = *a_from_compound * part.compound_from_part;
            placed = placed.union(&part.shape.aabb_placed(&a_from_part)?);
            reach = reach.max(part.reach()?);
        }
        // What the product of the poses may be off.
        let reach = 2.0 * reach + a_from_compound.translation().abs().max_element();
        Some(placed.inflated(rounding::coordinate(reach)))
    }

    /// True if `point` lies in one of the parts. `None` if that depends on a part that cannot tell.
    pub fn contains(&self, point: Vec3) -> Option<bool> {
        let mut known = Some(false);
        for part in self.parts.iter() {
            match part.shape.contains(part.compound_from_part.inverse().transform_point(point)) {
                Some(true) => return Some(true),
                Some(false) => {}
                None => known = None,
            }
        }
        known
    }

    /// The sum of the areas of all parts in square metres, also where they overlap. `None` if a part has no end.
    pub fn area(&self) -> Option<f64> {
        self.parts.iter().map(|p| p.shape.area()).sum()
    }

    /// Volume, centre and inertia of all parts together; where they overlap, the volume counts once for each.
    ///
    /// `None` if one of the parts has none.
    pub fn mass_properties(&self) -> Option<MassProperties> {
        let placed = |p: &Part| Some(p.shape.mass_properties()?.placed(&p.compound_from_part));
        let parts: Option<Vec<_>> = self.parts.iter().map(placed).collect();
        Some(MassProperties::combined(&parts?))
    }

    pub(super) fn triangle_count(&self, fineness: &Fineness) -> Result<f64, TessellationError> {
        self.parts.iter().map(|part| part.shape.triangle_count(&part.fineness(fineness)?)).sum()
    }

    /// The meshes of all parts, side by side.
    pub(super) fn tessellate(&self, fineness: &Fineness) -> Result<Mesh, TessellationError> {
        let (mut vertices, mut faces) = (Vec::new(), Vec::new());
        for part in self.parts.iter() {
            let (points, triangles) = part.shape.tessellate_counted(&part.fineness(fineness)?)?.into_parts();
            let first = vertices.len() as u32;
            vertices.extend(points.iter().map(|&p| part.compound_from_part.transform_point(p)));
            faces.extend(triangles.iter().map(|face| face.map(|i| i + first)));
        }
        Ok(Mesh::new(vertices, faces).expect("the reach of every part was checked when it came in"))
    }
}
