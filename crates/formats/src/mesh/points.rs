//! Collecting vertices, equal ones once: an open-addressing table of vertex numbers, keyed by the exact bits.

use super::error::{MeshFileError, MeshFileErrorKind as Kind, Place, Result};
use super::options::Weld;
use freiraum_geometry::Vec3;
use std::hash::{BuildHasher, RandomState};

/// Marks a free slot; so vertices are numbered 0 to `u32::MAX - 1`.
const FREE: u32 = u32::MAX;

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

    /// The number of the vertex with these coordinates, new or known.
    #[inline]
    pub(crate) fn add(&mut self, point: Vec3) -> Result<u32> {
        let Some(table) = &mut self.table else {
            let number = self.vertices.len() as u32;
            self.vertices.push(point);
            return if number < FREE { Ok(number) } else { Err(too_many_vertices()) };
        };
        let point = positive_zero(point);
        let number = table.number(point, &mut self.vertices);
        if number < FREE { Ok(number) } else { Err(too_many_vertices()) }
    }
}

/// Makes vertices with equal coordinates one, in place, keeping the order of first appearance; the faces follow.
/// Vertices that no face uses stay.
pub(crate) fn join_equal(vertices: Vec<Vec3>, faces: &mut [[u32; 3]]) -> Result<Vec<Vec3>> {
    let mut points = Points::new(Weld::Exact, vertices.len());
    let mut renumbered = Vec::with_capacity(vertices.len());
    for p in vertices {
        renumbered.push(points.add(p)?);
    }
    if points.vertices.len() < renumbered.len() {
        for corner in faces.iter_mut().flatten() {
            *corner = renumbered[*corner as usize];
        }
    }
    Ok(points.vertices)
}

/// More vertices than 32 bits can number.
#[cold]
pub(crate) fn too_many_vertices() -> MeshFileError {
    let found = "the file has more vertices than can be numbered";
    MeshFileError::new(Kind::TooLarge, Place::File, found, format!("at most {FREE}"))
        .help("split it into several files")
}

/// Adding zero turns -0.0 into 0.0 and leaves everything else.
#[inline]
fn positive_zero(p: Vec3) -> Vec3 {
    p + Vec3::ZERO
}

/// Numbers of vertices, found by the hash of their coordinates. Linear probing, at most two thirds full.
struct Table {
    slots: Vec<u32>,
    /// Slots are addressed by the upper bits of the hash: this many are cut off.
    shift: u32,
    /// How many vertices until the table must grow.
    room: usize,
    /// Keeps a crafted file from sending all its points to one slot. The result does not depend on it.
    seed: [u64; 3],
}

impl Table {
    fn new(expected: usize) -> Table {
        let random = RandomState::new();
        let seed = std::array::from_fn(|i| random.hash_one(i) | 1);
        let mut table = Table { slots: Vec::new(), shift: 0, room: 0, seed };
        table.resize(expected);
        table
    }

    /// An empty table for `expected` vertices.
    fn resize(&mut self, expected: usize) {
        let slots = (expected.saturating_mul(3) / 2 + 2).next_power_of_two();
        self.slots = vec![FREE; slots];
        self.shift = u64::BITS - slots.trailing_zeros();
        self.room = slots / 3 * 2;
    }

    #[inline]
    fn hash(&self, p: Vec3) -> u64 {
        let [a, b, c] = self.seed;
        let fold = |x: u64, y: u64| {
            let product = u128::from(x) * u128::from(y);
            product as u64 ^ (product >> 64) as u64
        };
        let xy = fold(p.x.to_bits() ^ a, p.y.to_bits().rotate_left(32) ^ b);
        fold(xy ^ p.z.to_bits(), c)
    }

    #[inline]
    fn slot(&self, p: Vec3) -> usize {
        (self.hash(p) >> self.shift) as usize
    }

    /// The number of `p` in `vertices`, where it is added if it is new. `FREE` if there are too many.
    #[inline]
    fn number(&mut self, p: Vec3, vertices: &mut Vec<Vec3>) -> u32 {
        let mask = self.slots.len() - 1;
        let mut slot = self.slot(p);
        loop {
            let number = self.slots[slot];
            if number == FREE {
                break;
            }
            if same_bits(vertices[number as usize], p) {
                return number;
            }
            slot = (slot + 1) & mask;
        }
        if vertices.len() >= FREE as usize {
            return FREE;
        }
        let number = vertices.len() as u32;
        vertices.push(p);
        self.slots[slot] = number;
        if vertices.len() > self.room {
            self.grow(vertices);
        }
        number
    }

    #[cold]
    fn grow(&mut self, vertices: &[Vec3]) {
        self.resize(vertices.len() * 2);
        let mask = self.slots.len() - 1;
        for (number, &p) in vertices.iter().enumerate() {
            let mut slot = self.slot(p);
            while self.slots[slot] != FREE {
                slot = (slot + 1) & mask;
            }
            self.slots[slot] = number as u32;
        }
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
            for _ in 0..20_000 {
                let p = Vec3::from_array(std::array::from_fn(|_| random.below(30) as f64 * 0.1 - 1.0));
                let next = oracle.len() as u32;
                let number = *oracle.entry(p.to_array().map(f64::to_bits)).or_insert(next);
                assert_eq!(points.add(p).unwrap(), number);
                assert_eq!(points.vertices[number as usize], p);
            }
            assert_eq!(points.vertices.len(), oracle.len());
        }
    }

    #[test]
    fn minus_zero_is_zero_and_neighbours_are_not() {
        let mut points = Points::new(Weld::Exact, 0);
        assert_eq!(points.add(Vec3::new(0.0, -0.0, 1.0)).unwrap(), 0);
        assert_eq!(points.add(Vec3::new(-0.0, 0.0, 1.0)).unwrap(), 0);
        assert_eq!(points.add(Vec3::new(0.0, 0.0, 1.0f64.next_up())).unwrap(), 1);
        assert_eq!(points.vertices[0].y.to_bits(), 0.0f64.to_bits());
    }

    #[test]
    fn off_keeps_everything() {
        let mut points = Points::new(Weld::Off, 0);
        assert_eq!(points.add(Vec3::ZERO).unwrap(), 0);
        assert_eq!(points.add(-Vec3::ZERO).unwrap(), 1);
        assert!(points.vertices[1].x.is_sign_negative());
    }

    #[test]
    fn joining_keeps_the_order() {
        let vertices = vec![Vec3::X, Vec3::Y, Vec3::X, Vec3::Z];
        let mut faces = [[0, 1, 2], [2, 3, 1]];
        assert_eq!(join_equal(vertices, &mut faces).unwrap(), [Vec3::X, Vec3::Y, Vec3::Z]);
        assert_eq!(faces, [[0, 1, 0], [0, 2, 1]]);
    }
}
