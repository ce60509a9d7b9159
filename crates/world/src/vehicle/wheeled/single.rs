//! Dynamic drive with one heavy body: the older algorithm of text 000. All parts but the main one are without mass; springs with damping and Coulomb's friction at the wheels act on it.
//!
//! A spring is implicit in time, with the share of the mass that it carries, so that any stiffness and step is stable.

use super::wheel::{Wheel, first_half, follow, gliders};
use super::{Gear, mass};
use crate::rigid::{BodyId, Bytes, ColliderId, Engine, Filter, Kind, Mass, Nearby, State};
use crate::vehicle::model::Model;
use crate::vehicle::steering::Running;
use freiraum_geometry::math::unit;
use freiraum_geometry::{Pose, Vec3};

/// The springs of a vehicle.
pub(super) struct Single {
    mass: f64,
    /// What it stands on: the wheels of the gear, then gliders.
    wheels: Vec<Wheel>,
    /// Of each of them.
    springs: Vec<TyreSpring>,
    /// Parts that nothing moves against the main part.
    rigid: Vec<usize>,
    /// How far points in contact are strained sideways.
    strains: Vec<Strain>,
    near: Vec<ColliderId>,
    touches: Vec<Nearby>,
}

/// What a wheel pushes with.
struct TyreSpring {
    collider: ColliderId,
    stiffness: f64,
    damping: f64,
    /// How far the wheel hangs below its place without load.
    hang: f64,
    /// How far it can be pushed up from its place.
    travel: f64,
    /// How far it is pushed up from where it hangs, for pictures.
    pushed: f64,
    /// How fast it turns, in rad/s.
    spin: f64,
}

/// The strain of a wheel against another shape.
#[derive(Clone, Copy)]
struct Strain {
    wheel: u32,
    collider: u32,
    by: Vec3,
}

impl Single {
    pub(super) fn new(engine: &mut Engine, gear: &Gear, bodies: &[BodyId]) -> Single {
        let model = &gear.model;
        let whole = mass::gathered(model, 0..bodies.len());
        let _ = engine.set_mass(bodies[0], whole);
        let mut wheels = gear.wheels.clone();
        wheels.extend(gliders(model, wheels.len()));
        let is_carried = |part: &usize| model.is_rigid(*part) && !model.parts[*part].is_ground;
        let rigid: Vec<usize> = (1..bodies.len()).filter(is_carried).collect();
        for part in &rigid {
            engine.carry(bodies[*part], bodies[0]);
        }
        let weight = engine.settings().gravity.length() * model.mass();
        let loads = loads(model, &gear.wheels, &whole, weight);
        let mut springs = Vec::new();
        for wheel in &wheels {
            let load = loads.get(wheel.number).copied();
            let collider = engine.colliders(bodies[wheel.part]).next().expect("a wheel has a shape");
            engine.set_filter(collider, Filter { groups: 0, meets: 0 });
            let (stiffness, damping, travel) = match (&model.running, wheel.suspension) {
                (Running::Cars(axles), Some(_)) => {
                    (axles.suspension.stiffness, axles.suspension.damping, axles.suspension.travel)
                }
                _ => {
                    // Without weight there is nothing to go by; anything is stiff enough.
                    let usual = weight / wheels.len() as f64;
                    let stiffness = (load.unwrap_or(usual) / (GIVE * wheel.radius)).max(1.0);
                    (stiffness, DAMPING * (stiffness * model.mass() / wheels.len() as f64).sqrt(), 0.0)
                }
            };
            let hang = load.unwrap_or(0.0).max(0.0) / stiffness;
            springs.push(TyreSpring { collider, stiffness, damping, hang, travel, pushed: hang, spin: 0.0 });
        }
        Single {
            mass: model.mass(),
            wheels,
            springs,
            rigid,
            strains: Vec::new(),
            near: Vec::new(),
            touches: Vec::new(),
        }
    }

    pub(super) fn before(&mut self, engine: &mut Engine, gear: &mut Gear, bodies: &[BodyId], step: f64) {
        gear.reach(step);
        let world_from_main = engine.pose(bodies[0]);
        let up = world_from_main.rotate(Vec3::Z);
        let mut pushes = Vec::new();
        for number in 0..self.wheels.len() {
            let wheel = self.wheels[number];
            if let Some(swivel) = wheel.swivel {
                gear.positions[swivel] = follow(engine, gear, &wheel, swivel, bodies[0], step);
            }
            let spring = &mut self.springs[number];
            spring.pushed = 0.0;
            let half = first_half(gear, &wheel);
            let main_from_wheel = half * wheel_turned(&gear.model, &wheel);
            let world_from_wheel =
                Pose::from_translation(-spring.hang * up) * (world_from_main * main_from_wheel);
            self.touches.clear();
            if let Some(bounds) = engine.bounds_at(spring.collider, &world_from_wheel) {
                engine.within(&bounds, &mut self.near);
                for other in &self.near {
                    let body = engine.body_of(*other);
                    if !bodies.contains(&body) && !engine.is_ignored(body, bodies[wheel.part]) {
                        engine.touches(spring.collider, &world_from_wheel, *other, 0.0, &mut self.touches);
                    }
                }
            }
            let mut rest = &self.touches[..];
            while let Some(first) = rest.first() {
                let (group, others) = rest.split_at(first.of.min(rest.len()));
                rest = others;
                let Some(touch) = together(group) else { continue };
                let rise = -touch.separation * touch.normal.dot(up);
                spring.pushed = spring.pushed.max(rise.min(spring.hang + spring.travel));
                pushes.push((number, world_from_main * half, touch));
            }
            let wanted = if wheel.is_driven { gear.rim(&wheel) / wheel.radius } else { spring.spin };
            spring.spin = wanted;
        }
        self.push(engine, gear, bodies, &pushes, step);
    }

    /// Lets the springs act.
    fn push(
        &mut self,
        engine: &mut Engine,
        gear: &Gear,
        bodies: &[BodyId],
        pushes: &[(usize, Pose, Nearby)],
        step: f64,
    ) {
        let mut strains = Vec::with_capacity(pushes.len());
        let gravity = engine.settings().gravity;
        // Each contact carries its share of the mass.
        let mass = self.mass / pushes.len() as f64;
        for (number, axle, touch) in pushes {
            let (wheel, spring) = (&self.wheels[*number], &mut self.springs[*number]);
            let soft = |stiffness: f64, damping: f64, strain: f64, speed: f64| {
                let resists = damping + stiffness * step;
                -(stiffness * strain + resists * speed) / (1.0 + resists * step / mass)
            };
            let is_movable = engine.kind(touch.body) == Kind::Dynamic;
            let ground = engine.velocity_at(touch.body, touch.point);
            let now = engine.velocity_at(bodies[0], touch.point);
            let main = now + step * gravity;
            let along_axle = axle.rotate(Vec3::Y);
            // The rim itself, as far as it is in the ground.
            let rim = touch.point + 0.5 * touch.separation * touch.normal;
            let arm = rim - (axle.translation() - spring.hang * axle.rotate(Vec3::Z));
            let rolling = spring.spin * along_axle.cross(arm) - ground;
            let normal = touch.normal;
            let flat = |v: Vec3| v - v.dot(normal) * normal;
            let (stiffness, damping) = (spring.stiffness, spring.damping);
            let approach = (main - ground).dot(normal);
            let pressed = soft(stiffness, damping, touch.separation, approach).max(0.0);
            // Sideways: strained until friction lets go.
            let old =
                self.strains.iter().find(|s| s.wheel as usize == *number && s.collider == touch.collider.0);
            // It grows by what the last step really did.
            let strain = old.map_or(Vec3::ZERO, |s| flat(s.by + step * (now + rolling)));
            let rolled = (spring.spin * wheel.radius * step).abs() / (ROLLED_SHARE * wheel.radius);
            let strain = strain * (-rolled).exp();
            let (hold, resist) = (HOLD * stiffness, HOLD_DAMPING * damping);
            let forward = unit(flat(along_axle.cross(normal))).unwrap_or(Vec3::ZERO);
            let slip = flat(main + rolling);
            let mut force = Vec3::new(
                soft(hold, resist, strain.x, slip.x),
                soft(hold, resist, strain.y, slip.y),
                soft(hold, resist, strain.z, slip.z),
            );
            let other = engine.material(touch.collider).friction;
            let own = gear.model.parts[wheel.part].friction;
            let grip = pressed * engine.settings().friction_rule.of(own, other);
            let mut is_slipping = force.length() > grip;
            if is_slipping {
                force *= grip / force.length();
            }
            // A wheel without motor only holds sideways; a motor gives what it has.
            let torque = match (wheel.is_driven, wheel.is_glider) {
                (true, _) => gear.model.joints[wheel.roll].most,
                (false, true) => f64::INFINITY,
                (false, false) => 0.0,
            };
            let pull = force.dot(forward);
            let most = torque / wheel.radius;
            if pull.abs() > most {
                force += (pull.clamp(-most, most) - pull) * forward;
                is_slipping = true;
                let lever = along_axle.cross(arm).dot(forward);
                // It rolls as the ground wants, unless it is touched at its side.
                if lever < -0.5 * wheel.radius {
                    spring.spin = -(main - ground).dot(forward) / lever;
                }
            }
            let by = if is_slipping { -force / hold } else { strain };
            strains.push(Strain { by, wheel: *number as u32, collider: touch.collider.0 });
            let whole = pressed * normal + force;
            engine.apply_force(bodies[0], whole, touch.point);
            if is_movable {
                engine.apply_force(touch.body, -whole, touch.point);
            }
        }
        self.strains = strains;
    }

    pub(super) fn after(&mut self, engine: &mut Engine, gear: &mut Gear, bodies: &[BodyId], step: f64) {
        for (wheel, spring) in gear.wheels.iter().zip(&self.springs) {
            gear.positions[wheel.roll] += spring.spin * step;
            if let Some(suspension) = wheel.suspension {
                gear.positions[suspension] = spring.pushed - spring.hang;
            }
        }
        let springs = &self.springs;
        gear.count(|wheel| springs[wheel.number].spin * step);
        let world_from_vehicle = engine.pose(bodies[0]) * gear.model.parts[0].pose.inverse();
        let placed = gear.model.placed(&gear.positions);
        for part in 1..bodies.len() {
            let pose = world_from_vehicle * placed[part];
            engine.set_pose(bodies[part], pose);
            if !self.rigid.contains(&part) {
                let velocity = engine.velocity_at(bodies[0], pose.translation());
                engine.set_velocity(bodies[part], velocity, engine.angular_velocity(bodies[0]));
            }
        }
    }

    pub(super) fn put(&self, out: &mut Vec<u8>) {
        let spins: Vec<[f64; 2]> = self.springs.iter().map(|s| [s.spin, s.pushed]).collect();
        spins.put(out);
        let strains: Vec<[u32; 2]> = self.strains.iter().map(|s| [s.wheel, s.collider]).collect();
        strains.put(out);
        let by: Vec<Vec3> = self.strains.iter().map(|s| s.by).collect();
        by.put(out);
    }

    pub(super) fn get(&mut self, from: &mut Bytes) -> Option<()> {
        let spins: Vec<[f64; 2]> = State::get(from)?;
        let names: Vec<[u32; 2]> = State::get(from)?;
        let by: Vec<Vec3> = State::get(from)?;
        if spins.len() != self.springs.len() || names.len() != by.len() {
            return None;
        }
        for (spring, [spin, pushed]) in self.springs.iter_mut().zip(spins) {
            (spring.spin, spring.pushed) = (spin, pushed);
        }
        let strain = |([wheel, collider], by): ([u32; 2], Vec3)| Strain { wheel, collider, by };
        self.strains = names.into_iter().zip(by).map(strain).collect();
        Some(())
    }
}

/// A tyre without suspension gives by this share of its radius under its load.
const GIVE: f64 = 1.0 / 64.0;

/// Sideways, a tyre is this many times as stiff as upwards, and as damped.
const HOLD: f64 = 4.0;
const HOLD_DAMPING: f64 = 1.0;

/// Damping of a tyre without suspension: 2 is critical. Small robots turn easily, so that much more would be too much for all wheels together.
const DAMPING: f64 = 0.8;

/// Strain is gone when a wheel has rolled by this share of its radius.
const ROLLED_SHARE: f64 = 0.25;

/// Points of one contact as one: where they press, and how deep on average; `None` if they are apart.
fn together(points: &[Nearby]) -> Option<Nearby> {
    let depth = |p: &Nearby| (-p.separation).max(0.0);
    let sum: f64 = points.iter().map(depth).sum();
    let first = points.first().filter(|_| sum > 0.0)?;
    let point = points.iter().map(|p| depth(p) * p.point).sum::<Vec3>() / sum;
    Some(Nearby { point, separation: -sum / points.len() as f64, ..*first })
}

/// The cylinder of a wheel in the frame of the first half of its joint: not turned.
fn wheel_turned(model: &Model, wheel: &Wheel) -> Pose {
    Pose::from_translation(-wheel.at) * model.parts[wheel.part].pose
}

/// The weight that every wheel carries on level ground.
fn loads(model: &Model, wheels: &[Wheel], whole: &Mass, weight: f64) -> Vec<f64> {
    let Mass::Given { center, .. } = whole else { return vec![0.0; wheels.len()] };
    let center = model.parts[0].pose.transform_point(*center).x;
    // a + b x with the right sum and the right centre.
    let count = wheels.len() as f64;
    let middle = wheels.iter().map(|wheel| wheel.at.x).sum::<f64>() / count;
    let spread = wheels.iter().map(|wheel| (wheel.at.x - middle).powi(2)).sum::<f64>();
    let slope = if spread > 0.0 { (center - middle) / spread } else { 0.0 };
    wheels.iter().map(|wheel| weight * (1.0 / count + slope * (wheel.at.x - middle))).collect()
}
