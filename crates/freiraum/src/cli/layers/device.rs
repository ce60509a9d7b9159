//! Who looks: this processor, or a graphics processor where there is one. The answers are the same, to the bit.

use super::Device;
use super::confirm::is_real;
use super::solve::{Place, Times};
use freiraum::deform::bodies::{Bodies, BodyError, Shared};
use freiraum::deform::{Answer, FaultKind, Grid, Interval, LayerError, Layers, Surface, View, Volume};

/// What one view of a surface shows.
pub(super) struct Seen {
    pub(super) answer: Answer,
    pub(super) grid: Grid,
    pub(super) faults: Vec<Place>,
    /// For every face whether it bounds or lies in an overlap.
    pub(super) faces: Vec<bool>,
}

/// What one view of two surfaces shows.
pub(super) struct SeenPair {
    pub(super) volume: Volume,
    pub(super) collides: bool,
    pub(super) grid: Grid,
    /// Of both surfaces.
    pub(super) faces: [Vec<bool>; 2],
    /// Rays on which each of them is ill: they may be finer than those of the whole surface.
    pub(super) faults: [usize; 2],
}

/// Looks at one surface or two after the other, and keeps its storage.
pub(super) struct Looker {
    layers: Layers,
    bodies: Bodies,
    #[cfg(feature = "gpu")]
    graphics: Option<graphics::Graphics>,
    /// Why it is not who was asked for.
    pub(super) note: Option<String>,
}

impl Looker {
    pub(super) fn new(device: Device) -> Looker {
        let mut looker = Looker {
            layers: Layers::default(),
            bodies: Bodies::default(),
            #[cfg(feature = "gpu")]
            graphics: None,
            note: None,
        };
        if device == Device::Cpu {
            return looker;
        }
        #[cfg(feature = "gpu")]
        match graphics::Graphics::open(device) {
            Ok(found) => looker.graphics = Some(found),
            Err(error) => looker.note = Some(format!("{error}: the processor does it")),
        }
        #[cfg(not(feature = "gpu"))]
        {
            looker.note = Some("built without graphics processors: the processor does it".to_owned());
        }
        looker
    }

    /// `cpu` or `gpu`, and the name of the latter.
    pub(super) fn device(&self) -> (&'static str, Option<String>) {
        #[cfg(feature = "gpu")]
        if let Some(graphics) = &self.graphics {
            return ("gpu", Some(graphics.name()));
        }
        ("cpu", None)
    }

    /// Where a surface overlaps itself.
    pub(super) fn look(
        &mut self,
        surface: Surface,
        view: &View,
        times: &mut Times,
    ) -> Result<Seen, LayerError> {
        #[cfg(feature = "gpu")]
        if let Some(graphics) = &mut self.graphics {
            match graphics.look(surface, view, times) {
                // A yes is confirmed here.
                Ok(seen) if !seen.answer.self_collision => return Ok(seen),
                Ok(_) => {}
                Err(error) => self.give_up(error)?,
            }
        }
        self.look_here(surface, view, times)
    }

    fn look_here(&mut self, surface: Surface, view: &View, times: &mut Times) -> Result<Seen, LayerError> {
        let mut answer = self.layers.self_collision(surface, view)?;
        let spent = self.layers.milliseconds;
        times.add("snap", spent.snap);
        times.add("render", spent.render);
        times.add("sort", spent.sort);
        times.add("occupancy", spent.occupancy);
        let mut faces = self.layers.involved(surface).0.to_vec();
        let (occupancy, image) = (&self.layers.occupancy, &self.layers.image);
        let end = |fragment: u32| (surface, image.fragments[fragment as usize].face());
        let is_there = |one: &Interval| is_real(&image.grid, one.length(), [end(one.first), end(one.last)]);
        if answer.self_collision && !occupancy.intervals.iter().any(is_there) {
            answer = Answer {
                self_collision: false,
                volume: Volume::default(),
                max_overlap: answer.max_overlap.min(1),
                ..answer
            };
            faces.fill(false);
        }
        let fault = |one: &freiraum::deform::Fault| Place {
            kind: kind(one.kind),
            point: one.point(image),
            face: one.face(image),
        };
        Ok(Seen { answer, grid: image.grid, faults: occupancy.faults.iter().map(fault).collect(), faces })
    }

    /// What two surfaces share; `None` if their boxes do not overlap.
    pub(super) fn pair(
        &mut self,
        surfaces: [Surface; 2],
        view: &View,
    ) -> Result<Option<SeenPair>, LayerError> {
        #[cfg(feature = "gpu")]
        if let Some(graphics) = &mut self.graphics {
            match graphics.pair(surfaces, view) {
                Ok(Some(seen)) if seen.collides => {}
                Ok(seen) => return Ok(seen),
                Err(error) => self.give_up(error)?,
            }
        }
        self.pair_here(surfaces, view)
    }

    fn pair_here(&mut self, surfaces: [Surface; 2], view: &View) -> Result<Option<SeenPair>, LayerError> {
        let pairs = self.bodies.pairs(&surfaces, view).map_err(|BodyError { error, .. }| error)?;
        let Some(pair) = pairs.first() else { return Ok(None) };
        let mut faces = surfaces.map(|surface| vec![false; surface.faces.len()]);
        let is_there = |one: &Shared| {
            is_real(&pair.grid, one.end - one.start, one.sides.map(|side| (surfaces[side.body], side.face)))
        };
        if !pair.shared.iter().any(is_there) {
            let (volume, faults) = (Volume::default(), pair.faults);
            return Ok(Some(SeenPair { volume, collides: false, grid: pair.grid, faces, faults }));
        }
        for side in pair.shared.iter().flat_map(|one| one.sides).chain(pair.coincident.iter().copied()) {
            faces[side.body][side.face as usize] = true;
        }
        Ok(Some(SeenPair {
            volume: pair.volume,
            collides: pair.collides(),
            grid: pair.grid,
            faces,
            faults: pair.faults,
        }))
    }

    /// A graphics processor that cannot do it leaves it to this one; input that nobody can work with is an error.
    #[cfg(feature = "gpu")]
    fn give_up(&mut self, error: freiraum::deform::gpu::GpuLayerError) -> Result<(), LayerError> {
        use freiraum::deform::gpu::GpuLayerError;
        match error {
            GpuLayerError::Layers(error) => Err(error),
            GpuLayerError::Gpu(error) => {
                self.note = Some(format!("{error}: the processor does it"));
                self.graphics = None;
                Ok(())
            }
        }
    }
}

fn kind(kind: FaultKind) -> &'static str {
    match kind {
        FaultKind::Open => "open",
        FaultKind::Inverted => "inverted",
    }
}

#[cfg(feature = "gpu")]
mod graphics {
    use super::{Device, Place, Seen, SeenPair, Surface, Times, View, kind};
    use freiraum::deform::gpu::{GpuBodies, GpuLayerError, GpuLayers};
    use freiraum_gpu::{Choice, Gpu, GpuError};

    /// An open graphics processor with its programs.
    pub(super) struct Graphics {
        gpu: Gpu,
        layers: GpuLayers,
        bodies: Option<GpuBodies>,
    }

    impl Graphics {
        /// A real one; one in software only if it is asked for.
        pub(super) fn open(device: Device) -> Result<Graphics, GpuError> {
            let gpu = Gpu::open(if device == Device::Gpu { Choice::Auto } else { Choice::Hardware })?;
            let layers = GpuLayers::new(&gpu)?;
            Ok(Graphics { gpu, layers, bodies: None })
        }

        pub(super) fn name(&self) -> String {
            self.gpu.name().to_owned()
        }

        pub(super) fn look(
            &mut self,
            surface: Surface,
            view: &View,
            times: &mut Times,
        ) -> Result<Seen, GpuLayerError> {
            // Checks the faces too, which the other one takes as they are.
            let grid = view.grid(&surface.bounds()?)?;
            self.layers.set_faces(surface.faces)?;
            let answer = self.layers.self_collision(surface.vertices, view)?;
            let spent = self.layers.milliseconds;
            times.add("snap", spent.bounds);
            times.add("upload", spent.upload);
            times.add("answer", spent.answer);
            let found = &self.layers.found;
            let fault = |one: &freiraum::deform::gpu::FoundFault| Place {
                kind: kind(one.kind),
                point: one.point(&grid),
                face: one.fragment.face(),
            };
            Ok(Seen {
                answer,
                grid,
                faults: found.faults.iter().map(fault).collect(),
                faces: (0..surface.faces.len() as u32).map(|face| found.is_involved(face)).collect(),
            })
        }

        pub(super) fn pair(
            &mut self,
            surfaces: [Surface; 2],
            view: &View,
        ) -> Result<Option<SeenPair>, GpuLayerError> {
            let bodies = match &mut self.bodies {
                Some(bodies) => bodies,
                none => none.insert(GpuBodies::new(&self.gpu)?),
            };
            let pairs = bodies.pairs(&surfaces, view)?;
            let Some(pair) = pairs.first() else { return Ok(None) };
            let count = surfaces.map(|surface| surface.faces.len() as u32);
            let marked =
                |from: u32, n: u32| (from..from + n).map(|face| pair.found.is_involved(face)).collect();
            Ok(Some(SeenPair {
                volume: pair.volume,
                collides: pair.collides(),
                grid: pair.grid,
                faces: [marked(0, count[0]), marked(count[0], count[1])],
                faults: pair.faults,
            }))
        }
    }
}
