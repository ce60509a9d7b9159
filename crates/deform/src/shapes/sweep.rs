//! Rings of vertices one after the other, joined by triangles.

use super::{Solid, SolidError, count};
use freiraum_geometry::Vec3;
use std::f64::consts::TAU;

/// A circle of vertices: about `centre`, from `first` towards `second`, whose cross product points along the sweep.
#[derive(Clone, Copy)]
pub(super) struct Ring {
    pub(super) centre: Vec3,
    pub(super) first: Vec3,
    pub(super) second: Vec3,
    pub(super) radius: f64,
}

/// A tube through all rings whose ends are joined.
pub(super) fn endless(rings: &[Ring], around: u32) -> Result<Solid, SolidError> {
    let mut solid = skin(rings, around)?;
    join(&mut solid, (rings.len() as u32 - 1) * around, 0, around);
    Ok(solid)
}

/// A tube through all rings with a flat disc at both ends: smaller rings, spaced like the vertices around, and a vertex in the middle.
pub(super) fn capped(rings: &[Ring], around: u32) -> Result<Solid, SolidError> {
    let ([first, .., last] | [first @ last]) = rings else { return Ok(Solid::default()) };
    let steps = discs(around);
    let smaller =
        |ring: &Ring, k: u32| Ring { radius: ring.radius * f64::from(k) / f64::from(steps), ..*ring };
    let mut all: Vec<Ring> = (1..steps).map(|k| smaller(first, k)).collect();
    all.extend_from_slice(rings);
    all.extend((1..steps).rev().map(|k| smaller(last, k)));
    let mut solid = skin(&all, around)?;
    let (start, end) = (solid.vertices.len() as u32, solid.vertices.len() as u32 + 1);
    solid.vertices.extend([first.centre, last.centre]);
    let last_ring = (all.len() as u32 - 1) * around;
    for j in 0..around {
        let next = (j + 1) % around;
        solid.faces.push([start, next, j]);
        solid.faces.push([last_ring + j, last_ring + next, end]);
    }
    Ok(solid)
}

/// Rings from the middle of a disc to its rim, the rim included.
pub(super) fn discs(around: u32) -> u32 {
    ((f64::from(around) / TAU).round() as u32).max(1)
}

/// All rings, joined in order, without ends.
fn skin(rings: &[Ring], around: u32) -> Result<Solid, SolidError> {
    count(rings.len().max(around as usize) as u64)?;
    let vertices = count(rings.len() as u64 * u64::from(around))?;
    let mut solid =
        Solid { vertices: Vec::with_capacity(vertices + 2), faces: Vec::with_capacity(2 * vertices) };
    for (i, ring) in (0u32..).zip(rings) {
        for j in 0..around {
            let (sin, cos) = (TAU * f64::from(j) / f64::from(around)).sin_cos();
            solid.vertices.push(ring.centre + ring.radius * (cos * ring.first + sin * ring.second));
        }
        if i > 0 {
            join(&mut solid, (i - 1) * around, i * around, around);
        }
    }
    Ok(solid)
}

/// Triangles between two rings that start at the given vertices.
fn join(solid: &mut Solid, from: u32, to: u32, around: u32) {
    for j in 0..around {
        let next = (j + 1) % around;
        let [p, q, r, s] = [from + j, from + next, to + next, to + j];
        // Every second cell is split the other way, so that the pattern has no sense of rotation.
        if (j + to / around).is_multiple_of(2) {
            solid.faces.extend([[p, q, r], [p, r, s]]);
        } else {
            solid.faces.extend([[p, q, s], [q, r, s]]);
        }
    }
}
