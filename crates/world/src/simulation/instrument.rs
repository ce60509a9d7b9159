//! One sensor at work.

use crate::reading::{Measured, Reading};
use crate::sensors::depth::{DepthScanner, Models, Renderer};
use crate::sensors::noise::Source;
use crate::sensors::odometry::Track;
use crate::sensors::{
    BeamSet, Camera, Light, Mask, Picture, Scan, Surroundings, Touch, bumper, infrared, is_broken,
    scan_ranges, ultrasonic,
};
use freiraum_geometry::Pose;
use freiraum_scene::{Beams, Mount, Noise, Sensor, SensorKind};
use std::ops::Range;
use std::sync::Arc;

/// Pixels of depth pictures for beams that are no grid, in radians.
const PIXEL: f64 = 0.005;

/// A sensor with what it needs to measure again and again.
pub(super) struct Instrument {
    device: Device,
    mask: Mask,
    noise: Noise,
    /// Numbers of the bodies that it is mounted on, for bumpers.
    own: Range<u32>,
    scan: Scan,
    touches: Vec<Touch>,
    /// Odometry: where the wheels were at the last measurement, and where it was told that they are.
    pub(super) reckoned: [Track; 2],
    /// True after a measurement that could not be made: it is told once.
    pub(super) has_failed: bool,
}

enum Device {
    Rays { beams: Arc<BeamSet>, range: f64 },
    Depth { scanner: Box<DepthScanner<Renderer>>, range: f64 },
    Infrared { range: f64 },
    Barrier { range: f64 },
    Bumper { half_angle: f64 },
    Camera { camera: Camera, renderer: Box<Renderer>, range: f64 },
    Ultrasonic { half_angle: f64, range: f64 },
    Odometry,
}

/// What there is to measure.
pub(super) struct Around<'a> {
    pub(super) surroundings: &'a Surroundings,
    /// Of the surroundings; there if a sensor needs them.
    pub(super) models: Option<&'a Models>,
    /// Numbers of bodies, and what touches them.
    pub(super) touches: &'a [(u32, Touch)],
    pub(super) colors: &'a [[u8; 3]],
}

/// A measurement that is due.
#[derive(Clone, Copy)]
pub(super) struct Due {
    pub(super) source: Source,
    pub(super) time: f64,
    pub(super) world_from_sensor: Pose,
    /// What the wheels say, for odometry.
    pub(super) track: Track,
}

impl Instrument {
    /// A sensor of a scene; those with the same beams share them, in `known`.
    ///
    /// **Errors.** What is wrong with the beams, in words.
    pub(super) fn new<'s>(
        sensor: &'s Sensor,
        vehicles: &[Range<usize>],
        renderer: &Renderer,
        known: &mut Vec<(&'s Beams, Arc<BeamSet>)>,
    ) -> Result<Instrument, String> {
        let own = match sensor.mount {
            Mount::World => 0..0,
            Mount::Body(body) => body..body + 1,
            Mount::Vehicle(vehicle) => vehicles[vehicle].clone(),
        };
        let own = own.start as u32..own.end as u32;
        let device = match &sensor.kind {
            SensorKind::Laser { beams, range, by_depth_buffer } => {
                let beams = if let Some((_, same)) = known.iter().find(|(of, _)| *of == beams) {
                    same.clone()
                } else {
                    let made = Arc::new(BeamSet::new(beams).map_err(|e| e.to_string())?);
                    known.push((beams, made.clone()));
                    made
                };
                if *by_depth_buffer {
                    let scanner = DepthScanner::new(renderer.clone(), &beams, PIXEL);
                    Device::Depth { scanner: Box::new(scanner.map_err(|e| e.to_string())?), range: *range }
                } else {
                    Device::Rays { beams, range: *range }
                }
            }
            SensorKind::Infrared { range } => Device::Infrared { range: *range },
            SensorKind::LightBarrier { range } => Device::Barrier { range: *range },
            SensorKind::Bumper { .. } if sensor.mount == Mount::World => {
                return Err(
                    "a bumper in the world feels nothing; add on = \"…\", a vehicle or body".to_owned()
                );
            }
            SensorKind::Bumper { half_angle } => Device::Bumper { half_angle: *half_angle },
            SensorKind::Camera { size, field, range } => {
                let camera = Camera::new(*size, *field, *range).map_err(|e| e.to_string())?;
                Device::Camera { camera, renderer: Box::new(renderer.clone()), range: *range }
            }
            SensorKind::Ultrasonic { half_angle, range } => {
                Device::Ultrasonic { half_angle: *half_angle, range: *range }
            }
            SensorKind::Odometry if !matches!(sensor.mount, Mount::Vehicle(_)) => {
                return Err("odometry counts turns of wheels; add on = \"…\", a vehicle".to_owned());
            }
            SensorKind::Odometry => Device::Odometry,
        };
        let itself = if sensor.sees_itself { 0..0 } else { own.clone() };
        let parts = sensor.blind_to_vehicles.iter().flat_map(|vehicle| vehicles[*vehicle].clone());
        let blind = sensor.blind_to.iter().copied().chain(parts).map(|body| body as u32);
        Ok(Instrument {
            device,
            mask: Mask::hiding(blind.chain(itself)),
            noise: sensor.noise,
            own,
            scan: Scan::default(),
            touches: Vec::new(),
            reckoned: [Track::default(); 2],
            has_failed: false,
        })
    }

    /// True if it looks at things: they have to be where they are now.
    pub(super) fn sees(&self) -> bool {
        !matches!(self.device, Device::Bumper { .. } | Device::Odometry)
    }

    /// True if it needs triangles.
    pub(super) fn needs_models(&self) -> bool {
        matches!(self.device, Device::Depth { .. } | Device::Camera { .. } | Device::Ultrasonic { .. })
    }

    /// True if it needs contacts.
    pub(super) fn feels(&self) -> bool {
        matches!(self.device, Device::Bumper { .. })
    }

    /// True if it takes so long that others may be measured meanwhile.
    pub(super) fn is_slow(&self) -> bool {
        match &self.device {
            Device::Rays { beams, .. } => beams.beams().len() >= MANY_BEAMS,
            Device::Depth { .. } | Device::Camera { .. } => true,
            _ => false,
        }
    }

    /// Measures into `reading`; a lost measurement of something that cannot say so leaves the older one.
    ///
    /// **Errors.** A sensor that is out of this world, in words.
    pub(super) fn measure(
        &mut self,
        around: &Around,
        due: &Due,
        reading: &mut Option<Reading>,
    ) -> Result<(), String> {
        let (things, mask, pose) = (around.surroundings, &self.mask, &due.world_from_sensor);
        let (source, noise) = (due.source, &self.noise);
        let distance =
            |range: f64, distance: f64| Measured::Distance(source.distance(0, noise, range, distance));
        let no_models = || "there are no pictures of the bodies".to_owned();
        let value = match &mut self.device {
            Device::Rays { beams, range } => {
                reuse(&mut self.scan, reading);
                scan_ranges(things, beams, *range, mask, pose, &mut self.scan.ranges)
                    .map_err(|e| e.to_string())?;
                source.distances(noise, *range, &mut self.scan.ranges);
                Measured::Distances(std::mem::take(&mut self.scan.ranges))
            }
            Device::Depth { scanner, range } => {
                reuse(&mut self.scan, reading);
                let models = around.models.ok_or_else(no_models)?;
                scanner
                    .scan(things, models, *range, mask, pose, &mut self.scan)
                    .map_err(|e| e.to_string())?;
                source.distances(noise, *range, &mut self.scan.ranges);
                Measured::Distances(std::mem::take(&mut self.scan.ranges))
            }
            Device::Infrared { range } => {
                distance(*range, infrared(things, *range, mask, pose).map_err(|e| e.to_string())?.0)
            }
            Device::Barrier { range } => {
                let is_broken = is_broken(things, *range, mask, pose).map_err(|e| e.to_string())?;
                Measured::Broken((!source.is_lost(0, noise)).then_some(is_broken))
            }
            Device::Bumper { half_angle } => {
                let own = &self.own;
                self.touches.clear();
                let touches = around.touches.iter().filter(|(body, touch)| {
                    own.contains(body) && !own.contains(&touch.body) && mask.sees(touch.body)
                });
                self.touches.extend(touches.map(|(_, touch)| *touch));
                let is_touched = bumper(&self.touches, pose, *half_angle).next().is_some();
                Measured::Touched((!source.is_lost(0, noise)).then_some(is_touched))
            }
            Device::Camera { camera, renderer, range } => {
                let models = around.models.ok_or_else(no_models)?;
                let light = Light::default();
                let color = |body: u32| around.colors[body as usize];
                let mut picture = camera
                    .take(renderer.as_mut(), things, models, mask, pose, &light, color)
                    .map_err(|e| e.to_string())?;
                blur(&mut picture, &source, noise, *range);
                Measured::Picture(picture)
            }
            Device::Ultrasonic { half_angle, range } => {
                let models = around.models.ok_or_else(no_models)?;
                let echo = ultrasonic(things, models, *half_angle, *range, mask, pose);
                distance(*range, echo.map_err(|e| e.to_string())?.distance)
            }
            Device::Odometry => {
                if source.is_lost(0, noise) {
                    return Ok(());
                }
                let told = reckon(&self.reckoned, &due.track, &source, noise);
                self.reckoned = [due.track, told];
                Measured::Odometry(told)
            }
        };
        *reading = Some(Reading { time: due.time, value });
        Ok(())
    }
}

/// From so many beams on a scan is worth a thread.
const MANY_BEAMS: usize = 512;

/// Takes the list of the last scan for the next one.
fn reuse(scan: &mut Scan, reading: &mut Option<Reading>) {
    if let Some(Reading { value: Measured::Distances(ranges), .. }) = reading {
        scan.ranges = std::mem::take(ranges);
    }
}

/// Adds noise to the depth of a picture; its colours stay.
fn blur(picture: &mut Picture, source: &Source, noise: &Noise, range: f64) {
    if *noise != Noise::default() {
        for (pixel, depth) in picture.depth.iter_mut().enumerate() {
            *depth = source.distance(pixel as u64, noise, range, f64::from(*depth)) as f32;
        }
    }
}

/// Where the vehicle is told to be now: errors of the way and of the turn since the last measurement add up, as those of real wheels do.
fn reckon([before, told]: &[Track; 2], now: &Track, source: &Source, noise: &Noise) -> Track {
    let exact = *noise == Noise::default();
    if exact {
        return *now;
    }
    let (x, y) = (now.x - before.x, now.y - before.y);
    let (sine, cosine) = before.heading.sin_cos();
    let (ahead, left) = (cosine * x + sine * y, cosine * y - sine * x);
    let kept = Noise { dropout: 0.0, ..*noise };
    let ahead = source.number(1, &kept, ahead).unwrap_or(ahead);
    let turn = now.heading - before.heading;
    let turn = source.number(2, &Noise { constant: 0.0, ..kept }, turn).unwrap_or(turn);
    let (sine, cosine) = told.heading.sin_cos();
    Track {
        x: told.x + cosine * ahead - sine * left,
        y: told.y + sine * ahead + cosine * left,
        heading: told.heading + turn,
    }
}
