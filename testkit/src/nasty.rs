//! Bodies that are hard on collision tests: stars, thin plates, needles, combs, rod grids, soups of triangles.

use crate::bumpy::{Surface, geodesic};
use crate::models::{prism, ring};
use crate::random::Random;
use glam::DVec3;
use std::f64::consts::TAU;

/// A closed surface about the origin with random spikes between `low` and 1 metre: an icosahedron whose faces are cut into
/// `split`² triangles each.
pub fn star(random: &mut Random, split: usize, low: f64) -> Surface {
    let (directions, faces) = geodesic(split);
    (directions.into_iter().map(|p| p * random.range(low, 1.0)).collect(), faces)
}

/// A rectangular plate about the origin, normal to z.
pub fn plate(length: f64, width: f64, thickness: f64) -> Surface {
    let (x, y) = (0.5 * length, 0.5 * width);
    centered(prism(&[(x, -y), (x, y), (-x, y), (-x, -y)], thickness), thickness)
}

/// A needle along z about the origin with three sides.
pub fn needle(length: f64, radius: f64) -> Surface {
    let corner = |i: u32| {
        let (sin, cos) = (TAU * f64::from(i) / 3.0).sin_cos();
        (radius * cos, radius * sin)
    };
    centered(prism(&[corner(0), corner(1), corner(2)], length), length)
}

/// A plain ring about z, centred, with `around` corners.
pub fn hoop(inner: f64, outer: f64, height: f64, around: u32) -> Surface {
    let corner = |i: u32| {
        let (sin, cos) = (TAU * f64::from(i) / f64::from(around)).sin_cos();
        (inner * cos, inner * sin)
    };
    let outline: Vec<(f64, f64)> = (0..around).map(corner).collect();
    centered(ring(&outline, outer, height), height)
}

/// Rods along x, one beside the other at distances of one metre from y = 0, each `width` thick: `8 count` faces or more.
/// All of them are about `count` metres long.
pub fn rods(count: usize, width: f64) -> Surface {
    let length = count as f64;
    let mut out: Surface = Default::default();
    for i in 0..count {
        let (vertices, faces) = plate(length, width, width);
        let first = out.0.len() as u32;
        let at = DVec3::new(0.5 * length, i as f64 + 0.5, 0.0);
        out.0.extend(vertices.into_iter().map(|p| p + at));
        out.1.extend(faces.into_iter().map(|f| f.map(|k| k + first)));
    }
    out
}

/// A comb in the plane z = 0: a back along x with `count` teeth along y, one metre long, one apart, `width` wide.
pub fn comb(count: usize, width: f64) -> Surface {
    let mut out: Surface = Default::default();
    let mut add = |(vertices, faces): Surface, at: DVec3| {
        let first = out.0.len() as u32;
        out.0.extend(vertices.into_iter().map(|p| p + at));
        out.1.extend(faces.into_iter().map(|f| f.map(|k| k + first)));
    };
    let length = count as f64;
    add(plate(length, 0.5, width), DVec3::new(0.5 * length, -0.25, 0.0));
    for i in 0..count {
        add(plate(width, 1.0, width), DVec3::new(i as f64 + 0.5, 0.5, 0.0));
    }
    out
}

/// Triangles of about `size` metres, each on its own, in the cube [0, 1)³.
pub fn soup(random: &mut Random, count: usize, size: f64) -> Surface {
    let mut vertices = Vec::new();
    for _ in 0..count {
        let middle = DVec3::new(random.unit(), random.unit(), random.unit());
        vertices.extend((0..3).map(|_| middle + random.in_cube(0.5 * size)));
    }
    (vertices, (0..count as u32).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect())
}

fn centered((vertices, faces): Surface, height: f64) -> Surface {
    (vertices.into_iter().map(|p| p - DVec3::new(0.0, 0.0, 0.5 * height)).collect(), faces)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn volume((vertices, faces): &Surface) -> f64 {
        let corners = faces.iter().map(|f| f.map(|i| vertices[i as usize]));
        corners.map(|[a, b, c]| a.dot(b.cross(c)) / 6.0).sum()
    }

    #[test]
    fn bodies_have_their_volumes() {
        let is_near = |x: f64, y: f64| assert!((x - y).abs() < 1e-12, "{x} {y}");
        is_near(volume(&plate(2.0, 3.0, 0.25)), 1.5);
        is_near(volume(&needle(2.0, 1.0)), 2.0 * 0.75 * 3f64.sqrt());
        is_near(volume(&rods(3, 0.5)), 9.0 * 0.25);
        is_near(volume(&comb(4, 0.125)), 4.0 * 0.5 * 0.125 + 4.0 * 0.125 * 0.125);
        assert!(volume(&star(&mut Random::new(1), 2, 0.3)) > 0.0);
        assert!(volume(&hoop(1.0, 2.0, 0.5, 16)) > 4.0);
        assert_eq!(soup(&mut Random::new(1), 5, 0.1).1.len(), 5);
    }
}
