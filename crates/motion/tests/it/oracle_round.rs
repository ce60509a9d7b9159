//! Cylinders and cones under relative translations and rotations.
//!
//! A contact is checked by what proves it: its point is in both bodies at the time told, and a little earlier a plane across its
//! normal parts the bodies. Membership and planes are computed here, from the definition of the shapes. That there is no earlier contact,
//! and that "free" is free, is sampled.

use freiraum_geometry::path::{Axis, Motion, UniformMotion};
use freiraum_geometry::shape::{Capsule, Cone, Cuboid, Cylinder, HalfSpace, Sphere};
use freiraum_geometry::{Mesh, Pose, Shape, Vec3};
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

#[derive(Clone, Copy)]
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

    fn flat(&self) -> bool {
        let is = |body: &Movable| matches!(body.prepared().shape(), Shape::Mesh(_) | Shape::HalfSpace(_));
        is(self.a) || is(self.b)
    }

    /// How far the points of an answer are from their bodies.
    fn off(&self, time: f64, on_a: Vec3, on_b: Vec3) -> f64 {
        let (a, b) = (self.by_a.pose(time).inverse(), self.by_b.pose(time).inverse());
        let out_a = outside(self.a.prepared().shape(), a.transform_point(on_a));
        out_a.max(outside(self.b.prepared().shape(), b.transform_point(on_b)))
    }

    /// Checks the answers for bodies of this size; `None` if they are not apart at the start. `late`: how exact times are.
    fn check(&self, size: f64, late: f64, memory: &mut MotionWorkspace) -> Option<bool> {
        if self.distance(0.0) < 1e-4 * size {
            return None;
        }
        let limits = Limits::default();
        let verdict = time_of_contact(self.a, &self.by_a, self.b, &self.by_b, &limits, memory).unwrap();
        let request = ClearanceRequest::default();
        let close = clearance(self.a, &self.by_a, self.b, &self.by_b, &request, memory).unwrap();
        let samples = 60;
        let sampled = (0..=samples).map(|i| f64::from(i) / f64::from(samples));
        // Of the coordinates in the world.
        let reach = size + self.by_a.pose(0.0).translation().length();
        match verdict {
            Verdict::Contact(contact) => {
                assert!(contact.time_error < late, "{contact:?}");
                let off = self.off(contact.time, contact.point, contact.point);
                assert!(off < 1e-12 * reach + 16.0 * size * contact.time_error, "{contact:?} {off:e}");
                let before = contact.time - contact.time_error - late.min(1e-9);
                // The plane stands, or turns with b; one that follows both is not known here.
                let back = self.by_b.pose(before) * self.by_b.pose(contact.time).inverse();
                let planes = [contact.normal, back.rotate(contact.normal)];
                let is_parted = !self.flat() && planes.iter().any(|n| self.gap(*n, before) > 0.0);
                assert!(is_parted || self.distance(before) > 0.0, "{contact:?}");
                for t in sampled.take_while(|t| *t < before) {
                    assert!(self.distance(t) > 0.0, "{t} {contact:?}");
                }
                assert_eq!(close.distance, 0.0, "{contact:?}");
                Some(true)
            }
            Verdict::Free => {
                let slack = 4e-12 * reach;
                assert!(close.distance > 0.0 && close.error <= 1.1e-9 * close.distance + slack, "{close:?}");
                for t in sampled {
                    let distance = self.distance(t);
                    assert!(distance >= close.lower(), "{t} {distance} {close:?}");
                }
                let off = self.off(close.time, close.point_on_a, close.point_on_b);
                let between = close.point_on_a.distance(close.point_on_b);
                assert!(off < 1e-7 * size && (between - close.distance).abs() < slack, "{close:?} {off:e}");
                Some(false)
            }
            other => panic!("{other:?}"),
        }
    }
}

fn round(size: f64) -> Vec<Shape> {
    vec![
        Shape::Cylinder(Cylinder::new(0.3 * size, 0.9 * size).unwrap()),
        Shape::Cylinder(Cylinder::new(0.8 * size, 0.05 * size).unwrap()),
        Shape::Cone(Cone::new(0.4 * size, 0.8 * size).unwrap()),
        Shape::Cone(Cone::new(0.8 * size, 0.1 * size).unwrap()),
    ]
}

fn others(size: f64) -> Vec<Shape> {
    let corners = vec![
        Vec3::new(0.5, 0.0, -0.3) * size,
        Vec3::new(-0.3, 0.5, -0.3) * size,
        Vec3::new(-0.3, -0.5, -0.3) * size,
        Vec3::new(0.0, 0.1, 0.6) * size,
    ];
    let faces = vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]];
    let mut all = round(size);
    all.extend([
        Shape::Sphere(Sphere::new(0.4 * size).unwrap()),
        Shape::Capsule(Capsule::new(0.2 * size, size).unwrap()),
        Shape::Cuboid(Cuboid::new(Vec3::new(0.8, 0.6, 0.4) * size).unwrap()),
        Shape::HalfSpace(HalfSpace::new(Vec3::new(0.1, 0.2, 1.0), -0.8 * size).unwrap()),
        Shape::Mesh(Mesh::new(corners, faces).unwrap().into()),
    ]);
    all
}

/// Random motions: every third scene has all axes in parallel. Numbers of free ones and of contacts.
fn attack(seed: u64, count: usize, size: f64, far: f64, late: f64) -> [usize; 2] {
    let mut random = Random::new(seed);
    let mut memory = MotionWorkspace::default();
    let others: Vec<Movable> = others(size).into_iter().map(Movable::new).collect();
    let mut found = [0, 0];
    for a in round(size).into_iter().map(Movable::new) {
        for b in &others {
            for turns in [false, true] {
                let mut done = 0;
                while done < cases(count) {
                    let home = far * random.direction();
                    let place = |random: &mut Random| match done % 3 {
                        0 => Pose::from_translation(home + size * random.in_cube(1.2)),
                        _ => Pose::new(random.rotation(), home + size * random.in_cube(1.2)).unwrap(),
                    };
                    let (p, q) = (place(&mut random), place(&mut random));
                    let by_b = if turns {
                        let axis = if done % 2 == 0 { random.direction() } else { Vec3::X };
                        let axis = Axis::new(home + size * random.in_cube(1.0), axis).unwrap();
                        UniformMotion::rotation(q, axis, random.range(-4.0, 4.0))
                    } else {
                        UniformMotion::translation(q, size * random.in_cube(2.0))
                    };
                    let scene = Scene { a: &a, by_a: UniformMotion::still(p), b, by_b };
                    if let Some(is_contact) = scene.check(size, late, &mut memory) {
                        done += 1;
                        found[usize::from(is_contact)] += 1;
                    }
                }
            }
        }
    }
    found
}

#[test]
fn random_translations_and_rotations() {
    let found = attack(11, 12, 1.0, 0.0, 1e-9);
    assert!(found[0] > 200 && found[1] > 100, "{found:?}");
}

#[test]
fn tiny_huge_and_far() {
    for (size, far, late) in [(1e-6, 0.0, 1e-9), (1e6, 0.0, 1e-9), (1e-2, 10.0, 1e-8), (1.0, 1e4, 1e-8)] {
        attack(5, 3, size, far, late);
    }
}

/// Passing by at a millionth of the size, and into each other by that.
#[test]
fn grazing() {
    let mut random = Random::new(3);
    let mut memory = MotionWorkspace::default();
    let others: Vec<Movable> = others(1.0).into_iter().map(Movable::new).collect();
    let mut found = [0, 0];
    for a in round(1.0).into_iter().map(Movable::new) {
        for b in &others {
            for turns in [false, true] {
                // A plane is never passed by in a straight line.
                for _ in 0..cases(4) {
                    let pose =
                        |random: &mut Random| Pose::new(random.rotation(), random.in_cube(2.0)).unwrap();
                    let (p, q) = (pose(&mut random), pose(&mut random));
                    let axis = Axis::new(random.in_cube(1.0), random.direction()).unwrap();
                    let (by, angle) = (random.in_cube(4.0), random.range(-4.0, 4.0));
                    let moving = |q: Pose| match turns {
                        true => UniformMotion::rotation(q, axis, angle),
                        false => UniformMotion::translation(q, by),
                    };
                    let scene = Scene { a: &a, by_a: UniformMotion::still(p), b, by_b: moving(q) };
                    let request = ClearanceRequest::default();
                    let close = clearance(&a, &scene.by_a, b, &scene.by_b, &request, &mut memory).unwrap();
                    if close.distance == 0.0 || close.time == 0.0 || close.time == 1.0 {
                        continue;
                    }
                    // a is moved until the least distance that was is almost gone.
                    let n = (close.point_on_b - close.point_on_a) / close.distance;
                    for gap in [1e-6, 1e-9, -1e-9, -1e-6] {
                        let nearer = Pose::from_translation((close.distance - gap) * n) * p;
                        let scene = Scene { by_a: UniformMotion::still(nearer), ..scene };
                        // Depth goes with the square of the time before the deepest.
                        if let Some(is_contact) = scene.check(1.0, 1e-6, &mut memory) {
                            assert!(is_contact || gap > 0.0, "{gap}");
                            found[usize::from(is_contact)] += 1;
                        }
                    }
                }
            }
        }
    }
    assert!(found[0] > 30 && found[1] > 30, "{found:?}");
}
