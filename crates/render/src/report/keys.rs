//! Key frames: a motion as poses between which viewers go on straight lines and shortest turns.

use freiraum_geometry::Pose;
use freiraum_geometry::path::{Ball, Motion};

/// Between two keys a body turns by no more than this, in radians: the shortest turn is then the right one.
const MOST_TURN: f64 = 1.0;
/// The finest keys are this far apart in t: 1/2^DEPTH of a stretch without breaks.
const DEPTH: u32 = 12;

/// Times in [0, 1], from 0 to 1, and poses. Between them no point of the ball is farther from its place than `accuracy` metres, as far as
/// samples tell.
pub fn keys(motion: &dyn Motion, ball: &Ball, accuracy: f64) -> Vec<(f64, Pose)> {
    let mut breaks = vec![0.0];
    motion.breaks(&mut breaks);
    breaks.push(1.0);
    let mut out = vec![(0.0, motion.pose(0.0))];
    for pair in breaks.windows(2) {
        refine(motion, ball, accuracy, [pair[0], pair[1]], DEPTH, &mut out);
    }
    out
}

/// Appends keys after `times[0]` up to `times[1]`.
fn refine(
    motion: &dyn Motion,
    ball: &Ball,
    accuracy: f64,
    times: [f64; 2],
    depth: u32,
    out: &mut Vec<(f64, Pose)>,
) {
    let [from, to] = times;
    let (start, end) = (motion.pose(from), motion.pose(to));
    let is_close = |share: f64| {
        let (shown, true_pose) = (between(&start, &end, share), motion.pose(from + share * (to - from)));
        deviation(&shown, &true_pose, ball) <= accuracy
    };
    let middle = 0.5 * (from + to);
    // A full turn between two keys would look like rest: several places are asked, and speeds where they are known.
    let turn = motion.twist(middle).map_or(0.0, |twist| twist.angular.length() * (to - from));
    let is_fine = turn <= MOST_TURN && [0.125, 0.3, 0.5, 0.7, 0.875].into_iter().all(is_close);
    if depth == 0 || is_fine || !(from < middle && middle < to) {
        out.push((to, end));
        return;
    }
    refine(motion, ball, accuracy, [from, middle], depth - 1, out);
    refine(motion, ball, accuracy, [middle, to], depth - 1, out);
}

/// What a viewer shows between two keys: translation on a line, shortest turn.
pub(crate) fn between(start: &Pose, end: &Pose, share: f64) -> Pose {
    start.interpolated(end, share)
}

/// No point of the ball is farther apart in the two poses.
pub(crate) fn deviation(a: &Pose, b: &Pose, ball: &Ball) -> f64 {
    let change = a.rotation().conjugate() * b.rotation();
    let angle = 2.0 * change.xyz().length().min(1.0).asin();
    a.transform_point(ball.center).distance(b.transform_point(ball.center)) + angle * ball.radius
}
