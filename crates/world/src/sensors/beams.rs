//! Where the beams of a laser scanner start and go.

use freiraum_geometry::Vec3;
use freiraum_query::ray::RayFan;
use freiraum_scene::Beams;
pub use freiraum_scene::Laser as LaserRow;
use std::f64::consts::{FRAC_PI_2, PI, TAU};
use std::sync::OnceLock;

/// Why there are no such beams.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum BeamError {
    /// No columns or no rows, or more than anybody has memory for.
    #[error("a scanner has 1 to {MOST_BEAMS} beams and a camera as many pixels, not {columns} x {rows}")]
    BadCount {
        /// Columns asked for.
        columns: u64,
        /// Rows asked for.
        rows: u64,
    },
    /// A grid sees less than half a turn, rows no more than a full turn.
    #[error("the field of view must be more than 0 and {1}: {0:?} rad")]
    BadField(f64, &'static str),
    /// A row that points over the zenith, or is not a number.
    #[error("beam {0} does not point between straight down and straight up")]
    BadRow(usize),
    /// A distance that is not a number, or negative.
    #[error("the range must be more than 0 and a number: {0:?} m")]
    BadRange(f64),
    /// A depth picture has one eye, and these beams start in different places.
    #[error("the beams do not start in one point; read them by rays, or without their offsets")]
    ManyOrigins,
    /// Pixels too small for any memory, or not a number.
    #[error("pixels of {0:?} rad make no picture")]
    BadPixel(f64),
}

/// More beams are refused.
pub(super) const MOST_BEAMS: u64 = 1 << 24;

/// One beam. **Frames.** That of the sensor.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Beam {
    /// Where it starts; ranges count from there.
    pub origin: Vec3,
    /// Where it goes: a unit vector.
    pub direction: Vec3,
}

/// The pixel centres of a grid on the plane x = 1: columns from left to right, rows from the top.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Grid {
    pub(super) first: [f64; 2],
    pub(super) pitch: [f64; 2],
}

/// All beams of a scanner, row after row.
#[derive(Clone, Debug)]
pub struct BeamSet {
    columns: u32,
    rows: u32,
    beams: Vec<Beam>,
    has_one_origin: bool,
    grid: Option<Grid>,
    /// The same beams for casting, made when first needed.
    fan: OnceLock<RayFan>,
}

impl BeamSet {
    /// Beams as a scene describes them. **Order.** Columns from left to right; rows of a grid from the top, others as listed.
    pub fn new(beams: &Beams) -> Result<BeamSet, BeamError> {
        match beams {
            Beams::Grid { size, field } => BeamSet::grid(*size, *field),
            Beams::Rows { elevations, columns, field } => {
                let rows: Vec<LaserRow> =
                    elevations.iter().map(|e| LaserRow { elevation: *e, ..LaserRow::default() }).collect();
                BeamSet::rows(&rows, *columns, *field)
            }
            Beams::Lasers { lasers, columns, field } => BeamSet::rows(lasers, *columns, *field),
        }
    }

    /// Beams through the pixels of a picture that covers `field` radians over its width and height.
    pub fn grid(size: [u32; 2], field: [f64; 2]) -> Result<BeamSet, BeamError> {
        check_count(u64::from(size[0]), u64::from(size[1]))?;
        if let Some(bad) = field.into_iter().find(|f| !(*f > 0.0 && *f < PI)) {
            return Err(BeamError::BadField(bad, "less than half a turn"));
        }
        let half = field.map(|f| (0.5 * f).tan());
        let pitch = [0, 1].map(|i| 2.0 * half[i] / f64::from(size[i]));
        let grid = Grid { first: [0, 1].map(|i| half[i] - 0.5 * pitch[i]), pitch };
        let mut beams = Vec::with_capacity(size[0] as usize * size[1] as usize);
        for row in 0..size[1] {
            for column in 0..size[0] {
                let through = grid.at(column, row);
                beams.push(Beam { origin: Vec3::ZERO, direction: through / through.length() });
            }
        }
        Ok(BeamSet {
            columns: size[0],
            rows: size[1],
            beams,
            has_one_origin: true,
            grid: Some(grid),
            fan: OnceLock::new(),
        })
    }

    /// Lasers that turn about z together: each stops at `columns` angles in even steps, half a step from the ends of `field`.
    pub fn rows(lasers: &[LaserRow], columns: u32, field: f64) -> Result<BeamSet, BeamError> {
        check_count(u64::from(columns), lasers.len() as u64)?;
        if !(field > 0.0 && field <= TAU) {
            return Err(BeamError::BadField(field, "at most a full turn"));
        }
        let mut beams = Vec::with_capacity(columns as usize * lasers.len());
        for (i, laser) in lasers.iter().enumerate() {
            let is_good =
                laser.elevation.abs() <= FRAC_PI_2 && (laser.azimuth + laser.up + laser.left).is_finite();
            if !is_good {
                return Err(BeamError::BadRow(i));
            }
            let (sine, cosine) = laser.elevation.sin_cos();
            for column in 0..columns {
                let turn = field * (0.5 - (f64::from(column) + 0.5) / f64::from(columns)) + laser.azimuth;
                let (s, c) = turn.sin_cos();
                let (ahead, left) = (Vec3::new(c, s, 0.0), Vec3::new(-s, c, 0.0));
                let origin = laser.up * (cosine * Vec3::Z - sine * ahead) + laser.left * left;
                beams.push(Beam { origin, direction: cosine * ahead + sine * Vec3::Z });
            }
        }
        let has_one_origin = beams.iter().all(|beam| beam.origin == Vec3::ZERO);
        Ok(BeamSet {
            columns,
            rows: lasers.len() as u32,
            beams,
            has_one_origin,
            grid: None,
            fan: OnceLock::new(),
        })
    }

    /// Columns.
    pub fn columns(&self) -> u32 {
        self.columns
    }

    /// Rows.
    pub fn row_count(&self) -> u32 {
        self.rows
    }

    /// The beams, row after row.
    pub fn beams(&self) -> &[Beam] {
        &self.beams
    }

    /// The beams as a fan in the frame of the sensor, if all of them start in its middle.
    pub(super) fn fan(&self) -> Option<&RayFan> {
        let aimed = || {
            let directions = self.beams.iter().map(|beam| beam.direction);
            RayFan::new(directions, self.columns as usize).expect("beams are unit vectors")
        };
        self.has_one_origin.then(|| self.fan.get_or_init(aimed))
    }

    /// The pixels that the beams go through, if that is what they do.
    pub(super) fn pixels(&self) -> Option<Grid> {
        self.grid
    }
}

impl Grid {
    /// The centre of a pixel.
    pub(super) fn at(&self, column: u32, row: u32) -> Vec3 {
        let y = self.first[0] - f64::from(column) * self.pitch[0];
        let z = self.first[1] - f64::from(row) * self.pitch[1];
        Vec3::new(1.0, y, z)
    }
}

fn check_count(columns: u64, rows: u64) -> Result<(), BeamError> {
    let is_good = columns.checked_mul(rows).is_some_and(|n| (1..=MOST_BEAMS).contains(&n));
    if is_good { Ok(()) } else { Err(BeamError::BadCount { columns, rows }) }
}
