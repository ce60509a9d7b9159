//! The answer for programs. Keys are public API.

use super::Arguments;
use super::body::{Body, EdgeKind, IllEdge};
use super::solve::{Found, Own, Pair, Verdict};
use freiraum::deform::bodies::Place;
use freiraum::deform::{Axis, FaultKind, Grid};
use freiraum::geometry::Vec3;
use serde_json::{Value, json};

/// Edges of one mesh that are told.
const MOST_EDGES: usize = 100;

pub(super) fn document(arguments: &Arguments, bodies: &[Body], found: &Found) -> Value {
    let is_sound = found.verdict() != Verdict::Unsound;
    let collides = found.own.iter().any(|own| own.collides);
    let volume: f64 = found.own.iter().map(|own| own.volume.volume).sum();
    let error: f64 = found.own.iter().map(|own| own.volume.error).sum();
    let stages = &found.times.0;
    let mut milliseconds: serde_json::Map<String, Value> =
        stages.iter().map(|&(name, time)| (name.to_owned(), json!(time))).collect();
    milliseconds.insert("total".to_owned(), json!(stages.iter().map(|stage| stage.1).sum::<f64>()));
    let faults: Vec<Value> =
        bodies.iter().zip(&found.own).flat_map(|(body, own)| faults(body, own)).collect();
    json!({
        "verdict": found.verdict().name(),
        "self_collision": known(collides, is_sound),
        "volume": is_sound.then_some(volume),
        "volume_error": is_sound.then_some(error),
        "max_overlap": found.own.iter().map(|own| own.max_overlap).max(),
        "faces": found.own.iter().map(|own| count(&own.faces)).sum::<usize>(),
        "layers_max": found.own.iter().map(|own| own.layers_max).max(),
        "pairs": found.pairs.iter().map(|one| pair(one, bodies, found)).collect::<Vec<_>>(),
        "meshes": bodies.iter().zip(&found.own).map(|(body, own)| mesh(body, own)).collect::<Vec<_>>(),
        "units": arguments.unit().symbol(),
        "deformation": deformation(arguments),
        "axis": axis(found),
        "resolution": resolution(&found.own[0].grids[0]),
        "certain_width": found.certain_ball(),
        "certain_plate": found.certain_plate().map(|p| json!({ "diameter": p.diameter, "thickness": p.thickness })),
        "sound": is_sound,
        "faults": faults,
        "device": found.device,
        "device_name": found.device_name,
        "note": found.note,
        "picture": arguments.png.as_ref().map(|file| file.display().to_string()),
        "milliseconds": milliseconds,
    })
}

impl Verdict {
    pub(super) fn name(self) -> &'static str {
        match self {
            Verdict::Free => "free",
            Verdict::Collision => "collision",
            Verdict::Unsound => "unsound",
        }
    }
}

/// Nothing found on an ill surface is no answer.
fn known(found: bool, is_sound: bool) -> Option<bool> {
    (found || is_sound).then_some(found)
}

fn count(marked: &[bool]) -> usize {
    marked.iter().filter(|&&one| one).count()
}

pub(super) fn name_of(axis: Axis) -> &'static str {
    ["x", "y", "z"][axis.index()]
}

/// A number where columns and rows are as many.
fn resolution(grid: &Grid) -> Value {
    let [columns, rows] = grid.size;
    if columns == rows { json!(columns) } else { json!([columns, rows]) }
}

/// The axis of all grids, or `auto` where they differ.
fn axis(found: &Found) -> &'static str {
    let first = found.own[0].grids[0].axis;
    match found.own[0].grids.len() {
        3 => "all",
        _ if found.own.iter().all(|own| own.grids[0].axis == first) => name_of(first),
        _ => "auto",
    }
}

fn view(grid: &Grid) -> Value {
    json!({ "axis": name_of(grid.axis), "resolution": grid.size, "pixel": grid.pixel, "depth_step": grid.step() })
}

fn mesh(body: &Body, own: &Own) -> Value {
    json!({
        "file": body.name,
        "format": body.format.name(),
        "triangles": body.faces.len(),
        "vertices": body.vertices.len(),
        "self_collision": known(own.collides, own.is_sound),
        "volume": own.is_sound.then_some(own.volume.volume),
        "volume_error": own.is_sound.then_some(own.volume.error),
        "max_overlap": own.max_overlap,
        "faces": count(&own.faces),
        "vertices_involved": count(&own.vertices),
        "layers_max": own.layers_max,
        "views": own.grids.iter().map(view).collect::<Vec<_>>(),
        "sound": own.is_sound,
        "open_edges": body.count(EdgeKind::Open),
        "opposite_winding_edges": body.count(EdgeKind::OppositeWinding),
        "faulty_rays": own.fault_count,
    })
}

fn pair(pair: &Pair, bodies: &[Body], found: &Found) -> Value {
    let is_sound = pair.bodies.iter().all(|&k| found.own[k].is_sound);
    json!({
        "names": pair.bodies.map(|k| bodies[k].name.as_str()),
        "meshes": pair.bodies,
        "collision": known(pair.collides, is_sound),
        "volume": is_sound.then_some(pair.volume.volume),
        "volume_error": is_sound.then_some(pair.volume.error),
        "views": pair.grids.iter().map(view).collect::<Vec<_>>(),
    })
}

fn faults(body: &Body, own: &Own) -> Vec<Value> {
    let edge = |edge: &IllEdge| {
        let point = body.middle(edge).to_array();
        json!({ "mesh": body.name, "kind": edge.kind.key(), "edge": edge.vertices, "face": edge.face, "point": point })
    };
    let ray = |place: &Place| json!({ "mesh": body.name, "kind": key(place.kind), "face": place.face, "point": place.point.to_array() });
    let doubled =
        |place: &Vec3| json!({ "mesh": body.name, "kind": "doubled_faces", "point": place.to_array() });
    let edges = body.ill_edges.iter().take(MOST_EDGES).map(edge);
    edges.chain(body.doubled.places.iter().map(doubled)).chain(own.faults.iter().map(ray)).collect()
}

fn key(kind: FaultKind) -> &'static str {
    match kind {
        FaultKind::Open => "open",
        FaultKind::Inverted => "inverted",
    }
}

fn deformation(arguments: &Arguments) -> Option<Value> {
    let mut all = serde_json::Map::new();
    let mut put = |key: &str, value: Option<f64>| {
        all.extend(value.map(|value| (key.to_owned(), json!(value))));
    };
    put("inflate", arguments.inflate);
    put("twist_deg", arguments.twist);
    put("bend_deg", arguments.bend);
    put("wobble_deg", arguments.wobble.map(|w| w[0]));
    put("wobble_waves", arguments.wobble.map(|w| w[1]));
    put("wobble_phase_deg", arguments.wobble.map(|w| w[2]));
    (!all.is_empty()).then_some(Value::Object(all))
}
