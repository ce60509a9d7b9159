//! Pieces of a way: what a rigid group does, one after the other.

use freiraum_geometry::math::{Screw, rounding};
use freiraum_geometry::path::{Axis, Motion, Straight, UniformMotion};
use freiraum_geometry::{Pose, Vec3};
use freiraum_scene::Travel;

/// One motion of the leading body from pose to pose.
#[derive(Clone, Debug)]
pub(crate) struct Leg {
    pub(crate) from: Pose,
    pub(crate) travel: Travel,
    pub(crate) to: Pose,
}

impl Leg {
    pub(crate) fn new(from: Pose, travel: Travel) -> Leg {
        let to = end(&travel, &from);
        Leg { from, travel, to }
    }

    /// The first part of it, with this share.
    pub(crate) fn part(&self, share: f64) -> Leg {
        Leg::new(self.from, part(&self.travel, &self.from, share))
    }

    /// The same way back.
    pub(crate) fn reversed(&self) -> Leg {
        let travel = match &self.travel {
            Travel::Translate(by) => Travel::Translate(-*by),
            Travel::Turn { axis, angle, advance } => {
                Travel::Turn { axis: *axis, angle: -angle, advance: -advance }
            }
            _ => Travel::To(self.from),
        };
        Leg { from: self.to, travel, to: self.from }
    }

    /// How long it is: metres of the way of a point of the group, and `weight` metres per radian.
    pub(crate) fn length(&self, center: Vec3, weight: f64) -> f64 {
        match &self.travel {
            Travel::Translate(by) => by.length(),
            Travel::Turn { axis, angle, advance } => {
                let arc = angle.abs() * axis.distance(self.from.transform_point(center));
                arc.hypot(*advance) + weight * angle.abs()
            }
            _ => distance(&self.from, &self.to, center, weight),
        }
    }
}

/// Where a travel ends: exactly where the stages of a plan end that do the same.
pub(crate) fn end(travel: &Travel, from: &Pose) -> Pose {
    match travel {
        Travel::Translate(by) => UniformMotion::translation(*from, *by).pose(1.0),
        Travel::Turn { axis, angle, advance } => {
            UniformMotion::screw(*from, *axis, *angle, *advance).pose(1.0)
        }
        Travel::To(to) | Travel::Plan { to, .. } => *to,
        Travel::Path(pieces) => pieces.iter().fold(*from, |pose, piece| end(&piece.travel, &pose)),
    }
}

/// The first part of a travel that is neither a path nor to be planned.
pub(crate) fn part(travel: &Travel, from: &Pose, share: f64) -> Travel {
    match travel {
        Travel::Translate(by) => Travel::Translate(share * *by),
        Travel::Turn { axis, angle, advance } => {
            Travel::Turn { axis: *axis, angle: share * angle, advance: share * advance }
        }
        Travel::To(to) => Travel::To(Straight::new(*from, *to).pose(share)),
        other => other.clone(),
    }
}

/// How far apart two poses are: metres between a point of the group, and `weight` metres per radian.
pub(crate) fn distance(a: &Pose, b: &Pose, center: Vec3, weight: f64) -> f64 {
    a.transform_point(center).distance(b.transform_point(center)) + weight * angle(a, b)
}

/// The angle between two orientations, in [0, pi].
pub(crate) fn angle(a: &Pose, b: &Pose) -> f64 {
    let between = a.rotation().conjugate() * b.rotation();
    2.0 * between.xyz().length().atan2(between.w.abs())
}

/// Whether first the turn is made or first the shift.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TurnFirst {
    Yes,
    No,
}

/// From pose to pose by a turn about a point of the group and a translation; nothing if they are the same.
pub(crate) fn connection(from: &Pose, to: &Pose, center: Vec3, order: TurnFirst) -> Vec<Leg> {
    let [here, there] = [from, to].map(|pose| pose.transform_point(center));
    let shift = there - here;
    // A turn about the middle leaves it where it is, up to rounding.
    let rounding = rounding::coordinate(16.0 * (here.abs().max(there.abs()).max_element() + center.length()));
    let turn = match from.screw_to(to) {
        Screw::Rotation(turn) => Some((turn.axis, turn.angle)),
        Screw::Translation(_) => None,
    };
    let mut legs: Vec<Leg> = Vec::with_capacity(2);
    let translate = |legs: &mut Vec<Leg>| {
        let from = legs.last().map_or(*from, |leg| leg.to);
        let by = if turn.is_none() { to.translation() - from.translation() } else { shift };
        if by != Vec3::ZERO && (turn.is_none() || by.length() > rounding) {
            legs.push(Leg::new(from, Travel::Translate(by)));
        }
    };
    if order == TurnFirst::No {
        translate(&mut legs);
    }
    if let Some((direction, angle)) = turn {
        let from = legs.last().map_or(*from, |leg| leg.to);
        let axis = Axis { point: from.transform_point(center), direction };
        legs.push(Leg::new(from, Travel::Turn { axis, angle, advance: 0.0 }));
    }
    if order == TurnFirst::Yes {
        translate(&mut legs);
    }
    legs
}

/// The way back along all legs.
pub(crate) fn reversed(legs: &[Leg]) -> Vec<Leg> {
    legs.iter().rev().map(Leg::reversed).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn connections_end_where_they_should_and_lead_back() {
        let from = Pose::from_zyx_euler(0.3, -0.2, 1.0, Vec3::new(1.0, 2.0, 3.0)).unwrap();
        let to = Pose::from_zyx_euler(-1.3, 0.7, 2.0, Vec3::new(-4.0, 2.5, 0.0)).unwrap();
        let center = Vec3::new(0.1, -0.4, 0.2);
        for order in [TurnFirst::Yes, TurnFirst::No] {
            let legs = connection(&from, &to, center, order);
            assert_eq!(legs.len(), 2);
            assert!(distance(&legs[1].to, &to, center, 1.0) < 1e-14);
            let back = reversed(&legs);
            let end = back.iter().fold(legs[1].to, |pose, leg| end(&leg.travel, &pose));
            assert!(distance(&end, &from, center, 1.0) < 1e-14);
        }
        // In place: a turn and nothing else.
        let turned = Pose::from_zyx_euler(0.0, 0.0, 1.0, Vec3::new(0.3, 0.2, 0.1)).unwrap() * Pose::IDENTITY;
        let still = Pose::from_translation(Vec3::new(0.3, 0.2, 0.1));
        assert_eq!(connection(&still, &turned, Vec3::ZERO, TurnFirst::Yes).len(), 1);
        let about = Axis { point: from.transform_point(center), direction: Vec3::Z };
        let turned = UniformMotion::screw(from, about, 0.7, 0.0).pose(1.0);
        for order in [TurnFirst::Yes, TurnFirst::No] {
            assert_eq!(connection(&from, &turned, center, order).len(), 1);
        }
        assert!(
            (angle(&from, &to)
                - match from.screw_to(&to) {
                    Screw::Rotation(turn) => turn.angle,
                    Screw::Translation(_) => 0.0,
                })
            .abs()
                < 1e-14
        );
    }
}
