use super::*;
use crate::Stage;
use crate::checker::{PlanVerdict, StepResult};
use freiraum_geometry::path::Axis;
use freiraum_geometry::shape::{Cuboid, Cylinder, Sphere};
use freiraum_scene::{Body, Move, Place, Step};

fn body(name: &str, shape: Shape) -> Body {
    Body {
        name: name.to_owned(),
        geometry: Geometry::Shape(shape),
        is_fixed: false,
        color: None,
        pose: Pose::IDENTITY,
        goal: None,
        place: Place::default(),
    }
}

/// A plan with one step of the gear, or of the drive that it belongs to.
fn plan(subject: &str, travel: Travel) -> (Scene, Timeline) {
    let cuboid = || Shape::Cuboid(Cuboid::new(Vec3::ONE).unwrap());
    let bodies = vec![
        body("gear", cuboid()),
        body("housing", cuboid()),
        body("M8x20", Shape::Cylinder(Cylinder::new(1.0, 1.0).unwrap())),
        body("ball", Shape::Sphere(Sphere::new(1.0).unwrap())),
    ];
    let one = Move { subject: subject.to_owned(), bodies: vec![0], travel, place: Place::default() };
    let step = Step {
        name: "step".to_owned(),
        moves: vec![one],
        tasks: Vec::new(),
        seconds: 1.0,
        place: Place::default(),
    };
    let scene = Scene { units: Unit::Millimetre, bodies, steps: vec![step], ..Scene::default() };
    let timeline = Timeline::of(&scene).unwrap();
    (scene, timeline)
}

fn down() -> Travel {
    Travel::Translate(Vec3::new(0.0, 0.0, -0.045))
}

fn turn(degrees: f64, advance: f64) -> Travel {
    let axis = Axis::new(Vec3::ZERO, Vec3::Z).unwrap();
    Travel::Turn { axis, angle: degrees.to_radians(), advance }
}

fn contact(pair: [usize; 2], time: f64, features: [Feature; 2], allowance: f64) -> Finding {
    let kind = FindingKind::Contact {
        time_error: 0.0,
        point: Vec3::ZERO,
        normal: Vec3::Z,
        features,
        until: None,
        depth: None,
        passing_allowance: None,
        allowance,
    };
    Finding { kind, pair, time }
}

#[track_caller]
fn check(subject: &str, travel: Travel, finding: Finding, expected: &str) {
    let (scene, timeline) = plan(subject, travel);
    assert_eq!(sentence(&scene, &timeline, 0, &finding), expected);
}

fn in_millimetres(allowance: f64, shift: f64) -> Finding {
    let mut finding = contact([0, 1], 0.5, EDGE_FACE, allowance / 1000.0);
    if let FindingKind::Contact { depth, .. } = &mut finding.kind {
        *depth = Some(shift / 1000.0);
    }
    finding
}

/// A tip that is thinner than the allowance: what it used is not more than what is allowed.
#[test]
fn an_allowance_that_could_not_be_used_is_told() {
    check(
        "gear",
        down(),
        in_millimetres(0.1, 0.05),
        "the gear can be lowered 22.5 mm of 45 mm, then its edge 12–17 gets deeper into face 3 of the housing than it may: only \
         0.05 mm of the allowance of 0.1 mm could be used, since a tip or an edge is thinner there than the allowance; a shift of \
         0.05 mm takes them apart at that moment",
    );
    check(
        "gear",
        down(),
        in_millimetres(0.1, 0.11),
        "the gear can be lowered 22.5 mm of 45 mm, then its edge 12–17 gets deeper than the allowed 0.1 mm into face 3 of the \
         housing; a shift of 0.11 mm takes them apart at that moment",
    );
}

const EDGE_FACE: [Feature; 2] = [Feature::Edge([12, 17]), Feature::Face(3)];

#[test]
fn contacts() {
    let at = |time: f64| contact([0, 1], time, EDGE_FACE, 0.0);
    check(
        "gear",
        down(),
        at(31.26 / 45.0),
        "the gear can be lowered 31.26 mm of 45 mm, then its edge 12–17 touches face 3 of the housing",
    );
    check(
        "gear",
        Travel::Translate(Vec3::new(0.0, 0.0, 0.1)),
        at(0.5),
        "the gear can be lifted 50 mm of 100 mm, then its edge 12–17 touches face 3 of the housing",
    );
    check(
        "gear",
        Travel::Translate(Vec3::new(0.1, 0.0, 0.0)),
        at(0.5),
        "the gear can be moved 50 mm of 100 mm, then its edge 12–17 touches face 3 of the housing",
    );
    check(
        "gear",
        turn(-90.0, 0.0),
        at(0.4456),
        "the gear can be turned by 40.1° of 90°, then its edge 12–17 touches face 3 of the housing",
    );
    check(
        "gear",
        turn(720.0, 0.01),
        at(0.5),
        "the gear can be turned by 360° of 720° and moved 5 mm of 10 mm, then its edge 12–17 touches face 3 of the housing",
    );
    check(
        "gear",
        Travel::To(Pose::from_translation(-0.02 * Vec3::Z)),
        at(0.25),
        "the gear can be lowered 5 mm of 20 mm, then its edge 12–17 touches face 3 of the housing",
    );
    let pose = Pose::from_axis_angle(Vec3::X, 1.0).unwrap();
    check(
        "gear",
        Travel::To(pose),
        at(0.62),
        "the gear can be moved for 62 % of the motion, then its edge 12–17 touches face 3 of the housing",
    );
    check(
        "drive",
        down(),
        at(0.5),
        "the drive can be lowered 22.5 mm of 45 mm, then edge 12–17 of the gear touches face 3 of the housing",
    );
    check(
        "gear",
        down(),
        at(0.0),
        "the gear cannot be lowered at all: its edge 12–17 touches face 3 of the housing at once",
    );
}

#[test]
fn features_of_shapes() {
    let round = contact([0, 2], 0.5, [Feature::Vertex(4), Feature::Rim(1)], 0.0);
    check(
        "gear",
        down(),
        round,
        "the gear can be lowered 22.5 mm of 45 mm, then its corner 4 touches the upper rim of M8x20",
    );
    let mantle = contact([0, 2], 0.5, [Feature::Face(1), Feature::Face(0)], 0.00002);
    check(
        "gear",
        down(),
        mantle,
        "the gear can be lowered 22.5 mm of 45 mm, then its face 1 gets deeper than the allowed 0.02 mm into the mantle of M8x20",
    );
    let ball = contact([0, 3], 0.5, [Feature::Face(1), Feature::Face(0)], 0.0);
    check("gear", down(), ball, "the gear can be lowered 22.5 mm of 45 mm, then its face 1 touches the ball");
}

#[test]
fn distances() {
    let kind = FindingKind::TooClose {
        distance: 0.00031,
        error: 0.0,
        required: 0.0005,
        points: [Vec3::ZERO; 2],
        give_way: Vec3::new(0.0, 0.71, 0.71),
        is_fit: false,
    };
    let finding = Finding { kind, pair: [0, 1], time: 0.62 };
    check(
        "gear",
        down(),
        finding,
        "the gear comes within 0.31 mm of the housing at 62 % of the motion; 0.5 mm is required: 0.19 mm is missing; give way along [0, 0.71, 0.71]",
    );
}

#[test]
fn no_digit_that_is_not_known() {
    let cases = [
        (7.61017, 0.08, 6, "7.6"),
        (7.61017, 0.01, 6, "7.61"),
        (7.61017, 0.0, 6, "7.61017"),
        (7.61017, 0.0, 3, "7.61"),
        (7.61017, 3.0, 6, "8"),
        (7613.0, 80.0, 6, "7610"),
        (0.034, 0.08, 3, "0.03"),
        (34.0, 8000.0, 3, "30"),
        (0.0, 0.1, 3, "0"),
        (20.0, 1e-9, 6, "20"),
    ];
    for (value, error, digits, expected) in cases {
        assert_eq!(known(value, error, digits), expected, "{value} {error}");
    }
    assert_eq!(known_length(0.00761017, 0.00008, Unit::Millimetre), "7.6 mm");
    // What falls short of the requirement reads so, however little it is known.
    let short = |distance: f64, error: f64| short_of(distance, error, 0.01, Unit::Millimetre);
    assert_eq!(short(0.00761017, 0.00008), ["7.6 mm", "2.4 mm"]);
    assert_eq!(short(0.00998, 0.00008), ["9.98 mm", "0.02 mm"]);
}

#[test]
fn steps_have_the_numbers_of_the_file() {
    let (_, mut timeline) = plan("gear", down());
    let stage = |step: usize, name: &str| Stage { step, name: name.to_owned(), ..timeline.stages[0].clone() };
    let told = [(0, "go"), (1, "step 2 (1 of 2)"), (1, "step 2 (2 of 2)"), (2, "step 3"), (3, "step 30")];
    timeline.stages = told.map(|(step, name)| stage(step, name)).to_vec();
    let numbers: Vec<String> = (0..5).map(|stage| step_number(&timeline, stage)).collect();
    assert_eq!(numbers, ["1", "2.1", "2.2", "3", "4"]);
    assert_eq!([step_part(&timeline, 0), step_part(&timeline, 2)], [[0, 1], [1, 2]]);
    let names: Vec<Option<&str>> = (0..5).map(|stage| own_name(&timeline, stage)).collect();
    assert_eq!(names, [Some("go"), None, None, None, Some("step 30")]);
    let result = |verdict: PlanVerdict| StepResult { verdict, ..StepResult::default() };
    let [free, bad] = [PlanVerdict::Free, PlanVerdict::Collision];
    let found = [free, bad, free, free, free].map(result);
    assert_eq!(of_steps(&timeline, &found), [free, bad, free, free]);
}

#[test]
fn what_is_not_known_and_what_was_wrong_before() {
    let undecided = Finding { kind: FindingKind::Undecided { open: [0.25, 1.0] }, pair: [0, 1], time: 0.25 };
    check(
        "gear",
        down(),
        undecided,
        "the gear and the housing: free up to 25 %, not known up to 100 % of the motion; a larger budget may decide it",
    );
    let kind = FindingKind::Overlap {
        point: Vec3::ZERO,
        depth: Some(0.0012),
        separating_shift: None,
        passing_allowance: None,
        allowance: 0.0,
    };
    let overlap = Finding { kind, pair: [0, 1], time: 0.0 };
    check(
        "gear",
        down(),
        overlap,
        "the gear and the housing overlap before the step, 1.2 mm deep at the deepest place",
    );
    let (scene, _) = plan("gear", down());
    assert_eq!(
        start_sentence(&scene, &overlap),
        "the gear and the housing overlap before anything has moved, 1.2 mm deep at the deepest place"
    );
}

#[test]
fn later_contacts_are_told_as_such() {
    let (scene, timeline) = plan("gear", down());
    let findings = [contact([0, 1], 0.2, EDGE_FACE, 0.0), contact([0, 3], 0.4, EDGE_FACE, 0.0)];
    let told = sentences(&scene, &timeline, 0, &findings);
    assert_eq!(told[0], sentence(&scene, &timeline, 0, &findings[0]));
    assert_eq!(
        told[1],
        "without that, the gear could be lowered 18 mm of 45 mm, then its edge 12–17 touches the ball"
    );
}

#[test]
fn numbers() {
    for (metres, expected) in
        [(0.0, "0 mm"), (0.0000123456, "0.0123 mm"), (0.1, "100 mm"), (1.23456, "1235 mm"), (-0.002, "-2 mm")]
    {
        assert_eq!(length(metres, Unit::Millimetre), expected);
    }
    assert_eq!(length(0.000012, Unit::Micrometre), "12 µm");
    let far = |travel: Travel, t: f64| {
        let lead = crate::timeline::motion(&travel, &Pose::IDENTITY, Place::default()).unwrap();
        let course = crate::timeline::Course::Travel(travel);
        let mover =
            Mover { subject: "gear".to_owned(), bodies: vec![0], course, lead, place: Place::default() };
        progress(&mover, t, Unit::Millimetre)
    };
    // Never more than is free: 0.99999 of 45 mm is not 45 mm.
    assert_eq!(far(down(), 0.999_999), "44.99 mm of 45 mm");
    assert_eq!(far(down(), 1.0), "45 mm of 45 mm");
    assert_eq!(far(turn(90.0, 0.0), 0.999_999), "89.9° of 90°");
    for (t, expected) in [(0.0, "0 %"), (0.004, "0.4 %"), (0.62, "62 %"), (0.9999, "99.99 %"), (1.0, "100 %")]
    {
        assert_eq!(percent(t), expected);
    }
    assert_eq!(direction(Vec3::new(-0.001, 1.0, 0.0)), "[0, 1, 0]");
}

#[test]
fn names_in_sentences() {
    for (name, expected) in [
        ("gear", "the gear"),
        ("left gear", "the left gear"),
        ("screw 3", "screw 3"),
        ("M8", "M8"),
        ("a\u{1b}[2J", "a\\u{1b}[2J"),
        ("", ""),
    ] {
        assert_eq!(named(name), expected);
    }
}

#[test]
fn actions() {
    let told = |travel: Travel| {
        let (scene, timeline) = plan("gear", travel);
        action(&scene, &timeline, 0)
    };
    assert_eq!(told(down()), "the gear is lowered 45 mm");
    assert_eq!(told(turn(90.0, 0.0)), "the gear is turned by 90°");
    assert_eq!(told(turn(90.0, 0.001)), "the gear is turned by 90° and moved 1 mm along the axis");
}

#[test]
fn headlines() {
    let check = |travel: Travel, finding: Finding, expected: &str| {
        let (scene, timeline) = plan("gear", travel);
        assert_eq!(headline(&scene, &timeline, 0, &finding), expected);
    };
    let hit = |time: f64| contact([0, 1], time, EDGE_FACE, 0.0);
    check(down(), hit(31.26 / 45.0), "the gear collides with the housing after 31.26 mm of 45 mm");
    check(down(), hit(0.0), "the gear collides with the housing at once");
    check(turn(90.0, 0.0), hit(0.5), "the gear collides with the housing after 45° of 90°");
    let to = Travel::To(Pose::from_translation(Vec3::new(0.1, 0.0, 0.0)));
    check(to, hit(0.25), "the gear collides with the housing after 25 mm of 100 mm");
    let path = Travel::Path(vec![freiraum_scene::Piece { travel: down(), share: 1.0 }]);
    check(path, hit(0.5), "the gear collides with the housing after 50 % of the motion");
    let kind = FindingKind::NoPath;
    check(down(), Finding { kind, pair: [0, 0], time: 0.0 }, "no way was found for the gear");
}
