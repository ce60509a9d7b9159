//! tuning
use freiraum_deform::shapes::Spring;
use freiraum_deform::soft::{Material, Resistance, SelfContact, SoftBody, Surroundings};
use freiraum_geometry::Vec3;
use freiraum_query::elementary::segment_segment;

fn middles(coil: &Spring, p: &[Vec3]) -> Vec<Vec3> {
    let n = coil.around as usize;
    (0..=coil.along)
        .map(|k| {
            let f = coil.first_of_ring(k) as usize;
            p[f..f + n].iter().sum::<Vec3>() / n as f64
        })
        .collect()
}

#[test]
fn try_it() {
    let env = |n: &str, d: f64| std::env::var(n).ok().and_then(|v| v.parse().ok()).unwrap_or(d);
    let coil = Spring {
        radius: 0.1,
        end_radius: 0.1,
        wire: 0.03,
        pitch: 0.08,
        windings: env("WIND", 4.0),
        along: env("ALONG", 96.0) as u32,
        around: env("AROUND", 8.0) as u32,
    };
    let solid = coil.solid().unwrap();
    let e = env("E", 1e6);
    let material = Material { density: 100.0, stiffness: e, relaxation: env("RELAX", 0.005), pressure: e };
    let mut body = SoftBody::of_solid(&solid, &material).unwrap();
    let around = Surroundings { drag: env("DRAG", 1.0), floor: Some(-0.195), ..Surroundings::default() };
    for v in 0..coil.first_of_ring(coil.along / 16 + 1) {
        body.fix(v);
    }
    println!(
        "{} vertices {} links mass {}",
        solid.vertices.len(),
        body.links().len(),
        body.masses().iter().sum::<f64>()
    );
    let dt = env("DT", 2.5e-4);
    let per = (1.0 / 60.0 / dt).round() as u32;
    let mut resist = SelfContact::new(Resistance {
        resolution: env("RES", 96.0) as u32,
        steps: env("STEPS", 4.0) as u32,
        push: env("PUSH", 0.2),
        damping: env("DAMP", 0.2),
    });
    let with = env("WITH", 1.0) > 0.0;
    let (mut worst, mut contacts, mut vol, mut fastest) = (f64::INFINITY, 0, 0.0f64, 0.0f64);
    for frame in 0..env("FRAMES", 600.0) as u32 {
        for _ in 0..per {
            let t = frame as f64 / 60.0;
            let side = if t > 3.0 && t < 8.0 { env("SIDE", 2.0) * (t * 4.0).sin() } else { 0.0 };
            let load = Vec3::new(side, 0.0, if t < 6.0 { -env("LOAD", 5.0) } else { 0.0 });
            let (a, b) = (coil.first_of_ring(coil.along * 3 / 4), coil.first_of_ring(coil.along));
            for v in a..b {
                body.push(v, load / (b - a) as f64);
            }
            if with {
                resist.step(&mut body, dt, &around).unwrap();
                contacts = contacts.max(resist.within().contacts.len());
                vol = vol.max(resist.last.unwrap().volume.volume);
            } else {
                body.step(dt, &around);
            }
        }
        let m = middles(&coil, body.positions());
        let mut least = f64::INFINITY;
        let gap = 8;
        for i in 0..m.len() - 1 {
            for j in i + gap..m.len() - 1 {
                least = least.min(segment_segment([m[i], m[i + 1]], [m[j], m[j + 1]]).distance());
            }
        }
        worst = worst.min(least);
        fastest = fastest.max(body.velocities().iter().map(|v| v.length()).fold(0.0, f64::max));
        if frame % 30 == 0 {
            let w = coil.along as usize / 4;
            let zs: Vec<String> = (0..=4).map(|k| format!("{:.3}", m[(k * w).min(m.len() - 1)].z)).collect();
            let depth = resist.within().contacts.iter().map(|c| c.depth).fold(0.0, f64::max);
            println!(
                "frame {frame} least {least:.4} z {} end {:.2} contacts {} depth {depth:.4} vol {:.1e} fast {fastest:.2}",
                zs.join(" "),
                m[m.len() - 1],
                resist.within().contacts.len(),
                resist.last.map_or(0.0, |l| l.volume.volume),
            );
        }
    }
    println!("worst {worst:.4} = {:.3} wire radii, {contacts} contacts", worst / coil.wire);
}
