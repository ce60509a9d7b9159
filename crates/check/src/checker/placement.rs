//! Bodies that stand somewhere: what overlaps, and what is too close.

use super::around::Around;
use super::memory::CheckMemory;
use super::pair::Pairs;
use super::result::Finding;
use super::{CheckOptions, step};
use freiraum_assets::ShapeCache;
use freiraum_geometry::{Aabb, Pose};
use freiraum_scene::{Problem, Scene};

/// What is wrong where all bodies stand, as a check finds it before the first step, but only of the pairs that `is_asked` says yes to, the lower number first.
///
/// **Errors.** As [`check()`](super::check()). Panics if there is no pose for a body. **Cost.** A broad phase over the boxes of all bodies; shapes only of those whose boxes are near to
/// each other.
pub fn placement(
    scene: &Scene,
    parts: &ShapeCache,
    poses: &[Pose],
    is_asked: &dyn Fn([usize; 2]) -> bool,
    options: &CheckOptions,
) -> Result<Vec<Finding>, Vec<Problem>> {
    let bounds = |body: usize| -> Result<Option<Aabb>, Problem> {
        let movable = parts.movable(body).map_err(|error| error.problem(scene.bodies[body].place))?;
        Ok(movable.prepared().filled_bounds())
    };
    let bounds: Vec<Option<Aabb>> =
        (0..scene.bodies.len()).map(bounds).collect::<Result<_, _>>().map_err(|problem| vec![problem])?;
    let memory = CheckMemory::default();
    let pairs = Pairs {
        scene,
        parts,
        memory: &memory,
        bounds: &bounds,
        limits: options.limits,
        cancel: options.cancel.cloned().unwrap_or_default(),
        counts: Default::default(),
        new: Default::default(),
    };
    let alone = Around::of(&[]);
    step::placed(&pairs, "this placement", poses, is_asked, alone.start()).map_err(|problem| vec![problem])
}
