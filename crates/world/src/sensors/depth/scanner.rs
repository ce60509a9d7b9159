//! A laser scanner that reads depth pictures.

use super::{DepthPicture, DepthRenderer, Drawn, Models, NOTHING, Shot, View};
use crate::sensors::beams::MOST_BEAMS;
use crate::sensors::{BeamError, BeamSet, Mask, Scan, Surroundings};
use freiraum_geometry::{Mat3, Pose, Quat, Vec3};
use freiraum_query::ray::RayError;
use std::f64::consts::{FRAC_PI_2, PI};

/// What a scanner by depth pictures may be off.
///
/// **Guarantee.** For each beam let h be [`Bound::around`] its range. The range lies between the one that a ray would have if every
/// body were thicker by h all over, and the one if every body were thinner by h (bodies that vanish then may be missed; surfaces without inside
/// are thickened only). Hence: the end of the beam is no farther than h from a surface that the sensor sees, also at step edges,
/// never between two of them; where a beam meets a flat surface under an angle a to it, and no edge is within h of it, the two scanners
/// differ by no more than h / sin a; the beams that pass an edge within h are those for which the two limits belong to different bodies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bound {
    /// How far triangles are from the true surfaces, in metres.
    pub deviation: f64,
    /// How far a beam and its pixel are apart at one metre, in metres; 0 for grids, whose beams are pixels.
    pub pixel: f64,
    /// What the renderer is off, as a share of the range.
    pub resolution: f64,
    /// What the renderer is off wherever a surface is, in metres.
    pub coordinates: f64,
}

impl Bound {
    /// The bound at a range, in metres.
    pub fn around(&self, range: f64) -> f64 {
        self.deviation + self.coordinates + (self.pixel + self.resolution) * range
    }
}

/// A laser scanner that looks at depth pictures instead of shooting rays.
#[derive(Clone, Debug)]
pub struct DepthScanner<R> {
    renderer: R,
    faces: Vec<Face>,
    /// For every beam its face, its pixel, and the length of the line to that pixel.
    reads: Vec<Read>,
    pixel: f64,
    /// One for each face.
    pictures: Vec<DepthPicture>,
}

#[derive(Clone, Debug)]
struct Face {
    sensor_from_eye: Pose,
    size: [u32; 2],
    first: [f64; 2],
    pitch: [f64; 2],
}

#[derive(Clone, Copy, Debug)]
struct Read {
    face: u32,
    pixel: u32,
    length: f64,
}

impl<R: DepthRenderer> DepthScanner<R> {
    /// A scanner for some beams. A grid becomes one picture with a pixel for each beam; other beams become up to six pictures, the sides of
    /// a cube, as large as the beams need, with pixels of `pixel` radians in their middles, which beams read at the nearest one.
    ///
    /// **Errors.** Beams that do not start in the middle of the sensor; pixels so small that there are too many.
    pub fn new(renderer: R, beams: &BeamSet, pixel: f64) -> Result<DepthScanner<R>, BeamError> {
        if beams.beams().iter().any(|b| b.origin != Vec3::ZERO) {
            return Err(BeamError::ManyOrigins);
        }
        let (faces, reads) = match beams.pixels() {
            Some(grid) => {
                let size = [beams.columns(), beams.row_count()];
                let face =
                    Face { sensor_from_eye: Pose::IDENTITY, size, first: grid.first, pitch: grid.pitch };
                let pixels = (0..size[1]).flat_map(|row| (0..size[0]).map(move |column| (column, row)));
                let reads = pixels.zip(0..).map(|((column, row), pixel)| Read {
                    face: 0,
                    pixel,
                    length: grid.at(column, row).length(),
                });
                (vec![face], reads.collect())
            }
            None => cube(beams, pixel)?,
        };
        let pictures = vec![DepthPicture::default(); faces.len()];
        let mut scanner = DepthScanner { renderer, faces, reads, pixel: 0.0, pictures };
        let off =
            beams.beams().iter().zip(&scanner.reads).map(|(b, r)| b.direction.distance(scanner.looked_at(r)));
        let off = off.fold(0.0, f64::max);
        scanner.pixel = if beams.pixels().is_some() { 0.0 } else { off };
        Ok(scanner)
    }

    /// The direction of the pixel that is read for a beam, in the frame of the sensor: a unit vector.
    fn looked_at(&self, read: &Read) -> Vec3 {
        let face = &self.faces[read.face as usize];
        let (column, row) = (read.pixel % face.size[0], read.pixel / face.size[0]);
        let pixel = face.view(&Pose::IDENTITY, f64::INFINITY).pixel(column, row);
        face.sensor_from_eye.rotate(pixel / read.length)
    }

    /// What the ranges may be off with these models.
    pub fn bound(&self, models: &Models) -> Bound {
        let accuracy = self.renderer.accuracy();
        Bound {
            deviation: models.deviation(),
            pixel: self.pixel,
            resolution: accuracy.of_distance,
            coordinates: accuracy.of_size * models.largest_radius(),
        }
    }

    /// How many pixels are drawn for a scan.
    pub fn pixel_count(&self) -> usize {
        self.faces.iter().map(|f| f.size[0] as usize * f.size[1] as usize).sum()
    }

    /// The first surface along each beam, no farther than `range`; `scan` is overwritten. `models` are those of the surroundings.
    ///
    /// **Guarantee.** See [`Bound`]; and 0 for all beams if the sensor is in a solid that it sees. **Errors.** As
    /// [`scan_rays`](crate::sensors::scan_rays). **Panics** if there are more or fewer models than things: none is left out in silence.
    pub fn scan(
        &mut self,
        surroundings: &Surroundings,
        models: &Models,
        range: f64,
        mask: &Mask,
        world_from_sensor: &Pose,
        scan: &mut Scan,
    ) -> Result<(), RayError> {
        scan.clear(self.reads.len());
        if !(range >= 0.0) {
            return Err(RayError::BadRange(range));
        }
        if let Some(body) = surroundings.body_at(world_from_sensor.translation(), mask)? {
            scan.ranges.fill(0.0);
            scan.bodies.fill(Some(body));
            return Ok(());
        }
        let drawn = drawn(surroundings, models, mask);
        let mut shots: Vec<Shot<'_>> = self
            .faces
            .iter()
            .zip(&mut self.pictures)
            .map(|(face, picture)| Shot { view: face.view(world_from_sensor, range), drawn: &drawn, picture })
            .collect();
        self.renderer.render_all(&mut shots);
        for (beam, read) in self.reads.iter().enumerate() {
            let picture = &self.pictures[read.face as usize];
            let mark = picture.marks[read.pixel as usize];
            let found = f64::from(picture.depth[read.pixel as usize]) * read.length;
            if mark != NOTHING && found <= range {
                scan.ranges[beam] = found;
                scan.bodies[beam] = Some(surroundings.body(mark));
            }
        }
        Ok(())
    }
}

/// What a sensor sees of the surroundings; marks are the numbers of the things.
pub(in crate::sensors) fn drawn<'m>(
    surroundings: &Surroundings,
    models: &'m Models,
    mask: &Mask,
) -> Vec<Drawn<'m>> {
    assert_eq!(surroundings.things().len(), models.models.len(), "models are those of the surroundings");
    let things = surroundings.things().iter().zip(&models.models).zip(0u32..);
    let seen = things.filter(|((thing, _), _)| mask.sees(thing.body));
    seen.map(|((thing, model), mark)| Drawn { model, world_from_thing: thing.world_from_thing, mark })
        .collect()
}

impl Face {
    fn view(&self, world_from_sensor: &Pose, range: f64) -> View {
        let world_from_eye = *world_from_sensor * self.sensor_from_eye;
        View { world_from_eye, size: self.size, first: self.first, pitch: self.pitch, near: 0.0, far: range }
    }
}

/// The sides of a cube that some beams pass, cut to what they need, and where each beam reads.
fn cube(beams: &BeamSet, pixel: f64) -> Result<(Vec<Face>, Vec<Read>), BeamError> {
    if !(pixel > 0.0 && pixel.is_finite()) {
        return Err(BeamError::BadPixel(pixel));
    }
    let turns = [
        Quat::IDENTITY,
        Quat::from_rotation_z(FRAC_PI_2),
        Quat::from_rotation_z(PI),
        Quat::from_rotation_z(-FRAC_PI_2),
        Quat::from_rotation_y(-FRAC_PI_2),
        Quat::from_rotation_y(FRAC_PI_2),
    ];
    let eyes = turns.map(|turn| Pose::new(turn, Vec3::ZERO).unwrap_or(Pose::IDENTITY));
    let eye_from_sensor: [Mat3; 6] = eyes.map(|e| e.rotation_matrix().transpose());
    // Where each beam meets its side: the one that it goes to most directly, the first of several.
    let meets: Vec<(usize, [f64; 2])> = beams
        .beams()
        .iter()
        .map(|beam| {
            let seen = eye_from_sensor.map(|turn| turn * beam.direction);
            let side = (1..6).fold(0, |best, k| if seen[k].x > seen[best].x { k } else { best });
            (side, [seen[side].y / seen[side].x, seen[side].z / seen[side].x])
        })
        .collect();
    let (mut faces, mut numbers) = (Vec::new(), [0u32; 6]);
    let mut pixels = 0.0;
    for side in 0..6 {
        let mut points = meets.iter().filter(|m| m.0 == side).map(|m| m.1);
        let Some(start) = points.next() else { continue };
        let (low, high) = points.fold((start, start), |(low, high), p| {
            ([0, 1].map(|i| f64::min(low[i], p[i])), [0, 1].map(|i| f64::max(high[i], p[i])))
        });
        let spans = [0, 1].map(|i| ((high[i] - low[i]) / pixel).ceil() + 1.0);
        pixels += spans[0] * spans[1];
        if pixels > MOST_BEAMS as f64 {
            return Err(BeamError::BadPixel(pixel));
        }
        numbers[side] = faces.len() as u32;
        let size = spans.map(|s| s as u32);
        faces.push(Face { sensor_from_eye: eyes[side], size, first: high, pitch: [pixel; 2] });
    }
    let reads = meets.iter().map(|(side, at)| {
        let face: &Face = &faces[numbers[*side] as usize];
        let nearest =
            |i: usize| (((face.first[i] - at[i]) / pixel).round().max(0.0) as u32).min(face.size[i] - 1);
        let (column, row) = (nearest(0), nearest(1));
        let length = face.view(&Pose::IDENTITY, f64::INFINITY).pixel(column, row).length();
        Read { face: numbers[*side], pixel: row * face.size[0] + column, length }
    });
    let reads = reads.collect();
    Ok((faces, reads))
}
