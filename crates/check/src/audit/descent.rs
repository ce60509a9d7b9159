//! Where do two links come closest? A local search, to find links that touch only at few joint values.

use super::cell::Cell;
use super::pair::Search;

/// The first steps are this share of the range, and are halved so often that the last are below a thousandth of it.
const FIRST: f64 = 0.25;
const HALVINGS: usize = 9;

/// From joint values with a distance to joint values with a smaller one, along one freedom after the other; ends when the links touch. Nothing says that there is no smaller one elsewhere.
pub(super) fn closest(search: &Search, whole: &Cell, distance: f64, values: Vec<f64>) -> (f64, Vec<f64>) {
    let [a, b] = search.bodies;
    let mut best = (distance, values);
    let mut step = FIRST;
    for _ in 0..HALVINGS {
        // Some rounds at each width: the freedoms depend on each other.
        for _ in 0..4 {
            let before = best.0;
            for number in 0..whole.half.len() {
                for sign in [-1.0, 1.0] {
                    let (middle, half) = (whole.middle[number], whole.half[number]);
                    let mut values = best.1.clone();
                    values[number] =
                        (values[number] + sign * step * half).clamp(middle - half, middle + half);
                    search.keep_inside(&mut values);
                    if values[number] == best.1[number] {
                        continue;
                    }
                    let distance = a.distance(b, &search.between.a_from_b(&values));
                    if distance < best.0 {
                        best = (distance, values);
                    }
                    if best.0 <= 0.0 {
                        return best;
                    }
                }
            }
            if best.0 >= before {
                break;
            }
        }
        step *= 0.5;
    }
    best
}
