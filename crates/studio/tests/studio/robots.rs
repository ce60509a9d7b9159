//! Robots: what the page is told is what the library says.

use crate::client::{Address, Client, Folder, at};
use freiraum_assets::ShapeCache;
use freiraum_check::{CheckMemory, CheckOptions, Timeline, check};
use freiraum_formats::scene::SceneFile;
use freiraum_geometry::{Pose, Quat, Vec3};
use freiraum_scene::PlacedRobot;
use freiraum_testkit::random::Random;
use serde_json::{Value, json};

/// A SCARA arm that picks a gear, and another arm beside it.
pub(crate) const CELL: &str = r#"# Two arms; this comment stays.
units = "mm"

[[robot]]
name = "left"
start_deg = [0, 0, 100, 0] # high
shape = { box = { size = [100, 100, 400] } }
shape_pose = [0, 0, 200]
dh = [
    { d = 430, limits_deg = [-170, 170], shape = { box = { size = [300, 60, 60] } }, shape_pose = [150, 0, 0] },
    { l = 300, limits_deg = [-150, 150], shape = { box = { size = [250, 60, 50] } }, shape_pose = [125, 0, 65] },
    { alpha_deg = 180, l = 250, joint = "prismatic", limits = [0, 400], shape = { box = { size = [30, 30, 400] } }, shape_pose = [0, 0, -200] },
    { limits_deg = [-360, 360] },
]
tool = { pose = [0, 0, 20], bodies = ["gripper"] }

[[robot]]
name = "right"
pose = { position = [1200, 0, 0], rpy_deg = [0, 0, 180] }
start_deg = [90, 0]
shape = { box = { size = [100, 100, 400] } }
shape_pose = [0, 0, 200]
dh = [
    { d = 430, shape = { box = { size = [300, 60, 60] } }, shape_pose = [150, 0, 0] },
    { l = 300, d = 70, limits_deg = [-150, 150], shape = { box = { size = [300, 60, 60] } }, shape_pose = [150, 0, 0] },
]

[[body]]
name = "gripper"
shape = { box = { size = [40, 40, 18] } }
pose = [0, 0, 11]

[[body]]
name = "table"
shape = { box = { size = [4000, 4000, 20] } }
pose = [0, 0, -10]
fixed = true

[[body]]
name = "gear"
shape = { cylinder = { radius = 20, height = 40 } }
pose = [550, 0, 20]

[[body]]
name = "block"
shape = { box = { size = [20, 20, 20] } }
pose = [0, 1000, 10]

[[body]]
name = "pillar"
shape = { box = { size = [60, 60, 1000] } }
pose = [400, -350, 500]
fixed = true

[[body]]
name = "pole"
shape = { cylinder = { radius = 30, height = 1000 } }
pose = [900, 250, 500]
fixed = true

# Down, take, up.
[[step]]
name = "pick"
robot = "left"
do = [
    { joint = { name = "joint3", to = 370 } },
    { grasp = { body = "gear", depth = 0.1 } },
    { joint = { name = "joint3", to = 300, speed = 0.5 } }, # slowly
]

[[step]]
name = "push"
move = "block"
translate = [100, 0, 0]

[[step]]
name = "carry"
parallel = [
    { robot = "left", do = [
        { ptp = { joints_deg = [90, 0, 300, 0] } },
        { sync = "out" },
    ] },
    { robot = "right", do = [
        { sync = "out" },
        { joint = { name = "joint1", to_deg = 30 } },
    ] },
]

[[step]]
name = "place"
robot = "left"
joint = { name = "joint3", to = 370 }
release = "gear"
wait = 0.5
"#;

fn folder() -> Folder {
    let folder = Folder::new();
    std::fs::write(folder.scene(), CELL).unwrap();
    folder
}

fn file(text: &str) -> SceneFile {
    SceneFile::parse(text, std::path::Path::new(""), "scene.toml").unwrap()
}

fn pose(value: &Value) -> Pose {
    let x: Vec<f64> = value.as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect();
    Pose::new(Quat::from_xyzw(x[3], x[4], x[5], x[6]), Vec3::new(x[0], x[1], x[2])).unwrap()
}

fn sent(pose: &Pose) -> Value {
    let ([x, y, z], [a, b, c, d]) = (pose.translation().to_array(), pose.rotation().to_array());
    json!([x, y, z, a, b, c, d])
}

fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect()
}

fn is_near(a: &Pose, b: &Pose) -> bool {
    a.translation().distance(b.translation()) < 1e-9 && a.rotation().dot(b.rotation()).abs() > 1.0 - 1e-12
}

fn tool_at(robot: &PlacedRobot, values: &[f64]) -> Pose {
    robot.model.place(&robot.base, values).links[robot.flange] * robot.flange_from_tool
}

async fn text(page: &mut Client) -> String {
    page.done("get_text", json!({})).await["text"].as_str().unwrap().to_owned()
}

/// Random joint values within the limits, or within a turn.
fn values(robot: &PlacedRobot, random: &mut Random) -> Vec<f64> {
    let one = |freedom: usize| {
        let range = robot.model.range(freedom);
        random.range(range.lower.max(-3.0), range.upper.min(3.0))
    };
    (0..robot.start.len()).map(one).collect()
}

#[tokio::test]
async fn the_scene_tells_robots_and_stages() {
    let folder = folder();
    let studio = folder.studio();
    let page = Client::connect(&Address::of(studio.address())).await;
    let scene = &page.hello["scene"];
    let file = file(CELL);
    let timeline = Timeline::of(file.scene()).unwrap();
    assert_eq!(scene["robots"].as_array().unwrap().len(), 2);
    for (told, robot) in scene["robots"].as_array().unwrap().iter().zip(&file.scene().robots) {
        assert_eq!(told["name"], robot.name);
        assert!(is_near(&pose(&told["base"]), &robot.base));
        assert!(is_near(&pose(&told["flange_from_tool"]), &robot.flange_from_tool));
        assert_eq!(numbers(&told["start"]), robot.start);
        assert_eq!(told["flange"], robot.flange);
        assert_eq!(told["links"].as_array().unwrap().len(), robot.links.len());
        for (link, body) in told["links"].as_array().unwrap().iter().zip(&robot.links) {
            assert_eq!(link["body"], json!(body));
        }
        for (freedom, joint) in told["joints"].as_array().unwrap().iter().enumerate() {
            assert_eq!(joint["name"], robot.joint_name(freedom));
            assert_eq!(joint["turns"], robot.turns(freedom));
            assert_eq!(
                joint["lower"].as_f64().unwrap_or(f64::NEG_INFINITY),
                robot.model.range(freedom).lower
            );
            assert_eq!(joint["upper"].as_f64().unwrap_or(f64::INFINITY), robot.model.range(freedom).upper);
        }
    }
    let [left, right] = [0, 1].map(|k| &scene["robots"][k]);
    assert_eq!((&left["closed"], &right["closed"]), (&json!(true), &json!(false)));
    assert_eq!(left["tools"], json!([0]));
    assert_eq!(scene["bodies"][0]["robot"], 0);
    assert_eq!(scene["bodies"][2]["robot"], json!(null));
    for (number, body) in file.scene().bodies.iter().enumerate() {
        assert_eq!(scene["bodies"][number]["robot"], json!(file.scene().robot_of(number)), "{}", body.name);
    }
    let steps = scene["steps"].as_array().unwrap();
    let of = |key: &str| steps.iter().map(|step| step[key].clone()).collect::<Vec<_>>();
    assert_eq!(of("step"), [0, 0, 1, 2, 3, 3]);
    assert_eq!(of("part"), [[0, 2], [1, 2], [0, 1], [0, 1], [0, 2], [1, 2]].map(|part| json!(part)));
    assert_eq!(of("name")[1], "pick (2 of 2)");
    assert_eq!(steps[3]["robots"], json!([0, 1]));
    assert_eq!((&steps[0]["moves"], &steps[2]["robots"]), (&json!([]), &json!([])));
    let kinds: Vec<_> = steps[1]["actions"].as_array().unwrap().iter().map(|a| a["kind"].clone()).collect();
    assert_eq!(kinds, ["joint", "grasp", "joint"]);
    let listing = freiraum_formats::scene::program::listing(file.scene());
    for action in steps.iter().flat_map(|step| step["actions"].as_array().unwrap()) {
        assert!(listing.contains(action["text"].as_str().unwrap()), "{action}");
    }
    // When each action happens.
    let times = |stage: usize| -> Vec<Value> {
        let actions = steps[stage]["actions"].as_array().unwrap();
        actions.iter().map(|action| json!([action["from"], action["to"]])).collect()
    };
    assert_eq!(
        times(0),
        [json!([[0, 0.0], [0, 1.0]]), json!([[0, 1.0], [0, 1.0]]), json!([[1, 0.0], [1, 1.0]])]
    );
    assert_eq!(times(1), times(0), "the actions of a step are the same in all of its stages");
    assert_eq!(times(2), Vec::<Value>::new());
    // The left arm goes, then both meet, then the right one goes.
    let carry = times(3);
    let met = carry[0][1][1].as_f64().unwrap();
    assert!(met > 0.0 && met < 1.0, "{carry:?}");
    assert_eq!(
        carry,
        [
            json!([[3, 0.0], [3, met]]),
            json!([[3, met], [3, met]]),
            json!([[3, 0.0], [3, met]]),
            json!([[3, met], [3, 1.0]]),
        ]
    );
    let [left_path, right_path] = [0, 1].map(|robot| timeline.robots[3][robot].path.clone());
    let still = |path: &freiraum_robot::trajectory::JointPath, from: f64, to: f64| {
        path.values(from).iter().zip(path.values(to)).all(|(a, b)| (a - b).abs() < 1e-12)
    };
    assert!(still(&left_path, met, 1.0) && !still(&left_path, met - 1e-6, met));
    assert!(still(&right_path, 0.0, met) && !still(&right_path, met, met + 1e-6));
    assert_eq!(times(4)[1], json!([[4, 1.0], [4, 1.0]]));
    assert_eq!(times(5)[2], json!([[5, 0.0], [5, 1.0]]));
    let waits = steps[5]["seconds"].as_f64().unwrap();
    assert!((waits - 0.5).abs() < 1e-12, "{waits}");
    // Joint values and what is held, of all robots in all stages.
    for (number, stage) in scene["stages"].as_array().unwrap().iter().enumerate() {
        assert_eq!(stage["robots"].as_array().unwrap().len(), 2);
        for (robot, told) in stage["robots"].as_array().unwrap().iter().enumerate() {
            assert_eq!(told["robot"], robot);
            let gear = if robot == 0 && (1..=4).contains(&number) { vec![2] } else { Vec::new() };
            assert_eq!(told["held"], json!(gear), "stage {number}, robot {robot}");
            let placed = &file.scene().robots[robot];
            // Joint values put the links where the motion of their bodies is.
            for (time, values) in numbers(&told["times"]).iter().zip(told["values"].as_array().unwrap()) {
                let links = placed.model.place(&placed.base, &numbers(values)).links;
                for (link, body) in placed.links.iter().enumerate() {
                    let Some(body) = body else { continue };
                    let moved = timeline.stages[number].motion(*body).pose(*time);
                    assert!(is_near(&links[link], &moved), "stage {number}, {time}, link {link}");
                }
            }
        }
    }
    assert_eq!(scene["robots_end"][0]["held"], json!([]));
    let end = numbers(&scene["robots_end"][0]["values"]);
    assert!((end[0] - 90f64.to_radians()).abs() < 1e-12 && (end[2] - 0.37).abs() < 1e-12, "{end:?}");
}

#[tokio::test]
async fn a_robot_stands_where_its_joints_put_it() {
    let folder = folder();
    let studio = folder.studio();
    let mut page = Client::connect(&Address::of(studio.address())).await;
    let file = file(CELL);
    let (scene, timeline) = (file.scene(), Timeline::of(file.scene()).unwrap());
    let parts = ShapeCache::of(scene);
    let mut random = Random::new(12);
    let (mut free, mut count) = (0, 0);
    for round in 0..200 {
        let number = round % 2;
        let robot = &scene.robots[number];
        let joints = values(robot, &mut random);
        let stage = random.below(timeline.stages.len() + 1);
        let t = if stage == timeline.stages.len() { 0.0 } else { random.range(0.0, 1.0) };
        let when = if round % 5 == 0 { Value::Null } else { json!({ "step": stage, "t": t }) };
        let told = page.done("robot_at", json!({ "robot": number, "joints": joints, "at": when })).await;
        let links = robot.model.place(&robot.base, &joints).links;
        for (frame, link) in told["frames"].as_array().unwrap().iter().zip(&links) {
            assert!(is_near(&pose(frame), link));
        }
        assert!(is_near(&pose(&told["tool"]), &tool_at(robot, &joints)));
        // The placement as a scene of its own, everything else as it is then.
        let mut poses: Vec<Pose> = match &when {
            Value::Null => scene.bodies.iter().map(|body| body.pose).collect(),
            _ if stage == timeline.stages.len() => timeline.end.clone(),
            _ => (0..scene.bodies.len()).map(|body| timeline.stages[stage].motion(body).pose(t)).collect(),
        };
        let holds = number == 0 && !when.is_null() && (1..=4).contains(&stage);
        let mut own: Vec<usize> = robot.bodies().collect();
        if holds {
            let before = timeline.robots[stage][0].path.values(t);
            let flange_from_gear =
                robot.model.place(&robot.base, &before).links[robot.flange].inverse() * poses[2];
            poses[2] = links[robot.flange] * flange_from_gear;
            own.push(2);
        }
        for (link, body) in robot.links.iter().enumerate() {
            if let Some(body) = body {
                poses[*body] = links[link];
            }
        }
        for (body, flange_from_body) in &robot.tools {
            poses[*body] = links[robot.flange] * *flange_from_body;
        }
        let told_bodies: Vec<usize> =
            told["poses"].as_array().unwrap().iter().map(|one| one[0].as_u64().unwrap() as usize).collect();
        assert_eq!(told_bodies, own, "{when}");
        for one in told["poses"].as_array().unwrap() {
            assert!(is_near(&pose(&one[1]), &poses[one[0].as_u64().unwrap() as usize]));
        }
        let still = Timeline { stages: Vec::new(), end: poses, robots: Vec::new() };
        let expected =
            check(scene, &still, &parts, &CheckMemory::default(), &CheckOptions::default()).unwrap();
        let mut pairs: Vec<Vec<String>> = expected
            .start
            .iter()
            .filter(|finding| finding.pair.iter().any(|body| own.contains(body)))
            .filter(|finding| !(holds && finding.pair.contains(&2) && finding.pair.contains(&0)))
            .map(|finding| finding.pair.map(|body| scene.bodies[body].name.clone()).to_vec())
            .collect();
        let mut found: Vec<Vec<String>> = told["findings"]
            .as_array()
            .unwrap()
            .iter()
            .map(|one| serde_json::from_value(one["pair"].clone()).unwrap())
            .collect();
        pairs.sort();
        found.sort();
        assert_eq!(found, pairs);
        free += usize::from(found.is_empty());
        count += 1;
        assert!(found.is_empty() || told["closest"]["distance"].is_number());
    }
    assert!(free > 5 && free < count - 4, "{free} of {count}");
    // What stands where the plan has it is near to nothing: the foot stands on the table, the arm alone comes near.
    let told =
        page.done("robot_at", json!({ "robot": 0, "joints": scene.robots[0].start, "at": null })).await;
    assert_eq!((&told["closest"], &told["findings"]), (&json!(null), &json!([])));
    for (joints, own) in [([0.3, 0.0, 0.1, 0.0], 0..=9), ([0.0, 0.0, 0.1, 1.0], 0..=0)] {
        let told = page.done("robot_at", json!({ "robot": 0, "joints": joints, "at": null })).await;
        let near: Vec<usize> = serde_json::from_value(told["closest"]["bodies"].clone()).unwrap();
        let body = *near.iter().find(|body| scene.robot_of(**body) == Some(0)).unwrap();
        assert!(Some(body) != scene.robots[0].links[0] && own.contains(&body), "{near:?}");
    }
    // In the words of a placement, not of a start.
    let told =
        page.done("robot_at", json!({ "robot": 0, "joints": [0.0, 0.0, 0.39, 0.0], "at": null })).await;
    let words: Vec<&str> =
        told["findings"].as_array().unwrap().iter().map(|one| one["message"].as_str().unwrap()).collect();
    assert!(!words.is_empty() && words.iter().all(|one| one.contains(" and ")), "{words:?}");
    assert!(!words.iter().any(|one| one.contains("before anything has moved")), "{words:?}");
    // Outside of the limits it is shown all the same.
    let told = page.done("robot_at", json!({ "robot": 0, "joints": [4.0, 0.0, 0.1, 0.0], "at": null })).await;
    assert_eq!(told["outside"], json!([0]));
    // At the end of a stage it holds what it takes then.
    let first = json!({ "robot": 0, "joints": [1.0, 0.0, 0.1, 0.0], "at": { "step": 0, "t": 1.0 } });
    assert_eq!(page.done("robot_at", first).await["poses"].as_array().unwrap().last().unwrap()[0], 2);
}

#[tokio::test]
async fn all_inverse_solutions_put_the_tool_there() {
    let folder = folder();
    let studio = folder.studio();
    let mut page = Client::connect(&Address::of(studio.address())).await;
    let file = file(CELL);
    let mut random = Random::new(7);
    let mut several = 0;
    for round in 0..30 {
        let number = usize::from(round % 3 == 0);
        let robot = &file.scene().robots[number];
        let (joints, now) = (values(robot, &mut random), values(robot, &mut random));
        let tool = tool_at(robot, &joints);
        let when = json!({ "step": 1, "t": 0.5 });
        let told = page
            .done("robot_ik", json!({ "robot": number, "tool": sent(&tool), "joints": now, "at": when }))
            .await;
        assert_eq!(told["complete"], number == 0);
        let solutions = told["solutions"].as_array().unwrap();
        assert!(!solutions.is_empty() && told["reason"].is_null(), "{told}");
        several += usize::from(solutions.len() > 1);
        let mut last = 0.0;
        for (k, one) in solutions.iter().enumerate() {
            let found = numbers(&one["joints"]);
            assert!(is_near(&tool_at(robot, &found), &tool), "{one}");
            let way = found.iter().zip(&now).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt();
            assert!((one["distance"].as_f64().unwrap() - way).abs() < 1e-9 && way >= last);
            last = way;
            assert_eq!(one["nearest"], k == 0);
            let stands = page.done("robot_at", json!({ "robot": number, "joints": found, "at": when })).await;
            assert_eq!(one["free"], stands["findings"].as_array().unwrap().is_empty());
            assert_eq!(one["touches"].is_null(), one["free"] == true);
        }
    }
    assert!(several > 5, "{several}");
    let far = json!({ "robot": 0, "tool": at(9.0, 0.0, 0.0), "joints": [0.0, 0.0, 0.1, 0.0], "at": null });
    let told = page.done("robot_ik", far).await;
    assert_eq!(told["solutions"], json!([]));
    assert!(!told["reason"].as_str().unwrap().is_empty());
}

#[tokio::test]
async fn trails_and_workspaces() {
    let folder = folder();
    let studio = folder.studio();
    let mut page = Client::connect(&Address::of(studio.address())).await;
    let file = file(CELL);
    let timeline = Timeline::of(file.scene()).unwrap();
    let points = |value: &Value| -> Vec<Vec3> {
        numbers(value).chunks(3).map(|p| Vec3::new(p[0], p[1], p[2])).collect()
    };
    for (number, robot) in file.scene().robots.iter().enumerate() {
        let found = page.done("robot_workspace", json!({ "robot": number, "count": 500 })).await;
        let cloud = points(&found["points"]);
        assert_eq!(cloud.len(), 500);
        let reach = cloud.iter().map(|p| p.distance(robot.base.translation())).fold(0.0, f64::max);
        assert!((found["reach"]["radius"].as_f64().unwrap() - reach).abs() < 1e-12);
        let trail = page.done("robot_trail", json!({ "robot": number })).await;
        let trail = trail["stages"].as_array().unwrap();
        assert_eq!(trail.len(), timeline.stages.len());
        for (stage, way) in trail.iter().enumerate() {
            let way = points(way);
            let path = &timeline.robots[stage][number].path;
            let off = |p: Vec3| {
                let to_segment = |a: Vec3, b: Vec3| {
                    let (ab, ap) = (b - a, p - a);
                    let t = if ab.length() > 0.0 { ap.dot(ab) / ab.length_squared() } else { 0.0 };
                    (a + ab * t.clamp(0.0, 1.0)).distance(p)
                };
                let segments = way.windows(2).map(|pair| to_segment(pair[0], pair[1]));
                segments.fold(way[0].distance(p), f64::min)
            };
            for k in 0..=500 {
                let p = tool_at(robot, &path.values(f64::from(k) / 500.0)).translation();
                assert!(off(p) <= 0.001 * reach, "stage {stage}, {k}: {}", off(p));
            }
            assert!(way.len() < 200, "{}", way.len());
        }
    }
    // A turn by a right angle at 570 mm is no line.
    let trail = page.done("robot_trail", json!({ "robot": 0 })).await;
    assert!(trail["stages"][3].as_array().unwrap().len() > 20);
    assert_eq!(trail["stages"][2].as_array().unwrap().len(), 3);
}

/// The share and the pair at which the last step of a text stops, by a check of its own.
fn checked(text: &str, step: usize) -> (f64, Option<[usize; 2]>) {
    let file = file(text);
    let timeline = Timeline::of(file.scene()).unwrap();
    let parts = ShapeCache::of(file.scene());
    let found =
        check(file.scene(), &timeline, &parts, &CheckMemory::default(), &CheckOptions::default()).unwrap();
    let stages: Vec<usize> =
        (0..timeline.stages.len()).filter(|k| timeline.stages[*k].step == step).collect();
    assert_eq!(stages.len(), 1);
    let is_stop = |kind: &&freiraum_check::Finding| kind.kind.verdict().name() != "too_close";
    let stop = found.steps[stages[0]].findings.iter().find(is_stop);
    stop.map_or((1.0, None), |stop| (stop.time, Some(stop.pair)))
}

#[tokio::test]
async fn what_is_tried_is_what_a_check_of_the_recorded_step_says() {
    let folder = folder();
    let studio = folder.studio();
    let mut page = Client::connect(&Address::of(studio.address())).await;
    let scene = file(CELL).scene().clone();
    let mut random = Random::new(3);
    let (mut stopped, mut tried) = (0, 0);
    for round in 0..40 {
        let number = round % 2;
        let robot = &scene.robots[number];
        let action = match random.below(3) {
            0 => {
                json!({ "ptp": { "joints": values(robot, &mut random), "mode": (["synchronous", "simultaneous", "sequential"])[random.below(3)] } })
            }
            1 => {
                let freedom = random.below(robot.start.len());
                json!({ "joint": { "freedom": freedom, "to": values(robot, &mut random)[freedom], "speed": 0.5 } })
            }
            _ => {
                json!({ "lin": { "by": [random.range(-0.3, 0.3), random.range(-0.3, 0.3), random.range(-0.1, 0.1)] } })
            }
        };
        // Within what is carried, and at the end.
        let index = [2, 3, 6][random.below(3)];
        let when = json!({ "step": index - 1, "t": 1.0 });
        let answer = page.ask("robot_try", json!({ "robot": number, "action": action, "at": when })).await;
        let recorded =
            page.ask("robot_step", json!({ "robot": number, "actions": [action], "index": index })).await;
        if answer["ok"] != true {
            assert_eq!(recorded["ok"], json!(null), "{action} {answer} {recorded}");
            assert!(action["lin"].is_object(), "{action} {answer}");
            assert!(!answer["error"]["message"].as_str().unwrap().is_empty());
            continue;
        }
        // A later step may not be possible any more: then it is not recorded.
        if recorded["ok"] != true {
            assert_eq!(recorded["error"]["code"], "scene", "{recorded}");
            continue;
        }
        tried += 1;
        assert_eq!(recorded["step"], index);
        let step = if index == 2 { 1 } else { (index + 2) / 2 };
        let (share, pair) = checked(&text(&mut page).await, step);
        let told = answer["share"].as_f64().unwrap();
        assert!((told - share).abs() < 1e-9, "{action}: {told} {share}");
        assert_eq!(answer["contact"]["pair"], json!(pair), "{action}");
        stopped += usize::from(pair.is_some());
        // Where it stops is where its joints say.
        let joints = numbers(&answer["joints"]);
        let links = robot.model.place(&robot.base, &joints).links;
        for (link, body) in robot.links.iter().enumerate() {
            let Some(body) = body else { continue };
            assert!(is_near(&pose(&answer["poses"][*body]), &links[link]));
        }
        let seconds = page.scene(&recorded["revision"]).await["steps"][index]["seconds"].as_f64().unwrap();
        assert!((answer["seconds"].as_f64().unwrap() - seconds).abs() < 1e-9);
        page.done("undo", json!({})).await;
    }
    assert_eq!(text(&mut page).await, CELL);
    assert!(tried > 15 && stopped > 3 && stopped < tried, "{stopped} of {tried}");
}
