//! Places and motions in plain numbers, and how questions and scene files write them. An oracle for motions: it shares no code with what it judges.

use glam::{DQuat, DVec3};

/// Where a body is: first turned, then shifted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Place {
    /// The rotation, a unit quaternion.
    pub turn: DQuat,
    /// The position of the body's origin, in metres.
    pub at: DVec3,
}

impl Place {
    /// At the origin.
    pub const ORIGIN: Place = Place { turn: DQuat::IDENTITY, at: DVec3::ZERO };

    /// Shifted only.
    pub fn at(at: DVec3) -> Place {
        Place { turn: DQuat::IDENTITY, at }
    }

    /// A point of the body in the world.
    pub fn point(&self, p: DVec3) -> DVec3 {
        self.turn * p + self.at
    }

    /// This place as seen from a body at another one. The difference of the positions is taken first, so that places far from the origin lose nothing.
    pub fn seen_from(&self, from: &Place) -> Place {
        let back = from.turn.conjugate();
        Place { turn: back * self.turn, at: back * (self.at - from.at) }
    }

    /// The same place in a world shifted by `by`.
    pub fn shifted(&self, by: DVec3) -> Place {
        Place { at: self.at + by, ..*self }
    }

    /// `[x,y,z]` or `[x,y,z,qx,qy,qz,qw]`, with lengths in units of which a metre has `per_metre`.
    pub fn text(&self, per_metre: f64) -> String {
        let p = self.at * per_metre;
        if self.turn == DQuat::IDENTITY {
            return vector(p);
        }
        let q = self.turn;
        format!("[{:?},{:?},{:?},{:?},{:?},{:?},{:?}]", p.x, p.y, p.z, q.x, q.y, q.z, q.w)
    }
}

/// A motion over t in [0, 1] from the place where a body is.
#[derive(Clone, Debug, PartialEq)]
pub enum Way {
    /// None.
    Still,
    /// Along a line by this much.
    Translate(DVec3),
    /// About an axis of the world, and along it by `advance` metres together with the turn.
    Screw {
        /// A point of the axis.
        point: DVec3,
        /// The direction of the axis, of any length.
        axis: DVec3,
        /// The whole angle.
        degrees: f64,
        /// How far along the axis in all.
        advance: f64,
    },
    /// To a place: the origin on a line, the shortest rotation.
    To(Place),
    /// One after the other, each with an equal share of the time.
    Path(Vec<Way>),
}

impl Way {
    /// Where a body that starts at `from` is at t.
    pub fn place(&self, from: &Place, t: f64) -> Place {
        match self {
            Way::Still => *from,
            Way::Translate(by) => Place { at: from.at + t * *by, ..*from },
            Way::Screw { point, axis, degrees, advance } => {
                let axis = axis.normalize_or_zero();
                // Whole turns are taken away in degrees, where they are exact.
                let angle = (t * degrees % 360.0).to_radians();
                let turn = DQuat::from_axis_angle(axis, angle);
                let at = *point + turn * (from.at - *point) + t * advance * axis;
                Place { turn: (turn * from.turn).normalize(), at }
            }
            Way::To(to) => {
                let to_turn = if from.turn.dot(to.turn) < 0.0 { -to.turn } else { to.turn };
                let (axis, angle) = (to_turn * from.turn.conjugate()).normalize().to_axis_angle();
                let turn = DQuat::from_axis_angle(axis, t * angle) * from.turn;
                Place { turn: turn.normalize(), at: from.at + t * (to.at - from.at) }
            }
            Way::Path(ways) => {
                let count = ways.len() as f64;
                let mut place = *from;
                for (k, way) in ways.iter().enumerate() {
                    let share = (t * count - k as f64).clamp(0.0, 1.0);
                    place = way.place(&place, share);
                    if share < 1.0 {
                        break;
                    }
                }
                place
            }
        }
    }

    /// How many degrees it turns in all.
    pub fn degrees(&self) -> f64 {
        match self {
            Way::Still | Way::Translate(_) => 0.0,
            Way::Screw { degrees, .. } => degrees.abs(),
            Way::To(_) => 180.0,
            Way::Path(ways) => ways.iter().map(Way::degrees).sum(),
        }
    }

    /// How far out it is written and goes, in metres.
    pub fn reach(&self) -> f64 {
        match self {
            Way::Still => 0.0,
            Way::Translate(by) => by.length(),
            Way::Screw { point, advance, .. } => point.length() + advance.abs(),
            Way::To(to) => to.at.length(),
            Way::Path(ways) => ways.iter().map(Way::reach).sum(),
        }
    }

    /// The same motion in a world shifted by `by`.
    pub fn shifted(&self, by: DVec3) -> Way {
        match self {
            Way::Still => Way::Still,
            Way::Translate(way) => Way::Translate(*way),
            Way::Screw { point, axis, degrees, advance } => {
                Way::Screw { point: *point + by, axis: *axis, degrees: *degrees, advance: *advance }
            }
            Way::To(to) => Way::To(to.shifted(by)),
            Way::Path(ways) => Way::Path(ways.iter().map(|way| way.shifted(by)).collect()),
        }
    }

    /// As questions write it, in metres.
    pub fn json(&self) -> String {
        match self {
            Way::Still => r#"{"still":{}}"#.to_owned(),
            Way::Translate(by) => format!(r#"{{"translate":{}}}"#, vector(*by)),
            Way::Screw { point, axis, degrees, advance } => {
                let (kind, more) = match advance {
                    0.0 => ("rotate", String::new()),
                    _ => ("screw", format!(r#","advance":{advance:?}"#)),
                };
                let (point, axis) = (vector(*point), vector(*axis));
                format!(r#"{{"{kind}":{{"point":{point},"axis":{axis},"degrees":{degrees:?}{more}}}}}"#)
            }
            Way::To(to) => format!(r#"{{"to":{}}}"#, to.text(1.0)),
            Way::Path(ways) => {
                let parts: Vec<String> = ways.iter().map(Way::json).collect();
                format!(r#"{{"path":[{}]}}"#, parts.join(","))
            }
        }
    }

    /// As a step of a scene file writes it (`translate = …`), with lengths in units of which a metre has `per_metre`.
    pub fn toml(&self, per_metre: f64) -> String {
        match self {
            Way::Still => "translate = [0, 0, 0]".to_owned(),
            Way::Translate(by) => format!("translate = {}", vector(*by * per_metre)),
            Way::Screw { point, axis, degrees, advance } => {
                let (kind, more) = match advance {
                    0.0 => ("rotate", String::new()),
                    _ => ("screw", format!(", advance = {:?}", advance * per_metre)),
                };
                let (point, axis) = (vector(*point * per_metre), vector(*axis));
                format!("{kind} = {{ point = {point}, axis = {axis}, deg = {degrees:?}{more} }}")
            }
            Way::To(to) => format!("to = {}", to.text(per_metre)),
            Way::Path(ways) => {
                let parts: Vec<String> =
                    ways.iter().map(|way| format!("{{ {} }}", way.toml(per_metre))).collect();
                format!("path = [{}]", parts.join(", "))
            }
        }
    }
}

/// `[x,y,z]` with all digits.
pub(crate) fn vector(p: DVec3) -> String {
    format!("[{:?},{:?},{:?}]", p.x, p.y, p.z)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ways_go_where_they_are_told() {
        let start = Place::at(DVec3::X);
        let turn =
            Way::Screw { point: DVec3::ZERO, axis: 2.0 * DVec3::Z, degrees: 360e6 + 90.0, advance: 2.0 };
        let end = turn.place(&start, 1.0);
        assert!((end.at - DVec3::new(0.0, 1.0, 2.0)).length() < 1e-12, "{end:?}");
        assert!((end.point(DVec3::X) - DVec3::new(0.0, 2.0, 2.0)).length() < 1e-12, "{end:?}");
        let path = Way::Path(vec![Way::Translate(DVec3::X), Way::Translate(DVec3::Y)]);
        assert_eq!(path.place(&start, 0.75).at, DVec3::new(2.0, 0.5, 0.0));
        assert_eq!(path.place(&start, 1.0).at, DVec3::new(2.0, 1.0, 0.0));
        let to = Way::To(Place { turn: DQuat::from_rotation_z(1.0), at: DVec3::Y });
        let half = to.place(&Place::ORIGIN, 0.5);
        assert!(half.turn.angle_between(DQuat::from_rotation_z(0.5)) < 1e-7 && half.at == 0.5 * DVec3::Y);
        let seen = end.seen_from(&start);
        assert!((start.point(seen.point(DVec3::Y)) - end.point(DVec3::Y)).length() < 1e-12);
    }
}
