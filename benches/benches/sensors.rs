//! Sensors in a city of 52 houses, 13 balls, 13 cylinders and a ground slab: laser scans of 160 x 120 beams from 20 places by rays and by
//! depth pictures, cameras, ultrasonic cones, light barriers.
//!
//! `ROUNDS` in the environment is the number of rounds, 7 if it is not set.

use freiraum_benches::city::{City, place_outside};
use freiraum_benches::{Goal, contender, is_quick, side_by_side};
use freiraum_geometry::{Pose, Quat, Vec3};
use freiraum_testkit::random::Random;
use freiraum_world::sensors::depth::{DepthScanner, Models, Rasteriser};
use freiraum_world::sensors::{
    BeamSet, Camera, LaserRow, Light, Mask, Scan, Surroundings, Thing, is_broken, scan_rays, ultrasonic,
};
use std::f64::consts::TAU;

const RAYS: Goal = Goal::faster("million rays per second and core in the city", 10.0);

/// How far triangles may be off, in metres.
const DEVIATION: f64 = 0.005;

fn main() {
    let rounds =
        std::env::var("ROUNDS").ok().and_then(|r| r.parse().ok()).unwrap_or(if is_quick() { 3 } else { 7 });
    let mut random = Random::new(1052);
    let City { items, side } = City::new(52, &mut random);
    let places: Vec<Pose> = (0..20)
        .map(|_| {
            let turn = Quat::from_rotation_z(random.range(0.0, TAU));
            Pose::new(turn, place_outside(&items, side, &mut random)).expect("a good pose")
        })
        .collect();
    let things: Vec<Thing> = items
        .into_iter()
        .zip(0..)
        .map(|((world_from_thing, shape), body)| Thing { body, world_from_thing, shape })
        .collect();
    let around = Surroundings::new(things);
    let models = Models::of_things(around.things(), DEVIATION).expect("few triangles");
    lasers(&around, &models, &places, rounds);
    others(&around, &models, &places, rounds);
    freiraum_benches::pictures::run(rounds);
}

fn digest(scan: &Scan, sum: &mut (usize, f64)) {
    for range in scan.ranges.iter().filter(|r| r.is_finite()) {
        sum.0 += 1;
        sum.1 += range;
    }
}

fn lasers(around: &Surroundings, models: &Models, places: &[Pose], rounds: usize) {
    let rows: Vec<LaserRow> = (0..120)
        .map(|k| LaserRow {
            elevation: (f64::from(k) / 119.0 * 80.0 - 40.0).to_radians(),
            ..LaserRow::default()
        })
        .collect();
    let turning = BeamSet::rows(&rows, 160, TAU).expect("good beams");
    let grid = BeamSet::grid([160, 120], [60f64.to_radians(), 45f64.to_radians()]).expect("good beams");
    for (title, beams, pixel) in [("all around", &turning, 0.01), ("60 x 45 degrees", &grid, 1.0)] {
        let mut by_depth = DepthScanner::new(Rasteriser::default(), beams, pixel).expect("a good scanner");
        let mut scan = Scan::default();
        let mut second = Scan::default();
        let mask = Mask::hiding([0, 1]);
        let by_rays = |mask: &Mask, scan: &mut Scan| {
            let mut sum = (0, 0.0);
            for place in places {
                scan_rays(around, beams, f64::INFINITY, mask, place, scan).expect("good places");
                digest(scan, &mut sum);
            }
            format!(
                "{} of {} hit, mean range {:.6}",
                sum.0,
                places.len() * scan.ranges.len(),
                sum.1 / sum.0 as f64
            )
        };
        let mut third = Scan::default();
        let contenders = vec![
            contender("rays", || by_rays(&Mask::EVERYTHING, &mut scan)),
            contender("rays, two houses hidden", || by_rays(&mask, &mut second)),
            contender("depth pictures", || {
                let mut sum = (0, 0.0);
                for place in places {
                    let all = &Mask::EVERYTHING;
                    by_depth
                        .scan(around, models, f64::INFINITY, all, place, &mut third)
                        .expect("good places");
                    digest(&third, &mut sum);
                }
                format!(
                    "{} of {} hit, mean range {:.6}",
                    sum.0,
                    places.len() * third.ranges.len(),
                    sum.1 / sum.0 as f64
                )
            }),
        ];
        let title = format!("laser scans of 160 x 120 beams, {title}, 20 places");
        let medians = side_by_side(&title, rounds, contenders);
        let count = (places.len() * beams.beams().len()) as f64;
        RAYS.judge(&title, "million rays per second", count / medians[0].as_secs_f64() / 1e6);
    }
}

fn others(around: &Surroundings, models: &Models, places: &[Pose], rounds: usize) {
    let all = &Mask::EVERYTHING;
    let camera = Camera::new([320, 240], 1.0, 200.0).expect("a good camera");
    let mut moving = around.clone();
    let contenders = vec![
        contender("20 pictures of 320 x 240", || {
            let seen = places.iter().map(|place| {
                let color = |body: u32| [body as u8; 3];
                let light = Light::default();
                let picture =
                    camera.take(&mut Rasteriser::default(), around, models, all, place, &light, color);
                picture.expect("good places").bodies.iter().flatten().count()
            });
            format!("{} pixels show something", seen.sum::<usize>())
        }),
        contender("20 ultrasonic cones of 30 degrees", || {
            let found =
                places.iter().map(|p| ultrasonic(around, models, 0.26, 20.0, all, p).expect("good").distance);
            format!("{:.6} m together", found.filter(|d| d.is_finite()).sum::<f64>())
        }),
        contender("20 light barriers", || {
            let broken = places.iter().filter(|p| is_broken(around, 20.0, all, p).expect("good"));
            format!("{} broken", broken.count())
        }),
        contender("20 times 8 of 79 bodies moved", || {
            for step in 0..20 {
                let shift = Pose::from_translation(Vec3::new(0.01 * f64::from(step), 0.0, 0.0));
                moving.place(|thing| (thing < 8).then(|| shift * around.things()[thing].world_from_thing));
            }
            String::new()
        }),
    ];
    side_by_side("other sensors in the city", rounds, contenders);
}
