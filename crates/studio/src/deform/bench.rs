//! One frame: bodies deformed, looked at, and written down.

use super::frame::Writer;
use super::shelf::Rest;
use super::wanted::{BodyWanted, DeviceWanted, Wanted};
use crate::protocol::Refusal;
use freiraum_deform::deformation::{Frame, vertex_normals};
use freiraum_deform::{Axis, Grid, Interval, LayerError, Layers, Sums, Surface, View, Volume};
use freiraum_geometry::{AxisBox, Vec3};
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Instant;

/// Ill places of one body that are sent.
const MOST_FAULTS: usize = 200;

/// Most depths of one body that are sent.
const MOST_DEPTHS: usize = 3_000_000;

/// Storage of one frame, used again.
#[derive(Default)]
pub(super) struct Bench {
    bodies: Vec<Body>,
    /// For pairs.
    others: [Layers; 2],
}

/// A body as it is in this frame.
#[derive(Default)]
struct Body {
    vertices: Vec<Vec3>,
    spare: Vec<Vec3>,
    layers: Layers,
}

/// Milliseconds by stage.
#[derive(Default)]
struct Times {
    deform: f64,
    snap: f64,
    render: f64,
    sort: f64,
    occupancy: f64,
    pairs: f64,
}

impl Bench {
    pub(super) fn frame(&mut self, wanted: &Wanted, meshes: &[Arc<Rest>]) -> Result<Vec<u8>, Refusal> {
        let mut times = Times::default();
        self.bodies.resize_with(meshes.len().max(self.bodies.len()), Body::default);
        let mut writer = Writer::default();
        let mut described = Vec::with_capacity(meshes.len());
        for ((body, one), rest) in self.bodies.iter_mut().zip(&wanted.bodies).zip(meshes) {
            let start = Instant::now();
            body.deform(one, rest);
            times.deform += milliseconds(start);
            let told = body.look(wanted, rest, &mut times, &mut writer);
            described.push(told.map_err(|error| refusal(&rest.name, &error))?);
        }
        let start = Instant::now();
        let mut pairs = Vec::new();
        for b in 1..meshes.len() {
            for a in 0..b {
                let told = self.pair([a, b], meshes, wanted, &mut writer);
                pairs.extend(told.map_err(|error| refusal(&meshes[a].name, &error))?);
            }
        }
        times.pairs = milliseconds(start);
        let note = (wanted.device == DeviceWanted::Gpu).then_some("there is no graphics processor for this here");
        Ok(writer.finish(&json!({
            "bodies": described, "pairs": pairs, "device": "cpu", "note": note,
            "milliseconds": {
                "deform": times.deform, "snap": times.snap, "render": times.render, "sort": times.sort,
                "occupancy": times.occupancy, "pairs": times.pairs,
            },
        })))
    }

    /// What two bodies share; `None` where their boxes are apart.
    fn pair(
        &mut self,
        [a, b]: [usize; 2],
        meshes: &[Arc<Rest>],
        wanted: &Wanted,
        writer: &mut Writer,
    ) -> Result<Option<Value>, LayerError> {
        let [first, second] = [a, b].map(|k| Surface { vertices: &self.bodies[k].vertices, faces: &meshes[k].faces });
        let (box_a, box_b) = (first.bounds()?, second.bounds()?);
        let region = AxisBox { min: box_a.min.max(box_b.min), max: box_a.max.min(box_b.max) };
        if region.is_empty() {
            return Ok(None);
        }
        let axis = wanted.axis().unwrap_or(Axis::longest(&region));
        let grid = Grid::region(&region, &box_a.union(&box_b), axis, [wanted.resolution; 2])?;
        let [one, other] = &mut self.others;
        one.look(first, &grid, 1, true)?;
        other.look(second, &grid, 1, true)?;
        let mut lengths = vec![0; grid.pixels()];
        let mut shared = Vec::new();
        common(&one.occupancy.intervals, &other.occupancy.intervals, |x, y| {
            let interval = Interval { start: x.start.max(y.start), end: x.end.min(y.end), overlap: 1, ..*x };
            lengths[x.pixel as usize] += interval.length();
            shared.push(interval);
        });
        let volume = Sums::of(&grid, &lengths, shared.len()).volume(&grid);
        Ok(Some(json!({
            "bodies": [a, b], "volume": volume.volume, "volume_error": volume.error, "grid": sent_grid(&grid),
            "intervals": writer.intervals(&shared),
        })))
    }
}

impl Body {
    fn deform(&mut self, wanted: &BodyWanted, rest: &Rest) {
        self.vertices.clear();
        self.vertices.extend_from_slice(&rest.vertices);
        self.spare.resize(rest.vertices.len(), Vec3::ZERO);
        if let Some(frame) = Frame::of(&rest.vertices, wanted.along) {
            for step in wanted.deformations() {
                step.apply(&frame, &self.vertices, &rest.faces, &mut self.spare);
                std::mem::swap(&mut self.vertices, &mut self.spare);
            }
        }
        let at = Vec3::from_array(wanted.at);
        if at != Vec3::ZERO {
            self.vertices.iter_mut().for_each(|p| *p += at);
        }
    }

    fn look(
        &mut self,
        wanted: &Wanted,
        rest: &Rest,
        times: &mut Times,
        writer: &mut Writer,
    ) -> Result<Value, LayerError> {
        let surface = Surface { vertices: &self.vertices, faces: &rest.faces };
        let bounds = surface.bounds()?;
        let view = View { axis: wanted.axis(), size: [wanted.resolution; 2], threaded: true };
        let answer = self.layers.self_collision(surface, &view)?;
        let spent = self.layers.milliseconds;
        times.snap += spent.snap;
        times.render += spent.render;
        times.sort += spent.sort;
        times.occupancy += spent.occupancy;
        let (faces, marked) = self.layers.involved(surface);
        let faces = faces.iter().filter(|&&one| one).count();
        let marks = writer.marks(marked);
        vertex_normals(&self.vertices, &rest.faces, &mut self.spare);
        let origin = bounds.center();
        let (image, occupancy) = (&self.layers.image, &self.layers.occupancy);
        let places: Vec<[f64; 3]> =
            occupancy.faults.iter().take(MOST_FAULTS).map(|fault| fault.point(image).to_array()).collect();
        let shows_layers = wanted.layers && image.fragments.len() <= MOST_DEPTHS;
        let Volume { volume, error } = answer.volume;
        let is_sound = answer.faults == 0 && rest.open_edges == 0;
        Ok(json!({
            "mesh": rest.id, "vertices": self.vertices.len(), "triangles": rest.faces.len(), "origin": origin.to_array(),
            "box": [bounds.min.to_array(), bounds.max.to_array()],
            "self_collision": answer.self_collision, "volume": is_sound.then_some(volume),
            "volume_error": is_sound.then_some(error), "max_overlap": answer.max_overlap,
            "layers_max": answer.layers_max, "depths": image.fragments.len(), "faces": faces,
            "sound": is_sound, "open_edges": rest.open_edges, "faults": answer.faults, "fault_places": places,
            "grid": sent_grid(&image.grid),
            "positions": writer.positions(&self.vertices, origin),
            "normals": writer.normals(&self.spare),
            "marks": marks,
            "intervals": writer.intervals(&occupancy.intervals),
            "layers": shows_layers.then(|| writer.layers(image)),
        }))
    }
}

fn sent_grid(grid: &Grid) -> Value {
    json!({
        "axis": grid.axis.index(), "origin": grid.origin, "size": grid.size, "pixel": grid.pixel, "step": grid.step(),
    })
}

fn refusal(name: &str, error: &LayerError) -> Refusal {
    Refusal::new("layers", format!("{name}: {error}")).help("less of a deformation may help")
}

fn milliseconds(since: Instant) -> f64 {
    1000.0 * since.elapsed().as_secs_f64()
}

/// Calls with every two intervals that share some of a ray.
fn common(a: &[Interval], b: &[Interval], mut found: impl FnMut(&Interval, &Interval)) {
    let mut from = 0;
    for one in a {
        while b.get(from).is_some_and(|other| (other.pixel, other.end) <= (one.pixel, one.start)) {
            from += 1;
        }
        let on_ray = b[from..].iter().take_while(|other| (other.pixel, other.start) < (one.pixel, one.end));
        on_ray.for_each(|other| found(one, other));
    }
}
