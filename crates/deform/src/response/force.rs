//! Forces that push apart what overlaps.

use super::Contact;
use crate::layers::Surface;
use freiraum_geometry::Vec3;

/// Adds to `forces` (one list for each body, in newtons) a push on every vertex in contact, `stiffness` (newtons per metre) times
/// its depth, and the reaction on the corners of the face it lies behind.
///
/// **Guarantee.** The forces of each contact add up to zero. Of a body that overlaps itself, give it and its list once.
pub fn penalty_forces(
    contacts: &[Contact],
    surfaces: &[Surface],
    stiffness: f64,
    forces: &mut [&mut [Vec3]],
) {
    for contact in contacts {
        let force = stiffness * contact.depth * contact.push;
        forces[contact.body][contact.vertex as usize] += force;
        let other = if surfaces.len() == 1 { 0 } else { 1 - contact.body };
        let corners = surfaces[other].faces[contact.face as usize];
        for (corner, weight) in corners.into_iter().zip(contact.weights) {
            forces[other][corner as usize] -= weight * force;
        }
    }
}
