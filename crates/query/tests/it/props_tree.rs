//! Every volume with every builder and every rule finds what comparing all objects with all objects finds.

use freiraum_geometry::{Aabb, Pose, Vec3};
use freiraum_query::tree::build::{BottomUp, Builder, Insertion, Median, SurfaceArea};
use freiraum_query::tree::descend::{Alternate, Both, LargerFirst, OneFully, Rule};
use freiraum_query::tree::volume::{Ball, Dop, SweptRectangle, TurnedBox};
use freiraum_query::tree::{
    Counts, Extent, Placement, Stack, Tree, Volume, nearest_pair, overlapping_pairs,
    overlapping_pairs_placed, overlapping_pairs_within, visit,
};
use freiraum_testkit::random::Random;
use freiraum_testkit::scale::cases;
use std::ops::ControlFlow;

fn builders() -> [Box<dyn Builder>; 4] {
    [Box::new(Median), Box::new(SurfaceArea), Box::new(BottomUp), Box::new(Insertion)]
}

fn rules() -> [Box<dyn Rule>; 4] {
    [Box::new(LargerFirst), Box::new(Both), Box::new(Alternate), Box::new(OneFully)]
}

/// Objects are balls: their distance has a closed form that no volume shares.
#[derive(Clone, Copy)]
struct Object {
    center: Vec3,
    radius: f64,
}

impl Object {
    fn volume<V: Volume>(&self) -> V {
        let bounds = Aabb { min: Vec3::splat(-self.radius), max: Vec3::splat(self.radius) };
        let extent = Extent::of_box(bounds).unwrap().with_sphere(Vec3::ZERO, self.radius);
        V::of_extent(&extent, &Pose::from_translation(self.center))
    }

    fn distance(&self, other: &Object, a_from_b: &Pose) -> f64 {
        self.center.distance(a_from_b.transform_point(other.center)) - self.radius - other.radius
    }
}

fn objects(random: &mut Random, count: usize, spread: f64) -> Vec<Object> {
    let mut objects: Vec<Object> = (0..count)
        .map(|_| Object { center: random.in_cube(spread), radius: random.range(0.0, 0.4) })
        .collect();
    // Doubles and points are ordinary.
    for i in 0..count / 10 {
        objects[count - 1 - i] = objects[i];
        objects[i + count / 10].radius = 0.0;
    }
    objects
}

fn tree<V: Volume>(objects: &[Object], builder: &dyn Builder) -> Tree<V> {
    let volumes: Vec<V> = objects.iter().map(Object::volume).collect();
    let boxes: Vec<Aabb> = volumes.iter().map(Volume::aabb).collect();
    Tree::of_volumes(&builder.form(&boxes), &volumes).unwrap()
}

/// The pairs that a traversal finds, after the exact test of the objects.
fn collected(
    traverse: impl FnOnce(&mut dyn FnMut(u32, u32) -> ControlFlow<()>) -> ControlFlow<()>,
    touches: impl Fn(u32, u32) -> bool,
) -> (Vec<(u32, u32)>, u64) {
    let (mut found, mut met) = (Vec::new(), 0);
    let end = traverse(&mut |i, j| {
        met += 1;
        if touches(i, j) {
            found.push((i, j));
        }
        ControlFlow::Continue(())
    });
    assert!(end.is_continue());
    found.sort_unstable();
    (found, met)
}

fn check<V: Volume>(seed: u64) {
    let mut random = Random::new(seed);
    let mut stack = Stack::new();
    for round in 0..cases(6) {
        let (count_a, count_b) = (random.below(60), random.below(60));
        let (a, b) = (objects(&mut random, count_a, 2.0), objects(&mut random, count_b, 3.0));
        let pose = Pose::new(random.rotation(), random.in_cube(4.0)).unwrap();
        let touch = |i: u32, j: u32, pose: &Pose| a[i as usize].distance(&b[j as usize], pose) <= 0.0;
        let brute = |pose: &Pose| -> Vec<(u32, u32)> {
            let all = (0..a.len() as u32).flat_map(|i| (0..b.len() as u32).map(move |j| (i, j)));
            all.filter(|&(i, j)| touch(i, j, pose)).collect()
        };
        let within = |i: u32, j: u32| a[i as usize].distance(&a[j as usize], &Pose::IDENTITY) <= 0.0;
        let brute_within: Vec<(u32, u32)> = (0..a.len() as u32)
            .flat_map(|i| (i + 1..a.len() as u32).map(move |j| (i, j)))
            .filter(|&(i, j)| within(i, j))
            .collect();
        let nearest =
            a.iter().flat_map(|x| b.iter().map(|y| x.distance(y, &pose))).fold(f64::INFINITY, f64::min);
        for builder in builders() {
            let (tree_a, tree_b) = (tree::<V>(&a, &*builder), tree::<V>(&b, &*builder));
            for rule in rules() {
                let label = format!("round {round}, {builder:?}, {rule:?}");
                let mut counts = Counts::default();
                let (found, met) = collected(
                    |meet| overlapping_pairs(&tree_a, &tree_b, &*rule, &mut stack, &mut counts, meet),
                    |i, j| touch(i, j, &Pose::IDENTITY),
                );
                assert_eq!(found, brute(&Pose::IDENTITY), "{label}");
                assert_eq!(counts.object_tests, met);
                let placement = Placement::new(&pose);
                let (found, _) = collected(
                    |meet| {
                        overlapping_pairs_placed(
                            &tree_a,
                            &tree_b,
                            &placement,
                            &*rule,
                            &mut stack,
                            &mut counts,
                            meet,
                        )
                    },
                    |i, j| touch(i, j, &pose),
                );
                assert_eq!(found, brute(&pose), "{label} placed");
                let (found, _) = collected(
                    |meet| overlapping_pairs_within(&tree_a, &*rule, &mut stack, &mut counts, meet),
                    within,
                );
                assert_eq!(found, brute_within, "{label} within");
                let measure = |i: u32, j: u32| a[i as usize].distance(&b[j as usize], &pose);
                let limit = f64::INFINITY;
                let best = nearest_pair(
                    &tree_a,
                    &tree_b,
                    &placement,
                    limit,
                    &*rule,
                    &mut stack,
                    &mut counts,
                    measure,
                );
                assert_eq!(best.map_or(f64::INFINITY, |n| n.distance), nearest, "{label} nearest");
                // A limit below the answer finds nothing, one above it the answer.
                if let Some(best) = best {
                    let mut limited = |limit: f64| {
                        nearest_pair(
                            &tree_a,
                            &tree_b,
                            &placement,
                            limit,
                            &*rule,
                            &mut stack,
                            &mut counts,
                            measure,
                        )
                    };
                    assert_eq!(limited(best.distance), None);
                    assert_eq!(limited(best.distance.next_up()).map(|n| n.distance), Some(nearest));
                }
            }
        }
    }
}

#[test]
fn balls_find_all_pairs() {
    check::<Ball>(1);
}

#[test]
fn aabbs_find_all_pairs() {
    check::<Aabb>(2);
}

#[test]
fn turned_boxes_find_all_pairs() {
    check::<TurnedBox>(3);
}

#[test]
fn dops_find_all_pairs() {
    check::<Dop>(4);
}

#[test]
fn swept_rectangles_find_all_pairs() {
    check::<SweptRectangle>(5);
}

fn check_refit<V: Volume>(seed: u64) {
    let mut random = Random::new(seed);
    let before = objects(&mut random, 40, 2.0);
    let other = objects(&mut random, 40, 2.0);
    let mut moved = tree::<V>(&before, &SurfaceArea);
    let fixed = tree::<V>(&other, &Median);
    let (mut stack, mut counts) = (Stack::new(), Counts::default());
    for _ in 0..cases(5) {
        let after = objects(&mut random, 40, 3.0);
        moved.refit(|object| after[object as usize].volume());
        let touch = |i: u32, j: u32| after[i as usize].distance(&other[j as usize], &Pose::IDENTITY) <= 0.0;
        let (found, _) = collected(
            |meet| overlapping_pairs(&moved, &fixed, &LargerFirst, &mut stack, &mut counts, meet),
            touch,
        );
        let all = (0..40).flat_map(|i| (0..40).map(move |j| (i, j)));
        assert_eq!(found, all.filter(|&(i, j)| touch(i, j)).collect::<Vec<_>>());
        for (object, at) in (0..40).map(|o| (o, moved.leaf_of(o))) {
            assert_eq!(moved.nodes()[at as usize].object(), Some(object));
        }
    }
}

#[test]
fn a_refitted_tree_is_as_right_as_a_new_one() {
    check_refit::<Ball>(1);
    check_refit::<Aabb>(2);
    check_refit::<TurnedBox>(3);
    check_refit::<Dop>(4);
    check_refit::<SweptRectangle>(5);
}

/// Trees fitted to points hold all points below each node, and are no larger at the root than unions.
fn check_points<V: Volume>() {
    let mut random = Random::new(9);
    let triangles: Vec<[Vec3; 3]> = (0..30)
        .map(|_| {
            let corner = random.in_cube(5.0);
            [corner, corner + random.in_cube(0.5), corner + random.in_cube(0.5)]
        })
        .collect();
    let boxes: Vec<Aabb> = triangles.iter().map(Aabb::of_points).collect();
    let form = Median.form(&boxes);
    let points_of = |object: u32, points: &mut Vec<Vec3>| points.extend(triangles[object as usize]);
    let mut fitted: Tree<V> = Tree::of_points(&form, points_of).unwrap();
    let volumes: Vec<V> = triangles.iter().map(|t| V::of_points(t).unwrap()).collect();
    let joined = Tree::of_volumes(&form, &volumes).unwrap();
    assert!(fitted.nodes()[0].area() <= joined.nodes()[0].area() * (1.0 + 1e-9));
    let (mut stack, mut counts) = (Stack::new(), Counts::default());
    for (i, triangle) in triangles.iter().enumerate() {
        for &corner in triangle {
            let mut found = false;
            let _ = visit(
                &fitted,
                &mut stack,
                &mut counts,
                |v| v.gap_to_point(corner) <= 0.0,
                |object| {
                    found |= object == i as u32;
                    ControlFlow::Continue(())
                },
            );
            assert!(found, "the way down to a corner of triangle {i} is blocked");
        }
    }
    assert!(!fitted.refit_points(|_, _| ()), "objects without points cannot be fitted");
    assert!(Tree::<V>::of_points(&form, |_, points| points.push(Vec3::NAN)).is_none());
    assert!(Tree::of_volumes(&form, &volumes[1..]).is_none());
}

#[test]
fn nodes_hold_the_points_below_them() {
    check_points::<Ball>();
    check_points::<Aabb>();
    check_points::<TurnedBox>();
    check_points::<Dop>();
    check_points::<SweptRectangle>();
}

#[test]
fn a_traversal_stops_when_told() {
    let mut random = Random::new(7);
    let a = tree::<Ball>(&objects(&mut random, 50, 1.0), &Median);
    let (mut stack, mut counts) = (Stack::new(), Counts::default());
    let mut met = 0;
    let end = overlapping_pairs(&a, &a, &Both, &mut stack, &mut counts, |_, _| {
        met += 1;
        if met == 3 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    assert!(end.is_break());
    assert_eq!((met, counts.object_tests), (3, 3));
    let end = visit(&a, &mut stack, &mut counts, |_| true, |_| ControlFlow::Break(()));
    assert!(end.is_break());
    assert_eq!(counts.object_tests, 4);
}

#[test]
fn trees_of_nothing_meet_nothing() {
    let empty = tree::<Ball>(&[], &Median);
    let one = tree::<Ball>(&[Object { center: Vec3::ZERO, radius: 1.0 }], &Median);
    let (mut stack, mut counts) = (Stack::new(), Counts::default());
    for (a, b) in [(&empty, &empty), (&empty, &one), (&one, &empty)] {
        let end = overlapping_pairs(a, b, &Both, &mut stack, &mut counts, |_, _| ControlFlow::Break(()));
        assert!(end.is_continue());
    }
    let end = overlapping_pairs_within(&one, &Both, &mut stack, &mut counts, |_, _| ControlFlow::Break(()));
    assert!(end.is_continue(), "one object is no pair");
    assert_eq!(counts, Counts::default());
    let end = overlapping_pairs(&one, &one, &Both, &mut stack, &mut counts, |_, _| ControlFlow::Continue(()));
    assert!(end.is_continue());
    assert_eq!((counts.volume_tests, counts.object_tests), (1, 1));
}
