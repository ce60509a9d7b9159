//! What is to be said about surfaces that bound no solid.

use freiraum_geometry::{Pose, Unit, Vec3};
use freiraum_query::{Prepared, SolidityNote};
use serde_json::{Map, Value, json};

/// How many places are told.
const MAX_PLACES: usize = 16;

/// What the answer of a question leaves unknown about inside and outside, and what was done to the surfaces to tell.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Remarks {
    /// Surfaces do not meet, and it is unknown whether one shape is inside the other.
    pub unknown: Option<InsideUnknown>,
    /// `a` or `b`, and what was done to its surface for the question what is inside.
    pub notes: Vec<(&'static str, SolidityNote)>,
}

/// Why it is unknown whether one shape is inside the other.
#[derive(Clone, Debug, PartialEq)]
pub struct InsideUnknown {
    /// Whether a and b bound no solid.
    pub bodies: [bool; 2],
    /// Where: `a` or `b`, what is wrong there, and the ends of an edge in the frame of the world.
    pub places: Vec<(&'static str, &'static str, [Vec3; 2])>,
}

impl Remarks {
    /// About two shapes at the places where they start.
    pub fn of(a: (&Prepared, &Pose), b: (&Prepared, &Pose), is_unknown: bool) -> Remarks {
        Remarks::of_those([Some(a), Some(b)], is_unknown)
    }

    /// The same, where what has no volume is left out.
    pub(super) fn of_those(sides: [Option<(&Prepared, &Pose)>; 2], is_unknown: bool) -> Remarks {
        let shapes: Vec<_> =
            ["a", "b"].into_iter().zip(sides).filter_map(|(name, side)| Some((name, side?))).collect();
        let notes = shapes
            .iter()
            .flat_map(|(name, (shape, _))| shape.solidity_notes().into_iter().map(move |note| (*name, note)));
        Remarks { notes: notes.collect(), unknown: is_unknown.then(|| InsideUnknown::of(&shapes)) }
    }

    /// Appends the keys that programs find it under, with lengths in `units`; none if there is nothing to say.
    pub(super) fn write(&self, keys: &mut Value, units: Unit) {
        let Value::Object(keys) = keys else { return };
        if let Some(unknown) = &self.unknown {
            unknown.write(keys, units);
        }
        if !self.notes.is_empty() {
            let notes = self.notes.iter().map(
                |(name, note)| json!({ "code": note.code(), "bodies": [name], "message": note_words(name, note) }),
            );
            keys.insert("warnings".to_owned(), notes.collect());
        }
    }

    /// What was done to the surfaces, in sentences.
    pub fn warnings(&self) -> Vec<String> {
        self.notes.iter().map(|(name, note)| note_words(name, note)).collect()
    }
}

fn note_words(name: &str, note: &SolidityNote) -> String {
    format!("{name}: {note}")
}

impl InsideUnknown {
    fn of(shapes: &[(&'static str, (&Prepared, &Pose))]) -> InsideUnknown {
        let is_doubtful =
            |wanted: &str| shapes.iter().any(|(name, (shape, _))| *name == wanted && shape.is_doubtful());
        let bodies = [is_doubtful("a"), is_doubtful("b")];
        let mut places = Vec::new();
        for (name, (shape, world_from_shape)) in shapes.iter().copied() {
            for piece in shape.open_pieces() {
                let ends = piece.edges.iter().map(|ends| ends.map(|p| world_from_shape.transform_point(p)));
                places.extend(ends.map(|ends| (name, piece.fault.name(), ends)));
            }
        }
        places.truncate(MAX_PLACES);
        InsideUnknown { bodies, places }
    }

    /// Which shapes bound no solid: `a`, `b` or both.
    pub fn names(&self) -> Vec<&'static str> {
        ["a", "b"].into_iter().zip(self.bodies).filter(|(_, is_one)| *is_one).map(|(name, _)| name).collect()
    }

    /// What is not known, and why.
    pub fn message(&self) -> String {
        let names = self.names().join(" and ");
        let bounds = if self.bodies == [true; 2] { "bound" } else { "bounds" };
        format!(
            "the surfaces do not meet, but {names} {bounds} no solid there: whether one shape is inside the other cannot be told"
        )
    }

    /// What a person can do about it.
    pub fn remedy(&self) -> String {
        let sheets: Vec<String> = self.names().iter().map(|name| format!("--sheet {name}")).collect();
        format!(
            "`freiraum mesh repair FILE OUT` mends doubled and wrongly wound faces, and with --weld LENGTH cracks up to that length (holes are closed in the CAD program); `{}` declares it a sheet, of which only the surface counts",
            sheets.join(" ")
        )
    }

    fn write(&self, keys: &mut Map<String, Value>, units: Unit) {
        let vector = |v: Vec3| json!(v.to_array().map(|x| units.from_metres(x) + 0.0));
        let places = self.places.iter().map(
            |(name, fault, ends)| json!({ "body": name, "fault": fault, "edge": [vector(ends[0]), vector(ends[1])] }),
        );
        keys.insert("reason".to_owned(), json!("inside_unknown"));
        keys.insert("unbounded".to_owned(), json!(self.names()));
        keys.insert("places".to_owned(), places.collect());
        keys.insert("message".to_owned(), json!(format!("{}; {}", self.message(), self.remedy())));
    }
}
