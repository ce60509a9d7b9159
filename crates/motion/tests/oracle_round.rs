//! Cylinders and cones under relative translations and rotations.
//!
//! A contact is checked by what proves it: its point is in both bodies at the time told, and a little earlier a plane across its
//! normal parts the bodies. Membership and planes are computed here, from the definition of the shapes. That there is no earlier contact,
//! and that "free" is free, is sampled.

use freiraum_geometry::shape::{Capsule, Cone, Cuboid, Cylinder, HalfSpace, Sphere};
use freiraum_geometry::{Mesh, Pose, Shape, Vec3};
use freiraum_motion::path::{Axis, Motion, UniformMotion};
use freiraum_motion::{
    ClearanceRequest, Limits, MotionWorkspace, Movable, Verdict, clearance, time_of_contact,
};
use freiraum_testkit::random::Random;
use freiraum_testkit::scale::cases;

/// How far a point is outside a body, from above; for meshes of the surface.
fn outside(shape: &Shape, p: Vec3) -> f64 {
    let (across, z) = (p.truncate().length(), p.z);
    match shape {
        Shape::Sphere(s) => (p.length() - s.radius()).max(0.0),
        Shape::Capsule(s) => {
            let over = (z.abs() - 0.5 * s.height()).max(0.0);
            (across.hypot(over) - s.radius()).max(0.0)
        }
        Shape::Cylinder(s) => (across - s.radius()).max(0.0).hypot((z.abs() - 0.5 * s.height()).max(0.0)),
        Shape::Cone(s) => {
            // Above the base, and below the line from the rim to the tip.
            let slope = s.height() / s.height().hypot(s.radius());
            let beside = slope * (across - s.radius() * (0.5 - z / s.height()));
            let over = beside.max(-0.5 * s.height() - z).max(0.0);
            if z > 0.5 * s.height() {
                over.max(p.distance(Vec3::new(0.0, 0.0, 0.5 * s.height())))
            } else {
                over
            }
        }
        Shape::Cuboid(s) => (p.abs() - s.half()).max(Vec3::ZERO).length(),
        Shape::HalfSpace(s) => (s.normal().dot(p) - s.offset()).max(0.0),
        Shape::Mesh(mesh) => {
            let mut least = f64::INFINITY;
            for t in mesh.triangles() {
                least = least.min(freiraum_query::elementary::point_triangle(p, t).distance());
            }
            least
        }
        _ => panic!("not used here"),
    }
}

/// The farthest point of a convex body in a direction, as a height in it.
fn height(shape: &Shape, n: Vec3) -> f64 {
    let (across, z) = (n.truncate().length(), n.z);
    match shape {
        Shape::Sphere(s) => s.radius() * n.length(),
        Shape::Capsule(s) => 0.5 * s.height() * z.abs() + s.radius() * n.length(),
        Shape::Cylinder(s) => s.radius() * across + 0.5 * s.height() * z.abs(),
        Shape::Cone(s) => (0.5 * s.height() * z).max(s.radius() * across - 0.5 * s.height() * z),
        Shape::Cuboid(s) => s.half().dot(n.abs()),
        _ => f64::INFINITY,
    }
}

struct Scene<'s> {
    a: &'s Movable,
    by_a: UniformMotion,
    b: &'s Movable,
    by_b: UniformMotion,
}

impl Scene<'_> {
    fn a_from_b(&self, t: f64) -> Pose {
        self.by_a.pose(t).inverse() * self.by_b.pose(t)
    }

    fn distance(&self, t: f64) -> f64 {
        freiraum_query::distance(self.a.prepared(), self.b.prepared(), &self.a_from_b(t)).unwrap().distance
    }

    /// How wide the gap between planes across a normal of the world is.
    fn gap(&self, n: Vec3, t: f64) -> f64 {
        let (a, b) = (self.by_a.pose(t), self.by_b.pose(t));
        let up = height(self.a.prepared().shape(), a.inverse().rotate(n)) + n.dot(a.translation());
        let down = height(self.b.prepared().shape(), b.inverse().rotate(-n)) - n.dot(b.translation());
        -down - up
    }

    fn check(&self, memory: &mut MotionWorkspace, worst: &mut [f64; 5]) -> Option<bool> {
        if self.distance(0.0) < 0.01 {
            return None;
        }
        let limits = Limits::default();
        let verdict = time_of_contact(self.a, &self.by_a, self.b, &self.by_b, &limits, memory).unwrap();
        let request = ClearanceRequest::default();
        let start = std::time::Instant::now();
        let close = clearance(self.a, &self.by_a, self.b, &self.by_b, &request, memory).unwrap();
        if start.elapsed().as_millis() > 20 {
            println!("slow {:?} {close:?} {:?}\n{:?} {:?}", start.elapsed(), verdict, self.by_a, self.by_b);
            for i in 0..=20 {
                print!("{:.10} ", self.distance(i as f64 / 20.0));
            }
            println!();
        }
        let samples = 100;
        let sampled = (0..=samples).map(|i| f64::from(i) / f64::from(samples));
        match verdict {
            Verdict::Contact(contact) => {
                worst[0] = worst[0].max(contact.time_error);
                let (a, b) = (self.by_a.pose(contact.time), self.by_b.pose(contact.time));
                let out_a = outside(self.a.prepared().shape(), a.inverse().transform_point(contact.point));
                let out_b = outside(self.b.prepared().shape(), b.inverse().transform_point(contact.point));
                worst[1] = worst[1].max(out_a).max(out_b);
                let before = contact.time - contact.time_error - 1e-9;
                if matches!(self.a.prepared().shape(), Shape::Mesh(_) | Shape::HalfSpace(_))
                    || matches!(self.b.prepared().shape(), Shape::Mesh(_) | Shape::HalfSpace(_))
                {
                    assert!(self.distance(before) > 0.0, "{contact:?}");
                } else {
                    // The plane stands, or turns with b.
                    let back = self.by_b.pose(before) * b.inverse();
                    let gap =
                        self.gap(contact.normal, before).max(self.gap(back.rotate(contact.normal), before));
                    worst[4] += f64::from(u8::from(gap <= 0.0));
                    assert!(gap > 0.0 || self.distance(before) > 0.0, "{contact:?} {gap:e}");
                }
                for t in sampled.take_while(|t| *t < before) {
                    assert!(self.distance(t) > 0.0, "{t} {contact:?}");
                }
                assert_eq!(close.distance, 0.0, "{contact:?}");
                Some(true)
            }
            Verdict::Free => {
                worst[2] = worst[2].max(close.error / close.distance);
                let mut least = f64::INFINITY;
                for t in sampled {
                    let distance = self.distance(t);
                    least = least.min(distance);
                    assert!(distance >= close.lower(), "{t} {distance} {close:?}");
                }
                let (a, b) = (self.by_a.pose(close.time), self.by_b.pose(close.time));
                let out_a = outside(self.a.prepared().shape(), a.inverse().transform_point(close.point_on_a));
                let out_b = outside(self.b.prepared().shape(), b.inverse().transform_point(close.point_on_b));
                let between = close.point_on_a.distance(close.point_on_b);
                if out_a.max(out_b).max((between - close.distance).abs()) > 1e-9 {
                    println!(
                        "points {out_a:e} {out_b:e} {:e} {close:?} {:e}",
                        between - close.distance,
                        self.distance(close.time) - close.distance
                    );
                }
                worst[3] = worst[3].max(out_a).max(out_b).max((between - close.distance).abs());
                Some(false)
            }
            other => panic!("{other:?}"),
        }
    }
}

fn round() -> Vec<Shape> {
    vec![
        Shape::Cylinder(Cylinder::new(0.3, 0.9).unwrap()),
        Shape::Cylinder(Cylinder::new(0.8, 0.05).unwrap()),
        Shape::Cone(Cone::new(0.4, 0.8).unwrap()),
        Shape::Cone(Cone::new(0.8, 0.1).unwrap()),
    ]
}

fn others() -> Vec<Shape> {
    let corners = vec![
        Vec3::new(0.5, 0.0, -0.3),
        Vec3::new(-0.3, 0.5, -0.3),
        Vec3::new(-0.3, -0.5, -0.3),
        Vec3::new(0.0, 0.1, 0.6),
    ];
    let faces = vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]];
    let mut all = round();
    all.extend([
        Shape::Sphere(Sphere::new(0.4).unwrap()),
        Shape::Capsule(Capsule::new(0.2, 1.0).unwrap()),
        Shape::Cuboid(Cuboid::new(Vec3::new(0.8, 0.6, 0.4)).unwrap()),
        Shape::HalfSpace(HalfSpace::new(Vec3::new(0.1, 0.2, 1.0), -0.8).unwrap()),
        Shape::Mesh(Mesh::new(corners, faces).unwrap().into()),
    ]);
    all
}

#[test]
fn random_translations_and_rotations() {
    let mut random = Random::new(11);
    let mut memory = MotionWorkspace::default();
    let others: Vec<Movable> = others().into_iter().map(Movable::new).collect();
    for (i, a) in round().into_iter().map(Movable::new).enumerate() {
        for (j, b) in others.iter().enumerate() {
            for turns in [false, true] {
                let (mut worst, mut found, mut done) = ([0.0; 5], [0, 0], 0);
                let start = std::time::Instant::now();
                while done < cases(40) {
                    let tilt = |random: &mut Random| match done % 3 {
                        0 => Pose::from_translation(random.in_cube(1.2)),
                        _ => Pose::new(random.rotation(), random.in_cube(1.2)).unwrap(),
                    };
                    let (p, q) = (tilt(&mut random), tilt(&mut random));
                    let by_b = if turns {
                        let axis = if done % 2 == 0 { random.direction() } else { Vec3::X };
                        UniformMotion::rotation(q, Axis::new(random.in_cube(1.0), axis).unwrap(), 2.0)
                    } else {
                        UniformMotion::translation(q, random.in_cube(2.0))
                    };
                    let scene = Scene { a: &a, by_a: UniformMotion::still(p), b, by_b };
                    if let Some(is_contact) = scene.check(&mut memory, &mut worst) {
                        done += 1;
                        found[usize::from(is_contact)] += 1;
                    }
                }
                println!(
                    "{i} {j} turns {turns} {found:?} error {:.1e} point {:.1e} clearance {:.1e} points {:.1e} no plane {} {:?}",
                    worst[0],
                    worst[1],
                    worst[2],
                    worst[3],
                    worst[4],
                    start.elapsed() / 40
                );
            }
        }
    }
}
