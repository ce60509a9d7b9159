//! Times each stage for a stack of planes: `stack [PLANES] [VERTICES] [RESOLUTION] [THREADED]`.
#![allow(clippy::print_stdout)]

use freiraum_deform::{Layers, Surface, View};
use freiraum_geometry::Vec3;

fn main() {
    let mut numbers = std::env::args().skip(1).map(|a| a.parse::<usize>().expect("a number"));
    let mut next = |usual: usize| numbers.next().unwrap_or(usual);
    let (planes, vertices, resolution, threaded) = (next(8), next(10_000), next(128), next(0) != 0);
    let side = (vertices as f64 / planes as f64).sqrt().round() as u32;
    let (mut points, mut faces) = (Vec::new(), Vec::new());
    for plane in 0..planes {
        let first = points.len() as u32;
        let is_front = plane < planes / 2;
        for k in 0..side * side {
            let [x, y] = [k % side, k / side].map(|n| f64::from(n) / f64::from(side - 1));
            points.push(Vec3::new(x, y, 1.5 * plane as f64 / (planes - 1) as f64));
        }
        for k in 0..(side - 1) * (side - 1) {
            let a = first + k % (side - 1) + k / (side - 1) * side;
            let [b, c, d] = [a + 1, a + side, a + side + 1];
            let pair = [[a, b, d], [a, d, c]];
            faces.extend(pair.map(|[a, b, c]| if is_front { [a, c, b] } else { [a, b, c] }));
        }
    }
    let surface = Surface { vertices: &points, faces: &faces };
    let view = View { axis: None, size: [resolution as u32; 2], threaded };
    let mut layers = Layers::default();
    let mut best: Option<freiraum_deform::layers::Milliseconds> = None;
    for _ in 0..300 {
        let answer = layers.self_collision(surface, &view).expect("a stack has layers");
        assert_eq!(answer.max_overlap as usize, planes / 2);
        if best.is_none_or(|b| layers.milliseconds.total() < b.total()) {
            best = Some(layers.milliseconds);
        }
    }
    println!("{} vertices, {} faces: {:.3?}", points.len(), faces.len(), best);
    println!("total {:.3} ms", best.map_or(0.0, |b| b.total()));
}
