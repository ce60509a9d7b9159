//! The engine: bodies, and what the caller may do with them.

use super::body::{Body, BodyDescription, BodyError, BodyId, Kind, Motion, inertia_of};
use super::broad::{Broad, Collider};
use super::collider::{ColliderId, Material};
use super::continuous::{Followed, Way, round_about};
use super::event::{ContactPoint, ContactView, Event};
use super::fault::Faults;
use super::hash::Fingerprint;
use super::joint::JointState;
use super::ledger::Ledger;
use super::narrow::{Form, Placed, ridges};
use super::settings::Settings;
use super::solver::{Inverse, Joints, Linkages, Mover, Prepared as Contacts};
use super::squeeze::Squeeze;
use freiraum_geometry::shape::Shape;
use freiraum_geometry::{MassProperties, Mat3, Pose, Quat, Vec3};
use freiraum_query::Prepared;

/// Rigid bodies in time.
///
/// **Frames.** Everything is in the frame of the world unless said otherwise. **Units.** SI.
/// **Determinism.** A clone goes on exactly like the original; nothing depends on threads, clocks or hash tables.
#[derive(Clone, Debug, Default)]
pub struct Engine {
    pub(crate) settings: Settings,
    pub(crate) time: f64,
    pub(crate) bodies: Vec<Body>,
    pub(crate) motions: Vec<Motion>,
    pub(crate) colliders: Vec<Collider>,
    pub(crate) broad: Broad,
    pub(crate) joints: Vec<JointState>,
    pub(crate) events: Vec<Event>,
    /// Length of the last part of a step: impulses grow with it.
    pub(crate) last_part: f64,
    pub(crate) statistics: Statistics,
    /// How far the farthest points of each body can have travelled in all.
    pub(crate) travel: Vec<f64>,
    pub(crate) scratch: Scratch,
    /// Why it stands still.
    pub(crate) faults: Faults,
}

/// Memory that a step uses again.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scratch {
    /// How many bodies and shapes there were, and how often shapes had been put elsewhere, when they were last counted.
    pub(crate) known: Option<(usize, usize, u64)>,
    /// Whether nobody has looked around since.
    pub(crate) is_new: bool,
    /// Bodies that are there, and those of them that are not fixed.
    pub(crate) all: Vec<u32>,
    pub(crate) movable: Vec<u32>,
    pub(crate) placed: Vec<Placed>,
    pub(crate) axes: Vec<Mat3>,
    pub(crate) spins: Vec<f64>,
    pub(crate) speeds: Vec<f64>,
    pub(crate) inverses: Vec<Inverse>,
    pub(crate) movers: Vec<Mover>,
    pub(crate) contacts: Contacts,
    pub(crate) joints: Joints,
    pub(crate) linkages: Linkages,
    pub(crate) squeeze: Squeeze,
    pub(crate) ledger: Ledger,
    /// Bodies that were held back in a stretch of time.
    pub(crate) held: Vec<u32>,
    /// Where bodies were at the beginning of a stretch of time.
    pub(crate) before: Vec<Motion>,
    /// Bodies that are fast, bodies that bounce, and those that are followed in a stretch of time.
    pub(crate) fast: Vec<u32>,
    pub(crate) bouncing: Vec<u32>,
    pub(crate) followed: Vec<u32>,
    /// What all bodies do in a stretch of time.
    pub(crate) ways: Vec<Way>,
    /// Shapes near one that is followed.
    pub(crate) near: Vec<u32>,
}

/// What the last step did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Pairs of shapes with boxes near each other.
    pub pairs: usize,
    /// Pairs with points of contact.
    pub contacts: usize,
    /// Points that the solver dealt with.
    pub points: usize,
    /// How often the step was interrupted at a first contact.
    pub interruptions: usize,
    /// How often the motion kernel was asked for a first contact.
    pub searches: usize,
    /// In how many parts of the step something was pressed so hard that it had to be held.
    pub squeezes: usize,
}

impl Engine {
    /// An empty world.
    #[must_use]
    pub fn new(settings: Settings) -> Engine {
        Engine { settings, ..Engine::default() }
    }

    /// The settings.
    #[must_use]
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The settings, to be changed between steps; wakes everybody. Rules for friction and restitution hold for pairs that meet from then on.
    pub fn settings_mut(&mut self) -> &mut Settings {
        for body in &mut self.bodies {
            body.is_asleep = false;
        }
        &mut self.settings
    }

    /// Seconds since the engine was made.
    #[must_use]
    pub fn time(&self) -> f64 {
        self.time
    }

    /// What the last step did.
    #[must_use]
    pub fn statistics(&self) -> Statistics {
        self.statistics
    }

    /// Adds a body with its shapes.
    pub fn add(&mut self, description: BodyDescription) -> Result<BodyId, BodyError> {
        let BodyDescription { kind, world_from_body, linear_velocity, angular_velocity, .. } = description;
        if !(linear_velocity.is_finite() && angular_velocity.is_finite()) {
            return Err(BodyError::NotFinite("velocity"));
        }
        let id = BodyId(self.bodies.len() as u32);
        let mut body = Body {
            kind,
            is_removed: false,
            local_center: Vec3::ZERO,
            mass: 0.0,
            inverse_mass: 0.0,
            body_from_principal: Quat::IDENTITY,
            moments: Vec3::ONE,
            is_isotropic: true,
            unevenness: 0.0,
            drag: description.drag,
            gravity_share: description.gravity_share,
            contact: description.contact,
            may_sleep: description.may_sleep,
            is_asleep: false,
            quiet: 0.0,
            force: Vec3::ZERO,
            torque: Vec3::ZERO,
            colliders: Vec::new(),
            core: f64::INFINITY,
            reach: 0.0,
            round_about: None,
            is_joined: false,
            is_carried: false,
            is_bouncy: false,
        };
        if kind == Kind::Dynamic {
            let properties: Option<Vec<MassProperties>> = description
                .colliders
                .iter()
                .map(|c| Some(c.shape.shape().mass_properties()?.placed(&c.body_from_shape)))
                .collect();
            let shapes = properties.filter(|p| !p.is_empty()).map(|p| MassProperties::combined(&p));
            let inertia = inertia_of(&description.mass, shapes)?;
            body.local_center = inertia.center;
            body.mass = inertia.mass;
            body.inverse_mass = 1.0 / inertia.mass;
            body.body_from_principal = inertia.body_from_principal;
            body.moments = inertia.moments;
            body.unevenness = inertia.moments.max_element() / inertia.moments.min_element() - 1.0;
            let spread = inertia.moments.max_element() - inertia.moments.min_element();
            body.is_isotropic = spread <= 64.0 * f64::EPSILON * inertia.moments.max_element();
        }
        let first = self.colliders.len();
        for collider in &description.colliders {
            body.is_bouncy |= collider.material.restitution > 0.0;
            let mut parts = Vec::new();
            collect(&collider.shape, &collider.body_from_shape, &mut parts);
            for (shape, body_from_shape) in parts {
                let center_from_shape = Pose::from_translation(-body.local_center) * body_from_shape;
                let bounds = shape.bounds();
                let form = form_of(&shape);
                if let Some(bounds) = bounds {
                    body.core = body.core.min(0.5 * bounds.size().min_element());
                    // Not rounded outward: speeds are compared with it, and states of worlds follow to the last bit.
                    let far = center_from_shape.transform_point(bounds.center()).length();
                    let own = match form {
                        Form::Sphere { radius } => radius,
                        _ => 0.5 * bounds.size().length(),
                    };
                    body.reach = body.reach.max(far + own);
                }
                let is_central = center_from_shape == Pose::IDENTITY;
                body.colliders.push(self.colliders.len() as u32);
                self.colliders.push(Collider {
                    body: id.0,
                    local_box: bounds.map(|b| (b.center(), 0.5 * b.size())),
                    form,
                    shape,
                    center_from_shape,
                    is_central,
                    material: collider.material,
                    filter: collider.filter,
                    fat: freiraum_geometry::Aabb::EMPTY,
                    fat_until: f64::NEG_INFINITY,
                    leaf: None,
                    pairs: Vec::new(),
                    is_removed: false,
                    followed: Followed::default(),
                });
            }
        }
        body.round_about = round_about(&self.colliders[first..]);
        // Fixed bodies set no limits to others; a body without thickness has a little.
        body.core = if kind == Kind::Fixed { f64::INFINITY } else { body.core.max(THINNEST * body.reach) };
        let rotation = world_from_body.rotation();
        self.motions.push(Motion {
            center: world_from_body.transform_point(body.local_center),
            rotation,
            linear: if kind == Kind::Fixed { Vec3::ZERO } else { linear_velocity },
            angular: if kind == Kind::Fixed { Vec3::ZERO } else { angular_velocity },
        });
        self.bodies.push(body);
        self.travel.push(0.0);
        Ok(id)
    }

    /// Takes a body out, with its shapes. Its name stays unused; asking for it gives its last state.
    pub fn remove(&mut self, id: BodyId) {
        let colliders = std::mem::take(&mut self.bodies[id.index()].colliders);
        for collider in colliders {
            self.wake_neighbours(collider);
            self.broad.remove(collider, &mut self.colliders);
        }
        for joint in &mut self.joints {
            joint.is_removed |= joint.joint.bodies.contains(&id);
        }
        self.scratch.known = None;
        self.broad.changes += 1;
        self.bodies[id.index()].is_removed = true;
        self.bodies[id.index()].inverse_mass = 0.0;
    }

    /// The names of all bodies that are there, in the order in which they were added.
    pub fn bodies(&self) -> impl Iterator<Item = BodyId> + '_ {
        (0..).zip(&self.bodies).filter(|(_, body)| !body.is_removed).map(|(at, _)| BodyId(at))
    }

    /// The shapes of a body. Compounds have one per part, in their order.
    pub fn colliders(&self, id: BodyId) -> impl Iterator<Item = ColliderId> + '_ {
        self.bodies[id.index()].colliders.iter().map(|c| ColliderId(*c))
    }

    /// The body that a shape is on.
    #[must_use]
    pub fn body_of(&self, collider: ColliderId) -> BodyId {
        BodyId(self.colliders[collider.0 as usize].body)
    }

    /// A shape and where it is: `world_from_shape`.
    #[must_use]
    pub fn shape(&self, collider: ColliderId) -> (&Prepared, Pose) {
        let collider = &self.colliders[collider.0 as usize];
        (&collider.shape, collider.placed(&self.motions[collider.body as usize]).pose())
    }

    /// `world_from_body`.
    #[must_use]
    pub fn pose(&self, id: BodyId) -> Pose {
        self.bodies[id.index()].pose(&self.motions[id.index()])
    }

    /// What moves the body.
    #[must_use]
    pub fn kind(&self, id: BodyId) -> Kind {
        self.bodies[id.index()].kind
    }

    /// Mass in kilograms; 0 unless dynamic.
    #[must_use]
    pub fn mass(&self, id: BodyId) -> f64 {
        self.bodies[id.index()].mass
    }

    /// Centre of mass, in metres.
    #[must_use]
    pub fn center(&self, id: BodyId) -> Vec3 {
        self.motions[id.index()].center
    }

    /// Velocity of the centre of mass, in m/s.
    #[must_use]
    pub fn linear_velocity(&self, id: BodyId) -> Vec3 {
        self.motions[id.index()].linear
    }

    /// In rad/s.
    #[must_use]
    pub fn angular_velocity(&self, id: BodyId) -> Vec3 {
        self.motions[id.index()].angular
    }

    /// Velocity of the point of the body that is at `point`, in m/s.
    #[must_use]
    pub fn velocity_at(&self, id: BodyId, point: Vec3) -> Vec3 {
        let motion = &self.motions[id.index()];
        motion.linear + motion.angular.cross(point - motion.center)
    }

    /// How a body moves at the end of a step in which nothing holds it.
    pub(crate) fn free(&self, id: BodyId, step: f64) -> Free {
        let (body, motion) = (&self.bodies[id.index()], &self.motions[id.index()]);
        let mut free = Free {
            center: motion.center,
            linear: motion.linear,
            angular: motion.angular,
            inverse_mass: body.inverse_mass,
            inverse_inertia: body.inverse_inertia(motion.rotation),
        };
        if body.is_dynamic() {
            free.linear +=
                step * (body.gravity_share * self.settings.gravity + body.inverse_mass * body.force);
            free.angular += step * (free.inverse_inertia * body.torque);
        }
        free
    }

    /// Whether the body sleeps.
    #[must_use]
    pub fn is_asleep(&self, id: BodyId) -> bool {
        self.bodies[id.index()].is_asleep
    }

    /// Puts a body elsewhere, at once: nothing on the way is touched. Contacts are found anew.
    pub fn set_pose(&mut self, id: BodyId, world_from_body: Pose) {
        let body = &self.bodies[id.index()];
        let motion = &mut self.motions[id.index()];
        motion.rotation = world_from_body.rotation();
        motion.center = world_from_body.transform_point(body.local_center);
        for at in self.bodies[id.index()].colliders.clone() {
            self.wake_neighbours(at);
            self.broad.forget(at, &mut self.colliders);
        }
        self.wake(id);
    }

    /// Gives a body velocities; nothing happens to fixed ones, or if a number is not finite.
    pub fn set_velocity(&mut self, id: BodyId, linear: Vec3, angular: Vec3) {
        let body = &self.bodies[id.index()];
        if body.kind == Kind::Fixed || !(linear.is_finite() && angular.is_finite()) {
            return;
        }
        let motion = &mut self.motions[id.index()];
        if (motion.linear, motion.angular) != (linear, angular) {
            (motion.linear, motion.angular) = (linear, angular);
            self.wake(id);
        }
    }

    /// Changes velocities at once, as a hit at `point` with this impulse in N s does. Dynamic bodies only.
    pub fn apply_impulse(&mut self, id: BodyId, impulse: Vec3, point: Vec3) {
        if !(impulse.is_finite() && point.is_finite()) {
            return;
        }
        let body = &self.bodies[id.index()];
        let motion = &mut self.motions[id.index()];
        let inverse = body.inverse_inertia(motion.rotation);
        motion.linear += body.inverse_mass * impulse;
        motion.angular += inverse * (point - motion.center).cross(impulse);
        self.wake(id);
    }

    /// Adds a force in newtons that acts at `point` during the whole of the next step.
    pub fn apply_force(&mut self, id: BodyId, force: Vec3, point: Vec3) {
        let arm = point - self.motions[id.index()].center;
        self.apply_wrench(id, force, arm.cross(force));
    }

    /// Adds a force at the centre of mass and a torque in N m, for the whole of the next step.
    pub fn apply_wrench(&mut self, id: BodyId, force: Vec3, torque: Vec3) {
        if !(force.is_finite() && torque.is_finite()) {
            return;
        }
        let body = &mut self.bodies[id.index()];
        body.force += force;
        body.torque += torque;
        self.wake(id);
    }

    /// Forces at centres of mass and torques that act in the next step.
    pub(crate) fn forces(&self) -> Vec<(BodyId, Vec3, Vec3)> {
        let all = (0..).zip(&self.bodies).filter(|(_, b)| b.force != Vec3::ZERO || b.torque != Vec3::ZERO);
        all.map(|(at, body)| (BodyId(at), body.force, body.torque)).collect()
    }

    /// Lets them act in the next step, too.
    pub(crate) fn add_forces(&mut self, forces: &[(BodyId, Vec3, Vec3)]) {
        forces.iter().for_each(|(id, force, torque)| self.apply_wrench(*id, *force, *torque));
    }

    /// Gives a shape another material; contacts of it are found anew.
    pub fn set_material(&mut self, collider: ColliderId, material: Material) {
        self.wake_neighbours(collider.0);
        let at = &mut self.colliders[collider.0 as usize];
        at.material = material;
        let body = at.body as usize;
        self.broad.forget(collider.0, &mut self.colliders);
        let of_body = self.bodies[body].colliders.iter().map(|c| &self.colliders[*c as usize].material);
        self.bodies[body].is_bouncy = of_body.into_iter().any(|m| m.restitution > 0.0);
        self.wake(BodyId(body as u32));
    }

    /// Two bodies that are never tested against each other.
    pub fn ignore_pair(&mut self, a: BodyId, b: BodyId) {
        let key = [a.0.min(b.0), a.0.max(b.0)];
        if let Err(at) = self.broad.ignored.binary_search(&key) {
            self.broad.ignored.insert(at, key);
        }
        for at in self.bodies[a.index()].colliders.clone() {
            self.broad.forget(at, &mut self.colliders);
        }
    }

    /// Wakes a body up; what touches it wakes in the next step.
    pub fn wake(&mut self, id: BodyId) {
        let body = &mut self.bodies[id.index()];
        body.is_asleep = false;
        body.quiet = 0.0;
    }

    pub(crate) fn wake_neighbours(&mut self, collider: u32) {
        let others: Vec<u32> = self.colliders[collider as usize].pairs.iter().map(|(o, _)| *o).collect();
        for other in others {
            self.wake(BodyId(self.colliders[other as usize].body));
        }
    }

    /// Kinetic and potential energy of all dynamic bodies, in joules; the potential is 0 at the origin.
    #[must_use]
    pub fn energy(&self) -> f64 {
        let of = |(body, motion): (&Body, &Motion)| {
            let height = self.settings.gravity.dot(motion.center);
            body.kinetic_energy(motion) - body.mass * body.gravity_share * height
        };
        self.bodies.iter().zip(&self.motions).filter(|(body, _)| body.is_dynamic()).map(of).sum()
    }

    /// Kinetic energy of one body, in joules; 0 unless dynamic.
    #[must_use]
    pub fn kinetic_energy(&self, id: BodyId) -> f64 {
        let body = &self.bodies[id.index()];
        if body.is_dynamic() { body.kinetic_energy(&self.motions[id.index()]) } else { 0.0 }
    }

    /// Angular momentum of a dynamic body about its centre of mass, in N m s.
    #[must_use]
    pub fn angular_momentum(&self, id: BodyId) -> Vec3 {
        self.bodies[id.index()].angular_momentum(&self.motions[id.index()])
    }

    /// All that touches or is about to, in the order of the pairs.
    pub fn contacts(&self) -> impl Iterator<Item = ContactView> + '_ {
        self.broad.pairs.iter().flat_map(move |pair| {
            pair.manifolds.iter().filter(|m| m.count > 0).map(move |manifold| {
                let center = self.motions[pair.bodies[0] as usize].center;
                ContactView {
                    bodies: pair.bodies.map(BodyId),
                    colliders: pair.colliders.map(ColliderId),
                    normal: manifold.normal,
                    friction_impulse: manifold.friction_impulse,
                    points: manifold
                        .points()
                        .iter()
                        .map(|p| ContactPoint {
                            point: center + p.from_a,
                            separation: p.separation,
                            impulse: p.impulse,
                        })
                        .collect(),
                }
            })
        })
    }

    /// What happened since this was asked last, in order.
    pub fn take_events(&mut self) -> Vec<Event> {
        std::mem::take(&mut self.events)
    }

    /// A fingerprint of the time and of where all bodies are and how they move: equal states have equal ones, and a difference in a single bit
    /// of a single number nearly always shows.
    #[must_use]
    pub fn state_hash(&self) -> u64 {
        let mut hash = Fingerprint::new();
        hash.number(self.time);
        for (body, motion) in self.bodies.iter().zip(&self.motions) {
            hash.word(u64::from(body.is_removed) | u64::from(body.is_asleep) << 1);
            let Motion { center, rotation, linear, angular } = motion;
            for v in [center, linear, angular] {
                v.to_array().into_iter().for_each(|x| hash.number(x));
            }
            rotation.to_array().into_iter().for_each(|x| hash.number(x));
        }
        hash.value()
    }
}

/// Bodies count as no thinner than this share of their size.
pub(crate) const THINNEST: f64 = 1.0 / 4096.0;

fn form_of(shape: &Prepared) -> Form {
    if let Some(tree) = shape.mesh_tree() {
        return Form::Surface { ridges: ridges(tree) };
    }
    match shape.shape() {
        Shape::Sphere(s) => Form::Sphere { radius: s.radius() },
        Shape::Cuboid(s) => Form::Cuboid { half: s.half() },
        Shape::HalfSpace(s) => Form::HalfSpace { normal: s.normal(), offset: s.offset() },
        _ => Form::Convex,
    }
}

/// The parts of a shape, compounds opened.
fn collect(shape: &Prepared, body_from_shape: &Pose, out: &mut Vec<(Prepared, Pose)>) {
    if matches!(shape.shape(), Shape::Compound(_)) {
        for (compound_from_part, part) in shape.parts() {
            collect(part, &(*body_from_shape * *compound_from_part), out);
        }
    } else {
        out.push((shape.clone(), *body_from_shape));
    }
}

/// A body that impulses act on, apart from the world.
pub(crate) struct Free {
    center: Vec3,
    linear: Vec3,
    angular: Vec3,
    inverse_mass: f64,
    inverse_inertia: Mat3,
}

impl Free {
    pub(crate) fn velocity_at(&self, point: Vec3) -> Vec3 {
        self.linear + self.angular.cross(point - self.center)
    }

    /// How fast the point gets along a direction with an impulse of 1 along it.
    pub(crate) fn inverse(&self, point: Vec3, along: Vec3) -> f64 {
        let arm = (point - self.center).cross(along);
        self.inverse_mass * along.length_squared() + arm.dot(self.inverse_inertia * arm)
    }

    pub(crate) fn push(&mut self, point: Vec3, impulse: Vec3) {
        self.linear += self.inverse_mass * impulse;
        self.angular += self.inverse_inertia * (point - self.center).cross(impulse);
    }
}
