//! Collecting vertices, equal ones once: an open-addressing table of vertex numbers, keyed by the exact bits.
//!
//! In a large file almost every look into the table and every comparison with a known vertex waits for main memory.
//! Points are therefore taken in batches, in three steps without branches between the points: look at the first slot
//! of each, compare with the vertex it names, and only then settle the few that are new or displaced. So the waits
//! overlap (measured in `docs/performance/mesh-files.md`).

use super::error::{MeshFileError, MeshFileErrorKind as Kind, Place, Result};
use super::options::Weld;
use freiraum_geometry::mesh::weld;
use freiraum_geometry::{Aabb, Vec3};
use std::hash::{BuildHasher, RandomState};

/// Points taken at once.
pub(crate) const BATCH: usize = 96;

/// More vertices than this are refused: two thirds of 2^32, so that slots can be numbered with 32 bits.
const MAX_VERTICES: usize = u32::MAX as usize / 3 * 2;

/// Vertices in the order of their first appearance, each coordinate triple once if welded.
pub(crate) struct Points {
    pub(crate) vertices: Vec<Vec3>,
    table: Option<Table>,
}

impl Points {
    /// An empty collection with room for `expected` different vertices.
    pub(crate) fn new(weld: Weld, expected: usize) -> Points {
        let table = (weld != Weld::Off).then(|| Table::new(expected));
        Points { vertices: Vec::with_capacity(expected), table }
    }

    /// Puts the number of each point, new or known, into `numbers`, which has to be as long as `points`.
    #[inline]
    pub(crate) fn add(&mut self, points: &[Vec3], numbers: &mut [u32]) -> Result<()> {
        if self.vertices.len() + points.len() > MAX_VERTICES {
            return Err(too_many_vertices());
        }
        let Some(table) = &mut self.table else {
            let first = self.vertices.len() as u32;
            self.vertices.extend_from_slice(points);
            numbers.iter_mut().zip(first..).for_each(|(number, i)| *number = i);
            return Ok(());
        };
        for (points, numbers) in points.chunks(BATCH).zip(numbers.chunks_mut(BATCH)) {
            table.number(points, numbers, &mut self.vertices);
        }
        Ok(())
    }
}

/// Makes vertices with equal coordinates one, keeping the order of first appearance; the faces follow. Vertices
/// that no face uses stay.
pub(crate) fn join_equal(vertices: Vec<Vec3>, faces: &mut [[u32; 3]]) -> Result<Vec<Vec3>> {
    let mut points = Points::new(Weld::Exact, vertices.len());
    let mut numbers = vec![0; vertices.len()];
    points.add(&vertices, &mut numbers)?;
    if points.vertices.len() < vertices.len() {
        for corner in faces.iter_mut().flatten() {
            *corner = numbers[*corner as usize];
        }
    }
    Ok(points.vertices)
}

/// Makes vertices at most `distance` apart one; the faces follow. The order of those that stay is kept.
pub(crate) fn join_near(mut vertices: Vec<Vec3>, faces: &mut [[u32; 3]], distance: f64) -> Result<Vec<Vec3>> {
    if !(distance >= 0.0 && distance.is_finite()) {
        let found = format!("the welding distance is {distance}");
        return Err(MeshFileError::new(Kind::TooLarge, Place::File, found, "a length in metres, at least 0"));
    }
    // Below the spacing of f64 at the farthest coordinate a distance means no more than equality there, and the grid of
    // cells that the search uses would overflow.
    if distance <= f64::EPSILON * Aabb::of_points(&vertices).reach() {
        return Ok(vertices);
    }
    let mut to = weld::within(&vertices, distance, |_| true);
    let mut kept = 0;
    for i in 0..vertices.len() {
        // A vertex joins an earlier one, whose new number is known.
        if to[i] as usize == i {
            vertices[kept as usize] = vertices[i];
            to[i] = kept;
            kept += 1;
        } else {
            to[i] = to[to[i] as usize];
        }
    }
    vertices.truncate(kept as usize);
    for corner in faces.iter_mut().flatten() {
        *corner = to[*corner as usize];
    }
    Ok(vertices)
}

/// More vertices than 32 bits can number.
#[cold]
pub(crate) fn too_many_vertices() -> MeshFileError {
    let found = "the file has more vertices than can be numbered";
    MeshFileError::new(Kind::TooLarge, Place::File, found, format!("at most {MAX_VERTICES}"))
        .help("split it into several files")
}

/// Adding zero turns -0.0 into 0.0 and leaves everything else.
#[inline]
fn positive_zero(p: Vec3) -> Vec3 {
    p + Vec3::ZERO
}

/// Numbers of vertices, found by the hash of their coordinates. Linear probing, at most two thirds full.
struct Table {
    /// 0 for a free slot; else the number of the vertex plus 1 in the lower `bits`, and as much of its hash as fits above,
    /// so that other vertices are hardly ever looked at.
    slots: Vec<u32>,
    /// Binary logarithm of the number of slots.
    bits: u32,
    /// Keeps a crafted file from sending all its points to one slot. The result does not depend on it.
    seed: [u64; 3],
}

/// Where a point belongs: its first slot, and the part of its hash that is kept there.
#[derive(Clone, Copy, Default)]
struct Home {
    slot: usize,
    tag: u32,
}

impl Table {
    fn new(expected: usize) -> Table {
        let random = RandomState::new();
        let seed = std::array::from_fn(|i| random.hash_one(i) | 1);
        let mut table = Table { slots: Vec::new(), bits: 0, seed };
        table.clear(expected);
        table
    }

    /// An empty table with room for `expected` vertices, and in any case for one batch.
    fn clear(&mut self, expected: usize) {
        let slots = (expected.clamp(BATCH, MAX_VERTICES) * 3 / 2 + 1).next_power_of_two();
        self.bits = slots.trailing_zeros();
        // The old table has to go before the new one comes.
        self.slots = Vec::new();
        self.slots = vec![0; slots];
    }

    fn room(&self) -> usize {
        self.slots.len() / 3 * 2
    }

    /// Sets the numbers of at most [`BATCH`] points in `vertices`, where new ones are added.
    fn number(&mut self, points: &[Vec3], numbers: &mut [u32], vertices: &mut Vec<Vec3>) {
        if vertices.len() + points.len() > self.room() {
            self.grow(vertices);
        }
        let mut homes = [Home::default(); BATCH];
        let mut seen = [0; BATCH];
        for ((point, home), seen) in points.iter().zip(&mut homes).zip(&mut seen) {
            *home = self.home(*point);
            *seen = self.slots[home.slot];
        }
        let mut is_known = [false; BATCH];
        for (i, (point, number)) in points.iter().zip(numbers.iter_mut()).enumerate() {
            if let Some(candidate) = self.candidate(seen[i], homes[i].tag) {
                *number = candidate;
                is_known[i] = same_bits(vertices[candidate as usize], positive_zero(*point));
            }
        }
        for (i, (point, number)) in points.iter().zip(numbers).enumerate() {
            if !is_known[i] {
                *number = self.settle(positive_zero(*point), homes[i], vertices);
            }
        }
    }

    /// The vertex that a slot names, if the part of the hash agrees.
    #[inline]
    fn candidate(&self, slot: u32, tag: u32) -> Option<u32> {
        let mask = (1u64 << self.bits) as u32;
        let mask = mask.wrapping_sub(1);
        let number = slot & mask;
        (number != 0 && slot & !mask == tag).then(|| number - 1)
    }

    /// The number of a point, which is added if it is new.
    fn settle(&mut self, point: Vec3, home: Home, vertices: &mut Vec<Vec3>) -> u32 {
        let mask = self.slots.len() - 1;
        let mut slot = home.slot;
        while self.slots[slot] != 0 {
            if let Some(number) = self.candidate(self.slots[slot], home.tag)
                && same_bits(vertices[number as usize], point)
            {
                return number;
            }
            slot = (slot + 1) & mask;
        }
        let number = vertices.len() as u32;
        vertices.push(point);
        self.slots[slot] = home.tag | (number + 1);
        number
    }

    #[cold]
    fn grow(&mut self, vertices: &[Vec3]) {
        self.clear(vertices.len() * 2);
        let mask = self.slots.len() - 1;
        for batch in (0..vertices.len()).step_by(BATCH) {
            let points = &vertices[batch..vertices.len().min(batch + BATCH)];
            let mut homes = [Home::default(); BATCH];
            for (point, home) in points.iter().zip(&mut homes) {
                *home = self.home(*point);
            }
            for (i, home) in homes.iter().enumerate().take(points.len()) {
                let mut slot = home.slot;
                while self.slots[slot] != 0 {
                    slot = (slot + 1) & mask;
                }
                self.slots[slot] = home.tag | (batch + i + 1) as u32;
            }
        }
    }

    #[inline]
    fn home(&self, point: Vec3) -> Home {
        let p = positive_zero(point);
        let [a, b, c] = self.seed;
        let fold = |x: u64, y: u64| {
            let product = u128::from(x) * u128::from(y);
            product as u64 ^ (product >> 64) as u64
        };
        let xy = fold(p.x.to_bits() ^ a, p.y.to_bits().rotate_left(32) ^ b);
        let hash = fold(xy ^ p.z.to_bits(), c);
        // The upper half tells the slot, the lower half the tag.
        let slot = (hash >> 32 << self.bits >> 32) as usize;
        let tag = ((hash as u32 as u64) << self.bits) as u32;
        Home { slot, tag }
    }
}

#[inline]
fn same_bits(a: Vec3, b: Vec3) -> bool {
    a.x.to_bits() == b.x.to_bits() && a.y.to_bits() == b.y.to_bits() && a.z.to_bits() == b.z.to_bits()
}

#[cfg(test)]
mod tests {
    use super::*;
    use freiraum_testkit::random::Random;
    use std::collections::HashMap;

    #[test]
    fn agrees_with_a_map_of_the_standard_library() {
        let mut random = Random::new(3);
        for expected in [0, 1, 5000] {
            let mut points = Points::new(Weld::Exact, expected);
            let mut oracle = HashMap::new();
            for _ in 0..200 {
                let batch: Vec<Vec3> = (0..random.below(250))
                    .map(|_| Vec3::from_array(std::array::from_fn(|_| random.below(30) as f64 * 0.1 - 1.0)))
                    .collect();
                let mut numbers = vec![0; batch.len()];
                points.add(&batch, &mut numbers).unwrap();
                for (p, &number) in batch.iter().zip(&numbers) {
                    let next = oracle.len() as u32;
                    assert_eq!(number, *oracle.entry(p.to_array().map(f64::to_bits)).or_insert(next));
                    assert_eq!(points.vertices[number as usize], *p);
                }
                assert_eq!(points.vertices.len(), oracle.len());
            }
        }
    }

    fn numbers(weld: Weld, points: &[Vec3]) -> (Vec<u32>, Vec<Vec3>) {
        let mut collected = Points::new(weld, 0);
        let mut numbers = vec![0; points.len()];
        collected.add(points, &mut numbers).unwrap();
        (numbers, collected.vertices)
    }

    #[test]
    fn minus_zero_is_zero_and_neighbours_are_not() {
        let points = [[0.0, -0.0, 1.0], [-0.0, 0.0, 1.0], [0.0, 0.0, 1.0f64.next_up()]].map(Vec3::from_array);
        let (found, vertices) = numbers(Weld::Exact, &points);
        assert_eq!(found, [0, 0, 1]);
        assert_eq!(vertices[0].y.to_bits(), 0.0f64.to_bits());
    }

    #[test]
    fn off_keeps_everything() {
        let (found, vertices) = numbers(Weld::Off, &[Vec3::ZERO, -Vec3::ZERO]);
        assert_eq!(found, [0, 1]);
        assert!(vertices[1].x.is_sign_negative());
    }

    #[test]
    fn near_vertices_join_the_first() {
        let at = |x: f64| Vec3::new(x, 1.0, 0.0);
        let vertices = vec![at(0.0), at(1.0), at(0.01), at(2.0), at(1.01)];
        let mut faces = [[0, 1, 3], [2, 4, 3]];
        let joined = join_near(vertices.clone(), &mut faces, 0.1).unwrap();
        assert_eq!((joined, faces), (vec![at(0.0), at(1.0), at(2.0)], [[0, 1, 2], [0, 1, 2]]));
        let mut faces = [[2, 4, 3]];
        for distance in [0.0, f64::MIN_POSITIVE] {
            assert_eq!(join_near(vertices.clone(), &mut faces, distance).unwrap(), vertices);
        }
        for distance in [-1.0, f64::NAN, f64::INFINITY] {
            assert!(join_near(vertices.clone(), &mut faces, distance).is_err());
        }
    }

    #[test]
    fn joining_keeps_the_order() {
        let vertices = vec![Vec3::X, Vec3::Y, Vec3::X, Vec3::Z];
        let mut faces = [[0, 1, 2], [2, 3, 1]];
        assert_eq!(join_equal(vertices, &mut faces).unwrap(), [Vec3::X, Vec3::Y, Vec3::Z]);
        assert_eq!(faces, [[0, 1, 0], [0, 2, 1]]);
    }
}
