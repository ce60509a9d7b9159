//! The ground below a kinematic vehicle: height, pitch and roll follow it.
//!
//! Every wheel is let down on what is fixed, by the motion kernel. A plane through what they found carries the vehicle; springs take the rest.

use super::Gear;
use crate::rigid::{BodyId, ColliderId, Engine, Kind};
use crate::vehicle::model::{JointKind, Model};
use freiraum_geometry::math::unit;
use freiraum_geometry::{AxisBox, Mat3, Pose, Quat, Vec3};
use freiraum_motion::MotionWorkspace;

/// What a vehicle stands on: its wheels and gliders.
pub(super) struct Ground {
    supports: Vec<Support>,
    /// Distance of the farthest support from the origin of the vehicle.
    reach: f64,
    /// It stays so far above the ground, so that it is proven to touch nothing.
    gap: f64,
    near: Vec<ColliderId>,
}

struct Support {
    part: usize,
    at: Vec3,
    suspension: Option<usize>,
    /// Where the suspension may be.
    limits: [f64; 2],
    /// How far it may have to rise in this step.
    rise: f64,
}

impl Ground {
    pub(super) fn new(model: &Model) -> Ground {
        let supports: Vec<Support> = (0..model.parts.len())
            .filter(|part| model.parts[*part].is_ground)
            .map(|part| {
                let suspension =
                    model.joints.iter().position(|j| j.part == part && j.kind == JointKind::Suspension);
                Support {
                    part,
                    at: model.parts[part].pose.translation(),
                    suspension,
                    limits: suspension.map_or([0.0; 2], |joint| model.joints[joint].limits),
                    rise: 0.0,
                }
            })
            .collect();
        let reach = supports.iter().map(|s| s.at.truncate().length()).fold(0.0, f64::max);
        let radius = supports.iter().map(|s| s.at.z).fold(f64::INFINITY, f64::min);
        Ground { supports, reach, gap: GAP * radius, near: Vec::new() }
    }

    pub(super) fn reach(&self) -> f64 {
        self.reach
    }

    /// How deep what is pushed may get into the vehicle before that stops.
    pub(super) fn depth(&self) -> f64 {
        DEPTH / GAP * self.gap
    }

    /// Where all parts are when wheels have not rolled: `vehicle_from_part`.
    pub(super) fn unrolled(&self, gear: &Gear, positions: &[f64]) -> Vec<Pose> {
        let joints = gear.model.joints.iter().zip(positions);
        let still: Vec<f64> =
            joints.map(|(joint, p)| if joint.kind == JointKind::Roll { 0.0 } else { *p }).collect();
        gear.model.placed(&still)
    }

    /// The pose that a vehicle has on the ground when it comes to `pose` after it travelled so far; `None` if the ground is too steep or something is in the way.
    /// Positions of suspensions are set.
    #[expect(clippy::too_many_arguments, reason = "one caller")]
    pub(super) fn follow(
        &mut self,
        engine: &Engine,
        gear: &Gear,
        positions: &mut [f64],
        bodies: &[BodyId],
        pose: &Pose,
        travel: f64,
        memory: &mut MotionWorkspace,
    ) -> Option<Pose> {
        let Some(up) = unit(-engine.settings().gravity) else { return Some(*pose) };
        let mut pose = *pose;
        for support in &mut self.supports {
            support.rise = STEEPEST * travel + 2.0 * self.gap;
            if let Some(joint) = support.suspension {
                support.rise += positions[joint].max(0.0);
                positions[joint] = 0.0;
            }
        }
        let placed = self.unrolled(gear, positions);
        for round in 0..ROUNDS {
            let mut found = Vec::with_capacity(self.supports.len());
            for number in 0..self.supports.len() {
                let world_from_part = pose * placed[self.supports[number].part];
                let height = self.height(engine, bodies, number, &world_from_part, up, memory)?;
                found.extend(height.map(|height| (number, height)));
            }
            // As it was is good enough.
            let is_near = |(_, height): &(usize, f64)| height.abs() <= 0.5 * self.gap;
            let is_held =
                |(number, height): &(usize, f64)| *height <= 0.5 * self.gap + self.supports[*number].limits[1];
            if found.is_empty() || found.iter().all(is_near) || (round > 0 && found.iter().all(is_held)) {
                break;
            }
            let tilt = self.plane(&found);
            pose = pose * tilt;
        }
        Some(self.sprung(engine, bodies, gear, positions, &pose, up, memory))
    }

    /// Moves suspensions to the ground.
    #[expect(clippy::too_many_arguments, reason = "one caller")]
    fn sprung(
        &mut self,
        engine: &Engine,
        bodies: &[BodyId],
        gear: &Gear,
        positions: &mut [f64],
        pose: &Pose,
        up: Vec3,
        memory: &mut MotionWorkspace,
    ) -> Pose {
        let placed = self.unrolled(gear, positions);
        for number in 0..self.supports.len() {
            let support = &self.supports[number];
            let (Some(joint), limits) = (support.suspension, support.limits) else { continue };
            let world_from_part = *pose * placed[support.part];
            if let Some(Some(height)) =
                self.height(engine, bodies, number, &world_from_part, up, memory)
                && height.abs() > 0.5 * self.gap
            {
                positions[joint] = height.clamp(limits[0], limits[1]);
            }
        }
        *pose
    }

    /// By how much a support must rise to stand on the ground; within `None` if there is no ground below it, `None` if it is in something at once.
    #[expect(clippy::too_many_arguments, reason = "two callers")]
    fn height(
        &mut self,
        engine: &Engine,
        bodies: &[BodyId],
        number: usize,
        world_from_part: &Pose,
        up: Vec3,
        memory: &mut MotionWorkspace,
    ) -> Option<Option<f64>> {
        let Support { part, rise, at, .. } = self.supports[number];
        let Some(collider) = engine.colliders(bodies[part]).next() else { return Some(None) };
        let fall = rise + FALL * at.z.max(self.reach);
        let start = Pose::from_translation(rise * up) * *world_from_part;
        let end = Pose::from_translation(-fall * up) * *world_from_part;
        let [Some(a), Some(b)] = [start, end].map(|at| engine.bounds_at(collider, &at)) else {
            return Some(None);
        };
        engine.within(&AxisBox { min: a.min.min(b.min), max: a.max.max(b.max) }, &mut self.near);
        let mut share = 1.0f64;
        for other in self.near.iter().copied() {
            let body = engine.body_of(other);
            if engine.kind(body) != Kind::Fixed || engine.is_ignored(body, bodies[part]) {
                continue;
            }
            let free = engine.free_share(collider, [start, end], other, 0.0, memory);
            if free == 0.0 {
                return None;
            }
            share = share.min(free);
        }
        if share == 1.0 {
            return Some(None);
        }
        Some(Some(rise - share * (rise + fall) + self.gap))
    }

    /// What the vehicle does, seen from itself, so that none of these supports is lower than it must be: the plane of least squares, raised.
    fn plane(&self, found: &[(usize, f64)]) -> Pose {
        // height = a + b x + c y.
        let (mut matrix, mut right) = (Mat3::ZERO, Vec3::ZERO);
        for (number, height) in found {
            let row = Vec3::new(1.0, self.supports[*number].at.x, self.supports[*number].at.y);
            matrix += Mat3::from_cols(row.x * row, row.y * row, row.z * row);
            right += *height * row;
        }
        // Where supports do not tell a slope, there is none.
        let slight = RIDGE * self.reach * self.reach;
        matrix += Mat3::from_diagonal(Vec3::new(0.0, slight, slight));
        let Vec3 { x: a, y: b, z: c } = matrix.inverse() * right;
        let short = found.iter().map(|(number, height)| {
            let at = self.supports[*number].at;
            let support = &self.supports[*number];
            // Springs take what they can.
            height - (a + b * at.x + c * at.y) - support.limits[1]
        });
        let raised = a + short.fold(0.0, f64::max);
        let normal = unit(Vec3::new(-b, -c, 1.0)).unwrap_or(Vec3::Z);
        Pose::new(Quat::from_rotation_arc(Vec3::Z, normal), Vec3::new(0.0, 0.0, raised))
            .unwrap_or(Pose::IDENTITY)
    }
}

/// A vehicle stays this share of the radius of its wheels above the ground.
const GAP: f64 = 1.0 / 1024.0;

/// What is pushed may get this share of the radius of wheels into a vehicle.
const DEPTH: f64 = 1.0 / 32.0;

/// Wheels do not climb what rises faster than this per length of the way: 60 degrees.
const STEEPEST: f64 = 1.75;

/// Ground farther below than this many times the size of the vehicle is not looked for.
const FALL: f64 = 1.0;

/// How often the plane is found anew after the vehicle has been tilted.
const ROUNDS: usize = 4;

/// Share of the square of the size of a vehicle that stands for no slope.
const RIDGE: f64 = 1.0 / 65536.0;
