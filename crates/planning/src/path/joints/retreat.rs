//! Away from what is touched at the start or at the goal.
//!
//! A part that rests on a table can go up, but hardly any random line of joint values does that without tilting it into the table. So the first thing to try is straight away from what
//! is touched, the part not turned: a line of joint values follows that to the second order, which is enough where it matters, close to the contact.

use super::edge::Prover;
use freiraum_geometry::tolerance::ROUND_TOUCH_RELATIVE;

/// How far away is tried, in metres: the first that is free is taken.
const FAR: [f64; 4] = [0.1, 0.05, 0.02, 0.005];

/// Joint values near those given, away from what is touched there, to which straight lines are proven free.
pub(super) fn retreats(prover: &mut Prover, values: &[f64]) -> Vec<Vec<f64>> {
    let ways = prover.ways_out(values);
    let found = try_ways(prover, values, ways);
    if !found.is_empty() {
        return found;
    }
    // What is between fingers on both sides is left along an axis of the hand.
    let ways = prover.ways_along_the_hand(values);
    try_ways(prover, values, ways)
}

fn try_ways(prover: &mut Prover, values: &[f64], ways: Vec<Vec<f64>>) -> Vec<Vec<f64>> {
    let mut found = Vec::new();
    for along in ways {
        let lines = FAR.iter().map(|far| -> Vec<f64> {
            values.iter().zip(&along).map(|(value, by)| value + far * by).collect()
        });
        for line in lines {
            if prover.space.is_inside(&line) && prover.is_free(values, &line) {
                found.push(line);
                break;
            }
        }
    }
    found
}

/// The smallest x for which the sum of the columns times x is as near to `b` as possible; damped, so that directions in which nothing moves do no harm.
pub(super) fn least_squares(columns: &[[f64; 6]], b: [f64; 6]) -> Vec<f64> {
    let mut rows = [[0.0; 7]; 6];
    for (i, row) in rows.iter_mut().enumerate() {
        for (k, entry) in row.iter_mut().take(6).enumerate() {
            *entry = columns.iter().map(|column| column[i] * column[k]).sum();
        }
        row[6] = b[i];
    }
    let trace: f64 = (0..6).map(|k| rows[k][k]).sum();
    if !(trace > 0.0 && trace.is_finite()) {
        return vec![0.0; columns.len()];
    }
    for (k, row) in rows.iter_mut().enumerate() {
        row[k] += ROUND_TOUCH_RELATIVE * trace;
    }
    // The matrix is positive definite: no need to look for a pivot.
    for k in 0..6 {
        let pivot = rows[k];
        for (_, row) in rows.iter_mut().enumerate().filter(|(i, _)| *i != k) {
            let factor = row[k] / pivot[k];
            row.iter_mut().zip(pivot).for_each(|(entry, other)| *entry -= factor * other);
        }
    }
    let solved: [f64; 6] = std::array::from_fn(|k| rows[k][6] / rows[k][k]);
    columns.iter().map(|column| column.iter().zip(solved).map(|(a, y)| a * y).sum()).collect()
}

#[cfg(test)]
mod tests {
    use super::least_squares;

    #[test]
    fn directions_that_cannot_move_do_no_harm() {
        // Two joints that slide along x and y, and one that turns about z beside them.
        let columns =
            [[1.0, 0.0, 0.0, 0.0, 0.0, 0.0], [0.0, 2.0, 0.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0, 0.0, 1.0]];
        let found = least_squares(&columns, [3.0, 4.0, 5.0, 0.0, 0.0, 0.0]);
        for (found, expected) in found.iter().zip([3.0, 2.0, 0.0]) {
            assert!((found - expected).abs() < 1e-6, "{found} {expected}");
        }
        assert_eq!(least_squares(&[[0.0; 6]], [1.0; 6]), [0.0]);
    }
}
