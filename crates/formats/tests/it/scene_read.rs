//! Scene files that are right: what they say.

use freiraum_formats::scene::SceneFile;
use freiraum_geometry::shape::Shape;
use freiraum_geometry::{Pose, Vec3};
use freiraum_scene::{Color, Geometry, PlannerChoice, Scene, Travel};
use std::path::Path;

#[track_caller]
fn parse(text: &str) -> SceneFile {
    SceneFile::parse(text, Path::new("tests/broken_scenes"), "test.toml")
        .unwrap_or_else(|e| panic!("{}", e.render(false)))
}

#[track_caller]
fn scene(text: &str) -> Scene {
    parse(text).scene().clone()
}

const BODIES: &str = r#"
units = "mm"
[[body]]
name = "a"
shape = { box = { size = [10, 20, 30] } }
fixed = true
[[body]]
name = "b"
shape.sphere.radius = 5
goal = [0, 0, 7]
[[body]]
name = "c"
shape = { compound = [ { shape = { cone = { radius = 1, height = 2 } }, pose = { position = [1, 2, 3], rpy_deg = [0, 0, 90] } } ] }
[[group]]
name = "all"
members = ["inner"]
[[group]]
name = "inner"
members = ["c", "b"]
"#;

#[test]
fn everything_at_once() {
    let text = format!(
        r##"{BODIES}
[check]
clearance = 0.5
allowance = 0.02
[[body]]
name = "d"
mesh = "part.stl"
mesh_units = "in"
color = "#102030"
pose = {{ position = [1, 2, 3], quaternion = [0, 0, 0.7071, 0.7071] }}
physics = {{ kind = "movable", mass = 0.4, friction = 0.3 }}
[[pair]]
bodies = ["a", "all"]
clearance = 1
[[pair]]
bodies = ["a", "d"]
ignore = "flexible"
[[step]]
name = "down"
seconds = 2.5
move = "b"
translate = [0, 0, -10]
[[step]]
move = "all"
rotate = {{ point = [1, 0, 0], axis = [0, 0, 2], deg = 90 }}
[[step]]
parallel = [
    {{ move = "b", screw = {{ point = [0, 0, 0], axis = [0, 0, 1], deg = 720, advance = 3 }} }},
    {{ move = "c", to = [1, 2, 3, 0, 0, 90] }},
]
[[step]]
move = "d"
path = [ {{ translate = [1, 0, 0], share = 0.25 }}, {{ to = [0, 0, 1] }} ]
[[step]]
move = "b"
path = "plan"
planner = "detours"
"##
    );
    let scene = scene(&text);
    assert_eq!((scene.clearance, scene.allowance), (0.0005, 0.00002));
    assert_eq!(scene.bodies.len(), 4);
    assert!(scene.bodies[0].is_fixed && !scene.bodies[1].is_fixed);
    let Geometry::Shape(Shape::Cuboid(cuboid)) = &scene.bodies[0].geometry else { panic!() };
    assert_eq!(cuboid.size(), Vec3::new(0.01, 0.02, 0.03));
    assert_eq!(scene.bodies[1].goal, Some(Pose::from_translation(Vec3::new(0.0, 0.0, 0.007))));
    let Geometry::Shape(Shape::Compound(compound)) = &scene.bodies[2].geometry else { panic!() };
    let there = compound.parts()[0].compound_from_part.transform_point(Vec3::X);
    assert!(there.distance(Vec3::new(0.001, 1.002, 0.003)) < 1e-15);
    let Geometry::File { path, written, units } = &scene.bodies[3].geometry else { panic!() };
    assert_eq!((path.as_path(), written.as_str()), (Path::new("tests/broken_scenes/part.stl"), "part.stl"));
    assert_eq!(units.symbol(), "in");
    assert_eq!(scene.bodies[3].color, Some(Color([16, 32, 48])));
    assert!((scene.bodies[3].pose.rotate(Vec3::X) - Vec3::Y).length() < 1e-15);
    assert_eq!(
        (scene.groups[0].members.as_slice(), scene.groups[1].members.as_slice()),
        (&[2, 1][..], &[2, 1][..])
    );
    assert_eq!(scene.requirement(0, 1).clearance, 0.001);
    assert_eq!(scene.requirement(3, 0).ignore, Some("flexible"));
    assert_eq!(scene.requirement(3, 1).clearance, 0.0005);
    let names: Vec<&str> = scene.steps.iter().map(|step| step.name.as_str()).collect();
    assert_eq!(names, ["down", "step 2", "step 3", "step 4", "step 5"]);
    assert_eq!((scene.steps[0].seconds, scene.steps[1].seconds), (2.5, 1.0));
    assert!(
        matches!(scene.steps[0].moves[0].travel, Travel::Translate(by) if by == Vec3::new(0.0, 0.0, -0.01))
    );
    let place = scene.steps[0].moves[0].place;
    assert_eq!(&text[place.start..place.end], "translate = [0, 0, -10]");
    let Travel::Turn { axis, angle, advance } = scene.steps[1].moves[0].travel else { panic!() };
    assert_eq!((axis.point, axis.direction), (Vec3::new(0.001, 0.0, 0.0), Vec3::Z));
    assert_eq!((angle, advance), (std::f64::consts::FRAC_PI_2, 0.0));
    assert_eq!(scene.steps[1].moves[0].bodies, [2, 1]);
    assert_eq!(scene.steps[2].moves.len(), 2);
    assert!(matches!(scene.steps[2].moves[0].travel, Travel::Turn { advance, .. } if advance == 0.003));
    let Travel::Path(pieces) = &scene.steps[3].moves[0].travel else { panic!() };
    assert_eq!((pieces[0].share, pieces[1].share), (0.25, 0.75));
    let Travel::Plan { to, planner } = scene.steps[4].moves[0].travel else { panic!() };
    assert_eq!((Some(to), planner), (scene.bodies[1].goal, Some(PlannerChoice::Detours)));
}

#[test]
fn states() {
    let scene = scene(&format!(
        "{BODIES}[[state]]\nposes = {{ b = [1, 2, 3] }}\n[[state]]\nname = \"end\"\n[state.poses]\nc = [0, 0, 1]\n"
    ));
    assert_eq!(scene.states[0].name, "state 1");
    assert_eq!(scene.states[1].name, "end");
    assert_eq!(scene.states[1].poses, [(2, Pose::from_translation(Vec3::new(0.0, 0.0, 0.001)))]);
}

#[test]
fn units_default_to_metres_and_gltf_always_is() {
    let text = "[[body]]\nname = 'a'\nmesh = 'part.stl'\n[[body]]\nname = 'b'\nmesh = 'part.glb'\n";
    for (units, of_stl) in [("", "m"), ("units = 'mm'\n", "mm")] {
        let scene = scene(&format!("{units}{text}"));
        let symbols = scene.bodies.iter().map(|body| match &body.geometry {
            Geometry::File { units, .. } => units.symbol(),
            Geometry::Shape(_) => panic!(),
        });
        assert_eq!(symbols.collect::<Vec<_>>(), [of_stl, "m"]);
    }
}
