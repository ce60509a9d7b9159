//! What moves a body.

use freiraum_geometry::Vec3;

/// The physics of a body.
#[derive(Clone, Debug, PartialEq)]
pub struct Physics {
    /// What may move it.
    pub kind: Kind,
    /// How heavy it is.
    pub mass: Mass,
    /// Coulomb's coefficient; that of a pair is the product of both.
    pub friction: f64,
    /// Share of the speed of approach that is left after an impact, in [0, 1]; that of a pair is the smaller one.
    pub restitution: f64,
    /// How contacts push.
    pub contacts: Contacts,
    /// A body that is not active stays where it is, whatever pushes.
    pub is_active: bool,
    /// At the start, of the centre of mass, in metres per second.
    pub velocity: Vec3,
    /// At the start, in radians per second, in the frame of the world.
    pub spin: Vec3,
}

/// What may move a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Nothing.
    Fixed,
    /// Gravity, contacts and grippers.
    Movable,
    /// It goes on with its speed, and pushes away what is in its way.
    Kinematic,
}

/// How heavy a body is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Mass {
    /// In kilograms.
    Kilograms(f64),
    /// In kilograms per cubic metre.
    Density(f64),
}

/// How contacts of a body push.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Contacts {
    /// At once: nothing gets into anything.
    Impulses,
    /// As springs with damping.
    Springs {
        /// In newtons per metre of depth.
        stiffness: f64,
        /// In newtons per metre per second of approach.
        damping: f64,
    },
}

impl Physics {
    /// Of a body that says nothing about it: heavy as water, and fixed or not.
    pub fn of_unsaid(is_fixed: bool) -> Physics {
        Physics {
            kind: if is_fixed { Kind::Fixed } else { Kind::Movable },
            mass: Mass::Density(1000.0),
            friction: 0.7,
            restitution: 0.0,
            contacts: Contacts::Impulses,
            is_active: true,
            velocity: Vec3::ZERO,
            spin: Vec3::ZERO,
        }
    }
}
