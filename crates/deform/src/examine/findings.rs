//! What follows from all views of all bodies and pairs.

use crate::bodies::Place;
use crate::grid::Grid;
use crate::layers::Answer;
use crate::occupancy::FaultKind;
use crate::thin::{Plate, least_ball, least_plate};
use crate::volume::Volume;

/// Places of one body at which rays found it defective: at most this many are kept, all are counted.
pub const MOST_PLACES: usize = 200;

/// Bodies and pairs, and what is known of them. See [the module](super) for what is sound.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Findings {
    own: Vec<Own>,
    pairs: Vec<Pair>,
}

/// What a body does to itself.
#[derive(Clone, Debug, PartialEq)]
pub struct Own {
    /// One grid, or one along every axis.
    pub grids: Vec<Grid>,
    /// Whether some view saw an overlap.
    pub collides: bool,
    /// Of the view with the smallest error among those that saw an overlap; [`Own::known_volume`] says
    /// whether it holds.
    pub volume: Volume,
    /// How often it occupies the place it occupies most often.
    pub max_overlap: u32,
    /// Most layers of a ray.
    pub layers_max: u32,
    /// The first [`MOST_PLACES`] places where a ray found it open or inside out, those of its own views
    /// first.
    pub faults: Vec<Place>,
    /// The number of all such rays.
    pub fault_count: usize,
    /// The number of those that found a hole.
    pub open_count: usize,
    /// Closed as it is written, and defective on no ray.
    pub is_sound: bool,
}

/// What two bodies share.
#[derive(Clone, Debug, PartialEq)]
pub struct Pair {
    /// Numbers of the bodies.
    pub bodies: [usize; 2],
    /// Of the view with the smallest error; [`Findings::known_volume`] says whether it holds.
    pub volume: Volume,
    /// Whether some view saw an overlap.
    pub collides: bool,
    /// Empty where the boxes are apart: nothing can be missed.
    pub grids: Vec<Grid>,
}

/// What the views of one body saw.
pub struct View<'a> {
    /// One grid, or one along every axis.
    pub grids: &'a [Grid],
    /// What they say together.
    pub answer: Answer,
    /// One place for each ray that found the body defective.
    pub faults: &'a mut dyn Iterator<Item = Place>,
}

/// What is said of all bodies together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// All surfaces are sound, and no overlap was found.
    Free,
    /// All surfaces are sound, and some overlap was found.
    Collision,
    /// Some surface is not sound: nothing holds for all of them.
    Unsound,
}

impl Verdict {
    /// The verdict as a key, for programs.
    #[must_use]
    pub fn key(self) -> &'static str {
        match self {
            Verdict::Free => "free",
            Verdict::Collision => "collision",
            Verdict::Unsound => "unsound",
        }
    }
}

impl Findings {
    /// The next body: whether its faces bound solids as they are written, and what its views saw.
    pub fn add_body(&mut self, is_closed: bool, view: View) {
        let View { grids, answer, faults } = view;
        let mut own = Own {
            grids: grids.to_vec(),
            collides: answer.self_collision,
            volume: answer.volume,
            max_overlap: answer.max_overlap,
            layers_max: answer.layers_max,
            faults: Vec::new(),
            fault_count: 0,
            open_count: 0,
            is_sound: is_closed,
        };
        own.add(faults);
        self.own.push(own);
    }

    /// A pair of bodies that were added, and where rays found each of them defective.
    pub fn add_pair(&mut self, pair: Pair, faults: [&[Place]; 2]) {
        for (body, faults) in pair.bodies.into_iter().zip(faults) {
            self.own[body].add(&mut faults.iter().copied());
        }
        self.pairs.push(pair);
    }

    /// Every body, in the order in which they were added.
    #[must_use]
    pub fn own(&self) -> &[Own] {
        &self.own
    }

    /// Every pair, in the order in which they were added.
    #[must_use]
    pub fn pairs(&self) -> &[Pair] {
        &self.pairs
    }

    /// What is said of all bodies together.
    #[must_use]
    pub fn verdict(&self) -> Verdict {
        if self.own.iter().any(|own| !own.is_sound) {
            Verdict::Unsound
        } else if self.own.iter().any(|own| own.collides) || self.pairs.iter().any(|pair| pair.collides) {
            Verdict::Collision
        } else {
            Verdict::Free
        }
    }

    /// Whether some body overlaps itself; `None` if none was found to, and some body is not sound.
    #[must_use]
    pub fn self_collision(&self) -> Option<bool> {
        known(self.own.iter().any(|own| own.collides), self.verdict() != Verdict::Unsound)
    }

    /// The sum of the volumes in which bodies overlap themselves; `None` if some body is not sound.
    #[must_use]
    pub fn self_volume(&self) -> Option<Volume> {
        let sum = |of: fn(&Volume) -> f64| self.own.iter().map(|own| of(&own.volume)).sum();
        let all = Volume { volume: sum(|one| one.volume), error: sum(|one| one.error) };
        (self.verdict() != Verdict::Unsound).then_some(all)
    }

    /// Whether both bodies of a pair are sound.
    #[must_use]
    pub fn is_sound(&self, pair: &Pair) -> bool {
        pair.bodies.iter().all(|&body| self.own[body].is_sound)
    }

    /// Whether the bodies of a pair overlap; `None` if they were not found to, and one of them is not sound.
    #[must_use]
    pub fn known_collision(&self, pair: &Pair) -> Option<bool> {
        known(pair.collides, self.is_sound(pair))
    }

    /// The volume that a pair shares; `None` if one of the bodies is not sound.
    #[must_use]
    pub fn known_volume(&self, pair: &Pair) -> Option<Volume> {
        self.is_sound(pair).then_some(pair.volume)
    }

    /// Diameter of a ball, in metres, that cannot lie in an overlap without having been seen; `None` if a
    /// surface is not sound: then nothing is certain.
    #[must_use]
    pub fn certain_ball(&self) -> Option<f64> {
        let best = |grids: &[Grid]| grids.iter().map(least_ball).fold(f64::INFINITY, f64::min);
        (self.verdict() != Verdict::Unsound).then(|| self.views().map(best).fold(0.0, f64::max))
    }

    /// A plate that cannot lie in an overlap, in any direction, without having been seen; `None` also where
    /// the views are not along all three axes.
    #[must_use]
    pub fn certain_plate(&self) -> Option<Plate> {
        self.certain_ball()?;
        let plates: Option<Vec<Plate>> = self.views().map(least_plate).collect();
        plates?.into_iter().reduce(|a, b| Plate {
            diameter: a.diameter.max(b.diameter),
            thickness: a.thickness.max(b.thickness),
        })
    }

    /// The grids of every body and of every pair that has some.
    fn views(&self) -> impl Iterator<Item = &[Grid]> {
        let own = self.own.iter().map(|own| own.grids.as_slice());
        own.chain(self.pairs.iter().map(|pair| pair.grids.as_slice())).filter(|grids| !grids.is_empty())
    }
}

impl Own {
    /// Whether it overlaps itself; `None` if it was not found to, and is not sound.
    #[must_use]
    pub fn known_collision(&self) -> Option<bool> {
        known(self.collides, self.is_sound)
    }

    /// The volume in which it overlaps itself; `None` if it is not sound.
    #[must_use]
    pub fn known_volume(&self) -> Option<Volume> {
        self.is_sound.then_some(self.volume)
    }

    fn add(&mut self, faults: &mut dyn Iterator<Item = Place>) {
        for place in faults {
            self.is_sound = false;
            self.fault_count += 1;
            self.open_count += usize::from(place.kind == FaultKind::Open);
            if self.faults.len() < MOST_PLACES {
                self.faults.push(place);
            }
        }
    }
}

/// Nothing found on a defective surface is no answer.
fn known(found: bool, is_sound: bool) -> Option<bool> {
    (found || is_sound).then_some(found)
}
