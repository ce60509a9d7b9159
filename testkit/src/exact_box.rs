//! Whether a box holds a placed point, and a ball a point, decided in whole numbers.

use crate::exact::whole;
use glam::{DQuat, DVec3};
use num_bigint::BigInt;

/// True if the closed box from `min` to `max` holds the point that is turned by the quaternion brought to length one,
/// and then shifted. Exact. Everything is finite, the quaternion not zero.
pub fn box_holds_placed([min, max]: [DVec3; 2], (rotation, shift): (DQuat, DVec3), point: DVec3) -> bool {
    let quaternion = whole(&rotation.to_array());
    let [x, y, z, w] = [0, 1, 2, 3].map(|k| &quaternion[k]);
    let lengths = whole(&[point, shift, min, max].map(|v| v.to_array()).concat());
    let [point, shift, min, max] = [0, 3, 6, 9].map(|at| &lengths[at..at + 3]);
    // The rotation matrix times the square of the length of the quaternion.
    let two = BigInt::from(2);
    let square = w * w + x * x + y * y + z * z;
    let rows = [
        [w * w + x * x - y * y - z * z, &two * (x * y - w * z), &two * (x * z + w * y)],
        [&two * (x * y + w * z), w * w - x * x + y * y - z * z, &two * (y * z - w * x)],
        [&two * (x * z - w * y), &two * (y * z + w * x), w * w - x * x - y * y + z * z],
    ];
    (0..3).all(|k| {
        let turned = &rows[k][0] * &point[0] + &rows[k][1] * &point[1] + &rows[k][2] * &point[2];
        let placed = turned + &square * &shift[k];
        &square * &min[k] <= placed && placed <= &square * &max[k]
    })
}

/// True if the closed ball holds the point. Exact. Everything is finite.
pub fn ball_holds(center: DVec3, radius: f64, point: DVec3) -> bool {
    let mut numbers = [point, center].map(|v| v.to_array()).concat();
    numbers.push(radius);
    let n = whole(&numbers);
    let apart: [BigInt; 3] = std::array::from_fn(|k| &n[k] - &n[k + 3]);
    &apart[0] * &apart[0] + &apart[1] * &apart[1] + &apart[2] * &apart[2] <= &n[6] * &n[6]
}
