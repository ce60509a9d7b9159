//! The parts of motions: points, axes, angles and shares of time.

use super::Dialect;
use super::json::{Fault, describe, member, number, shown, shown_list, vector};
use freiraum_geometry::Vec3;
use freiraum_geometry::tolerance::MAX_COORDINATE;
use freiraum_motion::path::Axis;
use serde_json::Value;

/// How many degrees a rotation may have: a million turns. Beyond that nearly nothing is left of the digits within a turn.
pub const MAX_DEGREES: f64 = 360.0e6;

/// A point or a shift, in metres.
pub fn point_of_json(value: &Value, path: &str, dialect: &Dialect) -> Result<Vec3, Fault> {
    let written = vector(value, path)?;
    let found = written.map(|x| dialect.units.to_metres(x));
    if found.abs().max_element() > MAX_COORDINATE {
        let found = shown_list(&written.to_array());
        let (most, units) = (dialect.farthest(), dialect.units);
        return Err(Fault::new(
            path,
            format!("found {found}, expected coordinates up to {most:.0e} {units}"),
        ));
    }
    Ok(found)
}

/// The axis of a rotation from a point and a direction, the members `point` and `axis` of what stands at `path`.
pub fn turn_axis_of_json(
    point: &Value,
    direction: &Value,
    path: &str,
    dialect: &Dialect,
) -> Result<Axis, Fault> {
    let point = point_of_json(point, &member(path, "point"), dialect)?;
    let at = member(path, "axis");
    let direction = vector(direction, &at)?;
    Axis::new(point, direction).ok_or_else(|| {
        let found = shown_list(&direction.to_array());
        Fault::new(&at, format!("found {found}, expected a direction that is not zero"))
    })
}

/// An angle in degrees.
pub fn degrees_of_json(value: &Value, path: &str) -> Result<f64, Fault> {
    let degrees = number(value, path)?;
    if degrees.abs() > MAX_DEGREES {
        let message =
            format!("found {}, expected at most {MAX_DEGREES} degrees, a million turns", describe(value));
        return Err(Fault::new(path, message));
    }
    Ok(degrees)
}

/// The share of time of every motion of a path, together 1: `share` of each, or equal parts of what the others leave.
pub fn shares_of_json(items: &[Value], at: &str) -> Result<Vec<f64>, Fault> {
    let mut written = Vec::with_capacity(items.len());
    for (i, item) in items.iter().enumerate() {
        let share_at = format!("{at}[{i}].share");
        let share = item.get("share").filter(|share| !share.is_null());
        let number = share.map(|share| number(share, &share_at)).transpose()?;
        if let Some(share) = share.filter(|_| number.is_some_and(|share| share <= 0.0)) {
            let message = format!("found {}, expected a number above 0", describe(share));
            return Err(Fault::new(&share_at, message));
        }
        written.push(number);
    }
    let sum: f64 = written.iter().flatten().sum();
    let missing = written.iter().filter(|share| share.is_none()).count();
    let (scale, rest) = match missing {
        0 => (1.0 / sum, 0.0),
        _ if sum < 1.0 => (1.0, (1.0 - sum) / missing as f64),
        _ => {
            let message = format!(
                "the shares add up to {}, which leaves no time for the others; expected less than 1, \
                 or a share for every motion",
                shown(sum)
            );
            return Err(Fault::new(at, message));
        }
    };
    let shares: Vec<f64> = written.iter().map(|share| share.map_or(rest, |share| scale * share)).collect();
    // A share may vanish beside the others, or the sum may be infinite.
    match shares.iter().position(|share| !(*share > f64::EPSILON)) {
        None => Ok(shares),
        Some(i) => {
            let message = "this share is nothing beside the others; expected shares of similar size";
            Err(Fault::new(&format!("{at}[{i}].share"), message))
        }
    }
}
