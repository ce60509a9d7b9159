//! Contact of meshes that are not convex, region by region, against answers known by construction and ways out against many
//! directions.

use crate::pairs_common::box_mesh;
use freiraum_geometry::shape::{Shape, Sphere};
use freiraum_geometry::{Mesh, Pose, Quat, Vec3};
use freiraum_query::contact::Contact;
use freiraum_query::contact::regions::{Region, contact_regions};
use freiraum_query::elementary::point_triangle;
use freiraum_query::intersect::Relation;
use freiraum_query::{Prepared, contact, distance, intersect, intersects};
use freiraum_testkit::bumpy::Surface;
use freiraum_testkit::models::{cells, cup, gear_outline, prism, ring, sheet, table, torus};
use freiraum_testkit::random::Random;
use freiraum_testkit::scale::cases;
use std::f64::consts::TAU;
use std::sync::Arc;

fn mesh((vertices, faces): Surface) -> Prepared {
    Prepared::new(Shape::Mesh(Arc::new(Mesh::new(vertices, faces).unwrap())))
}

fn cuboid(x: f64, y: f64, z: f64) -> Prepared {
    Prepared::new(Shape::Mesh(Arc::new(box_mesh(Vec3::new(x, y, z)))))
}

fn at(x: f64, y: f64, z: f64) -> Pose {
    Pose::from_translation(Vec3::new(x, y, z))
}

fn about_z(angle: f64) -> Pose {
    Pose::from_axis_angle(Vec3::Z, angle).unwrap()
}

fn scaled((vertices, faces): &Surface, scale: f64) -> Surface {
    (vertices.iter().map(|p| scale * *p).collect(), faces.clone())
}

fn several(parts: &[(Surface, Vec3)]) -> Surface {
    let (mut vertices, mut faces) = (Vec::new(), Vec::new());
    for ((points, triangles), at) in parts {
        let first = vertices.len() as u32;
        vertices.extend(points.iter().map(|p| *p + *at));
        faces.extend(triangles.iter().map(|f| f.map(|i| i + first)));
    }
    (vertices, faces)
}

fn surface(prepared: &Prepared) -> Surface {
    let Shape::Mesh(mesh) = prepared.shape() else { panic!() };
    (mesh.vertices().to_vec(), mesh.faces().to_vec())
}

/// All points lie on both bodies within the depth that they tell, up to `slack`: nearer to the surface, or inside.
fn check_points(a: &Prepared, b: &Prepared, pose: &Pose, found: &Contact, slack: f64) {
    let is_near = |body: &Prepared, at: Vec3, depth: f64| {
        let off = |triangle: [Vec3; 3]| point_triangle(at, triangle).distance();
        let nearest = body.mesh_tree().unwrap().mesh().triangles().map(off).fold(f64::INFINITY, f64::min);
        let point = Prepared::new(Shape::Sphere(Sphere::new(1e-9).unwrap()));
        nearest <= depth + slack || intersects(body, &point, &Pose::from_translation(at)).unwrap()
    };
    for p in &found.points {
        assert!(is_near(a, p.point, p.depth), "{p:?} is beside a");
        assert!(is_near(b, pose.inverse().transform_point(p.point), p.depth), "{p:?} is beside b");
    }
}

/// The contact and its regions after checks that hold for every pair of solids in contact: both orders tell the same, the
/// translation separates, a little less does not.
fn checked(a: &Prepared, b: &Prepared, pose: &Pose) -> (Contact, Vec<Region>) {
    let found = contact(a, b, pose).unwrap();
    let regions = contact_regions(a, b, pose).unwrap();
    assert!(found.intersects && found.regions == regions.len());
    let size = a.bounds().unwrap().reach() + b.bounds().unwrap().reach();
    let back = contact_regions(b, a, &pose.inverse()).unwrap();
    assert_eq!(regions.len(), back.len(), "{regions:?}\n{back:?}");
    check_points(a, b, pose, &found, 1e-12 * size);
    for (number, region) in regions.iter().enumerate() {
        let mine: Vec<_> = found.points.iter().filter(|p| p.region == number).collect();
        assert!(
            !mine.is_empty() && (mine.len() > 1 || (mine[0].point - region.point).length() <= 1e-12 * size)
        );
        assert!((region.translation.length() - region.depth).abs() <= 1e-12 * size, "{region:?}");
        // The same region from the other side.
        let is_same = |other: &&Region| {
            let moved = pose.transform_point(other.point);
            (moved - region.point).length() < 1e-9 * size
                && (other.area - region.area).abs() < 1e-9 * size * size
        };
        let Some(other) = back.iter().find(is_same) else { panic!("{region:?}\nnot in {back:?}") };
        assert_eq!(other.faces_a, region.faces_b);
        assert_eq!(other.inner_faces_a, region.inner_faces_b);
        if let (Some(n), Some(m)) = (region.normal, other.normal) {
            assert!((n + pose.rotate(m)).length() < 1e-9, "{region:?}\n{other:?}");
        }
        assert!((other.depth - region.depth).abs() < 1e-9 * size, "{region:?}\n{other:?}");
    }
    let moved = |t: Vec3| Pose::from_translation(-t) * *pose;
    let translation = found.translation.unwrap();
    assert!((translation.length() - found.depth).abs() < 1e-12 * size);
    if found.depth > 1e-6 * size {
        assert!(!intersects(a, b, &moved(translation * (1.0 + 1e-9))).unwrap(), "{found:?}");
        assert!(intersects(a, b, &moved(translation * (1.0 - 1e-6))).unwrap(), "{found:?}");
        let left = distance(a, b, &moved(translation)).unwrap().distance;
        assert!(left < 1e-9 * size, "leaves {left}: {found:?}");
    }
    (found, regions)
}

/// The share of the depth below which no translation along any of `count` directions (and the axes) separates the bodies.
fn least_share(a: &Prepared, b: &Prepared, pose: &Pose, found: &Contact, count: usize) -> f64 {
    const STEPS: u32 = 24;
    let mut random = Random::new(77);
    let axes = [Vec3::X, Vec3::Y, Vec3::Z].into_iter().flat_map(|d| [d, -d]);
    let all: Vec<Vec3> = axes.chain((0..count).map(|_| random.direction())).collect();
    let mut least = 1.0f64;
    for d in all {
        for i in (1..STEPS).map(f64::from) {
            let share = i / f64::from(STEPS);
            if share < least {
                let moved = Pose::from_translation(-share * found.depth * d) * *pose;
                if !intersects(a, b, &moved).unwrap() {
                    least = share;
                }
            }
        }
    }
    least
}

/// No translation much shorter than that of the contact separates the bodies, along many directions.
fn check_least(a: &Prepared, b: &Prepared, pose: &Pose, found: &Contact) {
    let share = least_share(a, b, pose, found, cases(40));
    assert!(share > 0.95, "{share} of the depth is enough: {found:?}");
}

/// The section of a foot is one square metre.
#[test]
fn feet_in_a_plate_are_regions() {
    let depth = 0.125;
    let mut random = Random::new(31);
    for feet in [1, 2, 5] {
        for (case, scale) in [1.0, 1e-6, 1e6, 1.0].into_iter().enumerate() {
            let a = mesh(scaled(&table(feet), scale));
            let plate = surface(&cuboid(20.0, 8.0, 1.0));
            let b = mesh(scaled(&plate, scale));
            // The top of the plate is at z = depth in the frame of the table; then both are turned together.
            let turn = if case == 3 { random.rotation() } else { Quat::IDENTITY };
            let b_from_turned = Pose::new(turn, Vec3::ZERO).unwrap();
            let pose = at(0.0, 0.0, scale * (depth - 0.5)) * b_from_turned;
            let b = if case == 3 {
                let back = turn.inverse();
                mesh((surface(&b).0.iter().map(|p| back * *p).collect(), plate.1.clone()))
            } else {
                b
            };
            let (found, mut regions) = checked(&a, &b, &pose);
            assert_eq!(regions.len(), feet as usize);
            assert!((found.depth - scale * depth).abs() < 1e-9 * scale, "{found:?}");
            assert!(
                (found.translation.unwrap() - scale * depth * Vec3::Z).length() < 1e-8 * scale,
                "{found:?}"
            );
            regions.sort_by(|p, q| p.point.x.total_cmp(&q.point.x));
            for (i, region) in regions.iter().enumerate() {
                let x = 2.0 * i as f64 + 1.5 - 0.5 * f64::from(2 * feet + 1);
                let expected = scale * Vec3::new(x, 0.0, depth);
                assert!((region.point - expected).length() < 1e-9 * scale, "{region:?} {expected}");
                assert!((region.normal.unwrap() + Vec3::Z).length() < 1e-9, "{region:?}");
                assert!((region.area / scale / scale - 1.0).abs() < 1e-9, "{region:?}");
                assert!((region.depth - scale * depth).abs() < 1e-9 * scale, "{region:?}");
                // The sole is inside, the four sides of the lowest cell cross, and nothing of the plate is inside.
                assert_eq!((region.inner_faces_a.len(), region.faces_a.len()), (2, 8), "{region:?}");
                assert!(region.inner_faces_b.is_empty(), "{region:?}");
                let force = region.spring_force(1000.0);
                let newtons = 1000.0 * scale.powi(3) * depth;
                assert!((force - newtons * Vec3::Z).length() < 1e-8 * newtons, "{force}");
            }
            if scale == 1.0 {
                check_least(&a, &b, &pose, &found);
            }
        }
    }
}

#[test]
fn feet_that_stand_on_a_plate_touch() {
    let (a, b) = (mesh(table(5)), cuboid(20.0, 8.0, 1.0));
    let pose = at(0.0, 0.0, -0.5);
    assert_eq!(intersect(&a, &b, &pose).unwrap().relation, Relation::Touching);
    let (found, regions) = checked(&a, &b, &pose);
    assert_eq!((found.depth, found.is_exact, regions.len()), (0.0, true, 5));
    for region in &regions {
        assert!((region.area - 1.0).abs() < 1e-12 && region.depth == 0.0, "{region:?}");
        assert!((region.normal.unwrap() + Vec3::Z).length() < 1e-12 && region.point.z.abs() < 1e-12);
    }
}

/// Sides that lie in one plane have two rims in the partner; the area is counted once.
#[test]
fn boxes_with_flush_sides() {
    let cube = cuboid(1.0, 1.0, 1.0);
    let check = |by: [f64; 3], area: f64, depth: f64, way_out: f64| {
        let (found, regions) = checked(&cube, &cube, &at(by[0], by[1], by[2]));
        assert_eq!(regions.len(), 1);
        assert!((regions[0].area - area).abs() < 1e-12, "{by:?}: {regions:?}");
        assert!((regions[0].depth - depth).abs() < 1e-12, "{by:?}: {regions:?}");
        assert!((found.depth - way_out).abs() < 1e-9, "{by:?}: {found:?}");
        let n = regions[0].normal.unwrap();
        assert!(n.dot(Vec3::from(by)) > 0.0, "{by:?}: {regions:?}");
    };
    // Two pairs of sides are flush, then one.
    check([0.0, 0.0, 0.5], 1.0, 0.5, 0.5);
    check([0.0, 0.0, -0.9], 1.0, 0.1, 0.1);
    check([0.75, 0.0, 0.0], 1.0, 0.25, 0.25);
    // Along the slanting normal it is farther than straight up.
    let slant = 0.75f64.hypot(0.5);
    check([0.0, 0.25, 0.5], slant, 0.5 * slant / 0.75, 0.5);
}

#[test]
fn a_box_that_rests_on_a_box() {
    let big = cuboid(4.0, 4.0, 2.0);
    for (size, x, y, area, middle) in [
        // Wholly on top, hanging over an edge, over a corner, of the same size, standing on an edge.
        ([1.0, 1.0, 1.0], 0.25, 0.5, 1.0, [0.25, 0.5]),
        ([2.0, 2.0, 1.0], 2.0, 0.0, 2.0, [1.5, 0.0]),
        ([2.0, 2.0, 1.0], 2.0, 2.0, 1.0, [1.5, 1.5]),
        ([4.0, 4.0, 1.0], 0.0, 0.0, 16.0, [0.0, 0.0]),
        ([4.0, 4.0, 1.0], 2.0, 0.0, 8.0, [1.0, 0.0]),
        ([1.0, 1.0, 1.0], 2.5, 0.0, 0.0, [2.0, 0.0]),
    ] {
        let small = cuboid(size[0], size[1], size[2]);
        let pose = at(x, y, 1.0 + 0.5 * size[2]);
        assert_eq!(intersect(&big, &small, &pose).unwrap().relation, Relation::Touching);
        let (found, regions) = checked(&big, &small, &pose);
        assert_eq!((found.regions, found.depth), (1, 0.0), "{found:?}");
        let region = &regions[0];
        assert!((region.area - area).abs() < 1e-12, "{region:?}");
        let expected = Vec3::new(middle[0], middle[1], 1.0);
        assert!((region.point - expected).length() < 1e-12, "{region:?} {expected}");
        if area > 0.0 {
            assert!((region.normal.unwrap() - Vec3::Z).length() < 1e-12, "{region:?}");
        }
    }
}

#[test]
fn tori_linked_crossed_and_nested() {
    let round = torus(1.0, 0.2, 48, 24);
    let (a, thin) = (mesh(round.clone()), mesh(torus(1.0, 0.05, 48, 24)));
    let upright = Pose::from_axis_angle(Vec3::X, TAU / 4.0).unwrap();
    // Linked and free; pulled tight until the tubes meet in one place.
    let free = at(1.0, 0.0, 0.0) * upright;
    assert_eq!(intersect(&a, &a, &free).unwrap().relation, Relation::Separate);
    assert!(contact_regions(&a, &a, &free).unwrap().is_empty());
    let tight = at(1.62, 0.0, 0.0) * upright;
    let (found, regions) = checked(&a, &a, &tight);
    assert_eq!(regions.len(), 1);
    // Corners of both tubes meet on the x axis, at 1 - 0.2 and 1.62 - 1 + 0.2: the normal goes inwards.
    assert!((found.depth - 0.02).abs() < 1e-6 && (regions[0].normal.unwrap() + Vec3::X).length() < 1e-6);
    check_least(&a, &a, &tight, &found);
    // Side by side in one plane: they cross in two places, alike.
    let beside = at(1.2, 0.0, 0.0);
    let (_, regions) = checked(&a, &a, &beside);
    assert_eq!(regions.len(), 2);
    assert!((regions[0].area - regions[1].area).abs() < 1e-9 && regions[0].area > 0.01);
    assert!((regions[0].point.x - 0.6).abs() < 1e-6 && (regions[1].point.x - 0.6).abs() < 1e-6);
    // One above the other: all round, one region, whose normal is the axis.
    let above = at(0.0, 0.0, 0.3);
    let (found, regions) = checked(&a, &a, &above);
    assert_eq!(regions.len(), 1);
    assert!((regions[0].normal.unwrap() - Vec3::Z).length() < 1e-6, "{regions:?}");
    assert!((found.depth - 0.1).abs() < 1e-6, "{found:?}");
    check_least(&a, &a, &above, &found);
    // Touching along the top circle: corners of the tube at z = 0.2 coincide with those at z = 0.4 - 0.2.
    let stacked = at(0.0, 0.0, 0.4);
    assert_eq!(intersect(&a, &a, &stacked).unwrap().relation, Relation::Touching);
    let (found, regions) = checked(&a, &a, &stacked);
    assert_eq!((found.depth, regions.len()), (0.0, 1));
    assert!((regions[0].point - Vec3::new(0.0, 0.0, 0.2)).length() < 1e-9, "{regions:?}");
    assert!((regions[0].normal.unwrap() - Vec3::Z).length() < 1e-9, "{regions:?}");
    // A thin one in the tube: no ring, but a region, all of it inside.
    for pose in [Pose::IDENTITY, about_z(0.3), at(0.05, 0.0, 0.02)] {
        assert_eq!(intersect(&thin, &a, &pose).unwrap().relation, Relation::AInsideB);
        let (found, regions) = checked(&thin, &a, &pose);
        assert_eq!(regions.len(), 1);
        assert_eq!(regions[0].inner_faces_a.len(), 48 * 24 * 2);
        assert!(regions[0].faces_a.is_empty() && regions[0].normal.is_none());
        assert!(found.depth >= 0.2 && found.depth < 0.3, "{found:?}");
        check_least(&thin, &a, &pose, &found);
    }
    // In the tube and through its wall.
    let (_, regions) = checked(&thin, &a, &at(0.18, 0.0, 0.0));
    // What is inside hangs together, though it comes out in two places.
    assert!(regions.len() == 1 && !regions[0].inner_faces_a.is_empty(), "{regions:?}");
}

#[test]
fn a_gear_in_a_gear() {
    let teeth = 12;
    let slack = 0.01;
    let hole = gear_outline(teeth, 1.0, 1.2, -slack);
    let wheel = mesh(prism(&gear_outline(teeth, 0.98, 1.18, slack), 1.0));
    let outer = mesh(ring(&hole, 1.5, 1.0));
    // It fits, and turns by less than twice the slack before every tooth jams.
    for angle in [0.0, 1.7 * slack, -1.7 * slack, TAU / 12.0] {
        let pose = about_z(angle);
        assert_eq!(intersect(&outer, &wheel, &pose).unwrap().relation, Relation::Separate, "{angle}");
    }
    for angle in [2.5 * slack, -2.5 * slack] {
        // Lifted, so that the ends are not in one plane.
        let pose = at(0.0, 0.0, 0.5) * about_z(angle);
        let (found, regions) = checked(&outer, &wheel, &pose);
        assert_eq!(regions.len(), teeth as usize);
        for region in &regions {
            assert!(region.depth > 0.3 * slack && region.depth < 1.3 * slack, "{region:?}");
            // Across the axis, and along the turn.
            let n = region.normal.unwrap();
            let turn = Vec3::Z.cross(region.point).try_normalize().unwrap();
            assert!(n.z.abs() < 0.2 && n.dot(turn).abs() > 0.8, "{region:?}");
        }
        // Nothing but the axis leads out: all sides hold.
        assert!((found.depth - 0.5).abs() < 1e-6 && found.translation.unwrap().z < 0.0, "{found:?}");
    }
    // A pinion in a ring of more teeth: free in the middle, and a tooth pressed into a gap it does not fit.
    let pinion = mesh(prism(&gear_outline(10, 0.6, 0.75, 0.02), 1.0));
    assert_eq!(intersect(&outer, &pinion, &Pose::IDENTITY).unwrap().relation, Relation::Separate);
    // Tooth 0 of the pinion points along x, as does a gap of the ring: moved by 0.26 it stands in it. Farther on, the teeth
    // beside it meet those of the ring.
    let meshed = at(0.26, 0.0, 0.5);
    assert_eq!(intersect(&outer, &pinion, &meshed).unwrap().relation, Relation::Separate);
    let pressed = at(0.31, 0.0, 0.25);
    let (found, regions) = checked(&outer, &pinion, &pressed);
    assert_eq!(regions.len(), 2, "{found:?}");
    check_least(&outer, &pinion, &pressed, &found);
}

#[test]
fn a_cup_in_a_cup() {
    let big = mesh(cup(1.0, 2.0, 0.1, 64));
    let small = mesh(cup(0.8, 2.5, 0.1, 64));
    // Standing free on the bottom, then 0.02 too deep: one region, the bottom.
    let (found, regions) = checked(&big, &small, &at(0.0, 0.0, 0.08));
    assert_eq!(regions.len(), 1);
    assert!((found.translation.unwrap() + 0.02 * Vec3::Z).length() < 1e-7, "{found:?}");
    assert!((regions[0].normal.unwrap() - Vec3::Z).length() < 1e-6, "{regions:?}");
    check_least(&big, &small, &at(0.0, 0.0, 0.08), &found);
    // Tilted about its middle and lifted off the bottom: its rim and the big one's rim touch opposite walls.
    let tilted = |angle: f64, x: f64| at(x, 0.0, 0.3) * Pose::from_axis_angle(Vec3::Y, angle).unwrap();
    let gap = distance(&big, &small, &tilted(0.03, 0.0)).unwrap();
    assert!(gap.distance > 0.01 && gap.distance < 0.1, "{gap:?}");
    // The gap is to the wall at the rim of the big cup; closed by moving across, and 0.01 more.
    let across = (0.0..0.2, 1e-3);
    let mut x = across.0.start;
    while !intersects(&big, &small, &tilted(0.03, x)).unwrap() {
        x += across.1;
        assert!(x < across.0.end);
    }
    let pose = tilted(0.03, x + 0.01);
    let (found, regions) = checked(&big, &small, &pose);
    assert_eq!(regions.len(), 1, "{regions:?}");
    assert!((regions[0].point.z - 2.0).abs() < 0.2 && regions[0].point.x > 0.8, "{regions:?}");
    assert!(found.depth > 0.008 && found.depth < 0.0115, "{found:?}");
    check_least(&big, &small, &pose, &found);
    // Tilted so far that it jams at both ends: rim on one side, bottom on the other.
    let (_, regions) = checked(&big, &small, &tilted(0.14, -0.13));
    assert_eq!(regions.len(), 2, "{regions:?}");
    assert!(regions[0].point.x * regions[1].point.x < 0.0, "{regions:?}");
}

#[test]
fn open_surfaces_have_regions_too() {
    let cube = cuboid(1.0, 1.0, 1.0);
    for steps in [1, 2, 40] {
        for flip in [false, true] {
            let (vertices, mut faces) = sheet(4.0, steps);
            if flip {
                faces.iter_mut().for_each(|f| f.swap(1, 2));
            }
            let flat = mesh((vertices, faces));
            // The sheet lies 0.3 above the bottom of the cube.
            let pose = at(0.1, 0.05, -0.2);
            let found = intersect(&cube, &flat, &pose).unwrap();
            assert_eq!(
                (found.relation, found.a_is_open, found.b_is_open),
                (Relation::Overlapping, false, true)
            );
            let (found, regions) = checked(&cube, &flat, &pose);
            assert_eq!(regions.len(), 1);
            assert!((regions[0].area - 1.0).abs() < 1e-9, "{regions:?}");
            assert!((regions[0].point - Vec3::new(0.0, 0.0, -0.2)).length() < 1e-9, "{regions:?}");
            // Whichever way it faces, the cube goes up.
            assert!((found.translation.unwrap() - 0.3 * Vec3::Z).length() < 1e-8, "{found:?}");
            assert!((found.points[0].normal + Vec3::Z).length() < 1e-9, "{found:?}");
            assert!((found.points[0].depth - 0.3).abs() < 1e-8, "{found:?}");
        }
    }
    // A sheet inside a solid is held; two sheets cross in a line without area.
    let small = mesh(sheet(0.5, 3));
    assert_eq!(intersect(&small, &cube, &Pose::IDENTITY).unwrap().relation, Relation::AInsideB);
    let regions = contact_regions(&small, &cube, &Pose::IDENTITY).unwrap();
    assert_eq!((regions.len(), regions[0].inner_faces_a.len()), (1, 18));
    let upright = Pose::from_axis_angle(Vec3::X, TAU / 4.0).unwrap();
    let (found, regions) = checked(&small, &small, &(at(0.0, 0.0, 0.1) * upright));
    assert_eq!((regions.len(), regions[0].area), (1, 0.0));
    assert!((found.depth - 0.15).abs() < 1e-8, "{found:?}");
}

#[test]
fn identical_meshes_in_one_place() {
    for (model, depth) in
        [(table(2), 3.0), (torus(1.0, 0.2, 24, 12), 0.4), (surface(&cuboid(1.0, 2.0, 3.0)), 1.0)]
    {
        let a = mesh(model);
        assert_eq!(intersect(&a, &a, &Pose::IDENTITY).unwrap().relation, Relation::Same);
        let (found, regions) = checked(&a, &a, &Pose::IDENTITY);
        assert_eq!((found.intersects, regions.len()), (true, 1), "{found:?}");
        assert!(found.depth <= depth + 1e-8, "{found:?}");
        check_least(&a, &a, &Pose::IDENTITY, &found);
    }
}

#[test]
fn bodies_of_several_shells() {
    // Three cubes: one inside the big one, one through its side, one outside.
    let cube = surface(&cuboid(1.0, 1.0, 1.0));
    let three =
        mesh(several(&[(cube.clone(), Vec3::ZERO), (cube.clone(), 2.0 * Vec3::X), (cube, 9.0 * Vec3::X)]));
    let big = cuboid(4.0, 4.0, 4.0);
    assert_eq!(intersect(&three, &big, &Pose::IDENTITY).unwrap().relation, Relation::Overlapping);
    let (_, regions) = checked(&three, &big, &Pose::IDENTITY);
    assert_eq!(regions.len(), 2);
    assert_eq!((regions[0].faces_a.len(), regions[0].inner_faces_a.len()), (8, 2), "{regions:?}");
    assert_eq!((regions[1].faces_a.len(), regions[1].inner_faces_a.len()), (0, 12), "{regions:?}");
    // A hollow cube inside is one region, not one for its cavity too.
    let hollow = mesh(cells([3, 3, 3], Vec3::ONE, |at| at != [1, 1, 1]));
    let around = cuboid(9.0, 9.0, 9.0);
    let (_, regions) = checked(&hollow, &around, &Pose::IDENTITY);
    assert_eq!(regions.len(), 1);
    // A cube in the cavity is free; one that sticks in its wall has a region.
    let small = cuboid(0.5, 0.5, 0.5);
    assert_eq!(intersect(&hollow, &small, &at(1.5, 1.5, 1.5)).unwrap().relation, Relation::Separate);
    let pose = at(1.5, 1.5, 1.2);
    let (found, regions) = checked(&hollow, &small, &pose);
    assert_eq!(regions.len(), 1);
    assert!((found.translation.unwrap() + 0.05 * Vec3::Z).length() < 1e-8, "{found:?}");
    check_least(&hollow, &small, &pose, &found);
}

/// A body that another one runs through.
#[test]
fn long_bodies_right_through() {
    let (bar, plate) = (cuboid(0.5, 0.5, 4.0), cuboid(3.0, 3.0, 0.3));
    let (found, regions) = checked(&bar, &plate, &Pose::IDENTITY);
    assert_eq!((regions.len(), regions[0].normal), (1, None));
    assert!((found.depth - 1.75).abs() < 1e-8, "{found:?}");
    check_least(&bar, &plate, &Pose::IDENTITY, &found);
    // Two bars crossed, and a bar through both sides of a frame: two regions.
    let crossed = Pose::from_axis_angle(Vec3::X, TAU / 4.0).unwrap();
    let (found, regions) = checked(&bar, &bar, &(at(0.1, 0.0, 0.0) * crossed));
    assert_eq!(regions.len(), 1);
    assert!((found.depth - 0.4).abs() < 1e-8, "{found:?}");
    let frame = mesh(cells([3, 1, 3], Vec3::new(1.0, 1.0, 0.25), |[x, _, z]| x != 1 || z != 1));
    let (_, regions) = checked(&frame, &bar, &at(1.5, 0.5, 0.375));
    assert_eq!(regions.len(), 2);
}

/// Finer meshes of the same bodies have the same regions, which converge, and the crossing faces grow as the root of all faces.
#[test]
fn regions_do_not_depend_on_the_mesh() {
    let sizes: &[u32] = if cases(1) > 1 { &[22, 71, 224, 707] } else { &[22, 71] };
    let mut last: Option<Vec<Region>> = None;
    for &n in sizes {
        let a = mesh(torus(1.0, 0.2, 2 * n, n / 2));
        let pose = at(1.2, 0.0, 0.05) * about_z(0.1);
        contact_regions(&a, &a, &pose).unwrap();
        let start = std::time::Instant::now();
        let regions = contact_regions(&a, &a, &pose).unwrap();
        let crossing: usize = regions.iter().map(|r| r.faces_a.len()).sum();
        eprintln!("{} faces: {crossing} of them cross, {:?}", 2 * n * n, start.elapsed());
        assert_eq!(regions.len(), 2);
        assert!(crossing < 40 * n as usize, "{crossing} of {n}");
        if let Some(last) = last {
            for (coarse, fine) in last.iter().zip(&regions) {
                assert!(
                    (coarse.area - fine.area).abs() < 2.0 * fine.area / f64::from(n).sqrt(),
                    "{coarse:?} {fine:?}"
                );
                assert!((coarse.point - fine.point).length() < 0.1);
            }
        }
        last = Some(regions);
    }
}

/// Random models of cells in random poses: what comes out hangs together, and no way out among many is much shorter.
#[test]
fn random_blocks() {
    let mut random = Random::new(33);
    let (mut deep, mut worst, mut short) = (0, 1.0f64, 0);
    for _ in 0..cases(12) {
        let mut block = || {
            let filled: Vec<bool> = (0..27).map(|i| i == 13 || random.below(3) > 0).collect();
            let (vertices, faces) =
                cells([3, 3, 3], Vec3::ONE, |[x, y, z]| filled[(9 * x + 3 * y + z) as usize]);
            mesh((vertices.iter().map(|p| *p - 1.5).collect(), faces))
        };
        let (a, b) = (block(), block());
        let pose = Pose::new(random.rotation(), random.in_cube(1.8)).unwrap();
        if !intersects(&a, &b, &pose).unwrap() {
            continue;
        }
        let (found, _) = checked(&a, &b, &pose);
        deep += 1;
        let share = least_share(&a, &b, &pose, &found, 60);
        short += usize::from(share < 0.95);
        worst = worst.min(share);
    }
    eprintln!("{deep} pairs, {short} of them with a shorter way out, the shortest {worst} of what was found");
    assert!(deep >= cases(12) / 2 && worst > 0.5);
}

#[test]
fn rings_that_nearly_cancel_keep_their_place() {
    // A tapered bar through a ring: it is cut at both ends of the hole, in opposite senses, and a little wider at one of them.
    let bar = box_mesh(Vec3::new(2.0, 2.0, 20.0));
    let taper = |p: &Vec3| Vec3::new(p.x, p.y, 0.0) * (1.0 + 0.005 * p.z) + p.z * Vec3::Z;
    let bar = (bar.vertices().iter().map(taper).collect(), bar.faces().to_vec());
    let (bar, hole) = (mesh(bar), mesh(torus(1.5, 0.6, 48, 24)));
    let found = contact_regions(&bar, &hole, &Pose::IDENTITY).unwrap();
    assert!(!found.is_empty());
    for one in &found {
        assert!(
            one.point.x.abs() < 1.2 && one.point.y.abs() < 1.2 && one.point.z.abs() < 0.7,
            "{}",
            one.point
        );
    }
}
