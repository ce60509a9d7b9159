//! `freiraum robot audit`: which links can touch each other at all.

use super::audit_print;
use super::model::Model;
use crate::commands::output::Console;
use crate::commands::progress::Progress;
use crate::commands::{Answer, Failure, in_pool};
use freiraum::check::audit::{AuditOptions, Meeting, PairAudit, audit};
use freiraum::formats::robot::srdf;
use freiraum::robot::Robot;
use freiraum::scene::can_be_sheet;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Instant;

pub(super) const EXAMPLES: &str = "\
Every pair of links is looked at over the whole range of the joints between the two:
  never      proven: they touch at no joint values, and never come closer than the distance told
  always     proven: they touch at all joint values
  sometimes  joint values at which they touch, and others at which they do not
  undecided  the budget ended; so much of the range is open: --cells looks longer. Or the mesh of a link bounds no solid, and the other link may be inside
             of it: close the mesh in the program that made it. If the link is meant to be a sheet (a cover, say), --sheet LINK says so: then only its
             surface counts, and nothing is found inside of it
A pair that sometimes touches is decided at once; one that never touches may need all --cells, and its time grows with them.
A Panda with its detailed meshes takes about two minutes with the default; with --cells 2000 it takes seconds, and 8 of its
55 pairs stay undecided. Long work shows its progress on a terminal.
--srdf-out writes the pairs that need not be checked, with the reason. With --srdf the pairs of that file are compared: one that it ignores although the
links can touch hides collisions.

Exit codes: 0 all decided; 1 the SRDF file ignores pairs that can touch sometimes; 2 bad input; 3 some pairs are undecided.

Examples:
  freiraum robot audit arm.urdf
  freiraum robot audit panda.urdf --srdf panda.srdf --srdf-out proven.srdf
  freiraum robot audit arm.urdf --cells 2000000 --json | jq '.pairs[] | select(.meeting==\"undecided\")'";

#[derive(clap::Args)]
pub(in crate::commands) struct Arguments {
    #[command(flatten)]
    model: Model,
    /// Write an SRDF file with all pairs that need not be checked
    #[arg(long, value_name = "FILE")]
    srdf_out: Option<PathBuf>,
    /// Cells of joint values per pair before it stays undecided; the running time grows with it
    #[arg(long, value_name = "N", default_value_t = AuditOptions::default().cells)]
    cells: usize,
    /// Random joint values per pair to begin with
    #[arg(long, value_name = "N", default_value_t = AuditOptions::default().samples)]
    samples: usize,
    /// Seed of the random joint values
    #[arg(long, value_name = "N", default_value_t = AuditOptions::default().seed)]
    seed: u64,
    /// This link is meant to be a sheet: only its surface counts, and what is inside of it is not found; may
    /// be given several times
    #[arg(long = "sheet", value_name = "LINK")]
    sheets: Vec<String>,
}

/// A pair of the given SRDF file, seen beside what was found.
pub(super) struct Ignored<'f> {
    pub(super) pair: &'f PairAudit,
    /// As the SRDF file says.
    pub(super) reason: String,
}

/// What was found, with what belongs to it.
pub(super) struct Found<'f> {
    pub(super) robot: &'f Robot,
    pub(super) pairs: &'f [PairAudit],
    /// Pairs that the given SRDF file ignores although they touch at some joint values and at others not.
    pub(super) dangers: Vec<Ignored<'f>>,
    /// Pairs that the given SRDF file ignores and that are undecided.
    pub(super) not_proven: Vec<Ignored<'f>>,
    /// Pairs that the given SRDF file leaves to be checked although that is needless; `None` without a file.
    pub(super) needless: Option<Vec<&'f PairAudit>>,
    /// Links that `--sheet` declares sheets.
    pub(super) sheets: &'f [usize],
    pub(super) written: Option<String>,
    pub(super) seconds: f64,
}

pub(super) fn run(
    arguments: &Arguments,
    threads: Option<NonZeroUsize>,
    console: &mut Console,
) -> Result<Answer, Failure> {
    let files = arguments.model.read(console)?;
    let robot = &files.robot;
    let sheets = sheets(&arguments.sheets, robot)?;
    let start = Instant::now();
    let pairs = in_pool(threads, || {
        let progress = Progress::new("checking pairs of links");
        let tell = |done: usize, all: usize| progress.now(&format!("{done} of {all} pairs of links decided"));
        let options = AuditOptions {
            cells: arguments.cells,
            samples: arguments.samples,
            seed: arguments.seed,
            sheets: &sheets,
            progress: Some(&tell),
            ..AuditOptions::default()
        };
        Ok(audit(robot, &options))
    })?;
    let seconds = start.elapsed().as_secs_f64();
    let disabled = &files.srdf.disabled;
    let written = match &arguments.srdf_out {
        Some(path) => {
            let fail = |e| Failure::new("srdf", format!("cannot write {}: {e}", path.display()));
            srdf::save(path, robot, &audit_print::entries(robot, &pairs)).map_err(fail)?;
            Some(path.display().to_string())
        }
        None => None,
    };
    let is_disabled = |pair: &PairAudit| {
        disabled.iter().find(|one| one.links == pair.links || one.links == [pair.links[1], pair.links[0]])
    };
    let ignored = |pair, is_meant: fn(&Meeting) -> bool| {
        let reason = is_disabled(pair).filter(|_| is_meant(&pair.meeting))?.reason.clone();
        Some(Ignored { pair, reason })
    };
    let danger = |pair| ignored(pair, |meeting| matches!(meeting, Meeting::Sometimes { .. }));
    let open = |pair| ignored(pair, is_open);
    let needless = || {
        let is_needless = |pair: &&PairAudit| is_disabled(pair).is_none() && reason(pair).is_some();
        pairs.iter().filter(is_needless).collect()
    };
    let dangers = pairs.iter().filter_map(danger).collect();
    let not_proven = pairs.iter().filter_map(open).collect();
    let needless = arguments.model.srdf.as_ref().map(|_| needless());
    let found =
        Found { robot, pairs: &pairs, dangers, not_proven, needless, sheets: &sheets, written, seconds };
    if console.json() {
        console.document(&audit_print::document(&found));
    } else {
        audit_print::print(&found, console);
    }
    Ok(match (found.dangers.is_empty(), pairs.iter().any(|pair| is_open(&pair.meeting))) {
        (false, _) => Answer::Bad,
        (true, true) => Answer::Undecided,
        (true, false) => Answer::Good,
    })
}

fn is_open(meeting: &Meeting) -> bool {
    matches!(meeting, Meeting::Undecided { .. } | Meeting::InsideUnknown { .. })
}

/// The numbers of links that are declared sheets.
fn sheets(names: &[String], robot: &Robot) -> Result<Vec<usize>, Failure> {
    let find = |name: &String| {
        let has_mesh =
            |link: &usize| robot.links()[*link].collision.iter().any(|shape| can_be_sheet(&shape.shape));
        let found = robot.links().iter().position(|link| link.name == *name);
        if found.is_some_and(|link| !has_mesh(&link)) {
            let message = format!("--sheet {name}: the link has no mesh and is always a solid; leave it out");
            return Err(Failure::new("name", message));
        }
        found.ok_or_else(|| {
            let shaped = robot.links().iter().filter(|link| !link.collision.is_empty());
            let all: Vec<&str> = shaped.map(|link| link.name.as_str()).collect();
            let message = format!(
                "--sheet {name}: the robot has no such link; those with shapes are {}",
                all.join(", ")
            );
            Failure::new("name", message)
        })
    };
    names.iter().map(find).collect()
}

/// Why a pair need not be checked, in the words of SRDF files; `None` if it must be.
pub(super) fn reason(pair: &PairAudit) -> Option<&'static str> {
    match pair.meeting {
        Meeting::Never { .. } => Some("Never"),
        Meeting::Always if pair.is_neighbour => Some("Adjacent"),
        Meeting::Always => Some("Always"),
        Meeting::Sometimes { .. } | Meeting::Undecided { .. } | Meeting::InsideUnknown { .. } => None,
    }
}
