//! Intervals of overlap against dense samples, for every pair of shapes and every kind of motion.

use crate::common::{cuboid, movable, peg, ring, teeth};
use freiraum_geometry::path::{Axis, Motion, Sequence, Straight, UniformMotion};
use freiraum_geometry::shape::{Capsule, Compound, Cone, Convex, Cylinder, HalfSpace, Part, Shape, Sphere};
use freiraum_geometry::{Pose, Vec3};
use freiraum_motion::{
    MotionWorkspace, Movable, OverlapInterval, OverlapRequest, contact_until, free_between, overlap_intervals,
};
use freiraum_testkit::random::Random;
use freiraum_testkit::scale::cases;
use std::f64::consts::TAU;
use std::sync::Arc;

const KINDS: usize = 10;

fn body(kind: usize, random: &mut Random) -> Movable {
    let size = |random: &mut Random| random.range(0.2, 0.9);
    Movable::new(match kind {
        0 => Shape::Sphere(Sphere::new(0.5 * size(random)).unwrap()),
        1 => Shape::Capsule(Capsule::new(0.3 * size(random), size(random)).unwrap()),
        2 => Shape::Cylinder(Cylinder::new(0.5 * size(random), size(random)).unwrap()),
        3 => Shape::Cone(Cone::new(0.5 * size(random), size(random)).unwrap()),
        4 => cuboid(size(random), size(random), size(random)),
        5 => {
            let points: Vec<Vec3> = (0..12).map(|_| 0.6 * random.direction()).collect();
            Shape::Convex(Convex::from_points(&points).unwrap())
        }
        6 => return movable(peg(9, 0.5 * size(random), [-0.3, 0.3], 0.0)),
        7 => {
            let radii = teeth(5, 0.5, 0.8);
            return movable(ring(&vec![0.35; radii.len()], &radii, [-0.15, 0.15], 0.0));
        }
        8 => {
            let part = |center: Vec3, shape: Shape| Part {
                compound_from_part: Pose::new(random.rotation(), center).unwrap(),
                shape,
            };
            let mut part = part;
            let parts = vec![
                part(Vec3::new(0.4, 0.0, 0.0), Shape::Cylinder(Cylinder::new(0.2, 0.3).unwrap())),
                part(Vec3::new(-0.4, 0.1, 0.0), cuboid(0.3, 0.2, 0.4)),
                part(Vec3::new(0.0, 0.5, 0.1), Shape::Sphere(Sphere::new(0.2).unwrap())),
            ];
            Shape::Compound(Compound::new(parts).unwrap())
        }
        _ => {
            let normal = if random.unit() < 0.5 { Vec3::Z } else { random.direction() };
            Shape::HalfSpace(HalfSpace::new(normal, random.range(-0.4, 0.4)).unwrap())
        }
    })
}

fn pose(random: &mut Random, reach: f64) -> Pose {
    Pose::new(random.rotation(), random.in_cube(reach)).unwrap()
}

const MOTIONS: usize = 6;

fn motion(kind: usize, random: &mut Random) -> Box<dyn Motion> {
    let start = pose(random, 1.2);
    let axis = Axis::new(random.in_cube(0.8), random.direction()).unwrap();
    match kind {
        0 => Box::new(UniformMotion::translation(start, -2.0 * start.translation() + random.in_cube(0.5))),
        1 => Box::new(UniformMotion::rotation(start, axis, random.range(-TAU, TAU))),
        2 => Box::new(UniformMotion::rotation(start, axis, random.range(TAU, 2.5 * TAU))),
        3 => Box::new(UniformMotion::screw(start, axis, random.range(-TAU, TAU), random.range(-1.0, 1.0))),
        4 => Box::new(Straight::new(start, pose(random, 1.2))),
        _ => {
            let second = pose(random, 1.2);
            let moved = Pose::from_translation(second.translation() - start.translation()) * start;
            Box::new(
                Sequence::new(vec![
                    (
                        0.3,
                        Arc::new(UniformMotion::translation(
                            start,
                            second.translation() - start.translation(),
                        )),
                    ),
                    (0.2, Arc::new(UniformMotion::still(moved))),
                    (0.5, Arc::new(UniformMotion::rotation(moved, axis, 2.0))),
                ])
                .unwrap(),
            )
        }
    }
}

struct Question<'q> {
    a: &'q Movable,
    b: &'q Movable,
    motions: [&'q dyn Motion; 2],
    label: String,
}

impl Question<'_> {
    fn ask(&self) -> Vec<OverlapInterval> {
        let [motion_a, motion_b] = self.motions;
        let memory = &mut MotionWorkspace::default();
        overlap_intervals(self.a, motion_a, self.b, motion_b, &OverlapRequest::default(), memory).unwrap()
    }

    fn meet(&self, t: f64) -> bool {
        let a_from_b = self.motions[0].pose(t).inverse() * self.motions[1].pose(t);
        freiraum_query::intersects(self.a.prepared(), self.b.prepared(), &a_from_b).unwrap()
    }

    fn distance(&self, t: f64) -> f64 {
        let a_from_b = self.motions[0].pose(t).inverse() * self.motions[1].pose(t);
        freiraum_query::distance(self.a.prepared(), self.b.prepared(), &a_from_b).unwrap().distance
    }

    /// No sample refutes the answer; returns how many intervals there are and how many undecided ones.
    fn check(&self, samples: u32) -> [usize; 2] {
        let found = self.ask();
        let label = &self.label;
        for (k, interval) in found.iter().enumerate() {
            let [start, end] = interval.time;
            assert!(0.0 <= start && start <= end && end <= 1.0, "{label}: {found:?}");
            assert!(interval.error.iter().all(|e| (0.0..1e-5).contains(e)), "{label}: {found:?}");
            assert!(k == 0 || found[k - 1].time[1] <= start, "{label}: {found:?}");
            // Decided ends are contacts.
            for (t, error, inwards) in [(start, interval.error[0], 1.0), (end, interval.error[1], -1.0)] {
                if interval.is_decided {
                    let near = self.distance((t + inwards * error).clamp(0.0, 1.0));
                    assert!(near <= 1e-6, "{label}: at {t} {near:e} apart, {found:?}");
                }
            }
        }
        let free = free_between(&found);
        let mut apart_since: Option<f64> = None;
        for k in 0..=samples {
            let t = f64::from(k) / f64::from(samples);
            let meet = self.meet(t);
            let is_free = free.iter().any(|f| f[0] < t && t < f[1]);
            assert!(!(is_free && meet), "{label}: at {t} they meet, {found:?}");
            // Apart inside of an interval: only as long as it says.
            let inside = found.iter().find(|i| i.time[0] + i.error[0] < t && t < i.time[1] - i.error[1]);
            match inside {
                Some(interval) if !meet => {
                    let since = *apart_since.get_or_insert(t);
                    assert!(
                        t - since <= interval.unseen && interval.unseen > 0.0 || self.distance(t) < 1e-6,
                        "{label}: apart from {since} to {t} in {interval:?}"
                    );
                }
                _ => apart_since = None,
            }
        }
        [found.len(), found.iter().filter(|interval| !interval.is_decided).count()]
    }
}

#[test]
fn no_sample_refutes_an_interval() {
    let mut random = Random::new(29);
    let (mut intervals, mut undecided) = ([0; MOTIONS], 0);
    for round in 0..cases(4) {
        for kind_a in 0..KINDS {
            for kind_b in 0..KINDS {
                if kind_a == KINDS - 1 && kind_b == KINDS - 1 {
                    continue;
                }
                let kind = (round + kind_a + 2 * kind_b) % MOTIONS;
                let (a, b) = (body(kind_a, &mut random), body(kind_b, &mut random));
                let moving = motion(kind, &mut random);
                let still = UniformMotion::still(pose(&mut random, 0.3));
                let motions: [&dyn Motion; 2] =
                    if random.unit() < 0.5 { [&still, &*moving] } else { [&*moving, &still] };
                let label = format!("{round}: {kind_a} and {kind_b}, motion {kind}");
                let [count, open] = Question { a: &a, b: &b, motions, label }.check(300);
                intervals[kind] += count;
                undecided += open;
            }
        }
    }
    assert!(intervals.iter().all(|count| *count >= 20), "{intervals:?}");
    assert_eq!(undecided, 0);
}

/// The end of the first contact of 200 motions: until then samples touch, and soon after they do not.
#[test]
fn no_sample_refutes_the_end_of_a_contact() {
    let mut random = Random::new(1809);
    let (mut ended, mut lasting) = (0, 0);
    for round in 0..cases(200) {
        let kinds = [random.below(KINDS), random.below(KINDS - 1)];
        let [a, b] = kinds.map(|kind| body(kind, &mut random));
        let moving = motion(round % MOTIONS, &mut random);
        let still = UniformMotion::still(pose(&mut random, 0.3));
        let motions: [&dyn Motion; 2] = [&*moving, &still];
        let question = Question { a: &a, b: &b, motions, label: format!("{round}: {kinds:?}") };
        let label = &question.label;
        let intervals = question.ask();
        let Some(first) = intervals.first() else { continue };
        let from = (first.time[0] + first.error[0]).min(1.0);
        let memory = &mut MotionWorkspace::default();
        let until =
            contact_until(&a, motions[0], &b, motions[1], from, &OverlapRequest::default(), memory).unwrap();
        let end = until.unwrap_or(1.0);
        assert!((from..=1.0).contains(&end), "{label}: {from} {until:?}");
        for k in 1..400 {
            let t = from + (end - from) * f64::from(k) / 400.0;
            let is_met = question.meet(t) || question.distance(t) < 1e-6;
            assert!(is_met || first.unseen > 0.0, "{label}: apart at {t} of {from} to {until:?}");
        }
        match until {
            Some(end) => {
                ended += 1;
                // Apart as far as the next interval.
                let next = intervals.iter().map(|i| i.time[0] - i.error[0]).find(|start| *start > end);
                let after = end + (1e-4_f64).min(0.5 * (next.unwrap_or(1.0) - end));
                assert!(!question.meet(after), "{label}: still in contact at {after}, until {end}");
            }
            None => {
                lasting += 1;
                assert!(question.meet(1.0) || question.distance(1.0) < 1e-6, "{label}: apart at the end");
            }
        }
    }
    assert!(ended >= 40 && lasting >= 10, "{ended} {lasting}");
}
