//! A pin of 10 mm that ends d deep in a block, without an allowance, was free up to 0.0002 mm at the origin, 0.06 mm at 10 m, 3.9 mm at 500 m, and
//! over 5 mm at 1 km, or with a floor of 50 m as part of the block: the verdict has to be the same wherever the scene stands, and whatever else there is.

use freiraum_assets::ShapeCache;
use freiraum_check::{CheckMemory, CheckOptions, Timeline, check};
use freiraum_formats::scene::SceneFile;
use freiraum_geometry::Vec3 as DVec3;
use freiraum_testkit::encounter::Encounter;
use freiraum_testkit::models::prism;
use freiraum_testkit::puzzles::block;
use freiraum_testkit::random::Random;
use freiraum_testkit::solid::Solid;
use freiraum_testkit::way::{Place, Way};
use std::f64::consts::TAU;
use std::path::Path;

/// Offsets of the scene, in metres.
const OFFSETS: [f64; 5] = [0.0, 10.0, 500.0, 1e3, 1e6];

/// Depths at which the pin ends, in metres.
const DEPTHS: [f64; 12] = [1e-9, 1e-8, 5e-8, 2.5e-7, 1e-6, 1e-5, 6.5e-5, 1e-4, 3e-4, 1e-3, 3.9e-3, 5e-3];

fn verdict(scene: &str) -> String {
    let file =
        SceneFile::parse(scene, Path::new("."), "scene.toml").unwrap_or_else(|e| panic!("{e:?}\n{scene}"));
    let timeline = Timeline::of(file.scene()).unwrap();
    let parts = ShapeCache::of(file.scene());
    let found = check(file.scene(), &timeline, &parts, &CheckMemory::default(), &CheckOptions::default());
    found.unwrap_or_else(|e| panic!("{e:?}\n{scene}")).verdict.name().to_owned()
}

/// All kinds, about the origin, as wide as `radius` and as high as `height`, where they are not balls.
fn kinds(radius: f64, height: f64) -> Vec<Solid> {
    let outline: Vec<(f64, f64)> = (0..12)
        .map(|k| TAU * f64::from(k) / 12.0)
        .map(|angle| (radius * angle.cos(), radius * angle.sin()))
        .collect();
    let (mut vertices, faces) = prism(&outline, height);
    vertices.iter_mut().for_each(|p| p.z -= 0.5 * height);
    let half = [radius, radius, 0.5 * height];
    vec![
        Solid::Cylinder { radius, height },
        Solid::Cone { radius, height },
        Solid::Sphere { radius },
        Solid::Box { size: DVec3::new(2.0 * radius, 2.0 * radius, height) },
        Solid::Capsule { radius, height },
        Solid::Convex((vertices, faces)),
        Solid::mesh(block(half.map(|x| -x), half)),
    ]
}

/// The pin 20 mm above the block, which is below z = 0, comes down until it is `depth` deep in it.
fn insertion(pin: &Solid, anvil: &Solid, depth: f64) -> Encounter {
    insertion_from(pin, anvil, 0.02, depth)
}

/// The same from `gap` above the block.
fn insertion_from(pin: &Solid, anvil: &Solid, gap: f64, depth: f64) -> Encounter {
    let below = |solid: &Solid| solid.farthest(-DVec3::Z).z;
    let above = |solid: &Solid| solid.farthest(DVec3::Z).z;
    Encounter {
        bodies: [pin.clone(), anvil.clone()],
        places: [Place::at((gap - below(pin)) * DVec3::Z), Place::at(-above(anvil) * DVec3::Z)],
        ways: [Way::Translate((-gap - depth) * DVec3::Z), Way::Still],
    }
}

/// What has to be said, if it is beyond doubt.
fn expected(case: &Encounter) -> Option<&'static str> {
    let end = case.common(1.0, 400);
    // Resting bodies lose half of the allowance each.
    let beyond = end.depth - 0.5 * case.resting(end.piece) - case.rounding();
    (beyond > 0.0).then_some("collision")
}

fn judge(name: &str, scene: &str, case: &Encounter, wrong: &mut Vec<String>) {
    let found = verdict(scene);
    if let Some(expected) = expected(case)
        && expected != found
    {
        wrong.push(format!("{name}: {found}, expected {expected}"));
    }
}

/// The table of the report: a cylinder, and a block; the numbers of 0.06 mm, 3.9 mm and 5 mm are among the depths.
#[test]
fn a_cylinder_pin_collides_wherever_the_scene_stands() {
    let pin = Solid::Cylinder { radius: 0.005, height: 0.02 };
    let anvil = Solid::Box { size: DVec3::splat(0.1) };
    let mut wrong = Vec::new();
    for depth in DEPTHS {
        for offset in OFFSETS {
            for direction in [DVec3::X, DVec3::Y, DVec3::Z, DVec3::ONE] {
                let case = insertion(&pin, &anvil, depth).shifted(offset * direction);
                judge(
                    &format!("{depth:e} m deep at {offset} m along {direction}"),
                    &case.scene("m", 1.0),
                    &case,
                    &mut wrong,
                );
            }
        }
    }
    assert!(wrong.is_empty(), "{} wrong\n{}", wrong.len(), wrong.join("\n"));
}

/// What only touches in the end is a fit and free, as far out as it may be.
#[test]
fn a_pin_that_ends_on_the_block_is_free_wherever_the_scene_stands() {
    let mut wrong = Vec::new();
    for pin in kinds(1.0 / 128.0, 1.0 / 32.0) {
        for anvil in kinds(0.125, 0.25) {
            for offset in [0.0, 16.0, 512.0, 1024.0, 1_048_576.0] {
                // On a grid, where nothing is rounded.
                let case = insertion_from(&pin, &anvil, 0.03125, 0.0).shifted(offset * DVec3::ONE);
                let found = verdict(&case.scene("m", 1.0));
                if found != "free" {
                    wrong.push(format!("{} on {} at {offset} m: {found}", pin.kind(), anvil.kind()));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{} wrong\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn every_kind_of_pin_collides_with_every_kind_of_block_wherever_the_scene_stands() {
    let mut wrong = Vec::new();
    let mut told = 0;
    for pin in kinds(0.005, 0.02) {
        for anvil in kinds(0.05, 0.1) {
            for depth in DEPTHS.into_iter().step_by(2) {
                for offset in OFFSETS {
                    let case = insertion(&pin, &anvil, depth).shifted(offset * DVec3::new(1.0, -0.7, 0.3));
                    told += usize::from(expected(&case).is_some());
                    let name = format!("{} {depth:e} m deep in {} at {offset} m", pin.kind(), anvil.kind());
                    judge(&name, &case.scene("m", 1.0), &case, &mut wrong);
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{} wrong of {told}\n{}", wrong.len(), wrong.join("\n"));
    assert!(told > 1000, "{told}");
}

/// Neither a floor of 50 m beside them, nor one that the block is part of, nor a tiny stud on it hides a pin.
#[test]
fn what_else_there_is_does_not_hide_a_pin() {
    let mut wrong = Vec::new();
    let pin = Solid::Cylinder { radius: 0.005, height: 0.02 };
    let block = Solid::Box { size: DVec3::splat(0.1) };
    let floor = Solid::Box { size: DVec3::new(50.0, 50.0, 0.1) };
    let stud = Solid::Sphere { radius: 1e-4 };
    let beside = |part: &Solid, at: DVec3| {
        Solid::Compound(vec![(Place::ORIGIN, block.clone()), (Place::at(at), part.clone())])
    };
    let with_stud = beside(&stud, DVec3::new(0.04, 0.04, 0.05));
    let far_stud = beside(&stud, DVec3::new(0.0, 40.0, 0.0));
    let on_floor = beside(&floor, DVec3::new(0.0, 0.0, -0.1));
    for depth in DEPTHS {
        for offset in [0.0, 10.0, 500.0] {
            // The floor is a third body.
            let case = insertion(&pin, &block, depth).shifted(offset * DVec3::X);
            let third = format!(
                "\n[[body]]\nname = \"floor\"\nshape = {}\npose = {}\n",
                floor.toml(1.0),
                Place::at(DVec3::new(offset, 0.0, -0.15)).text(1.0)
            );
            let mut scene = case.scene("m", 1.0);
            let step = scene.find("\n[[step]]").unwrap();
            scene.insert_str(step, &third);
            judge(&format!("a floor, {depth:e} m deep at {offset} m"), &scene, &case, &mut wrong);
            for (name, anvil) in [("stud", &with_stud), ("far stud", &far_stud), ("floor", &on_floor)] {
                let mut case = insertion(&pin, &block, depth).shifted(offset * DVec3::X);
                case.bodies[1] = anvil.clone();
                let name = format!("with a {name}, {depth:e} m deep at {offset} m");
                judge(&name, &case.scene("m", 1.0), &case, &mut wrong);
            }
        }
    }
    assert!(wrong.is_empty(), "{} wrong\n{}", wrong.len(), wrong.join("\n"));
}

/// Turned bodies, and pins that come in along any direction.
#[test]
fn the_direction_does_not_matter() {
    let mut random = Random::new(18);
    let mut wrong = Vec::new();
    let (pins, anvils) = (kinds(0.005, 0.02), kinds(0.05, 0.1));
    for round in 0..freiraum_testkit::scale::cases(400) {
        let (pin, anvil) = (&pins[random.below(7)], &anvils[random.below(7)]);
        let depth = DEPTHS[random.below(DEPTHS.len())];
        let turn = random.rotation();
        let mut case = insertion(pin, anvil, depth);
        for place in &mut case.places {
            *place = Place { turn, at: turn * place.at };
        }
        if let Way::Translate(by) = &mut case.ways[0] {
            *by = turn * *by;
        }
        let offset = OFFSETS[random.below(OFFSETS.len())] * random.direction();
        let case = case.shifted(offset);
        let name = format!("{round}: {} {depth:e} m deep in {} at {offset}", pin.kind(), anvil.kind());
        judge(&name, &case.scene("m", 1.0), &case, &mut wrong);
    }
    assert!(wrong.is_empty(), "{} wrong\n{}", wrong.len(), wrong.join("\n"));
}
