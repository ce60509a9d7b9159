//! The work: every mesh for itself, then all pairs.

use super::super::Failure;
use super::body::Body;
use super::confirm::to_confirm;
use super::device::Looker;
use super::{Arguments, Direction, milliseconds};
use freiraum::deform::bodies::common;
use freiraum::deform::grid::MAX_SIZE;
use freiraum::deform::occupancy::mark_vertices;
use freiraum::deform::thin::{Plate, least_ball, least_plate, sizes_for_width};
use freiraum::deform::{Axis, Grid, LayerError, View, Volume};
use freiraum::geometry::{AxisBox, Vec3};
use std::time::Instant;

/// Places of one mesh that are told.
const MOST_PLACES: usize = 100;

/// All that was found.
pub(super) struct Found {
    pub(super) own: Vec<Own>,
    pub(super) pairs: Vec<Pair>,
    pub(super) times: Times,
    /// `cpu` or `gpu`.
    pub(super) device: &'static str,
    pub(super) device_name: Option<String>,
    /// Why it is not the device that was asked for.
    pub(super) note: Option<String>,
}

/// What a mesh does to itself.
pub(super) struct Own {
    /// One grid, or one along every axis.
    pub(super) grids: Vec<Grid>,
    pub(super) collides: bool,
    /// Of the view with the smallest error among those that see an overlap.
    pub(super) volume: Volume,
    pub(super) max_overlap: u32,
    pub(super) layers_max: u32,
    /// Those that bound or lie in an overlap, with itself or with others.
    pub(super) faces: Vec<bool>,
    /// Their corners.
    pub(super) vertices: Vec<bool>,
    pub(super) faults: Vec<Place>,
    pub(super) fault_count: usize,
    /// Those among the faults that are holes, or of which it is not known what they are.
    pub(super) maybe_open: usize,
    /// No edge that is ill, no ray on which something is wrong.
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

/// Milliseconds by stage, in the order in which they came.
#[derive(Default)]
pub(super) struct Times(pub(super) Vec<(&'static str, f64)>);

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

    fn views(&self) -> impl Iterator<Item = &[Grid]> {
        let own = self.own.iter().map(|own| own.grids.as_slice());
        own.chain(self.pairs.iter().map(|pair| pair.grids.as_slice())).filter(|grids| !grids.is_empty())
    }

    /// A ball of this diameter in an overlap would have been seen; `None` if a surface is not sound: then nothing is certain.
    pub(super) fn certain_ball(&self) -> Option<f64> {
        let least = |grid: &Grid| least_ball(grid) + to_confirm(grid);
        let best = |grids: &[Grid]| grids.iter().map(least).fold(f64::INFINITY, f64::min);
        (self.verdict() != Verdict::Unsound).then(|| self.views().map(best).fold(0.0, f64::max))
    }

    /// So would a plate like this, whatever its direction; `None` also if not all axes were looked along.
    pub(super) fn certain_plate(&self) -> Option<Plate> {
        self.certain_ball()?;
        let plate = |grids: &[Grid]| match grids {
            [x, y, z] => {
                let more = grids.iter().map(to_confirm).fold(0.0, f64::max);
                let Plate { diameter, thickness } = least_plate([x, y, z]);
                Some(Plate { diameter: diameter + more, thickness: thickness + more })
            }
            _ => None,
        };
        let plates: Option<Vec<Plate>> = self.views().map(plate).collect();
        plates?.into_iter().reduce(|a, b| Plate {
            diameter: a.diameter.max(b.diameter),
            thickness: a.thickness.max(b.thickness),
        })
    }
}

impl Times {
    pub(super) fn add(&mut self, stage: &'static str, time: f64) {
        match self.0.iter_mut().find(|one| one.0 == stage) {
            Some(one) => one.1 += time,
            None => self.0.push((stage, time)),
        }
    }
}

pub(super) fn solve(bodies: &[Body], arguments: &Arguments, times: Times) -> Result<Found, Failure> {
    let mut looker = Looker::new(arguments.device);
    let mut found = Found {
        own: Vec::with_capacity(bodies.len()),
        pairs: Vec::new(),
        times,
        device: "cpu",
        device_name: None,
        note: None,
    };
    for body in bodies {
        let own = look(body, arguments, &mut looker, &mut found)
            .map_err(|error| body.failure("layers", format!("{}: {}", body.name, said(error))))?;
        found.own.push(own);
    }
    let start = Instant::now();
    for a in 0..bodies.len() {
        for b in a + 1..bodies.len() {
            let pair = pair([a, b], bodies, arguments, &mut looker, &mut found).map_err(|error| {
                let names = [a, b].map(|k| bodies[k].name.as_str()).join(" and ");
                Failure::new("layers", format!("{names}: {}", said(error)))
            })?;
            found.pairs.push(pair);
        }
    }
    found.times.add("pairs", milliseconds(start));
    for (body, own) in bodies.iter().zip(&mut found.own) {
        mark_vertices(&body.faces, &own.faces, body.vertices.len(), &mut own.vertices);
    }
    (found.device, found.device_name) = looker.device();
    found.note = looker.note;
    Ok(found)
}

fn said(error: LayerError) -> String {
    match error {
        LayerError::Size(columns, rows) => format!(
            "this takes {columns} x {rows} rays, and {MAX_SIZE} each way are the most; choose a larger width"
        ),
        other => other.to_string(),
    }
}

/// The directions to look along, with the columns and rows for a box.
fn views(bounds: &AxisBox, arguments: &Arguments) -> Result<Vec<View>, LayerError> {
    let view = |axis: Axis, size: [u32; 2]| View { axis: Some(axis), size, threaded: true };
    let along = match arguments.axis {
        Direction::All => None,
        // Plates may lie in any direction.
        Direction::Auto if arguments.conservative.is_some() => None,
        one => Some(one.one().unwrap_or(Axis::longest(bounds))),
    };
    Ok(match (along, arguments.conservative) {
        (None, None) => Axis::ALL.map(|axis| view(axis, arguments.resolution)).to_vec(),
        (Some(axis), None) => vec![view(axis, arguments.resolution)],
        (None, Some(width)) => {
            let sizes = sizes_for_width(bounds, width)?;
            Axis::ALL.map(|axis| view(axis, with_rim(sizes[axis.index()]))).to_vec()
        }
        (Some(axis), Some(width)) => {
            // A ball needs a pixel's diagonal, a plate √3 times as much.
            let sizes = sizes_for_width(bounds, 3f64.sqrt() * width)?;
            vec![view(axis, with_rim(sizes[axis.index()]))]
        }
    })
}

/// Grids of pairs are a pixel larger on each side than what both share.
fn with_rim(size: [u32; 2]) -> [u32; 2] {
    size.map(|n| (n + 2).min(MAX_SIZE))
}

fn look(
    body: &Body,
    arguments: &Arguments,
    looker: &mut Looker,
    found: &mut Found,
) -> Result<Own, LayerError> {
    let surface = body.surface();
    let mut own = Own {
        grids: Vec::new(),
        collides: false,
        volume: Volume::default(),
        max_overlap: 0,
        layers_max: 0,
        faces: vec![false; body.faces.len()],
        vertices: Vec::new(),
        faults: Vec::new(),
        fault_count: 0,
        maybe_open: 0,
        is_sound: body.ill_edges.is_empty(),
    };
    for view in views(&surface.bounds()?, arguments)? {
        let seen = looker.look(surface, &view, &mut found.times)?;
        let answer = seen.answer;
        if answer.self_collision {
            choose(&mut own.volume, answer.volume, own.collides);
        }
        own.collides |= answer.self_collision;
        own.max_overlap = own.max_overlap.max(answer.max_overlap);
        own.layers_max = own.layers_max.max(answer.layers_max);
        own.is_sound &= answer.faults == 0;
        own.fault_count += answer.faults;
        own.maybe_open += seen.faults.iter().filter(|place| place.kind == "open").count();
        own.grids.push(seen.grid);
        let room = MOST_PLACES.saturating_sub(own.faults.len());
        own.faults.extend(seen.faults.into_iter().take(room));
        mark(&mut own.faces, &seen.faces);
    }
    Ok(own)
}

fn pair(
    names: [usize; 2],
    bodies: &[Body],
    arguments: &Arguments,
    looker: &mut Looker,
    found: &mut Found,
) -> Result<Pair, LayerError> {
    let surfaces = names.map(|k| bodies[k].surface());
    let region = common(&surfaces[0].bounds()?, &surfaces[1].bounds()?);
    let mut pair = Pair { bodies: names, volume: Volume::default(), collides: false, grids: Vec::new() };
    if !(region.size().min_element() > 0.0) {
        return Ok(pair);
    }
    for view in views(&region, arguments)? {
        let Some(seen) = looker.pair(surfaces, &view)? else { continue };
        if seen.collides {
            choose(&mut pair.volume, seen.volume, pair.collides);
        }
        pair.collides |= seen.collides;
        pair.grids.push(seen.grid);
        for (k, body) in names.into_iter().enumerate() {
            let own = &mut found.own[body];
            mark(&mut own.faces, &seen.faces[k]);
            own.is_sound &= seen.faults[k] == 0;
            own.fault_count += seen.faults[k];
            own.maybe_open += seen.faults[k];
        }
    }
    Ok(pair)
}

/// The better of two volumes, if there is one already.
fn choose(best: &mut Volume, other: Volume, is_there: bool) {
    if !is_there || other.error < best.error {
        *best = other;
    }
}

fn mark(all: &mut [bool], more: &[bool]) {
    all.iter_mut().zip(more).for_each(|(all, &one)| *all |= one);
}
