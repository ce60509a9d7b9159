//! One pair of links.

use super::bodies::{LinkBody, Touch};
use super::cell::{Between, Cell, Placed};
use super::ranked::Ranked;
use super::{AuditOptions, Meeting, PairAudit, descent, overlap};
use freiraum_geometry::Pose;
use freiraum_geometry::math::random::SplitMix64;
use freiraum_geometry::math::rounding;
use freiraum_geometry::path::Ball;
use freiraum_query::mesh_tree::MeshWorkspace;
use freiraum_robot::{Limits, Robot};
use std::collections::BinaryHeap;

/// Distances in that many of the samples say where the search for the closest begins.
const MEASURED: usize = 64;

/// So many searches.
const DESCENTS: usize = 6;

/// A cell in which links are looked at for a common point costs about as much as so many in which they are looked at for a distance.
const COST_OF_OVERLAP: usize = 20;

/// If none of so many cells shows a common point that stays, smaller ones will not either: the links only just touch.
const HOPELESS: usize = 5000;

pub(super) struct Search<'s> {
    pub(super) between: Between,
    pub(super) bodies: [&'s LinkBody; 2],
    /// Of the freedoms that matter: the ends of cells are off by rounding.
    ranges: Vec<Limits>,
    options: &'s AuditOptions<'s>,
    /// How many cells were looked at.
    cells: usize,
    /// The smallest distance that was found, and where.
    closest: (f64, Vec<f64>),
    /// For every pair of shapes of the two, whether one may be inside of the other wherever they were looked at.
    maybe_inside: Vec<bool>,
    /// Joint values at which the links are apart, containment included.
    free: Option<Vec<f64>>,
    workspace: MeshWorkspace,
}

/// What is known of a cell.
struct Bound {
    /// The distance that the links keep in all of it; 0 or less if nothing is proven.
    lower: f64,
    /// The freedom to split.
    widest: usize,
}

pub(super) fn audit(
    robot: &Robot,
    links: [usize; 2],
    bodies: [&LinkBody; 2],
    options: &AuditOptions,
) -> PairAudit {
    let between = Between::new(robot, links);
    let is_neighbour = between.joints() == 1;
    let Some(whole) = between.whole(robot) else {
        // A joint slides without end: nothing can be said about all of it.
        let at = (0..robot.freedoms().len()).map(|freedom| near_zero(robot, freedom)).collect();
        let meeting = Meeting::Undecided { touched: false, open: 1.0, closest: None, at };
        return PairAudit { links, is_neighbour, meeting, cells: 0 };
    };
    let closest = (f64::INFINITY, whole.middle.clone());
    let workspace = MeshWorkspace::default();
    let ranges = between.freedoms.iter().map(|freedom| robot.range(*freedom)).collect();
    let maybe_inside = vec![true; bodies[0].count_pairs(bodies[1])];
    let mut search =
        Search { between, bodies, ranges, options, cells: 0, closest, maybe_inside, free: None, workspace };
    let meeting = search.run(robot, links, &whole);
    PairAudit { links, is_neighbour, meeting, cells: search.cells }
}

/// The value of a freedom that is nearest to 0.
fn near_zero(robot: &Robot, freedom: usize) -> f64 {
    let range = robot.range(freedom);
    0.0_f64.max(range.lower).min(range.upper)
}

impl Search<'_> {
    fn run(&mut self, robot: &Robot, links: [usize; 2], whole: &Cell) -> Meeting {
        let (mut touching, mut unknown, mut hits) = (None, None, 0);
        let seed = self.options.seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ (links[0] << 32 | links[1]) as u64;
        let mut random = SplitMix64::new(seed);
        let is_fixed = whole.half.iter().all(|half| *half == 0.0);
        let count = if is_fixed { 1 } else { self.options.samples.max(1) };
        let mut measured: Vec<(f64, Vec<f64>)> = Vec::new();
        for number in 0..count {
            // The middle first.
            let mut roll = |(middle, half): (&f64, &f64)| {
                middle + half * if number == 0 { 0.0 } else { random.range(-1.0, 1.0) }
            };
            let mut values: Vec<f64> = whole.middle.iter().zip(&whole.half).map(&mut roll).collect();
            self.keep_inside(&mut values);
            let pose = self.between.a_from_b(&values);
            let touch = self.touch(&pose);
            hits += usize::from(touch == Touch::Yes);
            if touching.is_none() && touch != Touch::Yes && measured.len() < MEASURED {
                measured.push((self.bodies[0].distance(self.bodies[1], &pose), values.clone()));
            }
            match touch {
                Touch::Yes => &mut touching,
                Touch::No => &mut self.free,
                Touch::Unknown => &mut unknown,
            }
            .get_or_insert(values);
        }
        if touching.is_none() && !is_fixed {
            measured.sort_by(|x, y| x.0.total_cmp(&y.0));
            for (distance, values) in measured.into_iter().take(DESCENTS) {
                let found = descent::closest(self, whole, distance, values);
                if found.0 < self.closest.0 {
                    self.closest = found;
                }
                if self.closest.0 <= 0.0 {
                    touching = Some(self.closest.1.clone());
                    break;
                }
            }
        }
        match (touching, &unknown) {
            (Some(touching), _) if self.free.is_some() => {
                self.sometimes(robot, &touching, hits as f64 / count as f64)
            }
            (Some(_), Some(unknown)) => self.inside_unknown(robot, true, (0.0, unknown)),
            (Some(touching), None) => self.prove_always(robot, whole, touching),
            (None, _) => self.prove_never(robot, whole),
        }
    }

    /// Whether the links touch. Containment is looked at until they were seen apart once.
    fn touch(&mut self, a_from_b: &Pose) -> Touch {
        let open = if self.free.is_some() { &mut [][..] } else { &mut self.maybe_inside };
        self.bodies[0].touch(self.bodies[1], a_from_b, open)
    }

    /// They touch here, and elsewhere they were seen apart, or not known to be.
    fn sometimes(&self, robot: &Robot, touching: &[f64], share: f64) -> Meeting {
        match &self.free {
            Some(free) => Meeting::Sometimes {
                touching: self.all_values(robot, touching),
                free: self.all_values(robot, free),
                share,
            },
            None => self.inside_unknown(robot, true, (0.0, touching)),
        }
    }

    fn inside_unknown(&self, robot: &Robot, touched: bool, (closest, at): (f64, &[f64])) -> Meeting {
        let unbounded = self.bodies.map(LinkBody::is_doubtful);
        Meeting::InsideUnknown { unbounded, touched, closest, at: self.all_values(robot, at) }
    }

    /// Takes away what rounding brought beyond the limits.
    pub(super) fn keep_inside(&self, values: &mut [f64]) {
        for (value, range) in values.iter_mut().zip(&self.ranges) {
            *value = value.max(range.lower).min(range.upper);
        }
    }

    fn is_cancelled(&self) -> bool {
        self.cells.is_multiple_of(64) && self.options.is_cancelled.is_some_and(|is_cancelled| is_cancelled())
    }

    /// The values of all freedoms of the robot: the others are as near to 0 as they can be.
    fn all_values(&self, robot: &Robot, values: &[f64]) -> Vec<f64> {
        let value = |freedom: usize| match self.between.freedoms.binary_search(&freedom) {
            // The ends of a cell are its middle and half its width, but for rounding.
            Ok(number) => values[number].max(robot.range(freedom).lower).min(robot.range(freedom).upper),
            Err(_) => near_zero(robot, freedom),
        };
        (0..robot.freedoms().len()).map(value).collect()
    }

    /// The distance that the links keep in all of a cell. Distances above `enough` are not told exactly.
    fn bound(&mut self, cell: &Cell, enough: f64) -> Bound {
        self.cells += 1;
        let placed = self.between.placed(cell);
        let a_from_b = placed.a_from_b();
        let [a, b] = self.bodies;
        let put = |ball: &Ball, pose: &Pose| Ball { center: pose.transform_point(ball.center), ..*ball };
        let balls_a: Vec<Ball> = a.pieces.iter().map(|piece| put(&piece.ball, &placed.links[0])).collect();
        let balls_b: Vec<Ball> = b.pieces.iter().map(|piece| put(&piece.ball, &placed.links[1])).collect();
        let reaches_a: Vec<_> = balls_a.iter().map(|ball| placed.reaches_of_a(ball)).collect();
        let reaches_b: Vec<_> = balls_b.iter().map(|ball| placed.reaches_of_b(ball)).collect();
        // By balls alone, which is nearly free of charge.
        let mut near = Vec::new();
        let mut lower = f64::INFINITY;
        for (i, ball_a) in balls_a.iter().enumerate() {
            for (j, ball_b) in balls_b.iter().enumerate() {
                let (reach, cut) = placed.least(&reaches_a[i], &reaches_b[j]);
                let between = ball_a.center.distance(ball_b.center);
                let radii = ball_a.radius + ball_b.radius;
                let far = ball_a.center.length().max(ball_b.center.length()) + radii;
                let slack = 4.0 * rounding::coordinate(far);
                let by_balls = between - radii - reach - slack;
                if between + radii <= reach {
                    // No distance would be enough.
                    let widest = placed.widest(&reaches_a[i], &reaches_b[j], cut);
                    return Bound { lower: f64::NEG_INFINITY, widest };
                }
                if by_balls < enough {
                    near.push((by_balls, i, j, reach + slack, cut));
                } else {
                    lower = lower.min(by_balls);
                }
            }
        }
        near.sort_by(|x, y| x.0.total_cmp(&y.0).then((x.1, x.2).cmp(&(y.1, y.2))));
        let split = |placed: &Placed, &(_, i, j, _, cut): &(f64, usize, usize, f64, usize)| {
            placed.widest(&reaches_a[i], &reaches_b[j], cut)
        };
        let mut widest = near.first().map_or(0, |first| split(&placed, first));
        for pair in &near {
            let &(by_balls, i, j, reach, _) = pair;
            if by_balls > lower {
                // All others are farther away than what was found.
                break;
            }
            let distance = a.pieces[i].distance(&b.pieces[j], &a_from_b);
            if distance < self.closest.0 {
                // The surfaces; the bodies as a whole say it exactly.
                self.closest = (a.distance(b, &a_from_b), cell.middle.clone());
            }
            let by_surface = (distance - reach).max(by_balls);
            if by_surface < lower {
                lower = by_surface;
                widest = split(&placed, pair);
                if lower <= 0.0 {
                    break;
                }
            }
        }
        Bound { lower, widest }
    }

    fn prove_never(&mut self, robot: &Robot, whole: &Cell) -> Meeting {
        let mut open = BinaryHeap::from([Ranked { rank: 1.0, share: 1.0, cell: whole.clone() }]);
        // Cells that are free, the nearest first.
        let mut free = BinaryHeap::new();
        let mut left = 1.0;
        while let Some(Ranked { share, cell, .. }) = open.pop() {
            if self.cells >= self.options.cells || self.is_cancelled() {
                let (closest, at) = (Some(self.closest.0), self.all_values(robot, &self.closest.1));
                return Meeting::Undecided { touched: false, open: left, closest, at };
            }
            let enough = self.enough();
            let Bound { lower, widest } = self.bound(&cell, enough);
            if self.closest.0 <= 0.0 {
                // A sample was missing: the middle of a cell touches.
                return self.sometimes(robot, &self.closest.1, 0.0);
            }
            if lower > 0.0 {
                left -= share;
                free.push(Ranked { rank: -lower, share, cell });
                continue;
            }
            let share = 0.5 * share;
            open.extend(cell.split(widest).map(|cell| Ranked { rank: share, share, cell }));
        }
        self.refine(robot, free)
    }

    /// A distance that is as good as the closest one.
    fn enough(&self) -> f64 {
        (1.0 - self.options.accuracy) * self.closest.0
    }

    /// Nothing touches. Now how close they come: the cell that may be nearest first.
    fn refine(&mut self, robot: &Robot, mut free: BinaryHeap<Ranked>) -> Meeting {
        let mut at_least = f64::INFINITY;
        while let Some(Ranked { rank, share, cell }) = free.pop() {
            at_least = -rank;
            if at_least >= self.enough() || self.cells >= self.options.cells || self.is_cancelled() {
                break;
            }
            let enough = self.enough();
            let widest = self.bound(&cell, enough).widest;
            for part in cell.split(widest) {
                let lower = self.bound(&part, enough).lower.max(at_least);
                free.push(Ranked { rank: -lower, share, cell: part });
            }
        }
        if !self.closest.0.is_finite() {
            let placed = self.between.a_from_b(&self.closest.1);
            self.closest.0 = self.bodies[0].distance(self.bodies[1], &placed);
        }
        // The surfaces never meet. So what is in the one at some joint values is at all of them: two shapes that were seen apart once are always.
        if self.maybe_inside.contains(&true) {
            return self.inside_unknown(robot, false, (self.closest.0, &self.closest.1));
        }
        let (closest, at) = (self.closest.0, self.all_values(robot, &self.closest.1));
        Meeting::Never { at_least: at_least.min(closest), closest, at }
    }

    fn prove_always(&mut self, robot: &Robot, whole: &Cell, touching: Vec<f64>) -> Meeting {
        let mut open = BinaryHeap::from([Ranked { rank: 1.0, share: 1.0, cell: whole.clone() }]);
        let mut left = 1.0;
        let budget = (self.options.cells / COST_OF_OVERLAP).max(1);
        while let Some(Ranked { share, cell, .. }) = open.pop() {
            let is_hopeless = self.cells >= HOPELESS && left == 1.0;
            if self.cells >= budget || is_hopeless || self.is_cancelled() {
                let at = self.all_values(robot, &touching);
                return Meeting::Undecided { touched: true, open: left, closest: Some(0.0), at };
            }
            self.cells += 1;
            let placed = self.between.placed(&cell);
            let (is_proven, widest) = overlap::all_over(self.bodies, &placed, &mut self.workspace);
            if is_proven {
                left -= share;
                continue;
            }
            match self.touch(&placed.a_from_b()) {
                Touch::Yes => {}
                Touch::No => {
                    self.free = Some(cell.middle);
                    return self.sometimes(robot, &touching, 1.0);
                }
                Touch::Unknown => return self.inside_unknown(robot, true, (0.0, &cell.middle)),
            }
            if cell.half.iter().all(|half| *half == 0.0) {
                // Nothing moves, and they touch.
                return Meeting::Always;
            }
            let share = 0.5 * share;
            open.extend(cell.split(widest).map(|cell| Ranked { rank: share, share, cell }));
        }
        Meeting::Always
    }
}
