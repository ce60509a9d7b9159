//! Outlines of images under a full turn: nearest and farthest distance from the axis as functions of the height.
//!
//! The curve of an edge is a piece of a hyperbola: the square of its distance is a quadratic in the height. The
//! farthest distance is the upper envelope of the edges, the nearest one the lower envelope of the edges, of the lines on which
//! faces are nearest to the axis, and of zero where the axis runs inside the body. Envelopes are built by halving the
//! set of curves and merging the envelopes of the halves, in O(n log n) up to a factor that hardly grows.

use crate::chart::RotationChart;
use crate::movable::{Form, Movable};
use freiraum_geometry::math::roots;
use freiraum_geometry::path::Axis;
use freiraum_geometry::{Pose, Vec2, Vec3};
use freiraum_query::mesh_tree::{MeshTree, MeshWorkspace, PointPlace, locate};
use std::ops::Range;

/// The outline of a body under a full turn about an axis.
///
/// At every height the body lies between the inner and the outer distance. If it is convex its image is all there is between
/// them; otherwise the image may have holes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Contour {
    /// The nearest distance from the axis, in ascending heights without overlap.
    pub inner: Vec<ContourPiece>,
    /// The farthest distance from the axis, in ascending heights without overlap.
    pub outer: Vec<ContourPiece>,
}

/// A piece of a contour: the distance from the axis between two heights.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContourPiece {
    /// From where to where, along the axis from its point on, in metres; ascending.
    pub heights: [f64; 2],
    /// Bernstein coefficients of the square of the distance between them.
    pub squares: [f64; 3],
}

impl ContourPiece {
    /// The distance from the axis at a height between the ends, in metres.
    pub fn distance(&self, height: f64) -> f64 {
        self.square(self.share(height)).max(0.0).sqrt()
    }

    fn share(&self, height: f64) -> f64 {
        let [low, high] = self.heights;
        ((height - low) / (high - low)).clamp(0.0, 1.0)
    }

    fn square(&self, s: f64) -> f64 {
        self.blossom(s, s)
    }

    /// The polar form of the quadratic.
    fn blossom(&self, s: f64, t: f64) -> f64 {
        let [a, b, c] = self.squares;
        (1.0 - s) * ((1.0 - t) * a + t * b) + s * ((1.0 - t) * b + t * c)
    }

    /// Where the distance is least, if that is between the ends: its height and square.
    pub(super) fn foot(&self) -> Option<(f64, f64)> {
        let [a, b, c] = self.squares;
        let share = (a - b) / (a - 2.0 * b + c);
        let [low, high] = self.heights;
        (share > 0.0 && share < 1.0).then(|| (low + share * (high - low), self.square(share)))
    }

    /// The part between two heights.
    pub(super) fn part(&self, low: f64, high: f64) -> ContourPiece {
        let (s, t) = (self.share(low), self.share(high));
        ContourPiece { heights: [low, high], squares: [self.square(s), self.blossom(s, t), self.square(t)] }
    }
}

impl Contour {
    /// The least and largest height, in metres; `None` for bodies without extent along the axis.
    pub fn heights(&self) -> Option<[f64; 2]> {
        Some([self.outer.first()?.heights[0], self.outer.last()?.heights[1]])
    }

    /// The nearest and farthest distance from the axis at a height, in metres; `None` where the body has no points.
    pub fn distances(&self, height: f64) -> Option<[f64; 2]> {
        Some([at(&self.inner, height)?.distance(height), at(&self.outer, height)?.distance(height)])
    }

    /// Whether at all heights one body is nearer to the axis than the other, or one of them has no points. For convex bodies
    /// that is: whether a full turn is free, up to rounding. For others it is so if this holds, and may be so if it does not.
    ///
    /// **Cost.** O(n) in the number of pieces.
    pub fn is_apart(&self, other: &Contour) -> bool {
        is_below(&self.outer, &other.inner) || is_below(&other.outer, &self.inner)
    }
}

fn at(pieces: &[ContourPiece], height: f64) -> Option<&ContourPiece> {
    let next = pieces.partition_point(|piece| piece.heights[1] < height);
    pieces.get(next).filter(|piece| piece.heights[0] <= height)
}

/// Whether one contour is below another wherever both are.
fn is_below(low: &[ContourPiece], high: &[ContourPiece]) -> bool {
    let (mut i, mut j) = (0, 0);
    while let (Some(a), Some(b)) = (low.get(i), high.get(j)) {
        let (from, to) = (a.heights[0].max(b.heights[0]), a.heights[1].min(b.heights[1]));
        if from <= to {
            let (a, b) = (a.part(from, to), b.part(from, to));
            let [first, middle, last] = std::array::from_fn(|k| b.squares[k] - a.squares[k]);
            if !(first > 0.0 && last > 0.0 && (middle > 0.0 || middle * middle < first * last)) {
                return false;
            }
        }
        if a.heights[1] < b.heights[1] { i += 1 } else { j += 1 }
    }
    true
}

/// The contour of a body with plane faces under a full turn about an axis; `None` if a part of it is round or a half space
/// (tessellate it first).
///
/// **Frames.** The axis is in the frame a, in which the body is at `a_from_body`. **Degenerate input.** Edges across the axis have
/// no height of their own: their ends belong to other edges. A body in one plane across the axis has no contour.
/// **Cost.** O(n log n) for n faces, about.
pub fn contour(body: &Movable, a_from_body: &Pose, axis: &Axis) -> Option<Contour> {
    let mut curves = Curves::default();
    for piece in body.pieces() {
        let Form::Faces(tree) = &piece.form else { return None };
        let a_from_piece = *a_from_body * piece.body_from_piece;
        let chart = RotationChart::new(RotationChart::axes(axis), axis.point, &a_from_piece, 0.0);
        let mut crossings = Vec::new();
        for triangle in tree.triangles() {
            curves.add(triangle.map(|p| chart.point(p)), &mut crossings);
        }
        curves.add_inside(tree, &a_from_piece, axis, crossings);
    }
    let edges = envelope(&curves.edges, f64::gt);
    curves.edges.append(&mut curves.nearest);
    Some(Contour { inner: envelope(&curves.edges, f64::lt), outer: edges })
}

#[derive(Default)]
struct Curves {
    edges: Vec<ContourPiece>,
    /// Curves that matter for the inner contour only.
    nearest: Vec<ContourPiece>,
    /// The line that the last of them is the image of.
    feet: Option<[Vec3; 2]>,
}

impl Curves {
    fn add(&mut self, t: [Vec3; 3], crossings: &mut Vec<f64>) {
        let flat = |p: Vec3| Vec2::new(p.x, p.y);
        for k in 0..3 {
            self.edges.extend(curve(t[k], t[(k + 1) % 3]));
        }
        let normal = (t[1] - t[0]).cross(t[2] - t[0]);
        let along = Vec3::new(-normal.y, normal.x, 0.0);
        let sides = t.map(|p| along.dot(p));
        let mut feet = [Vec3::ZERO; 2];
        let mut found = 0;
        for k in 0..3 {
            let (p, q) = (sides[k], sides[(k + 1) % 3]);
            // Half open, so that a line through a corner counts once.
            if (p < 0.0) != (q < 0.0) && found < 2 {
                feet[found] = t[k] + p / (p - q) * (t[(k + 1) % 3] - t[k]);
                found += 1;
            }
        }
        if found == 2 {
            self.nearest.extend(curve(feet[0], feet[1]));
            self.feet = Some(feet);
        }
        let turns = [0, 1, 2].map(|k| flat(t[k]).perp_dot(flat(t[(k + 1) % 3])));
        let is_hit = turns.iter().all(|x| *x >= 0.0) || turns.iter().all(|x| *x <= 0.0);
        if is_hit && normal.z != 0.0 {
            crossings.push(normal.dot(t[0]) / normal.z);
        }
    }

    /// Adds a distance of zero for the heights at which the axis runs inside a closed surface.
    fn add_inside(&mut self, tree: &MeshTree, a_from_piece: &Pose, axis: &Axis, mut crossings: Vec<f64>) {
        let mut workspace = MeshWorkspace::default();
        crossings.sort_by(f64::total_cmp);
        let piece_from_a = a_from_piece.inverse();
        for heights in crossings.windows(2).filter(|heights| heights[0] < heights[1]) {
            let middle = axis.point + 0.5 * (heights[0] + heights[1]) * axis.direction;
            if locate(tree, piece_from_a.transform_point(middle), &mut workspace) == PointPlace::Inside {
                self.nearest.push(ContourPiece { heights: [heights[0], heights[1]], squares: [0.0; 3] });
            }
        }
    }
}

/// The curve of a segment; `None` if it has no extent along the axis.
fn curve(p: Vec3, q: Vec3) -> Option<ContourPiece> {
    let (p, q) = if p.z < q.z { (p, q) } else { (q, p) };
    let (a, b) = (Vec2::new(p.x, p.y), Vec2::new(q.x, q.y));
    (p.z < q.z).then(|| ContourPiece {
        heights: [p.z, q.z],
        squares: [a.length_squared(), a.dot(b), b.length_squared()],
    })
}

/// Where a piece of an outline comes from, in the frame in which the axis is z.
#[derive(Clone, Copy, Debug)]
pub(super) struct Source {
    /// The triangle, in the order of the leaves.
    pub(super) triangle: u32,
    /// A line on it that has the piece as its image; the same point twice if that has no extent along the axis.
    pub(super) ends: [Vec3; 2],
}

/// The contour of a tree with what it comes from: pieces in the order of where they begin. Between them they hold the image of the
/// surface; pieces may lie on each other.
#[derive(Debug, Default)]
pub(crate) struct Outline {
    pub(super) inner: Vec<(ContourPiece, Source)>,
    pub(super) outer: Vec<(ContourPiece, Source)>,
}

impl Outline {
    /// **Guarantee.** At every height of a face, no point of it is nearer to the axis than the inner contour there or farther than
    /// the outer one, up to rounding. What is inside of a closed surface is not looked at.
    pub(crate) fn of(tree: &MeshTree, chart: &RotationChart) -> Outline {
        let (mut curves, mut sources) = (Vec::new(), Vec::new());
        let (mut feet, mut feet_sources) = (Vec::new(), Vec::new());
        let mut flat: Vec<([f64; 2], Source)> = Vec::new();
        for (triangle, corners) in (0..).zip(tree.triangles()) {
            let t = corners.map(|p| chart.point(p));
            let mut one = Curves::default();
            let mut crossings = Vec::new();
            one.add(t, &mut crossings);
            for (k, p) in t.into_iter().enumerate() {
                let q = t[(k + 1) % 3];
                let ends = if p.z < q.z { [p, q] } else { [q, p] };
                match curve(p, q) {
                    Some(piece) => {
                        curves.push(piece);
                        sources.push(Source { triangle, ends });
                    }
                    None => {
                        let (u, v) = (Vec2::new(p.x, p.y), Vec2::new(q.x, q.y));
                        let share = (-u.dot(v - u) / (v - u).length_squared()).clamp(0.0, 1.0);
                        let foot = if share.is_finite() { p.lerp(q, share) } else { p };
                        for point in [foot, p, q] {
                            let d = point.x.hypot(point.y);
                            flat.push(([d, p.z], Source { triangle, ends: [point; 2] }));
                        }
                    }
                }
            }
            for piece in one.nearest {
                let foot = one.feet.unwrap_or([t[0]; 2]);
                let ends = if foot[0].z < foot[1].z { foot } else { [foot[1], foot[0]] };
                feet.push(piece);
                feet_sources.push(Source { triangle, ends });
            }
            for height in crossings {
                let ends = [Vec3::new(0.0, 0.0, height); 2];
                flat.push(([0.0, height], Source { triangle, ends }));
            }
        }
        let outer = with_sources(&curves, &sources, f64::gt, &flat);
        curves.append(&mut feet);
        sources.append(&mut feet_sources);
        Outline { inner: with_sources(&curves, &sources, f64::lt, &flat), outer }
    }
}

/// The envelope with where its pieces come from, and the points of `flat` that are beyond it.
fn with_sources(
    curves: &[ContourPiece],
    sources: &[Source],
    wins: fn(&f64, &f64) -> bool,
    flat: &[([f64; 2], Source)],
) -> Vec<(ContourPiece, Source)> {
    let mut out = envelope_with(curves, sources, wins);
    let count = out.len();
    for ([d, height], source) in flat {
        let next = out[..count].partition_point(|(piece, _)| piece.heights[1] < *height);
        let near = out[next..count].iter().take(2).filter(|(piece, _)| piece.heights[0] <= *height);
        if !near.into_iter().any(|(piece, _)| !wins(&(d * d), &piece.square(piece.share(*height)))) {
            out.push((ContourPiece { heights: [*height; 2], squares: [d * d; 3] }, *source));
        }
    }
    out.sort_by(|x, y| x.0.heights[0].total_cmp(&y.0.heights[0]));
    out
}

/// The envelope with where its pieces come from.
pub(super) fn envelope_with(
    curves: &[ContourPiece],
    sources: &[Source],
    wins: fn(&f64, &f64) -> bool,
) -> Vec<(ContourPiece, Source)> {
    let all = 0..curves.len() as u32;
    let spans = if all.is_empty() { Vec::new() } else { halved(curves, all, wins) };
    let of =
        |span: &Span| (curves[span.curve as usize].part(span.low, span.high), sources[span.curve as usize]);
    spans.iter().map(of).collect()
}

/// The part of a curve that belongs to an envelope.
#[derive(Clone, Copy)]
struct Span {
    curve: u32,
    low: f64,
    high: f64,
}

/// The envelope of the curves: `wins` tells of two squares which one stays.
fn envelope(curves: &[ContourPiece], wins: fn(&f64, &f64) -> bool) -> Vec<ContourPiece> {
    let all = 0..curves.len() as u32;
    let spans = if all.is_empty() { Vec::new() } else { halved(curves, all, wins) };
    spans.iter().map(|span| curves[span.curve as usize].part(span.low, span.high)).collect()
}

fn halved(curves: &[ContourPiece], some: Range<u32>, wins: fn(&f64, &f64) -> bool) -> Vec<Span> {
    if some.len() == 1 {
        let [low, high] = curves[some.start as usize].heights;
        return vec![Span { curve: some.start, low, high }];
    }
    let middle = some.start + some.len() as u32 / 2;
    merge(curves, &halved(curves, some.start..middle, wins), &halved(curves, middle..some.end, wins), wins)
}

fn merge(curves: &[ContourPiece], a: &[Span], b: &[Span], wins: fn(&f64, &f64) -> bool) -> Vec<Span> {
    let mut ends: Vec<f64> = a.iter().chain(b).flat_map(|span| [span.low, span.high]).collect();
    ends.sort_by(f64::total_cmp);
    ends.dedup();
    let mut out: Vec<Span> = Vec::new();
    let mut push = |curve: u32, low: f64, high: f64| match out.last_mut() {
        Some(last) if last.curve == curve && last.high == low => last.high = high,
        _ => out.push(Span { curve, low, high }),
    };
    let (mut i, mut j) = (0, 0);
    for slab in ends.windows(2) {
        let (low, high) = (slab[0], slab[1]);
        while a.get(i).is_some_and(|span| span.high <= low) {
            i += 1;
        }
        while b.get(j).is_some_and(|span| span.high <= low) {
            j += 1;
        }
        let over =
            |spans: &[Span], k: usize| spans.get(k).filter(|span| span.low <= low).map(|span| span.curve);
        match (over(a, i), over(b, j)) {
            (Some(on_a), Some(on_b)) => {
                let [p, q] = [on_a, on_b].map(|curve| curves[curve as usize].part(low, high));
                let [first, middle, last] = std::array::from_fn(|k| p.squares[k] - q.squares[k]);
                // In powers of the share of the slab.
                let crossings = roots::quadratic(first - 2.0 * middle + last, 2.0 * (middle - first), first);
                let crossings = crossings.roots();
                let mut from = low;
                for share in crossings
                    .iter()
                    .flat_map(|roots| roots.iter().copied())
                    .filter(|s| *s > 0.0 && *s < 1.0)
                    .chain([1.0])
                {
                    let to = if share == 1.0 { high } else { low + share * (high - low) };
                    if from < to {
                        let s = p.share(0.5 * (from + to));
                        push(if wins(&p.square(s), &q.square(s)) { on_a } else { on_b }, from, to);
                        from = to;
                    }
                }
            }
            (Some(curve), None) | (None, Some(curve)) => push(curve, low, high),
            (None, None) => {}
        }
    }
    out
}
