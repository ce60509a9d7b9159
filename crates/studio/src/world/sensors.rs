//! Sensors of a world: what they are, and what they measure.

use super::frame::Measurement;
use super::open::Open;
use crate::protocol::{Reading as ToldReading, ReadingValue, SentPicture, WorldSensor, sent};
use freiraum_geometry::Pose;
use freiraum_scene::{Beams, Mount, Sensor, SensorKind};
use freiraum_world::sensors::{BeamSet, Picture};
use freiraum_world::{Measured, Reading, Simulation};
use std::collections::BTreeMap;

/// Where sensors that somebody watches were when they measured last, and what they said.
#[derive(Default)]
pub(super) struct Watching {
    pub(super) sensors: Vec<usize>,
    /// Before the step that is being done.
    before: Vec<Pose>,
    /// At the last measurement.
    poses: BTreeMap<usize, (f64, Pose)>,
    /// Ready to be sent.
    said: BTreeMap<usize, Measurement>,
}

/// `world_from_sensor` now.
fn place(simulation: &Simulation, sensor: &Sensor) -> Pose {
    let world_from_mount = match sensor.mount {
        Mount::World => Pose::IDENTITY,
        Mount::Body(body) => simulation.pose(body),
        Mount::Vehicle(vehicle) => simulation.vehicle_pose(vehicle),
    };
    world_from_mount * sensor.mount_from_sensor
}

impl Watching {
    /// Before a step: sensors measure there.
    pub(super) fn before(&mut self, simulation: &Simulation) {
        self.before.clear();
        let sensors = &simulation.scene().world.sensors;
        self.before.extend(self.sensors.iter().map(|number| place(simulation, &sensors[*number])));
    }

    /// After it.
    pub(super) fn after(&mut self, simulation: &Simulation) {
        for (number, reading) in simulation.new_readings() {
            if let Ok(at) = self.sensors.binary_search(&number) {
                self.poses.insert(number, (reading.time, self.before[at]));
            }
        }
    }

    /// The newest measurements of the sensors that are watched.
    pub(super) fn readings(&mut self, simulation: &Simulation) -> Vec<Measurement> {
        let mut all = Vec::new();
        for number in &self.sensors {
            let Some(reading) = &simulation.readings()[*number] else { continue };
            let known = self.said.get(number).filter(|known| known.time == reading.time);
            let said = known.cloned().or_else(|| {
                // One that was measured before it was watched: the sensor may have moved on since.
                let pose = self.poses.get(number).filter(|(time, _)| *time == reading.time);
                let now = || place(simulation, &simulation.scene().world.sensors[*number]);
                Measurement::of(&told(*number, reading, &pose.map_or_else(now, |(_, pose)| *pose)))
            });
            if let Some(said) = said {
                self.said.insert(*number, said.clone());
                all.push(said);
            }
        }
        all
    }
}

fn told(sensor: usize, reading: &Reading, world_from_sensor: &Pose) -> ToldReading {
    let none = ReadingValue::default();
    let value = match &reading.value {
        Measured::Distances(distances) => ReadingValue { distances: Some(distances.clone()), ..none },
        Measured::Distance(distance) => ReadingValue { distance: Some(*distance), ..none },
        Measured::Broken(is_broken) => ReadingValue { broken: Some(*is_broken), ..none },
        Measured::Touched(is_touched) => ReadingValue { touched: Some(*is_touched), ..none },
        Measured::Odometry(track) => ReadingValue { track: Some((track.x, track.y, track.heading)), ..none },
        Measured::Picture(Picture { size, colors, depth, .. }) => {
            let depth: Vec<u8> = depth.iter().flat_map(|x| x.to_le_bytes()).collect();
            let (colors, depth) = (base64(colors.as_flattened()), base64(&depth));
            ReadingValue { picture: Some(SentPicture { size: *size, colors, depth }), ..none }
        }
    };
    ToldReading { sensor, time: reading.time, pose: sent(world_from_sensor), value }
}

/// As RFC 4648 has it.
fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for three in bytes.chunks(3) {
        let byte = |at: usize| u32::from(three.get(at).copied().unwrap_or(0));
        let all = byte(0) << 16 | byte(1) << 8 | byte(2);
        for at in 0..4 {
            let letter = LETTERS[(all >> (18 - 6 * at) & 63) as usize];
            text.push(if at <= three.len() { char::from(letter) } else { '=' });
        }
    }
    text
}

impl Open {
    /// Of all sensors, what does not change.
    pub(super) fn sensors(&self) -> Vec<WorldSensor> {
        self.simulation.scene().world.sensors.iter().map(described).collect()
    }
}

fn described(sensor: &Sensor) -> WorldSensor {
    let (body, vehicle) = match sensor.mount {
        Mount::World => (None, None),
        Mount::Body(body) => (Some(body), None),
        Mount::Vehicle(vehicle) => (None, Some(vehicle)),
    };
    let mut said = WorldSensor {
        name: sensor.name.clone(),
        kind: sensor.kind.name(),
        vehicle,
        body,
        rate: sensor.rate,
        pose: sent(&sensor.mount_from_sensor),
        range: None,
        method: None,
        beams: None,
        grid: None,
        field: None,
        half_angle: None,
    };
    match &sensor.kind {
        SensorKind::Laser { beams, range, by_depth_buffer } => {
            said.range = Some(*range);
            said.method = Some(if *by_depth_buffer { "depth buffer" } else { "rays" });
            // A world with beams that cannot be is not built.
            if let Ok(set) = BeamSet::new(beams) {
                said.beams = Some(set.beams().iter().flat_map(|beam| beam.direction.to_array()).collect());
                said.grid = Some([set.columns(), set.row_count()]);
            }
            if let Beams::Grid { field, .. } = beams {
                said.field = Some(*field);
            }
        }
        SensorKind::Infrared { range } | SensorKind::LightBarrier { range } => said.range = Some(*range),
        SensorKind::Bumper { half_angle } => said.half_angle = Some(*half_angle),
        SensorKind::Camera { size, field, range } => {
            let tall = 2.0 * ((0.5 * field).tan() * f64::from(size[1]) / f64::from(size[0])).atan();
            said.range = Some(*range);
            said.grid = Some(*size);
            said.field = Some([*field, tall]);
        }
        SensorKind::Ultrasonic { half_angle, range } => {
            said.range = Some(*range);
            said.half_angle = Some(*half_angle);
        }
        SensorKind::Odometry => {}
    }
    said
}

#[cfg(test)]
mod tests {
    use super::base64;

    #[test]
    fn base64_is_that_of_the_standard() {
        // Section 10 of RFC 4648.
        let cases = [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foobar", "Zm9vYmFy")];
        cases.iter().for_each(|(plain, coded)| assert_eq!(base64(plain.as_bytes()), *coded));
        assert_eq!(base64(&[0xff, 0xef, 0xbe]), "/+++");
    }
}
