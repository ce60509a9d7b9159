//! Sleep: groups of bodies that rest are left alone until something touches one of them.

use super::engine::Engine;
use super::joint::JointState;
use super::pair::Manifold;
use freiraum_geometry::Vec3;
use freiraum_geometry::math::UnionFind;

impl Engine {
    /// Wakes what is touched by something awake, and all that it holds on to; tells whether anything woke.
    /// Something that is near a sleeping body but cannot reach it in `time` does not wake it.
    pub(crate) fn wake_touched(&mut self, time: f64) -> bool {
        let mut has_woken = false;
        loop {
            let mut woken = Vec::new();
            for pair in &self.broad.pairs {
                let [a, b] = pair.bodies.map(|b| &self.bodies[b as usize]);
                if a.is_asleep != b.is_asleep {
                    let (sleeper, other) = if a.is_asleep { (0, 1) } else { (1, 0) };
                    let reach = self.scratch.speeds[pair.bodies[other] as usize] * time;
                    let is_near = |m: &Manifold| m.points().iter().any(|p| p.separation <= reach);
                    let touches = pair.is_touching || pair.manifolds.iter().any(is_near);
                    if touches && self.is_active(pair.bodies[other]) {
                        woken.push(pair.bodies[sleeper]);
                    }
                }
            }
            for JointState { joint, is_removed, .. } in &self.joints {
                let [a, b] = joint.bodies.map(|id| &self.bodies[id.index()]);
                if !is_removed && a.is_asleep != b.is_asleep {
                    let (sleeper, other) = if a.is_asleep { (0, 1) } else { (1, 0) };
                    if self.is_active(joint.bodies[other].0) {
                        woken.push(joint.bodies[sleeper].0);
                    }
                }
            }
            if woken.is_empty() {
                return has_woken;
            }
            has_woken = true;
            for at in woken {
                let body = &mut self.bodies[at as usize];
                body.is_asleep = false;
                body.quiet = 0.0;
            }
        }
    }

    /// Whether a body that is awake can wake others: dynamic ones, and those on rails that move.
    fn is_active(&self, at: u32) -> bool {
        let (body, motion) = (&self.bodies[at as usize], &self.motions[at as usize]);
        body.is_dynamic() || motion.linear != Vec3::ZERO || motion.angular != Vec3::ZERO
    }

    /// Lets groups of bodies that touch or are joined fall asleep once all of them have been slow for long enough.
    pub(crate) fn rest(&mut self, time: f64) {
        let settings = &self.settings;
        for (body, motion) in self.bodies.iter_mut().zip(&self.motions) {
            let speed = motion.linear.length() + body.reach * motion.angular.length();
            body.quiet = if speed < settings.sleep_speed { body.quiet + time } else { 0.0 };
        }
        let mut groups = UnionFind::new(self.bodies.len());
        let touching = self.broad.pairs.iter().filter(|p| p.is_touching).map(|p| p.bodies);
        let joined = self.joints.iter().filter(|j| !j.is_removed).map(|j| j.joint.bodies.map(|id| id.0));
        for [a, b] in touching.chain(joined) {
            if self.bodies[a as usize].is_dynamic() && self.bodies[b as usize].is_dynamic() {
                groups.join(a, b);
            }
        }
        let mut is_quiet = vec![true; self.bodies.len()];
        for at in 0..self.bodies.len() {
            let body = &self.bodies[at];
            if body.is_dynamic() && !(body.may_sleep && body.quiet >= settings.sleep_time) {
                is_quiet[groups.root(at as u32) as usize] = false;
            }
        }
        for at in 0..self.bodies.len() {
            let body = &mut self.bodies[at];
            if body.is_dynamic() && !body.is_asleep && is_quiet[groups.root(at as u32) as usize] {
                body.is_asleep = true;
                (self.motions[at].linear, self.motions[at].angular) = (Vec3::ZERO, Vec3::ZERO);
            }
        }
    }
}
