//! Two bodies on their way: how deep they get into each other, found by dense sampling in time and by cutting planes in space.

use crate::solid::Solid;
use crate::way::{Place, Way};
use crate::winding::crossing_depth;
use glam::{DMat3, DVec3};

/// The most that bodies which touch may overlap without being told, as a share of the size of the smaller piece: 2^-24.
pub const RESTING_SHARE: f64 = 1.0 / 16_777_216.0;

/// Two bodies, where they start, and what they do.
#[derive(Clone, Debug)]
pub struct Encounter {
    /// The bodies, a and b.
    pub bodies: [Solid; 2],
    /// Where they start.
    pub places: [Place; 2],
    /// What they do.
    pub ways: [Way; 2],
}

/// What two bodies have in common.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Common {
    /// When.
    pub time: f64,
    /// A ball of this radius lies in both; negative if none was found: then both have to be moved by this much to touch, or less.
    pub depth: f64,
    /// The size of the smaller of the two pieces at that place, in metres.
    pub piece: f64,
}

impl Encounter {
    /// Where both are at a time.
    pub fn at(&self, t: f64) -> [Place; 2] {
        [0, 1].map(|k| self.ways[k].place(&self.places[k], t))
    }

    /// The same in a world shifted by `by`.
    #[must_use]
    pub fn shifted(&self, by: DVec3) -> Encounter {
        Encounter {
            bodies: self.bodies.clone(),
            places: [0, 1].map(|k| self.places[k].shifted(by)),
            ways: [0, 1].map(|k| self.ways[k].shifted(by)),
        }
    }

    /// The same bodies where they start, without motions.
    #[must_use]
    pub fn standing(&self) -> Encounter {
        Encounter { ways: [Way::Still, Way::Still], ..self.clone() }
    }

    /// What rounding of poses and of these measures may make of a depth, in metres: some roundings of the largest coordinate, and what angles of many
    /// turns are rounded by at the far end of the body.
    pub fn rounding(&self) -> f64 {
        let mut reach = 0.0;
        let mut turned = 0.0;
        for k in 0..2 {
            let [low, high] = self.bodies[k].bounds();
            let size = if low.is_finite() { low.length().max(high.length()) } else { 0.0 };
            let mut lever = size;
            if let Way::Screw { point, .. } = &self.ways[k] {
                lever += point.distance(self.places[k].at);
            }
            reach += self.places[k].at.length() + size + self.ways[k].reach();
            turned += self.ways[k].degrees().to_radians() * lever;
        }
        64.0 * f64::EPSILON * (reach + turned)
    }

    /// The most that bodies may overlap at the start or the end of their motion without being told, in metres, where the smaller of the two pieces that
    /// touch has the size `piece`: a share of it, and 16 roundings of the positions.
    pub fn resting(&self, piece: f64) -> f64 {
        let reach = |k: usize| {
            let [start, end] = [0.0, 1.0].map(|t| self.ways[k].place(&self.places[k], t).at.length());
            let size = self.bodies[k].size().length();
            start.max(end) + if size.is_finite() { size } else { 0.0 }
        };
        RESTING_SHARE * piece + 16.0 * f64::EPSILON * (reach(0) + reach(1))
    }

    /// The largest ball that lies in both at a time, found by `steps` cuts: an ellipsoid that holds the centre of the best ball is cut by the plane
    /// beyond which the shallower of the two depths gets less. For convex bodies this converges to the deepest point; elsewhere it finds one that is there.
    pub fn common(&self, t: f64, steps: usize) -> Common {
        let [a, b] = self.at(t);
        let b = b.seen_from(&a);
        let mut best = Common { time: t, depth: f64::NEG_INFINITY, piece: 0.0 };
        let [of_a, of_b] = [0, 1].map(|k| self.bodies[k].bounds());
        if of_a[0].is_finite() && of_b[0].is_finite() {
            // Balls around them that are apart tell enough.
            let between = b.point(0.5 * (of_b[0] + of_b[1])).distance(0.5 * (of_a[0] + of_a[1]));
            let radii = 0.5 * (of_a[1] - of_a[0]).length() + 0.5 * (of_b[1] - of_b[0]).length();
            if between > 1.5 * radii {
                let piece = self.bodies[0].size().length().min(self.bodies[1].size().length());
                return Common { depth: 0.5 * (radii - between), piece, ..best };
            }
        }
        for (center, radius) in self.starts(&b) {
            self.cut(&b, center, radius, steps, &mut best);
        }
        best
    }

    /// Balls in the frame of a to start from.
    fn starts(&self, b: &Place) -> Vec<(DVec3, f64)> {
        let [bounds_a, bounds_b] = [self.bodies[0].bounds(), self.bodies[1].bounds()];
        let corners = |[low, high]: [DVec3; 2], place: &Place| {
            let all = (0..8).map(|k| {
                let pick = |axis: usize| if k >> axis & 1 == 0 { low[axis] } else { high[axis] };
                place.point(DVec3::new(pick(0), pick(1), pick(2)))
            });
            all.fold([DVec3::INFINITY, DVec3::NEG_INFINITY], |[l, h], p| [l.min(p), h.max(p)])
        };
        let (mut low, mut high) = (DVec3::NEG_INFINITY, DVec3::INFINITY);
        for [l, h] in [
            if bounds_a[0].is_finite() { bounds_a } else { [low, high] },
            if bounds_b[0].is_finite() { corners(bounds_b, b) } else { [low, high] },
        ] {
            (low, high) = (low.max(l), high.min(h));
        }
        if !(low.is_finite() && high.is_finite()) {
            return vec![(b.at, 1.0)];
        }
        // Boxes that are apart: what lies between them.
        (low, high) = (low.min(high), low.max(high));
        let mut starts = vec![(0.5 * (low + high), 0.5 * (high - low).length())];
        let is_bent = |body: &Solid| matches!(body, Solid::Mesh { .. } | Solid::Compound(_));
        if self.bodies.iter().any(is_bent) {
            // Parts of what is not convex, each with its own start.
            let radius = 0.5 * (high - low).length();
            for k in 0..8 {
                let pick = |axis: usize| if k >> axis & 1 == 0 { 0.25 } else { 0.75 };
                starts.push((low + DVec3::new(pick(0), pick(1), pick(2)) * (high - low), 0.5 * radius));
            }
        }
        starts
    }

    /// Depth at a point in the frame of a, the direction in which it gets deeper, and the size of the smaller piece.
    fn both(&self, b: &Place, p: DVec3) -> (f64, DVec3, f64) {
        let in_a = self.bodies[0].depth(p);
        let in_b = self.bodies[1].depth(b.turn.conjugate() * (p - b.at));
        let piece = in_a.piece.min(in_b.piece);
        if in_a.depth < in_b.depth {
            (in_a.depth, in_a.deeper, piece)
        } else {
            (in_b.depth, b.turn * in_b.deeper, piece)
        }
    }

    fn cut(&self, b: &Place, center: DVec3, radius: f64, steps: usize, best: &mut Common) {
        let mut x = center;
        let mut shape = DMat3::from_diagonal(DVec3::splat((radius * radius).max(f64::MIN_POSITIVE)));
        for _ in 0..steps {
            let (depth, deeper, piece) = self.both(b, x);
            if depth > best.depth {
                *best = Common { depth, piece, ..*best };
            }
            let along = shape * deeper;
            let reach = deeper.dot(along).max(0.0).sqrt();
            // Nothing in the ellipsoid is deeper than what is known.
            let alpha = (best.depth - depth) / reach;
            if !(reach > 0.0 && alpha < 1.0) {
                return;
            }
            let along = along / reach;
            x += (1.0 + 3.0 * alpha) / 4.0 * along;
            let outer = DMat3::from_cols(along * along.x, along * along.y, along * along.z);
            shape = (shape - outer * (2.0 * (1.0 + 3.0 * alpha) / (4.0 * (1.0 + alpha))))
                * (9.0 * (1.0 - alpha * alpha) / 8.0);
        }
    }

    /// The deepest that was found at `samples` equidistant times and at those in between that look deeper.
    pub fn deepest(&self, samples: usize) -> Common {
        let times = (0..samples).map(|k| k as f64 / (samples - 1) as f64);
        let mut found: Vec<Common> = times.map(|t| self.common(t, 40)).collect();
        found.sort_by(|x, y| y.depth.total_cmp(&x.depth));
        let mut best = self.common(found[0].time, 400);
        for start in found.iter().take(3) {
            let (mut middle, mut width) = (self.common(start.time, 120), 1.0 / (samples - 1) as f64);
            for _ in 0..14 {
                let beside = [-0.5, 0.5].map(|s| self.common((middle.time + s * width).clamp(0.0, 1.0), 120));
                let deeper = if beside[0].depth > beside[1].depth { beside[0] } else { beside[1] };
                if deeper.depth > middle.depth {
                    middle = deeper;
                }
                width *= 0.5;
            }
            let again = self.common(middle.time, 400);
            for one in [middle, again] {
                if one.depth > best.depth {
                    best = one;
                }
            }
        }
        best
    }

    /// How far the surfaces of two polyhedra, as they are written, cross at a time; exact predicates decide that they do. 0 where one has no such surface.
    pub fn crossing(&self, t: f64) -> f64 {
        let [Some(a), Some(b)] = [self.bodies[0].surface(), self.bodies[1].surface()] else { return 0.0 };
        let [place_a, place_b] = self.at(t);
        let seen = place_b.seen_from(&place_a);
        let b = (b.0.iter().map(|p| seen.point(*p)).collect(), b.1);
        crossing_depth(&a, &b)
    }

    /// A line of `query --batch`; `more` are further keys, each with a comma before it.
    pub fn question(&self, id: usize, query: &str, more: &str) -> String {
        let [a, b] = [0, 1].map(|k| self.bodies[k].json(1.0));
        let [pose_a, pose_b] = self.places.map(|place| place.text(1.0));
        let [motion_a, motion_b] = [0, 1].map(|k| self.ways[k].json());
        format!(
            r#"{{"id":{id},"query":"{query}","a":{a},"b":{b},"pose_a":{pose_a},"pose_b":{pose_b},"motion_a":{motion_a},"motion_b":{motion_b}{more}}}"#
        )
    }

    /// A scene of the two bodies, named a and b, whose only step moves what moves; in a unit of which a metre has `per_metre`.
    pub fn scene(&self, units: &str, per_metre: f64) -> String {
        let mut text = format!("units = \"{units}\"\n");
        for (k, name) in ["a", "b"].into_iter().enumerate() {
            text += &format!(
                "\n[[body]]\nname = \"{name}\"\nshape = {}\npose = {}\n",
                self.bodies[k].toml(per_metre),
                self.places[k].text(per_metre)
            );
        }
        let moving: Vec<usize> = (0..2).filter(|k| self.ways[*k] != Way::Still).collect();
        let name = |k: usize| ["a", "b"][k];
        match moving[..] {
            [] => {}
            [k] => {
                text += &format!("\n[[step]]\nmove = \"{}\"\n{}\n", name(k), self.ways[k].toml(per_metre));
            }
            _ => {
                let moves: Vec<String> = moving
                    .iter()
                    .map(|k| format!("{{ move = \"{}\", {} }}", name(*k), self.ways[*k].toml(per_metre)))
                    .collect();
                text += &format!("\n[[step]]\nparallel = [{}]\n", moves.join(", "));
            }
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn depths_of_pairs_are_found() {
        let cylinder = Solid::Cylinder { radius: 0.005, height: 0.02 };
        let block = Solid::Box { size: DVec3::splat(0.1) };
        for depth in [1e-9, 1e-6, 1e-3, 5e-3] {
            let pin = Encounter {
                bodies: [cylinder.clone(), block.clone()],
                places: [Place::at(0.08 * DVec3::Z), Place::ORIGIN],
                ways: [Way::Translate((-0.02 - depth) * DVec3::Z), Way::Still],
            };
            let found = pin.deepest(33);
            // The largest ball in a layer has half its thickness as radius.
            assert!(
                (found.depth - 0.5 * depth).abs() < 0.01 * depth && found.time > 0.99,
                "{depth} {found:?}"
            );
            assert!((found.piece - cylinder.size().length()).abs() < 1e-12);
            assert!(pin.common(0.0, 400).depth < -0.004, "{:?}", pin.common(0.0, 400));
        }
    }

    #[test]
    fn a_ball_that_passes_is_seen_in_time() {
        let ball = Solid::Sphere { radius: 0.01 };
        let pass = |beside: f64| Encounter {
            bodies: [ball.clone(), ball.clone()],
            places: [Place::at(DVec3::new(-1.0, beside, 0.0)), Place::ORIGIN],
            ways: [Way::Translate(2.2 * DVec3::X), Way::Still],
        };
        let near = pass(0.0199).deepest(65);
        assert!((near.depth - 0.00005).abs() < 1e-6, "{near:?}");
        assert!(pass(0.0201).deepest(65).depth < 0.0);
    }
}
