//! Pictures: what is seen, how far, and in which color.

use super::*;
use freiraum_world::sensors::depth::{Models, Rasteriser};
use freiraum_world::sensors::{Camera, Light, Mask};

#[test]
fn a_picture_shows_bodies_with_depth_and_light() {
    // Left a red box, right a green ball, the ground below, sky above.
    let around = surroundings([
        (at(5.5, 2.0, 1.0), cuboid(Vec3::new(1.0, 2.0, 2.0))),
        (at(6.0, -2.0, 1.0), ball(1.0)),
        (Pose::IDENTITY, ground()),
    ]);
    let models = Models::of_things(around.things(), 0.001).unwrap();
    let camera = Camera::new([160, 120], 1.2, 40.0).unwrap();
    let sensor = at(0.0, 0.0, 1.0);
    let colors = [[200, 0, 0], [0, 200, 0], [100, 100, 100]];
    let light = Light { from: Vec3::new(0.0, 0.0, 3.0), ambient: 0.25, background: [1, 2, 3] };
    let take = |mask: &Mask| {
        let color = |body: u32| colors[body as usize];
        camera.take(&mut Rasteriser::default(), &around, &models, mask, &sensor, &light, color).unwrap()
    };
    let picture = take(&Mask::EVERYTHING);
    assert_eq!((picture.size, picture.colors.len()), ([160, 120], 160 * 120));
    let view = camera.view(&sensor);
    // The pixel nearest to a point of the world.
    let pixel = |point: Vec3| {
        let seen = point - sensor.translation();
        let column = ((view.first[0] - seen.y / seen.x) / view.pitch[0]).round() as usize;
        let row = ((view.first[1] - seen.z / seen.x) / view.pitch[1]).round() as usize;
        row * 160 + column
    };
    let on_box = pixel(Vec3::new(5.0, 2.0, 1.0));
    // The front of the box gets no light from above: ambient only.
    assert_eq!(
        (picture.bodies[on_box], picture.depth[on_box], picture.colors[on_box]),
        (Some(0), 5.0, [50, 0, 0])
    );
    let on_ball = pixel(Vec3::new(6.0, -2.0, 1.0));
    assert_eq!(picture.bodies[on_ball], Some(1));
    assert!(picture.depth[on_ball] > 5.0 && picture.depth[on_ball] < 5.1);
    let on_ground = pixel(Vec3::new(4.0, 0.0, 0.0));
    assert_eq!((picture.bodies[on_ground], picture.colors[on_ground]), (Some(2), [100, 100, 100]));
    assert!((picture.depth[on_ground] - 4.0).abs() < 0.1);
    let sky = pixel(Vec3::new(6.0, 0.0, 3.0));
    assert_eq!(
        (picture.bodies[sky], picture.depth[sky], picture.colors[sky]),
        (None, f32::INFINITY, [1, 2, 3])
    );
    // The ground ends where it is 40 m away along the axis.
    let ends = picture.depth.iter().copied().filter(|d| d.is_finite()).fold(0.0, f32::max);
    assert!(ends <= 40.0 && ends > 30.0, "{ends}");
    // Behind a hidden box there is the ground.
    let without = take(&Mask::hiding([0]));
    assert!(without.bodies.iter().all(|b| *b != Some(0)));
    // The same again is the same again.
    assert_eq!(picture, take(&Mask::EVERYTHING));
    assert!(Camera::new([0, 4], 1.0, 5.0).is_err() && Camera::new([4, 4], 4.0, 5.0).is_err());
    assert!(Camera::new([4, 4], 1.0, 0.0).is_err() && Camera::new([4, 4], 1.0, f64::NAN).is_err());
}
