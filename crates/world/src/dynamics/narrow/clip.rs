//! Four-cornered faces clipped against a rectangle, and the best four of many points.

use super::MOST_POINTS;

/// A corner of the clipped face: x and y in the plane of the rectangle, z above it, and the edge that leaves it (0 to 3 of the face, 4 to 7
/// of the rectangle).
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Corner {
    pub(super) x: f64,
    pub(super) y: f64,
    pub(super) z: f64,
    pub(super) edge: u8,
}

/// At most this many corners are left of four after clipping at four lines.
const MOST_CORNERS: usize = 8;

/// A polygon of a few corners.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Clipped {
    pub(super) corners: [Corner; MOST_CORNERS],
    pub(super) count: usize,
}

impl Clipped {
    fn push(&mut self, corner: Corner) {
        if self.count < MOST_CORNERS {
            self.corners[self.count] = corner;
            self.count += 1;
        }
    }
}

/// What of a face with four corners, edge i leaving corner i, lies over the rectangle |x| <= `half_x`, |y| <= `half_y`.
pub(super) fn clip(face: [Corner; 4], half_x: f64, half_y: f64) -> Clipped {
    let mut polygon = Clipped::default();
    face.into_iter().for_each(|c| polygon.push(c));
    let is_within = |c: &Corner| c.x.abs() <= half_x && c.y.abs() <= half_y;
    if face.iter().all(is_within) {
        return polygon;
    }
    polygon = clip_line(&polygon, 4, |c| half_x - c.x);
    polygon = clip_line(&polygon, 5, |c| half_y - c.y);
    polygon = clip_line(&polygon, 6, |c| half_x + c.x);
    clip_line(&polygon, 7, |c| half_y + c.y)
}

/// Keeps what is on the side where `inside` is not negative.
fn clip_line(polygon: &Clipped, edge: u8, inside: impl Fn(&Corner) -> f64) -> Clipped {
    let mut out = Clipped::default();
    for i in 0..polygon.count {
        let from = polygon.corners[i];
        let to = polygon.corners[if i + 1 == polygon.count { 0 } else { i + 1 }];
        let (d0, d1) = (inside(&from), inside(&to));
        let cut = |edge: u8| {
            let t = d0 / (d0 - d1);
            Corner {
                x: from.x + t * (to.x - from.x),
                y: from.y + t * (to.y - from.y),
                z: from.z + t * (to.z - from.z),
                edge,
            }
        };
        if d0 >= 0.0 {
            out.push(from);
            if d1 < 0.0 {
                out.push(cut(edge));
            }
        } else if d1 >= 0.0 {
            out.push(cut(from.edge));
        }
    }
    out
}

/// Indices of at most four points that hold a body as well as all of them: the deepest, the one farthest from it, and the two farthest to
/// either side of the line between these.
pub(super) fn best_four(points: &[(f64, f64, f64)], chosen: &mut [usize; MOST_POINTS]) -> usize {
    let count = points.len();
    if count <= MOST_POINTS {
        (0..count).for_each(|i| chosen[i] = i);
        return count;
    }
    let best = |value: &dyn Fn(usize) -> f64| {
        (0..count).fold((0, f64::NEG_INFINITY), |best, i| {
            let v = value(i);
            if v > best.1 { (i, v) } else { best }
        })
    };
    let (deepest, _) = best(&|i| -points[i].2);
    let p = points[deepest];
    let (far, _) = best(&|i| (points[i].0 - p.0).powi(2) + (points[i].1 - p.1).powi(2));
    let q = points[far];
    let side = |i: usize| (q.0 - p.0) * (points[i].1 - p.1) - (q.1 - p.1) * (points[i].0 - p.0);
    let (left, to_left) = best(&|i| side(i));
    let (right, to_right) = best(&|i| -side(i));
    (chosen[0], chosen[1]) = (deepest, far);
    let mut found = 2;
    for (i, area) in [(left, to_left), (right, to_right)] {
        if area > 0.0 {
            chosen[found] = i;
            found += 1;
        }
    }
    found
}
