//! All broad phases give exactly the pairs that comparing all boxes gives, whatever happens to the boxes.

use freiraum_geometry::{Aabb, Vec3};
use freiraum_query::broad_phase::{BroadPhase, BroadPhaseKind};
use freiraum_query::tree::Counts;
use freiraum_testkit::random::Random;
use freiraum_testkit::scale::cases;
use std::collections::BTreeMap;

/// The definition: boxes overlap when their intervals do on all axes; what is not a number is no bound.
fn expected(boxes: &BTreeMap<u32, Aabb>) -> Vec<(u32, u32)> {
    let is_empty = |b: &Aabb| (0..3).any(|i| b.min[i] > b.max[i]);
    let apart = |a: &Aabb, b: &Aabb| (0..3).any(|i| a.min[i] > b.max[i] || b.min[i] > a.max[i]);
    let mut pairs = Vec::new();
    for (i, a) in boxes {
        for (j, b) in boxes.range(i + 1..) {
            if !is_empty(a) && !is_empty(b) && !apart(a, b) {
                pairs.push((*i, *j));
            }
        }
    }
    pairs
}

struct Pit {
    phases: Vec<Box<dyn BroadPhase>>,
    boxes: BTreeMap<u32, Aabb>,
    pairs: Vec<(u32, u32)>,
}

impl Pit {
    fn new() -> Pit {
        let phases = BroadPhaseKind::ALL.into_iter().map(BroadPhaseKind::start).collect();
        Pit { phases, boxes: BTreeMap::new(), pairs: Vec::new() }
    }

    fn set(&mut self, key: u32, bounds: Aabb) {
        self.boxes.insert(key, bounds);
        self.phases.iter_mut().for_each(|p| p.set(key, bounds));
    }

    fn remove(&mut self, key: u32) {
        self.boxes.remove(&key);
        self.phases.iter_mut().for_each(|p| p.remove(key));
    }

    fn check(&mut self, label: &str) -> usize {
        let expected = expected(&self.boxes);
        for (phase, method) in self.phases.iter_mut().zip(BroadPhaseKind::ALL) {
            // Whatever was in the list before is gone.
            self.pairs.push((7, 7));
            phase.pairs(&mut self.pairs, &mut Counts::default());
            assert_eq!(self.pairs, expected, "{method:?}: {label}");
        }
        expected.len()
    }
}

fn random_box(random: &mut Random, spread: f64, size: f64) -> Aabb {
    let center = random.in_cube(spread);
    let half = random.in_cube(size).abs();
    let half = match random.below(6) {
        0 => Vec3::ZERO,
        1 => half * Vec3::new(1.0, 0.0, 1.0),
        2 => half * Vec3::new(20.0, 0.1, 0.1),
        _ => half,
    };
    match random.below(40) {
        0 => Aabb { min: Vec3::NEG_INFINITY, max: center },
        1 => Aabb { min: Vec3::NEG_INFINITY, max: Vec3::INFINITY },
        2 => Aabb { min: center - half, max: Vec3::new(center.x, f64::INFINITY, center.z) },
        3 => Aabb { min: Vec3::new(f64::NAN, center.y, center.z), max: center + half },
        4 => Aabb::EMPTY,
        5 => Aabb { min: center + 1.0, max: center },
        _ => Aabb { min: center - half, max: center + half },
    }
}

#[test]
fn boxes_that_come_move_and_go() {
    let mut found = 0;
    for seed in 0..cases(12) as u64 {
        let mut random = Random::new(seed);
        let mut pit = Pit::new();
        let keys = 10 + random.below(90);
        let scale = [1.0, 1e-6, 1e6, 1e200][random.below(4)];
        for step in 0..40 {
            // Some steps change everything, most change little.
            let changes = if step % 10 == 0 { 2 * keys } else { random.below(8) };
            for _ in 0..changes {
                let key = random.below(keys) as u32;
                match random.below(5) {
                    0 => pit.remove(key),
                    1 => pit.set(key, random_box(&mut random, 5.0 * scale, 2.0 * scale)),
                    2 if random.below(10) == 0 => {
                        pit.set(key, random_box(&mut random, 500.0 * scale, 2.0 * scale))
                    }
                    _ => {
                        let shift = 0.05 * scale * random.in_cube(1.0);
                        let old = pit.boxes.get(&key).copied();
                        let old = old.unwrap_or_else(|| random_box(&mut random, 5.0 * scale, scale));
                        pit.set(key, Aabb { min: old.min + shift, max: old.max + shift });
                    }
                }
            }
            found += pit.check(&format!("seed {seed}, step {step}"));
        }
    }
    assert!(found > 1000);
}

#[test]
fn a_crowd_that_drifts_away_together() {
    let mut random = Random::new(3);
    let mut pit = Pit::new();
    let crowd: Vec<Aabb> = (0..80)
        .map(|_| {
            let min = random.in_cube(3.0);
            Aabb { min, max: min + random.in_cube(1.5).abs() }
        })
        .collect();
    for step in 0..30 {
        let shift = Vec3::new(2.0, -1.0, 0.5) * f64::from(step * step);
        for (key, b) in crowd.iter().enumerate() {
            pit.set(key as u32, Aabb { min: b.min + shift, max: b.max + shift });
        }
        assert!(pit.check(&format!("step {step}")) > 20);
    }
}

#[test]
fn identical_touching_and_lined_up_boxes() {
    let mut pit = Pit::new();
    assert_eq!(pit.check("nothing"), 0);
    let unit = Aabb { min: Vec3::ZERO, max: Vec3::ONE };
    pit.set(3, unit);
    assert_eq!(pit.check("one"), 0);
    for key in 0..50 {
        pit.set(key, unit);
    }
    assert_eq!(pit.check("identical"), 50 * 49 / 2);
    // A row in which each touches the next.
    for key in 0..50 {
        let min = Vec3::new(f64::from(key), 0.0, 0.0);
        pit.set(key, Aabb { min, max: min + 1.0 });
    }
    assert_eq!(pit.check("touching"), 49);
    for key in 0..50 {
        let min = Vec3::new(f64::from(key) * 1.5, 0.0, 0.0);
        pit.set(key, Aabb { min, max: min });
    }
    assert_eq!(pit.check("points"), 0);
    pit.set(60, Aabb { min: Vec3::NEG_INFINITY, max: Vec3::new(f64::INFINITY, f64::INFINITY, 0.0) });
    assert_eq!(pit.check("points on a plane"), 50);
    for key in 0..61 {
        pit.remove(key);
        pit.remove(key);
    }
    assert_eq!(pit.check("all gone"), 0);
    pit.set(5, unit);
    pit.set(6, unit);
    assert_eq!(pit.check("and back"), 1);
}

#[test]
fn one_giant_among_many_small_boxes() {
    let mut pit = Pit::new();
    for key in 0..1000u32 {
        let at = |shift: u32| f64::from(key / shift % 10) * 3.0;
        let min = Vec3::new(at(1), at(10), at(100));
        pit.set(key, Aabb { min, max: min + 0.5 });
    }
    pit.set(1000, Aabb { min: Vec3::splat(-1.0), max: Vec3::splat(14.0) });
    pit.set(1001, Aabb { min: Vec3::splat(2.0), max: Vec3::splat(100.0) });
    assert_eq!(pit.check("giants"), 125 + 729 + 1);
}

#[test]
fn every_method_tests_fewer_boxes_than_brute_force() {
    let mut random = Random::new(8);
    let boxes: Vec<Aabb> = (0..400)
        .map(|_| {
            let min = random.in_cube(10.0);
            Aabb { min, max: min + random.in_cube(0.8).abs() }
        })
        .collect();
    let mut pairs = Vec::new();
    for method in BroadPhaseKind::ALL {
        let mut phase = method.start();
        for (key, b) in boxes.iter().enumerate() {
            phase.set(key as u32, *b);
        }
        let mut counts = Counts::default();
        phase.pairs(&mut pairs, &mut counts);
        let all = 400 * 399 / 2;
        if method == BroadPhaseKind::BruteForce {
            assert_eq!(counts.volume_tests, all);
        } else {
            assert!(counts.volume_tests < all / 4, "{method:?}: {counts:?}");
        }
    }
}
