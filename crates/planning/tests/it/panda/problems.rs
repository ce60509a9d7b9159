//! The problems of MotionBenchMaker as tasks, and a second look at the answers that shares nothing with the planner.

use freiraum_geometry::math::Quat;
use freiraum_geometry::shape::{Cuboid, Cylinder};
use freiraum_geometry::{Pose, Shape, Vec3};
use freiraum_planning::path::joints::{JointTask, Obstacle, own_pairs, parts_of};
use freiraum_query::{Prepared, intersects};
use freiraum_robot::Robot;
use freiraum_testkit::motion_bench::{Form, MotionProblem};

/// The task of a problem. Links may touch each other where the problem says so, and neighbours.
pub(crate) fn task<'r>(robot: &'r Robot, problem: &MotionProblem) -> JointTask<'r> {
    let parts = parts_of(robot);
    let obstacles: Vec<Obstacle> = problem
        .obstacles
        .iter()
        .map(|solid| {
            let shape = match solid.form {
                Form::Box(size) => Shape::Cuboid(Cuboid::new(Vec3::from_array(size)).expect("a box")),
                Form::Cylinder { height, radius } => {
                    Shape::Cylinder(Cylinder::new(radius, height).expect("a cylinder"))
                }
            };
            let rotation = Quat::from_array(solid.orientation);
            let world_from_body = Pose::new(rotation, Vec3::from_array(solid.position)).expect("a pose");
            Obstacle { world_from_body, body: Prepared::new(shape) }
        })
        .collect();
    let name = |link: usize| &robot.links()[link].name;
    let is_ignored = |[a, b]: [usize; 2]| {
        let is_allowed = problem.allowed.iter().any(|[x, y]| x == name(a) && y == name(b));
        is_allowed || robot.freedoms_between(a, b).len() < 2
    };
    let own_pairs = own_pairs(robot, &parts, 0.0, is_ignored);
    let clearances = vec![vec![Some(0.0); obstacles.len()]; parts.len()];
    JointTask {
        robot,
        base: Pose::IDENTITY,
        start: values(robot, &problem.start),
        goals: vec![values(robot, &problem.goal)],
        ranges: Vec::new(),
        parts,
        obstacles,
        clearances,
        own_pairs,
        has_fits: false,
    }
}

/// Joint values by name; joints that the robot does not move are left out.
pub(crate) fn values(robot: &Robot, named: &[(String, f64)]) -> Vec<f64> {
    let value = |joint: &usize| {
        let name = &robot.joints()[*joint].name;
        named.iter().find(|(other, _)| other == name).expect("a value for every joint").1
    };
    robot.freedoms().iter().map(value).collect()
}

/// True if the robot touches nothing at joint values `step` apart on the whole way, and stays inside of its limits.
pub(crate) fn is_free_in_samples(task: &JointTask, way: &[Vec<f64>], step: f64) -> bool {
    way.windows(2).all(|pair| {
        let length = pair[0].iter().zip(&pair[1]).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt();
        let count = (length / step).ceil().max(1.0) as usize;
        (0..=count).all(|k| {
            let t = k as f64 / count as f64;
            let values: Vec<f64> = pair[0].iter().zip(&pair[1]).map(|(a, b)| a + t * (b - a)).collect();
            is_free(task, &values)
        })
    })
}

/// True if the robot touches nothing and is inside of its limits.
pub(crate) fn is_free(task: &JointTask, values: &[f64]) -> bool {
    let links = task.robot.place(&task.base, values).links;
    let poses: Vec<Pose> = task.parts.iter().map(|part| links[part.link] * part.link_from_part).collect();
    let touches = |a: (&Pose, &Prepared), b: (&Pose, &Prepared)| {
        intersects(a.1, b.1, &(a.0.inverse() * *b.0)).expect("coordinates of usual size")
    };
    let with_obstacles = task.parts.iter().zip(&poses).any(|(part, pose)| {
        task.obstacles.iter().any(|one| touches((pose, &part.body), (&one.world_from_body, &one.body)))
    });
    let with_itself = task.own_pairs.iter().any(|pair| {
        let [a, b] = pair.parts.map(|part| (&poses[part], &task.parts[part].body));
        touches(a, b)
    });
    !with_obstacles && !with_itself && task.robot.outside_limits(values).is_empty()
}
