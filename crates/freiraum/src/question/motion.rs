//! Motions as JSON.

use super::QuestionError;
use freiraum_check::words::symbol;
use freiraum_formats::notation::json::{Fault, member};
use freiraum_formats::notation::{
    self, Dialect, MAX_DEGREES, MotionGrammar, MotionPiece, MotionText, motion_expected,
};
use freiraum_geometry::math::Screw;
use freiraum_geometry::path::{Axis, Motion, Sequence, Straight, UniformMotion};
use freiraum_geometry::tolerance::MAX_COORDINATE;
use freiraum_geometry::{Pose, Unit, Vec3};
use serde_json::Value;
use std::fmt;
use std::sync::Arc;

/// A motion over t in [0, 1] as it was written: for solvers, and in words.
#[derive(Clone)]
pub struct WrittenMotion {
    motion: Arc<dyn Motion>,
    steps: Vec<Step>,
}

/// A part of a motion that has a name.
#[derive(Clone, Debug)]
struct Step {
    /// From when to when.
    time: [f64; 2],
    what: What,
}

/// What a body does, with the whole of it.
#[derive(Clone, Copy, Debug, PartialEq)]
enum What {
    Still,
    Translate(f64),
    Rotate(f64),
    Screw { degrees: f64, advance: f64 },
    To { shift: f64, degrees: f64 },
}

impl WrittenMotion {
    /// At this pose for all times.
    pub fn still(pose: Pose) -> WrittenMotion {
        WrittenMotion::simple(UniformMotion::still(pose), What::Still)
    }

    /// The motion for solvers.
    pub fn motion(&self) -> &dyn Motion {
        &*self.motion
    }

    /// True if it was written as standing still.
    pub fn is_still(&self) -> bool {
        self.steps.iter().all(|step| step.what == What::Still)
    }

    /// Where in the motion the time t is, which is known to within `error`, such as `0.312 m of 1 m` or `step 2 of 3, 45° of 90°`; lengths are
    /// in `units`.
    pub fn progress(&self, t: f64, error: f64, units: Unit) -> String {
        let index = self.steps.partition_point(|step| step.time[1] < t).min(self.steps.len() - 1);
        let step = &self.steps[index];
        let share = ((t - step.time[0]) / (step.time[1] - step.time[0])).clamp(0.0, 1.0);
        let within = step.what.progress(share, error / (step.time[1] - step.time[0]), units);
        match self.steps.len() {
            1 => within,
            count => format!("step {} of {count}, {within}", index + 1),
        }
    }

    fn simple(motion: impl Motion + 'static, what: What) -> WrittenMotion {
        WrittenMotion { motion: Arc::new(motion), steps: vec![Step { time: [0.0, 1.0], what }] }
    }
}

impl fmt::Debug for WrittenMotion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(&self.steps).finish()
    }
}

impl What {
    fn progress(self, share: f64, error: f64, units: Unit) -> String {
        let of = |whole: f64, unit: &str| {
            format!("{}{unit} of {}{unit}", short(share * whole, error * whole.abs()), short(whole, 0.0))
        };
        let length = |metres: f64| of(units.from_metres(metres), &format!(" {}", symbol(units)));
        match self {
            What::Still => "standing still".to_owned(),
            What::Translate(shift) => length(shift),
            What::Rotate(degrees) | What::To { shift: 0.0, degrees } => of(degrees, "°"),
            What::Screw { degrees, advance } => {
                format!("{}, {} along the axis", of(degrees, "°"), length(advance))
            }
            What::To { shift, degrees: 0.0 } => length(shift),
            What::To { shift, degrees } => format!("{}, {}", length(shift), of(degrees, "°")),
        }
    }
}

/// Four significant digits, fewer if they are not known: where it is, not an answer.
fn short(x: f64, error: f64) -> String {
    if x == 0.0 {
        return "0".to_owned();
    }
    let magnitude = x.abs().log10().floor();
    let digits = if error > 0.0 { (magnitude - error.log10().ceil() + 1.0).clamp(1.0, 4.0) } else { 4.0 };
    let decimals = (digits - 1.0 - magnitude) as i32;
    if (0..10).contains(&decimals) {
        let text = format!("{x:.*}", decimals as usize);
        return if text.contains('.') {
            text.trim_end_matches('0').trim_end_matches('.').to_owned()
        } else {
            text
        };
    }
    if decimals < 0 && x.abs() < 10.0 * MAX_DEGREES { format!("{x:.0}") } else { format!("{x:.3e}") }
}

/// A motion from the command line, where it is the option `name`, with lengths in `units`; it starts at `start`.
pub fn motion_of_text(
    text: &str,
    name: &str,
    start: &Pose,
    units: Unit,
) -> Result<WrittenMotion, QuestionError> {
    let value = serde_json::from_str(text).map_err(|e| {
        let found = if text.contains('{') {
            format!("no valid JSON: {e}")
        } else {
            format!(
                "no valid JSON: found {text:?}, and a motion is no file (but \"$(cat FILE)\" is its text)"
            )
        };
        let message = format!("{name}: {found}; {}", motion_expected(&MotionGrammar::QUESTION));
        QuestionError::new("json", message)
    })?;
    motion_of_json(&value, name, start, units)
}

/// A motion from JSON with lengths in `units`; `path` is where it stands.
pub(super) fn motion_of_json(
    value: &Value,
    path: &str,
    start: &Pose,
    units: Unit,
) -> Result<WrittenMotion, QuestionError> {
    let read = || moving(&notation::motion_of_json(value, path, &Dialect::question(units))?, path, start);
    read().map_err(|f| QuestionError::new("motion", f))
}

/// The motion that is written, from `start` on; `path` is where it stands.
fn moving(text: &MotionText, path: &str, start: &Pose) -> Result<WrittenMotion, Fault> {
    let at = member(path, text.kind().name());
    let found = match text {
        MotionText::Still | MotionText::Plan(..) => WrittenMotion::still(*start),
        MotionText::Translate(by) => {
            WrittenMotion::simple(UniformMotion::translation(*start, *by), What::Translate(by.length()))
        }
        MotionText::Rotate(axis, angle) => {
            let motion = UniformMotion::rotation(*start, *axis, angle.radians());
            WrittenMotion::simple(motion, What::Rotate(angle.degrees()))
        }
        MotionText::Screw(axis, angle, advance) => {
            let motion = UniformMotion::screw(*start, *axis, angle.radians(), *advance);
            WrittenMotion::simple(motion, What::Screw { degrees: angle.degrees(), advance: *advance })
        }
        MotionText::To(end) => {
            let shift = (end.translation() - start.translation()).length();
            let degrees = match start.screw_to(end) {
                Screw::Translation(_) => 0.0,
                Screw::Rotation(turn) => turn.angle.to_degrees(),
            };
            WrittenMotion::simple(Straight::new(*start, *end), What::To { shift, degrees })
        }
        MotionText::Path(pieces) => {
            let (mut from, mut time) = (*start, 0.0);
            let mut motions: Vec<(f64, Arc<dyn Motion>)> = Vec::new();
            let mut steps = Vec::new();
            for (i, MotionPiece { motion, share }) in pieces.iter().enumerate() {
                let piece = moving(motion, &format!("{at}[{i}]"), &from)?;
                from = piece.motion.pose(1.0);
                steps.extend(
                    piece
                        .steps
                        .into_iter()
                        .map(|step| Step { time: step.time.map(|t| time + share * t), ..step }),
                );
                time += share;
                motions.push((*share, piece.motion));
            }
            let motion = Sequence::new(motions).map_err(|e| Fault::new(&at, e))?;
            return Ok(WrittenMotion { motion: Arc::new(motion), steps });
        }
    };
    let end = found.motion.pose(1.0).translation();
    if !(end.abs().max_element() <= MAX_COORDINATE) {
        let end = end.to_array();
        let message = format!(
            "the body ends at {end:?}, expected coordinates of magnitude at most {MAX_COORDINATE:e} m"
        );
        return Err(Fault::new(&at, message));
    }
    Ok(found)
}

/// An axis from a comma list of a point in metres and a direction.
pub fn axis_of_text(text: &str) -> Result<Axis, String> {
    let fault = || format!("`{text}` is no axis; expected 6 finite numbers px,py,pz,ax,ay,az");
    let numbers: Option<Vec<f64>> = text.split(',').map(|part| part.trim().parse().ok()).collect();
    let numbers: [f64; 6] = numbers.and_then(|n| n.try_into().ok()).ok_or_else(fault)?;
    axis_of_numbers(numbers).map_err(|f| f.to_string())
}

/// An axis from a JSON array of 6 numbers, or from a string with a comma list; its point is in `units`.
pub(super) fn axis_of_json(value: &Value, path: &str, units: Unit) -> Result<Axis, Fault> {
    let written = match value {
        Value::String(text) => axis_of_text(text).map_err(|message| Fault::new(path, message)),
        _ => axis_of_numbers(freiraum_formats::notation::json::numbers::<6>(value, path)?)
            .map_err(|fault| Fault::new(path, fault)),
    }?;
    Ok(Axis { point: written.point.map(|x| units.to_metres(x)), ..written })
}

fn axis_of_numbers([px, py, pz, ax, ay, az]: [f64; 6]) -> Result<Axis, Fault> {
    let (point, direction) = (Vec3::new(px, py, pz), Vec3::new(ax, ay, az));
    if !(point.is_finite() && direction.is_finite() && point.abs().max_element() <= MAX_COORDINATE) {
        let message = format!("expected finite coordinates of magnitude at most {MAX_COORDINATE:e} m");
        return Err(Fault::new("", message));
    }
    Axis::new(point, direction)
        .ok_or_else(|| Fault::new("", "the direction 0,0,0 is none; expected ax,ay,az not all zero"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;
    use std::f64::consts::FRAC_PI_2;

    fn read(value: &Value) -> WrittenMotion {
        motion_of_json(value, "motion_a", &Pose::from_translation(Vec3::X), Unit::Metre).unwrap()
    }

    /// Where the motion takes the origin of the body by t; it starts at x = 1.
    #[track_caller]
    fn check(value: Value, t: f64, expected: [f64; 3], progress: &str) {
        let found = read(&value);
        let there = found.motion().pose(t).translation();
        assert!(there.distance(Vec3::from_array(expected)) < 1e-12, "{value}: {there}");
        assert_eq!(found.progress(t, 0.0, Unit::Metre), progress, "{value}");
    }

    #[test]
    fn every_kind_starts_at_the_pose() {
        let z = [0.0, 0.0, 1.0];
        check(json!({"still": {}}), 0.5, [1.0, 0.0, 0.0], "standing still");
        check(json!({"translate": [0, 2, 0]}), 0.25, [1.0, 0.5, 0.0], "0.5 m of 2 m");
        let turn = json!({"rotate": {"point": [0, 0, 0], "axis": [0, 0, 3], "degrees": 180}});
        check(turn, 0.5, [0.0, 1.0, 0.0], "90° of 180°");
        let short = json!({"rotate": {"point": [0, 0, 0], "axis": [0, 0, 3], "deg": 180}});
        check(short, 0.5, [0.0, 1.0, 0.0], "90° of 180°");
        let screw = json!({"screw": {"point": [0, 0, 0], "axis": z, "degrees": -180, "advance": 0.1}});
        check(screw, 0.5, [0.0, -1.0, 0.05], "-90° of -180°, 0.05 m of 0.1 m along the axis");
        check(json!({"to": [1, 1, 0]}), 0.5, [1.0, 0.5, 0.0], "0.5 m of 1 m");
        check(json!({"to": [[1, 1, 0]]}), 0.5, [1.0, 0.5, 0.0], "0.5 m of 1 m");
        check(json!({"to": [1, 0, 0, 0, 0, 90]}), 0.5, [1.0, 0.0, 0.0], "45° of 90°");
        check(json!({"to": [1, 1, 0, 0, 0, 90]}), 1.0, [1.0, 1.0, 0.0], "1 m of 1 m, 90° of 90°");
        let end = read(&json!({"to": "0,0,0,0,0,90"})).motion().pose(1.0);
        assert!(
            end.rotation().angle_between(Pose::from_axis_angle(Vec3::Z, FRAC_PI_2).unwrap().rotation())
                < 1e-12
        );
    }

    #[test]
    fn an_angle_is_given_once() {
        let of = |angle: Value| {
            let mut turn = json!({"point": [0, 0, 0], "axis": [0, 0, 1], "advance": 1});
            turn.as_object_mut().unwrap().extend(angle.as_object().unwrap().clone());
            motion_of_json(&json!({"screw": turn}), "motion_a", &Pose::IDENTITY, Unit::Metre)
        };
        assert!(of(json!({"deg": 90})).is_ok() && of(json!({"degrees": 90})).is_ok());
        let both = of(json!({"deg": 90, "degrees": 90})).unwrap_err().message;
        assert!(both.contains("motion_a.screw") && both.contains("both"), "{both}");
        let none = of(json!({})).unwrap_err().message;
        assert!(none.contains("\"degrees\" is missing"), "{none}");
        let many = of(json!({"deg": 1e300})).unwrap_err().message;
        assert!(many.contains("motion_a.screw.deg"), "{many}");
    }

    #[test]
    fn the_pieces_of_a_path_follow_each_other() {
        let path = json!({"path": [
            {"translate": [1, 0, 0]},
            {"rotate": {"point": [0, 0, 0], "axis": [0, 0, 1], "degrees": 90}},
        ]});
        check(path.clone(), 0.25, [1.5, 0.0, 0.0], "step 1 of 2, 0.5 m of 1 m");
        check(path.clone(), 1.0, [0.0, 2.0, 0.0], "step 2 of 2, 90° of 90°");
        let shares = json!({"path": [{"translate": [1, 0, 0], "share": 3}, {"still": {}, "share": 1}]});
        check(shares, 0.375, [1.5, 0.0, 0.0], "step 1 of 2, 0.5 m of 1 m");
        // What is left of the time is for those without a share.
        let some = json!({"path": [{"translate": [1, 0, 0], "share": 0.5}, {"still": {}}, {"translate": [0, 1, 0]}]});
        check(some, 0.875, [2.0, 0.5, 0.0], "step 3 of 3, 0.5 m of 1 m");
        let nested = json!({"path": [{"still": {}}, {"path": [{"still": {}}, {"translate": [0, 0, 1]}]}]});
        check(nested, 0.875, [1.0, 0.0, 0.5], "step 3 of 3, 0.5 m of 1 m");
        assert!(read(&json!({"path": [{"still": {}}]})).is_still() && !read(&path).is_still());
    }

    #[test]
    fn what_is_no_motion_is_refused_with_its_place() {
        let turn = |point: Value, axis: Value, degrees: Value| json!({"rotate": {"point": point, "axis": axis, "degrees": degrees}});
        let (o, z) = (json!([0, 0, 0]), json!([0, 0, 1]));
        let deep = (0..20).fold(json!({"still": {}}), |inner, _| json!({"path": [inner]}));
        for (value, part) in [
            (json!("down"), "motion_a: found the string \"down\"; expected an object with one of still"),
            (json!({}), "motion_a: found an empty object"),
            (json!({"still": {}, "translate": [1, 0, 0]}), "motion_a: found an object with still, translate"),
            (
                json!({"translate": [1, 0, 0], "share": 1}),
                "motion_a: \"share\" belongs to the motions of a path",
            ),
            (json!({"fly": [1, 0, 0]}), "motion_a: unknown motion \"fly\"; expected"),
            (json!({"still": 3}), "motion_a.still: found the number 3"),
            (
                json!({"translate": [1, 0]}),
                "motion_a.translate: found an array of 2, expected an array of 3 numbers",
            ),
            (
                json!({"translate": [1, 0, null]}),
                "motion_a.translate[2]: found null, expected a finite number",
            ),
            (
                json!({"translate": [1e60, 0, 0]}),
                "motion_a.translate: found [1e60, 0, 0], expected coordinates",
            ),
            (turn(json!([0, 0]), z.clone(), json!(1)), "motion_a.rotate.point: found an array of 2"),
            (
                turn(o.clone(), o.clone(), json!(1)),
                "motion_a.rotate.axis: found [0, 0, 0], expected a direction",
            ),
            (turn(o.clone(), z.clone(), json!("90")), "motion_a.rotate.degrees: found the string \"90\""),
            (
                turn(o.clone(), z.clone(), json!(1e12)),
                "motion_a.rotate.degrees: found the number 1e12, expected at most",
            ),
            (json!({"rotate": {"axis": [0, 0, 1], "degrees": 9}}), "motion_a.rotate: \"point\" is missing"),
            (
                json!({"screw": {"point": [0, 0, 0], "axis": [0, 0, 1], "degrees": 9, "pitch": 1}}),
                "motion_a.screw: \"advance\" is missing, \"pitch\" is unknown; expected",
            ),
            (
                json!({"screw": {"point": [0, 0, 0], "axis": [0, 0, 1], "degrees": 0, "advance": 1e60}}),
                "motion_a.screw: the body ends at [1.0, 0.0, 1e60]",
            ),
            (json!({"to": [1]}), "motion_a.to: found 1 numbers"),
            (json!({"to": 1}), "motion_a.to: found the number 1"),
            (json!({"path": []}), "motion_a.path: found an empty array"),
            (json!({"path": {}}), "motion_a.path: found an object, expected an array of motions"),
            (
                json!({"path": [{"still": {}}, {"translate": 1}]}),
                "motion_a.path[1].translate: found the number 1",
            ),
            (
                json!({"path": [{"still": {}, "share": 0}]}),
                "motion_a.path[0].share: found the number 0, expected a number above 0",
            ),
            (json!({"path": [{"still": {}, "share": "x"}]}), "motion_a.path[0].share: found the string"),
            (
                json!({"path": [{"still": {}, "share": 2}, {"still": {}}]}),
                "motion_a.path: the shares add up to 2",
            ),
            (
                json!({"path": [{"still": {}, "share": 1}, {"still": {}, "share": 1e-300}]}),
                "motion_a.path[1].share: this share is nothing",
            ),
            (
                json!({"path": [{"still": {}, "share": 1e308}, {"still": {}, "share": 1e308}]}),
                "motion_a.path[0].share: ",
            ),
            (deep, "paths are nested deeper than 16"),
        ] {
            let found = motion_of_json(&value, "motion_a", &Pose::from_translation(Vec3::X), Unit::Metre);
            let error = found.unwrap_err();
            assert!(error.message.starts_with(part) || error.message.contains("nested"), "{value}: {error}");
            assert!(error.message.contains(part) && error.code == "motion", "{value}: {error}");
        }
        let error = motion_of_text("{\"still\":", "--motion-a", &Pose::IDENTITY, Unit::Metre).unwrap_err();
        assert!(error.code == "json" && error.message.starts_with("--motion-a: no valid JSON: "), "{error}");
    }

    #[test]
    fn axes_as_text_and_json() {
        let axis = axis_of_text(" 1,2,3, 0,0,-2").unwrap();
        assert_eq!((axis.point, axis.direction), (Vec3::new(1.0, 2.0, 3.0), -Vec3::Z));
        assert_eq!(axis_of_json(&json!([1, 2, 3, 0, 0, -2]), "axis", Unit::Metre).unwrap(), axis);
        assert_eq!(axis_of_json(&json!("1,2,3,0,0,-2"), "axis", Unit::Metre).unwrap(), axis);
        for text in
            ["1,2,3", "", "0,0,0,0,0,0", "0,0,0,0,0,NaN", "inf,0,0,0,0,1", "1e60,0,0,0,0,1", "0,0,0,0,0,1,1"]
        {
            assert!(axis_of_text(text).is_err(), "{text}");
        }
        let message = axis_of_json(&json!([0, 0, 0, 0, 0, 0]), "axis", Unit::Metre).unwrap_err().to_string();
        assert!(message.starts_with("axis: the direction 0,0,0 is none"), "{message}");
    }
}
