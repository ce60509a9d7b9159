//! Meshes as they come out of programs and scanners: a closed surface, and what was done to it.

use crate::bumpy::Surface;
use crate::puzzles::block;
use crate::random::Random;
use crate::solid::Solid;
use glam::DVec3;

/// What is wrong with a mesh.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Defect {
    /// Nothing.
    None,
    /// All faces are wound the other way: the inside is still plain to see.
    InsideOut,
    /// No two faces share a vertex, as in STL files.
    Unwelded,
    /// Some faces have two corners in one place.
    ZeroArea,
    /// A vertex stands on an edge of the neighbouring face, exactly.
    TJunction,
    /// Some corners are off by a ten-millionth of the size: the surface has cracks that welding closes.
    Crack,
    /// A triangle that belongs to nothing, beside the body.
    LooseTriangle,
    /// A second, open shell beside the body.
    SecondOpenShell,
    /// A second, closed shell beside the body.
    SecondShell,
    /// A face is missing.
    Hole,
    /// A third of the faces are missing.
    Open,
    /// Every face twice, wound both ways, as two-sided exports are.
    TwoSided,
    /// Every face twice, wound both ways; those of the back are cut at their middle.
    TwoSidedCutOtherwise,
    /// Every face twice, wound both ways, the back off by a billionth of the size; both sides have a T-junction.
    TwoSidedJunction,
    /// Every face twice, wound the same way.
    Doubled,
    /// One face stands twice.
    OneDoubled,
    /// Every face twice, one copy wound the other way and grown by a millionth.
    DoubledShell,
    /// One face is wound the other way.
    OneFlipped,
    /// A third of the faces are wound the other way.
    ManyFlipped,
    /// A fin: a triangle that stands on an edge.
    Fin,
    /// A shell of the same body, wound the other way, overlaps it.
    InsideOutOverlap,
    /// The same, moved along an axis alone, so that faces lie flush and corners may coincide.
    InsideOutFlush,
    /// A third of the faces are missing, and a large closed block stands far away.
    OpenWithFarBlock,
    /// A loose triangle inside of the body.
    LooseInside,
    /// The gap between two rows of faces is a hundredth of the size: no welding closes it.
    WideCrack,
}

/// Whether the inside of a mesh with a defect can be told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Inside {
    /// It can: a body inside overlaps, and whoever says anything else is wrong.
    Plain,
    /// A person would have to guess: "free" is wrong of what is in there, "overlap" and "undecided" are right.
    Doubtful,
}

/// All of them.
pub const DEFECTS: [Defect; 25] = [
    Defect::None,
    Defect::InsideOut,
    Defect::Unwelded,
    Defect::ZeroArea,
    Defect::TJunction,
    Defect::Crack,
    Defect::LooseTriangle,
    Defect::SecondOpenShell,
    Defect::SecondShell,
    Defect::Hole,
    Defect::Open,
    Defect::TwoSided,
    Defect::TwoSidedCutOtherwise,
    Defect::TwoSidedJunction,
    Defect::Doubled,
    Defect::OneDoubled,
    Defect::DoubledShell,
    Defect::OneFlipped,
    Defect::ManyFlipped,
    Defect::Fin,
    Defect::InsideOutOverlap,
    Defect::InsideOutFlush,
    Defect::OpenWithFarBlock,
    Defect::LooseInside,
    Defect::WideCrack,
];

impl Defect {
    /// Whether the inside can be told all the same.
    pub fn inside(self) -> Inside {
        match self {
            Defect::None
            | Defect::InsideOut
            | Defect::Unwelded
            | Defect::ZeroArea
            | Defect::TJunction
            | Defect::Crack
            | Defect::LooseTriangle
            | Defect::SecondOpenShell
            | Defect::SecondShell => Inside::Plain,
            _ => Inside::Doubtful,
        }
    }

    /// Whether the surface still has all faces that were meant, so that nothing gets in without meeting one of them.
    pub fn is_complete(self) -> bool {
        !matches!(self, Defect::Hole | Defect::Open | Defect::OpenWithFarBlock | Defect::WideCrack)
    }

    /// A closed surface that is wound outwards, with this defect.
    pub fn applied(self, meant: &Surface, random: &mut Random) -> Solid {
        let (mut vertices, mut faces) = meant.clone();
        let low = vertices.iter().fold(DVec3::INFINITY, |low, p| low.min(*p));
        let high = vertices.iter().fold(DVec3::NEG_INFINITY, |high, p| high.max(*p));
        let (middle, size) = (0.5 * (low + high), (high - low).length());
        let some = random.below(faces.len());
        let flipped = |face: [u32; 3]| [face[0], face[2], face[1]];
        let beside = high + 0.05 * size * DVec3::X;
        let add = |vertices: &mut Vec<DVec3>, faces: &mut Vec<[u32; 3]>, corners: [DVec3; 3]| {
            let first = vertices.len() as u32;
            vertices.extend(corners);
            faces.push([first, first + 1, first + 2]);
        };
        let second =
            |vertices: &mut Vec<DVec3>, faces: &mut Vec<[u32; 3]>, place: &dyn Fn(DVec3) -> DVec3| {
                let first = vertices.len() as u32;
                let count = faces.len();
                vertices.extend(meant.0.iter().map(|p| place(*p)));
                faces.extend(meant.1.iter().map(|face| face.map(|i| i + first)));
                count
            };
        match self {
            Defect::None => {}
            Defect::InsideOut => faces.iter_mut().for_each(|face| *face = flipped(*face)),
            Defect::Unwelded => {
                vertices = faces.iter().flatten().map(|i| meant.0[*i as usize]).collect();
                faces = (0..faces.len() as u32).map(|k| [3 * k, 3 * k + 1, 3 * k + 2]).collect();
            }
            Defect::ZeroArea => {
                let [a, b, _] = faces[some];
                faces.push([a, b, b]);
                faces.push([a, a, a]);
            }
            Defect::TJunction => junction(&mut vertices, &mut faces, some),
            Defect::TwoSidedJunction => {
                junction(&mut vertices, &mut faces, some);
                let (first, count) = (vertices.len() as u32, faces.len());
                let off: Vec<DVec3> =
                    vertices.iter().map(|p| middle + (1.0 - 1e-9) * (*p - middle)).collect();
                vertices.extend(off);
                faces.extend_from_within(..);
                faces[count..].iter_mut().for_each(|face| *face = flipped(face.map(|i| i + first)));
            }
            Defect::Crack | Defect::WideCrack => {
                // Every face gets corners of its own; those of one face are off.
                let off = if self == Defect::Crack { 1e-7 * size } else { 0.01 * size };
                vertices = faces.iter().flatten().map(|i| meant.0[*i as usize]).collect();
                faces = (0..faces.len() as u32).map(|k| [3 * k, 3 * k + 1, 3 * k + 2]).collect();
                for i in faces[some] {
                    let p = &mut vertices[i as usize];
                    *p += off * (middle - *p).normalize_or(DVec3::X);
                }
            }
            Defect::LooseTriangle => {
                let corners = [beside, beside + 0.05 * size * DVec3::Y, beside + 0.05 * size * DVec3::Z];
                add(&mut vertices, &mut faces, corners);
            }
            Defect::LooseInside => {
                let corners = [DVec3::X, DVec3::Y, DVec3::Z].map(|axis| middle + 0.02 * size * axis);
                add(&mut vertices, &mut faces, corners);
            }
            Defect::SecondOpenShell => {
                second(&mut vertices, &mut faces, &|p| beside + 0.1 * (p - low));
                faces.pop();
            }
            Defect::SecondShell => {
                second(&mut vertices, &mut faces, &|p| beside + 0.1 * (p - low));
            }
            Defect::Hole => {
                faces.swap_remove(some);
            }
            Defect::Open | Defect::OpenWithFarBlock => {
                let mut k = 0;
                faces.retain(|_| {
                    k += 1;
                    k % 3 != 0
                });
                if self == Defect::OpenWithFarBlock {
                    let far = high + size * [1e3, 1e4, 1e5, 1e6][random.below(4)];
                    let (corners, sides) = block([-0.5; 3], [0.5; 3]);
                    let first = vertices.len() as u32;
                    vertices.extend(corners.iter().map(|p| far + 100.0 * size * (*p + 0.5)));
                    faces.extend(sides.iter().map(|face| face.map(|i| i + first)));
                }
            }
            Defect::TwoSided => {
                let others: Vec<[u32; 3]> = faces.iter().map(|face| flipped(*face)).collect();
                faces.extend(others);
            }
            Defect::TwoSidedCutOtherwise => {
                for face in meant.1.iter().map(|face| flipped(*face)) {
                    let [a, b, c] = face.map(|i| vertices[i as usize]);
                    let m = vertices.len() as u32;
                    vertices.push((a + b + c) / 3.0);
                    let [a, b, c] = face;
                    faces.extend([[a, b, m], [b, c, m], [c, a, m]]);
                }
            }
            Defect::Doubled => {
                let others = faces.clone();
                faces.extend(others);
            }
            Defect::OneDoubled => faces.push(faces[some]),
            Defect::DoubledShell => {
                let from = second(&mut vertices, &mut faces, &|p| middle + (1.0 + 1e-6) * (p - middle));
                faces[from..].iter_mut().for_each(|face| *face = flipped(*face));
            }
            Defect::OneFlipped => faces[some] = flipped(faces[some]),
            Defect::ManyFlipped => faces.iter_mut().step_by(3).for_each(|face| *face = flipped(*face)),
            Defect::Fin => {
                let [a, b, _] = faces[some];
                let m = vertices.len() as u32;
                let edge = 0.5 * (vertices[a as usize] + vertices[b as usize]);
                vertices.push(edge + 0.1 * (edge - middle));
                faces.push([a, b, m]);
            }
            Defect::InsideOutOverlap | Defect::InsideOutFlush => {
                let by = match self {
                    Defect::InsideOutOverlap => 0.1 * (high - low) * DVec3::new(1.0, 0.3, 0.2),
                    _ => [0.25, 0.5][random.below(2)] * (high - low) * DVec3::AXES[random.below(3)],
                };
                let from = second(&mut vertices, &mut faces, &|p| p + by);
                faces[from..].iter_mut().for_each(|face| *face = flipped(*face));
            }
        }
        Solid::Mesh { written: (vertices, faces), meant: meant.clone() }
    }
}

/// Cuts a face in two at the middle of an edge; its neighbour knows nothing of it.
fn junction(vertices: &mut Vec<DVec3>, faces: &mut Vec<[u32; 3]>, face: usize) {
    let [a, b, c] = faces[face];
    let m = vertices.len() as u32;
    vertices.push(0.5 * (vertices[a as usize] + vertices[b as usize]));
    faces[face] = [a, m, c];
    faces.push([m, b, c]);
}
