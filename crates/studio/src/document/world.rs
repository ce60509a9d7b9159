//! What was changed in the running world, kept in the scene.

use super::edit::Done;
use crate::protocol::Refusal;
use freiraum_formats::scene::{PhysicsChange, SceneFile};
use freiraum_geometry::Pose;

/// What was changed of a body.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Kept {
    pub(crate) name: String,
    pub(crate) physics: PhysicsChange,
    /// Where it starts.
    pub(crate) pose: Option<Pose>,
}

/// Writes it into the file, as one change.
pub(super) fn keep(file: &mut SceneFile, all: &[Kept]) -> Result<Done, Refusal> {
    for one in all {
        let Some(body) = file.scene().body(&one.name) else {
            let refusal =
                Refusal::new("stale", format!("there is no body {:?} in the scene any more", one.name));
            return Err(refusal.help("reset the world"));
        };
        if file.scene().robot_of(body).is_some() {
            return Err(Refusal::new("request", format!("{:?} is part of a robot", one.name)));
        }
        file.set_physics(body, &one.physics)?;
        if let Some(pose) = &one.pose {
            file.set_pose(body, pose)?;
        }
    }
    let label = match all {
        [] => return Err(Refusal::new("nothing", "nothing was changed in the world")),
        [one] => format!("keep {} as it is in the world", one.name),
        all => format!("keep {} bodies as they are in the world", all.len()),
    };
    Ok(Done::new(label))
}
