//! One line of a batch: a question as JSON.

use super::motion::{axis_of_json, motion_of_json};
use super::moving::ask_contact_time_with;
use super::pair::ask_distance_tracked;
use super::shape::{Source, declared_sheet};
use super::{
    Answer, Batch, ClearanceQuestion, ContactRequest, Figure, Kind, MeshFiles, Moving, Placed, PlacedFigure,
    QuestionError, RayText, WrittenMotion, ask_clearance, ask_pair, ask_ray, ask_turn,
};
use freiraum_formats::notation::json::{Fault, describe, number, object, vector};
use freiraum_formats::notation::{Dialect, pose_of_json};
use freiraum_geometry::{Pose, Unit};
use freiraum_motion::Limits;
use freiraum_motion::fit::ErosionCache;
use freiraum_query::PairCache;
use serde_json::{Map, Value, json};
use std::sync::{Mutex, PoisonError};

/// What came of one line.
pub struct Line {
    /// The line's own `id`, whatever it is; null if it has none or is no JSON.
    pub id: Value,
    /// The answer, or why there is none.
    pub answer: Result<Answer, QuestionError>,
    /// The unit in which the answer tells lengths.
    pub units: Unit,
}

impl Line {
    /// The line of the answer: `{"id":…, …answer…}` or `{"id":…,"error":{"code":…,"message":…,"line":number}}`.
    pub fn document(self, number: u64) -> Value {
        let mut out = Map::new();
        out.insert("id".to_owned(), self.id);
        match self.answer {
            Ok(answer) => out.extend(answer.keys(self.units)),
            Err(e) => {
                let error = json!({ "code": e.code, "message": e.message, "line": number });
                out.insert("error".to_owned(), error);
            }
        }
        Value::Object(out)
    }
}

/// Answers one line alone, whose lengths are in `units` unless it names others itself. Bad input of any sort is an error in the result.
pub fn answer_line(line: &[u8], units: Unit, files: &dyn MeshFiles) -> Line {
    let mut batch = Batch::new(units, files);
    let reading = batch.read(line, 1);
    batch.answer(line, &reading)
}

/// What the lines of a batch have in common.
pub(super) struct Shared<'s> {
    /// Where shapes come from.
    pub(super) source: Source<'s>,
    /// What the last line of the track has left.
    pub(super) track: Option<&'s Mutex<PairCache>>,
    /// Bodies made smaller for earlier lines.
    pub(super) erosion: &'s ErosionCache,
}

/// The JSON of a line, and its `id`.
pub(super) fn parsed(line: &[u8]) -> Result<Value, QuestionError> {
    serde_json::from_slice(line).map_err(|e| no_json(line, &e))
}

/// The unit that a line names.
pub(super) fn own_units(line: &Value) -> Result<Option<Unit>, Fault> {
    let Some(written) = line.get("units").filter(|u| !u.is_null()) else { return Ok(None) };
    let found = written.as_str().and_then(|symbol| symbol.parse().ok());
    found.map(Some).ok_or_else(|| {
        let known = Unit::ALL.map(Unit::symbol).join(", ");
        Fault::new("units", format!("found {}, expected one of {known}", describe(written)))
    })
}

/// Says where in the line it stops being JSON; the parser's own `line 1` would be taken for the line of the file.
fn no_json(line: &[u8], e: &serde_json::Error) -> QuestionError {
    let text = e.to_string();
    let what = text.split_once(" at line ").map_or(text.as_str(), |(what, _)| what);
    let message = match std::str::from_utf8(line) {
        Ok(_) => format!("no valid JSON: {what} at column {}", e.column()),
        Err(at) => format!("no valid JSON: not UTF-8 at byte {}", at.valid_up_to()),
    };
    QuestionError::new("json", format!("{message}; expected one object in one line: {EXPECTED}"))
}

const EXPECTED: &str = r#"{"id":…,"query":…,"a":SHAPE,"b":SHAPE,"pose_a":…,"pose_b":…}"#;

/// Answers a line that is JSON and no definition.
pub(super) fn ask(value: &Value, shared: &Shared<'_>) -> Result<Answer, QuestionError> {
    let (source, units) = (&shared.source, shared.source.units);
    let fault = |f: Fault| QuestionError::new("line", f);
    let named = value.get("query").ok_or_else(|| {
        let found = if value.is_object() {
            "\"query\" is missing".to_owned()
        } else {
            format!("found {}", describe(value))
        };
        QuestionError::new("line", format!("{found}; expected {EXPECTED}"))
    })?;
    let kind = named.as_str().and_then(Kind::of_name).ok_or_else(|| {
        let names = Kind::ALL.map(Kind::name).join(", ");
        QuestionError::new("line", format!("query: found {}, expected one of {names}", describe(named)))
    })?;
    match kind {
        Kind::Distance => {
            let optional = ["id", "units", "pose_a", "pose_b", "motion_a", "motion_b", "sheet", "track"];
            let map = object(value, "", &["query", "a", "b"], &optional).map_err(fault)?;
            refuse_motion(map)?;
            let (a, b) =
                (placed_figure(map, "a", "pose_a", source)?, placed_figure(map, "b", "pose_b", source)?);
            // Nobody else has the track meanwhile: its lines are answered one after the other.
            let mut cache = shared.track.map(|track| track.lock().unwrap_or_else(PoisonError::into_inner));
            ask_distance_tracked(&a, &b, cache.as_deref_mut())
        }
        Kind::Intersect | Kind::Contact => {
            let optional = ["id", "units", "pose_a", "pose_b", "motion_a", "motion_b", "sheet"];
            let map = object(value, "", &["query", "a", "b"], &optional).map_err(fault)?;
            refuse_motion(map)?;
            let (a, b) = (placed(map, "a", "pose_a", source)?, placed(map, "b", "pose_b", source)?);
            ask_pair(kind, &a, &b)
        }
        Kind::Ray => {
            let required = ["query", "a", "origin", "direction"];
            let map =
                object(value, "", &required, &["id", "units", "pose_a", "motion_a", "max"]).map_err(fault)?;
            refuse_motion(map)?;
            let max = map.get("max").filter(|m| !m.is_null());
            let ray = RayText {
                origin: vector(&map["origin"], "origin").map_err(fault)?.map(|x| units.to_metres(x)),
                direction: vector(&map["direction"], "direction").map_err(fault)?,
                max: max.map(|m| number(m, "max")).transpose().map_err(fault)?.map(|x| units.to_metres(x)),
            };
            ask_ray(&placed(map, "a", "pose_a", source)?, &ray)
        }
        Kind::Toc => {
            let optional = [&MOVING[..], &["allowance", "all"]].concat();
            let map = object(value, "", &["query", "a", "b"], &optional).map_err(fault)?;
            let request = ContactRequest {
                allowance: length(map, "allowance", units).map_err(fault)?.unwrap_or(0.0),
                all: flag(map, "all").map_err(fault)?,
                limits: limits(map, units).map_err(fault)?,
                units,
            };
            let [a, b] = both_moving(map, source)?;
            ask_contact_time_with(&a, &b, &request, shared.erosion)
        }
        Kind::Clearance => {
            let optional = [&MOVING[..], &["at_least", "curve"]].concat();
            let map = object(value, "", &["query", "a", "b"], &optional).map_err(fault)?;
            let question = ClearanceQuestion {
                at_least: length(map, "at_least", units).map_err(fault)?,
                curve: count(map, "curve").map_err(fault)?.map(|n| n as usize),
                limits: limits(map, units).map_err(fault)?,
            };
            let [a, b] = both_moving(map, source)?;
            ask_clearance(&a, &b, &question)
        }
        Kind::Turn => {
            let optional = ["id", "units", "pose_a", "pose_b", "motion_a", "motion_b", "sheet"];
            let map = object(value, "", &["query", "a", "b", "axis"], &optional).map_err(fault)?;
            refuse_motion(map)?;
            let axis = axis_of_json(&map["axis"], "axis", units).map_err(fault)?;
            let (a, b) = (placed(map, "a", "pose_a", source)?, placed(map, "b", "pose_b", source)?);
            ask_turn(&a, &b, &axis)
        }
    }
}

/// What may stand beside two moving bodies.
const MOVING: [&str; 9] =
    ["id", "units", "pose_a", "pose_b", "motion_a", "motion_b", "tolerance", "budget", "sheet"];

fn both_moving(map: &Map<String, Value>, source: &Source<'_>) -> Result<[Moving; 2], QuestionError> {
    let a = moving(map, ["a", "pose_a", "motion_a"], source)?;
    Ok([a, moving(map, ["b", "pose_b", "motion_b"], source)?])
}

fn moving(
    map: &Map<String, Value>,
    [shape, pose, motion]: [&str; 3],
    source: &Source<'_>,
) -> Result<Moving, QuestionError> {
    let Placed { shape, world_from_shape } = placed(map, shape, pose, source)?;
    let written = map.get(motion).filter(|m| !m.is_null());
    let motion = match written {
        Some(written) => motion_of_json(written, motion, &world_from_shape, source.units)?,
        None => WrittenMotion::still(world_from_shape),
    };
    Ok(Moving { shape, motion })
}

/// A length that is not negative, in metres.
fn length(map: &Map<String, Value>, key: &str, units: Unit) -> Result<Option<f64>, Fault> {
    let Some(written) = map.get(key).filter(|x| !x.is_null()) else { return Ok(None) };
    let length = number(written, key)?;
    if length < 0.0 {
        return Err(Fault::new(
            key,
            format!("found {length:?}, expected a length in {units} that is not negative"),
        ));
    }
    Ok(Some(units.to_metres(length)))
}

fn limits(map: &Map<String, Value>, units: Unit) -> Result<Limits, Fault> {
    let mut limits = Limits::default();
    if let Some(tolerance) = length(map, "tolerance", units)? {
        limits.tolerance = tolerance;
    }
    if let Some(budget) = count(map, "budget")? {
        limits.budget = budget;
    }
    Ok(limits)
}

/// True or false; false if nothing is said.
fn flag(map: &Map<String, Value>, key: &str) -> Result<bool, Fault> {
    let Some(written) = map.get(key).filter(|x| !x.is_null()) else { return Ok(false) };
    let fault = || Fault::new(key, format!("found {}, expected true or false", describe(written)));
    written.as_bool().ok_or_else(fault)
}

fn count(map: &Map<String, Value>, key: &str) -> Result<Option<u64>, Fault> {
    let Some(written) = map.get(key).filter(|x| !x.is_null()) else { return Ok(None) };
    let fault = || Fault::new(key, format!("found {}, expected a whole number", describe(written)));
    written.as_u64().map(Some).ok_or_else(fault)
}

fn placed(
    map: &Map<String, Value>,
    shape: &str,
    pose: &str,
    source: &Source<'_>,
) -> Result<Placed, QuestionError> {
    let world_from_shape = pose_of(map, pose, source.units)?;
    let is_sheet = is_sheet(map, shape).map_err(|f| QuestionError::new("line", f))?;
    let found = source.shape(&map[shape], shape)?;
    Ok(Placed { shape: if is_sheet { declared_sheet(&found, shape)? } else { found }, world_from_shape })
}

fn placed_figure(
    map: &Map<String, Value>,
    figure: &str,
    pose: &str,
    source: &Source<'_>,
) -> Result<PlacedFigure, QuestionError> {
    let world_from_figure = pose_of(map, pose, source.units)?;
    let is_sheet = is_sheet(map, figure).map_err(|f| QuestionError::new("line", f))?;
    let found: Figure = source.figure(&map[figure], figure)?;
    Ok(PlacedFigure { figure: if is_sheet { found.as_sheet(figure)? } else { found }, world_from_figure })
}

/// The pose under a key; none is the identity.
fn pose_of(map: &Map<String, Value>, key: &str, units: Unit) -> Result<Pose, QuestionError> {
    let written = map.get(key).filter(|p| !p.is_null());
    let pose = written.map(|p| pose_of_json(p, key, &Dialect::question(units))).transpose();
    Ok(pose.map_err(|f| QuestionError::new("pose", f))?.unwrap_or(Pose::IDENTITY))
}

/// Whether the line declares a shape a sheet: `"sheet":["a"]`, or its file name.
fn is_sheet(map: &Map<String, Value>, name: &str) -> Result<bool, Fault> {
    let Some(written) = map.get("sheet").filter(|s| !s.is_null()) else { return Ok(false) };
    let fault = |found: &Value| {
        Fault::new(
            "sheet",
            format!("found {}, expected a list of \"a\", \"b\" or their file names", describe(found)),
        )
    };
    let mut is_meant = false;
    for one in written.as_array().ok_or_else(|| fault(written))? {
        let found = one.as_str().ok_or_else(|| fault(one))?;
        let names = |key: &str| found == key || map.get(key).and_then(Value::as_str) == Some(found);
        if !(names("a") || names("b")) {
            return Err(fault(one));
        }
        is_meant |= names(name);
    }
    Ok(is_meant)
}

/// Bodies stand still in these questions; a motion that is something else would be passed over in silence.
fn refuse_motion(map: &Map<String, Value>) -> Result<(), QuestionError> {
    for key in ["motion_a", "motion_b"] {
        let is_still = |m: &Value| m.is_null() || *m == json!({ "still": {} });
        if map.get(key).is_some_and(|m| !is_still(m)) {
            let message = format!(
                "{key}: this query is about bodies that stand still; expected no motion, or {{\"still\":{{}}}}"
            );
            return Err(QuestionError::new("motion", message));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::question::NoFiles;

    fn check(line: &str, expected: Value) {
        let found = answer_line(line.as_bytes(), Unit::Metre, &NoFiles).document(7);
        for (key, value) in expected.as_object().unwrap() {
            assert_eq!(&found[key], value, "{line}: {found}");
        }
    }

    #[test]
    fn answers_and_errors_carry_the_id() {
        let ball = r#"{"sphere":{"radius":1}}"#;
        let line = format!(r#"{{"id":[1],"query":"distance","a":{ball},"b":{ball},"pose_b":[4,0,0]}}"#);
        check(&line, json!({ "id": [1], "distance": 2.0, "intersects": false }));
        let line = r#"{"id":1,"query":"distance","a":"part.stl","b":"part.stl"}"#;
        let message = "a: part.stl: mesh files cannot be read here";
        check(line, json!({ "id": 1, "error": { "code": "mesh_file", "message": message, "line": 7 } }));
    }

    #[test]
    fn what_is_no_json_is_told_by_its_column() {
        let message = |line: &[u8]| answer_line(line, Unit::Metre, &NoFiles).answer.unwrap_err().message;
        assert!(
            message(b"{\"id\":1,}").contains("trailing comma at column 9;"),
            "{}",
            message(b"{\"id\":1,}")
        );
        assert!(message(b"\x00\xff").contains("not UTF-8 at byte 1"));
        let deep = "[".repeat(100_000);
        assert!(message(deep.as_bytes()).contains("recursion limit"), "{}", message(deep.as_bytes()));
    }
}
