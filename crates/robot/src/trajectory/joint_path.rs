//! Joint values over time.

/// Joint values over t in [0, 1], changing linearly from knot to knot.
#[derive(Clone, Debug, PartialEq)]
pub struct JointPath {
    /// Ascending, from 0 to 1.
    times: Vec<f64>,
    /// The values at each of them, one after the other.
    values: Vec<f64>,
    freedoms: usize,
}

/// Why knots do not make a path.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum JointPathError {
    /// Nothing to go through.
    #[error("a path of joint values needs at least one knot")]
    Empty,
    /// Knots with different numbers of values.
    #[error("knot {0} has another number of joint values than the first one")]
    Count(usize),
    /// Something that is not finite.
    #[error("knot {0} has a value that is not a finite number")]
    NotFinite(usize),
    /// Times that do not ascend from 0 to 1.
    #[error("the time of knot {0} is not after that of the one before, or they do not run from 0 to 1")]
    Time(usize),
}

impl JointPath {
    /// Through these knots: times, ascending strictly from 0 to 1, with one value per freedom each. A single knot means that nothing moves.
    pub fn new(knots: Vec<(f64, Vec<f64>)>) -> Result<JointPath, JointPathError> {
        let freedoms = knots.first().ok_or(JointPathError::Empty)?.1.len();
        for (number, (time, values)) in knots.iter().enumerate() {
            if values.len() != freedoms {
                return Err(JointPathError::Count(number));
            }
            if !values.iter().all(|value| value.is_finite()) {
                return Err(JointPathError::NotFinite(number));
            }
            let is_first = number == 0 && *time == 0.0;
            let is_next = number > 0 && knots[number - 1].0 < *time;
            let is_last = knots.len() == 1 || number + 1 < knots.len() || *time == 1.0;
            if !((is_first || is_next) && is_last) {
                return Err(JointPathError::Time(number));
            }
        }
        let (times, values): (Vec<f64>, Vec<Vec<f64>>) = knots.into_iter().unzip();
        Ok(JointPath { times, values: values.concat(), freedoms })
    }

    /// Where the joints are at all times.
    pub fn still(values: &[f64]) -> JointPath {
        JointPath { times: vec![0.0], values: values.to_vec(), freedoms: values.len() }
    }

    /// How many values there are at a time.
    pub fn freedoms(&self) -> usize {
        self.freedoms
    }

    /// The times of the knots.
    pub fn times(&self) -> &[f64] {
        &self.times
    }

    /// The values at the knot with this number.
    pub fn knot(&self, number: usize) -> &[f64] {
        &self.values[number * self.freedoms..(number + 1) * self.freedoms]
    }

    /// The values at t, which is clamped to [0, 1].
    pub fn values(&self, t: f64) -> Vec<f64> {
        (0..self.freedoms).map(|freedom| self.value(freedom, t)).collect()
    }

    /// The value of one freedom at t; exactly that of a knot there.
    pub fn value(&self, freedom: usize, t: f64) -> f64 {
        let piece = self.piece(t);
        self.value_on(piece, freedom, t)
    }

    /// How many pieces between knots there are, at least one.
    pub(crate) fn pieces(&self) -> usize {
        self.times.len().max(2) - 1
    }

    /// The piece that t is on, the later one at a knot.
    pub(crate) fn piece(&self, t: f64) -> usize {
        self.times.partition_point(|time| *time <= t).saturating_sub(1).min(self.pieces() - 1)
    }

    /// From when to when a piece is.
    pub(crate) fn span(&self, piece: usize) -> [f64; 2] {
        [self.times[piece], self.times.get(piece + 1).copied().unwrap_or(1.0)]
    }

    /// The value of a freedom at a time on a piece, clamped to it.
    pub(crate) fn value_on(&self, piece: usize, freedom: usize, t: f64) -> f64 {
        let start = self.values[piece * self.freedoms + freedom];
        let Some(end) = self.values.get((piece + 1) * self.freedoms + freedom) else { return start };
        let [from, to] = self.span(piece);
        if t >= to {
            return *end;
        }
        start + ((t - from) / (to - from)).max(0.0) * (end - start)
    }

    /// How fast a freedom moves on a piece, per unit of t.
    pub(crate) fn rate(&self, piece: usize, freedom: usize) -> f64 {
        let start = self.values[piece * self.freedoms + freedom];
        let Some(end) = self.values.get((piece + 1) * self.freedoms + freedom) else { return 0.0 };
        let [from, to] = self.span(piece);
        (end - start) / (to - from)
    }
}
