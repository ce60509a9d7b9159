//! Looking around: where shapes are, and which contacts matter. Fixed bodies cost nothing while they stay where they are.

use super::body::Kind;
use super::broad::Around;
use super::engine::Engine;
use super::narrow::Placed;
use super::phase::{View, collide};
use super::solver::{Inverse, Linkages, Mover};
use freiraum_geometry::{Mat3, Vec3};

impl Engine {
    /// Tells bodies that move from those that do not, if anything was added, taken out or put elsewhere since the last step.
    pub(crate) fn count_bodies(&mut self) {
        let scratch = &mut self.scratch;
        let known = Some((self.bodies.len(), self.colliders.len(), self.broad.changes));
        if scratch.known == known {
            return;
        }
        scratch.known = known;
        scratch.is_new = true;
        scratch.linkages = Linkages::default();
        let count = self.bodies.len();
        scratch.all.clear();
        scratch.all.extend((0..count as u32).filter(|at| !self.bodies[*at as usize].is_removed));
        scratch.movable.clear();
        let is_movable = |at: &&u32| {
            let body = &self.bodies[**at as usize];
            body.kind != Kind::Fixed && (body.is_dynamic() || !body.is_carried)
        };
        scratch.movable.extend(scratch.all.iter().filter(is_movable));
        scratch.axes.resize(count, Mat3::IDENTITY);
        scratch.spins.resize(count, 0.0);
        scratch.speeds.resize(count, 0.0);
        scratch.inverses.clear();
        scratch.inverses.resize(count, Inverse::default());
        scratch.movers.clear();
        scratch.movers.resize(count, Mover::default());
        scratch.placed.resize(self.colliders.len(), Placed::default());
    }

    /// Finds all contacts that matter within `time`.
    pub(crate) fn look_around(&mut self, time: f64) {
        let scratch = &mut self.scratch;
        let looked_at = if scratch.is_new { &scratch.all } else { &scratch.movable };
        for at in looked_at {
            let at = *at as usize;
            let (body, motion) = (&self.bodies[at], &self.motions[at]);
            let spin = if motion.angular == Vec3::ZERO { 0.0 } else { motion.angular.length() * body.reach };
            let axes = Mat3::from_quat(motion.rotation);
            scratch.axes[at] = axes;
            scratch.spins[at] = spin;
            scratch.speeds[at] = motion.linear.length() + spin;
            // What sleeps is as good as fixed, until something touches it.
            scratch.inverses[at] = if body.is_asleep {
                Inverse::default()
            } else {
                let is_round = body.is_isotropic && body.inverse_mass > 0.0;
                let round = if is_round { 1.0 / body.moments.x } else { 0.0 };
                Inverse { mass: body.inverse_mass, round, inertia: body.inverse_inertia(motion.rotation) }
            };
            for c in &body.colliders {
                let collider = &self.colliders[*c as usize];
                scratch.placed[*c as usize] = if collider.is_central {
                    Placed { axes, position: motion.center, rotation: motion.rotation }
                } else {
                    collider.placed(motion)
                };
            }
        }
        let around = Around {
            placed: &scratch.placed,
            bodies: &self.bodies,
            speeds: &scratch.speeds,
            travel: &self.travel,
            time,
            settings: &self.settings,
            bodies_to_look_at: looked_at,
        };
        self.broad.update(&mut self.colliders, &around);
        scratch.is_new = false;
        let view = View {
            bodies: &self.bodies,
            motions: &self.motions,
            axes: &scratch.axes,
            spins: &scratch.spins,
            travel: &self.travel,
            colliders: &self.colliders,
            placed: &scratch.placed,
            time,
            now: self.time,
            faults: &self.faults,
        };
        collide(&mut self.broad.pairs, &view, self.settings.parallel);
    }
}
