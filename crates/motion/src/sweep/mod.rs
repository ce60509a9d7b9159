//! Two meshes, one of them translating or rotating: the exact searches through both trees.
//!
//! [`TranslatingPair`] and [`RotatingPair`] hold what a motion needs and answer the same questions: the first contact, and
//! all pairs of faces that ever touch.

mod rotating;
mod translating;

pub use rotating::RotatingPair;
pub use translating::TranslatingPair;

use crate::advance::AdvanceMemory;
use crate::cancel::CancelToken;
use crate::clearance::ClearanceMemory;
use crate::descend::SearchMemory;
use crate::movable::bounds;
use crate::verdict::MotionError;
use freiraum_geometry::{Pose, Vec3};
use freiraum_query::mesh_tree::MeshTree;

/// The first contact of two surfaces.
///
/// **Frames.** The frame of a.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SurfaceContact {
    /// When, as a share of the motion in [0, 1].
    pub time: f64,
    /// How much earlier or later it may be because of rounding. Surfaces that only graze, within rounding, meet where they come closest.
    pub error: f64,
    /// The faces that meet, of a and of b.
    pub faces: [u32; 2],
    /// The unit direction from a to b in which they were last apart; zero if they met at the start.
    pub normal: Vec3,
    /// False if the search ended so close to a contact that rounding decides: then the surfaces are proven apart before `time`,
    /// and nothing is known after it.
    pub is_proven: bool,
}

/// Two faces and a stretch of time in which they touch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FaceContact {
    /// From when to when, as shares of the motion in [0, 1].
    pub time: [f64; 2],
    /// The faces of a and b.
    pub faces: [u32; 2],
}

/// Memory that searches use again, so that they allocate nothing once warm.
#[derive(Debug, Default)]
pub struct MotionWorkspace {
    pub(crate) search: SearchMemory,
    pub(crate) clearance: ClearanceMemory,
    pub(crate) advance: AdvanceMemory,
}

impl MotionWorkspace {
    /// The searches that use this memory end when the token says so, until another one is set: with [`MotionError::Cancelled`], and those of [`sweep`](self),
    /// which have no errors, with nothing found.
    pub fn set_cancel(&mut self, token: &CancelToken) {
        self.search.cancel.set(token);
        self.clearance.cancel.set(token);
        self.advance.cancel.set(token);
    }

    /// Whether searches are to end.
    pub(crate) fn is_cancelled(&self) -> bool {
        self.search.cancel.is_cancelled()
    }

    /// What was found, unless the search was to end before.
    pub(crate) fn unless_cancelled<T>(&self, found: Result<T, MotionError>) -> Result<T, MotionError> {
        if self.is_cancelled() { Err(MotionError::Cancelled) } else { found }
    }
}

/// The largest coordinate of either body in the frame of a, about.
fn reach(a: &MeshTree, b: &MeshTree, a_from_b: &Pose) -> f64 {
    bounds(a).reach() + 2.0 * bounds(b).reach() + a_from_b.translation().abs().max_element()
}

#[cfg(test)]
mod tests {
    use super::*;
    use freiraum_geometry::Mesh;
    use freiraum_geometry::path::Axis;
    use freiraum_query::mesh_tree::{MeshWorkspace, any_intersection};
    use freiraum_testkit::random::Random;
    use freiraum_testkit::scale::cases;
    use freiraum_testkit::{models, nasty};

    #[test]
    fn faces_that_move_away_are_never_the_first() {
        let mut random = Random::new(11);
        let (mut memory, mut workspace) = (MotionWorkspace::default(), MeshWorkspace::default());
        let surface = |random: &mut Random| {
            let (vertices, faces) = match random.below(6) {
                0 => nasty::star(random, 2, 0.3),
                1 => nasty::plate(1.5, 1.0, 1e-3),
                2 => nasty::needle(1.8, 1e-3),
                3 => nasty::hoop(0.5, 0.7, 0.4, 9),
                4 => models::prism(&models::gear_outline(6, 0.6, 1.0, 0.02), 0.3),
                _ => {
                    models::cells([3, 3, 3], Vec3::splat(0.3), |[x, y, z]| (x + 2 * y + z) % 3 != 1 || z == 0)
                }
            };
            MeshTree::build(Mesh::new(vertices, faces).unwrap())
        };
        let (mut met, mut solids) = (0, 0);
        for case in 0..cases(600) {
            let (a, b) = (surface(&mut random), surface(&mut random));
            let facing = [&a, &b].map(crate::outward::is_outward);
            solids += usize::from(facing == [true; 2]);
            // Also with parallel faces, and in their planes.
            let turn = if case % 3 == 0 { freiraum_geometry::Quat::IDENTITY } else { random.rotation() };
            let step = |random: &mut Random| match case % 3 {
                0 => (2.0 * random.in_cube(1.5)).round() * 0.5,
                _ => random.in_cube(1.5),
            };
            let start = Pose::new(turn, step(&mut random)).unwrap();
            let by = step(&mut random) - start.translation();
            let direction = step(&mut random);
            if any_intersection(&a, &b, &start, &mut workspace).is_some() || by == Vec3::ZERO {
                continue;
            }
            let along = TranslatingPair::new(&a, &b, &start, 0.0, by);
            let mut times = vec![[
                along.first_contact(1.0, &mut memory),
                along.of_solids(facing).first_contact(1.0, &mut memory),
            ]];
            if let Some(axis) = Axis::new(step(&mut random), direction) {
                let around = RotatingPair::new(&a, &b, &start, 0.0, &axis, 3.0);
                times.push([
                    around.first_contact(1.0, &mut memory),
                    around.of_solids(facing).first_contact(1.0, &mut memory),
                ]);
            }
            for [all, some] in times {
                let [all, some] =
                    [all, some].map(|contact| contact.map(|contact| (contact.time, contact.error)));
                met += usize::from(all.is_some());
                let is_same = match (all, some) {
                    (Some((t, e)), Some((u, f))) => (t - u).abs() < 1e-11 + e + f,
                    _ => all == some,
                };
                assert!(is_same, "{case} {facing:?}: {all:?} {some:?}");
            }
        }
        assert!(met > cases(600) / 4 && solids > cases(600) / 4, "{met} {solids}");
    }
}
