//! Findings of one meeting, told once.

use super::{body, clean, percent, seconds, sentences};
use crate::Timeline;
use crate::check::{Finding, PlanVerdict};
use freiraum_scene::Scene;

/// The findings about a step as [`sentences`], of those of two robots, of a robot and a body, and of one robot with itself only the first in full, with how many more there are and until when.
///
/// Each with the number of its finding, in their order; findings that `is_left_out` are in none.
pub fn grouped(
    scene: &Scene,
    timeline: &Timeline,
    step: usize,
    findings: &[Finding],
    is_left_out: impl Fn(&Finding) -> bool,
) -> Vec<(usize, String)> {
    let mut groups: Vec<(Option<Meeting>, Vec<usize>)> = Vec::new();
    for (number, finding) in findings.iter().enumerate().filter(|(_, finding)| !is_left_out(finding)) {
        let meeting = Meeting::of(scene, finding);
        let known = groups.iter_mut().find(|(known, _)| known.is_some() && *known == meeting);
        match known {
            Some((_, members)) => members.push(number),
            None => groups.push((meeting, vec![number])),
        }
    }
    let told = sentences(scene, timeline, step, findings);
    let stage = timeline.stages.get(step);
    let tell = |(meeting, members): &(Option<Meeting>, Vec<usize>)| {
        let first = members[0];
        let Some(meeting) = meeting.filter(|_| members.len() > 1) else {
            return (first, told[first].clone());
        };
        let last = members.iter().map(|number| findings[*number].time).fold(0.0, f64::max);
        let until = match stage {
            Some(stage) if stage.is_timed() => seconds(last * stage.seconds),
            _ => format!("{} of the motion", percent(last)),
        };
        (first, format!("{}; and {} until {until}", told[first], meeting.more(scene, members.len() - 1)))
    };
    groups.iter().map(tell).collect()
}

/// Who meets whom.
#[derive(Clone, Copy, PartialEq)]
struct Meeting {
    /// Of two robots the one with the smaller number.
    robot: usize,
    other: Other,
    verdict: PlanVerdict,
}

#[derive(Clone, Copy, PartialEq)]
enum Other {
    Robot(usize),
    Body(usize),
}

impl Meeting {
    /// `None` if no robot is in it.
    fn of(scene: &Scene, finding: &Finding) -> Option<Meeting> {
        let verdict = finding.kind.verdict();
        let [a, b] = finding.pair;
        let (robot, other) = match [a, b].map(|body| scene.robot_of(body)) {
            [Some(a), Some(b)] => (a.min(b), Other::Robot(a.max(b))),
            [Some(robot), None] => (robot, Other::Body(b)),
            [None, Some(robot)] => (robot, Other::Body(a)),
            [None, None] => return None,
        };
        Some(Meeting { robot, other, verdict })
    }

    /// `18 more pairs of links of left and right`.
    fn more(&self, scene: &Scene, count: usize) -> String {
        let name = |robot: usize| clean(&scene.robots[robot].name);
        let own = name(self.robot);
        let s = if count == 1 { "" } else { "s" };
        match self.other {
            Other::Robot(other) if other == self.robot => format!("{count} more pair{s} of links of {own}"),
            Other::Robot(other) => format!("{count} more pair{s} of links of {own} and {}", name(other)),
            Other::Body(other) => format!("{count} more link{s} of {own} with {}", body(scene, other)),
        }
    }
}
