//! Dynamic drive with one heavy body: the older algorithm of text 000. All parts but the main one are without mass; springs with damping and Coulomb's friction at the wheels act on it.
//!
//! Springs are implicit in time, all of them together and with what the body does when it is pushed at a point, turning included, so that
//! any stiffness and step is stable.

use super::grip::{Grip, Row, Soft};
use super::wheel::{Wheel, first_half, follow, gliders};
use super::{Gear, mass};
use crate::dynamics::{BodyId, Bytes, ColliderId, Engine, Filter, Free, Kind, Mass, Nearby, State};
use crate::vehicle::model::Model;
use crate::vehicle::steering::Running;
use freiraum_geometry::math::{power_of_two, unit};
use freiraum_geometry::{Pose, Vec3};

/// The springs of a vehicle.
pub(super) struct Single {
    /// What it stands on: the wheels of the gear, then gliders.
    wheels: Vec<Wheel>,
    /// Of each of them.
    springs: Vec<TyreSpring>,
    /// Parts whose shapes are on the main part: all but those that it stands on.
    carried: Vec<usize>,
    /// Those of them that joints move, and where they are: `main_from_part`.
    moved: Vec<(usize, ColliderId, Pose)>,
    whole: Mass,
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

/// A wheel or glider that touches something.
struct Contact {
    /// Its number.
    wheel: usize,
    /// The frame of its axle, `world_from_axle`, without the hang of the spring.
    axle: Pose,
    touch: Nearby,
}

/// The bodies on both sides of the contacts, as the impulses of the step move them.
struct Sides {
    /// The vehicle.
    main: Free,
    /// What gives way under it.
    others: Vec<(BodyId, Free)>,
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
        let carried: Vec<usize> = (1..bodies.len()).filter(|part| !model.parts[*part].is_ground).collect();
        let main_from_vehicle = model.parts[0].pose.inverse();
        let mut moved = Vec::new();
        for part in &carried {
            if !model.is_rigid(*part) {
                let place = main_from_vehicle * model.parts[*part].pose;
                moved.extend(engine.colliders(bodies[*part]).map(|collider| (*part, collider, place)));
            }
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
            wheels,
            springs,
            carried,
            moved,
            whole,
            strains: Vec::new(),
            near: Vec::new(),
            touches: Vec::new(),
        }
    }

    pub(super) fn before(&mut self, engine: &mut Engine, gear: &mut Gear, bodies: &[BodyId], step: f64) {
        gear.reach(step);
        self.arrange(engine, gear, bodies);
        let world_from_main = engine.pose(bodies[0]);
        let up = world_from_main.rotate(Vec3::Z);
        let mut contacts = Vec::new();
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
            // What it can fall onto in this step counts, too.
            let margin = (step * step * engine.settings().gravity.length()).min(0.5 * wheel.radius);
            if let Some(bounds) = engine.bounds_at(spring.collider, &world_from_wheel) {
                let bounds = bounds.inflated(margin);
                engine.within(&bounds, &mut self.near);
                for other in &self.near {
                    let body = engine.body_of(*other);
                    if !bodies.contains(&body) && !engine.is_ignored(body, bodies[wheel.part]) {
                        engine.touches(spring.collider, &world_from_wheel, *other, margin, &mut self.touches);
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
                contacts.push(Contact { wheel: number, axle: world_from_main * half, touch });
            }
            let wanted = if wheel.is_driven { gear.rim(&wheel) / wheel.radius } else { spring.spin };
            spring.spin = wanted;
        }
        self.push(engine, gear, bodies, &contacts, step);
    }

    /// Puts shapes where joints have moved their parts. The mass stays where it is when all joints are at 0.
    fn arrange(&mut self, engine: &mut Engine, gear: &Gear, bodies: &[BodyId]) {
        if self.moved.is_empty() {
            return;
        }
        let placed = gear.model.placed(&gear.positions);
        let main_from_vehicle = placed[0].inverse();
        let mut places = Vec::new();
        for (part, collider, place) in &mut self.moved {
            let now = main_from_vehicle * placed[*part];
            if now != *place {
                *place = now;
                places.push((*collider, now));
            }
        }
        if !places.is_empty() {
            // The masses of models are fine.
            let _ = engine.rearrange(bodies[0], self.whole, &places);
        }
    }

    /// Lets the springs act. Their impulses over the step follow from the velocities at its end: Gauss–Seidel
    /// sweeps over the contacts.
    fn push(&mut self, engine: &mut Engine, gear: &Gear, bodies: &[BodyId], contacts: &[Contact], step: f64) {
        let mut sides = Sides { main: engine.free(bodies[0], step), others: Vec::new() };
        let grip = |contact| self.grip(engine, gear, bodies, contact, &mut sides, step);
        let mut grips: Vec<Grip> = contacts.iter().map(grip).collect();
        sides.relax(&mut grips);
        let mut strains = Vec::with_capacity(contacts.len());
        for (contact, grip) in contacts.iter().zip(&grips) {
            let (wheel, spring) = (&self.wheels[contact.wheel], &mut self.springs[contact.wheel]);
            // It rolls as the ground wants, unless it is touched at its side.
            if grip.is_clamped && grip.lever < -0.5 * wheel.radius {
                let forward = grip.rows[1].along;
                spring.spin = -sides.passing(grip).dot(forward) / grip.lever;
            }
            if contact.touch.separation <= 0.0 {
                let (wheel, collider) = (contact.wheel as u32, contact.touch.collider.0);
                strains.push(Strain { by: strain_after(grip, step), wheel, collider });
            }
            sides.act(engine, bodies[0], contact, grip, wheel.radius, step);
        }
        self.strains = strains;
    }

    /// The springs of a wheel or glider at a contact.
    fn grip(
        &self,
        engine: &Engine,
        gear: &Gear,
        bodies: &[BodyId],
        contact: &Contact,
        sides: &mut Sides,
        step: f64,
    ) -> Grip {
        let Contact { wheel: number, axle, touch } = contact;
        let (wheel, spring) = (&self.wheels[*number], &self.springs[*number]);
        let normal = touch.normal;
        let flat = |v: Vec3| v - v.dot(normal) * normal;
        let ground = engine.velocity_at(touch.body, touch.point);
        let other = sides.other(engine, bodies, touch, step);
        let along_axle = axle.rotate(Vec3::Y);
        // The rim itself, as far as it is in the ground.
        let rim = touch.point + 0.5 * touch.separation * normal;
        let arm = rim - (axle.translation() - spring.hang * axle.rotate(Vec3::Z));
        let rolling = spring.spin * along_axle.cross(arm);
        // Sideways: strained until friction lets go.
        let old = self.strains.iter().find(|s| s.wheel as usize == *number && s.collider == touch.collider.0);
        // It grows by what the last step really did.
        let now = engine.velocity_at(bodies[0], touch.point) - ground;
        let strain = old.map_or(Vec3::ZERO, |s| flat(s.by + step * (now + rolling)));
        let rolled = (spring.spin * wheel.radius * step).abs() / (ROLLED_SHARE * wheel.radius);
        let strain = strain * (-rolled).exp();
        let forward = unit(flat(along_axle.cross(normal)))
            .or_else(|| unit(flat(axle.rotate(Vec3::X))))
            .unwrap_or_else(|| normal.any_orthonormal_vector());
        let side = normal.cross(forward);
        let hold = Soft { stiffness: HOLD * spring.stiffness, damping: HOLD_DAMPING * spring.damping };
        // Nothing resists before it touches.
        let damping = if touch.separation > 0.0 { 0.0 } else { spring.damping };
        let press = Soft { stiffness: spring.stiffness, damping };
        let row = |along: Vec3, soft: &Soft, strain: f64| {
            Row::new(along, soft, strain, sides.inverse(other, touch.point, along), step)
        };
        let rows = [
            row(normal, &press, touch.separation),
            row(forward, &hold, strain.dot(forward)),
            row(side, &hold, strain.dot(side)),
        ];
        let friction_rule = engine.settings().friction_rule;
        let friction = engine.material(touch.collider).friction;
        Grip {
            point: touch.point,
            other,
            ground,
            rolling: flat(rolling),
            rows,
            friction: friction_rule.of(gear.model.parts[wheel.part].friction, friction),
            most: torque(gear, wheel) / wheel.radius * step,
            impulses: [0.0; 3],
            is_clamped: false,
            is_sliding: false,
            lever: along_axle.cross(arm).dot(forward),
            hold: hold.stiffness,
            strain,
        }
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
            if !self.carried.contains(&part) {
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
        self.moved.iter().for_each(|(_, _, place)| place.put(out));
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
        for (_, _, place) in &mut self.moved {
            *place = State::get(from)?;
        }
        let strain = |([wheel, collider], by): ([u32; 2], Vec3)| Strain { wheel, collider, by };
        self.strains = names.into_iter().zip(by).map(strain).collect();
        Some(())
    }
}

impl Sides {
    /// The number of the body under a contact; `None` if it does not give way.
    fn other(&mut self, engine: &Engine, bodies: &[BodyId], touch: &Nearby, step: f64) -> Option<usize> {
        // What is pressed on something that does not give way does not, either.
        let gives = engine.kind(touch.body) == Kind::Dynamic
            && !engine.is_stopped(touch.body, touch.point, -touch.normal, bodies);
        gives.then(|| {
            self.others.iter().position(|(body, _)| *body == touch.body).unwrap_or_else(|| {
                self.others.push((touch.body, engine.free(touch.body, step)));
                self.others.len() - 1
            })
        })
    }

    /// How much faster both sides pass each other by a unit impulse along a direction.
    fn inverse(&self, other: Option<usize>, point: Vec3, along: Vec3) -> f64 {
        self.main.inverse(point, along) + other.map_or(0.0, |at| self.others[at].1.inverse(point, along))
    }

    fn passing(&self, grip: &Grip) -> Vec3 {
        grip.passing(&self.main, &self.others)
    }

    /// Sweeps over the contacts until their impulses settle.
    fn relax(&mut self, grips: &mut [Grip]) {
        for _ in 0..PASSES {
            let (mut change, mut all) = (0.0f64, 0.0f64);
            for grip in grips.iter_mut() {
                change = change.max(grip.relax(&mut self.main, &mut self.others));
                all = all.max(grip.impulses[0]);
            }
            if change <= CONVERGED * all {
                break;
            }
        }
    }

    /// Hands the force of a contact to the bodies on both sides.
    fn act(
        &self,
        engine: &mut Engine,
        vehicle: BodyId,
        contact: &Contact,
        grip: &Grip,
        radius: f64,
        step: f64,
    ) {
        let touch = &contact.touch;
        let [normal, forward, side] = [0, 1, 2].map(|at| grip.rows[at].along);
        let [pressed, pull, across] = grip.impulses.map(|impulse| impulse / step);
        let whole = pressed * normal + (pull * forward + across * side);
        if whole == Vec3::ZERO {
            return;
        }
        engine.apply_force(vehicle, whole, touch.point);
        if engine.kind(touch.body) == Kind::Dynamic {
            // What holds it answers only to what presses it there: a light thing that can slip away is not thrown.
            let free = engine.free(touch.body, step);
            let gets = step * free.inverse(touch.point, whole) / whole.length();
            let falls = (2.0 * engine.settings().gravity.length() * radius).sqrt();
            let most = self.passing(grip).length() + falls;
            let share = if grip.other.is_none() && gets > most { most / gets } else { 1.0 };
            engine.apply_force(touch.body, -share * whole, touch.point);
        }
    }
}

/// The torque that a wheel has along its axle: that of its motor; without one it only holds sideways.
fn torque(gear: &Gear, wheel: &Wheel) -> f64 {
    match (wheel.is_driven, wheel.is_glider) {
        (true, _) => gear.model.joints[wheel.roll].most,
        (false, true) => f64::INFINITY,
        (false, false) => 0.0,
    }
}

/// How far a contact is strained sideways after the step.
fn strain_after(grip: &Grip, step: f64) -> Vec3 {
    let [_, forward, side] = [0, 1, 2].map(|at| grip.rows[at].along);
    let [_, pull, across] = grip.impulses.map(|impulse| impulse / step);
    if grip.is_sliding {
        -(pull * forward + across * side) / grip.hold
    } else if grip.is_clamped {
        grip.strain - (grip.strain.dot(forward) + pull / grip.hold) * forward
    } else {
        grip.strain
    }
}

/// Contacts are gone over at most this many times, until impulses change by no more than a share of the largest one.
const PASSES: usize = 100;
const CONVERGED: f64 = power_of_two(-33);

/// A tyre without suspension gives by this share of its radius under its load.
const GIVE: f64 = 1.0 / 64.0;

/// Sideways, a tyre is this many times as stiff as upwards, and as damped.
const HOLD: f64 = 4.0;
const HOLD_DAMPING: f64 = 1.0;

/// Damping of a tyre without suspension: 2 is critical. Small robots turn easily, so that much more would be too much for all wheels together.
const DAMPING: f64 = 0.8;

/// Strain is gone when a wheel has rolled by this share of its radius.
const ROLLED_SHARE: f64 = 0.25;

/// Points of one contact as one: where they press, and how deep on average, or the nearest one if they are apart.
fn together(points: &[Nearby]) -> Option<Nearby> {
    let depth = |p: &Nearby| (-p.separation).max(0.0);
    let sum: f64 = points.iter().map(depth).sum();
    let first = points.first()?;
    if sum <= 0.0 {
        return points.iter().min_by(|a, b| a.separation.total_cmp(&b.separation)).copied();
    }
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
