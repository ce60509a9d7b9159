//! The joint values that bring the tool somewhere.

use super::situation::situation;
use super::standing::{findings, stand};
use super::{check_joints, robot};
use crate::document::snapshot::Snapshot;
use crate::protocol::{At, Refusal, Reply, SentPose, Solution as Told, Solutions, received};
use freiraum_check::{Finding, PlanVerdict, words};
use freiraum_robot::inverse::{Options, Reason, Solution};
use freiraum_scene::Scene;

pub(super) fn robot_ik(
    snapshot: &Snapshot,
    number: usize,
    tool: &SentPose,
    joints: &[f64],
    at: Option<At>,
) -> Result<Reply, Refusal> {
    let scene = snapshot.scene();
    let placed = robot(scene, number)?;
    check_joints(placed, joints)?;
    let now = situation(snapshot, at)?;
    let found = freiraum_robot::inverse(
        &placed.model,
        placed.flange,
        &placed.flange_from_tool,
        &received(tool)?,
        &placed.base,
        joints,
        &Options::default(),
    );
    let told = |solution: &Solution| -> Result<Told, Refusal> {
        let standing = stand(snapshot, number, &now, &solution.values)?;
        let findings = findings(snapshot, placed, &now.robots[number].held, &standing)?;
        Ok(Told {
            joints: solution.values.clone(),
            nearest: solution.nearest,
            distance: solution.way,
            signs: solution.configuration.map(|signs| signs.to_string()),
            singular: solution.singular.iter().map(ToString::to_string).collect(),
            free: findings.is_empty(),
            touches: findings.first().map(|finding| touches(scene, finding)),
        })
    };
    let solutions = found.solutions.iter().map(told).collect::<Result<Vec<_>, _>>()?;
    let reason = found.reason.as_ref().map(|reason| why(reason, scene));
    Ok(Solutions { complete: found.method.is_complete(), reason, solutions }.into())
}

fn touches(scene: &Scene, finding: &Finding) -> String {
    let [a, b] = finding.pair.map(|body| words::body(scene, body));
    match finding.kind.verdict() {
        PlanVerdict::TooClose => format!("{a} is too close to {b}"),
        PlanVerdict::Undecided => format!("{a} and {b}: not decided"),
        _ => format!("{a} touches {b}"),
    }
}

/// Why there is no solution, in the unit of the scene.
fn why(reason: &Reason, scene: &Scene) -> String {
    let length = |metres: f64| format!("{:.4} {}", scene.units.from_metres(metres), scene.units);
    let degrees = |radians: f64| format!("{:.2}°", radians.to_degrees());
    match reason {
        Reason::OutOfReach { by } => format!("out of reach by {}", length(*by)),
        Reason::Orientation { by } => {
            format!("the tool cannot be turned like this: {} are missing", degrees(*by))
        }
        Reason::NotReached { best, .. } => {
            format!(
                "none was found; the search ended {} and {} away",
                length(best.position),
                degrees(best.angle)
            )
        }
        Reason::OutsideLimits { .. } | Reason::NothingMoves(_) | Reason::NotFinite => reason.to_string(),
    }
}
