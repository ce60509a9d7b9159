//! Voronoi regions of the features of two polyhedra: which neighbour is nearer, if any.
//!
//! Names: the first feature belongs to polyhedron x, the second to y, each in its own frame; `x_from_y` leads between them.
//! A plane of a region has its positive side inside and belongs to the neighbour beyond it.

use super::features::Feature;
use super::graph::ConvexGraph;
use freiraum_geometry::{Mat3, Vec3};

/// What a pair of features leads to.
pub(super) enum Step {
    /// A neighbour of the first feature is nearer.
    First(Feature),
    /// A neighbour of the second feature is nearer.
    Second(Feature),
    /// The nearest features, with their nearest points in the frame of x.
    Nearest(Vec3, Vec3),
    /// Overlap, contact, or nothing that the regions can tell.
    Stuck,
}

impl Step {
    /// The same with x and y exchanged; points move to the other frame.
    fn swapped(self, x_from_y: &Frame) -> Step {
        match self {
            Step::First(feature) => Step::Second(feature),
            Step::Second(feature) => Step::First(feature),
            Step::Nearest(on_y, on_x) => Step::Nearest(x_from_y.apply(on_x), x_from_y.apply(on_y)),
            Step::Stuck => Step::Stuck,
        }
    }
}

/// A placement as a matrix.
pub(super) struct Frame {
    rotation: Mat3,
    back: Mat3,
    translation: Vec3,
}

impl Frame {
    pub(super) fn new(rotation: Mat3, translation: Vec3) -> Frame {
        Frame { rotation, back: rotation.transpose(), translation }
    }

    fn inverse(&self) -> Frame {
        Frame { rotation: self.back, back: self.rotation, translation: -(self.back * self.translation) }
    }

    fn apply(&self, point: Vec3) -> Vec3 {
        self.rotation * point + self.translation
    }

    fn apply_back(&self, point: Vec3) -> Vec3 {
        self.back * (point - self.translation)
    }
}

/// One step from a pair of features.
pub(super) fn step(x: &ConvexGraph, f: Feature, y: &ConvexGraph, g: Feature, x_from_y: &Frame) -> Step {
    use Feature::{Edge, Face, Vertex};
    match (f, g) {
        (Vertex(i), Vertex(k)) => vertex_vertex(x, i, y, k, x_from_y),
        (Vertex(i), Edge(e)) => vertex_edge(x, i, y, e, x_from_y),
        (Vertex(i), Face(k)) => vertex_face(x, i, y, k, x_from_y),
        (Edge(e), Edge(f)) => edge_edge(x, e, y, f, x_from_y),
        (Edge(e), Face(k)) => edge_face(x, e, y, k, x_from_y),
        // Two faces are never needed; a corner of the first finds the way.
        (Face(i), Face(_)) => Step::First(Vertex(x.face(i)[0])),
        (Edge(_) | Face(_), _) => step(y, g, x, f, &x_from_y.inverse()).swapped(x_from_y),
    }
}

fn vertex_vertex(x: &ConvexGraph, i: u32, y: &ConvexGraph, k: u32, x_from_y: &Frame) -> Step {
    let (p, q) = (x.at(i), y.at(k));
    let q_in_x = x_from_y.apply(q);
    if let Some(edge) = beyond_vertex(x, i, q_in_x) {
        return Step::First(edge);
    }
    if let Some(edge) = beyond_vertex(y, k, x_from_y.apply_back(p)) {
        return Step::Second(edge);
    }
    Step::Nearest(p, q_in_x)
}

/// The edge of a vertex along which a point lies farthest ahead, if along any.
fn beyond_vertex(x: &ConvexGraph, i: u32, point: Vec3) -> Option<Feature> {
    let p = x.at(i);
    let d = point - p;
    let mut best = (0.0, None);
    for link in x.links_of(i) {
        let along = link.point - p;
        let ahead = along.dot(d);
        // By the cosine, squared: the steepest edge, not the longest.
        if ahead > 0.0 {
            let steep = ahead * ahead / along.length_squared();
            if steep > best.0 {
                best = (steep, Some(Feature::Edge([i, link.number])));
            }
        }
    }
    best.1
}

fn vertex_edge(x: &ConvexGraph, i: u32, y: &ConvexGraph, e: [u32; 2], x_from_y: &Frame) -> Step {
    let v = x.at(i);
    let p = x_from_y.apply_back(v);
    // The vertex in the region of the edge.
    let mut worst = (0.0, None);
    for plane in edge_planes(y, e) {
        let inside = plane.normal.dot(p - plane.point);
        if inside < worst.0 {
            worst = (inside, Some(plane.beyond));
        }
    }
    if let Some(feature) = worst.1 {
        return Step::Second(feature);
    }
    // The edge in the region of the vertex.
    let ends = e.map(|k| x_from_y.apply(y.at(k)));
    let planes = x.links_of(i).iter().map(|link| Plane {
        point: v,
        normal: v - link.point,
        beyond: Feature::Edge([i, link.number]),
    });
    let clip = clip(ends, planes);
    if let Some(feature) = clip.leave(ends, |_, q| Some(q - v)) {
        return Step::First(feature);
    }
    let [t, h] = ends;
    let along = h - t;
    let share = (along.dot(v - t) / along.length_squared()).clamp(0.0, 1.0);
    Step::Nearest(v, t + share * along)
}

fn vertex_face(x: &ConvexGraph, i: u32, y: &ConvexGraph, k: u32, x_from_y: &Frame) -> Step {
    let v = x.at(i);
    let p = x_from_y.apply_back(v);
    let mut worst = (0.0, None);
    for plane in face_planes(y, k) {
        let inside = plane.normal.dot(p - plane.point);
        if inside < worst.0 {
            worst = (inside, Some(plane.beyond));
        }
    }
    if let Some(feature) = worst.1 {
        return Step::Second(feature);
    }
    let (normal, on_face) = (y.normal(k), y.at(y.face(k)[0]));
    let height = normal.dot(p - on_face);
    if !(height > 0.0) {
        return Step::Stuck;
    }
    // An edge of the vertex that leads down to the face.
    let normal_in_x = x_from_y.rotation * normal;
    let mut steepest = (0.0, None);
    for link in x.links_of(i) {
        let along = link.point - v;
        let down = -along.dot(normal_in_x);
        if down > 0.0 {
            let steep = down * down / along.length_squared();
            if steep > steepest.0 {
                steepest = (steep, Some(Feature::Edge([i, link.number])));
            }
        }
    }
    match steepest.1 {
        // What rounding takes for a way down is none.
        Some(edge) if steepest.0 > f64::EPSILON * f64::EPSILON * 1024.0 => Step::First(edge),
        _ => Step::Nearest(v, v - height * normal_in_x),
    }
}

fn edge_edge(x: &ConvexGraph, e: [u32; 2], y: &ConvexGraph, f: [u32; 2], x_from_y: &Frame) -> Step {
    let in_x = f.map(|k| x_from_y.apply(y.at(k)));
    if let Some(feature) = leave_edge(x, e, in_x) {
        return Step::First(feature);
    }
    let in_y = e.map(|i| x_from_y.apply_back(x.at(i)));
    if let Some(feature) = leave_edge(y, f, in_y) {
        return Step::Second(feature);
    }
    let ([a, b], [c, d]) = (e.map(|i| x.at(i)), in_x);
    let (u, v, w) = (b - a, d - c, a - c);
    let (uu, uv, vv, uw, vw) = (u.dot(u), u.dot(v), v.dot(v), u.dot(w), v.dot(w));
    // The square of the cross product: the difference uu vv - uv uv loses digits for nearly parallel edges.
    let determinant = u.cross(v).length_squared();
    let s = if determinant > 0.0 { ((uv * vw - vv * uw) / determinant).clamp(0.0, 1.0) } else { 0.0 };
    let t = ((uv * s + vw) / vv).clamp(0.0, 1.0);
    let s = ((uv * t - uw) / uu).clamp(0.0, 1.0);
    Step::Nearest(a + s * u, c + t * v)
}

/// The neighbour of an edge that is nearer to a segment, if one is.
fn leave_edge(x: &ConvexGraph, e: [u32; 2], ends: [Vec3; 2]) -> Option<Feature> {
    let clip = clip(ends, edge_planes(x, e).into_iter());
    clip.leave(ends, |beyond, q| match beyond {
        // On the border the distance is that from the neighbour.
        Feature::Vertex(i) => Some(q - x.at(i)),
        Feature::Face(k) => {
            let normal = x.normal(k);
            let height = normal.dot(q - x.at(x.face(k)[0]));
            (height != 0.0).then_some(normal * height.signum())
        }
        Feature::Edge(_) => None,
    })
}

fn edge_face(x: &ConvexGraph, e: [u32; 2], y: &ConvexGraph, k: u32, x_from_y: &Frame) -> Step {
    let ends = e.map(|i| x_from_y.apply_back(x.at(i)));
    let clip = clip(ends, face_planes(y, k).into_iter());
    if clip.is_excluded {
        // The face edge that is passed first, or last: the one on the side of which the segment lies deeper.
        return match clip.beyond.into_iter().flatten().next() {
            Some(feature) => Step::Second(feature),
            None => Step::Stuck,
        };
    }
    let (normal, on_face) = (y.normal(k), y.at(y.face(k)[0]));
    let height = |share: f64| normal.dot(ends[0] + share * (ends[1] - ends[0]) - on_face);
    let [low, high] = clip.range.map(height);
    if low * high <= 0.0 {
        return Step::Stuck;
    }
    // Nearer to the face at the start of the part above it, or at its end.
    let at_start = low.abs() <= high.abs();
    match clip.beyond[usize::from(!at_start)] {
        Some(feature) => Step::Second(feature),
        None => Step::First(Feature::Vertex(e[usize::from(!at_start)])),
    }
}

/// A plane of a Voronoi region: what lies below it is nearer to the feature beyond. The normal has any length.
struct Plane {
    point: Vec3,
    normal: Vec3,
    beyond: Feature,
}

/// The four planes of an edge: two at its ends, two along its faces.
fn edge_planes(x: &ConvexGraph, e: [u32; 2]) -> [Plane; 4] {
    let [t, h] = e.map(|i| x.at(i));
    let along = h - t;
    // The left face has the edge in its direction; its inside is to the left.
    let [left, right] = x.faces_of(e);
    let plane = |point: Vec3, normal: Vec3, beyond: Feature| Plane { point, normal, beyond };
    [
        plane(t, along, Feature::Vertex(e[0])),
        plane(h, -along, Feature::Vertex(e[1])),
        plane(t, -x.normal(left).cross(along), Feature::Face(left)),
        plane(t, x.normal(right).cross(along), Feature::Face(right)),
    ]
}

/// The three planes of a face, along its edges.
fn face_planes(y: &ConvexGraph, k: u32) -> [Plane; 3] {
    let (corners, normal) = (y.face(k), y.normal(k));
    [0, 1, 2].map(|i| {
        let e = [corners[i], corners[(i + 1) % 3]];
        let [t, h] = e.map(|i| y.at(i));
        Plane { point: t, normal: normal.cross(h - t), beyond: Feature::Edge(e) }
    })
}

/// The part of a segment in a region, as shares of its length, and what lies beyond its ends if they were cut off.
struct Clip {
    range: [f64; 2],
    beyond: [Option<Feature>; 2],
    is_excluded: bool,
}

fn clip([t, h]: [Vec3; 2], planes: impl Iterator<Item = Plane>) -> Clip {
    let mut clip = Clip { range: [0.0, 1.0], beyond: [None; 2], is_excluded: false };
    for plane in planes {
        let (at_t, at_h) = (plane.normal.dot(t - plane.point), plane.normal.dot(h - plane.point));
        if at_t < 0.0 && at_h < 0.0 {
            return Clip { beyond: [Some(plane.beyond); 2], is_excluded: true, ..clip };
        }
        if at_t < 0.0 {
            let share = at_t / (at_t - at_h);
            if share > clip.range[0] {
                clip.range[0] = share;
                clip.beyond[0] = Some(plane.beyond);
            }
        } else if at_h < 0.0 {
            let share = at_t / (at_t - at_h);
            if share < clip.range[1] {
                clip.range[1] = share;
                clip.beyond[1] = Some(plane.beyond);
            }
        }
    }
    clip.is_excluded = clip.range[0] > clip.range[1];
    clip
}

impl Clip {
    /// The neighbour to go on with: where the distance still falls towards the outside of the region. `from` is the
    /// direction away from the region's feature at a point of the segment on the border to a neighbour.
    fn leave(&self, [t, h]: [Vec3; 2], from: impl Fn(Feature, Vec3) -> Option<Vec3>) -> Option<Feature> {
        let along = h - t;
        if self.is_excluded && self.beyond[0] == self.beyond[1] {
            return self.beyond[0];
        }
        let rises =
            |share: f64, beyond: Feature| from(beyond, t + share * along).map_or(0.0, |away| along.dot(away));
        if let Some(beyond) = self.beyond[0]
            && (rises(self.range[0], beyond) > 0.0 || (self.is_excluded && self.beyond[1].is_none()))
        {
            return Some(beyond);
        }
        if let Some(beyond) = self.beyond[1]
            && (rises(self.range[1], beyond) < 0.0 || self.is_excluded)
        {
            return Some(beyond);
        }
        None
    }
}
