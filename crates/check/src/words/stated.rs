//! Allowances and approaches that a verdict rests on, in words.

use super::{body, length};
use crate::checker::{AllowedBy, ApproachBy, Report};
use freiraum_scene::Scene;

/// One allowance or one approach.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stated {
    /// `all pairs`, or `the peg with the hole`.
    pub bodies: String,
    /// As a length.
    pub value: String,
    /// Who states it.
    pub by: &'static str,
    /// The line in the scene file.
    pub line: Option<usize>,
}

impl Stated {
    fn new(
        scene: &Scene,
        bodies: &[Vec<usize>; 2],
        value: f64,
        by: &'static str,
        at: Option<[usize; 2]>,
    ) -> Stated {
        let names = bodies.each_ref().map(|bodies| {
            let first = bodies.first().map_or(String::new(), |number| body(scene, *number));
            if bodies.len() > 1 { format!("{first} and {} more", bodies.len() - 1) } else { first }
        });
        let is_for_all = bodies.iter().all(Vec::is_empty);
        let bodies =
            if is_for_all { "all pairs".to_owned() } else { format!("{} with {}", names[0], names[1]) };
        Stated { bodies, value: length(value, scene.units), by, line: at.map(|at| at[0]) }
    }

    fn said(&self) -> String {
        let line = self.line.map_or(String::new(), |line| format!(", line {line}"));
        format!("{} for {} ({}{line})", self.value, self.bodies, self.by)
    }
}

/// How deep bodies may overlap, in the order of the report.
pub fn allowances(scene: &Scene, report: &Report) -> Vec<Stated> {
    let by = |by: AllowedBy| match by {
        AllowedBy::Check => "[check]",
        AllowedBy::Pair => "[[pair]]",
        AllowedBy::Grasp => "grasp",
    };
    let all = report.allowances.iter();
    all.map(|one| Stated::new(scene, &one.bodies, one.depth, by(one.by), one.at)).collect()
}

/// How far fits may travel without keeping their clearance, in the order of the report.
pub fn approaches(scene: &Scene, report: &Report) -> Vec<Stated> {
    let by = |by: ApproachBy| match by {
        ApproachBy::Default => "ten times the clearance",
        ApproachBy::Check => "[check]",
        ApproachBy::Pair => "[[pair]]",
    };
    let all = report.approach.iter();
    all.map(|one| Stated::new(scene, &one.bodies, one.travel, by(one.by), one.at)).collect()
}

/// The first few in one line, and how many more there are.
pub fn stated(list: &[Stated]) -> String {
    const SHOWN: usize = 3;
    let said: Vec<String> = list.iter().take(SHOWN).map(Stated::said).collect();
    let more = list.len().saturating_sub(SHOWN);
    let more = if more == 0 { String::new() } else { format!("; and {more} more") };
    format!("{}{more}", said.join("; "))
}
