//! Poses as text and as JSON: 3, 6 or 7 numbers, or an object.

use super::Dialect;
use super::json::{Fault, describe, member, number, numbers, object, shown, shown_list, vector};
use freiraum_geometry::tolerance::{MAX_COORDINATE, UNIT_QUATERNION};
use freiraum_geometry::{Pose, Quat, Vec3};
use serde_json::Value;

const EXPECTED: &str =
    "3 numbers x,y,z, or 6 with roll,pitch,yaw in degrees, or 7 with a quaternion qx,qy,qz,qw";

/// A pose from a comma list such as `1,2,0.5` or `0,0,0,0,0,90`, in metres and degrees.
pub fn pose_of_text(text: &str) -> Result<Pose, String> {
    pose_of_list(text, &Dialect::QUESTION)
}

fn pose_of_list(text: &str, dialect: &Dialect) -> Result<Pose, String> {
    let numbers = text
        .split(',')
        .map(|part| {
            let part = part.trim();
            part.parse::<f64>()
                .ok()
                .filter(|x| x.is_finite())
                .ok_or_else(|| format!("`{part}` is no finite number"))
        })
        .collect::<Result<Vec<f64>, String>>()?;
    pose_of_numbers(&numbers, dialect)
}

/// A pose from a JSON array of 3, 6 or 7 numbers, from a string with a comma list, or from an object with `position` and
/// `rpy_deg` or `quaternion`, each of which may be missing.
pub fn pose_of_json(value: &Value, path: &str, dialect: &Dialect) -> Result<Pose, Fault> {
    let fault = |message: String| Fault::new(path, message);
    match value {
        Value::String(text) if dialect.has_text => pose_of_list(text, dialect).map_err(fault),
        Value::Array(items) => {
            let each = items.iter().enumerate().map(|(i, item)| number(item, &format!("{path}[{i}]")));
            pose_of_numbers(&each.collect::<Result<Vec<f64>, Fault>>()?, dialect).map_err(fault)
        }
        Value::Object(map) if !map.is_empty() => pose_of_object(value, path, dialect),
        other => Err(fault(format!("found {}, expected an array of {EXPECTED}", describe(other)))),
    }
}

fn pose_of_object(value: &Value, path: &str, dialect: &Dialect) -> Result<Pose, Fault> {
    let map = object(value, path, &[], &["position", "rpy_deg", "quaternion"])?;
    if map.contains_key("rpy_deg") && map.contains_key("quaternion") {
        return Err(Fault::new(path, "found both rpy_deg and quaternion, expected one of them"));
    }
    let at = |key: &str| member(path, key);
    let position = map.get("position").map(|p| vector(p, &at("position"))).transpose()?;
    let position = position.unwrap_or(Vec3::ZERO).to_array();
    if let Some(angles) = map.get("rpy_deg") {
        let angles = numbers::<3>(angles, &at("rpy_deg"))?;
        let all = [position, angles].concat();
        return pose_of_numbers(&all, dialect).map_err(|message| Fault::new(&at("rpy_deg"), message));
    }
    if let Some(quaternion) = map.get("quaternion") {
        let quaternion = numbers::<4>(quaternion, &at("quaternion"))?;
        let all = [&position[..], &quaternion].concat();
        return pose_of_numbers(&all, dialect).map_err(|message| Fault::new(&at("quaternion"), message));
    }
    pose_of_numbers(&position, dialect).map_err(|message| Fault::new(path, message))
}

/// Three numbers from a comma list.
pub fn vector_of_text(text: &str) -> Result<Vec3, String> {
    let fault = || format!("`{text}` is no vector; expected 3 finite numbers x,y,z");
    let numbers: Option<Vec<f64>> = text.split(',').map(|part| part.trim().parse().ok()).collect();
    match numbers.as_deref() {
        Some(&[x, y, z]) if x.is_finite() && y.is_finite() && z.is_finite() => Ok(Vec3::new(x, y, z)),
        _ => Err(fault()),
    }
}

fn pose_of_numbers(numbers: &[f64], dialect: &Dialect) -> Result<Pose, String> {
    let &[x, y, z, ..] = numbers else {
        return Err(format!("found {} numbers, expected {EXPECTED}", numbers.len()));
    };
    let translation = Vec3::new(x, y, z).map(|x| dialect.units.to_metres(x));
    if dialect.is_strict && translation.abs().max_element() > MAX_COORDINATE {
        return Err(format!(
            "found the position {}, expected coordinates up to {:.0e} {}",
            shown_list(&[x, y, z]),
            dialect.farthest(),
            dialect.units
        ));
    }
    match numbers[3..] {
        [] => Ok(Pose::from_translation(translation)),
        [roll, pitch, yaw] => {
            let [roll, pitch, yaw] = [roll, pitch, yaw].map(f64::to_radians);
            Pose::from_zyx_euler(roll, pitch, yaw, translation)
                .ok_or_else(|| "the angles are not finite".to_owned())
        }
        [x, y, z, w] => {
            let length = Quat::from_xyzw(x, y, z, w).length();
            if dialect.is_strict && !((length - 1.0).abs() <= UNIT_QUATERNION) {
                let found = shown_list(&[x, y, z, w]);
                let unit = Quat::from_xyzw(x, y, z, w) / length;
                if !(length > 0.0 && length.is_finite()) {
                    return Err(format!("the quaternion {found} is no rotation; not turned is [0, 0, 0, 1]"));
                }
                let rounded = unit.to_array().map(|x| (1e6 * x).round() / 1e6 + 0.0);
                return Err(format!(
                    "the quaternion {found} has the length {}, expected 1; with that length it is {}",
                    shown((1e3 * length).round() / 1e3),
                    shown_list(&rounded)
                ));
            }
            Pose::new(Quat::from_xyzw(x, y, z, w), translation).ok_or_else(|| {
                "the quaternion 0,0,0,0 is no rotation; expected qx,qy,qz,qw not all zero".to_owned()
            })
        }
        _ => Err(format!("found {} numbers, expected {EXPECTED}", numbers.len())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn three_six_and_seven_numbers() {
        let p = Vec3::new(1.0, 0.0, 0.0);
        let check = |text: &str, expected: Vec3| {
            let found = pose_of_text(text).unwrap().transform_point(p);
            assert!((found - expected).length() < 1e-15, "{text}: {found}");
        };
        check("1,2,3", Vec3::new(2.0, 2.0, 3.0));
        check(" 0, 0 ,0, 0,0,90", Vec3::Y);
        check("0,0,0,0,90,0", -Vec3::Z);
        check("0,0,1,0,0,0,2", Vec3::new(1.0, 0.0, 1.0));
        let array = pose_of_json(&json!([0, 0, 0, 0, 0, 90]), "pose_a", &Dialect::QUESTION).unwrap();
        assert_eq!(array, pose_of_text("0,0,0,0,0,90").unwrap());
        assert_eq!(pose_of_json(&json!("0,0,0,0,0,90"), "pose_a", &Dialect::QUESTION).unwrap(), array);
    }

    #[test]
    fn what_is_no_pose_is_refused() {
        for (text, part) in [
            ("1,2", "found 2 numbers"),
            ("1,2,3,4", "found 4 numbers"),
            ("1,2,x", "`x` is no finite number"),
            ("1,2,NaN", "`NaN` is no finite number"),
            ("1,2,inf", "`inf` is no finite number"),
            ("1,2,1e999", "`1e999` is no finite number"),
            ("", "`` is no finite number"),
            ("0,0,0,0,0,0,0", "the quaternion 0,0,0,0"),
        ] {
            let message = pose_of_text(text).unwrap_err();
            assert!(message.contains(part), "{text}: {message}");
        }
        let message =
            pose_of_json(&json!([1, "2", 3]), "pose_a", &Dialect::QUESTION).unwrap_err().to_string();
        assert_eq!(message, "pose_a[1]: found the string \"2\", expected a finite number");
        let message = pose_of_json(&json!({}), "pose_a", &Dialect::QUESTION).unwrap_err().to_string();
        assert!(message.starts_with("pose_a: found an object, expected an array of 3 numbers"), "{message}");
    }

    #[test]
    fn objects_and_units() {
        let check = |value: serde_json::Value, same: serde_json::Value| {
            let dialect = Dialect::scene(freiraum_geometry::Unit::Millimetre);
            let found = pose_of_json(&value, "pose", &dialect).unwrap();
            assert_eq!(found, pose_of_json(&same, "pose", &Dialect::QUESTION).unwrap(), "{value}");
        };
        check(json!([1, 2, 3]), json!([0.001, 0.002, 0.003]));
        check(json!({"position": [1, 2, 3]}), json!([0.001, 0.002, 0.003]));
        check(json!({"rpy_deg": [0, 0, 90]}), json!([0, 0, 0, 0, 0, 90]));
        check(
            json!({"position": [0, 0, 7], "quaternion": [0, 0, 0.6001, 0.8]}),
            json!([0, 0, 0.007, 0, 0, 0.6001, 0.8]),
        );
        let fault = |value: serde_json::Value| {
            pose_of_json(&value, "pose", &Dialect::scene(freiraum_geometry::Unit::Metre))
                .unwrap_err()
                .to_string()
        };
        assert!(fault(json!("1,2,3")).starts_with("pose: found the string"));
        assert!(
            fault(json!([0, 0, 0, 0, 0, 1, 1])).contains(
                "has the length 1.414, expected 1; with that length it is [0, 0, 0.707107, 0.707107]"
            )
        );
        assert!(fault(json!({"quaternion": [0, 0, 0, 0]})).starts_with("pose.quaternion: "));
        assert!(fault(json!({"position": [0, 0, 1e51]})).contains("up to 1e50 m"));
        assert!(fault(json!({"at": [0, 0, 0]})).starts_with("pose: unknown key \"at\""));
    }
}
