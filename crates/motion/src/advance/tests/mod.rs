//! Any motion, against steps on the distance of whole bodies and against dense sampling.

mod bounds;
mod families;
#[path = "../../../../geometry/tests/it/path/random_motions.rs"]
mod random_motions;
mod round_pieces;
mod thread;
mod whole_bodies;

use super::*;
use crate::Movable;
use freiraum_geometry::Mesh;
use freiraum_geometry::path::{Axis, Motion, UniformMotion};
use freiraum_geometry::shape::Shape;
use freiraum_query::mesh_tree::MeshTree;
use freiraum_query::{distance, intersects};
use freiraum_testkit::bumpy;
use freiraum_testkit::random::Random;
use freiraum_testkit::scale::cases;
use random_motions::Chain;

fn movable((vertices, faces): bumpy::Surface) -> Movable {
    Movable::new(Shape::Mesh(Mesh::new(vertices, faces).unwrap().into()))
}

fn tree(body: &Movable) -> &MeshTree {
    match &body.pieces()[0].form {
        Form::Faces(tree) => tree,
        _ => panic!("a mesh is searched by its faces"),
    }
}

/// Two bodies with their motions.
struct Scene<'s> {
    a: &'s Movable,
    by_a: &'s dyn Motion,
    b: &'s Movable,
    by_b: &'s dyn Motion,
}

impl Scene<'_> {
    fn advance(&self, at_least: f64) -> Advanced {
        self.advance_with(&mut AdvanceMemory::default(), at_least)
    }

    fn advance_with(&self, memory: &mut AdvanceMemory, at_least: f64) -> Advanced {
        let (a, b) = (&self.a.pieces()[0], &self.b.pieces()[0]);
        advance_pair(a, self.by_a, b, self.by_b, [0.0, 1.0], at_least, &Limits::default(), memory)
    }

    fn a_from_b(&self, t: f64) -> Pose {
        self.by_a.pose(t).inverse() * self.by_b.pose(t)
    }

    fn distance(&self, t: f64) -> f64 {
        distance(self.a.prepared(), self.b.prepared(), &self.a_from_b(t)).unwrap().distance
    }

    fn meets(&self, t: f64) -> bool {
        intersects(self.a.prepared(), self.b.prepared(), &self.a_from_b(t)).unwrap()
    }

    fn is_iterated(&self) -> bool {
        [self.a, self.b]
            .iter()
            .any(|body| matches!(body.prepared().shape(), Shape::Cylinder(_) | Shape::Cone(_)))
    }

    /// A bound of how far the bodies travel together; half spaces stand still.
    fn travel(&self, t0: f64, t1: f64) -> f64 {
        let one = |body: &Movable, motion: &dyn Motion| match &body.pieces()[0].ball {
            Some(ball) => motion.travel(ball, t0, t1),
            None => 0.0,
        };
        one(self.a, self.by_a) + one(self.b, self.by_b)
    }

    /// Steps on the distance of the bodies with one bound of the travel for each: slow, simple and never late. The time up to
    /// which they are apart (1 if they never come closer than `gap`) and the smallest distance seen.
    fn slow_steps(&self, gap: f64) -> (f64, f64) {
        let (mut t, mut least) = (0.0, f64::INFINITY);
        loop {
            let distance = self.distance(t);
            least = least.min(distance);
            if distance <= gap {
                return (t, least);
            }
            let mut step = 1.0 - t;
            while self.travel(t, t + step) > distance {
                step *= 0.5;
            }
            t += step;
            if t >= 1.0 {
                return (1.0, least);
            }
        }
    }

    /// The first of many times at which the bodies meet.
    fn sampled(&self, samples: usize) -> Option<f64> {
        (0..=samples).map(|i| i as f64 / samples as f64).find(|t| self.meets(*t))
    }

    /// Compares the answer with steps on the distance and with samples. True if there is a contact.
    fn check(&self, samples: usize) -> bool {
        let (slow, least) = self.slow_steps(1e-7);
        let sampled = self.sampled(samples);
        match self.advance(0.0) {
            Advanced::Contact(contact) => {
                let first = contact.time - contact.error;
                assert!(sampled.is_none_or(|t| first <= t), "missed: {contact:?} {sampled:?}");
                // Distances of cylinders and cones are iterated, to a millionth.
                let (far, late) = if self.is_iterated() { (1e-6, 1e-6) } else { (1e-8, 1e-9) };
                assert!(self.distance(first) <= contact.distance + far, "{contact:?}");
                if contact.is_crossing {
                    assert!(self.meets(contact.time + contact.error * 1.01 + late), "{contact:?}");
                }
                // The slow steps stop where the gap is larger, so that they are not later.
                assert!(slow <= contact.time + contact.error + late, "{contact:?} {slow}");
                if contact.distance > 0.0 {
                    let gap = contact.point_on_b - contact.point_on_a;
                    assert!((gap.length() - contact.distance).abs() < 1e-12);
                    assert!((contact.normal.length() - 1.0).abs() < 1e-12);
                }
                true
            }
            Advanced::Free { clearance_lower } => {
                assert!(
                    clearance_lower == 0.0 && sampled.is_none() && slow == 1.0,
                    "{sampled:?} {slow} {least}"
                );
                // How close they come is known from above; from below by the same search.
                let near = self.slow_nearest(least);
                let proven = self.advance(0.95 * near);
                assert_eq!(proven, Advanced::Free { clearance_lower: 0.95 * near }, "{near}");
                match self.advance(1.001 * near) {
                    Advanced::Contact(contact) => assert!(contact.distance <= 1.001 * near + 1e-7),
                    other => panic!("{other:?} though they come as close as {near}"),
                }
                false
            }
            Advanced::Undecided { open } => panic!("undecided {open:?}, {sampled:?} {slow} {least}"),
        }
    }

    /// The smallest distance to a percent, given an upper bound of it.
    fn slow_nearest(&self, mut least: f64) -> f64 {
        let mut t = 0.0;
        while t < 1.0 {
            let distance = self.distance(t);
            least = least.min(distance);
            let room = distance - 0.97 * least;
            let mut step = 1.0 - t;
            while self.travel(t, t + step) > room {
                step *= 0.5;
            }
            t += step;
        }
        least
    }
}
