//! The work: every mesh for itself, then all pairs.

use super::super::Failure;
use super::body::Body;
use super::scene::Column;
use super::{Arguments, Device, Direction, milliseconds};
use freiraum::deform::bodies::{Bodies, common};
use freiraum::deform::{
    Axis, Fault, FaultKind, Grid, LayerError, LayeredImage, Layers, Surface, View, Volume,
};
use freiraum::geometry::{AxisBox, Vec3};
use std::time::Instant;

/// Places of one mesh that are told.
const MOST_PLACES: usize = 100;

/// All that was found.
pub(super) struct Found {
    pub(super) own: Vec<Own>,
    pub(super) pairs: Vec<Pair>,
    pub(super) times: Times,
    pub(super) device: &'static str,
    pub(super) device_name: Option<String>,
    /// Why it is not the device that was asked for.
    pub(super) note: Option<String>,
    /// The collision volume, if a picture is wanted.
    pub(super) columns: Vec<Column>,
}

/// What a mesh does to itself.
pub(super) struct Own {
    /// One grid, or one along every axis.
    pub(super) grids: Vec<Grid>,
    pub(super) collides: bool,
    /// Along the axis with the smallest error.
    pub(super) volume: Volume,
    pub(super) max_overlap: u32,
    pub(super) layers_max: u32,
    /// Those that bound an overlap, with itself or with others.
    pub(super) faces: Vec<bool>,
    /// Corners of those in an overlap with itself.
    pub(super) vertices: Vec<bool>,
    pub(super) faults: Vec<Place>,
    pub(super) fault_count: usize,
    /// Rays where nothing is wrong.
    pub(super) is_sound: bool,
}

/// Where a mesh is ill, as a ray has seen it.
pub(super) struct Place {
    pub(super) kind: &'static str,
    pub(super) point: Vec3,
    pub(super) face: u32,
}

/// Two meshes.
pub(super) struct Pair {
    pub(super) bodies: [usize; 2],
    pub(super) volume: Volume,
    pub(super) collides: bool,
    /// Empty where the boxes are apart: nothing can be missed.
    pub(super) grids: Vec<Grid>,
}

/// Milliseconds by stage.
#[derive(Clone, Copy, Default)]
pub(super) struct Times {
    pub(super) read: f64,
    pub(super) deform: f64,
    pub(super) snap: f64,
    pub(super) render: f64,
    pub(super) sort: f64,
    pub(super) occupancy: f64,
    pub(super) pairs: f64,
    pub(super) picture: Option<f64>,
}

/// What the exit code says.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Verdict {
    Free,
    Collision,
    Unsound,
}

impl Found {
    pub(super) fn verdict(&self) -> Verdict {
        if self.own.iter().any(|own| !own.is_sound) {
            Verdict::Unsound
        } else if self.own.iter().any(|own| own.collides) || self.pairs.iter().any(|pair| pair.collides) {
            Verdict::Collision
        } else {
            Verdict::Free
        }
    }

    /// A ball of this diameter in an overlap would have been seen.
    pub(super) fn sure_width(&self) -> f64 {
        let own = self.own.iter().map(|own| sure_width(&own.grids));
        own.chain(self.pairs.iter().map(|pair| sure_width(&pair.grids))).fold(0.0, f64::max)
    }
}

impl Times {
    pub(super) fn stages(&self) -> Vec<(&'static str, f64)> {
        let mut stages = vec![
            ("read", self.read),
            ("deform", self.deform),
            ("snap", self.snap),
            ("render", self.render),
            ("sort", self.sort),
            ("occupancy", self.occupancy),
            ("pairs", self.pairs),
        ];
        stages.extend(self.picture.map(|time| ("picture", time)));
        stages
    }
}

/// The diameter of a ball that is seen along one of these grids at the least: some ray passes well within.
fn sure_width(grids: &[Grid]) -> f64 {
    let one = |grid: &Grid| grid.pixel[0].hypot(grid.pixel[1]) + 2.0 * grid.snapping().length();
    grids.iter().map(one).reduce(f64::min).unwrap_or(0.0)
}

pub(super) fn solve(bodies: &[Body], arguments: &Arguments) -> Result<Found, Failure> {
    let mut found = Found {
        own: Vec::with_capacity(bodies.len()),
        pairs: Vec::new(),
        times: Times::default(),
        device: "cpu",
        device_name: None,
        note: None,
        columns: Vec::new(),
    };
    if arguments.device == Device::Gpu {
        found.note = Some("there is no graphics processor for this yet: the processor did it".to_owned());
    }
    let mut layers = Layers::default();
    for body in bodies {
        let own = look(body, arguments, &mut layers, &mut found)
            .map_err(|error| body.failure("layers", format!("{}: {error}", body.name)))?;
        found.own.push(own);
    }
    let start = Instant::now();
    let mut looker = Bodies::default();
    for a in 0..bodies.len() {
        for b in a + 1..bodies.len() {
            let pair = pair([a, b], bodies, arguments, &mut looker, &mut found).map_err(|error| {
                let names = [a, b].map(|k| bodies[k].name.as_str()).join(" and ");
                Failure::new("layers", format!("{names}: {error}"))
            })?;
            found.pairs.push(pair);
        }
    }
    found.times.pairs = milliseconds(start);
    Ok(found)
}

/// The directions to look along, with the columns and rows for a box.
fn views(bounds: &AxisBox, arguments: &Arguments) -> Vec<View> {
    let axes = match arguments.axis {
        Direction::All => Axis::ALL.to_vec(),
        one => vec![one.one().unwrap_or(Axis::longest(bounds))],
    };
    let view = |axis: Axis| {
        let [u, v, _] = axis.order();
        let size = match arguments.conservative {
            None => arguments.resolution,
            Some(width) => [u, v].map(|k| rays(bounds.size()[k], width)),
        };
        View { axis: Some(axis), size, threaded: true }
    };
    axes.into_iter().map(view).collect()
}

/// So many pixels that their diagonal is smaller than `width`: half a percent smaller, for what snapping moves. Pairs have one more on
/// either side.
fn rays(length: f64, width: f64) -> u32 {
    (1.005 * length * std::f64::consts::SQRT_2 / width).ceil().clamp(1.0, 1e9) as u32 + 2
}

fn pair(
    names: [usize; 2],
    bodies: &[Body],
    arguments: &Arguments,
    looker: &mut Bodies,
    found: &mut Found,
) -> Result<Pair, LayerError> {
    let surfaces: [Surface; 2] = names.map(|k| bodies[k].surface());
    let region = common(&surfaces[0].bounds()?, &surfaces[1].bounds()?);
    let mut answer = Pair { bodies: names, volume: Volume::default(), collides: false, grids: Vec::new() };
    if !(region.size().min_element() > 0.0) {
        return Ok(answer);
    }
    answer.volume.error = f64::INFINITY;
    for view in views(&region, arguments) {
        let pairs = looker.pairs(&surfaces, &view).map_err(|error| error.error)?;
        for pair in pairs {
            answer.grids.push(pair.grid);
            answer.collides |= pair.collides();
            if pair.volume.error < answer.volume.error {
                answer.volume = pair.volume;
            }
            for shared in &pair.shared {
                for (side, body) in shared.sides.into_iter().map(|side| (side, names[side.body])) {
                    found.own[body].faces[side.face as usize] = true;
                }
                if arguments.png.is_some() {
                    let normals = shared.sides.map(|side| surfaces[side.body].normal(side.face));
                    let depths = [shared.start, shared.end];
                    found.columns.push(Column::of(&pair.grid, shared.pixel, depths, normals));
                }
            }
        }
    }
    Ok(answer)
}

fn look(
    body: &Body,
    arguments: &Arguments,
    layers: &mut Layers,
    found: &mut Found,
) -> Result<Own, LayerError> {
    let surface = body.surface();
    let bounds = surface.bounds()?;
    let mut own = Own {
        grids: Vec::new(),
        collides: false,
        volume: Volume { volume: 0.0, error: f64::INFINITY },
        max_overlap: 0,
        layers_max: 0,
        faces: vec![false; body.faces.len()],
        vertices: vec![false; body.vertices.len()],
        faults: Vec::new(),
        fault_count: 0,
        is_sound: body.open_edges.is_empty(),
    };
    for view in views(&bounds, arguments) {
        let answer = layers.self_collision(surface, &view)?;
        let (occupancy, image) = (&layers.occupancy, &layers.image);
        own.collides |= answer.self_collision;
        own.max_overlap = own.max_overlap.max(answer.max_overlap);
        own.layers_max = own.layers_max.max(answer.layers_max);
        own.is_sound &= occupancy.is_sound();
        own.fault_count += answer.faults;
        let room = MOST_PLACES.saturating_sub(own.faults.len());
        own.faults.extend(occupancy.faults.iter().take(room).map(|fault| Place::of(fault, image)));
        own.grids.push(image.grid);
        if answer.volume.error < own.volume.error {
            own.volume = answer.volume;
        }
        if arguments.png.is_some() {
            found.columns.extend(occupancy.intervals.iter().map(|interval| {
                let normals = [interval.first, interval.last]
                    .map(|fragment| surface.normal(image.fragments[fragment as usize].face()));
                Column::of(&image.grid, interval.pixel, [interval.start, interval.end], normals)
            }));
        }
        let (faces, vertices) = layers.involved(surface);
        own.faces.iter_mut().zip(faces).for_each(|(all, &one)| *all |= one);
        own.vertices.iter_mut().zip(vertices).for_each(|(all, &one)| *all |= one);
        let times = layers.milliseconds;
        found.times.snap += times.snap;
        found.times.render += times.render;
        found.times.sort += times.sort;
        found.times.occupancy += times.occupancy;
    }
    Ok(own)
}

impl Place {
    fn of(fault: &Fault, image: &LayeredImage) -> Place {
        let kind = match fault.kind {
            FaultKind::Open => "open",
            FaultKind::Inverted => "inverted",
        };
        Place { kind, point: fault.point(image), face: fault.face(image) }
    }
}
