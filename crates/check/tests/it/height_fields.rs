//! Height fields are solid below, however far below.

use freiraum_assets::ShapeCache;
use freiraum_check::Timeline;
use freiraum_check::{
    CheckMemory, CheckOptions, FindingKind, PlanVerdict, Report, WarningCode, check, placement,
};
use freiraum_geometry::shape::{Cuboid, HeightField, Shape};
use freiraum_geometry::{Pose, Vec3};
use freiraum_scene::{Body, Geometry, Move, Place, Scene, Step, Travel};

/// A field of 4 m by 4 m with hills of some centimetres, and a cube of 0.2 m that moves.
fn scene(from: Vec3, by: Vec3) -> Scene {
    let heights: Vec<Vec<f64>> =
        (0..5).map(|i| (0..5).map(|k| 0.05 * f64::from((3 * i + 5 * k) % 4)).collect()).collect();
    let field = Shape::HeightField(HeightField::new([4.0, 4.0], &heights).unwrap());
    let body = |name: &str, shape: Shape, pose: Pose| Body {
        name: name.to_owned(),
        geometry: Geometry::Shape(shape),
        is_fixed: false,
        color: None,
        pose,
        goal: None,
        place: Place::default(),
    };
    let cube = Shape::Cuboid(Cuboid::new(Vec3::splat(0.2)).unwrap());
    let place = Place::default();
    let moves =
        vec![Move { subject: "cube".to_owned(), bodies: vec![0], travel: Travel::Translate(by), place }];
    let step = Step { name: "step".to_owned(), moves, tasks: Vec::new(), seconds: 1.0, place };
    Scene {
        bodies: vec![body("cube", cube, Pose::from_translation(from)), body("field", field, Pose::IDENTITY)],
        steps: vec![step],
        ..Scene::default()
    }
}

fn checked(scene: &Scene) -> Report {
    let (timeline, parts) = (Timeline::of(scene).unwrap(), ShapeCache::of(scene));
    check(scene, &timeline, &parts, &CheckMemory::default(), &CheckOptions::default()).unwrap()
}

#[test]
fn a_body_wholly_below_a_field_is_in_it() {
    for depth in [0.3, 5.0, 1e4] {
        let scene = scene(Vec3::new(0.3, -0.2, -depth), Vec3::new(0.5, 0.0, 0.0));
        let found = checked(&scene);
        assert_eq!(found.verdict, PlanVerdict::Collision, "{depth}");
        let start = found.start.first().unwrap_or_else(|| panic!("{depth}: {:?}", found.steps));
        assert!(matches!(start.kind, FindingKind::Overlap { .. }), "{depth} {start:?}");
        let poses: Vec<Pose> = scene.bodies.iter().map(|body| body.pose).collect();
        let (parts, options) = (ShapeCache::of(&scene), CheckOptions::default());
        let found = placement(&scene, &parts, &poses, &|_| true, &options).unwrap();
        assert!(matches!(found[0].kind, FindingKind::Overlap { .. }), "{depth} {found:?}");
    }
}

#[test]
fn beside_and_above_a_field_it_is_free() {
    for from in [Vec3::new(5.0, 0.0, -5.0), Vec3::new(0.0, 0.0, 5.0), Vec3::new(0.0, 7.0, 0.0)] {
        let found = checked(&scene(from, Vec3::new(0.5, 0.0, 0.0)));
        assert_eq!(found.verdict, PlanVerdict::Free, "{from} {:?} {:?}", found.start, found.steps);
        assert!(!found.warnings.iter().any(|warning| warning.code == WarningCode::NoSolid), "{from}");
    }
}

#[test]
fn what_goes_below_from_the_side_is_in_it() {
    for depth in [0.3, 5.0, 1e4] {
        let found = checked(&scene(Vec3::new(5.0, 0.0, -depth), Vec3::new(-5.0, 0.0, 0.0)));
        assert_eq!(found.verdict, PlanVerdict::Collision, "{:?}", found.steps);
        let contact = &found.steps[0].findings[0];
        assert!(matches!(contact.kind, FindingKind::Contact { .. }), "{contact:?}");
        assert!((contact.time - 0.58).abs() < 1e-6, "{depth} {contact:?}");
        // The field comes to the cube.
        let mut moved = scene(Vec3::new(5.0, 0.0, -depth), Vec3::new(5.0, 0.0, 0.0));
        moved.steps[0].moves[0].bodies = vec![1];
        moved.steps[0].moves[0].subject = "field".to_owned();
        let found = checked(&moved);
        assert_eq!(found.verdict, PlanVerdict::Collision, "{:?}", found.steps);
        assert!((found.steps[0].findings[0].time - 0.58).abs() < 1e-6, "{depth}");
    }
}

/// A cube that touches a side far below the surface may slide along it and leave, and not go in.
#[test]
fn what_leans_on_a_side_may_slide_along_it() {
    for (by, verdict) in [
        (Vec3::X, PlanVerdict::Free),
        (Vec3::Y, PlanVerdict::Free),
        (Vec3::Z, PlanVerdict::Free),
        (-0.1 * Vec3::X, PlanVerdict::Collision),
    ] {
        let found = checked(&scene(Vec3::new(2.1, 0.3, -5.0), by));
        assert_eq!(found.verdict, verdict, "{by} {:?} {:?}", found.start, found.steps);
    }
}

#[test]
fn what_passes_beside_keeps_its_distance() {
    let mut scene = scene(Vec3::new(2.2, -9.0, -5.0), Vec3::new(0.0, 18.0, 0.0));
    scene.clearance = 0.09;
    assert_eq!(checked(&scene).verdict, PlanVerdict::Free);
    scene.clearance = 0.11;
    let found = checked(&scene);
    assert_eq!(found.verdict, PlanVerdict::TooClose, "{:?}", found.steps);
    let kind = &found.steps[0].findings[0].kind;
    assert!(matches!(kind, FindingKind::TooClose { .. }), "{kind:?}");
}

#[test]
fn below_a_field_that_is_declared_a_sheet_it_is_free() {
    let scene = Scene { sheets: vec![1], ..scene(Vec3::new(0.3, -0.2, -5.0), Vec3::new(0.5, 0.0, 0.0)) };
    let found = checked(&scene);
    assert_eq!(found.verdict, PlanVerdict::Free, "{:?} {:?}", found.start, found.steps);
    let sheets: Vec<_> = found.warnings.iter().filter(|warning| warning.code == WarningCode::Sheet).collect();
    assert_eq!(sheets.len(), 1);
    assert!(sheets[0].bodies == [1] && sheets[0].message.contains("only its surface counts"), "{sheets:?}");
}
