//! 300 spheres in one place: the text took minutes, and a report drew each of them.

use freiraum_assets::ShapeCache;
use freiraum_check::{CheckMemory, CheckOptions, PlanVerdict, Timeline, check, words};
use freiraum_geometry::shape::Sphere;
use freiraum_geometry::{Pose, Shape};
use freiraum_render::report::{ReportOptions, write};
use freiraum_scene::{Body, Geometry, Place, Scene};
use freiraum_testkit::folder::Folder;

/// All pairs of them overlap: what is written grows with the bodies, not with the pairs of pairs.
#[test]
fn coincident_spheres_are_told_in_few_lines() {
    let shape = Shape::Sphere(Sphere::new(0.01).unwrap());
    let body = |k: usize| Body {
        name: format!("body {k}"),
        geometry: Geometry::Shape(shape.clone()),
        pose: Pose::IDENTITY,
        is_fixed: false,
        color: None,
        goal: None,
        place: Place::default(),
    };
    let scene = Scene { bodies: (0..300).map(body).collect(), ..Scene::default() };
    let (timeline, parts) = (Timeline::of(&scene).unwrap(), ShapeCache::of(&scene));
    let found = check(&scene, &timeline, &parts, &CheckMemory::default(), &CheckOptions::default()).unwrap();
    assert_eq!((found.verdict, found.start.len()), (PlanVerdict::Collision, 300 * 299 / 2));
    let said = words::grouped_start(&scene, &found.start);
    assert_eq!(said.len(), 1, "{said:?}");
    assert!(said[0].1.contains("298 more bodies overlap here, 44850 pairs in all"), "{said:?}");
    let folder = Folder::new("coincident-spheres");
    let files = write(
        folder.path(),
        &scene,
        &timeline,
        &parts,
        &found,
        &ReportOptions { title: "spheres".to_owned() },
    );
    let page = std::fs::metadata(files.unwrap().html).unwrap().len();
    assert!(page < 1_000_000, "{page} bytes");
}
