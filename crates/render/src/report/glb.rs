//! A plan as an animated glTF file: one node per body, one animation for all steps.
//!
//! glTF is in metres with y up; a root node turns our z up. Steps are listed in the extras of the scene, with their times in seconds.

use super::keys::keys;
use super::{Figures, ReportError, Source};
use crate::picture::{Figure, color_of};
use freiraum_assets::ShapeCache;
use freiraum_check::{Report, Timeline, words};
use freiraum_geometry::Pose;
use freiraum_geometry::path::Ball;
use freiraum_scene::Scene;
use serde_json::{Value, json};
use std::collections::HashMap;

/// Key frames are within this share of the size of a body.
const ACCURACY: f64 = 0.001;
/// How long a step takes that says nothing sensible about it, in seconds.
const SECONDS: f64 = 1.0;

/// The bytes of an animated GLB file of a plan.
pub fn animation(
    scene: &Scene,
    timeline: &Timeline,
    parts: &ShapeCache,
    result: &Report,
) -> Result<Vec<u8>, ReportError> {
    let figures = Figures::of(scene, timeline, parts)?;
    Ok(with_figures(&Source { scene, timeline, parts, result, figures: &figures }))
}

pub(crate) fn with_figures(source: &Source<'_>) -> Vec<u8> {
    let Source { scene, timeline, result, figures, .. } = source;
    let mut writer = Writer::default();
    let times = times(timeline);
    let surfaces: Vec<Surface> = figures.figures.iter().map(|figure| writer.surface(figure)).collect();
    let (mut materials, mut meshes): (Vec<Value>, Vec<Value>) = (Vec::new(), Vec::new());
    // Bodies of one shape and colour share a mesh; of one shape, the data.
    let (mut material_of, mut mesh_of) = (HashMap::new(), HashMap::new());
    let (mut nodes, mut samplers, mut channels) = (Vec::new(), Vec::new(), Vec::new());
    for (number, body) in scene.bodies.iter().enumerate() {
        let color = color_of(body, number);
        let figure = figures.number(number);
        let is_open = figures.figures[figure].is_open;
        let material = *material_of.entry((color, is_open)).or_insert_with(|| {
            let [r, g, b] = color.0.map(linear);
            materials.push(json!({
                "pbrMetallicRoughness": { "baseColorFactor": [r, g, b, 1.0], "metallicFactor": 0.1, "roughnessFactor": 0.55 },
                "doubleSided": is_open,
            }));
            materials.len() - 1
        });
        let mesh = *mesh_of.entry((figure, material)).or_insert_with(|| {
            let Surface { positions, normals, indices } = surfaces[figure];
            meshes.push(json!({ "primitives": [{
                "attributes": { "POSITION": positions, "NORMAL": normals },
                "indices": indices, "material": material, "mode": 4,
            }] }));
            meshes.len() - 1
        });
        let pose = timeline.stages.first().map_or(timeline.end[number], |stage| stage.before[number]);
        // Node 0 is the root.
        let node = nodes.len() + 1;
        nodes.push(json!({
            "name": body.name, "mesh": mesh,
            "translation": pose.translation().to_array(), "rotation": pose.rotation().to_array(),
        }));
        let keys = body_keys(timeline, &times, number, figures.of_body(number));
        if keys.is_empty() {
            continue;
        }
        let input = writer.numbers(keys.iter().map(|(time, _)| [*time as f32]), "SCALAR");
        let translations = writer
            .numbers(keys.iter().map(|(_, pose)| pose.translation().to_array().map(|x| x as f32)), "VEC3");
        let mut last = keys[0].1.rotation();
        let rotation = |(_, pose): &(f64, Pose)| {
            // Both signs are the same rotation: the one nearer to the last one is the shorter way for everybody.
            let q = pose.rotation();
            last = if q.dot(last) < 0.0 { -q } else { q };
            last.to_array().map(|x| x as f32)
        };
        let rotations: Vec<[f32; 4]> = keys.iter().map(rotation).collect();
        let rotations = writer.numbers(rotations.into_iter(), "VEC4");
        for (path, output) in [("translation", translations), ("rotation", rotations)] {
            channels.push(json!({ "sampler": samplers.len(), "target": { "node": node, "path": path } }));
            samplers.push(json!({ "input": input, "output": output, "interpolation": "LINEAR" }));
        }
    }
    let half = std::f64::consts::FRAC_1_SQRT_2;
    let children: Vec<usize> = (1..=nodes.len()).collect();
    let mut root = json!({ "name": "plan", "rotation": [-half, 0.0, 0.0, half] });
    if !children.is_empty() {
        root["children"] = json!(children);
    }
    nodes.insert(0, root);
    let step = |(number, stage): (usize, &freiraum_check::Stage)| {
        json!({
            "index": number + 1, "name": stage.name, "start": times[number], "end": times[number + 1],
            "verdict": result.steps.get(number).map(|step| step.verdict.name()),
            "action": words::action(scene, timeline, number),
        })
    };
    let steps: Vec<Value> = timeline.stages.iter().enumerate().map(step).collect();
    let mut document = json!({
        "asset": { "version": "2.0", "generator": "Freiraum" },
        "scene": 0,
        "scenes": [{ "nodes": [0], "extras": { "steps": steps } }],
        "nodes": nodes,
    });
    // Empty lists are not allowed.
    let lists = [
        ("meshes", meshes),
        ("materials", materials),
        ("accessors", writer.accessors),
        ("bufferViews", writer.views),
    ];
    for (key, list) in lists {
        if !list.is_empty() {
            document[key] = Value::Array(list);
        }
    }
    if !channels.is_empty() {
        document["animations"] = json!([{ "name": "plan", "channels": channels, "samplers": samplers }]);
    }
    if !writer.data.is_empty() {
        document["buffers"] = json!([{ "byteLength": writer.data.len() }]);
    }
    let text = freiraum_scene::plain_json(&document.to_string()).into_owned();
    packed(text.into_bytes(), &writer.data)
}

/// The times at which stages begin, and the end of the last one, in seconds.
fn times(timeline: &Timeline) -> Vec<f64> {
    let mut times = vec![0.0];
    for stage in &timeline.stages {
        let seconds = if stage.seconds.is_finite() && stage.seconds > 0.0 { stage.seconds } else { SECONDS };
        times.push(times[times.len() - 1] + seconds);
    }
    times
}

/// The key frames of a body over all stages, times ascending strictly even in f32; empty if it never moves.
fn body_keys(timeline: &Timeline, times: &[f64], body: usize, figure: &Figure) -> Vec<(f64, Pose)> {
    let ball = Ball { center: figure.center, radius: figure.radius };
    let accuracy = (ACCURACY * 2.0 * ball.radius).max(f64::MIN_POSITIVE);
    let mut out: Vec<(f64, Pose)> = Vec::new();
    for (number, stage) in timeline.stages.iter().enumerate() {
        if stage.mover_of(body).is_none() {
            continue;
        }
        let (start, seconds) = (times[number], times[number + 1] - times[number]);
        for (t, pose) in keys(&*stage.motion(body), &ball, accuracy) {
            let time = start + t * seconds;
            match out.last() {
                Some((last, _)) if time as f32 <= *last as f32 => {}
                _ => out.push((time, pose)),
            }
        }
    }
    out
}

/// A channel of a colour in linear light.
fn linear(channel: u8) -> f64 {
    let x = f64::from(channel) / 255.0;
    if x <= 0.04045 { x / 12.92 } else { ((x + 0.055) / 1.055).powf(2.4) }
}

/// Numbers of accessors.
#[derive(Clone, Copy)]
struct Surface {
    positions: usize,
    normals: usize,
    indices: usize,
}

/// The data of a file in the making.
#[derive(Default)]
struct Writer {
    data: Vec<u8>,
    views: Vec<Value>,
    accessors: Vec<Value>,
}

impl Writer {
    /// Appends the triangles of a figure; corners with one normal share a vertex.
    fn surface(&mut self, figure: &Figure) -> Surface {
        let mut known: HashMap<(u32, [u32; 3]), u32> = HashMap::with_capacity(figure.vertices.len());
        let (mut positions, mut normals, mut indices) = (Vec::new(), Vec::new(), Vec::new());
        let center = figure.center.to_array();
        for (face, corners) in figure.faces.iter().zip(&figure.normals) {
            for (vertex, normal) in face.iter().zip(corners) {
                let next = positions.len() as u32;
                let index = *known.entry((*vertex, normal.map(f32::to_bits))).or_insert_with(|| {
                    let v = figure.vertices[*vertex as usize];
                    positions
                        .push(std::array::from_fn::<f32, 3, _>(|i| (center[i] + f64::from(v[i])) as f32));
                    // A face without area has no normal, but the file must have one.
                    normals.push(if *normal == [0.0; 3] { [0.0, 0.0, 1.0] } else { *normal });
                    next
                });
                indices.push(index);
            }
        }
        let positions = self.numbers(positions.into_iter(), "VEC3");
        let normals = self.numbers(normals.into_iter(), "VEC3");
        let start = self.data.len();
        let is_small = indices.iter().all(|i| *i < u32::from(u16::MAX));
        for index in &indices {
            if is_small {
                self.data.extend((*index as u16).to_le_bytes());
            } else {
                self.data.extend(index.to_le_bytes());
            }
        }
        let kind = if is_small { 5123 } else { 5125 };
        let indices = self.accessor(start, indices.len(), kind, "SCALAR", Some(34963));
        Surface { positions, normals, indices }
    }

    /// Appends numbers, with their bounds.
    fn numbers<const N: usize>(&mut self, values: impl Iterator<Item = [f32; N]>, kind: &str) -> usize {
        let start = self.data.len();
        let (mut min, mut max, mut count) = ([f32::INFINITY; N], [f32::NEG_INFINITY; N], 0);
        for value in values {
            for (i, x) in value.into_iter().enumerate() {
                (min[i], max[i]) = (min[i].min(x), max[i].max(x));
                self.data.extend(x.to_le_bytes());
            }
            count += 1;
        }
        let number = self.accessor(start, count, 5126, kind, None);
        self.accessors[number]["min"] = json!(min.as_slice());
        self.accessors[number]["max"] = json!(max.as_slice());
        number
    }

    /// Everything since `start` as one accessor.
    fn accessor(
        &mut self,
        start: usize,
        count: usize,
        component: u32,
        kind: &str,
        target: Option<u32>,
    ) -> usize {
        let mut view = json!({ "buffer": 0, "byteOffset": start, "byteLength": self.data.len() - start });
        if let Some(target) = target {
            view["target"] = json!(target);
        }
        self.views.push(view);
        self.data.resize(self.data.len().next_multiple_of(4), 0);
        self.accessors.push(json!({
            "bufferView": self.views.len() - 1, "componentType": component, "count": count, "type": kind,
        }));
        self.accessors.len() - 1
    }
}

/// The chunks in one file.
fn packed(mut json: Vec<u8>, data: &[u8]) -> Vec<u8> {
    json.resize(json.len().next_multiple_of(4), b' ');
    let data_length = if data.is_empty() { 0 } else { 8 + data.len() };
    let length = 12 + 8 + json.len() + data_length;
    let mut out = Vec::with_capacity(length);
    out.extend(b"glTF");
    out.extend(2u32.to_le_bytes());
    out.extend((length as u32).to_le_bytes());
    out.extend((json.len() as u32).to_le_bytes());
    out.extend(b"JSON");
    out.extend(json);
    if !data.is_empty() {
        out.extend((data.len() as u32).to_le_bytes());
        out.extend(b"BIN\0");
        out.extend(data);
    }
    out
}
