use freiraum_geometry::{Mesh, Pose, Vec3};
use freiraum_query::mesh_tree::*;
use freiraum_testkit::{bumpy, random::Random};
use std::time::Instant;
fn main() {
    for (name, torus, split) in [("5k", (50, 50), 16), ("70k", (264, 132), 59), ("500k", (500, 500), 158)] {
        let (v, f) = bumpy::torus(torus.0, torus.1);
        let ma = Mesh::new(v, f).unwrap();
        let (v, f) = bumpy::sphere(split);
        let mb = Mesh::new(v, f).unwrap();
        let mut best=1e9f64; let mut trees=None;
        for _ in 0..5 {
        let (ma2,mb2)=(ma.clone(),mb.clone());
        let t = Instant::now();
        let (a, b) = (MeshTree::build(ma2), MeshTree::build(mb2));
        best=best.min(t.elapsed().as_secs_f64()); trees=Some((a,b)); }
        let (a,b)=trees.unwrap();
        println!("{name} build {:.2} ms depth {} nodes {}", best*1e3, a.depth(), a.nodes().len());
        let mut r = Random::new(7);
        let mut ws = MeshWorkspace::default();
        let size = 2.0;
        let mut classes: [Vec<Pose>; 4] = Default::default();
        for class in 0..4 {
            while classes[class].len() < 100 {
                let q = r.rotation();
                let d = r.direction();
                if class == 3 {
                    let ang = r.range(0.0, 6.28);
                    let t = Vec3::new(ang.cos(), ang.sin(), 0.0) + Vec3::new(r.normal(), r.normal(), r.normal()) * 0.1;
                    let p = Pose::new(q, t).unwrap();
                    if any_intersection(&a, &b, &p, &mut ws).is_some() { classes[3].push(p); }
                    continue;
                }
                let lat = r.direction(); let lat = (lat - lat.dot(d) * d) * 0.3 * size * r.unit();
                let mut t = d * 3.0 * size + lat;
                let target = [0.5 * size + size * r.unit(), 0.01 * size, 1e-4 * size][class];
                let mut ok = false;
                for _ in 0..400 {
                    let g = surface_distance(&a, &b, &Pose::new(q, t).unwrap(), &mut ws, &mut Default::default()).closest.distance;
                    if g <= target * 1.02 + 1e-9 { ok = true; break; }
                    t -= d * (g - target);
                    if t.dot(d) < -3.0 * size { break; }
                }
                if !ok { continue; }
                if class == 2 { t -= d * 0.01 * size; }
                let p = Pose::new(q, t).unwrap();
                if class == 2 && any_intersection(&a, &b, &p, &mut ws).is_none() { continue; }
                classes[class].push(p);
            }
        }
        for (class, poses) in classes.iter().enumerate() {
            let mut td: Vec<f64> = vec![]; let mut ti = vec![]; let mut tw=vec![]; let mut sum = 0.0; let mut hits = 0;
            for _ in 0..3 { for p in poses {
                let t = Instant::now();
                let mut cache=Default::default();
                let d = surface_distance(&a, &b, p, &mut ws, &mut cache);
                td.push(t.elapsed().as_secs_f64() * 1e6); sum += d.closest.distance;
                let t = Instant::now();
                let _d = surface_distance(&a, &b, p, &mut ws, &mut cache);
                tw.push(t.elapsed().as_secs_f64() * 1e6);
                let t = Instant::now();
                hits += any_intersection(&a, &b, p, &mut ws).is_some() as u32;
                ti.push(t.elapsed().as_secs_f64() * 1e6);
            }}
            td.sort_by(f64::total_cmp); ti.sort_by(f64::total_cmp);tw.sort_by(f64::total_cmp);
            println!("{name} class {class}: distance {:.1} us warm {:.1} any {:.1} us   (sum {sum:.4}, hits {hits})", td[td.len() / 2],tw[tw.len()/2], ti[ti.len() / 2]);
        }
    }
}
