//! Forward kinematics and Jacobians of real robots, against the crate `k`; and the times of inverse kinematics.
//!
//! A question is a set of joint values; the answer that is compared is the sum of all numbers of the pose of the last link, or of the Jacobian there.

use freiraum_benches::{Goal, Role, Stopwatch, Table, is_quick, pass, runner};
use freiraum_formats::robot::{RobotOptions, read};
use freiraum_geometry::{Pose, Vec3};
use freiraum_robot::inverse::Options;
use freiraum_robot::{Jacobian, Robot, inverse};
use freiraum_testkit::data;
use freiraum_testkit::random::Random;
use std::path::PathBuf;

/// Folder of the data, file, and the link at the end of the arm.
const ROBOTS: [(&str, &str, &str); 3] = [
    ("moveit-resources", "panda_description/urdf/panda.urdf", "panda_link8"),
    ("moveit-resources", "fanuc_description/urdf/fanuc.urdf", "tool0"),
    ("example-robot-data", "robots/ur_description/urdf/ur5_robot.urdf", "ee_link"),
];

const FASTER: f64 = 1.0;

fn main() {
    for (folder, file, tip) in ROBOTS {
        let Some(folder) = data::folder(folder) else {
            eprintln!("{file} is left out: its data is not here");
            continue;
        };
        let path = folder.join(file);
        let robot = read(&path, &RobotOptions::default()).unwrap_or_else(|e| panic!("{e}")).robot;
        let tip = robot.link(tip).unwrap_or(robot.links().len() - 1);
        compare(&robot, tip, &path);
        inverse_times(&robot, tip);
    }
}

fn questions(robot: &Robot, count: usize) -> Vec<Vec<f64>> {
    let mut random = Random::new(7);
    let mut value = |freedom: usize| {
        let range = robot.range(freedom);
        random.range(range.lower.max(-3.0), range.upper.min(3.0))
    };
    (0..count).map(|_| (0..robot.freedoms().len()).map(&mut value).collect()).collect()
}

/// Position and the images of the three axes: independent of the sign of a quaternion.
fn digest(position: [f64; 3], axes: [[f64; 3]; 3]) -> f64 {
    position.iter().chain(axes.as_flattened()).enumerate().map(|(k, x)| (k + 1) as f64 * x).sum()
}

fn compare(robot: &Robot, tip: usize, path: &PathBuf) {
    let count = if is_quick() { 2_000 } else { 20_000 };
    let questions = questions(robot, count);
    // The peer wants the joints of the arm alone, from the root to the end.
    let way = robot.freedoms_between(0, tip);
    let carrier = |mut link: usize| loop {
        let joint = robot.carrier(link).expect("something moves the end of the arm");
        if robot.rate(joint).is_some() {
            break joint;
        }
        link = robot.joints()[joint].parent;
    };
    let chain = k::Chain::<f64>::from_urdf_file(path).expect("the peer reads it");
    let last = chain.find(&robot.joints()[carrier(tip)].name).expect("the same joints");
    let arm = k::SerialChain::from_end(last);
    let end = robot.joints()[carrier(tip)].child;
    let of_arm: Vec<Vec<f64>> =
        questions.iter().map(|values| way.iter().map(|freedom| values[*freedom]).collect()).collect();
    // Joints that follow another one take their value from us.
    let joints: Vec<usize> =
        chain.iter_joints().map(|joint| robot.joint(&joint.name).expect("the same joints")).collect();
    let for_peer: Vec<Vec<f64>> = questions
        .iter()
        .map(|values| joints.iter().map(|joint| robot.joint_value(*joint, values)).collect())
        .collect();
    let ours = |links: &[Pose]| {
        let pose = &links[end];
        let axes = [Vec3::X, Vec3::Y, Vec3::Z].map(|axis| pose.rotate(axis).to_array());
        digest(pose.translation().to_array(), axes)
    };
    let (name, batch) = (robot.name().to_owned(), 200);
    let mut links = Vec::new();
    Table {
        title: &format!("all links of {name}"),
        rounds: 7,
        tolerance: 1e-9,
        goal: Some(Goal::faster("forward kinematics", FASTER)),
    }
    .run(vec![
        runner("freiraum", Role::Ours, || {
            pass(count, batch, |i| {
                robot.place_into(&Pose::IDENTITY, &questions[i], &mut links);
                ours(&links)
            })
        }),
        runner("k", Role::Peer, || {
            pass(count, batch, |i| {
                chain.set_joint_positions_unchecked(&for_peer[i]);
                chain.update_transforms();
                of_peer(&last.world_transform().expect("updated"))
            })
        }),
    ]);
    let (mut links, mut jacobian) = (Vec::new(), Jacobian { linear: Vec::new(), angular: Vec::new() });
    Table {
        title: &format!("Jacobian of {name}, with forward kinematics"),
        rounds: 7,
        tolerance: 1e-9,
        goal: Some(Goal::faster("Jacobian", FASTER)),
    }
    .run(vec![
        runner("freiraum", Role::Ours, || {
            pass(count, batch, |i| {
                robot.place_into(&Pose::IDENTITY, &questions[i], &mut links);
                robot.jacobian_into(&links, end, Vec3::ZERO, &mut jacobian);
                let column = |(at, freedom): (usize, &usize)| {
                    let (v, w) = (jacobian.linear[*freedom], jacobian.angular[*freedom]);
                    (at + 1) as f64 * (v.x + 2.0 * v.y + 3.0 * v.z + 4.0 * w.x + 5.0 * w.y + 6.0 * w.z)
                };
                way.iter().enumerate().map(column).sum()
            })
        }),
        runner("k", Role::Peer, || {
            pass(count, batch, |i| {
                arm.set_joint_positions_unchecked(&of_arm[i]);
                let found = k::jacobian(&arm);
                let column =
                    |c: usize| (c + 1) as f64 * (0..6).map(|r| (r + 1) as f64 * found[(r, c)]).sum::<f64>();
                (0..found.ncols()).map(column).sum()
            })
        }),
    ]);
}

fn of_peer(pose: &k::Isometry3<f64>) -> f64 {
    let matrix = pose.rotation.to_rotation_matrix();
    let column = |c: usize| [matrix[(0, c)], matrix[(1, c)], matrix[(2, c)]];
    let t = &pose.translation.vector;
    digest([t[0], t[1], t[2]], [column(0), column(1), column(2)])
}

/// How long it takes to find all solutions for poses that can be reached.
#[expect(clippy::print_stdout, reason = "a bench prints its table")]
fn inverse_times(robot: &Robot, tip: usize) {
    let count = if is_quick() { 50 } else { 500 };
    let questions = questions(robot, count);
    let targets: Vec<Pose> =
        questions.iter().map(|values| robot.place(&Pose::IDENTITY, values).links[tip]).collect();
    let current = vec![0.0; robot.freedoms().len()];
    println!("\ninverse kinematics of {}", robot.name());
    for (title, options) in [
        ("all solutions", Options::default()),
        ("one solution, numeric", Options { closed_form: false, solutions: 1, ..Options::default() }),
    ] {
        let (mut solutions, mut reached, mut times, mut method) = (0, 0, Vec::new(), String::new());
        for target in &targets {
            let start = Stopwatch::start();
            let found = inverse(robot, tip, &Pose::IDENTITY, target, &Pose::IDENTITY, &current, &options);
            times.push(start.elapsed());
            solutions += found.solutions.len();
            reached += usize::from(!found.solutions.is_empty());
            method = found.method.to_string();
        }
        times.sort();
        let (median, worst) = (times[times.len() / 2], times[times.len() - 1]);
        println!(
            "  {title:<24} {method:<40} median {median:>10.1?}, worst {worst:>10.1?}; {reached} of {count} reached, {:.2} solutions each",
            solutions as f64 / count as f64
        );
    }
}
