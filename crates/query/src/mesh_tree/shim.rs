#![allow(missing_docs)]
use super::MeshTree;
use crate::Closest;
use crate::elementary::*;
use freiraum_geometry::{Pose, Vec3};
#[derive(Default, Debug, Clone)]
pub struct MeshWorkspace;
#[derive(Default, Debug, Clone)]
pub struct MeshDistanceCache;
pub struct MeshDistance {
    pub closest: Closest,
}
pub fn all_intersections(
    a: &MeshTree,
    b: &MeshTree,
    p: &Pose,
    _w: &mut MeshWorkspace,
    out: &mut Vec<[u32; 2]>,
) {
    out.clear();
    for i in 0..a.mesh().faces().len() {
        for j in 0..b.mesh().faces().len() {
            let t = b.mesh().triangle(j).map(|x| p.transform_point(x));
            if triangles_intersect(a.mesh().triangle(i), t) {
                out.push([i as u32, j as u32]);
            }
        }
    }
}
pub fn any_intersection(a: &MeshTree, b: &MeshTree, p: &Pose, w: &mut MeshWorkspace) -> Option<[u32; 2]> {
    let mut v = vec![];
    all_intersections(a, b, p, w, &mut v);
    v.first().copied()
}
pub fn surface_distance(
    a: &MeshTree,
    b: &MeshTree,
    p: &Pose,
    _w: &mut MeshWorkspace,
    _c: &mut MeshDistanceCache,
) -> MeshDistance {
    let mut best =
        Closest { distance: f64::INFINITY, point_on_a: Vec3::ZERO, point_on_b: Vec3::ZERO, normal: Vec3::X };
    for i in 0..a.mesh().faces().len() {
        for j in 0..b.mesh().faces().len() {
            let t = b.mesh().triangle(j).map(|x| p.transform_point(x));
            let n = triangle_triangle(a.mesh().triangle(i), t);
            let d = n.distance();
            if d < best.distance {
                best = Closest {
                    distance: d,
                    point_on_a: n.point_on_a,
                    point_on_b: n.point_on_b,
                    normal: (n.point_on_b - n.point_on_a).try_normalize().unwrap_or(Vec3::X),
                };
            }
        }
    }
    MeshDistance { closest: best }
}
