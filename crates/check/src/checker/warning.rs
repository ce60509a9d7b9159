//! What people should know beside the verdict.

use super::exempt::{ExemptKind, ExemptRule};
use super::memory::Outline;
use super::result::{Finding, FindingKind, StepResult};
use crate::program::DoubtfulGrasp;
use crate::timeline::Timeline;
use crate::words;
use freiraum_assets::ShapeCache;
use freiraum_geometry::mesh::SolidityFault;
use freiraum_geometry::tolerance::{FINEST_CLEARANCE, LARGEST_PART, SMALLEST_PART};
use freiraum_geometry::{Shape, Unit};
use freiraum_query::SolidityNote;
use freiraum_scene::{Geometry, Scene, solid_remedy};
use std::collections::{BTreeMap, BTreeSet};

/// Something that a verdict does not say.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Warning {
    /// What it is about.
    pub code: WarningCode,
    /// Numbers of the bodies that it is about.
    pub bodies: Vec<usize>,
    /// A sentence without its full stop, in the unit of the scene.
    pub message: String,
}

/// What a warning is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum WarningCode {
    /// The surface of a body bounds no solid: it is open, doubled, or wound so that inside and outside cannot be told.
    NoSolid,
    /// Cracks in the surface of a body were closed, or faces of it turned round, to tell what is inside.
    Mended,
    /// A body is a declared sheet: only its surface counts.
    Sheet,
    /// A size or a distance that is hardly meant: a unit may be wrong.
    Unit,
    /// An allowance of the scene could not be used for a pair that something was found about.
    AllowanceUnused,
    /// A robot grasps something that its gripper is not at.
    FarGrasp,
    /// A robot grasps something, and how far its gripper is from it could not be computed.
    GraspUnknown,
    /// A file of a robot was not taken as it is.
    RobotFile,
    /// Neighbouring links of a robot are not checked against each other.
    NeighbouringLinks,
}

impl WarningCode {
    /// The name in JSON.
    pub fn name(self) -> &'static str {
        match self {
            WarningCode::NoSolid => "no_solid",
            WarningCode::Mended => "mended",
            WarningCode::Sheet => "sheet",
            WarningCode::Unit => "unit",
            WarningCode::AllowanceUnused => "allowance_unused",
            WarningCode::FarGrasp => "far_grasp",
            WarningCode::GraspUnknown => "grasp_unknown",
            WarningCode::RobotFile => "robot_file",
            WarningCode::NeighbouringLinks => "neighbouring_links",
        }
    }
}

/// What warnings follow from.
pub(super) struct Ground<'g> {
    pub(super) scene: &'g Scene,
    pub(super) timeline: &'g Timeline,
    pub(super) parts: &'g ShapeCache,
    pub(super) outlines: &'g [Outline],
    pub(super) start: &'g [Finding],
    pub(super) steps: &'g [StepResult],
    pub(super) exempt: &'g [ExemptRule],
    /// Notes about files of robots.
    pub(super) of_robots: &'g [String],
    /// Grasps from far away, and those of which that is not known.
    pub(super) grasps: &'g [DoubtfulGrasp],
}

/// All warnings, in the order of their codes.
pub(super) fn warnings(ground: &Ground<'_>) -> Vec<Warning> {
    let mut found = no_solid(ground);
    found.extend(mended(ground));
    found.extend(sheets(ground));
    found.extend(units(ground));
    found.extend(unused(ground));
    for (code, is_far) in [(WarningCode::FarGrasp, true), (WarningCode::GraspUnknown, false)] {
        let grasps = ground.grasps.iter().filter(|grasp| grasp.is_far == is_far);
        found.extend(grasps.map(|grasp| warning(code, vec![grasp.part], grasp.said.clone())));
    }
    let notes = ground.of_robots.iter();
    found.extend(notes.map(|note| warning(WarningCode::RobotFile, Vec::new(), note.clone())));
    found.extend(neighbours(ground));
    found
}

fn warning(code: WarningCode, bodies: Vec<usize>, message: String) -> Warning {
    Warning { code, bodies, message }
}

/// Bodies in groups of the same shape.
fn by_shape(ground: &Ground<'_>, bodies: impl Iterator<Item = usize>) -> Vec<Vec<usize>> {
    let mut shapes: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for body in bodies {
        shapes.entry(ground.parts.shape_of(body)).or_default().push(body);
    }
    let mut groups: Vec<Vec<usize>> = shapes.into_values().collect();
    groups.sort();
    groups
}

/// Declared sheets; those of the same shape are told together.
fn sheets(ground: &Ground<'_>) -> Vec<Warning> {
    let scene = ground.scene;
    let tell = |bodies: Vec<usize>| {
        let more = match bodies.len() - 1 {
            0 => String::new(),
            more => format!(" (as are {more} more of its shape)"),
        };
        let said = format!(
            "{} is declared a sheet{more}: only its surface counts, and nothing is found inside of it",
            words::body(scene, bodies[0])
        );
        warning(WarningCode::Sheet, bodies, said)
    };
    by_shape(ground, scene.sheets.iter().copied()).into_iter().map(tell).collect()
}

/// Bodies of the same shape are told together.
fn no_solid(ground: &Ground<'_>) -> Vec<Warning> {
    let scene = ground.scene;
    let open = (0..ground.outlines.len()).filter(|body| ground.outlines[*body].is_open);
    let groups = by_shape(ground, open);
    let tell = |bodies: Vec<usize>| {
        let more = match bodies.len() - 1 {
            0 => String::new(),
            more => format!(" (and of {more} more of its shape)"),
        };
        let outline = &ground.outlines[bodies[0]];
        let (edges, shells) = (outline.faulty_edges, outline.shells);
        let name = words::body(scene, bodies[0]);
        let remedy = solid_remedy(scene, bodies[0], outline.fault);
        let said = if shells > 0 {
            let shells = words::counted(shells, "closed shell");
            let are = if shells.starts_with("1 ") { "counts as a solid" } else { "count as solids" };
            let edges = match outline.fault {
                Some(SolidityFault::Open) => words::counted(edges, "open edge"),
                _ => words::counted(edges, "faulty edge"),
            };
            format!(
                "{name}{more} has loose faces beside {shells}: what is closed {are}, the loose faces as a surface with {edges}; what may be inside of that is not found; {remedy}"
            )
        } else {
            let places = match outline.fault {
                Some(SolidityFault::Open) => format!(" ({})", words::counted(edges, "open edge")),
                _ => String::new(),
            };
            format!(
                "the surface of {name}{more} bounds no solid{places}: what is inside of it is not found; {remedy}"
            )
        };
        warning(WarningCode::NoSolid, bodies, said)
    };
    groups.into_iter().map(tell).collect()
}

/// What was done to surfaces for the question what is inside; bodies of the same shape are told together.
fn mended(ground: &Ground<'_>) -> Vec<Warning> {
    let scene = ground.scene;
    let is_changed = |outline: &Outline| !outline.notes().is_empty() || outline.repeated_faces > 0;
    let changed = (0..ground.outlines.len()).filter(|body| is_changed(&ground.outlines[*body]));
    let tell = |bodies: Vec<usize>| {
        let more = match bodies.len() - 1 {
            0 => String::new(),
            more => format!(" (and {more} more of its shape)"),
        };
        let notes = ground.outlines[bodies[0]].notes().into_iter().map(|note| match note {
            SolidityNote::CracksClosed(gap) => {
                format!(
                    "cracks of up to {} were closed to tell what is inside",
                    words::short_length(gap, scene.units)
                )
            }
            note => note.to_string(),
        });
        let repeated = match ground.outlines[bodies[0]].repeated_faces {
            0 => None,
            1 => {
                Some("1 face repeats another one; it counts once for the question what is inside".to_owned())
            }
            n => Some(format!("{n} faces repeat others; each counts once for the question what is inside")),
        };
        let notes = notes.chain(repeated).collect::<Vec<_>>().join("; ");
        warning(
            WarningCode::Mended,
            bodies.clone(),
            format!("{}{more}: {notes}", words::body(scene, bodies[0])),
        )
    };
    by_shape(ground, changed).into_iter().map(tell).collect()
}

/// Sizes of bodies and distances that are hardly meant; all bodies of a kind are told together.
fn units(ground: &Ground<'_>) -> Vec<Warning> {
    let scene = ground.scene;
    let mut moves = vec![false; scene.bodies.len()];
    let movers = ground.timeline.stages.iter().flat_map(|stage| &stage.movers);
    movers.flat_map(|mover| &mover.bodies).for_each(|body| moves[*body] = true);
    let size = |body: usize| ground.outlines[body].bounds.map(|bounds| bounds.size().max_element());
    let is_fine = matches!(scene.units, Unit::Millimetre | Unit::Micrometre | Unit::Centimetre | Unit::Inch);
    let (mut large, mut small) = (Vec::new(), Vec::new());
    for (body, moves) in moves.into_iter().enumerate() {
        let Some(size) = size(body) else { continue };
        // A plan has no bodies of that size beside floors and planes; a world to be simulated may.
        let is_plan = !ground.timeline.stages.is_empty();
        let is_fine_mesh = is_fine && is_of_file(scene, body);
        let counts = moves || (is_plan || is_fine_mesh) && !is_floor(ground, body);
        let most = if is_plan && is_fine_mesh { LARGEST_FINE_MESH } else { LARGEST_PART };
        if size > most && counts {
            large.push((body, size));
        }
        if moves && size < SMALLEST_PART && scene.units != Unit::Micrometre {
            small.push((body, size));
        }
    }
    let mut found = Vec::new();
    for (sizes, is_large) in [(large, true), (small, false)] {
        let most =
            sizes.iter().max_by(|x, y| if is_large { x.1.total_cmp(&y.1) } else { y.1.total_cmp(&x.1) });
        let Some((body, size)) = most.copied() else { continue };
        let more = if sizes.len() == 1 {
            String::new()
        } else {
            format!(", and {} more are like it", sizes.len() - 1)
        };
        let said = format!(
            "{} is {} {}{more}: is the unit right? Lengths of the scene are in {}{}",
            words::body(scene, body),
            words::length(size, if is_large { Unit::Metre } else { scene.units }),
            if is_large { "long" } else { "large" },
            words::symbol(scene.units),
            mesh_units(scene, body)
        );
        found.push(warning(WarningCode::Unit, sizes.iter().map(|(body, _)| *body).collect(), said));
    }
    found.extend(fine_lengths(scene));
    found.extend(fine_gaps(ground));
    found
}

/// A mesh of a scene in fine units that is longer than this, in metres, is hardly meant: one in millimetres
/// that was read as metres is.
const LARGEST_FINE_MESH: f64 = 5.0;

/// A body whose smallest side is this share of its largest one is flat.
const FLAT: f64 = 0.02;

/// Whether a body is ground that others stand on: a height field, or a flat body that is fixed.
fn is_floor(ground: &Ground<'_>, body: usize) -> bool {
    let one = &ground.scene.bodies[body];
    let is_field = matches!(&one.geometry, Geometry::Shape(Shape::HeightField(_) | Shape::HalfSpace(_)));
    let is_flat = ground.outlines[body].bounds.is_none_or(|bounds| {
        let size = bounds.size();
        size.min_element() <= FLAT * size.max_element()
    });
    is_field || is_flat
}

/// Gaps of free steps that nobody can measure, the smallest of them.
fn fine_gaps(ground: &Ground<'_>) -> Option<Warning> {
    let scene = ground.scene;
    let is_fit = |step: &StepResult, pair: &[usize; 2]| step.fits.contains(pair);
    let gaps = ground.steps.iter().filter_map(|step| step.closest.filter(|one| !is_fit(step, &one.pair)));
    let fine = gaps.filter(|one| one.distance > one.error && one.distance < FINEST_CLEARANCE);
    let least = fine.min_by(|x, y| x.distance.total_cmp(&y.distance))?;
    let [a, b] = least.pair.map(|body| words::body(scene, body));
    let said = format!(
        "{a} comes as close as {} to {b}, which is finer than a part can be measured: is the unit right? Lengths of the scene are in {}",
        words::known_length(least.distance, least.error, scene.units),
        words::symbol(scene.units)
    );
    Some(warning(WarningCode::Unit, least.pair.to_vec(), said))
}

fn is_of_file(scene: &Scene, body: usize) -> bool {
    matches!(scene.bodies[body].geometry, Geometry::File { .. })
}

fn mesh_units(scene: &Scene, body: usize) -> String {
    match &scene.bodies[body].geometry {
        Geometry::File { written, units, .. } => format!(", those of {written} in {}", words::symbol(*units)),
        Geometry::Shape(_) => String::new(),
    }
}

/// Clearances and allowances that nobody can measure.
fn fine_lengths(scene: &Scene) -> Vec<Warning> {
    let is_fine = |length: &f64| *length > 0.0 && *length < FINEST_CLEARANCE;
    let mut found: Vec<(&str, f64, Vec<usize>)> = Vec::new();
    found.extend(Some(scene.clearance).filter(is_fine).map(|length| ("clearance", length, Vec::new())));
    found.extend(Some(scene.allowance).filter(is_fine).map(|length| ("allowance", length, Vec::new())));
    for rule in &scene.pairs {
        let bodies: BTreeSet<usize> = rule.bodies.iter().flatten().copied().collect();
        for (what, length) in [("clearance", rule.clearance), ("allowance", rule.allowance)] {
            found.extend(
                length.filter(is_fine).map(|length| (what, length, bodies.iter().copied().collect())),
            );
        }
    }
    // Those of the same length are one; without bodies it is that of the whole scene.
    let mut once: Vec<(&str, f64, Vec<usize>)> = Vec::new();
    for (what, length, bodies) in found {
        match once.iter_mut().find(|one| (one.0, one.1) == (what, length)) {
            Some(known) if known.2.is_empty() => {}
            Some(known) => {
                let all: BTreeSet<usize> = known.2.iter().copied().chain(bodies).collect();
                known.2 = all.into_iter().collect();
            }
            None => once.push((what, length, bodies)),
        }
    }
    let tell = |(what, length, bodies): (&str, f64, Vec<usize>)| {
        let article = if what == "clearance" { "a" } else { "an" };
        let said = format!(
            "{article} {what} of {} is finer than a part can be measured: is the unit right? Lengths of the scene are in {}",
            words::length(length, scene.units),
            words::symbol(scene.units)
        );
        warning(WarningCode::Unit, bodies, said)
    };
    once.into_iter().map(tell).collect()
}

/// Pairs with a finding that were checked without what the scene allows to all, each once.
fn unused(ground: &Ground<'_>) -> Vec<Warning> {
    let scene = ground.scene;
    let mut seen = BTreeSet::new();
    let mut found = Vec::new();
    let findings = ground.start.iter().chain(ground.steps.iter().flat_map(|step| &step.findings));
    for finding in findings {
        let (FindingKind::Overlap { allowance, .. } | FindingKind::Contact { allowance, .. }) = finding.kind
        else {
            continue;
        };
        let [a, b] = finding.pair;
        let stated = scene.requirement(a, b).allowance;
        if allowance > 0.0 || stated == 0.0 || !seen.insert([a.min(b), a.max(b)]) {
            continue;
        }
        let Some(why) = ground.parts.why_not_smaller(finding.pair, stated) else { continue };
        let said = format!(
            "the allowance of {} could not be used for {} and {}: {}",
            words::length(stated, scene.units),
            words::body(scene, a),
            words::body(scene, b),
            words::not_smaller(&why, scene.units)
        );
        found.push(warning(WarningCode::AllowanceUnused, vec![a, b], said));
    }
    found
}

/// One for every robot.
fn neighbours(ground: &Ground<'_>) -> Vec<Warning> {
    let scene = ground.scene;
    let mut of_robots: BTreeMap<usize, (usize, BTreeSet<usize>)> = BTreeMap::new();
    for rule in ground.exempt.iter().filter(|rule| rule.kind == ExemptKind::Neighbours) {
        let Some(robot) = rule.bodies[0].first().and_then(|body| scene.robot_of(*body)) else { continue };
        let (count, bodies) = of_robots.entry(robot).or_default();
        *count += rule.count;
        bodies.extend(rule.bodies.iter().flatten());
    }
    let tell = |(robot, (count, bodies)): (usize, (usize, BTreeSet<usize>))| {
        let pairs = if count == 1 { "1 pair".to_owned() } else { format!("{count} pairs") };
        let are = if count == 1 { "is" } else { "are" };
        let said = format!(
            "{pairs} of neighbouring links of {} {are} not checked: whether it folds into itself at a joint is not known",
            words::clean(&scene.robots[robot].name)
        );
        warning(WarningCode::NeighbouringLinks, bodies.into_iter().collect(), said)
    };
    of_robots.into_iter().map(tell).collect()
}
