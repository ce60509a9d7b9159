//! Soft bodies move as mechanics says: falls, swings, hangs, stretches; momentum; volumes; floors.

use freiraum_deform::shapes::{Ball, Cuboid, Cylinder, Solid, Torus, volume};
use freiraum_deform::soft::{Link, Material, SoftBody, SoftError, Surroundings};
use freiraum_geometry::Vec3;
use std::f64::consts::{PI, TAU};

const SPACE: Surroundings = Surroundings { gravity: Vec3::ZERO, drag: 0.0, floor: None, friction: 0.0 };
const EARTH: Surroundings =
    Surroundings { gravity: Vec3::new(0.0, 0.0, -9.81), drag: 0.0, floor: None, friction: 0.0 };

/// Points without a surface.
fn points(vertices: &[Vec3]) -> Solid {
    Solid { vertices: vertices.to_vec(), faces: Vec::new() }
}

/// A mass on a spring that hangs from a fixed point, at rest length.
fn hanging(mass: f64, stiffness: f64, relaxation: f64) -> SoftBody {
    let links = vec![Link { ends: [0, 1], length: 1.0, stiffness }];
    let mut body = SoftBody::of_links(points(&[Vec3::ZERO, -Vec3::Z]), vec![1.0, mass], links, relaxation)
        .expect("good");
    body.fix(0);
    body
}

fn momentum(body: &SoftBody) -> [Vec3; 2] {
    let all = body.masses().iter().zip(body.velocities()).zip(body.positions());
    all.fold([Vec3::ZERO; 2], |[linear, turning], ((&m, &v), &p)| [linear + m * v, turning + m * p.cross(v)])
}

#[test]
fn bodies_fall_as_galilei_says() {
    let ball = Ball { radius: 0.1, cells: 3 }.solid().expect("good");
    let mut body = SoftBody::of_solid(&ball, &Material::default()).expect("a body");
    let dt = 1.0 / 1024.0;
    for _ in 0..1024 {
        body.step(dt, &EARTH);
    }
    for (p, q) in ball.vertices.iter().zip(body.positions()) {
        // The sum of steps is half a step ahead of the parabola.
        let fallen = Vec3::new(0.0, 0.0, -9.81 * 0.5 * (1.0 + dt));
        assert!((q - p).distance(fallen) < 1e-9);
    }
}

#[test]
fn masses_swing_with_the_period_of_the_formula() {
    let (mass, stiffness) = (0.7, 90.0);
    let exact = TAU * f64::sqrt(mass / stiffness);
    // An end that is pulled and let go crosses its rest once per half period; the method damps, and less with smaller steps.
    let mut kept = Vec::new();
    for steps in [200.0, 400.0, 800.0] {
        let mut body = hanging(mass, stiffness, 0.0);
        body.place(1, Vec3::new(0.0, 0.0, -1.1));
        let dt = exact / steps;
        let (mut crossings, mut last, mut largest) = (Vec::new(), -0.1, 0.0f64);
        for k in 0..(5.0 * steps) as u32 {
            body.step(dt, &SPACE);
            let off = body.positions()[1].z + 1.0;
            if off.signum() != f64::signum(last) {
                crossings.push(dt * (f64::from(k) + last / (last - off)));
            }
            if f64::from(k) > 4.0 * steps {
                largest = largest.max(off.abs());
            }
            last = off;
        }
        let period = 2.0 * (crossings[8] - crossings[0]) / 8.0;
        eprintln!("{steps} steps: period off by {:.1e}, {:.3} left", period / exact - 1.0, largest / 0.1);
        assert!((period / exact - 1.0).abs() < 40.0 / (steps * steps), "{period} {exact}");
        kept.push(largest / 0.1);
    }
    assert!(kept[0] < kept[1] && kept[1] < kept[2] && kept[2] > 0.85 && kept[2] < 1.0, "{kept:?}");
}

#[test]
fn a_weight_hangs_as_low_as_hooke_says() {
    for (stiffness, dt) in [(90.0, 0.01), (9e4, 0.01), (9e7, 0.01), (90.0, 0.0003)] {
        let mut body = hanging(0.7, stiffness, 0.05);
        for _ in 0..(20.0 / dt) as u32 {
            body.step(dt, &Surroundings { drag: 3.0, ..EARTH });
        }
        let exact = 0.7 * 9.81 / stiffness;
        let stretch = -1.0 - body.positions()[1].z;
        // Drag takes its share of what gravity adds within a step.
        assert!((stretch / exact - 1.0).abs() < 3.5 * dt + 4.0 * f64::EPSILON / exact, "{stretch} {exact}");
    }
}

#[test]
fn dampers_take_what_the_formula_says() {
    // m x'' = -k (x + τ x'): amplitudes fall by exp(-k τ t / 2m), and the rest of the loss is that of the step.
    let (mass, stiffness, relaxation) = (0.7, 90.0, 0.01);
    let left = |relaxation: f64| {
        let mut body = hanging(mass, stiffness, relaxation);
        body.place(1, Vec3::new(0.0, 0.0, -1.1));
        let mut largest = 0.0f64;
        for k in 0..40_000 {
            body.step(5e-5, &SPACE);
            if k >= 30_000 {
                largest = largest.max(
                    (body.positions()[1].z + 1.0).abs()
                        * (stiffness * relaxation * 5e-5 * f64::from(k) / (2.0 * mass)).exp(),
                );
            }
        }
        largest / 0.1
    };
    let (without, with) = (left(0.0), left(relaxation));
    eprintln!(
        "of the amplitude {without:.4} without dampers, {with:.4} with them, their own share taken out"
    );
    assert!((with / without - 1.0).abs() < 0.01);
}

/// A spinning torus, struck at one vertex: the largest share of angular momentum lost within a second.
fn lost_turning(dt: f64) -> f64 {
    let torus = Torus::by_vertices(0.3, 0.1, 300).solid().expect("good");
    let material = Material { relaxation: 0.0, ..Material::default() };
    let mut body = SoftBody::of_solid(&torus, &material).expect("a body");
    for v in 0..body.positions().len() as u32 {
        let p = body.positions()[v as usize];
        body.set_velocity(v, Vec3::new(1.0, 0.5, 0.0) + Vec3::new(0.0, 3.0, 4.0).cross(p));
    }
    body.set_velocity(7, Vec3::new(-30.0, 10.0, 0.0));
    let (start, mut energy) = (momentum(&body), body.energy());
    let mut lost = 0.0f64;
    for k in 0..(1.0 / dt) as u32 {
        body.step(dt, &SPACE);
        if k % 100 == 99 {
            let [linear, turning] = momentum(&body);
            assert!(linear.distance(start[0]) < 1e-10 * start[0].length(), "step {k}");
            lost = lost.max(turning.distance(start[1]) / start[1].length());
            let now = body.energy();
            assert!(now < energy * 1.01, "step {k}: {energy} to {now}");
            energy = now;
        }
    }
    lost
}

#[test]
fn free_bodies_keep_momentum_and_do_not_gain_energy() {
    let (coarse, fine) = (lost_turning(1e-3), lost_turning(1e-4));
    eprintln!("angular momentum lost: {coarse:.4} with steps of 1 ms, {fine:.5} with 0.1 ms");
    assert!(coarse < 0.03 && fine < 0.3 * coarse);
}

#[test]
fn a_bar_is_as_stiff_as_its_material() {
    // A bar pulled at both ends: force = E A / L times stretch.
    let mut ratios = Vec::new();
    for n in [1, 2] {
        let shape = Cylinder { radius: 0.1, length: 1.0, around: 10 * n, along: 16 * n };
        let solid = shape.solid().expect("good");
        let material = Material { stiffness: 1e5, relaxation: 0.02, pressure: 0.0, density: 300.0 };
        let mut body = SoftBody::of_solid(&solid, &material).expect("a body");
        let ends = |sign: f64| -> Vec<u32> {
            (0u32..).zip(&solid.vertices).filter(|(_, p)| sign * p.z > 0.499).map(|(v, _)| v).collect()
        };
        let (low, high) = (ends(-1.0), ends(1.0));
        let force = 1e5 * PI * 0.01 * 0.02;
        for _ in 0..3000 {
            for (side, sign) in [(&low, -1.0), (&high, 1.0)] {
                for &v in side {
                    body.push(v, Vec3::new(0.0, 0.0, sign * force / side.len() as f64));
                }
            }
            body.step(1e-3, &Surroundings { drag: 5.0, ..SPACE });
        }
        // Between sections inside, away from where it is pulled.
        let height = |z: f64| {
            let near: Vec<f64> = solid
                .vertices
                .iter()
                .zip(body.positions())
                .filter(|(p, _)| (p.z - z).abs() < 1e-6)
                .map(|(_, q)| q.z)
                .collect();
            near.iter().sum::<f64>() / near.len() as f64
        };
        let stretch = (height(0.25) - height(-0.25)) / 0.5 - 1.0;
        eprintln!("{} vertices: modulus {:.2} of that told", solid.vertices.len(), 0.02 / stretch);
        ratios.push(0.02 / stretch);
    }
    assert!(ratios.iter().all(|r| (0.67..1.5).contains(r)), "{ratios:?}");
}

#[test]
fn bodies_lie_on_the_floor_with_their_volume() {
    let ball = Ball { radius: 0.1, cells: 5 }.solid().expect("good");
    let rest = ball.volume();
    for (pressure, slack) in [(0.0, 0.3), (1e6, 0.01)] {
        let material = Material { stiffness: 2e4, pressure, density: 500.0, ..Material::default() };
        let mut body = SoftBody::of_solid(&ball, &material).expect("a body");
        let around = Surroundings { floor: Some(-0.3), drag: 1.0, ..Surroundings::default() };
        let mut least = f64::INFINITY;
        for _ in 0..3000 {
            body.step(1e-3, &around);
            least = least.min(body.positions().iter().map(|p| p.z).fold(f64::INFINITY, f64::min));
        }
        assert!(least >= -0.3, "never below the floor");
        let share = volume(body.positions(), body.faces()) / rest;
        let top = body.positions().iter().map(|p| p.z).fold(f64::NEG_INFINITY, f64::max);
        eprintln!("pressure {pressure:.0e}: {share:.4} of the volume, {:.3} high", top + 0.3);
        assert!((share - 1.0).abs() < slack, "{share}");
        assert!(top + 0.3 < 0.2 && top + 0.3 > 0.1, "pressed flat by its weight, not flattened: {top}");
        assert!(body.velocities().iter().all(|v| v.length() < 0.02), "at rest");
    }
}

#[test]
fn friction_holds_on_the_floor() {
    let cube = Cuboid { size: Vec3::splat(0.2), cells: [3; 3] }.solid().expect("good");
    let slide = |friction: f64| {
        let mut body = SoftBody::of_solid(&cube, &Material::default()).expect("a body");
        let around = Surroundings { floor: Some(-0.1), friction, ..EARTH };
        for v in 0..body.positions().len() as u32 {
            body.set_velocity(v, Vec3::X);
        }
        for _ in 0..2000 {
            body.step(1e-3, &around);
        }
        let count = body.positions().len() as f64;
        body.positions().iter().map(|p| p.x).sum::<f64>() / count
    };
    // v² / 2 μ g, as long as it does not tumble.
    let exact = 1.0 / (2.0 * 0.3 * 9.81);
    assert!((slide(0.3) / exact - 1.0).abs() < 0.2, "{} {exact}", slide(0.3));
    assert!((slide(0.0) - 2.0).abs() < 1e-3, "{}", slide(0.0));
}

#[test]
fn nothing_makes_springs_wild() {
    // Stiffness and steps that tear explicit springs apart at once.
    let torus = Torus::by_vertices(0.3, 0.1, 200).solid().expect("good");
    for (stiffness, dt) in [(1e5, 0.1), (1e9, 0.01), (1e12, 0.02)] {
        let material = Material { stiffness, pressure: stiffness, ..Material::default() };
        let mut body = SoftBody::of_solid(&torus, &material).expect("a body");
        let scatter = |k: usize| Vec3::new((k as f64).sin(), (7.0 * k as f64).sin(), (3.0 * k as f64).cos());
        for v in 0..body.positions().len() {
            body.set_velocity(v as u32, 5.0 * scatter(v));
        }
        for _ in 0..500 {
            body.step(dt, &SPACE);
        }
        let fastest = body.velocities().iter().map(|v| v.length()).fold(0.0, f64::max);
        assert!(fastest < 10.0, "{stiffness:.0e} and {dt}: {fastest} m/s");
    }
}

#[test]
fn what_is_no_body_is_refused() {
    let solid = Ball { radius: 0.1, cells: 2 }.solid().expect("good");
    let mut inverted = solid.clone();
    inverted.faces.iter_mut().for_each(|f| f.swap(0, 1));
    assert!(
        matches!(SoftBody::of_solid(&inverted, &Material::default()), Err(SoftError::NoVolume(v)) if v < 0.0)
    );
    for bad in [-1.0, 0.0, f64::NAN, f64::INFINITY] {
        assert!(SoftBody::of_solid(&solid, &Material { density: bad, ..Material::default() }).is_err());
        assert!(SoftBody::of_solid(&solid, &Material { stiffness: bad, ..Material::default() }).is_err());
    }
    assert!(SoftBody::of_solid(&solid, &Material { pressure: -1.0, ..Material::default() }).is_err());
    assert!(SoftBody::of_solid(&solid, &Material { relaxation: -1.0, ..Material::default() }).is_err());
    let link = Link { ends: [0, 1], length: 1.0, stiffness: 1.0 };
    let two = points(&[Vec3::ZERO, Vec3::X]);
    assert!(SoftBody::of_links(two.clone(), vec![1.0; 2], vec![link], 0.0).is_ok());
    assert!(SoftBody::of_links(two.clone(), vec![1.0], vec![link], 0.0).is_err());
    assert!(SoftBody::of_links(two.clone(), vec![1.0; 2], vec![Link { ends: [0, 2], ..link }], 0.0).is_err());
    assert!(SoftBody::of_links(two, vec![1.0; 2], vec![Link { ends: [1, 1], ..link }], 0.0).is_err());
}
