//! What a graphics processor does for a looker.

use super::{Seen, SeenPair, mark};
use crate::confirm::confirm;
use crate::gpu::{Found, GpuBodies, GpuLayerError, GpuLayers};
use crate::grid::Grid;
use crate::layers::{Answer, Layers, Milliseconds, Surface, View};
use crate::snap::snap_with;
use freiraum_gpu::{Gpu, GpuError};
use std::time::Instant;

/// An open graphics processor with its programs.
#[derive(Debug)]
pub(super) struct Graphics {
    gpu: Gpu,
    layers: GpuLayers,
    bodies: Option<GpuBodies>,
    /// Those that it has.
    faces: Vec<[u32; 3]>,
    found: Found,
}

impl Graphics {
    pub(super) fn new(gpu: &Gpu) -> Result<Graphics, GpuError> {
        let layers = GpuLayers::new(gpu)?;
        Ok(Graphics { gpu: gpu.clone(), layers, bodies: None, faces: Vec::new(), found: Found::default() })
    }

    pub(super) fn name(&self) -> &str {
        self.gpu.name()
    }

    /// Whether it is this one, and well.
    pub(super) fn is_on(&self, gpu: &Gpu) -> bool {
        self.gpu.device() == gpu.device() && gpu.check().is_ok()
    }

    fn set_faces(&mut self, faces: &[[u32; 3]]) -> Result<(), GpuError> {
        if self.faces != faces {
            self.faces.clear();
            self.layers.set_faces(faces)?;
            self.faces.extend_from_slice(faces);
        }
        Ok(())
    }

    pub(super) fn look(
        &mut self,
        surface: Surface,
        view: &View,
        seen: &mut Seen,
    ) -> Result<(), GpuLayerError> {
        // Checks the faces too, which the other one takes as they are.
        let grid = view.grid(&surface.bounds()?)?;
        self.set_faces(surface.faces)?;
        let answer = self.layers.self_collision(surface.vertices, view)?;
        seen.add(grid, answer);
        let spent = self.layers.milliseconds;
        seen.spent("snap", spent.bounds);
        seen.spent("upload", spent.upload);
        seen.spent("answer", spent.answer);
        let found = &self.layers.found;
        seen.faults.extend(found.faults.iter().map(|one| one.place(&grid, 0)));
        mark(&mut seen.faces, (0..).map(|face| found.is_involved(face)));
        Ok(())
    }

    pub(super) fn pair(
        &mut self,
        surfaces: [Surface; 2],
        grid: &Grid,
        pair: &mut SeenPair,
    ) -> Result<(), GpuLayerError> {
        let bodies = match &mut self.bodies {
            Some(bodies) => bodies,
            none => none.insert(GpuBodies::new(&self.gpu)?),
        };
        let found = bodies.pair_on(surfaces, grid)?;
        pair.add(*grid, found.collides(), found.volume);
        for (k, first) in [0, surfaces[0].faces.len() as u32].into_iter().enumerate() {
            mark(&mut pair.faces[k], (first..).map(|face| found.found.is_involved(face)));
            pair.faults[k].extend_from_slice(&found.faults[k]);
        }
        Ok(())
    }

    /// The layers from there; what they say is read off here.
    pub(super) fn draw(
        &mut self,
        surface: Surface,
        view: &View,
        layers: &mut Layers,
    ) -> Result<Answer, GpuLayerError> {
        let mut start = Instant::now();
        let mut spent = || 1e3 * std::mem::replace(&mut start, Instant::now()).elapsed().as_secs_f64();
        let grid = view.grid(&surface.bounds()?)?;
        snap_with(&grid, surface.vertices, view.threaded, &mut layers.snapped)?;
        layers.milliseconds = Milliseconds { snap: spent(), ..Milliseconds::default() };
        self.set_faces(surface.faces)?;
        layers.image = self.layers.renderer().image(&grid, &layers.snapped, 2, &mut self.found)?;
        layers.milliseconds.render = spent();
        layers.occupancy.measure(&layers.image, 2, view.threaded);
        confirm(&mut layers.occupancy, &layers.image, &layers.snapped, surface.faces);
        layers.milliseconds.occupancy = spent();
        Ok(layers.answer())
    }
}
