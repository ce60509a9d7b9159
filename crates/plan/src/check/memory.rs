//! Answers that are kept from check to check, by the content of the question.
//!
//! The key of an answer is a digest of both shapes, both motions, the allowance and the limits: whatever changes makes another
//! key, so that an answer that is found is right. What is known of the distance of a pair may be a bound only; it is asked again when that is
//! not enough.

use super::encounter::Passage;
use super::result::FindingKind;
use crate::stamp::Stamp;
use freiraum_geometry::mesh::SolidityFault;
use freiraum_geometry::{AxisBox, Shape, Vec3};
use freiraum_motion::fit::{Fit, FitReason};
use freiraum_motion::{Clearance, Feature};
use freiraum_query::mesh_tree::MeshTree;
use freiraum_query::{Prepared, SolidityNote};
use std::collections::{BTreeMap, HashMap};
use std::sync::Mutex;

/// A digest of a question about a pair, or of a shape.
pub(crate) type Key = [u8; 32];

/// Answers of earlier checks; share one between checks of the same or similar scenes.
#[derive(Default)]
pub struct CheckMemory {
    pairs: Mutex<HashMap<Key, Kept<Known>>>,
    outlines: Mutex<BTreeMap<Key, Outline>>,
    /// Other answers about pairs, each with its own kind of question in the key.
    rows: Mutex<HashMap<Key, Kept<Row>>>,
    /// Mesh files by place, as they were when they were read.
    files: Mutex<BTreeMap<Key, Seen>>,
}

/// An answer.
#[derive(Clone, Debug, PartialEq)]
struct Kept<T> {
    answer: T,
    /// Whether it was asked for since it was read from a file.
    is_used: bool,
}

/// Looks an answer up and notes that it was asked for.
fn looked_up<'m, T>(all: &'m mut HashMap<Key, Kept<T>>, key: &Key) -> Option<&'m T> {
    let kept = all.get_mut(key)?;
    kept.is_used = true;
    Some(&kept.answer)
}

/// The answers to be written, in the order of their keys: of very many only those that were asked for.
fn written<T>(all: &HashMap<Key, Kept<T>>) -> Vec<(&Key, &T)> {
    let kept = all.iter().filter(|(_, kept)| all.len() <= MANY || kept.is_used);
    let mut kept: Vec<(&Key, &T)> = kept.map(|(key, kept)| (key, &kept.answer)).collect();
    kept.sort_unstable_by_key(|(key, _)| *key);
    kept
}

/// What is known about a pair, as it is kept: of most pairs little.
#[derive(Clone, Debug, PartialEq)]
enum Known {
    Apart,
    Touching(Option<Fit>),
    More(Box<Remembered>),
}

impl Known {
    fn of(known: Remembered) -> Known {
        match known {
            Remembered { passage: Passage::Apart, at_least: 0.0, closest: None } => Known::Apart,
            Remembered { passage: Passage::Touching { fit }, at_least: 0.0, closest: None } => {
                Known::Touching(fit)
            }
            more => Known::More(Box::new(more)),
        }
    }

    fn remembered(&self) -> Remembered {
        let only = |passage: Passage| Remembered { passage, at_least: 0.0, closest: None };
        match self {
            Known::Apart => only(Passage::Apart),
            Known::Touching(fit) => only(Passage::Touching { fit: *fit }),
            Known::More(more) => **more,
        }
    }
}

/// Numbers that answer a question.
pub(crate) type Row = [f64; 10];

/// A file that was read.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Seen {
    stamp: Stamp,
    digest: Key,
    /// Whether it was looked at since.
    is_used: bool,
}

/// What is known about a shape.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Outline {
    /// The box of what it fills in its own frame, `None` if that has no end.
    pub(crate) bounds: Option<AxisBox>,
    /// True if it has a surface that bounds no solid and is not declared a sheet.
    pub(crate) is_open: bool,
    /// What was done to tell what is inside of it: the widest crack that was closed, in metres, shells and faces that were turned round.
    pub(crate) mended: [f64; 3],
    /// What is wrong with its surface: the first fault by number, 0 for none; the edges where it is; closed
    /// shells beside it; faces that repeat others.
    pub(crate) trouble: [f64; 4],
}

const FAULTS: [SolidityFault; 3] = [SolidityFault::Open, SolidityFault::Doubled, SolidityFault::Winding];

/// The meshes in a shape that are not declared sheets.
fn meshes<'s>(shape: &'s Prepared, found: &mut Vec<&'s MeshTree>) {
    if matches!(shape.shape(), Shape::Mesh(_)) && !shape.is_sheet() {
        found.extend(shape.mesh_tree().map(|tree| &**tree));
    }
    shape.parts().for_each(|(_, part)| meshes(part, found));
}

/// How many faces of a sound mesh have the corners of another one.
fn repeated(tree: &MeshTree) -> usize {
    if !tree.solidity().is_sound() {
        return 0;
    }
    let mut faces = tree.mesh().faces().to_vec();
    faces.iter_mut().for_each(|face| face.sort_unstable());
    let all = faces.len();
    faces.sort_unstable();
    faces.dedup();
    all - faces.len()
}

impl Outline {
    pub(crate) fn of(shape: &Prepared) -> Outline {
        let mut mended = [0.0; 3];
        for note in shape.solidity_notes() {
            match note {
                SolidityNote::CracksClosed(gap) => mended[0] = gap,
                SolidityNote::InsideOut(shells) => mended[1] = shells as f64,
                SolidityNote::FacesTurned(faces) => mended[2] = faces as f64,
            }
        }
        let mut trees = Vec::new();
        meshes(shape, &mut trees);
        let is_open = shape.bounds_no_solid();
        let pieces = if is_open { shape.open_pieces() } else { Vec::new() };
        let fault = pieces.first().and_then(|piece| FAULTS.iter().position(|fault| *fault == piece.fault));
        let shells: usize = trees.iter().map(|tree| tree.solidity().shell_count()).sum();
        let trouble = [
            fault.map_or(0.0, |fault| fault as f64 + 1.0),
            pieces.iter().map(|piece| piece.count).sum::<usize>() as f64,
            shells as f64,
            trees.iter().map(|tree| repeated(tree)).sum::<usize>() as f64,
        ];
        Outline { bounds: shape.filled_bounds(), is_open, mended, trouble }
    }

    /// What is wrong with its surface, if that is known.
    pub(crate) fn fault(&self) -> Option<SolidityFault> {
        FAULTS.get((self.trouble[0] as usize).checked_sub(1)?).copied()
    }

    /// What was done to tell what is inside of it.
    pub(crate) fn notes(&self) -> Vec<SolidityNote> {
        let [gap, shells, faces] = self.mended;
        SolidityNote::all(gap, shells as usize, faces as usize)
    }
}

/// What is known about a pair.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Remembered {
    pub(crate) passage: Passage,
    /// They never come closer than this, in metres; 0 if nobody asked.
    pub(crate) at_least: f64,
    /// How close they come, if that was asked.
    pub(crate) closest: Option<Clearance>,
}

impl CheckMemory {
    pub(crate) fn pair(&self, key: &Key) -> Option<Remembered> {
        let mut pairs = self.pairs.lock().expect("nothing panics while it is held");
        looked_up(&mut pairs, key).map(Known::remembered)
    }

    pub(crate) fn set_pair(&self, key: Key, answer: Remembered) {
        let kept = Kept { answer: Known::of(answer), is_used: true };
        self.pairs.lock().expect("nothing panics while it is held").insert(key, kept);
    }

    pub(crate) fn row(&self, key: &Key) -> Option<Row> {
        let mut rows = self.rows.lock().expect("nothing panics while it is held");
        looked_up(&mut rows, key).copied()
    }

    pub(crate) fn set_row(&self, key: Key, row: Row) {
        let kept = Kept { answer: row, is_used: true };
        self.rows.lock().expect("nothing panics while it is held").insert(key, kept);
    }

    pub(crate) fn outline(&self, key: &Key) -> Option<Outline> {
        self.outlines.lock().expect("nothing panics while it is held").get(key).copied()
    }

    pub(crate) fn set_outline(&self, key: Key, outline: Outline) {
        self.outlines.lock().expect("nothing panics while it is held").insert(key, outline);
    }

    /// The digest of the file at a place, if it was read when it had this stamp.
    pub(crate) fn file(&self, place: &Key, stamp: &Stamp) -> Option<Key> {
        let mut files = self.files.lock().expect("nothing panics while it is held");
        let seen = files.get_mut(place).filter(|seen| seen.stamp == *stamp)?;
        seen.is_used = true;
        Some(seen.digest)
    }

    /// `stamp` is that from before the file was read, and settled then.
    pub(crate) fn set_file(&self, place: Key, stamp: Stamp, digest: Key) {
        let seen = Seen { stamp, digest, is_used: true };
        self.files.lock().expect("nothing panics while it is held").insert(place, seen);
    }

    /// How many pairs are known.
    pub fn len(&self) -> usize {
        self.pairs.lock().expect("nothing panics while it is held").len()
    }

    /// True if nothing is known.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// All of it as bytes, for [`CheckMemory::from_bytes`] of the same version of Freiraum; if that were many, only what was used since.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = VERSION.to_vec();
        let outlines = self.outlines.lock().expect("nothing panics while it is held");
        out.extend((outlines.len() as u64).to_le_bytes());
        for (key, outline) in outlines.iter() {
            out.extend(key);
            let none = AxisBox { min: Vec3::splat(f64::NAN), max: Vec3::splat(f64::NAN) };
            let bounds = outline.bounds.unwrap_or(none);
            write(&mut out, &[bounds.min.to_array(), bounds.max.to_array()].concat());
            write(&mut out, &[f64::from(u8::from(outline.is_open))]);
            write(&mut out, &outline.mended);
            write(&mut out, &outline.trouble);
        }
        // Files that nobody looked at are no longer in the scene.
        let files = self.files.lock().expect("nothing panics while it is held");
        let files: Vec<(&Key, &Seen)> = files.iter().filter(|(_, seen)| seen.is_used).collect();
        out.extend((files.len() as u64).to_le_bytes());
        for (place, seen) in files {
            out.extend(place);
            out.extend(seen.digest);
            out.extend(seen.stamp.0.iter().flat_map(|x| x.to_le_bytes()));
        }
        let pairs = self.pairs.lock().expect("nothing panics while it is held");
        let rows = self.rows.lock().expect("nothing panics while it is held");
        let kept = written(&rows);
        out.extend((kept.len() as u64).to_le_bytes());
        for (key, row) in kept {
            out.extend(key);
            write(&mut out, row);
        }
        let mut kept = written(&pairs);
        if kept.len() > MANY {
            // What is as quick to find as to read is left out.
            kept.retain(|(_, known)| matches!(known, Known::More(_)));
        }
        for (key, known) in kept {
            out.extend(key);
            write(&mut out, &row(&known.remembered()));
        }
        let digest = *blake3::hash(&out).as_bytes();
        out.extend(digest);
        out
    }

    /// What [`CheckMemory::to_bytes`] gave; empty if the bytes are of another version, or damaged.
    pub fn from_bytes(bytes: &[u8]) -> CheckMemory {
        read_all(bytes).unwrap_or_default()
    }
}

/// Changes with every version whose answers or bytes may differ.
const VERSION: &[u8] = concat!("freiraum check memory 10 ", env!("CARGO_PKG_VERSION"), "\n").as_bytes();

/// How many pairs are kept whether they were used or not: some 30 MB.
const MANY: usize = 100_000;

/// Numbers in an outline.
const OUTLINE: usize = 14;

/// Numbers in a row: passage (19), bound (1), closest (10).
const ROW: usize = 30;

fn write(out: &mut Vec<u8>, numbers: &[f64]) {
    out.extend(numbers.iter().flat_map(|x| x.to_bits().to_le_bytes()));
}

fn read_all(bytes: &[u8]) -> Option<CheckMemory> {
    let (content, digest) = bytes.split_at_checked(bytes.len().checked_sub(32)?)?;
    if blake3::hash(content).as_bytes() != digest {
        return None;
    }
    let mut rest = content.strip_prefix(VERSION)?;
    let mut take = |count: usize| {
        let (taken, left) = rest.split_at_checked(count)?;
        rest = left;
        Some(taken)
    };
    let numbers = |bytes: &[u8]| -> Vec<f64> {
        bytes.as_chunks().0.iter().map(|bits| f64::from_bits(u64::from_le_bytes(*bits))).collect()
    };
    let (mut outlines, mut pairs) = (BTreeMap::new(), HashMap::new());
    for _ in 0..u64::from_le_bytes(take(8)?.try_into().ok()?) {
        let key: Key = take(32)?.try_into().ok()?;
        let row = numbers(take(8 * OUTLINE)?);
        let found = AxisBox { min: Vec3::from_slice(&row[..3]), max: Vec3::from_slice(&row[3..6]) };
        let bounds = (!found.min.is_nan()).then_some(found);
        let mended = [row[7], row[8], row[9]];
        let trouble = [row[10], row[11], row[12], row[13]];
        outlines.insert(key, Outline { bounds, is_open: row[6] != 0.0, mended, trouble });
    }
    let mut files = BTreeMap::new();
    for _ in 0..u64::from_le_bytes(take(8)?.try_into().ok()?) {
        let place: Key = take(32)?.try_into().ok()?;
        let digest: Key = take(32)?.try_into().ok()?;
        let mut stamp = [0; 7];
        for number in &mut stamp {
            *number = i64::from_le_bytes(take(8)?.try_into().ok()?);
        }
        files.insert(place, Seen { stamp: Stamp(stamp), digest, is_used: false });
    }
    let mut rows = HashMap::new();
    for _ in 0..u64::from_le_bytes(take(8)?.try_into().ok()?) {
        let key: Key = take(32)?.try_into().ok()?;
        let row: Row = numbers(take(size_of::<Row>())?).try_into().ok()?;
        rows.insert(key, Kept { answer: row, is_used: false });
    }
    while let Some(key) = take(32) {
        let row = numbers(take(8 * ROW)?);
        let kept = Kept { answer: Known::of(remembered(&row)?), is_used: false };
        pairs.insert(key.try_into().ok()?, kept);
    }
    Some(CheckMemory {
        pairs: pairs.into(),
        outlines: outlines.into(),
        rows: rows.into(),
        files: files.into(),
    })
}

fn row(value: &Remembered) -> Vec<f64> {
    let mut out = Vec::with_capacity(ROW);
    match value.passage {
        Passage::Apart => out.push(0.0),
        Passage::Touching { fit: None } => out.push(1.0),
        Passage::Touching { fit: Some(Fit { reason: FitReason::TouchesAtStart, resting }) } => {
            out.extend([2.0, 0.0, resting]);
        }
        Passage::Touching { fit: Some(Fit { reason: FitReason::TouchesAtEnd, resting }) } => {
            out.extend([2.0, 1.0, resting]);
        }
        Passage::Blocked { time, kind } => match kind {
            FindingKind::Overlap { point, depth, allowance, .. } => {
                out.extend([3.0, time, depth.unwrap_or(f64::NAN), allowance]);
                out.extend(point.to_array());
            }
            FindingKind::Contact { time_error, point, normal, features, allowance, .. } => {
                out.extend([4.0, time, time_error, allowance]);
                out.extend(point.to_array());
                out.extend(normal.to_array());
                for feature in features {
                    let (kind, numbers) = match feature {
                        Feature::Vertex(n) => (0, [n, 0]),
                        Feature::Edge(ends) => (1, ends),
                        Feature::Rim(n) => (2, [n, 0]),
                        Feature::Face(n) => (3, [n, 0]),
                    };
                    out.extend([kind, numbers[0], numbers[1]].map(f64::from));
                }
            }
            FindingKind::Undecided { open } => out.extend([5.0, time, open[0], open[1]]),
            FindingKind::InsideUnknown { body, places } => {
                out.extend([6.0, time, body as f64]);
                let none = Vec3::splat(f64::NAN);
                out.extend(places.iter().flat_map(|place| place.unwrap_or(none).to_array()));
            }
            // No passage is blocked by these.
            FindingKind::TooClose { .. } | FindingKind::NoPath => out.push(f64::NAN),
        },
    }
    out.resize(19, 0.0);
    out.push(value.at_least);
    let closest = value.closest.map(|c| {
        let [a, b] = [c.point_on_a, c.point_on_b].map(|p| p.to_array());
        [1.0, c.distance, c.error, c.time, a[0], a[1], a[2], b[0], b[1], b[2]]
    });
    out.extend(closest.unwrap_or_default());
    out
}

fn remembered(row: &[f64]) -> Option<Remembered> {
    let point = |at: usize| Vec3::from_slice(&row[at..at + 3]);
    let feature = |at: usize| {
        let numbers = [row[at + 1] as u32, row[at + 2] as u32];
        Some(match row[at] as u32 {
            0 => Feature::Vertex(numbers[0]),
            1 => Feature::Edge(numbers),
            2 => Feature::Rim(numbers[0]),
            3 => Feature::Face(numbers[0]),
            _ => return None,
        })
    };
    let time = row[1];
    let blocked = |kind: FindingKind| Passage::Blocked { time, kind };
    let passage = match row[0] {
        0.0 => Passage::Apart,
        1.0 => Passage::Touching { fit: None },
        2.0 => {
            let reason = if row[1] == 0.0 { FitReason::TouchesAtStart } else { FitReason::TouchesAtEnd };
            Passage::Touching { fit: Some(Fit { reason, resting: row[2] }) }
        }
        3.0 => {
            let depth = (!row[2].is_nan()).then_some(row[2]);
            // What is said about findings beside these has rows of its own.
            blocked(FindingKind::Overlap {
                point: point(4),
                depth,
                separating_shift: None,
                passing_allowance: None,
                allowance: row[3],
            })
        }
        4.0 => blocked(FindingKind::Contact {
            time_error: row[2],
            allowance: row[3],
            point: point(4),
            normal: point(7),
            features: [feature(10)?, feature(13)?],
            until: None,
            depth: None,
            passing_allowance: None,
        }),
        5.0 => blocked(FindingKind::Undecided { open: [row[2], row[3]] }),
        6.0 => {
            let places = [3, 6, 9].map(|at| Some(point(at)).filter(|place| !place.is_nan()));
            blocked(FindingKind::InsideUnknown { body: row[2] as usize, places })
        }
        _ => return None,
    };
    let closest = (row[20] == 1.0).then(|| Clearance {
        distance: row[21],
        error: row[22],
        time: row[23],
        point_on_a: point(24),
        point_on_b: point(27),
        is_kept: None,
    });
    Some(Remembered { passage, at_least: row[19], closest })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn some() -> CheckMemory {
        let memory = CheckMemory::default();
        memory.set_outline(
            [1; 32],
            Outline { bounds: None, is_open: false, mended: [0.0; 3], trouble: [0.0; 4] },
        );
        let bounds = Some(AxisBox { min: -Vec3::ONE, max: Vec3::new(0.1, 2.0, 3.0) });
        let trouble = [2.0, 12.0, 1.0, 6.0];
        memory.set_outline([2; 32], Outline { bounds, is_open: true, mended: [1e-7, 2.0, 3.0], trouble });
        let contact = FindingKind::Contact {
            time_error: 1e-13,
            point: Vec3::new(0.1, 0.2, 0.3),
            normal: Vec3::Z,
            features: [Feature::Edge([3, 4_000_000_000]), Feature::Face(7)],
            until: None,
            depth: None,
            passing_allowance: None,
            allowance: 0.5,
        };
        let overlap = FindingKind::Overlap {
            point: Vec3::X,
            depth: None,
            separating_shift: None,
            passing_allowance: None,
            allowance: 0.0,
        };
        memory.set_row([5; 32], [0.5; 10]);
        let passages = [
            Passage::Apart,
            Passage::Touching { fit: Some(Fit { reason: FitReason::TouchesAtEnd, resting: 0.125 }) },
            Passage::Touching { fit: None },
            Passage::Blocked { time: 0.3, kind: contact },
            Passage::Blocked { time: 0.0, kind: overlap },
            Passage::Blocked { time: 0.2, kind: FindingKind::Undecided { open: [0.2, 0.4] } },
            Passage::Blocked {
                time: 0.1,
                kind: FindingKind::InsideUnknown { body: 1, places: [Some(Vec3::X), None, None] },
            },
        ];
        for (k, passage) in (0u8..).zip(passages) {
            let closest = (k % 2 == 0).then_some(Clearance {
                distance: 0.1,
                error: 1e-12,
                time: 0.7,
                point_on_a: Vec3::X,
                point_on_b: Vec3::Y,
                is_kept: None,
            });
            memory.set_pair([k; 32], Remembered { passage, at_least: 0.25, closest });
        }
        memory.set_file([8; 32], Stamp([1, -2, i64::MAX, 4, 5, 6, 7]), [9; 32]);
        memory
    }

    #[test]
    fn all_comes_back() {
        let memory = some();
        let again = CheckMemory::from_bytes(&memory.to_bytes());
        let answers = |memory: &CheckMemory| -> Vec<(Key, Known)> {
            let pairs = memory.pairs.lock().unwrap();
            written(&pairs).into_iter().map(|(key, known)| (*key, known.clone())).collect()
        };
        assert_eq!(answers(&again), answers(&memory));
        assert_eq!(*again.outlines.lock().unwrap(), *memory.outlines.lock().unwrap());
        assert_eq!(again.row(&[5; 32]), Some([0.5; 10]));
        assert_eq!(again.len(), 7);
        let stamp = Stamp([1, -2, i64::MAX, 4, 5, 6, 7]);
        assert!(
            CheckMemory::from_bytes(&again.to_bytes()).file(&[8; 32], &stamp).is_none(),
            "nobody looked at it"
        );
        for k in 0..7 {
            let mut other = stamp;
            other.0[k] += if k == 2 { -1 } else { 1 };
            assert_eq!(again.file(&[8; 32], &other), None);
        }
        assert_eq!(again.file(&[8; 32], &stamp), Some([9; 32]));
        assert_eq!(CheckMemory::from_bytes(&again.to_bytes()).file(&[8; 32], &stamp), Some([9; 32]));
    }

    #[test]
    fn damaged_bytes_are_nothing() {
        let bytes = some().to_bytes();
        for at in (0..bytes.len()).step_by(97) {
            let mut damaged = bytes.clone();
            damaged[at] ^= 0x10;
            assert!(CheckMemory::from_bytes(&damaged).is_empty());
            assert!(CheckMemory::from_bytes(&bytes[..at]).is_empty());
        }
        assert!(CheckMemory::from_bytes(b"").is_empty());
    }
}
