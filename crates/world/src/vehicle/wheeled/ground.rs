//! The ground below a kinematic vehicle: height, pitch and roll follow it.
//!
//! Every wheel is let down on what is fixed by exact distances, so that it touches nothing. A plane through what they found carries the vehicle; springs take the rest.

use super::Gear;
use crate::dynamics::{BodyId, Clearance, ColliderId, Engine, Kind};
use crate::vehicle::model::{JointKind, Model};
use freiraum_geometry::math::{power_of_two, unit};
use freiraum_geometry::{Aabb, Mat3, Pose, Quat, Vec3};

/// What a vehicle stands on: its wheels and gliders.
pub(super) struct Ground {
    supports: Vec<Support>,
    /// Distance of the farthest support from the origin of the vehicle.
    reach: f64,
    /// It stays so far above the ground, so that it is proven to touch nothing.
    gap: f64,
    /// Radius of the largest wheel.
    radius: f64,
    near: Vec<ColliderId>,
    /// What the supports were let down on in this step.
    pub(super) carriers: Vec<ColliderId>,
    /// What a support is in, if the last step was too steep.
    pub(super) obstacle: Option<[ColliderId; 2]>,
}

struct Support {
    part: usize,
    collider: Option<ColliderId>,
    at: Vec3,
    suspension: Option<usize>,
    /// Where the suspension may be.
    limits: [f64; 2],
    /// How far it may have to rise or fall in this step.
    rise: f64,
    fall: f64,
}

/// How a support is let down.
struct Fall {
    collider: ColliderId,
    from: Pose,
    up: Vec3,
    /// From the lowest to the highest it may get.
    range: [f64; 2],
    /// Its radius.
    size: f64,
}

/// A vehicle in an engine.
pub(super) struct Way<'s> {
    pub(super) engine: &'s Engine,
    pub(super) gear: &'s Gear,
}

impl Ground {
    pub(super) fn new(model: &Model, colliders: &[Option<ColliderId>]) -> Ground {
        let supports: Vec<Support> = (0..model.parts.len())
            .filter(|part| model.parts[*part].is_ground)
            .map(|part| {
                let suspension =
                    model.joints.iter().position(|j| j.part == part && j.kind == JointKind::Suspension);
                Support {
                    part,
                    collider: colliders[part],
                    at: model.parts[part].pose.translation(),
                    suspension,
                    limits: suspension.map_or([0.0; 2], |joint| model.joints[joint].limits),
                    rise: 0.0,
                    fall: 0.0,
                }
            })
            .collect();
        let reach = supports.iter().map(|s| s.at.truncate().length()).fold(0.0, f64::max);
        let radius = supports.iter().map(|s| s.at.z).fold(0.0, f64::max);
        Ground {
            supports,
            reach,
            gap: GAP * radius,
            radius,
            near: Vec::new(),
            carriers: Vec::new(),
            obstacle: None,
        }
    }

    pub(super) fn reach(&self) -> f64 {
        self.reach
    }

    /// Whether a part is a wheel or glider.
    pub(super) fn is_support(&self, part: usize) -> bool {
        self.supports.iter().any(|support| support.part == part)
    }

    /// How deep what is pushed may get into the vehicle before that stops.
    pub(super) fn depth(&self) -> f64 {
        DEPTH * self.radius
    }

    /// The pose that a vehicle has on the ground when it comes to `pose` after it travelled so far; `None` if the ground is too steep or something is in the way.
    /// Positions of suspensions are set.
    pub(super) fn follow(
        &mut self,
        way: &Way,
        positions: &mut [f64],
        bodies: &[BodyId],
        pose: &Pose,
        travel: f64,
    ) -> Option<Pose> {
        self.carriers.clear();
        self.obstacle = None;
        let Some(up) = unit(-way.engine.settings().gravity) else { return Some(*pose) };
        let mut pose = *pose;
        for support in &mut self.supports {
            let most = STEEPEST * travel + 2.0 * self.gap;
            (support.rise, support.fall) = (most, most - support.limits[0]);
            if let Some(joint) = support.suspension {
                support.rise += positions[joint].max(0.0);
                positions[joint] = 0.0;
            }
        }
        let placed = unrolled(way.gear, positions);
        self.look_around(way, bodies, &placed, &pose);
        let mut heights = vec![None; self.supports.len()];
        for round in 0..ROUNDS {
            for number in 0..self.supports.len() {
                let world_from_part = pose * placed[self.supports[number].part];
                heights[number] = self.height(way, number, &world_from_part, up)?;
            }
            if heights.iter().all(Option::is_none) {
                return Some(pose);
            }
            // Where there is no ground it goes down.
            let found: Vec<f64> =
                heights.iter().zip(&self.supports).map(|(h, s)| h.unwrap_or(s.limits[0] - s.fall)).collect();
            // As it was is good enough.
            let is_near = |(height, support): (&f64, &Support)| {
                height.abs() <= (0.5 * self.gap).max(LEVEL * support.limits[1])
            };
            let is_held = |(height, support): (&f64, &Support)| *height <= support.limits[1];
            let mut both = found.iter().zip(&self.supports);
            if both.all(is_near) || (round > 0 && found.iter().zip(&self.supports).all(is_held)) {
                break;
            }
            if round + 1 == ROUNDS {
                return None;
            }
            pose = pose * self.plane(&found);
            // What the plane takes from one support it may give to another.
            let most = found.iter().fold(0.0f64, |most, height| most.max(height.abs()));
            self.supports.iter_mut().for_each(|support| support.rise += most);
        }
        for (support, height) in self.supports.iter().zip(heights) {
            let Some(joint) = support.suspension else { continue };
            let height = height.unwrap_or(support.limits[0]);
            positions[joint] = height.clamp(support.limits[0], support.limits[1]);
        }
        Some(pose)
    }

    /// Finds what is fixed near the supports.
    fn look_around(&mut self, way: &Way, bodies: &[BodyId], placed: &[Pose], pose: &Pose) {
        let mut all: Option<Aabb> = None;
        for support in &self.supports {
            let place = *pose * placed[support.part];
            let Some(own) = support.collider.and_then(|c| way.engine.bounds_at(c, &place)) else { continue };
            let own = own.inflated(2.0 * (support.rise + support.fall));
            all = Some(all.map_or(own, |all| all.union(&own)));
        }
        self.near.clear();
        if let Some(all) = all {
            way.engine.within(&all, &mut self.near);
        }
        self.near.retain(|other| {
            let body = way.engine.body_of(*other);
            way.engine.kind(body) == Kind::Fixed && !way.engine.is_ignored(body, bodies[0])
        });
    }

    /// By how much a support must rise to stand on the ground; within `None` if there is no ground below it, `None` if it is in something at once.
    ///
    /// **Guarantee.** A support that is moved by this is apart from everything fixed; it is at most half of the gap nearer than the gap if it need not move.
    fn height(&mut self, way: &Way, number: usize, world_from_part: &Pose, up: Vec3) -> Option<Option<f64>> {
        let Support { collider, rise, fall, at, .. } = self.supports[number];
        let Some(collider) = collider else { return Some(None) };
        let fall = Fall { collider, from: *world_from_part, up, range: [-fall, rise], size: at.z };
        let reach = (fall.range[1] - fall.range[0]).max(self.radius);
        let mut risen = 0.0;
        let mut nearest = self.nearest(way, &fall, risen, reach);
        if nearest.is_some_and(|(found, _)| (found.gap - self.gap).abs() <= 0.5 * self.gap) {
            self.carry(nearest);
            return Some(Some(risen));
        }
        // Too near: from above, unless it is known how far.
        if nearest.is_some_and(|(found, _)| found.gap < self.gap) {
            if let Some(height) = self.leap(way, &fall, risen, nearest, reach) {
                return Some(Some(height));
            }
            risen = rise;
            nearest = self.nearest(way, &fall, risen, reach);
        }
        for _ in 0..FALLS {
            let Some((found, other)) = nearest else { return Some(None) };
            if found.gap < 0.5 * self.gap {
                self.obstacle = Some([collider, other]);
                return None;
            }
            if found.gap <= 1.25 * self.gap {
                self.carry(nearest);
                break;
            }
            if let Some(height) = self.leap(way, &fall, risen, nearest, reach) {
                return Some(Some(height));
            }
            // Whatever moves by less than the gap touches nothing.
            risen -= found.gap - self.gap;
            if risen < fall.range[0] {
                return Some(None);
            }
            nearest = self.nearest(way, &fall, risen, reach);
        }
        Some(Some(risen))
    }

    /// The height at which a support stands if the ground goes on as it is where it is nearest; `None` if it does not stand there, or that is farther than its size,
    /// so that it could leap over something.
    fn leap(
        &mut self,
        way: &Way,
        fall: &Fall,
        risen: f64,
        nearest: Option<(Clearance, ColliderId)>,
        reach: f64,
    ) -> Option<f64> {
        let (found, _) = nearest?;
        let slope = found.out.dot(fall.up);
        // Where it is deeper than its radius, the nearest way out may be the wrong one.
        if found.gap <= -fall.size || slope < LEAP {
            return None;
        }
        let by = (self.gap - found.gap) / slope;
        let risen = risen + by;
        if by.abs() > fall.size || risen < fall.range[0] || risen > fall.range[1] {
            return None;
        }
        let nearest = self.nearest(way, fall, risen, reach);
        if nearest.is_none_or(|(found, _)| (found.gap - self.gap).abs() > 0.5 * self.gap) {
            return None;
        }
        self.carry(nearest);
        Some(risen)
    }

    fn carry(&mut self, nearest: Option<(Clearance, ColliderId)>) {
        let Some((_, other)) = nearest else { return };
        if let Err(at) = self.carriers.binary_search(&other) {
            self.carriers.insert(at, other);
        }
    }

    /// The fixed shape nearest to a support, of those that can be near, and how far it is.
    fn nearest(&self, way: &Way, fall: &Fall, risen: f64, reach: f64) -> Option<(Clearance, ColliderId)> {
        let place = Pose::from_translation(risen * fall.up) * fall.from;
        let bounds = way.engine.bounds_at(fall.collider, &place)?.inflated(reach);
        let near = self.near.iter().filter(|other| way.engine.is_near(**other, &bounds));
        let found = near.map(|other| (way.engine.clearance(fall.collider, &place, *other, reach), *other));
        found.filter(|(found, _)| found.gap < reach).min_by(|a, b| a.0.gap.total_cmp(&b.0.gap))
    }

    /// What the vehicle does, seen from itself, so that none of its supports is lower than it must be: the plane of least squares, raised.
    fn plane(&self, heights: &[f64]) -> Pose {
        // height = a + b x + c y.
        let (mut matrix, mut right) = (Mat3::ZERO, Vec3::ZERO);
        for (support, height) in self.supports.iter().zip(heights) {
            let row = Vec3::new(1.0, support.at.x, support.at.y);
            // Springs give way.
            let weight = if support.suspension.is_some() { SPRUNG } else { 1.0 };
            matrix += weight * Mat3::from_cols(row.x * row, row.y * row, row.z * row);
            right += weight * *height * row;
        }
        // Where supports do not tell a slope, there is none.
        let slight = RIDGE * self.reach * self.reach;
        matrix += Mat3::from_diagonal(Vec3::new(0.0, slight, slight));
        let Vec3 { x: a, y: b, z: c } = matrix.inverse() * right;
        // Springs take what they can.
        let short = |(support, height): (&Support, &f64)| {
            height - (a + b * support.at.x + c * support.at.y) - support.limits[1]
        };
        let raised = a + self.supports.iter().zip(heights).map(short).fold(0.0, f64::max);
        let normal = unit(Vec3::new(-b, -c, 1.0)).unwrap_or(Vec3::Z);
        Pose::new(Quat::from_rotation_arc(Vec3::Z, normal), Vec3::new(0.0, 0.0, raised))
            .unwrap_or(Pose::IDENTITY)
    }
}

/// Where all parts are when wheels have not rolled: `vehicle_from_part`. Wheels are round: their roll does not matter.
pub(super) fn unrolled(gear: &Gear, positions: &[f64]) -> Vec<Pose> {
    let joints = gear.model.joints.iter().zip(positions);
    let still: Vec<f64> =
        joints.map(|(joint, p)| if joint.kind == JointKind::Roll { 0.0 } else { *p }).collect();
    gear.model.placed(&still)
}

/// A vehicle stays this share of the radius of its wheels above the ground.
const GAP: f64 = 1.0 / 256.0;

/// What is pushed may get this share of the radius of wheels into a vehicle.
const DEPTH: f64 = 1.0 / 32.0;

/// Wheels do not climb what rises faster than this per length of the way: 60 degrees.
const STEEPEST: f64 = 1.75;

/// A vehicle is level while its springs are within this share of their travel.
const LEVEL: f64 = 0.25;

/// A sprung wheel counts so much for the plane of the vehicle.
const SPRUNG: f64 = 0.125;

/// How often a support is let down by the distance to what is near.
const FALLS: usize = 16;

/// Ground is leapt on if its normal is no farther from upright than the angle of this cosine: 60 degrees.
const LEAP: f64 = 0.5;

/// How often the plane is found anew after the vehicle has been tilted.
const ROUNDS: usize = 4;

/// Share of the square of the size of a vehicle that stands for no slope.
const RIDGE: f64 = power_of_two(-16);
