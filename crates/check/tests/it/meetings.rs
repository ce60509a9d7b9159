//! What is allowed to all pairs where some bodies cannot be made smaller, and meetings of robots in a few words.

use freiraum_assets::ShapeCache;
use freiraum_check::{
    CheckMemory, CheckOptions, Finding, FindingKind, PlanVerdict, Report, Timeline, check, words,
};
use freiraum_formats::scene::SceneFile;
use freiraum_geometry::shape::{Compound, Cuboid, Part, Shape};
use freiraum_geometry::{Pose, Unit, Vec3};
use freiraum_scene::{Body, Geometry, Move, PairRule, Place, Problem, Scene, Step, Travel};
use std::path::Path;

fn at(x: f64, y: f64, z: f64) -> Pose {
    Pose::from_translation(Vec3::new(x, y, z))
}

fn cube() -> Shape {
    Shape::Cuboid(Cuboid::new(Vec3::splat(0.1)).unwrap())
}

/// Two cubes side by side, which touch.
fn twin() -> Shape {
    let part = |x| Part { compound_from_part: at(x, 0.0, 0.0), shape: cube() };
    Shape::Compound(Compound::new(vec![part(0.0), part(0.1)]).unwrap())
}

fn body(name: &str, shape: Shape, pose: Pose) -> Body {
    let (geometry, name) = (Geometry::Shape(shape), name.to_owned());
    Body { name, geometry, is_fixed: false, color: None, pose, goal: None, place: Place::default() }
}

/// A twin on another one, `deep` in it, that is lowered by `down`; and a cube that sits as deep in the first.
fn scene(deep: f64, down: f64, of_cube: f64) -> Scene {
    let moved = Move {
        subject: "upper".to_owned(),
        bodies: vec![0, 2],
        travel: Travel::Translate(Vec3::NEG_Z * down),
        place: Place::default(),
    };
    Scene {
        units: Unit::Millimetre,
        allowance: 2e-5,
        bodies: vec![
            body("upper", twin(), at(0.0, 0.0, 0.1 - deep)),
            body("lower", twin(), at(0.0, 0.0, 0.0)),
            body("cube", cube(), at(0.0, 0.0, 0.2 - deep - of_cube)),
        ],
        steps: vec![Step {
            name: "down".to_owned(),
            moves: vec![moved],
            tasks: Vec::new(),
            seconds: 1.0,
            place: Place::default(),
        }],
        ..Scene::default()
    }
}

fn result(scene: &Scene) -> Result<Report, Vec<Problem>> {
    let timeline = Timeline::of(scene).unwrap();
    check(scene, &timeline, &ShapeCache::of(scene), &CheckMemory::default(), &CheckOptions::default())
}

#[test]
fn what_is_allowed_to_all_holds_where_it_can() {
    // Apart, and touching: as if nothing were allowed. The cube gives way for both, and is as deep as is allowed.
    for (deep, down) in [(-0.01, 0.005), (-0.01, -0.1), (0.0, -0.1)] {
        let found = result(&scene(deep, down, 1e-5)).unwrap();
        assert_eq!(found.verdict, PlanVerdict::Free, "{deep} {down}: {found:?}");
    }
    // Deeper than allowed.
    assert_eq!(result(&scene(-0.01, 0.005, 5e-5)).unwrap().verdict, PlanVerdict::Collision);
    // Deep enough for the allowance, which cannot be used: told, and why.
    let deep = scene(1e-5, -0.1, 1e-5);
    let found = result(&deep).unwrap();
    let [start] = &found.start[..] else { panic!("{found:?}") };
    assert!(matches!(start.kind, FindingKind::Overlap { allowance: 0.0, .. }), "{start:?}");
    assert!(words::start_sentence(&deep, start).contains("cannot be used for these two"));
    let why = ShapeCache::of(&deep).why_not_smaller(start.pair, deep.allowance).unwrap().to_string();
    assert!(why.contains("parts 0 and 1"), "{why}");
    // On the way down, to no deeper than that.
    let on_the_way = scene(-0.01, 0.01 + 1e-5, 0.0);
    let found = result(&on_the_way).unwrap();
    let [contact] = &found.steps[0].findings[..] else { panic!("{found:?}") };
    assert!(matches!(contact.kind, FindingKind::Contact { allowance: 0.0, .. }), "{contact:?}");
    let told = words::sentences(&on_the_way, &Timeline::of(&on_the_way).unwrap(), 0, &[*contact]);
    assert!(told[0].contains("the allowance of 0.02 mm cannot be used"), "{told:?}");
    // What is allowed to the pair itself has to hold.
    for mut stated in [deep, on_the_way] {
        let bodies = [vec![1], vec![0]];
        let allowance = Some(stated.allowance);
        stated.pairs.push(PairRule {
            bodies,
            clearance: None,
            allowance,
            approach: None,
            ignore: None,
            place: Place::default(),
        });
        let said = result(&stated).unwrap_err()[0].message.clone();
        assert!(said.contains("upper") && said.contains("lower") && said.contains("joints"), "{said}");
    }
}

const ARM: &str = r#"shape = { box = { size = [100, 100, 400] } }
shape_pose = [0, 0, 200]
dh = [
    { d = 430, limits_deg = [-170, 170], speed_deg = 90, shape = { box = { size = [300, 60, 60] } }, shape_pose = [150, 0, 0] },
    { l = 300, limits_deg = [-150, 150], speed_deg = 90, shape = { box = { size = [250, 60, 60] } }, shape_pose = [125, 0, 70] },
]
"#;

#[test]
fn a_meeting_of_robots_is_told_once() {
    let text = format!(
        "units = \"mm\"\n[[robot]]\nname = \"left\"\n{ARM}\n[[robot]]\nname = \"right\"\npose = [2000, 0, 0]\n{ARM}\n[[body]]\nname = \"post\"\nshape = {{ box = {{ size = [60, 60, 800] }} }}\npose = [0, 2000, 0]\nfixed = true\n\n[[step]]\nname = \"go\"\nrobot = \"left\"\nptp = {{ joints_deg = [90, 0] }}\n"
    );
    let file = SceneFile::parse(&text, Path::new(""), "scene.toml");
    let scene = file.unwrap_or_else(|e| panic!("{}", e.render(false))).scene().clone();
    let timeline = Timeline::of(&scene).unwrap();
    let number = |name: &str| scene.body(name).unwrap();
    let near = |a: &str, b: &str, time: f64| {
        let (distance, error, required) = (0.001, 0.0, 0.005);
        let (points, give_way) = ([Vec3::ZERO; 2], Vec3::ZERO);
        let kind = FindingKind::TooClose { distance, error, required, points, give_way, is_fit: false };
        Finding { kind, pair: [number(a), number(b)], time }
    };
    let findings = [
        near("left/link1", "right/link2", 0.1),
        near("left/link2", "right/link1", 0.5),
        near("left/link1", "post", 0.2),
        near("left/link2", "right/link2", 0.4),
        near("left/link2", "post", 0.75),
        Finding {
            kind: FindingKind::Undecided { open: [0.0, 1.0] },
            ..near("left/link2", "right/base", 0.0)
        },
    ];
    let told = words::grouped(&scene, &timeline, 0, &findings, |_| false);
    let numbers: Vec<usize> = told.iter().map(|(number, _)| *number).collect();
    assert_eq!(numbers, [0, 2, 5]);
    let full = words::sentences(&scene, &timeline, 0, &findings);
    let seconds = timeline.stages[0].seconds;
    let at = |t: f64| words::seconds(t * seconds);
    assert_eq!(
        told[0].1,
        format!("{}; and 2 more pairs of links of left and right, the last at {}", full[0], at(0.5))
    );
    assert_eq!(
        told[1].1,
        format!("{}; and 1 more link of left with the post, the last at {}", full[2], at(0.75))
    );
    assert_eq!(told[2].1, full[5]);
    // What is told elsewhere is left out.
    let told = words::grouped(&scene, &timeline, 0, &findings, |finding| finding.time < 0.3);
    let numbers: Vec<usize> = told.iter().map(|(number, _)| *number).collect();
    assert_eq!(numbers, [1, 4]);
}
