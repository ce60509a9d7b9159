//! Shapes on bodies, and what they are made of.

use freiraum_geometry::{Pose, Shape};
use freiraum_query::Prepared;

/// The name of a shape on a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ColliderId(pub u32);

/// What a surface is made of.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Material {
    /// Coulomb's coefficient of friction.
    pub friction: f64,
    /// Share of the speed of approach that is left after an impact, in [0, 1].
    pub restitution: f64,
    /// Lever of rolling resistance in metres: the torque against rolling is at most this times the normal force. Of two materials the larger one counts.
    pub rolling_friction: f64,
    /// Lever of the resistance against spinning about the normal in metres, beside what friction over the area does; the larger one counts.
    pub spinning_friction: f64,
    /// Springs: N/m per point of contact, for bodies with [`ContactModel::Penalty`](super::ContactModel). The springs of two materials act one behind the other, and so
    /// do their dampers: two equal ones are half as stiff.
    pub stiffness: f64,
    /// Springs: N s/m per point of contact.
    pub damping: f64,
}

impl Default for Material {
    fn default() -> Material {
        Material {
            friction: 0.5,
            restitution: 0.0,
            rolling_friction: 0.0,
            spinning_friction: 0.0,
            stiffness: 100_000.0,
            damping: 1000.0,
        }
    }
}

/// Which shapes meet: a is in some groups and meets some groups; two meet if each meets a group of the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Filter {
    /// The groups that it belongs to, one bit each.
    pub groups: u32,
    /// The groups that it meets.
    pub meets: u32,
}

impl Filter {
    /// In all groups, meets all.
    pub const ALL: Filter = Filter { groups: u32::MAX, meets: u32::MAX };

    /// Whether two shapes meet.
    #[must_use]
    pub fn lets_meet(&self, other: &Filter) -> bool {
        self.groups & other.meets != 0 && other.groups & self.meets != 0
    }
}

/// A shape to be put on a body.
#[derive(Clone, Debug)]
pub struct ColliderDescription {
    /// Compounds become one collider per part.
    pub shape: Prepared,
    /// Where on the body.
    pub body_from_shape: Pose,
    /// What it is made of.
    pub material: Material,
    /// What it meets.
    pub filter: Filter,
}

impl ColliderDescription {
    /// A shape at the origin of the body, of the default material.
    #[must_use]
    pub fn new(shape: Shape) -> ColliderDescription {
        ColliderDescription {
            shape: Prepared::new(shape),
            body_from_shape: Pose::IDENTITY,
            material: Material::default(),
            filter: Filter::ALL,
        }
    }

    /// The same at another place on the body.
    #[must_use]
    pub fn at(mut self, body_from_shape: Pose) -> ColliderDescription {
        self.body_from_shape = body_from_shape;
        self
    }

    /// The same of another material.
    #[must_use]
    pub fn of(mut self, material: Material) -> ColliderDescription {
        self.material = material;
        self
    }
}
