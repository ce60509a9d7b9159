//! Two boxes: the axis that separates them best, and the points where they meet along it.

use super::clip::{Corner, best_four, clip};
use super::{Found, Hint, MOST_POINTS, Outcome, Placed, Touch};
use freiraum_geometry::{Mat3, Vec3};

/// Axes are numbered: 0 to 2 faces of a, 3 to 5 faces of b, 6 + 3 i + j edge i of a with edge j of b. A hint is the number plus one.
const EDGES: usize = 6;

/// A face is left for another axis only if that separates better by this share of the smaller box: else contacts would flicker between
/// nearly equal axes, and lose what they know of the last step.
const PREFERENCE: f64 = 1.0 / 256.0;

/// Edges whose directions have a sine below this square root are parallel: the axes of faces say the same.
const PARALLEL_SQUARED: f64 = 1.0 / 4096.0;

struct Pair {
    /// b's axes in the frame of a, as columns.
    turn: Mat3,
    absolute: Mat3,
    /// Centre of b in the frames of a and b.
    in_a: Vec3,
    in_b: Vec3,
    a: Vec3,
    b: Vec3,
}

impl Pair {
    fn face_a(&self, i: usize) -> f64 {
        let reach = self.absolute.x_axis[i] * self.b.x
            + self.absolute.y_axis[i] * self.b.y
            + self.absolute.z_axis[i] * self.b.z;
        self.in_a[i].abs() - self.a[i] - reach
    }

    fn face_b(&self, j: usize) -> f64 {
        self.in_b[j].abs() - self.b[j] - self.absolute.col(j).dot(self.a)
    }

    /// Separation along the cross product of two edges, and the sign of the side on which b is; `None` if they are parallel.
    fn edges(&self, i: usize, j: usize) -> Option<(f64, f64)> {
        let r = |row: usize, column: usize| self.turn.col(column)[row];
        let s = |row: usize, column: usize| self.absolute.col(column)[row];
        let square = 1.0 - r(i, j) * r(i, j);
        if square < PARALLEL_SQUARED {
            return None;
        }
        let (i1, i2) = ((i + 1) % 3, (i + 2) % 3);
        let (j1, j2) = ((j + 1) % 3, (j + 2) % 3);
        // a_i x b_j in the frame of a has no component i.
        let along = self.in_a[i2] * r(i1, j) - self.in_a[i1] * r(i2, j);
        let reach_a = self.a[i1] * s(i2, j) + self.a[i2] * s(i1, j);
        let reach_b = self.b[j1] * s(i, j2) + self.b[j2] * s(i, j1);
        let length = square.sqrt();
        Some(((along.abs() - reach_a - reach_b) / length, if along < 0.0 { -1.0 } else { 1.0 }))
    }
}

pub(super) fn cuboid_cuboid(
    a: &Placed,
    half_a: Vec3,
    b: &Placed,
    half_b: Vec3,
    margin: f64,
    hint: &mut Hint,
) -> Outcome {
    let between = b.position - a.position;
    let turn = a.axes.transpose() * b.axes;
    let absolute = turn.abs();
    let in_a = a.axes.transpose() * between;
    let pair = Pair { turn, absolute, in_a, in_b: b.axes.transpose() * between, a: half_a, b: half_b };

    // The axis that separated them the last time usually still does.
    if hint.0 > 0 {
        let axis = usize::from(hint.0 - 1);
        let gap = match axis {
            0..3 => Some(pair.face_a(axis)),
            3..EDGES => Some(pair.face_b(axis - 3)),
            _ => pair.edges((axis - EDGES) / 3, (axis - EDGES) % 3).map(|(gap, _)| gap),
        };
        if let Some(gap) = gap.filter(|gap| *gap > margin) {
            return Outcome::Apart(gap);
        }
    }
    let (mut best_a, mut best_b) = ((f64::NEG_INFINITY, 0), (f64::NEG_INFINITY, 0));
    for i in 0..3 {
        let gap = pair.face_a(i);
        if gap > best_a.0 {
            best_a = (gap, i);
        }
        let gap = pair.face_b(i);
        if gap > best_b.0 {
            best_b = (gap, i);
        }
    }
    if best_a.0 > margin || best_b.0 > margin {
        let (gap, axis) = if best_a.0 >= best_b.0 { best_a } else { (best_b.0, best_b.1 + 3) };
        hint.0 = axis as u8 + 1;
        return Outcome::Apart(gap);
    }
    let mut best_edge = (f64::NEG_INFINITY, 0, 0, 1.0);
    for i in 0..3 {
        for j in 0..3 {
            let Some((gap, side)) = pair.edges(i, j) else { continue };
            if gap > best_edge.0 {
                best_edge = (gap, i, j, side);
                if gap > margin {
                    hint.0 = (EDGES + 3 * i + j) as u8 + 1;
                    return Outcome::Apart(gap);
                }
            }
        }
    }
    let preference = PREFERENCE * half_a.min_element().min(half_b.min_element());
    if best_edge.0 > best_a.0.max(best_b.0) + preference {
        let (gap, i, j, side) = best_edge;
        hint.0 = (EDGES + 3 * i + j) as u8 + 1;
        return Outcome::Touching(edge_contact(a, half_a, b, half_b, &pair, (i, j), side, gap));
    }
    // The reference face of the last time is kept while it is as good.
    let was_b = (4..=6).contains(&hint.0);
    let is_b = best_b.0 > best_a.0 + if was_b { -preference } else { preference };
    let touch = if is_b {
        hint.0 = best_b.1 as u8 + 4;
        let turn = pair.turn.transpose();
        face_contact(b, half_b, best_b.1, -pair.in_b, half_a, &turn, margin).map(Touch::swapped)
    } else {
        hint.0 = best_a.1 as u8 + 1;
        face_contact(a, half_a, best_a.1, pair.in_a, half_b, &pair.turn, margin)
    };
    match touch {
        Some(touch) => Outcome::Touching(touch),
        // Over no face: the corners pass each other.
        None => Outcome::Apart(best_a.0.max(best_b.0).max(best_edge.0)),
    }
}

/// The two edges that are nearest to each other along their cross product.
#[expect(clippy::too_many_arguments, reason = "one caller, which has all of them at hand")]
fn edge_contact(
    a: &Placed,
    half_a: Vec3,
    b: &Placed,
    half_b: Vec3,
    pair: &Pair,
    (i, j): (usize, usize),
    side: f64,
    gap: f64,
) -> Touch {
    let (along_a, along_b) = (a.axes.col(i), b.axes.col(j));
    let cross = along_a.cross(along_b);
    let normal = cross * (side / cross.length());
    // The edge of each box that lies farthest towards the other.
    let towards_b = a.axes.transpose() * normal;
    let towards_a = b.axes.transpose() * -normal;
    let corner = |direction: Vec3, half: Vec3, axis: usize| {
        let mut p = Vec3::new(
            half.x.copysign(direction.x),
            half.y.copysign(direction.y),
            half.z.copysign(direction.z),
        );
        p[axis] = 0.0;
        p
    };
    let (local_a, local_b) = (corner(towards_b, half_a, i), corner(towards_a, half_b, j));
    let (on_a, on_b) = (a.position + a.axes * local_a, b.position + b.axes * local_b);
    // Nearest points of the two lines.
    let between = on_b - on_a;
    let cosine = pair.turn.col(j)[i];
    let square = 1.0 - cosine * cosine;
    let (da, db) = (between.dot(along_a), between.dot(along_b));
    let s = ((da - cosine * db) / square).clamp(-half_a[i], half_a[i]);
    let t = ((cosine * da - db) / square).clamp(-half_b[j], half_b[j]);
    let middle = 0.5 * (on_a + s * along_a + on_b + t * along_b);
    let signs = |p: Vec3| {
        let bit = |x: f64, n: u32| u32::from(x > 0.0) << n;
        bit(p.x, 0) | bit(p.y, 1) | bit(p.z, 2)
    };
    let feature = 1 << 16 | (i as u32) << 12 | (j as u32) << 8 | signs(local_a) << 4 | signs(local_b);
    Touch::single(normal, middle, gap, feature)
}

/// The face of `other` that looks most at face `axis` of the reference box, clipped against it. `center` is that of the other box and `turn` its
/// axes, both in the frame of the reference box; the normal points from the reference box to the other.
fn face_contact(
    reference: &Placed,
    half: Vec3,
    axis: usize,
    center: Vec3,
    other_half: Vec3,
    turn: &Mat3,
    margin: f64,
) -> Option<Touch> {
    let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
    let side = if center[axis] < 0.0 { -1.0 } else { 1.0 };
    // The axis of the other box that is most parallel to the normal, and the side that looks at the reference box.
    let slopes = Vec3::new(turn.x_axis[axis], turn.y_axis[axis], turn.z_axis[axis]);
    let steep = slopes.abs();
    let incident = if steep.x >= steep.y && steep.x >= steep.z {
        0
    } else if steep.y >= steep.z {
        1
    } else {
        2
    };
    let low = if slopes[incident] * side > 0.0 { -1.0 } else { 1.0 };
    let (p, q) = ((incident + 1) % 3, (incident + 2) % 3);
    let middle = center + (low * other_half[incident]) * turn.col(incident);
    let (along_p, along_q) = (other_half[p] * turn.col(p), other_half[q] * turn.col(q));
    let corner = |s: f64, t: f64, edge: u8| {
        let at = middle + s * along_p + t * along_q;
        Corner { x: at[u], y: at[v], z: side * at[axis] - half[axis], edge }
    };
    let face = [corner(1.0, 1.0, 0), corner(-1.0, 1.0, 1), corner(-1.0, -1.0, 2), corner(1.0, -1.0, 3)];
    let clipped = clip(face, half[u], half[v]);

    let mut near = [(0.0, 0.0, 0.0); 8];
    let mut features = [0u32; 8];
    let mut count = 0;
    for k in 0..clipped.count {
        let corner = &clipped.corners[k];
        if corner.z > margin {
            continue;
        }
        let before = clipped.corners[if k == 0 { clipped.count - 1 } else { k - 1 }].edge;
        near[count] = (corner.x, corner.y, corner.z);
        // Which faces, and between which two edges the corner lies.
        features[count] = 1
            + (u32::from(before) | u32::from(corner.edge) << 3)
            + ((axis as u32) << 6
                | (incident as u32) << 8
                | u32::from(side > 0.0) << 10
                | u32::from(low > 0.0) << 11);
        count += 1;
    }
    if count == 0 {
        return None;
    }
    let mut chosen = [0; MOST_POINTS];
    let chosen_count = best_four(&near[..count], &mut chosen);
    let mut touch = Touch { normal: side * reference.axes.col(axis), count: chosen_count, ..Touch::NONE };
    for (slot, k) in chosen[..chosen_count].iter().enumerate() {
        let (x, y, z) = near[*k];
        let mut local = Vec3::ZERO;
        local[u] = x;
        local[v] = y;
        local[axis] = side * (half[axis] + 0.5 * z);
        touch.points[slot] =
            Found { at: reference.position + reference.axes * local, separation: z, feature: features[*k] };
    }
    Some(touch)
}
