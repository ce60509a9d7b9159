//! Closed models that are not convex and fit into each other: blocks of cells, rings, cups, gears.

use crate::bumpy::Surface;
use glam::DVec3;
use std::collections::BTreeMap;
use std::f64::consts::TAU;

/// The surface of all filled cells of a grid, welded: cell (i, j, k) spans `size` metres from `size * (i, j, k)`. Faces of
/// cells are two triangles each. Cells that share no more than an edge make that edge belong to four faces.
pub fn cells(count: [i32; 3], size: DVec3, is_filled: impl Fn([i32; 3]) -> bool) -> Surface {
    let (mut vertices, mut faces) = (Vec::new(), Vec::new());
    let mut known = BTreeMap::new();
    let mut corner = |at: [i32; 3]| {
        *known.entry(at).or_insert_with(|| {
            vertices.push(size * DVec3::from_array(at.map(f64::from)));
            vertices.len() as u32 - 1
        })
    };
    let inside = |at: [i32; 3]| (0..3).all(|i| (0..count[i]).contains(&at[i])) && is_filled(at);
    for x in 0..count[0] {
        for y in 0..count[1] {
            for z in 0..count[2] {
                for (axis, up) in [(0, 0), (0, 1), (1, 0), (1, 1), (2, 0), (2, 1)] {
                    let here = [x, y, z];
                    let mut next = here;
                    next[axis] += 2 * up - 1;
                    if !inside(here) || inside(next) {
                        continue;
                    }
                    let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
                    let mut at = |s: i32, t: i32| {
                        let mut p = here;
                        p[axis] += up;
                        (p[u], p[v]) = (p[u] + s, p[v] + t);
                        corner(p)
                    };
                    let [a, b, c, d] = [at(0, 0), at(1, 0), at(1, 1), at(0, 1)];
                    // Seen from outside counter-clockwise.
                    faces.extend(if up == 1 { [[a, b, c], [a, c, d]] } else { [[a, c, b], [a, d, c]] });
                }
            }
        }
    }
    (vertices, faces)
}

/// A table: a plate of `2 feet + 1` by 3 by 1 cells of one metre, centred in x and y, its underside at z = 2, with feet of
/// one cell's section below every second cell, down to z = 0. All one connected surface.
pub fn table(feet: i32) -> Surface {
    let long = 2 * feet + 1;
    let (vertices, faces) = cells([long, 3, 3], DVec3::ONE, |[x, y, z]| z == 2 || (x % 2 == 1 && y == 1));
    let middle = DVec3::new(0.5 * f64::from(long), 1.5, 0.0);
    (vertices.into_iter().map(|p| p - middle).collect(), faces)
}

/// A torus about z: a circle of radius `tube` swept round at radius `ring`, with `2 * around * across` faces.
pub fn torus(ring: f64, tube: f64, around: u32, across: u32) -> Surface {
    let profile: Vec<(f64, f64)> = (0..across)
        .map(|j| TAU * f64::from(j) / f64::from(across))
        .map(|v| (ring + tube * v.cos(), tube * v.sin()))
        .collect();
    revolved(&profile, around)
}

/// A body of revolution about z whose profile (radius, z) runs counter-clockwise and is closed; the first profile lies
/// over the x axis.
pub fn revolved(profile: &[(f64, f64)], around: u32) -> Surface {
    let across = profile.len() as u32;
    let mut vertices = Vec::new();
    for i in 0..around {
        let u = TAU * f64::from(i) / f64::from(around);
        vertices.extend(profile.iter().map(|&(r, z)| DVec3::new(r * u.cos(), r * u.sin(), z)));
    }
    let mut faces = Vec::new();
    for i in 0..around {
        for j in 0..across {
            let at = |i: u32, j: u32| (i % around) * across + j % across;
            faces.push([at(i, j), at(i + 1, j), at(i + 1, j + 1)]);
            faces.push([at(i, j), at(i + 1, j + 1), at(i, j + 1)]);
        }
    }
    (vertices, faces)
}

/// A cup about z, open above: from z = 0 to `height`, walls and bottom of the same thickness. Its axis is a hole as thin as
/// a thousandth of the radius, so that the surface is a plain grid.
pub fn cup(radius: f64, height: f64, wall: f64, around: u32) -> Surface {
    let (hole, inner) = (1e-3 * radius, radius - wall);
    let profile =
        [(hole, 0.0), (radius, 0.0), (radius, height), (inner, height), (inner, wall), (hole, wall)];
    revolved(&profile, around)
}

/// The outline of a gear, counter-clockwise: at its root each tooth takes half the pitch less `slack` radians on each side,
/// and three quarters of that at its tip; tooth 0 is centred about the x axis. Four corners to a tooth.
pub fn gear_outline(teeth: u32, root: f64, tip: f64, slack: f64) -> Vec<(f64, f64)> {
    let quarter = TAU / f64::from(4 * teeth) - slack;
    let mut outline = Vec::new();
    for i in 0..teeth {
        let middle = TAU * f64::from(i) / f64::from(teeth);
        for (share, r) in [(-1.0, root), (-0.75, tip), (0.75, tip), (1.0, root)] {
            let angle = middle + share * quarter;
            outline.push((r * angle.cos(), r * angle.sin()));
        }
    }
    outline
}

/// A prism about z from z = 0 to `height` over an outline that runs counter-clockwise and is seen whole from the origin.
pub fn prism(outline: &[(f64, f64)], height: f64) -> Surface {
    let n = outline.len() as u32;
    let mut vertices: Vec<DVec3> = outline.iter().map(|&(x, y)| DVec3::new(x, y, 0.0)).collect();
    vertices.extend(outline.iter().map(|&(x, y)| DVec3::new(x, y, height)));
    vertices.extend([DVec3::ZERO, DVec3::new(0.0, 0.0, height)]);
    let mut faces = Vec::new();
    for i in 0..n {
        let j = (i + 1) % n;
        faces.extend([[i, j, j + n], [i, j + n, i + n], [j, i, 2 * n], [i + n, j + n, 2 * n + 1]]);
    }
    (vertices, faces)
}

/// A ring about z from z = 0 to `height`: between an inner outline, whose angles increase, and a circle of radius `outer`, which
/// has corners at the same angles. An inner gear is this about a [`gear_outline`].
pub fn ring(inner: &[(f64, f64)], outer: f64, height: f64) -> Surface {
    let n = inner.len() as u32;
    let on_circle = |&(x, y): &(f64, f64)| (outer * x / x.hypot(y), outer * y / x.hypot(y));
    let circle: Vec<(f64, f64)> = inner.iter().map(on_circle).collect();
    let mut vertices = Vec::new();
    for (outline, z) in [(inner, 0.0), (inner, height), (&circle[..], 0.0), (&circle[..], height)] {
        vertices.extend(outline.iter().map(|&(x, y)| DVec3::new(x, y, z)));
    }
    let mut faces = Vec::new();
    for i in 0..n {
        let j = (i + 1) % n;
        let at = |which: u32, i: u32| which * n + i;
        let mut quad = |a: u32, b: u32, c: u32, d: u32| faces.extend([[a, b, c], [a, c, d]]);
        // Hole, outside, top, bottom.
        quad(at(0, j), at(0, i), at(1, i), at(1, j));
        quad(at(2, i), at(2, j), at(3, j), at(3, i));
        quad(at(1, i), at(3, i), at(3, j), at(1, j));
        quad(at(0, j), at(2, j), at(2, i), at(0, i));
    }
    (vertices, faces)
}

/// A flat open sheet in the plane z = 0, facing up: a square with `2 * steps²` faces, centred.
pub fn sheet(side: f64, steps: u32) -> Surface {
    let at = |i: u32| side * (f64::from(i) / f64::from(steps) - 0.5);
    let points = (0..=steps).flat_map(|i| (0..=steps).map(move |j| (i, j)));
    let vertices = points.map(|(i, j)| DVec3::new(at(i), at(j), 0.0)).collect();
    let mut faces = Vec::new();
    for i in 0..steps {
        for j in 0..steps {
            let [a, b, c, d] = [(0, 0), (1, 0), (1, 1), (0, 1)].map(|(s, t)| (i + s) * (steps + 1) + j + t);
            faces.extend([[a, b, c], [a, c, d]]);
        }
    }
    (vertices, faces)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every edge is used once each way, and the volume is as expected.
    fn check((vertices, faces): Surface, volume: f64) {
        let mut uses = BTreeMap::new();
        for [a, b, c] in &faces {
            for (from, to) in [(a, b), (b, c), (c, a)] {
                *uses.entry((*from, *to)).or_insert(0) += 1;
            }
        }
        assert!(uses.iter().all(|(&(from, to), &count)| count == 1 && uses.get(&(to, from)) == Some(&1)));
        let found: f64 =
            faces.iter().map(|f| f.map(|i| vertices[i as usize])).map(|[a, b, c]| a.dot(b.cross(c))).sum();
        assert!((found / 6.0 - volume).abs() < 1e-9 * volume, "{} {volume}", found / 6.0);
    }

    fn polygon_area(outline: &[(f64, f64)]) -> f64 {
        let n = outline.len();
        let cross = |i: usize| outline[i].0 * outline[(i + 1) % n].1 - outline[i].1 * outline[(i + 1) % n].0;
        0.5 * (0..n).map(cross).sum::<f64>()
    }

    #[test]
    fn models_are_closed_and_face_outwards() {
        for feet in [1, 2, 5] {
            check(table(feet), f64::from(3 * (2 * feet + 1) + 2 * feet));
        }
        let gear = gear_outline(12, 1.0, 1.2, 0.01);
        check(prism(&gear, 0.5), 0.5 * polygon_area(&gear));
        let circle = |n: u32, r: f64| 0.5 * f64::from(n) * (TAU / f64::from(n)).sin() * r * r;
        check(cup(1.0, 2.0, 0.1, 32), 2.0 * circle(32, 1.0) - 1.9 * circle(32, 0.9) - 0.1 * circle(32, 1e-3));
        let (vertices, faces) = ring(&gear, 1.5, 0.5);
        let outside: Vec<(f64, f64)> = vertices[96..144].iter().map(|p| (p.x, p.y)).collect();
        check((vertices, faces), 0.5 * (polygon_area(&outside) - polygon_area(&gear)));
        assert_eq!(torus(1.0, 0.2, 10, 8).1.len(), 160);
        assert_eq!(sheet(1.0, 3).1.len(), 18);
    }
}
