//! A line that meanders: its direction swings like a sine of the length along it.

use freiraum_geometry::Vec3;
use std::f64::consts::PI;

/// Pieces of the tabulated line.
const PIECES: usize = 256;

/// The bent axis over [-reach, reach], at its nodes exact to rounding, between them by cubics that have its directions at both
/// ends: off by some (length of a piece)⁴ times the third derivative of its direction / 384.
pub(super) struct Meander {
    /// (u, x) of the line at the nodes.
    nodes: [[f64; 2]; PIECES + 1],
    /// Its direction there, of length 1.
    directions: [[f64; 2]; PIECES + 1],
    reach: f64,
    angle: f64,
    /// Radians per metre.
    rate: f64,
    phase: f64,
}

impl Meander {
    pub(super) fn new(reach: f64, angle: f64, waves: f64, phase: f64) -> Meander {
        let zeros = [[0.0; 2]; PIECES + 1];
        let mut line =
            Meander { nodes: zeros, directions: zeros, reach, angle, rate: PI * waves / reach, phase };
        let step = 2.0 * reach / PIECES as f64;
        let middle = PIECES / 2;
        // From the middle, which stays where it is, outwards both ways.
        for k in middle..PIECES {
            let [u, x] = line.integral(line.at(k), step);
            line.nodes[k + 1] = [line.nodes[k][0] + u, line.nodes[k][1] + x];
        }
        for k in (0..middle).rev() {
            let [u, x] = line.integral(line.at(k), step);
            line.nodes[k] = [line.nodes[k + 1][0] - u, line.nodes[k + 1][1] - x];
        }
        for k in 0..=PIECES {
            line.directions[k] = line.direction(line.at(k));
        }
        line
    }

    /// Length along the line at a node, from the middle.
    fn at(&self, node: usize) -> f64 {
        self.reach * (2.0 * node as f64 / PIECES as f64 - 1.0)
    }

    /// (sin, cos) of the direction at a length.
    fn direction(&self, x: f64) -> [f64; 2] {
        let (sin, cos) = (self.angle * (self.rate * x + self.phase).sin()).sin_cos();
        [sin, cos]
    }

    /// The way from x to x + step, by Gauss's rule with four points.
    fn integral(&self, x: f64, step: f64) -> [f64; 2] {
        const RULE: [(f64, f64); 2] = [
            (0.339_981_043_584_856_3, 0.652_145_154_862_546_1),
            (0.861_136_311_594_052_6, 0.347_854_845_137_453_9),
        ];
        let mut sum = [0.0; 2];
        for (place, weight) in RULE {
            for side in [-1.0, 1.0] {
                let [sin, cos] = self.direction(x + 0.5 * step * (1.0 + side * place));
                sum[0] += 0.5 * step * weight * sin;
                sum[1] += 0.5 * step * weight * cos;
            }
        }
        sum
    }

    /// A point (u, v, x) goes to where the line is at x, and u along its normal. Beyond its ends the line goes on straight.
    pub(super) fn bend(&self, p: Vec3) -> Vec3 {
        let x = p.z.clamp(-self.reach, self.reach);
        let [sin, cos] = self.direction(x);
        let [u, along] = self.line(x);
        let beyond = p.z - x;
        Vec3::new(u + p.x * cos + beyond * sin, p.y, along - p.x * sin + beyond * cos)
    }

    fn line(&self, x: f64) -> [f64; 2] {
        let place = 0.5 * (x / self.reach + 1.0) * PIECES as f64;
        let k = (place as usize).min(PIECES - 1);
        let t = place - k as f64;
        let step = 2.0 * self.reach / PIECES as f64;
        let (d0, d1) = (self.directions[k], self.directions[k + 1]);
        let (p0, p1) = (self.nodes[k], self.nodes[k + 1]);
        std::array::from_fn(|i| {
            let rise = p1[i] - p0[i];
            let (a, b) = (step * d0[i] - rise, rise - step * d1[i]);
            p0[i] + t * rise + t * (1.0 - t) * ((1.0 - t) * a + t * b)
        })
    }
}
