//! A wheel on what it touches: springs in three directions, with friction.

use crate::dynamics::{BodyId, Free};
use freiraum_geometry::Vec3;

/// A spring with damping.
pub(super) struct Soft {
    pub(super) stiffness: f64,
    pub(super) damping: f64,
}

/// A spring in one direction, implicit in time: with the impulse p it leaves the speed `-bias - give p`.
pub(super) struct Row {
    pub(super) along: Vec3,
    bias: f64,
    give: f64,
    /// What an impulse does at last, with the spring.
    mass: f64,
}

impl Row {
    pub(super) fn new(along: Vec3, soft: &Soft, strain: f64, inverse: f64, step: f64) -> Row {
        let resists = soft.damping + soft.stiffness * step;
        let give = 1.0 / (step * resists);
        Row { along, bias: soft.stiffness * strain / resists, give, mass: 1.0 / (inverse + give) }
    }

    /// The impulse that goes with this speed, which the impulse so far has led to.
    fn wanted(&self, impulse: f64, speed: f64) -> f64 {
        impulse - self.mass * (speed + self.bias + self.give * impulse)
    }
}

/// A contact of a wheel: upwards, forwards and sideways.
pub(super) struct Grip {
    pub(super) point: Vec3,
    /// What gives way on the other side, if something does.
    pub(super) other: Option<usize>,
    /// How fast the other side is, if it does not give way.
    pub(super) ground: Vec3,
    pub(super) rolling: Vec3,
    pub(super) rows: [Row; 3],
    pub(super) friction: f64,
    /// Forwards.
    pub(super) most: f64,
    pub(super) impulses: [f64; 3],
    pub(super) is_clamped: bool,
    pub(super) is_sliding: bool,
    pub(super) lever: f64,
    pub(super) hold: f64,
    pub(super) strain: Vec3,
}

impl Grip {
    /// How fast the vehicle passes the ground here.
    pub(super) fn passing(&self, main: &Free, others: &[(BodyId, Free)]) -> Vec3 {
        let ground = self.other.map_or(self.ground, |at| others[at].1.velocity_at(self.point));
        main.velocity_at(self.point) - ground
    }

    /// Takes the impulses that fit the velocities, and says how much they changed.
    pub(super) fn relax(&mut self, main: &mut Free, others: &mut [(BodyId, Free)]) -> f64 {
        let speed = self.passing(main, others).dot(self.rows[0].along);
        let pressed = self.rows[0].wanted(self.impulses[0], speed).max(0.0);
        let mut change = self.set(0, pressed, main, others);
        let most = self.friction * pressed;
        let slip = self.passing(main, others) + self.rolling;
        let pull = self.rows[1].wanted(self.impulses[1], slip.dot(self.rows[1].along));
        self.is_clamped = pull.abs() > self.most;
        change = change.max(self.set(1, pull.clamp(-self.most, self.most), main, others));
        let slip = self.passing(main, others) + self.rolling;
        let across = self.rows[2].wanted(self.impulses[2], slip.dot(self.rows[2].along));
        let whole = self.impulses[1].hypot(across);
        self.is_sliding = whole > most;
        let share = if self.is_sliding { most / whole } else { 1.0 };
        change = change.max(self.set(2, share * across, main, others));
        if self.is_sliding {
            change = change.max(self.set(1, share * self.impulses[1], main, others));
        }
        change
    }

    fn set(&mut self, at: usize, impulse: f64, main: &mut Free, others: &mut [(BodyId, Free)]) -> f64 {
        let change = impulse - self.impulses[at];
        self.impulses[at] = impulse;
        let vector = change * self.rows[at].along;
        main.push(self.point, vector);
        if let Some(at) = self.other {
            others[at].1.push(self.point, -vector);
        }
        change.abs()
    }
}
