//! Bodies: what the caller says of them, and what the engine keeps.

use super::collider::ColliderDescription;
use super::rotation::principal_frame;
use freiraum_geometry::{MassProperties, Mat3, Pose, Quat, Vec3};

/// The name of a body in its engine. Names of removed bodies are not used again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BodyId(pub u32);

impl BodyId {
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

/// What moves a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Kind {
    /// Nothing: it stays where it is, whatever hits it.
    Fixed,
    /// On rails: it moves with the velocities that it is given, whatever hits it.
    Driven,
    /// Forces, contacts and joints.
    #[default]
    Dynamic,
}

/// Mass of a body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Mass {
    /// Of its shapes filled with this density, in kg/m³.
    Density(f64),
    /// This many kilograms, spread evenly over its shapes.
    Total(f64),
    /// Given: mass in kg, centre in metres and inertia about it in kg m², axes parallel to those of the body's frame.
    Given {
        /// Kilograms.
        mass: f64,
        /// Centre of mass in the frame of the body.
        center: Vec3,
        /// Inertia tensor about the centre of mass, symmetric and positive definite.
        inertia: Mat3,
    },
}

/// How air slows a body down. The deceleration is `linear v + quadratic |v| v`, and `angular w` for its rotation.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct Drag {
    /// In 1/s.
    pub linear: f64,
    /// In 1/m: for a ball of mass m, `density of air * drag coefficient * cross section / (2 m)`.
    pub quadratic: f64,
    /// In 1/s.
    pub angular: f64,
}

/// How a body answers to contacts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum ContactModel {
    /// Impulses: nothing gets into anything, whatever the step.
    #[default]
    Impulse,
    /// Springs with damping and Coulomb friction, as in texts 000 and 003: bodies overlap by what the springs need. A pair uses
    /// springs if one of its bodies does. See [`Material`](super::Material).
    Penalty,
}

/// A body to be added to an engine.
#[derive(Clone, Debug)]
pub struct BodyDescription {
    /// What moves it.
    pub kind: Kind,
    /// Where its frame is.
    pub world_from_body: Pose,
    /// Velocity of the centre of mass, in m/s.
    pub linear_velocity: Vec3,
    /// In rad/s.
    pub angular_velocity: Vec3,
    /// Its shapes; none at all is allowed if the mass is given.
    pub colliders: Vec<ColliderDescription>,
    /// Ignored unless the body is dynamic.
    pub mass: Mass,
    /// How air slows it down.
    pub drag: Drag,
    /// This share of gravity acts on it: 1 for all ordinary bodies.
    pub gravity_share: f64,
    /// How it answers to contacts.
    pub contact: ContactModel,
    /// Whether it may fall asleep, if the settings allow that at all.
    pub may_sleep: bool,
}

impl BodyDescription {
    /// A body of the given kind with these shapes, at rest; density of water.
    #[must_use]
    pub fn new(kind: Kind, world_from_body: Pose, colliders: Vec<ColliderDescription>) -> BodyDescription {
        BodyDescription {
            kind,
            world_from_body,
            linear_velocity: Vec3::ZERO,
            angular_velocity: Vec3::ZERO,
            colliders,
            mass: Mass::Density(1000.0),
            drag: Drag::default(),
            gravity_share: 1.0,
            contact: ContactModel::Impulse,
            may_sleep: true,
        }
    }
}

/// Why a body was not added.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum BodyError {
    /// A number that must be positive and finite is not.
    #[error("{what} of {value} is none; expected a positive number")]
    NotPositive {
        /// Which number.
        what: &'static str,
        /// Its value.
        value: f64,
    },
    /// Something is infinite or not a number.
    #[error("{0} is not finite")]
    NotFinite(&'static str),
    /// The shapes have no volume (open meshes, planes): the mass must be given.
    #[error("the shapes have no volume; give mass, centre and inertia")]
    NoVolume,
}

/// The part of a body that changes in time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Motion {
    /// Centre of mass in the world.
    pub(crate) center: Vec3,
    /// `world_from_body`, without its translation.
    pub(crate) rotation: Quat,
    /// Velocity of the centre of mass.
    pub(crate) linear: Vec3,
    /// Angular velocity.
    pub(crate) angular: Vec3,
}

/// What the engine keeps of a body beside its [`Motion`].
#[derive(Clone, Debug)]
pub(crate) struct Body {
    pub(crate) kind: Kind,
    pub(crate) is_removed: bool,
    /// Centre of mass in the frame of the body.
    pub(crate) local_center: Vec3,
    pub(crate) mass: f64,
    /// 0 unless dynamic.
    pub(crate) inverse_mass: f64,
    /// The frame of the body in which the inertia is diagonal, and the moments there.
    pub(crate) body_from_principal: Quat,
    pub(crate) moments: Vec3,
    /// All moments alike: balls and cubes turn as if they had no shape.
    pub(crate) is_isotropic: bool,
    /// Largest moment over the smallest, less 1.
    pub(crate) unevenness: f64,
    pub(crate) drag: Drag,
    pub(crate) gravity_share: f64,
    pub(crate) contact: ContactModel,
    pub(crate) may_sleep: bool,
    pub(crate) is_asleep: bool,
    /// For how long it has been slow, in seconds.
    pub(crate) quiet: f64,
    /// Force and torque about the centre of mass, for the next step.
    pub(crate) force: Vec3,
    pub(crate) torque: Vec3,
    pub(crate) colliders: Vec<u32>,
    /// Half the thickness of its thinnest shape: while it moves by less than a share of it, contacts that are looked for ahead of the step
    /// see everything.
    pub(crate) core: f64,
    /// Radius of a ball about the centre of mass that holds the body.
    pub(crate) reach: f64,
    /// The axis in its own frame, through the centre of mass, about which all its shapes are round: turns about it move nothing.
    pub(crate) round_about: Option<Vec3>,
    /// Whether a joint holds it.
    pub(crate) is_joined: bool,
    /// Whether another body has its shapes: whoever said so moves it.
    pub(crate) is_carried: bool,
    /// Whether a material of it bounces.
    pub(crate) is_bouncy: bool,
}

impl Body {
    pub(crate) fn is_dynamic(&self) -> bool {
        self.kind == Kind::Dynamic && !self.is_removed
    }

    /// Other masses; the centre stays where it is.
    pub(crate) fn set_inertia(&mut self, inertia: &Inertia) {
        self.mass = inertia.mass;
        self.inverse_mass = 1.0 / inertia.mass;
        self.body_from_principal = inertia.body_from_principal;
        self.moments = inertia.moments;
        let (least, most) = (inertia.moments.min_element(), inertia.moments.max_element());
        self.unevenness = most / least - 1.0;
        self.is_isotropic = most - least <= 64.0 * f64::EPSILON * most;
    }

    /// `world_from_body`.
    pub(crate) fn pose(&self, motion: &Motion) -> Pose {
        let origin = motion.center - motion.rotation * self.local_center;
        let pose = Pose::from_parts(motion.rotation, origin).or_else(|| Pose::new(motion.rotation, origin));
        pose.unwrap_or(Pose::IDENTITY)
    }

    /// The inverse of the inertia tensor in the world; zero unless dynamic.
    pub(crate) fn inverse_inertia(&self, rotation: Quat) -> Mat3 {
        if self.inverse_mass == 0.0 {
            return Mat3::ZERO;
        }
        if self.is_isotropic {
            return Mat3::from_diagonal(Vec3::splat(1.0 / self.moments.x));
        }
        let Mat3 { x_axis: x, y_axis: y, z_axis: z } = Mat3::from_quat(rotation * self.body_from_principal);
        let by = 1.0 / self.moments;
        let (u, v, w) = (by.x * x, by.y * y, by.z * z);
        // Symmetric: three of nine entries are there already.
        let first = u.x * x + v.x * y + w.x * z;
        let (yy, yz) = (u.y * x.y + v.y * y.y + w.y * z.y, u.y * x.z + v.y * y.z + w.y * z.z);
        let zz = u.z * x.z + v.z * y.z + w.z * z.z;
        Mat3::from_cols(first, Vec3::new(first.y, yy, yz), Vec3::new(first.z, yz, zz))
    }

    /// Whether the body tumbles so far in a time that what was known of its contacts before is of no use afterwards: an impulse that is taken
    /// back when the body has turned by an angle t can leave it with `1 + t² unevenness` times the energy that it had.
    pub(crate) fn is_wild(&self, motion: &Motion, angular: Vec3, time: f64) -> bool {
        if self.is_isotropic {
            return false;
        }
        let is_beyond = |square: f64| square > WILD * WILD || square * self.unevenness > WILD_GAIN;
        // Most turn by so little that it does not matter about which axis.
        is_beyond(angular.length_squared() * time * time)
            && is_beyond((self.tumbling(motion, angular) * time).powi(2))
    }

    /// How fast the inertia of the body changes in the world with an angular velocity, in rad/s: what it turns about the axes about which it is
    /// not round.
    pub(crate) fn tumbling(&self, motion: &Motion, angular: Vec3) -> f64 {
        let w = ((motion.rotation * self.body_from_principal).conjugate() * angular).abs();
        let Vec3 { x, y, z } = self.moments;
        let uneven = Vec3::new((y - z).abs(), (z - x).abs(), (x - y).abs()) / self.moments.max_element();
        (w * uneven).length()
    }

    /// Angular momentum about the centre of mass.
    pub(crate) fn angular_momentum(&self, motion: &Motion) -> Vec3 {
        let frame = motion.rotation * self.body_from_principal;
        frame * (self.moments * (frame.conjugate() * motion.angular))
    }

    /// Kinetic energy in joules.
    pub(crate) fn kinetic_energy(&self, motion: &Motion) -> f64 {
        let turning = 0.5 * motion.angular.dot(self.angular_momentum(motion));
        0.5 * self.mass * motion.linear.length_squared() + turning
    }
}

/// See [`Body::is_wild`].
const WILD: f64 = 0.5;
const WILD_GAIN: f64 = 1.0 / 16.0;

/// Mass, centre and principal inertia of a dynamic body.
pub(crate) struct Inertia {
    pub(crate) mass: f64,
    pub(crate) center: Vec3,
    pub(crate) body_from_principal: Quat,
    pub(crate) moments: Vec3,
}

/// What the caller said of the mass, as numbers.
pub(crate) fn inertia_of(mass: &Mass, shapes: Option<MassProperties>) -> Result<Inertia, BodyError> {
    let (mass, center, inertia) = match *mass {
        Mass::Given { mass, center, inertia } => (positive("mass", mass)?, center, inertia),
        Mass::Density(_) | Mass::Total(_) => {
            let solid = shapes.filter(|s| s.volume > 0.0).ok_or(BodyError::NoVolume)?;
            let density = match *mass {
                Mass::Total(total) => positive("mass", total)? / solid.volume,
                Mass::Density(density) => positive("density", density)?,
                Mass::Given { .. } => 1.0,
            };
            (density * solid.volume, solid.centroid, density * solid.inertia)
        }
    };
    if !(center.is_finite() && inertia.is_finite()) {
        return Err(BodyError::NotFinite("centre of mass or inertia"));
    }
    let (moments, body_from_principal) = principal_frame(inertia);
    positive("moment of inertia", moments.min_element())?;
    Ok(Inertia { mass, center, body_from_principal, moments })
}

pub(crate) fn positive(what: &'static str, value: f64) -> Result<f64, BodyError> {
    if value > 0.0 && value.is_finite() { Ok(value) } else { Err(BodyError::NotPositive { what, value }) }
}
