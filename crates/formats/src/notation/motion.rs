//! Motions as they are written: one grammar, of which questions, scene files and the messages of the studio are dialects.
//! Whoever reads one of them makes [`MotionText`] of it; what differs is in [`MotionGrammar`], and the parts are read
//! by the same functions.

use super::Dialect;
use super::json::{Fault, array, describe, member, number, object, shown, shown_list, vector};
use super::pose::pose_of_json;
use freiraum_geometry::path::Axis;
use freiraum_geometry::tolerance::MAX_COORDINATE;
use freiraum_geometry::{Pose, Vec3};
use freiraum_scene::{Piece, PlannerChoice, Travel};
use serde_json::Value;

/// A motion as it is written. Lengths are in metres, whatever the dialect.
#[derive(Clone, Debug)]
pub enum MotionText {
    /// Nothing moves.
    Still,
    /// Along a line by this vector.
    Translate(Vec3),
    /// About an axis.
    Rotate(Axis, Angle),
    /// About an axis and along it by so many metres.
    Screw(Axis, Angle, f64),
    /// To a pose.
    To(Pose),
    /// One after the other.
    Path(Vec<MotionPiece>),
    /// To a pose on a path that a planner has to find, one of them or any.
    Plan(Pose, Option<PlannerChoice>),
}

/// A part of a path.
#[derive(Clone, Debug)]
pub struct MotionPiece {
    /// What is done.
    pub motion: MotionText,
    /// Its share of the time beside those of the others, above 0.
    pub share: f64,
}

/// An angle in the unit it is written in, so that nothing is rounded before it has to be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Angle {
    /// 360 are a turn.
    Degrees(f64),
    /// 2 pi are a turn.
    Radians(f64),
}

impl Angle {
    /// In degrees.
    pub fn degrees(self) -> f64 {
        match self {
            Angle::Degrees(degrees) => degrees,
            Angle::Radians(radians) => radians.to_degrees(),
        }
    }

    /// In radians.
    pub fn radians(self) -> f64 {
        match self {
            Angle::Degrees(degrees) => degrees.to_radians(),
            Angle::Radians(radians) => radians,
        }
    }
}

/// The ways to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MotionKind {
    /// [`MotionText::Still`].
    Still,
    /// [`MotionText::Translate`].
    Translate,
    /// [`MotionText::Rotate`].
    Rotate,
    /// [`MotionText::Screw`].
    Screw,
    /// [`MotionText::To`].
    To,
    /// [`MotionText::Path`].
    Path,
    /// [`MotionText::Plan`].
    Plan,
}

impl MotionKind {
    /// The key that it has in every dialect.
    pub fn name(self) -> &'static str {
        match self {
            MotionKind::Still => "still",
            MotionKind::Translate => "translate",
            MotionKind::Rotate => "rotate",
            MotionKind::Screw => "screw",
            MotionKind::To => "to",
            MotionKind::Path => "path",
            MotionKind::Plan => "plan",
        }
    }

    /// The keys of several.
    pub fn names(kinds: &[MotionKind]) -> Vec<&'static str> {
        kinds.iter().map(|kind| kind.name()).collect()
    }
}

/// What a dialect allows of the grammar.
#[derive(Clone, Copy, Debug)]
pub struct MotionGrammar {
    /// The keys, one of which a motion has. (A plan is no key: scene files write `path = "plan"`.)
    pub kinds: &'static [MotionKind],
    /// What may stand in a path.
    pub in_paths: &'static [MotionKind],
    /// How deep paths may be nested in paths.
    pub nesting: usize,
    /// The keys of the angle of a turn, all of which mean the same.
    pub angle: &'static [&'static str],
}

impl MotionGrammar {
    /// That of questions: standing still, and paths in paths.
    pub const QUESTION: MotionGrammar = MotionGrammar {
        kinds: QUESTION_KINDS,
        in_paths: QUESTION_KINDS,
        nesting: 16,
        angle: &["degrees", "deg"],
    };

    /// That of scene files.
    pub const SCENE: MotionGrammar =
        MotionGrammar { kinds: SCENE_KINDS, in_paths: SIMPLE_KINDS, nesting: 0, angle: &["deg", "degrees"] };

    /// That of the messages of the studio, with angles in radians and plans beside the other kinds.
    pub const STUDIO: MotionGrammar =
        MotionGrammar { kinds: STUDIO_KINDS, in_paths: SIMPLE_KINDS, nesting: 0, angle: &["angle"] };
}

const QUESTION_KINDS: &[MotionKind] = &[
    MotionKind::Still,
    MotionKind::Translate,
    MotionKind::Rotate,
    MotionKind::Screw,
    MotionKind::To,
    MotionKind::Path,
];
const SIMPLE_KINDS: &[MotionKind] =
    &[MotionKind::Translate, MotionKind::Rotate, MotionKind::Screw, MotionKind::To];
const SCENE_KINDS: &[MotionKind] =
    &[MotionKind::Translate, MotionKind::Rotate, MotionKind::Screw, MotionKind::To, MotionKind::Path];
const STUDIO_KINDS: &[MotionKind] = &[
    MotionKind::Translate,
    MotionKind::Rotate,
    MotionKind::Screw,
    MotionKind::To,
    MotionKind::Path,
    MotionKind::Plan,
];

impl MotionText {
    /// Which of the ways to move it is.
    pub fn kind(&self) -> MotionKind {
        match self {
            MotionText::Still => MotionKind::Still,
            MotionText::Translate(_) => MotionKind::Translate,
            MotionText::Rotate(..) => MotionKind::Rotate,
            MotionText::Screw(..) => MotionKind::Screw,
            MotionText::To(_) => MotionKind::To,
            MotionText::Path(_) => MotionKind::Path,
            MotionText::Plan(..) => MotionKind::Plan,
        }
    }

    /// As a step of a scene does it; `None` if something stands still, which no step says.
    pub fn travel(self) -> Option<Travel> {
        Some(match self {
            MotionText::Still => return None,
            MotionText::Translate(by) => Travel::Translate(by),
            MotionText::Rotate(axis, angle) => Travel::Turn { axis, angle: angle.radians(), advance: 0.0 },
            MotionText::Screw(axis, angle, advance) => Travel::Turn { axis, angle: angle.radians(), advance },
            MotionText::To(pose) => Travel::To(pose),
            MotionText::Path(pieces) => {
                let piece =
                    |piece: MotionPiece| Some(Piece { travel: piece.motion.travel()?, share: piece.share });
                Travel::Path(pieces.into_iter().map(piece).collect::<Option<_>>()?)
            }
            MotionText::Plan(to, planner) => Travel::Plan { to, planner },
        })
    }
}

const EXAMPLE: &str = r#"{"translate":[0,0,0.1]}"#;

/// What a motion is expected to be, in words with an example.
pub fn motion_expected(grammar: &MotionGrammar) -> String {
    format!(
        "expected an object with one of {}, such as {EXAMPLE}",
        MotionKind::names(grammar.kinds).join(", ")
    )
}

/// A motion from JSON in the dialect of questions; `path` is where it stands.
pub fn motion_of_json(value: &Value, path: &str, dialect: &Dialect) -> Result<MotionText, Fault> {
    Reader { dialect, grammar: &MotionGrammar::QUESTION }.motion(value, path, 0)
}

struct Reader<'d> {
    dialect: &'d Dialect,
    grammar: &'d MotionGrammar,
}

impl Reader<'_> {
    fn motion(&self, value: &Value, path: &str, nesting: usize) -> Result<MotionText, Fault> {
        let (kind, body) = self.kind_of(value, path, nesting > 0)?;
        let at = member(path, kind.name());
        Ok(match kind {
            MotionKind::Still | MotionKind::Plan => {
                object(body, &at, &[], &[])?;
                MotionText::Still
            }
            MotionKind::Translate => MotionText::Translate(point_of_json(body, &at, self.dialect)?),
            MotionKind::Rotate | MotionKind::Screw => self.turning(kind, body, &at)?,
            MotionKind::To => self.straight(body, &at)?,
            MotionKind::Path => self.sequence(body, &at, nesting)?,
        })
    }

    /// The one key of the object that names a kind; pieces of a path may have a share beside it.
    fn kind_of<'v>(
        &self,
        value: &'v Value,
        path: &str,
        is_piece: bool,
    ) -> Result<(MotionKind, &'v Value), Fault> {
        let expected = || motion_expected(self.grammar);
        let Some(map) = value.as_object() else {
            return Err(Fault::new(path, format!("found {}; {}", describe(value), expected())));
        };
        let mut entries = map.iter().filter(|(key, _)| !(is_piece && *key == "share"));
        let (Some((key, body)), None) = (entries.next(), entries.next()) else {
            let keys: Vec<&str> = map.keys().map(String::as_str).collect();
            let found = match keys.as_slice() {
                [] => "an empty object".to_owned(),
                [one, "share"] | ["share", one] => {
                    let message =
                        format!("\"share\" belongs to the motions of a path; write {{\"{one}\":…}} alone");
                    return Err(Fault::new(path, message));
                }
                keys => format!("an object with {}", keys.join(", ")),
            };
            return Err(Fault::new(path, format!("found {found}; {}", expected())));
        };
        let kinds = if is_piece { self.grammar.in_paths } else { self.grammar.kinds };
        let kind = kinds.iter().find(|kind| kind.name() == key);
        let unknown = || Fault::new(path, format!("unknown motion {key:?}; {}", expected()));
        Ok((*kind.ok_or_else(unknown)?, body))
    }

    fn turning(&self, kind: MotionKind, body: &Value, at: &str) -> Result<MotionText, Fault> {
        // Scene files say `deg`, and both mean the same.
        let written: Vec<&str> =
            self.grammar.angle.iter().copied().filter(|key| body.get(key).is_some()).collect();
        let angle = match written.as_slice() {
            [] => self.grammar.angle[0],
            [one] => one,
            _ => {
                let message = "found both \"deg\" and \"degrees\", which mean the same; expected one of them";
                return Err(Fault::new(at, message));
            }
        };
        let keys: &[&str] = match kind {
            MotionKind::Rotate => &["point", "axis", angle],
            _ => &["point", "axis", angle, "advance"],
        };
        let map = object(body, at, keys, &[])?;
        let axis = turn_axis_of_json(&map["point"], &map["axis"], at, self.dialect)?;
        let degrees = Angle::Degrees(degrees_of_json(&map[angle], &member(at, angle))?);
        Ok(match map.get("advance") {
            None => MotionText::Rotate(axis, degrees),
            Some(advance) => {
                let advance = self.dialect.units.to_metres(number(advance, &member(at, "advance"))?);
                MotionText::Screw(axis, degrees, advance)
            }
        })
    }

    fn straight(&self, body: &Value, at: &str) -> Result<MotionText, Fault> {
        // A pose is an array of numbers; an array that holds one such array means the same.
        let (body, at) = match body.as_array().map(Vec::as_slice) {
            Some([inner @ (Value::Array(_) | Value::String(_))]) => (inner, format!("{at}[0]")),
            _ => (body, at.to_owned()),
        };
        pose_of_json(body, &at, self.dialect).map(MotionText::To)
    }

    fn sequence(&self, body: &Value, at: &str, nesting: usize) -> Result<MotionText, Fault> {
        let most = self.grammar.nesting;
        if nesting >= most {
            let message = format!("paths are nested deeper than {most}; write them as one path");
            return Err(Fault::new(at, message));
        }
        let items = array(body, at, "an array of motions")?;
        if items.is_empty() {
            return Err(Fault::new(at, "found an empty array, expected at least one motion"));
        }
        let shares = shares_of_json(items, at)?;
        let pieces = items.iter().zip(shares).enumerate().map(|(i, (item, share))| {
            let motion = self.motion(item, &format!("{at}[{i}]"), nesting + 1)?;
            Ok(MotionPiece { motion, share })
        });
        pieces.collect::<Result<_, Fault>>().map(MotionText::Path)
    }
}

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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::SceneFile;
    use serde_json::json;
    use std::path::Path;

    /// One path in the words of a question, of a scene file and of the studio is one motion.
    #[test]
    fn dialects_say_the_same() {
        let question = json!({"path": [
            {"translate": [0.01, 0, 0]},
            {"rotate": {"point": [0, 0, 0.5], "axis": [0, 0, 2], "degrees": 40}, "share": 0.5},
            {"screw": {"point": [0, 0, 0], "axis": [1, 0, 0], "deg": 33.3, "advance": 0.002}},
            {"to": [0, 0, 0.3]},
        ]});
        let asked = motion_of_json(&question, "", &Dialect::QUESTION).unwrap().travel().unwrap();
        let scene = r#"
            units = "mm"
            [[body]]
            name = "a"
            shape = { sphere = { radius = 1 } }
            [[step]]
            name = "s"
            move = "a"
            path = [
                { translate = [10, 0, 0] },
                { rotate = { point = [0, 0, 500], axis = [0, 0, 1], deg = 40 }, share = 0.5 },
                { screw = { point = [0, 0, 0], axis = [1, 0, 0], degrees = 33.3, advance = 2 } },
                { to = [0, 0, 300] },
            ]
        "#;
        let file = SceneFile::parse(scene, Path::new(""), "scene").unwrap();
        let written = format!("{:?}", file.scene().steps[0]);
        assert!(written.contains(&format!("{asked:?}")), "{asked:?} is not in {written}");
        let turn = |angle: Angle| angle.radians().to_bits();
        assert_eq!(turn(Angle::Radians(33.3f64.to_radians())), turn(Angle::Degrees(33.3)));
    }

    #[test]
    fn what_only_questions_say_is_no_travel() {
        let path = json!({"path": [{"still": {}}, {"path": [{"translate": [1, 0, 0]}]}]});
        let text = motion_of_json(&path, "", &Dialect::QUESTION).unwrap();
        assert_eq!(text.kind(), MotionKind::Path);
        assert!(text.travel().is_none());
        assert!(!MotionGrammar::SCENE.kinds.contains(&MotionKind::Still));
        assert!(!MotionGrammar::STUDIO.in_paths.contains(&MotionKind::Path));
    }
}
