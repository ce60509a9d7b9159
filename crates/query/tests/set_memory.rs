//! Steps of a set, broad phases and traversals of trees allocate nothing once they are warm.
//!
//! Counts every allocation, so this test is alone in its process and does one thing after the other.

#![allow(unsafe_code, reason = "an allocator cannot be written without; this one only counts and passes on")]

use freiraum_geometry::{Aabb, Pose, Vec3};
use freiraum_query::broad_phase::BroadPhaseKind;
use freiraum_query::set::{Body, BodyId, Bounds, Finding, Group, Layers, ObjectSet, Settings};
use freiraum_query::tree::build::{Builder, Median};
use freiraum_query::tree::descend::LargerFirst;
use freiraum_query::tree::volume::{Ball, Dop, SweptRectangle, TurnedBox};
use freiraum_query::tree::{
    Counts, Extent, Placement, Stack, Tree, Volume, nearest_pair, overlapping_pairs_placed, visit,
};
use std::alloc::{GlobalAlloc, Layout, System};
use std::convert::Infallible;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicUsize, Ordering};

struct Counting;

static ALLOCATIONS: AtomicUsize = AtomicUsize::new(0);

// SAFETY: every call goes to the system allocator with the arguments it came with.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.fetch_add(1, Ordering::Relaxed);
        // SAFETY: the caller keeps the rules of `alloc`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the caller keeps the rules of `dealloc`.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn allocations(work: impl FnOnce()) -> usize {
    let before = ALLOCATIONS.load(Ordering::Relaxed);
    work();
    ALLOCATIONS.load(Ordering::Relaxed) - before
}

fn cube() -> Extent {
    Extent::of_box(Aabb { min: Vec3::splat(-0.5), max: Vec3::splat(0.5) }).unwrap()
}

/// A body of a crowd that returns to where it was after twenty steps.
fn at(i: usize, step: usize) -> Pose {
    let angle = std::f64::consts::TAU * step as f64 / 20.0 + i as f64;
    let home = Vec3::new((i % 6) as f64, (i / 6 % 6) as f64, (i / 36) as f64) * 1.3;
    let shift = 0.8 * Vec3::new(angle.cos(), angle.sin(), (2.0 * angle).sin());
    Pose::from_zyx_euler(angle, 0.0, 0.5, home + shift).unwrap()
}

/// Work in step 0..20 is done twice to warm up, and counted the third time.
fn check(what: &str, mut work: impl FnMut(usize)) {
    for step in 0..40 {
        work(step % 20);
    }
    let count = allocations(|| (0..20).for_each(&mut work));
    assert_eq!(count, 0, "{what}");
}

fn check_tree<V: Volume>(what: &str) {
    let volumes: Vec<V> = (0..72).map(|i| V::of_extent(&cube(), &at(i, 0))).collect();
    let boxes: Vec<Aabb> = volumes.iter().map(Volume::aabb).collect();
    let mut tree = Tree::of_volumes(&Median.form(&boxes), &volumes).unwrap();
    let other = tree.clone();
    let (mut stack, mut counts) = (Stack::new(), Counts::default());
    check(what, |step| {
        tree.refit(|i| V::of_extent(&cube(), &at(i as usize, step)));
        let placement = Placement::new(&at(0, step));
        let go_on = |_, _| ControlFlow::Continue(());
        let _ =
            overlapping_pairs_placed(&tree, &other, &placement, &LargerFirst, &mut stack, &mut counts, go_on);
        let measure = |i: u32, j: u32| f64::from(i + j);
        let limit = f64::INFINITY;
        nearest_pair(&tree, &other, &placement, limit, &LargerFirst, &mut stack, &mut counts, measure);
        let near = |v: &V| v.gap_to_point(Vec3::ONE) <= 0.0;
        let _ = visit(&tree, &mut stack, &mut counts, near, |_| ControlFlow::Continue(()));
    });
    assert!(counts.object_tests > 0);
}

fn check_set(method: BroadPhaseKind, skips: bool) {
    let mut set: ObjectSet<TurnedBox, f64> =
        ObjectSet::new(Settings { broad: method, skips, ..Settings::default() });
    let body =
        |i: usize| Body { bounds: Bounds::Limited(cube()), world_from_body: at(i, 0), layers: Layers::ALL };
    let mut ids: Vec<BodyId> = Vec::new();
    for group in 0..24 {
        let bodies = (3 * group..3 * group + 3).map(body).collect();
        let id = set.add(&Group::movable(bodies).colliding_inside()).unwrap();
        ids.extend(set.bodies(id));
    }
    let mut contacts = 0;
    check(&format!("{method:?}, {skips}"), |step| {
        for (i, &id) in ids.iter().enumerate() {
            set.place(id, at(i, step)).unwrap();
        }
        let touching = set.step(|_, _, a_from_b| {
            let distance = a_from_b.translation().length() - 1.0;
            Ok::<_, Infallible>(if distance <= 0.0 {
                Finding::Touching(distance)
            } else {
                Finding::Apart { distance }
            })
        });
        contacts += touching.unwrap().len();
    });
    assert!(contacts > 100);
}

#[test]
fn nothing_is_allocated_once_warm() {
    check_tree::<Ball>("balls");
    check_tree::<Aabb>("axis boxes");
    check_tree::<TurnedBox>("turned boxes");
    check_tree::<Dop>("k-DOPs");
    check_tree::<SweptRectangle>("swept rectangles");
    for method in BroadPhaseKind::ALL {
        let mut phase = method.start();
        let (mut pairs, mut counts) = (Vec::new(), Counts::default());
        check(&format!("{method:?}"), |step| {
            for i in 0..72 {
                phase.set(i as u32, cube().aabb_placed(&at(i, step)));
            }
            phase.pairs(&mut pairs, &mut counts);
        });
        assert!(pairs.len() > 20);
        check_set(method, false);
        check_set(method, true);
    }
}
