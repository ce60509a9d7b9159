//! Where to start a search for the farthest vertex: a vertex for every small range of directions.

use freiraum_geometry::Vec3;

/// Squares along an edge of the cube for the smallest polyhedra; they are cheap.
const LEAST_PER_SIDE: usize = 4;

/// The six sides of a cube round the origin, each cut into squares, each with the answer for its middle.
#[derive(Clone, Debug)]
pub(super) struct DirectionTable {
    per_side: usize,
    vertices: Vec<u32>,
}

impl DirectionTable {
    /// A table for `count` vertices: about as many squares, so that a search takes one or two steps.
    pub(super) fn new(count: usize, farthest: impl Fn(Vec3) -> u32) -> DirectionTable {
        let per_side = ((count as f64 / 6.0).sqrt().ceil() as usize).max(LEAST_PER_SIDE);
        let middle = |i: usize| (2 * i + 1) as f64 / per_side as f64 - 1.0;
        let mut vertices = Vec::with_capacity(6 * per_side * per_side);
        for side in 0..6 {
            for row in 0..per_side {
                for column in 0..per_side {
                    let mut direction = [0.0; 3];
                    direction[side / 2] = if side % 2 == 0 { 1.0 } else { -1.0 };
                    direction[(side / 2 + 1) % 3] = middle(row);
                    direction[(side / 2 + 2) % 3] = middle(column);
                    vertices.push(farthest(Vec3::from(direction)));
                }
            }
        }
        DirectionTable { per_side, vertices }
    }

    /// A vertex that lies far in the direction; some vertex if it is zero or not finite.
    #[inline]
    pub(super) fn near(&self, direction: Vec3) -> u32 {
        let d = direction.to_array();
        let size = direction.abs();
        let axis = if size.x >= size.y && size.x >= size.z {
            0
        } else if size.y >= size.z {
            1
        } else {
            2
        };
        let half = 0.5 * self.per_side as f64;
        let scale = half / d[axis].abs();
        // A float that is too large, or none, becomes the nearest whole number, or zero.
        let place = |x: f64| ((x * scale + half) as usize).min(self.per_side - 1);
        let side = 2 * axis + usize::from(d[axis] < 0.0);
        let row = place(d[(axis + 1) % 3]);
        let column = place(d[(axis + 2) % 3]);
        self.vertices[(side * self.per_side + row) * self.per_side + column]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use freiraum_testkit::random::Random;

    #[test]
    fn every_direction_finds_its_square() {
        // The table of a finer table's numbers: the middle of a square leads back to it.
        let mut random = Random::new(3);
        let table = DirectionTable::new(600, |_| 0);
        let count = 6 * table.per_side * table.per_side;
        let numbered = DirectionTable { vertices: (0..count as u32).collect(), ..table };
        let middles = std::cell::RefCell::new(Vec::new());
        DirectionTable::new(600, |d| {
            middles.borrow_mut().push(d);
            0
        });
        for (i, &middle) in middles.borrow().iter().enumerate() {
            assert_eq!(numbered.near(1e-9 * middle), i as u32);
            let near = middle + random.in_cube(0.9 / numbered.per_side as f64);
            let found = middles.borrow()[numbered.near(near) as usize];
            assert!(found.angle_between(near) < 2.0 / numbered.per_side as f64);
        }
        for odd in [Vec3::ZERO, Vec3::NAN, Vec3::INFINITY, Vec3::new(1.0, 1.0, 1.0), -Vec3::ONE] {
            assert!((numbered.near(odd) as usize) < count);
        }
    }
}
