//! What is drawn on top of the bodies.

use super::camera::Lens;
use super::canvas::{Canvas, FINE};
use freiraum_geometry::{Vec2, Vec3};

/// Ink of arrows, of what is wrong, and of measures.
const INK: u32 = 0x1b_26_38;
const WRONG: u32 = 0xd0_1c_2b;
const MEASURE: u32 = 0x7a_2f_8f;
const PAPER: u32 = 0xff_ff_ff;

/// Something drawn on top of the bodies, in the frame of the world.
#[derive(Clone, Debug, PartialEq)]
pub enum Mark {
    /// An arrow along these points; from the one with the number `blocked_from` on it cannot be carried out.
    Way {
        /// In order.
        points: Vec<Vec3>,
        /// Where it ends to be free.
        blocked_from: Option<usize>,
    },
    /// A place where two bodies touch.
    Contact(Vec3),
    /// The nearest points of two bodies.
    Gap([Vec3; 2]),
}

impl Mark {
    pub(crate) fn draw(&self, canvas: &mut Canvas, lens: &Lens) {
        let place = |p: &Vec3| lens.project_world(*p).map(|[x, y, _]| Vec2::new(x, y));
        let unit = FINE as f64;
        match self {
            Mark::Way { points, blocked_from } => {
                let points: Vec<Vec2> = points.iter().filter_map(place).collect();
                let cut = blocked_from.unwrap_or(points.len()).min(points.len());
                way(canvas, &points, cut);
            }
            Mark::Contact(point) => {
                if let Some(p) = place(point) {
                    canvas.ring(p, 11.0 * unit, 5.0 * unit, PAPER, 0.85);
                    canvas.ring(p, 11.0 * unit, 2.4 * unit, WRONG, 1.0);
                    canvas.stroke(p, p, 8.5 * unit, PAPER, 0.9);
                    canvas.stroke(p, p, 6.0 * unit, WRONG, 1.0);
                }
            }
            Mark::Gap(points) => {
                if let [Some(p), Some(q)] = [place(&points[0]), place(&points[1])] {
                    canvas.stroke(p, q, 5.0 * unit, PAPER, 0.85);
                    canvas.stroke(p, q, 2.2 * unit, MEASURE, 1.0);
                    for end in [p, q] {
                        canvas.stroke(end, end, 9.0 * unit, PAPER, 0.85);
                        canvas.stroke(end, end, 6.0 * unit, MEASURE, 1.0);
                    }
                }
            }
        }
    }
}

/// An arrow along points, dashed and red from point `cut` on.
fn way(canvas: &mut Canvas, points: &[Vec2], cut: usize) {
    let unit = FINE as f64;
    let [.., tip] = points else { return };
    let length: f64 = points.windows(2).map(|p| p[0].distance(p[1])).sum();
    if length < 3.0 * unit {
        return;
    }
    // The head: as long as looks good, but never most of the arrow.
    let head = (15.0 * unit).min(0.5 * length);
    let mut foot = points[0];
    let mut left = head;
    for pair in points.windows(2).rev() {
        let step = pair[0].distance(pair[1]);
        if step >= left {
            foot = pair[1] + (pair[0] - pair[1]) * (left / step);
            break;
        }
        left -= step;
    }
    let along = (*tip - foot).try_normalize().unwrap_or(Vec2::X);
    let side = along.perp() * (0.40 * head);
    let corners = [*tip, foot + side, foot - side];
    let is_blocked = cut < points.len();
    let color = if is_blocked { WRONG } else { INK };
    // Lines end in the head.
    let shaft = length - 0.7 * head;
    for (width, halo) in [(6.4, true), (3.0, false)] {
        if halo {
            canvas.triangle(corners, 1.9 * unit, PAPER, 0.9);
        }
        let mut walked = 0.0;
        for (i, pair) in points.windows(2).enumerate() {
            let step = pair[0].distance(pair[1]);
            let room = (shaft - walked).min(step);
            if room > 0.0 && step > 0.0 {
                let end = pair[0] + (pair[1] - pair[0]) * (room / step);
                if i + 1 < cut {
                    canvas.stroke(pair[0], end, width * unit, if halo { PAPER } else { INK }, 0.9);
                } else {
                    dashes(canvas, pair[0], end, walked, width * unit, if halo { PAPER } else { WRONG });
                }
            }
            walked += step;
        }
    }
    canvas.triangle(corners, 0.0, color, 1.0);
}

/// A dashed line whose pattern began `walked` samples earlier.
fn dashes(canvas: &mut Canvas, from: Vec2, to: Vec2, walked: f64, width: f64, color: u32) {
    let unit = FINE as f64;
    let (dash, period) = (6.0 * unit, 12.0 * unit);
    let length = from.distance(to);
    let mut start = (walked / period).floor() * period - walked;
    while start < length {
        let (a, b) = (start.max(0.0), (start + dash).min(length));
        if a < b {
            let at = |s: f64| from + (to - from) * (s / length);
            canvas.stroke(at(a), at(b), width, color, 0.9);
        }
        start += period;
    }
}
