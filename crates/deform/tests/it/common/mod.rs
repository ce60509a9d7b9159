//! Surfaces and a picture made the plain way, for all tests of layers.
#![allow(dead_code)]

use freiraum_deform::{Axis, Fragment, Grid, LayeredImage, Snapped, Triangle, snap};
use freiraum_geometry::{Aabb, Vec3};
use freiraum_testkit::bumpy::Surface;
use freiraum_testkit::random::Random;

/// Which pixels are covered, by 128-bit integers and the moved centre; with facing and depth as a fraction. Nothing is shared with
/// the crate but the snapped corners.
pub(crate) fn exact_sample(
    corners: [Snapped; 3],
    grid: &Grid,
    column: u32,
    row: u32,
) -> Option<(bool, i128, i128)> {
    let p = [column, row].map(|k| (2 * i128::from(k) + 1) << grid.bits); // In half units.
    let c = corners.map(|c| [2 * i128::from(c.u), 2 * i128::from(c.v)]);
    let cross = |a: [i128; 2], b: [i128; 2], c: [i128; 2]| {
        (b[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (b[1] - a[1])
    };
    let area = cross(c[0], c[1], c[2]);
    if area == 0 {
        return None;
    }
    let weights = [cross(c[1], c[2], p), cross(c[2], c[0], p), cross(c[0], c[1], p)];
    for k in 0..3 {
        // The moved centre: first the value, then what (e, e²) adds, first by e, then by e².
        let (from, to) = (c[(k + 1) % 3], c[(k + 2) % 3]);
        let order = [weights[k], -(to[1] - from[1]), to[0] - from[0]];
        let sign = order.into_iter().map(i128::signum).find(|&s| s != 0).unwrap();
        if sign != area.signum() {
            return None;
        }
    }
    let depth: i128 = (0..3).map(|k| weights[k] * corners[k].w as i128).sum();
    Some((area < 0, depth * area.signum(), area.abs()))
}

/// A layered image by asking every triangle, pixel by pixel, in the order of the faces, sorted at the end.
pub(crate) fn plain_image(grid: Grid, vertices: &[Vec3], faces: &[[u32; 3]]) -> LayeredImage {
    let mut snapped = Vec::new();
    snap(&grid, vertices, &mut snapped).unwrap();
    let mut lists = vec![Vec::new(); grid.pixels()];
    for (index, face) in faces.iter().enumerate() {
        if let Some(triangle) = Triangle::new(face.map(|v| snapped[v as usize]), &grid) {
            triangle.for_each_sample(|column, row, key| {
                lists[grid.index(column, row)].push(Fragment::new(key, index as u32));
            });
        }
    }
    let mut image = LayeredImage::empty(grid);
    for (pixel, list) in lists.iter_mut().enumerate() {
        list.sort();
        image.fragments.extend_from_slice(list);
        image.starts[pixel + 1] = image.fragments.len() as u32;
    }
    image
}

/// The grid of a whole surface, along its longest axis.
pub(crate) fn grid_of(surface: &Surface, size: [u32; 2]) -> Grid {
    let bounds = Aabb::of_points(&surface.0);
    Grid::around(&bounds, Axis::longest(&bounds), size).unwrap()
}

/// A box with twelve faces.
pub(crate) fn cuboid(min: Vec3, max: Vec3) -> Surface {
    freiraum_testkit::puzzles::block(min.to_array(), max.to_array())
}

/// A finely divided ball.
pub(crate) fn ball(center: Vec3, radius: f64, split: usize) -> Surface {
    let (mut vertices, faces) = freiraum_testkit::bumpy::geodesic(split);
    for v in &mut vertices {
        *v = center + radius * v.try_normalize().unwrap();
    }
    (vertices, faces)
}

/// Several surfaces as one.
pub(crate) fn together(parts: &[Surface]) -> Surface {
    let (mut vertices, mut faces) = (Vec::new(), Vec::new());
    for (v, f) in parts {
        let first = vertices.len() as u32;
        vertices.extend_from_slice(v);
        faces.extend(f.iter().map(|f| f.map(|k| k + first)));
    }
    (vertices, faces)
}

/// A closed surface whose vertices are anywhere: turned inside out and through itself in places.
pub(crate) fn crumpled(random: &mut Random, split: usize, size: f64) -> Surface {
    let (mut vertices, faces) = freiraum_testkit::bumpy::geodesic(split);
    for v in &mut vertices {
        *v += random.in_cube(size);
    }
    (vertices, faces)
}

/// A cube and a smaller box that shares a part of its side x = 0.5, both turned; the second moved into the first by `depth`.
pub(crate) fn turned_pair(angle: f64, depth: f64) -> [Surface; 2] {
    let at = Vec3::new(0.85 - depth, 0.11, -0.07);
    let half = 0.5 * Vec3::new(0.7, 0.45, 0.35);
    [cuboid(Vec3::splat(-0.5), Vec3::splat(0.5)), cuboid(at - half, at + half)].map(|mut surface| {
        for p in &mut surface.0 {
            let (s, c) = angle.sin_cos();
            *p = Vec3::new(c * p.x - s * p.y, s * p.x + c * p.y, p.z);
            let (s, c) = (1.7 * angle).sin_cos();
            *p = Vec3::new(p.x, c * p.y - s * p.z, s * p.y + c * p.z);
        }
        surface
    })
}
