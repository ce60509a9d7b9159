//! Looks at surfaces from one side or three, on this processor or a graphics processor, and says what all views say together.
//!
//! A graphics processor that cannot do it (it has too little memory, or is lost) leaves it to this one, with a note.

#[cfg(feature = "gpu")]
mod graphics;

use crate::bodies::{Bodies, Pair, Place, Side, common};
use crate::device::{Device, Processors, note};
#[cfg(feature = "gpu")]
use crate::gpu::GpuLayerError;
use crate::grid::{Grid, LayerError};
use crate::layers::{Answer, Layers, Surface, View};
use crate::occupancy::Fault;
use crate::thin::Look;
use crate::volume::Volume;
#[cfg(feature = "gpu")]
use graphics::Graphics;

/// What all views of a surface say about it and itself.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Seen {
    /// One grid, or one along every axis.
    pub grids: Vec<Grid>,
    /// What each of them says.
    pub answers: Vec<Answer>,
    /// Whether some view saw an overlap, the volume with the smallest error among those that did, the largest numbers, all faults.
    pub answer: Answer,
    /// For every face whether it bounds or lies in an overlap, as far as rays have met it.
    pub faces: Vec<bool>,
    /// Where it is ill, one place for each such ray of every view.
    pub faults: Vec<Place>,
    /// Milliseconds by stage, summed over the views: `snap`, `render`, `sort`, `occupancy`; `snap`, `upload`, `answer` on a graphics processor.
    pub stages: Vec<(&'static str, f64)>,
}

/// What all views of two surfaces say about what they share.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SeenPair {
    /// One grid, or one along every axis; none if the boxes are apart: then nothing can be missed.
    pub grids: Vec<Grid>,
    /// Whether some view saw an overlap.
    pub collides: bool,
    /// Its volume, with the smallest error among the views that saw one.
    pub volume: Volume,
    /// For every face of both whether it bounds the overlap, as far as rays have met it.
    pub faces: [Vec<bool>; 2],
    /// Where each of them is ill. Rays may be finer here than those of a whole surface.
    pub faults: [Vec<Place>; 2],
}

/// Looks at one surface or two after the other, and keeps its storage: one thread of this processor allocates nothing once it has grown.
#[derive(Debug, Default)]
pub struct Looker {
    layers: Layers,
    bodies: Bodies,
    seen: Seen,
    pair: SeenPair,
    #[cfg(feature = "gpu")]
    graphics: Option<Graphics>,
    note: Option<String>,
}

impl Looker {
    /// With a device, opened here and now.
    #[must_use]
    pub fn new(device: Device) -> Looker {
        let mut looker = Looker::default();
        looker.choose(device, &Processors::default());
        looker
    }

    /// From now on with this device; of `processors`, so that several may share one.
    pub fn choose(&mut self, device: Device, processors: &Processors) {
        #[cfg(feature = "gpu")]
        let reason = self.open(device, processors).err();
        #[cfg(not(feature = "gpu"))]
        let (reason, Processors {}) = (Some("built without graphics processors"), processors);
        // Whoever leaves the choice to us need not be told.
        self.note = reason.filter(|_| device == Device::Gpu).map(note);
    }

    #[cfg(feature = "gpu")]
    fn open(&mut self, device: Device, processors: &Processors) -> Result<(), freiraum_gpu::GpuError> {
        let before = self.graphics.take();
        if let Some(gpu) = processors.get(device)? {
            let same = before.filter(|graphics| graphics.is_on(&gpu));
            self.graphics = Some(same.map_or_else(|| Graphics::new(&gpu), Ok)?);
        }
        Ok(())
    }

    /// What the graphics processor that draws is called; `None` if this processor does.
    #[must_use]
    pub fn device_name(&self) -> Option<&str> {
        #[cfg(feature = "gpu")]
        if let Some(graphics) = &self.graphics {
            return Some(graphics.name());
        }
        None
    }

    /// Why it is not the device that was asked for.
    #[must_use]
    pub fn note(&self) -> Option<&str> {
        self.note.as_deref()
    }

    /// Where and how much a surface overlaps itself, by all views.
    pub fn self_collision(&mut self, surface: Surface, look: &Look) -> Result<&Seen, LayerError> {
        let bounds = surface.bounds()?;
        let seen = &mut self.seen;
        seen.grids.clear();
        seen.answers.clear();
        seen.faults.clear();
        seen.stages.clear();
        seen.answer = Answer::default();
        seen.faces.clear();
        seen.faces.resize(surface.faces.len(), false);
        for axis in look.axes(&bounds) {
            let view = View { axis: Some(axis), size: look.size(&bounds, axis)?, threaded: look.threaded };
            self.view(surface, &view)?;
            self.seen.grids.last().map_or(Ok(()), |grid| look.check(grid))?;
        }
        Ok(&self.seen)
    }

    fn view(&mut self, surface: Surface, view: &View) -> Result<(), LayerError> {
        #[cfg(feature = "gpu")]
        if let Some(graphics) = &mut self.graphics {
            match graphics.look(surface, view, &mut self.seen) {
                Ok(()) => return Ok(()),
                Err(error) => self.give_up(error)?,
            }
        }
        let answer = self.layers.self_collision(surface, view)?;
        let seen = &mut self.seen;
        seen.add(self.layers.image.grid, answer);
        let (image, occupancy, spent) =
            (&self.layers.image, &self.layers.occupancy, self.layers.milliseconds);
        let place = |one: &Fault| Place { kind: one.kind, point: one.point(image), face: one.face(image) };
        seen.faults.extend(occupancy.faults.iter().map(place));
        seen.spent("snap", spent.snap);
        seen.spent("render", spent.render);
        seen.spent("sort", spent.sort);
        seen.spent("occupancy", spent.occupancy);
        mark(&mut seen.faces, self.layers.involved(surface).0.iter().copied());
        Ok(())
    }

    /// What two surfaces share, by all views.
    pub fn pair(&mut self, surfaces: [Surface; 2], look: &Look) -> Result<&SeenPair, LayerError> {
        let [a, b] = [surfaces[0].bounds()?, surfaces[1].bounds()?];
        let pair = &mut self.pair;
        pair.grids.clear();
        (pair.collides, pair.volume) = (false, Volume::default());
        for (k, surface) in surfaces.iter().enumerate() {
            pair.faces[k].clear();
            pair.faces[k].resize(surface.faces.len(), false);
            pair.faults[k].clear();
        }
        let region = common(&a, &b);
        if region.size().min_element() > 0.0 {
            for axis in look.axes(&region) {
                let grid = look.pair_grid(surfaces, &region, &a.union(&b), axis)?;
                self.view_of_both(surfaces, &grid, look.threaded)?;
            }
        }
        Ok(&self.pair)
    }

    fn view_of_both(
        &mut self,
        surfaces: [Surface; 2],
        grid: &Grid,
        threaded: bool,
    ) -> Result<(), LayerError> {
        #[cfg(feature = "gpu")]
        if let Some(graphics) = &mut self.graphics
            && surfaces.iter().all(|surface| !surface.faces.is_empty())
        {
            match graphics.pair(surfaces, grid, &mut self.pair) {
                Ok(()) => return Ok(()),
                Err(error) => self.give_up(error)?,
            }
        }
        let found = self.bodies.pair_on(surfaces, grid, threaded)?;
        self.pair.add(*grid, found.collides(), found.volume);
        for side in sides(found) {
            self.pair.faces[side.body][side.face as usize] = true;
        }
        for (all, more) in self.pair.faults.iter_mut().zip(&found.faults) {
            all.extend_from_slice(more);
        }
        Ok(())
    }

    /// As [`Layers::self_collision`], with the image drawn by the device; the rest is done here.
    pub fn draw(&mut self, surface: Surface, view: &View, layers: &mut Layers) -> Result<Answer, LayerError> {
        #[cfg(feature = "gpu")]
        if let Some(graphics) = &mut self.graphics {
            match graphics.draw(surface, view, layers) {
                Ok(answer) => return Ok(answer),
                Err(error) => self.give_up(error)?,
            }
        }
        layers.self_collision(surface, view)
    }

    /// A graphics processor that cannot do it leaves it to this one; input that nobody can work with is an error.
    #[cfg(feature = "gpu")]
    fn give_up(&mut self, error: GpuLayerError) -> Result<(), LayerError> {
        match error {
            GpuLayerError::Layers(error) => Err(error),
            GpuLayerError::Gpu(error) => {
                self.note = Some(note(error));
                self.graphics = None;
                Ok(())
            }
        }
    }
}

/// All faces that bound what is shared.
fn sides(pair: &Pair) -> impl Iterator<Item = Side> {
    pair.shared.iter().flat_map(|one| one.sides).chain(pair.coincident.iter().copied())
}

impl Seen {
    fn add(&mut self, grid: Grid, answer: Answer) {
        let all = &mut self.answer;
        if answer.self_collision && (!all.self_collision || answer.volume.error < all.volume.error) {
            all.volume = answer.volume;
        }
        all.self_collision |= answer.self_collision;
        all.max_overlap = all.max_overlap.max(answer.max_overlap);
        all.layers_max = all.layers_max.max(answer.layers_max);
        all.faults += answer.faults;
        self.grids.push(grid);
        self.answers.push(answer);
    }

    fn spent(&mut self, stage: &'static str, time: f64) {
        match self.stages.iter_mut().find(|one| one.0 == stage) {
            Some(one) => one.1 += time,
            None => self.stages.push((stage, time)),
        }
    }
}

impl SeenPair {
    fn add(&mut self, grid: Grid, collides: bool, volume: Volume) {
        if collides && (!self.collides || volume.error < self.volume.error) {
            self.volume = volume;
        }
        self.collides |= collides;
        self.grids.push(grid);
    }
}

fn mark(all: &mut [bool], more: impl Iterator<Item = bool>) {
    all.iter_mut().zip(more).for_each(|(all, one)| *all |= one);
}
