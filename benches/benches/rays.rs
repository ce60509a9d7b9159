//! Rays: a mesh of half a million triangles and two cities of primitives, beside parry3d in f32 and f64 and, with
//! `--all-peers`, Embree on triangles.
//!
//! The scenes are those of the reference measurements: images of 160 x 120 rays from 20 places; the places and the
//! buildings are drawn anew. All contenders get the same rays and have to agree on how many hit, and how far.
//! `ROUNDS` in the environment is the number of rounds, 7 if it is not set.

mod embree;

use freiraum_benches::city::{self, City};
use freiraum_benches::{Contender, Goal, contender, is_quick, peer, self_timed, side_by_side};
use freiraum_geometry::math::unit;
use freiraum_geometry::shape::Shape;
use freiraum_geometry::{Mesh, Pose, Quat, Vec3};
use freiraum_query::mesh_tree::MeshTree;
use freiraum_query::ray::{Ray, RayScene, ray_mesh, ray_mesh_any, ray_mesh_many};
use freiraum_testkit::random::Random;
use std::cell::RefCell;
use std::f64::consts::{FRAC_PI_2, TAU};

const ON_MESH: Goal = Goal::faster("rays on a mesh", 1.0);
const IN_CITY: Goal = Goal::faster("rays in a city of primitives, other primitives", 1.5);
/// Embree has only triangles, some of whose answers are farther off than the triangles: it counts for itself.
const IN_CITY_OF_TRIANGLES: Goal = Goal::faster("rays in a city of primitives, Embree's triangles", 1.5);

fn main() {
    let rounds =
        std::env::var("ROUNDS").ok().and_then(|r| r.parse().ok()).unwrap_or(if is_quick() { 3 } else { 7 });
    let mut embree = peer::all_wanted().then(embree::Peer::start).flatten();
    mesh(rounds, embree.as_mut());
    for houses in [52, 186] {
        city(houses, rounds, embree.as_mut());
    }
}

/// Embree's contenders, and what its ranges are off ours.
fn embree_contenders<'w>(
    peer: Option<&'w RefCell<&'w mut embree::Peer>>,
    ours: &'w [Option<f64>],
    slack: f64,
) -> Vec<Contender<'w>> {
    let Some(peer) = peer else { return Vec::new() };
    let closest = move |name, question: &'static str| {
        self_timed(name, move || {
            let mut peer = peer.borrow_mut();
            let (time, answer) = peer.cast(question);
            (time, differences(&peer.ranges(), ours, answer[1], slack))
        })
    };
    vec![
        closest("Embree, triangles", "closest"),
        closest("Embree, triangles, robust", "robust"),
        self_timed("Embree, triangles, any hit", move || {
            let (time, answer) = peer.borrow_mut().cast("any");
            (time, format!("{} of {} hit", answer[0], ours.len()))
        }),
    ]
}

/// How many rays a peer answers otherwise: hits only one has, and ranges more than `slack` apart.
fn differences(theirs: &[f32], ours: &[Option<f64>], mean: f64, slack: f64) -> String {
    let (mut hits, mut only_theirs, mut only_ours, mut apart) = (0, 0, 0, 0);
    for (range, our) in theirs.iter().zip(ours) {
        hits += usize::from(range.is_finite());
        match (range.is_finite(), our) {
            (true, None) => only_theirs += 1,
            (false, Some(_)) => only_ours += 1,
            (true, Some(our)) if !((f64::from(*range) - our).abs() <= slack) => apart += 1,
            _ => {}
        }
    }
    format!(
        "{hits} of {} hit, mean range {mean:.6}; {only_ours} misses, {only_theirs} extra, {apart} more than {slack} m off",
        ours.len()
    )
}

fn digest(count: usize, ranges: impl Iterator<Item = f64>) -> String {
    let (mut hits, mut sum) = (0usize, 0.0);
    for range in ranges {
        hits += 1;
        sum += range;
    }
    format!("{hits} of {count} hit, mean range {:.6}", sum / hits.max(1) as f64)
}

macro_rules! parry {
    ($name:ident, $crate_name:ident, $real:ty) => {
        mod $name {
            use super::*;
            use $crate_name::math::{Pose as Isometry, Vector};
            use $crate_name::query::{Ray as PeerRay, RayCast};
            use $crate_name::shape;

            fn vector(v: Vec3) -> Vector {
                Vector::new(v.x as $real, v.y as $real, v.z as $real)
            }

            pub(super) fn rays(rays: &[Ray]) -> Vec<PeerRay> {
                rays.iter().map(|r| PeerRay::new(vector(r.origin()), vector(r.direction()))).collect()
            }

            pub(super) fn mesh(mesh: &Mesh) -> shape::TriMesh {
                let vertices = mesh.vertices().iter().map(|v| vector(*v)).collect();
                shape::TriMesh::new(vertices, mesh.faces().to_vec()).expect("a good mesh")
            }

            pub(super) fn compound(items: &[(Pose, Shape)]) -> shape::Compound {
                let half_turn = Quat::from_rotation_x(FRAC_PI_2);
                let parts = items.iter().map(|(pose, shape)| {
                    let (turn, peer) = match shape {
                        Shape::Cuboid(s) => (Quat::IDENTITY, {
                            let h = s.half();
                            shape::SharedShape::cuboid(h.x as $real, h.y as $real, h.z as $real)
                        }),
                        Shape::Sphere(s) => (Quat::IDENTITY, shape::SharedShape::ball(s.radius() as $real)),
                        // Its axis is y there.
                        Shape::Cylinder(s) => (
                            half_turn,
                            shape::SharedShape::cylinder(0.5 * s.height() as $real, s.radius() as $real),
                        ),
                        _ => unreachable!("cities are made of these"),
                    };
                    let (axis, angle) = (pose.rotation() * turn).to_axis_angle();
                    (Isometry::new(vector(pose.translation()), vector(axis * angle)), peer)
                });
                shape::Compound::new(parts.collect())
            }

            pub(super) fn cast(shape: &impl RayCast, rays: &[PeerRay]) -> String {
                let ranges = rays.iter().filter_map(|r| {
                    let hit = shape.cast_local_ray_and_get_normal(r, <$real>::MAX, true);
                    hit.map(|h| f64::from(h.time_of_impact))
                });
                digest(rays.len(), ranges)
            }
        }
    };
}
parry!(single, parry3d, f32);
parry!(double, parry3d_f64, f64);

/// Prints the table, and for each goal how our closest hits (the first row) compare with the fastest closest hits of the
/// peers whose names begin with one of those words.
fn rate(contenders: Vec<Contender<'_>>, title: &str, rounds: usize, goals: &[(Goal, &[&str])]) {
    let names: Vec<&str> = contenders.iter().map(|c| c.name).collect();
    let medians = side_by_side(title, rounds, contenders);
    for (goal, wanted) in goals {
        let is_peer = |name: &str| wanted.iter().any(|w| name.starts_with(w)) && !name.contains("any hit");
        let peers = names.iter().zip(&medians).filter(|(name, _)| is_peer(name));
        if let Some((name, time)) = peers.min_by_key(|(_, time)| **time) {
            goal.judge(title, name, time.as_secs_f64() / medians[0].as_secs_f64());
        }
    }
}

fn mesh(rounds: usize, embree: Option<&mut embree::Peer>) {
    let mesh = torus(500, 500);
    let tree = MeshTree::build(mesh.clone());
    let mut random = Random::new(5);
    let mut rays = Vec::new();
    for _ in 0..20 {
        let d = random.direction();
        let up = unit(d.cross(Vec3::new(0.3, 0.5, 0.8))).expect("not along it");
        let side = d.cross(up);
        for row in 0..120 {
            for column in 0..160 {
                let x = f64::from(column) / 159.0 - 0.5;
                let y = f64::from(row) / 119.0 * 0.8 - 0.4;
                rays.push(Ray::new(3.0 * d, -d + x * side + y * up, f64::INFINITY).expect("a good ray"));
            }
        }
    }
    let (peer_rays, peer) = (single::rays(&rays), single::mesh(&mesh));
    let (peer_rays_64, peer_64) = (double::rays(&rays), double::mesh(&mesh));
    let mut hits = Vec::new();
    let ours: Vec<Option<f64>> = rays.iter().map(|r| ray_mesh(&tree, r).map(|h| h.distance)).collect();
    let embree = embree.map(|peer| {
        peer.load(&mesh, &rays);
        RefCell::new(peer)
    });
    let mut contenders = vec![
        contender("freiraum, one by one", || {
            digest(rays.len(), rays.iter().filter_map(|r| ray_mesh(&tree, r).map(|h| h.distance)))
        }),
        contender("freiraum, many at once", || {
            ray_mesh_many(&tree, &rays, &mut hits);
            digest(rays.len(), hits.iter().flatten().map(|h| h.distance))
        }),
        contender("freiraum, any hit", || {
            format!("{} of {} hit", rays.iter().filter(|r| ray_mesh_any(&tree, r)).count(), rays.len())
        }),
        contender("parry3d TriMesh (f32)", || single::cast(&peer, &peer_rays)),
        contender("parry3d-f64 TriMesh", || double::cast(&peer_64, &peer_rays_64)),
    ];
    contenders.extend(embree_contenders(embree.as_ref(), &ours, 1e-5));
    rate(contenders, "rays, torus of 500000 triangles", rounds, &[(ON_MESH, &["parry3d", "Embree"])]);
}

/// A bumpy torus, closed.
fn torus(around: u32, across: u32) -> Mesh {
    let mut vertices = Vec::new();
    for i in 0..around {
        for j in 0..across {
            let (u, v) = (TAU * f64::from(i) / f64::from(around), TAU * f64::from(j) / f64::from(across));
            let r = 0.35 + 0.06 * (9.0 * u).sin() * (7.0 * v).cos();
            let out = 1.0 + r * v.cos();
            vertices.push(Vec3::new(out * u.cos(), out * u.sin(), r * v.sin()));
        }
    }
    let at = |i: u32, j: u32| (i % around) * across + j % across;
    let mut faces = Vec::new();
    for i in 0..around {
        for j in 0..across {
            faces.push([at(i, j), at(i + 1, j), at(i + 1, j + 1)]);
            faces.push([at(i, j), at(i + 1, j + 1), at(i, j + 1)]);
        }
    }
    Mesh::new(vertices, faces).expect("a good mesh")
}

fn city(houses: usize, rounds: usize, embree: Option<&mut embree::Peer>) {
    let mut random = Random::new(1000 + houses as u64);
    let City { items, side } = City::new(houses, &mut random);
    let mut rays = Vec::new();
    for _ in 0..20 {
        let origin = city::place_outside(&items, side, &mut random);
        for row in 0..120 {
            let up = (f64::from(row) / 119.0 * 80.0 - 40.0).to_radians();
            for column in 0..160 {
                let turn = TAU * f64::from(column) / 160.0;
                let d = Vec3::new(up.cos() * turn.cos(), up.cos() * turn.sin(), up.sin());
                rays.push(Ray::new(origin, d, f64::INFINITY).expect("a good ray"));
            }
        }
    }
    let scene = RayScene::new(items.iter().cloned());
    let (peer_rays, peer) = (single::rays(&rays), single::compound(&items));
    let (peer_rays_64, peer_64) = (double::rays(&rays), double::compound(&items));
    let ours: Vec<Option<f64>> = rays.iter().map(|r| scene.cast(r).map(|h| h.hit.distance)).collect();
    let embree = embree.map(|peer| {
        peer.load(&triangles(&items), &rays);
        RefCell::new(peer)
    });
    let mut contenders = vec![
        contender("freiraum", || {
            digest(rays.len(), rays.iter().filter_map(|r| scene.cast(r).map(|h| h.hit.distance)))
        }),
        contender("freiraum, any hit", || {
            format!("{} of {} hit", rays.iter().filter(|r| scene.any(r)).count(), rays.len())
        }),
        contender("parry3d primitives (f32)", || single::cast(&peer, &peer_rays)),
        contender("parry3d-f64 primitives", || double::cast(&peer_64, &peer_rays_64)),
    ];
    contenders.extend(embree_contenders(embree.as_ref(), &ours, DEVIATION));
    let goals: [(Goal, &[&str]); 2] = [(IN_CITY, &["parry3d"]), (IN_CITY_OF_TRIANGLES, &["Embree"])];
    rate(contenders, &format!("rays, city of {houses} houses"), rounds, &goals);
}

/// How far the triangles of a city lie from its round shapes: some 700 for each.
const DEVIATION: f64 = 0.004;

/// A city as one mesh.
fn triangles(items: &[(Pose, Shape)]) -> Mesh {
    let (mut vertices, mut faces) = (Vec::new(), Vec::new());
    for (pose, shape) in items {
        let part = shape.tessellate(DEVIATION).expect("a good mesh").placed(pose).expect("a good pose");
        let first = vertices.len() as u32;
        vertices.extend_from_slice(part.vertices());
        faces.extend(part.faces().iter().map(|f| f.map(|v| v + first)));
    }
    Mesh::new(vertices, faces).expect("a good mesh")
}
