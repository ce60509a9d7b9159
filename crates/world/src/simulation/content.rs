//! Which scene is it? All of a scene that a simulation is made of, as bytes, and their hash.
//!
//! The bytes are a tag for every kind, counts, lengths of texts, and all numbers bit for bit. They depend
//! neither on names in the source nor on the machine, so a type or a field can be renamed;
//! [`CONTENT_VERSION`] grows with every change of what is written. The hash stands in saved worlds and at the
//! head of recordings.
//!
//! - A saved world is resumed only with the scene that has its hash. Its own version grows together with that
//!   of these bytes: worlds that were saved before are refused as saved by another version of the program,
//!   not as of another scene.
//! - A recording is played whatever its hash is; the studio says where it differs. The version of recordings
//!   grew with the first version of these bytes: the hash in an older one is not compared.

use freiraum_geometry::shape::CONTENT_VERSION as SHAPE_VERSION;
use freiraum_geometry::{Pose, Vec3};
use freiraum_query::Prepared;
use freiraum_scene::{
    Beams, Contacts, Controller, Drive, Goal, Kind, Laser, Mass, MassModel, Mount, Noise, Physics, Scene,
    Sensor, SensorKind, Vehicle, VehicleModel,
};

/// The version of the bytes that [`write_content`] writes.
pub const CONTENT_VERSION: u32 = 2;

/// Hands what stands for the shape of the body with this number to a sink.
pub type WriteShape<'s> = dyn FnMut(usize, &mut dyn FnMut(&[u8])) + 's;

/// Stands for all of a scene that matters: equal for equal worlds, whatever their files look like. `shapes`
/// are those of all bodies, also of the parts of vehicles.
pub(super) fn hash(scene: &Scene, shapes: &[Prepared]) -> [u8; 32] {
    let mut hasher = blake3::Hasher::new();
    hasher.update(&SHAPE_VERSION.to_le_bytes());
    let mut shape = |body: usize, sink: &mut dyn FnMut(&[u8])| {
        if let Some(shape) = shapes.get(body) {
            shape.shape().write_content(sink);
            // Also of a part of a vehicle, which no scene file declares a sheet.
            sink(&[u8::from(shape.is_sheet())]);
        }
    };
    write_content(scene, &mut shape, &mut |bytes| {
        hasher.update(bytes);
    });
    *hasher.finalize().as_bytes()
}

/// Hands all of a scene that a simulation is made of to `sink`, piece by piece. `shape` writes what stands
/// for the shape of a body, given its number: its content, or a digest of it.
///
/// **Guarantee.** Two scenes whose shapes write the same write the same bytes exactly if they say the same
/// about how they run, about bodies, which of them are sheets, goals, ignored pairs, vehicles and sensors.
/// Colours, places in files and the folders of programs are not among it; 0 and -0 differ.
pub fn write_content(scene: &Scene, shape: &mut WriteShape, sink: &mut dyn FnMut(&[u8])) {
    let mut out = Content(sink);
    out.bytes(&CONTENT_VERSION.to_le_bytes());
    let settings = &scene.world.settings;
    out.vector(settings.gravity);
    out.numbers(&[settings.step, settings.drag]);
    out.bytes(&settings.seed.to_le_bytes());
    out.count(scene.bodies.len());
    for (number, body) in scene.bodies.iter().enumerate() {
        out.text(&body.name);
        out.pose(&body.pose);
        out.physics(&scene.physics(number));
        out.flag(scene.sheets.binary_search(&number).is_ok());
        shape(number, out.0);
    }
    out.list(&scene.world.goals, Content::goal);
    let ignored = scene.pairs.iter().filter(|rule| rule.ignore.is_some());
    out.count(ignored.clone().count());
    for bodies in ignored.flat_map(|rule| &rule.bodies) {
        out.indices(bodies);
    }
    out.list(&scene.world.vehicles, Content::vehicle);
    out.list(&scene.world.sensors, Content::sensor);
}

/// Where the bytes go. Structures are taken apart by name: a new field has to be written, or passed over on
/// purpose.
struct Content<'s>(&'s mut dyn FnMut(&[u8]));

impl Content<'_> {
    fn bytes(&mut self, bytes: &[u8]) {
        (self.0)(bytes);
    }

    fn tag(&mut self, tag: u8) {
        self.bytes(&[tag]);
    }

    fn flag(&mut self, flag: bool) {
        self.tag(u8::from(flag));
    }

    fn count(&mut self, count: usize) {
        self.bytes(&(count as u64).to_le_bytes());
    }

    fn numbers(&mut self, numbers: &[f64]) {
        numbers.iter().for_each(|number| self.bytes(&number.to_bits().to_le_bytes()));
    }

    fn pixels(&mut self, size: [u32; 2]) {
        size.iter().for_each(|side| self.bytes(&side.to_le_bytes()));
    }

    fn vector(&mut self, vector: Vec3) {
        self.numbers(&vector.to_array());
    }

    fn pose(&mut self, pose: &Pose) {
        self.numbers(&pose.rotation().to_array());
        self.vector(pose.translation());
    }

    fn text(&mut self, text: &str) {
        self.count(text.len());
        self.bytes(text.as_bytes());
    }

    fn list<T>(&mut self, all: &[T], write: impl Fn(&mut Self, &T)) {
        self.count(all.len());
        all.iter().for_each(|one| write(self, one));
    }

    fn indices(&mut self, indices: &[usize]) {
        self.list(indices, |out, &index| out.count(index));
    }

    fn physics(&mut self, physics: &Physics) {
        let Physics { kind, mass, friction, restitution, contacts, is_active, velocity, spin } = physics;
        self.tag(match kind {
            Kind::Fixed => 1,
            Kind::Movable => 2,
            Kind::Kinematic => 3,
        });
        let (tag, mass) = match *mass {
            Mass::Kilograms(mass) => (1, mass),
            Mass::Density(density) => (2, density),
        };
        self.tag(tag);
        self.numbers(&[mass, *friction, *restitution]);
        match *contacts {
            Contacts::Impulses => self.tag(1),
            Contacts::Springs { stiffness, damping } => {
                self.tag(2);
                self.numbers(&[stiffness, damping]);
            }
        }
        self.flag(*is_active);
        self.vector(*velocity);
        self.vector(*spin);
    }

    fn goal(&mut self, goal: &Goal) {
        let Goal { name, body, ball, resets, place: _ } = goal;
        self.text(name);
        self.count(*body);
        self.count(*ball);
        self.flag(*resets);
    }

    fn vehicle(&mut self, vehicle: &Vehicle) {
        let Vehicle {
            name,
            model,
            pose,
            drive,
            masses,
            full_collision,
            is_active,
            controller,
            color: _,
            place: _,
        } = vehicle;
        self.text(name);
        self.tag(match model {
            VehicleModel::Pioneer => 1,
            VehicleModel::Volksbot => 2,
            VehicleModel::MonsterTruck => 3,
            VehicleModel::StretchLimousine => 4,
            VehicleModel::Hr18 => 5,
            VehicleModel::Khepera => 6,
            VehicleModel::KheperaGripper => 7,
        });
        self.pose(pose);
        self.tag(match drive {
            Drive::Kinematic => 1,
            Drive::Dynamic => 2,
        });
        self.tag(match masses {
            MassModel::Single => 1,
            MassModel::Distributed => 2,
        });
        self.flag(*full_collision);
        self.flag(*is_active);
        self.controller(controller.as_ref());
    }

    fn controller(&mut self, controller: Option<&Controller>) {
        match controller {
            None => self.tag(0),
            Some(Controller::Wander) => self.tag(1),
            Some(Controller::DriveTo(point)) => {
                self.tag(2);
                self.vector(*point);
            }
            Some(Controller::Collect) => self.tag(3),
            Some(Controller::Soccer { ball, goal }) => {
                self.tag(4);
                self.indices(&[*ball, *goal]);
            }
            Some(Controller::Keyboard) => self.tag(5),
            // Where the file lies does not matter.
            Some(Controller::Program { command, timeout, rate, folder: _ }) => {
                self.tag(6);
                self.list(command, |out, word| out.text(word));
                self.numbers(&[*timeout, *rate]);
            }
        }
    }

    fn sensor(&mut self, sensor: &Sensor) {
        let Sensor {
            name,
            mount,
            mount_from_sensor,
            kind,
            rate,
            blind_to,
            blind_to_vehicles,
            sees_itself,
            noise: Noise { constant, relative, dropout },
            place: _,
        } = sensor;
        self.text(name);
        match *mount {
            Mount::World => self.tag(1),
            Mount::Body(body) => {
                self.tag(2);
                self.count(body);
            }
            Mount::Vehicle(vehicle) => {
                self.tag(3);
                self.count(vehicle);
            }
        }
        self.pose(mount_from_sensor);
        self.sensor_kind(kind);
        self.numbers(&[*rate]);
        self.indices(blind_to);
        self.indices(blind_to_vehicles);
        self.flag(*sees_itself);
        self.numbers(&[*constant, *relative, *dropout]);
    }

    fn sensor_kind(&mut self, kind: &SensorKind) {
        match kind {
            SensorKind::Laser { beams, range, by_depth_buffer } => {
                self.tag(1);
                self.beams(beams);
                self.numbers(&[*range]);
                self.flag(*by_depth_buffer);
            }
            SensorKind::Infrared { range } => self.tagged(2, &[*range]),
            SensorKind::LightBarrier { range } => self.tagged(3, &[*range]),
            SensorKind::Bumper { half_angle } => self.tagged(4, &[*half_angle]),
            SensorKind::Camera { size, field, range } => {
                self.tag(5);
                self.pixels(*size);
                self.numbers(&[*field, *range]);
            }
            SensorKind::Ultrasonic { half_angle, range } => self.tagged(6, &[*half_angle, *range]),
            SensorKind::Odometry => self.tag(7),
        }
    }

    fn tagged(&mut self, tag: u8, numbers: &[f64]) {
        self.tag(tag);
        self.numbers(numbers);
    }

    fn beams(&mut self, beams: &Beams) {
        match beams {
            Beams::Grid { size, field } => {
                self.tag(1);
                self.pixels(*size);
                self.numbers(field);
            }
            Beams::Rows { elevations, columns, field } => {
                self.tag(2);
                self.list(elevations, |out, &elevation| out.numbers(&[elevation]));
                self.bytes(&columns.to_le_bytes());
                self.numbers(&[*field]);
            }
            Beams::Lasers { lasers, columns, field } => {
                self.tag(3);
                self.list(lasers, |out, &Laser { elevation, azimuth, up, left }| {
                    out.numbers(&[elevation, azimuth, up, left]);
                });
                self.bytes(&columns.to_le_bytes());
                self.numbers(&[*field]);
            }
        }
    }
}

#[cfg(test)]
mod tests;
