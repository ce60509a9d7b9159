//! The work: every mesh for itself, then all pairs.

use super::super::Failure;
use super::body::Body;
use super::{Arguments, milliseconds};
use freiraum::deform::bodies::Place;
use freiraum::deform::grid::MAX_SIZE;
use freiraum::deform::looker::{Looker, Seen};
use freiraum::deform::occupancy::mark_vertices;
use freiraum::deform::thin::{Look, Plate, least_ball, least_plate};
use freiraum::deform::{FaultKind, Grid, LayerError, Volume};
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
    /// Those among the faults that are holes.
    pub(super) open_count: usize,
    /// No edge that is ill, no ray on which something is wrong.
    pub(super) is_sound: bool,
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
        let best = |grids: &[Grid]| grids.iter().map(least_ball).fold(f64::INFINITY, f64::min);
        (self.verdict() != Verdict::Unsound).then(|| self.views().map(best).fold(0.0, f64::max))
    }

    /// So would a plate like this, whatever its direction; `None` also if not all axes were looked along.
    pub(super) fn certain_plate(&self) -> Option<Plate> {
        self.certain_ball()?;
        let plates: Option<Vec<Plate>> = self.views().map(least_plate).collect();
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
    let mut looker = Looker::new(arguments.device.into());
    let look = arguments.look();
    let mut found = Found {
        own: Vec::with_capacity(bodies.len()),
        pairs: Vec::new(),
        times,
        device: "cpu",
        device_name: None,
        note: None,
    };
    for body in bodies {
        let seen = looker
            .self_collision(body.surface(), &look)
            .map_err(|error| body.failure("layers", format!("{}: {}", body.name, said(error))))?;
        seen.stages.iter().for_each(|&(stage, time)| found.times.add(stage, time));
        found.own.push(Own::of(body, seen));
    }
    let start = Instant::now();
    for a in 0..bodies.len() {
        for b in a + 1..bodies.len() {
            let pair = pair([a, b], bodies, &look, &mut looker, &mut found.own).map_err(|error| {
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
    found.device_name = looker.device_name().map(str::to_owned);
    found.device = if found.device_name.is_some() { "gpu" } else { "cpu" };
    found.note = looker.note().map(str::to_owned);
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

impl Own {
    fn of(body: &Body, seen: &Seen) -> Own {
        let mut own = Own {
            grids: seen.grids.clone(),
            collides: seen.answer.self_collision,
            volume: seen.answer.volume,
            max_overlap: seen.answer.max_overlap,
            layers_max: seen.answer.layers_max,
            faces: seen.faces.clone(),
            vertices: Vec::new(),
            faults: Vec::new(),
            fault_count: 0,
            open_count: 0,
            is_sound: body.is_closed,
        };
        own.add(&seen.faults);
        own
    }

    fn add(&mut self, faults: &[Place]) {
        self.is_sound &= faults.is_empty();
        self.fault_count += faults.len();
        self.open_count += faults.iter().filter(|place| place.kind == FaultKind::Open).count();
        let room = MOST_PLACES.saturating_sub(self.faults.len());
        self.faults.extend(faults.iter().take(room));
    }
}

fn pair(
    names: [usize; 2],
    bodies: &[Body],
    look: &Look,
    looker: &mut Looker,
    own: &mut [Own],
) -> Result<Pair, LayerError> {
    let seen = looker.pair(names.map(|k| bodies[k].surface()), look)?;
    for (k, body) in names.into_iter().enumerate() {
        let own = &mut own[body];
        own.faces.iter_mut().zip(&seen.faces[k]).for_each(|(all, &one)| *all |= one);
        own.add(&seen.faults[k]);
    }
    Ok(Pair { bodies: names, volume: seen.volume, collides: seen.collides, grids: seen.grids.clone() })
}
