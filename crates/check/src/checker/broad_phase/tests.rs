//! The broad phase against all pairs.

use super::*;
use crate::timeline::{Course, Mover};
use freiraum_geometry::Vec3;
use freiraum_geometry::path::{Axis, UniformMotion};
use freiraum_scene::Place;
use freiraum_testkit::random::Random;
use freiraum_testkit::scale::cases;
use std::sync::Arc;

/// Boxes of all sizes, some without an end, some without a size, some in the same place.
fn bodies(random: &mut Random, count: usize) -> (Vec<Bounds>, Vec<Pose>) {
    let mut poses: Vec<Pose> = Vec::new();
    let bounds = |random: &mut Random| match random.below(12) {
        0 => None,
        1 => Some(Aabb { min: Vec3::ZERO, max: Vec3::ZERO }),
        _ => {
            let half = random.in_cube(1.0).abs() * 4f64.powi(-(random.below(4) as i32));
            Some(Aabb { min: -half, max: half })
        }
    };
    let mut all: Vec<Bounds> = (0..count).map(|_| bounds(random)).collect();
    for number in 0..count {
        let pose = match random.below(5) {
            // Copies of earlier ones have equal gaps.
            0 if number > 0 => {
                let same = random.below(number);
                all[number] = all[same];
                poses[same]
            }
            1 => Pose::from_translation((3.0 * random.in_cube(2.0)).round()),
            _ => Pose::new(random.rotation(), random.in_cube(6.0)).unwrap(),
        };
        poses.push(pose);
    }
    (all, poses)
}

/// Stages in which one to three groups move on their own, each from where the stage before left them.
fn stages(random: &mut Random, mut poses: Vec<Pose>, count: usize) -> Vec<Stage> {
    let mut found = Vec::new();
    for number in 0..count {
        let mut free: Vec<usize> = (0..poses.len()).collect();
        let mut movers = Vec::new();
        for _ in 0..1 + random.below(3) {
            let size = (1 + random.below(3)).min(free.len());
            let bodies: Vec<usize> = (0..size).map(|_| free.swap_remove(random.below(free.len()))).collect();
            let Some(lead) = bodies.first() else { continue };
            let from = poses[*lead];
            let (travel, lead): (_, Arc<dyn freiraum_geometry::path::Motion>) = if random.unit() < 0.5 {
                let by = (2.0 * random.in_cube(3.0)).round();
                (Travel::Translate(by), Arc::new(UniformMotion::translation(from, by)))
            } else {
                let axis = Axis::new(random.in_cube(2.0), random.direction()).unwrap();
                let (angle, advance) = (random.range(-4.0, 4.0), random.range(-1.0, 1.0));
                let travel = Travel::Turn { axis, angle, advance };
                (travel, Arc::new(UniformMotion::screw(from, axis, angle, advance)))
            };
            let (subject, place) = (String::new(), Place::default());
            movers.push(Mover { subject, bodies, course: Course::Travel(travel), lead, place });
        }
        let before = crate::Poses::from(&poses[..]);
        for mover in &movers {
            for body in &mover.bodies {
                poses[*body] = mover.motion(*body, &before).pose(1.0);
            }
        }
        found.push(Stage {
            name: String::new(),
            step: number,
            before,
            movers,
            grips: Vec::new(),
            seconds: 1.0,
            place: Place::default(),
        });
    }
    found
}

/// All pairs of a stage by looking at all, as they should come.
fn all_pairs(stage: &Stage, bounds: &[Bounds]) -> Vec<Near> {
    let way = |body: usize| {
        let (own, margin) = (bounds[body].as_ref(), margin(bounds[body].as_ref()));
        match stage.mover_of(body) {
            Some(mover) if matches!(stage.movers[mover].travel(), Some(Travel::Translate(_))) => {
                SweptAabbs::straight(own, &*stage.motion(body), margin)
            }
            Some(_) => SweptAabbs::moving(own, &*stage.motion(body), margin),
            None => SweptAabbs::still(own, &stage.before[body], margin),
        }
    };
    let ways: Vec<SweptAabbs> = (0..bounds.len()).map(way).collect();
    let mut found = Vec::new();
    for a in 0..bounds.len() {
        for b in 0..bounds.len() {
            let movers = [a, b].map(|body| stage.mover_of(body));
            if movers[0].is_some() && movers[0] != movers[1] && (movers[1].is_none() || a < b) {
                found.push(([a, b], ways[a].gap(&ways[b])));
            }
        }
    }
    found.sort_by(|x, y| x.1.total_cmp(&y.1).then(x.0.cmp(&y.0)));
    found
}

#[test]
fn pairs_come_as_if_all_were_sorted() {
    let mut random = Random::new(18);
    let (mut told, mut equal) = (0, 0);
    for _ in 0..cases(60) {
        let size = 1 + random.below(40);
        let (bounds, poses) = bodies(&mut random, size);
        let stages = stages(&mut random, poses, 6);
        let stays = Stays::of_stages(&stages, &bounds);
        for (number, stage) in stages.iter().enumerate() {
            let expected = all_pairs(stage, &bounds);
            let mut nearest = stays.nearest(number, stage, &bounds);
            assert_eq!(nearest.count(), expected.len());
            let within = random.range(0.0, 2.0);
            let near: Vec<Near> = std::iter::from_fn(|| nearest.next_within(within)).collect();
            let count = expected.iter().filter(|(_, gap)| is_near(*gap, within)).count();
            assert_eq!(near, expected[..count]);
            let rest: Vec<Near> = std::iter::from_fn(|| nearest.next_within(f64::INFINITY)).collect();
            assert_eq!(rest, expected[count..]);
            told += expected.len();
            equal += expected.windows(2).filter(|two| two[0].1 == two[1].1 && two[0].1 > 0.0).count();
        }
    }
    assert!(told > 20_000 && equal > 100, "{told} {equal}");
}

#[test]
fn bodies_that_stand_near_each_other_are_found() {
    let mut random = Random::new(19);
    for _ in 0..cases(200) {
        let size = random.below(60);
        let (bounds, poses) = bodies(&mut random, size);
        let boxes: Vec<Aabb> =
            bounds.iter().zip(&poses).map(|(bounds, pose)| box_at(bounds.as_ref(), pose)).collect();
        let within = if random.unit() < 0.3 { 0.0 } else { random.range(0.0, 3.0) };
        let all = (0..size).flat_map(|a| (a + 1..size).map(move |b| [a, b]));
        let expected: Vec<Near> = all
            .map(|[a, b]| ([a, b], boxes[a].gap(&boxes[b])))
            .filter(|(_, gap)| is_near(*gap, within))
            .collect();
        assert_eq!(standing_near(&bounds, &poses, within), expected);
    }
}

/// Unit cubes in a cubic grid, `apart` metres from middle to middle.
fn grid(count: usize, apart: f64) -> (Vec<Bounds>, Vec<Pose>) {
    let side = (1..).find(|side: &usize| side.pow(3) >= count).unwrap();
    let at =
        |k: usize| apart * Vec3::new((k % side) as f64, (k / side % side) as f64, (k / side / side) as f64);
    let cube = Aabb { min: Vec3::splat(-0.5), max: Vec3::splat(0.5) };
    (vec![Some(cube); count], (0..count).map(|k| Pose::from_translation(at(k))).collect())
}

/// One stage in which one body moves straight on.
fn one_moves(poses: &[Pose], body: usize, by: Vec3) -> Stage {
    let lead = Arc::new(UniformMotion::translation(poses[body], by));
    let (course, place) = (Course::Travel(Travel::Translate(by)), Place::default());
    let movers = vec![Mover { subject: String::new(), bodies: vec![body], course, lead, place }];
    let (name, before) = (String::new(), poses.into());
    Stage { name, step: 0, before, movers, grips: Vec::new(), seconds: 1.0, place }
}

#[test]
fn many_bodies_cost_in_proportion_to_what_is_near() {
    let per_body = |count: usize| {
        let (bounds, poses) = grid(count, 1.0);
        let mut counts = Counts::default();
        let near = standing_near_counted(&bounds, &poses, 0.0, &mut counts).len();
        assert!(near < 13 * count, "{near} pairs of {count} bodies");
        counts.volume_tests as f64 / count as f64
    };
    let [few, many] = [1_000, cases(8_000)].map(per_body);
    assert!(many < 400.0 && many < 4.0 * few, "{few} and {many} tests of boxes per body");
}

#[test]
fn one_that_moves_looks_at_few_of_many() {
    for count in [1_000, cases(27_000)] {
        let (bounds, poses) = grid(count, 1.2);
        let stages = [one_moves(&poses, 0, -5.0 * Vec3::X)];
        let stays = Stays::of_stages(&stages, &bounds);
        let mut nearest = stays.nearest(0, &stages[0], &bounds);
        assert_eq!(nearest.count(), count - 1);
        assert_eq!(nearest.next_within(0.15), None);
        // Every box that was opened leaves one more in the queue.
        let looked_at = nearest.queue.len() as f64;
        assert!(looked_at < 3.0 * (count as f64).log2(), "{looked_at} boxes of {count} bodies");
        // The three neighbours next; a hundred take a few boxes each.
        let gaps: Vec<f64> =
            std::iter::from_fn(|| nearest.next_within(f64::INFINITY)).take(100).map(|(_, gap)| gap).collect();
        assert!(gaps[..3].iter().all(|gap| (gap - 0.2).abs() < 1e-6) && gaps[3] > 0.25, "{gaps:?}");
        assert!(nearest.queue.len() < 1_000, "{} boxes of {count} bodies", nearest.queue.len());
    }
}
