//! The 700 problems of MotionBenchMaker for the Panda arm: which starts and goals are inside of the limits and free, how many are planned, and how fast. One thread.

#[path = "../../crates/planning/tests/it/panda/problems.rs"]
mod problems;

use freiraum_benches::{Goal, Stopwatch, is_quick};
use freiraum_formats::robot::{RobotOptions, read};
use freiraum_planning::path::joints::{JointOptions, JointOutcome, JointTask, find};
use freiraum_robot::Robot;
use freiraum_testkit::data;
use freiraum_testkit::motion_bench::{MotionProblem, motion_bench};
use std::ops::ControlFlow;

/// Distance of the samples by which each path is looked at once more, in radians.
const STEP: f64 = 0.005;

/// The share of the problems with free ends that has to be planned.
const WANTED: Goal = Goal { name: "Panda problems planned", bound: freiraum_benches::Bound::AtLeast(0.95) };

#[derive(Default)]
struct Row {
    problems: usize,
    inside: usize,
    fingers_outside: usize,
    free: [usize; 2],
    both_free: usize,
    planned: usize,
    confirmed: usize,
    milliseconds: Vec<f64>,
    lengths: Vec<f64>,
    looks: u64,
    edges: u64,
    proven: u64,
}

#[expect(clippy::print_stdout, reason = "a bench prints its table")]
fn main() {
    let Some((path, sets)) = motion_bench() else { return };
    let robot = read(path, &RobotOptions::default()).expect("the robot").robot;
    let fingers = finger_limits();
    let some = if is_quick() { 5 } else { usize::MAX };
    println!("joint-space planner on the problems of motion-bench-panda, one thread, processor time");
    println!(
        "{:<17} {:>8} {:>7} {:>8} {:>6} {:>6} {:>8} {:>8} {:>9} {:>9} {:>9} {:>7} {:>8} {:>9}",
        "set",
        "problems",
        "limits",
        "fingers",
        "start",
        "goal",
        "planned",
        "sampled",
        "median",
        "95 %",
        "most",
        "length",
        "looks",
        "edges/s"
    );
    let mut all = Row::default();
    for (name, problems) in &sets {
        let mut row = Row::default();
        for problem in problems.iter().take(some) {
            row.add(&robot, problem, fingers, name);
        }
        row.print(name);
        all.join(row);
    }
    all.print("all");
    println!(
        "limits: arm inside of its limits at start and goal; fingers: outside of theirs at the start; start, goal: free; sampled: paths that are free every {STEP} rad as well"
    );
    WANTED.judge(
        "motion-bench-panda",
        "free at start and goal",
        all.planned as f64 / all.both_free.max(1) as f64,
    );
}

/// What the fingers can do, from the model of the whole robot; the model with spheres has them fixed.
fn finger_limits() -> Option<[f64; 2]> {
    let path = data::folder("moveit-resources")?.join("panda_description/urdf/panda.urdf");
    let robot = read(path, &RobotOptions::default()).ok()?.robot;
    let limits = robot.joints()[robot.joint("panda_finger_joint1")?].limits;
    Some([limits.lower, limits.upper])
}

impl Row {
    #[expect(clippy::print_stdout, reason = "a bench names what it cannot do")]
    fn add(&mut self, robot: &Robot, problem: &MotionProblem, fingers: Option<[f64; 2]>, set: &str) {
        let task: JointTask = problems::task(robot, problem);
        let ends = [&task.start, &task.goals[0]];
        self.problems += 1;
        self.inside += usize::from(ends.iter().all(|values| robot.outside_limits(values).is_empty()));
        let is_outside = |[lower, upper]: [f64; 2]| {
            let mut values = problem.start.iter().filter(|(name, _)| name.contains("finger"));
            values.any(|(_, value)| !(lower..=upper).contains(value))
        };
        self.fingers_outside += usize::from(fingers.is_some_and(is_outside));
        let free = ends.map(|values| problems::is_free(&task, values));
        self.free[0] += usize::from(free[0]);
        self.free[1] += usize::from(free[1]);
        self.both_free += usize::from(free == [true; 2]);
        let watch = Stopwatch::start();
        let found = find(&task, &JointOptions::default(), &mut |_| ControlFlow::Continue(()))
            .expect("all parts have an end");
        let milliseconds = 1000.0 * watch.elapsed().as_secs_f64();
        let JointOutcome::Path(way) = &found.outcome else {
            println!("  {set} {}: {:?}", problem.number, found.outcome);
            return;
        };
        self.planned += 1;
        self.confirmed += usize::from(problems::is_free_in_samples(&task, way, STEP));
        self.milliseconds.push(milliseconds);
        self.lengths.push(found.length);
        self.looks += found.looks;
        self.edges += found.edges;
        self.proven += found.proven;
    }

    fn join(&mut self, other: Row) {
        self.problems += other.problems;
        self.inside += other.inside;
        self.fingers_outside += other.fingers_outside;
        self.free = [self.free[0] + other.free[0], self.free[1] + other.free[1]];
        self.both_free += other.both_free;
        self.planned += other.planned;
        self.confirmed += other.confirmed;
        self.milliseconds.extend(other.milliseconds);
        self.lengths.extend(other.lengths);
        self.looks += other.looks;
        self.edges += other.edges;
        self.proven += other.proven;
    }

    #[expect(clippy::print_stdout, reason = "a bench prints its table")]
    fn print(&mut self, name: &str) {
        let seconds = 0.001 * self.milliseconds.iter().sum::<f64>();
        self.milliseconds.sort_by(f64::total_cmp);
        self.lengths.sort_by(f64::total_cmp);
        let at = |list: &[f64], share: f64| {
            let last = list.len().saturating_sub(1);
            list.get((share * last as f64).round() as usize).copied().unwrap_or(f64::NAN)
        };
        println!(
            "{name:<17} {:>8} {:>7} {:>8} {:>6} {:>6} {:>8} {:>8} {:>6.1} ms {:>6.1} ms {:>6.1} ms {:>7.2} {:>8} {:>9.0}",
            self.problems,
            self.inside,
            self.fingers_outside,
            self.free[0],
            self.free[1],
            self.planned,
            self.confirmed,
            at(&self.milliseconds, 0.5),
            at(&self.milliseconds, 0.95),
            at(&self.milliseconds, 1.0),
            at(&self.lengths, 0.5),
            self.looks / self.planned.max(1) as u64,
            self.edges as f64 / seconds,
        );
    }
}
