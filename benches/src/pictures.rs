//! Depth pictures in software and on a graphics processor, by the wall clock.

use crate::city::{City, place_outside};
use crate::{is_quick, self_timed, side_by_side};
use freiraum_geometry::shape::{Shape, Sphere};
use freiraum_geometry::{Pose, Quat, Vec3};
use freiraum_gpu::Choice;
use freiraum_testkit::random::Random;
use freiraum_world::sensors::Camera;
use freiraum_world::sensors::depth::{
    DepthPicture, DepthRenderer, Drawn, GpuRenderer, Model, NOTHING, Rasteriser, Renderer, Shot, View,
};
use std::f64::consts::TAU;
use std::time::Instant;

/// How far triangles may be off, in metres.
const DEVIATION: f64 = 0.005;

/// Pictures of cities and of a fine mesh, one at a time and many at once.
#[expect(clippy::print_stdout, reason = "a bench prints its table")]
pub fn run(rounds: usize) {
    let choice = std::env::var("FREIRAUM_GPU").ok().and_then(|c| c.parse().ok()).unwrap_or(Choice::Auto);
    let start = Instant::now();
    let gpu = match GpuRenderer::open(choice) {
        Ok(gpu) => gpu,
        Err(error) => {
            println!("\ndepth pictures on a graphics processor: SKIPPED, {error}");
            return;
        }
    };
    println!("\ngraphics processor: {}, open after {:.0?}", gpu.name(), start.elapsed());
    if gpu.is_software() {
        println!("  it is a program on this very processor");
    }
    let mut random = Random::new(1052);
    for houses in [52, 1000] {
        let City { items, side } = City::new(houses, &mut random);
        let title = format!("city of {houses} houses");
        scene(&title, &items, side, &gpu, &mut random, rounds);
    }
    let (radius, deviation) = (8.0, if is_quick() { 1e-3 } else { 2e-5 });
    let mesh = Shape::Sphere(Sphere::new(radius).expect("a good ball"))
        .tessellate(deviation)
        .expect("not too many triangles");
    let title = format!("mesh of {} triangles", mesh.faces().len());
    let ball = (Pose::from_translation(Vec3::new(0.0, 0.0, -9.0)), Shape::Mesh(mesh.into()));
    scene(&title, &[ball], 20.0, &gpu, &mut random, rounds);
    if let Some(failure) = gpu.failure() {
        println!("\nthe graphics processor failed: {failure}");
    }
}

fn scene(
    title: &str,
    items: &[(Pose, Shape)],
    side: f64,
    gpu: &GpuRenderer,
    random: &mut Random,
    rounds: usize,
) {
    let models: Vec<Model> =
        items.iter().map(|(_, shape)| Model::of_shape(shape, DEVIATION).expect("few triangles")).collect();
    let drawn: Vec<Drawn<'_>> = items
        .iter()
        .zip(&models)
        .zip(0..)
        .map(|(((pose, _), model), mark)| Drawn { model, world_from_thing: *pose, mark })
        .collect();
    let sizes: &[([u32; 2], usize)] = if is_quick() {
        &[([160, 120], 8), ([640, 480], 1)]
    } else {
        &[
            ([160, 120], 1),
            ([160, 120], 8),
            ([160, 120], 64),
            ([640, 480], 1),
            ([640, 480], 8),
            ([1920, 1080], 1),
        ]
    };
    for (size, count) in sizes {
        let camera = Camera::new(*size, 1.05, 200.0).expect("a good camera");
        let views: Vec<View> = (0..*count)
            .map(|_| {
                let down = Quat::from_rotation_z(random.range(0.0, TAU)) * Quat::from_rotation_y(0.2);
                let place = Pose::new(down, place_outside(items, side, random)).expect("a good pose");
                camera.view(&place)
            })
            .collect();
        let of = |name: &'static str, renderer: Renderer| {
            let mut renderer = renderer;
            let mut pictures = vec![DepthPicture::default(); views.len()];
            let (views, drawn) = (&views, &drawn);
            // Models are sent and memory is taken before the clock starts, as in a world that goes on.
            take(&mut renderer, views, drawn, &mut pictures);
            self_timed(name, move || {
                let start = Instant::now();
                take(&mut renderer, views, drawn, &mut pictures);
                let time = start.elapsed();
                (
                    time,
                    format!(
                        "{:.0} pictures per second; {}",
                        views.len() as f64 / time.as_secs_f64(),
                        digest(&pictures)
                    ),
                )
            })
        };
        let contenders = vec![
            of("software, one core", Renderer::Software(Rasteriser::default())),
            of("graphics processor", Renderer::Gpu(gpu.clone())),
        ];
        let at_once =
            if *count == 1 { "one picture".to_owned() } else { format!("{count} pictures at once") };
        side_by_side(&format!("{title}: {at_once} of {} x {}", size[0], size[1]), rounds, contenders);
    }
}

fn take(renderer: &mut Renderer, views: &[View], drawn: &[Drawn<'_>], pictures: &mut [DepthPicture]) {
    let shots = views.iter().zip(pictures);
    let mut shots: Vec<Shot<'_>> =
        shots.map(|(view, picture)| Shot { view: *view, drawn, picture }).collect();
    renderer.render_all(&mut shots);
}

fn digest(pictures: &[DepthPicture]) -> String {
    let (mut seen, mut sum) = (0usize, 0.0);
    for picture in pictures {
        for (depth, _) in picture.depth.iter().zip(&picture.marks).filter(|(_, m)| **m != NOTHING) {
            seen += 1;
            sum += f64::from(*depth);
        }
    }
    format!("{seen} pixels see something, mean depth {:.5}", sum / seen as f64)
}
