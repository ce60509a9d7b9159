//! Tessellations stay within their deviation in both directions, and are closed, outward and inscribed.

use crate::shape_oracle::{
    check_closed, mesh_distance, radius, random_primitive, signed_distance, surface_point,
};
use freiraum_geometry::shape::{Capsule, Cone, Cylinder, MAX_TRIANGLES, Sphere, TessellationError};
use freiraum_geometry::{Mesh, Shape};
use freiraum_testkit::random::Random;
use freiraum_testkit::scale::cases;

/// Checks one tessellation from both sides with samples; returns the largest distance seen over the allowed one.
fn check(shape: &Shape, max_deviation: f64, random: &mut Random) -> f64 {
    let mesh = shape.tessellate(max_deviation).unwrap();
    let name = format!("{shape:?} within {max_deviation:e}");
    check_closed(&mesh, &name);
    let rounding = 16.0 * f64::EPSILON * shape.aabb().unwrap().reach();
    for &p in mesh.vertices() {
        assert!(signed_distance(shape, p).abs() <= rounding, "{name}: vertex {p} is off the surface");
    }
    let mut worst = 0.0f64;
    for [a, b, c] in mesh.triangles() {
        // The middle is where a triangle is farthest inside, or the middle of its longest edge.
        let (s, t) = (random.unit(), random.unit());
        let (s, t) = if s + t > 1.0 { (1.0 - s, 1.0 - t) } else { (s, t) };
        for p in
            [(a + b + c) / 3.0, 0.5 * (a + b), 0.5 * (b + c), 0.5 * (c + a), a + s * (b - a) + t * (c - a)]
        {
            let distance = signed_distance(shape, p);
            assert!(distance <= rounding, "{name}: {p} is {distance:e} outside");
            worst = worst.max(-distance);
        }
    }
    for _ in 0..20 {
        let p = surface_point(shape, random);
        worst = worst.max(mesh_distance(p, &mesh) - rounding);
    }
    assert!(worst <= max_deviation, "{name}: {worst:e} off");
    // Outward: the volume is positive, and by no more than area times deviation below the true one.
    let exact = shape.mass_properties().unwrap().volume;
    let volume = volume(&mesh);
    let missing = exact - volume;
    let allowed = shape.area().unwrap() * max_deviation;
    assert!(
        volume > 0.0 && missing >= -1e-12 * exact && missing <= allowed,
        "{name}: {missing:e} is missing"
    );
    worst / max_deviation
}

fn volume(mesh: &Mesh) -> f64 {
    mesh.triangles().map(|[a, b, c]| a.dot(b.cross(c)) / 6.0).sum()
}

#[test]
fn deviation_holds_for_all_sizes_and_proportions() {
    let mut random = Random::new(1);
    let mut largest = [0.0f64; 5];
    for i in 0..cases(600) {
        let shape = random_primitive(&mut random, i);
        let relative = 10f64.powf(random.range(-3.5, 0.7));
        let worst = check(&shape, relative * radius(&shape), &mut random);
        largest[i % 5] = largest[i % 5].max(worst);
    }
    // The bound is not only kept but used, or triangles are wasted. (A box is exact.)
    for kind in [0, 2, 3, 4] {
        assert!(largest[kind] > 0.8, "kind {kind} never comes closer than {}", largest[kind]);
    }
}

#[test]
fn deviation_holds_for_every_small_number_of_triangles() {
    let mut random = Random::new(2);
    for step in 0..40 {
        // A deviation at which the number of chords or rows is on the edge of changing, and its neighbours.
        let sagitta = 1.0 - (std::f64::consts::PI / (3.0 + f64::from(step))).cos();
        for max_deviation in [sagitta.next_down(), sagitta, sagitta * (1.0 + 1e-12), 3.0 * sagitta] {
            check(&Shape::Sphere(Sphere::new(1.0).unwrap()), max_deviation, &mut random);
            check(&Shape::Cylinder(Cylinder::new(1.0, 0.5).unwrap()), max_deviation, &mut random);
            check(&Shape::Capsule(Capsule::new(1.0, 0.5).unwrap()), max_deviation, &mut random);
            check(&Shape::Cone(Cone::new(1.0, 0.5).unwrap()), max_deviation, &mut random);
        }
    }
}

#[test]
fn extreme_proportions() {
    let mut random = Random::new(3);
    for (r, h) in [(1e-6, 1e6), (1e6, 1e-6), (1.0, 1e-12), (1.0, 1e-50), (1e-50, 1e-50), (4e49, 1e49)] {
        for relative in [0.3, 0.01] {
            check(&Shape::Cylinder(Cylinder::new(r, h).unwrap()), relative * r, &mut random);
            check(&Shape::Cone(Cone::new(r, h).unwrap()), relative * r, &mut random);
            check(&Shape::Capsule(Capsule::new(r, h).unwrap()), relative * r, &mut random);
        }
    }
    check(&Shape::Capsule(Capsule::new(1.0, 0.0).unwrap()), 0.01, &mut random);
}

#[test]
fn volumes_grow_towards_the_true_volume() {
    let mut random = Random::new(4);
    for kind in [0, 2, 3, 4] {
        let shape = random_primitive(&mut random, kind);
        let exact = shape.mass_properties().unwrap().volume;
        let deviations = [0.1, 1e-2, 1e-3, 1e-4].map(|d| d * radius(&shape));
        let volumes = deviations.map(|d| volume(&shape.tessellate(d).unwrap()));
        assert!(volumes.is_sorted() && volumes[3] < exact, "{shape:?}: {volumes:?} of {exact}");
        assert!(volumes[3] > (1.0 - 4e-4) * exact, "{shape:?}: {volumes:?} of {exact}");
    }
}

#[test]
fn too_fine_is_refused_before_memory_is_taken() {
    let mut random = Random::new(5);
    for i in 0..20 {
        let shape = random_primitive(&mut random, [0, 2, 3, 4][i % 4]);
        for relative in [1e-13, 1e-14, 1e-16, 1e-30, 1e-300] {
            let max_deviation = relative * radius(&shape);
            match shape.tessellate(max_deviation) {
                Err(TessellationError::TooManyTriangles { max_deviation: named })
                | Err(TessellationError::BelowRounding { max_deviation: named, .. }) => {
                    assert_eq!(named, max_deviation);
                }
                other => panic!("{shape:?} within {max_deviation:e}: {:?}", other.map(|m| m.faces().len())),
            }
        }
    }
    // The finest that are accepted come close to the limit without passing it.
    let mesh = Shape::Sphere(Sphere::new(1.0).unwrap()).tessellate(6e-7).unwrap();
    assert!((8_000_000..=MAX_TRIANGLES).contains(&mesh.faces().len()), "{}", mesh.faces().len());
}
