//! What about thin parts? Three views together, and how wide an overlap must be not to be missed.
//!
//! One view sees every overlap that holds a ball wider than a pixel's diagonal: the ball's shadow holds the centre of a pixel. It may miss any
//! plate that it sees edge-on. Of three views along the axes one sees a plate at an angle of which the cosine is at least 1 / √3, so that the
//! shadow of a disc of diameter d holds one of diameter d / √3. Vertices on whole units move surfaces by [`Grid::snapping`], and
//! rays shorter than noise are dropped: both are counted.

use crate::grid::{Axis, Grid, LayerError, MAX_SIZE};
use crate::layers::{Answer, Layers, Surface, View};
use crate::occupancy::NOISE;
use crate::volume::Volume;
use freiraum_geometry::AxisBox;

/// A disc with a thickness, both in metres.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plate {
    /// Its diameter.
    pub diameter: f64,
    /// How thick it is.
    pub thickness: f64,
}

/// Diameter of a ball, in metres, that cannot lie in an overlap without being seen on this grid.
#[must_use]
pub fn least_ball(grid: &Grid) -> f64 {
    let diagonal = grid.pixel[0].hypot(grid.pixel[1]);
    2.0 * grid.snapping().length() + diagonal.hypot(least_length(grid))
}

/// A plate that cannot lie in an overlap, in any direction, without being seen on one of three grids along the three axes.
#[must_use]
pub fn least_plate(grids: [&Grid; 3]) -> Plate {
    let mut plate = Plate { diameter: 0.0, thickness: 0.0 };
    for grid in grids {
        let diagonal = grid.pixel[0].hypot(grid.pixel[1]);
        let moved = 2.0 * grid.snapping().length();
        plate.diameter = plate.diameter.max(3_f64.sqrt() * diagonal + moved);
        plate.thickness = plate.thickness.max(least_length(grid) + moved);
    }
    plate
}

/// A ray's part in an overlap that is surely kept: noise, and the rounding of both ends.
fn least_length(grid: &Grid) -> f64 {
    f64::from(2 * NOISE + 1) * grid.step()
}

/// Columns and rows for the views along x, y and z with which plates of this diameter, in metres, are seen.
pub fn sizes_for_width(bounds: &AxisBox, width: f64) -> Result<[[u32; 2]; 3], LayerError> {
    // The diagonal of a square pixel, with a tenth to spare for snapping.
    let pixel = width / (6_f64.sqrt() * 1.1);
    let mut sizes = [[1; 2]; 3];
    for axis in Axis::ALL {
        let order = axis.order();
        for k in 0..2 {
            let n = (bounds.size()[order[k]] / pixel).ceil();
            if !(n <= f64::from(MAX_SIZE)) {
                return Err(LayerError::Size(n as u32, n as u32));
            }
            sizes[axis.index()][k] = (n as u32).max(1);
        }
    }
    Ok(sizes)
}

/// What three views say together.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Combined {
    /// The answers along x, y and z.
    pub answers: [Answer; 3],
    /// Whether one of them saw an overlap.
    pub self_collision: bool,
    /// The volume with the smallest error among the views that saw one.
    pub volume: Volume,
    /// The largest of any view.
    pub max_overlap: u32,
    /// Faults of all views.
    pub faults: usize,
    /// What would have been seen. If there is no overlap in the answer, none holds such a plate; without faults.
    pub plate: Plate,
    /// Diameter of a ball that would have been seen.
    pub ball: f64,
}

/// Looks along all three axes, frame after frame.
#[derive(Debug, Default)]
pub struct ThreeAxes {
    /// The views along x, y and z.
    pub layers: [Layers; 3],
}

impl ThreeAxes {
    /// So many pixels in each view.
    pub fn look(&mut self, surface: Surface, size: [u32; 2], threaded: bool) -> Result<Combined, LayerError> {
        self.look_with(surface, [size; 3], threaded)
    }

    /// As many pixels as it takes not to miss an overlap that holds a flat plate of this diameter, in metres, and of the thickness
    /// that the answer states, some millionths of the size.
    pub fn conservative(
        &mut self,
        surface: Surface,
        width: f64,
        threaded: bool,
    ) -> Result<Combined, LayerError> {
        self.look_with(surface, sizes_for_width(&surface.bounds()?, width)?, threaded)
    }

    fn look_with(
        &mut self,
        surface: Surface,
        sizes: [[u32; 2]; 3],
        threaded: bool,
    ) -> Result<Combined, LayerError> {
        let mut answers = [Answer::default(); 3];
        for axis in Axis::ALL {
            let k = axis.index();
            let view = View { axis: Some(axis), size: sizes[k], threaded };
            answers[k] = self.layers[k].self_collision(surface, &view)?;
        }
        let seen = answers.iter().filter(|a| a.self_collision);
        let best = seen.min_by(|a, b| a.volume.error.total_cmp(&b.volume.error));
        let grids = [0, 1, 2].map(|k| &self.layers[k].image.grid);
        Ok(Combined {
            answers,
            self_collision: best.is_some(),
            volume: best.map_or(Volume::default(), |a| a.volume),
            max_overlap: answers.iter().map(|a| a.max_overlap).max().unwrap_or(0),
            faults: answers.iter().map(|a| a.faults).sum(),
            plate: least_plate(grids),
            ball: grids.map(least_ball).into_iter().fold(f64::INFINITY, f64::min),
        })
    }
}
