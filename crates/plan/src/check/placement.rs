//! Bodies that stand somewhere: what overlaps, and what is too close.

use super::approach::Plan;
use super::memory::CheckMemory;
use super::pair::Pairs;
use super::result::Finding;
use super::{CheckOptions, step};
use crate::parts::Parts;
use freiraum_geometry::{AxisBox, Pose};
use freiraum_scene::{Problem, Scene};

/// What is wrong where all bodies stand, as a check finds it before the first step, but only of the pairs that `is_asked` says yes to, the lower number first.
///
/// **Errors.** As [`check()`](super::check()). Panics if there is no pose for a body. **Cost.** Boxes of all pairs that are asked; shapes only of those
/// whose boxes are near to each other.
pub fn placement(
    scene: &Scene,
    parts: &Parts,
    poses: &[Pose],
    is_asked: &dyn Fn([usize; 2]) -> bool,
    options: &CheckOptions,
) -> Result<Vec<Finding>, Vec<Problem>> {
    let bounds = |body: usize| -> Result<Option<AxisBox>, Problem> {
        let movable = parts.movable(body).map_err(|error| error.problem(scene.bodies[body].place))?;
        Ok(movable.prepared().bounds())
    };
    let bounds: Vec<Option<AxisBox>> =
        (0..scene.bodies.len()).map(bounds).collect::<Result<_, _>>().map_err(|problem| vec![problem])?;
    let memory = CheckMemory::default();
    let pairs = Pairs {
        scene,
        parts,
        memory: &memory,
        bounds: &bounds,
        limits: options.limits,
        is_cancelled: options.is_cancelled,
        counts: Default::default(),
        new: Default::default(),
    };
    let alone = Plan { before: &[], after: &[] };
    step::standing(&pairs, "this placement", poses, is_asked, alone).map_err(|problem| vec![problem])
}
