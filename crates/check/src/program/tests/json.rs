//! Programs as JSON.

use super::*;

/// Programs as JSON and back are the same stages, whatever they are.
#[test]
fn programs_survive_json() {
    use freiraum_formats::scene::{SceneFile, program};
    use freiraum_testkit::random::Random;
    use serde_json::{Value, json};
    const CELL: &str = r#"
units = "mm"
[[robot]]
name = "left"
dh = [
    { d = 430, limits_deg = [-170, 170], shape = { box = { size = [300, 60, 60] } }, shape_pose = [150, 0, 0] },
    { l = 300, limits_deg = [-150, 150] },
    { alpha_deg = 180, l = 250, joint = "prismatic", limits = [0, 400] },
]
[[robot]]
name = "right"
pose = [3000, 0, 0]
dh = [ { d = 430 }, { l = 200, joint = "prismatic", limits = [-100, 100], shape = { sphere = { radius = 5 } } } ]
[[body]]
name = "gear"
shape = { sphere = { radius = 20 } }
pose = [0, 2000, 0]
"#;
    let parse = || SceneFile::parse(CELL, std::path::Path::new(""), "cell.toml").unwrap();
    let mut random = Random::new(77);
    let mut tenth = |lower: f64, upper: f64| (random.range(lower, upper) * 10.0).round() / 10.0;
    let motion = |tenth: &mut dyn FnMut(f64, f64) -> f64, robot: &str| -> Value {
        let one = |tenth: &mut dyn FnMut(f64, f64) -> f64, all: &[&str]| {
            all[(tenth(0.0, all.len() as f64 - 0.11) as usize).min(all.len() - 1)].to_owned()
        };
        let profile = one(tenth, &["constant", "ramp", "smooth"]);
        let speed = tenth(0.1, 1.0).max(0.1);
        let values = match robot {
            "left" => vec![tenth(-160.0, 160.0), tenth(-140.0, 140.0), tenth(0.0, 400.0)],
            _ => vec![tenth(-300.0, 300.0), tenth(-100.0, 100.0)],
        };
        match one(tenth, &["ptp", "some", "joint", "lin", "wait"]).as_str() {
            "ptp" => {
                let mode = one(tenth, &["synchronous", "simultaneous", "sequential"]);
                json!({ "ptp": { "joints_deg": values, "mode": mode, "speed": speed, "profile": profile } })
            }
            "some" => {
                json!({ "ptp": { "joints_deg": { "joint1": values[0] }, "speed": speed, "profile": profile } })
            }
            "joint" => json!({ "joint": { "name": "joint1", "to_deg": values[0], "profile": profile } }),
            "lin" => json!({ "lin": { "by": [0, 0, 0], "speed": 10.0 * speed, "profile": profile } }),
            _ => json!({ "wait": speed }),
        }
    };
    for _ in 0..freiraum_testkit::scale::cases(40) {
        let mut steps = Vec::new();
        for number in 0..3 {
            let mut task = |robot: &str| {
                let mut actions: Vec<Value> = (0..3).map(|_| motion(&mut tenth, robot)).collect();
                if number == 0 && robot == "left" {
                    actions.insert(1, json!({ "grasp": { "body": "gear", "depth": 0.1 } }));
                }
                if number == 2 && robot == "left" {
                    actions.insert(2, json!({ "release": "gear" }));
                }
                actions.insert(1, json!({ "sync": "here" }));
                json!({ "robot": robot, "do": actions })
            };
            let tasks = [task("left"), task("right")];
            steps.push(json!({ "name": format!("step {number}"), "parallel": tasks }));
        }
        let program = json!({ "units": "mm", "steps": steps });
        let mut first = parse();
        program::from_json(&mut first, &program).unwrap_or_else(|e| panic!("{}", e.render(false)));
        let written = program::to_json(first.scene());
        let mut second = parse();
        assert_eq!(program::from_json(&mut second, &written).unwrap(), 3);
        assert_eq!(program::to_json(second.scene()), written);
        let [a, b] = [&first, &second].map(|file| Timeline::of(file.scene()).unwrap());
        assert_eq!(a.stages.len(), b.stages.len());
        assert!(a.stages.len() >= 3);
        for (x, y) in a.stages.iter().zip(&b.stages) {
            assert_eq!((&x.name, x.step, x.seconds, &x.before), (&y.name, y.step, y.seconds, &y.before));
            for body in 0..first.scene().bodies.len() {
                for t in [0.0, 0.37, 1.0] {
                    assert_eq!(x.motion(body).pose(t), y.motion(body).pose(t));
                }
            }
        }
        assert_eq!(a.end, b.end);
    }
}
