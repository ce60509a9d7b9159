//! The renderer on a graphics processor: against rays, closed forms and the renderer in software.
//!
//! On a processor in software unless `FREIRAUM_GPU` says `hardware`; where there is none, tests say so and do nothing; with
//! `FREIRAUM_REQUIRE_GPU`, as in CI, they fail.

use super::depth as by_depth;
use super::*;
use freiraum_gpu::{Choice, Gpu};
use freiraum_query::ray::Ray;
use freiraum_testkit::scale;
use freiraum_testkit::skip::{Need, skipped};
use freiraum_world::sensors::depth::{
    DepthPicture, DepthRenderer, DepthScanner, Drawn, GpuRenderer, Model, Models, NOTHING, Rasteriser,
    Renderer, Shot, View,
};
use freiraum_world::sensors::{BeamSet, Camera, Light, Mask, Scan, scan_rays};
use std::sync::OnceLock;

fn gpu() -> Option<Gpu> {
    let choice = std::env::var("FREIRAUM_GPU").map_or(Choice::Software, |c| c.parse().unwrap());
    match Gpu::open(choice) {
        Ok(gpu) => Some(gpu),
        Err(error) => {
            skipped(Need::Gpu, error);
            None
        }
    }
}

/// The same for all tests, as the drivers take a while.
fn renderer() -> Option<GpuRenderer> {
    static ONE: OnceLock<Option<GpuRenderer>> = OnceLock::new();
    ONE.get_or_init(|| gpu().map(|gpu| GpuRenderer::new(&gpu).unwrap())).clone()
}

/// Runs a test, and makes sure that the processor did it.
fn with_renderer(test: impl FnOnce(&GpuRenderer)) {
    if let Some(renderer) = renderer() {
        test(&renderer);
        assert_eq!(renderer.failure(), None);
    }
}

#[test]
fn keeps_to_the_bound_in_random_scenes() {
    with_renderer(by_depth::random_scenes);
}

#[test]
fn keeps_to_the_bound_on_flat_surfaces() {
    with_renderer(by_depth::flat_surfaces);
}

#[test]
fn has_clean_step_edges() {
    with_renderer(by_depth::step_edges);
}

#[test]
fn has_no_gaps() {
    with_renderer(by_depth::closed_surfaces);
}

#[test]
fn measures_zero_in_solids() {
    with_renderer(by_depth::inside_of_a_solid);
}

fn view(random: &mut Random, place: Vec3, size: [u32; 2]) -> View {
    let world_from_eye = Pose::new(random.rotation(), place).unwrap();
    Camera::new(size, random.range(0.3, 2.0), 1000.0).unwrap().view(&world_from_eye)
}

fn drawn<'m>(items: &[(Pose, Shape)], models: &'m [Model]) -> Vec<Drawn<'m>> {
    let placed = items.iter().zip(models).zip(0..);
    placed.map(|(((pose, _), model), mark)| Drawn { model, world_from_thing: *pose, mark }).collect()
}

fn models(items: &[(Pose, Shape)], deviation: f64) -> Vec<Model> {
    items.iter().map(|(_, shape)| Model::of_shape(shape, deviation).unwrap()).collect()
}

fn picture(renderer: &mut impl DepthRenderer, view: &View, drawn: &[Drawn<'_>]) -> DepthPicture {
    let mut picture = DepthPicture { wants_normals: true, ..DepthPicture::default() };
    renderer.render(view, drawn, &mut picture);
    picture
}

/// Boxes and half spaces only: their triangles are the true surfaces, and nothing but the arithmetic of the processor is left.
fn exact_scene(random: &mut Random) -> Vec<(Pose, Shape)> {
    let mut items = by_depth::scene(random);
    items.retain(|(_, shape)| matches!(shape, Shape::Cuboid(_) | Shape::HalfSpace(_)));
    // Plates and rods, thin and long: with triangles like needles.
    for k in 0..9 {
        let thin = |random: &mut Random| random.range(0.002, 0.05);
        let size = match k % 3 {
            0 => Vec3::new(random.range(0.02, 2.0), random.range(0.02, 2.0), random.range(0.02, 2.0)),
            1 => Vec3::new(random.range(1.0, 9.0), random.range(1.0, 9.0), thin(random)),
            _ => Vec3::new(random.range(5.0, 30.0), thin(random), thin(random)),
        };
        items.push((pose(random, 6.0), cuboid(size)));
    }
    items
}

/// A place next to an edge of a box, and in none.
fn place_at_an_edge(random: &mut Random, items: &[(Pose, Shape)]) -> Vec3 {
    loop {
        let (pose, shape) = &items[random.below(items.len())];
        let Shape::Cuboid(cuboid) = shape else { continue };
        let half = 0.5 * cuboid.size();
        let mut at = half * Vec3::from([0, 1, 2].map(|_| if random.below(2) == 0 { 1.0 } else { -1.0 }));
        at[random.below(3)] *= random.range(-1.5, 1.5);
        let off = 10f64.powf(random.range(-5.0, -1.0));
        let place = pose.transform_point(at + random.in_cube(off));
        let is_in = |(pose, shape): &(Pose, Shape)| {
            shape.contains(pose.inverse().transform_point(place)) == Some(true)
        };
        if !items.iter().any(is_in) {
            return place;
        }
    }
}

#[test]
fn every_pixel_of_boxes_is_right_to_rounding() {
    with_renderer(|renderer| {
        let mut random = Random::new(4);
        let (mut pixels, mut agreeing) = (0, 0);
        for case in 0..scale::cases(60) {
            let solids = exact_scene(&mut random);
            let items = if case % 2 == 0 { solids.clone() } else { by_depth::as_meshes(&solids) };
            let models = models(&items, 1.0);
            let drawn = drawn(&items, &models);
            let place = match case % 3 {
                0 => by_depth::free_place(&mut random, &solids),
                _ => place_at_an_edge(&mut random, &solids),
            };
            let view = view(&mut random, place, [80, 60]);
            let found = picture(&mut renderer.clone(), &view, &drawn);
            let in_software = picture(&mut Rasteriser::default(), &view, &drawn);
            let accuracy = renderer.accuracy();
            // The slab of the scene is the largest.
            let radius = 0.5 * Vec3::new(60.0, 60.0, 1.0).length();
            for row in 0..view.size[1] {
                for column in 0..view.size[0] {
                    let at = (row * view.size[0] + column) as usize;
                    let line = view.pixel(column, row);
                    let length = line.length();
                    let r = f64::from(found.depth[at]) * length;
                    let direction = view.world_from_eye.rotate(line / length);
                    let ray = Ray::new(view.world_from_eye.translation(), direction, f64::INFINITY).unwrap();
                    let h = accuracy.of_size * radius + accuracy.of_distance * r.min(2000.0);
                    let all = &Mask::EVERYTHING;
                    let low = by_depth::range_in(&solids, all, &ray, h);
                    let high = by_depth::range_in(&solids, all, &ray, -h);
                    let is_seen = found.marks[at] != NOTHING;
                    assert!(is_seen == r.is_finite());
                    assert!(
                        low <= r && (r <= high || high > 999.0),
                        "case {case} pixel {column} {row}: {low} {r} {high}"
                    );
                    // On a surface, to rounding, either may see it or not.
                    if case % 3 == 0 {
                        pixels += 1;
                        agreeing += usize::from(found.marks[at] == in_software.marks[at]);
                    }
                    // The same face, but at edges.
                    let same =
                        (0..3).all(|k| (found.normals[at][k] - in_software.normals[at][k]).abs() < 1e-6);
                    if case % 3 == 0 && !same {
                        assert!(low + 50.0 * h < high || is_edge(&in_software, &view, column, row));
                    }
                }
            }
        }
        assert!(agreeing > pixels - pixels / 1000, "{agreeing} of {pixels}");
    });
}

/// True if a neighbour of a pixel shows another face.
fn is_edge(picture: &DepthPicture, view: &View, column: u32, row: u32) -> bool {
    let normal = |c: u32, r: u32| picture.normals[(r * view.size[0] + c) as usize];
    let columns = column.saturating_sub(1)..(column + 2).min(view.size[0]);
    let mut around =
        columns.flat_map(|c| (row.saturating_sub(1)..(row + 2).min(view.size[1])).map(move |r| (c, r)));
    around.any(|(c, r)| normal(c, r) != normal(column, row))
}

#[test]
fn closed_forms() {
    with_renderer(|renderer| {
        let deviation = 1e-4;
        let ahead = Pose::IDENTITY;
        let tilted =
            Pose::new(Quat::from_rotation_x(std::f64::consts::FRAC_PI_2), Vec3::new(5.0, 0.0, 0.0)).unwrap();
        // The range along (1, y, z) / length, where there is one away from the edge.
        type Range = fn(Vec3) -> Option<f64>;
        let sphere: Range = |d| {
            let (b, c) = (5.0 * d.x, 24.0);
            (b * b > c + 0.1).then(|| b - (b * b - c).sqrt())
        };
        let cylinder: Range = |d| {
            // About y through (5, 0, 0), radius 1, from y = -2 to 2.
            let (a, b) = (d.x * d.x + d.z * d.z, 5.0 * d.x);
            let under = b * b - a * 24.0;
            let t = (b - under.max(0.0).sqrt()) / a;
            (under > 0.1 && (t * d.y).abs() < 1.9).then_some(t)
        };
        let front: Range = |d| {
            let t = 4.0 / d.x;
            ((t * d.y).abs() < 0.99 && (t * d.z).abs() < 0.99).then_some(t)
        };
        let floor: Range = |d| (d.z < -0.02).then(|| 1.5 / -d.z);
        let below = Shape::HalfSpace(HalfSpace::new(Vec3::Z, -1.5).unwrap());
        // With the smallest sine of the angle between beam and surface.
        let cases: [(Pose, Shape, Range, f64); 4] = [
            (at(5.0, 0.0, 0.0), ball(1.0), sphere, 0.3),
            (tilted, cylinder_shape(), cylinder, 0.2),
            (at(5.0, 0.0, 0.0), cuboid(Vec3::splat(2.0)), front, 0.5),
            (ahead, below, floor, 0.02),
        ];
        for (pose, shape, range, sine) in cases {
            let around = surroundings([(pose, shape)]);
            let models = Models::of_things(around.things(), deviation).unwrap();
            let beams = BeamSet::grid([91, 61], [1.2, 0.9]).unwrap();
            let mut scanner = DepthScanner::new(renderer.clone(), &beams, 0.1).unwrap();
            let (mut found, mut by_rays) = (Scan::default(), Scan::default());
            scanner.scan(&around, &models, 100.0, &Mask::EVERYTHING, &ahead, &mut found).unwrap();
            scan_rays(&around, &beams, 100.0, &Mask::EVERYTHING, &ahead, &mut by_rays).unwrap();
            let mut count = 0;
            for ((beam, r), by_ray) in beams.beams().iter().zip(&found.ranges).zip(&by_rays.ranges) {
                if let Some(expected) = range(beam.direction) {
                    assert!((by_ray - expected).abs() < 1e-9);
                    let h = scanner.bound(&models).around(expected);
                    assert!((r - expected).abs() <= h / sine, "{r} {expected}");
                    count += 1;
                }
            }
            assert!(count > 200, "{count}");
        }
    });
}

fn cylinder_shape() -> Shape {
    cylinder(1.0, 4.0)
}

#[test]
fn all_shots_at_once_are_those_one_by_one_and_again() {
    with_renderer(|renderer| {
        let mut random = Random::new(8);
        let items = by_depth::scene(&mut random);
        let models = models(&items, 0.01);
        let all = drawn(&items, &models);
        // Each view sees other things; some see nothing; some have no pixels; some are larger than a target.
        let sizes = [[64, 48], [1, 1], [7, 300], [0, 5], [2500, 3], [3, 2100], [160, 120], [33, 33]];
        let views: Vec<View> =
            sizes.iter().map(|size| view(&mut random, Vec3::ZERO, [size[0].max(1), size[1]])).collect();
        let views: Vec<View> = views.into_iter().zip(sizes).map(|(v, size)| View { size, ..v }).collect();
        let parts: Vec<Vec<Drawn<'_>>> =
            (0..views.len()).map(|k| all.iter().copied().skip(3 * k).collect()).collect();
        let mut pictures = vec![DepthPicture { wants_normals: true, ..DepthPicture::default() }; views.len()];
        for _ in 0..2 {
            let shots = views.iter().zip(&parts).zip(&mut pictures);
            let mut shots: Vec<Shot<'_>> =
                shots.map(|((view, drawn), picture)| Shot { view: *view, drawn, picture }).collect();
            renderer.clone().render_all(&mut shots);
            for ((view, part), together) in views.iter().zip(&parts).zip(&pictures) {
                assert!(*together == picture(&mut renderer.clone(), view, part), "{view:?}");
                assert_eq!(together.depth.len(), (view.size[0] * view.size[1]) as usize);
                let in_software = picture(&mut Rasteriser::default(), view, part);
                let other = together.marks.iter().zip(&in_software.marks).filter(|(a, b)| a != b).count();
                assert!(other <= together.marks.len() / 500, "{other}");
            }
        }
        let none = DepthPicture::default();
        let mut empty = none.clone();
        renderer.clone().render(&views[0], &[], &mut empty);
        assert!(empty.marks.len() == 64 * 48 && empty.marks.iter().all(|m| *m == NOTHING));
        assert!(empty.depth.iter().all(|d| *d == f32::INFINITY));
    });
}

#[test]
fn cameras_take_the_same_pictures() {
    with_renderer(|renderer| {
        let mut random = Random::new(31);
        let items = by_depth::scene(&mut random);
        let around = surroundings(items.iter().cloned());
        let models = Models::of_things(around.things(), 0.01).unwrap();
        let camera = Camera::new([96, 72], 1.2, 100.0).unwrap();
        for case in 0..10 {
            let mask = if case % 2 == 0 { Mask::EVERYTHING } else { Mask::hiding([1, 2, 14, 15]) };
            let place = by_depth::free_place(&mut random, &items);
            let place = upright(&mut random, place);
            let take = |mut renderer: Renderer| {
                let color = |body: u32| [body as u8 * 13, 255 - body as u8, 128];
                camera.take(&mut renderer, &around, &models, &mask, &place, &Light::default(), color).unwrap()
            };
            let found = take(Renderer::Gpu(renderer.clone()));
            let in_software = take(Renderer::default());
            assert!(found.bodies.iter().flatten().all(|b| mask.sees(*b)));
            let other = found.colors.iter().zip(&in_software.colors).filter(|(a, b)| a != b).count();
            assert!(other < found.colors.len() / 200, "{other}");
        }
    });
}

#[test]
fn many_bodies_and_many_triangles() {
    with_renderer(|renderer| {
        let mut random = Random::new(77);
        // 3000 bodies of 5 models, and one mesh of many triangles.
        let kinds = [cuboid(Vec3::splat(0.3)), ball(0.2), cylinder(0.1, 0.5), capsule(0.1, 0.3), ball(0.05)];
        let kinds: Vec<Model> = kinds.iter().map(|s| Model::of_shape(s, 0.01).unwrap()).collect();
        let fine = Model::of_shape(&Shape::Mesh(ball(30.0).tessellate(0.002).unwrap().into()), 1.0).unwrap();
        assert!(fine.triangle_count() > 50_000);
        let poses: Vec<Pose> = (0..3000).map(|_| pose(&mut random, 20.0)).collect();
        let mut drawn: Vec<Drawn<'_>> = poses
            .iter()
            .zip(0..)
            .map(|(pose, mark)| Drawn { model: &kinds[mark as usize % 5], world_from_thing: *pose, mark })
            .collect();
        drawn.push(Drawn { model: &fine, world_from_thing: Pose::IDENTITY, mark: 3000 });
        let view = view(&mut random, Vec3::new(0.1, 0.2, 0.3), [200, 150]);
        let found = picture(&mut renderer.clone(), &view, &drawn);
        let in_software = picture(&mut Rasteriser::default(), &view, &drawn);
        assert!(found.marks.iter().all(|m| *m != NOTHING), "the ball is closed");
        let mut other = 0;
        for at in 0..found.marks.len() {
            if found.marks[at] == in_software.marks[at] {
                assert!((found.depth[at] - in_software.depth[at]).abs() < 0.05);
            } else {
                other += 1;
            }
        }
        assert!(other < found.marks.len() / 500, "{other}");
        // Models come and go.
        for k in 0..5 {
            let model = Model::of_shape(&ball(1.0 + f64::from(k)), 0.0005).unwrap();
            let drawn = [Drawn { model: &model, world_from_thing: at(10.0, 0.0, 0.0), mark: 5 }];
            let view = Camera::new([9, 9], 0.1, 100.0).unwrap().view(&Pose::IDENTITY);
            let seen = picture(&mut renderer.clone(), &view, &drawn);
            assert!((seen.depth[40] - 9.0 + k as f32).abs() < 1e-3);
        }
    });
}

#[test]
fn far_from_the_origin_and_at_any_scale() {
    with_renderer(|renderer| {
        let mut random = Random::new(12);
        for scale in [1e-45, 1e-12, 1e-6, 1e-3, 1e3, 1e9, 1e20, 1e45] {
            for shift in [0.0, 1e6 * scale] {
                let origin = random.in_cube(shift);
                let size = Vec3::new(1.0, 2.0, 3.0) * scale;
                let box_at = Pose::new(random.rotation(), origin + Vec3::new(6.0, 0.0, 0.0) * scale).unwrap();
                let items = [(box_at, cuboid(size))];
                let models = models(&items, 0.01 * scale);
                let camera = Camera::new([50, 40], 0.8, 1e48).unwrap();
                let view = camera.view(&Pose::from_translation(origin));
                let drawn = drawn(&items, &models);
                let found = picture(&mut renderer.clone(), &view, &drawn);
                let in_software = picture(&mut Rasteriser::default(), &view, &drawn);
                let mut same = 0;
                for (a, b) in found.depth.iter().zip(&in_software.depth) {
                    same += usize::from(a == b || (a - b).abs() <= 1e-4 * scale as f32);
                }
                assert!(same >= found.depth.len() - 6, "{scale} {shift}: {same}");
            }
        }
    });
}

#[test]
fn sensors_in_the_plane_of_a_face_and_along_edges() {
    with_renderer(|renderer| {
        // Everything on round numbers: the eye is in planes of faces and on lines of edges, pixels run along them.
        let table = [
            (at(5.0, 0.0, -0.5), cuboid(Vec3::new(2.0, 2.0, 1.0))),
            (at(20.5, 0.0, 0.0), cuboid(Vec3::new(1.0, 60.0, 60.0))),
        ];
        for items in [table.to_vec(), by_depth::as_meshes(&table)] {
            let models = models(&items, 1.0);
            let drawn = drawn(&items, &models);
            for y in [0.0, 1.0, -1.0, 0.5] {
                let camera = Camera::new([101, 101], 1.0, 100.0).unwrap();
                let view = camera.view(&at(0.0, y, 0.0));
                let found = picture(&mut renderer.clone(), &view, &drawn);
                for (k, (depth, mark)) in found.depth.iter().zip(&found.marks).enumerate() {
                    let is_front = (depth - 4.0).abs() < 1e-3 && *mark == 0;
                    // The level row may see the far end of the table's top.
                    let is_top = k / 101 == 50 && *mark == 0 && (3.999..6.001).contains(depth);
                    assert!(
                        is_front || is_top || ((depth - 20.0).abs() < 1e-3 && *mark == 1),
                        "{depth} {mark}"
                    );
                }
                assert!(found.marks.iter().filter(|m| **m == 0).count() > 500);
            }
        }
    });
}

#[test]
fn a_lost_processor_is_told_and_pictures_go_on() {
    let Some(gpu) = gpu() else { return };
    let mut renderer = GpuRenderer::new(&gpu).unwrap();
    let mut random = Random::new(3);
    let items = by_depth::scene(&mut random);
    let models = models(&items, 0.01);
    let drawn = drawn(&items, &models);
    let view = view(&mut random, Vec3::ZERO, [40, 30]);
    let before = picture(&mut renderer, &view, &drawn);
    assert_eq!((renderer.failure(), gpu.check()), (None, Ok(())));
    gpu.device().destroy();
    let after = picture(&mut renderer, &view, &drawn);
    assert!(renderer.failure().is_some());
    assert_eq!(after, picture(&mut Rasteriser::default(), &view, &drawn));
    let other = before.marks.iter().zip(&after.marks).filter(|(a, b)| a != b).count();
    assert!(other <= 2, "{other}");
    assert!(gpu.check().is_err() && GpuRenderer::new(&gpu).is_err());
}
