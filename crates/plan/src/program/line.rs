//! Tool poses as joint values.

use freiraum_geometry::Pose;
use freiraum_robot::trajectory::Timed;
use freiraum_scene::{LineEnd, Place, PlacedRobot, Problem};

/// The joint values nearest to those before at which the tool centre point is at a pose.
pub(super) fn nearest_values(
    robot: &PlacedRobot,
    _pose: &Pose,
    _before: &[f64],
    place: Place,
) -> Result<Vec<f64>, Problem> {
    Err(Problem::new(place, format!("{:?}: tool poses are not solved yet", robot.name)))
}

/// The tool centre point on a straight line.
pub(super) fn line(
    robot: &PlacedRobot,
    _to: &LineEnd,
    _speed: f64,
    _before: &[f64],
    place: Place,
) -> Result<Timed, Problem> {
    Err(Problem::new(place, format!("{:?}: lines are not solved yet", robot.name)))
}
