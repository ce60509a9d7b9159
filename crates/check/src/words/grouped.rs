//! Findings of one meeting, told once.

use super::clusters::{Bond, Cluster, clusters};
use super::{Sentences, body, clean, percent, seconds, start_sentence};
use crate::Timeline;
use crate::checker::{Finding, FindingKind, PlanVerdict};
use freiraum_scene::Scene;
use std::collections::HashMap;

/// The findings about the state before the first step as sentences: of many bodies that are all in each other, and of many that are wrong with one body, only the
/// first in full, with how many more there are.
///
/// Each with the number of its finding, in their order.
pub fn grouped_start(scene: &Scene, findings: &[Finding]) -> Vec<(usize, String)> {
    let numbers: Vec<usize> = (0..findings.len()).collect();
    let tell = |Cluster { members, bond }: &Cluster| {
        let first = members[0];
        let said = start_sentence(scene, &findings[first]);
        let are = match findings[first].kind {
            FindingKind::Overlap { .. } => "overlap",
            FindingKind::TooClose { .. } => "are too close",
            _ => "are not as they should be",
        };
        let more = match bond {
            Bond::None => return (first, said),
            Bond::All { bodies } => {
                format!("{} more bodies {are} here, {} pairs in all", bodies - 2, members.len())
            }
            Bond::Body(hub) => {
                let with = if are == "are too close" { "to" } else { "with" };
                format!("{} more bodies {are} {with} {}", members.len() - 1, body(scene, *hub))
            }
        };
        (first, format!("{said}; and {more}"))
    };
    clusters(findings, &numbers).iter().map(tell).collect()
}

/// How many findings before the first step there are of each kind: `2 pairs overlap before anything has
/// moved`.
pub fn counted_start(findings: &[Finding]) -> Vec<String> {
    let of_kind = |is_one: fn(&FindingKind) -> bool, one: &str, many: &str| {
        let count = findings.iter().filter(|finding| is_one(&finding.kind)).count();
        let pairs = if count == 1 { format!("1 pair {one}") } else { format!("{count} pairs {many}") };
        (count > 0).then(|| format!("{pairs} before anything has moved"))
    };
    let is_meeting = |kind: &FindingKind| kind.verdict() == PlanVerdict::Collision;
    let is_inside = |kind: &FindingKind| matches!(kind, FindingKind::InsideUnknown { .. });
    let is_near = |kind: &FindingKind| matches!(kind, FindingKind::TooClose { .. });
    let is_open = |kind: &FindingKind| {
        kind.verdict() == PlanVerdict::Undecided && !matches!(kind, FindingKind::InsideUnknown { .. })
    };
    let counted = [
        of_kind(is_meeting, "overlaps", "overlap"),
        of_kind(is_near, "is too close", "are too close"),
        of_kind(is_inside, "may be one inside the other", "may be one inside the other"),
        of_kind(is_open, "could not be decided", "could not be decided"),
    ];
    counted.into_iter().flatten().collect()
}

/// The findings about a step as [`sentences`](super::sentences), of those of two robots, of a robot and a body, and of one robot with itself, and of many that
/// have one body in common, only the first in full, with how many more there are and when the last begins.
///
/// Each with the number of its finding, in their order; findings that `is_left_out` are in none.
pub fn grouped(
    scene: &Scene,
    timeline: &Timeline,
    step: usize,
    findings: &[Finding],
    is_left_out: impl Fn(&Finding) -> bool,
) -> Vec<(usize, String)> {
    let (mut of_robots, mut others) = (HashMap::<Meeting, Vec<usize>>::new(), Vec::new());
    for (number, finding) in findings.iter().enumerate().filter(|(_, finding)| !is_left_out(finding)) {
        match Meeting::of(scene, finding) {
            Some(meeting) => of_robots.entry(meeting).or_default().push(number),
            None => others.push(number),
        }
    }
    let sentences = Sentences::of(scene, timeline, step, findings);
    let stage = timeline.stages.get(step);
    let last = |members: &[usize]| {
        let last = members.iter().map(|number| findings[*number].time).fold(0.0, f64::max);
        match stage {
            Some(stage) if stage.is_timed() => seconds(last * stage.seconds),
            _ => format!("{} of the motion", percent(last)),
        }
    };
    let tell = |members: &[usize], more: Option<String>| {
        let said = sentences.of_finding(members[0]);
        let said = match more {
            Some(more) => format!("{said}; and {more}, the last at {}", last(members)),
            None => said,
        };
        (members[0], said)
    };
    let robots = of_robots.iter().map(|(meeting, members)| {
        tell(members, (members.len() > 1).then(|| meeting.more(scene, members.len() - 1)))
    });
    let clusters = clusters(findings, &others);
    let bodies = clusters.iter().map(|Cluster { members, bond }| {
        let count = members.len() - 1;
        let more = match bond {
            Bond::None => None,
            Bond::All { bodies } => Some(format!("{count} more pairs of these {bodies} bodies")),
            Bond::Body(hub) => Some(format!("{count} more bodies with {}", body(scene, *hub))),
        };
        tell(members, more)
    });
    let mut told: Vec<(usize, String)> = robots.chain(bodies).collect();
    told.sort_unstable_by_key(|(number, _)| *number);
    told
}

/// Who meets whom.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Meeting {
    /// Of two robots the one with the smaller number.
    robot: usize,
    other: Other,
    verdict: PlanVerdict,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
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
