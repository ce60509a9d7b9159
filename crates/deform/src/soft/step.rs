//! One small step.

use super::SoftBody;
use freiraum_geometry::Vec3;

/// What acts on a body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Surroundings {
    /// Metres per second squared.
    pub gravity: Vec3,
    /// Velocities fall by a factor of e in 1 / this many seconds; 0 in vacuum.
    pub drag: f64,
    /// Height of a floor, in metres along z, if there is one.
    pub floor: Option<f64>,
    /// Coefficient of friction on the floor.
    pub friction: f64,
}

impl Default for Surroundings {
    /// On Earth, without a floor.
    fn default() -> Surroundings {
        Surroundings { gravity: Vec3::new(0.0, 0.0, -9.81), drag: 0.0, floor: None, friction: 0.5 }
    }
}

impl SoftBody {
    /// Moves by `dt` seconds. Forces that were pushed act during this step only.
    ///
    /// **Cost.** Linear in vertices, springs and faces; no allocation.
    pub fn step(&mut self, dt: f64, around: &Surroundings) {
        if !(dt > 0.0) {
            return;
        }
        if self.gains_step != dt {
            self.make_gains(dt);
        }
        if self.relaxation > 0.0 {
            self.damp_links();
        }
        self.before.copy_from_slice(&self.positions);
        let keep = (-around.drag * dt).exp();
        for i in 0..self.positions.len() {
            let force = std::mem::take(&mut self.forces[i]);
            if self.inverse_masses[i] > 0.0 {
                let velocity =
                    keep * (self.velocities[i] + dt * (around.gravity + force * self.inverse_masses[i]));
                self.positions[i] += dt * velocity;
            }
        }
        self.relax_links();
        if self.pressure > 0.0 {
            self.relax_volume(dt);
        }
        if let Some(floor) = around.floor {
            self.lift(floor, around.friction);
        }
        for i in 0..self.positions.len() {
            if self.inverse_masses[i] > 0.0 {
                self.velocities[i] = (self.positions[i] - self.before[i]) / dt;
            }
        }
    }

    fn make_gains(&mut self, dt: f64) {
        let inverse_masses = &self.inverse_masses;
        self.gains.clear();
        self.gains.extend(self.links.iter().map(|link| {
            let [a, b] = link.ends.map(|v| inverse_masses[v as usize]);
            let damping = self.relaxation * link.stiffness * dt;
            let compliance = 1.0 / (link.stiffness * dt * dt);
            [damping / (1.0 + damping * (a + b)), 1.0 / (a + b + compliance)]
        }));
        self.gains_step = dt;
    }

    /// Every spring once: the impulse that its damper gives until the end of the step. Bodies at rest feel nothing of it.
    fn damp_links(&mut self) {
        for (link, gain) in self.links.iter().zip(&self.gains) {
            let [a, b] = link.ends.map(|v| v as usize);
            let apart = self.positions[b] - self.positions[a];
            let squared = apart.length_squared();
            // Ends in one place have no direction.
            if squared > 0.0 {
                let rate = apart.dot(self.velocities[b] - self.velocities[a]);
                let push = gain[0] * rate / squared * apart;
                self.velocities[a] += self.inverse_masses[a] * push;
                self.velocities[b] -= self.inverse_masses[b] * push;
            }
        }
    }

    /// Every spring once: the push that leaves it as long as its force asks for at the end of the step.
    fn relax_links(&mut self) {
        for (link, gain) in self.links.iter().zip(&self.gains) {
            let [a, b] = link.ends.map(|v| v as usize);
            let apart = self.positions[b] - self.positions[a];
            let length = apart.length();
            if length > 0.0 {
                let push = gain[1] * (1.0 - link.length / length) * apart;
                self.positions[a] += self.inverse_masses[a] * push;
                self.positions[b] -= self.inverse_masses[b] * push;
            }
        }
    }

    /// The volume towards that at rest, by pushes along its derivatives, which neither move nor turn the body as a whole.
    fn relax_volume(&mut self, dt: f64) {
        self.slopes.fill(Vec3::ZERO);
        let base = self.positions[0];
        let mut volume = 0.0;
        for face in &self.faces {
            let [a, b, c] = face.map(|v| self.positions[v as usize] - base);
            let [bc, ca, ab] = [b.cross(c), c.cross(a), a.cross(b)];
            volume += a.dot(bc);
            // All three share the derivative of a closed surface evenly: a third of the face's normal area each.
            let normal = (bc + ca + ab) / 6.0;
            for v in face {
                self.slopes[*v as usize] += normal;
            }
        }
        volume /= 6.0;
        let weight: f64 =
            self.slopes.iter().zip(&self.inverse_masses).map(|(s, w)| w * s.length_squared()).sum();
        // Pascals per share of the volume: p V0 / 2 (V / V0 - 1)² has this compliance.
        let compliance = self.rest_volume / (self.pressure * dt * dt);
        let push = (volume - self.rest_volume) / (weight + compliance);
        for i in 0..self.positions.len() {
            self.positions[i] -= self.inverse_masses[i] * push * self.slopes[i];
        }
    }

    /// What is below the floor is lifted onto it, and slides back by as much of its way as friction holds.
    fn lift(&mut self, floor: f64, friction: f64) {
        for i in 0..self.positions.len() {
            let below = floor - self.positions[i].z;
            if below > 0.0 && self.inverse_masses[i] > 0.0 {
                self.positions[i].z = floor;
                let way = self.positions[i] - self.before[i];
                let slide = way.truncate();
                let held = friction * below;
                let share = if slide.length() > held { held / slide.length() } else { 1.0 };
                self.positions[i] -= (share * slide).extend(0.0);
            }
        }
    }
}
