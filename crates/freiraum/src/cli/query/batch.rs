//! Many questions as JSON Lines: one answer line each, in the same order; a bad line never stops the others.

use super::super::{Answer, Failure};
use super::json::{Fault, describe, member, number, object, vector};
use super::pose::pose_of_json;
use super::question::{Found, Kind, Placed, ask_pair, not_there};
use super::shape::Shapes;
use freiraum::geometry::Pose;
use serde_json::{Map, Value, json};
use std::io::{BufRead, Write};

/// Answers every line of `input`. Empty lines are passed over.
///
/// **Guarantee.** One line out per line in, in the same order. Fails only if reading does.
pub(super) fn answer_lines(
    input: &mut dyn BufRead,
    output: &mut dyn Write,
    shapes: &mut Shapes,
) -> Result<Answer, Failure> {
    let (mut bad, mut total, mut line) = (0u64, 0u64, Vec::new());
    loop {
        line.clear();
        let length = input.read_until(b'\n', &mut line).map_err(|e| Failure::new("batch_file", e))?;
        if length == 0 {
            break;
        }
        if line.trim_ascii().is_empty() {
            continue;
        }
        total += 1;
        let (id, answer) = answer_line(&line, shapes);
        let mut out = Map::new();
        out.insert("id".to_owned(), id);
        match answer {
            Ok(found) => out.extend(found.keys),
            Err(failure) => {
                bad += 1;
                let error = json!({ "code": failure.code, "message": failure.message });
                out.insert("error".to_owned(), error);
            }
        }
        let text = Value::Object(out).to_string();
        if writeln!(output, "{text}").is_err() {
            // Whoever read the answers has gone; that ends the work.
            return Ok(Answer::Good);
        }
    }
    let _ = output.flush();
    // Stdout is for the answers alone, of which the bad lines have theirs.
    if bad > 0 {
        let _ = writeln!(
            std::io::stderr().lock(),
            "{bad} of {total} lines could not be answered; see their \"error\""
        );
        return Ok(Answer::PartlyBadInput);
    }
    Ok(Answer::Good)
}

fn answer_line(line: &[u8], shapes: &mut Shapes) -> (Value, Result<Found, Failure>) {
    let value: Value = match serde_json::from_slice(line) {
        Ok(value) => value,
        Err(e) => return (Value::Null, Err(Failure::new("json", format!("no valid JSON: {e}")))),
    };
    let id = value.get("id").cloned().unwrap_or(Value::Null);
    (id, ask(&value, shapes))
}

fn ask(value: &Value, shapes: &mut Shapes) -> Result<Found, Failure> {
    let fault = |f: Fault| Failure::new("line", f);
    let named = value.get("query").ok_or_else(|| {
        let found = if value.is_object() {
            "\"query\" is missing".to_owned()
        } else {
            format!("found {}", describe(value))
        };
        Failure::new("line", format!("{found}; expected {{\"id\":…,\"query\":…,\"a\":SHAPE,\"b\":SHAPE,…}}"))
    })?;
    let kind = Kind::ALL.into_iter().find(|k| named == k.name()).ok_or_else(|| {
        let names = Kind::ALL.map(Kind::name).join(", ");
        Failure::new("line", format!("query: found {}, expected one of {names}", describe(named)))
    })?;
    let common = ["id", "motion_a", "motion_b", "pose_a", "pose_b"];
    match kind {
        Kind::Intersect | Kind::Distance | Kind::Contact => {
            let map = object(value, "", &["query", "a", "b"], &common).map_err(fault)?;
            refuse_motion(map)?;
            let a = placed(map, "a", shapes)?;
            let b = placed(map, "b", shapes)?;
            ask_pair(kind, &a, &b)
        }
        Kind::Ray => {
            let required = ["query", "a", "origin", "direction"];
            let map = object(value, "", &required, &["id", "pose_a", "motion_a", "max"]).map_err(fault)?;
            refuse_motion(map)?;
            let a = placed(map, "a", shapes)?;
            let ray = super::ray::RayText {
                origin: vector(&map["origin"], "origin").map_err(fault)?,
                direction: vector(&map["direction"], "direction").map_err(fault)?,
                max: map
                    .get("max")
                    .filter(|m| !m.is_null())
                    .map(|m| number(m, "max"))
                    .transpose()
                    .map_err(fault)?,
            };
            super::ray::ask_ray(&a, &ray)
        }
        Kind::Toc | Kind::Clearance | Kind::Turn => Err(not_there(kind)),
    }
}

fn placed(map: &Map<String, Value>, name: &str, shapes: &mut Shapes) -> Result<Placed, Failure> {
    let key = format!("pose_{name}");
    let pose = map.get(&key).filter(|p| !p.is_null()).map(|p| pose_of_json(p, &key)).transpose();
    Ok(Placed {
        shape: shapes.of_json(&map[name], &member("", name))?,
        world_from_shape: pose.map_err(|f| Failure::new("pose", f))?.unwrap_or(Pose::IDENTITY),
    })
}

/// Bodies stand still in these questions; a motion that is something else would be passed over in silence.
fn refuse_motion(map: &Map<String, Value>) -> Result<(), Failure> {
    for key in ["motion_a", "motion_b"] {
        let is_still = |m: &Value| m.is_null() || *m == json!({ "still": {} });
        if map.get(key).is_some_and(|m| !is_still(m)) {
            let message = format!(
                "{key}: this query is about bodies that stand still; expected no motion, or {{\"still\":{{}}}}"
            );
            return Err(Failure::new("motion", message));
        }
    }
    Ok(())
}
