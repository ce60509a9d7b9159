//! Closed surfaces with bumps, of any fineness: a torus, a sphere, and a tube that passes through itself.

use glam::DVec3;
use std::collections::BTreeMap;
use std::f64::consts::TAU;

/// Vertices and counter-clockwise faces.
pub type Surface = (Vec<DVec3>, Vec<[u32; 3]>);

/// A bumpy torus round the z axis, of radii 1 and 0.35, with `2 * around * across` faces; its size is about 2.8 metres.
pub fn torus(around: usize, across: usize) -> Surface {
    let point = |i: usize, j: usize| {
        let (u, v) = (i as f64 * TAU / around as f64, j as f64 * TAU / across as f64);
        let radius = 0.35 + 0.06 * ((7.0 * u).sin() * (5.0 * v).cos() + 0.3 * (23.0 * u + 11.0 * v).sin());
        let from_axis = 1.0 + radius * v.cos();
        DVec3::new(from_axis * u.cos(), from_axis * u.sin(), radius * v.sin())
    };
    closed_grid(around, across, point)
}

/// A bumpy sphere of radius 0.8 about the origin: an icosahedron whose faces are cut into `split`² triangles each.
pub fn sphere(split: usize) -> Surface {
    let (directions, faces) = geodesic(split);
    let height = |p: DVec3| {
        let coarse = (6.0 * p.x + 1.0).sin() * (5.0 * p.y).sin() * (7.0 * p.z).cos();
        let fine = (17.0 * p.x).sin() * (19.0 * p.y + 2.0 * p.z).sin();
        0.8 + 0.12 * (coarse + 0.35 * fine)
    };
    (directions.into_iter().map(|p| p * height(p)).collect(), faces)
}

/// A closed tube along a figure of eight with `2 * along * around` faces, which passes through itself at the crossing.
pub fn twisted_tube(along: usize, around: usize) -> Surface {
    let point = |i: usize, j: usize| {
        let (s, phi) = (i as f64 * TAU / along as f64, j as f64 * TAU / around as f64);
        let center = DVec3::new(s.sin(), 0.6 * (2.0 * s).sin(), 0.08 * s.cos());
        let tangent = DVec3::new(s.cos(), 1.2 * (2.0 * s).cos(), -0.08 * s.sin()).normalize_or_zero();
        let normal = DVec3::Z.cross(tangent).normalize_or_zero();
        let radius = 0.2 + 0.03 * (2.0 * phi).cos();
        let turn = phi + 3.0 * s;
        center + radius * (turn.cos() * normal + turn.sin() * tangent.cross(normal))
    };
    let (vertices, faces) = closed_grid(along, around, point);
    // Along and around the tube turn inwards.
    (vertices, faces.into_iter().map(|[a, b, c]| [a, c, b]).collect())
}

/// A grid that closes in both directions.
fn closed_grid(n: usize, m: usize, point: impl Fn(usize, usize) -> DVec3) -> Surface {
    let cells = || (0..n).flat_map(|i| (0..m).map(move |j| (i, j)));
    let at = |i: usize, j: usize| ((i % n) * m + j % m) as u32;
    let lower = cells().map(|(i, j)| [at(i, j), at(i + 1, j), at(i + 1, j + 1)]);
    let upper = cells().map(|(i, j)| [at(i, j), at(i + 1, j + 1), at(i, j + 1)]);
    (cells().map(|(i, j)| point(i, j)).collect(), lower.chain(upper).collect())
}

/// An icosahedron with every face cut into `split`² triangles, its vertices brought to the unit sphere.
pub fn geodesic(split: usize) -> Surface {
    let long = 0.5 * (1.0 + 5f64.sqrt());
    let mut corners = Vec::new();
    for (s, t) in [(-1.0, -1.0), (-1.0, 1.0), (1.0, -1.0), (1.0, 1.0)] {
        corners.extend([
            DVec3::new(s, t * long, 0.0),
            DVec3::new(0.0, s, t * long),
            DVec3::new(t * long, 0.0, s),
        ]);
    }
    let (mut vertices, mut faces) = (Vec::new(), Vec::new());
    let mut known = BTreeMap::new();
    let mut add = |p: DVec3| {
        let p = p.normalize_or_zero();
        // Neighbouring faces compute the vertices between them with different rounding.
        let key = (p * 1e7).round().to_array().map(|x| x as i64);
        *known.entry(key).or_insert_with(|| {
            vertices.push(p);
            vertices.len() as u32 - 1
        })
    };
    // Three corners next to each other are a face.
    for i in 0..12 {
        for j in i + 1..12 {
            for k in j + 1..12 {
                let [a, mut b, mut c] = [corners[i], corners[j], corners[k]];
                let is_edge = |p: DVec3, q: DVec3| (p.distance(q) - 2.0).abs() < 1e-9;
                if !(is_edge(a, b) && is_edge(b, c) && is_edge(c, a)) {
                    continue;
                }
                if (b - a).cross(c - a).dot(a) < 0.0 {
                    std::mem::swap(&mut b, &mut c);
                }
                let mut at = |i: usize, j: usize| {
                    let rest = (split - i - j) as f64;
                    add((a * rest + b * i as f64 + c * j as f64) / split as f64)
                };
                for i in 0..split {
                    for j in 0..split - i {
                        faces.push([at(i, j), at(i + 1, j), at(i, j + 1)]);
                        if i + j + 1 < split {
                            faces.push([at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)]);
                        }
                    }
                }
            }
        }
    }
    (vertices, faces)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Vertices - edges + faces of closed surfaces.
    fn check((vertices, faces): Surface, count: usize, characteristic: isize) {
        assert_eq!(faces.len(), count);
        assert_eq!(vertices.len() as isize - (faces.len() / 2) as isize, characteristic);
        let volume: f64 =
            faces.iter().map(|f| f.map(|i| vertices[i as usize])).map(|[a, b, c]| a.dot(b.cross(c))).sum();
        assert!(volume > 0.0);
    }

    #[test]
    fn surfaces_are_closed_and_face_outwards() {
        check(torus(50, 50), 5000, 0);
        check(sphere(16), 5120, 2);
        check(twisted_tube(50, 20), 2000, 0);
    }
}
