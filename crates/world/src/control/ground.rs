//! The ground as drivers see it: places, circles in the way, and how far it is free.

use super::Seen;
use super::body::OwnBody;
use crate::dynamics::{Bytes, State};
use crate::reading::Measured;
use crate::sensors::BeamSet;
use freiraum_geometry::{Pose, Vec3};
use freiraum_scene::{Mount, Sensor, SensorKind};
use std::f64::consts::{PI, TAU};

/// Two coordinates in the world.
pub(super) type Vec2 = freiraum_geometry::math::Vec2;

/// Where a vehicle is, seen from above.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Place {
    pub(super) at: Vec2,
    /// Radians to the left of x.
    pub(super) heading: f64,
}

/// Something in the way.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Circle {
    pub(super) at: Vec2,
    pub(super) radius: f64,
}

impl Place {
    pub(super) fn of(pose: &Pose) -> Place {
        let ahead = pose.rotate(Vec3::X);
        Place { at: flat(pose.translation()), heading: ahead.y.atan2(ahead.x) }
    }

    pub(super) fn ahead(&self) -> Vec2 {
        Vec2::from_angle(self.heading)
    }

    /// A point as the vehicle sees it: x forward, y left.
    pub(super) fn local(&self, point: Vec2) -> Vec2 {
        Vec2::from_angle(-self.heading).rotate(point - self.at)
    }
}

/// From above.
pub(super) fn flat(point: Vec3) -> Vec2 {
    Vec2::new(point.x, point.y)
}

/// The same angle within half a turn.
pub(super) fn wrapped(angle: f64) -> f64 {
    angle - TAU * ((angle + PI) / TAU).floor()
}

/// How far a disc may go before it meets a circle; what it is in already stops it only if it gets deeper.
pub(super) fn free_way(from: Vec2, direction: Vec2, radius: f64, circles: &[Circle]) -> f64 {
    let mut free = f64::INFINITY;
    for circle in circles {
        let reach = circle.radius + radius;
        let to = circle.at - from;
        let along = to.dot(direction);
        let square = to.length_squared() - reach * reach;
        if along <= 0.0 {
            continue;
        }
        if square <= 0.0 {
            return 0.0;
        }
        // The first root of |to - s direction| = reach.
        let under = along * along - square;
        if under >= 0.0 {
            free = free.min(along - under.sqrt());
        }
    }
    free
}

/// What distance sensors saw lately.
#[derive(Debug, Default)]
pub(super) struct Memory {
    /// In the world, the oldest first.
    points: Vec<Circle>,
    /// When each of them was seen.
    times: Vec<f64>,
    /// Beams of the scanners that were needed so far, by their number; they follow from the scene.
    beams: Vec<(usize, Looks)>,
}

/// The beams of a scanner.
#[derive(Debug, Default)]
struct Looks {
    /// What a beam sees from this distance on is the ground or too high to be in the way: all that most beams are asked for.
    ends: Vec<f64>,
    all: Vec<Look>,
}

/// A beam of a scanner. **Frames.** That of the vehicle.
#[derive(Debug)]
struct Look {
    from: Vec3,
    /// Unit vector.
    to: Vec3,
    /// The part of the round that it looks at.
    sector: usize,
}

/// The beams of a scanner, ready to be used often.
fn looks(sensor: &Sensor, own: &OwnBody) -> Looks {
    let SensorKind::Laser { beams, .. } = &sensor.kind else { return Looks::default() };
    let Ok(beams) = BeamSet::new(beams) else { return Looks::default() };
    let look = |beam: &crate::sensors::Beam| {
        let to = sensor.mount_from_sensor.rotate(beam.direction);
        let turn = to.y.atan2(to.x) / TAU + 0.5;
        let sector = ((turn * SECTORS as f64) as usize).min(SECTORS - 1);
        Look { from: sensor.mount_from_sensor.transform_point(beam.origin), to, sector }
    };
    let all: Vec<Look> = beams.beams().iter().map(look).collect();
    Looks { ends: all.iter().map(|look| own.stop_end(look.from.z, look.to.z)).collect(), all }
}

/// Seconds after which what was seen is forgotten.
const MEMORY: f64 = 2.0;
/// The most points that are kept.
const MOST_POINTS: usize = 256;
/// Beams that are looked at together.
const FEW: usize = 16;
/// Of one scan the nearest point of so many directions is kept.
const SECTORS: usize = 48;

impl Memory {
    /// Adds what is new; how far the sensors see, none if there are none.
    pub(super) fn look(&mut self, seen: &Seen, own: &OwnBody) -> Option<f64> {
        let mut sight: Option<f64> = None;
        let old = self.times.iter().take_while(|time| seen.time - **time >= MEMORY).count();
        self.points.drain(..old);
        self.times.drain(..old);
        for reading in seen.readings {
            let sensor = &seen.scene.world.sensors[reading.sensor];
            let Some(range) = distance_range(sensor) else { continue };
            if sensor.mount != Mount::Vehicle(seen.vehicle) {
                continue;
            }
            // What looks back or aside does not show how far it is free ahead.
            if sensor.mount_from_sensor.rotate(Vec3::X).x > 0.5 {
                sight = Some(sight.map_or(range, |sight| sight.max(range)));
            }
            if !reading.is_new {
                continue;
            }
            match &reading.reading.value {
                Measured::Distance(distance) if distance.is_finite() => {
                    let point = sensor.mount_from_sensor.transform_point(*distance * Vec3::X);
                    self.keep(seen, own, point);
                }
                Measured::Distances(distances) => self.keep_scan(seen, own, reading.sensor, distances),
                _ => {}
            }
        }
        sight
    }

    fn keep_scan(&mut self, seen: &Seen, own: &OwnBody, number: usize, distances: &[f64]) {
        let sensor = &seen.scene.world.sensors[number];
        if self.beams.iter().all(|(of, _)| *of != number) {
            self.beams.push((number, looks(sensor, own)));
        }
        let Some((_, looks)) = self.beams.iter().find(|(of, _)| *of == number) else { return };
        let mut nearest = [(f64::INFINITY, Vec3::ZERO); SECTORS];
        let few = looks.all.chunks(FEW).zip(looks.ends.chunks(FEW).zip(distances.chunks(FEW)));
        for (looks, (ends, distances)) in few {
            // Most see the sky or the ground: several are left out at once.
            if ends.iter().zip(distances).map(|(end, distance)| u64::from(distance < end)).sum::<u64>() == 0 {
                continue;
            }
            for (look, (end, distance)) in looks.iter().zip(ends.iter().zip(distances)) {
                if !(distance < end) {
                    continue;
                }
                let point = look.from + *distance * look.to;
                if !own.is_stopped_by(point.z) {
                    continue;
                }
                let square = point.x * point.x + point.y * point.y;
                let sector = &mut nearest[look.sector];
                if square < sector.0 {
                    *sector = (square, point);
                }
            }
        }
        for (square, point) in nearest {
            if square.is_finite() {
                self.keep(seen, own, point);
            }
        }
    }

    /// A point in the frame of the vehicle; one near an older point takes its place.
    fn keep(&mut self, seen: &Seen, own: &OwnBody, point: Vec3) {
        if !own.is_stopped_by(point.z) {
            return;
        }
        let point = flat(seen.pose.transform_point(point));
        let cell = 0.25 * own.half_width;
        let mut kept = 0;
        for k in 0..self.points.len() {
            if self.points[k].at.distance_squared(point) > cell * cell {
                (self.points[kept], self.times[kept]) = (self.points[k], self.times[k]);
                kept += 1;
            }
        }
        self.points.truncate(kept);
        self.times.truncate(kept);
        if kept >= MOST_POINTS {
            self.points.remove(0);
            self.times.remove(0);
        }
        self.points.push(Circle { at: point, radius: 0.0 });
        self.times.push(seen.time);
    }

    /// What was seen, as points.
    pub(super) fn all(&self) -> &[Circle] {
        &self.points
    }

    /// The same without those that `is_known` says are known otherwise.
    pub(super) fn circles(&self, is_known: impl Fn(Vec2) -> bool) -> Vec<Circle> {
        self.points.iter().filter(|circle| !is_known(circle.at)).copied().collect()
    }
}

impl State for Memory {
    fn put(&self, out: &mut Vec<u8>) {
        let all = self.points.iter().zip(&self.times);
        let points: Vec<[f64; 3]> = all.map(|(circle, time)| [circle.at.x, circle.at.y, *time]).collect();
        points.put(out);
    }
    fn get(from: &mut Bytes) -> Option<Memory> {
        let saved: Vec<[f64; 3]> = State::get(from)?;
        let points = saved.iter().map(|[x, y, _]| Circle { at: Vec2::new(*x, *y), radius: 0.0 }).collect();
        let times = saved.iter().map(|[.., time]| *time).collect();
        Some(Memory { points, times, beams: Vec::new() })
    }
}

/// How far a sensor of distances sees.
fn distance_range(sensor: &Sensor) -> Option<f64> {
    match sensor.kind {
        SensorKind::Laser { range, .. }
        | SensorKind::Infrared { range }
        | SensorKind::Ultrasonic { range, .. } => Some(range),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn free_ways_by_closed_form() {
        let circle = |x, y, radius| Circle { at: Vec2::new(x, y), radius };
        let check = |circles: &[Circle], expected: f64| {
            let found = free_way(Vec2::new(1.0, 1.0), Vec2::X, 0.5, circles);
            assert!(found == expected || (found - expected).abs() < 1e-12, "{found} {expected}");
        };
        check(&[], f64::INFINITY);
        check(&[circle(4.0, 1.0, 0.5)], 2.0);
        // Passed by, at the side, behind.
        check(&[circle(4.0, 2.01, 0.5), circle(1.0, 1.2, 0.0), circle(-4.0, 1.0, 2.0)], f64::INFINITY);
        // 3-4-5: reach 1, 0.6 aside.
        check(&[circle(4.0, 1.6, 0.5)], 3.0 - 0.8);
        check(&[circle(1.4, 1.2, 0.0)], 0.0);
    }

    #[test]
    fn angles_stay_within_half_a_turn() {
        for k in -40..40 {
            let angle = 0.37 * f64::from(k);
            let found = wrapped(angle);
            assert!((-PI..PI).contains(&found), "{angle} {found}");
            assert!(((angle - found) / TAU - ((angle - found) / TAU).round()).abs() < 1e-12);
        }
    }
}
