//! How to get to a point around what is in the way, with wheels on both sides or with steered ones.
//!
//! It looks for the direction nearest to the point in which the way is free, and remembers on which side it passes. Simple things
//! are passed so; out of a dead end that is longer than what it remembers it does not find.

use super::body::OwnBody;
use super::ground::{Circle, Place, Vec2, free_way, wrapped};
use crate::dynamics::{Bytes, State};
use crate::vehicle::Command;
use std::f64::consts::{FRAC_PI_2, FRAC_PI_3, PI};

/// Steps of directions, in radians: 6 degrees.
const FINE: f64 = PI / 30.0;
/// To pass on the other side than before must save this much of a turn.
const CHANGE_OF_MIND: f64 = 0.9;

/// What one who drives remembers of the way.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Pilot {
    /// The side on which it passes what is in the way: 1 left, -1 right, 0 none.
    side: f64,
    /// The direction that it took last, in radians to the left of x.
    course: f64,
    /// Until when a car goes back, and with which sign of the steering.
    back: Option<[f64; 2]>,
}

/// A way to be taken now.
pub(super) struct Way<'c> {
    pub(super) target: Vec2,
    pub(super) circles: &'c [Circle],
    /// No faster than this, in m/s.
    pub(super) fastest: f64,
    /// True to slow down towards the target.
    pub(super) stops: bool,
    /// Room that it wants at its sides.
    pub(super) margin: f64,
    /// How far it can see.
    pub(super) sight: f64,
}

impl Pilot {
    /// What to do now to get there.
    pub(super) fn go(&mut self, own: &OwnBody, place: &Place, time: f64, way: &Way) -> Command {
        let distance = place.at.distance(way.target);
        let radius = own.half_width + way.margin;
        // Far enough to stop before what is seen now, and to see around it.
        let look = distance.min(6.0 * own.radius() + way.margin);
        let course = self.course(place, way, radius, look);
        self.course = course;
        let error = wrapped(course - place.heading);
        let ahead = free_way(place.at, place.ahead(), radius, way.circles).min(way.sight);
        let room = (ahead - own.reach[0].max(own.half_width) + own.half_width - way.margin).max(0.0);
        let mut speed = way.fastest.min((2.0 * own.braking() * room).sqrt());
        if way.stops {
            speed = speed.min((2.0 * own.braking() * distance).sqrt());
        }
        match own.steering {
            None => differential(own, error, speed),
            Some([base, most]) => {
                let target = place.at + look.max(own.radius()) * Vec2::from_angle(course);
                self.car(own, place, time, way, [base, most], target, speed, room)
            }
        }
    }

    /// The direction nearest to the target in which the way is free for `look` metres; else the freest one.
    fn course(&mut self, place: &Place, way: &Way, radius: f64, look: f64) -> f64 {
        let to = way.target - place.at;
        let straight = to.y.atan2(to.x);
        let free = |turn: f64| free_way(place.at, Vec2::from_angle(straight + turn), radius, way.circles);
        if free(0.0) >= look {
            self.side = 0.0;
            return straight;
        }
        let first_free =
            |side: f64| (1..=30).map(|k| side * f64::from(k) * FINE).find(|turn| free(*turn) >= look);
        let sides = [1.0, -1.0].map(|side| {
            let change = if side * self.side < 0.0 { CHANGE_OF_MIND } else { 0.0 };
            first_free(side).map(|turn| (turn.abs() + change, turn))
        });
        let best = sides.into_iter().flatten().min_by(|a, b| a.0.total_cmp(&b.0));
        let turn = best.map_or_else(
            || {
                let all = (-30..=30).map(|k| f64::from(k) * FINE);
                all.max_by(|a, b| free(*a).total_cmp(&free(*b))).unwrap_or(0.0)
            },
            |(_, turn)| turn,
        );
        self.side = turn.signum();
        straight + turn
    }

    #[expect(clippy::too_many_arguments, reason = "all of it is known to the caller already")]
    fn car(
        &mut self,
        own: &OwnBody,
        place: &Place,
        time: f64,
        way: &Way,
        [base, most]: [f64; 2],
        target: Vec2,
        speed: f64,
        room: f64,
    ) -> Command {
        // Seen from the middle of the rear axle, which is what goes where the car points.
        let axle = Place { at: place.at - 0.5 * base * place.ahead(), ..*place };
        let (local, goal) = (axle.local(target), axle.local(way.target));
        let circle = base / most.tan();
        // Inside of the narrowest circle on its side, or nearly: forward it never gets there.
        let is_inside = |point: Vec2, share: f64| {
            (Vec2::new(0.0, circle * point.y.signum()) - point).length() < share * circle
        };
        let is_blocked = room < 0.3 * own.half_width;
        let crawl = 0.3 * own.cruise();
        if let Some([until, sign]) = self.back {
            let behind = free_way(place.at, -place.ahead(), own.half_width, way.circles) - own.reach[1];
            let is_good = !is_inside(goal, 1.1) && room > own.radius();
            let is_over = time >= until || is_good && time >= until - 1.0;
            if is_over || behind < 0.1 * own.half_width {
                self.back = None;
            } else {
                return Command::Steer { speed: -crawl, angle: sign * most };
            }
        }
        if is_blocked || is_inside(goal, 0.98) || goal.x < 0.0 && is_inside(local, 0.98) {
            // Backwards the front goes to the other side.
            let sign = if local.y > 0.0 { -1.0 } else { 1.0 };
            self.back = Some([time + 1.0 + 2.0 * own.radius() / crawl, sign]);
            return Command::Steer { speed: 0.0, angle: sign * most };
        }
        let curvature = 2.0 * local.y / local.length_squared().max(f64::MIN_POSITIVE);
        let angle = (base * curvature).atan().clamp(-most, most);
        // Slower in narrow curves.
        Command::Steer { speed: speed.max(0.1 * crawl) * (1.0 - 0.6 * angle.abs() / most), angle }
    }

    /// The direction that it took to get around something; none if the way was free.
    pub(super) fn detour(&self) -> Option<f64> {
        (self.side != 0.0).then_some(self.course)
    }

    /// For a vehicle that has hit something: back, and away from it.
    pub(super) fn back_off(own: &OwnBody, side: f64) -> Command {
        let speed = -0.6 * own.cruise();
        match own.steering {
            Some([_, most]) => Command::Steer { speed, angle: -side * most },
            None => Command::Drive { speed, turn: 0.0 },
        }
    }
}

/// On the spot if the course is far off, else forward and to it.
fn differential(own: &OwnBody, error: f64, speed: f64) -> Command {
    let quickest = (2.0 * own.cruise() / own.half_width).min(own.fastest_turn);
    let turn = (6.0 * error).clamp(-quickest, quickest);
    let share = if error.abs() > FRAC_PI_3 { 0.0 } else { (error.abs() * FRAC_PI_2 / FRAC_PI_3).cos() };
    Command::Drive { speed: speed * share, turn }
}

impl State for Pilot {
    fn put(&self, out: &mut Vec<u8>) {
        self.side.put(out);
        self.course.put(out);
        self.back.put(out);
    }
    fn get(from: &mut Bytes) -> Option<Pilot> {
        Some(Pilot { side: State::get(from)?, course: State::get(from)?, back: State::get(from)? })
    }
}
