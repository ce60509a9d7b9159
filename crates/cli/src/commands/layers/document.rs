//! The answer for programs. Keys are public API.

use super::Arguments;
use super::body::Body;
use super::solve::Found;
use freiraum::deform::bodies::Place;
use freiraum::deform::examine::{EdgeKind, IllEdge, Marks, Own, Pair};
use freiraum::deform::{Axis, Examination, FaultKind, Findings, Grid, Verdict};
use freiraum::geometry::Vec3;
use serde_json::{Value, json};

/// Most edges of one mesh in the document.
const MOST_EDGES: usize = 100;

/// Most places on rays of one mesh in the document.
const MOST_PLACES: usize = 100;

pub(super) fn document(arguments: &Arguments, bodies: &[Body], found: &Found) -> Value {
    let Examination { findings, marks, .. } = &found.examination;
    let (own, volume) = (findings.own(), findings.self_volume());
    let stages = &found.times.0;
    let mut milliseconds: serde_json::Map<String, Value> =
        stages.iter().map(|&(name, time)| (name.to_owned(), json!(time))).collect();
    milliseconds.insert("total".to_owned(), json!(stages.iter().map(|stage| stage.1).sum::<f64>()));
    let faults: Vec<Value> = bodies.iter().zip(own).flat_map(|(body, own)| faults(body, own)).collect();
    let each = bodies.iter().zip(own).zip(marks);
    let meshes: Vec<Value> = each.map(|((body, own), marks)| mesh(body, own, marks)).collect();
    json!({
        "verdict": findings.verdict().key(),
        "self_collision": findings.self_collision(),
        "volume": volume.map(|one| one.volume),
        "volume_error": volume.map(|one| one.error),
        "max_overlap": own.iter().map(|own| own.max_overlap).max(),
        "faces": marks.iter().map(|marks| count(&marks.faces)).sum::<usize>(),
        "layers_max": own.iter().map(|own| own.layers_max).max(),
        "pairs": findings.pairs().iter().map(|one| pair(one, bodies, findings)).collect::<Vec<_>>(),
        "meshes": meshes,
        "units": arguments.unit().symbol(),
        "deformation": deformation(arguments),
        "axis": axis(own),
        "resolution": resolution(&own[0].grids[0]),
        "certain_width": findings.certain_ball(),
        "certain_plate": findings
            .certain_plate()
            .map(|plate| json!({ "diameter": plate.diameter, "thickness": plate.thickness })),
        "sound": findings.verdict() != Verdict::Unsound,
        "faults": faults,
        "device": found.device,
        "device_name": found.device_name,
        "note": found.note,
        "picture": arguments.png.as_ref().map(|file| file.display().to_string()),
        "milliseconds": milliseconds,
    })
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
fn axis(own: &[Own]) -> &'static str {
    let first = own[0].grids[0].axis;
    match own[0].grids.len() {
        3 => "all",
        _ if own.iter().all(|own| own.grids[0].axis == first) => name_of(first),
        _ => "auto",
    }
}

fn view(grid: &Grid) -> Value {
    json!({ "axis": name_of(grid.axis), "resolution": grid.size, "pixel": grid.pixel, "depth_step": grid.step() })
}

fn mesh(body: &Body, own: &Own, marks: &Marks) -> Value {
    let volume = own.known_volume();
    json!({
        "file": body.name,
        "format": body.format.name(),
        "triangles": body.mesh.faces.len(),
        "vertices": body.mesh.vertices.len(),
        "self_collision": own.known_collision(),
        "volume": volume.map(|one| one.volume),
        "volume_error": volume.map(|one| one.error),
        "max_overlap": own.max_overlap,
        "faces": count(&marks.faces),
        "vertices_involved": count(&marks.vertices),
        "layers_max": own.layers_max,
        "views": own.grids.iter().map(view).collect::<Vec<_>>(),
        "sound": own.is_sound,
        "open_edges": body.mesh.count(EdgeKind::Open),
        "opposite_winding_edges": body.mesh.count(EdgeKind::OppositeWinding),
        "faulty_rays": own.fault_count,
    })
}

fn pair(pair: &Pair, bodies: &[Body], findings: &Findings) -> Value {
    let volume = findings.known_volume(pair);
    json!({
        "names": pair.bodies.map(|k| bodies[k].name.as_str()),
        "meshes": pair.bodies,
        "collision": findings.known_collision(pair),
        "volume": volume.map(|one| one.volume),
        "volume_error": volume.map(|one| one.error),
        "views": pair.grids.iter().map(view).collect::<Vec<_>>(),
    })
}

fn faults(body: &Body, own: &Own) -> Vec<Value> {
    let edge = |edge: &IllEdge| {
        let point = body.mesh.middle(edge).to_array();
        json!({ "mesh": body.name, "kind": edge.kind.key(), "edge": edge.vertices, "face": edge.face, "point": point })
    };
    let ray = |place: &Place| json!({ "mesh": body.name, "kind": key(place.kind), "face": place.face, "point": place.point.to_array() });
    let doubled =
        |place: &Vec3| json!({ "mesh": body.name, "kind": "doubled_faces", "point": place.to_array() });
    let edges = body.mesh.ill_edges.iter().take(MOST_EDGES).map(edge);
    edges
        .chain(body.mesh.doubled.places.iter().map(doubled))
        .chain(own.faults.iter().take(MOST_PLACES).map(ray))
        .collect()
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
