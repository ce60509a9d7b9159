//! Mass properties against integrals over slices, surface integrals of placed tessellations, and counting points.

use crate::shape_oracle::{radius, random_convex, random_primitive, random_primitive_of_size};
use freiraum_geometry::mass::point_mass_inertia;
use freiraum_geometry::shape::{Compound, Part};
use freiraum_geometry::{MassProperties, Mat3, Pose, Shape, Vec3};
use freiraum_testkit::random::Random;
use freiraum_testkit::scale::cases;
use std::f64::consts::PI;

fn largest(m: Mat3) -> f64 {
    m.to_cols_array().iter().fold(0.0, |largest: f64, x| largest.max(x.abs()))
}

/// Agreement up to a relative error: of the volume, of the size, and of the largest moment.
fn check_close(found: &MassProperties, expected: &MassProperties, size: f64, relative: f64, name: &str) {
    let volume = (found.volume - expected.volume).abs() / expected.volume;
    let centroid = (found.centroid - expected.centroid).length() / size;
    let inertia = largest(found.inertia - expected.inertia) / largest(expected.inertia);
    let good = volume <= relative && centroid <= relative && inertia <= relative;
    assert!(good, "{name}: off by {volume:e}, {centroid:e}, {inertia:e}; allowed {relative:e}");
}

/// The pieces of a solid of revolution: from height, to height, and the square of its radius at a height.
type Pieces = Vec<(f64, f64, Box<dyn Fn(f64) -> f64>)>;

fn pieces(shape: &Shape) -> Pieces {
    match shape {
        Shape::Sphere(s) => {
            let r = s.radius();
            vec![(-r, r, Box::new(move |z| r * r - z * z))]
        }
        Shape::Cylinder(s) => {
            let (r, h) = (s.radius(), s.height());
            vec![(-h / 2.0, h / 2.0, Box::new(move |_| r * r))]
        }
        Shape::Capsule(s) => {
            let (r, h) = (s.radius(), s.height() / 2.0);
            vec![
                (-h - r, -h, Box::new(move |z| r * r - (z + h) * (z + h))),
                (-h, h, Box::new(move |_| r * r)),
                (h, h + r, Box::new(move |z| r * r - (z - h) * (z - h))),
            ]
        }
        Shape::Cone(s) => {
            let (r, h) = (s.radius(), s.height());
            vec![(-h / 2.0, h / 2.0, Box::new(move |z| (r * (0.5 - z / h)).powi(2)))]
        }
        other => panic!("{} is no solid of revolution", other.kind()),
    }
}

/// Integrates over slices with Gauss's rule of five points, exact for polynomials of degree nine: all of these are.
fn by_slices(shape: &Shape) -> MassProperties {
    let rule = {
        let (a, b) = (2.0 * (10f64 / 7.0).sqrt(), 13.0 * 70f64.sqrt());
        let (inner, outer) = ((5.0 - a).sqrt() / 3.0, (5.0 + a).sqrt() / 3.0);
        let (w_inner, w_outer) = ((322.0 + b) / 900.0, (322.0 - b) / 900.0);
        [(0.0, 128.0 / 225.0), (inner, w_inner), (-inner, w_inner), (outer, w_outer), (-outer, w_outer)]
    };
    let pieces = pieces(shape);
    let integrate = |f: &dyn Fn(f64, f64) -> f64| -> f64 {
        let piece = |(from, to, square): &(f64, f64, Box<dyn Fn(f64) -> f64>)| {
            let (middle, half) = (0.5 * (from + to), 0.5 * (to - from));
            let term = |&(x, w): &(f64, f64)| w * f(middle + half * x, square(middle + half * x));
            half * rule.iter().map(term).sum::<f64>()
        };
        pieces.iter().map(piece).sum()
    };
    // A disc of radius s: area pi s², moment pi s⁴ / 2 about its axis and pi s⁴ / 4 about a diameter.
    let volume = integrate(&|_, s2| PI * s2);
    let z = integrate(&|z, s2| z * PI * s2) / volume;
    let along = integrate(&|_, s2| PI * s2 * s2 / 2.0);
    let across = integrate(&|h, s2| PI * s2 * s2 / 4.0 + (h - z) * (h - z) * PI * s2);
    let inertia = Mat3::from_diagonal(Vec3::new(across, across, along));
    MassProperties { volume, centroid: Vec3::new(0.0, 0.0, z), inertia }
}

#[test]
fn closed_forms_are_the_integrals_over_slices() {
    let mut random = Random::new(1);
    for i in 0..cases(2_000) {
        let shape = random_primitive(&mut random, [0, 2, 3, 4][i % 4]);
        let size = shape.aabb().unwrap().reach();
        check_close(
            &shape.mass_properties().unwrap(),
            &by_slices(&shape),
            size,
            1e-13,
            &format!("{shape:?}"),
        );
    }
}

#[test]
fn boxes_are_the_integrals_over_their_triangles() {
    let mut random = Random::new(2);
    for _ in 0..cases(2_000) {
        let shape = random_primitive(&mut random, 1);
        let expected = shape.tessellate(1.0).unwrap().mass_properties().unwrap();
        let size = shape.aabb().unwrap().reach();
        check_close(&shape.mass_properties().unwrap(), &expected, size, 1e-13, &format!("{shape:?}"));
    }
}

#[test]
fn placed_primitives_agree_with_placed_tessellations() {
    let mut random = Random::new(3);
    for i in 0..cases(60) {
        let shape = random_primitive_of_size(&mut random, i, 1.0, 0.3);
        let size = shape.aabb().unwrap().reach();
        let pose = Pose::new(random.rotation(), random.in_cube(10.0)).unwrap();
        let mesh = shape.tessellate(1e-4 * radius(&shape)).unwrap().placed(&pose).unwrap();
        let found = shape.mass_properties().unwrap().placed(&pose);
        let name = format!("{shape:?} at {pose:?}");
        check_close(&found, &mesh.mass_properties().unwrap(), size, 1e-3, &name);
        // The surface converges like the volume.
        let (area, exact) = (mesh.area(), shape.area().unwrap());
        assert!(area <= exact * (1.0 + 1e-12) && area >= exact * (1.0 - 1e-3), "{name}: {area} of {exact}");
    }
}

#[test]
fn counting_points_finds_the_same_mass() {
    let mut random = Random::new(4);
    for i in 0..cases(6) {
        let shape = if i % 6 == 5 {
            random_convex(&mut random, 1.0)
        } else {
            random_primitive_of_size(&mut random, i, 1.0, 0.2)
        };
        let (bounds, count) = (shape.aabb().unwrap(), 40_000);
        let inside: Vec<Vec3> = (0..count)
            .map(|_| bounds.min + bounds.size() * Vec3::new(random.unit(), random.unit(), random.unit()))
            .filter(|&p| shape.contains(p) == Some(true))
            .collect();
        let size = bounds.size();
        let volume = size.x * size.y * size.z * inside.len() as f64 / f64::from(count);
        let centroid = inside.iter().sum::<Vec3>() / inside.len() as f64;
        let mass = volume / inside.len() as f64;
        let inertia = inside.iter().fold(Mat3::ZERO, |sum, &p| sum + point_mass_inertia(mass, p - centroid));
        let counted = MassProperties { volume, centroid, inertia };
        check_close(&shape.mass_properties().unwrap(), &counted, bounds.reach(), 0.03, &format!("{shape:?}"));
    }
}

#[test]
fn placing_is_rigid() {
    let mut random = Random::new(5);
    for i in 0..cases(2_000) {
        let solid = random_primitive_of_size(&mut random, i, 1.0, 1.0).mass_properties().unwrap();
        let pose = |random: &mut Random| Pose::new(random.rotation(), random.in_cube(3.0)).unwrap();
        let (a, b) = (pose(&mut random), pose(&mut random));
        let name = format!("{solid:?}");
        check_close(&solid.placed(&b).placed(&a), &solid.placed(&(a * b)), 1.0, 2e-14, &name);
        check_close(&solid.placed(&a).placed(&a.inverse()), &solid, 1.0, 2e-14, &name);
        let placed = solid.placed(&a);
        assert_eq!(placed.inertia, placed.inertia.transpose());
        let (before, after) = (solid.principal_axes().moments, placed.principal_axes().moments);
        assert!((before - after).length() <= 1e-14 * before.length(), "{before} {after}");
    }
}

#[test]
fn compounds_weigh_what_their_parts_weigh() {
    let mut random = Random::new(6);
    for _ in 0..cases(100) {
        let parts: Vec<Part> = (0..4)
            .map(|i| Part {
                compound_from_part: Pose::new(random.rotation(), random.in_cube(5.0)).unwrap(),
                shape: random_primitive_of_size(&mut random, i, 1.0, 0.2),
            })
            .collect();
        let expected = {
            // The definition: sums over the parts about the common centroid.
            let placed: Vec<MassProperties> = parts
                .iter()
                .map(|p| p.shape.mass_properties().unwrap().placed(&p.compound_from_part))
                .collect();
            let volume: f64 = placed.iter().map(|p| p.volume).sum();
            let centroid = placed.iter().map(|p| p.volume * p.centroid).sum::<Vec3>() / volume;
            let mut inertia = Mat3::ZERO;
            for p in &placed {
                let d = p.centroid - centroid;
                let columns = [Vec3::X, Vec3::Y, Vec3::Z].map(|axis| p.volume * d.cross(axis.cross(d)));
                inertia += p.inertia + Mat3::from_cols(columns[0], columns[1], columns[2]);
            }
            MassProperties { volume, centroid, inertia }
        };
        // One level, and with the last two nested one deeper in a frame of their own.
        let flat = Shape::Compound(Compound::new(parts.clone()).unwrap());
        let outer = Pose::new(random.rotation(), random.in_cube(5.0)).unwrap();
        let inner = parts[2..].iter().map(|p| Part {
            compound_from_part: outer.inverse() * p.compound_from_part,
            shape: p.shape.clone(),
        });
        let inner = Shape::Compound(Compound::new(inner.collect()).unwrap());
        let mut nested = parts[..2].to_vec();
        nested.push(Part { compound_from_part: outer, shape: inner });
        let nested = Shape::Compound(Compound::new(nested).unwrap());
        for compound in [flat, nested] {
            check_close(
                &compound.mass_properties().unwrap(),
                &expected,
                1.0,
                1e-13,
                &format!("{compound:?}"),
            );
            // And so does the mesh of the parts side by side.
            let mesh = compound.tessellate(1e-3).unwrap().mass_properties().unwrap();
            check_close(&mesh, &expected, 1.0, 0.02, "mesh");
        }
    }
}

#[test]
fn principal_axes_give_the_tensor_back() {
    let mut random = Random::new(7);
    for i in 0..cases(20_000) {
        let a = 10f64.powf(random.range(-12.0, 0.0));
        let moments = match i % 5 {
            0 => Vec3::new(random.unit(), random.unit(), random.unit()),
            1 => Vec3::ONE,
            2 => Vec3::new(1.0, 1.0, a),
            3 => Vec3::new(1.0, 1.0 + a, 1.0 - a),
            _ => Vec3::new(a, 1.0, 1.0 + 1e-15),
        };
        let scale = 10f64.powf(random.range(-249.0, 249.0));
        let r = Mat3::from_quat(random.rotation());
        let inertia = scale * (r * Mat3::from_diagonal(moments) * r.transpose());
        let inertia = 0.5 * (inertia + inertia.transpose());
        let solid = MassProperties { volume: 1.0, centroid: Vec3::ZERO, inertia };
        let found = solid.principal_axes();
        let again = found.axes * Mat3::from_diagonal(found.moments) * found.axes.transpose();
        let error = largest(again - inertia) / largest(inertia);
        assert!(error <= 2e-15, "{inertia}: {found:?}, off by {error:e}");
        assert!(largest(found.axes * found.axes.transpose() - Mat3::IDENTITY) <= 4e-15, "{found:?}");
        assert!((found.axes.determinant() - 1.0).abs() <= 4e-15, "{found:?}");
        assert!(found.moments.x <= found.moments.y && found.moments.y <= found.moments.z, "{found:?}");
        let mut expected = moments.to_array();
        expected.sort_by(f64::total_cmp);
        let error = (found.moments / scale - Vec3::from_array(expected)).length();
        assert!(error <= 4e-15, "{found:?} {expected:?}: {error:e}");
    }
}

#[test]
fn solids_have_positive_moments_that_obey_the_triangle_inequality() {
    let mut random = Random::new(8);
    for i in 0..cases(2_000) {
        let solid = random_primitive(&mut random, i).mass_properties().unwrap();
        let rotation = Pose::new(random.rotation(), Vec3::ZERO).unwrap();
        let m = solid.placed(&rotation).principal_axes().moments;
        assert!(m.x > 0.0 && m.z <= (m.x + m.y) * (1.0 + 1e-12), "{m}");
    }
}
