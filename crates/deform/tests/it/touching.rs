//! Bodies that touch at an angle to the axes are put into each other by a part of a pixel when their vertices are put onto units: that is no overlap.

use crate::common::{together, turned_pair};
use freiraum_deform::bodies::Bodies;
use freiraum_deform::response::{Between, Within};
use freiraum_deform::{Answer, Axis, Layers, Surface, View};
use freiraum_testkit::bumpy;

fn seen(surface: &bumpy::Surface) -> Surface<'_> {
    Surface { vertices: &surface.0, faces: &surface.1 }
}

/// Angles, depths and views in which two boxes are looked at.
fn all(mut test: impl FnMut([bumpy::Surface; 2], f64, View)) {
    for k in 0..12 {
        for depth in [0.0, 0.01] {
            for (axis, resolution) in [(Axis::X, 64), (Axis::Y, 200), (Axis::Z, 64)] {
                let view = View { axis: Some(axis), ..View::new(resolution) };
                test(turned_pair(0.37 + 0.41 * f64::from(k), depth), depth, view);
            }
        }
    }
}

#[test]
fn two_that_touch_do_not_collide() {
    let (mut bodies, mut between) = (Bodies::default(), Between::default());
    let (mut raw, mut overlaps) = (0, 0);
    all(|[a, b], depth, view| {
        let surfaces = [seen(&a), seen(&b)];
        let Some(pair) = bodies.pairs(&surfaces, &view).unwrap().first() else { return };
        assert!(pair.faults.iter().all(Vec::is_empty));
        if depth == 0.0 {
            assert!(!pair.collides() && pair.volume.volume == 0.0 && pair.volume.error == 0.0);
            assert!(pair.shared.is_empty() && pair.walls.is_empty() && pair.coincident.is_empty());
            between.find(pair, surfaces);
            assert!(between.regions.is_empty() && between.contacts.is_empty());
            // What rays have seen before it was asked whether it is there.
            let [first, second] = surfaces.map(|surface| {
                let mut layers = Layers::default();
                layers.look(surface, &pair.grid, 1, false).unwrap();
                layers
            });
            raw += usize::from((0..pair.grid.pixels()).any(|pixel| {
                let [x, y] = [&first, &second].map(|layers| layers.occupancy.of_pixel(pixel));
                x.iter().any(|i| y.iter().any(|j| i.end.min(j.end) > i.start.max(j.start) + 10))
            }));
        } else {
            let exact = depth * 0.45 * 0.35;
            assert!(pair.collides() && (pair.volume.volume - exact).abs() <= pair.volume.error);
            overlaps += 1;
        }
    });
    assert!(raw > 3 && overlaps == 36, "{raw} {overlaps}");
}

#[test]
fn one_that_touches_itself_does_not_collide() {
    let (mut layers, mut within) = (Layers::default(), Within::default());
    let mut raw = 0;
    all(|parts, depth, view| {
        let both = together(&parts);
        let answer = layers.self_collision(seen(&both), &view).unwrap();
        assert_eq!(answer.faults, 0);
        if depth == 0.0 {
            let free = Answer { max_overlap: 1, layers_max: answer.layers_max, ..Answer::default() };
            assert_eq!(answer, free);
            assert!(layers.occupancy.intervals.is_empty());
            assert!((0..layers.image.grid.pixels()).all(|pixel| layers.occupancy.of_pixel(pixel).is_empty()));
            assert!(!layers.involved(seen(&both)).0.contains(&true));
            within.find(seen(&both), &layers);
            assert!(within.regions.is_empty() && within.contacts.is_empty());
            let grid = layers.image.grid;
            layers.look(seen(&both), &grid, 2, false).unwrap();
            raw += usize::from(!layers.occupancy.intervals.is_empty());
        } else {
            let exact = depth * 0.45 * 0.35;
            assert!(answer.self_collision && answer.max_overlap == 2);
            assert!((answer.volume.volume - exact).abs() <= answer.volume.error, "{answer:?}");
        }
    });
    assert!(raw > 10, "{raw}");
}
