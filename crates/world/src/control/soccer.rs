//! Plays a ball towards a goal.

use super::body::OwnBody;
use super::chance::Chance;
use super::fleet::{Fleet, circle};
use super::ground::{Circle, Memory, Place, Vec2, flat};
use super::pilot::{Pilot, Way};
use super::touch::Escape;
use super::{Controller, Seen};
use crate::dynamics::{Bytes, State};
use crate::vehicle::Command;
use freiraum_geometry::Aabb;
use freiraum_scene::{self as scene, Geometry};

/// Plays a ball towards a goal: goes behind the ball and pushes. Of those who play to the same goal, the one nearest to where one has to
/// be plays; the others keep a place between the ball and the goal that they guard. Who is stuck goes back and tries from elsewhere.
#[derive(Debug)]
pub struct Soccer {
    ball: usize,
    goal: usize,
    /// Follows from the scene.
    field: Option<Field>,
    memory: Memory,
    pilot: Pilot,
    chance: Chance,
    escape: Escape,
    /// Who of the team plays.
    player: Option<usize>,
    is_pushing: bool,
    /// Where it was last when it moved, and when.
    moved: Option<[f64; 3]>,
    /// Until when it goes back, and then by how much it plays aside, until when.
    back: f64,
    aside: [f64; 2],
    /// Where the ball was when it was asked last, and when.
    last: Option<[f64; 3]>,
}

/// What does not change.
#[derive(Debug)]
struct Field {
    fleet: Fleet,
    ball: Aabb,
    /// The middle of the goal to play to, and of the one to guard.
    goals: [Vec2; 2],
    team: Vec<usize>,
}

/// Who is to take over the ball has to have this share of the way of who has it.
const TAKE_OVER: f64 = 0.75;

impl Soccer {
    /// Plays the body `ball` to the goal with this number.
    pub fn new(ball: usize, goal: usize) -> Soccer {
        Soccer {
            ball,
            goal,
            field: None,
            memory: Memory::default(),
            pilot: Pilot::default(),
            chance: Chance::default(),
            escape: Escape::default(),
            player: None,
            is_pushing: false,
            moved: None,
            back: 0.0,
            aside: [0.0; 2],
            last: None,
        }
    }

    /// Whether it is stuck: it wanted to move, and did not for a second.
    fn is_stuck(&mut self, seen: &Seen, own: &OwnBody, place: &Place) -> bool {
        let [x, y, since] = *self.moved.get_or_insert([place.at.x, place.at.y, seen.time]);
        if Vec2::new(x, y).distance(place.at) > 0.3 * own.half_width {
            self.moved = Some([place.at.x, place.at.y, seen.time]);
        }
        seen.time - since > 1.0
    }

    /// Where the ball will be when it gets there, if it rolls on, but at most half a second from now.
    fn expected(&mut self, seen: &Seen, own: &OwnBody, place: &Place, ball: Vec2) -> Vec2 {
        let last = self.last.replace([ball.x, ball.y, seen.time]);
        let Some([x, y, time]) = last.filter(|[.., time]| *time < seen.time) else { return ball };
        let velocity = (ball - Vec2::new(x, y)) / (seen.time - time);
        let distance = place.at.distance(ball);
        // A ball that was put back has not rolled.
        if velocity.length() > 4.0 * own.top_speed {
            return ball;
        }
        ball + velocity * (0.5 * distance / own.cruise()).min(0.5)
    }

    /// Goes for the ball.
    fn play(
        &mut self,
        seen: &Seen,
        own: &OwnBody,
        place: &Place,
        ball: Circle,
        goal: Vec2,
        others: &[Circle],
    ) -> Command {
        if self.is_stuck(seen, own, place) {
            self.moved = None;
            self.back = seen.time + self.chance.between(seen, 0.4, 1.0);
            let aside = self.chance.between(seen, 0.3, 1.2) * self.chance.side(seen);
            self.aside = [aside, self.back + self.chance.between(seen, 1.0, 3.0)];
        }
        if seen.time < self.back {
            self.is_pushing = false;
            return Pilot::back_off(own, self.aside[0].signum());
        }
        let aside = if seen.time < self.aside[1] { self.aside[0] } else { 0.0 };
        let touch = ball.radius + own.reach[0];
        let to = self.direction(own, ball, goal, aside, touch);
        let from_ball = place.at - ball.at;
        let (behind, beside) = (-from_ball.dot(to), from_ball.perp_dot(to).abs());
        // Near the line behind the ball it pushes, until the ball is lost at the side.
        let width = if self.is_pushing { 0.9 } else { 0.35 } * ball.radius.max(0.5 * own.half_width);
        self.is_pushing = behind > 0.5 * touch && behind < 3.0 * touch && beside < width;
        if self.is_pushing {
            // A little beyond the ball, on the line; what is aside of it is corrected twice.
            let off = from_ball + behind * to;
            let target = ball.at + 3.0 * touch * to - 2.0 * off;
            return self.drive(own, place, seen.time, target, &[], 2.0 * own.cruise());
        }
        let start = ball.at - (touch + own.half_width) * to;
        let mut circles = others.to_vec();
        // Around the ball, unless it is behind it already.
        if behind < 0.8 * touch || beside > touch {
            circles.push(ball);
        }
        self.drive(own, place, seen.time, start, &circles, 1.5 * own.cruise())
    }

    /// Where to play the ball: to the goal, or aside of it as far as walls leave no room behind the ball.
    fn direction(&self, own: &OwnBody, ball: Circle, goal: Vec2, aside: f64, touch: f64) -> Vec2 {
        let straight = Vec2::from_angle(aside).rotate((goal - ball.at).try_normalize().unwrap_or(Vec2::X));
        let Some(field) = &self.field else { return straight };
        let has_room = |to: &Vec2| !field.fleet.is_in_wall(ball.at - touch * *to, 1.3 * own.half_width);
        let turns = (0..=12).flat_map(|k| [0.15 * f64::from(k), -0.15 * f64::from(k)]);
        let mut all = turns.map(|turn| Vec2::from_angle(turn).rotate(straight));
        all.find(has_room).unwrap_or(straight)
    }

    fn drive(
        &mut self,
        own: &OwnBody,
        place: &Place,
        time: f64,
        target: Vec2,
        circles: &[Circle],
        fastest: f64,
    ) -> Command {
        let way = Way {
            target,
            circles,
            fastest,
            stops: false,
            margin: 0.15 * own.half_width,
            sight: f64::INFINITY,
        };
        self.pilot.go(own, place, time, &way)
    }

    /// Keeps a place between the ball and the goal that it guards.
    fn guard(
        &mut self,
        seen: &Seen,
        own: &OwnBody,
        place: &Place,
        ball: Circle,
        guarded: Vec2,
        others: &[Circle],
    ) -> Command {
        (self.is_pushing, self.moved) = (false, None);
        let to = guarded - ball.at;
        let target = ball.at + to * (6.0 * own.radius() / to.length().max(f64::MIN_POSITIVE)).clamp(0.5, 1.0);
        if place.at.distance(target) < own.radius() {
            return Command::Drive { speed: 0.0, turn: 0.0 };
        }
        let mut circles = others.to_vec();
        circles.push(Circle { radius: ball.radius + 2.0 * own.radius(), ..ball });
        self.drive(own, place, seen.time, target, &circles, own.cruise())
    }
}

impl Field {
    fn of(seen: &Seen, ball: usize, goal: usize) -> Field {
        let scene = seen.scene;
        let middle = |body: usize| {
            let around =
                if let Geometry::Shape(shape) = &scene.bodies[body].geometry { shape.aabb() } else { None };
            flat(scene.bodies[body].pose.transform_point(around.map_or(Default::default(), |b| b.center())))
        };
        let to = middle(scene.world.goals[goal].body);
        let other =
            scene.world.goals.iter().enumerate().find(|(number, of)| *number != goal && of.ball == ball);
        // Without another goal it guards what is on the other side of where the ball starts.
        let guarded = other.map_or_else(|| 2.0 * middle(ball) - to, |(_, other)| middle(other.body));
        let shape =
            if let Geometry::Shape(shape) = &scene.bodies[ball].geometry { shape.aabb() } else { None };
        let team = scene.world.vehicles.iter().enumerate().filter(|(_, vehicle)| {
            matches!(vehicle.controller, Some(scene::Controller::Soccer { goal: of, .. }) if of == goal)
        });
        Field {
            team: team.map(|(number, _)| number).collect(),
            fleet: Fleet::of(seen),
            ball: shape.unwrap_or(Aabb::EMPTY),
            goals: [to, guarded],
        }
    }

    /// Who of the team plays: the one with the shortest way to where one has to be; who has played goes on unless another one's
    /// way is much shorter. All of them come to the same answer.
    fn player(&self, seen: &Seen, ball: Circle, last: Option<usize>) -> usize {
        let start = ball.at + (ball.at - self.goals[0]).normalize_or_zero() * 2.0 * ball.radius;
        let way = |vehicle: usize| {
            let way = self.fleet.place(seen, vehicle).at.distance(start);
            if Some(vehicle) == last { TAKE_OVER * way } else { way }
        };
        let nearest = self.team.iter().copied().min_by(|a, b| way(*a).total_cmp(&way(*b)));
        nearest.unwrap_or(seen.vehicle)
    }
}

impl Controller for Soccer {
    fn step(&mut self, seen: &Seen, commands: &mut Vec<Command>, _notes: &mut Vec<String>) {
        let own = OwnBody::of(seen);
        let place = Place::of(&seen.pose);
        self.memory.look(seen, &own);
        let field = self.field.get_or_insert_with(|| Field::of(seen, self.ball, self.goal));
        let size = 0.5 * field.ball.size();
        let ball = Circle { radius: size.x.max(size.y).max(0.0), ..circle(seen, self.ball, &field.ball) };
        let ball = Circle { at: self.expected(seen, &own, &place, ball.at), ..ball };
        let Some(field) = &self.field else { return };
        let player = field.player(seen, ball, self.player);
        let goals = field.goals;
        let mut others = field.fleet.others(seen);
        let is_known =
            |point: Vec2| Fleet::is_other(&others, point) || point.distance(ball.at) < 1.2 * ball.radius;
        // Who plays may touch a wall to get at the ball.
        let is_near = player == seen.vehicle && place.at.distance(ball.at) < 4.0 * own.radius();
        let walls = self.memory.circles(|point| is_near || is_known(point));
        others.extend(walls);
        self.player = Some(player);
        let away = self.escape.command(seen, &own, &mut self.chance);
        let command = if let Some(away) = away {
            (self.is_pushing, self.moved) = (false, None);
            away
        } else if player == seen.vehicle {
            self.play(seen, &own, &place, ball, goals[0], &others)
        } else {
            self.guard(seen, &own, &place, ball, goals[1], &others)
        };
        self.escape.expect(&command);
        commands.push(command);
    }

    fn save(&self) -> Vec<u8> {
        let mut out = Vec::new();
        self.put(&mut out);
        out
    }

    fn resume(&mut self, state: &[u8]) -> bool {
        super::resumed(self, state)
    }
}

impl State for Soccer {
    fn put(&self, out: &mut Vec<u8>) {
        self.ball.put(out);
        self.goal.put(out);
        self.memory.put(out);
        self.pilot.put(out);
        self.chance.put(out);
        self.escape.put(out);
        self.player.put(out);
        self.is_pushing.put(out);
        self.moved.put(out);
        self.back.put(out);
        self.aside.put(out);
        self.last.put(out);
    }
    fn get(from: &mut Bytes) -> Option<Soccer> {
        Some(Soccer {
            ball: State::get(from)?,
            goal: State::get(from)?,
            field: None,
            memory: State::get(from)?,
            pilot: State::get(from)?,
            chance: State::get(from)?,
            escape: State::get(from)?,
            player: State::get(from)?,
            is_pushing: State::get(from)?,
            moved: State::get(from)?,
            back: State::get(from)?,
            aside: State::get(from)?,
            last: State::get(from)?,
        })
    }
}
