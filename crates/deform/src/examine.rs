//! One decision about several bodies: which of them overlap, by how much, and whether that can be said at
//! all.
//!
//! [`Body::of`] reads off a mesh where its surface is not closed, [`examine()`] looks at every body and at
//! every pair, and [`Findings`] says what follows. A program that draws the layers itself, frame by frame,
//! hands what it saw to [`Findings::add_body`] and [`Findings::add_pair`], and gets the same decision.
//!
//! **Soundness.** A body is sound if its faces bound solids as they are written ([`Body::is_closed`]) and no
//! ray, of its own views or of those of its pairs, found it open or inside out. A volume, and the answer "no
//! overlap", are known only of what is sound: of a body if it is, of a pair if both bodies are. An overlap
//! that was found is always reported.

mod body;
mod findings;

pub use body::{Body, Doubled, EdgeKind, IllEdge};
pub use findings::{Findings, MOST_PLACES, Own, Pair, Verdict, View};

use crate::grid::LayerError;
use crate::layers::Surface;
use crate::looker::Looker;
use crate::occupancy::mark_vertices;
use crate::thin::Look;
use std::time::Instant;

/// A body as it is now.
#[derive(Clone, Copy, Debug)]
pub struct Subject<'a> {
    /// Where its vertices are now.
    pub surface: Surface<'a>,
    /// [`Body::is_closed`] of the mesh that it was made of: deformations do not change faces.
    pub is_closed: bool,
}

impl<'a> From<&'a Body> for Subject<'a> {
    fn from(body: &'a Body) -> Subject<'a> {
        Subject { surface: body.surface(), is_closed: body.is_closed }
    }
}

/// The faces and vertices of one body that bound or lie in an overlap, with itself or with others.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Marks {
    /// One entry for every face.
    pub faces: Vec<bool>,
    /// One entry for every vertex: whether it is a corner of such a face.
    pub vertices: Vec<bool>,
}

/// All that [`examine()`] found.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Examination {
    /// What follows for bodies and pairs.
    pub findings: Findings,
    /// One for every body.
    pub marks: Vec<Marks>,
    /// Milliseconds by stage, in the order in which the stages began: those of
    /// [`crate::looker::Seen::stages`], summed over the bodies, then `pairs`.
    pub stages: Vec<(&'static str, f64)>,
}

/// Which body or pair cannot be examined, and why.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ExamineError {
    /// A body by itself.
    #[error("body {0}: {1}")]
    Body(usize, LayerError),
    /// Two bodies together.
    #[error("bodies {first} and {second}: {1}", first = .0[0], second = .0[1])]
    Pair([usize; 2], LayerError),
}

/// Looks at every body by itself and at every pair, and decides.
///
/// **Guarantee.** The same with any number of threads and on any device. What [`Findings::certain_ball`] and
/// [`Findings::certain_plate`] state is not missed; "no overlap" is no proof beyond that.
///
/// **Errors.** A body without vertices, one with a coordinate that is not finite, or more rays than
/// [`crate::grid::MAX_SIZE`] each way.
pub fn examine(subjects: &[Subject], look: &Look, looker: &mut Looker) -> Result<Examination, ExamineError> {
    let mut found = Examination::default();
    for (number, subject) in subjects.iter().enumerate() {
        let seen = looker
            .self_collision(subject.surface, look)
            .map_err(|error| ExamineError::Body(number, error))?;
        seen.stages.iter().for_each(|&(stage, time)| found.add_time(stage, time));
        found.marks.push(Marks { faces: seen.faces.clone(), vertices: Vec::new() });
        let view = View { grids: &seen.grids, answer: seen.answer, faults: &mut seen.faults.iter().copied() };
        found.findings.add_body(subject.is_closed, view);
    }
    let start = Instant::now();
    for a in 0..subjects.len() {
        for b in a + 1..subjects.len() {
            found.look_at_pair([a, b], subjects, look, looker)?;
        }
    }
    found.add_time("pairs", 1e3 * start.elapsed().as_secs_f64());
    for (subject, marks) in subjects.iter().zip(&mut found.marks) {
        let Surface { vertices, faces } = subject.surface;
        mark_vertices(faces, &marks.faces, vertices.len(), &mut marks.vertices);
    }
    Ok(found)
}

impl Examination {
    fn add_time(&mut self, stage: &'static str, time: f64) {
        match self.stages.iter_mut().find(|one| one.0 == stage) {
            Some(one) => one.1 += time,
            None => self.stages.push((stage, time)),
        }
    }

    fn look_at_pair(
        &mut self,
        bodies: [usize; 2],
        subjects: &[Subject],
        look: &Look,
        looker: &mut Looker,
    ) -> Result<(), ExamineError> {
        let surfaces = bodies.map(|body| subjects[body].surface);
        let seen = looker.pair(surfaces, look).map_err(|error| ExamineError::Pair(bodies, error))?;
        for (body, faces) in bodies.into_iter().zip(&seen.faces) {
            let all = &mut self.marks[body].faces;
            all.iter_mut().zip(faces).for_each(|(all, &one)| *all |= one);
        }
        let pair = Pair { bodies, volume: seen.volume, collides: seen.collides, grids: seen.grids.clone() };
        self.findings.add_pair(pair, [&seen.faults[0], &seen.faults[1]]);
        Ok(())
    }
}
