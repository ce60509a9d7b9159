//! Directions in which a group is likely to move freely: from contact normals, axes and faces.
//!
//! Parts slide along each other exactly in the directions of their faces and axes; a random direction never meets one of those.

use super::Task;
use freiraum_geometry::math::{power_of_two, unit};
use freiraum_geometry::shape::Shape;
use freiraum_geometry::{Mesh, Pose, Vec3};
use freiraum_motion::{CancelToken, MotionError, Movable};
use freiraum_query::Prepared;
use freiraum_query::contact::regions::contact_regions;

/// At most so many directions.
const MOST: usize = 40;

/// Two directions are the same if the cosine between them is larger: up to about a tenth of a degree, more than meshes of single
/// precision are off.
const SAME_COSINE: f64 = 1.0 - power_of_two(-20);

/// Unit vectors in the frame of the world, the most promising first, for a group that is at `lead` and in contact with some of the obstacles.
pub(crate) fn directions(
    task: &Task,
    lead: &Pose,
    fits: &[[usize; 2]],
    cancel: &CancelToken,
) -> Result<Vec<Vec3>, MotionError> {
    let mut list = Directions::default();
    let normals = contact_normals(task, lead, fits, cancel)?;
    // The mean of all ways out.
    list.one(-normals.iter().copied().sum::<Vec3>());
    for axis in [Vec3::Z, Vec3::X, Vec3::Y] {
        list.both(axis);
    }
    list.frame(lead);
    for one in &task.moving {
        look(cancel)?;
        list.shape(one.body.prepared().shape(), &(*lead * one.pose), cancel)?;
    }
    for [_, obstacle] in fits {
        list.frame(&task.obstacles[*obstacle].pose);
    }
    for normal in &normals {
        list.one(-*normal);
    }
    for (k, first) in normals.iter().enumerate().take(PAIRS) {
        for second in normals[k + 1..].iter().take(PAIRS) {
            list.both(first.cross(*second));
        }
    }
    for [_, obstacle] in fits {
        look(cancel)?;
        let obstacle = &task.obstacles[*obstacle];
        list.shape(obstacle.body.prepared().shape(), &obstacle.pose, cancel)?;
    }
    for one in &task.moving {
        if let Some(mass) = one.body.prepared().shape().mass_properties() {
            let axes = mass.placed(&(*lead * one.pose)).principal_axes().axes;
            for axis in [axes.x_axis, axes.y_axis, axes.z_axis] {
                list.both(axis);
            }
        }
    }
    list.found.truncate(MOST);
    Ok(list.found)
}

/// Whether somebody still waits for the directions.
fn look(cancel: &CancelToken) -> Result<(), MotionError> {
    if cancel.is_cancelled() { Err(MotionError::Cancelled) } else { Ok(()) }
}

/// Of so many normals all cross products are tried.
const PAIRS: usize = 8;

/// Unit normals from the group to what it touches, in the frame of the world.
pub(crate) fn contact_normals(
    task: &Task,
    lead: &Pose,
    fits: &[[usize; 2]],
    cancel: &CancelToken,
) -> Result<Vec<Vec3>, MotionError> {
    let mut list = Directions::default();
    for [moving, obstacle] in fits {
        // The contacts of two large meshes take tens of milliseconds.
        look(cancel)?;
        let (one, other) = (&task.moving[*moving], &task.obstacles[*obstacle]);
        let world_from_a = *lead * one.pose;
        let a_from_b = world_from_a.inverse() * other.pose;
        let [a, b] = [&one.body, &other.body].map(Movable::prepared);
        for normal in normals_of(a, b, &a_from_b, cancel)? {
            list.one(world_from_a.rotate(normal));
        }
        if list.found.is_empty()
            && let Ok(closest) = freiraum_query::distance(a, b, &a_from_b)
        {
            list.one(world_from_a.rotate(closest.normal));
        }
    }
    Ok(list.found)
}

/// The normals of all contacts of two bodies, in the frame of a.
fn normals_of(
    a: &Prepared,
    b: &Prepared,
    a_from_b: &Pose,
    cancel: &CancelToken,
) -> Result<Vec<Vec3>, MotionError> {
    // Where both are solid and every region has a normal of its own, these are those of the contact, whose search for the way out of
    // large meshes takes half a second.
    if !a.has_open_surface()
        && !b.has_open_surface()
        && let Ok(regions) = contact_regions(a, b, a_from_b)
        && !regions.is_empty()
        && let Some(normals) = regions.iter().map(|region| region.normal).collect()
    {
        return Ok(normals);
    }
    look(cancel)?;
    let contact = freiraum_query::contact(a, b, a_from_b);
    Ok(contact.map_or(Vec::new(), |contact| contact.points.iter().map(|point| point.normal).collect()))
}

#[derive(Default)]
struct Directions {
    found: Vec<Vec3>,
}

impl Directions {
    fn one(&mut self, direction: Vec3) {
        if let Some(direction) = unit(direction)
            && !self.found.iter().any(|known| known.dot(direction) > SAME_COSINE)
        {
            self.found.push(direction);
        }
    }

    fn both(&mut self, direction: Vec3) {
        self.one(direction);
        self.one(-direction);
    }

    fn frame(&mut self, pose: &Pose) {
        for axis in [Vec3::Z, Vec3::X, Vec3::Y] {
            self.both(pose.rotate(axis));
        }
    }

    fn shape(&mut self, shape: &Shape, pose: &Pose, cancel: &CancelToken) -> Result<(), MotionError> {
        match shape {
            Shape::Compound(compound) => {
                for part in compound.parts().iter().take(PAIRS) {
                    self.shape(&part.shape, &(*pose * part.compound_from_part), cancel)?;
                }
            }
            Shape::Mesh(mesh) => self.faces(mesh, pose, cancel)?,
            Shape::Convex(convex) => self.faces(convex.surface(), pose, cancel)?,
            Shape::HalfSpace(half_space) => self.both(pose.rotate(half_space.normal())),
            _ => self.frame(pose),
        }
        Ok(())
    }

    /// The normals of the largest flat sides, and the directions along two of them.
    fn faces(&mut self, mesh: &Mesh, pose: &Pose, cancel: &CancelToken) -> Result<(), MotionError> {
        let mut sides: Vec<(Vec3, f64)> = Vec::new();
        let corners = mesh.vertices();
        for (number, face) in mesh.faces().iter().enumerate() {
            if number.is_multiple_of(LOOK) {
                look(cancel)?;
            }
            let [a, b, c] = face.map(|corner| corners[corner as usize]);
            let twice_area = (b - a).cross(c - a);
            let Some(normal) = unit(twice_area) else { continue };
            match sides.iter().position(|(known, _)| known.dot(normal).abs() > SAME_COSINE) {
                Some(side) => sides[side].1 += twice_area.length(),
                None if sides.len() < SIDES_KEPT => sides.push((normal, twice_area.length())),
                None => {}
            }
        }
        sides.sort_by(|x, y| y.1.total_cmp(&x.1));
        sides.truncate(SIDES);
        for (normal, _) in &sides {
            self.both(pose.rotate(*normal));
        }
        for (k, (first, _)) in sides.iter().enumerate() {
            for (second, _) in &sides[k + 1..] {
                self.both(pose.rotate(first.cross(*second)));
            }
        }
        Ok(())
    }
}

/// After so many faces the search may have been stopped: round meshes have hundreds of thousands, which take
/// a tenth of a second.
const LOOK: usize = 4096;

/// So many kinds of sides of a mesh are told apart; round ones have many.
const SIDES_KEPT: usize = 256;

/// So many of them, the largest, give directions.
const SIDES: usize = 4;
