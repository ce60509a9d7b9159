//! Answers that are kept from check to check, by the content of the question.
//!
//! The key of an answer is a digest of both shapes, both motions, the allowance and the limits: whatever changes makes another
//! key, so that an answer that is found is right. What is known of the distance of a pair may be a bound only; it is asked again when that is
//! not enough.

use super::answers::Answer;
use super::step_outcome::StepOutcome;
use freiraum_assets::{FileDigest, FileDigests};
use freiraum_geometry::mesh::SolidityFault;
use freiraum_geometry::{Aabb, Shape};
use freiraum_motion::Clearance;
use freiraum_motion::fit::Fit;
use freiraum_query::mesh_tree::MeshTree;
use freiraum_query::{Prepared, SolidityNote};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
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
    details: Mutex<HashMap<Key, Kept<Answer>>>,
    /// Mesh files by place, as they were when they were read.
    files: FileDigests,
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
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
enum Known {
    Apart,
    Touching(Option<Fit>),
    More(Box<Remembered>),
}

impl Known {
    fn of(known: Remembered) -> Known {
        match known {
            Remembered { outcome: StepOutcome::Apart, at_least: 0.0, closest: None } => Known::Apart,
            Remembered { outcome: StepOutcome::Touching { fit }, at_least: 0.0, closest: None } => {
                Known::Touching(fit)
            }
            more => Known::More(Box::new(more)),
        }
    }

    fn remembered(&self) -> Remembered {
        let only = |outcome: StepOutcome| Remembered { outcome, at_least: 0.0, closest: None };
        match self {
            Known::Apart => only(StepOutcome::Apart),
            Known::Touching(fit) => only(StepOutcome::Touching { fit: *fit }),
            Known::More(more) => **more,
        }
    }
}

/// What is known about a shape.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Outline {
    /// The box of what it fills in its own frame, `None` if that has no end.
    pub(crate) bounds: Option<Aabb>,
    /// True if it has a surface that bounds no solid and is not declared a sheet.
    pub(crate) is_open: bool,
    /// The widest crack that was closed to tell what is inside of it, in metres; 0 for none.
    pub(crate) closed_gap: f64,
    /// Shells and faces that were turned round for that.
    pub(crate) turned_shells: usize,
    pub(crate) turned_faces: usize,
    /// What is wrong with its surface first, if that is known, and at how many edges something is wrong.
    pub(crate) fault: Option<SolidityFault>,
    pub(crate) faulty_edges: usize,
    /// Closed shells.
    pub(crate) shells: usize,
    /// Faces that repeat others.
    pub(crate) repeated_faces: usize,
}

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
        let mut trees = Vec::new();
        meshes(shape, &mut trees);
        let is_open = shape.bounds_no_solid();
        let pieces = if is_open { shape.open_pieces() } else { Vec::new() };
        let mut outline = Outline {
            bounds: shape.filled_bounds(),
            is_open,
            closed_gap: 0.0,
            turned_shells: 0,
            turned_faces: 0,
            fault: pieces.first().map(|piece| piece.fault),
            faulty_edges: pieces.iter().map(|piece| piece.count).sum(),
            shells: trees.iter().map(|tree| tree.solidity().shell_count()).sum(),
            repeated_faces: trees.iter().map(|tree| repeated(tree)).sum(),
        };
        for note in shape.solidity_notes() {
            match note {
                SolidityNote::CracksClosed(gap) => outline.closed_gap = gap,
                SolidityNote::InsideOut(shells) => outline.turned_shells = shells,
                SolidityNote::FacesTurned(faces) => outline.turned_faces = faces,
            }
        }
        outline
    }

    /// What was done to tell what is inside of it.
    pub(crate) fn notes(&self) -> Vec<SolidityNote> {
        SolidityNote::all(self.closed_gap, self.turned_shells, self.turned_faces)
    }
}

/// What is known about a pair.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Remembered {
    pub(crate) outcome: StepOutcome,
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

    pub(crate) fn detail(&self, key: &Key) -> Option<Answer> {
        let mut details = self.details.lock().expect("nothing panics while it is held");
        looked_up(&mut details, key).cloned()
    }

    pub(crate) fn set_detail(&self, key: Key, answer: Answer) {
        let kept = Kept { answer, is_used: true };
        self.details.lock().expect("nothing panics while it is held").insert(key, kept);
    }

    pub(crate) fn outline(&self, key: &Key) -> Option<Outline> {
        self.outlines.lock().expect("nothing panics while it is held").get(key).copied()
    }

    pub(crate) fn set_outline(&self, key: Key, outline: Outline) {
        self.outlines.lock().expect("nothing panics while it is held").insert(key, outline);
    }

    /// Mesh files that were read.
    pub(crate) fn files(&self) -> &FileDigests {
        &self.files
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
        let outlines = self.outlines.lock().expect("nothing panics while it is held");
        let pairs = self.pairs.lock().expect("nothing panics while it is held");
        let details = self.details.lock().expect("nothing panics while it is held");
        let mut kept = written(&pairs);
        if kept.len() > MANY {
            // What is as quick to find as to read is left out.
            kept.retain(|(_, known)| matches!(known, Known::More(_)));
        }
        let saved = Saved {
            outlines: outlines.iter().map(|(key, outline)| (*key, Cow::Borrowed(outline))).collect(),
            files: self.files.used(),
            details: written(&details)
                .into_iter()
                .map(|(key, answer)| (*key, Cow::Borrowed(answer)))
                .collect(),
            pairs: kept.into_iter().map(|(key, known)| (*key, Cow::Borrowed(known))).collect(),
        };
        let mut out = postcard::to_extend(&saved, VERSION.to_vec()).expect("a vector takes all bytes");
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
const VERSION: &[u8] = concat!("freiraum check memory 12 ", env!("CARGO_PKG_VERSION"), "\n").as_bytes();

/// How many pairs are kept whether they were used or not: some 30 MB.
const MANY: usize = 100_000;

/// What is saved, between the version and a digest of both.
#[derive(Serialize, Deserialize)]
struct Saved<'m> {
    outlines: Vec<(Key, Cow<'m, Outline>)>,
    files: Vec<FileDigest>,
    details: Vec<(Key, Cow<'m, Answer>)>,
    pairs: Vec<(Key, Cow<'m, Known>)>,
}

/// `None` for bytes of another version and damaged ones.
fn read_all(bytes: &[u8]) -> Option<CheckMemory> {
    let (content, digest) = bytes.split_at_checked(bytes.len().checked_sub(32)?)?;
    if blake3::hash(content).as_bytes() != digest {
        return None;
    }
    let saved: Saved = postcard::from_bytes(content.strip_prefix(VERSION)?).ok()?;
    fn kept<T>(answer: T) -> Kept<T> {
        Kept { answer, is_used: false }
    }
    let pairs = saved.pairs.into_iter().map(|(key, known)| (key, kept(known.into_owned())));
    let details = saved.details.into_iter().map(|(key, answer)| (key, kept(answer.into_owned())));
    let outlines = saved.outlines.into_iter().map(|(key, outline)| (key, outline.into_owned()));
    Some(CheckMemory {
        pairs: Mutex::new(pairs.collect()),
        outlines: Mutex::new(outlines.collect()),
        details: Mutex::new(details.collect()),
        files: saved.files.into_iter().collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::checker::answers::*;
    use crate::checker::result::{FindingKind, Until};
    use freiraum_geometry::Vec3;
    use freiraum_motion::fit::FitReason;
    use freiraum_motion::{Feature, approach};

    /// One of each kind, and of those that differ in what they hold, several.
    fn details() -> Vec<Answer> {
        let closest = Clearance {
            distance: 0.1,
            error: 1e-12,
            time: 0.7,
            point_on_a: Vec3::X,
            point_on_b: Vec3::Y,
            is_kept: Some(false),
        };
        let outside = |kept: approach::Kept, exempt: Vec<[f64; 2]>| KeptOutside { kept, exempt }.keep();
        vec![
            OverlapDetail { separating_shift: Some(0.5), passing_allowance: None }.keep(),
            OverlapDetail { separating_shift: None, passing_allowance: Some(0.25) }.keep(),
            ContactDetail { depth: Some(0.125), passing_allowance: Some(0.5) }.keep(),
            ContactEnd(None).keep(),
            ContactEnd(Some(Until::Time(0.5))).keep(),
            ContactEnd(Some(Until::AtLeast(0.5))).keep(),
            GapOfFit { gap: -0.5, error: 0.25, separating_shift: Some(0.5) }.keep(),
            BorderApproach { left: None, travel: 0.75 }.keep(),
            BorderApproach { left: Some(0.0), travel: 0.75 }.keep(),
            InContact(true).keep(),
            MayBeUnrequired(true).keep(),
            outside(approach::Kept::Yes, vec![[0.0, 0.25], [0.5, 1.0]]),
            outside(approach::Kept::No(closest), Vec::new()),
            outside(approach::Kept::Unknown { open: [0.25, 0.5] }, Vec::new()),
        ]
    }

    /// What is remembered of one kind answers no other question.
    #[test]
    fn answers_are_of_one_kind() {
        for answer in details() {
            let kinds = [
                OverlapDetail::recall(answer.clone()).is_some(),
                ContactDetail::recall(answer.clone()).is_some(),
                ContactEnd::recall(answer.clone()).is_some(),
                GapOfFit::recall(answer.clone()).is_some(),
                BorderApproach::recall(answer.clone()).is_some(),
                InContact::recall(answer.clone()).is_some(),
                MayBeUnrequired::recall(answer.clone()).is_some(),
                KeptOutside::recall(answer.clone()).is_some(),
            ];
            assert_eq!(kinds.iter().filter(|is_one| **is_one).count(), 1, "{answer:?}");
        }
    }

    fn some() -> CheckMemory {
        let memory = CheckMemory::default();
        let plain = Outline {
            bounds: None,
            is_open: false,
            closed_gap: 0.0,
            turned_shells: 0,
            turned_faces: 0,
            fault: None,
            faulty_edges: 0,
            shells: 0,
            repeated_faces: 0,
        };
        memory.set_outline([1; 32], plain);
        let open = Outline {
            bounds: Some(Aabb { min: -Vec3::ONE, max: Vec3::new(0.1, 2.0, 3.0) }),
            is_open: true,
            closed_gap: 1e-7,
            turned_shells: 2,
            turned_faces: 3,
            fault: Some(SolidityFault::Doubled),
            faulty_edges: 12,
            shells: 1,
            repeated_faces: 6,
        };
        memory.set_outline([2; 32], open);
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
        for (k, answer) in (0u8..).zip(details()) {
            memory.set_detail([k; 32], answer);
        }
        let outcomes = [
            StepOutcome::Apart,
            StepOutcome::Touching { fit: Some(Fit { reason: FitReason::TouchesAtEnd, resting: 0.125 }) },
            StepOutcome::Touching { fit: None },
            StepOutcome::Blocked { time: 0.3, kind: contact },
            StepOutcome::Blocked { time: 0.0, kind: overlap },
            StepOutcome::Blocked { time: 0.2, kind: FindingKind::Undecided { open: [0.2, 0.4] } },
            StepOutcome::Blocked {
                time: 0.1,
                kind: FindingKind::InsideUnknown { body: 1, places: [Some(Vec3::X), None, None] },
            },
        ];
        for (k, outcome) in (0u8..).zip(outcomes) {
            let closest = (k % 2 == 0).then_some(Clearance {
                distance: 0.1,
                error: 1e-12,
                time: 0.7,
                point_on_a: Vec3::X,
                point_on_b: Vec3::Y,
                is_kept: None,
            });
            memory.set_pair([k; 32], Remembered { outcome, at_least: 0.25, closest });
        }
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
        for (k, answer) in (0u8..).zip(details()) {
            assert_eq!(again.detail(&[k; 32]), Some(answer));
        }
        assert_eq!(again.len(), 7);
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
