//! A box whose sides are divided into squares.

use super::{Solid, SolidError, count, length, whole};
use freiraum_geometry::Vec3;

/// A box about the origin, every side a lattice of cells of two triangles.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cuboid {
    /// Edge lengths in metres.
    pub size: Vec3,
    /// Cells along x, y and z, at least 1.
    pub cells: [u32; 3],
}

impl Cuboid {
    /// A box with about `vertices` vertices.
    #[must_use]
    pub fn by_vertices(size: Vec3, vertices: u32) -> Cuboid {
        // A surface of area A in cells of side c has some A / c² vertices.
        let area = 2.0 * (size.x * size.y + size.y * size.z + size.z * size.x);
        let cell = (area / f64::from(vertices.max(8))).sqrt();
        Cuboid { size, cells: size.to_array().map(|edge| whole(edge / cell, 1)) }
    }

    /// The surface: 2(ab + bc + ca) + 2 vertices for a x b x c cells.
    pub fn solid(&self) -> Result<Solid, SolidError> {
        for (what, edge) in
            ["the edge along x", "the edge along y", "the edge along z"].into_iter().zip(self.size.to_array())
        {
            length(what, edge)?;
        }
        let mut solid = lattice(self.cells)?;
        for p in &mut solid.vertices {
            *p *= 0.5 * self.size;
        }
        Ok(solid)
    }
}

/// The surface of the cube [-1, 1]³ with the given cells along its edges.
pub(super) fn lattice(cells: [u32; 3]) -> Result<Solid, SolidError> {
    let cells = cells.map(|n| n.max(1));
    let [a, b, c] = cells.map(u64::from);
    // Refused before it is multiplied: counts may be as large as they like.
    count(a.max(b).max(c))?;
    let vertices = count(2 * (a * b + b * c + c * a) + 2)?;
    let names = Names { cells };
    let mut solid = Solid { vertices: vec![Vec3::ZERO; vertices], faces: Vec::with_capacity(2 * vertices) };
    let [a, b, c] = cells;
    // Per side: its axis, the corner it starts from, and the two directions whose product points outwards.
    let (x, y, z) = ([1, 0, 0], [0, 1, 0], [0, 0, 1]);
    for (start, right, up) in [
        ([0, 0, 0], y, x),
        ([0, 0, c], x, y),
        ([0, 0, 0], z, y),
        ([a, 0, 0], y, z),
        ([0, 0, 0], x, z),
        ([0, b, 0], z, x),
    ] {
        let along = |direction: [u32; 3]| direction[0] * a + direction[1] * b + direction[2] * c;
        for j in 0..along(up) {
            for i in 0..along(right) {
                let at = |i: u32, j: u32| std::array::from_fn(|k| start[k] + i * right[k] + j * up[k]);
                let corners = [at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)].map(|lattice_point| {
                    let name = names.of(lattice_point);
                    solid.vertices[name as usize] = names.position(lattice_point);
                    name
                });
                let [p, q, r, s] = corners;
                solid.faces.extend([[p, q, r], [p, r, s]]);
            }
        }
    }
    Ok(solid)
}

/// Numbers of the lattice points on the surface: the bottom row by row, the rims between going around, the top.
struct Names {
    cells: [u32; 3],
}

impl Names {
    fn of(&self, [i, j, k]: [u32; 3]) -> u32 {
        let [a, b, c] = self.cells;
        let (floor, rim) = ((a + 1) * (b + 1), 2 * (a + b));
        if k == 0 {
            j * (a + 1) + i
        } else if k == c {
            floor + (c - 1) * rim + j * (a + 1) + i
        } else {
            let around = match (i, j) {
                (i, 0) => i,
                (i, j) if i == a => a + j,
                (i, j) if j == b => a + b + (a - i),
                (_, j) => 2 * a + b + (b - j),
            };
            floor + (k - 1) * rim + around
        }
    }

    fn position(&self, lattice_point: [u32; 3]) -> Vec3 {
        // Symmetric about 0 to the bit.
        let coordinate = |k: usize| {
            let (i, n) = (f64::from(lattice_point[k]), f64::from(self.cells[k]));
            (2.0 * i - n) / n
        };
        Vec3::new(coordinate(0), coordinate(1), coordinate(2))
    }
}
