//! A small plan with everything in it: translations, a turn, a path, a screw, a group, a pose; one step comes too close, one collides.

use freiraum_geometry::path::Axis;
use freiraum_geometry::shape::{Compound, Cuboid, Cylinder, Part};
use freiraum_geometry::{Mesh, Pose, Shape, Unit, Vec3};
use freiraum_scene::{Body, Geometry, Group, Move, Piece, Place, Scene, Step, Travel};
use freiraum_testkit::models;
use std::f64::consts::TAU;
use std::sync::Arc;

/// In millimetres.
fn mm(x: f64, y: f64, z: f64) -> Vec3 {
    Vec3::new(x, y, z) / 1000.0
}

fn body(name: &str, shape: Shape, at: Vec3) -> Body {
    Body {
        name: name.to_owned(),
        geometry: Geometry::Shape(shape),
        is_fixed: false,
        color: None,
        pose: Pose::from_translation(at),
        goal: None,
        place: Place::default(),
    }
}

fn mesh((vertices, faces): (Vec<Vec3>, Vec<[u32; 3]>)) -> Shape {
    Shape::Mesh(Arc::new(Mesh::new(vertices, faces).unwrap()))
}

/// A prism with a round bore.
fn bored(outline: &[(f64, f64)], bore: f64, height: f64) -> Shape {
    let n = outline.len() as u32;
    let inner: Vec<(f64, f64)> =
        outline.iter().map(|&(x, y)| (bore * x / x.hypot(y), bore * y / x.hypot(y))).collect();
    let mut vertices = Vec::new();
    for (ring, z) in [(&inner[..], 0.0), (&inner[..], height), (outline, 0.0), (outline, height)] {
        vertices.extend(ring.iter().map(|&(x, y)| Vec3::new(x, y, z)));
    }
    let mut faces = Vec::new();
    for i in 0..n {
        let j = (i + 1) % n;
        let at = |which: u32, i: u32| which * n + i;
        let mut quad = |a, b, c, d| faces.extend([[a, b, c], [a, c, d]]);
        quad(at(0, j), at(0, i), at(1, i), at(1, j));
        quad(at(2, i), at(2, j), at(3, j), at(3, i));
        quad(at(1, i), at(3, i), at(3, j), at(1, j));
        quad(at(0, j), at(2, j), at(2, i), at(0, i));
    }
    mesh((vertices, faces))
}

fn circle(radius: f64, corners: u32) -> Vec<(f64, f64)> {
    let at = |i: u32| TAU * f64::from(i) / f64::from(corners);
    (0..corners).map(|i| (radius * at(i).cos(), radius * at(i).sin())).collect()
}

fn screw() -> Shape {
    let cylinder = |radius: f64, height: f64| Shape::Cylinder(Cylinder::new(radius, height).unwrap());
    let part =
        |shape: Shape, z: f64| Part { compound_from_part: Pose::from_translation(mm(0.0, 0.0, z)), shape };
    let head = bored(&circle(0.0065, 6), 0.003, 0.005);
    let parts = vec![part(head, 0.0), part(cylinder(0.003, 0.018), -9.0)];
    Shape::Compound(Compound::new(parts).unwrap())
}

fn step(name: &str, subject: &str, bodies: &[usize], travel: Travel) -> Step {
    let one = Move { subject: subject.to_owned(), bodies: bodies.to_vec(), travel, place: Place::default() };
    Step { name: name.to_owned(), moves: vec![one], tasks: Vec::new(), seconds: 1.5, place: Place::default() }
}

fn by(x: f64, y: f64, z: f64) -> Travel {
    Travel::Translate(mm(x, y, z))
}

/// The plan.
pub(crate) fn scene() -> Scene {
    let cuboid = |x: f64, y: f64, z: f64| Shape::Cuboid(Cuboid::new(mm(x, y, z)).unwrap());
    let mut bodies = vec![
        body("table", cuboid(330.0, 220.0, 12.0), mm(30.0, 0.0, -6.0)),
        body("housing", mesh(models::cup(0.060, 0.050, 0.006, 96)), Vec3::ZERO),
        body("post", Shape::Cylinder(Cylinder::new(0.010, 0.030).unwrap()), mm(0.0, 0.0, 21.0)),
        body("gear", bored(&models::gear_outline(20, 0.040, 0.046, 0.0), 0.0106, 0.012), mm(0.0, 0.0, 90.0)),
        body("lid", bored(&circle(0.062, 96), 0.0036, 0.006), mm(140.0, 0.0, 2.0)),
        body("screw", screw(), mm(0.0, 0.0, 96.0)),
        body("bracket", cuboid(36.0, 24.0, 40.0), mm(72.0, 0.0, 140.0)),
        body("sensor <script>alert(1)</script>", cuboid(20.0, 20.0, 20.0), mm(-70.3, -90.0, 20.0)),
    ];
    bodies[5].pose = Pose::from_translation(mm(-110.0, 60.0, 30.0));
    for fixed in &mut bodies[..3] {
        fixed.is_fixed = true;
    }
    let turn = |angle: f64, advance: f64| Travel::Turn {
        axis: Axis::new(Vec3::ZERO, Vec3::Z).unwrap(),
        angle,
        advance: advance / 1000.0,
    };
    let path = |ways: &[[f64; 3]]| {
        let piece =
            |w: &[f64; 3]| Piece { travel: by(w[0], w[1], w[2]), share: mm(w[0], w[1], w[2]).length() };
        Travel::Path(ways.iter().map(piece).collect())
    };
    let away = Pose::from_zyx_euler(0.0, 0.9, 0.4, mm(150.0, -50.0, 120.0)).unwrap();
    Scene {
        units: Unit::Millimetre,
        clearance: 0.0005,
        allowance: 0.00002,
        steps: vec![
            step("lower gear", "gear", &[3], by(0.0, 0.0, -82.0)),
            step("turn gear", "gear", &[3], turn(TAU / 4.0, 0.0)),
            step("put lid on", "lid", &[4], path(&[[0.0, 0.0, 70.0], [-140.0, 0.0, 0.0], [0.0, 0.0, -22.0]])),
            step("bring screw", "screw", &[5], path(&[[0.0, 0.0, 60.0], [110.0, -60.0, 0.0]])),
            step("drive screw", "screw", &[5], turn(-2.0 * TAU, -34.0)),
            step("lift cover", "cover", &[4, 5], by(0.0, 0.0, 20.0)),
            step("close cover", "cover", &[4, 5], by(0.0, 0.0, -20.0)),
            step("slide sensor", "sensor <script>alert(1)</script>", &[7], by(0.0, 140.0, 0.0)),
            step("lower bracket", "bracket", &[6], by(0.0, 0.0, -100.0)),
            step("turn bracket away", "bracket", &[6], Travel::To(away)),
        ],
        groups: vec![Group { name: "cover".to_owned(), members: vec![4, 5], place: Place::default() }],
        bodies,
        ..Scene::default()
    }
}
