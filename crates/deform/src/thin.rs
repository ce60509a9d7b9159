//! What about thin parts? How wide an overlap must be not to be missed, and how to look so that it is not.
//!
//! One view sees every overlap that holds a ball wider than a pixel's diagonal: the ball's shadow holds the centre of a pixel. It may miss any
//! plate that it sees edge-on. Of three views along the axes one sees a plate at an angle of which the cosine is at least 1 / √3, so that the
//! shadow of a disc of diameter d holds one of diameter d / √3. Vertices on whole units move surfaces by [`Grid::snapping`], rays shorter than
//! noise are dropped, and what is found has to be [confirmed](to_confirm): all are counted.
//!
//! **Widths that are asked for are kept.** Pixels have at least 16 units: of a surface with up to [`MAX_SIZE`] pixels each way, of two with as many
//! each that reach into each other, since no triangle is larger than its surface. So vertices move by 1 / 32 of a pixel each way, and the depth
//! of a hundredth of a pixel: the pixels of a width have that to spare. Where triangles or depths are so large beside it that this does not hold, there is an error.

use crate::bodies::{pair_grid, pair_grid_of};
use crate::confirm::to_confirm;
use crate::grid::{Axis, Grid, LayerError, MAX_SIZE};
use crate::layers::Surface;
use crate::occupancy::NOISE;
use freiraum_geometry::Aabb;

/// A disc with a thickness, both in metres.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plate {
    /// Its diameter.
    pub diameter: f64,
    /// How thick it is.
    pub thickness: f64,
}

/// Diameter of a ball, in metres, that cannot lie in an overlap without being told of by a view on this grid.
#[must_use]
pub fn least_ball(grid: &Grid) -> f64 {
    let diagonal = grid.pixel[0].hypot(grid.pixel[1]);
    moved(grid) + diagonal.hypot(least_length(grid))
}

/// A plate that cannot lie in an overlap, in any direction, without being told of by one of three views along the three axes; `None` if
/// there are not three grids.
#[must_use]
pub fn least_plate(grids: &[Grid]) -> Option<Plate> {
    let mut plate = Plate { diameter: 0.0, thickness: 0.0 };
    for grid in grids {
        plate.diameter = plate.diameter.max(least_disc(grid));
        plate.thickness = plate.thickness.max(least_length(grid) + moved(grid));
    }
    (grids.len() == 3).then_some(plate)
}

/// Diameter of a plate that a view sees at the angle at which one of three has to.
fn least_disc(grid: &Grid) -> f64 {
    3_f64.sqrt() * grid.pixel[0].hypot(grid.pixel[1]) + moved(grid)
}

/// What both sides of an overlap may have moved, and what it has to be wider to be told.
fn moved(grid: &Grid) -> f64 {
    2.0 * grid.snapping().length() + to_confirm(grid)
}

/// A ray's part in an overlap that is surely kept: noise, and the rounding of both ends.
fn least_length(grid: &Grid) -> f64 {
    f64::from(2 * NOISE + 1) * grid.step()
}

/// From where to look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Directions {
    /// Along the longest edge of the box.
    Longest,
    /// Along this axis.
    One(Axis),
    /// Along all three, one after the other.
    All,
}

/// How finely to look.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Rays {
    /// So many columns and rows, in every view.
    Count([u32; 2]),
    /// As many as it takes not to miss an overlap that holds a flat plate of this diameter, in metres, and of the thickness that
    /// [`least_plate`] states, some millionths of the size; from one side, a ball of this diameter.
    Width(f64),
}

/// How to look at a surface or two.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Look {
    /// From where.
    pub directions: Directions,
    /// How finely.
    pub rays: Rays,
    /// Whether all threads of the current pool take part. The answer is the same.
    pub threaded: bool,
}

impl Look {
    /// From all sides, with one thread.
    #[must_use]
    pub fn all_around(rays: Rays) -> Look {
        Look { directions: Directions::All, rays, threaded: false }
    }

    /// The axes to look along at a box.
    pub fn axes(&self, bounds: &Aabb) -> impl Iterator<Item = Axis> + use<> {
        let one = match self.directions {
            Directions::All => None,
            Directions::One(axis) => Some(axis),
            Directions::Longest => Some(Axis::longest(bounds)),
        };
        Axis::ALL.into_iter().filter(move |&axis| one.is_none_or(|one| one == axis))
    }

    /// The largest pixels, in metres, with which nothing of a width is missed: a plate needs √3 diagonals, a ball one, and both what may have moved.
    fn pixel(&self, width: f64) -> f64 {
        if self.directions == Directions::All {
            width / (6_f64.sqrt() * 1.1)
        } else {
            width / (2_f64.sqrt() * 1.15)
        }
    }

    /// Columns and rows of the view of a box along an axis.
    ///
    /// **Errors.** More than [`MAX_SIZE`].
    pub fn size(&self, bounds: &Aabb, axis: Axis) -> Result<[u32; 2], LayerError> {
        let width = match self.rays {
            Rays::Count(size) => return Ok(size),
            Rays::Width(width) => width,
        };
        let order = axis.order();
        let count = [0, 1].map(|k| (bounds.size()[order[k]] / self.pixel(width)).ceil().max(1.0));
        if !(width > 0.0 && count[0].max(count[1]) <= f64::from(MAX_SIZE)) {
            return Err(LayerError::Size(count[0] as u32, count[1] as u32));
        }
        Ok(count.map(|n| n as u32))
    }

    /// Whether a view on a grid keeps the width that was asked for.
    ///
    /// **Errors.** It does not.
    pub(crate) fn check(&self, grid: &Grid) -> Result<(), LayerError> {
        let Rays::Width(width) = self.rays else { return Ok(()) };
        let least = if self.directions == Directions::All { least_disc(grid) } else { least_ball(grid) };
        if least <= width { Ok(()) } else { Err(LayerError::Width) }
    }

    /// The grid of what two boxes share, `region`, along an axis; `reach` holds both.
    pub(crate) fn pair_grid(
        &self,
        both: [Surface; 2],
        region: &Aabb,
        reach: &Aabb,
        axis: Axis,
    ) -> Result<Grid, LayerError> {
        match self.rays {
            Rays::Count(size) => pair_grid(both, region, reach, axis, size),
            Rays::Width(width) if width > 0.0 => {
                let grid = pair_grid_of(both, region, reach, axis, self.pixel(width))?;
                self.check(&grid).and(Ok(grid))
            }
            Rays::Width(_) => Err(LayerError::Width),
        }
    }
}
