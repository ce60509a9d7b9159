//! The options of `freiraum query`, and which question takes which.

use super::super::Failure;
use super::super::mesh_file::one_of;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use freiraum::geometry::path::Axis;
use freiraum::geometry::{Pose, Vec3};
use freiraum::mesh_io::Unit;
use freiraum::motion::Limits;
use freiraum::question::{Kind, axis_of_text, pose_of_text, vector_of_text};
use std::ffi::OsString;
use std::path::PathBuf;

#[derive(clap::Args)]
pub(in crate::commands) struct Arguments {
    /// What is asked
    #[arg(required_unless_present = "batch", conflicts_with = "batch", value_parser = kind_parser())]
    pub(super) kind: Option<Kind>,
    /// The first shape: a mesh file or inline JSON
    #[arg(value_name = "A", conflicts_with = "batch")]
    pub(super) a: Option<OsString>,
    /// The second shape (not for ray)
    #[arg(value_name = "B", conflicts_with = "batch")]
    pub(super) b: Option<OsString>,
    /// Answer every line of a JSON Lines file; `-` reads stdin
    #[arg(long, value_name = "FILE")]
    pub(super) batch: Option<PathBuf>,
    /// Where a is: x,y,z, or with roll,pitch,yaw in degrees, or with qx,qy,qz,qw
    #[arg(long, value_name = "POSE", allow_hyphen_values = true, value_parser = pose_of_text)]
    pub(super) pose_a: Option<Pose>,
    /// Where b is
    #[arg(long, value_name = "POSE", allow_hyphen_values = true, value_parser = pose_of_text)]
    pub(super) pose_b: Option<Pose>,
    /// Unit of all lengths of the question and of the answer; glTF files are in metres always [default: m]
    #[arg(long, value_name = "UNIT", value_parser = one_of::<Unit, _>(Unit::ALL.map(Unit::symbol)))]
    pub(super) units: Option<Unit>,

    /// Declares a shape a sheet, of which only the surface counts: a, b, or the file name as given
    #[arg(long, value_name = "NAME")]
    pub(super) sheet: Vec<OsString>,

    /// How a moves from its pose on [default: it stands still]
    #[arg(long, value_name = "MOTION", help_heading = "toc, clearance")]
    pub(super) motion_a: Option<String>,
    /// How b moves from its pose on [default: it stands still]
    #[arg(long, value_name = "MOTION", help_heading = "toc, clearance")]
    pub(super) motion_b: Option<String>,
    /// toc: how deep the bodies may get into each other [default: 0]
    #[arg(long, value_name = "LENGTH", allow_hyphen_values = true, help_heading = "toc, clearance")]
    pub(super) allowance: Option<f64>,
    /// toc: all intervals in which they touch or overlap, too
    #[arg(long, help_heading = "toc, clearance")]
    pub(super) all: bool,
    /// clearance: only ask whether they keep this distance
    #[arg(long, value_name = "LENGTH", allow_hyphen_values = true, help_heading = "toc, clearance")]
    pub(super) at_least: Option<f64>,
    /// clearance: the distance at N equidistant times, too
    #[arg(long, value_name = "N", allow_hyphen_values = true, help_heading = "toc, clearance")]
    pub(super) curve: Option<usize>,
    /// Motions without a closed form: a gap of this length counts as contact [default: a billionth of the size]
    #[arg(long, value_name = "LENGTH", allow_hyphen_values = true, help_heading = "toc, clearance")]
    pub(super) tolerance: Option<f64>,
    /// Steps of the search after which the answer is undecided [default: 50 million]
    #[arg(long, value_name = "STEPS", allow_hyphen_values = true, help_heading = "toc, clearance")]
    pub(super) budget: Option<u64>,

    /// The axis that a turns about: a point and a direction px,py,pz,ax,ay,az
    #[arg(long, value_name = "AXIS", allow_hyphen_values = true, value_parser = axis_of_text, help_heading = "turn")]
    pub(super) axis: Option<Axis>,

    /// Where a ray starts: x,y,z
    #[arg(long, value_name = "POINT", allow_hyphen_values = true, value_parser = vector_of_text, help_heading = "ray")]
    pub(super) origin: Option<Vec3>,
    /// Where a ray goes: x,y,z of any length
    #[arg(long, value_name = "VECTOR", allow_hyphen_values = true, value_parser = vector_of_text, help_heading = "ray")]
    pub(super) direction: Option<Vec3>,
    /// How far a ray goes [default: without end]
    #[arg(long, value_name = "LENGTH", allow_hyphen_values = true, help_heading = "ray")]
    pub(super) max: Option<f64>,
}

fn kind_parser() -> impl TypedValueParser<Value = Kind> {
    PossibleValuesParser::new(Kind::ALL.map(Kind::name))
        .try_map(|text| Kind::of_name(&text).ok_or("no such query"))
}

impl Arguments {
    /// The options that not every question takes: whether they are given, and who takes them.
    fn special(&self) -> [(&'static str, bool, &'static [Kind]); 14] {
        const MOVING: &[Kind] = &[Kind::Toc, Kind::Clearance];
        const PAIRS: &[Kind] =
            &[Kind::Intersect, Kind::Distance, Kind::Contact, Kind::Toc, Kind::Clearance, Kind::Turn];
        [
            ("--pose-b", self.pose_b.is_some(), PAIRS),
            ("--sheet", !self.sheet.is_empty(), PAIRS),
            ("--motion-a", self.motion_a.is_some(), MOVING),
            ("--motion-b", self.motion_b.is_some(), MOVING),
            ("--allowance", self.allowance.is_some(), &[Kind::Toc]),
            ("--all", self.all, &[Kind::Toc]),
            ("--at-least", self.at_least.is_some(), &[Kind::Clearance]),
            ("--curve", self.curve.is_some(), &[Kind::Clearance]),
            ("--tolerance", self.tolerance.is_some(), MOVING),
            ("--budget", self.budget.is_some(), MOVING),
            ("--axis", self.axis.is_some(), &[Kind::Turn]),
            ("--origin", self.origin.is_some(), &[Kind::Ray]),
            ("--direction", self.direction.is_some(), &[Kind::Ray]),
            ("--max", self.max.is_some(), &[Kind::Ray]),
        ]
    }

    /// Refuses what the question does not take; passing it over in silence would be wrong.
    pub(super) fn refuse_others(&self, kind: Kind) -> Result<(), Failure> {
        let mut special = self.special().into_iter();
        let Some((option, _, kinds)) = special.find(|(_, given, kinds)| *given && !kinds.contains(&kind))
        else {
            return Ok(());
        };
        let names: Vec<String> = kinds.iter().map(|kind| format!("`query {}`", kind.name())).collect();
        let (code, still) = match option {
            "--motion-a" | "--motion-b" => ("motion", ", which is about bodies that stand still"),
            _ => ("usage", ""),
        };
        let message =
            format!("{option} belongs to {}, not to `query {}`{still}", names.join(" and "), kind.name());
        Err(Failure::new(code, message))
    }

    /// Every line of a batch says for itself what these options say.
    pub(super) fn refuse_beside_batch(&self) -> Result<(), Failure> {
        let first = ("--pose-a", self.pose_a.is_some(), &[][..]);
        let Some((option, ..)) = std::iter::once(first).chain(self.special()).find(|(_, given, _)| *given)
        else {
            return Ok(());
        };
        let key = option.trim_start_matches('-').replace('-', "_");
        let message =
            format!("{option} does not go with --batch; every line has its own, under the key \"{key}\"");
        Err(Failure::new("usage", message))
    }

    /// The unit of all lengths.
    pub(super) fn units(&self) -> Unit {
        self.units.unwrap_or_default()
    }

    /// A length that is not negative, from an option; in metres.
    pub(super) fn length(&self, option: &str, value: Option<f64>) -> Result<Option<f64>, Failure> {
        let units = self.units();
        match value {
            Some(found) if !(found >= 0.0 && found.is_finite()) => {
                let message =
                    format!("{option}: found {found:?}, expected a length in {units} that is not negative");
                Err(Failure::new("usage", message))
            }
            other => Ok(other.map(|length| units.to_metres(length))),
        }
    }

    /// A point as written, in metres.
    pub(super) fn point(&self, written: Vec3) -> Vec3 {
        written.map(|x| self.units().to_metres(x))
    }

    /// Where a or b is, from its option; in metres.
    pub(super) fn pose(&self, written: Option<Pose>) -> Pose {
        let written = written.unwrap_or(Pose::IDENTITY);
        // A rotation that was read stays one.
        Pose::from_parts(written.rotation(), self.point(written.translation())).unwrap_or(written)
    }

    /// Whether a and b are declared sheets.
    pub(super) fn sheets(&self) -> Result<[bool; 2], Failure> {
        let mut sheets = [false; 2];
        for name in &self.sheet {
            let is_meant = [("a", &self.a), ("b", &self.b)]
                .map(|(letter, given)| name == letter || given.as_ref().is_some_and(|given| given == name));
            if is_meant == [false; 2] {
                let found = name.to_string_lossy();
                let message =
                    format!("--sheet: found {found:?}, expected a, b or one of the two file names as given");
                return Err(Failure::new("usage", message));
            }
            (sheets[0], sheets[1]) = (sheets[0] || is_meant[0], sheets[1] || is_meant[1]);
        }
        Ok(sheets)
    }

    /// When to give up.
    pub(super) fn limits(&self) -> Result<Limits, Failure> {
        let mut limits = Limits::default();
        if let Some(tolerance) = self.length("--tolerance", self.tolerance)? {
            limits.tolerance = tolerance;
        }
        if let Some(budget) = self.budget {
            limits.budget = budget;
        }
        Ok(limits)
    }
}
