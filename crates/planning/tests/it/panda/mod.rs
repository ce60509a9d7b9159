//! A few of the problems of MotionBenchMaker for the Panda arm; `cargo xtask bench panda` runs all of them.

mod problems;

use freiraum_formats::robot::{RobotOptions, read};
use freiraum_planning::path::joints::{JointOptions, JointOutcome, find};
use freiraum_testkit::{motion_bench::motion_bench, scale};
use std::ops::ControlFlow;
use std::time::Instant;

#[test]
fn problems_of_the_panda_are_planned_and_proven() {
    let Some((path, sets)) = motion_bench() else { return };
    let robot = read(path, &RobotOptions::default()).expect("the robot").robot;
    let (mut free, mut planned) = (0, 0);
    for (name, problems) in &sets {
        assert_eq!(problems.len(), 100, "{name}");
        for problem in problems.iter().take(scale::cases(3)) {
            let task = problems::task(&robot, problem);
            let watch = Instant::now();
            let found = find(&task, &JointOptions::default(), &mut |_| ControlFlow::Continue(()))
                .expect("all parts have an end");
            let ends = [&task.start, &task.goals[0]].map(|values| problems::is_free(&task, values));
            if std::env::var_os("FREIRAUM_TEST_SCALE").is_some() {
                let what = match &found.outcome {
                    JointOutcome::Path(way) => format!("path {} knots", way.len()),
                    other => format!("{other:?}"),
                };
                eprintln!(
                    "{name} {}: {what}, {:.1} ms, looks {}, edges {} proven {}, length {:.2}",
                    problem.number,
                    1e3 * watch.elapsed().as_secs_f64(),
                    found.looks,
                    found.edges,
                    found.proven,
                    found.length
                );
            }
            match &found.outcome {
                JointOutcome::Path(way) => {
                    assert_eq!([&way[0], &way[way.len() - 1]], [&task.start, &task.goals[0]]);
                    assert!(problems::is_free_in_samples(&task, way, 0.02), "{name} {}", problem.number);
                    planned += 1;
                }
                JointOutcome::BadStart(_) => assert!(!ends[0], "{name} {}", problem.number),
                JointOutcome::BadGoal(_) => assert!(!ends[1], "{name} {}", problem.number),
                JointOutcome::GaveUp => {}
            }
            free += usize::from(ends == [true; 2]);
        }
    }
    assert!(100 * planned >= 95 * free, "{planned} of {free}");
}
