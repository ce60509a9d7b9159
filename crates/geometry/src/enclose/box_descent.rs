//! Improving an orientation: descent of the volume of the box, and exact contact at its end.
//!
//! Descending uses the steepest direction that all *nearly* touching vertices agree on: the shortest vector of the
//! sum of the polytopes they span in the space of rotations. Where only exactly touching vertices counted, the
//! search would zigzag between two faces of a valley and stall.

use super::box_search::FINEST;
use super::min_norm::shortest_in_sum;
use super::polytope::Polytope;
use super::rectangle::on_plane;
use crate::math::{Aabb, Mat3, Quat, Vec3};

/// Near vertices per face that a step of the descent looks at, unless more lie in one plane.
const FEW_NEAR: usize = 12;

/// Steps of one descent: it takes some thirty; where rounding alone still moves it, there is no point in going on.
const MAX_STEPS: usize = 200;

/// An orientation with the vertices its box rests on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate {
    pub(super) rotation: Quat,
    /// Farthest vertex along +x, -x, +y, -y, +z, -z of the box.
    support: [u32; 6],
    pub(super) volume: f64,
    sizes: Vec3,
}

impl Candidate {
    /// The box of the polytope in that orientation.
    pub(super) fn fresh(polytope: &Polytope, rotation: Quat) -> Candidate {
        let axes = Mat3::from_quat(rotation);
        let [x, y, z] = [0, 1, 2].map(|axis| polytope.extremes(axes.col(axis)));
        let support = [x[0], x[1], y[0], y[1], z[0], z[1]];
        Candidate::at(polytope, rotation, support)
    }

    /// The box of the polytope in that orientation, climbing from the vertices of one less than a right angle away.
    fn at(polytope: &Polytope, rotation: Quat, support: [u32; 6]) -> Candidate {
        let axes = Mat3::from_quat(rotation);
        let mut next = support;
        let mut sizes = Vec3::ZERO;
        for axis in 0..3 {
            let direction = axes.col(axis);
            let (high, most) = polytope.support(direction, support[2 * axis]);
            let (low, least) = polytope.support(-direction, support[2 * axis + 1]);
            next[2 * axis] = high;
            next[2 * axis + 1] = low;
            sizes[axis] = most + least;
        }
        Candidate { rotation, support: next, volume: sizes.element_product(), sizes }
    }

    /// The same with sizes measured over all vertices: the last choice does not trust in climbing.
    pub(super) fn measured(mut self, polytope: &Polytope) -> Candidate {
        let turned = Mat3::from_quat(self.rotation.conjugate());
        self.sizes = polytope.points.iter().fold(Aabb::EMPTY, |b, &p| b.grown(turned * p)).size();
        self.volume = self.sizes.element_product();
        self
    }

    /// True if the volume is smaller by more than what rounding may do to it, which is much where the box is thin.
    pub(super) fn is_clearly_smaller(&self, other: &Candidate) -> bool {
        let noise = 64.0 * f64::EPSILON * other.sizes.recip().element_sum();
        self.volume < other.volume * (1.0 - noise)
    }

    /// True if both have descended to the same place: the same vertices and, to a millionth, the same volume.
    pub(super) fn is_like(&self, other: &Candidate) -> bool {
        self.support == other.support && (self.volume - other.volume).abs() * (1 << 20) as f64 <= self.volume
    }

    fn turned(&self, polytope: &Polytope, turn: Vec3) -> Candidate {
        let rotation = (small_turn(turn) * self.rotation).normalize();
        Candidate::at(polytope, rotation, self.support)
    }

    /// Descends until vertices within `depth` of the box faces allow no better direction, for depths shrinking from
    /// `from` to `to` (in units of the polytope, whose radius is about one; also angles in radians).
    pub(super) fn descended(
        mut self,
        polytope: &Polytope,
        from: f64,
        to: f64,
        scratch: &mut Scratch,
    ) -> Candidate {
        let mut depth = from;
        scratch.shares = [1.0; 6];
        for _ in 0..MAX_STEPS {
            if depth <= to {
                break;
            }
            let (direction, slope) = self.steepest(polytope, depth, scratch);
            let mut step = depth;
            let mut best = self;
            // At least a tenth of what the slope promises, or the direction is not one of real descent.
            while step > 0.2 * depth && slope * depth > 0.0 {
                let next = self.turned(polytope, step * direction);
                if next.volume < best.volume * (1.0 - 0.1 * slope * step) {
                    best = next;
                    break;
                }
                step *= 0.5;
            }
            if best.volume < self.volume {
                while step < 1.0 {
                    step *= 2.0;
                    let next = self.turned(polytope, step * direction);
                    if next.volume >= best.volume {
                        break;
                    }
                    best = next;
                }
                self = best;
            } else {
                depth *= 0.25;
            }
        }
        self
    }

    /// Unit rotation axis of steepest descent of log(volume), and how steep it is per radian.
    fn steepest(&self, polytope: &Polytope, depth: f64, scratch: &mut Scratch) -> (Vec3, f64) {
        let axes = Mat3::from_quat(self.rotation);
        for face in 0..6 {
            let axis = axes.col(face / 2);
            let direction = if face % 2 == 0 { axis } else { -axis };
            let scale = 1.0 / self.sizes[face / 2];
            scratch.near_few(polytope, direction, (face, self.support[face]), depth);
            let gradients = &mut scratch.gradients[face];
            gradients.clear();
            // Turning by w moves the direction u by w x u, and the height of p by w . (u x p).
            gradients
                .extend(scratch.found.iter().map(|&i| scale * direction.cross(polytope.points[i as usize])));
        }
        let shortest = shortest_in_sum(&scratch.gradients);
        match shortest.try_normalize() {
            Some(unit) => (-unit, shortest.length()),
            None => (Vec3::ZERO, 0.0),
        }
    }

    /// Turns the box about each of its axes to the smallest rectangle across that axis, if that makes it smaller.
    pub(super) fn squared(self, polytope: &Polytope) -> Candidate {
        (0..3).fold(self, |best, axis| {
            let along = Mat3::from_quat(best.rotation).col(axis);
            let next = Candidate::fresh(polytope, on_plane(&polytope.points, along));
            if next.is_clearly_smaller(&best) { next } else { best }
        })
    }

    /// Turns the box so that every face touches all the vertices that now lie within `depth` of it, as far as that
    /// is possible (least squares), and keeps the result unless the box has grown.
    pub(super) fn flush(self, polytope: &Polytope, depth: f64, scratch: &mut Scratch) -> Candidate {
        // Per face the touching vertices; the edges between the first and each other one shall lie in the face.
        let axes = Mat3::from_quat(self.rotation);
        let mut edges: Vec<(usize, Vec3)> = Vec::new();
        for face in 0..6 {
            let axis = axes.col(face / 2);
            let direction = if face % 2 == 0 { axis } else { -axis };
            scratch.near(polytope, direction, self.support[face], depth, usize::MAX);
            let base = polytope.points[scratch.found[0] as usize];
            edges.extend(
                scratch.found[1..]
                    .iter()
                    .filter_map(|&i| Some((face / 2, (polytope.points[i as usize] - base).try_normalize()?))),
            );
        }
        let mut rotation = self.rotation;
        for _ in 0..4 {
            let axes = Mat3::from_quat(rotation);
            // Normal equations of e . (u + w x u) = 0, damped so that free directions stay where they are.
            let mut matrix = Mat3::from_diagonal(Vec3::splat(f64::EPSILON));
            let mut right = Vec3::ZERO;
            for &(axis, edge) in &edges {
                let u = axes.col(axis);
                let row = u.cross(edge);
                matrix += Mat3::from_cols(row * row.x, row * row.y, row * row.z);
                right -= row * edge.dot(u);
            }
            let turn = matrix.inverse() * right;
            if !turn.is_finite() || turn.length() > 1.0 {
                return self;
            }
            rotation = (small_turn(turn) * rotation).normalize();
        }
        let next = Candidate::at(polytope, rotation, self.support);
        if self.is_clearly_smaller(&next) { self } else { next }
    }
}

/// A rotation, not of unit length, about `turn` by nearly its length (up to its third power): enough for a search.
fn small_turn(turn: Vec3) -> Quat {
    let half = 0.5 * turn;
    Quat::from_xyzw(half.x, half.y, half.z, 1.0)
}

/// Working memory of the descent.
pub(super) struct Scratch {
    found: Vec<u32>,
    gradients: [Vec<Vec3>; 6],
    /// The share of the depth that gave few vertices on each face in the last step, and how many.
    shares: [f64; 6],
    found_before: [usize; 6],
    /// Which vertices the running search has met: those marked with its number.
    marks: Vec<u32>,
    number: u32,
}

impl Scratch {
    pub(super) fn for_polytope(polytope: &Polytope) -> Scratch {
        Scratch {
            found: Vec::new(),
            gradients: Default::default(),
            shares: [1.0; 6],
            found_before: [0; 6],
            marks: vec![0; polytope.points.len()],
            number: 0,
        }
    }

    /// Fills `found` with the vertices within `depth` of the farthest one, beginning with that; with those within a
    /// smaller depth if they are many, so that a step costs about the same on flat and on round bodies.
    fn near_few(&mut self, polytope: &Polytope, direction: Vec3, (face, farthest): (usize, u32), depth: f64) {
        // The next step will meet about as many, so it begins with what was right for this one.
        if self.found_before[face] <= FEW_NEAR / 4 {
            self.shares[face] = (self.shares[face] * 8.0).min(1.0);
        }
        loop {
            let shallow = depth * self.shares[face];
            // What is left at the least depth lies in one plane: all of it counts.
            let limit = if shallow < FINEST { usize::MAX } else { FEW_NEAR };
            if self.near(polytope, direction, farthest, shallow, limit) {
                break;
            }
            self.shares[face] *= 0.125;
        }
        self.found_before[face] = self.found.len();
    }

    /// Fills `found` with the vertices within `depth` of the farthest one, beginning with that; false if it gave up
    /// because they are more than `limit`.
    fn near(
        &mut self,
        polytope: &Polytope,
        direction: Vec3,
        farthest: u32,
        depth: f64,
        limit: usize,
    ) -> bool {
        let floor = direction.dot(polytope.points[farthest as usize]) - depth;
        self.number += 1;
        self.found.clear();
        self.found.push(farthest);
        self.marks[farthest as usize] = self.number;
        let mut done = 0;
        while done < self.found.len() {
            if self.found.len() > limit {
                return false;
            }
            for &next in polytope.neighbors(self.found[done]) {
                if self.marks[next as usize] != self.number {
                    self.marks[next as usize] = self.number;
                    if direction.dot(polytope.points[next as usize]) >= floor {
                        self.found.push(next);
                    }
                }
            }
            done += 1;
        }
        true
    }
}
