//! One frame: bodies deformed, looked at, and written down.

use super::frame::Writer;
use super::frame_document::{FrameDocument, LayerGrid, Milliseconds, SentBody, SentPair};
use super::shelf::Rest;
use super::wanted::{BodyWanted, Wanted};
use crate::protocol::Refusal;
use freiraum_deform::bodies::{Bodies, Pair, Place};
use freiraum_deform::deformation::{Frame, vertex_normals};
use freiraum_deform::examine::{self, Own};
use freiraum_deform::looker::Looker;
use freiraum_deform::{Answer, Fault, Findings, Grid, LayerError, Layers, Surface, View};
use freiraum_geometry::Vec3;
use std::sync::Arc;
use std::time::Instant;

/// Most depths of one body that are sent.
const MOST_DEPTHS: usize = 3_000_000;

/// Storage of one frame, used again.
#[derive(Default)]
pub(super) struct Bench {
    bodies: Vec<Body>,
    /// Who draws the bodies.
    pub(super) looker: Looker,
    pairs: Bodies,
}

/// A body as it is in this frame.
#[derive(Default)]
struct Body {
    vertices: Vec<Vec3>,
    spare: Vec<Vec3>,
    layers: Layers,
}

impl Bench {
    /// The frame.
    pub(super) fn frame(&mut self, wanted: &Wanted, meshes: &[Arc<Rest>]) -> Result<Vec<u8>, Refusal> {
        let mut times = Milliseconds::default();
        self.bodies.resize_with(meshes.len().max(self.bodies.len()), Body::default);
        let mut writer = Writer::default();
        let mut findings = Findings::default();
        for ((body, one), rest) in self.bodies.iter_mut().zip(&wanted.bodies).zip(meshes) {
            let start = Instant::now();
            body.deform(one, rest);
            times.deform += milliseconds(start);
            let refused = |error: LayerError| refusal(&rest.name, &error);
            let view =
                View { axis: wanted.axis(), size: [wanted.resolution; 2], threaded: is_large(wanted, rest) };
            let answer = body.look(&mut self.looker, &view, rest, &mut times).map_err(refused)?;
            body.add_to(&mut findings, &answer, rest);
        }
        let start = Instant::now();
        let pairs = self.pairs(meshes, wanted, &mut findings, &mut writer)?;
        times.pairs = milliseconds(start);
        let all = self.bodies.iter_mut().zip(findings.own()).zip(meshes);
        let described = all.map(|((body, own), rest)| {
            body.described(own, wanted, rest, &mut writer).map_err(|error| refusal(&rest.name, &error))
        });
        let described = described.collect::<Result<_, _>>()?;
        let (device, note) = (self.looker.device_name().unwrap_or("processor"), self.looker.note());
        let document = FrameDocument { bodies: described, pairs, device, note, milliseconds: times };
        Ok(writer.finish(&document))
    }

    /// What the bodies share in pairs; those whose boxes are apart are left out.
    fn pairs(
        &mut self,
        meshes: &[Arc<Rest>],
        wanted: &Wanted,
        findings: &mut Findings,
        writer: &mut Writer,
    ) -> Result<Vec<SentPair>, Refusal> {
        let surfaces: Vec<Surface> = self
            .bodies
            .iter()
            .zip(meshes)
            .map(|(body, rest)| Surface { vertices: &body.vertices, faces: &rest.body.faces })
            .collect();
        let view = View {
            axis: wanted.axis(),
            size: [wanted.resolution; 2],
            threaded: meshes.iter().any(|rest| is_large(wanted, rest)),
        };
        let pairs =
            self.pairs.pairs(&surfaces, &view).map_err(|e| refusal(&meshes[e.body].name, &e.error))?;
        for pair in pairs {
            let Pair { bodies, grid, volume, faults: [a, b], .. } = pair;
            let own = examine::Pair {
                bodies: *bodies,
                volume: *volume,
                collides: pair.collides(),
                grids: vec![*grid],
            };
            findings.add_pair(own, [a, b]);
        }
        // After all pairs: each of them may show that a body is not sound.
        let described = |(pair, found): (&Pair, &examine::Pair)| {
            let volume = findings.known_volume(found);
            SentPair {
                bodies: pair.bodies,
                volume: volume.map(|one| one.volume),
                volume_error: volume.map(|one| one.error),
                grid: sent_grid(&pair.grid),
                intervals: writer.shared(&pair.shared),
            }
        };
        Ok(pairs.iter().zip(findings.pairs()).map(described).collect())
    }
}

impl Body {
    fn deform(&mut self, wanted: &BodyWanted, rest: &Rest) {
        self.vertices.clear();
        self.vertices.extend_from_slice(&rest.body.vertices);
        self.spare.resize(rest.body.vertices.len(), Vec3::ZERO);
        if let Some(frame) = Frame::of(&rest.body.vertices, wanted.along) {
            for step in wanted.deformations() {
                step.apply(&frame, &self.vertices, &rest.body.faces, &mut self.spare);
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
        looker: &mut Looker,
        view: &View,
        rest: &Rest,
        times: &mut Milliseconds,
    ) -> Result<Answer, LayerError> {
        let surface = Surface { vertices: &self.vertices, faces: &rest.body.faces };
        let answer = looker.draw(surface, view, &mut self.layers)?;
        let spent = self.layers.milliseconds;
        times.snap += spent.snap;
        times.render += spent.render;
        times.sort += spent.sort;
        times.occupancy += spent.occupancy;
        Ok(answer)
    }

    /// Hands over what the view of this frame saw.
    fn add_to(&self, findings: &mut Findings, answer: &Answer, rest: &Rest) {
        let (image, occupancy) = (&self.layers.image, &self.layers.occupancy);
        let place = |one: &Fault| Place { kind: one.kind, point: one.point(image), face: one.face(image) };
        let faults = &mut occupancy.faults.iter().map(place);
        findings
            .add_body(rest.body.is_closed, examine::View { grids: &[image.grid], answer: *answer, faults });
    }

    /// The body as it is sent to a page.
    fn described(
        &mut self,
        own: &Own,
        wanted: &Wanted,
        rest: &Rest,
        writer: &mut Writer,
    ) -> Result<SentBody, LayerError> {
        let surface = Surface { vertices: &self.vertices, faces: &rest.body.faces };
        let bounds = surface.bounds()?;
        let (faces, marked) = self.layers.involved(surface);
        let faces = faces.iter().filter(|&&one| one).count();
        let marks = writer.marks(marked);
        vertex_normals(&self.vertices, &rest.body.faces, &mut self.spare);
        let origin = bounds.center();
        let (image, occupancy) = (&self.layers.image, &self.layers.occupancy);
        let shows_layers = wanted.layers && image.fragments.len() <= MOST_DEPTHS;
        let volume = own.known_volume();
        Ok(SentBody {
            mesh: rest.id.clone(),
            vertices: self.vertices.len(),
            triangles: rest.body.faces.len(),
            origin: origin.to_array(),
            bounds: [bounds.min.to_array(), bounds.max.to_array()],
            self_collision: own.collides,
            volume: volume.map(|one| one.volume),
            volume_error: volume.map(|one| one.error),
            max_overlap: own.max_overlap,
            layers_max: own.layers_max,
            depths: image.fragments.len(),
            faces,
            sound: own.is_sound,
            closed: rest.body.is_closed,
            open_edges: rest.body.ill_edges.len(),
            faults: own.fault_count,
            fault_places: own.faults.iter().map(|place| place.point.to_array()).collect(),
            grid: sent_grid(&image.grid),
            positions: writer.positions(&self.vertices, origin),
            normals: writer.normals(&self.spare),
            marks,
            intervals: writer.intervals(&occupancy.intervals),
            layers: shows_layers.then(|| writer.layers(image)),
        })
    }
}

/// Whether it is worth it to wake other threads: small frames are done before those are there.
fn is_large(wanted: &Wanted, rest: &Rest) -> bool {
    rest.body.faces.len() > 60_000 || wanted.resolution > 256
}

fn sent_grid(grid: &Grid) -> LayerGrid {
    LayerGrid {
        axis: grid.axis.index(),
        origin: grid.origin,
        size: grid.size,
        pixel: grid.pixel,
        step: grid.step(),
    }
}

fn refusal(name: &str, error: &LayerError) -> Refusal {
    Refusal::new("layers", format!("{name}: {error}")).help("less of a deformation may help")
}

fn milliseconds(since: Instant) -> f64 {
    1000.0 * since.elapsed().as_secs_f64()
}
