//! Deformations do what their formulas say: volumes, lengths, inverses, normals.

use freiraum_deform::deformation::{Deformation, Frame, vertex_normals};
use freiraum_deform::shapes::{Ball, Cuboid, Cylinder, Solid, Torus, volume};
use freiraum_geometry::Vec3;
use freiraum_testkit::random::Random;
use std::f64::consts::{PI, TAU};

const ALL: [Deformation; 4] = [
    Deformation::Twist { angle: 2.1 },
    Deformation::Bend { angle: 1.7 },
    Deformation::Wobble { angle: 0.9, waves: 1.5, phase: 0.4 },
    Deformation::Inflate { distance: 0.05 },
];

fn deformed(deformation: Deformation, frame: &Frame, solid: &Solid) -> Vec<Vec3> {
    let mut out = vec![Vec3::NAN; solid.vertices.len()];
    deformation.apply(frame, &solid.vertices, &solid.faces, &mut out);
    out
}

/// A deformation of space at single points.
fn map(deformation: Deformation, frame: &Frame, p: Vec3) -> Vec3 {
    let mut out = [Vec3::NAN];
    deformation.apply(frame, &[p], &[], &mut out);
    out[0]
}

/// Determinant of the derivative, by differences of fourth order.
fn growth(deformation: Deformation, frame: &Frame, p: Vec3) -> f64 {
    let h = 1e-3 * frame.half_length;
    let columns = Vec3::AXES.map(|axis| {
        let at = |k: f64| map(deformation, frame, p + k * h * axis);
        (8.0 * (at(1.0) - at(-1.0)) - (at(2.0) - at(-2.0))) / (12.0 * h)
    });
    columns[0].cross(columns[1]).dot(columns[2])
}

fn frames(random: &mut Random) -> Frame {
    Frame { centre: random.in_cube(3.0), axis: random.below(3), half_length: random.range(0.2, 2.0) }
}

/// (u, v, x) of a point by the words of the documentation.
fn local(frame: &Frame, p: Vec3) -> [f64; 3] {
    let axes = [Vec3::X, Vec3::Y, Vec3::Z];
    let x = axes[frame.axis];
    let u = axes[(frame.axis + 1) % 3];
    let v = x.cross(u);
    let d = p - frame.centre;
    [d.dot(u), d.dot(v), d.dot(x)]
}

#[test]
fn without_amplitude_nothing_changes() {
    let solid = Torus::by_vertices(0.5, 0.2, 500).solid().expect("good");
    let frame = Frame::of(&solid.vertices, None).expect("a frame");
    for deformation in ALL {
        for (a, b) in solid.vertices.iter().zip(deformed(deformation.scaled(0.0), &frame, &solid)) {
            // The wobbling axis is a sum of 128 ways.
            assert!(a.distance(b) < 1e-14, "{deformation:?}: {}", a.distance(b));
        }
    }
}

#[test]
fn twists_are_undone_and_keep_volumes_and_heights() {
    let mut random = Random::new(9001);
    for _ in 0..200 {
        let frame = frames(&mut random);
        let angle = random.range(-10.0, 10.0);
        let p = frame.centre + random.in_cube(frame.half_length);
        let q = map(Deformation::Twist { angle }, &frame, p);
        assert!(map(Deformation::Twist { angle: -angle }, &frame, q).distance(p) < 1e-14);
        assert!((growth(Deformation::Twist { angle }, &frame, p) - 1.0).abs() < 1e-7);
        let ([u, v, x], [tu, tv, tx]) = (local(&frame, p), local(&frame, q));
        assert!((x - tx).abs() < 1e-14 && (u.hypot(v) - tu.hypot(tv)).abs() < 1e-14);
        let turn = (tv.atan2(tu) - v.atan2(u) - angle * x / (2.0 * frame.half_length)).rem_euclid(TAU);
        assert!(turn.min(TAU - turn) < 1e-9 / u.hypot(v));
    }
}

#[test]
fn bends_make_arcs() {
    let mut random = Random::new(9002);
    for k in 0..200 {
        let frame = frames(&mut random);
        // Every fourth nearly straight, where formulas like to divide by nothing.
        let angle = random.range(0.5, 8.0) * if k % 4 == 0 { 1e-9 } else { 1.0 };
        let bend = Deformation::Bend { angle };
        let curvature = angle / (2.0 * frame.half_length);
        let p = frame.centre + random.in_cube(frame.half_length);
        let [u, v, x] = local(&frame, p);
        let [bu, bv, bx] = local(&frame, map(bend, &frame, p));
        assert!((growth(bend, &frame, p) - (1.0 - curvature * u)).abs() < 1e-6);
        assert!((v - bv).abs() < 1e-14);
        // Back by the polar angle around the middle of the arc; only up to a half turn is it the only one.
        if k % 4 != 0 && (curvature * x).abs() < 3.0 && curvature * u < 0.9 {
            let (side, up) = (1.0 / curvature - bu, bx);
            assert!((side.hypot(up) - (1.0 / curvature - u)).abs() < 1e-13);
            assert!((up.atan2(side) / curvature - x).abs() < 1e-12);
        } else if k % 4 == 0 {
            let parabola = [u + 0.5 * curvature * x * x, x - curvature * x * u];
            assert!((bu - parabola[0]).abs() < 1e-14 && (bx - parabola[1]).abs() < 1e-14);
        }
    }
}

/// The Bessel function of order 0 by its series.
fn bessel(a: f64) -> f64 {
    let (mut term, mut sum) = (1.0, 1.0);
    for k in 1..60 {
        term *= -0.25 * a * a / f64::from(k * k);
        sum += term;
    }
    sum
}

#[test]
fn wobbles_meander_without_stretching_the_axis() {
    let mut random = Random::new(9003);
    let mut worst = 0.0f64;
    for _ in 0..200 {
        let frame = frames(&mut random);
        let (angle, waves, phase) =
            (random.range(0.0, 3.0), f64::from(1 + random.below(4) as u32), random.range(0.0, TAU));
        let wobble = Deformation::Wobble { angle, waves, phase };
        let rate = PI * waves / frame.half_length;
        let direction = |x: f64| angle * (rate * x + phase).sin();
        let axis = |x: f64| {
            let mut d = Vec3::ZERO;
            d[frame.axis] = x;
            let [u, _, x] = local(&frame, map(wobble, &frame, frame.centre + d));
            [u, x]
        };
        // Over whole waves the mean of cos(A sin) is the Bessel function, that of sin(A sin) is 0.
        let (low, high) = (axis(-frame.half_length), axis(frame.half_length));
        assert!((high[1] - low[1] - 2.0 * frame.half_length * bessel(angle)).abs() < 1e-13);
        assert!((high[0] - low[0]).abs() < 1e-13);
        assert_eq!(axis(0.0), [0.0, 0.0]);
        // Against Simpson's rule between two places.
        let (a, b) =
            (random.range(-1.0, 1.0) * frame.half_length, random.range(-1.0, 1.0) * frame.half_length);
        let steps = 400;
        let h = (b - a) / f64::from(steps);
        let simpson = |f: &dyn Fn(f64) -> f64| -> f64 {
            (0..steps)
                .map(|k| {
                    let t = a + f64::from(k) * h;
                    h / 6.0 * (f(t) + 4.0 * f(t + 0.5 * h) + f(t + h))
                })
                .sum()
        };
        let (from, to) = (axis(a), axis(b));
        let off = (to[0] - from[0] - simpson(&|t| direction(t).sin()))
            .hypot(to[1] - from[1] - simpson(&|t| direction(t).cos()));
        worst = worst.max(off / frame.half_length);
        let p = frame.centre + random.in_cube(0.9 * frame.half_length);
        let [u, ..] = local(&frame, p);
        let x = local(&frame, p)[2];
        let slope = angle * rate * (rate * x + phase).cos();
        let expected = 1.0 - u * slope;
        assert!((growth(wobble, &frame, p) - expected).abs() < 1e-3 * (1.0 + slope.abs()));
    }
    eprintln!("the axis is off by {worst:.1e} of its half length at most");
    assert!(worst < 1e-6);
}

/// Errors of the volume at n, 2n, 4n and their order.
fn converges(name: &str, exact: f64, volume_at: impl Fn(u32) -> f64) {
    let errors = [1, 2, 4].map(|n| (volume_at(n) / exact - 1.0).abs());
    let order = (errors[0] / errors[2]).log2() / 2.0;
    eprintln!(
        "{name:<20} relative errors {:.1e} {:.1e} {:.1e}, order {order:.2}",
        errors[0], errors[1], errors[2]
    );
    assert!((order - 2.0).abs() < 0.2, "{name}: {errors:?}");
}

#[test]
fn deformed_bodies_have_the_volumes_of_the_formulas() {
    let bar =
        |n: u32| Cylinder { radius: 0.2, length: 2.0, around: 16 * n, along: 30 * n }.solid().expect("good");
    // About its axis a cylinder is even, so that bends and wobbles add on one side what they take on the other.
    for deformation in
        [ALL[0], Deformation::Twist { angle: 12.0 }, ALL[1], Deformation::Bend { angle: 7.0 }, ALL[2]]
    {
        converges(&format!("{deformation:?}")[..16], PI * 0.04 * 2.0, |n| {
            let solid = bar(n);
            let frame = Frame::of(&solid.vertices, None).expect("a frame");
            assert_eq!(frame.axis, 2);
            volume(&deformed(deformation, &frame, &solid), &solid.faces)
        });
    }
    // Off its axis, the first moment counts: from the middle of the box, not of the body.
    let off = Cuboid { size: Vec3::new(0.4, 0.3, 2.0), cells: [4, 4, 200] }.solid().expect("good");
    let frame = Frame { centre: Vec3::new(-0.5, 0.0, 0.0), axis: 2, half_length: 1.0 };
    let exact = 0.4 * 0.3 * 2.0 * (1.0 - 0.6 / 2.0 * 0.5);
    let bent = volume(&deformed(Deformation::Bend { angle: 0.6 }, &frame, &off), &off.faces);
    assert!((bent / exact - 1.0).abs() < 1e-4, "{bent} {exact}");
}

#[test]
fn inflated_bodies_follow_steiner() {
    let ball = Ball { radius: 0.3, cells: 7 }.solid().expect("good");
    let frame = Frame::of(&ball.vertices, None).expect("a frame");
    let inflate = Deformation::Inflate { distance: 0.11 };
    for p in deformed(inflate, &frame, &ball) {
        assert!((p.length() - 0.41).abs() < 1e-14);
    }
    let cube = Cuboid { size: Vec3::ONE, cells: [3; 3] }.solid().expect("good");
    for (p, q) in cube.vertices.iter().zip(deformed(inflate, &frame, &cube)) {
        // The signs of the sides that the vertex lies on.
        let sides = Vec3::from_array(p.to_array().map(|c| if c.abs() == 0.5 { c.signum() } else { 0.0 }));
        assert!((q - p).distance(0.11 * sides / sides.length()) < 1e-14, "{p} went to {q}");
    }
    converges("inflated torus", 2.0 * PI * PI * 0.5 * 0.25 * 0.25, |n| {
        let torus = Torus { radius: 0.5, tube: 0.2, along: 30 * n, around: 14 * n }.solid().expect("good");
        volume(&deformed(Deformation::Inflate { distance: 0.05 }, &frame, &torus), &torus.faces)
    });
}

#[test]
fn normals_of_nothing_are_nothing() {
    let vertices = [Vec3::ZERO, Vec3::X, 2.0 * Vec3::X, Vec3::Y];
    let mut out = [Vec3::NAN; 4];
    vertex_normals(&vertices, &[[0, 1, 2], [0, 0, 1]], &mut out);
    assert_eq!(out, [Vec3::ZERO; 4]);
    vertex_normals(&vertices, &[[0, 1, 3]], &mut out);
    assert_eq!(out, [Vec3::Z, Vec3::Z, Vec3::ZERO, Vec3::Z]);
}

#[test]
fn frames_are_those_of_the_box() {
    let points = [Vec3::new(1.0, 2.0, 3.0), Vec3::new(2.0, 6.0, 4.0)];
    let frame = Frame::of(&points, None).expect("a frame");
    assert_eq!((frame.axis, frame.half_length, frame.centre), (1, 2.0, Vec3::new(1.5, 4.0, 3.5)));
    assert_eq!(Frame::of(&points, Some(0)).map(|f| (f.axis, f.half_length)), Some((0, 0.5)));
    assert_eq!(Frame::of(&[], None), None);
    assert_eq!(Frame::of(&points[..1], None), None);
}

#[test]
fn amplitudes_swing_and_waves_run() {
    let twist = Deformation::Twist { angle: 2.0 };
    assert_eq!(twist.at(0.0, 4.0), Deformation::Twist { angle: 0.0 });
    assert_eq!(twist.at(1.0, 4.0), twist);
    let Deformation::Wobble { angle, waves, phase } = ALL[2].at(2.0, 4.0) else {
        panic!("a wobble stays one")
    };
    assert_eq!((angle, waves), (0.9, 1.5));
    assert!((phase - 0.4 - PI).abs() < 1e-15);
}
