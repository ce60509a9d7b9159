//! Several bodies on a graphics processor: as [`crate::bodies::Bodies`], but for what needs the images.

use super::found::Found;
use super::renderer::{GpuLayerError, GpuRenderer};
use crate::bodies::{common, pair_grid};
use crate::grid::Grid;
use crate::layers::{Surface, View};
use crate::snap::{Snapped, snap};
use crate::volume::Volume;
use freiraum_geometry::AxisBox;
use freiraum_gpu::{Gpu, GpuError};

/// What two bodies share.
#[derive(Clone, Debug, PartialEq)]
pub struct GpuPair {
    /// Which bodies, the smaller number first.
    pub bodies: [usize; 2],
    /// Where both were drawn.
    pub grid: Grid,
    /// What was found; faces of the second body come after those of the first.
    pub found: Found,
    /// Volume of what is shared.
    pub volume: Volume,
    /// Rays on which each body is open or inside out; nothing is counted there.
    pub faults: [usize; 2],
}

impl GpuPair {
    /// Whether some ray lies in both.
    #[must_use]
    pub fn collides(&self) -> bool {
        self.found.sums.intervals > 0
    }
}

/// Looks at pairs of bodies with a graphics processor. The numbers are those of [`crate::bodies::Bodies`], to the bit.
#[derive(Debug)]
pub struct GpuBodies {
    renderer: GpuRenderer,
    faces: Vec<[u32; 3]>,
    snapped: Vec<Snapped>,
    of_one: Vec<Snapped>,
}

impl GpuBodies {
    /// On a processor that is open already.
    ///
    /// **Errors.** One that does not take the programs.
    pub fn new(gpu: &Gpu) -> Result<GpuBodies, GpuError> {
        let renderer = GpuRenderer::new(gpu)?;
        Ok(GpuBodies { renderer, faces: Vec::new(), snapped: Vec::new(), of_one: Vec::new() })
    }

    /// All pairs of bodies whose boxes overlap, with what they share. Both bodies of a pair are handed over for it.
    pub fn pairs(&mut self, bodies: &[Surface<'_>], view: &View) -> Result<Vec<GpuPair>, GpuLayerError> {
        let boxes = bodies.iter().map(Surface::bounds).collect::<Result<Vec<AxisBox>, _>>()?;
        let mut pairs = Vec::new();
        for b in 1..bodies.len() {
            for a in 0..b {
                let region = common(&boxes[a], &boxes[b]);
                let is_there = [a, b].iter().all(|&k| !bodies[k].faces.is_empty());
                if is_there && region.size().min_element() > 0.0 {
                    let grid = pair_grid(bodies, [a, b], &region, &boxes[a].union(&boxes[b]), view)?;
                    pairs.push(self.pair(bodies, [a, b], grid)?);
                }
            }
        }
        pairs.sort_by_key(|p| p.bodies);
        Ok(pairs)
    }

    fn pair(
        &mut self,
        bodies: &[Surface<'_>],
        [a, b]: [usize; 2],
        grid: Grid,
    ) -> Result<GpuPair, GpuLayerError> {
        self.faces.clear();
        self.snapped.clear();
        for body in [a, b].map(|k| bodies[k]) {
            let first = self.snapped.len() as u32;
            self.faces.extend(body.faces.iter().map(|f| f.map(|v| v + first)));
            snap(&grid, body.vertices, &mut self.of_one)?;
            self.snapped.extend_from_slice(&self.of_one);
        }
        self.renderer.set_faces(&self.faces)?;
        let second = bodies[a].faces.len() as u32;
        let mut found = Found::default();
        self.renderer.look_at_both(&grid, &self.snapped, second, &mut found)?;
        let of_first = found.faults.iter().filter(|f| f.fragment.face() < second).count();
        let faults = [of_first, found.faults.len() - of_first];
        Ok(GpuPair { bodies: [a, b], grid, volume: found.sums.volume(&grid), found, faults })
    }
}
