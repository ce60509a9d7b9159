//! What is run into is told where it is first touched, by closed forms: the error of the time covers it, however deep the motion ends.

use freiraum_assets::ShapeCache;
use freiraum_check::{CheckMemory, CheckOptions, FindingKind, PlanVerdict, Timeline, check, reach};
use freiraum_geometry::path::Axis;
use freiraum_geometry::shape::{Capsule, Cuboid, Cylinder, HalfSpace, Shape, Sphere};
use freiraum_geometry::{Pose, Vec3};
use freiraum_scene::{Body, Geometry, Move, Piece, Place, Scene, Step, Travel};
use freiraum_testkit::random::Random;
use freiraum_testkit::scale::cases;

/// What rounding may be off by in scenes of some metres, in metres.
const ROUNDING: f64 = 1e-12;

fn body(name: &str, shape: Shape, pose: Pose) -> Body {
    Body {
        name: name.to_owned(),
        geometry: Geometry::Shape(shape),
        is_fixed: false,
        color: None,
        pose,
        goal: None,
        place: Place::default(),
    }
}

fn at(x: f64, y: f64, z: f64) -> Pose {
    Pose::from_translation(Vec3::new(x, y, z))
}

fn scene(moving: Body, still: Body, travel: Travel) -> Scene {
    let (subject, place) = (moving.name.clone(), Place::default());
    let moves = vec![Move { subject, bodies: vec![0], travel, place }];
    let step = Step { name: "step".to_owned(), moves, tasks: Vec::new(), seconds: 1.0, place };
    Scene { bodies: vec![moving, still], steps: vec![step], ..Scene::default() }
}

/// When the bodies of the only step are said to touch and how wrong that may be; `None` if it is free.
fn contact(scene: &Scene) -> Option<(f64, f64)> {
    let timeline = Timeline::of(scene).unwrap();
    let parts = ShapeCache::of(scene);
    let found = check(scene, &timeline, &parts, &CheckMemory::default(), &CheckOptions::default()).unwrap();
    assert!(found.start.is_empty(), "{:?}", found.start);
    let finding = found.steps[0].findings.first()?;
    assert_eq!(found.verdict, PlanVerdict::Collision, "{finding:?}");
    let FindingKind::Contact { time_error, .. } = finding.kind else { panic!("{finding:?}") };
    Some((finding.time, time_error))
}

/// Something round with how far it reaches down.
fn something(random: &mut Random) -> (Shape, Pose, f64) {
    let (radius, height) = (random.range(0.01, 0.3), random.range(0.05, 0.4));
    let tilt = [0.0, 0.3, 0.9, 90f64.to_radians()][random.below(4)];
    let pose = Pose::from_axis_angle(Vec3::Z, random.range(0.0, 6.0)).unwrap()
        * Pose::from_axis_angle(Vec3::X, tilt).unwrap();
    match random.below(3) {
        0 => (Shape::Sphere(Sphere::new(radius).unwrap()), pose, radius),
        1 => {
            let down = radius * tilt.sin() + 0.5 * height * tilt.cos();
            (Shape::Cylinder(Cylinder::new(radius, height).unwrap()), pose, down)
        }
        _ => {
            let down = radius + 0.5 * height * tilt.cos();
            (Shape::Capsule(Capsule::new(radius, height).unwrap()), pose, down)
        }
    }
}

/// Onto a table, straight, on a path or turned about its own axis, from a bit above it to more or less deep in it.
#[test]
fn what_goes_through_the_table_touches_it_first() {
    let mut random = Random::new(41);
    let [mut free, mut told] = [0; 2];
    for case in 0..cases(400) {
        let (shape, turned, down) = something(&mut random);
        let far = [0.0, 3.0][random.below(2)];
        let gap = 10f64.powf(random.range(-3.0, 0.0));
        let depth = 10f64.powf(random.range(-9.0, -0.5));
        let table = match random.below(2) {
            0 => body(
                "table",
                Shape::Cuboid(Cuboid::new(Vec3::new(4.0, 4.0, 1.0)).unwrap()),
                at(far, far, -0.5),
            ),
            _ => body("floor", Shape::HalfSpace(HalfSpace::new(Vec3::Z, 0.0).unwrap()), Pose::IDENTITY),
        };
        let start = at(far, far, down + gap) * turned;
        let by = Vec3::new(random.range(-0.5, 0.5), 0.0, -(gap + depth));
        let end = Pose::new(start.rotation(), start.translation() + by).unwrap();
        let travel = match random.below(4) {
            0 => Travel::Translate(by),
            1 => Travel::To(end),
            2 => {
                let piece = |share: f64| Piece { travel: Travel::Translate(share * by), share };
                Travel::Path(vec![piece(0.25), piece(0.75)])
            }
            _ => {
                let axis = Axis::new(start.translation(), Vec3::Z).unwrap();
                Travel::Turn { axis, angle: random.range(-2.0, 2.0), advance: -(gap + depth) }
            }
        };
        let scene = scene(body("it", shape, start), table, travel);
        let first = gap / (gap + depth);
        let said = format!("case {case}: {depth} deep, {scene:?}");
        match contact(&scene) {
            // Resting: some billionths of its size, some millionths for cylinders.
            None => {
                free += 1;
                assert!(depth < 5e-5, "{said}");
            }
            Some((time, error)) => {
                told += 1;
                let off = (time - first).abs() * (gap + depth);
                let stated = error * (gap + depth) + ROUNDING;
                assert!(off <= stated, "{off} m off, {stated} m stated; {said}");
                assert!(stated < 1e-6, "{stated}; {said}");
                // What is tried with the hand stops there too.
                let poses: Vec<Pose> = scene.bodies.iter().map(|body| body.pose).collect();
                let travel = &scene.steps[0].moves[0].travel;
                let options = CheckOptions::default();
                let reach = reach(&scene, &ShapeCache::of(&scene), &poses, &[0], travel, &options).unwrap();
                assert!((reach.share - first).abs() * (gap + depth) <= stated, "{reach:?}; {said}");
            }
        }
    }
    assert!(free > 0 && told > free, "{free} {told}");
}

/// A lever that turns down on a table: a cylinder along it, whose lower side comes down on an edge of the table.
#[test]
fn a_lever_touches_where_its_angle_says() {
    let mut random = Random::new(42);
    for case in 0..cases(100) {
        // The lever lies along x from the axis (y, through the origin), and turns down; its centre line is `radius` above the table at the angle 0.
        let (radius, length) = (random.range(0.02, 0.1), random.range(0.5, 1.0));
        let along_x = Pose::from_axis_angle(Vec3::Y, 90f64.to_radians()).unwrap();
        let shape = match case % 2 {
            0 => Shape::Cylinder(Cylinder::new(radius, length).unwrap()),
            _ => Shape::Capsule(Capsule::new(radius, length).unwrap()),
        };
        let start = random.range(0.1, 0.6);
        let beyond = 10f64.powf(random.range(-7.0, -0.7));
        let up = Pose::from_axis_angle(Vec3::Y, -start).unwrap();
        let lever = body("lever", shape, up * at(0.5 * length, 0.0, 0.0) * along_x);
        // The edge at x = 0.3 length, as high as the lower side at the angle 0; all of the block is beyond the end of the lever.
        let corner = Vec3::new(0.3 * length, 0.0, -radius);
        let size = Vec3::new(0.05, 0.5, 0.3);
        let center = corner + Vec3::new(-0.5 * size.x, 0.0, -0.5 * size.z);
        let block = body("block", Shape::Cuboid(Cuboid::new(size).unwrap()), Pose::from_translation(center));
        let axis = Axis::new(Vec3::ZERO, Vec3::Y).unwrap();
        let angle = start + beyond;
        let scene = scene(lever, block, Travel::Turn { axis, angle, advance: 0.0 });
        let said = format!("case {case}: {beyond} beyond, {scene:?}");
        let first = start / angle;
        match contact(&scene) {
            None => assert!(beyond < 1e-4, "{said}"),
            Some((time, error)) => {
                let off = (time - first).abs() * angle;
                assert!(off <= error * angle + ROUNDING, "{off} off, {error} stated; {said}");
                assert!(error * angle < 1e-5, "{error}; {said}");
            }
        }
    }
}
