//! How far bodies are in each other, by the exact distances of `freiraum_query`, which neither engine uses for these shapes.

use crate::heap::{HALF, Thing};
use freiraum_geometry::shape::{Cuboid, Sphere};
use freiraum_geometry::{Pose, Shape, Vec3};
use freiraum_query::{Prepared, distance};

/// Depths in metres.
pub(crate) struct Overlap {
    pub(crate) deepest: f64,
    /// Over all pairs that touch or nearly do: within a millimetre.
    pub(crate) mean: f64,
}

const NEAR: f64 = 0.001;

/// Measures all pairs, and all bodies against the plane.
pub(crate) fn overlap(things: &[Thing], poses: &[Pose]) -> Overlap {
    let ball = Prepared::new(Shape::Sphere(Sphere::new(HALF).expect("a ball")));
    let cube = Prepared::new(Shape::Cuboid(Cuboid::new(Vec3::splat(2.0 * HALF)).expect("a box")));
    let shape = |i: usize| if things[i].is_ball { &ball } else { &cube };
    let reach = |i: usize| if things[i].is_ball { HALF } else { HALF * 3f64.sqrt() };
    let (mut deepest, mut sum, mut count) = (0.0f64, 0.0, 0usize);
    let mut add = |gap: f64| {
        if gap < NEAR {
            let depth = (-gap).max(0.0);
            deepest = deepest.max(depth);
            sum += depth;
            count += 1;
        }
    };
    // Sorted along x, so that only neighbours are looked at.
    let mut order: Vec<usize> = (0..things.len()).collect();
    order.sort_by(|i, j| poses[*i].translation().x.total_cmp(&poses[*j].translation().x));
    for (k, &i) in order.iter().enumerate() {
        let at = poses[i].translation();
        let down = poses[i].inverse().rotate(Vec3::Z).abs();
        let low = if things[i].is_ball { HALF } else { HALF * (down.x + down.y + down.z) };
        add(at.z - low);
        for &j in &order[k + 1..] {
            let between = poses[j].translation() - at;
            let far = reach(i) + reach(j) + NEAR;
            if between.x > far {
                break;
            }
            if between.length_squared() <= far * far {
                let found = distance(shape(i), shape(j), &(poses[i].inverse() * poses[j]));
                add(found.expect("poses are finite").distance);
            }
        }
    }
    Overlap { deepest, mean: if count > 0 { sum / count as f64 } else { 0.0 } }
}
