use super::*;
use freiraum_geometry::Vec3;
use freiraum_testkit::random::Random;

fn builders() -> Vec<Box<dyn Builder>> {
    vec![Box::new(Median), Box::new(SurfaceArea), Box::new(BottomUp), Box::new(Insertion)]
}

fn random_boxes(count: usize, seed: u64) -> Vec<Aabb> {
    let mut random = Random::new(seed);
    let corner = |random: &mut Random| random.in_cube(10.0);
    (0..count)
        .map(|_| {
            let min = corner(&mut random);
            Aabb { min, max: min + random.in_cube(0.5).abs() }
        })
        .collect()
}

fn check(boxes: &[Aabb]) {
    for builder in builders() {
        let form = builder.form(boxes);
        assert_eq!(form.leaves(), boxes.len(), "{builder:?}");
        assert!(form.is_whole(), "{builder:?} on {} boxes", boxes.len());
        assert_eq!(form, builder.form(boxes), "{builder:?} twice");
    }
}

/// Sum of the half areas of all inner nodes: what the surface-area heuristic wants small.
fn total_area(form: &Form, boxes: &[Aabb]) -> f64 {
    let mut bounds = boxes.to_vec();
    let mut sum = 0.0;
    for join in boxes.len()..boxes.len() + form.joins() {
        let children = form.children(join as u32).iter();
        let around = children.fold(Aabb::EMPTY, |b, &c| b.union(&bounds[c as usize]));
        sum += around.half_area();
        bounds.push(around);
    }
    sum
}

#[test]
fn every_builder_joins_every_object_once() {
    for count in [0, 1, 2, 3, 5, 17, 64, 65, 300] {
        check(&random_boxes(count, count as u64));
    }
}

#[test]
fn degenerate_boxes_are_joined_too() {
    let point = |x: f64| Aabb { min: Vec3::splat(x), max: Vec3::splat(x) };
    check(&[point(1.0); 100]);
    check(&(0..100).map(|i| point(f64::from(i))).collect::<Vec<_>>());
    check(&(0..200).map(|i| point(2f64.powi(i))).collect::<Vec<_>>());
    check(&[Aabb { min: -Vec3::ONE, max: Vec3::ONE }; 70]);
    let flat =
        |i: u32| Aabb { min: Vec3::new(f64::from(i), 0.0, 0.0), max: Vec3::new(f64::from(i + 3), 0.0, 0.0) };
    check(&(0..90).map(flat).collect::<Vec<_>>());
}

#[test]
fn the_median_tree_is_as_shallow_as_can_be() {
    let boxes = random_boxes(100, 1);
    let tree = crate::tree::Tree::of_volumes(&Median.form(&boxes), &boxes).unwrap();
    assert_eq!(tree.depth(), 7);
}

#[test]
fn builders_that_mind_area_beat_the_median() {
    // Two far clusters of 30 and 70: the median cuts through the larger one.
    let mut boxes = random_boxes(100, 2);
    for b in &mut boxes[..30] {
        b.min.x += 1000.0;
        b.max.x += 1000.0;
    }
    let area = |builder: &dyn Builder| total_area(&builder.form(&boxes), &boxes);
    let median = area(&Median);
    for builder in [&SurfaceArea as &dyn Builder, &BottomUp, &Insertion] {
        assert!(area(builder) < 0.9 * median, "{builder:?}: {} against {median}", area(builder));
    }
}
