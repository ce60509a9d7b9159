//! Knots that are nearly at the same time.

use super::joint_path::JointPath;
use super::point_to_point::Timed;
use freiraum_geometry::math::power_of_two;

/// A knot: share of the time, joint values, and true if the way bends there.
pub(super) type Knot = (f64, Vec<f64>, bool);

/// Knots that are closer than this, in shares of the time, are perhaps the same one but for rounding.
const NEAR: f64 = power_of_two(-26);

/// Knots with other joint values are at least so far apart, in shares of the time.
const APART: f64 = power_of_two(-40);

/// A path through knots in the order of their times, some of which may be nearly or exactly the same, and then on to the end.
///
/// Knots at nearly the same time whose joint values differ by rounding alone are one: between those rounding would say how fast the joints are. All others are kept,
/// and whatever comes after them is later by what it takes to tell them apart: no motion is lost, however short it is.
pub(super) fn timed(knots: Vec<Knot>, end: &[f64], seconds: f64) -> Timed {
    let mut found: Vec<Knot> = Vec::with_capacity(knots.len() + 1);
    // What rounding may do to each freedom.
    let mut noise: Vec<f64> = end.iter().map(|value| value.abs()).collect();
    for (_, values, _) in &knots {
        noise.iter_mut().zip(values).for_each(|(most, value)| *most = most.max(value.abs()));
    }
    noise.iter_mut().for_each(|most| *most *= 16.0 * f64::EPSILON);
    let is_same =
        |a: &[f64], b: &[f64]| a.iter().zip(b).zip(&noise).all(|((a, b), noise)| (a - b).abs() <= *noise);
    let mut late = 0.0;
    for (share, values, bends) in knots.into_iter().chain([(1.0, end.to_vec(), true)]) {
        let share = share + late;
        let Some(last) = found.last() else {
            found.push((share, values, bends));
            continue;
        };
        let (is_first, apart) = (found.len() == 1, share - last.0);
        if apart <= NEAR && (last.1 == values || (!(last.2 && bends) && is_same(&last.1, &values))) {
            if bends && !last.2 && !is_first {
                let time = last.0;
                found.pop();
                found.push((time, values, bends));
            }
            continue;
        }
        let time = share.max(last.0 + APART);
        late += time - share;
        found.push((time, values, bends));
    }
    let whole = found.last().map_or(0.0, |knot| knot.0);
    if found.len() == 1 || whole <= 0.0 {
        return Timed { path: JointPath::still(end), seconds };
    }
    let mut all: Vec<(f64, Vec<f64>)> =
        found.into_iter().map(|(share, values, _)| (share / whole, values)).collect();
    if let Some(last) = all.last_mut() {
        *last = (1.0, end.to_vec());
    }
    let path = JointPath::new(all).expect("finite values at ascending times from 0 to 1");
    Timed { path, seconds: seconds * whole.max(1.0) }
}
