//! Several bodies on a graphics processor: as [`crate::bodies::Bodies`], but for what needs the images.

use super::found::Found;
use super::renderer::{GpuLayerError, GpuRenderer};
use crate::bodies::{Place, common, pair_grid};
use crate::grid::{Axis, Grid};
use crate::layers::{Surface, View};
use crate::snap::{Snapped, snap};
use crate::volume::Volume;
use freiraum_geometry::Aabb;
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
    /// Where each body is open or inside out, one for each such ray; nothing is counted there.
    pub faults: [Vec<Place>; 2],
}

impl GpuPair {
    /// Whether some ray lies in both for longer than rounding may have made it.
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
        let boxes = bodies.iter().map(Surface::bounds).collect::<Result<Vec<Aabb>, _>>()?;
        let mut pairs = Vec::new();
        for b in 1..bodies.len() {
            for a in 0..b {
                let region = common(&boxes[a], &boxes[b]);
                let is_there = [a, b].iter().all(|&k| !bodies[k].faces.is_empty());
                if is_there && region.size().min_element() > 0.0 {
                    let both = [a, b].map(|k| bodies[k]);
                    let axis = view.axis.unwrap_or(Axis::longest(&region));
                    let grid = pair_grid(both, &region, &boxes[a].union(&boxes[b]), axis, view.size)?;
                    pairs.push(GpuPair { bodies: [a, b], ..self.pair_on(both, &grid)? });
                }
            }
        }
        pairs.sort_by_key(|p| p.bodies);
        Ok(pairs)
    }

    /// What two bodies share on a grid in whose reach both are, as [`crate::bodies::Bodies::pair_on`].
    pub fn pair_on(&mut self, bodies: [Surface<'_>; 2], grid: &Grid) -> Result<GpuPair, GpuLayerError> {
        self.faces.clear();
        self.snapped.clear();
        for body in bodies {
            let first = self.snapped.len() as u32;
            self.faces.extend(body.faces.iter().map(|f| f.map(|v| v + first)));
            snap(grid, body.vertices, &mut self.of_one)?;
            self.snapped.extend_from_slice(&self.of_one);
        }
        self.renderer.set_faces(&self.faces)?;
        let second = bodies[0].faces.len() as u32;
        let mut found = Found::default();
        self.renderer.look_at_both(grid, &self.snapped, second, &mut found)?;
        found.confirm();
        let mut faults = [Vec::new(), Vec::new()];
        for one in &found.faults {
            let body = usize::from(one.fragment.face() >= second);
            faults[body].push(one.place(grid, if body == 0 { 0 } else { second }));
        }
        Ok(GpuPair { bodies: [0, 1], grid: *grid, volume: found.sums.volume(grid), found, faults })
    }
}
