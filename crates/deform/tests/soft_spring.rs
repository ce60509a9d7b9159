//! A soft spiral spring that is pressed together and bent for ten seconds.
use freiraum_deform::shapes::Spring;
use freiraum_deform::soft::{Material, SoftBody, Surroundings};
use freiraum_geometry::Vec3;
use freiraum_query::elementary::segment_segment;

fn middles(coil: &Spring, p: &[Vec3]) -> Vec<Vec3> {
    (0..=coil.along)
        .map(|k| {
            let f = coil.first_of_ring(k) as usize;
            let n = coil.around as usize;
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
        wire: env("WIRE", 0.03),
        pitch: env("PITCH", 0.08),
        windings: 4.0,
        along: env("ALONG", 144.0) as u32,
        around: env("AROUND", 8.0) as u32,
    };
    let solid = coil.solid().unwrap();
    let material = Material {
        density: env("RHO", 100.0),
        stiffness: env("E", 3e5),
        relaxation: 0.005,
        pressure: env("P", 3e5),
    };
    let mut body = SoftBody::of_solid(&solid, &material).unwrap();
    let around = Surroundings { drag: env("DRAG", 0.5), floor: Some(-0.195), ..Surroundings::default() };
    // lower quarter winding held
    let held = coil.along / 16;
    for v in 0..coil.first_of_ring(held + 1) {
        body.fix(v);
    }
    println!("{} vertices {} links", solid.vertices.len(), body.links().len());
    let dt = env("DT", 1e-3);
    let per = (1.0 / 60.0 / dt).round() as u32;
    let start = std::time::Instant::now();
    for frame in 0..600 {
        for _ in 0..per {
            body.step(dt, &around);
        }
        if frame % 20 == 0 {
            let m = middles(&coil, body.positions());
            let mut least = f64::INFINITY;
            let gap = 6;
            for i in 0..m.len() - 1 {
                for j in i + gap..m.len() - 1 {
                    let d = segment_segment([m[i], m[i + 1]], [m[j], m[j + 1]]).distance();
                    least = least.min(d);
                }
            }
            let w = coil.along as usize / 4;
            let zs: Vec<String> = (0..=4).map(|k| format!("{:.3}", m[(k * w).min(m.len() - 1)].z)).collect();
            println!("frame {frame} least {least:.4} z {zs:?} end {:.3}", m[m.len() - 1]);
        }
    }
    println!("{:?}", start.elapsed());
}
