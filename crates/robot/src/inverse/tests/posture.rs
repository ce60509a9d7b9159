//! Words for configurations against what is seen, and the same arm modelled differently.

use super::*;

/// The arm of `examples/cell`.
fn cell() -> Robot {
    let none = [0.0; 3];
    let turn = [-3.2, 3.2];
    chain(&[
        Line([0.0, 0.0, 0.17], none, [0.0, 0.0, 1.0], turn),
        Line([0.05, 0.0, 0.21], none, [0.0, 1.0, 0.0], turn),
        Line([0.0, 0.0, 0.38], none, [0.0, 1.0, 0.0], turn),
        Line([0.16, 0.0, 0.03], none, [1.0, 0.0, 0.0], turn),
        Line([0.22, 0.0, 0.0], none, [0.0, 1.0, 0.0], [-2.06, 2.06]),
        Line([0.085, 0.0, 0.0], [0.0, FRAC_PI_2, 0.0], [0.0, 0.0, 1.0], turn),
    ])
}

/// The same arm with other link frames: turned at random, moved along the axes; and some axes in the other direction. The signs of the values, and where the old last link is on the new one.
fn remodelled(robot: &Robot, random: &mut Random) -> (Robot, Vec<f64>, Pose) {
    let (mut before, mut signs) = (Pose::IDENTITY, Vec::new());
    let mut joints = Vec::new();
    for joint in robot.joints() {
        let along = random.range(-0.2, 0.2) * joint.axis;
        let new = Pose::new(random.rotation(), along).unwrap();
        let sign = if random.below(2) == 0 { 1.0 } else { -1.0 };
        let Limits { lower, upper } = joint.limits;
        joints.push(crate::model::Joint {
            parent_from_child: before.inverse() * joint.parent_from_child * new,
            axis: sign * new.inverse().rotate(joint.axis),
            limits: if sign > 0.0 { joint.limits } else { Limits { lower: -upper, upper: -lower } },
            ..joint.clone()
        });
        (before, _) = (new, signs.push(sign));
    }
    (Robot::new("other", robot.links().to_vec(), joints).unwrap(), signs, before.inverse())
}

fn free() -> Options {
    Options { keep_limits: false, ..Options::default() }
}

#[test]
fn the_elbow_of_the_fanuc_is_where_the_word_says() {
    let robot = fanuc();
    let target = Pose::from_zyx_euler(PI, 0.0, 0.0, Vec3::new(0.6, 0.2, 0.5)).unwrap();
    let current = [0.0, 0.0, 0.0, 0.0, -FRAC_PI_2, 0.0];
    // The frame of the tool as the file has it, z out of the flange.
    let tool = Pose::from_zyx_euler(PI, -FRAC_PI_2, 0.0, Vec3::ZERO).unwrap();
    let found = inverse(&robot, last(&robot), &tool, &target, &Pose::IDENTITY, &current, &free());
    let near = found.solutions.iter().find(|one| {
        [18.4, -1.4, -60.9].iter().zip(&one.values).all(|(a, b)| (a - b.to_degrees()).abs() < 0.1)
    });
    assert!(near.unwrap().name().unwrap().starts_with("front up"), "{near:?}");
    for one in &found.solutions {
        let wanted: Wanted = one.name().unwrap().parse().unwrap();
        assert_eq!(found.solutions.iter().filter(|other| wanted.admits(other)).count(), 1);
    }
}

/// Shoulder, elbow and centre of the wrist are the origins of links 2, 3 and `centre`: is the elbow above the line, and the wrist at the front, whose direction at joint 1 is +x?
fn seen(robot: &Robot, values: &[f64], centre: usize) -> Option<(bool, bool)> {
    let links = robot.place(&Pose::IDENTITY, values).links;
    let [shoulder, elbow, wrist] = [2, 3, centre].map(|link| links[link].translation());
    let forward = Vec3::new(values[0].cos(), values[0].sin(), 0.0);
    let [s, e, w] = [shoulder, elbow, wrist].map(|p| p.dot(forward));
    // Straight above the shoulder, or between it and the first axis, above has no meaning.
    if (w - s).abs() < 0.01 || (w > 0.0) != (w > s) {
        return None;
    }
    let line = shoulder.z + (wrist.z - shoulder.z) * (e - s) / (w - s);
    Some((w > 0.0, elbow.z > line))
}

#[test]
fn words_say_what_is_seen() {
    let mut random = Random::new(7101);
    for (robot, centre) in [(fanuc(), 5), (cell(), 5), (thesis(), 5), (puma(), 5)] {
        let mut told = 0;
        for _ in 0..100 {
            let values: Vec<f64> = (0..6).map(|_| random.range(-PI, PI)).collect();
            let target = pose_of(&robot, &values);
            let found =
                inverse(&robot, last(&robot), &Pose::IDENTITY, &target, &Pose::IDENTITY, &values, &free());
            for one in found.solutions.iter().filter(|one| one.singular.is_empty()) {
                let Some((front, up)) = seen(&robot, &one.values, centre) else { continue };
                assert_eq!((one.posture.front, one.posture.up), (Some(front), Some(up)), "{one:?}");
                told += 1;
            }
            let mut names: Vec<String> = found.solutions.iter().filter_map(Solution::name).collect();
            names.sort_unstable();
            names.dedup();
            assert_eq!(names.len(), found.solutions.len(), "{names:?}");
        }
        assert!(told > 300, "{told}");
    }
}

#[test]
fn how_an_arm_is_modelled_does_not_change_the_words() {
    let mut random = Random::new(7102);
    for robot in [fanuc(), cell(), thesis(), puma(), ur5()] {
        for _ in 0..40 {
            let (other, signs, tool) = remodelled(&robot, &mut random);
            let values: Vec<f64> = (0..6).map(|_| random.range(-PI, PI)).collect();
            let target = pose_of(&robot, &values);
            let same = |values: &[f64]| values.iter().zip(&signs).map(|(a, b)| a * b).collect::<Vec<f64>>();
            let ask = |robot: &Robot, tool: &Pose, current: &[f64]| {
                inverse(robot, last(robot), tool, &target, &Pose::IDENTITY, current, &free())
            };
            let [one, two] = [ask(&robot, &Pose::IDENTITY, &values), ask(&other, &tool, &same(&values))];
            assert_eq!(one.solutions.len(), two.solutions.len());
            for first in one.solutions.iter().filter(|first| first.singular.is_empty()) {
                let is_same = |second: &&Solution| apart(&robot, &same(&second.values), &first.values) < 1e-6;
                let second = two.solutions.iter().find(is_same).unwrap();
                assert_eq!(first.posture, second.posture, "{first:?} {second:?}");
            }
        }
    }
}

#[test]
fn words_that_an_arm_has() {
    let words = |robot: &Robot| {
        let values: Vec<f64> = [0.3, -0.5, 0.9, 0.2, 0.7, 0.1][..robot.freedoms().len()].to_vec();
        let found = ask(robot, &pose_of(robot, &values), &values);
        found.solutions[0].posture
    };
    // The Puma is on the left of its first axis when it reaches forward.
    assert_eq!(words(&puma()).right, words(&puma()).front.map(|front| !front));
    assert!(words(&fanuc()).right.is_none() && words(&fanuc()).is_named());
    let ur = words(&ur5());
    assert!(ur.up.is_some() && ur.front.is_none() && ur.noflip.is_none() && ur.right.is_none());
    assert_eq!(words(&scara(3)), Posture::default());
    assert_eq!(words(&skew(&mut Random::new(1), 0)), Posture::default());
}

#[test]
fn ur_elbows_are_above_or_below() {
    let (robot, mut random) = (ur5(), Random::new(7103));
    let mut told = 0;
    for _ in 0..100 {
        let values: Vec<f64> = (0..6).map(|_| random.range(-3.1, 3.1)).collect();
        for one in ask(&robot, &pose_of(&robot, &values), &values).solutions {
            let links = robot.place(&Pose::IDENTITY, &one.values).links;
            let [shoulder, elbow, wrist] = [2, 3, 4].map(|link| links[link].translation());
            // In the vertical plane of the arm, whatever its direction.
            let forward = Vec3::new(one.values[0].cos(), one.values[0].sin(), 0.0);
            let [s, e, w] = [shoulder, elbow, wrist].map(|p| p.dot(forward));
            if (w - s).abs() > 0.01 && one.singular.is_empty() {
                let line = shoulder.z + (wrist.z - shoulder.z) * (e - s) / (w - s);
                assert_eq!(one.posture.up, Some(elbow.z > line), "{one:?}");
                told += 1;
            }
        }
    }
    assert!(told > 200, "{told}");
}
