//! A sheet of paper with what is drawn on it: one list for every format.

use freiraum_geometry::Vec2;
use freiraum_scene::Color;

/// A drawing. **Units.** Millimetres on paper, x to the right and y down from the upper left corner.
#[derive(Clone, Debug, PartialEq)]
pub struct Sheet {
    /// Width and height.
    pub size: [f64; 2],
    /// What the drawing shows.
    pub title: String,
    /// Painted one over the other.
    pub groups: Vec<Group>,
    /// How many millimetres on paper are a metre; `None` in a central projection, which has no scale.
    pub scale: Option<f64>,
}

/// Marks that belong together.
#[derive(Clone, Debug, PartialEq)]
pub struct Group {
    /// What they show.
    pub kind: GroupKind,
    /// Painted one over the other.
    pub marks: Vec<Mark>,
}

/// What the marks of a group show.
#[derive(Clone, Debug, PartialEq)]
pub enum GroupKind {
    /// Areas of a body with this name, as far as nothing of another body has to be painted between; a body may have several.
    Faces(String),
    /// All edges of the body with this name.
    Edges(String),
    /// Something beside the bodies: `motion`, `traces`, `title`.
    Other(&'static str),
}

/// Something that is painted.
#[derive(Clone, Debug, PartialEq)]
pub enum Mark {
    /// Areas, wound alike, with a hairline of their own colour.
    Area {
        /// Of the area and of the hairline.
        color: Color,
        /// Width of the hairline, perhaps 0.
        hairline: f64,
        /// Corners of polygons.
        polygons: Vec<Vec<Vec2>>,
    },
    /// Lines with round ends.
    Line {
        /// Ink.
        color: Color,
        /// Width.
        width: f64,
        /// Lengths of dashes and gaps in turn; empty for a full line.
        dashes: &'static [f64],
        /// Corners; closed if the first one is also the last.
        lines: Vec<Vec<Vec2>>,
    },
    /// One line of lettering.
    Text {
        /// Left or right end of the base line.
        at: Vec2,
        /// Height of a capital letter.
        height: f64,
        /// True if `at` is its right end.
        is_right: bool,
        /// Ink.
        color: Color,
        /// What it says.
        text: String,
    },
}

/// Lines joined to long ones where exactly two ends meet, without corners that bend by less than a printer shows.
pub(super) fn chained(segments: &[[Vec2; 2]]) -> Vec<Vec<Vec2>> {
    let key = |p: Vec2| ((p.x / SNAP).round() as i64, (p.y / SNAP).round() as i64);
    let mut at: std::collections::HashMap<(i64, i64), Vec<u32>> = std::collections::HashMap::new();
    let mut known = std::collections::HashSet::new();
    let mut segments: Vec<[Vec2; 2]> = segments.to_vec();
    // The same line twice, of two bodies or of two halves of one, is drawn once.
    segments
        .retain(|[p, q]| key(*p) != key(*q) && known.insert((key(*p).min(key(*q)), key(*p).max(key(*q)))));
    for (number, ends) in segments.iter().enumerate() {
        ends.iter().for_each(|p| at.entry(key(*p)).or_default().push(number as u32));
    }
    let mut is_used = vec![false; segments.len()];
    let mut lines = Vec::new();
    // Open chains from their ends first, then what is left: rings.
    let is_end = |p: Vec2| at.get(&key(p)).is_none_or(|meeting| meeting.len() != 2);
    for rings in [false, true] {
        for first in 0..segments.len() {
            let [p, q] = segments[first];
            if is_used[first] || !(rings || is_end(p) || is_end(q)) {
                continue;
            }
            is_used[first] = true;
            let mut line = if is_end(p) || rings { vec![p, q] } else { vec![q, p] };
            loop {
                let tip = line[line.len() - 1];
                let Some([a, b]) =
                    at.get(&key(tip)).map(|m| &m[..]).and_then(|m| <[u32; 2]>::try_from(m).ok())
                else {
                    break;
                };
                let Some(next) = [a, b].into_iter().find(|n| !is_used[*n as usize]) else { break };
                is_used[next as usize] = true;
                let [p, q] = segments[next as usize];
                line.push(if key(p) == key(tip) { q } else { p });
            }
            let last = line.len() - 1;
            if rings && key(line[0]) == key(line[last]) {
                line[last] = line[0];
            }
            lines.push(straightened(line));
        }
    }
    lines
}

/// Ends nearer than this are one, in millimetres: what is written to a file.
const SNAP: f64 = 0.01;
/// How far a corner may be from the line past it to be left out, in millimetres.
const STRAIGHT: f64 = 0.004;

fn straightened(line: Vec<Vec2>) -> Vec<Vec2> {
    let mut out: Vec<Vec2> = Vec::with_capacity(line.len());
    for p in line {
        while let [.., a, b] = out[..] {
            let along = (p - a).try_normalize();
            let is_on = along.is_some_and(|d| {
                d.perp_dot(b - a).abs() <= STRAIGHT && d.dot(b - a) >= 0.0 && d.dot(p - b) >= 0.0
            });
            if !is_on {
                break;
            }
            out.pop();
        }
        out.push(p);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(segments: &[[(f64, f64); 2]], expected: &[&[(f64, f64)]]) {
        let segments: Vec<[Vec2; 2]> = segments.iter().map(|s| s.map(Vec2::from)).collect();
        let expected: Vec<Vec<Vec2>> =
            expected.iter().map(|l| l.iter().map(|p| Vec2::from(*p)).collect()).collect();
        assert_eq!(chained(&segments), expected);
    }

    #[test]
    fn segments_are_joined_end_to_end() {
        check(&[], &[]);
        check(
            &[[(1.0, 0.0), (2.0, 1.0)], [(0.0, 0.0), (1.0, 0.0)]],
            &[&[(2.0, 1.0), (1.0, 0.0), (0.0, 0.0)]],
        );
        // Straight on, there and back, and twice the same.
        check(&[[(0.0, 0.0), (1.0, 0.0)], [(2.0, 0.0), (1.0, 0.0)]], &[&[(0.0, 0.0), (2.0, 0.0)]]);
        check(&[[(0.0, 0.0), (1.0, 0.0)], [(1.0, 0.0), (0.0, 0.0)]], &[&[(0.0, 0.0), (1.0, 0.0)]]);
        check(&[[(1.0, 1.0), (1.0, 1.001)]], &[]);
    }

    #[test]
    fn rings_close_and_forks_end_lines() {
        let ring = [[(0.0, 0.0), (1.0, 0.0)], [(1.0, 0.0), (0.0, 1.0)], [(0.0, 1.0), (0.0, 0.0)]];
        check(&ring, &[&[(0.0, 0.0), (1.0, 0.0), (0.0, 1.0), (0.0, 0.0)]]);
        let fork = [[(0.0, 0.0), (1.0, 0.0)], [(0.0, 0.0), (0.0, 1.0)], [(0.0, 0.0), (-1.0, -1.0)]];
        assert_eq!(chained(&fork.map(|s| s.map(Vec2::from))).len(), 3);
    }
}
