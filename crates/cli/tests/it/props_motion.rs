//! Answers about moving bodies agree with each other and with distances at many times: random shapes and motions of every kind.

use freiraum::geometry::Unit;
use freiraum::question::{NoFiles, answer_line};
use freiraum_testkit::random::Random;
use freiraum_testkit::scale::cases;
use serde_json::{Value, json};

fn numbers<const N: usize>(random: &mut Random, reach: f64) -> Vec<f64> {
    (0..N).map(|_| random.range(-reach, reach)).collect()
}

fn pose(random: &mut Random, reach: f64) -> Vec<f64> {
    [numbers::<3>(random, reach), numbers::<3>(random, 180.0)].concat()
}

fn shape(random: &mut Random) -> Value {
    let mut size = |least: f64, most: f64| random.range(least, most);
    let (radius, height, size) =
        (size(0.2, 1.0), size(0.2, 2.0), [size(0.2, 2.0), size(0.2, 2.0), size(0.2, 2.0)]);
    match random.below(9) {
        0 => json!({"sphere": {"radius": radius}}),
        1 => json!({"box": {"size": size}}),
        2 => json!({"cylinder": {"radius": radius, "height": height}}),
        3 => json!({"capsule": {"radius": radius, "height": height}}),
        4 => json!({"cone": {"radius": radius, "height": height}}),
        5 => json!({"convex": {"points": (0..8).map(|_| numbers::<3>(random, 1.0)).collect::<Vec<_>>()}}),
        6 => {
            json!({"heightfield": {"size": [3, 3], "heights": (0..4).map(|_| numbers::<4>(random, 0.5)).collect::<Vec<_>>()}})
        }
        7 => {
            let faces = [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]];
            json!({"mesh": {"vertices": [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], "faces": faces}})
        }
        _ => json!({"compound": [
            {"shape": {"sphere": {"radius": 0.5 * radius}}, "pose": [1, 0, 0]},
            {"shape": {"cone": {"radius": 0.5, "height": 1}}},
        ]}),
    }
}

fn motion(random: &mut Random, depth: usize) -> Value {
    let (point, axis) = (numbers::<3>(random, 3.0), numbers::<3>(random, 1.0));
    let (degrees, advance) = (random.range(-400.0, 400.0), random.range(-3.0, 3.0));
    match random.below(if depth < 2 { 6 } else { 5 }) {
        0 => json!({"still": {}}),
        1 => json!({"translate": numbers::<3>(random, 4.0)}),
        2 => json!({"rotate": {"point": point, "axis": axis, "degrees": degrees}}),
        3 => json!({"screw": {"point": point, "axis": axis, "degrees": degrees, "advance": advance}}),
        4 => json!({"to": pose(random, 4.0)}),
        _ => json!({"path": (0..1 + random.below(3)).map(|_| motion(random, depth + 1)).collect::<Vec<_>>()}),
    }
}

fn ask(question: &Value) -> Value {
    let document = answer_line(question.to_string().as_bytes(), Unit::Metre, &NoFiles).document(1);
    assert!(document.get("error").is_none(), "{question}: {document}");
    document
}

#[test]
fn times_clearances_and_sampled_distances_agree() {
    let mut random = Random::new(2);
    let (mut free, mut contacts) = (0, 0);
    for _ in 0..cases(600) {
        let (pose_a, pose_b) = (pose(&mut random, 3.0), pose(&mut random, 3.0));
        let mut question = json!({
            "query": "toc", "a": shape(&mut random), "b": shape(&mut random), "pose_a": pose_a, "pose_b": pose_b,
            "motion_a": motion(&mut random, 0), "motion_b": motion(&mut random, 0),
        });
        let time = ask(&question);
        question["query"] = json!("clearance");
        question["curve"] = json!(33);
        let closest = ask(&question);
        let [clearance, error] = ["clearance", "clearance_error"].map(|key| closest[key].as_f64().unwrap());
        let curve: Vec<[f64; 2]> = serde_json::from_value(closest["curve"].clone()).unwrap();
        let least = curve.iter().map(|point| point[1]).fold(f64::INFINITY, f64::min);
        let told = || format!("{question}\n{time}\n{closest}");
        assert!(clearance - error <= least + 1e-9, "{}", told());
        match time["verdict"].as_str().unwrap() {
            "free" => {
                free += 1;
                assert!(least > 0.0 && clearance > 0.0, "{}", told());
                assert!(time["clearance_lower"].as_f64().unwrap() <= least + 1e-9, "{}", told());
            }
            "contact" => {
                contacts += 1;
                let [t, t_error] = ["t", "t_error"].map(|key| time[key].as_f64().unwrap());
                assert!(clearance < 1e-6, "{}", told());
                let is_early = |point: &[f64; 2]| point[0] < t - t_error && point[1] == 0.0;
                assert!(!curve.iter().any(is_early), "{}", told());
            }
            "overlap_at_start" => assert_eq!((curve[0][1], clearance), (0.0, 0.0), "{}", told()),
            _ => panic!("undecided: {}", told()),
        }
    }
    assert!(free > contacts && contacts > 0, "{free} free, {contacts} contacts");
}
